/* SPDX-License-Identifier: MIT */
/* The fast path's filter of narrow states: from texels to pixels of 16-bit numbers, as sample/kernels/narrow.c defines it. */
#include "raster/sample/kernels/words.h"

#if SIMD_HAS_GATHER

/* Blue of two texels beside each other, then green, red, alpha. */
static const _Alignas(16) int8_t bytes_of_pairs[16] = {0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15};
/* The lower half of words 0 and 1 of each four, and of words 2 and 3, four times. */
static const _Alignas(16) int8_t lower_halves[16] = {0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5};
static const _Alignas(16) int8_t upper_halves[16] = {8, 9, 8, 9, 8, 9, 8, 9, 12, 13, 12, 13, 12, 13, 12, 13};

/* Two rows of pairs, mixed. wu: of the left and the right texel, a byte each, 255 together; wv: 0..32640 of 32768. */
static ALWAYS_INLINE vec16 mix_rows(veci top, veci bottom, veci wu, veci wv)
{
    const veci order = vector_repeat(bytes_of_pairs), bias = veci_splat(0x80808080u);
    const vec16 t = vector_mix_bytes(wu, veci_xor(vector_shuffle_bytes(top, order), bias));
    const vec16 b = vector_mix_bytes(wu, veci_xor(vector_shuffle_bytes(bottom, order), bias));
    const vec16 sum = vec16_add(vec16_sub(t, vec16_mul(t, wv)), vec16_mul(b, wv));

    return vec16_adds(vec16_mul(sum, vec16_splat(NARROW_FILTER_SCALE)), vec16_splat(NARROW_FILTER_MIDDLE));
}

static ALWAYS_INLINE void filter_pixels(const struct level_reads *reads, bool linear, unsigned l, vec16 out[2])
{
    if (!linear) {
        vec16_of_words(veci_load(&reads->texels.low[0][l]), out);
        return;
    }
    const struct vector_pairs top = load_pairs(&reads->texels, 0, l), bottom = load_pairs(&reads->texels, 1, l);
    const veci low = vector_repeat(lower_halves), high = vector_repeat(upper_halves);
    const veci weight = veci_load(&reads->u.weight[l]), right = veci_sub(weight, veci_right(weight, 7));
    const veci both = veci_add(veci_sub(veci_left(right, 8), right), veci_splat(255));
    const veci below = veci_left(veci_load(&reads->v.weight[l]), 7);

    out[0] = mix_rows(top.low, bottom.low, vector_shuffle_bytes(both, low), vector_shuffle_bytes(below, low));
    out[1] = mix_rows(top.high, bottom.high, vector_shuffle_bytes(both, high), vector_shuffle_bytes(below, high));
}

static ALWAYS_INLINE void filter_lanes(const struct level_reads *reads, const float *fraction, bool linear, unsigned n,
                                       vec16 opaque, int16_t *out)
{
    for (unsigned l = 0; l < n; l += VEC) {
        vec16 v[2], far[2];

        filter_pixels(&reads[0], linear, l, v);
        if (fraction) {
            const veci weight = veci_truncate(vecf_mul(vector_of_quads(fraction + l / 4), vecf_splat(32768.0f)));
            const vec16 w = veci_or(weight, veci_left(weight, 16));

            filter_pixels(&reads[1], linear, l, far);
            UNROLLED
            for (unsigned i = 0; i < 2; i++)
                v[i] = vec16_add(v[i], vec16_mul(vec16_sub(far[i], v[i]), w));
        }
        UNROLLED
        for (unsigned i = 0; i < 2; i++)
            vec16_store(out + 4 * l + i * VEC16, veci_or(v[i], opaque));
    }
}

void KERNEL(filter_narrow)(const struct level_reads *reads, const float *fraction, bool linear, unsigned n, bool opaque,
                           int16_t *out)
{
    const int16_t alpha[4] = {0, 0, 0, opaque ? NARROW_ONE : 0};
    const vec16 ones = vec16_splat_pixel(alpha);

    if (!linear)
        filter_lanes(reads, fraction, false, n, ones, out);
    else if (fraction)
        filter_lanes(reads, fraction, true, n, ones, out);
    else
        filter_lanes(reads, NULL, true, n, ones, out);
}

#endif
