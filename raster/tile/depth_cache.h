/* SPDX-License-Identifier: MIT */
/*
 * The depth block cache: for each 8x8 block of a tile, depth compressed to a plane and stencil compressed to one value,
 * tested and written without accessing memory. The head of depth_cache.c lists states, invariants and transitions.
 */
#ifndef HALCYON_RASTER_TILE_DEPTH_CACHE_H
#define HALCYON_RASTER_TILE_DEPTH_CACHE_H

#include "raster/kernels/kernels.h"
#include "raster/tile/block.h"

struct tile_worker;

/* The blocks of a tile; it lives as long as the raster keeps its targets, and belongs to the worker that draws the tile. */
struct depth_blocks {
    uint64_t compressed;    /* bit b: depth of block b is plane b */
    uint64_t dirty_depth;   /* bit b: and it is not in memory yet */
    uint64_t dirty;         /* bit b: memory does not hold all of block b's depth and stencil */
    uint64_t stencil_whole; /* bit b: all pixels of block b have stencil_value[b] */
    /* The planes (struct depth_plane) of the blocks and their ranges, by component, so that rows of blocks are
     * vectors. */
    float a[TILE_BLOCKS], dx[TILE_BLOCKS], dy[TILE_BLOCKS], x[TILE_BLOCKS], y[TILE_BLOCKS];
    float least[TILE_BLOCKS], greatest[TILE_BLOCKS];
    uint64_t stencil_valid[TILE_BLOCKS]; /* pixels of block b whose stencil is stencil_value[b] */
    uint64_t stencil_dirty[TILE_BLOCKS]; /* those of them that memory does not hold yet */
    uint8_t stencil_value[TILE_BLOCKS];
};

/* The worker's part of the cache: the depth target, and the test that writes blocks back. */
struct depth_cache {
    bool enabled;          /* the depth target has a format and a sample count that blocks are compressed for */
    float step;            /* two steps of its format */
    uint32_t stencil_bits; /* the stencil bits of the target */
};

/* Prepares the worker's cache for the depth target of the current tile. */
void depth_cache_begin_tile(struct tile_worker *w);
/* Marks all blocks as neither compressed nor dirty: memory is up to date. */
void depth_cache_invalidate(struct depth_blocks *blocks);
/* Early-Z test, or the test after shading: depth and stencil tests of the pixels of `mask` in the 8x8 pixels at (x, y),
 * at any position in the tile. Writes depth and stencil as the state says. Returns the pixels that pass. For targets
 * with one sample. */
uint64_t tile_test_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask);
/* depth_row.c: tile_test_block for the live blocks of a row whose first pixel is (x, y). range: of the primitive's
 * plane; ignored unless the state tests depth. */
void tile_test_row(struct tile_worker *w, const struct scene_primitive *primitive, const struct row_range *range, int x,
                   int y, struct raster_row *row);
/* tile_test_block for an aligned block whose compressed depth and stencil are known not to decide the test. */
uint64_t tile_test_block_in_memory(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                                   uint64_t mask);
/* Sets the stencil of the pixels of `mask` in block b, which starts at (x, y), after a decided test; they become
 * dirty. */
void depth_cache_set_stencil(struct tile_worker *w, unsigned b, int x, int y, uint8_t value, uint64_t mask);
/* tile_test_block for a 4x4 group. z: the depth of its 16 lanes. */
uint32_t tile_test_group(struct tile_worker *w, int x, int y, const float *z, uint32_t mask, bool front_facing);
/* Clears depth, stencil or both in a rectangle of the tile. True: a fast clear, which left the blocks dirty; false: the
 * caller clears memory too. */
bool depth_cache_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                       int tile_x, int tile_y);
/* Writes all dirty blocks of the tile back. */
void depth_cache_flush(struct tile_worker *w, int tile_x, int tile_y);

#endif
