/* SPDX-License-Identifier: MIT */
/* Primitives that do not reach a pixel: which may, and how far off the others are. */
#ifndef HALCYON_INSPECT_PIXEL_NEAR_H
#define HALCYON_INSPECT_PIXEL_NEAR_H

#include "hal/observer.h"
#include "inspect/lacks.h"
#include "inspect/pixel/pixel.h"

/* Are the positions of all corners numbers? Primitives of which one is not are dropped. */
bool inspect_has_numbers(const struct hal_observed_primitive *primitive);
/* False: for certain no pixel of the primitive is (x, y), by its outcodes or the box around it. */
bool inspect_may_cover(const struct hal_observed_primitive *primitive, const struct raster_draw_state *state,
                       unsigned x, unsigned y);
/* What becomes of a primitive before it is a matter of pixels: OUTSIDE, MISSING, NO_AREA, CLIPPED (something may be left of it) or
 * CULLED; WRITTEN: none of these. *planes (enum hal_outcode): OUTSIDE: those that it lies beyond; CLIPPED: those that cut it. */
enum inspect_verdict inspect_fate(const struct hal_observed_primitive *primitive, unsigned *planes);
/* Is something of a corner's data missing? */
bool inspect_primitive_lacks_data(const struct hal_observed_primitive *primitive);
/* Takes note of a primitive that does not cover the pixel, if it comes closer than those before: one whose part at the pixel is cut
 * off or that would be there without the viewport, then by distance. first: number of the draw's part's first primitive. lacks_data: of the draw. */
void inspect_note_nearest(struct inspect_nearest *nearest, const struct hal_observed_primitive *primitive,
                          uint32_t first, const struct raster_draw_state *state, unsigned x, unsigned y,
                          bool in_viewport, bool lacks_data);

#endif
