/* SPDX-License-Identifier: MIT */
/* A timeline of the threads: a record of a frame in spans of time, written by several threads at once. */
#ifndef HALCYON_INSPECT_SPANS_H
#define HALCYON_INSPECT_SPANS_H

#include "base/lock.h"
#include "raster/watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSPECT_MOST_LANES 256

enum inspect_span_kind {
    INSPECT_SPAN_FRAME,
    INSPECT_SPAN_EVENT,
    INSPECT_SPAN_DRAW,
    INSPECT_SPAN_FLUSH,
    INSPECT_SPAN_CHUNK,
    INSPECT_SPAN_TILE
};
const char *inspect_span_name(enum inspect_span_kind kind);

struct inspect_span {
    enum inspect_span_kind kind;
    unsigned lane; /* the thread: 0 the one that calls the driver, then by the order in which they began */
    uint32_t
        number; /* FRAME: the frame; EVENT: enum capture_event_type; DRAW: the action, UINT32_MAX: unknown; CHUNK, TILE: which */
    uint64_t count;    /* TILE: commands in its bin */
    double begin, end; /* clock_seconds */
};

struct inspect_spans {
    struct base_lock lock;
    pthread_t lanes[INSPECT_MOST_LANES];
    unsigned lane_count;
    struct inspect_span *list; /* by their ends */
    size_t count, capacity;
    uint64_t lost;             /* because memory ran out */
    struct raster_watch watch; /* the spans that the rasterizer reports go into the record */
};

/* Empty; the calling thread is lane 0. */
void inspect_spans_init(struct inspect_spans *spans);
void inspect_spans_free(struct inspect_spans *spans);
/* Empties it, and forgets all threads except for the first. */
void inspect_spans_clear(struct inspect_spans *spans);
/* By the calling thread; any may call it. */
void inspect_spans_add(struct inspect_spans *spans, enum inspect_span_kind kind, uint32_t number, uint64_t count,
                       double begin, double end);

#endif
