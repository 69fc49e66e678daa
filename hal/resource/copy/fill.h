/* SPDX-License-Identifier: MIT */
/* Fills of rectangles, in all slices of a volume alike. */
#ifndef HALCYON_HAL_RESOURCE_COPY_FILL_H
#define HALCYON_HAL_RESOURCE_COPY_FILL_H

#include "d3d/ddi.h"

#include <stdint.h>

struct hal_surface;

/* value: a texel, or a pair of texels that share a chroma, as it is in memory; a colour for texels of more than
 * four bytes. rect NULL: all of it. Slices of a volume are filled alike. */
HRESULT hal_surface_fill(struct hal_surface *surface, const RECT *rect, uint32_t value);
/* Fills with the result of raster_pack_texel: a texel of up to RASTER_TEXEL_BYTES bytes, or a pair. The format must
 * have such texels, and the surface must not be a feedback map. */
HRESULT hal_surface_fill_texel(struct hal_surface *surface, const RECT *rect, const uint8_t *texel);
/* Fills a surface of any format with a colour 0xAARRGGBB (0xAAYYUUVV for YUV). */
HRESULT hal_surface_color_fill(struct hal_surface *surface, const RECT *rect, uint32_t argb);

#endif
