/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/front.h"

void dd_front_changed(struct surface *surface, const RECT *rect)
{
    (void)surface;
    (void)rect;
}

void dd_front_flipped(struct surface *surface, unsigned interval, bool waits)
{
    (void)surface;
    (void)interval;
    (void)waits;
}

void dd_front_palette_changed(struct surface *surface)
{
    (void)surface;
}
