/* SPDX-License-Identifier: MIT */
/* One tile of a scene, drawn by a worker. */
#ifndef HALCYON_RASTER_TILE_TILE_H
#define HALCYON_RASTER_TILE_TILE_H

#include "base/base.h"
#include "raster/scene.h"

struct raster_kernels;
struct tile_worker;

/* Room for what is kept of the depth of so many tiles, all of it unbounded and uncompressed. NULL without memory;
 * free() it. */
struct tile_depth *tile_depth_create(size_t tiles);
/* One for each thread; NULL without memory. */
struct tile_worker *tile_worker_create(const struct raster_kernels *kernels);
void tile_worker_destroy(struct tile_worker *worker);
/* Draws one tile of the scene, by its column and row. */
void tile_render(struct tile_worker *worker, const struct scene *scene, unsigned tile_x, unsigned tile_y);
/* Is there anything to draw in the tile of that number, or to write back? */
bool tile_has_work(const struct scene *scene, size_t tile);
/* Adds how many fragments were drawn since the last call, and how many samples of the targets they had. */
void tile_worker_take_counts(struct tile_worker *worker, uint64_t *fragments, uint64_t *samples);

#endif
