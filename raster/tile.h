/* SPDX-License-Identifier: MIT */
/* What tile.c and tile_samples.c share: a worker's batch and how groups get into it. */
#ifndef HALCYON_RASTER_TILE_H
#define HALCYON_RASTER_TILE_H

#include "raster/internal.h"

#define BATCH_GROUPS (RASTER_LANES / RASTER_GROUP_LANES)
#define BLOCK_SIZE   8

struct tile_worker {
    struct raster_batch batch;
    /* Multisampled targets: what each sample of each group covers, and its depth. */
    _Alignas(64) float sample_z[BATCH_GROUPS][RASTER_MAX_SAMPLES][RASTER_GROUP_LANES];
    uint16_t sample_mask[BATCH_GROUPS][RASTER_MAX_SAMPLES];
    const struct raster_kernels *kernels;
    const struct raster_targets *targets;
    unsigned samples; /* 1, or those of the targets */
    /* of the groups collected so far */
    const struct raster_draw_state *state;
    struct {
        int x, y;
        uint32_t mask, inner;
    } group[BATCH_GROUPS];
    bool early_depth; /* tested when a group is added, not after shading */
    bool stores_color;
    bool special;       /* groups need tile_special_group */
    bool smooths;       /* alpha is scaled by `alpha` */
    bool clamps_color;  /* to 0..1 before targets that would keep more */
    _Alignas(64) float alpha[RASTER_LANES];
    uint64_t inner_block; /* pixels of the block at hand that lie whole inside the primitive */
    uint64_t fragments;
};

static inline uint32_t tile_group_bits(uint64_t covered, unsigned group)
{
    return (uint32_t)(covered >> (group * RASTER_GROUP_LANES)) & 0xffff;
}

/* Are depth or stencil looked at? */
static inline bool tile_wants_depth(const struct tile_worker *w)
{
    return (w->state->depth_test || w->state->stencil.enable) && w->targets->depth.pixels;
}

/* Lanes of the 8x8 block at (x, y) that lie inside the primitive's bounds. */
uint64_t tile_bounds_mask(const struct scene_primitive *primitive, int x, int y);

/* Shades and stores the groups collected so far. */
void tile_shade_batch(struct tile_worker *w);

/* Adds a group whose depth has been dealt with: its inputs, its lanes to shade. */
void tile_push_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask);

/* Edges of a triangle as a tile sees them. */
struct tile_edges {
    int32_t c[3], dx[3], dy[3], low[3], margin[3]; /* c: at the tile's first pixel */
    unsigned mask;                                 /* edges that cross the tile */
};

/* False: the tile lies outside. */
bool tile_edges_init(struct tile_edges *edges, const struct scene_primitive *primitive, unsigned edge_mask,
                     int tile_x, int tile_y, bool multisampled);
/* The edges' values at the block at (x, y) into c, and which edges cross it. False: the block lies outside. */
bool tile_block_edges(const struct tile_edges *edges, int x, int y, int32_t c[3], unsigned *crossing);

/* --- tile_conservative.c ------------------------------------------------------------------- */

/* Pixels of the 8x8 block at (x, y) that lie whole inside a conservative primitive. */
uint64_t conservative_inner(const struct tile_worker *w, const struct scene_primitive *primitive, int x, int y);
/* What extrapolation asks for: clamps depth to the viewport's range, drops lanes with w <= 0. */
uint32_t conservative_group(const struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                            float *z, uint32_t mask);

/* --- tile_special.c ------------------------------------------------------------------------ */

/* Which of the state's fields beyond the plain path are in effect. */
void tile_special_state(struct tile_worker *w);
/* Pixels of the 8x8 block at (x, y) that the polygon stipple lets through. */
uint64_t tile_stipple_mask(const struct raster_draw_state *state, int x, int y);
/* Depth range, smoothed coverage and what conservative primitives need, of group g of the batch; returns the lanes
 * that are left. */
uint32_t tile_special_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                            float *z, uint32_t mask);
void tile_clamp_depth(const struct raster_draw_state *state, float *z);
/* Before the program: coverage as one of its inputs. */
void tile_special_inputs(struct tile_worker *w);
/* After the program: smoothed alpha, clamped colours. */
void tile_special_colors(struct tile_worker *w);

/* --- tile_samples.c ------------------------------------------------------------------------ */

/* As the functions of tile.c for single-sample targets, for multisampled ones. */
void samples_triangle_block(struct tile_worker *w, const struct scene_primitive *primitive,
                            const struct tile_edges *edges, int x, int y, const int32_t c[3], unsigned crossing);
/* A group whose pixels are covered whole: lines. */
void samples_add_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask);
void samples_store(struct tile_worker *w, unsigned group);

#endif
