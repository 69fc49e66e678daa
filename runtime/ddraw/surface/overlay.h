/* SPDX-License-Identifier: MIT */
/* Overlays among the surfaces: which lie on which, and in which order. */
#ifndef HALCYON_DDRAW_SURFACE_OVERLAY_H
#define HALCYON_DDRAW_SURFACE_OVERLAY_H

#include "runtime/ddraw/surface/surface.h"

/* The overlay that is seen next on a destination, from the back to the front. before NULL: the one at the back. NULL: no more. Lost
 * overlays are not seen. The lock is held, as for all of these. */
struct surface *overlay_next(const struct surface *destination, const struct surface *before);
/* Overlays of the object that are shown, wherever. */
unsigned overlay_count(const struct ddraw *ddraw);

/* A surface has been made: if it is an overlay, or the front of a chain of them, it comes before all others. */
void overlay_begin(struct surface *surface);
/* It ends, or is about to: it is seen no more, nor are overlays that lie on it. */
void overlay_end(struct surface *surface);

#endif
