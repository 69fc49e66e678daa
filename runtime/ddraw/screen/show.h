/* SPDX-License-Identifier: MIT */
/* One presentation of a visible front: its memory becomes a picture, and the picture goes into windows. */
#ifndef HALCYON_DDRAW_SHOW_H
#define HALCYON_DDRAW_SHOW_H

#include "runtime/common/window/present.h"
#include "runtime/ddraw/rules/shown.h"
#include "runtime/ddraw/screen/compose.h"
#include "runtime/ddraw/screen/readback.h"
#include "runtime/ddraw/surface/surface.h"

/* Kept from picture to picture. Begins zeroed, then dd_show_init. */
struct dd_show {
    struct ddraw_shown shown;          /* the surface itself */
    struct dd_composition composition; /* with overlays */
    struct dd_readback readback;       /* the window below them */
    struct rt_presenter presenter;
};

void dd_show_init(struct dd_show *show);
void dd_show_free(struct dd_show *show);

/* Can people see the surface now? Not if it is lost, or its program has no focus in exclusive mode. */
bool dd_show_is_visible(const struct surface *surface);
/* Has GDI drawn into the window at `rect` of the surface since the last presentation, or has the window moved, or is it not
 * known what it shows? For surfaces with overlays. */
bool dd_show_readback_differs(struct dd_show *show, const struct surface *surface, const RECT *rect);
/* Shows `rect` of the surface, in its coordinates; NULL: those rows that have changed since last time, and nothing at all if none has.
 * ends_frame: a frame of the driver ends with it; flips have ended theirs. The lock is held. */
void dd_show(struct dd_show *show, struct surface *surface, const RECT *rect, bool ends_frame);

#endif
