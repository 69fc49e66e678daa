/* SPDX-License-Identifier: MIT */
/* Copies of rows of bytes, by one thread or all. */
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

/* Copies rows; source and destination may overlap. All threads of `raster`, which must be idle, share large copies;
 * NULL: the caller copies alone. */
void hal_copy_rows(const struct hal_rows *rows, struct raster *raster);

#endif
