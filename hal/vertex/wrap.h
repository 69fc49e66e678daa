/* SPDX-License-Identifier: MIT */
/* D3DRS_WRAPn: texture coordinates that are interpolated along the shorter arc. */
#ifndef HALCYON_HAL_VERTEX_WRAP_H
#define HALCYON_HAL_VERTEX_WRAP_H

#include <stdbool.h>

struct hal_context;
struct raster_vertex;
struct tnl_program;

/* programmable: coordinate set i goes with stage i whatever TEXCOORDINDEX says. */
void hal_wrap_prepare(struct tnl_program *program, const struct hal_context *context, bool programmable);
/* Replaces corners[1..] by copies whose wrapped coordinates are nearest to those of corners[0]. */
void hal_wrap_corners(const struct tnl_program *program, const struct raster_vertex **corners, unsigned count,
                      struct raster_vertex *copies);

#endif
