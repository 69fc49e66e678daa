/* SPDX-License-Identifier: MIT */
/* Stretched blits of which only some rectangles are visible. */
#ifndef HALCYON_HAL_RESOURCE_COPY_CLIP_H
#define HALCYON_HAL_RESOURCE_COPY_CLIP_H

#include "d3d/ddi.h"

#include <stdint.h>

struct hal_color_key;
struct hal_surface;

/* The keys of a blit; neither need be set. */
struct hal_blt_keys {
    const struct hal_color_key *source, *destination;
};

/* Each rectangle gets the pixels that the whole blit would have drawn there, to the bit. `to` may extend beyond the
 * destination, and so may the rectangles; no side of it may be longer than a target can be (DDERR_INVALIDRECT).
 * DDERR_NOSTRETCHHW: not in this format; else what the blit answers. */
HRESULT hal_clipped_stretch(struct hal_surface *destination, const RECT *to, struct hal_surface *source,
                            const RECT *from, const struct hal_blt_keys *keys, const RECT *rects, uint32_t count);

#endif
