/* SPDX-License-Identifier: MIT */
/* Formats whose texels come in blocks: DXT (4x4) and packed YUV (2x1). */
#ifndef HALCYON_RASTER_FORMAT_BLOCK_H
#define HALCYON_RASTER_FORMAT_BLOCK_H

#include "raster/format.h"

/* As raster_decode; texels of blocks that stick out of the rectangle are left out. */
void format_decode_blocks(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                          size_t texel_pitch, unsigned width, unsigned height);

#endif
