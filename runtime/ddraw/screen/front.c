/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/front.h"

void dd_front_begin(struct surface *surface)
{
    (void)surface;
}

void dd_front_end(struct surface *surface)
{
    (void)surface;
}

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

/* --- the surface on which GDI draws --------------------------------------------------------- */

HRESULT ddraw_GetGDISurface(struct dd_call *call, void *surface)
{
    struct dd_interface **out = surface;
    struct surface *primary = ddraw_of(call)->primary;

    if (!out)
        return DDERR_INVALIDPARAMS;
    *out = NULL;
    if (!primary)
        return DDERR_NOTFOUND;
    *out = dd_face(&primary->object, surface_version(call->version));
    dd_addref(*out);
    return DD_OK;
}

HRESULT ddraw_FlipToGDISurface(struct dd_call *call)
{
    const struct surface *primary = ddraw_of(call)->primary;

    if (!primary)
        return DDERR_NOTFOUND;
    return primary->desc.ddsCaps.dwCaps & DDSCAPS_FLIP ? DD_OK : DDERR_NOTFLIPPABLE;
}
