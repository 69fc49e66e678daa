/* SPDX-License-Identifier: MIT */
/* Clears in a tile. */
#include "raster/tile/cover.h"
#include "raster/tile/worker.h"

#include <string.h>

/* The texel over and over. Sizes of texels are powers of two. */
struct pattern {
    _Alignas(64) uint8_t bytes[64];
};

static struct pattern pattern_of(const uint8_t *texel, unsigned bytes)
{
    struct pattern pattern;

    memcpy(pattern.bytes, texel, bytes);
    for (; bytes < sizeof(pattern); bytes *= 2)
        memcpy(pattern.bytes + bytes, pattern.bytes, bytes);
    return pattern;
}

static void clear_fill_row(uint8_t *row, size_t bytes, const struct pattern *pattern)
{
    for (; bytes >= sizeof(*pattern); bytes -= sizeof(*pattern), row += sizeof(*pattern))
        memcpy(row, pattern, sizeof(*pattern));
    memcpy(row, pattern, bytes);
}

static void fill_row_masked(uint8_t *row, unsigned count, unsigned bytes, uint32_t value, uint32_t mask)
{
    if (bytes == 4) {
        uint32_t *p = (uint32_t *)row;

        for (unsigned i = 0; i < count; i++)
            p[i] = (p[i] & ~mask) | (value & mask);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint32_t old = 0;

        memcpy(&old, row + i * bytes, bytes);
        old = (old & ~mask) | (value & mask);
        memcpy(row + i * bytes, &old, bytes);
    }
}

/* In all samples. mask: bits that are replaced; all ones for texels of more than four bytes. */
static void clear_surface(const struct raster_surface *surface, const struct raster_rect *rect, const uint8_t *texel,
                          uint32_t mask)
{
    unsigned bytes = raster_format_info(surface->format)->block_bytes;
    uint32_t all = bytes >= 4 ? ~0u : (1u << (8 * bytes)) - 1, value;
    unsigned width = (unsigned)(rect->right - rect->left), height = (unsigned)(rect->bottom - rect->top);
    unsigned samples = BASE_MAX(surface->samples, 1u);
    const struct pattern pattern = pattern_of(texel, bytes);

    memcpy(&value, texel, sizeof(value));
    for (unsigned i = 0; i < height * samples; i++) {
        size_t y = (size_t)rect->top + i % height;
        uint8_t *row =
            surface->pixels + i / height * surface->sample_stride + y * surface->pitch + (size_t)rect->left * bytes;

        if ((mask & all) == all)
            clear_fill_row(row, (size_t)width * bytes, &pattern);
        else
            fill_row_masked(row, width, bytes, value, mask);
    }
}

static void clear_depth(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                        int tile_x, int tile_y)
{
    const bool whole = raster_format_info(w->targets->depth.format)->stencil_bits == 0;

    if (!depth_cache_clear(w, rect, clear, tile_x, tile_y))
        clear_surface(&w->targets->depth, rect, (const uint8_t *)&clear->depth_value, whole ? ~0u : clear->depth_mask);
    if (clear->what & RASTER_CLEAR_DEPTH)
        hierarchical_z_clear(w, rect, clear, tile_x, tile_y);
}

void tile_draw_clear(struct tile_worker *w, const struct scene_clear *clear, int tile_x, int tile_y)
{
    struct raster_rect rect = {
        BASE_MAX(clear->rect.left, tile_x),
        BASE_MAX(clear->rect.top, tile_y),
        BASE_MIN(clear->rect.right, tile_x + RASTER_TILE_SIZE),
        BASE_MIN(clear->rect.bottom, tile_y + RASTER_TILE_SIZE),
    };

    tile_shade_batch(w);
    if (clear->what & RASTER_CLEAR_COLOR)
        for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
            if (w->targets->color[t].pixels && w->targets->color[t].format != RASTER_FORMAT_NULL)
                clear_surface(&w->targets->color[t], &rect, clear->color_texel[t], ~0u);
    if (clear->what & (RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL))
        clear_depth(w, &rect, clear, tile_x, tile_y);
}
