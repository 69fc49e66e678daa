/* SPDX-License-Identifier: MIT */
#ifndef HALCYON_HAL_RESOURCE_COPY_ROWS_H
#define HALCYON_HAL_RESOURCE_COPY_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct raster;

struct hal_rows {
    uint8_t *to;
    const uint8_t *from;
    size_t to_pitch, from_pitch; /* bytes */
    size_t bytes;                /* of a row */
    size_t count;
};

/* Copies rows, which may overlap with those they come from. Much is copied by all threads of the raster, which has nothing to draw;
 * NULL: by the caller alone. */
void hal_copy_rows(const struct hal_rows *rows, struct raster *raster);

#endif
