/* SPDX-License-Identifier: MIT */
/* Copies between surfaces, with conversion and stretching, and of whole textures and volumes. */
#ifndef HALCYON_HAL_RESOURCE_COPY_BLT_H
#define HALCYON_HAL_RESOURCE_COPY_BLT_H

#include "d3d/ddi.h"
#include "hal/resource/copy/scale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_surface;

/* Copies with conversion and stretching where `stretch` allows it; rects are checked against both
 * surfaces. filter: point, or linear. DD_OK or DDERR_*. */
HRESULT hal_surface_blt(struct hal_surface *destination, const RECT *destination_rect, struct hal_surface *source,
                        const RECT *source_rect, bool linear);
/* A stretching or converting blit in two steps: the source is read at once; the destination may be written later and by
 * another thread, as long as its memory exists. */
struct hal_scaled_blt {
    uint32_t *texels;
    struct hal_scale scale; /* all but its source */
};
/* False: not such a blit, not possible, or out of memory. */
bool hal_scaled_blt_take(struct hal_scaled_blt *blt, struct hal_surface *destination, const RECT *to,
                         struct hal_surface *source, const RECT *from);
HRESULT hal_scaled_blt_finish(struct hal_scaled_blt *blt);

/* TEXBLT: every level (and face) that the two chains share, matched by size; same formats
 * (docs/reference/device-state.md, section 12). x, y and the rectangle are in texels of the source's top level. rect
 * NULL: all of it. */
HRESULT hal_texture_blt(struct hal_surface *destination, struct hal_surface *source, int x, int y,
                        const RECT *source_rect);
/* VOLUMEBLT, like hal_texture_blt. box NULL: all of it. */
HRESULT hal_volume_blt(struct hal_surface *destination, struct hal_surface *source, unsigned x, unsigned y, unsigned z,
                       const D3DBOX *source_box);

#endif
