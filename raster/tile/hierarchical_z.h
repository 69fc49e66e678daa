/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical Z: bounds of depth for each 8x8 block of a tile, so that primitives behind a block are rejected without
 * reading its pixels. Layers: once primitives together cover all pixels of a block, they lower its bound. After "Masked
 * Software Occlusion Culling" (Hasselgren, Andersson, Akenine-Moller 2016).
 */
#ifndef HALCYON_RASTER_TILE_HIERARCHICAL_Z_H
#define HALCYON_RASTER_TILE_HIERARCHICAL_Z_H

#include "raster/tile/block.h"

struct tile_worker;

struct hierarchical_z {
    float bound[TILE_BLOCKS];      /* this depth and greater ones are greater than every depth in the block */
    float layer[TILE_BLOCKS];      /* the greatest bound of the primitives drawn since `covered` was empty */
    uint64_t covered[TILE_BLOCKS]; /* pixels that they cover */
};

/* How a draw state uses the bounds. */
struct hierarchical_z_use {
    bool rejects; /* pixels behind the bound fail the depth test, and failing has no side effect */
    bool lowers;  /* drawn primitives lower bounds */
    bool raises;  /* depth may grow: bounds are void */
    float step;   /* two steps of the depth format */
};

/* Resets the bounds to a value above every depth. */
void hierarchical_z_reset(struct hierarchical_z *h);
/* Derives w->state.hierarchical_z from the draw state and w->state.special; voids the tile's bounds if depth may grow. */
void hierarchical_z_choose(struct tile_worker *w);
/* Two steps of a depth format: depths that differ by as much differ when stored. */
float tile_two_steps(enum raster_format format);
/* Updates the bounds when a rectangle of the tile's depth is cleared. */
void hierarchical_z_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                          int tile_x, int tile_y);
/* Tests and lowers the bound of a block at pixel (x, y), of which the primitive covers `mask`. True: all pixels fail
 * the depth test, and there is nothing to draw. */
bool hierarchical_z_rejects(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                            const struct scene_primitive *primitive, int x, int y, uint64_t mask);
/* Is the primitive, in the pixels of `area` (of the target, not empty), behind the bounds of all blocks of the tile
 * that the area touches? Then every block is rejected, if the state rejects at all. */
bool hierarchical_z_hides(const struct hierarchical_z *h, const struct scene_primitive *primitive,
                          const struct raster_rect *area);
/* hierarchical_z_rejects for the live blocks of a row whose first pixel is (x, y); removes rejected blocks from the
 * live ones. range: of the primitive's plane. */
void hierarchical_z_reject_row(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                               const struct row_range *range, int x, int y, struct raster_row *row);
/* hierarchical_z_rejects for 8x8 pixels that start anywhere in the tile, and so lie in up to four blocks. */
bool hierarchical_z_rejects_unaligned(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                                      const struct scene_primitive *primitive, int x, int y, uint64_t mask);

/* For multisampled targets and states that reject: are all samples that the primitive covers in `area`, pixels of one
 * block, behind the block's bound? */
bool hierarchical_z_hides_samples(const struct hierarchical_z *h, const struct scene_primitive *primitive,
                                  const struct raster_rect *area);
/* For multisampled targets and states that lower: lowers the bound of the block at (x, y). mask: its pixels whose
 * samples are all covered. */
void hierarchical_z_lower_samples(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                                  const struct scene_primitive *primitive, int x, int y, uint64_t mask);

#endif
