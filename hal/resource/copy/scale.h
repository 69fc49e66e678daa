/* SPDX-License-Identifier: MIT */
/* The arithmetic of stretching and converting blits: 8-bit colours from a rectangle of one size to one of another
 * size. */
#ifndef HALCYON_HAL_RESOURCE_COPY_SCALE_H
#define HALCYON_HAL_RESOURCE_COPY_SCALE_H

#include "d3d/ddi.h"
#include "raster/format/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The source texels of one destination row or column. */
struct hal_tap {
    uint32_t first, second; /* texels inside the source rectangle */
    uint32_t weight;        /* of the second, 0..256 */
};

/* Centres of the destination's texels laid over the source; ends clamped. i < destination_size. */
struct hal_tap hal_make_tap(uint32_t i, uint32_t destination_size, uint32_t source_size, bool linear);

/* Neither rectangle is empty, and source and destination do not overlap. */
struct hal_scale {
    const uint8_t *source; /* first texel of the rectangle, rows source_pitch bytes apart */
    size_t source_pitch;
    enum raster_format source_format; /* of kind RASTER_KIND_PACKED */
    uint32_t source_width, source_height;
    RECT to;
    bool linear;
    uint8_t *memory; /* of the destination, whose first row this is */
    size_t pitch;
    enum raster_format format; /* supported by raster_encode */
};

/* Resamples every row to the destination's columns, then blends pairs of rows; both steps round each channel to 8 bits,
 * halves up. DD_OK or DDERR_OUTOFMEMORY. */
HRESULT hal_scale_colors(const struct hal_scale *scale);

#endif
