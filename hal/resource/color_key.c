/* SPDX-License-Identifier: MIT */
/* Colour keys of surfaces and textures: which texels they leave out. */
#include "hal/resource/color_key.h"

#include "d3d/states.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/pixel/draw_state.h"
#include "hal/resource/copy/keyed_rows.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/state/state.h"
#include "raster/format/format.h"
#include "shader/stages.h"

#include <stdlib.h>
#include <string.h>

uint32_t hal_color_key_mask(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);
    uint32_t mask = 0;

    if (info->kind == RASTER_KIND_PALETTE)
        return 0xff; /* alpha next to an index is not part of the key */
    if (info->kind != RASTER_KIND_PACKED)
        return 0;
    for (unsigned c = 0; c < 4; c++)
        mask |= ((1u << info->bits[c]) - 1) << info->shift[c];
    return mask;
}

static inline uint32_t read_texel(const uint8_t *p, size_t bytes)
{
    uint32_t texel = 0;

    for (size_t i = 0; i < bytes; i++)
        texel |= (uint32_t)p[i] << (8 * i);
    return texel;
}

static struct hal_color_key key_of(const struct hal_surface *surface, DWORD flag, const DDCOLORKEY *key)
{
    return (struct hal_color_key){
        .set = (surface->base.lcl->dwFlags & flag) != 0,
        .value = key->dwColorSpaceLowValue,
    };
}

struct hal_color_key hal_source_key(const struct hal_surface *surface)
{
    return key_of(surface, DDRAWISURF_HASCKEYSRCBLT, &surface->base.lcl->ddckCKSrcBlt);
}

struct hal_color_key hal_destination_key(const struct hal_surface *surface)
{
    return key_of(surface, DDRAWISURF_HASCKEYDESTBLT, &surface->base.lcl->ddckCKDestBlt);
}

/* --- textures --------------------------------------------------------------------------------- */

bool hal_keys_textures(const struct hal_state *state)
{
    return state->render_state[D3D_RS_COLORKEYENABLE] && state->level <= DDI_LEVEL_DX7;
}

struct hal_color_key hal_texture_key(const struct hal_state *state, const struct hal_texture *texture)
{
    const struct hal_surface *top = texture->top;
    struct hal_color_key key = {.set = false};

    if (!hal_keys_textures(state))
        return key;
    key = hal_source_key(top);
    if (key.set && !hal_color_key_mask(top->format)) {
        log_once(LOG_WARN, top->d3d_format, "texture %u: format %u has no colour keys, drawn without",
                 (unsigned)top->base.handle, (unsigned)top->d3d_format);
        key = (struct hal_color_key){.set = false};
    }
    if (!key.set)
        key.value = 0;
    return key;
}

unsigned hal_key_kind(const struct hal_texture *texture)
{
    if (!texture->viewed_key.set)
        return STAGE_UNKEYED;
    return raster_format_info(texture->top->format)->has_alpha ? STAGE_KEYED_ALPHA : STAGE_KEYED;
}

/* 0..255 to 1..255, to the nearest. */
static uint32_t raise_alpha(uint32_t texel)
{
    const uint32_t alpha = 1 + ((texel >> 24) * 254 + 127) / 255;

    return (texel & 0x00ffffff) | alpha << 24;
}

void hal_color_key_cut(const struct hal_surface *part, const struct hal_color_key *key, uint32_t *texels)
{
    const size_t bytes = raster_format_info(part->format)->block_bytes;
    const uint32_t mask = hal_color_key_mask(part->format), value = key->value & mask;
    const bool raises = raster_format_info(part->format)->has_alpha;

    for (unsigned z = 0; z < part->depth; z++)
        for (unsigned y = 0; y < part->height; y++, texels += part->width) {
            const uint8_t *row = part->base.memory + z * part->slice_pitch + y * part->pitch;

            for (unsigned x = 0; x < part->width; x++)
                if ((read_texel(row + x * bytes, bytes) & mask) == value)
                    texels[x] &= 0x00ffffff;
                else if (raises)
                    texels[x] = raise_alpha(texels[x]);
        }
}

/* --- blits ------------------------------------------------------------------------------------ */

/* The current keyed blit. */
struct blit {
    const uint8_t *source; /* first texel of the rectangle */
    size_t source_pitch, source_bytes, destination_bytes;
    enum raster_format source_format, destination_format;
    uint32_t width, height, source_width, source_height; /* texels */
    const struct hal_color_key *source_key, *destination_key;
    /* of one row of the destination: source texels, words, and the same in the destination's format */
    uint8_t *gathered, *converted;
    uint32_t *words;
};

/* The source texel under the centre of destination texel i. */
static uint32_t nearest(uint32_t i, uint32_t destination_size, uint32_t source_size)
{
    return (uint32_t)(((uint64_t)2 * i + 1) * source_size / ((uint64_t)2 * destination_size));
}

static void make_row(const struct blit *b, uint32_t y)
{
    const uint8_t *row = b->source + nearest(y, b->height, b->source_height) * b->source_pitch;

    for (uint32_t x = 0; x < b->width; x++)
        memcpy(b->gathered + x * b->source_bytes, row + nearest(x, b->width, b->source_width) * b->source_bytes,
               b->source_bytes);
    if (b->source_format == b->destination_format)
        return;
    raster_decode(b->source_format, b->gathered, b->width * b->source_bytes, b->words, (size_t)b->width * 4, b->width,
                  1, NULL);
    raster_encode(b->destination_format, b->words, (size_t)b->width * 4, b->converted, b->width * b->destination_bytes,
                  b->width, 1);
}

static void store_row(const struct blit *b, uint8_t *out)
{
    const uint8_t *from = b->source_format == b->destination_format ? b->gathered : b->converted;
    const uint32_t source_mask = hal_color_key_mask(b->source_format), left_out = b->source_key->value & source_mask;
    const uint32_t mask = hal_color_key_mask(b->destination_format), replaced = b->destination_key->value & mask;

    for (uint32_t x = 0; x < b->width; x++) {
        uint8_t *at = out + x * b->destination_bytes;

        if (b->source_key->set &&
            (read_texel(b->gathered + x * b->source_bytes, b->source_bytes) & source_mask) == left_out)
            continue;
        if (b->destination_key->set && (read_texel(at, b->destination_bytes) & mask) != replaced)
            continue;
        memcpy(at, from + x * b->destination_bytes, b->destination_bytes);
    }
}

/* A copy of the source rectangle, because its surface is also written. NULL: out of memory. */
static uint8_t *copy_source(const struct blit *b)
{
    const size_t pitch = b->source_width * b->source_bytes;
    uint8_t *copy = mem_calloc(b->source_height, pitch);

    for (uint32_t y = 0; copy && y < b->source_height; y++)
        memcpy(copy + y * pitch, b->source + y * b->source_pitch, pitch);
    return copy;
}

/* Neither stretched nor converted: most sprites. */
static void copy_keyed(const struct blit *b, enum cpu_level cpu, uint8_t *out, size_t pitch)
{
    const uint32_t mask = hal_color_key_mask(b->source_format);
    const struct hal_keyed_rows rows = {
        .to = out,
        .from = b->source,
        .to_pitch = pitch,
        .from_pitch = b->source_pitch,
        .width = b->width,
        .height = b->height,
        .keys = {.texel = (unsigned)b->source_bytes,
                 .mask = mask,
                 .source_keyed = b->source_key->set,
                 .destination_keyed = b->destination_key->set,
                 .source_key = b->source_key->value & mask,
                 .destination_key = b->destination_key->value & mask},
    };

    hal_keyed_copy(raster_kernels_for(cpu), &rows);
}

static HRESULT color_key_run(struct blit *b, uint8_t *out, size_t pitch, bool overlaps)
{
    uint8_t *copy = overlaps ? copy_source(b) : NULL;
    HRESULT hr = DDERR_OUTOFMEMORY;

    b->gathered = mem_calloc(b->width, b->source_bytes);
    b->converted = mem_calloc(b->width, b->destination_bytes);
    b->words = mem_calloc(b->width, sizeof(*b->words));
    if (!b->gathered || !b->converted || !b->words || (overlaps && !copy))
        goto fail;
    if (overlaps) {
        b->source = copy;
        b->source_pitch = b->source_width * b->source_bytes;
    }
    for (uint32_t y = 0; y < b->height; y++) {
        make_row(b, y);
        store_row(b, out + y * pitch);
    }
    hr = DD_OK;
fail:
    free(b->words);
    free(b->converted);
    free(b->gathered);
    free(copy);
    return hr;
}

static bool color_key_is_inside(const RECT *rect, const struct hal_surface *surface)
{
    return rect->left >= 0 && rect->top >= 0 && rect->left <= rect->right && rect->top <= rect->bottom &&
           (uint32_t)rect->right <= surface->width && (uint32_t)rect->bottom <= surface->height;
}

static HRESULT color_key_check(const struct hal_surface *destination, const RECT *to, const struct hal_surface *source,
                               const RECT *from)
{
    const struct hal_surface *both[2] = {destination, source};

    for (unsigned i = 0; i < 2; i++) {
        if (!both[i]->base.memory || !both[i]->base.bytes)
            return DDERR_INVALIDPIXELFORMAT;
        if (both[i]->samples || !hal_color_key_mask(both[i]->format))
            return DDERR_NOCOLORKEYHW;
    }
    if (!color_key_is_inside(to, destination) || !color_key_is_inside(from, source))
        return DDERR_INVALIDRECT;
    if (destination->format != source->format && (raster_format_info(destination->format)->kind != RASTER_KIND_PACKED ||
                                                  raster_format_info(source->format)->kind != RASTER_KIND_PACKED))
        return DDERR_INVALIDPIXELFORMAT; /* which palette? */
    return DD_OK;
}

HRESULT hal_keyed_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from,
                      const struct hal_color_key *source_key, const struct hal_color_key *destination_key)
{
    HRESULT hr = color_key_check(destination, to, source, from);

    if (FAILED(hr)) {
        log_warn("Blt with colour keys: surface %u (%ux%u, format %u) to %u (%ux%u, format %u) is refused, %#x",
                 (unsigned)source->base.handle, source->width, source->height, (unsigned)source->d3d_format,
                 (unsigned)destination->base.handle, destination->width, destination->height,
                 (unsigned)destination->d3d_format, (unsigned)hr);
        return hr;
    }
    if (to->left == to->right || to->top == to->bottom || from->left == from->right || from->top == from->bottom)
        return DD_OK;
    hal_surface_acquire(source, false, hal_flush_of_blit(destination));
    hal_surface_acquire(destination, true, HAL_FLUSH_BLIT);
    struct blit b = {
        .source_bytes = raster_format_info(source->format)->block_bytes,
        .destination_bytes = raster_format_info(destination->format)->block_bytes,
        .source_format = source->format,
        .destination_format = destination->format,
        .source_pitch = source->pitch,
        .width = (uint32_t)(to->right - to->left),
        .height = (uint32_t)(to->bottom - to->top),
        .source_width = (uint32_t)(from->right - from->left),
        .source_height = (uint32_t)(from->bottom - from->top),
        .source_key = source_key,
        .destination_key = destination_key,
    };
    uint8_t *out =
        destination->base.memory + (size_t)to->top * destination->pitch + (size_t)to->left * b.destination_bytes;

    b.source = source->base.memory + (size_t)from->top * source->pitch + (size_t)from->left * b.source_bytes;
    if (source->format == destination->format && b.width == b.source_width && b.height == b.source_height) {
        copy_keyed(&b, destination->base.driver->cpu, out, destination->pitch);
        hal_surface_touch(destination);
        return DD_OK;
    }
    hr = color_key_run(&b, out, destination->pitch, source == destination);
    hal_surface_touch(destination);
    return hr;
}
