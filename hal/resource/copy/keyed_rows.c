/* SPDX-License-Identifier: MIT */
/*
 * As with memmove, the direction depends on which side comes first, so that no texel of the source is overwritten before it
 * is read.
 */
#include "hal/resource/copy/keyed_rows.h"

#include <stdbool.h>

void hal_keyed_copy(const struct raster_kernels *kernels, const struct hal_keyed_rows *r)
{
    const uintptr_t to = (uintptr_t)r->to, from = (uintptr_t)r->from;
    const bool backward =
        to > from && to - from < r->height * r->from_pitch; /* else nothing is read after it is overwritten */

    for (size_t i = 0; i < r->height; i++) {
        const size_t y = backward ? r->height - 1 - i : i;

        kernels->keyed_row(&r->keys, r->to + y * r->to_pitch, r->from + y * r->from_pitch, r->width, backward);
    }
}
