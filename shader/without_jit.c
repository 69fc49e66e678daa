/* SPDX-License-Identifier: MIT */
/* Replaces shader/jit/ in a build without it (make JIT=0): no program has machine code. */
#include "base/base.h"
#include "shader/code.h"
#include "shader/jit/keep.h"
#include "shader/run/generated.h"
#include "shader/run/narrow_block.h"
#include "shader/shader.h"

/* Executors refer to it, but only read it to pass it to a generated function. */
const float generated_literals[1] = {0};
const struct narrow_literals narrow_literals = {.one = {0}};

struct shader_jit *shader_jit_create(enum cpu_level level, size_t bytes, bool checks)
{
    (void)level;
    (void)bytes;
    (void)checks;
    return NULL;
}

void shader_jit_on_eviction(struct shader_jit *jit, shader_wait_fn *wait, void *argument)
{
    (void)jit;
    (void)wait;
    (void)argument;
}

void shader_jit_destroy(struct shader_jit *jit)
{
    (void)jit;
}

void shader_note_use(const struct shader_program *program, struct shader_jit *jit)
{
    (void)program;
    (void)jit;
}

void shader_note_narrow_use(const struct shader_program *program, const struct raster_blend *blend,
                            struct shader_jit *jit)
{
    (void)program;
    (void)blend;
    (void)jit;
}

void shader_generate(const struct shader_program *program, struct shader_jit *jit)
{
    (void)program;
    (void)jit;
}

void shader_jit_get_counts(const struct shader_jit *jit, struct shader_jit_counts *counts)
{
    (void)jit;
    *counts = (struct shader_jit_counts){.programs = 0};
}

struct shader_steps shader_count_steps(const struct shader_program *program)
{
    return (struct shader_steps){.all = program->code->plan.step_count};
}

void shader_generated_drop(struct shader_code *code)
{
    (void)code;
}
