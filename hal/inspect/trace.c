/* SPDX-License-Identifier: MIT */
/* One run of a program: the steps of the executor that reports them, and reads of textures on their way to the sampler. */
#include "base/base.h"
#include "hal/inspect/tracer.h"
#include "hal/state/shaders.h"
#include "raster/kernels/kernels.h"
#include "shader/code.h"

#include <stdlib.h>
#include <string.h>

/* Texture reads of a run whose texels are determined. */
#define MOST_READS 1024

/* --- programs ------------------------------------------------------------------------------------ */

/* Do both use the same inputs of a binding? They do if they are compiled from the same code. */
static bool fits(const struct shader_program *a, const struct shader_program *b)
{
    return a->input_count == b->input_count && !memcmp(a->input, b->input, sizeof(a->input)) &&
           a->float_count == b->float_count && a->samplers == b->samplers && a->outputs_written == b->outputs_written &&
           a->inputs_read == b->inputs_read;
}

void tracer_choose(struct hal_tracer *t, const struct shader_program *own, const struct hal_shader *shader,
                   bool optimized)
{
    struct traced_program *p = &t->program;
    const bool is_bytecode = shader && shader->program == own;
    const size_t count = is_bytecode ? shader->code_bytes / 4 : 0;

    if (p->own == own)
        return;
    shader_destroy(p->plain);
    free(p->tokens);
    *p = (struct traced_program){.own = own};
    if (!count)
        return;
    p->tokens = mem_calloc(count, sizeof(*p->tokens));
    t->failed |= !p->tokens;
    if (!p->tokens)
        return;
    memcpy(p->tokens, shader->bytes + shader->declaration_bytes, count * sizeof(*p->tokens));
    p->token_count = count;
    if (optimized)
        return;
    p->plain = shader_compile_plain(p->tokens, count, NULL);
    t->failed |= !p->plain;
    if (p->plain && !fits(p->plain, own)) {
        shader_destroy(p->plain);
        p->plain = NULL;
    }
}

/* --- steps --------------------------------------------------------------------------------------- */

/* The run of the thread: samplers only get their own address. */
static _Thread_local struct hal_tracer *running;

static void sample_traced RASTER_SAMPLE_LOD_PARAMETERS
{
    struct hal_tracer *t = running;
    const unsigned number = (unsigned)(sampler - t->sampler);
    const struct raster_sampler *own = &t->binding->sampler[number];

    tracer_note_fetch(t, number, group_count, coordinate, mode, lod);
    if (own->feedback) /* (of no lane: the draw itself records) */
        raster_kernels_for(CPU_SCALAR)->sample_recorded(own, group_count, coordinate, mode, lod, 0, result);
    else
        t->binding->sample(own, group_count, coordinate, mode, lod, result);
}

static struct hal_run_step *add_step(struct hal_tracer *t)
{
    struct hal_run *run = &t->run;

    if (run->step_count == t->capacity) {
        const size_t capacity = 2 * t->capacity + 64;
        struct hal_run_step *bigger = mem_realloc(run->steps, capacity, sizeof(*bigger));

        t->failed |= !bigger;
        if (!bigger)
            return NULL;
        run->steps = bigger;
        t->capacity = capacity;
    }
    return &run->steps[run->step_count++];
}

static void keep_fetch(struct hal_tracer *t, struct hal_run_step *step)
{
    step->fetch = mem_calloc(1, sizeof(*step->fetch));
    t->failed |= !step->fetch;
    if (!step->fetch)
        return;
    *step->fetch = t->fetch;
    if (step->machine.active >> t->run.lane & 1 && t->reads++ < MOST_READS)
        t->failed |= !tracer_find_texels(t, step->fetch);
}

static void note_step(void *user, const struct shader_trace_step *machine)
{
    struct hal_tracer *t = user;
    struct hal_run_step *step = t->failed ? NULL : add_step(t);

    if (step) {
        *step = (struct hal_run_step){.machine = *machine};
        if (machine->code->op == IR_TEX && t->has_fetch)
            keep_fetch(t, step);
    }
    t->has_fetch = false;
}

static void note_narrow_read(void *user, unsigned sampler, const float (*coordinate)[RASTER_LANES], bool affine)
{
    tracer_note_narrow_fetch(user, sampler, coordinate, affine);
}

void hal_tracer_forget(struct hal_tracer *t)
{
    for (size_t i = 0; i < t->run.step_count; i++)
        if (t->run.steps[i].fetch) {
            free(t->run.steps[i].fetch->texels);
            free(t->run.steps[i].fetch);
        }
    t->run.step_count = 0;
    t->run.input_count = t->run.output_count = 0;
    t->run.killed = 0;
    t->reads = 0;
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++)
        tracer_free_finder(&t->finder[s]);
}

struct hal_tracer *hal_tracer_create(void)
{
    return mem_calloc(1, sizeof(struct hal_tracer));
}

void hal_tracer_destroy(struct hal_tracer *t)
{
    if (!t)
        return;
    hal_tracer_forget(t);
    free(t->run.steps);
    shader_destroy(t->program.plain);
    free(t->program.tokens);
    free(t);
}

bool hal_tracer_failed(const struct hal_tracer *t)
{
    return t->failed;
}

const struct hal_run *hal_tracer_run(const struct hal_tracer *t)
{
    return &t->run;
}

/* --- running ------------------------------------------------------------------------------------- */

static void begin(struct hal_tracer *t, const struct shader_binding *binding, unsigned first, unsigned count)
{
    const struct shader_program *program = t->program.plain ? t->program.plain : binding->program;

    hal_tracer_forget(t);
    t->binding = binding;
    t->copy = *binding;
    t->copy.program = program;
    t->copy.sample = sample_traced;
    t->copy.sampler = t->sampler;
    if (binding->sampler)
        memcpy(t->sampler, binding->sampler, shader_sampler_count(program) * sizeof(*t->sampler));
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++)
        t->sampler[s].feedback = NULL;
    t->has_fetch = false;
    t->first = first;
    t->run.stage = program->stage;
    t->run.program = program;
    t->run.is_bytecode = t->program.token_count != 0;
    t->run.narrow = false;
    t->run.tokens = t->program.tokens;
    t->run.token_count = t->program.token_count;
    t->run.lanes = count;
}

/* Returns the tracer of the lane's quad. */
static struct shader_tracer begin_quad(struct hal_tracer *t, const struct shader_binding *binding,
                                       const struct raster_batch *batch, unsigned lane)
{
    const unsigned first = lane & ~(RASTER_QUAD_LANES - 1u);

    t->run.lane = lane - first;
    begin(t, binding, first, RASTER_QUAD_LANES);
    t->run.covered = batch->covered >> first & 15;
    for (unsigned l = 0; l < RASTER_QUAD_LANES; l++) {
        t->run.x[l] = (unsigned)batch->x[first + l];
        t->run.y[l] = (unsigned)batch->y[first + l];
    }
    return (struct shader_tracer){
        .first = first,
        .count = RASTER_QUAD_LANES,
        .user = t,
        .step = note_step,
        .read = note_narrow_read,
    };
}

void tracer_run_floats(struct hal_tracer *t, const struct shader_binding *binding, struct raster_batch *batch,
                       unsigned lane)
{
    const uint64_t covered = batch->covered;
    const struct shader_tracer tracer = begin_quad(t, binding, batch, lane);

    running = t;
    shader_trace_pixels(&t->copy, batch, &tracer);
    running = NULL;
    t->run.killed = (covered & ~batch->covered) >> tracer.first & 15;
}

/* Samplers are the draw's own: the narrow form's executor asks them itself. */
void tracer_run_narrow(struct hal_tracer *t, const struct shader_binding *binding, struct raster_batch *batch,
                       unsigned lane)
{
    const struct shader_tracer tracer = begin_quad(t, binding, batch, lane);

    t->run.narrow = true;
    shader_trace_narrow(binding, t->level, batch, &tracer);
}

void tracer_run_vertices(struct hal_tracer *t, const struct shader_binding *binding, struct shader_vertex_batch *batch,
                         unsigned lane)
{
    const struct shader_tracer tracer = {.first = lane, .count = 1, .user = t, .step = note_step};

    t->run.lane = 0;
    begin(t, binding, lane, 1);
    running = t;
    shader_trace_vertices(&t->copy, batch, &tracer);
    running = NULL;
}
