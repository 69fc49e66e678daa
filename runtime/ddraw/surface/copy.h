/* SPDX-License-Identifier: MIT */
/* Copies and fills of planned blits: by the driver where it has both surfaces, else in their memory. */
#ifndef HALCYON_DDRAW_COPY_H
#define HALCYON_DDRAW_COPY_H

#include "runtime/ddraw/rules/blit.h"
#include "runtime/ddraw/surface/surface.h"

/* clips: the rectangles of the plan's destination that are drawn, inside it; NULL: all of it. DDERR_UNSUPPORTED: the driver
 * does not have both surfaces, and the plan is more than a copy of bytes. */
HRESULT surface_copy(struct surface *to, struct surface *from, const struct ddraw_blit_plan *plan, RECT *clips,
                     uint32_t clip_count);
/* value: a pixel of the surface. */
HRESULT surface_fill(struct surface *surface, const RECT *rect, bool is_depth, uint32_t value);

#endif
