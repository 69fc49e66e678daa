/* SPDX-License-Identifier: MIT */
/*
 * Presentation (DX8 DDI, "Presentation"). A presenting blit that stretches or converts is done in two steps: its source
 * is read at once, in order with the drawing, and a separate thread writes its destination while the next frame is
 * prepared. At most three frames of one source are queued; a fourth is rejected with DDERR_WASSTILLDRAWING until one is
 * done. Readers of a destination wait for it first (hal_surface_acquire).
 *
 * Queueing a blit that only copies would cost as much as the copy, so it is done at once; then nothing is ever queued,
 * which the rule allows.
 */
#include "hal/resource/copy/present.h"

#include "base/base.h"
#include "base/lock.h"
#include "base/thread.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/present_queue.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"

#include <stdlib.h>

/* --- the thread ----------------------------------------------------------------------------- */

static void *work(void *argument)
{
    struct hal_present *present = argument;

    base_lock(&present->lock);
    for (;;) {
        while ((!present->count || present->hold) && !present->quit)
            base_wait(&present->wake, &present->lock);
        if (!present->count)
            break;
        struct hal_present_entry entry = present->entry[present->first];
        const size_t bytes = hal_present_bytes(&entry.blt);

        base_unlock(&present->lock);
        if (FAILED(hal_scaled_blt_finish(&entry.blt)))
            log_error("presentation: out of memory, a frame is lost");
        base_lock(&present->lock);
        hal_present_retire(present, &entry, bytes);
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

/* --- blits ------------------------------------------------------------------------------------ */

/* The front buffer, which other code acquires before it writes (hal_surface_acquire). */
static bool is_queueable(const struct hal_surface *destination)
{
    return destination->base.kind & HAL_SURFACE_PRIMARY && !(destination->base.kind & HAL_SURFACE_TEXTURE) &&
           destination->base.owns_memory && !destination->samples;
}

HRESULT hal_present_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from,
                        bool last)
{
    struct hal_present_entry entry = {.destination = destination, .source = source, .last = last};

    if (!hal_present_has_room(source))
        return DDERR_WASSTILLDRAWING;
    struct hal_present *present =
        is_queueable(destination) && source != destination ? present_start(destination->base.driver) : NULL;

    if (!present)
        return hal_surface_blt(destination, to, source, from, false);
    if (destination->pending) /* earlier draws to it come first */
        hal_scene_flush_surface(destination, HAL_FLUSH_PRESENT);
    if (!hal_scaled_blt_take(&entry.blt, destination, to, source, from))
        return hal_surface_blt(destination, to, source, from, false);
    hal_surface_touch(destination);
    hal_present_push(present, &entry);
    return DD_OK;
}
