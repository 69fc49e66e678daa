/* SPDX-License-Identifier: MIT */
/* Palettes: their entries, and the surfaces to which they can be attached. */
#ifndef HALCYON_DDRAW_PALETTE_RULES_H
#define HALCYON_DDRAW_PALETTE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

#define DDRAW_PALETTE_ENTRIES 256

struct ddraw_palette {
    DWORD caps;         /* DDPCAPS_* of the creation */
    unsigned count;     /* entries: 2, 4, 16 or 256 */
    unsigned primaries; /* primary surfaces to which it is attached */
    PALETTEENTRY entries[DDRAW_PALETTE_ENTRIES];
};

/* CreatePalette: caps has exactly one of DDPCAPS_1BIT, 2BIT, 4BIT and 8BIT; palettes of indices (DDPCAPS_8BITENTRIES) do not exist. The
 * program's array has as many entries as the bits allow. */
HRESULT ddraw_palette_init(struct ddraw_palette *palette, DWORD caps, const PALETTEENTRY *entries);
/* GetCaps: DDPCAPS_PRIMARYSURFACE while it is attached to one (test_primary_palette). */
DWORD ddraw_palette_caps(const struct ddraw_palette *palette);
/* flags must be 0; first and count lie inside the palette. Without DDPCAPS_ALLOW256 entries 0 and 255 of 256 stay black and white. */
HRESULT ddraw_palette_set(struct ddraw_palette *palette, DWORD flags, DWORD first, DWORD count,
                          const PALETTEENTRY *entries);
HRESULT ddraw_palette_get(const struct ddraw_palette *palette, DWORD flags, DWORD first, DWORD count,
                          PALETTEENTRY *entries);
/* All entries as X8R8G8B8, opaque; those that the palette does not have are black. */
void ddraw_palette_words(const struct ddraw_palette *palette, uint32_t words[DDRAW_PALETTE_ENTRIES]);

/* May SetPalette of a surface interface attach it to a surface with this format (enum d3d_format) and these DDSCAPS_*? NULL: may it
 * detach one? */
HRESULT ddraw_palette_fits(const struct ddraw_palette *palette, unsigned version, uint32_t format, DWORD caps,
                           bool is_sublevel);

#endif
