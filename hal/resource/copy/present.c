/* SPDX-License-Identifier: MIT */
/*
 * Presentation (DX8 DDI, "Presentation"). A presenting blit that stretches or converts is taken apart: its source is
 * read at once, in order with the drawing, and its destination is written by a thread of its own while the next frame is
 * prepared. At most three frames of one source wait; a fourth is refused with DDERR_WASSTILLDRAWING until one is done.
 * Readers of a destination wait for it first (hal_surface_acquire).
 *
 * A blit that only copies would cost as much to queue as to do, so it is done at once; then nothing is ever queued, which
 * the rule allows as well.
 */
#include "hal/resource/copy/present.h"

#include "base/base.h"
#include "base/lock.h"
#include "base/thread.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/surface.h"

#include <stdlib.h>

#define MAX_FRAMES  3 /* of one source */
#define MAX_ENTRIES 32
#define MAX_BYTES   (256u << 20) /* of texels that wait */

struct entry {
    struct hal_scaled_blt blt;
    struct hal_surface *destination, *source;
    bool last;
};

struct hal_present {
    struct base_lock lock;
    struct base_condition wake, done;
    struct base_thread thread;
    bool quit, hold;
    struct entry entry[MAX_ENTRIES]; /* a ring */
    unsigned first, count;
    size_t bytes;
};

static size_t present_bytes(const struct hal_scaled_blt *blt)
{
    return (size_t)blt->scale.source_width * blt->scale.source_height * sizeof(*blt->texels);
}

/* --- the thread ----------------------------------------------------------------------------- */

static void retire(struct hal_present *present, const struct entry *entry, size_t bytes)
{
    present->first = (present->first + 1) % MAX_ENTRIES;
    present->count--;
    present->bytes -= bytes;
    entry->destination->presents_to--;
    entry->source->presents_from--;
    if (entry->last)
        entry->source->present_frames--;
    base_wake_all(&present->done);
}

static void *work(void *argument)
{
    struct hal_present *present = argument;

    base_lock(&present->lock);
    for (;;) {
        while ((!present->count || present->hold) && !present->quit)
            base_wait(&present->wake, &present->lock);
        if (!present->count)
            break;
        struct entry entry = present->entry[present->first];
        const size_t bytes = present_bytes(&entry.blt);

        base_unlock(&present->lock);
        if (FAILED(hal_scaled_blt_finish(&entry.blt)))
            log_error("presentation: out of memory, a frame is lost");
        base_lock(&present->lock);
        retire(present, &entry, bytes);
    }
    base_unlock(&present->lock);
    return NULL;
}

static struct hal_present *present_start(struct hal_driver *driver)
{
    struct hal_present *present;

    if (driver->present || !cpu_has_threads())
        return driver->present;
    present = mem_calloc(1, sizeof(*present));
    if (!present)
        return NULL;
    base_lock_init(&present->lock);
    base_condition_init(&present->wake);
    base_condition_init(&present->done);
    if (!base_thread_start(&present->thread, work, present)) {
        log_warn("presentation: no thread, frames are shown at once");
        free(present);
        return NULL;
    }
    driver->present = present;
    return present;
}

void hal_present_destroy(struct hal_driver *driver)
{
    struct hal_present *present = driver->present;

    if (!present)
        return;
    base_lock(&present->lock);
    present->quit = true; /* once the queue is empty */
    base_wake_one(&present->wake);
    base_unlock(&present->lock);
    base_thread_join(&present->thread);
    base_condition_destroy(&present->done);
    base_condition_destroy(&present->wake);
    base_lock_destroy(&present->lock);
    free(present);
    driver->present = NULL;
}

void hal_present_hold(struct hal_driver *driver, bool hold)
{
    struct hal_present *present = present_start(driver);

    if (!present)
        return;
    base_lock(&present->lock);
    present->hold = hold;
    base_wake_one(&present->wake);
    base_unlock(&present->lock);
}

/* --- the queue --------------------------------------------------------------------------------- */

/* The front buffer, which other code acquires before it writes (hal_surface_acquire). */
static bool is_queueable(const struct hal_surface *destination)
{
    return destination->kind & HAL_SURFACE_PRIMARY && !(destination->kind & HAL_SURFACE_TEXTURE) &&
           destination->owns_memory && !destination->samples;
}

static void present_push(struct hal_present *present, const struct entry *entry)
{
    const size_t bytes = present_bytes(&entry->blt);

    base_lock(&present->lock);
    while (present->count == MAX_ENTRIES || (present->count && present->bytes + bytes > MAX_BYTES))
        base_wait(&present->done, &present->lock);
    present->entry[(present->first + present->count++) % MAX_ENTRIES] = *entry;
    present->bytes += bytes;
    entry->destination->presents_to++;
    entry->source->presents_from++;
    if (entry->last)
        entry->source->present_frames++;
    base_wake_one(&present->wake);
    base_unlock(&present->lock);
}

HRESULT hal_present_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from,
                        bool last)
{
    struct entry entry = {.destination = destination, .source = source, .last = last};

    if (!hal_present_has_room(source))
        return DDERR_WASSTILLDRAWING;
    struct hal_present *present =
        is_queueable(destination) && source != destination ? present_start(destination->driver) : NULL;

    if (!present)
        return hal_surface_blt(destination, to, source, from, false);
    if (destination->pending) /* what was drawn there comes first */
        hal_surface_flush(destination);
    if (!hal_scaled_blt_take(&entry.blt, destination, to, source, from))
        return hal_surface_blt(destination, to, source, from, false);
    hal_surface_touch(destination);
    present_push(present, &entry);
    return DD_OK;
}

bool hal_present_has_room(struct hal_surface *source)
{
    return source->present_frames < MAX_FRAMES;
}

bool hal_present_is_done(struct hal_surface *surface)
{
    return surface->presents_to == 0 && surface->presents_from == 0;
}

static void wait_for(struct hal_surface *surface, bool sources_too)
{
    struct hal_present *present = surface->driver->present;

    if (!present)
        return;
    base_lock(&present->lock);
    while (surface->presents_to || (sources_too && surface->presents_from))
        base_wait(&present->done, &present->lock);
    base_unlock(&present->lock);
}

void hal_present_wait(struct hal_surface *surface)
{
    wait_for(surface, false);
}

void hal_present_drain(struct hal_surface *surface)
{
    if (!hal_present_is_done(surface))
        wait_for(surface, true);
}
