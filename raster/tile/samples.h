/* SPDX-License-Identifier: MIT */
/* Multisampled targets: coverage and depth for each sample, colour once for each pixel. */
#ifndef HALCYON_RASTER_TILE_SAMPLES_H
#define HALCYON_RASTER_TILE_SAMPLES_H

#include "raster/kernels/kernels.h"

struct tile_worker;

/* Draws the blocks of a triangle within `area`, pixels of the tile. */
void samples_draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive,
                           const struct raster_tile_edges *edges, const struct raster_rect *area, int tile_x,
                           int tile_y);
/* Draws a triangle with `is_small` set, within the tile. */
void samples_draw_small(struct tile_worker *w, const struct scene_primitive *primitive);
/* Adds an 8x8 block whose pixels are wholly covered, for lines. */
void samples_add_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask);
/* Stores the batch: a whole block once, for all samples; else each sample of each group. */
void samples_store_batch(struct tile_worker *w);

#endif
