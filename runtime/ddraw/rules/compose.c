/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/rules/compose.h"

#include <string.h>

#include "base/base.h"
#include "d3d/formats.h"
#include "runtime/ddraw/rules/format.h"

/* The bits that programs can see the difference of. The alpha of a primary surface has no meaning. */
static uint32_t channel_bits(uint32_t format)
{
    switch (ddraw_format_bits(format)) {
    case 8:
        return 0xff;
    case 16:
        return format == D3D_FORMAT_R5G6B5 ? 0xffff : 0x7fff;
    default:
        return 0xffffff;
    }
}

static inline uint32_t pixel_at(const uint8_t *row, unsigned x, unsigned bytes)
{
    switch (bytes) {
    case 1:
        return row[x];
    case 2:
        return row[2 * x] | (uint32_t)row[2 * x + 1] << 8;
    default:
        row += (size_t)x * bytes;
        return row[0] | (uint32_t)row[1] << 8 | (uint32_t)row[2] << 16;
    }
}

uint32_t ddraw_shown_pixel(const uint8_t *row, unsigned x, uint32_t format)
{
    return pixel_at(row, x, ddraw_format_bits(format) / 8) & channel_bits(format);
}

/* The picture's and the layer's rows begin at the part, the surface's at its first pixel. */
static void compose_row(uint8_t *out, const uint8_t *texels, unsigned width, const struct ddraw_layer *layer,
                        const uint8_t *below, unsigned x, uint32_t format)
{
    const unsigned bytes = ddraw_format_bits(format) / 8;
    const uint32_t mask = channel_bits(format), key = layer->destination_key & mask;

    for (unsigned i = 0; i < width; i++) {
        if (layer->has_source_key && !texels[4 * i + 3])
            continue;
        if (layer->has_destination_key && (pixel_at(below, x + i, bytes) & mask) != key)
            continue;
        memcpy(out + 4 * i, texels + 4 * i, 3);
        out[4 * i + 3] = 255;
    }
}

void ddraw_compose(const struct rt_picture *picture, const struct ddraw_shown *shown, const struct ddraw_layer *layer,
                   const RECT *rect)
{
    const LONG left = BASE_MAX(rect->left, layer->place.left), right = BASE_MIN(rect->right, layer->place.right);
    const LONG top = BASE_MAX(rect->top, layer->place.top), bottom = BASE_MIN(rect->bottom, layer->place.bottom);

    for (LONG y = top; y < bottom && left < right; y++)
        compose_row(
            picture->bits + (size_t)y * picture->pitch + (size_t)left * 4,
            layer->texels + (size_t)(y - layer->place.top) * layer->pitch + (size_t)(left - layer->place.left) * 4,
            (unsigned)(right - left), layer, shown->rows + (size_t)y * shown->row_bytes, (unsigned)left, shown->format);
}
