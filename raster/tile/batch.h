/* SPDX-License-Identifier: MIT */
/* Groups and blocks of pixels on their way through depth tests into a batch of fragments, which is shaded and stored. */
#ifndef HALCYON_RASTER_TILE_BATCH_H
#define HALCYON_RASTER_TILE_BATCH_H

#include "raster/kernels/kernels.h"
#include "raster/kernels/narrow_planes.h"

#define BATCH_GROUPS (RASTER_LANES / RASTER_GROUP_LANES)
#define BATCH_QUADS  (RASTER_LANES / RASTER_QUAD_LANES)

/* The fragments collected so far. Between two primitives there is room for a whole group: quad_count <= BATCH_QUADS - 4. */
struct tile_batch {
    struct raster_batch lanes;
    struct raster_place group[BATCH_QUADS]; /* where its quads come from */
    unsigned group_count, quad_count;
    struct narrow_planes planes;            /* narrow states: of the primitive whose groups came last */
    uint64_t placed, placed_inner;          /* lanes.covered and lanes.inner before shading */
    uint64_t inner_block;                   /* pixels of the current block that lie entirely inside the primitive */
    _Alignas(64) float alpha[RASTER_LANES]; /* scale of alpha, if the state smooths */
    /* Multisampled targets: the coverage and depth of each sample of each group. */
    _Alignas(64) float sample_z[BATCH_GROUPS][RASTER_MAX_SAMPLES][RASTER_GROUP_LANES];
    uint16_t sample_mask[BATCH_GROUPS][RASTER_MAX_SAMPLES];
    /* All samples of tile_drawn_samples are covered in all pixels of the batch: sample_mask is not filled in. */
    bool whole_block;
};

struct tile_worker;

/* Drops the groups collected so far. */
void tile_empty_batch(struct tile_worker *w);
/* Shades and stores the groups collected so far. */
void tile_shade_batch(struct tile_worker *w);
/* Shades the groups collected so far without storing: colours and covered lanes become the input of stores. */
void tile_color_batch(struct tile_worker *w);
/* Adds a group that has passed the early-Z test: its inputs, and the lanes of `mask` to shade. z: the depth of its 16
 * lanes; ignored unless w->state.needs_z. */
void tile_push_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask,
                     const float *z);
/* Tests depth and stencil of the pixels of `mask` in the 8x8 block at pixel (x, y) and adds what passes. Coordinates are
 * multiples of 8 unless the state moves groups. */
void tile_add_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask);
/* Pushes the pixels of a block that have passed the early-Z test. z: the depth of its 64 lanes; NULL unless
 * w->state.needs_z. */
void tile_push_pixels(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                      const float *z);
/* Makes a block that has passed the early-Z test, with pixels in all four groups, a batch of its own and shades it. z:
 * the depth of its 64 lanes; ignored unless w->state.needs_z. */
void tile_push_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                     const float *z);
/* Computes the depth of the pixels of `mask` in the block at (x, y) into z, as far as it is needed; if `tests`, also
 * tests and writes it. Returns the pixels that pass. */
uint64_t tile_block_depth(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                          bool tests, float *z);

#endif
