/* SPDX-License-Identifier: MIT */
/* SSE2: simd4.h on any x86, and simd.h at level 1. */
#ifndef HALCYON_BASE_SIMD_SSE2_H
#define HALCYON_BASE_SIMD_SSE2_H

#include <emmintrin.h>
#include <stdint.h>

/* --- four lanes, for simd4.h ------------------------------------------------------------------------- */

typedef float float4 __attribute__((vector_size(16), may_alias));
typedef int32_t int4 __attribute__((vector_size(16), may_alias));
typedef double double2 __attribute__((vector_size(16), may_alias));

/* clang-format off */
static inline int4 int4_load_low(const void *p) { return (int4)_mm_loadl_epi64((const __m128i *)p); }
static inline void int4_store_low(void *p, int4 v) { _mm_storel_epi64((__m128i *)p, (__m128i)v); }
static inline unsigned int4_signs(int4 v) { return (unsigned)_mm_movemask_ps((__m128)v); }
static inline int4 int4_pack16(int4 a, int4 b) { return (int4)_mm_packs_epi32((__m128i)a, (__m128i)b); }
static inline int4 int4_pack8(int4 a, int4 b) { return (int4)_mm_packus_epi16((__m128i)a, (__m128i)b); }
static inline int4 int4_madd16(int4 a, int4 b) { return (int4)_mm_madd_epi16((__m128i)a, (__m128i)b); }
static inline float4 float4_min(float4 a, float4 b) { return _mm_min_ps(a, b); }
static inline float4 float4_max(float4 a, float4 b) { return _mm_max_ps(a, b); }
static inline int4 float4_round(float4 v) { return (int4)_mm_cvtps_epi32(v); }
static inline double2 double2_from_ints(int4 v) { return _mm_cvtepi32_pd((__m128i)v); }
static inline double2 double2_from_floats(float4 v) { return _mm_cvtps_pd(v); }
static inline float4 double2_to_floats(double2 v) { return _mm_cvtpd_ps(v); }
static inline unsigned double2_above_zero(double2 v) { return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(v, _mm_setzero_pd())); }
static inline unsigned double2_below_zero(double2 v) { return (unsigned)_mm_movemask_pd(_mm_cmplt_pd(v, _mm_setzero_pd())); }
/* clang-format on */

/* --- registers of lanes, for simd.h ------------------------------------------------------------------- */

#if KERNEL_LEVEL == 1

#define VEC             4
#define SIMD_HAS_GATHER 0
#define SIMD_HAS_HALVES 0
#define SIMD(name)      _mm_##name
typedef __m128 vecf;
typedef __m128i veci;
typedef __m128 vecm;

#include "base/simd/x86.h"

/* --- operations ------------------------------------------------------------------------------------ */

/* clang-format off */
static inline veci veci_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void veci_store(void *p, veci v) { _mm_storeu_si128((__m128i *)p, v); }
static inline veci veci_or(veci a, veci b) { return _mm_or_si128(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm_and_si128(a, b); }
static inline veci veci_xor(veci a, veci b) { return _mm_xor_si128(a, b); }
static inline veci veci_bits(vecf v) { return _mm_castps_si128(v); }
static inline vecf vecf_of_bits(veci v) { return _mm_castsi128_ps(v); }
static inline vecf vecf_abs(vecf v) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), v); }
static inline vecm vecf_equal(vecf a, vecf b) { return _mm_cmpeq_ps(a, b); }
static inline vecm vecf_at_least(vecf a, vecf b) { return _mm_cmpge_ps(a, b); }
static inline vecm vecf_is_nan(vecf v) { return _mm_cmpunord_ps(v, v); }
static inline vecf vecf_select(vecm lanes, vecf a, vecf b) { return _mm_or_ps(_mm_and_ps(lanes, a), _mm_andnot_ps(lanes, b)); }
static inline bool vecm_any(vecm lanes) { return _mm_movemask_ps(lanes); }
/* clang-format on */
static inline vecf vecf_mul_legacy(vecf a, vecf b)
{
    const vecm zero = _mm_or_ps(vecf_equal(a, _mm_setzero_ps()), vecf_equal(b, _mm_setzero_ps()));

    return _mm_andnot_ps(zero, vecf_mul(a, b));
}
static inline uint32_t veci_greater(veci a, veci b)
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(a, b)));
}
static inline uint32_t veci_equal(veci a, veci b)
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a, b)));
}
static inline veci veci_select(uint32_t lanes, veci a, veci b)
{
    const veci bit = _mm_setr_epi32(1, 2, 4, 8), take = _mm_cmpeq_epi32(_mm_and_si128(veci_splat(lanes), bit), bit);

    return _mm_or_si128(_mm_and_si128(take, a), _mm_andnot_si128(take, b));
}

/* --- 16 bits --------------------------------------------------------------------------------------------- */

#define VEC16            8
#define NARROW_REGISTERS 2
typedef __m128i vec16;

static inline vec16 vec16_splat_pixel(const int16_t p[4])
{
    const __m128i pixel = _mm_loadl_epi64((const __m128i *)p);

    return _mm_unpacklo_epi64(pixel, pixel);
}
static inline vec16 vec16_mul(vec16 a, vec16 b)
{
    const __m128i low = _mm_mullo_epi16(a, b), high = _mm_mulhi_epi16(a, b);
    const __m128i twice = _mm_or_si128(_mm_add_epi16(high, high), _mm_srli_epi16(low, 15));

    return _mm_add_epi16(twice, _mm_and_si128(_mm_srli_epi16(low, 14), _mm_set1_epi16(1)));
}
static inline vec16 vec16_greater(vec16 a, vec16 b)
{
    return _mm_cmpgt_epi16(a, b);
}

#include "base/simd/x86_narrow.h"

/* The channels that each of the four selects. */
struct vec16_order {
    vec16 takes[4];
};
static inline struct vec16_order vec16_order(const uint8_t order[4])
{
    struct vec16_order result;

    for (unsigned from = 0; from < 4; from++) {
        int16_t pixel[4];

        for (unsigned c = 0; c < 4; c++)
            pixel[c] = order[c] == from ? -1 : 0;
        result.takes[from] = vec16_splat_pixel(pixel);
    }
    return result;
}
/* Channel `c` of each pixel in all four. */
#define VEC16_REPEAT(v, c) _mm_shufflehi_epi16(_mm_shufflelo_epi16(v, (c)*0x55), (c)*0x55)
static inline vec16 vec16_alpha(vec16 v)
{
    return VEC16_REPEAT(v, 3);
}
static inline vec16 vec16_swizzle(vec16 v, const struct vec16_order *order)
{
    const __m128i first = _mm_and_si128(VEC16_REPEAT(v, 0), order->takes[0]);
    const __m128i second = _mm_and_si128(VEC16_REPEAT(v, 1), order->takes[1]);
    const __m128i third = _mm_and_si128(VEC16_REPEAT(v, 2), order->takes[2]);
    const __m128i fourth = _mm_and_si128(VEC16_REPEAT(v, 3), order->takes[3]);

    return _mm_or_si128(_mm_or_si128(first, second), _mm_or_si128(third, fourth));
}

/* --- sign bits --------------------------------------------------------------------------------------- */

static inline uint32_t sign_bits(const int32_t v[16])
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < 4; i++)
        bits |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(v + 4 * i)))) << (4 * i);
    return bits;
}

static inline uint32_t sign_bits_8(const int32_t v[8])
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)v))) |
           (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(v + 4)))) << 4;
}

/* Lanes are in order for sign_bits_of_4. */
#define SIGN_ORDER(Q) \
    Q(0), Q(1), Q(2), Q(3), Q(4), Q(5), Q(6), Q(7), Q(8), Q(9), Q(10), Q(11), Q(12), Q(13), Q(14), Q(15)

static inline uint64_t sign_bits_of_4(veci a, veci b, veci c, veci d)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* The distance in bytes from the first pixel of a group to the pixel of lane l, which is in Morton order. */
static inline size_t pixel_offset(size_t pitch, unsigned l)
{
    return (size_t)((l >> 1 & 1) | (l >> 2 & 2)) * pitch + (size_t)((l & 1) | (l >> 1 & 2)) * sizeof(uint32_t);
}
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    const uint8_t *at = p + pixel_offset(pitch, l);

    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)at), _mm_loadl_epi64((const __m128i *)(at + pitch)));
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    uint8_t *at = p + pixel_offset(pitch, l);

    _mm_storel_epi64((__m128i *)at, lanes);
    _mm_storel_epi64((__m128i *)(at + pitch), _mm_unpackhi_epi64(lanes, lanes));
}

/* Row l / 4: two lanes of each of two quads. */
static inline veci group_rows(const uint32_t *lanes, unsigned l)
{
    const uint32_t *at = lanes + l / 8 * 8 + l / 4 % 2 * 2;

    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)at), _mm_loadl_epi64((const __m128i *)(at + 4)));
}

static inline veci rows_load(const uint8_t *p, size_t pitch, unsigned i)
{
    return veci_load(p + i * VEC / 8 * pitch + i * VEC % 8 * sizeof(uint32_t));
}
static inline void rows_store(uint8_t *p, size_t pitch, unsigned i, veci v)
{
    veci_store(p + i * VEC / 8 * pitch + i * VEC % 8 * sizeof(uint32_t), v);
}

static inline void row_fill(uint8_t *p, const uint8_t *pattern)
{
    memcpy(p, pattern, 16);
    memcpy(p + 16, pattern, 16);
}

static inline vecf quads_load(const float *lanes, const unsigned at[4], unsigned l)
{
    return _mm_loadu_ps(lanes + at[l / 4]);
}

static inline vecf fours_load(const float *const *at, unsigned offset)
{
    return _mm_loadu_ps(at[0] + offset);
}

static inline void fours_store(float *const *at, vecf v)
{
    _mm_storeu_ps(at[0], v);
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
    for (unsigned l = 0; l < n; l++)
        texel[l] = texels[index[l]];
}

static inline void gather_word_pairs(unsigned n, const uint32_t *texels, const int32_t *restrict index,
                                     uint32_t *restrict left, uint32_t *restrict right)
{
    for (unsigned l = 0; l < n; l++) {
        left[l] = texels[index[l]];
        right[l] = texels[index[l] + 1];
    }
}

#endif /* KERNEL_LEVEL == 1 */

#endif
