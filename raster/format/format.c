/* SPDX-License-Identifier: MIT */
/*
 * Texels to and from 0xAARRGGBB words. Rules: docs/reference/texture-sampling.md, section 6.
 * Unsigned channels of n bits widen to nearest(v * 255 / (2^n - 1)) and narrow the same way back, so that a
 * value survives the round trip; DXT endpoints widen by bit replication (raster/format/dxt.c).
 */
#include "raster/format/format.h"

#include <math.h>
#include <string.h>

#include "base/simd/simd4.h"
#include "raster/format/dxt.h"
#include "raster/format/planar.h"
#include "raster/format/wide.h"
#include "raster/sample/sample.h"

static bool is_packed(enum raster_format format)
{
    return raster_format_info(format)->kind == RASTER_KIND_PACKED;
}

static inline uint32_t format_load(const uint8_t *p, unsigned bytes)
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

static inline void format_store(uint8_t *p, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

/* --- decoding --------------------------------------------------------------------------- */

/* The source of a channel of the word: an 8-bit value for each value of the field. */
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
    for (unsigned v = 0; bits && v <= max; v++) /* single rows are decoded, too, so avoid divisions */
        field->widened[v] = (uint8_t)(bits == 8 ? v : (v * 510 + max) / (2 * max));
}

static inline uint32_t read_field(const struct field *field, uint32_t value)
{
    return field->widened[value >> field->shift & field->mask];
}

static void decode_packed(const struct raster_format_info *info, const uint8_t *source, uint32_t *texels,
                          unsigned width, const struct field field[4])
{
    for (unsigned x = 0; x < width; x++, source += info->block_bytes) {
        uint32_t v = format_load(source, info->block_bytes);
        texels[x] = read_field(&field[3], v) << 24 | read_field(&field[0], v) << 16 | read_field(&field[1], v) << 8 |
                    read_field(&field[2], v);
    }
}

static void decode_palette(enum raster_format format, const uint8_t *source, uint32_t *texels, unsigned width,
                           const uint32_t *palette)
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

/* Red and green as in V8U8, blue the third component: sqrt(1 - u^2 - v^2). */
static uint32_t decode_unit_vector(uint32_t v)
{
    uint32_t red = bias_signed(v & 0xFF, 8), green = bias_signed(v >> 8 & 0xFF, 8);
    int x = (int)red - 128, y = (int)green - 128, rest = 127 * 127 - x * x - y * y;
    uint32_t blue = 128 + (uint32_t)floor(sqrt(rest > 0 ? rest : 0) + 0.5);
    return 0xFF000000u | red << 16 | green << 8 | blue;
}

static uint32_t decode_signed_texel(enum raster_format format, const uint8_t *p)
{
    uint32_t v = format_load(p, raster_format_info(format)->block_bytes);
    switch (format) {
    case RASTER_FORMAT_V8U8:
        return 0xFF0000FFu | ((v & 0xFF) ^ 0x80) << 16 | ((v >> 8 & 0xFF) ^ 0x80) << 8;
    case RASTER_FORMAT_L6V5U5:
        return 0xFF000000u | bias_signed(v & 0x1F, 5) << 16 | bias_signed(v >> 5 & 0x1F, 5) << 8 |
               bias_unsigned(v >> 10, 6);
    case RASTER_FORMAT_X8L8V8U8:
        return 0xFF000000u | ((v & 0xFF) ^ 0x80) << 16 | ((v >> 8 & 0xFF) ^ 0x80) << 8 |
               bias_unsigned(v >> 16 & 0xFF, 8);
    case RASTER_FORMAT_CXV8U8:
        return decode_unit_vector(v);
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
           clamp_byte((luma - 22554 * u - 46802 * v) >> 16) << 8 | clamp_byte((luma + 116130 * u) >> 16);
}

/* One channel of two pairs; first and second: the contributions of their chroma. */
static inline int4 yuv_channel(int4 luma, int first, int second)
{
    const int4 v = int4_add(luma, (int4){first, first, second, second}) >> 16;

    return int4_min(int4_max(v, int4_zero()), int4_splat(255));
}

/* yuv_to_rgb of two pairs. */
static inline int4 yuv_pairs_to_rgb(const uint8_t *pair, unsigned luma, unsigned chroma)
{
    const int u[2] = {pair[chroma] - 128, pair[chroma + 4] - 128};
    const int v[2] = {pair[chroma + 2] - 128, pair[chroma + 6] - 128};
    const int4 y = {pair[luma], pair[luma + 2], pair[luma + 4], pair[luma + 6]};
    const int4 rounded = int4_add(int4_left(y, 16), int4_splat(0x8000));
    const int4 red = yuv_channel(rounded, 91881 * v[0], 91881 * v[1]);
    const int4 green = yuv_channel(rounded, -22554 * u[0] - 46802 * v[0], -22554 * u[1] - 46802 * v[1]);
    const int4 blue = yuv_channel(rounded, 116130 * u[0], 116130 * u[1]);

    return int4_splat((int32_t)0xFF000000u) | int4_left(red, 16) | int4_left(green, 8) | blue;
}

static void decode_yuv(enum raster_format format, const uint8_t *source, uint32_t *texels, unsigned width)
{
    unsigned luma = format == RASTER_FORMAT_UYVY, chroma = !luma, x = 0;
    for (; x + 4 <= width; x += 4)
        int4_store(texels + x, yuv_pairs_to_rgb(source + (size_t)x * 2, luma, chroma));
    for (; x < width; x++) {
        const uint8_t *pair = source + (x / 2) * 4;
        texels[x] = yuv_to_rgb(pair[luma + 2 * (x & 1)], pair[chroma], pair[chroma + 2]);
    }
}

/* Red and blue are in the places of U and V of UYVY and YUY2. */
static void decode_rgb_pairs(enum raster_format format, const uint8_t *source, uint32_t *texels, unsigned width)
{
    unsigned green = format == RASTER_FORMAT_R8G8_B8G8, red = !green;
    for (unsigned x = 0; x < width; x++) {
        const uint8_t *pair = source + (x / 2) * 4;
        texels[x] = 0xFF000000u | (uint32_t)pair[red] << 16 | (uint32_t)pair[green + 2 * (x & 1)] << 8 | pair[red + 2];
    }
}

static void format_decode_row(enum raster_format format, const uint8_t *source, uint32_t *texels, unsigned width,
                              const uint32_t *palette)
{
    const struct raster_format_info *info = raster_format_info(format);
    switch (info->kind) {
    case RASTER_KIND_PALETTE:
        decode_palette(format, source, texels, width, palette);
        break;
    case RASTER_KIND_SIGNED:
        for (unsigned x = 0; x < width; x++)
            texels[x] = decode_signed_texel(format, source + (size_t)x * info->block_bytes);
        break;
    case RASTER_KIND_PAIR:
        if (format == RASTER_FORMAT_UYVY || format == RASTER_FORMAT_YUY2)
            decode_yuv(format, source, texels, width);
        else
            decode_rgb_pairs(format, source, texels, width);
        break;
    default: /* has no colour */
        memset(texels, 0, (size_t)width * 4);
        break;
    }
}

/* X8R8G8B8 from or to words: a copy with opaque alpha. */
static void copy_opaque(uint8_t *out, const uint8_t *in, unsigned width)
{
    const int4 opaque = int4_splat((int32_t)0xFF000000u);
    unsigned x = 0;

    for (; x + 4 <= width; x += 4)
        int4_store(out + (size_t)x * 4, int4_load(in + (size_t)x * 4) | opaque);
    for (; x < width; x++)
        format_store(out + (size_t)x * 4, 4, format_load(in + (size_t)x * 4, 4) | 0xFF000000u);
}

static void decode_packed_rows(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                               size_t texel_pitch, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);
    const bool words = format == RASTER_FORMAT_A8R8G8B8 || format == RASTER_FORMAT_X8R8G8B8;
    struct field field[4];
    bool color = info->bits[0] != 0; /* A8 reads as black with that alpha */

    for (unsigned c = 0; c < 4 && !words; c++)
        init_field(&field[c], info->bits[c], info->shift[c], c == 3 || color ? 255 : 0);
    for (unsigned y = 0; y < height; y++) {
        uint32_t *row = (uint32_t *)((uint8_t *)texels + y * texel_pitch);
        if (format == RASTER_FORMAT_A8R8G8B8)
            memcpy(row, source + y * source_pitch, (size_t)width * 4);
        else if (format == RASTER_FORMAT_X8R8G8B8)
            copy_opaque((uint8_t *)row, source + y * source_pitch, width);
        else
            decode_packed(info, source + y * source_pitch, row, width, field);
    }
}

void raster_decode(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                   size_t texel_pitch, unsigned width, unsigned height, const uint32_t *palette)
{
    if (raster_format_info(format)->kind == RASTER_KIND_BLOCK) {
        raster_decode_dxt(format, source, source_pitch, texels, texel_pitch, width, height);
        return;
    }
    if (raster_format_info(format)->kind == RASTER_KIND_PLANAR) {
        const struct raster_planar planar = {format, source, source_pitch, height};

        raster_decode_planar(&planar, 0, 0, texels, texel_pitch, width, height);
        return;
    }
    if (raster_format_is_wide(format)) {
        raster_decode_narrowed(format, source, source_pitch, texels, texel_pitch, width, height);
        return;
    }
    if (is_packed(format)) {
        decode_packed_rows(format, source, source_pitch, texels, texel_pitch, width, height);
        return;
    }
    for (unsigned y = 0; y < height; y++)
        format_decode_row(format, source + y * source_pitch, (uint32_t *)((uint8_t *)texels + y * texel_pitch), width,
                          palette);
}

/* --- encoding ------------------------------------------------------------------------------ */

static inline uint32_t format_narrow(uint32_t byte, unsigned bits)
{
    uint32_t max = (1u << bits) - 1;
    return (byte * max * 2 + 255) / 510;
}

static bool is_luminance(const struct raster_format_info *info)
{
    return info->bits[0] && info->shift[0] == info->shift[1];
}

static uint32_t pack_packed(const struct raster_format_info *info, uint32_t argb)
{
    uint32_t r = argb >> 16 & 0xFF, g = argb >> 8 & 0xFF, b = argb & 0xFF, a = argb >> 24;
    if (is_luminance(info)) {
        uint32_t luma = (r * 54 + g * 183 + b * 19 + 128) >> 8;
        return format_narrow(luma, info->bits[0]) | format_narrow(a, info->bits[3]) << info->shift[3];
    }
    return format_narrow(r, info->bits[0]) << info->shift[0] | format_narrow(g, info->bits[1]) << info->shift[1] |
           format_narrow(b, info->bits[2]) << info->shift[2] | format_narrow(a, info->bits[3]) << info->shift[3];
}

/* The colour's red, green and blue are Y, U and V for YUV formats. */
static void pack_pair(enum raster_format format, uint32_t argb, uint8_t *texel)
{
    uint32_t r = argb >> 16 & 0xFF, g = argb >> 8 & 0xFF, b = argb & 0xFF, value;
    switch (format) {
    case RASTER_FORMAT_UYVY:
        value = g | r << 8 | b << 16 | r << 24;
        break;
    case RASTER_FORMAT_YUY2:
        value = r | g << 8 | r << 16 | b << 24;
        break;
    case RASTER_FORMAT_R8G8_B8G8:
        value = r | g << 8 | b << 16 | g << 24;
        break;
    default:
        value = g | r << 8 | g << 16 | b << 24;
        break;
    }
    format_store(texel, 4, value);
}

/* A block of one colour: the two endpoints are equal, and all indices select the first. In DXT1, alpha below one half
 * becomes fully transparent (index 3, which is transparent because the first endpoint is not the greater one). */
static void pack_block(enum raster_format format, uint32_t argb, uint8_t *block)
{
    const uint32_t r = argb >> 16 & 0xFF, g = argb >> 8 & 0xFF, b = argb & 0xFF, a = argb >> 24;
    const uint32_t color = format_narrow(r, 5) << 11 | format_narrow(g, 6) << 5 | format_narrow(b, 5);

    memset(block, 0, raster_format_info(format)->block_bytes);
    switch (format) {
    case RASTER_FORMAT_DXT1:
        format_store(block, 4, color | color << 16);
        if (a < 128)
            memset(block + 4, 0xFF, 4);
        break;
    case RASTER_FORMAT_ATI1:
        block[0] = block[1] = (uint8_t)r;
        break;
    case RASTER_FORMAT_ATI2:
        block[0] = block[1] = (uint8_t)g;
        block[8] = block[9] = (uint8_t)r;
        break;
    case RASTER_FORMAT_DXT3:
        memset(block, (int)(format_narrow(a, 4) * 0x11), 8);
        format_store(block + 8, 4, color | color << 16);
        break;
    default: /* DXT5 */
        block[0] = block[1] = (uint8_t)a;
        format_store(block + 8, 4, color | color << 16);
        break;
    }
}

/* Indices and signed numbers are not colours: "Handling Color Values for Pixel Formats" of the DirectX 9 driver
 * document says that the bits are used unchanged. Wider texels are padded with zeros. */
static void pack_bits(const struct raster_format_info *info, uint32_t bits, uint8_t *texel)
{
    memset(texel, 0, info->block_bytes);
    format_store(texel, info->block_bytes < 4 ? info->block_bytes : 4, bits);
}

unsigned raster_pack_texel(enum raster_format format, uint32_t argb, uint8_t texel[RASTER_TEXEL_BYTES])
{
    const struct raster_format_info *info = raster_format_info(format);
    switch (info->kind) {
    case RASTER_KIND_PACKED:
    case RASTER_KIND_WIDE:
        if (info->type == RASTER_SNORM || info->type == RASTER_SNORM_UNORM_ALPHA)
            pack_bits(info, argb, texel);
        else
            raster_encode(format, &argb, 4, texel, RASTER_TEXEL_BYTES, 1, 1);
        return info->block_bytes;
    case RASTER_KIND_PALETTE:
    case RASTER_KIND_SIGNED:
        pack_bits(info, argb, texel);
        return info->block_bytes;
    case RASTER_KIND_BLOCK:
        pack_block(format, argb, texel);
        return info->block_bytes;
    case RASTER_KIND_PAIR:
        pack_pair(format, argb, texel);
        return info->block_bytes;
    case RASTER_KIND_PLANAR:
        for (unsigned c = 0; c < 3; c++)
            texel[c] = (uint8_t)(argb >> (16 - 8 * c));
        return 3;
    case RASTER_KIND_NULL:
        texel[0] = 0;
        return info->block_bytes;
    default:
        return 0;
    }
}

bool raster_encode(enum raster_format format, const uint32_t *texels, size_t texel_pitch, uint8_t *destination,
                   size_t destination_pitch, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);
    unsigned bytes = info->block_bytes;
    if (info->kind == RASTER_KIND_WIDE)
        return raster_encode_widened(format, texels, texel_pitch, destination, destination_pitch, width, height);
    if (!is_packed(format))
        return false;
    for (unsigned y = 0; y < height; y++) {
        const uint32_t *row = (const uint32_t *)((const uint8_t *)texels + y * texel_pitch);
        uint8_t *out = destination + y * destination_pitch;
        if (format == RASTER_FORMAT_A8R8G8B8) {
            memcpy(out, row, (size_t)width * 4);
            continue;
        }
        if (format == RASTER_FORMAT_X8R8G8B8) {
            copy_opaque(out, (const uint8_t *)row, width);
            continue;
        }
        for (unsigned x = 0; x < width; x++)
            format_store(out + (size_t)x * bytes, bytes, pack_packed(info, row[x]));
    }
    return true;
}
