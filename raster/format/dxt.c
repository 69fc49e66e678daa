/* SPDX-License-Identifier: MIT */
/*
 * DXT blocks: 4x4 texels from two 565 colours and 2-bit codes, with 1-bit, explicit 4-bit or interpolated alpha; ATI1
 * and ATI2, which consist of such alpha blocks. Rules: docs/reference/texture-sampling.md, section 5.
 */
#include "raster/format/dxt.h"

#include <string.h>

static uint32_t widen_565(uint32_t c)
{
    uint32_t r = c >> 11, g = c >> 5 & 0x3F, b = c & 0x1F;
    r = r << 3 | r >> 2;
    g = g << 2 | g >> 4;
    b = b << 3 | b >> 2;
    return r << 16 | g << 8 | b;
}

/* Per channel: (a * wa + b * wb) / (wa + wb), rounded. */
static uint32_t dxt_mix(uint32_t a, uint32_t b, unsigned wa, unsigned wb)
{
    uint32_t result = 0, sum = wa + wb;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        uint32_t v = (a >> shift & 0xFF) * wa + (b >> shift & 0xFF) * wb;
        result |= (v + sum / 2) / sum << shift;
    }
    return result;
}

/* may_be_transparent: DXT1 may replace the fourth colour by transparent black. */
static void decode_colors(const uint8_t *block, bool may_be_transparent, uint32_t texels[16])
{
    uint32_t c0 = (uint32_t)(block[0] | block[1] << 8), c1 = (uint32_t)(block[2] | block[3] << 8);
    uint32_t codes = (uint32_t)block[4] | (uint32_t)block[5] << 8 | (uint32_t)block[6] << 16 | (uint32_t)block[7] << 24;
    uint32_t color[4] = {widen_565(c0), widen_565(c1), 0, 0};
    if (c0 > c1 || !may_be_transparent) {
        color[2] = dxt_mix(color[0], color[1], 2, 1) | 0xFF000000u;
        color[3] = dxt_mix(color[0], color[1], 1, 2) | 0xFF000000u;
    } else {
        color[2] = dxt_mix(color[0], color[1], 1, 1) | 0xFF000000u;
    }
    color[0] |= 0xFF000000u;
    color[1] |= 0xFF000000u;
    for (unsigned i = 0; i < 16; i++)
        texels[i] = color[codes >> 2 * i & 3];
}

static void set_alpha(uint32_t *texel, uint32_t alpha)
{
    *texel = (*texel & 0xFFFFFF) | alpha << 24;
}

static void decode_explicit_alpha(const uint8_t *block, uint32_t texels[16])
{
    for (unsigned i = 0; i < 16; i++)
        set_alpha(&texels[i], (block[i / 2] >> 4 * (i & 1) & 0xFu) * 17);
}

/* Eight bytes of a block with one channel. */
static void decode_channel(const uint8_t *block, uint32_t values[16])
{
    uint32_t a0 = block[0], a1 = block[1], alpha[8] = {a0, a1, 0, 0, 0, 0, 0, 255};
    unsigned steps = a0 > a1 ? 7 : 5;
    uint64_t codes = 0;
    for (unsigned i = 1; i < steps; i++)
        alpha[i + 1] = ((steps - i) * a0 + i * a1 + steps / 2) / steps;
    for (unsigned i = 0; i < 6; i++)
        codes |= (uint64_t)block[2 + i] << 8 * i;
    for (unsigned i = 0; i < 16; i++)
        values[i] = alpha[codes >> 3 * i & 7];
}

static void decode_interpolated_alpha(const uint8_t *block, uint32_t texels[16])
{
    uint32_t alpha[16];
    decode_channel(block, alpha);
    for (unsigned i = 0; i < 16; i++)
        set_alpha(&texels[i], alpha[i]);
}

/* ATI1: one channel, read like luminance. ATI2: two, green in the first half of the block. */
static void decode_channels(enum raster_format format, const uint8_t *block, uint32_t texels[16])
{
    uint32_t first[16], second[16];
    decode_channel(block, first);
    if (format == RASTER_FORMAT_ATI1) {
        for (unsigned i = 0; i < 16; i++)
            texels[i] = 0xFF000000u | first[i] * 0x010101u;
        return;
    }
    decode_channel(block + 8, second);
    for (unsigned i = 0; i < 16; i++)
        texels[i] = 0xFF0000FFu | second[i] << 16 | first[i] << 8;
}

static void decode_block(enum raster_format format, const uint8_t *block, uint32_t texels[16])
{
    switch (format) {
    case RASTER_FORMAT_DXT1:
        decode_colors(block, true, texels);
        break;
    case RASTER_FORMAT_DXT3:
        decode_colors(block + 8, false, texels);
        decode_explicit_alpha(block, texels);
        break;
    case RASTER_FORMAT_DXT5:
        decode_colors(block + 8, false, texels);
        decode_interpolated_alpha(block, texels);
        break;
    default:
        decode_channels(format, block, texels);
        break;
    }
}

void raster_decode_dxt(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                       size_t texel_pitch, unsigned width, unsigned height)
{
    unsigned bytes = raster_format_info(format)->block_bytes;
    uint32_t block[16];
    for (unsigned y = 0; y < height; y += 4) {
        const uint8_t *row = source + (y / 4) * source_pitch;
        unsigned rows = height - y < 4 ? height - y : 4;
        for (unsigned x = 0; x < width; x += 4, row += bytes) {
            unsigned columns = width - x < 4 ? width - x : 4;
            decode_block(format, row, block);
            for (unsigned j = 0; j < rows; j++)
                memcpy((uint8_t *)texels + (y + j) * texel_pitch + (size_t)x * 4, &block[4 * j], (size_t)columns * 4);
        }
    }
}
