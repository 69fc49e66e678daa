/* SPDX-License-Identifier: MIT */
/* The commands of a tile's bin, each from its shape to the blocks that it covers: triangle.c, line.c, clear.c. */
#ifndef HALCYON_RASTER_TILE_COVER_H
#define HALCYON_RASTER_TILE_COVER_H

#include "raster/scene.h"

struct tile_worker;

/* edge_mask: bit i: edge i may cross the tile. */
void tile_draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive, unsigned edge_mask, int tile_x,
                        int tile_y);
void tile_draw_line(struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y);
void tile_draw_clear(struct tile_worker *w, const struct scene_clear *clear, int tile_x, int tile_y);

#endif
