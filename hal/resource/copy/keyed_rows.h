/* SPDX-License-Identifier: MIT */
/* Keyed copies between surfaces of one format, without stretching and without memory of their own: sprites. */
#ifndef HALCYON_HAL_RESOURCE_COPY_KEYED_ROWS_H
#define HALCYON_HAL_RESOURCE_COPY_KEYED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_keyed_rows {
    uint8_t *to;
    const uint8_t *from;
    size_t to_pitch, from_pitch; /* bytes */
    size_t width, height;        /* texels, rows */
    unsigned texel;              /* bytes of a texel, 1 to 4 */
    uint32_t mask;               /* the bits that keys are compared with */
    bool source_keyed, destination_keyed;
    uint32_t source_key, destination_key; /* no bits beyond the mask */
};

/* Copies texels except for those with the source key, to texels with the destination key only. Source and destination may
 * overlap if their pitches are equal: the result is as if the source had been copied first. */
void hal_keyed_copy(const struct hal_keyed_rows *rows);

#endif
