/* SPDX-License-Identifier: MIT */
/* The samples beside the pixels of a multisampled surface, and which of both is newer. */
#ifndef HALCYON_HAL_RESOURCE_MULTISAMPLE_H
#define HALCYON_HAL_RESOURCE_MULTISAMPLE_H

#include "d3d/ddi.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_surface;

/* Gives a surface that has its memory 2, 4, 8 or 16 samples. */
HRESULT hal_samples_create(struct hal_surface *surface, unsigned samples);
/* Bytes of so many samples of each pixel. */
uint64_t hal_samples_bytes(const struct hal_surface *surface, unsigned samples);
/* The samples, which there are. */
struct raster_surface hal_samples_view(const struct hal_surface *surface);
/* The samples as they are, with the pixels that were written since; scenes have been drawn. */
struct raster_surface hal_samples_current_view(struct hal_surface *surface);
void hal_samples_free(struct hal_surface *surface);
/* `memory` is going to be read or written; scenes have been flushed. */
void hal_samples_acquire(struct hal_surface *surface, bool write);
/* The samples are going to be drawn to: their view, if there are any. */
void hal_samples_target(struct hal_surface *surface, struct raster_surface *target);
void hal_samples_swap(struct hal_surface *a, struct hal_surface *b);
/* The digest of all samples, which goes on from that of something else. */
uint64_t hal_samples_digest(const struct hal_surface *surface, uint64_t digest);

#endif
