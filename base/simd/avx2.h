/* SPDX-License-Identifier: MIT */
/* simd.h with AVX2. */
#ifndef HALCYON_BASE_SIMD_AVX2_H
#define HALCYON_BASE_SIMD_AVX2_H

#include <immintrin.h>

#define VEC             8
#define SIMD_HAS_GATHER 1
#define SIMD_HAS_HALVES 1
#define SIMD(name)      _mm256_##name
typedef __m256 vecf;
typedef __m256i veci;
typedef __m256 vecm;

#include "base/simd/x86.h"

/* --- operations ------------------------------------------------------------------------------------ */

/* clang-format off */
static inline veci veci_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void veci_store(void *p, veci v) { _mm256_storeu_si256((__m256i *)p, v); }
static inline veci veci_or(veci a, veci b) { return _mm256_or_si256(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm256_and_si256(a, b); }
static inline veci veci_xor(veci a, veci b) { return _mm256_xor_si256(a, b); }
static inline veci veci_bits(vecf v) { return _mm256_castps_si256(v); }
static inline vecf vecf_of_bits(veci v) { return _mm256_castsi256_ps(v); }
static inline vecf vecf_abs(vecf v) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v); }
static inline vecm vecf_equal(vecf a, vecf b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static inline vecm vecf_at_least(vecf a, vecf b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
static inline vecm vecf_is_nan(vecf v) { return _mm256_cmp_ps(v, v, _CMP_UNORD_Q); }
static inline vecf vecf_select(vecm lanes, vecf a, vecf b) { return _mm256_blendv_ps(b, a, lanes); }
static inline bool vecm_any(vecm lanes) { return _mm256_movemask_ps(lanes); }
/* clang-format on */
static inline vecf vecf_mul_legacy(vecf a, vecf b)
{
    const vecm zero = _mm256_or_ps(vecf_equal(a, _mm256_setzero_ps()), vecf_equal(b, _mm256_setzero_ps()));

    return _mm256_andnot_ps(zero, vecf_mul(a, b));
}
static inline uint32_t veci_greater(veci a, veci b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b)));
}
static inline uint32_t veci_equal(veci a, veci b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)));
}
static inline veci veci_select(uint32_t lanes, veci a, veci b)
{
    const veci bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi32(_mm256_and_si256(veci_splat(lanes), bit), bit));
}

/* --- 16 bits --------------------------------------------------------------------------------------------- */

#define VEC16            16
#define NARROW_REGISTERS 2
typedef __m256i vec16;

static inline vec16 vec16_splat_pixel(const int16_t p[4])
{
    return _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vec16 vec16_mul(vec16 a, vec16 b)
{
    return _mm256_mulhrs_epi16(a, b);
}
static inline vec16 vec16_greater(vec16 a, vec16 b)
{
    return _mm256_cmpgt_epi16(a, b);
}

#include "base/simd/x86_narrow.h"

/* The bytes that two pixels take. */
struct vec16_order {
    vec16 bytes;
};
static inline struct vec16_order vec16_order(const uint8_t order[4])
{
    int8_t bytes[16];

    vec16_order_bytes(order, bytes);
    return (struct vec16_order){_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes))};
}
static inline vec16 vec16_alpha(vec16 v)
{
    return _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(v, 0xff), 0xff);
}
static inline vec16 vec16_swizzle(vec16 v, const struct vec16_order *order)
{
    return _mm256_shuffle_epi8(v, order->bytes);
}

/* --- sign bits --------------------------------------------------------------------------------------- */

static inline uint32_t sign_bits(const int32_t v[16])
{
    __m256i lo = _mm256_loadu_si256((const __m256i *)v), hi = _mm256_loadu_si256((const __m256i *)(v + 8));

    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(lo)) | (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(hi))
                                                                       << 8;
}

static inline uint32_t sign_bits_8(const int32_t v[8])
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)v)));
}

/* sign_bits_of_4 packs 256 bits half by half: with this order of lanes the result is in order. */
#define SIGN_ORDER(Q) \
    Q(0), Q(4), Q(1), Q(5), Q(2), Q(6), Q(3), Q(7), Q(8), Q(12), Q(9), Q(13), Q(10), Q(14), Q(11), Q(15)

static inline uint64_t sign_bits_of_4(veci a, veci b, veci c, veci d)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)));
}

/* --- memory --------------------------------------------------------------------------------------------- */

static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    const uint8_t *at = p + l / 4 * pitch;
    const __m128i upper = _mm_loadu_si128((const __m128i *)at), lower = _mm_loadu_si128((const __m128i *)(at + pitch));

    return _mm256_permute4x64_epi64(_mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1), 0xd8);
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    const __m256i rows = _mm256_permute4x64_epi64(lanes, 0xd8);
    uint8_t *at = p + l / 4 * pitch;

    _mm_storeu_si128((__m128i *)at, _mm256_castsi256_si128(rows));
    _mm_storeu_si128((__m128i *)(at + pitch), _mm256_extracti128_si256(rows, 1));
}

static inline veci group_rows(const uint32_t *lanes, unsigned l)
{
    return _mm256_permute4x64_epi64(veci_load(lanes + l), 0xd8);
}

static inline veci rows_load(const uint8_t *p, size_t pitch, unsigned i)
{
    return veci_load(p + i * VEC / 8 * pitch + i * VEC % 8 * sizeof(uint32_t));
}
static inline void rows_store(uint8_t *p, size_t pitch, unsigned i, veci v)
{
    veci_store(p + i * VEC / 8 * pitch + i * VEC % 8 * sizeof(uint32_t), v);
}

static inline veci vector_to_halves(vecf v)
{
    return _mm256_cvtepu16_epi32(_mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
static inline vecf vector_from_halves(veci v)
{
    const __m256i half = _mm256_and_si256(v, _mm256_set1_epi32(0xffff));

    return _mm256_cvtph_ps(_mm256_castsi256_si128(_mm256_permute4x64_epi64(_mm256_packus_epi32(half, half), 0x08)));
}

/* A single load, because the result will be loaded as a whole. */
static inline void row_fill(uint8_t *p, const uint8_t *pattern)
{
    _mm256_storeu_si256((__m256i *)p, _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)pattern)));
}

static inline vecf quads_load(const float *lanes, const unsigned at[4], unsigned l)
{
    const unsigned q = l / 4;

    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(lanes + at[q])), _mm_loadu_ps(lanes + at[q + 1]),
                                1);
}

static inline vecf fours_load(const float *const *at, unsigned offset)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at[0] + offset)), _mm_loadu_ps(at[4] + offset), 1);
}

static inline void fours_store(float *const *at, vecf v)
{
    _mm_storeu_ps(at[0], _mm256_castps256_ps128(v));
    _mm_storeu_ps(at[4], _mm256_extractf128_ps(v, 1));
}

static inline void splat_quads(unsigned n, const float *restrict quad, float *restrict lane)
{
    for (unsigned l = 0; l < n; l += 4)
        _mm_storeu_ps(lane + l, _mm_load1_ps(quad + l / 4));
}

static inline void corners_of_quads(const float *restrict t, float *restrict at, float *restrict right,
                                    float *restrict below)
{
    for (unsigned q = 0; q < 16; q += 4) {
        __m128 a = _mm_loadu_ps(t + 4 * q), b = _mm_loadu_ps(t + 4 * q + 4);
        __m128 c = _mm_loadu_ps(t + 4 * q + 8), d = _mm_loadu_ps(t + 4 * q + 12);
        __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d);

        _mm_storeu_ps(at + q, _mm_movelh_ps(ab, cd));
        _mm_storeu_ps(right + q, _mm_movehl_ps(cd, ab));
        _mm_storeu_ps(below + q, _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d)));
    }
}

static inline void gather_words(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                                uint32_t *restrict texel)
{
    for (unsigned l = 0; l < n; l += 8) {
        __m256i i = _mm256_loadu_si256((const __m256i *)(index + l));

        _mm256_storeu_si256((__m256i *)(texel + l), _mm256_i32gather_epi32((const int *)texels, i, 4));
    }
}

static inline void gather_word_pairs(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                                     uint32_t *restrict left, uint32_t *restrict right)
{
    for (unsigned l = 0; l < n; l += 8) {
        const long long *from = (const long long *)texels;
        __m256i a = _mm256_i32gather_epi64(from, _mm_loadu_si128((const __m128i *)(index + l)), 4);
        __m256i b = _mm256_i32gather_epi64(from, _mm_loadu_si128((const __m128i *)(index + l + 4)), 4);
        __m256 low = _mm256_castsi256_ps(_mm256_permute2x128_si256(a, b, 0x20));
        __m256 high = _mm256_castsi256_ps(_mm256_permute2x128_si256(a, b, 0x31));

        _mm256_storeu_ps((float *)(left + l), _mm256_shuffle_ps(low, high, 0x88));
        _mm256_storeu_ps((float *)(right + l), _mm256_shuffle_ps(low, high, 0xdd));
    }
}

/*
 * --- the sampler's fast path ------------------------------------------------------------------------------
 *
 * Vectors of lanes for loops that the compiler does not vectorize. Everything rounds as the scalar code does.
 */

/* v minus its floor, rounded to the nearest float. (AVX-512's single instruction for this rounds down.) */
static inline vecf vector_fraction(vecf v)
{
    return _mm256_sub_ps(v, _mm256_floor_ps(v));
}

/* a | b with the bits of `flip` inverted; a and b have no bit in common. */
static inline veci vector_join(veci a, veci b, veci flip)
{
    return _mm256_xor_si256(_mm256_or_si256(a, b), flip);
}

/* Is 0 <= v < end in every lane? */
static inline bool vector_inside(veci v, veci end)
{
    __m256i beyond = _mm256_cmpeq_epi32(_mm256_max_epu32(v, end), v);

    return _mm256_testz_si256(beyond, beyond);
}

/* vector_inside for two vectors at once. */
static inline bool vector_both_inside(veci v, veci end_v, veci w, veci end_w)
{
    __m256i beyond = _mm256_or_si256(_mm256_cmpeq_epi32(_mm256_max_epu32(v, end_v), v),
                                     _mm256_cmpeq_epi32(_mm256_max_epu32(w, end_w), w));

    return _mm256_testz_si256(beyond, beyond);
}

/* a in the lanes where `negative` is set, else b. */
static inline veci vector_select(veci negative, veci a, veci b)
{
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(b), _mm256_castsi256_ps(a), _mm256_castsi256_ps(negative)));
}

/* The words at the lanes' indices. */
static inline veci vector_gather(const uint32_t *words, veci index)
{
    return _mm256_i32gather_epi32((const int *)words, index, 4);
}

/* Two words per lane. `low` holds lanes 0 1, 4 5, 8 9, 12 13 and `high` the lanes between them: the order in which the
 * unpack instructions, which work in each 128 bits, give a vector. So weights and results need not cross lanes. */
struct vector_pairs {
    veci low, high;
};

static inline struct vector_pairs vector_unpack(veci first, veci second)
{
    return (struct vector_pairs){SIMD(unpacklo_epi32)(first, second), SIMD(unpackhi_epi32)(first, second)};
}

/* The first words of all pairs, and the second words. */
static inline veci vector_first(struct vector_pairs v)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(v.low), _mm256_castsi256_ps(v.high), 0x88));
}
static inline veci vector_second(struct vector_pairs v)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(v.low), _mm256_castsi256_ps(v.high), 0xdd));
}

/* Puts lanes into the order of pairs: those of `low`, then those of `high`. */
static inline veci vector_pair_order(veci v)
{
    return _mm256_permute4x64_epi64(v, 0xd8);
}

static inline struct vector_pairs vector_join_quads(struct vector_quad_pairs first, struct vector_quad_pairs second)
{
    return (struct vector_pairs){vector_join_quarters(first.low, second.low),
                                 vector_join_quarters(first.high, second.high)};
}

/* The words at the lanes' indices, and the words after them, from two rows; one load per pair. Indices are taken out of
 * their register a few at a time, because more would not fit into the general registers. */
static inline void vector_gather_pair_rows(const uint32_t *upper, const uint32_t *lower, veci i,
                                           struct vector_pairs row[2])
{
    struct vector_quad_pairs above[2], below[2];
    ptrdiff_t at[4];

    vector_store_indices(at, _mm256_castsi256_si128(i));
    above[0] = vector_load_quad_pairs(upper, at);
    below[0] = vector_load_quad_pairs(lower, at);
    vector_store_indices(at, _mm256_extracti128_si256(i, 1));
    above[1] = vector_load_quad_pairs(upper, at);
    below[1] = vector_load_quad_pairs(lower, at);
    row[0] = vector_join_quads(above[0], above[1]);
    row[1] = vector_join_quads(below[0], below[1]);
}
/* As vector_gather_pairs, from one row. */
static inline struct vector_pairs vector_gather_pairs(const uint32_t *words, veci i)
{
    struct vector_quad_pairs pairs[2];
    ptrdiff_t at[4];

    vector_store_indices(at, _mm256_castsi256_si128(i));
    pairs[0] = vector_load_quad_pairs(words, at);
    vector_store_indices(at, _mm256_extracti128_si256(i, 1));
    pairs[1] = vector_load_quad_pairs(words, at);
    return vector_join_quads(pairs[0], pairs[1]);
}
/* The words at two indices per lane. */
static inline struct vector_pairs vector_gather_two(const uint32_t *words, veci i, veci k)
{
    struct vector_quad_pairs pairs[2];
    ptrdiff_t a[4], b[4];

    vector_store_indices(a, _mm256_castsi256_si128(i));
    vector_store_indices(b, _mm256_castsi256_si128(k));
    pairs[0] = vector_load_quad_words(words, a, b);
    vector_store_indices(a, _mm256_extracti128_si256(i, 1));
    vector_store_indices(b, _mm256_extracti128_si256(k, 1));
    pairs[1] = vector_load_quad_words(words, a, b);
    return vector_join_quads(pairs[0], pairs[1]);
}

/* Texels with four channels, as floats or halves, at index[0], index[4], ...: one per four lanes of a register. */
static inline vecf vector_fours(const void *texels, const int32_t *index)
{
    const float(*from)[4] = texels;

    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from[index[0]])), _mm_loadu_ps(from[index[4]]), 1);
}
static inline vecf vector_fours_of_halves(const void *texels, const int32_t *index)
{
    return _mm256_cvtph_ps(vector_load_two_pairs(texels, 2 * (ptrdiff_t)index[0], 2 * (ptrdiff_t)index[4]));
}

/* Those texels and the texels after them. */
static inline void vector_four_pairs(const void *texels, const int32_t *index, vecf pair[2])
{
    const float(*from)[4] = texels;
    const __m256 a = _mm256_loadu_ps(from[index[0]]), b = _mm256_loadu_ps(from[index[4]]);

    pair[0] = _mm256_permute2f128_ps(a, b, 0x20);
    pair[1] = _mm256_permute2f128_ps(a, b, 0x31);
}
static inline void vector_four_pairs_of_halves(const void *texels, const int32_t *index, vecf pair[2])
{
    const uint16_t(*from)[4] = texels;
    const __m128i a = _mm_loadu_si128((const __m128i *)from[index[0]]);
    const __m128i b = _mm_loadu_si128((const __m128i *)from[index[4]]);

    pair[0] = _mm256_cvtph_ps(_mm_unpacklo_epi64(a, b));
    pair[1] = _mm256_cvtph_ps(_mm_unpackhi_epi64(a, b));
}

/* How many words of a row of texels one register holds, among which vector_pick_pairs selects those of the lanes (0:
 * there is no such function), and how many rows of pixels a vector has. */
#define SIMD_ROW_WORDS 8
#define SIMD_ROWS      2

/* The bits in which the lanes of a row of pixels differ from its first one. */
static inline veci vector_row_differences(veci v)
{
    return _mm256_xor_si256(v, _mm256_shuffle_epi32(_mm256_permute2x128_si256(v, v, 0), 0xa0));
}

/* Is the value the same in all lanes of each row of pixels? */
static inline bool vector_rows_are_equal(veci v)
{
    const veci different = vector_row_differences(v);

    return _mm256_testz_si256(different, different);
}

/* The values of the lanes that `lanes` numbers. */
static inline veci vector_permute(veci v, veci lanes)
{
    return _mm256_permutevar8x32_epi32(v, lanes);
}

/* The lanes of an 8x8 block that are its first row of pixels, and its first column; in wider registers twice. */
static inline veci vector_block_columns(const int32_t *lanes)
{
    const __m256i pairs = SIMD(unpacklo_epi64)(veci_load(lanes), veci_load(lanes + 16));

    return _mm256_permute4x64_epi64(pairs, 0xd8);
}
static inline veci vector_block_rows(const int32_t *lanes)
{
    const __m128i *row = (const __m128i *)(const void *)lanes;
    const __m256i upper = vector_join_quarters(_mm_loadu_si128(row), _mm_loadu_si128(row + 8));
    const __m256i lower = vector_join_quarters(_mm_loadu_si128(row + 2), _mm_loadu_si128(row + 10));

    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(upper), _mm256_castsi256_ps(lower), 0x88));
}

/* Words before `split` from a, the others from b; reads no other words. */
static inline veci vector_load_split(const uint32_t *a, const uint32_t *b, int32_t split)
{
    const __m256i before = _mm256_cmpgt_epi32(_mm256_set1_epi32(split), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i behind = _mm256_xor_si256(before, _mm256_set1_epi32(-1));

    return _mm256_or_si256(_mm256_maskload_epi32((const int *)a, before),
                           _mm256_maskload_epi32((const int *)b, behind));
}

/* The words at the lanes' offsets, 0 .. 6, in the words of their rows, and the words after them. */
static inline struct vector_pairs vector_pick_pairs(const veci row[SIMD_ROWS], veci offset)
{
    const veci second = _mm256_add_epi32(offset, _mm256_set1_epi32(1));

    return (struct vector_pairs){_mm256_permutevar8x32_epi32(row[0], _mm256_unpacklo_epi32(offset, second)),
                                 _mm256_permutevar8x32_epi32(row[1], _mm256_unpackhi_epi32(offset, second))};
}

/* A row of 1, 2, 4 or 8 words, repeated until it fills a register. */
static inline veci vector_load_repeated(const uint32_t *row, unsigned words)
{
    if (words == 8)
        return veci_load(row);
    if (words == 4)
        return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)row));
    return words == 2 ? _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(const void *)row))
                      : veci_splat(row[0]);
}

/* vector_pick_pairs from such rows: of offsets, only the lowest bits count. */
static inline struct vector_pairs vector_pick_repeated_pairs(const veci row[SIMD_ROWS], veci offset)
{
    return vector_pick_pairs(row, offset);
}

/* Two values of rows of pixels, to the lanes of vector_pairs.low if row is 0, of high if it is 1. */
static inline veci vector_of_rows(const int32_t *of_row, unsigned row)
{
    return veci_splat((uint32_t)of_row[row]);
}

/* To each lane the least value of its row of pixels. */
static inline veci vector_least_of_rows(veci v)
{
    const __m256i m = _mm256_min_epi32(v, _mm256_permute4x64_epi64(v, 0x4e));

    return _mm256_min_epi32(m, _mm256_shuffle_epi32(m, 0xb1));
}

/* Where each lane's words start, for the two functions below; of quads, only those of the vector's first lanes
 * count. */
static inline veci vector_pair_starts(const int64_t *quad)
{
    return _mm256_permute4x64_epi64(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)quad)), 0x50);
}

/* As vector_gather_pairs, with offsets from where each lane's words start. */
static inline struct vector_pairs vector_gather_far_pairs(const uint32_t *words, veci start, veci i)
{
    const veci order = vector_pair_order(i);
    __m256i low = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(order)));
    __m256i high = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(order, 1)));

    return (struct vector_pairs){vector_load_four_far_pairs(words, low), vector_load_four_far_pairs(words, high)};
}

/* As vector_gather, with offsets from where each lane's words start. */
static inline veci vector_gather_far(const uint32_t *words, veci start, veci i)
{
    veci order = vector_pair_order(i);
    __m256i low = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(order)));
    __m256i high = _mm256_add_epi64(start, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(order, 1)));
    __m128i first = _mm256_i64gather_epi32((const int *)words, low, 4);
    __m128i second = _mm256_i64gather_epi32((const int *)words, high, 4);

    return _mm256_permute4x64_epi64(_mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1), 0xd8);
}

/* c - v in the lower 16 bits of each 32, and v in the upper ones; 0 <= v < 0x7fff. */
static inline veci vector_subtract_even(int16_t c, veci v)
{
    return _mm256_add_epi16(_mm256_sign_epi16(v, _mm256_set1_epi32(0x1ffff)), _mm256_set1_epi32(c));
}

/* In each 16 bits the saturated sum of two products of bytes: unsigned bytes of a, signed bytes of b. */
static inline vec16 vector_mix_bytes(veci a, veci b)
{
    return _mm256_maddubs_epi16(a, b);
}

/* Sixteen bytes, repeated in each 128 bits. */
static inline veci vector_repeat(const int8_t v[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)v));
}

/* The bits in which a and b differ. */
static inline veci vector_difference(veci a, veci b)
{
    return _mm256_xor_si256(a, b);
}

/* Is any bit set? */
static inline bool vector_any(veci v)
{
    return !_mm256_testz_si256(v, v);
}

/* Is a <= b in every lane? NaN is not. */
static inline bool vector_all_at_most(vecf a, vecf b)
{
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)) == 0xff;
}

/* The first lane's value, in all lanes. */
static inline veci vector_splat_first(veci v)
{
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(v));
}

/* One value per quad, starting with the quad of the vector's first lanes, to the quad's four lanes. */
static inline vecf vector_of_quads(const float *quad)
{
    return _mm256_set_m128(_mm_set1_ps(quad[1]), _mm_set1_ps(quad[0]));
}

static inline veci vector_ints_of_quads(const int32_t *quad)
{
    return veci_bits(vector_of_quads((const float *)quad));
}

/* (v + bias) * scale, rounded once; v + bias must fit into 24 bits. */
static inline vecf vector_scale_biased(veci v, int32_t bias, float scale)
{
    return vecf_mul(vecf_from(veci_add(v, veci_splat((uint32_t)bias))), vecf_splat(scale));
}

/* A table of 256 floats, in the form that look-ups need. */
struct vector_table {
    const float *entry;
};

static inline struct vector_table vector_table_of(const float *entry)
{
    return (struct vector_table){entry};
}

/* The entries at the indices in the lower and the upper 16 bits of each lane. */
struct vector_entries {
    vecf low, high;
};

static inline struct vector_entries vector_look_up(const struct vector_table *table, veci index)
{
    const veci low = _mm256_and_si256(index, _mm256_set1_epi32(0xffff)), high = _mm256_srli_epi32(index, 16);

    return (struct vector_entries){_mm256_i32gather_ps(table->entry, low, 4),
                                   _mm256_i32gather_ps(table->entry, high, 4)};
}

/* From the order of corners, where quad k of vector i is lane 4 * k + i, to the order of quads. */
static inline vecf vector_quad_order(vecf v)
{
    return _mm256_permutevar8x32_ps(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

#endif
