/* SPDX-License-Identifier: MIT */
/* Keyed copies between surfaces of one format, without stretching and without memory of their own: sprites. */
#ifndef HALCYON_HAL_RESOURCE_COPY_KEYED_ROWS_H
#define HALCYON_HAL_RESOURCE_COPY_KEYED_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "raster/kernels/kernels.h"

struct hal_keyed_rows {
    uint8_t *to;
    const uint8_t *from;
    size_t to_pitch, from_pitch; /* bytes */
    size_t width, height;        /* texels, rows */
    struct raster_keys keys;
};

/* Copies texels except for those with the source key, to texels with the destination key only. Source and destination may
 * overlap if their pitches are equal: the result is as if the source had been copied first. */
void hal_keyed_copy(const struct raster_kernels *kernels, const struct hal_keyed_rows *rows);

#endif
