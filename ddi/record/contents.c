/* SPDX-License-Identifier: MIT */
/*
 * Decides when the memory of surfaces is checked (ddi/record/changes.c) for changes that the driver did not make, and
 * records the contents at the beginning of a range of frames. Video memory changes between Lock and Unlock, regardless
 * of the lock's flags; system memory belongs to the runtime, which may write to it at any time, so it is checked before
 * every read.
 */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "hal/resource/copy/samples.h"
#include "raster/format/format.h"

#include <stdlib.h>

/* The limit for one event with samples. */
#define MAX_SAMPLES_BYTES ((size_t)16 << 20)

/* Does the file hold the surface's contents: from this range, or from an earlier one and unchanged since? */
static bool is_in_file(const struct recorder *recorder, struct record_surface *surface)
{
    struct hal_resource *hal = hal_resource_from_lcl(surface->lcl);

    return surface->range == recorder->range ||
           (surface->left_in_file && hal && hal_resource_digest(hal) == surface->digest);
}

/* Must writes under this lock be found at its end? Contents that are not in the file yet are written when they are
 * used. */
static void begin_watch(struct recorder *recorder, struct record_surface *surface, uint32_t flags)
{
    const bool in_file = recorder->current && is_in_file(recorder, surface);

    surface->watched = in_file || !(flags & DDLOCK_READONLY);
    if (!in_file || (flags & DDLOCK_DISCARDCONTENTS && !(flags & DDLOCK_READONLY)))
        record_forget(surface);
    else if (!record_is_known(surface))
        record_learn(recorder, surface);
}

void record_lock(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl, const RECTL *rect, uint32_t flags)
{
    struct record_surface *surface = record_surface_of(recorder, lcl);

    /* Programs write outside of the locked area, and under read-only locks, and drivers allow it: check the whole
     * surface. */
    (void)rect;
    if (!surface || surface->system_memory)
        return;
    if (surface->locks++ == 0) {
        surface->next_locked = recorder->locked;
        recorder->locked = surface;
        surface->lock_flags = flags;
        begin_watch(recorder, surface, flags);
        return;
    }
    surface->lock_flags |= flags;
    if (!surface->watched && !(flags & DDLOCK_READONLY))
        surface->watched = true; /* nothing is known: everything counts as changed */
}

/* Records the writes to a surface since the capture last held its contents. */
static void write_since(struct recorder *recorder, struct record_surface *surface)
{
    record_write_changes(recorder, surface);
    surface->range = recorder->range;
}

void record_unlock(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = record_find_surface(recorder, lcl);

    if (!surface || surface->locks == 0 || --surface->locks > 0)
        return;
    record_leave_locked(recorder, surface);
    if (recorder->current && surface->watched)
        write_since(recorder, surface);
    surface->watched = false;
    surface->lock_flags = 0;
    surface->looked_in = 0;
}

/* Video memory that the driver is about to read or to draw to: while it is locked the program may have written to it before this
 * call. */
static void look_at_locked(struct recorder *recorder, struct record_surface *surface)
{
    if (surface->range == recorder->range && surface->locks && surface->watched)
        record_write_changes(recorder, surface);
}

void record_before_draw(struct recorder *recorder, struct record_surface *buffer)
{
    if (!recorder->current || buffer->range != recorder->range || buffer->system_memory || buffer->locks ||
        buffer->looked_in == recorder->frame + 1)
        return;
    buffer->looked_in = recorder->frame + 1;
    if (record_is_known(buffer))
        record_write_changes(recorder, buffer);
}

void record_before_use(struct recorder *recorder, struct record_surface *surface)
{
    const struct record_chain *chain = surface->chain;

    if (!recorder->current)
        return;
    for (unsigned i = 0; i < chain->count; i++) {
        struct record_surface *part = chain->surfaces[i];
        if (part && part->system_memory)
            record_write_changes(recorder, part);
        else if (part)
            look_at_locked(recorder, part);
    }
}

void record_locked_targets(struct recorder *recorder)
{
    for (struct record_surface *s = recorder->locked; s; s = s->next_locked) {
        const struct hal_resource *hal = hal_resource_from_lcl(s->lcl);

        if (recorder->current && hal && hal->kind & (HAL_SURFACE_COLOR | HAL_SURFACE_DEPTH))
            look_at_locked(recorder, s);
    }
}

/* Records samples that differ from the surface's pixels. */
static void contents_write_samples(struct recorder *recorder, struct record_surface *surface, struct hal_surface *hal)
{
    const size_t bytes = hal_surface_row_bytes(hal);
    const unsigned rows = (unsigned)BASE_MIN(BASE_MAX((size_t)1, MAX_SAMPLES_BYTES / bytes), hal->height);
    uint8_t *copy;

    if (!hal_samples_differ(hal))
        return;
    copy = mem_calloc(rows, bytes);
    if (!copy) {
        record_give_up(recorder, "out of memory");
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
            record_event(recorder, CAPTURE_SAMPLES, pieces, 2);
        }
    }
    free(copy);
}

void record_samples(struct recorder *recorder, const HALCYON_SAMPLESDATA *data)
{
    const struct record_surface *surface = record_surface_of(recorder, data->lpDDSurface);
    const struct hal_surface *hal = hal_surface_from_lcl(data->lpDDSurface);

    if (!surface || !hal)
        return;
    if (recorder->current)
        record_use(recorder, surface->id, CAPTURE_USE_NEEDED); /* other samples, other rows */
    const struct capture_samples event = {.id = surface->id,
                                          .samples = hal->samples,
                                          .sample = data->dwSample,
                                          .first_row = data->dwFirstRow,
                                          .row_count = data->dwRows,
                                          .row_bytes = data->dwRowBytes};
    const struct capture_bytes pieces[2] = {{&event, sizeof(event)},
                                            {data->lpMemory, (size_t)data->dwRows * data->dwRowBytes}};

    record_event(recorder, CAPTURE_SAMPLES, pieces, 2);
}

/* Video memory: after the driver has finished drawing. */
static void contents_write_all(struct recorder *recorder, struct record_surface *surface)
{
    struct hal_resource *resource = hal_resource_from_lcl(surface->lcl);
    struct hal_surface *hal = hal_as_surface(resource);
    const uint32_t flags = surface->lock_flags;

    record_forget(surface);
    if (!resource)
        return;
    hal_resource_acquire(resource, false, HAL_FLUSH_LOOK);
    surface->lock_flags = 0;
    record_write_changes(recorder, surface);
    if (hal && hal->samples)
        contents_write_samples(recorder, surface, hal);
    surface->lock_flags = flags;
    surface->watched = surface->locks != 0;
}

void record_use(void *user, uint32_t id, enum capture_use use)
{
    struct recorder *recorder = user;
    struct record_surface *surface = id < recorder->id_capacity ? recorder->by_id[id] : NULL;

    if (!surface || use == CAPTURE_USE_NAMED)
        return;
    if (surface->system_memory) {
        if (surface->range != recorder->range || !surface->known)
            record_write_changes(recorder, surface);
    } else if (surface->range != recorder->range && use == CAPTURE_USE_NEEDED &&
               (surface->locks || !is_in_file(recorder, surface))) {
        contents_write_all(recorder, surface);
    }
    surface->range = recorder->range;
}

bool record_read_buffer(void *user, uint32_t number, uint32_t handle, size_t offset, size_t size, uint8_t *out)
{
    const struct recorder *recorder = user;
    const struct record_local *local = recorder->locals;
    struct record_layout layout;

    while (local && local->id != number)
        local = local->next;
    const struct record_surface *surface = record_by_handle(local, handle);

    if (!surface || !record_layout_of(surface, &layout) || layout.rows != 1 || layout.slices != 1 ||
        offset > layout.row_bytes || size > layout.row_bytes - offset)
        return false;
    hal_resource_acquire(hal_resource_from_lcl(surface->lcl), false, HAL_FLUSH_LOOK);
    memcpy(out, layout.memory + offset, size);
    return true;
}

static void contents_exchange(const struct recorder *recorder, struct record_surface *a, struct record_surface *b)
{
    const uint32_t range = a->range;
    const bool left = a->left_in_file;
    const uint64_t digest = a->digest;

    a->range = b->range;
    b->range = range;
    if (!recorder->current) /* surfaces in the file keep their contents */
        return;
    a->left_in_file = b->left_in_file;
    a->digest = b->digest;
    b->left_in_file = left;
    b->digest = digest;
}

/* The surface after `lcl` in its flip chain. */
static DDRAWI_DDRAWSURFACE_LCL *contents_next_in_chain(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    for (const ATTACHLIST *link = lcl->lpAttachList; link; link = link->lpLink)
        if (link->lpAttached && link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP)
            return link->lpAttached;
    return NULL;
}

void record_exchange(struct recorder *recorder, const DDHAL_FLIPDATA *data)
{
    DDRAWI_DDRAWSURFACE_LCL *front = data->lpSurfCurr, *at = front, *next = data->lpSurfTarg;
    const bool all_move = !(data->dwFlags & HALCYON_FLIP_EXCHANGE) && contents_next_in_chain(front) == next;

    for (unsigned i = 0; next && i < DDI_MAX_BACK_BUFFERS; i++) {
        struct record_surface *first = record_find_surface(recorder, at), *second = record_find_surface(recorder, next);

        if (first && second)
            contents_exchange(recorder, first, second);
        at = next;
        next = all_move ? contents_next_in_chain(at) : NULL;
        if (next == front)
            break;
    }
}

void record_leave_contents(struct recorder *recorder)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        for (struct record_surface *s = recorder->buckets[i]; s; s = s->next_in_bucket) {
            struct hal_resource *hal = hal_resource_from_lcl(s->lcl);

            if (s->system_memory || s->range != recorder->range || !hal)
                continue;
            s->left_in_file = s->locks == 0;
            s->digest = s->left_in_file ? hal_resource_digest(hal) : 0;
        }
    }
}

void record_forget_contents(struct recorder *recorder, bool all)
{
    for (unsigned i = 0; i < RECORD_BUCKETS; i++) {
        for (struct record_surface *s = recorder->buckets[i]; s; s = s->next_in_bucket) {
            if (all || !s->system_memory)
                record_forget(s);
            if (all)
                s->left_in_file = false;
        }
    }
}
