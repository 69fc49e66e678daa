/* SPDX-License-Identifier: MIT */
/* The samples of a multisampled surface in addition to its pixels, and which of the two is newer. */
#ifndef HALCYON_HAL_RESOURCE_MULTISAMPLE_H
#define HALCYON_HAL_RESOURCE_MULTISAMPLE_H

#include "d3d/ddi.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_surface;

/* Gives a surface that has its memory 2, 4, 8 or 16 samples. */
HRESULT hal_samples_create(struct hal_surface *surface, unsigned samples);
/* Bytes of the surface with `samples` samples per pixel. */
uint64_t hal_samples_bytes(const struct hal_surface *surface, unsigned samples);
/* The samples; the surface must have some. */
struct raster_surface hal_samples_view(const struct hal_surface *surface);
/* The samples, updated from pixels that were written since. Scenes must have been drawn. */
struct raster_surface hal_samples_current_view(struct hal_surface *surface);
void hal_samples_free(struct hal_surface *surface);
/* Prepares `memory` for reading or writing; scenes must have been flushed. */
void hal_samples_acquire(struct hal_surface *surface, bool write);
/* Prepares the samples, if any, to be drawn to, and returns their view. */
void hal_samples_target(struct hal_surface *surface, struct raster_surface *target);
void hal_samples_swap(struct hal_surface *a, struct hal_surface *b);
/* Continues `digest` with all samples. */
uint64_t hal_samples_digest(const struct hal_surface *surface, uint64_t digest);

#endif
