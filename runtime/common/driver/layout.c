/* SPDX-License-Identifier: MIT */
/* Pitches and sizes of surfaces in memory of the runtime. */
#include "runtime/common/driver/layout.h"

#include <stddef.h>

/* Row and slice pitch. False: they do not fit into 64 bits. */
static bool find_pitches(const struct rt_format *format, unsigned width, unsigned height, unsigned row_alignment,
                         struct rt_place *place)
{
    uint64_t lock_pitch;

    if (!format) {
        place->pitch = place->slice_pitch = width;
        return true;
    }
    place->pitch = (rt_format_pitch(format, width) + row_alignment - 1) & ~(uint64_t)(row_alignment - 1);
    lock_pitch = row_alignment > 4 ? place->pitch : rt_format_lock_pitch(format, width, height);
    return !__builtin_mul_overflow(lock_pitch, rt_format_memory_rows(format, height), &place->slice_pitch);
}

bool rt_place_part(const struct rt_format *format, unsigned width, unsigned height, unsigned depth,
                   unsigned row_alignment, uint64_t most, uint64_t *end, struct rt_place *place)
{
    struct rt_place here = {.offset = *end};
    uint64_t bytes;

    if (!find_pitches(format, width, height, row_alignment, &here) || here.pitch > INT32_MAX ||
        (depth > 1 && here.slice_pitch > INT32_MAX) ||
        __builtin_mul_overflow(here.slice_pitch, (uint64_t)depth, &bytes) ||
        __builtin_add_overflow(here.offset, bytes, &bytes) || bytes > most)
        return false;
    *end = bytes;
    *place = here;
    return true;
}
