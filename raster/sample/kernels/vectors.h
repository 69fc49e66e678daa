/* SPDX-License-Identifier: MIT */
/*
 * Vectors of lanes for the loops of the sampler that the compiler's vectorizer cannot find, beyond kernels/simd.h: with AVX-512
 * and AVX2. For the kernels of the sampler only. Nothing here rounds otherwise than the scalar code does.
 */
#ifndef HALCYON_RASTER_SAMPLE_VECTORS_H
#define HALCYON_RASTER_SAMPLE_VECTORS_H

#include "raster/sample/kernels/sampler.h"
#include "raster/kernels/simd.h"

#if KERNEL_LEVEL >= 2

/* NaN becomes the low end, as with limit(). */
static inline vecf vector_limit(vecf v, vecf low, vecf high)
{
    return SIMD(min_ps)(SIMD(max_ps)(v, low), high);
}

static inline vecf vector_magnitude(vecf v)
{
#if KERNEL_LEVEL == 3
    return _mm512_abs_ps(v);
#else
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
#endif
}

/* v less the integer below it, to the nearest float. (The one instruction of AVX-512 for that rounds down.) */
static inline vecf vector_fraction(vecf v)
{
#if KERNEL_LEVEL == 3
    return _mm512_sub_ps(v, _mm512_roundscale_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
#else
    return _mm256_sub_ps(v, _mm256_floor_ps(v));
#endif
}

/* The bits of a and of b, none of them in both, with all bits of flip flipped. */
static inline veci vector_join(veci a, veci b, veci flip)
{
#if KERNEL_LEVEL == 3
    return _mm512_ternarylogic_epi32(a, b, flip, 0x96);
#else
    return _mm256_xor_si256(_mm256_or_si256(a, b), flip);
#endif
}

/* Is 0 <= v < end in every lane? */
static inline bool vector_inside(veci v, veci end)
{
#if KERNEL_LEVEL == 3
    return !_mm512_cmpge_epu32_mask(v, end);
#else
    __m256i beyond = _mm256_cmpeq_epi32(_mm256_max_epu32(v, end), v);

    return _mm256_testz_si256(beyond, beyond);
#endif
}

/* vector_inside for two vectors at once. */
static inline bool vector_both_inside(veci v, veci end_v, veci w, veci end_w)
{
#if KERNEL_LEVEL == 3
    return _kortestz_mask16_u8(_mm512_cmpge_epu32_mask(v, end_v), _mm512_cmpge_epu32_mask(w, end_w));
#else
    __m256i beyond = _mm256_or_si256(_mm256_cmpeq_epi32(_mm256_max_epu32(v, end_v), v),
                                     _mm256_cmpeq_epi32(_mm256_max_epu32(w, end_w), w));

    return _mm256_testz_si256(beyond, beyond);
#endif
}

/* a where `negative` is, else b. */
static inline veci vector_select(veci negative, veci a, veci b)
{
#if KERNEL_LEVEL == 3
    return _mm512_mask_mov_epi32(b, _mm512_movepi32_mask(negative), a);
#else
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(b), _mm256_castsi256_ps(a), _mm256_castsi256_ps(negative)));
#endif
}

#if KERNEL_LEVEL == 3
/* All lanes, but the compiler does not know. A gather of all lanes it lets merge into any register, and that waits for
 * the last write to it: gathers of a loop wait for each other. */
static inline __mmask16 vector_all_lanes(void)
{
    __mmask16 lanes = 0xffff;

    __asm__("" : "+k"(lanes));
    return lanes;
}
#endif

/* Words at the lanes' indices. */
static inline veci vector_gather(const uint32_t *words, veci index)
{
#if KERNEL_LEVEL == 3
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), vector_all_lanes(), index, words, 4);
#else
    return _mm256_i32gather_epi32((const int *)words, index, 4);
#endif
}

/* Two words of each lane. Lanes are where a vector's 128 bits keep to themselves: 0 1, 4 5, 8 9, 12 13 in low and those
 * between in high, as unpacking a vector gives them, so that weights and results need no move across. */
struct vector_pairs {
    veci low, high;
};

static inline struct vector_pairs vector_unpack(veci first, veci second)
{
    return (struct vector_pairs){SIMD(unpacklo_epi32)(first, second), SIMD(unpackhi_epi32)(first, second)};
}

/* All first words, and all second words. */
static inline veci vector_first(struct vector_pairs v)
{
#if KERNEL_LEVEL == 3
    return _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(v.low), _mm512_castsi512_ps(v.high), 0x88));
#else
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(v.low), _mm256_castsi256_ps(v.high), 0x88));
#endif
}
static inline veci vector_second(struct vector_pairs v)
{
#if KERNEL_LEVEL == 3
    return _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(v.low), _mm512_castsi512_ps(v.high), 0xdd));
#else
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(v.low), _mm256_castsi256_ps(v.high), 0xdd));
#endif
}

/* Lanes in the order of pairs: those of low, then those of high. */
static inline veci vector_pair_order(veci v)
{
#if KERNEL_LEVEL == 3
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v);
#else
    return _mm256_permute4x64_epi64(v, 0xd8);
#endif
}

/* The words at indices, which are in that order, and behind them, each pair by one load. */
static inline struct vector_pairs vector_gather_pairs(const uint32_t *words, veci i)
{
#if KERNEL_LEVEL == 3
    const __m512i none = _mm512_setzero_si512();
    const __mmask8 lanes = (__mmask8)vector_all_lanes();

    return (struct vector_pairs){_mm512_mask_i32gather_epi64(none, lanes, _mm512_castsi512_si256(i), words, 4),
                                 _mm512_mask_i32gather_epi64(none, lanes, _mm512_extracti64x4_epi64(i, 1), words, 4)};
#else
    const long long *from = (const long long *)words;

    return (struct vector_pairs){_mm256_i32gather_epi64(from, _mm256_castsi256_si128(i), 4),
                                 _mm256_i32gather_epi64(from, _mm256_extracti128_si256(i, 1), 4)};
#endif
}

/* Where each lane's words start, for the two below: of quads, from that of the vector's first lanes on. */
static inline veci vector_pair_starts(const int64_t *quad)
{
#if KERNEL_LEVEL == 3
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
                                    _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)quad)));
#else
    return _mm256_permute4x64_epi64(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)quad)), 0x50);
#endif
}

/* As vector_gather_pairs, each lane's words counted from where they start. */
static inline struct vector_pairs vector_gather_far_pairs(const uint32_t *words, veci start, veci i)
{
#if KERNEL_LEVEL == 3
    const __m512i none = _mm512_setzero_si512();
    const __mmask8 lanes = (__mmask8)vector_all_lanes();
    __m512i low = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_castsi512_si256(i)));
    __m512i high = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(i, 1)));

    return (struct vector_pairs){_mm512_mask_i64gather_epi64(none, lanes, low, words, 4),
                                 _mm512_mask_i64gather_epi64(none, lanes, high, words, 4)};
#else
    const long long *from = (const long long *)words;
    __m256i low = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(i)));
    __m256i high = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(i, 1)));

    return (struct vector_pairs){_mm256_i64gather_epi64(from, low, 4), _mm256_i64gather_epi64(from, high, 4)};
#endif
}

/* vector_gather, each lane's word counted from where it starts. */
static inline veci vector_gather_far(const uint32_t *words, veci start, veci i)
{
    veci order = vector_pair_order(i);
#if KERNEL_LEVEL == 3
    __m512i low = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_castsi512_si256(order)));
    __m512i high = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(order, 1)));
    __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_i64gather_epi32(low, words, 4)),
                                      _mm512_i64gather_epi32(high, words, 4), 1);

    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), both);
#else
    __m256i low = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(order)));
    __m256i high = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(order, 1)));
    __m128i first = _mm256_i64gather_epi32((const int *)words, low, 4);
    __m128i second = _mm256_i64gather_epi32((const int *)words, high, 4);

    return _mm256_permute4x64_epi64(_mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1), 0xd8);
#endif
}

/* c - v in the lower 16 bits of each 32, and v in the upper ones; 0 <= v < 0x7fff. */
static inline veci vector_subtract_even(int16_t c, veci v)
{
#if KERNEL_LEVEL == 3
    return _mm512_mask_sub_epi16(v, 0x55555555, _mm512_set1_epi32(c), v);
#else
    return _mm256_add_epi16(_mm256_sign_epi16(v, _mm256_set1_epi32(0x1ffff)), _mm256_set1_epi32(c));
#endif
}

/* Sixteen bytes in each 128 bits. */
static inline veci vector_repeat(__m128i v)
{
#if KERNEL_LEVEL == 3
    return _mm512_broadcast_i32x4(v);
#else
    return _mm256_broadcastsi128_si256(v);
#endif
}

/* Bits in which a and b differ. */
static inline veci vector_difference(veci a, veci b)
{
#if KERNEL_LEVEL == 3
    return _mm512_xor_si512(a, b);
#else
    return _mm256_xor_si256(a, b);
#endif
}

/* Is any bit set? */
static inline bool vector_any(veci v)
{
#if KERNEL_LEVEL == 3
    return _mm512_test_epi32_mask(v, v);
#else
    return !_mm256_testz_si256(v, v);
#endif
}

/* Is a <= b in every lane? NaN is not. */
static inline bool vector_all_at_most(vecf a, vecf b)
{
#if KERNEL_LEVEL == 3
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ) == 0xffff;
#else
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)) == 0xff;
#endif
}

/* The first lane's value in all lanes. */
static inline veci vector_splat_first(veci v)
{
#if KERNEL_LEVEL == 3
    return _mm512_broadcastd_epi32(_mm512_castsi512_si128(v));
#else
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(v));
#endif
}

/* Lanes as they are, read as floats: what veci_bits does, back. */
static inline vecf vector_floats(veci v)
{
#if KERNEL_LEVEL == 3
    return _mm512_castsi512_ps(v);
#else
    return _mm256_castsi256_ps(v);
#endif
}

/* Values of quads, from that of the vector's first lanes on, to their lanes. */
static inline vecf vector_of_quads(const float *quad)
{
#if KERNEL_LEVEL == 3
    const __m512i index = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);

    return _mm512_permutexvar_ps(index, _mm512_castps128_ps512(_mm_loadu_ps(quad)));
#else
    return _mm256_set_m128(_mm_set1_ps(quad[1]), _mm_set1_ps(quad[0]));
#endif
}

static inline veci vector_ints_of_quads(const int32_t *quad)
{
    return veci_bits(vector_of_quads((const float *)quad));
}

#endif
#endif
