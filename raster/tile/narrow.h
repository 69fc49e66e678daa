/* SPDX-License-Identifier: MIT */
/* Primitives of narrow states (raster/narrow.h) on their way into a batch. */
#ifndef HALCYON_RASTER_TILE_NARROW_H
#define HALCYON_RASTER_TILE_NARROW_H

#include <stdbool.h>

struct narrow_planes;
struct scene_primitive;
struct tile_worker;

/* Makes the planes of a primitive. affine: bit i: input i is a coordinate that becomes whole numbers. What follows from the state alone is
 * left as it is if planes->floats.state is the primitive's. */
void tile_make_planes(const struct scene_primitive *primitive, unsigned affine, struct narrow_planes *planes);

/* Before a primitive of a narrow state is drawn: all of a batch has the same coordinates in whole numbers, so what has been collected may
 * be shaded here. */
void tile_narrow_begin(struct tile_worker *w, const struct scene_primitive *primitive);
/* Before inputs of a primitive are interpolated: w->batch.planes becomes that of the primitive. False: the state is not narrow. */
bool tile_narrow_planes(struct tile_worker *w, const struct scene_primitive *primitive);

#endif
