/* SPDX-License-Identifier: MIT */
/* Descriptions of surfaces, and the objects bound to them: palettes, clippers, gamma. */
#include <stdlib.h>
#include <string.h>

#include "client/palette.h"
#include "runtime/ddraw/object/clipper.h"
#include "runtime/ddraw/object/palette.h"
#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/rules/format.h"
#include "runtime/ddraw/screen/desktop.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/screen/lost.h"

/* --- descriptions ---------------------------------------------------------------------- */

HRESULT surface_GetSurfaceDesc(struct dd_call *call, void *desc)
{
    DDSURFACEDESC2 answer;
    struct ddraw_mode mode;

    if (!desc || !ddraw_desc_accepts(DDRAW_DESC_GET, call->version, *(const DWORD *)desc))
        return DDERR_INVALIDPARAMS;
    answer = surface_of(call)->desc;
    if (surface_of(call)->is_lost && answer.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE) {
        /* the format of the mode, with the size that it had (test_primary_palette, test_coop_level_mode_set) */
        dd_desktop_mode(&mode);
        ddraw_format_describe(ddraw_format_of_mode(mode.bits), &answer.ddpfPixelFormat);
    }
    ddraw_desc_write(desc, &answer, DDRAW_DESC_GET, call->version);
    return DD_OK;
}

HRESULT surface_GetCaps(struct dd_call *call, void *caps)
{
    if (!caps)
        return DDERR_INVALIDPARAMS;
    memcpy(caps, &surface_of(call)->desc.ddsCaps, call->version >= 4 ? sizeof(DDSCAPS2) : sizeof(DDSCAPS));
    return DD_OK;
}

HRESULT surface_GetPixelFormat(struct dd_call *call, DDPIXELFORMAT *format)
{
    if (!format)
        return DDERR_INVALIDPARAMS;
    *format = surface_of(call)->desc.ddpfPixelFormat;
    return DD_OK;
}

/* The interface that made the surface, whatever version of the surface is asked. */
HRESULT surface_GetDDInterface(struct dd_call *call, void **ddraw)
{
    const struct surface *surface = surface_of(call);
    struct dd_interface *face;

    if (!ddraw)
        return DDERR_INVALIDPARAMS;
    face = dd_face(&surface->ddraw->object, surface->made_by);
    dd_addref(face);
    *ddraw = face;
    return DD_OK;
}

/* --- palettes and clippers ------------------------------------------------------------- */

HRESULT surface_GetPalette(struct dd_call *call, IDirectDrawPalette **palette)
{
    struct dd_interface *face;

    if (!palette)
        return DDERR_INVALIDPARAMS;
    face = surface_of(call)->palette;
    *palette = (IDirectDrawPalette *)face;
    if (!face)
        return DDERR_NOPALETTEATTACHED;
    dd_addref(face);
    return DD_OK;
}

/* Replaces a held interface by another one. */
static void hold(struct dd_interface **held, struct dd_interface *face)
{
    struct dd_interface *old = *held;

    if (face)
        dd_addref(face);
    *held = face;
    if (old)
        dd_release(old);
}

/* Only palettes of the surface's own DirectDraw object are known to its side of the driver. */
static void tell_driver(struct surface *surface, const struct palette *palette)
{
    struct client_surface *driver = surface->root->chain->parts[surface->part].surface;

    if (driver)
        client_set_palette(driver, palette && palette->ddraw == surface->ddraw ? palette->driver : NULL);
}

void surface_hold_palette(struct surface *surface, struct palette *palette)
{
    struct palette *old = (struct palette *)dd_find(surface->palette, &palette_class);

    if (surface->desc.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE) {
        if (old)
            old->colors.primaries--;
        if (palette)
            palette->colors.primaries++;
    }
    if (surface->palette || palette)
        tell_driver(surface, palette);
    hold(&surface->palette, palette ? &palette->object.faces[0] : NULL);
    if (dd_is_front(surface))
        dd_front_palette_changed(surface);
}

void surface_lose_palette(struct surface *surface)
{
    tell_driver(surface, NULL);
    surface->palette = NULL;
}

HRESULT surface_SetPalette(struct dd_call *call, IDirectDrawPalette *palette)
{
    struct surface *surface = surface_of(call);
    struct palette *given = (struct palette *)dd_find(palette, &palette_class);
    HRESULT hr;

    if (palette && !given)
        return DDERR_INVALIDPARAMS;
    hr = ddraw_palette_fits(given ? &given->colors : NULL, call->version, surface->root->chain->desc.format,
                            surface->desc.ddsCaps.dwCaps, surface->desc.ddsCaps.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL);
    if (FAILED(hr))
        return hr;
    if (!given && !surface->palette)
        return DDERR_NOPALETTEATTACHED;
    surface_hold_palette(surface, given);
    return DD_OK;
}

void surface_forget_dead(struct surface *surface)
{
    if (surface->clipper && !dd_find(surface->clipper, &clipper_class))
        surface->clipper = NULL;
}

HRESULT surface_GetClipper(struct dd_call *call, IDirectDrawClipper **clipper)
{
    struct surface *surface = surface_of(call);

    if (!clipper)
        return DDERR_INVALIDPARAMS;
    surface_forget_dead(surface);
    *clipper = (IDirectDrawClipper *)surface->clipper;
    if (!surface->clipper)
        return DDERR_NOCLIPPERATTACHED;
    dd_addref(surface->clipper);
    return DD_OK;
}

HRESULT surface_SetClipper(struct dd_call *call, IDirectDrawClipper *clipper)
{
    struct surface *surface = surface_of(call);
    struct dd_object *given = dd_find(clipper, &clipper_class);

    if (clipper && !given)
        return DDERR_INVALIDPARAMS;
    surface_forget_dead(surface);
    if (!given && !surface->clipper)
        return DDERR_NOCLIPPERATTACHED;
    hold(&surface->clipper, given ? &given->faces[0] : NULL);
    return DD_OK;
}

/* --- gamma ----------------------------------------------------------------------------- */

HRESULT surface_GetGammaRamp(struct dd_call *call, DWORD flags, DDGAMMARAMP *ramp)
{
    const struct surface *surface = surface_of(call);

    (void)flags;
    if (!ramp)
        return DDERR_INVALIDPARAMS;
    for (unsigned i = 0; i < 256 && !surface->gamma; i++)
        ramp->red[i] = ramp->green[i] = ramp->blue[i] = (WORD)(i * 257);
    if (surface->gamma)
        *ramp = *surface->gamma;
    return DD_OK;
}

/* DDSGR_CALIBRATE is ignored: monitors are not calibrated here. */
HRESULT surface_SetGammaRamp(struct dd_call *call, DWORD flags, DDGAMMARAMP *ramp)
{
    struct surface *surface = surface_of(call);

    (void)flags;
    if (!ramp)
        return DDERR_INVALIDPARAMS;
    if (!surface->gamma)
        surface->gamma = mem_alloc(1, sizeof(*surface->gamma), 0);
    if (!surface->gamma)
        return DDERR_OUTOFMEMORY;
    *surface->gamma = *ramp;
    dd_front_palette_changed(surface);
    return DD_OK;
}

/* --- the state of surfaces ------------------------------------------------------------- */

HRESULT surface_IsLost(struct dd_call *call)
{
    dd_desktop_watch();
    return surface_of(call)->is_lost ? DDERR_SURFACELOST : DD_OK;
}

HRESULT surface_Restore(struct dd_call *call)
{
    /* The parts are restored with their root. */
    return surface_of(call)->root == surface_of(call) ? dd_restore(surface_of(call)) : DDERR_IMPLICITLYCREATED;
}

/* All work is done when a call returns. */
HRESULT surface_GetBltStatus(struct dd_call *call, DWORD flags)
{
    (void)call;
    return flags == DDGBS_CANBLT || flags == DDGBS_ISBLTDONE ? DD_OK : DDERR_INVALIDPARAMS;
}

HRESULT surface_GetFlipStatus(struct dd_call *call, DWORD flags)
{
    (void)call;
    return flags == DDGFS_CANFLIP || flags == DDGFS_ISFLIPDONE ? DD_OK : DDERR_INVALIDPARAMS;
}

/* The original runtime has never implemented it. */
HRESULT surface_BltBatch(struct dd_call *call, DDBLTBATCH *batch, DWORD count, DWORD flags)
{
    (void)call;
    (void)batch;
    (void)count;
    (void)flags;
    return DDERR_UNSUPPORTED;
}
