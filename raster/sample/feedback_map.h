/* SPDX-License-Identifier: MIT */
/* The inside of a feedback map, for the files that set its flags: sample/feedback.c and sample/kernels/feedback_mark.c. */
#ifndef HALCYON_RASTER_FEEDBACK_MAP_H
#define HALCYON_RASTER_FEEDBACK_MAP_H

#include <stdatomic.h>

#include "raster/sample/feedback.h"

/* The byte of a region. Encoded values have their own bits, because marks spread when they are decoded. */
enum {
    FEEDBACK_MARKED = 1,        /* a sampler read a texel of it */
    FEEDBACK_ENCODED_SHIFT = 4, /* MIN_MIP, level 0: 1 + what was encoded, 0: nothing */
};

struct raster_feedback {
    struct raster_feedback_desc desc;
    uint8_t shift_x, shift_y; /* log2 of the region's sides */
    unsigned columns[RASTER_MAX_LEVELS], rows[RASTER_MAX_LEVELS], layers[RASTER_MAX_LEVELS];
    struct raster_texture shape;  /* raster_feedback_shape */
    uint8_t *memory;              /* of the planes; NULL: the caller's */
    struct feedback_plane *plane; /* [layer * plane_step + level] */
    unsigned plane_step;          /* level_count; volumes: 0 */
};

static inline uint8_t *feedback_region(const struct raster_feedback *map, unsigned layer, unsigned level,
                                       unsigned column, unsigned row)
{
    const struct feedback_plane *p = &map->plane[layer * map->plane_step + level];

    return p->regions + layer * p->slice + row * p->pitch + column;
}

static inline bool feedback_is_marked(const uint8_t *region)
{
    return atomic_load_explicit((const _Atomic uint8_t *)region, memory_order_relaxed) & FEEDBACK_MARKED;
}

/* From any thread. The other bits do not change while tiles are drawn, so all threads store the same value. Reading
 * first keeps the cache line shared once the flag is set. */
static inline void feedback_mark_region(uint8_t *region)
{
    uint8_t old = atomic_load_explicit((_Atomic uint8_t *)region, memory_order_relaxed);

    if (!(old & FEEDBACK_MARKED))
        atomic_store_explicit((_Atomic uint8_t *)region, old | FEEDBACK_MARKED, memory_order_relaxed);
}

#endif
