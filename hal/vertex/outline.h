/* SPDX-License-Identifier: MIT */
/*
 * Conservative triangles from clip space to pixels. The visible part of a triangle is computed in double precision with
 * an error bound, because no pixel that it touches may be lost by clipping, by the division or by the viewport
 * transform. Sources: docs/reference/conservative-rules.md, section 1; docs/conservative.md.
 */
#ifndef HALCYON_HAL_VERTEX_OUTLINE_H
#define HALCYON_HAL_VERTEX_OUTLINE_H

#include "hal/vertex/clip.h"
#include "raster/raster.h"

#include <stdbool.h>

struct hal_vertex;

/* The visible part of one triangle; `polygon` points into it and at the triangle's vertices. */
struct hal_outline {
    struct raster_polygon polygon;
    struct raster_vertex made[CLIP_MAX_CORNERS]; /* values at corners made by clipping */
};

/* Takes a triangle without HAL_OUT_BAD; `inputs`: interpolated vectors per vertex. rhw_scale: a factor for 1/w of the
 * corners that clipping makes (hal_rescale). False: nothing of the triangle is left. */
bool hal_outline_triangle(const struct hal_projection *projection, const struct hal_vertex *const vertices[3],
                          const struct raster_vertex *const projected[3], unsigned inputs, float rhw_scale,
                          struct hal_outline *outline);

#endif
