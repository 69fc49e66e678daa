/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/lost.h"

#include "runtime/ddraw/rules/format.h"
#include "runtime/ddraw/screen/desktop.h"

void dd_lose(struct ddraw *ddraw)
{
    for (struct surface *s = ddraw->surfaces; s; s = s->next)
        if (s->root->chain && s->root->chain->desc.memory == RT_MEMORY_VIDEO)
            s->is_lost = true;
}

void dd_lose_all(void)
{
    for (struct ddraw *d = ddraw_next(NULL); d; d = ddraw_next(d))
        dd_lose(d);
}

/* Has the primary surface the size and format of the mode? */
static bool fits_mode(const struct surface *surface)
{
    struct ddraw_mode mode;

    dd_desktop_mode(&mode);
    return surface->desc.dwWidth == mode.width && surface->desc.dwHeight == mode.height &&
           surface_format(surface) == ddraw_format_of_mode(mode.bits);
}

HRESULT dd_restore(struct surface *root)
{
    struct ddraw *ddraw = root->ddraw;
    const bool is_primary = root->desc.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE;

    if (!root->is_lost)
        return DD_OK;
    if (ddraw->level.is_exclusive && ddraw->fullscreen.status != RT_DEVICE_OPERATIONAL)
        return DDERR_WRONGMODE;
    if (is_primary && !fits_mode(root))
        return DDERR_WRONGMODE;
    if (is_primary && root->desc.ddsCaps.dwCaps & DDSCAPS_FLIP && !ddraw->level.is_exclusive)
        return DDERR_NOEXCLUSIVEMODE;
    for (struct surface *s = ddraw->surfaces; s; s = s->next)
        if (s->root == root)
            s->is_lost = false;
    return DD_OK;
}
