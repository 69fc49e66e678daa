/* SPDX-License-Identifier: MIT */
/*
 * The vertex program for one vertex. The draw is played twice: first to see where the vertex is processed, which part of the draw, chunk
 * and place in it; then with the vertex stage's executor replaced where that place is run.
 */
#include "inspect/trace/internal.h"

#include "base/base.h"
#include "inspect/internal.h"

#include <stdlib.h>

struct vertex_trace {
    struct inspect_trace trace;
    struct hal_tracer *tracer;
    const struct inspect_trace_options *options;
    uint32_t vertex;
    unsigned inputs; /* of the pixel program of the part at hand */
    bool runs_here;  /* a program runs for its vertices */

    /* progress: part of the draw, chunk of the part */
    unsigned part, chunk;
    uint32_t first, count; /* primitives of the parts before, and of this part */
    uint64_t vertices;     /* corners of primitives so far */

    /* where the vertex is */
    bool drawn, found, runs;
    unsigned part_of, chunk_of;
    uint32_t slot_of, primitive;
    bool has_corner, given;
    bool (*give)(void *user, const struct inspect_trace *trace);
    void *user;
};

/* --- observing ----------------------------------------------------------------------------------- */

static void begin_part(struct vertex_trace *v, struct hal_context *context)
{
    struct hal_inspect_pixels pixels;

    hal_inspect_pixels(context, &pixels);
    v->drawn = true;
    v->inputs = pixels.input_count;
    v->runs_here = hal_inspect_runs_vertices(context);
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
    hal_tracer_chunk(v->tracer, v->part == v->part_of && v->chunk == v->chunk_of);
}

static bool finding_primitive(void *user, const struct hal_observed_primitive *observed, unsigned times)
{
    struct vertex_trace *v = user;
    const uint32_t number = v->first + observed->number;
    struct hal_inspect_primitive primitive;

    if (times)
        return false;
    v->count = BASE_MAX(v->count, observed->number + 1);
    v->vertices = BASE_MAX(v->vertices, ((uint64_t)number + 1) * observed->corners);
    if (!v->found && v->vertex / observed->corners == number) {
        hal_inspect_primitive(observed, &primitive);
        v->found = true;
        v->runs = v->runs_here;
        v->part_of = v->part;
        v->chunk_of = v->chunk;
        v->slot_of = primitive.corner[v->vertex % primitive.corners].slot;
        v->primitive = number;
    }
    return true;
}

static bool tracing_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct vertex_trace *v = user;

    (void)primitives;
    begin_part(v, context);
    if (v->part == v->part_of)
        hal_tracer_begin_vertex(v->tracer, context, draw, v->slot_of, v->options->optimized);
    return true;
}

static bool tracing_primitive(void *user, const struct hal_observed_primitive *observed, unsigned times)
{
    struct vertex_trace *v = user;
    const uint32_t number = v->first + observed->number;
    struct hal_inspect_primitive primitive;

    if (times)
        return false;
    v->count = BASE_MAX(v->count, observed->number + 1);
    if (v->part == v->part_of && number == v->primitive && !v->has_corner) {
        hal_inspect_primitive(observed, &primitive);
        inspect_fill_in_corner(&v->trace.corner, &primitive.corner[v->vertex % primitive.corners]);
        v->trace.corner.missing = hal_tracer_run(v->tracer)->is_missing;
        v->trace.corner_inputs = v->inputs;
        v->has_corner = true;
    }
    return true;
}

static void tracing_drawn(void *user, struct hal_context *context)
{
    struct vertex_trace *v = user;
    const struct hal_run *run = hal_tracer_run(v->tracer);

    (void)context;
    hal_tracer_end(v->tracer);
    if (v->part != v->part_of || !hal_tracer_has_run(v->tracer) || !v->has_corner || v->given ||
        hal_tracer_failed(v->tracer))
        return;
    v->trace.run = run;
    v->trace.element = run->is_periodic ? INSPECT_ALL : run->element;
    v->trace.primitive = v->primitive;
    v->given = true;
    v->give(v->user, &v->trace); /* (while the program still exists) */
}

/* --- the whole ----------------------------------------------------------------------------------- */

static bool play_traced(struct inspect *session, uint32_t action, const struct hal_observer *observer,
                        struct vertex_trace *v, struct capture_error *error)
{
    bool done = inspect_seek(session, action, error);

    v->part = v->chunk = 0;
    v->first = v->count = 0;
    if (!done)
        return false;
    inspect_observe(session, observer);
    done = inspect_step(session, NULL, error);
    inspect_observe(session, NULL);
    return done;
}

static bool explain_vertex(const struct vertex_trace *v, struct capture_error *error)
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

    if (!play_traced(session, action, &finding, v, error) || !explain_vertex(v, error))
        return false;
    done = play_traced(session, action, &tracing, v, error);
    hal_tracer_end(v->tracer);
    if (done && hal_tracer_failed(v->tracer))
        return inspect_no_memory(error);
    if (done && !v->given)
        return inspect_fail(error, "vertex %u was processed differently when the draw was repeated",
                            (unsigned)v->vertex);
    return done;
}

bool inspect_trace_vertex(struct inspect *session, uint32_t action, uint32_t vertex,
                          const struct inspect_trace_options *options,
                          bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                          struct capture_error *error)
{
    struct vertex_trace *v = mem_calloc(1, sizeof(*v));
    bool done;

    if (v)
        v->tracer = hal_tracer_create();
    if (!v || !v->tracer) {
        free(v);
        return inspect_no_memory(error);
    }
    v->options = options;
    v->vertex = v->trace.vertex = vertex;
    v->give = give;
    v->user = user;
    done = inspect_trace_begin(session, action, error) && trace_vertex(session, action, v, error);
    hal_tracer_destroy(v->tracer);
    free(v);
    return done;
}
