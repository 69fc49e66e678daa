/* SPDX-License-Identifier: MIT */
/* The targets of a context: which surfaces can be targets, and binding them to the rasterizer for a draw or a clear. */
#ifndef HALCYON_HAL_RESOURCE_TARGETS_H
#define HALCYON_HAL_RESOURCE_TARGETS_H

#include "d3d/ddi.h"

#include <stdbool.h>

struct hal_context;
struct hal_surface;

/* The targets that were last bound to the rasterizer. */
struct hal_bound_targets {
    bool bound;            /* they are still the context's current targets */
    bool depth_is_smaller; /* than target 0: then it is bound only for clears and for draws that test depth */
    bool depth_is_bound;   /* or there is none */
};

/* DD_OK, or DDERR_INVALIDPARAMS: one of the surfaces has the wrong kind, which is logged. NULL: none. */
HRESULT hal_targets_check(const struct hal_surface *target, const struct hal_surface *depth);
/* Binds the context's targets to the rasterizer for a draw and marks them as being drawn. A depth buffer smaller than
 * target 0 is not bound, so that it does not clip the draw, unless render states make the draw use it. False: there is
 * no target. */
bool hal_targets_bind(struct hal_context *context);
/* The same, but always with the depth buffer, for clears. */
bool hal_targets_bind_whole(struct hal_context *context);
/* Binds one of the targets, or the depth buffer, without the others. False: it cannot be drawn to. */
bool hal_target_bind_alone(struct hal_context *context, struct hal_surface *surface);

#endif
