/* SPDX-License-Identifier: MIT */
/*
 * The sampler's view of a texture: 32-bit colours and four floats or halves are read in place; all others are decoded
 * to words or floats, level by level when they are sampled, and again only when the level or its palette has changed.
 * Cube faces must be contiguous in memory, so cubes are always copied. A texture that a draw both reads and draws to is
 * copied, too: the draw reads the previous contents, in whatever order the threads draw pixels.
 */
#include "hal/resource/texture.h"

#include "base/base.h"
#include "base/digest.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/resource/color_key.h"
#include "hal/resource/feedback.h"
#include "hal/resource/palette.h"
#include "hal/resource/surface.h"
#include "hal/scene.h"
#include "hal/work.h"
#include "raster/format/format.h"
#include "raster/sample/sample.h"

#include <string.h>

/* Maximum words of one level: the sampler's indices have 32 bits, and address space is limited. */
#define MAX_WORDS BASE_MIN((uint64_t)INT32_MAX, (uint64_t)(SIZE_MAX / 8))

static const struct raster_format_info *texture_format_info(const struct hal_surface *surface)
{
    return raster_format_info(surface->format);
}

/* Depth can be read from textures, not from other depth buffers. */
static bool can_sample(const struct hal_surface *surface)
{
    unsigned kind = texture_format_info(surface)->kind;
    return kind != RASTER_KIND_NONE && kind != RASTER_KIND_NULL && kind != RASTER_KIND_FEEDBACK &&
           surface->base.bytes && (kind != RASTER_KIND_DEPTH || surface->base.kind & HAL_SURFACE_TEXTURE);
}

static bool has_palette(const struct hal_surface *surface)
{
    return texture_format_info(surface)->kind == RASTER_KIND_PALETTE;
}

/* Words of a texel that the sampler reads in place; 0: it is decoded. */
static unsigned words_in_place(enum raster_format format)
{
    switch (format) {
    case RASTER_FORMAT_A8R8G8B8:
    case RASTER_FORMAT_X8R8G8B8:
        return 1;
    case RASTER_FORMAT_A16B16G16R16F:
        return 2;
    case RASTER_FORMAT_A32B32G32R32F:
        return 4;
    default:
        return 0;
    }
}

static bool part_reads_in_place(const struct hal_surface *top, const struct hal_surface *part)
{
    const size_t bytes = 4 * (size_t)words_in_place(top->format);

    return bytes && part->base.owns_memory && part->pitch % bytes == 0 && part->slice_pitch % bytes == 0;
}

/* All levels or none, because the sampler reads texels of one form. */
static bool reads_in_place(const struct hal_surface *top)
{
    if (top->viewed_apart || top->viewed_key.set || top->face_count == 6)
        return false;
    for (unsigned i = 0; i < top->level_count; i++)
        if (!part_reads_in_place(top, top->parts[0][i]))
            return false;
    return true;
}

static void view_in_place(struct raster_texture_level *level, const struct hal_surface *part)
{
    const size_t bytes = 4 * (size_t)words_in_place(part->format);

    level->texels = (const uint32_t *)part->base.memory;
    level->pitch = (uint32_t)(part->pitch / bytes);
    level->slice = (uint32_t)(part->slice_pitch / bytes);
}

/* Words of a texel in the sampler's form. */
static size_t texel_words(enum raster_format format)
{
    return raster_format_info(format)->kind == RASTER_KIND_WIDE ? 4 : 1;
}

static void decode_part(const struct hal_surface *part, uint32_t *texels, const uint32_t *palette)
{
    size_t words = texel_words(part->format);
    size_t pitch = part->width * words, slice = pitch * part->height;
    for (unsigned z = 0; z < part->depth; z++) {
        const uint8_t *source = part->base.memory + z * part->slice_pitch;
        if (words == 4)
            raster_decode_wide(part->format, source, part->pitch, (float *)(texels + z * slice), pitch * 4, part->width,
                               part->height, NULL);
        else if (texture_format_info(part)->kind == RASTER_KIND_DEPTH)
            raster_decode_depth(part->format, source, part->pitch, (float *)(texels + z * slice), pitch * 4,
                                part->width, part->height);
        else
            raster_decode(part->format, source, part->pitch, texels + z * slice, pitch * 4, part->width, part->height,
                          palette);
    }
}

/* Brings one decoded level up to date; all faces of it. again: palette or key have changed. A stream that alternately
 * changes and reads a texture pays for the decoding. */
static bool view_decoded(struct hal_context *context, struct hal_surface *top, unsigned index, const uint32_t *palette,
                         bool again)
{
    struct raster_texture_level *level = &top->texture->level[index];
    unsigned faces = top->face_count == 6 ? 6 : 1;
    size_t slice = (size_t)level->width * level->height;
    size_t words = texel_words(top->format);

    if (!top->decoded[index]) {
        uint64_t size = (uint64_t)slice * level->depth * faces * words;
        if (size > MAX_WORDS)
            return false;
        top->decoded[index] = mem_alloc_aligned((size_t)size * 4);
        if (!top->decoded[index])
            return false;
        for (unsigned face = 0; face < faces; face++)
            top->decoded_version[face][index] = 0;
    }
    for (unsigned face = 0; face < faces; face++) {
        const struct hal_surface *part = top->parts[face][index];
        uint32_t *texels = top->decoded[index] + face * slice * level->depth * words;
        if (top->decoded_version[face][index] == part->base.version && !again)
            continue;
        hal_work_spend(context, slice * level->depth, HAL_WORK_CONVERT);
        decode_part(part, texels, palette);
        if (top->viewed_key.set)
            hal_color_key_cut(part, &top->viewed_key, texels);
        top->decoded_version[face][index] = part->base.version;
    }
    level->texels = top->decoded[index];
    level->pitch = level->width;
    level->slice = (uint32_t)slice;
    return true;
}

static enum raster_texture_kind texture_kind(const struct hal_surface *top)
{
    if (top->face_count == 6)
        return RASTER_TEXTURE_CUBE;
    return top->is_volume ? RASTER_TEXTURE_VOLUME : RASTER_TEXTURE_2D;
}

/* The FOURCCs give depth itself, as ATI's and later NVIDIA's cards had it; Direct3D's own formats are compared, as
 * on NVIDIA's since the GeForce 3. */
static enum raster_depth_read depth_read(const struct hal_surface *top)
{
    if (texture_format_info(top)->kind != RASTER_KIND_DEPTH)
        return RASTER_DEPTH_NONE;
    switch (top->d3d_format) {
    case MAKEFOURCC('I', 'N', 'T', 'Z'):
        return RASTER_DEPTH_ALL;
    case MAKEFOURCC('D', 'F', '1', '6'):
    case MAKEFOURCC('D', 'F', '2', '4'):
        return RASTER_DEPTH_RED;
    default:
        return RASTER_DEPTH_COMPARED;
    }
}

/* Does the context draw to a part of the texture? */
static bool texture_is_target(const struct hal_context *context, const struct hal_surface *top)
{
    if ((context->target && context->target->top == top) || (context->depth && context->depth->top == top))
        return true;
    for (unsigned i = 0; i < ARRAY_COUNT(context->more_targets); i++)
        if (context->more_targets[i] && context->more_targets[i]->top == top)
            return true;
    return false;
}

static bool update_view(struct hal_context *context, struct hal_surface *top, const uint32_t *palette, bool again)
{
    struct raster_texture *texture = top->texture;
    const bool in_place = reads_in_place(top);

    texture->kind = texture_kind(top);
    texture->opaque = !hal_texture_has_alpha(top) && !top->viewed_key.set;
    texture->is_signed = texture_format_info(top)->kind == RASTER_KIND_SIGNED;
    texture->is_wide = texture_format_info(top)->kind == RASTER_KIND_WIDE;
    texture->is_half = in_place && top->format == RASTER_FORMAT_A16B16G16R16F;
    texture->depth = depth_read(top);
    texture->level_count = 0;
    for (unsigned i = 0; i < top->level_count; i++) {
        const struct hal_surface *part = top->parts[0][i];
        struct raster_texture_level *level = &texture->level[i];
        if (!part->base.memory || !part->base.bytes)
            break;
        level->width = part->width;
        level->height = part->height;
        level->depth = part->depth;
        if (in_place)
            view_in_place(level, part);
        else if (!view_decoded(context, top, i, palette, again))
            return false;
        texture->level_count = i + 1;
    }
    return texture->level_count > 0;
}

/* Flushes the scenes that use the chain: draws to a level must finish before it is read, and the sampler's copy must
 * not change while a scene uses it. */
static void flush_users(struct hal_surface *top)
{
    for (unsigned face = 0; face < top->face_count; face++)
        for (unsigned level = 0; level < top->level_count; level++) {
            struct hal_surface *part = top->parts[face][level];
            if (part && part->pending && part->pending_write)
                hal_scene_flush_surface(part, HAL_FLUSH_TEXTURE);
        }
    if (top->pending)
        hal_scene_flush_surface(top, HAL_FLUSH_TEXTURE);
}

/* Programs write textures in system memory without a call to the driver (D3DDEVCAPS_TEXTURESYSTEMMEMORY), though not
 * during a call: once per call their contents are digested, and a level with a different digest has changed. */
static void look_at_system_memory(struct hal_surface *top, struct hal_context *context)
{
    if (top->looked_in_call == context->driver->calls)
        return;
    top->looked_in_call = context->driver->calls;
    for (unsigned face = 0; face < top->face_count; face++)
        for (unsigned level = 0; level < top->level_count; level++) {
            struct hal_surface *part = top->parts[face][level];
            if (!part || part->base.owns_memory || !part->base.memory)
                continue;
            const uint64_t digest = digest_of(part->base.memory, part->base.bytes, 0);
            hal_work_spend(context, part->base.bytes, HAL_WORK_COPY);
            if (digest != part->digest)
                hal_surface_touch(part);
            part->digest = digest;
        }
}

static bool same_key(const struct hal_color_key *a, const struct hal_color_key *b)
{
    return a->set == b->set && a->value == b->value;
}

const struct raster_texture *hal_texture_view(struct hal_surface *surface, struct hal_context *context)
{
    struct hal_surface *top = surface->top;
    const uint32_t *palette = NULL;
    uint64_t palette_version = 0;

    if (!can_sample(top))
        return NULL;
    const bool apart = texture_is_target(context, top);

    if (!top->base.owns_memory)
        look_at_system_memory(top, context);
    if (has_palette(top))
        palette_version = hal_palette_version(context, top->palette, top->opaque_palette);
    const struct hal_color_key key = hal_texture_key(context, top);
    const bool again = top->decoded_palette_version != palette_version || !same_key(&key, &top->viewed_key);

    if (!top->texture || top->viewed_version != top->chain_version || again || (apart && !top->viewed_apart)) {
        flush_users(top);
        top->viewed_key = key;
        top->viewed_apart = apart;
        if (!top->texture)
            top->texture = mem_calloc(1, sizeof(*top->texture));
        if (palette_version)
            palette = hal_palette_entries(context, top->palette, top->opaque_palette);
        top->view_failed = !top->texture || !update_view(context, top, palette, again);
        top->viewed_version = top->chain_version;
        top->decoded_palette_version = palette_version;
        if (top->view_failed) {
            top->viewed_version = 0; /* there may be memory next time */
            log_error("texture %u (%ux%u): no memory for the sampler's copy", (unsigned)top->base.handle, top->width,
                      top->height);
            hal_work_lacks_memory(context, "a texture");
        }
    }
    return top->view_failed ? NULL : top->texture;
}

bool hal_texture_has_alpha(const struct hal_surface *top)
{
    return texture_format_info(top)->has_alpha && !(has_palette(top) && top->opaque_palette);
}

bool hal_texture_stays(const struct hal_surface *surface)
{
    return surface->base.owns_memory && !has_palette(surface) && !surface->feedback_handle;
}

void hal_texture_discard(struct hal_surface *top)
{
    for (unsigned i = 0; i < RASTER_MAX_LEVELS; i++) {
        mem_free_aligned(top->decoded[i]);
        top->decoded[i] = NULL;
    }
    top->viewed_version = 0;
    hal_feedback_discard(top);
}
