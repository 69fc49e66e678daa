/* SPDX-License-Identifier: MIT */
/* Measures the executors of the shader IR with batches of 64 lanes. */
#include "bench/executors.h"

#include "shader/stages.h"
#include "tests/unit/shader_tools.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Batches between two reads of the clock. */
#define BATCHES      64
#define TEXTURE_SIZE 64

struct bench {
    struct stages_program stages;
    struct shader_program *program;
    struct shader_binding *binding;
    _Alignas(64) uint8_t memory[STAGES_BINDING_BYTES]; /* part of the binding of a cascade */
    struct raster_texture texture;
    uint32_t texels[TEXTURE_SIZE * TEXTURE_SIZE];
    float constants[32][4];
    struct raster_batch pixels;
    struct shader_vertex_batch vertices;
};

/* --- programs ----------------------------------------------------------------------------------
 */

enum { OP_MODULATE = 4, OP_MODULATE2X = 5, OP_ADDSIGNED = 8, OP_BLENDFACTORALPHA = 14 };
enum { ARG_DIFFUSE, ARG_CURRENT, ARG_TEXTURE, ARG_FACTOR };

static const uint32_t ps_dot3[] = {
    PS(1, 1),
    OP1(TEX),
    DST(TEXTURE, 0, 15),
    OP1(TEX),
    DST(TEXTURE, 1, 15),
    OP1(DP3),
    DST(TEMP, 0, 15) | SATURATED,
    MODIFIED(SRC(TEXTURE, 0), BX2),
    MODIFIED(SRC(INPUT, 0), BX2),
    OP1(MAD),
    DST(TEMP, 0, 15),
    SRC(TEMP, 0),
    SRC(CONST, 0),
    SRC(CONST, 1),
    OP1(MUL),
    DST(TEMP, 0, 15),
    SRC(TEMP, 0),
    SRC(TEXTURE, 1),
    END,
};

/* clang-format off */
/* Four times: a light's worth of arithmetic, eight instructions. */
#define LIGHT(n)                                                                                   \
    OP(SUB, 3), DST(TEMP, 0, 7), SRC(CONST, 4 * (n)), SRC(TEXTURE, 0), OP(DP3, 3),                 \
        DST(TEMP, 0, 8), SRC(TEMP, 0), SRC(TEMP, 0), OP(RSQ, 2), DST(TEMP, 1, 8),                  \
        SWZ(TEMP, 0, 3, 3, 3, 3), OP(MUL, 3), DST(TEMP, 0, 7), SRC(TEMP, 0),                       \
        SWZ(TEMP, 1, 3, 3, 3, 3), OP(DP3, 3), DST(TEMP, 0, 8), SRC(TEMP, 0), SRC(TEXTURE, 1),      \
        OP(MAX, 3), DST(TEMP, 0, 8), SWZ(TEMP, 0, 3, 3, 3, 3), SWZ(CONST, 16, 0, 0, 0, 0),         \
        OP(MUL, 3), DST(TEMP, 1, 7), SWZ(TEMP, 0, 3, 3, 3, 3), SRC(CONST, 4 * (n) + 1),            \
        OP(MAD, 4), DST(TEMP, 2, 7), SRC(TEMP, 1), SRC(CONST, 4 * (n) + 2), SRC(TEMP, 2)
/* clang-format on */

static const uint32_t ps_lights[] = {
    PS(2, 0),
    OP(DEF, 5),
    DST(CONST, 16, 15),
    0,
    0,
    0,
    0x3f800000,
    LIGHT(0),
    LIGHT(1),
    LIGHT(2),
    LIGHT(3),
    OP(MOV, 2),
    DST(TEMP, 2, 8),
    SWZ(CONST, 16, 3, 3, 3, 3),
    OP(MOV, 2),
    DST(COLOR_OUT, 0, 15),
    SRC(TEMP, 2),
    END,
};

/* Position, normal, one diffuse and specular light, fog, two coordinate sets. */
const uint32_t bench_vs_lit[] = {
    VS(1, 1),
    OP1(DP4),
    DST(TEMP, 0, 1),
    SRC(INPUT, 0),
    SRC(CONST, 0),
    OP1(DP4),
    DST(TEMP, 0, 2),
    SRC(INPUT, 0),
    SRC(CONST, 1),
    OP1(DP4),
    DST(TEMP, 0, 4),
    SRC(INPUT, 0),
    SRC(CONST, 2),
    OP1(DP4),
    DST(TEMP, 0, 8),
    SRC(INPUT, 0),
    SRC(CONST, 3),
    OP1(MOV),
    DST(RASTER_OUT, 0, 15),
    SRC(TEMP, 0),
    OP1(DP3),
    DST(TEMP, 1, 1),
    SRC(INPUT, 3),
    SRC(CONST, 4),
    OP1(DP3),
    DST(TEMP, 1, 2),
    SRC(INPUT, 3),
    SRC(CONST, 5),
    OP1(DP3),
    DST(TEMP, 1, 4),
    SRC(INPUT, 3),
    SRC(CONST, 6),
    OP1(DP3),
    DST(TEMP, 1, 8),
    SRC(TEMP, 1),
    SRC(TEMP, 1),
    OP1(RSQ),
    DST(TEMP, 1, 8),
    SRC(TEMP, 1),
    OP1(MUL),
    DST(TEMP, 1, 7),
    SRC(TEMP, 1),
    SWZ(TEMP, 1, 3, 3, 3, 3),
    OP1(DP3),
    DST(TEMP, 2, 1),
    SRC(TEMP, 1),
    SRC(CONST, 7),
    OP1(DP3),
    DST(TEMP, 2, 2),
    SRC(TEMP, 1),
    SRC(CONST, 8),
    OP1(MOV),
    DST(TEMP, 2, 8),
    SWZ(CONST, 9, 3, 3, 3, 3),
    OP1(LIT),
    DST(TEMP, 3, 15),
    SRC(TEMP, 2),
    OP1(MAD),
    DST(ATTRIBUTE_OUT, 0, 15),
    SWZ(TEMP, 3, 1, 1, 1, 1),
    SRC(CONST, 10),
    SRC(CONST, 11),
    OP1(MUL),
    DST(ATTRIBUTE_OUT, 1, 15),
    SWZ(TEMP, 3, 2, 2, 2, 2),
    SRC(CONST, 12),
    OP1(MAD),
    DST(RASTER_OUT, 1, 1),
    SWZ(TEMP, 0, 3, 3, 3, 3),
    SWZ(CONST, 13, 0, 0, 0, 0),
    SWZ(CONST, 13, 1, 1, 1, 1),
    OP1(MOV),
    DST(TEXCOORD_OUT, 0, 3),
    SRC(INPUT, 7),
    OP1(ADD),
    DST(TEXCOORD_OUT, 1, 3),
    SRC(INPUT, 7),
    SRC(CONST, 14),
    END,
};

/* --- setting up ----------------------------------------------------------------------------------
 */

static void set_sampler(struct bench *b, struct raster_sampler *sampler)
{
    sampler->texture = &b->texture;
    sampler->mag_filter = sampler->min_filter = RASTER_FILTER_LINEAR;
    sampler->mip_filter = RASTER_FILTER_NONE;
}

static void cascade(struct bench *b, enum cpu_level level, unsigned stages)
{
    static const uint8_t ops[] = {OP_MODULATE, OP_ADDSIGNED, OP_MODULATE2X, OP_BLENDFACTORALPHA};
    struct stages_key key;

    memset(&key, 0, sizeof(key));
    for (unsigned s = 0; s < STAGES_MAX; s++) {
        struct stage_key *k = &key.stage[s];
        const uint8_t first = s < 2 ? ARG_TEXTURE : ARG_FACTOR;

        k->color_op = k->alpha_op = s < stages ? ops[s] : 1;
        k->color_arg[1] = k->alpha_arg[1] = first;
        k->color_arg[2] = k->alpha_arg[2] = s ? ARG_CURRENT : ARG_DIFFUSE;
        k->textured = s < 2;
    }
    stages_compile(&key, &b->stages);
    b->binding = stages_bind(b->memory, &b->stages, level);
    for (unsigned s = 0; s < shader_sampler_count(b->binding->program); s++)
        set_sampler(b, &b->binding->sampler[s]);
    stages_set_constant(b->binding, STAGES_CONSTANT_FACTOR, b->constants[1]);
}

static bool compile(struct bench *b, enum cpu_level level, const uint32_t *tokens, size_t count)
{
    struct shader_error error;
    const struct shader_constants constants = {.floats = (const float(*)[4])b->constants, .float_count = 32};

    b->program = shader_compile(tokens, count, &error);
    if (!b->program)
        return false;
    b->binding = shader_bind(mem_alloc_aligned(shader_binding_size(b->program, 32)), b->program, &constants);
    b->binding->sample = raster_sample_lod_kernel(level);
    for (unsigned i = 0; i < b->program->input_count; i++)
        b->binding->input[i] = (uint8_t)i;
    for (unsigned s = 0; s < shader_sampler_count(b->program); s++)
        set_sampler(b, &b->binding->sampler[s]);
    return true;
}

/* Neighbouring pixels of a magnified texture, colours and vectors around them. */
static void fill_inputs(struct bench *b)
{
    for (unsigned i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++)
        b->texels[i] = i * 0x9e3779b1u;
    b->texture.level_count = 1;
    b->texture.level[0] = (struct raster_texture_level){b->texels, TEXTURE_SIZE, TEXTURE_SIZE,
                                                        1,         TEXTURE_SIZE, TEXTURE_SIZE * TEXTURE_SIZE};
    for (unsigned i = 0; i < 32; i++)
        for (unsigned c = 0; c < 4; c++)
            b->constants[i][c] = 0.1f + 0.05f * (float)((i + 3 * c) % 13);
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        const float x = (float)((l & 1) | (l >> 1 & 2) | (l >> 2 & 4)),
                    y = (float)((l >> 1 & 1) | (l >> 2 & 2) | (l >> 3 & 4));

        for (unsigned i = 0; i < RASTER_MAX_INPUTS; i++) {
            b->pixels.input[i][0][l] = 0.3f + 0.011f * x;
            b->pixels.input[i][1][l] = 0.2f + 0.013f * y;
            b->pixels.input[i][2][l] = 0.5f + 0.003f * (float)l;
            b->pixels.input[i][3][l] = 1.0f;
        }
        for (unsigned i = 0; i < SHADER_MAX_INPUTS; i++)
            for (unsigned c = 0; c < 4; c++)
                b->vertices.input[i][c][l] = 0.05f * (float)((l * 7 + i + c) % 19);
    }
    b->pixels.group_count = 4;
    b->pixels.covered = ~0ull;
    b->vertices.count = SHADER_LANES;
}

const char *const bench_programs[] = {
    "one bilinear texture modulated",       "two textures, cascade of four ops", "ps_1_1 dot3",
    "ps_2_0 of 32 arithmetic instructions", "vs_1_1 of 20 instructions",
};
const unsigned bench_program_count = ARRAY_COUNT(bench_programs);

static bool set_up(struct bench *b, unsigned index, enum cpu_level level)
{
    fill_inputs(b);
    switch (index) {
    case 0:
        cascade(b, level, 1);
        return true;
    case 1:
        cascade(b, level, 4);
        return true;
    case 2:
        return compile(b, level, ps_dot3, ARRAY_COUNT(ps_dot3));
    case 3:
        return compile(b, level, ps_lights, ARRAY_COUNT(ps_lights));
    default:
        return compile(b, level, bench_vs_lit, ARRAY_COUNT(bench_vs_lit));
    }
}

static void run(struct bench *b, enum cpu_level level)
{
    for (unsigned i = 0; i < BATCHES; i++)
        if (!b->program)
            shader_pixel_executor(level)(b->binding, &b->pixels);
        else if (b->program->stage == SHADER_VERTEX)
            shader_vertex_executor(level)(b->binding, &b->vertices);
        else
            shader_pixel_executor(level)(b->binding, &b->pixels);
}

/* Processor time of this process, so that others on the machine do not count. */
static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

double bench_program(unsigned index, enum cpu_level level, double seconds)
{
    struct bench *b = mem_alloc_aligned(sizeof(*b));
    double best = 0;

    if (!b)
        return 0;
    memset(b, 0, sizeof(*b));
    if (set_up(b, index, level)) {
        run(b, level);
        for (unsigned attempt = 0; attempt < 3; attempt++) {
            double start = cpu_seconds(), now = start;
            unsigned rounds = 0;

            for (; now - start < seconds / 3; now = cpu_seconds(), rounds++)
                run(b, level);
            best = BASE_MAX(best, rounds / (now - start));
        }
    }
    if (b->program) /* else it lies in b->memory */
        mem_free_aligned(b->binding);
    shader_destroy(b->program);
    stages_destroy(&b->stages);
    mem_free_aligned(b);
    return best * BATCHES * RASTER_LANES;
}
