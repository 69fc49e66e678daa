/* SPDX-License-Identifier: MIT */
/*
 * What is in surfaces: every change of their memory that did not come from the driver itself, and for ranges of frames what they
 * hold when one begins. Video memory changes between Lock and Unlock; system memory belongs to the runtime, which may write to it
 * at any time, so it is compared with what the capture already holds whenever something is about to read it.
 */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "hal/resource/copy/present.h"
#include "raster/format/format.h"

#include <stdlib.h>

/* Granularity of changes in a buffer, in bytes. */
#define BLOCK 256u
/* Longer flip chains are a loop (ddi/access.c). */
#define MAX_FLIP_CHAIN 16
/* One memory event carries at most this many bytes. */
#define MAX_PIECE (16u << 20)

/* A surface's memory as rows; buffers are one row. */
struct layout {
    const uint8_t *memory;
    size_t pitch, slice_pitch; /* bytes */
    uint32_t row_bytes, rows, slices;
};

static bool contents_layout(const struct record_surface *surface, struct layout *layout)
{
    const struct hal_surface *hal = hal_surface_from_lcl(surface->lcl);
    const struct raster_format_info *format;

    if (!hal || !hal->bytes || !surface->lcl->lpGbl->fpVidMem)
        return false;
    layout->memory = surface->system_memory ? (const uint8_t *)surface->lcl->lpGbl->fpVidMem : hal->memory;
    layout->pitch = hal->pitch;
    layout->slice_pitch = hal->slice_pitch;
    if (hal->kind & HAL_SURFACE_BUFFER) {
        layout->row_bytes = (uint32_t)hal->bytes;
        layout->rows = layout->slices = 1;
        return layout->memory && layout->row_bytes;
    }
    format = raster_format_info(hal->format);
    if (!format || !format->block_width || !layout->memory)
        return false;
    layout->row_bytes = (hal->width + format->block_width - 1u) / format->block_width * (uint32_t)format->block_bytes;
    layout->rows = (hal->height + format->block_height - 1u) / format->block_height;
    layout->slices = hal->depth ? hal->depth : 1;
    return layout->row_bytes && layout->rows;
}

static size_t layout_size(const struct layout *layout)
{
    return (size_t)layout->row_bytes * layout->rows * layout->slices;
}

static const uint8_t *row_at(const struct layout *layout, uint32_t slice, uint32_t row)
{
    return layout->memory + slice * layout->slice_pitch + row * layout->pitch;
}

/* Packed rows of the memory as it is now. NULL: out of memory. */
static uint8_t *contents_copy_rows(const struct layout *layout)
{
    uint8_t *copy = malloc(layout_size(layout));
    uint8_t *at = copy;

    if (!copy)
        return NULL;
    for (uint32_t slice = 0; slice < layout->slices; slice++)
        for (uint32_t row = 0; row < layout->rows; row++, at += layout->row_bytes)
            memcpy(at, row_at(layout, slice, row), layout->row_bytes);
    return copy;
}

/* Rows [first, first + count) of a slice, bytes [from, to) of each. */
static void contents_write_rows(struct record_surface *surface, const struct layout *layout, uint32_t slice,
                                uint32_t first, uint32_t count, uint32_t from, uint32_t to)
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
        record_give_up("out of memory");
        return;
    }
    pieces[0] = (struct capture_bytes){&event, sizeof(event)};
    for (uint32_t i = 0; i < count; i++)
        pieces[i + 1] = (struct capture_bytes){row_at(layout, slice, first + i) + from, to - from};
    record_event(CAPTURE_MEMORY, pieces, count + 1);
    free(pieces);
    /* A second lock that discards would throw away what the first event wrote. */
    surface->lock_flags &= ~(uint32_t)DDLOCK_DISCARDCONTENTS;
}

/* Changed parts of one long row (a buffer). old NULL: all of it. */
static void write_row_changes(struct record_surface *surface, const struct layout *layout, const uint8_t *old)
{
    const uint32_t size = layout->row_bytes;
    uint32_t start = 0, at = 0;
    bool open = false;

    while (at < size) {
        const uint32_t length = BASE_MIN(BLOCK, size - at);
        const bool changed = !old || memcmp(old + at, layout->memory + at, length) != 0;
        if (changed && !open)
            start = at;
        if (open && (!changed || at - start >= MAX_PIECE)) {
            contents_write_rows(surface, layout, 0, 0, 1, start, at);
            start = at;
        }
        open = changed;
        at += length;
    }
    if (open)
        contents_write_rows(surface, layout, 0, 0, 1, start, size);
}

/* Changed rows of one slice. */
static void write_slice_changes(struct record_surface *surface, const struct layout *layout, uint32_t slice,
                                const uint8_t *old)
{
    const uint32_t max_rows = BASE_MAX(1u, MAX_PIECE / layout->row_bytes);
    uint32_t start = 0;
    bool open = false;

    for (uint32_t row = 0; row <= layout->rows; row++) {
        const bool changed = row < layout->rows && (!old || memcmp(old + (size_t)row * layout->row_bytes,
                                                                   row_at(layout, slice, row), layout->row_bytes) != 0);
        if (open && (!changed || row - start >= max_rows)) {
            contents_write_rows(surface, layout, slice, start, row - start, 0, layout->row_bytes);
            start = row;
        }
        if (changed && !open)
            start = row;
        open = changed;
    }
}

static void write_changes(struct record_surface *surface, const struct layout *layout, const uint8_t *old)
{
    const size_t slice_bytes = (size_t)layout->row_bytes * layout->rows;

    if (layout->rows == 1 && layout->slices == 1) {
        write_row_changes(surface, layout, old);
        return;
    }
    for (uint32_t slice = 0; slice < layout->slices; slice++)
        write_slice_changes(surface, layout, slice, old ? old + slice * slice_bytes : NULL);
}

/* Does the file hold what is in the surface: of this range, or of an earlier one and unchanged since? */
static bool is_in_file(struct record_surface *surface)
{
    struct hal_surface *hal = hal_surface_from_lcl(surface->lcl);

    return surface->range == recorder.range ||
           (surface->left_in_file && hal && hal_surface_digest(hal) == surface->digest);
}

void record_lock(DDRAWI_DDRAWSURFACE_LCL *lcl, const RECTL *rect, uint32_t flags)
{
    struct record_surface *surface = record_surface_of(lcl);
    struct layout layout;

    /* Programs write outside of what they locked, and drivers let them: look at all of it. */
    (void)rect;
    if (!surface || surface->system_memory || flags & DDLOCK_READONLY)
        return;
    if (surface->locks++ == 0) {
        surface->lock_flags = flags;
        if (recorder.current && !(flags & DDLOCK_DISCARDCONTENTS) && is_in_file(surface) &&
            contents_layout(surface, &layout))
            surface->snapshot = contents_copy_rows(&layout);
        return;
    }
    surface->lock_flags |= flags;
}

void record_unlock(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = record_find_surface(lcl);
    struct layout layout;

    if (!surface || surface->locks == 0 || --surface->locks > 0)
        return;
    if (recorder.current && contents_layout(surface, &layout)) {
        write_changes(surface, &layout, surface->snapshot);
        surface->range = recorder.range;
    }
    free(surface->snapshot);
    surface->snapshot = NULL;
    surface->lock_flags = 0;
}

static void compare_with_shadow(struct record_surface *surface)
{
    struct layout layout;
    uint8_t *at;

    if (!contents_layout(surface, &layout))
        return;
    if (!surface->shadow) {
        surface->shadow = contents_copy_rows(&layout);
        if (surface->shadow)
            write_changes(surface, &layout, NULL);
        else
            record_give_up("out of memory");
        return;
    }
    write_changes(surface, &layout, surface->shadow);
    at = surface->shadow;
    for (uint32_t slice = 0; slice < layout.slices; slice++)
        for (uint32_t row = 0; row < layout.rows; row++, at += layout.row_bytes)
            memcpy(at, row_at(&layout, slice, row), layout.row_bytes);
}

void record_system_memory(struct record_surface *surface)
{
    struct record_chain *chain = surface->chain;

    if (!surface->system_memory || !recorder.current)
        return;
    for (unsigned i = 0; i < chain->count; i++)
        if (chain->surfaces[i])
            compare_with_shadow(chain->surfaces[i]);
}

/* Those of the surface that its pixels do not tell. */
static void contents_write_samples(struct record_surface *surface, struct hal_surface *hal)
{
    const size_t bytes = hal_surface_row_bytes(hal);
    const unsigned rows = (unsigned)BASE_MIN(BASE_MAX((size_t)1, MAX_PIECE / bytes), hal->height);
    uint8_t *copy;

    if (!hal_samples_differ(hal))
        return;
    copy = mem_calloc(rows, bytes);
    if (!copy) {
        record_give_up("out of memory");
        return;
    }
    for (unsigned sample = 0; sample < hal->samples; sample++) {
        for (unsigned row = 0; row < hal->height; row += rows) {
            const struct capture_samples event = {.id = surface->id,
                                                  .samples = hal->samples,
                                                  .sample = sample,
                                                  .first_row = row,
                                                  .row_count = BASE_MIN(rows, hal->height - row),
                                                  .row_bytes = (uint32_t)bytes};
            const struct capture_bytes pieces[2] = {{&event, sizeof(event)}, {copy, event.row_count * bytes}};

            hal_samples_read(hal, sample, row, event.row_count, copy, bytes);
            record_event(CAPTURE_SAMPLES, pieces, 2);
        }
    }
    free(copy);
}

void record_samples(const HALCYON_SAMPLESDATA *data)
{
    const struct record_surface *surface = record_surface_of(data->lpDDSurface);
    const struct hal_surface *hal = hal_surface_from_lcl(data->lpDDSurface);

    if (!surface || !hal)
        return;
    if (recorder.current)
        record_use(NULL, surface->id, CAPTURE_USE_NEEDED); /* other samples, other rows */
    const struct capture_samples event = {.id = surface->id,
                                          .samples = hal->samples,
                                          .sample = data->dwSample,
                                          .first_row = data->dwFirstRow,
                                          .row_count = data->dwRows,
                                          .row_bytes = data->dwRowBytes};
    const struct capture_bytes pieces[2] = {{&event, sizeof(event)},
                                            {data->lpMemory, (size_t)data->dwRows * data->dwRowBytes}};

    record_event(CAPTURE_SAMPLES, pieces, 2);
}

/* Video memory: once the driver has drawn all that it was told to. Of a surface that is locked the
 * snapshot is stale now, and all of it is written again on Unlock. */
static void contents_write_all(struct record_surface *surface)
{
    struct hal_surface *hal = hal_surface_from_lcl(surface->lcl);
    const uint32_t flags = surface->lock_flags;
    struct layout layout;

    free(surface->snapshot);
    surface->snapshot = NULL;
    if (!hal)
        return;
    hal_present_wait(hal);
    hal_surface_acquire(hal, false);
    surface->lock_flags = 0;
    if (contents_layout(surface, &layout))
        write_changes(surface, &layout, NULL);
    if (hal->samples)
        contents_write_samples(surface, hal);
    surface->lock_flags = flags;
}

void record_use(void *user, uint32_t id, enum capture_use use)
{
    struct record_surface *surface = id < recorder.id_capacity ? recorder.by_id[id] : NULL;

    (void)user;
    if (!surface || use == CAPTURE_USE_NAMED)
        return;
    if (surface->system_memory) {
        if (surface->range != recorder.range || !surface->shadow)
            compare_with_shadow(surface);
    } else if (surface->range != recorder.range && use == CAPTURE_USE_NEEDED &&
               (surface->locks || !is_in_file(surface))) {
        contents_write_all(surface);
    }
    surface->range = recorder.range;
}

bool record_read_buffer(void *user, uint32_t number, uint32_t handle, size_t offset, size_t size, uint8_t *out)
{
    const struct record_local *local = recorder.locals;
    struct layout layout;

    (void)user;
    while (local && local->id != number)
        local = local->next;
    const struct record_surface *surface = record_by_handle(local, handle);

    if (!surface || !contents_layout(surface, &layout) || layout.rows != 1 || layout.slices != 1 ||
        offset > layout.row_bytes || size > layout.row_bytes - offset)
        return false;
    hal_surface_acquire(hal_surface_from_lcl(surface->lcl), false);
    memcpy(out, layout.memory + offset, size);
    return true;
}

static void contents_exchange(struct record_surface *a, struct record_surface *b)
{
    const uint32_t range = a->range;
    const bool left = a->left_in_file;
    const uint64_t digest = a->digest;

    a->range = b->range;
    b->range = range;
    if (!recorder.current) /* the surfaces of the file keep what they hold */
        return;
    a->left_in_file = b->left_in_file;
    a->digest = b->digest;
    b->left_in_file = left;
    b->digest = digest;
}

/* The surface behind `lcl` in its flip chain. */
static DDRAWI_DDRAWSURFACE_LCL *contents_next_in_chain(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    for (const ATTACHLIST *link = lcl->lpAttachList; link; link = link->lpLink)
        if (link->lpAttached && link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP)
            return link->lpAttached;
    return NULL;
}

void record_exchange(DDRAWI_DDRAWSURFACE_LCL *front, DDRAWI_DDRAWSURFACE_LCL *back)
{
    const bool all_move = contents_next_in_chain(front) == back;
    DDRAWI_DDRAWSURFACE_LCL *at = front, *next = back;

    for (unsigned i = 0; next && i < MAX_FLIP_CHAIN; i++) {
        struct record_surface *first = record_find_surface(at), *second = record_find_surface(next);

        if (first && second)
            contents_exchange(first, second);
        at = next;
        next = all_move ? contents_next_in_chain(at) : NULL;
        if (next == front)
            break;
    }
}

void record_leave_contents(void)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        for (struct record_surface *s = recorder.buckets[i]; s; s = s->next_in_bucket) {
            struct hal_surface *hal = hal_surface_from_lcl(s->lcl);

            if (s->system_memory || s->range != recorder.range || !hal)
                continue;
            s->left_in_file = s->locks == 0;
            s->digest = s->left_in_file ? hal_surface_digest(hal) : 0;
        }
    }
}

void record_forget_contents(bool all)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        for (struct record_surface *s = recorder.buckets[i]; s; s = s->next_in_bucket) {
            free(s->snapshot);
            s->snapshot = NULL;
            if (!all)
                continue;
            free(s->shadow);
            s->shadow = NULL;
            s->left_in_file = false;
        }
    }
}
