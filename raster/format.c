/* SPDX-License-Identifier: MIT */
/*
 * The format table, and texels to and from 0xAARRGGBB words. Rules: raster.md section 6. Unsigned
 * channels of n bits widen to nearest(v * 255 / (2^n - 1)) and narrow the same way back, so that a
 * value survives the round trip; DXT endpoints widen by bit replication (raster/format_dxt.c).
 */
#include "raster/format.h"

#include <math.h>
#include <string.h>

#include "raster/format_dxt.h"

#define PACKED(bytes, target, alpha, r, g, b, a, rs, gs, bs, as)                                   \
    .block_bytes = (bytes), .block_width = 1, .block_height = 1, .is_target = (target),            \
    .has_alpha = (alpha), .bits = {r, g, b, a}, .shift = {rs, gs, bs, as}
#define OPAQUE_BYTES(bytes, alpha)                                                                 \
    .block_bytes = (bytes), .block_width = 1, .block_height = 1, .has_alpha = (alpha)
#define BLOCK(bytes, width, height, alpha)                                                         \
    .block_bytes = (bytes), .block_width = (width), .block_height = (height), .has_alpha = (alpha)
#define DEPTH(bytes, depth, stencil)                                                               \
    .block_bytes = (bytes), .block_width = 1, .block_height = 1, .depth_bits = (depth),            \
    .stencil_bits = (stencil), .is_target = 1

/* clang-format off */
static const struct raster_format_info formats[RASTER_FORMAT_COUNT] = {
    [RASTER_FORMAT_NONE]     = {.name = "none", .block_width = 1, .block_height = 1},
    [RASTER_FORMAT_A8R8G8B8] = {"A8R8G8B8", PACKED(4, 1, 1, 8, 8, 8, 8, 16, 8, 0, 24)},
    [RASTER_FORMAT_X8R8G8B8] = {"X8R8G8B8", PACKED(4, 1, 0, 8, 8, 8, 0, 16, 8, 0, 0)},
    [RASTER_FORMAT_R5G6B5]   = {"R5G6B5",   PACKED(2, 1, 0, 5, 6, 5, 0, 11, 5, 0, 0)},
    [RASTER_FORMAT_X1R5G5B5] = {"X1R5G5B5", PACKED(2, 1, 0, 5, 5, 5, 0, 10, 5, 0, 0)},
    [RASTER_FORMAT_A1R5G5B5] = {"A1R5G5B5", PACKED(2, 1, 1, 5, 5, 5, 1, 10, 5, 0, 15)},
    [RASTER_FORMAT_A4R4G4B4] = {"A4R4G4B4", PACKED(2, 1, 1, 4, 4, 4, 4, 8, 4, 0, 12)},
    [RASTER_FORMAT_X4R4G4B4] = {"X4R4G4B4", PACKED(2, 1, 0, 4, 4, 4, 0, 8, 4, 0, 0)},
    [RASTER_FORMAT_R8G8B8]   = {"R8G8B8",   PACKED(3, 0, 0, 8, 8, 8, 0, 16, 8, 0, 0)},
    [RASTER_FORMAT_R3G3B2]   = {"R3G3B2",   PACKED(1, 0, 0, 3, 3, 2, 0, 5, 2, 0, 0)},
    [RASTER_FORMAT_A8R3G3B2] = {"A8R3G3B2", PACKED(2, 0, 1, 3, 3, 2, 8, 5, 2, 0, 8)},
    [RASTER_FORMAT_A8]       = {"A8",       PACKED(1, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0)},
    /* luminance: one field read as red, green and blue */
    [RASTER_FORMAT_L8]       = {"L8",       PACKED(1, 0, 0, 8, 8, 8, 0, 0, 0, 0, 0)},
    [RASTER_FORMAT_A8L8]     = {"A8L8",     PACKED(2, 0, 1, 8, 8, 8, 8, 0, 0, 0, 8)},
    [RASTER_FORMAT_A4L4]     = {"A4L4",     PACKED(1, 0, 1, 4, 4, 4, 4, 0, 0, 0, 4)},
    [RASTER_FORMAT_P8]       = {"P8",       OPAQUE_BYTES(1, 1)},
    [RASTER_FORMAT_A8P8]     = {"A8P8",     OPAQUE_BYTES(2, 1)},
    [RASTER_FORMAT_V8U8]     = {"V8U8",     OPAQUE_BYTES(2, 0)},
    [RASTER_FORMAT_L6V5U5]   = {"L6V5U5",   OPAQUE_BYTES(2, 0)},
    [RASTER_FORMAT_X8L8V8U8] = {"X8L8V8U8", OPAQUE_BYTES(4, 0)},
    [RASTER_FORMAT_Q8W8V8U8] = {"Q8W8V8U8", OPAQUE_BYTES(4, 1)},
    [RASTER_FORMAT_DXT1]     = {"DXT1",     BLOCK(8, 4, 4, 1)},
    [RASTER_FORMAT_DXT3]     = {"DXT3",     BLOCK(16, 4, 4, 1)},
    [RASTER_FORMAT_DXT5]     = {"DXT5",     BLOCK(16, 4, 4, 1)},
    [RASTER_FORMAT_UYVY]     = {"UYVY",     BLOCK(4, 2, 1, 0)},
    [RASTER_FORMAT_YUY2]     = {"YUY2",     BLOCK(4, 2, 1, 0)},
    [RASTER_FORMAT_D16]      = {"D16",      DEPTH(2, 16, 0)},
    [RASTER_FORMAT_D15S1]    = {"D15S1",    DEPTH(2, 15, 1)},
    [RASTER_FORMAT_D24S8]    = {"D24S8",    DEPTH(4, 24, 8)},
    [RASTER_FORMAT_D24X8]    = {"D24X8",    DEPTH(4, 24, 0)},
    [RASTER_FORMAT_D24X4S4]  = {"D24X4S4",  DEPTH(4, 24, 4)},
    [RASTER_FORMAT_D32]      = {"D32",      DEPTH(4, 32, 0)},
};
/* clang-format on */

const struct raster_format_info *raster_format_info(enum raster_format format)
{
    return &formats[(unsigned)format < RASTER_FORMAT_COUNT ? format : RASTER_FORMAT_NONE];
}

static bool is_packed(enum raster_format format)
{
    return format >= RASTER_FORMAT_A8R8G8B8 && format <= RASTER_FORMAT_A4L4;
}

static inline uint32_t load(const uint8_t *p, unsigned bytes)
{
    switch (bytes) {
    case 1:
        return p[0];
    case 2:
        return (uint32_t)p[0] | (uint32_t)p[1] << 8;
    case 3:
        return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    default:
        return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
}

static inline void store(uint8_t *p, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

/* --- decoding --------------------------------------------------------------------------- */

/* Where a channel of the word comes from: 8-bit value for each value of the field. */
struct field {
    uint8_t shift, mask;
    uint8_t widened[256];
};

static void init_field(struct field *field, unsigned bits, unsigned shift, uint8_t absent)
{
    unsigned max = (1u << bits) - 1;
    field->shift = (uint8_t)shift;
    field->mask = (uint8_t)max;
    if (!bits)
        field->widened[0] = absent;
    for (unsigned v = 0; bits && v <= max; v++)
        field->widened[v] = (uint8_t)((v * 510 + max) / (2 * max));
}

static inline uint32_t read_field(const struct field *field, uint32_t value)
{
    return field->widened[value >> field->shift & field->mask];
}

static void decode_packed(const struct raster_format_info *info, const uint8_t *source,
                          uint32_t *texels, unsigned width, const struct field field[4])
{
    for (unsigned x = 0; x < width; x++, source += info->block_bytes) {
        uint32_t v = load(source, info->block_bytes);
        texels[x] = read_field(&field[3], v) << 24 | read_field(&field[0], v) << 16 |
                    read_field(&field[1], v) << 8 | read_field(&field[2], v);
    }
}

static void decode_palette(enum raster_format format, const uint8_t *source, uint32_t *texels,
                           unsigned width, const uint32_t *palette)
{
    static const uint32_t none[256];
    if (!palette)
        palette = none;
    if (format == RASTER_FORMAT_P8) {
        for (unsigned x = 0; x < width; x++)
            texels[x] = palette[source[x]];
        return;
    }
    for (unsigned x = 0; x < width; x++)
        texels[x] = (palette[source[2 * x]] & 0xFFFFFF) | (uint32_t)source[2 * x + 1] << 24;
}

/* A signed field of n bits as the biased byte whose value / 127 is v / (2^(n-1) - 1). */
static uint32_t bias_signed(uint32_t field, unsigned bits)
{
    int max = (1 << (bits - 1)) - 1;
    int v = (int)field - (field >> (bits - 1) ? 1 << bits : 0);
    if (v < -max)
        v = -max;
    return (uint32_t)(128 + (v * 254 + (v < 0 ? -max : max)) / (2 * max));
}

/* An unsigned field in the same biased scale: 0..1 is 128..255. */
static uint32_t bias_unsigned(uint32_t field, unsigned bits)
{
    uint32_t max = (1u << bits) - 1;
    return 128 + (field * 254 + max) / (2 * max);
}

static uint32_t decode_signed_texel(enum raster_format format, const uint8_t *p)
{
    uint32_t v = load(p, raster_format_info(format)->block_bytes);
    switch (format) {
    case RASTER_FORMAT_V8U8:
        return 0xFF0000FFu | ((v & 0xFF) ^ 0x80) << 16 | ((v >> 8 & 0xFF) ^ 0x80) << 8;
    case RASTER_FORMAT_L6V5U5:
        return 0xFF000000u | bias_signed(v & 0x1F, 5) << 16 | bias_signed(v >> 5 & 0x1F, 5) << 8 |
               bias_unsigned(v >> 10, 6);
    case RASTER_FORMAT_X8L8V8U8:
        return 0xFF000000u | ((v & 0xFF) ^ 0x80) << 16 | ((v >> 8 & 0xFF) ^ 0x80) << 8 |
               bias_unsigned(v >> 16 & 0xFF, 8);
    default: /* Q8W8V8U8 */
        v ^= 0x80808080u;
        return (v & 0xFF00FF00u) | (v & 0xFF) << 16 | (v >> 16 & 0xFF);
    }
}

static uint32_t clamp_byte(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (uint32_t)v;
}

/* Full-range BT.601, coefficients in 16.16. */
static uint32_t yuv_to_rgb(int y, int u, int v)
{
    int luma = (y << 16) + 0x8000;
    u -= 128;
    v -= 128;
    return 0xFF000000u | clamp_byte((luma + 91881 * v) >> 16) << 16 |
           clamp_byte((luma - 22554 * u - 46802 * v) >> 16) << 8 |
           clamp_byte((luma + 116130 * u) >> 16);
}

static void decode_yuv(enum raster_format format, const uint8_t *source, uint32_t *texels,
                       unsigned width)
{
    unsigned luma = format == RASTER_FORMAT_UYVY, chroma = !luma;
    for (unsigned x = 0; x < width; x++) {
        const uint8_t *pair = source + (x / 2) * 4;
        texels[x] = yuv_to_rgb(pair[luma + 2 * (x & 1)], pair[chroma], pair[chroma + 2]);
    }
}

static void decode_row(enum raster_format format, const uint8_t *source, uint32_t *texels,
                       unsigned width, const uint32_t *palette)
{
    unsigned bytes = raster_format_info(format)->block_bytes;
    switch (format) {
    case RASTER_FORMAT_P8:
    case RASTER_FORMAT_A8P8:
        decode_palette(format, source, texels, width, palette);
        break;
    case RASTER_FORMAT_V8U8:
    case RASTER_FORMAT_L6V5U5:
    case RASTER_FORMAT_X8L8V8U8:
    case RASTER_FORMAT_Q8W8V8U8:
        for (unsigned x = 0; x < width; x++)
            texels[x] = decode_signed_texel(format, source + (size_t)x * bytes);
        break;
    case RASTER_FORMAT_UYVY:
    case RASTER_FORMAT_YUY2:
        decode_yuv(format, source, texels, width);
        break;
    default: /* depth: has no colour */
        memset(texels, 0, (size_t)width * 4);
        break;
    }
}

static void decode_packed_rows(enum raster_format format, const uint8_t *source,
                               size_t source_pitch, uint32_t *texels, size_t texel_pitch,
                               unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);
    struct field field[4];
    bool color = info->bits[0] != 0; /* A8 reads as black with that alpha */
    for (unsigned c = 0; c < 4; c++)
        init_field(&field[c], info->bits[c], info->shift[c], c == 3 || color ? 255 : 0);
    for (unsigned y = 0; y < height; y++) {
        uint32_t *row = (uint32_t *)((uint8_t *)texels + y * texel_pitch);
        if (format == RASTER_FORMAT_A8R8G8B8)
            memcpy(row, source + y * source_pitch, (size_t)width * 4);
        else
            decode_packed(info, source + y * source_pitch, row, width, field);
    }
}

void raster_decode(enum raster_format format, const uint8_t *source, size_t source_pitch,
                   uint32_t *texels, size_t texel_pitch, unsigned width, unsigned height,
                   const uint32_t *palette)
{
    if (raster_format_info(format)->block_height == 4) {
        raster_decode_dxt(format, source, source_pitch, texels, texel_pitch, width, height);
        return;
    }
    if (is_packed(format)) {
        decode_packed_rows(format, source, source_pitch, texels, texel_pitch, width, height);
        return;
    }
    for (unsigned y = 0; y < height; y++)
        decode_row(format, source + y * source_pitch,
                   (uint32_t *)((uint8_t *)texels + y * texel_pitch), width, palette);
}

/* --- encoding ------------------------------------------------------------------------------ */

static inline uint32_t narrow(uint32_t byte, unsigned bits)
{
    uint32_t max = (1u << bits) - 1;
    return (byte * max * 2 + 255) / 510;
}

static bool is_luminance(const struct raster_format_info *info)
{
    return info->bits[0] && info->shift[0] == info->shift[1];
}

uint32_t raster_pack_color(enum raster_format format, uint32_t argb)
{
    const struct raster_format_info *info = raster_format_info(format);
    uint32_t r = argb >> 16 & 0xFF, g = argb >> 8 & 0xFF, b = argb & 0xFF, a = argb >> 24;
    if (format == RASTER_FORMAT_A8R8G8B8)
        return argb;
    if (format == RASTER_FORMAT_X8R8G8B8)
        return argb | 0xFF000000u;
    if (!is_packed(format))
        return 0;
    if (is_luminance(info)) {
        uint32_t luma = (r * 54 + g * 183 + b * 19 + 128) >> 8;
        return narrow(luma, info->bits[0]) | narrow(a, info->bits[3]) << info->shift[3];
    }
    return narrow(r, info->bits[0]) << info->shift[0] | narrow(g, info->bits[1]) << info->shift[1] |
           narrow(b, info->bits[2]) << info->shift[2] | narrow(a, info->bits[3]) << info->shift[3];
}

bool raster_encode(enum raster_format format, const uint32_t *texels, size_t texel_pitch,
                   uint8_t *destination, size_t destination_pitch, unsigned width, unsigned height)
{
    unsigned bytes = raster_format_info(format)->block_bytes;
    if (!is_packed(format))
        return false;
    for (unsigned y = 0; y < height; y++) {
        const uint32_t *row = (const uint32_t *)((const uint8_t *)texels + y * texel_pitch);
        uint8_t *out = destination + y * destination_pitch;
        if (format == RASTER_FORMAT_A8R8G8B8) {
            memcpy(out, row, (size_t)width * 4);
            continue;
        }
        for (unsigned x = 0; x < width; x++)
            store(out + (size_t)x * bytes, bytes, raster_pack_color(format, row[x]));
    }
    return true;
}

uint32_t raster_pack_depth(enum raster_format format, float depth, uint32_t stencil)
{
    const struct raster_format_info *info = raster_format_info(format);
    double z = depth > 0.0f ? (depth < 1.0f ? depth : 1.0) : 0.0; /* NaN: 0 */
    double max = (double)((1ull << info->depth_bits) - 1);
    uint32_t value = (uint32_t)floor(z * max + 0.5);
    switch (format) {
    case RASTER_FORMAT_D15S1:
        return value << 1 | (stencil & 1);
    case RASTER_FORMAT_D24S8:
        return value << 8 | (stencil & 0xFF);
    case RASTER_FORMAT_D24X4S4:
        return value << 8 | (stencil & 0xF);
    case RASTER_FORMAT_D24X8:
        return value << 8;
    default:
        return value;
    }
}
