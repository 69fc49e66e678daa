/* SPDX-License-Identifier: MIT */
/* Device contexts of surfaces: GetDC, ReleaseDC, GetSurfaceFromDC. */
#include "base/base.h"
#include "d3d/formats.h"
#include "runtime/ddraw/object/palette.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/surface/access.h"

/* Vista and later refuse those with four bits a channel and with red in the low bits; earlier versions, and programs, do not
 * (test_getdc). */
static bool format_has_dc(uint32_t format)
{
    switch (format) {
    case D3D_FORMAT_P8:
    case D3D_FORMAT_R8G8B8:
    case D3D_FORMAT_X8R8G8B8:
    case D3D_FORMAT_A8R8G8B8:
    case D3D_FORMAT_X8B8G8R8:
    case D3D_FORMAT_A8B8G8R8:
    case D3D_FORMAT_A2R10G10B10:
    case D3D_FORMAT_R5G6B5:
    case D3D_FORMAT_X1R5G5B5:
    case D3D_FORMAT_A1R5G5B5:
    case D3D_FORMAT_X4R4G4B4:
    case D3D_FORMAT_A4R4G4B4:
        return true;
    default:
        return false;
    }
}

/* The colours of indices: those of the surface's palette at this moment; else those of the primary surface, which is the palette of
 * the system in full screen (test_palette_gdi). NULL: there are none. */
static const PALETTEENTRY *colors_of(struct surface *surface)
{
    struct surface *primary = surface->ddraw->primary;
    struct palette *palette;

    palette = (struct palette *)dd_find(surface->palette, &palette_class);
    if (!palette && primary)
        palette = (struct palette *)dd_find(primary->palette, &palette_class);
    return palette ? palette->colors.entries : NULL;
}

static bool make_dc(struct surface *surface, const struct rt_mapping *mapping)
{
    static const PALETTEENTRY black[DDRAW_PALETTE_ENTRIES];
    const uint32_t format = surface_format(surface);
    const PALETTEENTRY *colors = NULL;

    if (format == D3D_FORMAT_P8 && !(colors = colors_of(surface)))
        colors = black;
    return rt_memory_dc_create(&surface->dc, mapping->bits, format, surface->desc.dwWidth, surface->desc.dwHeight,
                               mapping->pitch, colors);
}

HRESULT surface_GetDC(struct dd_call *call, HDC *dc)
{
    struct surface *surface = surface_of(call);
    struct rt_mapping mapping;
    HRESULT hr;

    if (!dc)
        return DDERR_INVALIDPARAMS;
    if (surface->is_lost)
        return DDERR_SURFACELOST;
    hr = ddraw_get_dc(&surface->locks);
    if (FAILED(hr)) /* *dc stays */
        return hr;
    dd_front_used(surface, NULL);
    hr = format_has_dc(surface_format(surface)) ? surface_map(surface, 0, &mapping) : DDERR_CANTCREATEDC;
    if (SUCCEEDED(hr) && !make_dc(surface, &mapping)) {
        surface_unmap(surface);
        hr = DDERR_CANTCREATEDC;
    }
    if (FAILED(hr))
        ddraw_release_dc(&surface->locks);
    else
        dd_front_locked(surface);
    *dc = surface->dc.dc;
    return hr;
}

HRESULT surface_ReleaseDC(struct dd_call *call, HDC dc)
{
    struct surface *surface = surface_of(call);

    if (surface->locks.has_dc && dc != surface->dc.dc)
        return DDERR_INVALIDPARAMS;
    if (FAILED(ddraw_release_dc(&surface->locks)))
        return DDERR_NODC;
    rt_memory_dc_destroy(&surface->dc);
    surface_unmap(surface);
    dd_front_changed(surface, NULL);
    return DD_OK;
}

/* --- which surface has a context ------------------------------------------------------- */

static struct surface *find_dc(const struct ddraw *ddraw, HDC dc)
{
    struct surface *s = dc ? ddraw->surfaces : NULL;

    while (s && s->dc.dc != dc)
        s = s->next;
    return s;
}

/* Version 4 returns the interface of version 1 (test_get_surface_from_dc). */
HRESULT ddraw_GetSurfaceFromDC(struct dd_call *call, HDC dc, void *surface)
{
    struct dd_interface **out = surface;
    struct surface *found = find_dc(ddraw_of(call), dc);

    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!found)
        return DDERR_NOTFOUND;
    *out = dd_face(&found->object, call->version == 7 ? 7 : 1);
    dd_addref(*out);
    return DD_OK;
}

/* The context of the screen, for all callers: nobody releases what the function returns. */
static HDC screen_dc(void)
{
    static HDC dc;

    if (!dc)
        dc = GetDC(NULL);
    return dc;
}

HRESULT surface_from_dc(HDC dc, IDirectDrawSurface **out, HDC *device_dc)
{
    HRESULT hr = DDERR_NOTFOUND;

    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!device_dc)
        return E_INVALIDARG;
    *device_dc = NULL;
    dd_lock();
    for (struct ddraw *ddraw = ddraw_next(NULL); ddraw && FAILED(hr); ddraw = ddraw_next(ddraw)) {
        struct surface *found = find_dc(ddraw, dc);

        if (found) {
            *out = (IDirectDrawSurface *)&found->object.faces[0];
            dd_addref(&found->object.faces[0]);
            *device_dc = screen_dc();
            hr = DD_OK;
        }
    }
    dd_leave();
    return hr;
}
