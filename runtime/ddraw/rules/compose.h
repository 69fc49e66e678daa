/* SPDX-License-Identifier: MIT */
/* The pixels of overlays over the picture of a visible surface, where keys let them be seen. */
#ifndef HALCYON_DDRAW_COMPOSE_H
#define HALCYON_DDRAW_COMPOSE_H

#include "runtime/ddraw/rules/shown.h"

/* An overlay in the size in which it is seen. */
struct ddraw_layer {
    const uint8_t *texels; /* A8R8G8B8, a texel for each pixel of `place` */
    size_t pitch;          /* bytes */
    RECT place;            /* inside the surface below */
    bool has_source_key;   /* texels with alpha 0 are not seen */
    bool has_destination_key;
    uint32_t destination_key; /* a pixel of the surface below; bits without a channel do not count */
};

/* Pixel x of a row of a surface that can be shown (ddraw_can_show), without the bits that belong to no channel. */
uint32_t ddraw_shown_pixel(const uint8_t *row, unsigned x, uint32_t format);

/* Writes the part of the layer that lies in `rect` to the picture, which has the size of `shown` and X8R8G8B8. Keys of the destination are
 * compared with the surface below (shown->rows), whatever other layers the picture has got already ("Overlay Z-Orders"). */
void ddraw_compose(const struct rt_picture *picture, const struct ddraw_shown *shown, const struct ddraw_layer *layer,
                   const RECT *rect);

#endif
