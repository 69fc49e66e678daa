/* SPDX-License-Identifier: MIT */
/* Formats with separate planes for luma and chroma (d3d/planes.h). Chroma is not interpolated: 2x2 texels share one
 * value. */
#ifndef HALCYON_RASTER_PLANAR_H
#define HALCYON_RASTER_PLANAR_H

#include "d3d/planes.h"
#include "raster/format/format.h"

/* A whole surface. */
struct raster_planar {
    enum raster_format format; /* of kind RASTER_KIND_PLANAR */
    const uint8_t *memory;
    size_t pitch;    /* bytes */
    unsigned height; /* texels */
};

unsigned raster_planes(enum raster_format format, size_t pitch, unsigned height,
                       struct d3d_plane plane[D3D_MOST_PLANES]);

/* raster_decode and raster_decode_wide of a rectangle. `left` is even; the rectangle lies inside the surface. */
void raster_decode_planar(const struct raster_planar *surface, unsigned left, unsigned top, uint32_t *texels,
                          size_t texel_pitch, unsigned width, unsigned height);
void raster_decode_planar_wide(const struct raster_planar *surface, unsigned left, unsigned top, float *texels,
                               size_t texel_pitch, unsigned width, unsigned height);

#endif
