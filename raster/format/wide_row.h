/* SPDX-License-Identifier: MIT */
/* Rows of formats of more than 8 bits a channel, at full precision. */
#ifndef HALCYON_RASTER_FORMAT_WIDE_ROW_H
#define HALCYON_RASTER_FORMAT_WIDE_ROW_H

#include "raster/format/format.h"

/* One row of a wide or depth format: four floats a texel, depth in all of them. */
void raster_decode_wide_row(const struct raster_format_info *info, const uint8_t *source, float *texels,
                            unsigned width);
/* One row of a depth format: one float a texel. */
void raster_decode_depth_row(const struct raster_format_info *info, const uint8_t *source, float *texels,
                             unsigned width);

#endif
