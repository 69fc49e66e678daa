/* SPDX-License-Identifier: MIT */
/* simd.h with AVX-512. */
#ifndef HALCYON_BASE_SIMD_AVX512_H
#define HALCYON_BASE_SIMD_AVX512_H

#include <immintrin.h>

#define VEC             16
#define SIMD_HAS_GATHER 1
#define SIMD_HAS_HALVES 1
#define SIMD(name)      _mm512_##name
typedef __m512 vecf;
typedef __m512i veci;
typedef __mmask16 vecm;

#include "base/simd/x86.h"

/* --- operations ------------------------------------------------------------------------------------ */

/* clang-format off */
static inline veci veci_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void veci_store(void *p, veci v) { _mm512_storeu_si512(p, v); }
static inline veci veci_or(veci a, veci b) { return _mm512_or_si512(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm512_and_si512(a, b); }
static inline veci veci_xor(veci a, veci b) { return _mm512_xor_si512(a, b); }
static inline veci veci_bits(vecf v) { return _mm512_castps_si512(v); }
static inline vecf vecf_of_bits(veci v) { return _mm512_castsi512_ps(v); }
static inline vecf vecf_abs(vecf v) { return _mm512_abs_ps(v); }
static inline vecm vecf_equal(vecf a, vecf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline vecm vecf_at_least(vecf a, vecf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
static inline vecm vecf_is_nan(vecf v) { return _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q); }
static inline vecf vecf_select(vecm lanes, vecf a, vecf b) { return _mm512_mask_mov_ps(b, lanes, a); }
static inline bool vecm_any(vecm lanes) { return lanes; }
static inline uint32_t veci_greater(veci a, veci b) { return _mm512_cmpgt_epi32_mask(a, b); }
static inline uint32_t veci_equal(veci a, veci b) { return _mm512_cmpeq_epi32_mask(a, b); }
static inline veci veci_select(uint32_t lanes, veci a, veci b) { return _mm512_mask_mov_epi32(b, (__mmask16)lanes, a); }
/* clang-format on */
static inline vecf vecf_mul_legacy(vecf a, vecf b)
{
    const vecf zero = _mm512_setzero_ps();
    const vecm other = _mm512_cmp_ps_mask(a, zero, _CMP_NEQ_UQ) & _mm512_cmp_ps_mask(b, zero, _CMP_NEQ_UQ);

    return _mm512_maskz_mul_ps(other, a, b);
}

/* --- 16 bits --------------------------------------------------------------------------------------------- */

#define VEC16            32
#define NARROW_REGISTERS 2
typedef __m512i vec16;

static inline vec16 vec16_splat_pixel(const int16_t p[4])
{
    return _mm512_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vec16 vec16_mul(vec16 a, vec16 b)
{
    return _mm512_mulhrs_epi16(a, b);
}
static inline vec16 vec16_greater(vec16 a, vec16 b)
{
    return _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b));
}

#include "base/simd/x86_narrow.h"

/* The lower and the upper half of a register. */
static inline void vec16_store_halves(int16_t *low, int16_t *high, vec16 v)
{
    _mm256_storeu_si256((__m256i *)low, _mm512_castsi512_si256(v));
    _mm256_storeu_si256((__m256i *)high, _mm512_extracti64x4_epi64(v, 1));
}

/* The bytes that two pixels take. */
struct vec16_order {
    vec16 bytes;
};
static inline struct vec16_order vec16_order(const uint8_t order[4])
{
    int8_t bytes[16];

    vec16_order_bytes(order, bytes);
    return (struct vec16_order){_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)bytes))};
}
static inline vec16 vec16_alpha(vec16 v)
{
    return _mm512_shufflehi_epi16(_mm512_shufflelo_epi16(v, 0xff), 0xff);
}
static inline vec16 vec16_swizzle(vec16 v, const struct vec16_order *order)
{
    return _mm512_shuffle_epi8(v, order->bytes);
}

/* --- sign bits --------------------------------------------------------------------------------------- */

static inline uint32_t sign_bits(const int32_t v[16])
{
    return _mm512_movepi32_mask(_mm512_loadu_si512(v));
}

static inline uint32_t sign_bits_8(const int32_t v[8])
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)v)));
}

/* Lanes are in order for sign_bits_of_4. */
#define SIGN_ORDER(Q) \
    Q(0), Q(1), Q(2), Q(3), Q(4), Q(5), Q(6), Q(7), Q(8), Q(9), Q(10), Q(11), Q(12), Q(13), Q(14), Q(15)

static inline uint64_t sign_bits_of_4(veci a, veci b, veci c, veci d)
{
    const __mmask16 m0 = _mm512_movepi32_mask(a), m1 = _mm512_movepi32_mask(b);
    const __mmask16 m2 = _mm512_movepi32_mask(c), m3 = _mm512_movepi32_mask(d);

    return _cvtmask64_u64(_mm512_kunpackd(_mm512_kunpackw(m3, m2), _mm512_kunpackw(m1, m0)));
}

/* --- memory --------------------------------------------------------------------------------------------- */

static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    __m512i rows = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));

    (void)l;
    rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(p + pitch)), 1);
    rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(p + 2 * pitch)), 2);
    rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(p + 3 * pitch)), 3);
    return _mm512_permutex_epi64(rows, 0xd8);
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    const __m512i rows = _mm512_permutex_epi64(lanes, 0xd8);

    (void)l;
    _mm_storeu_si128((__m128i *)p, _mm512_castsi512_si128(rows));
    _mm_storeu_si128((__m128i *)(p + pitch), _mm512_extracti32x4_epi32(rows, 1));
    _mm_storeu_si128((__m128i *)(p + 2 * pitch), _mm512_extracti32x4_epi32(rows, 2));
    _mm_storeu_si128((__m128i *)(p + 3 * pitch), _mm512_extracti32x4_epi32(rows, 3));
}

static inline veci group_rows(const uint32_t *lanes, unsigned l)
{
    return _mm512_permutex_epi64(veci_load(lanes + l), 0xd8);
}

static inline veci rows_load(const uint8_t *p, size_t pitch, unsigned i)
{
    const __m512i upper = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)p));

    (void)i;
    return _mm512_inserti64x4(upper, _mm256_loadu_si256((const __m256i *)(p + pitch)), 1);
}
static inline void rows_store(uint8_t *p, size_t pitch, unsigned i, veci v)
{
    (void)i;
    _mm256_storeu_si256((__m256i *)p, _mm512_castsi512_si256(v));
    _mm256_storeu_si256((__m256i *)(p + pitch), _mm512_extracti64x4_epi64(v, 1));
}

static inline veci vector_to_halves(vecf v)
{
    return _mm512_cvtepu16_epi32(_mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
static inline vecf vector_from_halves(veci v)
{
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(v));
}

/* A single load, because the result will be loaded as a whole. */
static inline void row_fill(uint8_t *p, const uint8_t *pattern)
{
    _mm256_storeu_si256((__m256i *)p, _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)pattern)));
}

static inline vecf quads_load(const float *lanes, const unsigned at[4], unsigned l)
{
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(lanes + at[l / 4]));

    v = _mm512_insertf32x4(v, _mm_loadu_ps(lanes + at[1]), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(lanes + at[2]), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(lanes + at[3]), 3);
}

static inline vecf fours_load(const float *const *at, unsigned offset)
{
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(at[0] + offset));

    v = _mm512_insertf32x4(v, _mm_loadu_ps(at[4] + offset), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(at[8] + offset), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(at[12] + offset), 3);
}

static inline void fours_store(float *const *at, vecf v)
{
    _mm_storeu_ps(at[0], _mm512_castps512_ps128(v));
    _mm_storeu_ps(at[4], _mm512_extractf32x4_ps(v, 1));
    _mm_storeu_ps(at[8], _mm512_extractf32x4_ps(v, 2));
    _mm_storeu_ps(at[12], _mm512_extractf32x4_ps(v, 3));
}

static inline void splat_quads(unsigned n, const float *restrict quad, float *restrict lane)
{
    __m512i index = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);

    for (unsigned l = 0; l < n; l += 16, index = _mm512_add_epi32(index, _mm512_set1_epi32(4)))
        _mm512_storeu_ps(lane + l, _mm512_permutexvar_ps(index, _mm512_loadu_ps(quad)));
}

static inline void corners_of_quads(const float *restrict t, float *restrict at, float *restrict right,
                                    float *restrict below)
{
    const __m512i fourth = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
    float *corner[3] = {at, right, below};

    for (int k = 0; k < 3; k++) {
        __m512i pick = _mm512_add_epi32(fourth, _mm512_set1_epi32(k));
        __m512 low = _mm512_permutex2var_ps(_mm512_loadu_ps(t), pick, _mm512_loadu_ps(t + 16));
        __m512 high = _mm512_permutex2var_ps(_mm512_loadu_ps(t + 32), pick, _mm512_loadu_ps(t + 48));

        _mm512_storeu_ps(corner[k], _mm512_shuffle_f32x4(low, high, 0x44));
    }
}

static inline void gather_words(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                                uint32_t *restrict texel)
{
    for (unsigned l = 0; l < n; l += 16)
        _mm512_storeu_si512(texel + l, _mm512_i32gather_epi32(_mm512_loadu_si512(index + l), texels, 4));
}

static inline void gather_word_pairs(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                                     uint32_t *restrict left, uint32_t *restrict right)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);

    for (unsigned l = 0; l < n; l += 16) {
        __m512i a = _mm512_i32gather_epi64(_mm256_loadu_si256((const __m256i *)(index + l)), texels, 4);
        __m512i b = _mm512_i32gather_epi64(_mm256_loadu_si256((const __m256i *)(index + l + 8)), texels, 4);

        _mm512_storeu_si512(left + l, _mm512_permutex2var_epi32(a, even, b));
        _mm512_storeu_si512(right + l, _mm512_permutex2var_epi32(a, odd, b));
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
    return _mm512_sub_ps(v, _mm512_roundscale_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}

/* a | b with the bits of `flip` inverted; a and b have no bit in common. */
static inline veci vector_join(veci a, veci b, veci flip)
{
    return _mm512_ternarylogic_epi32(a, b, flip, 0x96);
}

/* Is 0 <= v < end in every lane? */
static inline bool vector_inside(veci v, veci end)
{
    return !_mm512_cmpge_epu32_mask(v, end);
}

/* vector_inside for two vectors at once. */
static inline bool vector_both_inside(veci v, veci end_v, veci w, veci end_w)
{
    return _kortestz_mask16_u8(_mm512_cmpge_epu32_mask(v, end_v), _mm512_cmpge_epu32_mask(w, end_w));
}

/* a in the lanes where `negative` is set, else b. */
static inline veci vector_select(veci negative, veci a, veci b)
{
    return _mm512_mask_mov_epi32(b, _mm512_movepi32_mask(negative), a);
}

/* A mask of all lanes, hidden from the compiler. A gather that is known to load all lanes may be given any register as
 * its destination; it then waits for the last write to that register, so that the gathers of a loop wait for each
 * other. */
static inline __mmask16 vector_all_lanes(void)
{
    __mmask16 lanes = 0xffff;

    __asm__("" : "+k"(lanes));
    return lanes;
}

/* The words at the lanes' indices. */
static inline veci vector_gather(const uint32_t *words, veci index)
{
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), vector_all_lanes(), index, words, 4);
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
    return _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(v.low), _mm512_castsi512_ps(v.high), 0x88));
}
static inline veci vector_second(struct vector_pairs v)
{
    return _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(v.low), _mm512_castsi512_ps(v.high), 0xdd));
}

/* Puts lanes into the order of pairs: those of `low`, then those of `high`. */
static inline veci vector_pair_order(veci v)
{
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v);
}

static inline __m512i vector_join_halves(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
static inline __m512i vector_load_eight_far_pairs(const uint32_t *words, __m512i i)
{
    return vector_join_halves(vector_load_four_far_pairs(words, _mm512_castsi512_si256(i)),
                              vector_load_four_far_pairs(words, _mm512_extracti64x4_epi64(i, 1)));
}

static inline struct vector_pairs vector_join_quads(const struct vector_quad_pairs quad[4])
{
    return (struct vector_pairs){vector_join_halves(vector_join_quarters(quad[0].low, quad[1].low),
                                                    vector_join_quarters(quad[2].low, quad[3].low)),
                                 vector_join_halves(vector_join_quarters(quad[0].high, quad[1].high),
                                                    vector_join_quarters(quad[2].high, quad[3].high))};
}

/* Lanes of a register, four at a time: more indices would not fit into the general registers. */
#define VECTOR_QUARTERS(QUARTER)                 \
    QUARTER(0, _mm512_castsi512_si128(i));       \
    QUARTER(1, _mm512_extracti32x4_epi32(i, 1)); \
    QUARTER(2, _mm512_extracti32x4_epi32(i, 2)); \
    QUARTER(3, _mm512_extracti32x4_epi32(i, 3))

/* The words at the lanes' indices, and the words after them, from two rows; one load per pair. */
static inline void vector_gather_pair_rows(const uint32_t *upper, const uint32_t *lower, veci i,
                                           struct vector_pairs row[2])
{
    struct vector_quad_pairs above[4], below[4];
    ptrdiff_t at[4];

#define LOAD_ROWS(q, indices)                     \
    vector_store_indices(at, indices);            \
    above[q] = vector_load_quad_pairs(upper, at); \
    below[q] = vector_load_quad_pairs(lower, at)
    VECTOR_QUARTERS(LOAD_ROWS);
    row[0] = vector_join_quads(above);
    row[1] = vector_join_quads(below);
}
/* As vector_gather_pairs, from one row. */
static inline struct vector_pairs vector_gather_pairs(const uint32_t *words, veci i)
{
    struct vector_quad_pairs pairs[4];
    ptrdiff_t at[4];

#define LOAD_PAIRS(q, indices)         \
    vector_store_indices(at, indices); \
    pairs[q] = vector_load_quad_pairs(words, at)
    VECTOR_QUARTERS(LOAD_PAIRS);
    return vector_join_quads(pairs);
}
/* The words at two indices per lane. */
static inline struct vector_pairs vector_gather_two(const uint32_t *words, veci i, veci k)
{
    struct vector_quad_pairs pairs[4];
    ptrdiff_t a[4], b[4];

#define LOAD_WORDS(q, indices)                                \
    vector_store_indices(a, indices);                         \
    vector_store_indices(b, _mm512_extracti32x4_epi32(k, q)); \
    pairs[q] = vector_load_quad_words(words, a, b)
    VECTOR_QUARTERS(LOAD_WORDS);
    return vector_join_quads(pairs);
}

/* Texels with four channels, as floats or halves, at index[0], index[4], ...: one per four lanes of a register. */
static inline vecf vector_fours(const void *texels, const int32_t *index)
{
    const float(*from)[4] = texels;
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(from[index[0]]));

    v = _mm512_insertf32x4(v, _mm_loadu_ps(from[index[4]]), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(from[index[8]]), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(from[index[12]]), 3);
}
static inline vecf vector_fours_of_halves(const void *texels, const int32_t *index)
{
    const __m128i low = vector_load_two_pairs(texels, 2 * (ptrdiff_t)index[0], 2 * (ptrdiff_t)index[4]);
    const __m128i high = vector_load_two_pairs(texels, 2 * (ptrdiff_t)index[8], 2 * (ptrdiff_t)index[12]);

    return _mm512_cvtph_ps(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
}

/* Those texels and the texels after them. */
static inline void vector_four_pairs(const void *texels, const int32_t *index, vecf pair[2])
{
    const float(*from)[4] = texels;
    const __m512 a = _mm512_castps256_ps512(_mm256_loadu_ps(from[index[0]]));
    const __m512 b = _mm512_castps256_ps512(_mm256_loadu_ps(from[index[4]]));
    const __m512 ac = _mm512_insertf32x8(a, _mm256_loadu_ps(from[index[8]]), 1);
    const __m512 bd = _mm512_insertf32x8(b, _mm256_loadu_ps(from[index[12]]), 1);
    const __m512 left = _mm512_shuffle_f32x4(ac, bd, 0x88), right = _mm512_shuffle_f32x4(ac, bd, 0xdd);

    pair[0] = _mm512_shuffle_f32x4(left, left, 0xd8);
    pair[1] = _mm512_shuffle_f32x4(right, right, 0xd8);
}
static inline void vector_four_pairs_of_halves(const void *texels, const int32_t *index, vecf pair[2])
{
    const uint16_t(*from)[4] = texels;
    const __m256i a = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)from[index[0]]));
    const __m256i b = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)from[index[4]]));
    const __m256i ac = _mm256_inserti128_si256(a, _mm_loadu_si128((const __m128i *)from[index[8]]), 1);
    const __m256i bd = _mm256_inserti128_si256(b, _mm_loadu_si128((const __m128i *)from[index[12]]), 1);

    pair[0] = _mm512_cvtph_ps(_mm256_unpacklo_epi64(ac, bd));
    pair[1] = _mm512_cvtph_ps(_mm256_unpackhi_epi64(ac, bd));
}

/* How many words of a row of texels one register holds, among which vector_pick_pairs selects those of the lanes, and
 * how many rows of pixels a vector has. */
#define SIMD_ROW_WORDS 16
#define SIMD_ROWS      4

/* The bits in which the lanes of a row of pixels differ from its first one. */
static inline veci vector_row_differences(veci v)
{
    return _mm512_xor_si512(v, _mm512_shuffle_epi32(_mm512_shuffle_i32x4(v, v, 0xa0), 0xa0));
}

/* Is the value the same in all lanes of each row of pixels? */
static inline bool vector_rows_are_equal(veci v)
{
    veci first = _mm512_shuffle_epi32(_mm512_shuffle_i32x4(v, v, 0xa0), 0xa0);

    return !_mm512_cmpneq_epi32_mask(v, first);
}

/* The values of the lanes that `lanes` numbers. */
static inline veci vector_permute(veci v, veci lanes)
{
    return _mm512_permutexvar_epi32(lanes, v);
}

/* The lanes of an 8x8 block that are its first row of pixels, and its first column; twice. */
static inline veci vector_block_columns(const int32_t *lanes)
{
    const __m256i left = _mm256_loadu_si256((const __m256i *)(const void *)lanes);
    const __m256i right = _mm256_loadu_si256((const __m256i *)(const void *)(lanes + 16));

    return _mm512_broadcast_i64x4(_mm256_permute4x64_epi64(_mm256_unpacklo_epi64(left, right), 0xd8));
}
static inline veci vector_block_rows(const int32_t *lanes)
{
    const __m128i *row = (const __m128i *)(const void *)lanes;
    const __m256i upper = vector_join_quarters(_mm_loadu_si128(row), _mm_loadu_si128(row + 8));
    const __m256i lower = vector_join_quarters(_mm_loadu_si128(row + 2), _mm_loadu_si128(row + 10));

    return _mm512_broadcast_i64x4(
        _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(upper), _mm256_castsi256_ps(lower), 0x88)));
}

/* Words before `split` from a, the others from b; reads no other words. */
static inline veci vector_load_split(const uint32_t *a, const uint32_t *b, int32_t split)
{
    const __mmask16 before = (__mmask16)((1u << split) - 1);

    return _mm512_mask_loadu_epi32(_mm512_maskz_loadu_epi32(before, a), (__mmask16)~before, b);
}

/* The words at the lanes' offsets, 0 .. 14, in the words of their rows, and the words after them. */
static inline struct vector_pairs vector_pick_pairs(const veci row[SIMD_ROWS], veci offset)
{
    const __m512i other = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi32(16), 1);
    const veci first = _mm512_or_si512(offset, other), second = _mm512_add_epi32(first, _mm512_set1_epi32(1));

    return (struct vector_pairs){_mm512_permutex2var_epi32(row[0], _mm512_unpacklo_epi32(first, second), row[2]),
                                 _mm512_permutex2var_epi32(row[1], _mm512_unpackhi_epi32(first, second), row[3])};
}

/* A row of 1, 2, 4, 8 or 16 words, repeated until it fills a register. */
static inline veci vector_load_repeated(const uint32_t *row, unsigned words)
{
    const __m128i *first = (const __m128i *)(const void *)row;

    if (words == 16)
        return veci_load(row);
    if (words == 8)
        return _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)(const void *)row));
    if (words == 4)
        return _mm512_broadcast_i32x4(_mm_loadu_si128(first));
    return words == 2 ? _mm512_broadcastq_epi64(_mm_loadl_epi64(first)) : veci_splat(row[0]);
}

/* vector_pick_pairs from such rows: of offsets, only the lowest bits count. */
static inline struct vector_pairs vector_pick_repeated_pairs(const veci row[SIMD_ROWS], veci offset)
{
    const __m512i other = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi32(16), 1);
    const __m512i last = _mm512_set1_epi32(15), next = _mm512_add_epi32(offset, _mm512_set1_epi32(1));
    const __m512i first = _mm512_ternarylogic_epi32(offset, last, other, 0xea); /* offset & last | other */
    const __m512i second = _mm512_ternarylogic_epi32(next, last, other, 0xea);

    return (struct vector_pairs){_mm512_permutex2var_epi32(row[0], _mm512_unpacklo_epi32(first, second), row[2]),
                                 _mm512_permutex2var_epi32(row[1], _mm512_unpackhi_epi32(first, second), row[3])};
}

/* The values of rows of pixels, to the lanes of vector_pairs.low if row is 0, of high if it is 1. */
static inline veci vector_of_rows(const int32_t *of_row, unsigned row)
{
    return _mm512_inserti64x4(veci_splat((uint32_t)of_row[row]), _mm256_set1_epi32(of_row[row + 2]), 1);
}

/* To each lane the least value of its row of pixels. */
static inline veci vector_least_of_rows(veci v)
{
    const __m512i m = _mm512_min_epi32(v, _mm512_shuffle_i32x4(v, v, 0xb1));

    return _mm512_min_epi32(m, _mm512_shuffle_epi32(m, 0xb1));
}

/* Where each lane's words start, for the two functions below; of quads, only those of the vector's first lanes
 * count. */
static inline veci vector_pair_starts(const int64_t *quad)
{
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
                                    _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)quad)));
}

/* As vector_gather_pairs, with offsets from where each lane's words start. */
static inline struct vector_pairs vector_gather_far_pairs(const uint32_t *words, veci start, veci i)
{
    const veci order = vector_pair_order(i);
    __m512i low = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_castsi512_si256(order)));
    __m512i high = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(order, 1)));

    return (struct vector_pairs){vector_load_eight_far_pairs(words, low), vector_load_eight_far_pairs(words, high)};
}

/* As vector_gather, with offsets from where each lane's words start. */
static inline veci vector_gather_far(const uint32_t *words, veci start, veci i)
{
    veci order = vector_pair_order(i);
    __m512i low = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_castsi512_si256(order)));
    __m512i high = _mm512_add_epi64(start, _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(order, 1)));
    __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_i64gather_epi32(low, words, 4)),
                                      _mm512_i64gather_epi32(high, words, 4), 1);

    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), both);
}

/* c - v in the lower 16 bits of each 32, and v in the upper ones; 0 <= v < 0x7fff. */
static inline veci vector_subtract_even(int16_t c, veci v)
{
    return _mm512_mask_sub_epi16(v, 0x55555555, _mm512_set1_epi32(c), v);
}

/* In each 16 bits the saturated sum of two products of bytes: unsigned bytes of a, signed bytes of b. */
static inline vec16 vector_mix_bytes(veci a, veci b)
{
    return _mm512_maddubs_epi16(a, b);
}

/* Sixteen bytes, repeated in each 128 bits. */
static inline veci vector_repeat(const int8_t v[16])
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)v));
}

/* The bits in which a and b differ. */
static inline veci vector_difference(veci a, veci b)
{
    return _mm512_xor_si512(a, b);
}

/* Is any bit set? */
static inline bool vector_any(veci v)
{
    return _mm512_test_epi32_mask(v, v);
}

/* Is a <= b in every lane? NaN is not. */
static inline bool vector_all_at_most(vecf a, vecf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ) == 0xffff;
}

/* The first lane's value, in all lanes. */
static inline veci vector_splat_first(veci v)
{
    return _mm512_broadcastd_epi32(_mm512_castsi512_si128(v));
}

/* One value per quad, starting with the quad of the vector's first lanes, to the quad's four lanes. */
static inline vecf vector_of_quads(const float *quad)
{
    const __m512i index = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);

    return _mm512_permutexvar_ps(index, _mm512_castps128_ps512(_mm_loadu_ps(quad)));
}

static inline veci vector_ints_of_quads(const int32_t *quad)
{
    return veci_bits(vector_of_quads((const float *)quad));
}

/* (v + bias) * scale, rounded once. */
static inline vecf vector_scale_biased(veci v, int32_t bias, float scale)
{
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(v), vecf_splat(scale), vecf_splat(scale * (float)bias));
}

/* A table of 256 floats, in the form that look-ups need: the 16-bit halves of 32 entries per register. */
struct vector_table {
    veci low[8], high[8];
};

static inline struct vector_table vector_table_of(const float *entry)
{
    const veci even = _mm512_setr_epi32(0x020000, 0x060004, 0x0a0008, 0x0e000c, 0x120010, 0x160014, 0x1a0018, 0x1e001c,
                                        0x220020, 0x260024, 0x2a0028, 0x2e002c, 0x320030, 0x360034, 0x3a0038, 0x3e003c);
    const veci odd = _mm512_add_epi32(even, _mm512_set1_epi32(0x010001));
    struct vector_table table;

    UNROLLED
    for (unsigned i = 0; i < 8; i++) {
        const veci first = veci_load(entry + 32 * i), second = veci_load(entry + 32 * i + 16);

        table.low[i] = _mm512_permutex2var_epi16(first, even, second);
        table.high[i] = _mm512_permutex2var_epi16(first, odd, second);
    }
    return table;
}

/* The 16-bit entries at 16-bit indices. */
static inline veci vector_look_up_halves(const veci entry[8], veci index)
{
    const __mmask32 bit6 = _mm512_movepi16_mask(_mm512_slli_epi16(index, 9));
    const __mmask32 bit7 = _mm512_movepi16_mask(_mm512_slli_epi16(index, 8));
    const veci a = _mm512_permutex2var_epi16(entry[0], index, entry[1]);
    const veci b = _mm512_permutex2var_epi16(entry[2], index, entry[3]);
    const veci c = _mm512_permutex2var_epi16(entry[4], index, entry[5]);
    const veci d = _mm512_permutex2var_epi16(entry[6], index, entry[7]);

    return _mm512_mask_mov_epi16(_mm512_mask_mov_epi16(a, bit6, b), bit7, _mm512_mask_mov_epi16(c, bit6, d));
}

/* The entries at the indices in the lower and the upper 16 bits of each lane. (A gather would take one load per
 * lane.) */
struct vector_entries {
    vecf low, high;
};

static inline struct vector_entries vector_look_up(const struct vector_table *table, veci index)
{
    const veci low = vector_look_up_halves(table->low, index), high = vector_look_up_halves(table->high, index);

    return (struct vector_entries){
        vecf_of_bits(_mm512_mask_mov_epi16(_mm512_slli_epi32(high, 16), 0x55555555, low)),
        vecf_of_bits(_mm512_mask_mov_epi16(_mm512_srli_epi32(low, 16), 0xaaaaaaaa, high)),
    };
}

/* From the order of corners, where quad k of vector i is lane 4 * k + i, to the order of quads. */
static inline vecf vector_quad_order(vecf v)
{
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
}

#endif
