/* SPDX-License-Identifier: MIT */
/* Access to multisampled surfaces: their layout, resolving, and splatting pixels to all samples. */
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

/* --- layout ---------------------------------------------------------------------------------------- */

size_t raster_samples_pitch(enum raster_format format, unsigned width, unsigned samples)
{
    return (size_t)((width + 3) / 4) * samples * RASTER_GROUP_LANES * raster_format_info(format)->block_bytes;
}

uint64_t raster_samples_bytes(enum raster_format format, unsigned width, unsigned height, unsigned samples)
{
    return (uint64_t)raster_samples_pitch(format, width, samples) * ((height + 3) / 4);
}

void raster_read_samples(const struct raster_surface *surface, unsigned sample, unsigned y, uint8_t *to)
{
    const size_t bytes = raster_format_info(surface->format)->block_bytes;

    for (unsigned x = 0; x < surface->width; x += 4)
        memcpy(to + x * bytes, raster_sample_texel(surface, sample, x, y), BASE_MIN(surface->width - x, 4u) * bytes);
}

void raster_write_samples(const struct raster_surface *surface, unsigned sample, unsigned y, const uint8_t *from)
{
    const size_t bytes = raster_format_info(surface->format)->block_bytes;

    for (unsigned x = 0; x < surface->width; x += 4)
        memcpy(raster_sample_texel(surface, sample, x, y), from + x * bytes, BASE_MIN(surface->width - x, 4u) * bytes);
}

/* Splats four pixels of a row of groups, `bytes` each. Always inlined with a constant number of bytes. */
static inline __attribute__((always_inline)) void splat_row(const struct raster_surface *surface, unsigned y,
                                                            const uint8_t *pixels, size_t bytes)
{
    const size_t group_bytes = RASTER_GROUP_LANES * bytes;
    const unsigned whole = surface->width / 4, rest = surface->width % 4;
    uint8_t *to = raster_sample_texel(surface, 0, 0, y);

    for (unsigned g = 0; g < whole; g++, pixels += 4 * bytes)
        for (unsigned s = 0; s < surface->samples; s++, to += group_bytes)
            memcpy(to, pixels, 4 * bytes);
    for (unsigned s = 0; s < surface->samples && rest; s++, to += group_bytes)
        memcpy(to, pixels, rest * bytes);
}

void raster_splat_samples(const struct raster_surface *surface, const uint8_t *pixels, size_t pitch)
{
    const size_t bytes = raster_format_info(surface->format)->block_bytes;

    for (unsigned y = 0; y < surface->height; y++, pixels += pitch)
        if (bytes == 4)
            splat_row(surface, y, pixels, 4);
        else
            splat_row(surface, y, pixels, bytes);
}

/* --- resolving ------------------------------------------------------------------------------------- */

/* Averages row y: `sum` has room for four words a pixel, `texels` for one, `row` for the row. */
static void resolve_row(const struct raster_surface *surface, unsigned y, uint32_t *sum, uint32_t *texels, uint8_t *row)
{
    unsigned samples = surface->samples, half = samples / 2;

    memset(sum, 0, surface->width * 4 * sizeof(*sum));
    for (unsigned s = 0; s < samples; s++) {
        raster_read_samples(surface, s, y, row);
        raster_decode(surface->format, row, 0, texels, surface->width * 4, surface->width, 1, NULL);
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

#define GROUP_BYTES (RASTER_GROUP_LANES * 4) /* of one sample */

/* Means of four pixels of a group, whose channels are bytes, halves up. */
static inline int4 mean_of_four(const uint8_t *first, unsigned samples)
{
    const int4 half = int4_splat16((uint16_t)(samples / 2));
    const int shift = __builtin_ctz(samples);
    int4 low = half, high = half;

    for (unsigned s = 0; s < samples; s++) {
        const int4 bytes = int4_load(first + s * GROUP_BYTES);

        low = int4_add16(low, int4_low_bytes(bytes));
        high = int4_add16(high, int4_high_bytes(bytes));
    }
    return int4_pack8(int4_right16(low, shift), int4_right16(high, shift));
}

/* A row of groups whose first row of pixels is y. Always inlined with a constant number of samples. */
static inline __attribute__((always_inline)) void resolve_groups(const struct raster_surface *surface, unsigned y,
                                                                 uint8_t *pixels, size_t pitch, unsigned samples)
{
    const int4 opaque = int4_splat(surface->format == RASTER_FORMAT_X8R8G8B8 ? (int32_t)0xff000000 : 0);
    const unsigned rows = BASE_MIN(surface->height - y, 4u), whole = surface->width / 4, rest = surface->width % 4;
    const uint8_t *group = surface->pixels + y / 4 * surface->pitch;
    uint8_t *out = pixels + y * pitch;

    for (unsigned g = 0; g < whole; g++, group += samples * GROUP_BYTES, out += 16)
        for (unsigned row = 0; row < rows; row++)
            int4_store(out + row * pitch, mean_of_four(group + 16 * row, samples) | opaque);
    for (unsigned row = 0; row < rows && rest; row++) {
        uint32_t mean[4];

        int4_store(mean, mean_of_four(group + 16 * row, samples) | opaque);
        memcpy(out + row * pitch, mean, rest * sizeof(*mean));
    }
}

/* Resolves formats whose channels are bytes; the same result as decoding, averaging and encoding. */
static void resolve_bytes(const struct raster_surface *surface, uint8_t *pixels, size_t pitch)
{
    for (unsigned y = 0; y < surface->height; y += 4)
        switch (surface->samples) {
        case 2:
            resolve_groups(surface, y, pixels, pitch, 2);
            break;
        case 4:
            resolve_groups(surface, y, pixels, pitch, 4);
            break;
        case 8:
            resolve_groups(surface, y, pixels, pitch, 8);
            break;
        default:
            resolve_groups(surface, y, pixels, pitch, 16);
        }
}

void raster_resolve(const struct raster_surface *surface, uint8_t *pixels, size_t pitch)
{
    const struct raster_format_info *info = raster_format_info(surface->format);
    const size_t width = surface->width;

    if (surface->format == RASTER_FORMAT_X8R8G8B8 || surface->format == RASTER_FORMAT_A8R8G8B8) {
        resolve_bytes(surface, pixels, pitch);
        return;
    }
    uint32_t *scratch = info->depth_bits ? NULL : mem_alloc_aligned(width * 6 * sizeof(*scratch));

    for (unsigned y = 0; y < surface->height; y++) {
        if (!scratch) { /* depth, or out of memory: sample 0 */
            raster_read_samples(surface, 0, y, pixels + y * pitch);
            continue;
        }
        resolve_row(surface, y, scratch, scratch + width * 4, (uint8_t *)(scratch + width * 5));
        raster_encode(surface->format, scratch + width * 4, width * 4, pixels + y * pitch, pitch, surface->width, 1);
    }
    mem_free_aligned(scratch);
}
