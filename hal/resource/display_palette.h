/* SPDX-License-Identifier: MIT */
/*
 * Palettes of DirectDraw: the colours in which surfaces with indices are shown (CreatePalette, SetEntries, SetPalette).
 * The driver shows nothing itself; it keeps them for the frame debugger and checks what callers claim. Palettes with
 * which textures are drawn come in the stream (hal/resource/palette.h). Source: ddrawi.h, DDHAL_DDPALETTECALLBACKS.
 */
#ifndef HALCYON_HAL_RESOURCE_DISPLAY_PALETTE_H
#define HALCYON_HAL_RESOURCE_DISPLAY_PALETTE_H

#include "d3d/ddi.h"

#include <stdint.h>

struct hal_driver;
struct hal_surface;

/* Palettes that exist at once; each takes a kibibyte. */
#define HAL_MAX_DISPLAY_PALETTES 16384

struct hal_display_palette {
    DDRAWI_DDRAWPALETTE_GBL *gbl; /* whose dwReserved1 is `number` */
    const void *dd_local;         /* the DirectDraw object that it belongs to */
    uint32_t number;              /* from 1 */
    uint32_t flags;               /* DDRAWIPAL_*, as it was made */
    PALETTEENTRY entries[256];
};

/* Makes the driver's palette of a DirectDraw palette, with 256 entries (NULL: all 0). DDERR_UNSUPPORTED: a palette of
 * another size (dwFlags), or whose entries are indices; DDERR_OUTOFMEMORY: that too, or there are too many. */
HRESULT hal_display_palette_create(struct hal_driver *driver, DDRAWI_DDRAWPALETTE_GBL *gbl,
                                   const PALETTEENTRY *entries);
/* NULL: the driver did not make it, or it is destroyed. */
struct hal_display_palette *hal_display_palette_of(const struct hal_driver *driver, const DDRAWI_DDRAWPALETTE_GBL *gbl);
/* Surfaces that have it have none from then on. */
void hal_display_palette_destroy(struct hal_driver *driver, DDRAWI_DDRAWPALETTE_GBL *gbl);
/* DestroyDDLocal: those of a DirectDraw object. */
void hal_display_palettes_drop(struct hal_driver *driver, const void *dd_local);
/* Entries from `first` on. DDERR_INVALIDPARAMS: some are beyond the last. */
HRESULT hal_display_palette_set(struct hal_display_palette *palette, uint32_t first, uint32_t count,
                                const PALETTEENTRY *entries);
/* Attaches a palette to a surface; NULL detaches the one that the surface has. DDERR_INVALIDPIXELFORMAT: its texels are not indices. */
HRESULT hal_display_palette_attach(struct hal_surface *surface, const struct hal_display_palette *palette);
/* The palette of a surface; NULL: it has none. */
const struct hal_display_palette *hal_display_palette_of_surface(const struct hal_surface *surface);

#endif
