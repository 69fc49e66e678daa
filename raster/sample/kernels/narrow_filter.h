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
static const _Alignas(16) int8_t lower_bytes[16] = {NARROW_LOWER_BYTES};
static const _Alignas(16) int8_t upper_bytes[16] = {NARROW_UPPER_BYTES};

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

/* The weight of a right texel, of 255, in the lower half of each word. weight: 0..255 of 256. */
static ALWAYS_INLINE veci right_weight(veci weight)
{
    return vec16_mul(weight, vec16_splat(NARROW_WEIGHT_SCALE));
}

/* The weights of pairs whose right texel has 0..255 of 256. */
static ALWAYS_INLINE veci pair_bytes(veci weight)
{
    const veci right = right_weight(weight);

    return veci_xor(veci_or(right, veci_left(right, 8)), veci_splat(255));
}

/* Likewise for each channel of two lanes; `bytes` picks the lanes of right_weight. */
static ALWAYS_INLINE veci channel_weights(veci right, const int8_t bytes[16])
{
    return veci_xor(vector_shuffle_bytes(right, vector_repeat(bytes)), veci_splat(0x00ff00ffu));
}

/* A linear filter. row: two rows of pairs; wu: weights of the right texels, 0..255; below: those of the lower ones, of
 * 32768, for out[0] and out[1]. */
static ALWAYS_INLINE void narrow_filter_rows(const struct vector_pairs row[2], veci wu, const vec16 below[2],
                                             vec16 out[2])
{
    const veci right = right_weight(wu);
    const veci low = channel_weights(right, lower_bytes), high = channel_weights(right, upper_bytes);

    out[0] = mix_rows(mix_pairs(row[0].low, low), mix_pairs(row[1].low, low), below[0]);
    out[1] = mix_rows(mix_pairs(row[0].high, high), mix_pairs(row[1].high, high), below[1]);
}

/* Likewise; wv: weights of the lower texels, 0..255. */
static ALWAYS_INLINE void narrow_filter(const struct vector_pairs row[2], veci wu, veci wv, vec16 out[2])
{
    const veci weight = veci_left(wv, 7);
    const vec16 below[2] = {vector_shuffle_bytes(weight, vector_repeat(lower_halves)),
                            vector_shuffle_bytes(weight, vector_repeat(upper_halves))};

    narrow_filter_rows(row, wu, below, out);
}

/* The weight of a second level in both halves of a word. */
static ALWAYS_INLINE veci narrow_share(vecf fraction)
{
    const veci weight = veci_truncate(vecf_mul(fraction, vecf_splat(32768.0f)));

    return veci_or(weight, veci_left(weight, 16));
}

/* Those of quads; there is room for MAX_QUADS. */
static ALWAYS_INLINE void narrow_shares(const float *fraction, unsigned quads, int32_t *share)
{
    for (unsigned q = 0; q < quads; q += VEC)
        veci_store(share + q, narrow_share(vecf_load(fraction + q)));
}

/* Mixes in the second level. */
static ALWAYS_INLINE void narrow_mix_shares(veci share, const vec16 far[2], vec16 v[2])
{
    UNROLLED
    for (unsigned i = 0; i < 2; i++)
        v[i] = vec16_add(v[i], vec16_mul(vec16_sub(far[i], v[i]), share));
}

/* Mixes in the second level. fraction: of the register's first quad and those after it. */
static ALWAYS_INLINE void narrow_mix_levels(const float *fraction, const vec16 far[2], vec16 v[2])
{
    narrow_mix_shares(narrow_share(vector_of_quads(fraction)), far, v);
}

#endif
#endif
