/* SPDX-License-Identifier: MIT */
/* Clears in a tile. */
#include "raster/tile/cover.h"
#include "raster/tile/worker.h"

#include <string.h>

/* Repeats a texel. Sizes of texels are powers of two. */
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

/* The fill value of texels. mask: bits that are replaced; all ones for texels of more than four bytes. */
struct clear_fill {
    struct pattern pattern;
    unsigned bytes; /* of a texel */
    uint32_t value, mask;
    bool whole; /* all bits are replaced */
};

static struct clear_fill fill_of(const struct raster_surface *surface, const uint8_t *texel, uint32_t mask)
{
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;
    const uint32_t all = bytes >= 4 ? ~0u : (1u << (8 * bytes)) - 1;
    struct clear_fill fill = {
        .pattern = pattern_of(texel, bytes), .bytes = bytes, .mask = mask, .whole = (mask & all) == all};

    memcpy(&fill.value, texel, sizeof(fill.value));
    return fill;
}

static void clear_texels(const struct clear_fill *fill, uint8_t *first, size_t count)
{
    if (fill->whole)
        clear_fill_row(first, count * fill->bytes, &fill->pattern);
    else
        fill_row_masked(first, (unsigned)count, fill->bytes, fill->value, fill->mask);
}

/* The pixels of a rectangle that lie in the group at (x, y), in all samples. */
static void clear_group(const struct raster_surface *surface, const struct raster_rect *rect, int x, int y,
                        const struct clear_fill *fill)
{
    const int left = BASE_MAX(rect->left, x), right = BASE_MIN(rect->right, x + 4);
    const int top = BASE_MAX(rect->top, y), bottom = BASE_MIN(rect->bottom, y + 4);

    for (unsigned s = 0; s < surface->samples; s++)
        for (int row = top; row < bottom; row++)
            clear_texels(fill, raster_sample_texel(surface, s, (unsigned)left, (unsigned)row), (size_t)(right - left));
}

/* Clears all samples. Adjacent groups that are cleared completely are one run of memory. */
static void clear_samples(const struct raster_surface *surface, const struct raster_rect *rect,
                          const struct clear_fill *fill)
{
    const int first = (rect->left + 3) & ~3, last = rect->right & ~3;

    for (int y = rect->top & ~3; y < rect->bottom; y += 4) {
        const bool runs = first < last && y >= rect->top && y + 4 <= rect->bottom;

        for (int x = rect->left & ~3; x < rect->right; x += 4) {
            if (!runs || x < first || x >= last) {
                clear_group(surface, rect, x, y, fill);
                continue;
            }
            clear_texels(fill, raster_sample_texel(surface, 0, (unsigned)x, (unsigned)y),
                         (size_t)(last - x) * 4 * surface->samples);
            x = last - 4;
        }
    }
}

static void clear_surface(const struct raster_surface *surface, const struct raster_rect *rect, const uint8_t *texel,
                          uint32_t mask)
{
    const struct clear_fill fill = fill_of(surface, texel, mask);

    if (surface->samples > 1) {
        clear_samples(surface, rect, &fill);
        return;
    }
    for (int y = rect->top; y < rect->bottom; y++)
        clear_texels(&fill, surface->pixels + (size_t)y * surface->pitch + (size_t)rect->left * fill.bytes,
                     (size_t)(rect->right - rect->left));
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
