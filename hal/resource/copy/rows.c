/* SPDX-License-Identifier: MIT */
/*
 * Copies rows of bytes. Pixels that threads have just drawn are in the caches of their cores, from which a single core
 * would have to fetch them: two cores copy a target in half the time.
 */
#include "hal/resource/copy/rows.h"

#include "base/base.h"
#include "raster/raster.h"

#include <string.h>

/* The least bytes that are worth a thread. */
#define WORTH_A_PART ((size_t)128 << 10)
#define PARTS        8

struct sharing {
    const struct hal_rows *rows;
    size_t parts;
};

static void copy_forward(const struct hal_rows *rows, size_t first, size_t end)
{
    for (size_t y = first; y < end; y++)
        memmove(rows->to + y * rows->to_pitch, rows->from + y * rows->from_pitch, rows->bytes);
}

static void copy_backward(const struct hal_rows *rows)
{
    for (size_t y = rows->count; y-- > 0;)
        memmove(rows->to + y * rows->to_pitch, rows->from + y * rows->from_pitch, rows->bytes);
}

static void copy_part(void *argument, unsigned part, unsigned thread)
{
    const struct sharing *sharing = argument;
    const size_t count = sharing->rows->count;

    (void)thread;
    copy_forward(sharing->rows, count * part / sharing->parts, count * (part + 1) / sharing->parts);
}

/* Does a destination row overlap with another source row? */
static bool overlap(const struct hal_rows *rows)
{
    const uintptr_t to = (uintptr_t)rows->to, from = (uintptr_t)rows->from;

    return to < from + (rows->count - 1) * rows->from_pitch + rows->bytes &&
           from < to + (rows->count - 1) * rows->to_pitch + rows->bytes;
}

void hal_copy_rows(const struct hal_rows *rows, struct raster *raster)
{
    const size_t worth = rows->bytes * rows->count / WORTH_A_PART;
    struct sharing sharing = {rows, BASE_MIN(BASE_MIN(worth, rows->count), (size_t)PARTS)};

    if (!rows->count || !rows->bytes)
        return;
    if (raster && sharing.parts > 1 && raster_thread_count(raster) > 1 && !overlap(rows))
        raster_share(raster, (unsigned)sharing.parts, copy_part, &sharing);
    else if (rows->to <= rows->from)
        copy_forward(rows, 0, rows->count);
    else
        copy_backward(rows);
}
