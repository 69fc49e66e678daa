/* SPDX-License-Identifier: MIT */
/*
 * Building blocks of the kernels of steps: operands as registers of lanes, loops over blocks of them, and operations on
 * a result before it is stored. For shader/run/kernels/step.c at the levels with vectors. Private to shader/.
 */
#ifndef HALCYON_SHADER_RUN_STEP_LANES_H
#define HALCYON_SHADER_RUN_STEP_LANES_H

#include "base/simd/simd.h"
#include "shader/run/machine.h"

#define STEP_INLINE static inline __attribute__((always_inline))

/* A kernel works on blocks of lanes. All results of a block are in registers before the first is stored, so a kernel
 * may overwrite its sources. Each kernel is compiled twice: for full batches, in the largest blocks that fit into
 * registers, and for other batches, in groups. */
#define MAX_BLOCK_VECTORS    8u
#define FULL_BLOCK           (BASE_MIN((unsigned)SHADER_LANES, MAX_BLOCK_VECTORS * VEC))
#define FOR_BLOCKS(at)       for (unsigned at = 0; at < lanes; at += block)
#define FOR_BLOCK_VECTORS(i) _Pragma("GCC unroll 8") for (unsigned i = 0; i < block / VEC; i++)
#define FOR_PARTS(n)         for (unsigned n = 0; n < s->parts; n++)

/* clang-format off */
/* Defines the two functions of a kernel. The body that follows has m, s, lanes and block. */
#define STEP_KERNEL(NAME)                                                                                              \
    STEP_INLINE void NAME##_body(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned block);  \
    static void NAME##_full(struct machine *m, const struct plan_step *s)                                              \
    {                                                                                                                  \
        NAME##_body(m, s, SHADER_LANES, FULL_BLOCK);                                                                   \
    }                                                                                                                  \
    static void NAME##_some(struct machine *m, const struct plan_step *s)                                              \
    {                                                                                                                  \
        NAME##_body(m, s, m->lanes, RASTER_GROUP_LANES);                                                               \
    }                                                                                                                  \
    STEP_INLINE void NAME##_body(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned block)
/* clang-format on */

/* Begins a rarely taken path that computes again from the sources of the common path, which are loaded again. Otherwise
 * the compiler keeps all of a block's factors and, with 16 registers, spills them before the common path knows whether
 * they are needed. */
#define STEP_LOAD_AGAIN() __asm__ volatile("" ::: "memory")

/* --- operands -------------------------------------------------------------------------- */

static inline const float *lanes_at(const struct machine *m, struct plan_operand o)
{
    return m->base[o.base] + o.offset;
}

/* The outputs and temporaries that the machine may write. */
static inline float *results_at(const struct machine *m, struct plan_operand o)
{
    return (float *)m->base[o.base] + o.offset;
}

/* A source: lanes in memory, or a uniform for all lanes. */
struct step_source {
    const float *lanes;
    vecf uniform;
    bool is_uniform;
};

STEP_INLINE struct step_source source_at(const float *lanes, bool is_uniform)
{
    return (struct step_source){lanes, vecf_splat(*lanes), is_uniform};
}

STEP_INLINE vecf source_lanes(const struct step_source *source, unsigned at)
{
    return source->is_uniform ? source->uniform : vecf_load(source->lanes + at);
}

/* --- results --------------------------------------------------------------------------- */

STEP_INLINE void scale_block(vecf *r, const unsigned block, vecf scale)
{
    FOR_BLOCK_VECTORS(i)
        r[i] = vecf_mul(r[i], scale);
}

STEP_INLINE void add_to_block(vecf *r, const unsigned block, vecf addend)
{
    FOR_BLOCK_VECTORS(i)
        r[i] = vecf_add(r[i], addend);
}

STEP_INLINE void saturate_block(vecf *r, const unsigned block)
{
    FOR_BLOCK_VECTORS(i)
        r[i] = vecf_saturate(r[i]);
}

STEP_INLINE void canonical_block(vecf *r, const unsigned block)
{
    FOR_BLOCK_VECTORS(i)
        r[i] = vecf_canonical_nan(r[i]);
}

/* Applies the operations that end the step to its results. `clean`: no result is NaN. */
STEP_INLINE void finish_block(const struct plan_step *s, vecf *r, const unsigned block, bool clean)
{
    if (s->after & PLAN_SCALE)
        scale_block(r, block, vecf_splat(s->scale));
    if (s->after & PLAN_SATURATE)
        saturate_block(r, block);
    else if (!clean && s->after & PLAN_CANONICAL_NAN)
        canonical_block(r, block);
}

/* Finishes a block computed from products, whose results must never be -0: adds 0, unless a limit has the same
 * effect. */
STEP_INLINE void finish_products(const struct plan_step *s, vecf *r, const unsigned block, bool clean)
{
    if (!(s->after & PLAN_SATURATE))
        add_to_block(r, block, vecf_splat(0.0f));
    if (s->after)
        finish_block(s, r, block, clean);
}

STEP_INLINE void store_block(float *to, const vecf *r, const unsigned block)
{
    FOR_BLOCK_VECTORS(i)
        vecf_store(to + i * VEC, r[i]);
}

STEP_INLINE bool block_has_nan(const vecf *r, const unsigned block)
{
    vecf sum = r[0];

    FOR_BLOCK_VECTORS(i)
        sum = i ? vecf_add(sum, r[i]) : sum;
    return __builtin_expect(vecm_any(vecf_is_nan(sum)), 0);
}

#endif
