/* SPDX-License-Identifier: MIT */
/* Samples of multisampled surfaces, one by one (hal/resource/multisample.h has those of a whole surface). */
#ifndef HALCYON_HAL_RESOURCE_COPY_SAMPLES_H
#define HALCYON_HAL_RESOURCE_COPY_SAMPLES_H

#include "d3d/ddi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_surface;

/* For captures: `sample`, `row` and `rows` must lie in the surface. Rows
 * have hal_surface_row_bytes bytes and are `pitch` bytes apart. Waits as for reading or writing. */
void hal_samples_read(struct hal_surface *surface, unsigned sample, unsigned row, unsigned rows, uint8_t *to,
                      size_t pitch);
/* From then on the pixels are derived from the samples. */
void hal_samples_write(struct hal_surface *surface, unsigned sample, unsigned row, unsigned rows, const uint8_t *from,
                       size_t pitch);
/* Does any pixel have different samples? If not, the pixels hold the whole contents. */
bool hal_samples_differ(struct hal_surface *surface);

/* Copies a rectangle of a surface to (x, y) in another (or the same), sample by sample: both have the same format and count of
 * samples, and the rectangle lies inside both. False: out of memory. */
bool hal_samples_copy(struct hal_surface *destination, unsigned x, unsigned y, struct hal_surface *source,
                      const RECT *rect);

#endif
