/* SPDX-License-Identifier: MIT */
/* Pixels that GDI has drawn into a window belong to the visible surface natively: here they are found in the window, and entered in the surface. */
#ifndef HALCYON_DDRAW_READBACK_H
#define HALCYON_DDRAW_READBACK_H

#include "runtime/ddraw/rules/shown.h"

/* A surface in memory that can be written. */
struct ddraw_canvas {
    uint8_t *bits;
    size_t pitch; /* bytes */
};

/* Can pixels that GDI has drawn be written to a surface of the format (enum d3d_format)? R5G6B5, X1R5G5B5, A1R5G5B5, X8R8G8B8 and A8R8G8B8. */
bool ddraw_readback_supports(uint32_t format);

/* Do pixels of `rect` differ between what the window showed there last and what is there now? Both pictures are X8R8G8B8; `readback`
 * begins at the corner of the rectangle, `seen` at that of the surface. */
bool ddraw_readback_differs(const struct rt_picture *readback, const struct rt_picture *seen, const RECT *rect);
/* Enters these pixels in the surface, except for those that the program has written to the surface since it was shown (shown->rows):
 * they cover what was drawn. moved: how far the window has moved since then, with its pixels, which take the surface along. */
void ddraw_readback_take(const struct ddraw_canvas *canvas, const struct ddraw_shown *shown,
                         const struct rt_picture *readback, const struct rt_picture *seen, const RECT *rect,
                         POINT moved);

/* After `displayed` has been shown at `rect`: brings `seen`, the pixels that the window had before, up to date. A pixel that the window still
 * has, although another one was shown, did not get there: its window is covered. All others are those of `displayed`; what is there
 * instead has been drawn meanwhile. All are X8R8G8B8; `seen` and `displayed` begin at the corner of the surface. */
void ddraw_readback_settle(const struct rt_picture *seen, const struct rt_picture *readback,
                           const struct rt_picture *displayed, const RECT *rect);

#endif
