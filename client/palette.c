/* SPDX-License-Identifier: MIT */
/* DirectDraw's structures of a palette, and the calls that make, change, attach and destroy it. */
#include "client/palette.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "client/internal.h"

HRESULT client_palette_create(struct client *client, uint32_t flags, const PALETTEENTRY *entries,
                              struct client_palette **made)
{
    const struct client_driver *driver = client_get_driver(client);
    DDHAL_CREATEPALETTEDATA data = {.lpDD = &client->gbl};
    struct client_palette *palette;

    *made = NULL;
    if (!driver->dd.CreatePalette || !driver->palette.DestroyPalette || !driver->palette.SetEntries)
        return DDERR_UNSUPPORTED;
    palette = mem_calloc(1, sizeof(*palette));
    if (!palette)
        return DDERR_OUTOFMEMORY;
    palette->client = client;
    palette->face.lpLcl = &palette->lcl;
    palette->lcl.lpGbl = &palette->gbl;
    palette->lcl.lpDD_lcl = &client->lcl;
    palette->gbl.lpDD_lcl = &client->lcl;
    palette->gbl.dwFlags = flags;
    palette->gbl.dwProcessId = client->lcl.dwProcessId;
    palette->gbl.lpColorTable = palette->entries;
    if (entries)
        memcpy(palette->entries, entries, sizeof(palette->entries));
    data.lpDDPalette = &palette->gbl;
    data.lpColorTable = palette->entries;
    if (driver->dd.CreatePalette(&data) != DDHAL_DRIVER_HANDLED)
        data.ddRVal = DDERR_UNSUPPORTED;
    if (FAILED(data.ddRVal))
        free(palette);
    else
        *made = palette;
    return data.ddRVal;
}

void client_palette_destroy(struct client_palette *palette)
{
    DDHAL_DESTROYPALETTEDATA data = {0};

    if (!palette)
        return;
    data.lpDD = &palette->client->gbl;
    data.lpDDPalette = &palette->gbl;
    client_get_driver(palette->client)->palette.DestroyPalette(&data);
    free(palette);
}

HRESULT client_palette_set(struct client_palette *palette, unsigned first, unsigned count, const PALETTEENTRY *entries)
{
    DDHAL_SETENTRIESDATA data = {.lpDD = &palette->client->gbl, .lpDDPalette = &palette->gbl};

    data.dwBase = first;
    data.dwNumEntries = count;
    data.lpEntries = (PALETTEENTRY *)entries;
    if (client_get_driver(palette->client)->palette.SetEntries(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    if (SUCCEEDED(data.ddRVal))
        memcpy(palette->entries + first, entries, count * sizeof(*entries));
    return data.ddRVal;
}

HRESULT client_set_palette(struct client_surface *surface, struct client_palette *palette)
{
    const struct client_driver *driver = client_get_driver(surface->client);
    DDHAL_SETPALETTEDATA data = {.lpDD = &surface->client->gbl, .lpDDSurface = &surface->lcl};

    data.lpDDPalette = palette ? &palette->gbl : NULL;
    data.Attach = palette != NULL;
    if (!driver->surface.SetPalette || driver->surface.SetPalette(&data) != DDHAL_DRIVER_HANDLED)
        return DDERR_UNSUPPORTED;
    if (SUCCEEDED(data.ddRVal))
        surface->lcl.lpDDPalette = palette ? &palette->face : NULL;
    return data.ddRVal;
}

HRESULT client_show(struct client_surface *front, const RECT *rect)
{
    return client_blt(front, rect, front, rect, DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION);
}
