/* SPDX-License-Identifier: MIT */
/*
 * Four 32-bit lanes, or two doubles: positions, bounds and edges during setup, which is compiled once. Setup names no
 * instructions; a new instruction set is another implementation of this file. Comparisons give lanes of all ones or all
 * zeros. All operations are IEEE's.
 */
#ifndef HALCYON_RASTER_SIMD4_H
#define HALCYON_RASTER_SIMD4_H

#include <emmintrin.h>
#include <stdint.h>

typedef __m128 float4;
typedef __m128i int4; /* four integers, or eight of 16 bits */
typedef __m128d double2;

/* --- integers --------------------------------------------------------------------------------------- */

/* clang-format off */
static inline int4 int4_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void int4_store(void *p, int4 v) { _mm_storeu_si128((__m128i *)p, v); }
/* The lower two lanes alone; the others of what is loaded are 0. */
static inline int4 int4_load_low(const void *p) { return _mm_loadl_epi64((const __m128i *)p); }
static inline void int4_store_low(void *p, int4 v) { _mm_storel_epi64((__m128i *)p, v); }
static inline int4 int4_splat(int32_t v) { return _mm_set1_epi32(v); }
static inline int4 int4_zero(void) { return _mm_setzero_si128(); }
/* Lanes 0, 1, 2, 3. */
static inline int4 int4_of(int32_t a, int32_t b, int32_t c, int32_t d) { return _mm_setr_epi32(a, b, c, d); }
static inline int4 int4_add(int4 a, int4 b) { return _mm_add_epi32(a, b); }
static inline int4 int4_sub(int4 a, int4 b) { return _mm_sub_epi32(a, b); }
static inline int4 int4_and(int4 a, int4 b) { return _mm_and_si128(a, b); }
static inline int4 int4_or(int4 a, int4 b) { return _mm_or_si128(a, b); }
static inline int4 int4_xor(int4 a, int4 b) { return _mm_xor_si128(a, b); }
/* b where no bit of a is set. */
static inline int4 int4_and_not(int4 a, int4 b) { return _mm_andnot_si128(a, b); }
/* a where the mask is set, else b. */
static inline int4 int4_select(int4 mask, int4 a, int4 b) { return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b)); }
/* Negates the lanes where the mask is set. */
static inline int4 int4_negate(int4 v, int4 mask) { return _mm_sub_epi32(_mm_xor_si128(v, mask), mask); }
static inline int4 int4_less(int4 a, int4 b) { return _mm_cmplt_epi32(a, b); }
static inline int4 int4_min(int4 a, int4 b) { return int4_select(_mm_cmpgt_epi32(a, b), b, a); }
/* clang-format on */
/* n: a constant. The arithmetic shift is _right_signed. */
#define int4_left(v, n)         _mm_slli_epi32(v, n)
#define int4_right(v, n)        _mm_srli_epi32(v, n)
#define int4_right_signed(v, n) _mm_srai_epi32(v, n)
/* clang-format off */
/* The lower (upper) halves of a, then of b. */
static inline int4 int4_low_halves(int4 a, int4 b) { return _mm_unpacklo_epi64(a, b); }
static inline int4 int4_high_halves(int4 a, int4 b) { return _mm_unpackhi_epi64(a, b); }
/* Swaps lanes 0 and 1, and lanes 2 and 3 stay. */
static inline int4 int4_swap_low(int4 v) { return _mm_shuffle_epi32(v, _MM_SHUFFLE(3, 2, 0, 1)); }
/* Lanes 1, 2, 3, 3. */
static inline int4 int4_next(int4 v) { return _mm_shuffle_epi32(v, _MM_SHUFFLE(3, 3, 2, 1)); }
/* Bit l: the sign of lane l. */
static inline unsigned int4_signs(int4 v) { return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(v)); }
static inline int32_t int4_first(int4 v) { return _mm_cvtsi128_si32(v); }
static inline int32_t int4_second(int4 v) { return _mm_cvtsi128_si32(_mm_srli_epi64(v, 32)); }
/* Pairs of 16 bits: a's four lanes, then b's, all of which fit; differences; sums of the products of each pair. */
static inline int4 int4_pack16(int4 a, int4 b) { return _mm_packs_epi32(a, b); }
static inline int4 int4_sub16(int4 a, int4 b) { return _mm_sub_epi16(a, b); }
static inline int4 int4_madd16(int4 a, int4 b) { return _mm_madd_epi16(a, b); }

/* --- floats ------------------------------------------------------------------------------------------- */

static inline float4 float4_load(const float *p) { return _mm_loadu_ps(p); }
/* p: aligned to 16. */
static inline void float4_store(float *p, float4 v) { _mm_store_ps(p, v); }
static inline float4 float4_load_low(const float *p) { return _mm_castsi128_ps(int4_load_low(p)); }
static inline void float4_store_low(float *p, float4 v) { int4_store_low(p, _mm_castps_si128(v)); }
static inline float4 float4_splat(float v) { return _mm_set1_ps(v); }
static inline float4 float4_zero(void) { return _mm_setzero_ps(); }
static inline float4 float4_add(float4 a, float4 b) { return _mm_add_ps(a, b); }
static inline float4 float4_sub(float4 a, float4 b) { return _mm_sub_ps(a, b); }
static inline float4 float4_mul(float4 a, float4 b) { return _mm_mul_ps(a, b); }
/* b where one is not a number. */
static inline float4 float4_min(float4 a, float4 b) { return _mm_min_ps(a, b); }
static inline float4 float4_max(float4 a, float4 b) { return _mm_max_ps(a, b); }
/* Lanes that are not numbers become 0. */
static inline float4 float4_numbers(float4 v) { return _mm_and_ps(v, _mm_cmpord_ps(v, v)); }
/* To the nearest integers, ties to even. */
static inline int4 float4_round(float4 v) { return _mm_cvtps_epi32(v); }
static inline float4 float4_from(int4 v) { return _mm_cvtepi32_ps(v); }
/* Lane 0 (1) in all lanes. */
static inline float4 float4_splat_0(float4 v) { return _mm_shuffle_ps(v, v, _MM_SHUFFLE(0, 0, 0, 0)); }
static inline float4 float4_splat_1(float4 v) { return _mm_shuffle_ps(v, v, _MM_SHUFFLE(1, 1, 1, 1)); }
/* The lower halves of a, then of b. */
static inline float4 float4_low_halves(float4 a, float4 b) { return _mm_movelh_ps(a, b); }
/* clang-format on */
/* Are all lanes 0, or -0? */
static inline unsigned float4_are_zero(float4 a, float4 b)
{
    const float4 zero = _mm_setzero_ps();

    return _mm_movemask_ps(_mm_or_ps(_mm_cmpneq_ps(a, zero), _mm_cmpneq_ps(b, zero))) == 0;
}
/* Even lanes of a, then of b; odd ones. The integers' bits are moved. */
static inline int4 int4_even(int4 a, int4 b)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(2, 0, 2, 0)));
}
static inline int4 int4_odd(int4 a, int4 b)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(3, 1, 3, 1)));
}

/* --- doubles ------------------------------------------------------------------------------------------ */

/* clang-format off */
static inline double2 double2_of(double a, double b) { return _mm_setr_pd(a, b); }
static inline double2 double2_splat(double v) { return _mm_set1_pd(v); }
static inline void double2_store(double *p, double2 v) { _mm_storeu_pd(p, v); }
static inline double2 double2_add(double2 a, double2 b) { return _mm_add_pd(a, b); }
static inline double2 double2_sub(double2 a, double2 b) { return _mm_sub_pd(a, b); }
static inline double2 double2_mul(double2 a, double2 b) { return _mm_mul_pd(a, b); }
/* From the lower two lanes. */
static inline double2 double2_from_ints(int4 v) { return _mm_cvtepi32_pd(v); }
static inline double2 double2_from_floats(float4 v) { return _mm_cvtps_pd(v); }
/* Rounded, into the lower two lanes. */
static inline float4 double2_to_floats(double2 v) { return _mm_cvtpd_ps(v); }
static inline double2 double2_splat_0(double2 v) { return _mm_unpacklo_pd(v, v); }
static inline double2 double2_splat_1(double2 v) { return _mm_unpackhi_pd(v, v); }
/* Bit l: lane l is above 0, or below. */
static inline unsigned double2_above_zero(double2 v) { return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(v, _mm_setzero_pd())); }
static inline unsigned double2_below_zero(double2 v) { return (unsigned)_mm_movemask_pd(_mm_cmplt_pd(v, _mm_setzero_pd())); }
/* clang-format on */

#endif
