/* SPDX-License-Identifier: MIT */
/*
 * Four floats at once, for vertex processing: GCC's vector extension, plus what it lacks. IEEE
 * operations only, each lane on its own, so every build gives the same bits.
 */
#ifndef HALCYON_HAL_VEC_H
#define HALCYON_HAL_VEC_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define VEC_LANES 4
/* For each of four vertices or components, without a loop: their vectors stay in registers. */
#define VEC_EACH(l) _Pragma("GCC unroll 4") for (unsigned l = 0; l < VEC_LANES; l++)

typedef float vec4f __attribute__((vector_size(16), may_alias));
typedef int32_t vec4i __attribute__((vector_size(16), may_alias));

static inline vec4f vec_set(float v)
{
    return (vec4f){v, v, v, v};
}

/* mask: lanes all ones or all zeros, as comparisons give them. */
static inline vec4f vec_select(vec4i mask, vec4f if_set, vec4f if_clear)
{
    return (vec4f)((mask & (vec4i)if_set) | (~mask & (vec4i)if_clear));
}

static inline vec4f vec_max(vec4f a, vec4f b)
{
    return vec_select(a > b, a, b);
}

static inline vec4f vec_min(vec4f a, vec4f b)
{
    return vec_select(a < b, a, b);
}

/* NaN becomes 0. */
static inline vec4f vec_saturate(vec4f v)
{
    return vec_min(vec_max(v, vec_set(0)), vec_set(1));
}

static inline vec4f vec_abs(vec4f v)
{
    return (vec4f)((vec4i)v & 0x7fffffff);
}

static inline vec4f vec_sqrt(vec4f v)
{
#ifdef __SSE2__
    return (vec4f)_mm_sqrt_ps((__m128)v);
#else
    vec4f r;

    for (int i = 0; i < VEC_LANES; i++)
        r[i] = __builtin_sqrtf(v[i]);
    return r;
#endif
}

static inline int vec_any(vec4i mask)
{
#ifdef __SSE2__
    return _mm_movemask_ps((__m128)mask);
#else
    return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
#endif
}

/* Rows become columns. */
static inline void vec_transpose(vec4f r[4])
{
    const vec4f a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    const vec4f b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const vec4f c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    const vec4f d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);

    r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

static inline vec4f vec_load(const float *p)
{
    vec4f v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline void vec_store(float *p, vec4f v)
{
    memcpy(p, &v, sizeof(v));
}

static inline vec4f vec_dot3(const vec4f a[3], const vec4f b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
