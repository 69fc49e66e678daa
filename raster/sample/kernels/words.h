/* SPDX-License-Identifier: MIT */
/* The texels of one word that the fast path has read of a level, for its filters. Not for the levels scalar and
 * SSE2. */
#ifndef HALCYON_RASTER_SAMPLE_WORDS_H
#define HALCYON_RASTER_SAMPLE_WORDS_H

#include "raster/narrow.h"
#include "raster/sample/kernels/axes.h"

#if SIMD_HAS_GATHER

/* The texels that lanes read along an axis: before the address mode is applied, and the weight of the next ones, 0..256. */
struct lane_axis {
    _Alignas(64) int32_t texel[MAX_LANES];
    _Alignas(64) int32_t weight[MAX_LANES];
};

/* Texels of the lanes: two rows of pairs. */
struct lane_texels {
    _Alignas(64) int32_t low[2][MAX_LANES];
    _Alignas(64) int32_t high[2][MAX_LANES];
};

/* The texels of a level that lanes have read. */
struct level_reads {
    struct lane_axis u, v;
    struct lane_texels texels;
};

static ALWAYS_INLINE struct vector_pairs load_pairs(const struct lane_texels *texels, unsigned row, unsigned l)
{
    return (struct vector_pairs){veci_load(&texels->low[row][l]), veci_load(&texels->high[row][l])};
}

/* Filters sRGB texels in linear space: of one level or, unless fraction is NULL, of two, mixing in each quad's fraction
 * of the second. opaque: alpha is 1. */
void KERNEL(filter_srgb)(const struct level_reads *reads, const float *fraction, bool linear, unsigned n,
                         enum sample_words_scale scale, bool opaque, float (*out)[MAX_LANES]);

/* Filters texels of depth, into all channels. compared: unless NULL, filters the results of comparing: whether these
 * values, clamped to 0..1, are at most the depth. */
void KERNEL(filter_depth)(const struct level_reads *reads, bool linear, unsigned n, const float *compared,
                          float (*out)[MAX_LANES]);

/* Filters texels to pixels of a narrow state (raster/narrow.h): of one level or, unless fraction is NULL, of two. */
void KERNEL(filter_narrow)(const struct level_reads *reads, const float *fraction, bool linear, unsigned n, bool opaque,
                           int16_t *out);

#endif
#endif
