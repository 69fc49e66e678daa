/* SPDX-License-Identifier: MIT */
/*
 * Texels of more than 8 bits a channel, to and from four floats; depth formats, to and from their words. Rules:
 * docs/reference/texture-sampling.md, section 6.
 */
#include "raster/format/wide.h"

#include <math.h>

#include "raster/format/planar.h"
#include "raster/format/texel.h"
#include "raster/format/wide_row.h"

#define CHUNK 64 /* texels that are widened or narrowed at once */

static const unsigned word_shift[4] = {16, 8, 0, 24}; /* of r, g, b, a in 0xAARRGGBB */

static inline float clamp_unit(float v)
{
    v = v > 0.0f ? v : 0.0f; /* NaN: 0 */
    return v < 1.0f ? v : 1.0f;
}

/* --- decoding ------------------------------------------------------------------------------- */

static void wide_widen(enum raster_format format, const uint32_t *words, float *texels, unsigned count)
{
    bool is_signed = raster_format_info(format)->kind == RASTER_KIND_SIGNED;

    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < 4; c++) {
            int byte = (int)(words[i] >> word_shift[c] & 255);
            float v = is_signed ? (float)(byte - 128) / 127.0f : (float)byte / 255.0f;

            texels[4 * i + c] = v > -1.0f ? v : -1.0f;
        }
}

/* Rows of up to one block's height, a chunk of columns at a time. */
static void decode_words(enum raster_format format, const uint8_t *source, size_t source_pitch, float *texels,
                         size_t texel_pitch, unsigned width, unsigned rows, const uint32_t *palette)
{
    const struct raster_format_info *info = raster_format_info(format);
    uint32_t words[4][CHUNK];

    for (unsigned x = 0; x < width; x += CHUNK) {
        unsigned columns = width - x < CHUNK ? width - x : CHUNK;

        raster_decode(format, source + (size_t)(x / info->block_width) * info->block_bytes, source_pitch, words[0],
                      sizeof(words[0]), columns, rows, palette);
        for (unsigned y = 0; y < rows; y++)
            wide_widen(format, words[y], (float *)((uint8_t *)texels + y * texel_pitch) + (size_t)x * 4, columns);
    }
}

void raster_decode_wide(enum raster_format format, const uint8_t *source, size_t source_pitch, float *texels,
                        size_t texel_pitch, unsigned width, unsigned height, const uint32_t *palette)
{
    const struct raster_format_info *info = raster_format_info(format);
    unsigned step = info->block_height;

    if (info->kind == RASTER_KIND_PLANAR) {
        const struct raster_planar planar = {format, source, source_pitch, height};

        raster_decode_planar_wide(&planar, 0, 0, texels, texel_pitch, width, height);
        return;
    }
    for (unsigned y = 0; y < height; y += step) {
        const uint8_t *row = source + y / step * source_pitch;
        float *out = (float *)((uint8_t *)texels + y * texel_pitch);

        if (raster_format_is_wide(format))
            raster_decode_wide_row(info, row, out, width);
        else
            decode_words(format, row, source_pitch, out, texel_pitch, width, height - y < step ? height - y : step,
                         palette);
    }
}

void raster_decode_depth(enum raster_format format, const uint8_t *source, size_t source_pitch, float *texels,
                         size_t texel_pitch, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);

    for (unsigned y = 0; y < height; y++)
        raster_decode_depth_row(info, source + y * source_pitch, (float *)((uint8_t *)texels + y * texel_pitch), width);
}

void raster_decode_narrowed(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                            size_t texel_pitch, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);
    float wide[CHUNK][4];

    for (unsigned y = 0; y < height; y++) {
        uint32_t *out = (uint32_t *)((uint8_t *)texels + y * texel_pitch);

        for (unsigned x = 0; x < width; x++) {
            if (x % CHUNK == 0)
                raster_decode_wide_row(info, source + y * source_pitch + (size_t)x * info->block_bytes, wide[0],
                                       width - x < CHUNK ? width - x : CHUNK);
            out[x] = 0;
            for (unsigned c = 0; c < 4; c++)
                out[x] |= (uint32_t)(clamp_unit(wide[x % CHUNK][c]) * 255.0f + 0.5f) << word_shift[c];
        }
    }
}

/* --- encoding -------------------------------------------------------------------------------- */

static uint32_t field_mask(unsigned bits)
{
    return bits == 32 ? ~0u : (1u << bits) - 1;
}

static uint32_t encode_field(const struct raster_format_info *info, unsigned c, float v)
{
    if (info->type != RASTER_FLOAT)
        return (uint32_t)(clamp_unit(v) * (float)field_mask(info->bits[c]) + 0.5f);
    return info->bits[c] == 16 ? texel_to_half(v) : texel_from_f32(texel_bits(v));
}

static void encode_texel(const struct raster_format_info *info, const float texel[4], uint8_t *destination)
{
    bool luminance = info->bits[1] && info->shift[0] == info->shift[1];
    float red = luminance ? texel[0] * 0.2126f + texel[1] * 0.7152f + texel[2] * 0.0722f : texel[0];
    uint32_t word[RASTER_TEXEL_BYTES / 4] = {0};

    for (unsigned c = 0; c < 4; c++) {
        unsigned shift = info->shift[c];

        if (info->bits[c] && !(luminance && (c == 1 || c == 2)))
            word[shift / 32] |= encode_field(info, c, c ? texel[c] : red) << shift % 32;
    }
    memcpy(destination, word, info->block_bytes);
}

static bool is_writable(const struct raster_format_info *info)
{
    return info->kind == RASTER_KIND_PACKED ||
           (info->kind == RASTER_KIND_WIDE && (info->type == RASTER_UNORM || info->type == RASTER_FLOAT));
}

bool raster_encode_wide(enum raster_format format, const float *texels, size_t texel_pitch, uint8_t *destination,
                        size_t destination_pitch, unsigned width, unsigned height)
{
    const struct raster_format_info *info = raster_format_info(format);

    if (!is_writable(info))
        return false;
    for (unsigned y = 0; y < height; y++) {
        const float *in = (const float *)((const uint8_t *)texels + y * texel_pitch);

        for (unsigned x = 0; x < width; x++)
            encode_texel(info, in + (size_t)x * 4, destination + y * destination_pitch + (size_t)x * info->block_bytes);
    }
    return true;
}

bool raster_encode_widened(enum raster_format format, const uint32_t *texels, size_t texel_pitch, uint8_t *destination,
                           size_t destination_pitch, unsigned width, unsigned height)
{
    unsigned bytes = raster_format_info(format)->block_bytes;
    float wide[CHUNK * 4];

    if (!is_writable(raster_format_info(format)))
        return false;
    for (unsigned y = 0; y < height; y++) {
        const uint32_t *in = (const uint32_t *)((const uint8_t *)texels + y * texel_pitch);

        for (unsigned x = 0; x < width; x += CHUNK) {
            unsigned count = width - x < CHUNK ? width - x : CHUNK;

            wide_widen(RASTER_FORMAT_A8R8G8B8, in + x, wide, count);
            raster_encode_wide(format, wide, sizeof(wide), destination + y * destination_pitch + (size_t)x * bytes,
                               destination_pitch, count, 1);
        }
    }
    return true;
}

/* --- depth ------------------------------------------------------------------------------------ */

uint32_t raster_pack_depth(enum raster_format format, float depth, uint32_t stencil)
{
    const struct raster_format_info *info = raster_format_info(format);
    float unit = clamp_unit(depth);
    double max = (double)((UINT64_C(1) << info->depth_bits) - 1);
    uint32_t value = (uint32_t)floor((double)unit * max + 0.5);

    switch (format) {
    case RASTER_FORMAT_D15S1:
        return value << 1 | (stencil & 1);
    case RASTER_FORMAT_D24S8:
        return value << 8 | (stencil & 0xFF);
    case RASTER_FORMAT_D24X4S4:
        return value << 8 | (stencil & 0xF);
    case RASTER_FORMAT_D24X8:
        return value << 8;
    case RASTER_FORMAT_D32F:
        return texel_bits(unit);
    case RASTER_FORMAT_D24FS8:
        return texel_to_20e4(unit) << 8 | (stencil & 0xFF);
    default:
        return value;
    }
}

uint32_t raster_stencil_mask(enum raster_format format)
{
    return (1u << raster_format_info(format)->stencil_bits) - 1;
}

uint32_t raster_depth_mask(enum raster_format format)
{
    unsigned bits = raster_format_info(format)->depth_bits;

    return bits == 32 ? ~0u : ((1u << bits) - 1) << (bits == 24 ? 8 : bits == 15 ? 1 : 0);
}
