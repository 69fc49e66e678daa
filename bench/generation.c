/* SPDX-License-Identifier: MIT */
/* Measures how long the generation of machine code takes for some programs. */
#include "bench/generation.h"

#include "bench/child.h"
#include "bench/executors.h"
#include "bytecode/bytecode.h"
#include "d3d/types.h"
#include "jit/memory.h"
#include "shader/shader.h"
#include "shader/stages.h"

#include <stdio.h>
#include <string.h>

#define LIGHTS 8 /* of eight instructions each */

/* --- programs ------------------------------------------------------------------------------------ */

/* One texture each, like most fixed-function draws with two textures. */
static struct shader_program *make_cascade(struct stages_program *stages)
{
    struct stages_key key;

    memset(&key, 0, sizeof(key));
    for (unsigned s = 0; s < STAGES_MAX; s++) {
        struct stage_key *k = &key.stage[s];

        k->color_op = k->alpha_op = s > 1 ? D3DTOP_DISABLE : s ? D3DTOP_ADDSIGNED : D3DTOP_MODULATE;
        k->color_arg[1] = k->alpha_arg[1] = D3DTA_TEXTURE;
        k->color_arg[2] = k->alpha_arg[2] = s ? D3DTA_CURRENT : D3DTA_DIFFUSE;
        k->textured = s < 2;
    }
    stages_compile(&key, stages);
    return stages->shader;
}

static struct shader_program *make_lights(void)
{
    uint32_t tokens[1024];
    char text[8192];
    int n = snprintf(text, sizeof(text), "ps_2_x\ndcl t0\ndcl t1\ndef c31, 0, 0, 0, 1\nmov r2, c31\n");
    size_t count;

    for (unsigned i = 0; i < LIGHTS; i++)
        n += snprintf(text + n, sizeof(text) - (size_t)n,
                      "sub r0.xyz, c%u, t0\ndp3 r0.w, r0, r0\nrsq r1.w, r0.w\nmul r0.xyz, r0, r1.w\ndp3 r0.w, r0, t1\n"
                      "max r0.w, r0.w, c31.x\nmul r1.xyz, r0.w, c%u\nmad r2.xyz, r1, c%u, r2\n",
                      3 * i, 3 * i + 1, 3 * i + 2);
    snprintf(text + n, sizeof(text) - (size_t)n, "mov oC0, r2\n");
    count = shader_assemble(text, tokens, ARRAY_COUNT(tokens), NULL);
    return shader_compile(tokens, count, NULL);
}

const char *const bench_generations[] = {
    "generate a cascade of two stages",
    "generate a ps_2_x of 64 instructions",
    "generate a vs_1_1 of 20 instructions",
};
const unsigned bench_generation_count = ARRAY_COUNT(bench_generations);
static const double marks[] = {30, 150, 0}; /* microseconds; 0: none */

/* --- measuring -------------------------------------------------------------------------------------- */

/* Generates the code of a new program, because a program keeps its code. */
static void generate_once(unsigned index, struct shader_jit *jit)
{
    struct stages_program stages = {.shader = NULL};
    struct shader_program *program = index == 0   ? make_cascade(&stages)
                                     : index == 1 ? make_lights()
                                                  : shader_compile(bench_vs_lit, 1000, NULL);

    if (program)
        shader_generate(program, jit);
    if (index == 0)
        stages_destroy(&stages);
    else
        shader_destroy(program);
}

/* Microseconds: the least of many, because another program may take the processor in the middle of any of them */
static double measure(unsigned index, struct shader_jit *jit, double seconds)
{
    const double start = clock_seconds();
    double least = 1;

    while (clock_seconds() - start < seconds) {
        struct shader_jit_counts before, after;

        shader_jit_get_counts(jit, &before);
        generate_once(index, jit);
        shader_jit_get_counts(jit, &after);
        least = BASE_MIN(least, after.seconds - before.seconds);
    }
    return 1e6 * least;
}

void bench_print_generations(enum cpu_level level, double seconds)
{
    struct shader_jit *jit;

    for (unsigned i = 0; i < bench_generation_count; i++) {
        if (!bench_is_wanted(bench_generations[i]))
            continue;
        jit = shader_jit_create(level, JIT_MEMORY_LIMIT, false);
        if (!jit)
            return;
        const double us = measure(i, jit, seconds);

        printf("%-37s %7.1f us", bench_generations[i], us);
        if (marks[i] > 0)
            printf("   %.0f us %s", marks[i], us <= marks[i] ? "met" : "MISSED");
        printf("\n");
        shader_jit_destroy(jit);
    }
}
