/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats as the rasterizer sees them: a target it can read and write, or a texel layout that is
 * decoded once into the sampler's own form. D3DFORMAT numbers are mapped onto these by caps/formats.c.
 */
#ifndef HALCYON_RASTER_FORMAT_H
#define HALCYON_RASTER_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names give channels from the most to the least significant bit of the little-endian texel. */
enum raster_format {
    RASTER_FORMAT_NONE,
    /* colour, packed: at most 8 bits a channel */
    RASTER_FORMAT_A8R8G8B8,
    RASTER_FORMAT_X8R8G8B8,
    RASTER_FORMAT_A8B8G8R8,
    RASTER_FORMAT_X8B8G8R8,
    RASTER_FORMAT_R5G6B5,
    RASTER_FORMAT_X1R5G5B5,
    RASTER_FORMAT_A1R5G5B5,
    RASTER_FORMAT_A4R4G4B4,
    RASTER_FORMAT_X4R4G4B4,
    RASTER_FORMAT_R8G8B8, /* three bytes: B, G, R */
    RASTER_FORMAT_R3G3B2,
    RASTER_FORMAT_A8R3G3B2,
    RASTER_FORMAT_A8,
    RASTER_FORMAT_L8,
    RASTER_FORMAT_A8L8,
    RASTER_FORMAT_A4L4,
    /* others whose texels fit 8 bits a channel */
    RASTER_FORMAT_P8,   /* palette index */
    RASTER_FORMAT_A8P8,
    RASTER_FORMAT_V8U8, /* signed; bump */
    RASTER_FORMAT_L6V5U5,
    RASTER_FORMAT_X8L8V8U8,
    RASTER_FORMAT_Q8W8V8U8,
    RASTER_FORMAT_CXV8U8, /* blue is what makes a unit vector of red and green */
    RASTER_FORMAT_DXT1,
    RASTER_FORMAT_DXT3, /* DXT2 too: premultiplied alpha is the program's business */
    RASTER_FORMAT_DXT5, /* DXT4 too */
    RASTER_FORMAT_ATI1, /* one channel in blocks like DXT5's alpha */
    RASTER_FORMAT_ATI2, /* two: green, then red */
    RASTER_FORMAT_UYVY,
    RASTER_FORMAT_YUY2,
    RASTER_FORMAT_R8G8_B8G8, /* RGB in the way of UYVY: red and blue for two texels */
    RASTER_FORMAT_G8R8_G8B8, /* in the way of YUY2 */
    /* wide: more than 8 bits in some channel; texels are decoded to four floats */
    RASTER_FORMAT_A2R10G10B10,
    RASTER_FORMAT_A2B10G10R10,
    RASTER_FORMAT_G16R16,
    RASTER_FORMAT_A16B16G16R16,
    RASTER_FORMAT_L16,
    RASTER_FORMAT_R16F,
    RASTER_FORMAT_G16R16F,
    RASTER_FORMAT_A16B16G16R16F,
    RASTER_FORMAT_R32F,
    RASTER_FORMAT_G32R32F,
    RASTER_FORMAT_A32B32G32R32F,
    RASTER_FORMAT_V16U16, /* signed */
    RASTER_FORMAT_W11V11U10,
    RASTER_FORMAT_A2W10V10U10, /* alpha is unsigned */
    RASTER_FORMAT_Q16W16V16U16,
    RASTER_FORMAT_FEEDBACK, /* private to raster/sample/feedback.c: at most a byte for 4x4 texels */
    RASTER_FORMAT_NULL, /* a target without pixels, for passes that want depth alone */
    /* depth and stencil; textures of them read the depth in all channels */
    RASTER_FORMAT_D16,
    RASTER_FORMAT_D15S1,  /* stencil in bit 0 */
    RASTER_FORMAT_D24S8,  /* depth in bits 31:8, stencil in 7:0 */
    RASTER_FORMAT_D24X8,
    RASTER_FORMAT_D24X4S4,
    RASTER_FORMAT_D32,
    RASTER_FORMAT_D32F,
    RASTER_FORMAT_D24FS8, /* 4 bits of exponent (bias 15), 20 of mantissa, no sign */
    RASTER_FORMAT_COUNT,
};

enum raster_format_kind {
    RASTER_KIND_NONE,
    RASTER_KIND_PACKED,
    RASTER_KIND_PALETTE,
    RASTER_KIND_SIGNED, /* kept biased */
    RASTER_KIND_BLOCK,
    RASTER_KIND_PAIR, /* two texels share a chroma or red and blue */
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
    uint8_t kind;        /* enum raster_format_kind */
    uint8_t type;        /* enum raster_channel_type */
    uint8_t block_bytes; /* bytes of one texel, or of one block */
    uint8_t block_width, block_height; /* 1, or 4 for DXT, 2x1 for packed YUV */
    uint8_t depth_bits, stencil_bits;
    uint8_t is_target;   /* the rasterizer can draw to it */
    uint8_t has_alpha;
    uint8_t bits[4];     /* R, G, B, A bits of a packed or wide format; 0: none */
    uint8_t shift[4];    /* from bit 0 of the texel's first byte */
};

const struct raster_format_info *raster_format_info(enum raster_format format);

/* Is the sampler's form of it four floats a texel, not a word? */
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
 * 0xAARRGGBB for P8 and A8P8, else ignored. For block formats width and height need not be multiples of the block. */
void raster_decode(enum raster_format format, const uint8_t *source, size_t source_pitch,
                   uint32_t *texels, size_t texel_pitch, unsigned width, unsigned height,
                   const uint32_t *palette);

/* raster_decode into four floats a texel: r, g, b, a. Absent channels of wide formats read as 1. A NaN comes out as the one
 * NaN that x86 makes itself, so that sums of NaNs are the same in every kernel. */
void raster_decode_wide(enum raster_format format, const uint8_t *source, size_t source_pitch,
                        float *texels, size_t texel_pitch, unsigned width, unsigned height,
                        const uint32_t *palette);

/* Depth formats: one float a texel, 0..1 (float formats: as it is). */
void raster_decode_depth(enum raster_format format, const uint8_t *source, size_t source_pitch,
                         float *texels, size_t texel_pitch, unsigned width, unsigned height);

/* Stores 0xAARRGGBB words into an uncompressed colour format, each channel rounded to nearest:
 * trunc(c * (2^n - 1) / 255 + 1/2). False if the format cannot be written. */
bool raster_encode(enum raster_format format, const uint32_t *texels, size_t texel_pitch,
                   uint8_t *destination, size_t destination_pitch, unsigned width, unsigned height);
/* raster_encode from four floats a texel; half floats are rounded to nearest even. */
bool raster_encode_wide(enum raster_format format, const float *texels, size_t texel_pitch,
                        uint8_t *destination, size_t destination_pitch, unsigned width, unsigned height);

#define RASTER_TEXEL_BYTES 16 /* of the largest texel */
/* One texel, or pair of texels (0xAAYYUUVV for YUV), of that colour. Returns its size in bytes; 0 if the format cannot
 * be filled. */
unsigned raster_pack_texel(enum raster_format format, uint32_t argb, uint8_t texel[RASTER_TEXEL_BYTES]);

/* One value of a depth format for depth 0..1 and a stencil value. */
uint32_t raster_pack_depth(enum raster_format format, float depth, uint32_t stencil);
/* Bits of such a value that hold depth, and stencil. */
uint32_t raster_depth_mask(enum raster_format format);
uint32_t raster_stencil_mask(enum raster_format format);

#endif
