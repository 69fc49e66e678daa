/* SPDX-License-Identifier: MIT */
/*
 * The steps of a plan: one loop over vectors of lanes for each kind. Products are made the short
 * way: 0 times infinity or NaN, which shaders count as 0, shows as NaN in a sum of results, and
 * only then they are made the long way. Not for the scalar level.
 */
#include "base/assert.h"
#include "shader/run/machine.h"

#if KERNEL_LEVEL > 0

#include "shader/run/step_lanes.h"

/* --- no products ---------------------------------------------------------------------- */

/* clang-format off */
#define STEP_VV(name, expression)                                                                  \
    STEP(name)                                                                                     \
    {                                                                                              \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            FROM(1);                                                                               \
            KEEP(expression);                                                                      \
        }                                                                                          \
    }
#define STEP_VU(name, expression)                                                                  \
    STEP(name)                                                                                     \
    {                                                                                              \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            UNIFORM(1);                                                                            \
            KEEP(expression);                                                                      \
        }                                                                                          \
    }
/* clang-format on */

STEP_VV(add_vv, V(0) + V(1))
STEP_VU(add_vu, V(0) + u1)
STEP_VV(sub_vv, V(0) - V(1))
STEP_VU(sub_vu, V(0) - u1)
STEP_VV(min_vv, smaller(V(0), V(1)))
STEP_VU(min_vu, smaller(V(0), u1))
STEP_VV(max_vv, greater(V(0), V(1)))
STEP_VU(max_vu, greater(V(0), u1))

STEP(mov_v)
{
    PARTS {
        TO;
        FROM(0);
        KEEP(V(0));
    }
}

STEP(mov_u)
{
    PARTS {
        TO;
        UNIFORM(0);
        KEEP(u0);
    }
}

STEP(sub_uv)
{
    PARTS {
        TO;
        UNIFORM(0);
        FROM(1);
        KEEP(u0 - V(1));
    }
}

/* Finishes results that stand in memory already. */
INLINE void finish_lanes(const struct plan_step *s, float *to, unsigned lanes, const unsigned block)
{
    const float *from0 = to;

    if (s->after)
        KEEP(V(0));
}

STEP(component)
{
    PARTS {
        TO;
        alu_component(s->op, lanes, to, lanes_at(m, s->source[0][n]), lanes_at(m, s->source[1][n]),
                      lanes_at(m, s->source[2][n]));
        finish_lanes(s, to, lanes, block);
    }
}

STEP(scalar)
{
    float *first = results_at(m, s->out[0]);
    const float *from0 = first;

    alu_component(s->op, lanes, first, lanes_at(m, s->source[0][0]), lanes_at(m, s->source[1][0]), NULL);
    finish_lanes(s, first, lanes, block);
    for (unsigned n = 1; n < s->parts; n++) {
        TO;
        BLOCKS
            VECTORS store(to + at + i * VECTOR, V(0));
    }
}

/* --- 1 / sqrt |x| ----------------------------------------------------------------------- */

static inline vector magnitude(vector v)
{
    return (vector)((vector_bits)v & 0x7fffffff);
}

/* lane_rsq */
static inline vector rsq(vector v)
{
    const vector a = magnitude(v);
#if KERNEL_LEVEL == 3
    const vector root = (vector)_mm512_sqrt_ps((__m512)a);

    return (vector)_mm512_mask_mov_ps(
        (__m512)(1.0f / root), _mm512_cmp_ps_mask((__m512)a, _mm512_setzero_ps(), _CMP_EQ_OQ), _mm512_set1_ps(FLT_MAX));
#else
    const vector_bits zero = a == 0.0f;
#if KERNEL_LEVEL == 2
    const vector root = (vector)_mm256_sqrt_ps((__m256)a);
#else
    const vector root = (vector)_mm_sqrt_ps((__m128)a);
#endif
    return (vector)(((vector_bits)(1.0f / root) & ~zero) | ((vector_bits)all(FLT_MAX) & zero));
#endif
}

STEP(rsq_v)
{
    const float *from0 = lanes_at(m, s->source[0][0]);

    BLOCKS {
        vector r[MOST_VECTORS];

        VECTORS r[i] = rsq(V(0));
        if (s->after)
            finish_block(s, r, block, false);
        PARTS
            store_block(results_at(m, s->out[n]) + at, r, block);
    }
}

/* --- operands, and what has no kernel of its own -------------------------------------------- */

/* Modifiers but limits are a product, a sum and signs: -0 added changes nothing. At most one of the
 * four that compute is there; more go the long way. */
STEP(modify)
{
    const vector_bits sign = (vector_bits)all(-0.0f), none = (vector_bits)all(0.0f);
    const vector_bits keep = s->modifiers & IR_ABS ? ~sign : ~none, flip = s->modifiers & IR_NEGATE ? sign : none;
    const unsigned limits = s->modifiers & (IR_CLAMP | IR_SATURATE);
    const float low = limits & IR_CLAMP ? -1.0f : 0.0f;
    vector scale = all(1.0f), more = all(-0.0f);

    switch (s->modifiers & ~(limits | IR_ABS | IR_NEGATE)) {
    case IR_BIAS:
        more = all(-0.5f);
        break;
    case IR_SIGNED:
        scale = all(2.0f);
        more = all(-1.0f);
        break;
    case IR_DOUBLE:
        scale = all(2.0f);
        break;
    case IR_COMPLEMENT:
        scale = all(-1.0f);
        more = all(1.0f);
        break;
    case 0:
        break;
    default:
        PARTS
            alu_modify(s->modifiers, lanes, results_at(m, s->out[n]), lanes_at(m, s->source[0][n]));
        return;
    }
#define SIGNED(v) ((vector)((vector_bits)((vector)((vector_bits)(v)&keep) * scale + more) ^ flip))
    PARTS {
        TO;
        FROM(0);
        if (s->modifiers & (IR_ABS | IR_NEGATE))
            KEEP(SIGNED(limits ? limited(V(0), low, 1.0f) : V(0)))
        else if (limits)
            KEEP(limited(V(0), low, 1.0f) * scale + more)
        else
            KEEP(V(0) * scale + more)
    }
}

STEP(texture)
{
    const struct ir_instruction *instruction = &m->code->code[s->instruction];
    const float *from[3] = {lanes_at(m, s->source[0][0]), lanes_at(m, s->source[0][1]), lanes_at(m, s->source[0][2])};

    (void)lanes;
    (void)block;
    if (!machine_texture_direct(m, instruction, from))
        machine_texture(m, instruction);
}

STEP(instruction)
{
    (void)lanes;
    (void)block;
    machine_instruction(m, &m->code->code[s->instruction]);
}

/* --- products of vectors --------------------------------------------------------------- */

/* clang-format off */
#define STEP_PRODUCT(name, sources, expression)                                                    \
    STEP(name)                                                                                     \
    {                                                                                              \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            FROM(1);                                                                               \
            sources;                                                                               \
            BLOCKS                                                                                 \
            {                                                                                      \
                MAKE_PRODUCTS(expression);                                                         \
                store_block(to + at, r, block);                                                    \
            }                                                                                      \
        }                                                                                          \
    }
/* clang-format on */

#define MUL_VV(P)  P(V(0), V(1))
#define MAD_VVV(P) (P(V(0), V(1)) + V(2))
#define MAD_VVU(P) (P(V(0), V(1)) + u2)
#define LRP_VVV(P) (V(2) + (P(V(0), V(1) - V(2)) + 0.0f))

STEP_PRODUCT(mul_vv, (void)0, MUL_VV)
STEP_PRODUCT(mad_vvv, FROM(2), MAD_VVV)
STEP_PRODUCT(mad_vvu, UNIFORM(2), MAD_VVU)
STEP_PRODUCT(lrp_vvv, FROM(2), LRP_VVV)

/* --- products with a uniform: one look at it tells whether 0 times it can be anything but 0
 * -------- */

static inline bool is_finite_nonzero(float u)
{
    return __builtin_fabsf(u) <= FLT_MAX && u != 0.0f;
}

/* clang-format off */
#define STEP_SCALED(name, sources, expression)                                                     \
    STEP(name)                                                                                     \
    {                                                                                              \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            UNIFORM(1);                                                                            \
            sources;                                                                               \
            if (is_finite_nonzero(*lanes_at(m, s->source[1][n])))                                           \
                KEEP_PRODUCTS(expression, ieee_product)                                           \
            else                                                                                   \
                KEEP_PRODUCTS(expression, product)                                                 \
        }                                                                                          \
    }
/* clang-format on */

#define MUL_VU(P)  P(V(0), u1)
#define MAD_VUV(P) (P(V(0), u1) + V(2))
#define MAD_VUU(P) (P(V(0), u1) + u2)

/* clang-format off */
/* Saturated, NaN is 0 as 0 times anything is: no test is needed. */
#define STEP_SATURATED(name, second, expression)                                                   \
    STEP(name)                                                                                     \
    {                                                                                              \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            second;                                                                                \
            KEEP_PRODUCTS(expression, ieee_product)                                               \
        }                                                                                          \
    }
/* clang-format on */

STEP_SCALED(mul_vu, (void)0, MUL_VU)
STEP_SATURATED(mul_sat_vv, FROM(1), MUL_VV)
STEP_SATURATED(mul_sat_vu, UNIFORM(1), MUL_VU)
STEP_SCALED(mad_vuv, FROM(2), MAD_VUV)
STEP_SCALED(mad_vuu, UNIFORM(2), MAD_VUU)

/* --- dot products ------------------------------------------------------------------------ */

#define A(c)     load(a[c] + at + i * VECTOR)
#define B(c)     (uniform ? same[c] : load(b[c] + at + i * VECTOR))
#define DOT_3(P) (P(A(0), B(0)) + P(A(1), B(1)) + P(A(2), B(2)))
#define DOT_4(P) (DOT_3(P) + P(A(3), B(3)))
#define DOT(P)   (terms == 4 ? DOT_4(P) : DOT_3(P))

INLINE void dots(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned block,
                 const unsigned terms, const bool uniform)
{
    const float *a[4], *b[4];
    vector same[4];

    for (unsigned c = 0; c < 4; c++) {
        a[c] = lanes_at(m, s->source[0][BASE_MIN(c, terms - 1)]);
        b[c] = lanes_at(m, s->source[1][BASE_MIN(c, terms - 1)]);
        same[c] = all(*b[c]);
    }
    BLOCKS {
        MAKE_PRODUCTS(DOT);
        PARTS
            store_block(results_at(m, s->out[n]) + at, r, block);
    }
}

STEP(dp3_vv)
{
    dots(m, s, lanes, block, 3, false);
}

STEP(dp3_vu)
{
    dots(m, s, lanes, block, 3, true);
}

STEP(dp4_vv)
{
    dots(m, s, lanes, block, 4, false);
}

STEP(dp4_vu)
{
    dots(m, s, lanes, block, 4, true);
}

/* Rows of a matrix: the vector's components are loaded once. */
INLINE void rows(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned terms,
                 const unsigned count)
{
    const unsigned block = RASTER_GROUP_LANES;
    const float *a[4], *row[4];
    float *to[4];

    for (unsigned c = 0; c < 4; c++)
        a[c] = lanes_at(m, s->source[0][BASE_MIN(c, terms - 1)]);
    for (unsigned n = 0; n < count; n++) {
        row[n] = lanes_at(m, s->source[1][n]);
        to[n] = results_at(m, s->out[n]);
    }
#define ROW_3(P) (P(A(0), all(row[n][0])) + P(A(1), all(row[n][1])) + P(A(2), all(row[n][2])))
#define ROW(P)   (terms == 4 ? ROW_3(P) + P(A(3), all(row[n][3])) : ROW_3(P))
    BLOCKS {
#pragma GCC unroll 4
        for (unsigned n = 0; n < count; n++) {
            MAKE_PRODUCTS(ROW);
            store_block(to[n] + at, r, block);
        }
    }
}

INLINE void some_rows(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned terms)
{
    if (s->parts == 4)
        rows(m, s, lanes, terms, 4);
    else if (s->parts == 3)
        rows(m, s, lanes, terms, 3);
    else
        rows(m, s, lanes, terms, 2);
}

STEP(rows3)
{
    (void)block;
    some_rows(m, s, lanes, 3);
}

STEP(rows4)
{
    (void)block;
    some_rows(m, s, lanes, 4);
}

/* --- the table ----------------------------------------------------------------------------- */

/* clang-format off */
#define ROW_OF(suffix) {                                                                           \
    [STEP_MOV_V] = mov_v##suffix,         [STEP_MOV_U] = mov_u##suffix,                            \
    [STEP_ADD_VV] = add_vv##suffix,       [STEP_ADD_VU] = add_vu##suffix,                          \
    [STEP_SUB_VV] = sub_vv##suffix,       [STEP_SUB_VU] = sub_vu##suffix,                          \
    [STEP_SUB_UV] = sub_uv##suffix,       [STEP_MUL_VV] = mul_vv##suffix,                          \
    [STEP_MUL_SAT_VV] = mul_sat_vv##suffix, [STEP_MUL_SAT_VU] = mul_sat_vu##suffix,                \
    [STEP_MUL_VU] = mul_vu##suffix,       [STEP_MAD_VVV] = mad_vvv##suffix,                        \
    [STEP_MAD_VVU] = mad_vvu##suffix,     [STEP_MAD_VUV] = mad_vuv##suffix,                        \
    [STEP_MAD_VUU] = mad_vuu##suffix,     [STEP_LRP_VVV] = lrp_vvv##suffix,                        \
    [STEP_MIN_VV] = min_vv##suffix,       [STEP_MIN_VU] = min_vu##suffix,                          \
    [STEP_MAX_VV] = max_vv##suffix,       [STEP_MAX_VU] = max_vu##suffix,                          \
    [STEP_COMPONENT] = component##suffix, [STEP_SCALAR] = scalar##suffix, [STEP_RSQ] = rsq_v##suffix,                          \
    [STEP_DP3_VV] = dp3_vv##suffix,       [STEP_DP3_VU] = dp3_vu##suffix,                          \
    [STEP_DP4_VV] = dp4_vv##suffix,       [STEP_DP4_VU] = dp4_vu##suffix,                          \
    [STEP_ROWS3] = rows3##suffix,         [STEP_ROWS4] = rows4##suffix,                            \
    [STEP_MODIFY] = modify##suffix,       [STEP_TEXTURE] = texture##suffix,                        \
    [STEP_INSTRUCTION] = instruction##suffix,                                                      \
}
/* clang-format on */

typedef void step_fn(struct machine *m, const struct plan_step *s);

static step_fn *const kernels[2][STEP_KERNELS] = {ROW_OF(_some), ROW_OF(_full)};

void machine_prepare_steps(struct machine *m)
{
    const struct plan *plan = &m->code->plan;

    m->base[PLAN_TEMP] = m->temp[0][0];
    m->base[PLAN_OUTPUT] = m->output[0][0];
    m->base[PLAN_SCRATCH] = m->scratch[0][0];
    m->base[PLAN_FLOATS] = (const float *)m->binding->floats;
    m->base[PLAN_IMMEDIATES] = (const float *)m->code->immediates;
    if (m->binding->registers) {
        m->base[PLAN_BUMP] = m->binding->registers->bump[0];
        m->base[PLAN_LUMINANCE] = m->binding->registers->luminance[0];
    }
    m->base[PLAN_MODIFIED] = m->modified;
    for (unsigned n = 0; n < plan->modified_count; n++) {
        const struct plan_modified *to = &plan->modified[n];
        const float v = *lanes_at(m, to->from);

        m->modified[n] = to->modifiers == IR_CLAMP ? lane_limit(v, -1.0f, 1.0f) : lane_modify(to->modifiers, v);
    }
}

void machine_run_steps(struct machine *m, unsigned first, unsigned count)
{
    const struct plan_step *steps = m->code->plan.steps;
    step_fn *const *const kernel = kernels[m->lanes == SHADER_LANES];

    BASE_ASSERT(first + count <= m->code->plan.step_count && m->active == m->all);
    for (unsigned n = first; n < first + count; n++)
        kernel[steps[n].kernel](m, &steps[n]);
}

#endif
