/* SPDX-License-Identifier: MIT */
/* The targets of a scene: which surfaces can be targets, and binding them to the rasterizer for a draw or a clear. */
#ifndef HALCYON_HAL_RESOURCE_TARGETS_H
#define HALCYON_HAL_RESOURCE_TARGETS_H

#include "d3d/ddi.h"

#include <stdbool.h>

struct hal_scene;
struct hal_state;
struct hal_surface;

/* The targets that were last bound to the rasterizer. */
struct hal_bound_targets {
    bool bound;            /* they are still the scene's current targets */
    bool depth_is_smaller; /* than target 0: then it is bound only for clears and for draws that test depth */
    bool depth_is_bound;   /* or there is none */
};

/* DD_OK, or DDERR_INVALIDPARAMS: one of the surfaces has the wrong kind, which is logged. NULL: none. */
HRESULT hal_targets_check(const struct hal_surface *target, const struct hal_surface *depth);
/* Other targets, which are of the right kind (hal_targets_check), from the next draw or clear on. NULL: none. */
void hal_targets_set(struct hal_scene *scene, struct hal_surface *target, struct hal_surface *depth);
/* The scene has other targets, or they have other memory: they are bound again before the next draw or clear. */
void hal_targets_changed(struct hal_scene *scene);
/* Is the surface a target, or the depth buffer, of the scene? */
bool hal_targets_have(const struct hal_scene *scene, const struct hal_surface *surface);
/* The scene no longer draws to the surface, which is about to be destroyed. */
void hal_targets_remove(struct hal_scene *scene, const struct hal_surface *surface);
/* Binds the scene's targets to the rasterizer for a draw and marks them as being drawn. A depth buffer smaller than
 * target 0 is not bound, so that it does not clip the draw, unless render states make the draw use it. False: there is
 * no target. */
bool hal_targets_bind(struct hal_scene *scene, const struct hal_state *state);
/* The same, but always with the depth buffer, for clears. */
bool hal_targets_bind_whole(struct hal_scene *scene);
/* Binds one of the targets, or the depth buffer, without the others. False: it cannot be drawn to. */
bool hal_target_bind_alone(struct hal_scene *scene, struct hal_surface *surface);

#endif
