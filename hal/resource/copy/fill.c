/* SPDX-License-Identifier: MIT */
/* Fills of rectangles, with a texel in the memory's format or with a colour, in all slices of a volume.
 */
#include "hal/resource/copy/fill.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "raster/format/planar.h"

#include <string.h>

static bool fill_is_inside(const RECT *rect, const struct hal_surface *surface)
{
    return rect->left >= 0 && rect->top >= 0 && rect->left <= rect->right && rect->top <= rect->bottom &&
           (uint32_t)rect->right <= surface->width && (uint32_t)rect->bottom <= surface->height;
}

static void fill_texel_row(uint8_t *row, size_t count, size_t bytes, const uint8_t *texel)
{
    if (bytes == 1) {
        memset(row, texel[0], count);
        return;
    }
    for (size_t x = 0; x < count; x++)
        memcpy(row + x * bytes, texel, bytes);
}

static void fill_rows(uint8_t *row, size_t pitch, size_t rows, size_t count, size_t bytes, const uint8_t *texel)
{
    fill_texel_row(row, count, bytes, texel);
    for (size_t y = 1; y < rows; y++)
        memcpy(row + y * pitch, row, count * bytes);
}

/* yuv: a byte each. */
static void fill_planes(uint8_t *memory, const struct hal_surface *surface, const RECT *area, const uint8_t *yuv)
{
    struct d3d_plane plane[D3D_MOST_PLANES];
    const unsigned count = raster_planes(surface->format, surface->pitch, surface->height, plane);
    const uint8_t *const samples[D3D_MOST_PLANES] = {yuv, count == 3 ? yuv + 2 : yuv + 1, yuv + 1};

    for (unsigned i = 0; i < count; i++) {
        const struct d3d_plane *p = &plane[i];
        const size_t first = (size_t)area->left / p->side, top = (size_t)area->top / p->side;

        fill_rows(memory + p->offset + top * p->pitch + first * p->bytes, p->pitch,
                  d3d_plane_samples(p, (unsigned)area->bottom) - top,
                  d3d_plane_samples(p, (unsigned)area->right) - first, p->bytes, samples[i]);
    }
}

/* Pairs and blocks of texels that the rectangle touches are filled completely, and so is chroma. */
HRESULT hal_surface_fill_texel(struct hal_surface *surface, const RECT *rect, const uint8_t *texel)
{
    const struct raster_format_info *info = raster_format_info(surface->format);
    RECT area = rect ? *rect : (RECT){0, 0, (LONG)surface->width, (LONG)surface->height};
    size_t bytes = info->block_bytes, first, count, top, rows;

    if (!fill_is_inside(&area, surface))
        return DDERR_INVALIDRECT;
    if (area.left == area.right || area.top == area.bottom)
        return DD_OK;
    first = (size_t)area.left / info->block_width;
    count = ((size_t)area.right + info->block_width - 1) / info->block_width - first;
    top = (size_t)area.top / info->block_height;
    rows = ((size_t)area.bottom + info->block_height - 1) / info->block_height - top;
    hal_surface_acquire(surface, true, HAL_FLUSH_BLIT);
    for (unsigned z = 0; z < surface->depth; z++) {
        uint8_t *slice = surface->base.memory + z * surface->slice_pitch;
        if (info->kind == RASTER_KIND_PLANAR)
            fill_planes(slice, surface, &area, texel);
        else
            fill_rows(slice + top * surface->pitch + first * bytes, surface->pitch, rows, count, bytes, texel);
    }
    hal_surface_touch(surface);
    return DD_OK;
}

static bool is_fillable(const struct hal_surface *surface)
{
    return surface->format != RASTER_FORMAT_NONE && surface->base.memory && surface->base.bytes;
}

HRESULT hal_surface_fill(struct hal_surface *surface, const RECT *rect, uint32_t value)
{
    if (hal_is_feedback(surface))
        return hal_feedback_clear(surface);

    uint8_t texel[RASTER_TEXEL_BYTES] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                                         (uint8_t)(value >> 24)};
    if (!is_fillable(surface) || raster_format_info(surface->format)->block_height != 1)
        return DDERR_INVALIDPIXELFORMAT;
    if (raster_format_info(surface->format)->block_bytes > 4)
        return hal_surface_color_fill(surface, rect, value);
    return hal_surface_fill_texel(surface, rect, texel);
}

HRESULT hal_surface_color_fill(struct hal_surface *surface, const RECT *rect, uint32_t argb)
{
    uint8_t texel[RASTER_TEXEL_BYTES];
    if (hal_is_feedback(surface))
        return hal_feedback_clear(surface);
    if (!is_fillable(surface) || !raster_pack_texel(surface->format, argb, texel))
        return DDERR_INVALIDPIXELFORMAT;
    return hal_surface_fill_texel(surface, rect, texel);
}
