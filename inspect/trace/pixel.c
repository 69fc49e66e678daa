/* SPDX-License-Identifier: MIT */
/*
 * The pixel program for one pixel: the observer of pixel histories (pixel/draw.c) runs it for each primitive that
 * covers the pixel, here with a report, and then finds the fate of the fragment.
 */
#include "inspect/trace/internal.h"

#include "base/base.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/draw.h"

#include <stdlib.h>

struct pixel_trace {
    struct inspect_trace trace;
    struct hal_tracer *tracer;
    struct pixel_watch watch;
    struct inspect_pixel_row row;
    const struct inspect_trace_options *options;
    bool (*give)(void *user, const struct inspect_trace *trace);
    void *user;
    bool ended, drawn, outside;
    uint32_t target, width, height; /* of the draw */
    unsigned given;
};

bool inspect_trace_begin(struct inspect *session, uint32_t action, struct capture_error *error)
{
    const enum inspect_kind kind = inspect_action(session, action)->kind;

    if (kind != INSPECT_DRAW)
        return inspect_fail(error, "that is not a draw, but a %s", inspect_kind_name(kind));
    return inspect_seek(session, action, error);
}

/* --- observing ----------------------------------------------------------------------------------- */

static bool trace_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct pixel_trace *p = user;
    struct hal_inspect_surface shape = {.width = 0};
    struct hal_inspect_bound bound;

    hal_inspect_bound(context, &bound);
    if (bound.color[0])
        hal_inspect_surface(bound.color[0], &shape);
    p->drawn = true;
    p->target = p->watch.surface = inspect_surface_id(bound.color[0]);
    p->width = shape.width;
    p->height = shape.height;
    p->outside = p->watch.x >= p->width || p->watch.y >= p->height;
    if (p->outside)
        return false;
    hal_tracer_choose_pixels(p->tracer, context, p->options->optimized);
    return inspect_pixel_observer.draw(&p->watch, context, draw, primitives);
}

static void trace_vertices(void *user, uint32_t count)
{
    (void)user;
    (void)count;
}

static bool trace_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct pixel_trace *p = user;
    struct pixel_watch *w = &p->watch;
    const size_t before = p->row.fragment_count;
    const uint32_t number = w->first_primitive + primitive->number;
    const bool wanted = p->options->primitive == INSPECT_ALL || p->options->primitive == number;
    bool again;

    if (!times)
        w->tracer = wanted && !p->ended ? p->tracer : NULL;
    again = inspect_pixel_observer.primitive(w, primitive, times);
    if (p->row.fragment_count == before || !wanted || p->ended || hal_tracer_failed(p->tracer))
        return again;
    p->trace.run = hal_tracer_run(p->tracer);
    p->trace.primitive = number;
    p->trace.fragment = w->fragment;
    p->given++;
    p->ended = !p->give(p->user, &p->trace);
    hal_tracer_forget(p->tracer);
    return again;
}

static void trace_drawn(void *user, struct hal_context *context)
{
    inspect_pixel_observer.drawn(&((struct pixel_trace *)user)->watch, context);
}

static bool explain_pixel(const struct pixel_trace *p, struct capture_error *error)
{
    if (hal_tracer_failed(p->tracer) || p->watch.failed)
        return inspect_no_memory(error);
    if (!p->drawn)
        return inspect_fail(error, "the driver draws nothing there: it has no primitives, no target, or was refused");
    if (p->outside)
        return inspect_fail(error, "its target, surface #%u of %ux%u, has no pixel %u,%u", (unsigned)p->target,
                            (unsigned)p->width, (unsigned)p->height, p->watch.x, p->watch.y);
    if (!p->given && p->options->primitive != INSPECT_ALL)
        return inspect_fail(error, "primitive %u does not cover pixel %u,%u of surface #%u",
                            (unsigned)p->options->primitive, p->watch.x, p->watch.y, (unsigned)p->target);
    if (!p->given)
        return inspect_fail(error, "no primitive of the draw covers pixel %u,%u of surface #%u", p->watch.x, p->watch.y,
                            (unsigned)p->target);
    return true;
}

static void free_trace(struct pixel_trace *p)
{
    hal_probe_destroy(p->watch.probe);
    hal_tracer_destroy(p->tracer);
    free(p->row.fragments);
    free(p);
}

/* NULL: out of memory. */
static struct pixel_trace *make_trace(unsigned x, unsigned y, const struct inspect_trace_options *options)
{
    struct pixel_trace *p = mem_calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->options = options;
    p->tracer = hal_tracer_create();
    p->watch = (struct pixel_watch){.x = x, .y = y, .row = &p->row, .probe = hal_probe_create()};
    if (p->tracer && p->watch.probe)
        return p;
    free_trace(p);
    return NULL;
}

bool inspect_trace_pixel(struct inspect *session, uint32_t action, unsigned x, unsigned y,
                         const struct inspect_trace_options *options,
                         bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                         struct capture_error *error)
{
    const struct hal_observer observer = {
        .draw = trace_draw,
        .vertices = trace_vertices,
        .primitive = trace_primitive,
        .drawn = trace_drawn,
    };
    struct pixel_trace *p = make_trace(x, y, options);
    struct hal_observer observed = observer;
    bool done;

    if (!p)
        return inspect_no_memory(error);
    p->give = give;
    p->user = user;
    observed.user = p;
    done = inspect_trace_begin(session, action, error);
    if (done) {
        inspect_flush(session, true);
        inspect_observe(session, &observed);
        done = inspect_step(session, NULL, error);
        inspect_observe(session, NULL);
        inspect_flush(session, true);
        session->spoiled = true; /* queries have counted the draw several times */
        done = done && explain_pixel(p, error);
    }
    free_trace(p);
    return done;
}
