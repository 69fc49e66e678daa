/* SPDX-License-Identifier: MIT */
/*
 * The vertex program for one vertex. The draw is played twice: first to see where the vertex is processed, which part of the draw, chunk
 * and place in it; then with the vertex stage's executor replaced where that place is run.
 */
#include "inspect/trace/internal.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/handles.h"
#include "hal/state/shaders.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/tnl/lower.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/draw.h"
#include "raster/frontend.h"
#include "shader/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vertex_trace {
    struct tracing tracing;
    const struct inspect_trace_options *options;
    uint32_t vertex;
    struct hal_context *context; /* of the part at hand */
    const struct hal_vertex_stage *stage;
    struct hal_source source; /* of the part of the vertex */

    /* progress: part of the draw, chunk of the part, slots of the chunk that have been processed */
    unsigned part, chunk;
    uint32_t slots;
    uint32_t first, count; /* primitives of the parts before, and of this part */
    uint64_t vertices;     /* corners of primitives so far */

    /* where the vertex is */
    bool drawn, found, missing, runs; /* missing: its streams do not hold all of it */
    unsigned part_of, chunk_of;
    uint32_t slot_of, primitive;
    shader_vertex_fn execute; /* the driver's, while it is replaced */
    bool ran, has_corner, given;
    bool (*give)(void *user, const struct inspect_trace *trace);
    void *user;
};

/* The current trace, as a vertex stage has no user pointer; one session at a time. */
static _Thread_local struct vertex_trace *tracing_vertex;

/* --- names --------------------------------------------------------------------------------------- */

/* Names an output of the fixed function. */
static void name_lowered_output(char *text, size_t size, unsigned reg)
{
    static const char *const names[TNL_O_TEXCOORD] = {"position", "fog", "point size", "diffuse", "specular"};

    if (reg >= TNL_O_PLANES)
        snprintf(text, size, "distances to planes");
    else if (reg >= TNL_O_TEXCOORD)
        snprintf(text, size, "texcoord %u", reg - TNL_O_TEXCOORD);
    else
        snprintf(text, size, "%s", names[reg]);
}

static struct inspect_trace_register *add_register(struct inspect_trace_register *list, unsigned *count, char file,
                                                   unsigned reg, unsigned mask, float (*from)[SHADER_LANES],
                                                   unsigned lane)
{
    struct inspect_trace_register *r = &list[*count];

    if (*count == INSPECT_MOST_REGISTERS || !mask)
        return NULL;
    ++*count;
    *r = (struct inspect_trace_register){.mask = (uint8_t)mask};
    snprintf(r->name, sizeof(r->name), "%c%u", file, reg);
    for (unsigned c = 0; c < 4; c++)
        r->value[c][0] = from[c][lane];
    return r;
}

static void note_inputs(struct vertex_trace *v, struct shader_vertex_batch *batch, unsigned lane)
{
    struct inspect_trace *trace = &v->tracing.trace;
    const struct shader_program *program = trace->program;

    for (unsigned i = 0; i < v->stage->input_count; i++) {
        const struct vertex_input_link *link = &v->stage->input[i];
        const char *component = inspect_component_name(link->component);
        struct inspect_trace_register *r =
            add_register(trace->input, &trace->input_count, 'v', link->reg, 15, batch->input[link->reg], lane);

        for (unsigned k = 0; r && trace->is_bytecode && k < program->input_count; k++)
            if (program->input[k].reg == link->reg)
                inspect_trace_meaning(r->meaning, sizeof(r->meaning), program->input[k].usage, program->input[k].index);
        if (r && !r->meaning[0] && component)
            snprintf(r->meaning, sizeof(r->meaning), "%s", component);
    }
}

static void note_outputs(struct vertex_trace *v, struct shader_vertex_batch *batch, unsigned lane)
{
    struct inspect_trace *trace = &v->tracing.trace;
    const struct shader_program *program = trace->program;

    for (unsigned k = 0; k < program->output_count; k++) {
        const struct shader_semantic *s = &program->output[k];
        struct inspect_trace_register *r =
            add_register(trace->output, &trace->output_count, 'o', s->reg, s->mask, batch->output[s->reg], lane);

        if (r)
            inspect_trace_meaning(r->meaning, sizeof(r->meaning), s->usage, s->index);
    }
    for (unsigned o = 0; !trace->is_bytecode && o < SHADER_MAX_OUTPUTS; o++) {
        struct inspect_trace_register *r = add_register(trace->output, &trace->output_count, 'o', o,
                                                        inspect_components_given(program, o), batch->output[o], lane);

        if (r)
            name_lowered_output(r->meaning, sizeof(r->meaning), o);
    }
}

/* --- running ------------------------------------------------------------------------------------- */

static void execute_traced(const struct shader_binding *binding, struct shader_vertex_batch *batch)
{
    struct vertex_trace *v = tracing_vertex;
    const uint32_t first = v->slots;
    const unsigned lane = v->slot_of - first;

    v->slots += HAL_BATCH;
    if (v->chunk != v->chunk_of || v->slot_of < first || lane >= batch->count) {
        v->execute(binding, batch);
        return;
    }
    const uint32_t number = v->context->front->span.number[lane];

    v->tracing.trace.element = v->source.period ? INSPECT_ALL : number;
    v->missing = !hal_source_holds(&v->source, number, number);
    inspect_tracing_vertices(&v->tracing, binding, batch, lane);
    note_inputs(v, batch, lane);
    note_outputs(v, batch, lane);
    v->ran = true;
}

/* --- observing ----------------------------------------------------------------------------------- */

static void begin_part(struct vertex_trace *v, struct hal_context *context)
{
    v->drawn = true;
    v->context = context;
    v->stage = &context->front->vertex_stage;
    v->part++;
    v->chunk = 0;
    v->first += v->count;
    v->count = 0;
}

static bool finding_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    (void)draw;
    (void)primitives;
    begin_part(user, context);
    return true;
}

static void begin_chunk(void *user, uint32_t count)
{
    struct vertex_trace *v = user;

    (void)count;
    v->chunk++;
    v->slots = 0;
}

static bool finding_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct vertex_trace *v = user;
    const uint32_t number = v->first + primitive->number;

    if (times)
        return false;
    v->count = BASE_MAX(v->count, primitive->number + 1);
    v->vertices = BASE_MAX(v->vertices, ((uint64_t)number + 1) * primitive->corners);
    if (!v->found && v->vertex / primitive->corners == number) {
        const struct hal_vertex *vertex = primitive->vertex[v->vertex % primitive->corners];

        v->found = true;
        v->runs = v->stage->execute != NULL;
        v->part_of = v->part;
        v->chunk_of = v->chunk;
        v->slot_of = (uint32_t)(vertex - v->context->vertices);
        v->primitive = number;
    }
    return true;
}

static uint32_t surface_of_sampler(const struct hal_context *context, unsigned sampler)
{
    const uint32_t handle = sampler < HAL_VERTEX_SAMPLERS ? context->stage_state[HAL_MAX_SAMPLERS + sampler][0] : 0;

    return handle ? inspect_surface_id(hal_handles_get(context->handles, handle)) : 0;
}

static bool tracing_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct vertex_trace *v = user;
    struct hal_vertex_stage *stage = &context->front->vertex_stage;
    const struct hal_shader *shader = inspect_vertex_shader(context);

    (void)primitives;
    begin_part(v, context);
    if (v->part != v->part_of || !stage->execute)
        return true;
    hal_source_bind(&v->source, draw->layout, draw->buffers);
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++)
        v->tracing.surface[s] = surface_of_sampler(context, s);
    if (shader && shader->program == stage->binding->program)
        inspect_tracing_choose(&v->tracing, shader->program, shader->bytes + shader->declaration_bytes,
                               shader->code_bytes / 4, v->options->optimized);
    else
        inspect_tracing_choose(&v->tracing, stage->binding->program, NULL, 0, false);
    v->execute = stage->execute;
    stage->execute = execute_traced;
    return true;
}

static bool tracing_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct vertex_trace *v = user;
    const uint32_t number = v->first + primitive->number;

    if (times)
        return false;
    v->count = BASE_MAX(v->count, primitive->number + 1);
    if (v->part == v->part_of && number == v->primitive && !v->has_corner) {
        const unsigned c = v->vertex % primitive->corners;

        inspect_fill_in_corner(&v->tracing.trace.corner, primitive->vertex[c], primitive->position[c]);
        v->tracing.trace.corner.missing = v->missing;
        v->tracing.trace.corner_inputs = primitive->context->raster->state.input_count;
        v->has_corner = true;
    }
    return true;
}

static void tracing_drawn(void *user, struct hal_context *context)
{
    struct vertex_trace *v = user;

    if (v->execute)
        context->front->vertex_stage.execute = v->execute;
    v->execute = NULL;
    if (!v->ran || !v->has_corner || v->given || v->tracing.failed)
        return;
    v->tracing.trace.primitive = v->primitive;
    v->given = true;
    v->give(v->user, &v->tracing.trace); /* (while the program is there) */
}

/* --- the whole ----------------------------------------------------------------------------------- */

static bool play(struct inspect *session, uint32_t action, const struct hal_observer *observer, struct vertex_trace *v,
                 struct capture_error *error)
{
    bool done = inspect_seek(session, action, error);

    v->part = v->chunk = 0;
    v->first = v->count = 0;
    v->slots = 0;
    if (!done)
        return false;
    inspect_observe(session, observer);
    done = inspect_step(session, NULL, error);
    inspect_observe(session, NULL);
    return done;
}

static bool explain(const struct vertex_trace *v, struct capture_error *error)
{
    if (!v->drawn)
        return inspect_fail(error, "the driver draws nothing there: it has no primitives, no target, or was refused");
    if (!v->found)
        return inspect_fail(error, "it has no vertex %u; its primitives have %llu", (unsigned)v->vertex,
                            (unsigned long long)v->vertices);
    if (!v->runs)
        return inspect_fail(error, "its vertices come transformed: no program runs for them");
    return true;
}

static bool trace_vertex(struct inspect *session, uint32_t action, struct vertex_trace *v, struct capture_error *error)
{
    const struct hal_observer finding = {
        .user = v,
        .draw = finding_draw,
        .vertices = begin_chunk,
        .primitive = finding_primitive,
    };
    const struct hal_observer tracing = {
        .user = v,
        .draw = tracing_draw,
        .vertices = begin_chunk,
        .primitive = tracing_primitive,
        .drawn = tracing_drawn,
    };
    bool done;

    if (!play(session, action, &finding, v, error) || !explain(v, error))
        return false;
    tracing_vertex = v;
    done = play(session, action, &tracing, v, error);
    tracing_vertex = NULL;
    if (done && v->tracing.failed)
        return inspect_fail(error, "out of memory");
    if (done && !v->given)
        return inspect_fail(error, "vertex %u is processed otherwise the second time", (unsigned)v->vertex);
    return done;
}

bool inspect_trace_vertex(struct inspect *session, uint32_t action, uint32_t vertex,
                          const struct inspect_trace_options *options,
                          bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                          struct capture_error *error)
{
    struct vertex_trace *v = calloc(1, sizeof(*v));
    bool done;

    if (!v)
        return inspect_fail(error, "out of memory");
    v->options = options;
    v->vertex = v->tracing.trace.vertex = vertex;
    v->give = give;
    v->user = user;
    done = inspect_trace_begin(session, action, error) && trace_vertex(session, action, v, error);
    inspect_tracing_free(&v->tracing);
    free(v);
    return done;
}
