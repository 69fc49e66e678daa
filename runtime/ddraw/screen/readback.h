/* SPDX-License-Identifier: MIT */
/*
 * Players draw the key of their overlay into their window by GDI, which natively writes to the visible memory. Here windows have pixels of
 * their own, so they are read back where overlays lie, and what differs from the picture that was shown there was drawn.
 */
#ifndef HALCYON_DDRAW_READBACK_SCREEN_H
#define HALCYON_DDRAW_READBACK_SCREEN_H

#include "runtime/ddraw/rules/readback.h"
#include "runtime/ddraw/surface/surface.h"

/* The pixels of a window. Begins zeroed. */
struct dd_readback {
    HDC dc; /* with the bitmap; NULL: none yet */
    HBITMAP bitmap, before;
    struct rt_picture picture;
    HWND window;  /* that was read last; NULL: none */
    POINT corner; /* of its client area then, on the screen */
    /* The picture that the window has been found to show, of the size of the surface: as displayed, except where the window is covered. */
    uint32_t *pixels;
    unsigned width, height;
    bool has_seen; /* false: what was displayed, everywhere */
};

/* How far the window has moved since it was read last; 0, 0 as well if it was not. The next call counts from now on. */
POINT dd_readback_moved(struct dd_readback *readback, HWND window);
/* Has something been drawn at `rect` of the surface since `displayed` was shown, or has the window moved, or was another one read last? */
bool dd_readback_differs(struct dd_readback *readback, const struct rt_picture *displayed, HWND window,
                         const RECT *rect);
/* `displayed` has been shown at `rect`. Nothing happens without a window that was read. */
void dd_readback_shown(struct dd_readback *readback, const struct rt_picture *displayed, const RECT *rect);
/* Enters what was drawn into the window at `rect` of the surface, all of which lies in the window. displayed: the picture that was
 * shown last, of the size of the surface; the window has moved by `moved` since. True: the surface has changed. */
bool dd_readback_take(struct dd_readback *readback, struct surface *surface, const struct ddraw_shown *shown,
                      const struct rt_picture *displayed, const RECT *rect, POINT moved);
/* No overlays are there: what is shown now does not count. */
void dd_readback_forget(struct dd_readback *readback);
void dd_readback_free(struct dd_readback *readback);

#endif
