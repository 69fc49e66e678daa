/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats as the rasterizer sees them: a target it can read and write, or a texel layout that is
 * decoded once into the sampler's own form. caps/formats.c maps D3DFORMAT numbers onto these.
 */
#ifndef HALCYON_RASTER_FORMAT_H
#define HALCYON_RASTER_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Layouts of texels: one for each row of d3d/formats.def that has texels of its own, in that order, depth last. */
enum raster_format {
    RASTER_FORMAT_NONE,
    RASTER_FORMAT_FEEDBACK, /* private to raster/sample/feedback.c: at most a byte for 4x4 texels */
#define FORMAT(number, name, layout, ...) RASTER_FORMAT_##layout,
#include "d3d/formats.def"
    RASTER_FORMAT_COUNT,
};

enum raster_format_kind {
    RASTER_KIND_NONE,
    RASTER_KIND_PACKED,
    RASTER_KIND_PALETTE,
    RASTER_KIND_SIGNED, /* kept biased */
    RASTER_KIND_BLOCK,
    RASTER_KIND_PAIR,   /* two texels share a chroma or red and blue */
    RASTER_KIND_PLANAR, /* luma and chroma apart: d3d/planes.h */
    RASTER_KIND_WIDE,
    RASTER_KIND_NULL,
    RASTER_KIND_FEEDBACK,
    RASTER_KIND_DEPTH,
};

/* The type of the channels of a wide or depth format. */
enum raster_channel_type {
    RASTER_UNORM,
    RASTER_SNORM,
    RASTER_SNORM_UNORM_ALPHA,
    RASTER_FLOAT, /* 16 or 32 bits; depth: 24 or 32 */
};

/* One row per format: size, block size, channels. */
struct raster_format_info {
    const char *name;
    uint8_t kind;                      /* enum raster_format_kind */
    uint8_t type;                      /* enum raster_channel_type */
    uint8_t block_bytes;               /* bytes of one texel, or of one block; planar: of its luma in one row */
    uint8_t block_width, block_height; /* 1, or 4 for DXT, 2x1 for packed YUV, 2x2 for planar */
    uint8_t depth_bits, stencil_bits;
    uint8_t is_target; /* the rasterizer can draw to it */
    uint8_t has_alpha;
    uint8_t bits[4];  /* R, G, B, A bits of a packed or wide format; 0: none */
    uint8_t shift[4]; /* from bit 0 of the texel's first byte */
};

const struct raster_format_info *raster_format_info(enum raster_format format);

/* Bytes of a row of texels or blocks, and the number of rows in memory, including those of chroma. */
uint64_t raster_format_row_bytes(enum raster_format format, unsigned width);
uint64_t raster_format_rows(enum raster_format format, unsigned height);

/* Is the sampler's form of the format four floats a texel, not a word? */
static inline bool raster_format_is_wide(enum raster_format format)
{
    unsigned kind = raster_format_info(format)->kind;

    return kind == RASTER_KIND_WIDE || kind == RASTER_KIND_DEPTH;
}

/* 8-bit colours, whose texels may be sRGB. */
static inline bool raster_format_has_srgb(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);

    return info->kind == RASTER_KIND_PALETTE || (info->kind == RASTER_KIND_PACKED && info->bits[0]) ||
           (info->kind == RASTER_KIND_BLOCK && format != RASTER_FORMAT_ATI1 && format != RASTER_FORMAT_ATI2);
}

/* Which channel fetch4 reads (enum raster_fetch4): formats with one. */
unsigned raster_format_fetch4(enum raster_format format);

/* Decodes `width` x `height` texels into 0xAARRGGBB words (the sampler's form; signed formats are kept
 * biased: v + 128 per channel, see raster/sample/sample.h; wide ones are cut to 0..1 and rounded). Absent channels read
 * as 1 (alpha) or per format (L: replicated). Source and destination pitches in bytes. `palette`: 256 words
 * 0xAARRGGBB for P8 and A8P8, else ignored. For block formats width and height need not be multiples of the block. Of planar ones
 * the source is a whole surface of that height, though not of that width. */
void raster_decode(enum raster_format format, const uint8_t *source, size_t source_pitch, uint32_t *texels,
                   size_t texel_pitch, unsigned width, unsigned height, const uint32_t *palette);

/* raster_decode into four floats a texel: r, g, b, a. Absent channels of wide formats read as 1. Every NaN becomes
 * x86's default NaN, so that sums of NaNs are the same in every kernel. */
void raster_decode_wide(enum raster_format format, const uint8_t *source, size_t source_pitch, float *texels,
                        size_t texel_pitch, unsigned width, unsigned height, const uint32_t *palette);

/* Depth formats: one float a texel, 0..1 (float formats: unchanged). */
void raster_decode_depth(enum raster_format format, const uint8_t *source, size_t source_pitch, float *texels,
                         size_t texel_pitch, unsigned width, unsigned height);

/* Stores 0xAARRGGBB words into an uncompressed colour format, each channel rounded to nearest:
 * trunc(c * (2^n - 1) / 255 + 1/2). False if the format cannot be written. */
bool raster_encode(enum raster_format format, const uint32_t *texels, size_t texel_pitch, uint8_t *destination,
                   size_t destination_pitch, unsigned width, unsigned height);
/* raster_encode from four floats a texel; half floats are rounded to nearest even. */
bool raster_encode_wide(enum raster_format format, const float *texels, size_t texel_pitch, uint8_t *destination,
                        size_t destination_pitch, unsigned width, unsigned height);

#define RASTER_TEXEL_BYTES 16 /* of the largest texel */
/* Packs a colour into one texel, pair (0xAAYYUUVV for YUV) or block, or into the bytes Y, U and V of a planar format;
 * indices and signed texels take its lowest bits unchanged. Returns its size in bytes; 0 if the format cannot be
 * filled: depth, feedback. */
unsigned raster_pack_texel(enum raster_format format, uint32_t argb, uint8_t texel[RASTER_TEXEL_BYTES]);

/* One value of a depth format for depth 0..1 and a stencil value. */
uint32_t raster_pack_depth(enum raster_format format, float depth, uint32_t stencil);
/* Bits of such a value that hold depth, and stencil. */
uint32_t raster_depth_mask(enum raster_format format);
uint32_t raster_stencil_mask(enum raster_format format);

#endif
