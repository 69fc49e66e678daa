/* SPDX-License-Identifier: MIT */
/* One run of a program: the steps of the executor that reports them, and reads of textures on their way to the sampler. */
#include "inspect/trace/internal.h"

#include "base/base.h"
#include "inspect/internal.h"
#include "raster/kernels/kernels.h"
#include "shader/code.h"

#include <stdlib.h>
#include <string.h>

/* --- draws ---------------------------------------------------------------------------------------- */

bool inspect_trace_begin(struct inspect *session, uint32_t action, struct capture_error *error)
{
    const enum inspect_kind kind = inspect_action(session, action)->kind;

    if (kind != INSPECT_DRAW)
        return inspect_fail(error, "that is not a draw, but a %s", inspect_kind_name(kind));
    return inspect_seek(session, action, error);
}

/* --- programs ------------------------------------------------------------------------------------ */

/* Do both use the same inputs of a binding? They do if they are compiled from the same code. */
static bool fits(const struct shader_program *a, const struct shader_program *b)
{
    return a->input_count == b->input_count && !memcmp(a->input, b->input, sizeof(a->input)) &&
           a->float_count == b->float_count && a->samplers == b->samplers && a->outputs_written == b->outputs_written &&
           a->inputs_read == b->inputs_read;
}

void inspect_tracing_choose(struct tracing *t, const struct shader_program *own, const void *code, size_t count,
                            bool optimized)
{
    struct trace_program *p = &t->program;

    if (p->own == own)
        return;
    shader_destroy(p->plain);
    free(p->tokens);
    *p = (struct trace_program){.own = own};
    if (!count)
        return;
    p->tokens = mem_calloc(count, sizeof(*p->tokens));
    t->failed |= !p->tokens;
    if (!p->tokens)
        return;
    memcpy(p->tokens, code, count * sizeof(*p->tokens));
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
static _Thread_local struct tracing *running;

static void sample_traced RASTER_SAMPLE_LOD_PARAMETERS
{
    struct tracing *t = running;
    const unsigned number = (unsigned)(sampler - t->sampler);
    const struct raster_sampler *own = &t->binding->sampler[number];

    inspect_note_fetch(t, number, group_count, coordinate, mode, lod);
    if (own->feedback) /* (of no lane: the draw itself records) */
        raster_kernels_for(CPU_SCALAR)->sample_recorded(own, group_count, coordinate, mode, lod, 0, result);
    else
        t->binding->sample(own, group_count, coordinate, mode, lod, result);
}

static struct inspect_trace_step *add_step(struct tracing *t)
{
    struct inspect_trace *trace = &t->trace;

    if (trace->step_count == t->capacity) {
        const size_t capacity = 2 * t->capacity + 64;
        struct inspect_trace_step *bigger = mem_realloc(trace->steps, capacity, sizeof(*bigger));

        t->failed |= !bigger;
        if (!bigger)
            return NULL;
        trace->steps = bigger;
        t->capacity = capacity;
    }
    return &trace->steps[trace->step_count++];
}

static void keep_fetch(struct tracing *t, struct inspect_trace_step *step)
{
    step->fetch = calloc(1, sizeof(*step->fetch));
    t->failed |= !step->fetch;
    if (!step->fetch)
        return;
    *step->fetch = t->fetch;
    if (step->machine.active >> t->trace.lane & 1 && t->reads++ < TRACE_MOST_READS)
        t->failed |= !inspect_find_texels(t, step->fetch);
}

static void note_step(void *user, const struct shader_trace_step *machine)
{
    struct tracing *t = user;
    struct inspect_trace_step *step = t->failed ? NULL : add_step(t);

    if (step) {
        *step = (struct inspect_trace_step){.machine = *machine};
        if (machine->code->op == IR_TEX && t->has_fetch)
            keep_fetch(t, step);
    }
    t->has_fetch = false;
}

static void note_narrow_read(void *user, unsigned sampler, const float (*coordinate)[RASTER_LANES], bool affine)
{
    inspect_note_narrow_fetch(user, sampler, coordinate, affine);
}

void inspect_tracing_forget(struct tracing *t)
{
    for (size_t i = 0; i < t->trace.step_count; i++)
        if (t->trace.steps[i].fetch) {
            free(t->trace.steps[i].fetch->texels);
            free(t->trace.steps[i].fetch);
        }
    t->trace.step_count = 0;
    t->trace.input_count = t->trace.output_count = 0;
    t->trace.killed = 0;
    t->reads = 0;
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++)
        inspect_free_finder(&t->finder[s]);
}

void inspect_tracing_free(struct tracing *t)
{
    inspect_tracing_forget(t);
    free(t->trace.steps);
    shader_destroy(t->program.plain);
    free(t->program.tokens);
}

/* --- running ------------------------------------------------------------------------------------- */

static void begin(struct tracing *t, const struct shader_binding *binding, unsigned first, unsigned count)
{
    const struct shader_program *program = t->program.plain ? t->program.plain : binding->program;

    inspect_tracing_forget(t);
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
    t->trace.stage = program->stage;
    t->trace.program = program;
    t->trace.is_bytecode = t->program.token_count != 0;
    t->trace.narrow = false;
    t->trace.tokens = t->program.tokens;
    t->trace.token_count = t->program.token_count;
    t->trace.lanes = count;
}

/* Returns the tracer of the lane's quad. */
static struct shader_tracer begin_quad(struct tracing *t, const struct shader_binding *binding,
                                       const struct raster_batch *batch, unsigned lane)
{
    const unsigned first = lane & ~(RASTER_QUAD_LANES - 1u);

    t->trace.lane = lane - first;
    begin(t, binding, first, RASTER_QUAD_LANES);
    t->trace.covered = batch->covered >> first & 15;
    for (unsigned l = 0; l < RASTER_QUAD_LANES; l++) {
        t->trace.x[l] = (unsigned)batch->x[first + l];
        t->trace.y[l] = (unsigned)batch->y[first + l];
    }
    return (struct shader_tracer){
        .first = first,
        .count = RASTER_QUAD_LANES,
        .user = t,
        .step = note_step,
        .read = note_narrow_read,
    };
}

void inspect_tracing_pixels(struct tracing *t, const struct shader_binding *binding, struct raster_batch *batch,
                            unsigned lane)
{
    const uint64_t covered = batch->covered;
    const struct shader_tracer tracer = begin_quad(t, binding, batch, lane);

    running = t;
    shader_trace_pixels(&t->copy, batch, &tracer);
    running = NULL;
    t->trace.killed = (covered & ~batch->covered) >> tracer.first & 15;
}

/* Samplers are the draw's own: the narrow form's executor asks them itself. */
void inspect_tracing_narrow(struct tracing *t, const struct shader_binding *binding, enum cpu_level level,
                            struct raster_batch *batch, unsigned lane)
{
    const struct shader_tracer tracer = begin_quad(t, binding, batch, lane);

    t->trace.narrow = true;
    shader_trace_narrow(binding, level, batch, &tracer);
}

void inspect_tracing_vertices(struct tracing *t, const struct shader_binding *binding,
                              struct shader_vertex_batch *batch, unsigned lane)
{
    const struct shader_tracer tracer = {.first = lane, .count = 1, .user = t, .step = note_step};

    t->trace.lane = 0;
    begin(t, binding, lane, 1);
    running = t;
    shader_trace_vertices(&t->copy, batch, &tracer);
    running = NULL;
}
