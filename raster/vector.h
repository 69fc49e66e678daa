/* SPDX-License-Identifier: MIT */
/*
 * One register of lanes, as wide as the level has them (one lane at the scalar level), for the loops that the compiler
 * does not turn into good code by itself: it has no single instruction for limits, and it keeps what several loops share in
 * memory. All operations are IEEE's, so every level gives the same bits. For *_kernels.c only.
 */
#ifndef HALCYON_RASTER_VECTOR_H
#define HALCYON_RASTER_VECTOR_H

#include "raster/lanes.h"

#if KERNEL_LEVEL == 3
#define VEC 16
typedef __m512 vecf;
typedef __m512i veci;
#define VECF(op) _mm512_##op##_ps
#define VECI(op) _mm512_##op
#elif KERNEL_LEVEL == 2
#define VEC 8
typedef __m256 vecf;
typedef __m256i veci;
#define VECF(op) _mm256_##op##_ps
#define VECI(op) _mm256_##op
#elif KERNEL_LEVEL == 1
#define VEC 4
typedef __m128 vecf;
typedef __m128i veci;
#define VECF(op) _mm_##op##_ps
#define VECI(op) _mm_##op
#else
#define VEC 1
typedef float vecf;
typedef int32_t veci;
#endif

/* Loops over registers and channels are written out: the flags that keep loops over lanes loops keep these too. */
#define UNROLLED       _Pragma("GCC unroll 4")
#define VECTORS(count) UNROLLED for (unsigned l = 0; l < (count); l += VEC)

#if KERNEL_LEVEL > 0
static inline vecf vecf_load(const float *p) { return VECF(loadu)(p); }
static inline void vecf_store(float *p, vecf v) { VECF(storeu)(p, v); }
static inline vecf vecf_all(float v) { return VECF(set1)(v); }
static inline vecf vecf_add(vecf a, vecf b) { return VECF(add)(a, b); }
static inline vecf vecf_sub(vecf a, vecf b) { return VECF(sub)(a, b); }
static inline vecf vecf_mul(vecf a, vecf b) { return VECF(mul)(a, b); }
static inline vecf vecf_div(vecf a, vecf b) { return VECF(div)(a, b); }
/* 0..1; NaN becomes 0 */
static inline vecf vecf_saturate(vecf v) { return VECF(min)(VECF(max)(v, VECF(setzero)()), VECF(set1)(1.0f)); }
static inline veci veci_truncate(vecf v) { return VECI(cvttps_epi32)(v); }
static inline vecf vecf_from(veci v) { return VECI(cvtepi32_ps)(v); }
static inline veci veci_all(uint32_t v) { return VECI(set1_epi32)((int32_t)v); }
static inline veci veci_left(veci v, unsigned n) { return VECI(slli_epi32)(v, (int)n); }
static inline veci veci_right(veci v, unsigned n) { return VECI(srli_epi32)(v, (int)n); }
#if KERNEL_LEVEL == 3
static inline veci veci_load(const uint32_t *p) { return _mm512_loadu_si512(p); }
static inline void veci_store(uint32_t *p, veci v) { _mm512_storeu_si512(p, v); }
static inline veci veci_or(veci a, veci b) { return _mm512_or_si512(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm512_and_si512(a, b); }
#elif KERNEL_LEVEL == 2
static inline veci veci_load(const uint32_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void veci_store(uint32_t *p, veci v) { _mm256_storeu_si256((__m256i *)p, v); }
static inline veci veci_or(veci a, veci b) { return _mm256_or_si256(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm256_and_si256(a, b); }
#else
static inline veci veci_load(const uint32_t *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void veci_store(uint32_t *p, veci v) { _mm_storeu_si128((__m128i *)p, v); }
static inline veci veci_or(veci a, veci b) { return _mm_or_si128(a, b); }
static inline veci veci_and(veci a, veci b) { return _mm_and_si128(a, b); }
#endif
#else
static inline vecf vecf_load(const float *p) { return *p; }
static inline void vecf_store(float *p, vecf v) { *p = v; }
static inline vecf vecf_all(float v) { return v; }
static inline vecf vecf_add(vecf a, vecf b) { return a + b; }
static inline vecf vecf_sub(vecf a, vecf b) { return a - b; }
static inline vecf vecf_mul(vecf a, vecf b) { return a * b; }
static inline vecf vecf_div(vecf a, vecf b) { return a / b; }
static inline vecf vecf_saturate(vecf v) { return saturate(v); }
static inline veci veci_truncate(vecf v) { return (int32_t)v; }
static inline vecf vecf_from(veci v) { return (float)v; }
static inline veci veci_all(uint32_t v) { return (int32_t)v; }
static inline veci veci_left(veci v, unsigned n) { return (int32_t)((uint32_t)v << n); }
static inline veci veci_right(veci v, unsigned n) { return (int32_t)((uint32_t)v >> n); }
static inline veci veci_load(const uint32_t *p) { return (int32_t)*p; }
static inline void veci_store(uint32_t *p, veci v) { *p = (uint32_t)v; }
static inline veci veci_or(veci a, veci b) { return a | b; }
static inline veci veci_and(veci a, veci b) { return a & b; }
#endif

/* How many quads of a set come before quad q; of those that are not in it, at most the last one's number. */
static const uint8_t quad_rank[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2},
    {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 0, 1}, {0, 0, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3},
};

/* Where the quads of a place's group are among the lanes of a batch; for those it does not have: where another one is. */
struct quad_lanes {
    unsigned at[4];
};

static inline struct quad_lanes place_quads(const struct raster_place *place)
{
    struct quad_lanes quads;

    UNROLLED
    for (unsigned q = 0; q < 4; q++)
        quads.at[q] = place->lane + 4u * quad_rank[place->quads][q];
    return quads;
}

/* Lanes l.. of such a group. */
static inline vecf group_lanes(const float *lanes, const struct quad_lanes *quads, unsigned l)
{
    const unsigned q = l / 4;
#if KERNEL_LEVEL == 3
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(lanes + quads->at[q]));

    v = _mm512_insertf32x4(v, _mm_loadu_ps(lanes + quads->at[1]), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(lanes + quads->at[2]), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(lanes + quads->at[3]), 3);
#elif KERNEL_LEVEL == 2
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(lanes + quads->at[q])),
                                _mm_loadu_ps(lanes + quads->at[q + 1]), 1);
#elif KERNEL_LEVEL == 1
    return _mm_loadu_ps(lanes + quads->at[q]);
#else
    return lanes[quads->at[q] + l % 4];
#endif
}

#endif
