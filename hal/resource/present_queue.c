/* SPDX-License-Identifier: MIT */
/* The queue of presenting blits: the ring, and the counts of queued blits in surfaces. */
#include "hal/resource/present_queue.h"

#include "base/base.h"
#include "base/lock.h"
#include "hal/driver.h"
#include "hal/resource/surface.h"

#define MAX_FRAMES 3            /* of one source */
#define MAX_BYTES  (256u << 20) /* of texels that wait */

size_t hal_present_bytes(const struct hal_scaled_blt *blt)
{
    return (size_t)blt->scale.source_width * blt->scale.source_height * sizeof(*blt->texels);
}

void hal_present_retire(struct hal_present *present, const struct hal_present_entry *entry, size_t bytes)
{
    present->first = (present->first + 1) % HAL_PRESENT_ENTRIES;
    present->count--;
    present->bytes -= bytes;
    entry->destination->presents_to--;
    entry->source->presents_from--;
    if (entry->last)
        entry->source->present_frames--;
    base_wake_all(&present->done);
}

void hal_present_push(struct hal_present *present, const struct hal_present_entry *entry)
{
    const size_t bytes = hal_present_bytes(&entry->blt);

    base_lock(&present->lock);
    while (present->count == HAL_PRESENT_ENTRIES || (present->count && present->bytes + bytes > MAX_BYTES))
        base_wait(&present->done, &present->lock);
    present->entry[(present->first + present->count++) % HAL_PRESENT_ENTRIES] = *entry;
    present->bytes += bytes;
    entry->destination->presents_to++;
    entry->source->presents_from++;
    if (entry->last)
        entry->source->present_frames++;
    base_wake_one(&present->wake);
    base_unlock(&present->lock);
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
    struct hal_present *present = surface->base.driver->present;

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
