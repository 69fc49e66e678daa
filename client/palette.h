/* SPDX-License-Identifier: MIT */
/* Palettes of DirectDraw, in whose colours surfaces with indices are shown. */
#ifndef HALCYON_CLIENT_PALETTE_H
#define HALCYON_CLIENT_PALETTE_H

#include "client/client.h"

/* As DirectDraw keeps it; the driver sees `gbl`. */
struct client_palette {
    DDRAWI_DDRAWPALETTE_INT face; /* first: what lpDDPalette of surfaces points to */
    DDRAWI_DDRAWPALETTE_LCL lcl;
    DDRAWI_DDRAWPALETTE_GBL gbl;
    struct client *client;
    PALETTEENTRY entries[256];
};

/* CreatePalette. flags: DDRAWIPAL_* (DDRAWIPAL_256, perhaps with ALPHA, ALLOW256); entries: 256, or NULL for black.
 * DDERR_UNSUPPORTED: the driver has no palettes, or none of this kind; DDERR_OUTOFMEMORY. */
HRESULT client_palette_create(struct client *client, uint32_t flags, const PALETTEENTRY *entries,
                              struct client_palette **palette);
/* DestroyPalette; NULL is fine. No surface may have it. */
void client_palette_destroy(struct client_palette *palette);
/* SetEntries. DDERR_INVALIDPARAMS: the palette does not have all of these entries. */
HRESULT client_palette_set(struct client_palette *palette, unsigned first, unsigned count, const PALETTEENTRY *entries);
/* SetPalette; NULL detaches the one that the surface has. DDERR_INVALIDPIXELFORMAT: its texels are not indices. */
HRESULT client_set_palette(struct client_surface *surface, struct client_palette *palette);
/* Ends a frame that shows `rect` (NULL: all) of a surface as it is now, without a flip or a copy: after writes to a
 * visible front, or a change of its palette alone. A Blt of the rectangle to itself with DDBLT_LAST_PRESENTATION. */
HRESULT client_show(struct client_surface *front, const RECT *rect);

#endif
