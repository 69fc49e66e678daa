/* SPDX-License-Identifier: MIT */
/*
 * An observer of draws, for the frame debugger (inspect/): it is asked before a draw and before each primitive, and may change the
 * state of the rasterizer in between, which it restores. A driver without one tests a pointer for each draw and for each piece of
 * a draw, and does no more.
 *
 * What an observer draws besides costs work and counts in statistics; it keeps the budget of the call itself.
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

/* A primitive that is about to be assembled: a point, a line or a triangle of the draw. */
struct hal_observed_primitive {
    struct hal_context *context;
    const struct hal_draw *draw;
    uint32_t number;                    /* in the draw, from 0 */
    unsigned corners;                   /* 1, 2 or 3 */
    const struct hal_vertex *vertex[3]; /* processed; the provoking one is the first */
    const struct raster_vertex
        *position[3]; /* their window positions; where outcodes say that there is none: undefined */
    uint32_t reject;  /* enum hal_outcode: a triangle whose corners all lie outside one of these is not seen */
};

struct hal_observer {
    void *user;
    /* Draws are left out altogether, which leaves states, clears and copies. */
    bool skips;
    /* A draw is ready: pipeline and vertex stage are up to date. False: it is not drawn. Instances, alone or several together,
     * come as draws of their own, and so do parts of patches. */
    bool (*draw)(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives);
    /* A draw, or an instance or part of one, is left out before `draw` is asked; draw may be NULL (hal/vertex/skip.h). May be NULL. */
    void (*skipped)(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why);
    /* Vertices are about to be processed, so many. May be NULL. */
    void (*vertices)(void *user, uint32_t count);
    /* NULL: primitives go on as always. Else it is asked before a primitive with times = 0; while it answers true, the
     * primitive is assembled, clipped and given to the rasterizer, and it is asked once more with the next number. */
    bool (*primitive)(void *user, const struct hal_observed_primitive *primitive, unsigned times);
    /* Vertices that have been processed are about to be assembled, clipped and set up (begins), or have been. May be NULL. */
    void (*assembly)(void *user, struct hal_context *context, bool begins);
    /* The draw is with the rasterizer. May be NULL. */
    void (*drawn)(void *user, struct hal_context *context);
    /* Asked behind `drawn`: true, the draw is given once more, from `draw` on. May be NULL. */
    bool (*again)(void *user, struct hal_context *context);
};

/* Does it look into draws? One that does not leaves them to all threads, as they are without it. */
static inline bool hal_observer_looks_into(const struct hal_observer *observer)
{
    return observer && (observer->vertices || observer->primitive || observer->assembly);
}

#endif
