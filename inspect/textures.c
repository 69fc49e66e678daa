/* SPDX-License-Identifier: MIT */
/* The textures of a frame: which draws use each, and the texels of a level. */
#include "inspect/textures.h"

#include "base/base.h"
#include "caps/caps.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "replay/palette.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SIDE 32768u /* texels; this driver has no larger surfaces */

/* --- which there are ------------------------------------------------------------------------------- */

static struct player_surface *textures_attached(const ATTACHLIST *link)
{
    return (struct player_surface *)link->lpAttached; /* the first member */
}

static struct player_surface *textures_next_level(const struct player_surface *level)
{
    for (const ATTACHLIST *link = level->lcl.lpAttachList; link; link = link->lpLink) {
        struct player_surface *next = textures_attached(link);

        if (next->more.ddsCapsEx.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL && next->gbl.wWidth <= level->gbl.wWidth &&
            next->alive)
            return next;
    }
    return NULL;
}

static unsigned textures_face(const struct player_surface *surface)
{
    const DWORD bits = (surface->more.ddsCapsEx.dwCaps2 & DDSCAPS2_CUBEMAP_ALLFACES) / DDSCAPS2_CUBEMAP_POSITIVEX;

    return bits ? (unsigned)__builtin_ctz((unsigned)bits) : 0;
}

static bool textures_is_first(const struct player_surface *surface)
{
    const DWORD caps2 = surface->more.ddsCapsEx.dwCaps2;

    return surface->alive && !surface->buffer && !(caps2 & DDSCAPS2_MIPMAPSUBLEVEL) &&
           (!(caps2 & DDSCAPS2_CUBEMAP) || textures_face(surface) == 0);
}

/* Levels that one surface holds: of lightweight MIP maps all of them. */
static unsigned textures_light_levels(const struct player_surface *surface)
{
    const bool light = surface->more.ddsCapsEx.dwCaps3 & DDSCAPS3_LIGHTWEIGHTMIPMAP;

    return light && surface->more.dwMipMapCount ? surface->more.dwMipMapCount : 1;
}

/* Levels of a face; 0: another number of them than the first one has. */
static unsigned textures_add_face(struct inspect_texture *texture, struct player_surface *first, unsigned face)
{
    uint32_t part[INSPECT_MAX_LEVELS];
    uint64_t bytes = 0;
    unsigned count = 0;

    for (struct player_surface *s = first; s && count < INSPECT_MAX_LEVELS; s = textures_next_level(s)) {
        bytes += s->bytes;
        part[count++] = s->id;
    }
    if (textures_light_levels(first) > 1)
        for (count = 0; count < textures_light_levels(first) && count < INSPECT_MAX_LEVELS; count++)
            part[count] = first->id;
    if (face && count != texture->levels)
        return 0;
    memcpy(&texture->part[face * count], part, count * sizeof(part[0]));
    texture->bytes += bytes;
    return count;
}

static void textures_describe(struct inspect_texture *texture, const struct player *player, struct player_surface *root)
{
    const DWORD caps = root->lcl.ddsCaps.dwCaps, caps2 = root->more.ddsCapsEx.dwCaps2;
    const struct caps_format *format = caps_match_format(&root->gbl.ddpfSurface);
    unsigned faces = 1;

    *texture = (struct inspect_texture){.surface = root->id,
                                        .handle = (uint32_t)root->more.dwSurfaceHandle,
                                        .is_texture = caps & DDSCAPS_TEXTURE,
                                        .is_cube = caps2 & DDSCAPS2_CUBEMAP,
                                        .is_volume = caps2 & DDSCAPS2_VOLUME,
                                        .is_target = caps & DDSCAPS_3DDEVICE,
                                        .is_depth = caps & DDSCAPS_ZBUFFER,
                                        .is_system = root->system_memory,
                                        .width = root->gbl.wWidth,
                                        .height = root->gbl.wHeight,
                                        .depth = 1,
                                        .faces = 1};

    if (format) {
        texture->d3d_format = format->d3d_format;
        texture->layout = format->format;
    } else if (root->gbl.ddpfSurface.dwFlags & (DDPF_D3DFORMAT | DDPF_FOURCC)) {
        texture->d3d_format = root->gbl.ddpfSurface.dwFourCC;
    }
    if (texture->is_volume && root->more.ddsCapsEx.dwCaps4 & 0xffff)
        texture->depth = root->more.ddsCapsEx.dwCaps4 & 0xffff;
    if (player_index_bytes(&root->gbl.ddpfSurface))
        texture->palette = player_shown_palette(player, root);
    texture->levels = textures_add_face(texture, root, 0);
    for (const ATTACHLIST *link = root->lcl.lpAttachList; link && texture->is_cube; link = link->lpLink) {
        struct player_surface *s = textures_attached(link);
        const unsigned face = textures_face(s);

        if (face > 0 && face < INSPECT_MAX_FACES && !(s->more.ddsCapsEx.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL) && s->alive)
            faces += textures_add_face(texture, s, face) != 0;
    }
    texture->faces = faces == INSPECT_MAX_FACES ? faces : 1;
}

/* --- who uses them --------------------------------------------------------------------------------- */

struct textures_uses {
    const struct inspect *session;
    struct inspect_textures *textures;
    struct inspect_texture **of_surface; /* by surface; NULL: none */
    uint32_t limit;
    bool failed;
};

static void textures_use(struct textures_uses *uses, uint32_t surface, uint32_t draw, uint32_t how)
{
    struct inspect_texture *texture = surface < uses->limit ? uses->of_surface[surface] : NULL;
    struct inspect_texture_use *bigger;

    if (!texture)
        return;
    if (texture->use_count && texture->uses[texture->use_count - 1].draw == draw) {
        texture->uses[texture->use_count - 1].how |= how;
        return;
    }
    if (texture->use_count == texture->use_capacity) {
        bigger = mem_realloc(texture->uses, 2 * texture->use_capacity + 16, sizeof(*bigger));
        if (!bigger) {
            uses->failed = true;
            return;
        }
        texture->uses = bigger;
        texture->use_capacity = 2 * texture->use_capacity + 16;
    }
    texture->uses[texture->use_count++] = (struct inspect_texture_use){draw, how};
}

/* The surfaces that the call itself names. */
static void textures_see_call(struct textures_uses *uses, const struct inspect_draw *draw)
{
    const struct capture_event *event = &uses->session->index.events.list[draw->action.event];

    if (event->type == CAPTURE_BLT) {
        const struct capture_blt *blt = (const void *)event->data;

        textures_use(uses, blt->source, draw->place.draw, INSPECT_USE_SOURCE);
        textures_use(uses, blt->destination, draw->place.draw, INSPECT_USE_DESTINATION);
    } else if (event->type == CAPTURE_FLIP) {
        const struct capture_flip *flip = (const void *)event->data;

        textures_use(uses, flip->current, draw->place.draw, INSPECT_USE_FLIPPED);
        textures_use(uses, flip->target, draw->place.draw, INSPECT_USE_FLIPPED);
    }
}

static bool textures_see_draw(void *user, const struct inspect_draw *draw)
{
    struct textures_uses *uses = user;

    textures_see_call(uses, draw);
    if (draw->action.kind != INSPECT_DRAW && draw->action.kind != INSPECT_CLEAR)
        return true;
    for (unsigned i = 0; i < draw->texture_count; i++)
        textures_use(uses, draw->texture[i].surface, draw->place.draw, INSPECT_USE_TEXTURE);
    for (unsigned i = 0; i < HAL_INSPECT_TARGETS; i++)
        textures_use(uses, draw->target[i], draw->place.draw, INSPECT_USE_TARGET);
    textures_use(uses, draw->depth, draw->place.draw, INSPECT_USE_DEPTH);
    return !uses->failed;
}

static bool textures_list(struct inspect *session, struct inspect_textures *textures)
{
    struct player *player = inspect_player(session);

    for (uint32_t id = 1; id < player->surface_capacity; id++) {
        struct player_surface *surface = player_surface_of(player, id);
        struct inspect_texture *bigger;

        if (!surface || !textures_is_first(surface))
            continue;
        if (textures->count == textures->capacity) {
            bigger = mem_realloc(textures->list, 2 * textures->capacity + 64, sizeof(*bigger));
            if (!bigger)
                return false;
            textures->list = bigger;
            textures->capacity = 2 * textures->capacity + 64;
        }
        textures_describe(&textures->list[textures->count++], player, surface);
    }
    return true;
}

static bool textures_go_to_end(struct inspect *session, struct capture_error *error)
{
    return inspect_seek(session, inspect_action_count(session), error) && inspect_finish(session, error);
}

/* Lists the surfaces at the end of the frame, and plays it once more to record their uses. */
bool inspect_textures(struct inspect *session, struct inspect_textures *textures, struct capture_error *error)
{
    struct textures_uses uses = {.session = session, .textures = textures};
    bool done;

    *textures = (struct inspect_textures){0};
    if (!textures_go_to_end(session, error))
        return false;
    uses.limit = inspect_player(session)->surface_capacity;
    uses.of_surface = mem_calloc((size_t)uses.limit + 1, sizeof(struct inspect_texture *));
    done = uses.of_surface && textures_list(session, textures);
    for (size_t i = 0; done && i < textures->count; i++) {
        struct inspect_texture *texture = &textures->list[i];

        for (unsigned p = 0; p < texture->faces * texture->levels; p++)
            if (texture->part[p] < uses.limit)
                uses.of_surface[texture->part[p]] = texture;
    }
    if (!done)
        inspect_no_memory(error);
    else if (inspect_action_count(session))
        done = inspect_draws(session, textures_see_draw, &uses, error) && textures_go_to_end(session, error);
    if (done && uses.failed)
        done = inspect_no_memory(error);
    free(uses.of_surface);
    return done;
}

void inspect_textures_free(struct inspect_textures *textures)
{
    for (size_t i = 0; i < textures->count; i++)
        free(textures->list[i].uses);
    free(textures->list);
    *textures = (struct inspect_textures){0};
}

/* --- what they hold -------------------------------------------------------------------------------- */

/* Where the level lies in the memory of its surface. */
static struct hal_inspect_level textures_place(const struct inspect_texture *texture,
                                               const struct player_surface *surface, unsigned level)
{
    const struct hal_resource *driver = hal_inspect_find_resource(&surface->lcl);
    struct hal_inspect_level place = {.width = surface->gbl.wWidth,
                                      .height = surface->gbl.wHeight,
                                      .pitch = (size_t)BASE_MAX(surface->gbl.lPitch, 0),
                                      .slice_pitch = texture->is_volume ? surface->gbl.dwBlockSizeY : 0};

    if (textures_light_levels(surface) > 1 && (!driver || !hal_inspect_level(driver, level, &place)))
        place.width = 0;
    return place;
}

/* Copies rows of blocks of one slice, if they lie inside the surface's memory. */
static bool textures_copy_rows(struct inspect_level *out, const struct player_surface *surface,
                               const struct hal_inspect_level *place, const uint8_t *bits, size_t bytes, unsigned slice,
                               struct capture_error *error)
{
    const uint64_t pitch = place->pitch, first = place->offset + (slice ? (uint64_t)place->slice_pitch * slice : 0);

    if (pitch > INT32_MAX || first > bytes || (out->row_count - 1) * pitch + out->row_bytes > bytes - first)
        return inspect_fail(error, "surface %u has too little memory", (unsigned)surface->id);
    out->rows = mem_alloc(out->row_count, out->row_bytes, 0);
    for (unsigned y = 0; out->rows && y < out->row_count; y++)
        memcpy(out->rows + y * out->row_bytes, bits + first + y * pitch, out->row_bytes);
    return out->rows || inspect_no_memory(error);
}

static bool textures_decode(struct inspect *session, struct inspect_level *out, const struct player_surface *surface,
                            enum raster_format layout, struct capture_error *error)
{
    uint32_t colors[CAPTURE_PALETTE_ENTRIES];

    player_colors(inspect_player(session), surface, colors);
    out->pixels = mem_calloc((size_t)out->width * out->height, sizeof(*out->pixels));
    if (out->pixels)
        raster_decode(layout, out->rows, out->row_bytes, out->pixels, out->width * sizeof(*out->pixels), out->width,
                      out->height, colors);
    return out->pixels || inspect_no_memory(error);
}

/* The picture of a depth buffer: black is its least depth, white its greatest. True without a picture if the surface
 * has none. */
static bool textures_grab_depth(struct inspect *session, struct inspect_level *out, uint32_t surface,
                                struct capture_error *error)
{
    struct player_depths depths;
    struct player_picture picture;
    struct capture_error why = {0};

    if (!player_depth_range(inspect_player(session), surface, &depths, &why) || !(depths.least < depths.greatest))
        depths = (struct player_depths){0, 1};
    if (player_grab_surface(inspect_player(session), surface, &depths, &picture, &why))
        out->pixels = picture.pixels;
    return out->pixels || !inspect_lacks_memory(&why) || inspect_no_memory(error);
}

bool inspect_texture_level(struct inspect *session, const struct inspect_texture *texture, unsigned face,
                           unsigned level, unsigned slice, struct inspect_level *out, struct capture_error *error)
{
    const uint32_t id = texture->part[face * texture->levels + level];
    const struct player_surface *surface = player_surface_of(inspect_player(session), id);
    const struct raster_format_info *info = raster_format_info(texture->layout);
    uint8_t *data;
    size_t bytes;
    bool done;

    struct hal_inspect_level place = {.width = 0};

    *out = (struct inspect_level){.slices = BASE_MAX(texture->depth >> level, 1u)};
    if (surface)
        place = textures_place(texture, surface, level);
    if (!place.width || !place.height || place.width > MOST_SIDE)
        return inspect_fail(error, "surface %u does not exist", (unsigned)id);
    out->width = place.width;
    out->height = place.height;
    if (texture->layout == RASTER_FORMAT_NONE || !info->block_bytes || slice >= out->slices)
        return inspect_fail(error, "surface %u has a format that cannot be shown", (unsigned)id);
    out->row_count = (unsigned)raster_format_rows(texture->layout, out->height);
    out->row_bytes =
        info->kind == RASTER_KIND_PLANAR ? place.pitch : (size_t)raster_format_row_bytes(texture->layout, out->width);
    if (!inspect_read_surface(session, id, &data, &bytes, error))
        return false;
    done = textures_copy_rows(out, surface, &place, data, bytes, slice, error);
    free(data);
    if (!done)
        return false;
    if (info->kind == RASTER_KIND_DEPTH && place.offset)
        return true; /* pictures of depth are of whole surfaces */
    return info->kind == RASTER_KIND_DEPTH ? textures_grab_depth(session, out, id, error)
                                           : textures_decode(session, out, surface, texture->layout, error);
}

void inspect_level_free(struct inspect_level *level)
{
    free(level->pixels);
    free(level->rows);
    *level = (struct inspect_level){0};
}
