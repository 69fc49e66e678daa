/* SPDX-License-Identifier: MIT */
/*
 * Triangles of conservative rasterization on their way from clip space to pixels. What is seen of them is found in double
 * precision with a bound of its error, for no pixel that it touches may be lost: not by clipping, not by the division, not by
 * the viewport transform. Sources: docs/reference/conservative-rules.md, section 1; docs/conservative.md.
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
    struct raster_vertex made[CLIP_MAX_CORNERS]; /* values at corners that clipping has made */
};

/* Takes a triangle without HAL_OUT_BAD; `inputs`: interpolated vectors per vertex. rhw_scale: what 1/w of corners that
 * clipping makes is multiplied by (hal_rescale). False: nothing is left of it. */
bool hal_outline_triangle(const struct hal_projection *projection, const struct hal_vertex *const vertices[3],
                          const struct raster_vertex *const projected[3], unsigned inputs, float rhw_scale,
                          struct hal_outline *outline);

#endif
