/* SPDX-License-Identifier: MIT */
/* Colours of 8 bits a channel from a rectangle of one size to one of another: the arithmetic of stretching and converting blits. */
#ifndef HALCYON_HAL_RESOURCE_COPY_SCALE_H
#define HALCYON_HAL_RESOURCE_COPY_SCALE_H

#include "d3d/ddi.h"
#include "raster/format/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the texels of one destination row or column come from. */
struct hal_tap {
    uint32_t first, second; /* texels inside the source rectangle */
    uint32_t weight;        /* of the second, 0..256 */
};

/* Centres of the destination's texels laid over the source; ends clamped. i < destination_size. */
struct hal_tap hal_make_tap(uint32_t i, uint32_t destination_size, uint32_t source_size, bool linear);

/* Neither rectangle is empty, and nothing is read from where something is written. */
struct hal_scale {
    const uint8_t *source; /* first texel of the rectangle, rows source_pitch bytes apart */
    size_t source_pitch;
    enum raster_format source_format; /* of kind RASTER_KIND_PACKED */
    uint32_t source_width, source_height;
    RECT to;
    bool linear;
    uint8_t *memory; /* of the destination, whose first row this is */
    size_t pitch;
    enum raster_format format; /* one that raster_encode can write */
};

/* First every row is resampled to the destination's columns, then pairs of rows are mixed; both times each channel is rounded to 8
 * bits, halves up. DD_OK or DDERR_OUTOFMEMORY. */
HRESULT hal_scale_colors(const struct hal_scale *scale);

#endif
