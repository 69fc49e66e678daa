/* SPDX-License-Identifier: MIT */
/* Multisampled surfaces from outside: where their samples lie, resolving them, and splatting pixels to all samples. */
#include "raster/raster.h"

#include "base/simd/simd4.h"

#include <string.h>

/* Offsets from the centre in 1/16 px, sample 0 first. */
static const struct raster_sample_position positions[] = {
    /* 2 */ {4, 4},   {-4, -4},
    /* 4 */ {-2, -6}, {6, -2},  {-6, 2},  {2, 6},
    /* 8 */ {1, -3},  {-1, 3},  {5, 1},   {-3, -5}, {-5, 5},  {-7, -1}, {3, 7}, {7, -7},
    /* 16 */ {1, 1},  {-1, -3}, {-3, 2},  {4, -1},  {-5, -2}, {2, 5},   {5, 3}, {3, -5},
    {-2, 6},          {0, -7},  {-4, -6}, {-6, 4},  {-8, 0},  {7, -4},  {6, 7}, {-7, -8},
};

/* n samples start at n - 2: 2 + 4 + 8 of the smaller counts come before 16. */
const struct raster_sample_position *raster_sample_positions(unsigned samples)
{
    return &positions[samples - 2];
}

/* --- resolving ------------------------------------------------------------------------------------- */

static void resolve_row(const struct raster_surface *surface, unsigned y, uint32_t *sum, uint32_t *texels)
{
    unsigned samples = surface->samples, half = samples / 2;

    memset(sum, 0, surface->width * 4 * sizeof(*sum));
    for (unsigned s = 0; s < samples; s++) {
        const uint8_t *row = surface->pixels + s * surface->sample_stride + (size_t)y * surface->pitch;

        raster_decode(surface->format, row, surface->pitch, texels, surface->width * 4, surface->width, 1, NULL);
        for (unsigned i = 0; i < surface->width; i++)
            for (unsigned c = 0; c < 4; c++)
                sum[4 * i + c] += texels[i] >> (8 * c) & 255;
    }
    for (unsigned i = 0; i < surface->width; i++) {
        texels[i] = 0;
        for (unsigned c = 0; c < 4; c++)
            texels[i] |= (sum[4 * i + c] + half) / samples << (8 * c);
    }
}

#define MEAN_BYTES 64

/* Means of MEAN_BYTES bytes, halves up. */
static void mean_of_planes(const uint8_t *first, size_t stride, unsigned samples, uint8_t *mean)
{
    const int4 half = int4_splat16((uint16_t)(samples / 2));
    const int shift = __builtin_ctz(samples);

    for (unsigned i = 0; i < MEAN_BYTES; i += 16) {
        int4 low = half, high = half;

        for (unsigned s = 0; s < samples; s++) {
            const int4 bytes = int4_load(first + s * stride + i);

            low = int4_add16(low, int4_low_bytes(bytes));
            high = int4_add16(high, int4_high_bytes(bytes));
        }
        int4_store(mean + i, int4_pack8(int4_right16(low, shift), int4_right16(high, shift)));
    }
}

/* Resolves formats whose channels are bytes: what decoding, averaging and encoding come to. Rows of at least MEAN_BYTES. */
static void resolve_bytes(const struct raster_surface *surface, uint8_t *pixels, size_t pitch)
{
    const uint32_t opaque = surface->format == RASTER_FORMAT_X8R8G8B8 ? 0xff000000u : 0;
    const size_t bytes = (size_t)surface->width * 4;

    for (unsigned y = 0; y < surface->height; y++) {
        const uint8_t *row = surface->pixels + (size_t)y * surface->pitch;
        uint8_t *out = pixels + (size_t)y * pitch;

        for (size_t at = 0; at < bytes; at += MEAN_BYTES) {
            size_t from = BASE_MIN(at, bytes - MEAN_BYTES); /* the last piece overlaps the one before */
            uint32_t mean[MEAN_BYTES / 4];

            mean_of_planes(row + from, surface->sample_stride, surface->samples, (uint8_t *)mean);
            for (unsigned i = 0; i < MEAN_BYTES / 4; i++)
                mean[i] |= opaque;
            memcpy(out + from, mean, sizeof(mean));
        }
    }
}

void raster_resolve(const struct raster_surface *surface, uint8_t *pixels, size_t pitch)
{
    const struct raster_format_info *info = raster_format_info(surface->format);
    bool is_bytes = surface->format == RASTER_FORMAT_X8R8G8B8 || surface->format == RASTER_FORMAT_A8R8G8B8;

    if (is_bytes && surface->width * 4 >= MEAN_BYTES) {
        resolve_bytes(surface, pixels, pitch);
        return;
    }
    uint32_t *scratch = info->depth_bits ? NULL : mem_alloc_aligned((size_t)surface->width * 5 * sizeof(*scratch));

    for (unsigned y = 0; y < surface->height; y++) {
        const uint8_t *row = surface->pixels + (size_t)y * surface->pitch;

        if (!scratch) { /* depth, or no memory: sample 0 */
            memcpy(pixels + (size_t)y * pitch, row, (size_t)surface->width * info->block_bytes);
            continue;
        }
        resolve_row(surface, y, scratch, scratch + (size_t)surface->width * 4);
        raster_encode(surface->format, scratch + (size_t)surface->width * 4, surface->width * 4,
                      pixels + (size_t)y * pitch, pitch, surface->width, 1);
    }
    mem_free_aligned(scratch);
}

void raster_splat_samples(const struct raster_surface *surface, const uint8_t *pixels, size_t pitch)
{
    size_t bytes = (size_t)surface->width * raster_format_info(surface->format)->block_bytes;

    for (unsigned s = 0; s < surface->samples; s++)
        for (unsigned y = 0; y < surface->height; y++)
            memcpy(surface->pixels + s * surface->sample_stride + (size_t)y * surface->pitch,
                   pixels + (size_t)y * pitch, bytes);
}
