/* SPDX-License-Identifier: MIT */
/*
 * An observer of draws, for the frame debugger (inspect/): it is asked before a draw and before each primitive, and may
 * change the state of the rasterizer in between by a probe (hal/inspect.h), which restores it. A driver without an
 * observer only tests a pointer for each draw and for each piece of a draw.
 *
 * Additional draws of an observer cost work and count in statistics; the observer itself preserves the budget of the
 * call.
 */
#ifndef HALCYON_HAL_OBSERVER_H
#define HALCYON_HAL_OBSERVER_H

#include "hal/vertex/skip.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_context;
struct hal_draw;
struct hal_vertex;
struct raster_vertex;

/* A primitive that is about to be assembled: a point, a line or a triangle of the draw. hal_inspect_primitive
 * (hal/inspect.h) tells what its corners are. */
struct hal_observed_primitive {
    struct hal_context *context;
    const struct hal_draw *draw;
    uint32_t number;                    /* in the draw, from 0 */
    unsigned corners;                   /* 1, 2 or 3 */
    const struct hal_vertex *vertex[3]; /* processed; the provoking one is the first */
    const struct raster_vertex
        *position[3]; /* their window positions; undefined where outcodes say that there is none */
    uint32_t reject;  /* enum hal_outcode: a triangle whose corners all lie outside one of these is not visible */
};

struct hal_observer {
    void *user;
    /* Skips all draws; states, clears and copies are still executed. */
    bool skips;
    /* A draw is ready: pipeline and vertex stage are up to date. Return false to skip it. Instances, alone or several
     * together, and parts of patches come as separate draws. */
    bool (*draw)(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives);
    /* A draw, or an instance or part of one, is skipped before `draw` is called; the argument `draw` may be NULL
     * (hal/vertex/skip.h). May be NULL. */
    void (*skipped)(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why);
    /* Data for the tessellator is about to be read, by a draw that becomes N-patches (points = 0), or for a patch that is
     * described (points: the number of vertices from the draw's first one to the last control point; some of them may be
     * left out). The draws that are made of it follow; they read generated vertices. May be NULL. */
    void (*tessellates)(void *user, struct hal_context *context, const struct hal_draw *draw, uint64_t points);
    /* `count` vertices are about to be processed. May be NULL. */
    void (*vertices)(void *user, uint32_t count);
    /* NULL: primitives are drawn as usual. Else it is called before each primitive, with times = 0; while it returns
     * true, the primitive is assembled, clipped and given to the rasterizer, and the function is called again with the
     * next number. */
    bool (*primitive)(void *user, const struct hal_observed_primitive *primitive, unsigned times);
    /* Assembly, clipping and setup of processed vertices begins, or has ended. May be NULL. */
    void (*assembly)(void *user, struct hal_context *context, bool begins);
    /* The draw has been given to the rasterizer. May be NULL. */
    void (*drawn)(void *user, struct hal_context *context);
    /* Called after `drawn`. True: the draw is repeated, from `draw` on. May be NULL. */
    bool (*again)(void *user, struct hal_context *context);
};

/* Does the observer look into draws? If not, all threads process them, as they do without an observer. */
static inline bool hal_observer_looks_into(const struct hal_observer *observer)
{
    return observer && (observer->vertices || observer->primitive || observer->assembly);
}

#endif
