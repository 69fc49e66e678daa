/* SPDX-License-Identifier: MIT */
/*
 * Players paint the key of their overlay into their window by GDI, which natively writes to the visible memory. Here windows have pixels of
 * their own, so they are read back where overlays lie, and what differs from the picture that was shown there was painted.
 */
#ifndef HALCYON_DDRAW_PAINTED_SCREEN_H
#define HALCYON_DDRAW_PAINTED_SCREEN_H

#include "runtime/ddraw/rules/painted.h"
#include "runtime/ddraw/surface/surface.h"

/* The pixels of a window. Begins zeroed. */
struct dd_painted {
    HDC dc; /* with the bitmap; NULL: none yet */
    HBITMAP bitmap, before;
    struct rt_picture picture;
};

/* Enters what was painted into the window at `rect` of the surface, which lies inside `part`, its part in the client area. displayed: the
 * picture that was shown last, of the size of the surface. True: the surface has changed. */
bool dd_take_painted(struct dd_painted *painted, struct surface *surface, const struct ddraw_shown *shown,
                     const struct rt_picture *displayed, HWND window, const RECT *rect);
void dd_painted_free(struct dd_painted *painted);

#endif
