/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical Z: bounds of depth for each 8x8 block of a tile, so that what lies behind a block is rejected without a
 * look at its pixels. Layers: primitives that together cover the block lower its bound when none of its pixels is
 * missing. After "Masked Software Occlusion Culling" (Hasselgren, Andersson, Akenine-Moller 2016).
 */
#ifndef HALCYON_RASTER_TILE_HIERARCHICAL_Z_H
#define HALCYON_RASTER_TILE_HIERARCHICAL_Z_H

#include "raster/tile/block.h"

struct tile_worker;

struct hierarchical_z {
    float bound[TILE_BLOCKS];      /* every depth from it on is greater than all that the block holds */
    float layer[TILE_BLOCKS];      /* the greatest bound of the primitives since `covered` was empty */
    uint64_t covered[TILE_BLOCKS]; /* pixels that they cover */
};

/* How a draw state uses the bounds. */
struct hierarchical_z_use {
    bool rejects; /* blocks behind their bound fail the depth test, and failing leaves no trace */
    bool lowers;  /* what is drawn lowers bounds */
    bool raises;  /* depth may grow: bounds are void */
    float step;   /* two steps of the depth format */
};

/* Bounds that no depth reaches. */
void hierarchical_z_reset(struct hierarchical_z *h);
/* Derives w->state.hierarchical_z from the draw state and w->state.special; voids the tile's bounds if depth may grow. */
void hierarchical_z_choose(struct tile_worker *w);
/* Two steps of a depth format: depths that differ by as much differ when stored. */
float tile_two_steps(enum raster_format format);
/* The depth target is cleared in a rectangle of the tile's pixels. */
void hierarchical_z_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                          int tile_x, int tile_y);
/* Tests and lowers the bound of a block at pixel (x, y), of which the primitive covers `mask`. True: all of it fails
 * the depth test, and nothing is to be done. */
bool hierarchical_z_rejects(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                            const struct scene_primitive *primitive, int x, int y, uint64_t mask);
/* Is all that the primitive covers of a tile, in the pixels of `area` (of the target, not empty), behind the bounds of all
 * of the tile's blocks that the area touches? Then every block is rejected, if the state rejects at all. */
bool hierarchical_z_hides(const struct hierarchical_z *h, const struct scene_primitive *primitive,
                          const struct raster_rect *area);
/* hierarchical_z_rejects for the live blocks of a row whose first pixel is (x, y); those that are rejected live no
 * longer. range: of the primitive's plane. */
void hierarchical_z_reject_row(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                               const struct row_range *range, int x, int y, struct raster_row *row);
/* hierarchical_z_rejects for 8x8 pixels that start anywhere in the tile, and so lie in up to four blocks. */
bool hierarchical_z_rejects_unaligned(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                                      const struct scene_primitive *primitive, int x, int y, uint64_t mask);

/* For multisampled targets and states that reject: is all that the primitive covers of the samples of `area`, pixels of one
 * block, behind the block's bound? */
bool hierarchical_z_hides_samples(const struct hierarchical_z *h, const struct scene_primitive *primitive,
                                  const struct raster_rect *area);
/* For those that lower: lowers the bound of the block at (x, y). mask: its pixels whose samples are all covered. */
void hierarchical_z_lower_samples(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                                  const struct scene_primitive *primitive, int x, int y, uint64_t mask);

#endif
