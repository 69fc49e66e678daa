/* SPDX-License-Identifier: MIT */
/*
 * Palettes of surfaces on the screen. The player keeps them itself, so that pictures have their colours with drivers
 * that have no palettes as well, for example through the WDDM interface.
 */
#include "replay/palette.h"

#include "base/base.h"
#include "replay/internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PALETTES 65536 /* at once */

struct player_palette {
    DDRAWI_DDRAWPALETTE_GBL gbl;
    uint32_t number;
    bool in_driver;
    PALETTEENTRY entries[CAPTURE_PALETTE_ENTRIES];
};

void player_palettes_init(struct player *player)
{
    base_map_init(&player->palettes, MAX_PALETTES);
}

static bool has_callbacks(const struct client_driver *driver)
{
    return driver->dd.CreatePalette && driver->palette.SetEntries && driver->palette.DestroyPalette &&
           driver->surface.SetPalette;
}

static struct player_refusal make_in_driver(struct player *player, struct player_palette *palette, uint32_t flags)
{
    DDHAL_CREATEPALETTEDATA data = {.lpDDPalette = &palette->gbl, .lpColorTable = palette->entries};

    palette->gbl.dwFlags = flags;
    palette->gbl.lpColorTable = palette->entries;
    if (!has_callbacks(player->driver))
        return (struct player_refusal){.answer = DD_OK};
    if (player->driver->dd.CreatePalette(&data) != DDHAL_DRIVER_HANDLED)
        data.ddRVal = DDERR_UNSUPPORTED;
    palette->in_driver = SUCCEEDED(data.ddRVal);
    return (struct player_refusal){"CreatePalette", data.ddRVal, 0};
}

static struct player_refusal set_in_driver(struct player *player, struct player_palette *palette,
                                           const struct capture_palette *head)
{
    DDHAL_SETENTRIESDATA data = {
        .lpDDPalette = &palette->gbl, .dwBase = head->first, .dwNumEntries = head->entry_count};

    if (!palette->in_driver || !head->entry_count)
        return (struct player_refusal){.answer = DD_OK};
    data.lpEntries = palette->entries + head->first;
    if (player->driver->palette.SetEntries(&data) != DDHAL_DRIVER_HANDLED)
        data.ddRVal = DDERR_UNSUPPORTED;
    return (struct player_refusal){"SetEntries", data.ddRVal, 0};
}

bool player_change_palette(struct player *player, const struct capture_palette *head, struct player_refusal *answer)
{
    struct player_palette *palette = base_map_get(&player->palettes, head->palette);
    const bool is_new = !palette;

    if (is_new)
        palette = base_map_make(&player->palettes, head->palette, sizeof(*palette));
    if (!palette)
        return false;
    palette->number = head->palette;
    memcpy(palette->entries + head->first, head + 1, head->entry_count * sizeof(*palette->entries));
    *answer = is_new ? make_in_driver(player, palette, head->flags) : set_in_driver(player, palette, head);
    return true;
}

static void destroy_palette(struct player *player, struct player_palette *palette)
{
    DDHAL_DESTROYPALETTEDATA data = {.lpDDPalette = &palette->gbl};

    if (palette->in_driver)
        player->driver->palette.DestroyPalette(&data);
}

void player_drop_palette(struct player *player, uint32_t number)
{
    struct player_palette *palette = base_map_take(&player->palettes, number);

    if (palette)
        destroy_palette(player, palette);
    free(palette);
}

void player_free_palettes(struct player *player)
{
    struct player_palette *palette;
    uint32_t at = 0;

    while ((palette = base_map_next(&player->palettes, &at)))
        destroy_palette(player, palette);
    base_map_clear(&player->palettes);
}

HRESULT player_set_palette(struct player *player, struct player_surface *surface, uint32_t number)
{
    struct player_palette *palette = base_map_get(&player->palettes, number);
    DDHAL_SETPALETTEDATA data = {.lpDDSurface = &surface->lcl, .Attach = palette != NULL};

    surface->palette = palette ? number : 0;
    if (number && !palette)
        return DDERR_INVALIDOBJECT;
    if (!has_callbacks(player->driver) || (palette && !palette->in_driver))
        return DD_OK;
    data.lpDD = surface->gbl.lpDD;
    data.lpDDPalette = palette ? &palette->gbl : NULL;
    return player->driver->surface.SetPalette(&data) == DDHAL_DRIVER_HANDLED ? data.ddRVal : DDERR_UNSUPPORTED;
}

/* --- colours ------------------------------------------------------------------------------------ */

static const struct player_palette *palette_of(const struct player *player, const struct player_surface *surface)
{
    return surface->palette ? base_map_get(&player->palettes, surface->palette) : NULL;
}

/* A back buffer is seen through the palette of the front once it is there. */
static const struct player_palette *shown_palette(const struct player *player, const struct player_surface *surface)
{
    const struct player_palette *palette = palette_of(player, surface);
    const struct player_surface *part = surface->next_in_chain;

    for (; !palette && part != surface; part = part->next_in_chain)
        if (part->lcl.ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE)
            palette = palette_of(player, part);
    return palette;
}

uint32_t player_shown_palette(const struct player *player, const struct player_surface *surface)
{
    const struct player_palette *palette = shown_palette(player, surface);

    return palette ? palette->number : 0;
}

const PALETTEENTRY *player_palette_entries(const struct player *player, uint32_t number, uint32_t *flags)
{
    const struct player_palette *palette = number ? base_map_get(&player->palettes, number) : NULL;

    if (!palette)
        return NULL;
    *flags = palette->gbl.dwFlags;
    return palette->entries;
}

uint32_t player_next_palette(const struct player *player, uint32_t number)
{
    const struct player_palette *palette;
    uint32_t at = 0, least = 0;

    while ((palette = base_map_next(&player->palettes, &at)))
        if (palette->number > number && (!least || palette->number < least))
            least = palette->number;
    return least;
}

unsigned player_index_bytes(const DDPIXELFORMAT *format)
{
    if (format->dwFlags & (DDPF_D3DFORMAT | DDPF_FOURCC))
        return format->dwFourCC == D3DFMT_P8 ? 1 : format->dwFourCC == D3DFMT_A8P8 ? 2 : 0;
    if (!(format->dwFlags & DDPF_PALETTEINDEXED8))
        return 0;
    return format->dwRGBBitCount == 16 ? 2 : 1;
}

void player_colors(const struct player *player, const struct player_surface *surface, uint32_t colors[256])
{
    const struct player_palette *palette = shown_palette(player, surface);

    for (unsigned i = 0; i < CAPTURE_PALETTE_ENTRIES; i++) {
        const PALETTEENTRY grey = {(BYTE)i, (BYTE)i, (BYTE)i, 0};
        const PALETTEENTRY entry = palette ? palette->entries[i] : grey;

        colors[i] = 0xff000000u | (uint32_t)entry.peRed << 16 | (uint32_t)entry.peGreen << 8 | entry.peBlue;
    }
}
