/* SPDX-License-Identifier: MIT */
/* Feedback maps behind surfaces: pairing with textures, decode, encode, copy and clear as blits. */
#include "hal/feedback.h"

#include "ddi/feedback.h"
#include "hal/front.h"

#include <stdlib.h>
#include <string.h>

/* A map over the memory of its chain's parts, as that was when the map was made. */
struct hal_feedback {
    struct raster_feedback *map;
    struct raster_feedback_desc desc;
    struct feedback_plane planes[6 * RASTER_MAX_LEVELS]; /* [face * level_count + level] */
};

/* --- from a chain to its map ------------------------------------------------------------------ */

void hal_feedback_discard(struct hal_surface *top)
{
    if (!top->feedback)
        return;
    raster_feedback_destroy(top->feedback->map);
    free(top->feedback);
    top->feedback = NULL;
}

static void describe(const struct hal_surface *top, struct hal_feedback *out)
{
    bool min_mip;
    unsigned width, height;

    memset(out, 0, sizeof(*out));
    if (!ddi_feedback_parse(top->d3d_format, &min_mip, &width, &height))
        return;
    out->desc = (struct raster_feedback_desc){
        .kind = min_mip ? FEEDBACK_MIN_MIP : FEEDBACK_MIP_REGION_USED,
        .width = top->width,
        .height = top->height,
        .level_count = top->level_count,
        .layer_count = top->face_count == 6 ? 6 : 1,
        .region_width = 1u << width,
        .region_height = 1u << height,
    };
    for (unsigned face = 0; face < out->desc.layer_count; face++)
        for (unsigned level = 0; level < out->desc.level_count; level++) {
            const struct hal_surface *part = top->parts[face][level];

            /* rows and columns of regions fit the 4x4-texel blocks that the format counts in */
            out->planes[face * out->desc.level_count + level] = (struct feedback_plane){part->memory, part->pitch};
        }
}

static bool is_same(const struct hal_feedback *a, const struct hal_feedback *b)
{
    return !memcmp(&a->desc, &b->desc, sizeof(a->desc)) && !memcmp(a->planes, b->planes, sizeof(a->planes));
}

struct raster_feedback *hal_feedback_map(struct hal_surface *surface)
{
    struct hal_surface *top = surface->top;
    struct hal_feedback now;

    if (!hal_is_feedback(top) || !top->owns_memory || top->is_volume)
        return NULL;
    describe(top, &now);
    if (top->feedback && is_same(top->feedback, &now))
        return top->feedback->map;
    hal_feedback_discard(top);
    now.map = raster_feedback_create_over(&now.desc, now.planes);
    top->feedback = now.map ? mem_calloc(1, sizeof(now)) : NULL;
    if (!top->feedback) {
        raster_feedback_destroy(now.map);
        return NULL;
    }
    *top->feedback = now;
    return now.map;
}

/* --- beside a stage ----------------------------------------------------------------------------- */

static bool goes_with(struct hal_surface *map, const struct hal_surface *texture)
{
    if (map->width == texture->width && map->height == texture->height &&
        map->level_count == texture->level_count && map->face_count == texture->face_count && !texture->is_volume &&
        hal_feedback_map(map))
        return true;
    log_once(LOG_WARN, map->handle, "feedback map %u (%ux%u, %u levels) does not go with texture %u (%ux%u, %u levels)",
             (unsigned)map->handle, map->width, map->height, map->level_count, (unsigned)texture->handle,
             texture->width, texture->height, texture->level_count);
    return false;
}

struct hal_surface *hal_feedback_of(struct hal_context *context, unsigned stage, const struct hal_surface *texture)
{
    uint32_t handle = context->stage_state[stage][DDI_TSS_FEEDBACK];
    struct hal_surface *map;

    if (!handle)
        handle = texture->feedback_handle;
    if (!handle)
        return NULL;
    map = hal_handles_get(context->handles, handle);
    if (!map || !hal_is_feedback(map->top) || map->top == texture)
        return NULL;
    return goes_with(map->top, texture) ? map->top : NULL;
}

HRESULT hal_token_set_feedback(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        struct hal_surface *texture = hal_surface_of(context, dp2_read_u32(command->body + 8 * i));

        if (!texture) {
            log_warn("SETFEEDBACK: texture %u is unknown", (unsigned)dp2_read_u32(command->body + 8 * i));
            return DDERR_INVALIDPARAMS;
        }
        texture->top->feedback_handle = dp2_read_u32(command->body + 8 * i + 4);
        context->dirty |= HAL_DIRTY_TEXTURE;
    }
    return DD_OK;
}

/* --- decode, encode, copy, clear ------------------------------------------------------------------- */

/* R8_UINT in Direct3D 8's terms: one byte a texel. */
static bool is_bytes(const struct hal_surface *surface)
{
    const struct raster_format_info *info = raster_format_info(surface->format);

    return info->block_bytes == 1 && info->block_width == 1 && info->kind != RASTER_KIND_NULL && surface->memory &&
           surface->bytes;
}

static struct feedback_pixels pixels_of(const struct hal_surface *surface)
{
    return (struct feedback_pixels){surface->memory, surface->pitch, surface->width, surface->height};
}

static struct feedback_rect regions_of(const RECT *rect)
{
    return (struct feedback_rect){(unsigned)rect->left, (unsigned)rect->top, (unsigned)rect->right,
                                  (unsigned)rect->bottom};
}

static unsigned layer_of(const struct hal_surface *part)
{
    return part->top->face_count == 6 ? part->face : 0;
}

static void decode(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from)
{
    const struct raster_feedback *map = source->top->feedback->map;
    const struct feedback_pixels out = pixels_of(destination);
    const struct feedback_rect rect = regions_of(from);

    if (source->top->feedback->desc.kind == FEEDBACK_MIN_MIP)
        raster_feedback_decode_min_mip(map, layer_of(source), &out);
    else
        raster_feedback_decode_used(map, layer_of(source), source->level, &rect, (unsigned)to->left,
                                    (unsigned)to->top, &out);
}

static void encode(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from)
{
    struct raster_feedback *map = destination->top->feedback->map;
    const struct feedback_pixels in = pixels_of(source);
    const struct feedback_rect rect = regions_of(from);

    if (destination->top->feedback->desc.kind == FEEDBACK_MIN_MIP)
        raster_feedback_encode_min_mip(map, layer_of(destination), &in);
    else
        raster_feedback_encode_used(map, layer_of(destination), destination->level, (unsigned)to->left,
                                    (unsigned)to->top, &rect, &in);
}

static HRESULT copy(struct hal_surface *destination, struct hal_surface *source)
{
    struct raster_feedback *to = hal_feedback_map(destination);
    const struct raster_feedback *from = hal_feedback_map(source);

    if (to && from && raster_feedback_copy(to, from))
        return DD_OK;
    log_warn("blit from feedback map %u to %u: only whole maps of one shape are copied",
             (unsigned)source->top->handle, (unsigned)destination->top->handle);
    return DDERR_INVALIDPIXELFORMAT;
}

HRESULT hal_feedback_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from)
{
    HRESULT hr = DD_OK;

    hal_surface_acquire(source, false);
    hal_surface_acquire(destination, true);
    if (hal_is_feedback(destination) && hal_is_feedback(source))
        hr = copy(destination, source);
    else if (hal_is_feedback(source) && is_bytes(destination) && hal_feedback_map(source))
        decode(destination, to, source, from);
    else if (hal_is_feedback(destination) && is_bytes(source) && hal_feedback_map(destination))
        encode(destination, to, source, from);
    else
        hr = DDERR_INVALIDPIXELFORMAT;
    hal_surface_touch(destination);
    return hr;
}

HRESULT hal_feedback_clear(struct hal_surface *surface)
{
    struct raster_feedback *map = hal_feedback_map(surface);

    if (!map)
        return DDERR_INVALIDPIXELFORMAT;
    hal_surface_acquire(surface, true);
    raster_feedback_clear(map);
    hal_surface_touch(surface);
    return DD_OK;
}

/* --- commands of Direct3D programs ----------------------------------------------------------------- */

/* The map beside a stage; NULL: none. */
static struct hal_surface *map_beside(struct hal_context *context, unsigned stage)
{
    uint32_t handle = context->stage_state[stage][DDI_TSS_FEEDBACK];
    struct hal_surface *map = handle ? hal_surface_of(context, handle) : NULL;

    return map && hal_feedback_map(map) ? map->top : NULL;
}

/* Every part that both chains have, from the one to the other. */
static void resolve(struct hal_context *context, struct hal_surface *to, struct hal_surface *from,
                    const struct hal_surface *map)
{
    unsigned faces = BASE_MIN(to->face_count, from->face_count), levels = BASE_MIN(to->level_count, from->level_count);
    HRESULT hr = DD_OK;

    if (map->feedback->desc.kind == FEEDBACK_MIN_MIP)
        levels = 1;
    /* decoding spreads over level 0 once for each level */
    if (!raster_spend(context->raster, (uint64_t)map->width * map->height * faces))
        return;
    for (unsigned face = 0; face < faces; face++)
        for (unsigned level = 0; level < levels && SUCCEEDED(hr); level++) {
            struct hal_surface *out = to->parts[face][level], *in = from->parts[face][level];
            RECT out_rect = {0, 0, (LONG)out->width, (LONG)out->height};
            RECT in_rect = {0, 0, (LONG)in->width, (LONG)in->height};

            hr = hal_feedback_blt(out, &out_rect, in, &in_rect);
        }
    if (FAILED(hr))
        log_warn("feedback map %u: textures of format %u hold no decoded map, one byte a texel does",
                 (unsigned)map->handle, (unsigned)(to == map ? from : to)->d3d_format);
}

void hal_feedback_command(struct hal_context *context)
{
    const uint8_t setting = context->extension[HAL_EXTENSION_FEEDBACK];
    const unsigned stage = setting & 15u, command = 'A' + (setting >> 4);
    uint32_t handle = context->stage_state[stage][0];
    struct hal_surface *map, *texture;

    if (command == DDI_FEEDBACK_BIND) {
        context->stage_state[stage][DDI_TSS_FEEDBACK] = handle;
        context->dirty |= HAL_DIRTY_STAGE;
        return;
    }
    map = map_beside(context, stage);
    texture = handle ? hal_surface_of(context, handle) : NULL;
    if (!map || (command != DDI_FEEDBACK_CLEAR && !texture)) {
        log_warn("feedback command '%c' for stage %u: no %s there", (char)command, stage, map ? "texture" : "map");
        return;
    }
    if (command == DDI_FEEDBACK_CLEAR && raster_spend(context->raster, (uint64_t)map->width * map->height))
        hal_feedback_clear(map);
    else if (command == DDI_FEEDBACK_DECODE)
        resolve(context, texture->top, map, map);
    else if (command == DDI_FEEDBACK_ENCODE)
        resolve(context, map, texture->top, map);
}
