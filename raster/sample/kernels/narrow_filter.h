/* SPDX-License-Identifier: MIT */
/* From texels to pixels of 16-bit numbers in vectors, as defined by sample/kernels/narrow.c. Not for the levels scalar
 * and SSE2. */
#ifndef HALCYON_RASTER_SAMPLE_NARROW_FILTER_H
#define HALCYON_RASTER_SAMPLE_NARROW_FILTER_H

#include "raster/narrow.h"
#include "raster/sample/kernels/axes.h"

#if SIMD_HAS_GATHER

static const _Alignas(16) int8_t bytes_of_pairs[16] = {NARROW_PAIR_BYTES};
static const _Alignas(16) int8_t lower_halves[16] = {NARROW_LOWER_HALVES};
static const _Alignas(16) int8_t upper_halves[16] = {NARROW_UPPER_HALVES};

/* Pairs, mixed by the weights of the left and the right texel, a byte each, 255 together: 255 times a texel less 128. */
static ALWAYS_INLINE vec16 mix_pairs(veci pairs, veci weight)
{
    const veci order = vector_repeat(bytes_of_pairs), bias = veci_splat(0x80808080u);

    return vector_mix_bytes(weight, veci_xor(vector_shuffle_bytes(pairs, order), bias));
}

/* Two such rows, mixed. weight: of the lower one, 0..32640 of 32768. */
static ALWAYS_INLINE vec16 mix_rows(vec16 top, vec16 bottom, vec16 weight)
{
    const vec16 sum = vec16_add(vec16_sub(top, vec16_mul(top, weight)), vec16_mul(bottom, weight));

    return vec16_adds(vec16_mul(sum, vec16_splat(NARROW_FILTER_SCALE)), vec16_splat(NARROW_FILTER_MIDDLE));
}

/* The weights of pairs whose right texel has 0..255 of 256. */
static ALWAYS_INLINE veci pair_bytes(veci weight)
{
    const veci right = veci_sub(weight, veci_right(weight, 7));

    return veci_add(veci_sub(veci_left(right, 8), right), veci_splat(255));
}

/* A linear filter. row: two rows of pairs; wu, wv: weights of the right and the lower texels, 0..255. */
static ALWAYS_INLINE void narrow_filter(const struct vector_pairs row[2], veci wu, veci wv, vec16 out[2])
{
    const veci low = vector_repeat(lower_halves), high = vector_repeat(upper_halves);
    const veci both = pair_bytes(wu), below = veci_left(wv, 7);
    const veci both_low = vector_shuffle_bytes(both, low), both_high = vector_shuffle_bytes(both, high);

    out[0] =
        mix_rows(mix_pairs(row[0].low, both_low), mix_pairs(row[1].low, both_low), vector_shuffle_bytes(below, low));
    out[1] = mix_rows(mix_pairs(row[0].high, both_high), mix_pairs(row[1].high, both_high),
                      vector_shuffle_bytes(below, high));
}

/* Mixes in the second level. fraction: of the register's first quad and those after it. */
static ALWAYS_INLINE void narrow_mix_levels(const float *fraction, const vec16 far[2], vec16 v[2])
{
    const veci weight = veci_truncate(vecf_mul(vector_of_quads(fraction), vecf_splat(32768.0f)));
    const vec16 w = veci_or(weight, veci_left(weight, 16));

    UNROLLED
    for (unsigned i = 0; i < 2; i++)
        v[i] = vec16_add(v[i], vec16_mul(vec16_sub(far[i], v[i]), w));
}

#endif
#endif
