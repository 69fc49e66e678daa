/* SPDX-License-Identifier: MIT */
/* sRGB to linear: c / 12.92 up to 0.04045, else ((c + 0.055) / 1.055)^2.4. Source:
 * docs/reference/texture-sampling.md, section 8. */
#ifndef HALCYON_RASTER_SRGB_H
#define HALCYON_RASTER_SRGB_H

/* The linear value of each 8-bit sRGB value, scaled to 0..255 as texels are. */
extern const float raster_srgb_to_linear[256];

#endif
