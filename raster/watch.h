/* SPDX-License-Identifier: MIT */
/* Callbacks that report when threads draw tiles and make chunks of draws, for the profiler
 * (inspect/profile/profile.h). */
#ifndef HALCYON_RASTER_WATCH_H
#define HALCYON_RASTER_WATCH_H

#include <stdbool.h>
#include <stddef.h>

struct raster_watch {
    void *user;
    /* A tile of a scene has been drawn, with that many commands in its bin; times are clock_seconds. Called by the
     * thread that drew it, so possibly by several at once. */
    void (*tile)(void *user, size_t tile, size_t commands, double begin, double end);
    /* The same for a chunk of geometry: part `part` of a draw that several threads share. */
    void (*chunk)(void *user, unsigned part, double begin, double end);
};

#endif
