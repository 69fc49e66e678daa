/* SPDX-License-Identifier: MIT */
/* Chunks of depth: depth planes as words of a depth format. For files in kernels/ only. */
#ifndef HALCYON_RASTER_DEPTH_CHUNKS_H
#define HALCYON_RASTER_DEPTH_CHUNKS_H

#include "raster/block_mask.h"
#include "raster/format/depth.h"
#include "raster/kernels/chunks.h"
#include "raster/kernels/lanes.h"

/* Two rows of 16-bit words to lanes, and back. */
static inline struct chunk load_short_words(const uint8_t *p, size_t pitch)
{
    uint16_t half[GROUP_LANES];
    int32_t word[GROUP_LANES];
    struct chunk words;

    memcpy(half, p, ROW * sizeof(*half));
    memcpy(half + ROW, p + pitch, ROW * sizeof(*half));
    FOR_GROUP_LANES
        word[l] = half[l];
    FOR_REGISTERS
        words.v[i] = veci_load(word + i * VEC);
    return words;
}

static inline void store_short_words(uint8_t *p, size_t pitch, struct chunk words)
{
    uint16_t half[GROUP_LANES];
    int32_t word[GROUP_LANES];

    FOR_REGISTERS
        veci_store(word + i * VEC, words.v[i]);
    FOR_GROUP_LANES
        half[l] = (uint16_t)word[l];
    memcpy(p, half, ROW * sizeof(*half));
    memcpy(p + pitch, half + ROW, ROW * sizeof(*half));
}

/* The plane of depth, and the position where it is evaluated. */
struct depth_rows {
    struct chunk_places places;
    struct chunk_plane plane;
};

/* 16 bits in double precision. */
static inline veci depth_to_16(vecf z)
{
    float from[VEC];
    int32_t to[VEC];

    vecf_store(from, z);
    for (unsigned l = 0; l < VEC; l++)
        to[l] = (int32_t)((double)from[l] * 65535.0 + 0.5);
    return veci_load(to);
}

/* Depth of chunk c in the format of the words. */
static inline struct chunk depth_values(const struct depth_rows *rows, unsigned c, unsigned bytes)
{
    struct chunk values;

    FOR_REGISTERS {
        const vecf z = vecf_saturate(chunk_value(&rows->plane, i, chunk_y(&rows->places, i, c)));

        values.v[i] = bytes == 4
                          ? veci_truncate(vecf_add(vecf_mul(z, vecf_splat(DEPTH_24_SCALE)), vecf_splat(DEPTH_24_ROUND)))
                          : depth_to_16(z);
    }
    return values;
}

#endif
