/* SPDX-License-Identifier: MIT */
/* Feedback maps as surfaces: pairing with textures, decode, encode, copy and clear as blits. */
#include "hal/resource/feedback.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "dp2/dp2.h"
#include "hal/dp2_fields.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/resources.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/work.h"
#include "raster/format/format.h"
#include "raster/sample/feedback.h"
#include "raster/sample/feedback_map.h"

#include <string.h>

/* --- bound to a sampler -------------------------------------------------------------------------- */

static bool halves_to(unsigned whole, unsigned level, unsigned size)
{
    return BASE_MAX(whole >> level, 1u) == size;
}

/* Is the texture the map's texture from a level on, up to some level? */
static bool is_part_of(const struct hal_texture *texture, const struct hal_texture *map, unsigned first)
{
    const struct hal_surface *whole = map->top, *part = texture->top;

    return texture->level_count + first <= map->level_count && halves_to(whole->width, first, part->width) &&
           halves_to(whole->height, first, part->height) && halves_to(whole->depth, first, part->depth);
}

static bool has_shape(const struct hal_texture *map, const struct hal_texture *texture, uint32_t mode)
{
    if (map->face_count != texture->face_count || map->top->is_volume != texture->top->is_volume)
        return false;
    if (mode != DDI_FEEDBACK_REQUESTS)
        return map->level_count == texture->level_count && is_part_of(texture, map, 0);
    for (unsigned first = 0; first < map->level_count; first++)
        if (is_part_of(texture, map, first))
            return true;
    return false;
}

/* A map that should exist but does not: out of memory. */
static bool has_map(struct hal_resources *resources, struct hal_texture *map)
{
    const bool there = hal_feedback_map(map) != NULL;

    if (!there && map->top->base.owns_memory)
        hal_work_lacks_memory(resources->work, "a feedback map");
    return there;
}

static bool goes_with(struct hal_resources *resources, struct hal_texture *map, const struct hal_texture *texture,
                      uint32_t mode)
{
    const struct hal_surface *a = map->top, *b = texture->top;

    if (has_shape(map, texture, mode))
        return has_map(resources, map);
    log_once(LOG_WARN, a->base.handle,
             "feedback map %u (%ux%u, %u levels) does not go with texture %u (%ux%u, %u levels)",
             (unsigned)a->base.handle, a->width, a->height, map->level_count, (unsigned)b->base.handle, b->width,
             b->height, texture->level_count);
    return false;
}

struct hal_texture *hal_feedback_of(const struct hal_state *state, struct hal_resources *resources, unsigned row,
                                    const struct hal_texture *texture)
{
    const uint32_t *t = state->stage_state[row];
    const uint32_t mode = hal_feedback_mode(t);
    uint32_t handle = t[D3D_TSS_FEEDBACK];
    struct hal_texture *map;

    if (!handle && texture)
        handle = texture->feedback_handle;
    if (!handle || (!texture && mode != DDI_FEEDBACK_WRITES))
        return NULL;
    map = hal_texture_of(resources, handle);
    if (!map || !hal_is_feedback(map->top) || map == texture)
        return NULL;
    if (mode == DDI_FEEDBACK_WRITES)
        return has_map(resources, map) ? map : NULL;
    return goes_with(resources, map, texture, mode) ? map : NULL;
}

/* --- decode, encode, copy, clear ------------------------------------------------------------------- */

/* R8_UINT in Direct3D 8's terms: one byte a texel. */
static bool is_bytes(const struct hal_surface *surface)
{
    const struct raster_format_info *info = raster_format_info(surface->format);

    return info->block_bytes == 1 && info->block_width == 1 && info->kind != RASTER_KIND_NULL && surface->base.memory &&
           surface->base.bytes;
}

static struct feedback_pixels pixels_of(const struct hal_surface *surface, unsigned slice)
{
    return (struct feedback_pixels){surface->base.memory + slice * surface->slice_pitch, surface->pitch, surface->width,
                                    surface->height};
}

static struct feedback_rect feedback_regions(const RECT *rect)
{
    return (struct feedback_rect){(unsigned)rect->left, (unsigned)rect->top, (unsigned)rect->right,
                                  (unsigned)rect->bottom};
}

/* Layers of a part of a map that go to or from slices of `bytes`, from *first on. */
static unsigned layers_of(const struct hal_surface *part, const struct hal_surface *bytes, unsigned *first)
{
    const struct hal_feedback *f = part->texture->feedback;

    *first = f->desc.cube ? part->face : 0;
    if (!f->desc.depth)
        return 1;
    return BASE_MIN(raster_feedback_layers(f->map, f->desc.kind == FEEDBACK_MIN_MIP ? 0 : part->level), bytes->depth);
}

static void decode(struct hal_surface *destination, const RECT *to, const struct hal_surface *source, const RECT *from)
{
    const struct raster_feedback *map = source->texture->feedback->map;
    const struct feedback_rect rect = feedback_regions(from);
    unsigned first, count = layers_of(source, destination, &first);

    for (unsigned i = 0; i < count; i++) {
        const struct feedback_pixels out = pixels_of(destination, i);

        if (source->texture->feedback->desc.kind == FEEDBACK_MIN_MIP)
            raster_feedback_decode_min_mip(map, first + i, &out);
        else
            raster_feedback_decode_used(map, first + i, source->level, &rect, (unsigned)to->left, (unsigned)to->top,
                                        &out);
    }
}

static void feedback_encode(struct hal_surface *destination, const RECT *to, const struct hal_surface *source,
                            const RECT *from)
{
    struct raster_feedback *map = destination->texture->feedback->map;
    const struct feedback_rect rect = feedback_regions(from);
    unsigned first, count = layers_of(destination, source, &first);

    for (unsigned i = 0; i < count; i++) {
        const struct feedback_pixels in = pixels_of(source, i);

        if (destination->texture->feedback->desc.kind == FEEDBACK_MIN_MIP)
            raster_feedback_encode_min_mip(map, first + i, &in);
        else
            raster_feedback_encode_used(map, first + i, destination->level, (unsigned)to->left, (unsigned)to->top,
                                        &rect, &in);
    }
}

static HRESULT copy(struct hal_surface *destination, struct hal_surface *source)
{
    struct raster_feedback *to = hal_feedback_map(hal_surface_texture(destination));
    const struct raster_feedback *from = hal_feedback_map(hal_surface_texture(source));

    if (to && from && raster_feedback_copy(to, from))
        return DD_OK;
    log_warn("blit from feedback map %u to %u: only whole maps of one shape are copied",
             (unsigned)hal_surface_top(source)->base.handle, (unsigned)hal_surface_top(destination)->base.handle);
    return DDERR_INVALIDPIXELFORMAT;
}

HRESULT hal_feedback_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from)
{
    HRESULT hr = DD_OK;

    hal_surface_acquire(source, false, HAL_FLUSH_FEEDBACK);
    hal_surface_acquire(destination, true, HAL_FLUSH_FEEDBACK);
    if (hal_is_feedback(destination) && hal_is_feedback(source))
        hr = copy(destination, source);
    else if (hal_is_feedback(source) && is_bytes(destination) && hal_feedback_map(hal_surface_texture(source)))
        decode(destination, to, source, from);
    else if (hal_is_feedback(destination) && is_bytes(source) && hal_feedback_map(hal_surface_texture(destination)))
        feedback_encode(destination, to, source, from);
    else
        hr = DDERR_INVALIDPIXELFORMAT;
    hal_surface_touch(destination);
    return hr;
}

HRESULT hal_feedback_clear(struct hal_surface *surface)
{
    struct hal_texture *texture = hal_surface_texture(surface);
    struct raster_feedback *map = hal_feedback_map(texture);

    if (!map)
        return DDERR_INVALIDPIXELFORMAT;
    if (hal_feedback_queue_clear(texture))
        return DD_OK;
    hal_surface_acquire(surface, true, HAL_FLUSH_FEEDBACK);
    raster_feedback_clear(map);
    hal_surface_touch(surface);
    return DD_OK;
}

/* Copies every part that both chains have. */
static HRESULT feedback_resolve(struct hal_texture *to, struct hal_texture *from, const struct hal_texture *map)
{
    unsigned faces = BASE_MIN(to->face_count, from->face_count), levels = BASE_MIN(to->level_count, from->level_count);
    HRESULT hr = DD_OK;

    if (map->feedback->desc.kind == FEEDBACK_MIN_MIP)
        levels = 1;
    for (unsigned face = 0; face < faces; face++)
        for (unsigned level = 0; level < levels && SUCCEEDED(hr); level++) {
            struct hal_surface *out = to->parts[face][level], *in = from->parts[face][level];
            RECT out_rect = {0, 0, (LONG)out->width, (LONG)out->height};
            RECT in_rect = {0, 0, (LONG)in->width, (LONG)in->height};

            hr = hal_feedback_blt(out, &out_rect, in, &in_rect);
        }
    return hr;
}

static void say_what_is_lost(const struct hal_texture *bytes, const struct hal_texture *map)
{
    const struct raster_feedback *regions = map->feedback->map;
    const unsigned levels = map->feedback->desc.kind == FEEDBACK_MIN_MIP ? 1 : map->level_count;

    for (unsigned level = 0; level < BASE_MIN(levels, bytes->level_count); level++) {
        const struct hal_surface *part = bytes->parts[0][level];

        if (part->width < raster_feedback_columns(regions, level) ||
            part->height < raster_feedback_rows(regions, level) ||
            (map->top->is_volume && part->depth < raster_feedback_layers(regions, level)))
            log_once(LOG_WARN, map->top->base.handle,
                     "feedback map %u: level %u has %ux%u regions, texture %u holds %ux%u of them (see "
                     "ddi_feedback_decoded_side)",
                     (unsigned)map->top->base.handle, level, raster_feedback_columns(regions, level),
                     raster_feedback_rows(regions, level), (unsigned)bytes->top->base.handle, part->width,
                     part->height);
    }
}

bool hal_feedback_decode(struct hal_texture *bytes, struct hal_texture *map)
{
    if (!hal_feedback_map(map) || !hal_feedback_takes(bytes->top))
        return false;
    say_what_is_lost(bytes, map);
    return SUCCEEDED(feedback_resolve(bytes, map, map));
}

bool hal_feedback_encode(struct hal_texture *map, struct hal_texture *bytes)
{
    return hal_feedback_map(map) && hal_feedback_takes(bytes->top) && SUCCEEDED(feedback_resolve(map, bytes, map));
}

bool hal_feedback_takes(const struct hal_surface *bytes)
{
    return !hal_is_feedback(bytes) && is_bytes(bytes);
}
