/* SPDX-License-Identifier: MIT */
/* The sampler's view of a texture, decoded where necessary, and the levels that the driver makes itself
 * (copy/levels.c). */
#ifndef HALCYON_HAL_RESOURCE_TEXTURE_H
#define HALCYON_HAL_RESOURCE_TEXTURE_H

#include "d3d/ddi.h"

#include <stdbool.h>

struct hal_context;
struct hal_surface;
struct raster_texture;

/* Frees the sampler's copies. */
void hal_texture_discard(struct hal_surface *top);

/* The sampler's view of a texture, decoded where necessary and up to date; NULL if the surface cannot be
 * sampled. `palettes` belongs to the context. Flushes first if `surface` is a pending target. */
const struct raster_texture *hal_texture_view(struct hal_surface *surface, struct hal_context *context);

/* Does the texture have an alpha channel: in its format, or in its palette as bound by SETPALETTE? */
bool hal_texture_has_alpha(const struct hal_surface *top);
/* Does the view stay valid as long as the surface's contents? True if only the driver changes them, and there is no
 * palette and no feedback map. */
bool hal_texture_stays(const struct hal_surface *surface);

/* Generates each level below the top from the one above it, in every face: averages of four texels (of volumes eight),
 * or every second one. */
HRESULT hal_texture_generate_levels(struct hal_surface *top, bool average);

#endif
