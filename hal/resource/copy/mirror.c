/* SPDX-License-Identifier: MIT */
#include "hal/resource/copy/mirror.h"

#include "hal/resource/copy/scratch.h"
#include "hal/scene.h"
#include "raster/format/format.h"

#include <string.h>

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

    if (!hal_scratch_is_possible(source))
        return DDERR_NOMIRRORHW;
    if (!is_inside(rect, source))
        return DDERR_INVALIDRECT;
    hr = hal_scratch_make(mirrored, source, (unsigned)(rect->right - rect->left), (unsigned)(rect->bottom - rect->top));
    if (FAILED(hr))
        return hr;
    hal_surface_acquire(source, false, HAL_FLUSH_BLIT);
    copy_rows(mirrored, source, rect, effects);
    return DD_OK;
}
