/* SPDX-License-Identifier: MIT */
/* Fields of the state off the fast path: polygon stipple, smoothing, depth clamp, coverage as an input, clamped colours. */
#ifndef HALCYON_RASTER_TILE_SPECIAL_H
#define HALCYON_RASTER_TILE_SPECIAL_H

#include "raster/raster.h"
#include "raster/scene.h"

struct tile_worker;

/* Derives special, smooths and clamps_color of w->state. */
void tile_special_choose(struct tile_worker *w);
/* Pixels of the 8x8 block at (x, y) that the polygon stipple lets through. */
uint64_t tile_stipple_mask(const struct raster_draw_state *state, int x, int y);
/* Clamps depth (z: 16 floats) and finds the smoothed coverage of group g of the batch, at (x, y); returns the lanes
 * that remain. */
uint32_t tile_special_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                            float *z, uint32_t mask);
/* Only finds the smoothed coverage, if w->state.smooths: sets the group's alpha, returns the lanes with coverage. */
uint32_t tile_smooth_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                           uint32_t mask);
/* Clamps 16 depths to the state's depth_min..depth_max. */
void tile_clamp_depth(const struct raster_draw_state *state, float *z);
/* Called before the program runs: stores coverage into one of its inputs. */
void tile_special_inputs(struct tile_worker *w);
/* Called after the program has run: scales alpha by smoothed coverage, clamps colours. */
void tile_special_colors(struct tile_worker *w);

#endif
