/* SPDX-License-Identifier: MIT */
/* Contents the driver makes itself: colour fills in any format, the lower levels of a texture. */
#include "base/base.h"
#include "hal/surface.h"

#include <string.h>

#define MAX_TEXEL 16 /* bytes */

static bool is_inside(const RECT *rect, const struct hal_surface *surface)
{
    return rect->left >= 0 && rect->top >= 0 && rect->left <= rect->right && rect->top <= rect->bottom &&
           (uint32_t)rect->right <= surface->width && (uint32_t)rect->bottom <= surface->height;
}

HRESULT hal_surface_color_fill(struct hal_surface *surface, const RECT *rect, uint32_t argb)
{
    const struct raster_format_info *info = raster_format_info(surface->format);
    const RECT area = rect ? *rect : (RECT){0, 0, (LONG)surface->width, (LONG)surface->height};
    const size_t bytes = info->block_bytes, columns = (size_t)(area.right - area.left);
    uint8_t texel[MAX_TEXEL];

    if (!surface->memory || !surface->bytes || surface->kind & HAL_SURFACE_BUFFER || info->block_width != 1 ||
        info->block_height != 1 || bytes > sizeof(texel) ||
        !raster_encode(surface->format, &argb, 4, texel, sizeof(texel), 1, 1)) {
        return DDERR_INVALIDPIXELFORMAT;
    }
    if (!is_inside(&area, surface)) {
        return DDERR_INVALIDRECT;
    }
    if (columns == 0 || area.top == area.bottom) {
        return DD_OK;
    }
    hal_surface_acquire(surface, true);
    uint8_t *const first = surface->memory + (size_t)area.top * surface->pitch + (size_t)area.left * bytes;

    for (size_t x = 0; x < columns; x++) {
        memcpy(first + x * bytes, texel, bytes);
    }
    for (LONG y = area.top + 1; y < area.bottom; y++) {
        memcpy(first + (size_t)(y - area.top) * surface->pitch, first, columns * bytes);
    }
    hal_surface_touch(surface);
    return DD_OK;
}

/* With sizes that halve, bilinear samples at the centres are averages of four texels. */
HRESULT hal_texture_generate_levels(struct hal_surface *top, bool average)
{
    for (unsigned face = 0; face < top->face_count; face++) {
        for (unsigned level = 1; level < top->level_count; level++) {
            struct hal_surface *above = top->parts[face][level - 1], *below = top->parts[face][level];
            const HRESULT result = above && below ? hal_surface_blt(below, NULL, above, NULL, average)
                                                  : DDERR_INVALIDPARAMS;

            if (FAILED(result)) {
                return result;
            }
        }
    }
    return DD_OK;
}
