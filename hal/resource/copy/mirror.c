/* SPDX-License-Identifier: MIT */
#include "hal/resource/copy/mirror.h"

#include "base/base.h"
#include "hal/scene.h"
#include "raster/format/format.h"

#include <string.h>

static bool can_be_mirrored(const struct hal_surface *source)
{
    const struct raster_format_info *info = raster_format_info(source->format);

    return source->format != RASTER_FORMAT_NONE && source->base.memory && source->base.bytes && source->depth == 1 &&
           info->block_width == 1 && info->block_height == 1 && info->block_bytes && info->kind != RASTER_KIND_PLANAR &&
           info->kind != RASTER_KIND_FEEDBACK && info->kind != RASTER_KIND_NULL;
}

static bool is_inside(const RECT *rect, const struct hal_surface *surface)
{
    return rect->left >= 0 && rect->top >= 0 && rect->left < rect->right && rect->top < rect->bottom &&
           (uint32_t)rect->right <= surface->width && (uint32_t)rect->bottom <= surface->height;
}

static void reverse_row(uint8_t *to, const uint8_t *from, unsigned width, size_t texel)
{
    for (unsigned x = 0; x < width; x++)
        memcpy(to + x * texel, from + (width - 1 - x) * texel, texel);
}

static void copy_rows(const struct hal_surface *to, const struct hal_surface *from, const RECT *rect, uint32_t effects)
{
    const size_t texel = raster_format_info(from->format)->block_bytes;

    for (unsigned y = 0; y < to->height; y++) {
        const unsigned row = effects & DDBLTFX_MIRRORUPDOWN ? to->height - 1 - y : y;
        const uint8_t *source =
            from->base.memory + ((size_t)rect->top + row) * from->pitch + (size_t)rect->left * texel;
        uint8_t *destination = to->base.memory + y * to->pitch;

        if (effects & DDBLTFX_MIRRORLEFTRIGHT)
            reverse_row(destination, source, to->width, texel);
        else
            memcpy(destination, source, to->width * texel);
    }
}

HRESULT hal_mirror(struct hal_surface *mirrored, struct hal_surface *source, const RECT *rect, uint32_t effects)
{
    HRESULT hr;

    if (!can_be_mirrored(source))
        return DDERR_NOMIRRORHW;
    if (!is_inside(rect, source))
        return DDERR_INVALIDRECT;
    *mirrored = (struct hal_surface){
        .base = {.driver = source->base.driver, .kind = source->base.kind, .version = 1},
        .d3d_format = source->d3d_format,
        .format = source->format,
        .width = (unsigned)(rect->right - rect->left),
        .height = (unsigned)(rect->bottom - rect->top),
        .depth = 1,
    };
    mirrored->pitch = ((size_t)raster_format_row_bytes(mirrored->format, mirrored->width) + 15) & ~(size_t)15;
    mirrored->slice_pitch = mirrored->pitch * mirrored->height;
    hr = hal_resource_allocate(&mirrored->base, mirrored->slice_pitch);
    if (FAILED(hr))
        return hr;
    hal_surface_acquire(source, false, HAL_FLUSH_BLIT);
    copy_rows(mirrored, source, rect, effects);
    return DD_OK;
}

void hal_mirror_free(struct hal_surface *mirrored)
{
    mem_free_aligned(mirrored->base.memory);
    mirrored->base.memory = NULL;
}
