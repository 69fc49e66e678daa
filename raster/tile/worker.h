/* SPDX-License-Identifier: MIT */
/* Everything that a thread owns while it draws tiles. */
#ifndef HALCYON_RASTER_TILE_WORKER_H
#define HALCYON_RASTER_TILE_WORKER_H

#include "raster/tile/batch.h"
#include "raster/tile/depth_cache.h"
#include "raster/tile/hierarchical_z.h"
#include "raster/tile/state.h"
#include "raster/tile/tile.h"

/* The depth of a tile as a raster keeps it from scene to scene, until the depth buffer can be written from outside.
 * Only the worker that draws the tile touches it. */
struct tile_depth {
    struct hierarchical_z bounds;
    struct depth_blocks blocks;
    uint32_t epoch; /* of the scene that wrote it; void in scenes of another epoch */
};

struct tile_worker {
    struct tile_batch batch;
    const struct raster_kernels *kernels;
    /* the current tile */
    const struct raster_targets *targets;
    unsigned target_samples; /* 1, or those of the targets */
    struct raster_rect tile; /* its pixels that lie on the targets */
    struct tile_depth *depth;
    uint64_t fragments;    /* drawn since tile_worker_take_counts */
    uint64_t more_samples; /* samples of these beyond the first of each */
    struct tile_state state;
    struct depth_cache depth_cache;
    _Alignas(64) uint8_t scratch[RASTER_SCRATCH_BYTES]; /* batch.lanes.scratch */
};

/* Hierarchical Z for a block at pixel (x, y), if the state uses it. True: all of `mask` is rejected. */
static inline bool tile_rejects_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                                      uint64_t mask)
{
    return (w->state.hierarchical_z.rejects || w->state.hierarchical_z.lowers) &&
           hierarchical_z_rejects(&w->depth->bounds, &w->state.hierarchical_z, primitive, x, y, mask);
}

#endif
