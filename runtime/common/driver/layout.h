/* SPDX-License-Identifier: MIT */
/*
 * Where the parts of a resource lie in one block of system memory. All sizes are counted in 64 bits and held against a bound before
 * anyone allocates, so that they are right on hosts whose size_t has 32.
 */
#ifndef HALCYON_RUNTIME_LAYOUT_H
#define HALCYON_RUNTIME_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/common/driver/formats.h"

/* More than one block of memory can have: what pointers can be apart, less what an allocator adds. */
#define RT_MOST_BYTES ((uint64_t)SIZE_MAX / 2 - 4096)

/* Bytes: where a part begins, and between its rows and slices. */
struct rt_place {
    uint64_t offset, pitch, slice_pitch;
};

/* Places a part of width x height x depth texels behind the *end bytes that are placed already, and moves *end behind it. A NULL format
 * is a buffer's: width bytes. False, with nothing changed: it would end beyond `most` bytes, or its rows or slices are further apart
 * than a lock can tell (D3DLOCKED_BOX has an INT for each). */
bool rt_place_part(const struct rt_format *format, unsigned width, unsigned height, unsigned depth, uint64_t most,
                   uint64_t *end, struct rt_place *place);

#endif
