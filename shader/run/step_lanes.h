/* SPDX-License-Identifier: MIT */
/*
 * Defines what the kernels of steps are made of: vectors of lanes, loops over them, and what
 * happens to a result on its way to memory. For shader/run/kernels/step.c at the levels with vectors. Private
 * to shader/.
 */
#ifndef HALCYON_SHADER_RUN_STEP_LANES_H
#define HALCYON_SHADER_RUN_STEP_LANES_H

#include "shader/run/machine.h"

#include <immintrin.h>

#define VECTOR_BYTES (KERNEL_LEVEL == 3 ? 64 : KERNEL_LEVEL == 2 ? 32 : 16)
#define VECTOR       ((unsigned)(VECTOR_BYTES / sizeof(float)))

/* Not always aligned: lanes of other owners. */
typedef float vector __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef int32_t vector_bits __attribute__((vector_size(VECTOR_BYTES)));

static inline vector load(const float *p)
{
    return *(const vector *)p;
}

static inline void store(float *p, vector v)
{
    *(vector *)p = v;
}

static inline vector all(float v)
{
    return v - (vector){0};
}

static inline bool any_nan(vector v)
{
#if KERNEL_LEVEL == 3
    return _mm512_cmp_ps_mask((__m512)v, (__m512)v, _CMP_UNORD_Q);
#elif KERNEL_LEVEL == 2
    return _mm256_movemask_ps(_mm256_cmp_ps((__m256)v, (__m256)v, _CMP_UNORD_Q));
#else
    return _mm_movemask_ps(_mm_cmpunord_ps((__m128)v, (__m128)v));
#endif
}

static inline vector smaller(vector a, vector b) /* a < b ? a : b */
{
#if KERNEL_LEVEL == 3
    return (vector)_mm512_min_ps((__m512)a, (__m512)b);
#elif KERNEL_LEVEL == 2
    return (vector)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return (vector)_mm_min_ps((__m128)a, (__m128)b);
#endif
}

static inline vector larger(vector a, vector b) /* a > b ? a : b */
{
#if KERNEL_LEVEL == 3
    return (vector)_mm512_max_ps((__m512)a, (__m512)b);
#elif KERNEL_LEVEL == 2
    return (vector)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return (vector)_mm_max_ps((__m128)a, (__m128)b);
#endif
}

static inline vector greater(vector a, vector b) /* a >= b ? a : b */
{
#if KERNEL_LEVEL == 3
    return (vector)_mm512_mask_mov_ps((__m512)b, _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GE_OQ), (__m512)a);
#elif KERNEL_LEVEL == 2
    return (vector)_mm256_blendv_ps((__m256)b, (__m256)a, _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_GE_OQ));
#else
    const __m128 mask = _mm_cmpge_ps((__m128)a, (__m128)b);

    return (vector)_mm_or_ps(_mm_and_ps(mask, (__m128)a), _mm_andnot_ps(mask, (__m128)b));
#endif
}

/* Any NaN becomes the canonical one. */
static inline vector canonical_nan(vector v)
{
    const vector nan = all(lane_from_bits(0x7fc00000));
#if KERNEL_LEVEL == 3
    return (vector)_mm512_mask_mov_ps((__m512)v, _mm512_cmp_ps_mask((__m512)v, (__m512)v, _CMP_UNORD_Q), (__m512)nan);
#else
    const vector_bits same = v == v;

    return (vector)(((vector_bits)v & same) | ((vector_bits)nan & ~same));
#endif
}

/* NaN becomes the low end. */
static inline vector limited(vector v, float low, float high)
{
    return smaller(larger(v, all(low)), all(high));
}

/* lane_product: 0 times anything is 0. */
static inline vector product(vector a, vector b)
{
#if KERNEL_LEVEL == 3
    const __mmask16 other = _mm512_cmp_ps_mask((__m512)a, _mm512_setzero_ps(), _CMP_NEQ_UQ) &
                            _mm512_cmp_ps_mask((__m512)b, _mm512_setzero_ps(), _CMP_NEQ_UQ);

    return (vector)_mm512_maskz_mul_ps(other, (__m512)a, (__m512)b);
#else
    return (vector)((vector_bits)(a * b) & ~((a == 0.0f) | (b == 0.0f)));
#endif
}

/* Multiplies where neither factor can hurt: 0 times infinity or NaN shows as NaN. */
static inline vector ieee_product(vector a, vector b)
{
    return a * b;
}

/* --- operands -------------------------------------------------------------------------- */

static inline const float *lanes_at(const struct machine *m, struct plan_operand o)
{
    return m->base[o.base] + o.offset;
}

/* Outputs and temporaries: what the machine may write. */
static inline float *results_at(const struct machine *m, struct plan_operand o)
{
    return (float *)m->base[o.base] + o.offset;
}

/* --- kernels --------------------------------------------------------------------------- */

/* A kernel works on blocks of lanes, all of a block's results being in registers before the first
 * is stored: it may write what it reads. Each is compiled for batches that are full, in the largest
 * blocks that registers hold, and for others, in groups. */
#define MOST_VECTORS (KERNEL_LEVEL == 3 ? 4u : 8u)
#define FULL_BLOCK   (BASE_MIN((unsigned)SHADER_LANES, MOST_VECTORS * VECTOR))

#define INLINE       static inline __attribute__((always_inline))

/* clang-format off */
/* The body that follows has m, s, lanes and block. */
#define STEP(name)                                                                                 \
    INLINE void name##_body(struct machine *m, const struct plan_step *s, unsigned lanes,          \
                            const unsigned block);                                                 \
    static void name##_full(struct machine *m, const struct plan_step *s)                          \
    {                                                                                              \
        name##_body(m, s, SHADER_LANES, FULL_BLOCK);                                               \
    }                                                                                              \
    static void name##_some(struct machine *m, const struct plan_step *s)                          \
    {                                                                                              \
        name##_body(m, s, m->lanes, RASTER_GROUP_LANES);                                           \
    }                                                                                              \
    INLINE void name##_body(struct machine *m, const struct plan_step *s, unsigned lanes,          \
                            const unsigned block)
/* clang-format on */

/* V(k): a vector of source k; u##k: its uniform. */
#define PARTS      for (unsigned n = 0; n < s->parts; n++)
#define BLOCKS     for (unsigned at = 0; at < lanes; at += block)
#define VECTORS    _Pragma("GCC unroll 8") for (unsigned i = 0; i < block / VECTOR; i++)
#define FROM(k)    const float *from##k = lanes_at(m, s->source[k][n])
#define UNIFORM(k) const vector u##k = all(*lanes_at(m, s->source[k][n]))
#define V(k)       load(from##k + at + i * VECTOR)
#define TO         float *to = results_at(m, s->out[n])

/* Does what the step does to its results in the end. `clean`: there is no NaN among them. */
INLINE void finish_block(const struct plan_step *s, vector *r, const unsigned block, bool clean)
{
    if (s->after & PLAN_SCALE)
        VECTORS r[i] = r[i] * all(s->scale);
    if (s->after & PLAN_SATURATE)
        VECTORS r[i] = limited(r[i], 0.0f, 1.0f);
    else if (!clean && s->after & PLAN_CANONICAL_NAN)
        VECTORS r[i] = canonical_nan(r[i]);
}

/* Finishes a block that is made of products, which is never -0: 0 is added, unless a limit does as
 * much. */
INLINE void finish_products(const struct plan_step *s, vector *r, const unsigned block, bool clean)
{
    if (!(s->after & PLAN_SATURATE))
        VECTORS r[i] = r[i] + 0.0f;
    if (s->after)
        finish_block(s, r, block, clean);
}

INLINE void store_block(float *to, const vector *r, const unsigned block)
{
    VECTORS store(to + i * VECTOR, r[i]);
}

INLINE bool block_has_nan(const vector *r, const unsigned block)
{
    vector sum = r[0];

    _Pragma("GCC unroll 8") for (unsigned i = 1; i < block / VECTOR; i++) sum += r[i];
    return __builtin_expect(any_nan(sum), 0);
}

/* clang-format off */
/* Makes, finishes and stores what `expression` says of each vector. */
#define KEEP(expression)                                                                           \
    BLOCKS                                                                                         \
    {                                                                                              \
        vector r[MOST_VECTORS];                                                                    \
                                                                                                   \
        VECTORS r[i] = (expression);                                                               \
        if (s->after)                                                                              \
            finish_block(s, r, block, false);                                                      \
        store_block(to + at, r, block);                                                            \
    }

/* A block of what expression(P) makes of products P, finished, in r. The fast path comes first;
 * a NaN says that it may have been wrong. */
#define MAKE_PRODUCTS(expression)                                                                  \
    vector r[MOST_VECTORS];                                                                        \
    bool clean = true;                                                                             \
                                                                                                   \
    VECTORS r[i] = expression(ieee_product);                                                      \
    if (block_has_nan(r, block)) {                                                                 \
        VECTORS r[i] = expression(product);                                                        \
        clean = false;                                                                             \
    }                                                                                              \
    finish_products(s, r, block, clean)

/* Works like KEEP, with products P and without a look for NaN. */
#define KEEP_PRODUCTS(expression, P)                                                               \
    BLOCKS                                                                                         \
    {                                                                                              \
        vector r[MOST_VECTORS];                                                                    \
                                                                                                   \
        VECTORS r[i] = expression(P);                                                              \
        finish_products(s, r, block, false);                                                       \
        store_block(to + at, r, block);                                                            \
    }
/* clang-format on */

#endif
