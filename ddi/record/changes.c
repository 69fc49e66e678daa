/* SPDX-License-Identifier: MIT */
/*
 * Tracks what the capture holds of a surface's memory, and writes the differences, by digests of blocks: rows of
 * pictures, 256 bytes of buffers. So a lock without writes costs two passes over the memory and no copy, or one pass if
 * the driver has not changed the memory since the last time.
 */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "base/digest.h"
#include "raster/format/format.h"

#include <stdlib.h>

/* Granularity of changes in a buffer, in bytes. */
#define BLOCK 256u
/* One memory event carries at most this many bytes. */
#define MAX_PIECE (16u << 20)

bool record_layout_of(const struct record_surface *surface, struct record_layout *layout)
{
    const struct hal_resource *resource = hal_resource_from_lcl(surface->lcl);
    const struct hal_surface *hal = hal_surface_from_lcl(surface->lcl);

    if (!resource || !resource->bytes || !surface->lcl->lpGbl->fpVidMem)
        return false;
    layout->memory = surface->system_memory ? (const uint8_t *)surface->lcl->lpGbl->fpVidMem : resource->memory;
    if (!hal || hal->light) { /* all levels of a lightweight MIP map, whose layout is the same in all memory */
        layout->pitch = layout->slice_pitch = 0;
        layout->row_bytes = (uint32_t)resource->bytes;
        layout->rows = layout->slices = 1;
        return layout->memory && layout->row_bytes;
    }
    if (!layout->memory)
        return false;
    layout->pitch = hal->pitch;
    layout->slice_pitch = hal->slice_pitch;
    /* rows of planar surfaces are written whole: two rows of chroma may share one */
    layout->row_bytes = raster_format_info(hal->format)->kind == RASTER_KIND_PLANAR
                            ? (uint32_t)hal->pitch
                            : (uint32_t)raster_format_row_bytes(hal->format, hal->width);
    layout->rows = (uint32_t)raster_format_rows(hal->format, hal->height);
    layout->slices = hal->depth ? hal->depth : 1;
    return layout->row_bytes && layout->rows;
}

static bool is_one_row(const struct record_layout *layout)
{
    return layout->rows == 1 && layout->slices == 1;
}

static size_t block_count(const struct record_layout *layout)
{
    return is_one_row(layout) ? (layout->row_bytes + (size_t)BLOCK - 1) / BLOCK : (size_t)layout->rows * layout->slices;
}

static const uint8_t *row_at(const struct record_layout *layout, uint32_t slice, uint32_t row)
{
    return layout->memory + slice * layout->slice_pitch + row * layout->pitch;
}

/* Digests of the current contents of all blocks. NULL: out of memory. */
static uint64_t *digest_blocks(const struct record_layout *layout, size_t count)
{
    uint64_t *digests = mem_calloc(count, sizeof(*digests));

    for (size_t i = 0; digests && i < count; i++) {
        if (is_one_row(layout))
            digests[i] = digest_of(layout->memory + i * BLOCK, BASE_MIN(BLOCK, layout->row_bytes - i * BLOCK), 0);
        else
            digests[i] = digest_of(row_at(layout, (uint32_t)(i / layout->rows), (uint32_t)(i % layout->rows)),
                                   layout->row_bytes, 0);
    }
    return digests;
}

/* --- writing ----------------------------------------------------------------------------------- */

/* Rows [first, first + count) of a slice, bytes [from, to) of each. */
static void changes_write_rows(struct recorder *recorder, struct record_surface *surface,
                               const struct record_layout *layout, uint32_t slice, uint32_t first, uint32_t count,
                               uint32_t from, uint32_t to)
{
    const struct capture_memory event = {.id = surface->id,
                                         .flags = CAPTURE_MEMORY_LOCKED,
                                         .lock_flags = surface->lock_flags,
                                         .first_row = first,
                                         .row_count = count,
                                         .row_offset = from,
                                         .row_bytes = to - from,
                                         .first_slice = slice,
                                         .slice_count = 1};
    struct capture_bytes *pieces = mem_calloc(count + (size_t)1, sizeof(*pieces));

    if (!pieces) {
        record_give_up(recorder, "out of memory");
        return;
    }
    pieces[0] = (struct capture_bytes){&event, sizeof(event)};
    for (uint32_t i = 0; i < count; i++)
        pieces[i + 1] = (struct capture_bytes){row_at(layout, slice, first + i) + from, to - from};
    record_event(recorder, CAPTURE_MEMORY, pieces, count + 1);
    free(pieces);
    /* A second discarding lock would discard the first event's data. */
    surface->lock_flags &= ~(uint32_t)DDLOCK_DISCARDCONTENTS;
}

/* The first block from `at` on that has changed, or has not; `end` if there is none. old NULL: all have changed. */
static size_t find_block(const uint64_t *old, const uint64_t *now, size_t at, size_t end, bool changed)
{
    while (at < end && (!old || old[at] != now[at]) != changed)
        at++;
    return at;
}

/* Blocks [begin, end), which lie in one row or in one slice, in pieces of at most MAX_PIECE bytes, or of one block. */
static void write_changed_blocks(struct recorder *recorder, struct record_surface *surface,
                                 const struct record_layout *layout, const uint64_t *old, const uint64_t *now,
                                 size_t begin, size_t end)
{
    const bool one_row = is_one_row(layout);
    const size_t most = BASE_MAX(MAX_PIECE / (one_row ? BLOCK : layout->row_bytes), 1u);

    for (size_t at = find_block(old, now, begin, end, true); at < end; at = find_block(old, now, at, end, true)) {
        const size_t stop = find_block(old, now, at, BASE_MIN(end, at + most), false);

        if (one_row)
            changes_write_rows(recorder, surface, layout, 0, 0, 1, (uint32_t)(at * BLOCK),
                               (uint32_t)BASE_MIN(stop * BLOCK, layout->row_bytes));
        else
            changes_write_rows(recorder, surface, layout, (uint32_t)(at / layout->rows), (uint32_t)(at % layout->rows),
                               (uint32_t)(stop - at), 0, layout->row_bytes);
        at = stop;
    }
}

/* --- known contents ------------------------------------------------------------------------------- */

bool record_is_known(const struct record_surface *surface)
{
    const struct hal_resource *hal = hal_resource_from_lcl(surface->lcl);

    return surface->known && hal && (surface->system_memory || hal->version == surface->known_version);
}

void record_forget(struct record_surface *surface)
{
    free(surface->known);
    surface->known = NULL;
    surface->known_count = 0;
}

/* Takes the digests. */
static void know(struct record_surface *surface, uint64_t *digests, size_t count)
{
    record_forget(surface);
    surface->known = digests;
    surface->known_count = count;
    surface->known_version = hal_resource_from_lcl(surface->lcl)->version;
}

void record_learn(struct recorder *recorder, struct record_surface *surface)
{
    struct record_layout layout;

    record_forget(surface);
    if (!record_layout_of(surface, &layout))
        return;
    const size_t count = block_count(&layout);
    uint64_t *digests = digest_blocks(&layout, count);

    if (digests)
        know(surface, digests, count);
    else
        record_give_up(recorder, "out of memory");
}

void record_write_changes(struct recorder *recorder, struct record_surface *surface)
{
    struct record_layout layout;

    if (!record_layout_of(surface, &layout))
        return;
    const size_t count = block_count(&layout), slice = is_one_row(&layout) ? count : layout.rows;
    const uint64_t *old = surface->known_count == count ? surface->known : NULL;
    uint64_t *now = digest_blocks(&layout, count);

    if (!now) {
        record_give_up(recorder, "out of memory");
        return;
    }
    for (size_t at = 0; at < count; at += slice)
        write_changed_blocks(recorder, surface, &layout, old, now, at, at + slice);
    know(surface, now, count);
}
