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
    /* colour */
    RASTER_FORMAT_A8R8G8B8,
    RASTER_FORMAT_X8R8G8B8,
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
    RASTER_FORMAT_P8,   /* palette index */
    RASTER_FORMAT_A8P8,
    RASTER_FORMAT_V8U8, /* signed; bump */
    RASTER_FORMAT_L6V5U5,
    RASTER_FORMAT_X8L8V8U8,
    RASTER_FORMAT_Q8W8V8U8,
    RASTER_FORMAT_DXT1,
    RASTER_FORMAT_DXT3, /* DXT2 too: premultiplied alpha is the program's business */
    RASTER_FORMAT_DXT5, /* DXT4 too */
    RASTER_FORMAT_UYVY,
    RASTER_FORMAT_YUY2,
    /* depth and stencil */
    RASTER_FORMAT_D16,
    RASTER_FORMAT_D15S1,  /* stencil in bit 0 */
    RASTER_FORMAT_D24S8,  /* depth in bits 31:8, stencil in 7:0 */
    RASTER_FORMAT_D24X8,
    RASTER_FORMAT_D24X4S4,
    RASTER_FORMAT_D32,
    RASTER_FORMAT_COUNT,
};

/* One row per format: size, block size, channels. */
struct raster_format_info {
    const char *name;
    uint8_t block_bytes; /* bytes of one texel, or of one block */
    uint8_t block_width, block_height; /* 1, or 4 for DXT, 2x1 for packed YUV */
    uint8_t depth_bits, stencil_bits;
    uint8_t is_target;   /* the rasterizer can draw to it */
    uint8_t has_alpha;
    uint8_t bits[4];     /* R, G, B, A bits of a packed unsigned format; 0: none */
    uint8_t shift[4];
};

const struct raster_format_info *raster_format_info(enum raster_format format);

/* Decodes `width` x `height` texels into 0xAARRGGBB words (the sampler's form; signed formats are kept
 * biased: v + 128 per channel, see raster/sample.h). Absent channels read as 1 (alpha) or per format (L:
 * replicated). Source and destination pitches in bytes. `palette`: 256 words 0xAARRGGBB for P8 and A8P8, else ignored.
 * For block formats width and height need not be multiples of the block. */
void raster_decode(enum raster_format format, const uint8_t *source, size_t source_pitch,
                   uint32_t *texels, size_t texel_pitch, unsigned width, unsigned height,
                   const uint32_t *palette);

/* Stores 0xAARRGGBB words into an uncompressed colour format, each channel rounded to nearest:
 * trunc(c * (2^n - 1) / 255 + 1/2). False if the format cannot be written. */
bool raster_encode(enum raster_format format, const uint32_t *texels, size_t texel_pitch,
                   uint8_t *destination, size_t destination_pitch, unsigned width, unsigned height);

/* One value of `format` for the colour 0xAARRGGBB (clears, colour fills). */
uint32_t raster_pack_color(enum raster_format format, uint32_t argb);
/* One value of a depth format for depth 0..1 and a stencil value. */
uint32_t raster_pack_depth(enum raster_format format, float depth, uint32_t stencil);

#endif
