/* SPDX-License-Identifier: MIT */
/* The targets of a context: which surfaces can be one, and how a draw or a clear gives them to the rasterizer. */
#ifndef HALCYON_HAL_RESOURCE_TARGETS_H
#define HALCYON_HAL_RESOURCE_TARGETS_H

#include "d3d/ddi.h"

#include <stdbool.h>

struct hal_context;
struct hal_surface;

/* What the rasterizer was given last. */
struct hal_bound_targets {
    bool bound;            /* the context's, unless it has others since */
    bool depth_is_smaller; /* than target 0: it is bound for draws that look at it and for clears */
    bool depth_is_bound;   /* or there is none */
};

/* DD_OK, or DDERR_INVALIDPARAMS: one of the surfaces cannot be what it is to be, which is said on the log. NULL: none. */
HRESULT hal_targets_check(const struct hal_surface *target, const struct hal_surface *depth);
/* Binds the context's targets to the rasterizer for a draw and marks them as being drawn. A depth buffer smaller than target 0 is
 * left out, so as not to cut what is drawn, unless render states make the draw look at it. False: there is none. */
bool hal_targets_bind(struct hal_context *context);
/* The same with the depth buffer in any case, for clears. */
bool hal_targets_bind_whole(struct hal_context *context);
/* Binds one of the targets, or the depth buffer, without the others. False: it cannot be drawn to. */
bool hal_target_bind_alone(struct hal_context *context, struct hal_surface *surface);

#endif
