/* SPDX-License-Identifier: MIT */
/* Source of the block layouts and of the rounding: reference raster.md 6. */
#include "raster/format_block.h"

#include <string.h>

typedef void (*decode_block)(const uint8_t *block, uint32_t texel[16]);

static uint32_t expand_565(uint32_t v)
{
    uint32_t r = v >> 11 & 31, g = v >> 5 & 63, b = v & 31;

    return (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2);
}

/* (wa * a + wb * b) / (wa + wb) per channel, rounded to nearest. */
static uint32_t mix(uint32_t a, uint32_t b, uint32_t wa, uint32_t wb)
{
    uint32_t sum = wa + wb, out = 0;

    for (unsigned shift = 0; shift < 24; shift += 8)
        out |= ((a >> shift & 255) * wa + (b >> shift & 255) * wb + sum / 2) / sum << shift;
    return out;
}

/* The colour half of a block. `punch_through`: DXT1's three colours and transparent black if c0 <=
 * c1. */
static void decode_colors(const uint8_t *block, bool punch_through, uint32_t texel[16])
{
    uint32_t c0 = block[0] | (uint32_t)block[1] << 8, c1 = block[2] | (uint32_t)block[3] << 8;
    uint32_t a = expand_565(c0), b = expand_565(c1);
    bool four = c0 > c1 || !punch_through;
    uint32_t color[4] = {
        0xff000000u | a,
        0xff000000u | b,
        0xff000000u | (four ? mix(a, b, 2, 1) : mix(a, b, 1, 1)),
        four ? 0xff000000u | mix(a, b, 1, 2) : 0,
    };

    for (unsigned i = 0; i < 16; i++)
        texel[i] = color[block[4 + i / 4] >> (2 * (i % 4)) & 3];
}

static void decode_dxt1(const uint8_t *block, uint32_t texel[16])
{
    decode_colors(block, true, texel);
}

static void decode_dxt3(const uint8_t *block, uint32_t texel[16])
{
    decode_colors(block + 8, false, texel);
    for (unsigned i = 0; i < 16; i++)
        texel[i] = (texel[i] & 0xffffff) | (block[i / 2] >> (4 * (i & 1)) & 15u) * 17 << 24;
}

static void decode_dxt5(const uint8_t *block, uint32_t texel[16])
{
    uint32_t a0 = block[0], a1 = block[1], alpha[8] = {a0, a1, 0, 0, 0, 0, 0, 255};
    uint64_t codes = 0;

    if (a0 > a1)
        for (uint32_t i = 1; i < 7; i++)
            alpha[i + 1] = ((7 - i) * a0 + i * a1 + 3) / 7;
    else
        for (uint32_t i = 1; i < 5; i++)
            alpha[i + 1] = ((5 - i) * a0 + i * a1 + 2) / 5;
    for (unsigned i = 0; i < 6; i++)
        codes |= (uint64_t)block[2 + i] << (8 * i);
    decode_colors(block + 8, false, texel);
    for (unsigned i = 0; i < 16; i++)
        texel[i] = (texel[i] & 0xffffff) | alpha[codes >> (3 * i) & 7] << 24;
}

static uint32_t clamp_byte(int32_t v)
{
    return (uint32_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* Full-range BT.601 in 16-bit fixed point. */
static uint32_t yuv_texel(int32_t y, int32_t u, int32_t v)
{
    int32_t cu = u - 128, cv = v - 128;
    uint32_t r = clamp_byte(y + ((91881 * cv + 32768) >> 16));
    uint32_t g = clamp_byte(y - ((22554 * cu + 46802 * cv + 32768) >> 16));
    uint32_t b = clamp_byte(y + ((116130 * cu + 32768) >> 16));

    return 0xff000000u | r << 16 | g << 8 | b;
}

static void decode_uyvy(const uint8_t *block, uint32_t texel[16])
{
    texel[0] = yuv_texel(block[1], block[0], block[2]);
    texel[1] = yuv_texel(block[3], block[0], block[2]);
}

static void decode_yuy2(const uint8_t *block, uint32_t texel[16])
{
    texel[0] = yuv_texel(block[0], block[1], block[3]);
    texel[1] = yuv_texel(block[2], block[1], block[3]);
}

static decode_block decoder(enum raster_format format)
{
    switch (format) {
    case RASTER_FORMAT_DXT1:
        return decode_dxt1;
    case RASTER_FORMAT_DXT3:
        return decode_dxt3;
    case RASTER_FORMAT_DXT5:
        return decode_dxt5;
    case RASTER_FORMAT_UYVY:
        return decode_uyvy;
    default:
        return decode_yuy2;
    }
}

void format_decode_blocks(enum raster_format format, const uint8_t *source, size_t source_pitch,
                          uint32_t *texels, size_t texel_pitch, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);
    unsigned bw = info->block_width, bh = info->block_height;
    decode_block decode = decoder(format);

    for (unsigned y = 0; y < height; y += bh) {
        const uint8_t *block = source + (size_t)(y / bh) * source_pitch;

        for (unsigned x = 0; x < width; x += bw, block += info->block_bytes) {
            uint32_t texel[16];
            unsigned columns = width - x < bw ? width - x : bw,
                     rows = height - y < bh ? height - y : bh;

            decode(block, texel);
            for (unsigned j = 0; j < rows; j++)
                memcpy((uint8_t *)texels + (size_t)(y + j) * texel_pitch + (size_t)x * 4,
                       &texel[j * bw], columns * 4);
        }
    }
}
