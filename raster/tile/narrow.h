/* SPDX-License-Identifier: MIT */
/* Primitives of narrow states (raster/narrow.h) on their way into a batch. */
#ifndef HALCYON_RASTER_TILE_NARROW_H
#define HALCYON_RASTER_TILE_NARROW_H

#include <stdbool.h>

struct narrow_planes;
struct scene_primitive;
struct tile_worker;

/* Makes the planes of a primitive. affine: bit i: input i is a coordinate that becomes integers. Data that depends only
 * on the state is kept if planes->floats.state is the primitive's. */
void tile_make_planes(const struct scene_primitive *primitive, unsigned affine, struct narrow_planes *planes);

/* Called before a primitive of a narrow state is drawn. All of a batch has the same coordinates in integers, so this
 * may shade the groups collected so far. */
void tile_narrow_begin(struct tile_worker *w, const struct scene_primitive *primitive);
/* Called before inputs of a primitive are interpolated: makes its planes in w->batch.planes. False: the state is not
 * narrow. */
bool tile_narrow_planes(struct tile_worker *w, const struct scene_primitive *primitive);

#endif
