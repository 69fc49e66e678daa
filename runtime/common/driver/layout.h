/* SPDX-License-Identifier: MIT */
/*
 * Where the parts of a resource lie in one block of system memory. All sizes are computed in 64 bits and checked
 * against a bound before anything is allocated, so they are also right where size_t has 32 bits.
 */
#ifndef HALCYON_RUNTIME_LAYOUT_H
#define HALCYON_RUNTIME_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/common/driver/formats.h"

/* Upper bound for one block of memory: the largest distance of pointers, less what an allocator adds. */
#define RT_MOST_BYTES ((uint64_t)SIZE_MAX / 2 - 4096)

/* Bytes: where a part begins, and between its rows and slices. */
struct rt_place {
    uint64_t offset, pitch, slice_pitch;
};

/* Places a part of width x height x depth texels after the *end bytes that are placed already, and advances *end. A
 * NULL format is a buffer's: width bytes. row_alignment: rows of texels begin at multiples of as many bytes from each other, a power of
 * two, at least 4. Returns false, with nothing changed, if it would end beyond `most` bytes,
 * or if its pitches do not fit into the INTs of D3DLOCKED_BOX. */
bool rt_place_part(const struct rt_format *format, unsigned width, unsigned height, unsigned depth,
                   unsigned row_alignment, uint64_t most, uint64_t *end, struct rt_place *place);

#endif
