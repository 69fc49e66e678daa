/* SPDX-License-Identifier: MIT */
/*
 * The state of DirectDraw: for each surface its size, its place in a flip chain, keys and palette; and all palettes. In
 * a capture with contexts only surfaces that have something of the kind are listed, because textures may be thousands.
 */
#include "inspect/state/values.h"

#include "base/base.h"
#include "caps/caps.h"
#include "inspect/internal.h"
#include "replay/palette.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_SURFACES 1000 /* that are listed */
#define MOST_PALETTES 64
#define COLUMNS       8 /* entries of a palette in a line */

static const char *format_name(const struct player_surface *surface, char buffer[5])
{
    const struct caps_format *format = caps_match_format(&surface->gbl.ddpfSurface);
    const char *name = format ? dp2_format_name(format->d3d_format, buffer) : NULL;

    return name ? name : "?";
}

static const struct player_surface *next_in_flip_chain(const struct player_surface *surface)
{
    for (const ATTACHLIST *link = surface->lcl.lpAttachList; link; link = link->lpLink)
        if (link->lpAttached && link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP)
            return (const void *)link->lpAttached; /* its first member */
    return NULL;
}

/* "primary, front buffer": none: "off screen". */
static void add_role(struct inspect_state *state, const char *group, const struct player_surface *surface)
{
    const DWORD caps = surface->lcl.ddsCaps.dwCaps;
    struct inspect_value *value = inspect_add_value(state, group, "role");

    inspect_value_text(state, value, "%s%s%s", caps & DDSCAPS_PRIMARYSURFACE ? "primary surface, " : "",
                       caps & DDSCAPS_ZBUFFER       ? "depth buffer"
                       : !(caps & DDSCAPS_FLIP)     ? "off screen"
                       : caps & DDSCAPS_FRONTBUFFER ? "front buffer"
                       : caps & DDSCAPS_BACKBUFFER  ? "back buffer"
                                                    : "buffer of a flip chain",
                       surface->system_memory ? ", system memory" : "");
    if (value)
        value->bits[0] = (uint32_t)caps;
}

/* The surfaces in its attach list. */
static void add_attachments(struct inspect_state *state, const char *group, const struct player_surface *surface)
{
    const struct player_surface *next = next_in_flip_chain(surface);
    char text[200] = "";
    size_t length = 0;
    uint32_t count = 0;

    for (const ATTACHLIST *link = surface->lcl.lpAttachList; link && length + 16 < sizeof(text); link = link->lpLink) {
        const struct player_surface *attached = (const void *)link->lpAttached;

        if (attached)
            length +=
                (size_t)snprintf(text + length, sizeof(text) - length, "%s#%" PRIu32, count++ ? " " : "", attached->id);
    }
    if (count) {
        struct inspect_value *value = inspect_add_value(state, group, "attached");

        inspect_value_text(state, value, "%s", text);
        if (value)
            value->bits[0] = count;
    }
    if (next) {
        struct inspect_value *value = inspect_add_value(state, group, "flips with");

        inspect_value_text(state, value, "#%" PRIu32, next->id);
        if (value)
            value->bits[0] = next->id;
    }
}

static void add_key(struct inspect_state *state, const char *group, const char *name, bool is_set,
                    const DDCOLORKEY *key)
{
    struct inspect_value *value = inspect_add_value(state, group, name);

    if (!value)
        return;
    value->is_default = !is_set;
    value->bits[0] = is_set ? (uint32_t)key->dwColorSpaceLowValue : 0;
    if (is_set)
        inspect_value_text(state, value, "%#" PRIx32, value->bits[0]);
    else
        inspect_value_text(state, value, "-");
}

static void add_palette_of(struct inspect_state *state, const char *group, const struct player *player,
                           const struct player_surface *surface)
{
    const uint32_t shown = player_shown_palette(player, surface);
    struct inspect_value *value = inspect_add_value(state, group, "palette");

    if (!value)
        return;
    value->is_default = !shown;
    value->bits[0] = shown;
    if (shown && shown == surface->palette)
        inspect_value_text(state, value, "%" PRIu32, shown);
    else if (shown)
        inspect_value_text(state, value, "%" PRIu32 ", that of the primary surface", shown);
    else
        inspect_value_text(state, value, "-");
}

static bool has_keys(const struct player_surface *surface)
{
    return surface->lcl.dwFlags & (DDRAWISURF_HASCKEYSRCBLT | DDRAWISURF_HASCKEYDESTBLT);
}

static void add_surface(struct inspect_state *state, const struct player *player, const struct player_surface *surface)
{
    const bool of_indices = player_index_bytes(&surface->gbl.ddpfSurface);
    struct inspect_value *value;
    char group[24], format[5];

    snprintf(group, sizeof(group), "surface %" PRIu32, surface->id);
    value = inspect_add_value(state, group, "size");
    inspect_value_text(state, value, "%ux%u %s", (unsigned)surface->gbl.wWidth, (unsigned)surface->gbl.wHeight,
                       format_name(surface, format));
    add_role(state, group, surface);
    add_attachments(state, group, surface);
    add_key(state, group, "source key", surface->lcl.dwFlags & DDRAWISURF_HASCKEYSRCBLT, &surface->lcl.ddckCKSrcBlt);
    add_key(state, group, "destination key", surface->lcl.dwFlags & DDRAWISURF_HASCKEYDESTBLT,
            &surface->lcl.ddckCKDestBlt);
    if (of_indices)
        add_palette_of(state, group, player, surface);
}

/* --- palettes ------------------------------------------------------------------------------------- */

/* How many entries there are before black ones up to the end. */
static unsigned used_entries(const PALETTEENTRY *entries)
{
    unsigned count = CAPTURE_PALETTE_ENTRIES;

    while (count && !entries[count - 1].peRed && !entries[count - 1].peGreen && !entries[count - 1].peBlue)
        count--;
    return count;
}

/* Lines of eight entries, each after the number of its first one. */
static void add_entries(struct inspect_state *state, const char *group, const PALETTEENTRY *entries)
{
    struct inspect_value *value = inspect_add_value(state, group, "entries");
    char text[CAPTURE_PALETTE_ENTRIES * 8 + CAPTURE_PALETTE_ENTRIES / COLUMNS * 8 + 40] = "";
    const unsigned used = used_entries(entries);
    size_t length = 0;

    for (unsigned i = 0; i < used; i++) {
        if (i % COLUMNS == 0)
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%3u", i ? "\n" : "", i);
        length += (size_t)snprintf(text + length, sizeof(text) - length, " #%02x%02x%02x", entries[i].peRed,
                                   entries[i].peGreen, entries[i].peBlue);
    }
    if (used < CAPTURE_PALETTE_ENTRIES)
        snprintf(text + length, sizeof(text) - length, "%s%3u to 255 #000000", used ? "\n" : "", used);
    inspect_value_text(state, value, "%s", text);
    if (value)
        value->kind = INSPECT_LINES;
}

/* The surfaces that are seen through it. */
static void add_users(struct inspect_state *state, const char *group, const struct player *player, uint32_t number)
{
    struct inspect_value *value = inspect_add_value(state, group, "surfaces");
    char text[200] = "-";
    size_t length = 0;

    for (uint32_t id = 1; id < player->surface_capacity && length + 16 < sizeof(text); id++) {
        const struct player_surface *surface = player_surface_of(player, id);

        if (surface && !surface->buffer && player_index_bytes(&surface->gbl.ddpfSurface) &&
            player_shown_palette(player, surface) == number)
            length +=
                (size_t)snprintf(text + length, sizeof(text) - length, "%s#%" PRIu32, length ? " " : "", surface->id);
    }
    inspect_value_text(state, value, "%s", text);
}

static void add_palettes(struct inspect_state *state, const struct player *player)
{
    uint32_t number = player_next_palette(player, 0);

    for (unsigned i = 0; number && i < MOST_PALETTES; i++, number = player_next_palette(player, number)) {
        uint32_t flags = 0;
        const PALETTEENTRY *entries = player_palette_entries(player, number, &flags);
        struct inspect_value *value;
        char group[24];

        snprintf(group, sizeof(group), "palette %" PRIu32, number);
        value = inspect_add_value(state, group, "flags");
        inspect_value_text(state, value, "%#" PRIx32, flags);
        if (value)
            value->bits[0] = flags;
        add_users(state, group, player, number);
        if (entries)
            add_entries(state, group, entries);
    }
}

/* --- the whole ------------------------------------------------------------------------------------- */

void inspect_add_surfaces(struct inspect_state *state, const struct inspect *session)
{
    const struct player *player = session->player;
    unsigned count = 0;

    for (uint32_t id = 1; id < player->surface_capacity && count < MOST_SURFACES; id++) {
        const struct player_surface *surface = player_surface_of(player, id);

        if (!surface || surface->buffer || (state->context && !has_keys(surface) && !surface->palette))
            continue;
        add_surface(state, player, surface);
        count++;
    }
    add_palettes(state, player);
}
