/* SPDX-License-Identifier: MIT */
/* RESZ: the depth buffer into a texture. */
#ifndef HALCYON_HAL_RESOURCE_COPY_DEPTH_RESOLVE_H
#define HALCYON_HAL_RESOURCE_COPY_DEPTH_RESOLVE_H

struct hal_resources;
struct hal_scene;
struct hal_state;

/* The scene's depth buffer into the depth texture of stage 0. Does nothing, and logs why, if they do not match. */
void hal_depth_resolve(const struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene);

#endif
