/* SPDX-License-Identifier: MIT */
/*
 * One register of lanes, as wide as the level has them (one lane at the scalar level), for the loops that the compiler
 * does not turn into good code by itself: it has no single instruction for limits, and it keeps what several loops share in
 * memory. All operations are IEEE's, so every level gives the same bits. For files in kernels/ only.
 */
#ifndef HALCYON_RASTER_VECTOR_H
#define HALCYON_RASTER_VECTOR_H

#include "raster/kernels/kernels.h"

#if KERNEL_LEVEL > 0
#include <immintrin.h>
#endif

#if KERNEL_LEVEL == 3
#define VEC 16
typedef __m512 vecf;
typedef __m512i veci;
#define SIMD(name) _mm512_##name
#elif KERNEL_LEVEL == 2
#define VEC 8
typedef __m256 vecf;
typedef __m256i veci;
#define SIMD(name) _mm256_##name
#elif KERNEL_LEVEL == 1
#define VEC 4
typedef __m128 vecf;
typedef __m128i veci;
#define SIMD(name) _mm_##name
#else
#define VEC 1
typedef float vecf;
typedef int32_t veci;
#endif

/* veci_bits: the bits of floats. veci_greater, veci_equal: signed; bit l of the result tells of lane l. veci_select: a in
 * the lanes whose bits are set, of the lower VEC ones, else b. */

/* Loops over registers and channels are written out: the flags that keep loops over lanes loops keep these too. */
#define UNROLLED       _Pragma("GCC unroll 4")
#define FOR_VECTORS(count) UNROLLED for (unsigned l = 0; l < (count); l += VEC)

#if KERNEL_LEVEL > 0
static inline vecf vecf_load(const float *p) { return SIMD(loadu_ps)(p); }
static inline void vecf_store(float *p, vecf v) { SIMD(storeu_ps)(p, v); }
static inline vecf vecf_splat(float v) { return SIMD(set1_ps)(v); }
static inline vecf vecf_add(vecf a, vecf b) { return SIMD(add_ps)(a, b); }
static inline vecf vecf_sub(vecf a, vecf b) { return SIMD(sub_ps)(a, b); }
static inline vecf vecf_mul(vecf a, vecf b) { return SIMD(mul_ps)(a, b); }
static inline vecf vecf_div(vecf a, vecf b) { return SIMD(div_ps)(a, b); }
/* 0..1; NaN becomes 0 */
static inline vecf vecf_saturate(vecf v) { return SIMD(min_ps)(SIMD(max_ps)(v, SIMD(setzero_ps)()), SIMD(set1_ps)(1.0f)); }
static inline veci veci_truncate(vecf v) { return SIMD(cvttps_epi32)(v); }
static inline vecf vecf_from(veci v) { return SIMD(cvtepi32_ps)(v); }
static inline veci veci_splat(uint32_t v) { return SIMD(set1_epi32)((int32_t)v); }
static inline veci veci_add(veci a, veci b) { return SIMD(add_epi32)(a, b); }
static inline veci veci_sub(veci a, veci b) { return SIMD(sub_epi32)(a, b); }
static inline veci veci_left(veci v, unsigned n) { return SIMD(slli_epi32)(v, (int)n); }
static inline veci veci_right(veci v, unsigned n) { return SIMD(srli_epi32)(v, (int)n); }
#if KERNEL_LEVEL == 3
static inline veci veci_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void veci_store(void *p, veci v) { _mm512_storeu_si512(p, v); }
static inline veci veci_or(veci a, veci b) { return _mm512_or_si512(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm512_and_si512(a, b); }
static inline veci veci_xor(veci a, veci b) { return _mm512_xor_si512(a, b); }
static inline veci veci_bits(vecf v) { return _mm512_castps_si512(v); }
static inline uint32_t veci_greater(veci a, veci b) { return _mm512_cmpgt_epi32_mask(a, b); }
static inline uint32_t veci_equal(veci a, veci b) { return _mm512_cmpeq_epi32_mask(a, b); }
static inline veci veci_select(uint32_t lanes, veci a, veci b) { return _mm512_mask_mov_epi32(b, (__mmask16)lanes, a); }
#elif KERNEL_LEVEL == 2
static inline veci veci_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void veci_store(void *p, veci v) { _mm256_storeu_si256((__m256i *)p, v); }
static inline veci veci_or(veci a, veci b) { return _mm256_or_si256(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm256_and_si256(a, b); }
static inline veci veci_xor(veci a, veci b) { return _mm256_xor_si256(a, b); }
static inline veci veci_bits(vecf v) { return _mm256_castps_si256(v); }
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
#else
static inline veci veci_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void veci_store(void *p, veci v) { _mm_storeu_si128((__m128i *)p, v); }
static inline veci veci_or(veci a, veci b) { return _mm_or_si128(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm_and_si128(a, b); }
static inline veci veci_xor(veci a, veci b) { return _mm_xor_si128(a, b); }
static inline veci veci_bits(vecf v) { return _mm_castps_si128(v); }
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
#endif
#else
static inline vecf vecf_load(const float *p) { return *p; }
static inline void vecf_store(float *p, vecf v) { *p = v; }
static inline vecf vecf_splat(float v) { return v; }
static inline vecf vecf_add(vecf a, vecf b) { return a + b; }
static inline vecf vecf_sub(vecf a, vecf b) { return a - b; }
static inline vecf vecf_mul(vecf a, vecf b) { return a * b; }
static inline vecf vecf_div(vecf a, vecf b) { return a / b; }
static inline vecf vecf_saturate(vecf v) { return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f; }
static inline veci veci_truncate(vecf v) { return (int32_t)v; }
static inline vecf vecf_from(veci v) { return (float)v; }
static inline veci veci_splat(uint32_t v) { return (int32_t)v; }
static inline veci veci_add(veci a, veci b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline veci veci_sub(veci a, veci b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline veci veci_left(veci v, unsigned n) { return (int32_t)((uint32_t)v << n); }
static inline veci veci_right(veci v, unsigned n) { return (int32_t)((uint32_t)v >> n); }
static inline veci veci_load(const void *p) { return *(const int32_t *)p; }
static inline void veci_store(void *p, veci v) { *(int32_t *)p = v; }
static inline veci veci_or(veci a, veci b) { return a | b; }
static inline veci veci_and(veci a, veci b) { return a & b; }
static inline veci veci_xor(veci a, veci b) { return a ^ b; }
static inline veci veci_bits(vecf v)
{
    veci bits;

    __builtin_memcpy(&bits, &v, sizeof(bits));
    return bits;
}
static inline uint32_t veci_greater(veci a, veci b) { return a > b; }
static inline uint32_t veci_equal(veci a, veci b) { return a == b; }
static inline veci veci_select(uint32_t lanes, veci a, veci b) { return lanes & 1 ? a : b; }
#endif

#endif
