/* SPDX-License-Identifier: MIT */
/* Rasterizer state objects (d3d/wddm2.h), which replace the states of Direct3D 8 and 9. */
#ifndef HALCYON_HAL_STATE_RASTERIZER_STATE_H
#define HALCYON_HAL_STATE_RASTERIZER_STATE_H

#include <stdbool.h>

struct hal_state;
struct raster_draw_state;

/* Is a rasterizer state object bound? */
bool hal_rasterizer_state_bound(const struct hal_state *state);
/* Writes the bound object's part of the draw's state. An object must be bound. */
void hal_rasterizer_state_derive(const struct hal_state *state, struct raster_draw_state *derived);
/* Does the bound object clip at near and far? True if none is bound. */
bool hal_rasterizer_depth_clip(const struct hal_state *state);

#endif
