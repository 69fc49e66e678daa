/* SPDX-License-Identifier: MIT */
/* The format table, and texels to and from 0xAARRGGBB words. Block formats are in format_block.c.
 */
#include "raster/format.h"
#include "raster/format_block.h"

#include <string.h>

/* Packed unsigned formats: bits and shifts of R, G, B, A. */
#define PACKED(name, bytes, target, alpha, r, g, b, a, rs, gs, bs, as)                             \
    [RASTER_FORMAT_##name] = {                                                                     \
        #name, bytes, 1, 1, 0, 0, target, alpha, {r, g, b, a}, {rs, gs, bs, as},                   \
    }
#define OTHER(name, bytes, width, height, alpha)                                                   \
    [RASTER_FORMAT_##name] = {                                                                     \
        #name, bytes, width, height, 0, 0, 0, alpha, {0, 0, 0, 0}, {0, 0, 0, 0},                   \
    }
#define DEPTH(name, bytes, depth, stencil)                                                         \
    [RASTER_FORMAT_##name] = {                                                                     \
        #name, bytes, 1, 1, depth, stencil, 1, 0, {0, 0, 0, 0}, {0, 0, 0, 0},                      \
    }

static const struct raster_format_info format_table[RASTER_FORMAT_COUNT] = {
    [RASTER_FORMAT_NONE] = {"NONE", 0, 1, 1, 0, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}},
    PACKED(A8R8G8B8, 4, 1, 1, 8, 8, 8, 8, 16, 8, 0, 24),
    PACKED(X8R8G8B8, 4, 1, 0, 8, 8, 8, 0, 16, 8, 0, 0),
    PACKED(R5G6B5, 2, 1, 0, 5, 6, 5, 0, 11, 5, 0, 0),
    PACKED(X1R5G5B5, 2, 1, 0, 5, 5, 5, 0, 10, 5, 0, 0),
    PACKED(A1R5G5B5, 2, 1, 1, 5, 5, 5, 1, 10, 5, 0, 15),
    PACKED(A4R4G4B4, 2, 1, 1, 4, 4, 4, 4, 8, 4, 0, 12),
    PACKED(X4R4G4B4, 2, 1, 0, 4, 4, 4, 0, 8, 4, 0, 0),
    PACKED(R8G8B8, 3, 0, 0, 8, 8, 8, 0, 16, 8, 0, 0),
    PACKED(R3G3B2, 1, 0, 0, 3, 3, 2, 0, 5, 2, 0, 0),
    PACKED(A8R3G3B2, 2, 0, 1, 3, 3, 2, 8, 5, 2, 0, 8),
    OTHER(A8, 1, 1, 1, 1),
    OTHER(L8, 1, 1, 1, 0),
    OTHER(A8L8, 2, 1, 1, 1),
    OTHER(A4L4, 1, 1, 1, 1),
    OTHER(P8, 1, 1, 1, 1),
    OTHER(A8P8, 2, 1, 1, 1),
    OTHER(V8U8, 2, 1, 1, 0),
    OTHER(L6V5U5, 2, 1, 1, 0),
    OTHER(X8L8V8U8, 4, 1, 1, 0),
    OTHER(Q8W8V8U8, 4, 1, 1, 1),
    OTHER(DXT1, 8, 4, 4, 1),
    OTHER(DXT3, 16, 4, 4, 1),
    OTHER(DXT5, 16, 4, 4, 1),
    OTHER(UYVY, 4, 2, 1, 0),
    OTHER(YUY2, 4, 2, 1, 0),
    DEPTH(D16, 2, 16, 0),
    DEPTH(D15S1, 2, 15, 1),
    DEPTH(D24S8, 4, 24, 8),
    DEPTH(D24X8, 4, 24, 0),
    DEPTH(D24X4S4, 4, 24, 4),
    DEPTH(D32, 4, 32, 0),
};

const struct raster_format_info *raster_format_info(enum raster_format format)
{
    return &format_table[(unsigned)format < RASTER_FORMAT_COUNT ? format : RASTER_FORMAT_NONE];
}

/* --- decoding ------------------------------------------------------------------------------ */

/* n bits to 8: round(v * 255 / (2^n - 1)), which for n >= 4 is the replication of the upper bits.
 */
static uint32_t widen(uint32_t value, unsigned bits)
{
    uint32_t max = (1u << bits) - 1;

    return (value * 255 + max / 2) / max;
}

static uint32_t load(const uint8_t *p, unsigned bytes)
{
    uint32_t v = 0;

    for (unsigned i = 0; i < bytes; i++)
        v |= (uint32_t)p[i] << (8 * i);
    return v;
}

static uint32_t unpack(const struct raster_format_info *info, uint32_t v)
{
    static const unsigned place[4] = {16, 8, 0, 24};
    uint32_t texel = 0;

    for (unsigned c = 0; c < 4; c++) {
        unsigned bits = info->bits[c];

        texel |= (bits ? widen(v >> info->shift[c] & ((1u << bits) - 1), bits) : 255) << place[c];
    }
    return texel;
}

static uint32_t gray(uint32_t alpha, uint32_t l)
{
    return alpha << 24 | l << 16 | l << 8 | l;
}

/* Two's complement n bits to 128 + v in steps of 1/127. */
static uint32_t biased(uint32_t value, unsigned bits)
{
    int32_t v = (int32_t)(value << (32 - bits)) >> (32 - bits), max = (1 << (bits - 1)) - 1;

    v = v < -max ? -max : v;
    return (uint32_t)(128 + (v * 127 + (v < 0 ? -max : max) / 2) / max);
}

static uint32_t decode_texel(enum raster_format format, const uint8_t *p, const uint32_t *palette)
{
    switch (format) {
    case RASTER_FORMAT_A8:
        return (uint32_t)p[0] << 24;
    case RASTER_FORMAT_L8:
        return gray(255, p[0]);
    case RASTER_FORMAT_A8L8:
        return gray(p[1], p[0]);
    case RASTER_FORMAT_A4L4:
        return gray(widen(p[0] >> 4, 4), widen(p[0] & 15, 4));
    case RASTER_FORMAT_P8:
        return palette ? palette[p[0]] : gray(255, p[0]);
    case RASTER_FORMAT_A8P8:
        return ((palette ? palette[p[0]] : gray(255, p[0])) & 0xffffff) | (uint32_t)p[1] << 24;
    case RASTER_FORMAT_V8U8:
        return 0xff00ff00u | biased(p[0], 8) << 16 | biased(p[1], 8) << 8 | 255;
    case RASTER_FORMAT_L6V5U5: {
        uint32_t v = load(p, 2);

        return 0xff000000u | biased(v & 31, 5) << 16 | biased(v >> 5 & 31, 5) << 8 |
               (128 + widen(v >> 10, 6) / 2);
    }
    case RASTER_FORMAT_X8L8V8U8:
        return 0xff000000u | biased(p[0], 8) << 16 | biased(p[1], 8) << 8 | (128u + p[2] / 2);
    case RASTER_FORMAT_Q8W8V8U8:
        return biased(p[3], 8) << 24 | biased(p[0], 8) << 16 | biased(p[1], 8) << 8 |
               biased(p[2], 8);
    default:
        return 0;
    }
}

void raster_decode(enum raster_format format, const uint8_t *source, size_t source_pitch,
                   uint32_t *texels, size_t texel_pitch, unsigned width, unsigned height,
                   const uint32_t *palette)
{
    const struct raster_format_info *info = raster_format_info(format);

    if (info->block_width > 1) {
        format_decode_blocks(format, source, source_pitch, texels, texel_pitch, width, height);
        return;
    }
    for (unsigned y = 0; y < height; y++) {
        const uint8_t *p = source + (size_t)y * source_pitch;
        uint32_t *out = (uint32_t *)((uint8_t *)texels + (size_t)y * texel_pitch);

        if (format == RASTER_FORMAT_A8R8G8B8) {
            memcpy(out, p, (size_t)width * 4);
            continue;
        }
        for (unsigned x = 0; x < width; x++, p += info->block_bytes)
            out[x] = info->bits[0] ? unpack(info, load(p, info->block_bytes))
                                   : decode_texel(format, p, palette);
    }
}

/* --- encoding -------------------------------------------------------------------------------- */

uint32_t raster_pack_color(enum raster_format format, uint32_t argb)
{
    static const unsigned place[4] = {16, 8, 0, 24};
    const struct raster_format_info *info = raster_format_info(format);
    uint32_t a = argb >> 24, l = argb >> 16 & 255, value = 0;

    switch (format) {
    case RASTER_FORMAT_A8:
        return a;
    case RASTER_FORMAT_L8:
        return l;
    case RASTER_FORMAT_A8L8:
        return a << 8 | l;
    case RASTER_FORMAT_A4L4:
        return (a * 15 + 127) / 255 << 4 | (l * 15 + 127) / 255;
    default:
        break;
    }
    for (unsigned c = 0; c < 4; c++) {
        uint32_t max = (1u << info->bits[c]) - 1;

        value |= ((argb >> place[c] & 255) * max + 127) / 255 << info->shift[c];
    }
    return value;
}

bool raster_encode(enum raster_format format, const uint32_t *texels, size_t texel_pitch,
                   uint8_t *destination, size_t destination_pitch, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);

    if (!info->bits[0] && (format < RASTER_FORMAT_A8 || format > RASTER_FORMAT_A4L4))
        return false;
    for (unsigned y = 0; y < height; y++) {
        const uint32_t *in = (const uint32_t *)((const uint8_t *)texels + (size_t)y * texel_pitch);
        uint8_t *out = destination + (size_t)y * destination_pitch;

        for (unsigned x = 0; x < width; x++) {
            uint32_t value = raster_pack_color(format, in[x]);

            for (unsigned i = 0; i < info->block_bytes; i++)
                *out++ = (uint8_t)(value >> (8 * i));
        }
    }
    return true;
}

uint32_t raster_pack_depth(enum raster_format format, float depth, uint32_t stencil)
{
    const struct raster_format_info *info = raster_format_info(format);
    double d = depth > 0.0f ? depth < 1.0f ? depth : 1.0 : 0.0;
    uint32_t value = (uint32_t)(d * (double)((UINT64_C(1) << info->depth_bits) - 1) + 0.5);
    uint32_t s = stencil & ((1u << info->stencil_bits) - 1);

    switch (format) {
    case RASTER_FORMAT_D15S1:
        return value << 1 | s;
    case RASTER_FORMAT_D24S8:
    case RASTER_FORMAT_D24X8:
    case RASTER_FORMAT_D24X4S4:
        return value << 8 | s;
    default:
        return value;
    }
}
