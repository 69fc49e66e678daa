/* SPDX-License-Identifier: MIT */
/* Block-compressed formats. */
#ifndef HALCYON_RASTER_FORMAT_DXT_H
#define HALCYON_RASTER_FORMAT_DXT_H

#include "raster/format/format.h"

/* The part of raster_decode for DXT1, DXT3, DXT5, ATI1 and ATI2. Reads whole blocks; writes width x height
 * texels. */
void raster_decode_dxt(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                       size_t texel_pitch, unsigned width, unsigned height);

#endif
