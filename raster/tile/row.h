/* SPDX-License-Identifier: MIT */
/* Rows of blocks on their way through tests to the fast path that stores their colours. */
#ifndef HALCYON_RASTER_TILE_ROW_H
#define HALCYON_RASTER_TILE_ROW_H

#include "raster/tile/block.h"

struct tile_worker;

/* tile_rejects_block and tile_add_block, or tile_uniform_block if tile_uniform_begin returned true, for the live blocks
 * of a row whose first pixel is (x, y). Only if w->state.adds_rows; not for conservative primitives. Clobbers `row`. */
void tile_add_row(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, struct raster_row *row,
                  bool uniform);

#endif
