/* SPDX-License-Identifier: MIT */
/* Primitives of narrow states (raster/narrow.h) on their way into a batch. */
#ifndef HALCYON_RASTER_TILE_NARROW_H
#define HALCYON_RASTER_TILE_NARROW_H

struct narrow_planes;
struct scene_primitive;
struct tile_worker;

/* Makes the planes of a primitive. affine: bit i: input i is a coordinate that becomes whole numbers. */
void tile_narrow_planes(const struct scene_primitive *primitive, unsigned affine, struct narrow_planes *planes);

/* Before groups or blocks of a primitive go to the batch: fills in w->batch.planes, and which coordinates are whole numbers.
 * A batch has the same inputs in whole numbers everywhere, so it may be shaded here. */
void tile_narrow_use(struct tile_worker *w, const struct scene_primitive *primitive);

#endif
