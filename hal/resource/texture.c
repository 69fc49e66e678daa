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
#include "hal/driver.h"
#include "hal/resource/color_key.h"
#include "hal/resource/feedback.h"
#include "hal/resource/light_levels.h"
#include "hal/resource/palette.h"
#include "hal/resource/surface.h"
#include "hal/resources.h"
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

static bool part_reads_in_place(const struct hal_surface *part)
{
    const size_t bytes = 4 * (size_t)words_in_place(part->format);

    return bytes && part->base.owns_memory && part->pitch % bytes == 0 && part->slice_pitch % bytes == 0;
}

/* All levels or none, because the sampler reads texels of one form. */
static bool reads_in_place(const struct hal_texture *texture)
{
    if (texture->viewed_apart || texture->viewed_key.set || texture->face_count == 6)
        return false;
    for (unsigned i = 0; i < texture->level_count; i++)
        if (!part_reads_in_place(texture->parts[0][i]))
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
static bool view_decoded(struct hal_work *work, struct hal_texture *texture, unsigned index, const uint32_t *palette,
                         bool again)
{
    struct raster_texture_level *level = &texture->view->level[index];
    unsigned faces = texture->face_count == 6 ? 6 : 1;
    size_t slice = (size_t)level->width * level->height;
    size_t words = texel_words(texture->top->format);

    if (!texture->decoded[index]) {
        uint64_t size = (uint64_t)slice * level->depth * faces * words;
        if (size > MAX_WORDS)
            return false;
        texture->decoded[index] = mem_alloc_aligned((size_t)size * 4);
        if (!texture->decoded[index])
            return false;
        for (unsigned face = 0; face < faces; face++)
            texture->decoded_version[face][index] = 0;
    }
    for (unsigned face = 0; face < faces; face++) {
        const struct hal_surface *part = texture->parts[face][index];
        uint32_t *texels = texture->decoded[index] + face * slice * level->depth * words;
        if (texture->decoded_version[face][index] == part->base.version && !again)
            continue;
        hal_work_spend(work, slice * level->depth, HAL_WORK_CONVERT);
        decode_part(part, texels, palette);
        if (texture->viewed_key.set)
            hal_color_key_cut(part, &texture->viewed_key, texels);
        texture->decoded_version[face][index] = part->base.version;
    }
    level->texels = texture->decoded[index];
    level->pitch = level->width;
    level->slice = (uint32_t)slice;
    return true;
}

static enum raster_texture_kind texture_kind(const struct hal_texture *texture)
{
    if (texture->face_count == 6)
        return RASTER_TEXTURE_CUBE;
    return texture->top->is_volume ? RASTER_TEXTURE_VOLUME : RASTER_TEXTURE_2D;
}

/* The FOURCCs give depth itself, as ATI's and later NVIDIA's cards had it; Direct3D's own formats are compared, as
 * on NVIDIA's since the GeForce 3. */
static enum raster_depth_read depth_read(const struct hal_texture *texture)
{
    if (texture_format_info(texture->top)->kind != RASTER_KIND_DEPTH)
        return RASTER_DEPTH_NONE;
    switch (texture->top->d3d_format) {
    case MAKEFOURCC('I', 'N', 'T', 'Z'):
        return RASTER_DEPTH_ALL;
    case MAKEFOURCC('D', 'F', '1', '6'):
    case MAKEFOURCC('D', 'F', '2', '4'):
        return RASTER_DEPTH_RED;
    default:
        return RASTER_DEPTH_COMPARED;
    }
}

/* Does the scene draw to a part of the texture? */
static bool texture_is_target(const struct hal_scene *scene, const struct hal_texture *texture)
{
    if ((scene->target && scene->target->texture == texture) || (scene->depth && scene->depth->texture == texture))
        return true;
    for (unsigned i = 0; i < ARRAY_COUNT(scene->more_targets); i++)
        if (scene->more_targets[i] && scene->more_targets[i]->texture == texture)
            return true;
    return false;
}

static bool update_view(struct hal_work *work, struct hal_texture *texture, const uint32_t *palette, bool again)
{
    struct raster_texture *view = texture->view;
    const bool in_place = reads_in_place(texture);

    view->kind = texture_kind(texture);
    view->opaque = !hal_texture_has_alpha(texture) && !texture->viewed_key.set;
    view->is_signed = texture_format_info(texture->top)->kind == RASTER_KIND_SIGNED;
    view->is_wide = texture_format_info(texture->top)->kind == RASTER_KIND_WIDE;
    view->is_half = in_place && texture->top->format == RASTER_FORMAT_A16B16G16R16F;
    view->depth = depth_read(texture);
    view->level_count = 0;
    for (unsigned i = 0; i < texture->level_count; i++) {
        const struct hal_surface *part = texture->parts[0][i];
        struct raster_texture_level *level = &view->level[i];
        if (!part->base.memory || !part->base.bytes)
            break;
        level->width = part->width;
        level->height = part->height;
        level->depth = part->depth;
        if (in_place)
            view_in_place(level, part);
        else if (!view_decoded(work, texture, i, palette, again))
            return false;
        view->level_count = i + 1;
    }
    return view->level_count > 0;
}

/* Flushes the scenes that use the chain: draws to a level must finish before it is read, and the sampler's copy must
 * not change while a scene uses it. */
static void flush_users(struct hal_texture *texture)
{
    for (unsigned face = 0; face < texture->face_count; face++)
        for (unsigned level = 0; level < texture->level_count; level++) {
            struct hal_surface *part = texture->parts[face][level];
            if (part && part->pending && part->pending_write)
                hal_scene_flush_surface(part, HAL_FLUSH_TEXTURE);
        }
    if (texture->top->pending)
        hal_scene_flush_surface(texture->top, HAL_FLUSH_TEXTURE);
}

/* Programs write textures in system memory without a call to the driver (D3DDEVCAPS_TEXTURESYSTEMMEMORY), though not
 * during a call: once per call their contents are digested, and a level with a different digest has changed. */
static void look_at_system_memory(struct hal_texture *texture, struct hal_scene *scene)
{
    if (texture->looked_in_call == scene->driver->calls)
        return;
    texture->looked_in_call = scene->driver->calls;
    for (unsigned face = 0; face < texture->face_count; face++)
        for (unsigned level = 0; level < texture->level_count; level++) {
            struct hal_surface *part = texture->parts[face][level];
            if (!part || part->is_light || part->base.owns_memory || !part->base.memory)
                continue;
            const uint64_t digest = digest_of(part->base.memory, part->base.bytes, 0);
            hal_work_spend(&scene->work, part->base.bytes, HAL_WORK_COPY);
            if (digest != part->digest)
                hal_surface_touch_all(part);
            part->digest = digest;
        }
}

static bool same_key(const struct hal_color_key *a, const struct hal_color_key *b)
{
    return a->set == b->set && a->value == b->value;
}

const struct raster_texture *hal_texture_view(struct hal_texture *texture, const struct hal_state *state,
                                              struct hal_resources *resources, struct hal_scene *scene)
{
    const struct hal_surface *top = texture->top;
    const uint32_t *palette = NULL;
    uint64_t palette_version = 0;

    if (!can_sample(top))
        return NULL;
    const bool apart = texture_is_target(scene, texture);

    if (!top->base.owns_memory)
        look_at_system_memory(texture, scene);
    if (has_palette(top))
        palette_version = hal_palette_version(resources->palettes, texture->palette, texture->opaque_palette);
    const struct hal_color_key key = hal_texture_key(state, texture);
    const bool again = texture->decoded_palette_version != palette_version || !same_key(&key, &texture->viewed_key);

    if (!texture->view || texture->viewed_version != texture->version || again || (apart && !texture->viewed_apart)) {
        flush_users(texture);
        texture->viewed_key = key;
        texture->viewed_apart = apart;
        if (!texture->view)
            texture->view = mem_calloc(1, sizeof(*texture->view));
        if (palette_version)
            palette = hal_palette_entries(resources->palettes, texture->palette, texture->opaque_palette);
        texture->view_failed = !texture->view || !update_view(&scene->work, texture, palette, again);
        texture->viewed_version = texture->version;
        texture->decoded_palette_version = palette_version;
        if (texture->view_failed) {
            texture->viewed_version = 0; /* there may be memory next time */
            log_error("texture %u (%ux%u): no memory for the sampler's copy", (unsigned)top->base.handle, top->width,
                      top->height);
            hal_work_lacks_memory(&scene->work, "a texture");
        }
    }
    return texture->view_failed ? NULL : texture->view;
}

bool hal_texture_has_alpha(const struct hal_texture *texture)
{
    return texture_format_info(texture->top)->has_alpha && !(has_palette(texture->top) && texture->opaque_palette);
}

bool hal_texture_stays(const struct hal_texture *texture)
{
    return texture->top->base.owns_memory && !has_palette(texture->top) && !texture->feedback_handle;
}

void hal_texture_discard(struct hal_texture *texture)
{
    for (unsigned i = 0; i < RASTER_MAX_LEVELS; i++) {
        mem_free_aligned(texture->decoded[i]);
        texture->decoded[i] = NULL;
    }
    texture->viewed_version = 0;
    hal_feedback_discard(texture);
}
