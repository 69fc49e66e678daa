/* SPDX-License-Identifier: MIT */
/* Primitives that may reach a pixel, and the distance of the others. */
#ifndef HALCYON_INSPECT_PIXEL_NEAR_H
#define HALCYON_INSPECT_PIXEL_NEAR_H

#include "hal/inspect.h"
#include "inspect/lacks.h"
#include "inspect/pixel/pixel.h"

/* False: for certain no pixel of the primitive is (x, y), by its outcodes or the box around it. */
bool inspect_may_cover(const struct hal_inspect_primitive *primitive, const struct hal_inspect_pixels *state,
                       unsigned x, unsigned y);
/* The fate of a primitive before rasterization: OUTSIDE, MISSING, NO_AREA, CLIPPED (something may be left of it) or
 * CULLED; WRITTEN: none of these. *planes (enum hal_outcode): OUTSIDE: those that it lies beyond; CLIPPED: those
 * that cut it. */
enum inspect_verdict inspect_fate(const struct hal_inspect_primitive *primitive, unsigned *planes);
/* Records a primitive that does not cover the pixel, if it is closer than the earlier ones: first a primitive that
 * is clipped at the pixel or would cover it without the viewport, then by distance. first: number of the draw's
 * part's first primitive. lacking: the draw, if it lacks data; else NULL. */
void inspect_note_nearest(struct inspect_nearest *nearest, const struct hal_inspect_primitive *primitive,
                          uint32_t first, const struct hal_inspect_pixels *state, unsigned x, unsigned y,
                          bool in_viewport, const struct hal_inspect_draw *lacking);

#endif
