/* SPDX-License-Identifier: MIT */
/* Primitives of narrow states (raster/narrow.h) on their way into a batch. */
#ifndef HALCYON_RASTER_TILE_NARROW_H
#define HALCYON_RASTER_TILE_NARROW_H

struct tile_worker;
struct scene_primitive;

/* Before groups or blocks of a primitive go to the batch: fills in w->batch.planes, and which coordinates are whole numbers.
 * A batch has the same inputs in whole numbers everywhere, so it may be shaded here. */
void tile_narrow_use(struct tile_worker *w, const struct scene_primitive *primitive);

#endif
