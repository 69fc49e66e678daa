/* SPDX-License-Identifier: MIT */
/* Conservative primitives in a tile, beyond coverage by three edges (docs/conservative.md). */
#ifndef HALCYON_RASTER_TILE_CONSERVATIVE_H
#define HALCYON_RASTER_TILE_CONSERVATIVE_H

#include "raster/scene.h"

struct tile_worker;

/* Sets w->batch.inner_block, the pixels of the 8x8 block at (x, y) that lie wholly inside, if they are wanted; returns
 * the pixels inside the edges beyond the first three. */
uint64_t tile_conservative_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y);
/* For primitives whose w varies. After w and inputs of a group (groups 1) or an 8x8 block (BATCH_GROUPS) at (x, y) are
 * in the batch from `lane` on: lanes whose 1/w is extrapolated too far below that of the corners, or beyond 0, get the
 * w and inputs of a point nearer to the first corner. */
void tile_conservative_inputs(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                              unsigned lane, unsigned groups);

#endif
