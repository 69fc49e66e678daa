/* SPDX-License-Identifier: MIT */
/*
 * Palettes of surfaces on the screen: CreatePalette, DestroyPalette, SetEntries, SetPalette. Palettes of textures come in
 * the stream (UPDATEPALETTE, SETPALETTE), also for a texture that has one of these.
 */
#include "ddi/call_log.h"
#include "ddi/entry.h"
#include "ddi/record/record.h"
#include "hal/resource/display_palette.h"

static HRESULT create_palette(const DDHAL_CREATEPALETTEDATA *data)
{
    HRESULT hr;

    if (!data->lpDDPalette || !ddi_root.driver)
        return DDERR_INVALIDPARAMS;
    hr = hal_display_palette_create(ddi_root.driver, data->lpDDPalette, data->lpColorTable);
    if (SUCCEEDED(hr))
        RECORD(create_palette, hal_display_palette_of(ddi_root.driver, data->lpDDPalette));
    return hr;
}

DWORD PASCAL ddi_create_palette(LPDDHAL_CREATEPALETTEDATA data)
{
    DDI_ENTER();
    data->ddRVal = create_palette(data);
    DDI_LOG(data->ddRVal, "CreatePalette flags %#x", data->lpDDPalette ? (unsigned)data->lpDDPalette->dwFlags : 0);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* NULL: none of the driver's. */
static struct hal_display_palette *find_palette(const DDRAWI_DDRAWPALETTE_GBL *gbl)
{
    return ddi_root.driver ? hal_display_palette_of(ddi_root.driver, gbl) : NULL;
}

DWORD PASCAL ddi_destroy_palette(LPDDHAL_DESTROYPALETTEDATA data)
{
    struct hal_display_palette *palette;
    DDI_ENTER();
    palette = find_palette(data->lpDDPalette);
    data->ddRVal = palette ? DD_OK : DDERR_INVALIDOBJECT;
    DDI_LOG(data->ddRVal, "DestroyPalette %u", palette ? (unsigned)palette->number : 0);
    if (palette) {
        RECORD(destroy_palette, palette);
        hal_display_palette_destroy(ddi_root.driver, data->lpDDPalette);
    }
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_set_entries(LPDDHAL_SETENTRIESDATA data)
{
    struct hal_display_palette *palette;
    DDI_ENTER();
    palette = find_palette(data->lpDDPalette);
    data->ddRVal = palette ? hal_display_palette_set(palette, data->dwBase, data->dwNumEntries, data->lpEntries)
                           : DDERR_INVALIDOBJECT;
    if (SUCCEEDED(data->ddRVal))
        RECORD(set_entries, palette, data->dwBase, data->dwNumEntries);
    DDI_LOG(data->ddRVal, "SetEntries of palette %u, %u from %u on", palette ? (unsigned)palette->number : 0,
            (unsigned)data->dwNumEntries, (unsigned)data->dwBase);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* Attach FALSE: lpDDPalette is the one that the surface has, or NULL. */
static HRESULT set_palette(const DDHAL_SETPALETTEDATA *data)
{
    struct hal_surface *surface = hal_surface_from_lcl(data->lpDDSurface);
    const struct hal_display_palette *palette = data->Attach ? find_palette(data->lpDDPalette) : NULL;
    HRESULT hr;

    if (!hal_resource_from_lcl(data->lpDDSurface) || (data->Attach && !palette))
        return DDERR_INVALIDOBJECT;
    if (!surface) /* a buffer */
        return DDERR_INVALIDPIXELFORMAT;
    hr = hal_display_palette_attach(surface, palette);
    if (SUCCEEDED(hr))
        RECORD(set_palette, data->lpDDSurface, palette);
    return hr;
}

DWORD PASCAL ddi_set_palette(LPDDHAL_SETPALETTEDATA data)
{
    DDI_ENTER();
    data->ddRVal = set_palette(data);
    DDI_LOG(data->ddRVal, "SetPalette of handle %u, attach %u", ddi_log_handle(data->lpDDSurface),
            (unsigned)data->Attach);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
