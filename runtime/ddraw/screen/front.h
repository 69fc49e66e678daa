/* SPDX-License-Identifier: MIT */
/* The picture that people see: what is written to a primary surface is shown, at once or with the next refresh of the screen. */
#ifndef HALCYON_DDRAW_FRONT_H
#define HALCYON_DDRAW_FRONT_H

#include "runtime/ddraw/surface/surface.h"

/* Is this the surface that is seen: a primary surface itself, not one of its back buffers? */
static inline bool dd_is_front(const struct surface *surface)
{
    return surface->desc.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE && surface->root == surface;
}

/* The surface is the primary one of its DirectDraw object from now on; it ends, or is about to. The lock is held, as for all of these. */
void dd_front_begin(struct surface *surface);
void dd_front_end(struct surface *surface);

/* The program is about to read or write `rect` of the surface (NULL: all of it): what GDI has drawn there comes first. */
void dd_front_used(struct surface *surface, const RECT *rect);
/* The program has written to the surface. rect: the pixels that may have changed; NULL: any. Nothing happens if it is not visible. The lock
 * is held. */
void dd_front_changed(struct surface *surface, const RECT *rect);
/* The program has flipped the chain of the surface. interval: refreshes for which the picture stays (ddraw_flip_interval); `waits`:
 * the call returns when the flip is made. */
void dd_front_flipped(struct surface *surface, unsigned interval, bool waits);
/* The palette of the surface, or its entries, or its gamma ramp, have changed. */
void dd_front_palette_changed(struct surface *surface);
/* The program has got the memory of the surface in its hands: what it writes is shown at the refresh rate, even if it never gives the memory
 * back. */
void dd_front_locked(struct surface *surface);
/* Shows at once all writes that wait for the next refresh. */
void dd_front_show_pending(void);

#endif
