/* SPDX-License-Identifier: MIT */
/* Palettes (PaletteTest, test_palette_alpha, test_palette_complex, test_primary_palette). */
#include "runtime/ddraw/rules/palette.h"

#include <string.h>

#include "base/base.h"
#include "runtime/ddraw/rules/format.h"

static const struct {
    DWORD flag;
    unsigned count;
} sizes[] = {{DDPCAPS_1BIT, 2}, {DDPCAPS_2BIT, 4}, {DDPCAPS_4BIT, 16}, {DDPCAPS_8BIT, 256}};

/* Windows keeps these two for itself, unless the program has asked for all. */
static void force_black_and_white(struct ddraw_palette *palette)
{
    if (palette->caps & DDPCAPS_ALLOW256 || palette->count != DDRAW_PALETTE_ENTRIES)
        return;
    palette->entries[0] = (PALETTEENTRY){0, 0, 0, 0};
    palette->entries[255] = (PALETTEENTRY){255, 255, 255, 0};
}

HRESULT ddraw_palette_init(struct ddraw_palette *palette, DWORD caps, const PALETTEENTRY *entries)
{
    unsigned kinds = 0;

    *palette = (struct ddraw_palette){.caps = caps & ~(DWORD)DDPCAPS_PRIMARYSURFACE};
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++)
        if (caps & sizes[i].flag) {
            palette->count = sizes[i].count;
            kinds++;
        }
    if (kinds != 1 || caps & DDPCAPS_8BITENTRIES || !entries)
        return DDERR_INVALIDPARAMS;
    return ddraw_palette_set(palette, 0, 0, palette->count, entries);
}

DWORD ddraw_palette_caps(const struct ddraw_palette *palette)
{
    return palette->caps | (palette->primaries ? DDPCAPS_PRIMARYSURFACE : 0);
}

static bool is_range(const struct ddraw_palette *palette, DWORD flags, DWORD first, DWORD count, const void *entries)
{
    return !flags && entries && first <= palette->count && count <= palette->count - first;
}

HRESULT ddraw_palette_set(struct ddraw_palette *palette, DWORD flags, DWORD first, DWORD count,
                          const PALETTEENTRY *entries)
{
    if (!is_range(palette, flags, first, count, entries))
        return DDERR_INVALIDPARAMS;
    memcpy(palette->entries + first, entries, count * sizeof(entries[0]));
    force_black_and_white(palette);
    return DD_OK;
}

HRESULT ddraw_palette_get(const struct ddraw_palette *palette, DWORD flags, DWORD first, DWORD count,
                          PALETTEENTRY *entries)
{
    if (!is_range(palette, flags, first, count, entries))
        return DDERR_INVALIDPARAMS;
    memcpy(entries, palette->entries + first, count * sizeof(entries[0]));
    return DD_OK;
}

void ddraw_palette_words(const struct ddraw_palette *palette, uint32_t words[DDRAW_PALETTE_ENTRIES])
{
    for (unsigned i = 0; i < DDRAW_PALETTE_ENTRIES; i++) {
        const PALETTEENTRY *entry = &palette->entries[i];

        words[i] = 0xff000000 | (uint32_t)entry->peRed << 16 | (uint32_t)entry->peGreen << 8 | entry->peBlue;
    }
}

/* The order of these is asserted: sublevels before anything else, the kind of surface before its format. */
HRESULT ddraw_palette_fits(const struct ddraw_palette *palette, unsigned version, uint32_t format, DWORD caps,
                           bool is_sublevel)
{
    if (version == 7 && is_sublevel)
        return DDERR_NOTONMIPMAPSUBLEVEL;
    if (palette && palette->caps & DDPCAPS_ALPHA && !(caps & DDSCAPS_TEXTURE))
        return DDERR_INVALIDSURFACETYPE;
    if (!ddraw_format_is_palette(format) || (palette && palette->count != DDRAW_PALETTE_ENTRIES))
        return DDERR_INVALIDPIXELFORMAT;
    return DD_OK;
}
