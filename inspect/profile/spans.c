/* SPDX-License-Identifier: MIT */
/* A record of spans: there are few, one for each tile of a scene, so one lock is enough for all threads. */
#include "inspect/profile/spans.h"

#include "base/base.h"

#include <stdlib.h>

const char *inspect_span_name(enum inspect_span_kind kind)
{
    static const char *const names[] = {"frame", "event", "draw", "flush", "chunk", "tile"};

    return names[kind];
}

static void watch_tile(void *user, size_t tile, size_t commands, double begin, double end)
{
    inspect_spans_add(user, INSPECT_SPAN_TILE, (uint32_t)tile, commands, begin, end);
}

static void watch_chunk(void *user, unsigned part, double begin, double end)
{
    inspect_spans_add(user, INSPECT_SPAN_CHUNK, part, 0, begin, end);
}

void inspect_spans_init(struct inspect_spans *spans)
{
    *spans = (struct inspect_spans){.watch = {.user = spans, .tile = watch_tile, .chunk = watch_chunk}};
    base_lock_init(&spans->lock);
    inspect_spans_clear(spans);
}

void inspect_spans_free(struct inspect_spans *spans)
{
    base_lock_destroy(&spans->lock);
    free(spans->list);
}

void inspect_spans_clear(struct inspect_spans *spans)
{
    spans->count = 0;
    spans->lanes[0] = pthread_self();
    spans->lane_count = 1;
}

/* The lane of the calling thread; the last one is shared by all for which there is no room. */
static unsigned find_lane(struct inspect_spans *spans)
{
    const pthread_t self = pthread_self();

    for (unsigned i = 0; i < spans->lane_count; i++)
        if (pthread_equal(spans->lanes[i], self))
            return i;
    if (spans->lane_count == INSPECT_MOST_LANES)
        return INSPECT_MOST_LANES - 1;
    spans->lanes[spans->lane_count] = self;
    return spans->lane_count++;
}

static struct inspect_span *append_span(struct inspect_spans *spans)
{
    if (spans->count == spans->capacity) {
        const size_t capacity = 2 * spans->capacity + 1024;
        struct inspect_span *bigger = mem_realloc(spans->list, capacity, sizeof(*bigger));

        if (!bigger)
            return NULL;
        spans->list = bigger;
        spans->capacity = capacity;
    }
    return &spans->list[spans->count++];
}

void inspect_spans_add(struct inspect_spans *spans, enum inspect_span_kind kind, uint32_t number, uint64_t count,
                       double begin, double end)
{
    struct inspect_span *span;

    base_lock(&spans->lock);
    span = append_span(spans);
    if (span)
        *span = (struct inspect_span){kind, find_lane(spans), number, count, begin, end};
    else
        spans->lost++;
    base_unlock(&spans->lock);
}
