/* SPDX-License-Identifier: MIT */
/* D3DRS_WRAPn: texture coordinates interpolated along the shorter arc. */
#ifndef HALCYON_HAL_VERTEX_WRAP_H
#define HALCYON_HAL_VERTEX_WRAP_H

struct hal_state;
struct hal_vertex_stage;
struct raster_vertex;

/* Sets wraps and wrap[] of the stage. */
void hal_wrap_prepare(struct hal_vertex_stage *stage, const struct hal_state *state);
/* Replaces corners[1..] by copies whose wrapped coordinates are nearest to those of corners[0]. */
void hal_wrap_corners(const struct hal_vertex_stage *stage, const struct raster_vertex **corners, unsigned count,
                      struct raster_vertex *copies);

#endif
