/* SPDX-License-Identifier: MIT */
/* Formats of more than 8 bits a channel, converted to 8. */
#ifndef HALCYON_RASTER_FORMAT_WIDE_H
#define HALCYON_RASTER_FORMAT_WIDE_H

#include "raster/format/format.h"

/* The parts of raster_decode and raster_encode for wide formats: channels cut to 0..1 and rounded to 8 bits, or
 * widened from them. */
void raster_decode_narrowed(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                            size_t texel_pitch, unsigned width, unsigned height);
bool raster_encode_widened(enum raster_format format, const uint32_t *texels, size_t texel_pitch, uint8_t *destination,
                           size_t destination_pitch, unsigned width, unsigned height);

#endif
