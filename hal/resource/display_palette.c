/* SPDX-License-Identifier: MIT */
/*
 * Palettes of DirectDraw objects, by numbers that are not used again soon: a surface keeps the number, so nothing points
 * to a palette that is gone. The number is also in the structure of the caller, who may have changed it: it counts only
 * together with the structure's address.
 */
#include "hal/resource/display_palette.h"

#include "base/map.h"
#include "hal/driver.h"
#include "hal/resource/surface.h"
#include "raster/format/format.h"

#include <stdlib.h>
#include <string.h>

struct hal_display_palette *hal_display_palette_of(const struct hal_driver *driver, const DDRAWI_DDRAWPALETTE_GBL *gbl)
{
    struct hal_display_palette *palette =
        gbl ? base_map_get(&driver->display_palettes, (uint32_t)gbl->dwReserved1) : NULL;

    return palette && palette->gbl == gbl ? palette : NULL;
}

/* A number that no palette has. */
static uint32_t take_number(struct hal_driver *driver)
{
    do {
        driver->last_display_palette++;
    } while (!driver->last_display_palette || base_map_get(&driver->display_palettes, driver->last_display_palette));
    return driver->last_display_palette;
}

HRESULT hal_display_palette_create(struct hal_driver *driver, DDRAWI_DDRAWPALETTE_GBL *gbl, const PALETTEENTRY *entries)
{
    struct hal_display_palette *palette;
    uint32_t number;

    if (!(gbl->dwFlags & DDRAWIPAL_256) || gbl->dwFlags & DDRAWIPAL_STORED_8INDEX)
        return DDERR_UNSUPPORTED;
    number = take_number(driver);
    palette = base_map_make(&driver->display_palettes, number, sizeof(*palette));
    if (!palette)
        return DDERR_OUTOFMEMORY;
    palette->gbl = gbl;
    palette->number = number;
    palette->flags = gbl->dwFlags;
    palette->dd_local = gbl->lpDD_lcl;
    if (entries)
        memcpy(palette->entries, entries, sizeof(palette->entries));
    gbl->dwReserved1 = number;
    return DD_OK;
}

void hal_display_palette_destroy(struct hal_driver *driver, DDRAWI_DDRAWPALETTE_GBL *gbl)
{
    const struct hal_display_palette *palette = hal_display_palette_of(driver, gbl);

    if (palette)
        free(base_map_take(&driver->display_palettes, palette->number));
    gbl->dwReserved1 = 0;
}

/* Removing one may move others in the table, so the search begins again. */
void hal_display_palettes_drop(struct hal_driver *driver, const void *dd_local)
{
    const struct hal_display_palette *palette;
    uint32_t at = 0;

    while (dd_local && (palette = base_map_next(&driver->display_palettes, &at)))
        if (palette->dd_local == dd_local) {
            free(base_map_take(&driver->display_palettes, palette->number));
            at = 0;
        }
}

HRESULT hal_display_palette_set(struct hal_display_palette *palette, uint32_t first, uint32_t count,
                                const PALETTEENTRY *entries)
{
    if (first > 256 || count > 256 - first || (count && !entries))
        return DDERR_INVALIDPARAMS;
    if (count)
        memcpy(palette->entries + first, entries, count * sizeof(*entries));
    return DD_OK;
}

HRESULT hal_display_palette_attach(struct hal_surface *surface, const struct hal_display_palette *palette)
{
    if (raster_format_info(surface->format)->kind != RASTER_KIND_PALETTE)
        return DDERR_INVALIDPIXELFORMAT;
    surface->display_palette = palette ? palette->number : 0;
    return DD_OK;
}

const struct hal_display_palette *hal_display_palette_of_surface(const struct hal_surface *surface)
{
    return surface->display_palette ? base_map_get(&surface->base.driver->display_palettes, surface->display_palette)
                                    : NULL;
}
