/* SPDX-License-Identifier: MIT */
/*
 * Maps for the textures of a replay. A map is a chain of the texture's shape, made in the same DirectDraw object under
 * a handle of the player's own, and paired with the texture by a SETFEEDBACK token of the player's before the next
 * draw; the streams of the capture stay as they are. Maps are decoded into a scratch surface by blits.
 */
#include "replay/feedback.h"
#include "replay/internal.h"

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/feedback.h"
#include "dp2/tokens.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PARTS    (6 * FEEDBACK_MAX_LEVELS)
#define MAX_MAPS     65536
#define FIRST_HANDLE 0xFFFFFu /* and down: programs count from the other end */
#define MAX_REGIONS  64       /* along a side: finer regions are not distinguished anywhere */

struct player_map {
    struct feedback_texture report;
    struct player_map *next;
    struct player_local *local;
    uint32_t handle;
    bool paired, gone;
    struct player_surface *texture[MAX_PARTS]; /* [face * levels + level] */
    struct player_surface *part[MAX_PARTS];    /* the map's own; NULL: none, or given back */
};

struct player_feedback {
    struct player_map *first, **end;
    unsigned count;
    struct client_chain *scratch, *slices; /* destinations for decoded maps: flat, and for volumes (NULL: none yet) */
};

void player_attach_feedback(struct player *player)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = D3DFMT_L8, .width = MAX_REGIONS, .height = MAX_REGIONS};
    struct player_feedback *feedback = mem_calloc(1, sizeof(*feedback));

    if (!feedback)
        return;
    feedback->end = &feedback->first;
    client_chain_create(player->client, &desc, &feedback->scratch);
    player->feedback = feedback;
}

/* --- the shape of a texture ------------------------------------------------------------------- */

static struct player_surface *surface_of(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return (struct player_surface *)lcl; /* the first member */
}

static struct player_surface *map_next_level(const struct player_surface *level)
{
    for (ATTACHLIST *link = level->lcl.lpAttachList; link; link = link->lpLink) {
        struct player_surface *next = surface_of(link->lpAttached);
        if (next->more.ddsCapsEx.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL && next->gbl.wWidth <= level->gbl.wWidth)
            return next;
    }
    return NULL;
}

static unsigned map_face(const struct player_surface *surface)
{
    const DWORD bits = (surface->more.ddsCapsEx.dwCaps2 & DDSCAPS2_CUBEMAP_ALLFACES) / DDSCAPS2_CUBEMAP_POSITIVEX;

    return bits ? (unsigned)__builtin_ctz((unsigned)bits) : 0;
}

static unsigned collect_levels(struct player_surface *first, struct player_surface **parts)
{
    unsigned count = 0;

    for (struct player_surface *s = first; s && count < FEEDBACK_MAX_LEVELS; s = map_next_level(s)) {
        if (!s->alive)
            break;
        parts[count++] = s;
    }
    return count;
}

/* Levels and faces of the texture whose first part is `root`; false: not a texture's first part. */
static bool find_parts(struct player_surface *root, struct player_map *map)
{
    const DWORD caps2 = root->more.ddsCapsEx.dwCaps2;
    struct player_surface *level[FEEDBACK_MAX_LEVELS];

    if (!(root->lcl.ddsCaps.dwCaps & DDSCAPS_TEXTURE) || root->buffer || !root->alive ||
        caps2 & DDSCAPS2_MIPMAPSUBLEVEL || map_face(root) != 0)
        return false;
    map->report.faces = 1;
    map->report.levels = collect_levels(root, map->texture);
    for (ATTACHLIST *link = root->lcl.lpAttachList; link && caps2 & DDSCAPS2_CUBEMAP; link = link->lpLink) {
        struct player_surface *s = surface_of(link->lpAttached);
        const unsigned face = map_face(s);
        if (s->more.ddsCapsEx.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL || face == 0 || face > 5 ||
            collect_levels(s, level) != map->report.levels)
            continue;
        memcpy(&map->texture[face * map->report.levels], level, map->report.levels * sizeof(level[0]));
    }
    if (caps2 & DDSCAPS2_CUBEMAP)
        map->report.faces = 6;
    for (unsigned i = 0; i < map->report.faces * map->report.levels; i++)
        if (!map->texture[i])
            return false;
    return true;
}

/* --- making the map ------------------------------------------------------------------------------ */

static unsigned region_log2(unsigned side)
{
    unsigned log2 = DDI_FEEDBACK_MIN_LOG2;

    while (side >> log2 > MAX_REGIONS)
        log2++;
    return log2;
}

static const char *why_untracked(const struct player_map *map)
{
    return map->report.format == RASTER_FORMAT_NONE ? "format" : NULL;
}

static unsigned slices_of(const struct player_surface *part)
{
    const DDSCAPSEX *caps = &part->more.ddsCapsEx;
    const unsigned depth = caps->dwCaps2 & DDSCAPS2_VOLUME ? caps->dwCaps4 & 0xffff : 1;

    return depth ? depth : 1;
}

/* A copy of the texture's structures with another format, in video memory, unattached. */
static struct player_surface *copy_part(const struct player_surface *from, uint32_t fourcc)
{
    struct player_surface *part = mem_calloc(1, sizeof(*part));

    if (!part)
        return NULL;
    part->lcl = from->lcl;
    part->gbl = from->gbl;
    part->more = from->more;
    part->lcl.lpGbl = &part->gbl;
    part->lcl.lpSurfMore = &part->more;
    part->lcl.lpAttachList = NULL;
    part->lcl.dwReserved1 = 0;
    part->lcl.dwFlags |= DDRAWISURF_HASPIXELFORMAT;
    part->lcl.ddsCaps.dwCaps &= ~(DWORD)(DDSCAPS_SYSTEMMEMORY | DDSCAPS_3DDEVICE | DDSCAPS_ZBUFFER | DDSCAPS_FLIP);
    part->lcl.ddsCaps.dwCaps |= DDSCAPS_VIDEOMEMORY | DDSCAPS_LOCALVIDMEM;
    part->gbl.fpVidMem = 0;
    part->gbl.ddpfSurface =
        (DDPIXELFORMAT){.dwSize = sizeof(DDPIXELFORMAT), .dwFlags = DDPF_FOURCC, .dwFourCC = fourcc};
    part->more.ddsCapsEx.dwCaps3 = 0;
    part->more.dwSurfaceHandle = 0;
    return part;
}

static bool map_attach_parts(struct player_map *map)
{
    const unsigned levels = map->report.levels;

    for (unsigned i = 0; i < map->report.faces * levels; i++) {
        if (i % levels && !player_add_link(map->part[i - 1], map->part[i]))
            return false;
        if (i && i % levels == 0 && !player_add_link(map->part[0], map->part[i]))
            return false;
    }
    return true;
}

static bool make_map(struct player *player, struct player_map *map)
{
    const struct player_surface *top = map->texture[0];
    const unsigned width = region_log2(top->gbl.wWidth), height = region_log2(top->gbl.wHeight);
    const unsigned count = map->report.faces * map->report.levels;
    DDHAL_CREATESURFACEEXDATA data = {.lpDDLcl = &map->local->lcl};

    map->report.region_width = 1u << width;
    map->report.region_height = 1u << height;
    for (unsigned i = 0; i < count; i++) {
        map->part[i] = copy_part(map->texture[i], ddi_feedback_format(false, width, height));
        if (!map->part[i])
            return false;
    }
    map->part[0]->more.dwSurfaceHandle = map->handle;
    if (!map_attach_parts(map) || FAILED(player_create_surfaces(player, map->part, count)))
        return false;
    data.lpDDSLcl = &map->part[0]->lcl;
    return player->driver->misc2.CreateSurfaceEx(&data) == DDHAL_DRIVER_HANDLED && SUCCEEDED(data.ddRVal);
}

static void free_parts(struct player *player, struct player_map *map)
{
    for (unsigned i = 0; i < MAX_PARTS; i++) {
        DDHAL_DESTROYSURFACEDATA data = {.lpDDSurface = map->part[i] ? &map->part[i]->lcl : NULL};

        if (map->part[i] && map->part[i]->alive && player->driver->surface.DestroySurface) {
            data.lpDD = map->part[i]->gbl.lpDD;
            player->driver->surface.DestroySurface(&data);
        }
    }
    for (unsigned i = 0; i < MAX_PARTS; i++) {
        if (map->part[i])
            player_clear_links(map->part[i]);
        free(map->part[i]);
        map->part[i] = NULL;
    }
}

static HRESULT blt_surfaces(struct player *player, DDRAWI_DDRAWSURFACE_LCL *to, DDRAWI_DDRAWSURFACE_LCL *from,
                            uint32_t flags)
{
    DDHAL_BLTDATA data = {.lpDDDestSurface = to, .lpDDSrcSurface = from, .dwFlags = flags};

    data.rDest = (RECTL){0, 0, (LONG)to->lpGbl->wWidth, (LONG)to->lpGbl->wHeight};
    if (from)
        data.rSrc = (RECTL){0, 0, (LONG)from->lpGbl->wWidth, (LONG)from->lpGbl->wHeight};
    data.bltFX.dwSize = sizeof(data.bltFX);
    data.bltFX.dwROP = 0x00CC0020; /* SRCCOPY */
    player->driver->surface.Blt(&data);
    return data.ddRVal;
}

static void clear_map(struct player *player, struct player_map *map)
{
    blt_surfaces(player, &map->part[0]->lcl, NULL, DDBLT_COLORFILL);
}

static bool has_part(const struct player_map *map, uint32_t id)
{
    for (unsigned i = 0; i < map->report.faces * map->report.levels; i++)
        if (map->texture[i]->id == id)
            return true;
    return false;
}

/* The map of the texture that a surface is part of. */
static struct player_map *map_of(const struct player *player, uint32_t id)
{
    struct player_map *map = player->feedback->first;

    while (map && (map->gone || !has_part(map, id)))
        map = map->next;
    return map;
}

void player_feedback_announced(struct player *player, struct player_surface *root, struct player_local *local)
{
    struct player_feedback *feedback = player->feedback;
    const struct caps_format *format;
    struct player_map *map;

    if (feedback->count == MAX_MAPS || map_of(player, root->id))
        return;
    map = mem_calloc(1, sizeof(*map));
    format = caps_match_format(&root->gbl.ddpfSurface);
    if (!map || (format && format->format == RASTER_FORMAT_FEEDBACK) || !find_parts(root, map)) {
        free(map);
        return;
    }
    map->report.id = root->id;
    map->report.system_memory = root->system_memory;
    map->report.handle = root->more.dwSurfaceHandle;
    map->report.format = format ? format->format : RASTER_FORMAT_NONE;
    map->local = local;
    map->handle = FIRST_HANDLE - feedback->count++;
    for (unsigned l = 0; l < map->report.levels; l++) {
        map->report.level[l].width = map->texture[l]->gbl.wWidth;
        map->report.level[l].height = map->texture[l]->gbl.wHeight;
        map->report.level[l].slices = slices_of(map->texture[l]);
    }
    map->report.is_volume = root->more.ddsCapsEx.dwCaps2 & DDSCAPS2_VOLUME;
    map->report.untracked = why_untracked(map);
    if (!map->report.untracked && !make_map(player, map)) {
        free_parts(player, map);
        map->report.untracked = "too large";
    }
    if (!map->report.untracked)
        clear_map(player, map);
    *feedback->end = map;
    feedback->end = &map->next;
}

/* --- pairing ---------------------------------------------------------------------------------------- */

void player_feedback_before_draw(struct player *player, const struct player_context *context)
{
    for (struct player_map *map = player->feedback->first; map; map = map->next) {
        struct {
            D3DHAL_DP2COMMAND head;
            uint32_t texture, map;
        } command = {.head = {.bCommand = DP2OP_SETFEEDBACK}};
        D3DHAL_DRAWPRIMITIVES2DATA data = {.dwhContext = context->handle};

        if (map->paired || map->gone || map->report.untracked || map->local != context->local)
            continue;
        command.head.wPrimitiveCount = 1;
        command.texture = map->texture[0]->more.dwSurfaceHandle;
        command.map = map->handle;
        if (FAILED(player_put_commands(player, (const uint8_t *)&command, sizeof(command))))
            return;
        data.lpDDCommands = &client_part(player->commands, 0)->lcl;
        data.dwCommandLength = sizeof(command);
        player->driver->d3d3.DrawPrimitives2(&data);
        map->paired = true;
    }
}

/* --- reading -------------------------------------------------------------------------------------------- */

static void free_report(struct feedback_texture *report)
{
    for (unsigned face = 0; face < 6; face++) {
        for (unsigned l = 0; l < FEEDBACK_MAX_LEVELS; l++) {
            free(report->level[l].used[face]);
            report->level[l].used[face] = NULL;
        }
        free(report->texels[face]);
        report->texels[face] = NULL;
    }
}

/* A volume with room for the slices of a map. */
static struct client_chain *slices_for(struct player *player, unsigned count)
{
    struct player_feedback *feedback = player->feedback;
    const struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_VOLUME,
                                           .format = D3DFMT_L8,
                                           .width = MAX_REGIONS,
                                           .height = MAX_REGIONS,
                                           .depth = count};

    if (feedback->slices && client_part(feedback->slices, 0)->depth >= count)
        return feedback->slices;
    client_chain_destroy(feedback->slices);
    feedback->slices = NULL;
    client_chain_create(player->client, &desc, &feedback->slices);
    return feedback->slices;
}

static void map_read_level(struct player *player, struct player_map *map, unsigned face, unsigned l)
{
    struct feedback_level *level = &map->report.level[l];
    struct client_chain *chain = map->report.is_volume ? slices_for(player, level->slices) : player->feedback->scratch;
    struct client_surface *scratch = chain ? client_part(chain, 0) : NULL;
    struct client_lock lock;
    size_t size;

    level->columns = (level->width + map->report.region_width - 1) / map->report.region_width;
    level->rows = (level->height + map->report.region_height - 1) / map->report.region_height;
    size = (size_t)level->columns * level->rows;
    if (!scratch ||
        FAILED(blt_surfaces(player, &scratch->lcl, &map->part[face * map->report.levels + l]->lcl, DDBLT_ROP)) ||
        FAILED(client_lock(scratch, NULL, DDLOCK_READONLY, &lock)))
        return;
    level->used[face] = mem_calloc(level->slices, size);
    for (unsigned z = 0; level->used[face] && z < level->slices; z++)
        for (unsigned y = 0; y < level->rows; y++)
            memcpy(level->used[face] + z * size + y * level->columns, lock.bits + z * lock.slice_pitch + y * lock.pitch,
                   level->columns);
    client_unlock(scratch);
}

/* For pictures; palettes are grey. */
static void map_read_texels(struct player *player, struct player_map *map, unsigned face)
{
    struct player_surface *top = map->texture[face * map->report.levels];
    const unsigned width = top->gbl.wWidth, height = top->gbl.wHeight;
    const struct raster_format_info *info = raster_format_info(map->report.format);
    const size_t row_bytes = (width + info->block_width - 1u) / info->block_width * (size_t)info->block_bytes;
    const size_t rows = (height + info->block_height - 1u) / info->block_height;
    const unsigned slices = map->report.level[0].slices;
    size_t slice = (size_t)top->gbl.lPitch * rows;
    uint32_t palette[256], *texels;
    uint8_t *bits = NULL;

    for (unsigned i = 0; i < 256; i++)
        palette[i] = 0xff000000u | i * 0x010101u;
    if (info->kind == RASTER_KIND_NULL || !row_bytes || (size_t)top->gbl.lPitch < row_bytes ||
        FAILED(player_lock(player, top, DDLOCK_READONLY, &bits)))
        return;
    if (top->system_memory)
        bits = top->memory;
    if (slices > 1 && top->gbl.dwBlockSizeY > slice)
        slice = top->gbl.dwBlockSizeY;
    texels = bits ? mem_calloc((size_t)width * height * slices, sizeof(*texels)) : NULL;
    for (unsigned z = 0; texels && z < slices; z++)
        raster_decode(map->report.format, bits + z * slice, (size_t)top->gbl.lPitch,
                      texels + (size_t)z * width * height, (size_t)width * 4, width, height, palette);
    player_unlock(player, top);
    map->report.texels[face] = texels;
}

static void read_map(struct player *player, struct player_map *map)
{
    if (map->gone || map->report.untracked || !player->feedback->scratch)
        return;
    free_report(&map->report);
    for (unsigned face = 0; face < map->report.faces; face++) {
        for (unsigned l = 0; l < map->report.levels; l++)
            map_read_level(player, map, face, l);
        map_read_texels(player, map, face);
    }
}

void player_feedback_destroyed(struct player *player, uint32_t id)
{
    struct player_map *map = map_of(player, id);

    if (!map)
        return;
    read_map(player, map);
    map->gone = true;
    free_parts(player, map);
}

void player_clear_feedback(struct player *player)
{
    struct player_map **at = &player->feedback->first;

    while (*at) {
        struct player_map *map = *at;

        if (!map->gone) {
            if (!map->report.untracked)
                clear_map(player, map);
            at = &map->next;
            continue;
        }
        *at = map->next;
        free_report(&map->report);
        free(map);
    }
    player->feedback->end = at;
}

const struct feedback_texture *player_read_feedback(struct player *player)
{
    struct player_map *map = player->feedback->first;

    for (; map; map = map->next) {
        read_map(player, map);
        map->report.next = map->next ? &map->next->report : NULL;
    }
    return player->feedback->first ? &player->feedback->first->report : NULL;
}

void player_free_feedback(struct player *player)
{
    struct player_feedback *feedback = player->feedback;

    while (feedback && feedback->first) {
        struct player_map *map = feedback->first;

        feedback->first = map->next;
        free_parts(player, map);
        free_report(&map->report);
        free(map);
    }
    if (feedback) {
        client_chain_destroy(feedback->scratch);
        client_chain_destroy(feedback->slices);
    }
    free(feedback);
    player->feedback = NULL;
}
