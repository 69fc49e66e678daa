/* SPDX-License-Identifier: MIT */
/*
 * The queue of presenting blits: a ring of blits whose sources have been read, and functions that wait for them.
 * copy/present.c fills it, and its thread writes the destinations.
 */
#ifndef HALCYON_HAL_RESOURCE_PRESENT_QUEUE_H
#define HALCYON_HAL_RESOURCE_PRESENT_QUEUE_H

#include "base/lock.h"
#include "base/thread.h"
#include "hal/resource/copy/blt.h"

#include <stdbool.h>
#include <stddef.h>

struct hal_surface;

#define HAL_PRESENT_ENTRIES 32

struct hal_present_entry {
    struct hal_scaled_blt blt;
    struct hal_surface *destination, *source;
    bool last; /* of its frame */
};

/* The driver's (hal/driver.h). */
struct hal_present {
    struct base_lock lock;
    struct base_condition wake, done; /* an entry was added, or `quit` or `hold` changed; one was removed */
    struct base_thread thread;
    bool quit, hold;
    struct hal_present_entry entry[HAL_PRESENT_ENTRIES]; /* a ring */
    unsigned first, count;
    size_t bytes; /* of texels in the queue */
};

/* Adds a blit and counts it in its surfaces; waits while there is no room. */
void hal_present_push(struct hal_present *present, const struct hal_present_entry *entry);
/* Call with the lock held: removes the first entry, of `bytes` bytes, which has been written. */
void hal_present_retire(struct hal_present *present, const struct hal_present_entry *entry, size_t bytes);
/* Bytes of the texels that the blit has taken. */
size_t hal_present_bytes(const struct hal_scaled_blt *blt);

/* May a further presenting blit of this source be given? */
bool hal_present_has_room(struct hal_surface *source);
/* Is nothing queued that reads or writes the surface? */
bool hal_present_is_done(struct hal_surface *surface);
/* Waits until nothing queued writes the surface's memory. */
void hal_present_wait(struct hal_surface *surface);
/* Waits for all that names the surface: it is going away. */
void hal_present_drain(struct hal_surface *surface);

#endif
