/* SPDX-License-Identifier: MIT */
/*
 * The steps of a plan: one loop over vectors of lanes for each kind. Products are made the short
 * way: 0 times infinity or NaN, which shaders count as 0, shows as NaN in a sum of all results, and
 * only then the step is done again the long way (alu_kernels.c). Not for the scalar level.
 */
#include "shader/machine.h"

#if KERNEL_LEVEL > 0

#include <immintrin.h>

#define VECTOR_BYTES (KERNEL_LEVEL == 3 ? 64 : KERNEL_LEVEL == 2 ? 32 : 16)
#define VECTOR       ((unsigned)(VECTOR_BYTES / sizeof(float)))

/* Not always aligned: lanes of other owners. */
typedef float vector __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

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
    return (vector)_mm512_mask_mov_ps(
        (__m512)b, _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GE_OQ), (__m512)a);
#elif KERNEL_LEVEL == 2
    return (vector)_mm256_blendv_ps((__m256)b, (__m256)a,
                                    _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_GE_OQ));
#else
    const __m128 mask = _mm_cmpge_ps((__m128)a, (__m128)b);

    return (vector)_mm_or_ps(_mm_and_ps(mask, (__m128)a), _mm_andnot_ps(mask, (__m128)b));
#endif
}

static inline const float *lanes_at(const struct machine *m, struct plan_operand o)
{
    return m->base[o.base] + o.offset;
}

/* Outputs and temporaries: what the machine may write. */
static inline float *results_at(const struct machine *m, struct plan_operand o)
{
    return (float *)m->base[o.base] + o.offset;
}

/* A loop over the lanes of each part. V(k): a vector of source k; U(k): its uniform. */
#define PARTS       for (unsigned n = 0; n < s->parts; n++)
#define EACH_VECTOR for (unsigned l = 0; l < m->lanes; l += VECTOR)
#define V(k)        load(from##k + l)
#define FROM(k)     const float *from##k = lanes_at(m, s->source[k][n])
#define UNIFORM(k)  const vector u##k = all(*lanes_at(m, s->source[k][n]))
#define TO          float *to = results_at(m, s->out[n])

#define STEP(name) static void name(struct machine *m, const struct plan_step *s)

/* Results of a step that saturates: r * 2^shift brought into 0..1, NaN to 0. */
static inline vector finished(vector r, vector scale)
{
    r = r * scale;
    return smaller(larger(r, all(0.0f)), all(1.0f));
}

static inline vector scale_of(const struct plan_step *s)
{
    return all(s->shift < 0 ? 1.0f / (float)(1 << -s->shift) : (float)(1 << s->shift));
}

/* Stores expression for all lanes, saturated if the step says so. */
#define STORE(expression)                                                                          \
    do {                                                                                           \
        if (s->saturate) {                                                                         \
            const vector scale = scale_of(s);                                                      \
                                                                                                   \
            EACH_VECTOR store(to + l, finished(expression, scale));                                \
        } else {                                                                                   \
            EACH_VECTOR store(to + l, expression);                                                 \
        }                                                                                          \
    } while (0)

/* --- no products ---------------------------------------------------------------------- */

#define STEP_VV(name, expression)                                                                  \
    STEP(name)                                                                                     \
    {                                                                                              \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            FROM(1);                                                                               \
            STORE(expression);                                                                     \
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
            STORE(expression);                                                                     \
        }                                                                                          \
    }

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
    PARTS
    {
        TO;
        FROM(0);
        EACH_VECTOR store(to + l, V(0));
    }
}

STEP(mov_u)
{
    PARTS
    {
        TO;
        UNIFORM(0);
        EACH_VECTOR store(to + l, u0);
    }
}

STEP(sub_uv)
{
    PARTS
    {
        TO;
        UNIFORM(0);
        FROM(1);
        STORE(u0 - V(1));
    }
}

STEP(component)
{
    PARTS alu_component(s->op, m->lanes, results_at(m, s->out[n]), lanes_at(m, s->source[0][n]),
                        lanes_at(m, s->source[1][n]), lanes_at(m, s->source[2][n]));
}

/* The first part's lanes into all others. */
static inline void replicate(struct machine *m, const struct plan_step *s)
{
    const float *from = lanes_at(m, s->out[0]);

    for (unsigned n = 1; n < s->parts; n++) {
        TO;
        EACH_VECTOR store(to + l, load(from + l));
    }
}

STEP(scalar)
{
    alu_component(s->op, m->lanes, results_at(m, s->out[0]), lanes_at(m, s->source[0][0]),
                  lanes_at(m, s->source[1][0]), NULL);
    replicate(m, s);
}

STEP(modify)
{
    PARTS alu_modify(s->modifiers, m->lanes, results_at(m, s->out[n]),
                     lanes_at(m, s->source[0][n]));
}

STEP(finish)
{
    PARTS alu_finish(s->shift, s->saturate, m->lanes, results_at(m, s->out[n]));
}

/* --- products of vectors --------------------------------------------------------------- */

/* Lanes of a source, spread into `room` if it is a uniform. */
static const float *spread(const struct machine *m, struct plan_operand o, float *room)
{
    const float *from = lanes_at(m, o);

    if (!plan_is_uniform(o))
        return from;
    EACH_VECTOR store(room + l, all(*from));
    return room;
}

static __attribute__((noinline)) void component_again(struct machine *m, const struct plan_step *s,
                                                      enum ir_op op, unsigned n)
{
    _Alignas(64) float room[3][SHADER_LANES];
    const float *from[3] = {NULL, NULL, NULL};

    for (unsigned k = 0; k < ir_source_count(op); k++)
        from[k] = spread(m, s->source[k][n], room[k]);
    alu_component(op, m->lanes, results_at(m, s->out[n]), from[0], from[1], from[2]);
    if (s->saturate)
        alu_finish(s->shift, true, m->lanes, results_at(m, s->out[n]));
}

#define STEP_PRODUCT(name, op, sources, expression)                                                \
    STEP(name)                                                                                     \
    {                                                                                              \
        const vector scale = scale_of(s);                                                          \
        vector sum = {0};                                                                          \
                                                                                                   \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            FROM(1);                                                                               \
            sources;                                                                               \
            EACH_VECTOR                                                                            \
            {                                                                                      \
                const vector r = expression + 0.0f;                                                \
                                                                                                   \
                store(to + l, s->saturate ? finished(r, scale) : r);                               \
                sum += r;                                                                          \
            }                                                                                      \
        }                                                                                          \
        if (any_nan(sum))                                                                          \
            PARTS component_again(m, s, op, n);                                                    \
    }

STEP_PRODUCT(mul_vv, IR_MUL, (void)0, V(0) * V(1))
STEP_PRODUCT(mad_vvv, IR_MAD, FROM(2), V(0) * V(1) + V(2))
STEP_PRODUCT(mad_vvu, IR_MAD, UNIFORM(2), V(0) * V(1) + u2)

/* --- products with a uniform: one look at it tells whether 0 times it can be anything but 0
 * -------- */

static inline bool is_plain(float u)
{
    return __builtin_fabsf(u) <= FLT_MAX && u != 0.0f;
}

#define STEP_SCALED(name, op, sources, expression)                                                 \
    STEP(name)                                                                                     \
    {                                                                                              \
        PARTS                                                                                      \
        {                                                                                          \
            TO;                                                                                    \
            FROM(0);                                                                               \
            UNIFORM(1);                                                                            \
            sources;                                                                               \
            if (!is_plain(*lanes_at(m, s->source[1][n]))) {                                        \
                component_again(m, s, op, n);                                                      \
                continue;                                                                          \
            }                                                                                      \
            STORE((expression) + 0.0f);                                                            \
        }                                                                                          \
    }

STEP_SCALED(mul_vu, IR_MUL, (void)0, V(0) * u1)
STEP_SCALED(mad_vuv, IR_MAD, FROM(2), V(0) * u1 + V(2))
STEP_SCALED(mad_vuu, IR_MAD, UNIFORM(2), V(0) * u1 + u2)

/* --- dot products ------------------------------------------------------------------------ */

static __attribute__((noinline)) void dot_again(struct machine *m, const struct plan_step *s,
                                                unsigned terms)
{
    _Alignas(64) float room[2][4][SHADER_LANES];
    const float *a[4] = {NULL}, *b[4] = {NULL};

    for (unsigned c = 0; c < terms; c++) {
        a[c] = spread(m, s->source[0][c], room[0][c]);
        b[c] = spread(m, s->source[1][c], room[1][c]);
    }
    alu_dot(terms, m->lanes, results_at(m, s->out[0]), a, b, NULL);
}

static inline __attribute__((always_inline)) void dot_vv(struct machine *m,
                                                         const struct plan_step *s, unsigned terms)
{
    const float *a[4], *b[4];
    float *to = results_at(m, s->out[0]);
    vector sum = {0};

    for (unsigned c = 0; c < 4; c++) {
        a[c] = lanes_at(m, s->source[0][BASE_MIN(c, terms - 1)]);
        b[c] = lanes_at(m, s->source[1][BASE_MIN(c, terms - 1)]);
    }
    EACH_VECTOR
    {
        vector r = load(a[0] + l) * load(b[0] + l) + load(a[1] + l) * load(b[1] + l) +
                   load(a[2] + l) * load(b[2] + l);

        if (terms == 4)
            r += load(a[3] + l) * load(b[3] + l);
        r += 0.0f;
        store(to + l, r);
        sum += r;
    }
    if (any_nan(sum))
        dot_again(m, s, terms);
    replicate(m, s);
}

static inline __attribute__((always_inline)) void dot_vu(struct machine *m,
                                                         const struct plan_step *s, unsigned terms)
{
    const float *a[4];
    vector b[4], sum = {0};
    float *to = results_at(m, s->out[0]);

    for (unsigned c = 0; c < 4; c++) {
        a[c] = lanes_at(m, s->source[0][BASE_MIN(c, terms - 1)]);
        b[c] = all(*lanes_at(m, s->source[1][BASE_MIN(c, terms - 1)]));
    }
    EACH_VECTOR
    {
        vector r = load(a[0] + l) * b[0] + load(a[1] + l) * b[1] + load(a[2] + l) * b[2];

        if (terms == 4)
            r += load(a[3] + l) * b[3];
        r += 0.0f;
        store(to + l, r);
        sum += r;
    }
    if (any_nan(sum))
        dot_again(m, s, terms);
    replicate(m, s);
}

STEP(dp3_vv)
{
    dot_vv(m, s, 3);
}

STEP(dp3_vu)
{
    dot_vu(m, s, 3);
}

STEP(dp4_vv)
{
    dot_vv(m, s, 4);
}

STEP(dp4_vu)
{
    dot_vu(m, s, 4);
}

/* Rows of a matrix: the vector's components are loaded once. */
static __attribute__((noinline)) void rows_again(struct machine *m, const struct plan_step *s,
                                                 unsigned terms)
{
    _Alignas(64) float room[4][SHADER_LANES];
    const float *a[4] = {NULL}, *b[4] = {NULL};

    PARTS
    {
        for (unsigned c = 0; c < terms; c++) {
            struct plan_operand row = s->source[1][n];

            row.offset = (uint16_t)(row.offset + c);
            a[c] = lanes_at(m, s->source[0][c]);
            b[c] = spread(m, row, room[c]);
        }
        alu_dot(terms, m->lanes, results_at(m, s->out[n]), a, b, NULL);
    }
}

static inline __attribute__((always_inline)) void rows(struct machine *m, const struct plan_step *s,
                                                       unsigned terms, unsigned count)
{
    const float *a[4], *row[4];
    float *to[4];
    vector sum = {0};

    for (unsigned c = 0; c < 4; c++)
        a[c] = lanes_at(m, s->source[0][BASE_MIN(c, terms - 1)]);
    for (unsigned n = 0; n < count; n++) {
        row[n] = lanes_at(m, s->source[1][n]);
        to[n] = results_at(m, s->out[n]);
    }
    EACH_VECTOR
    {
        const vector x = load(a[0] + l), y = load(a[1] + l), z = load(a[2] + l), w = load(a[3] + l);

#pragma GCC unroll 4
        for (unsigned n = 0; n < count; n++) {
            vector r = x * row[n][0] + y * row[n][1] + z * row[n][2];

            if (terms == 4)
                r += w * row[n][3];
            r += 0.0f;
            store(to[n] + l, r);
            sum += r;
        }
    }
    if (any_nan(sum))
        rows_again(m, s, terms);
}

static inline __attribute__((always_inline)) void
some_rows(struct machine *m, const struct plan_step *s, unsigned terms)
{
    if (s->parts == 4)
        rows(m, s, terms, 4);
    else if (s->parts == 3)
        rows(m, s, terms, 3);
    else
        rows(m, s, terms, 2);
}

STEP(rows3)
{
    some_rows(m, s, 3);
}

STEP(rows4)
{
    some_rows(m, s, 4);
}

/* --- the table ----------------------------------------------------------------------------- */

typedef void step_fn(struct machine *m, const struct plan_step *s);

static step_fn *const kernels[STEP_KERNELS] = {
    [STEP_MOV_V] = mov_v,     [STEP_MOV_U] = mov_u,     [STEP_ADD_VV] = add_vv,
    [STEP_ADD_VU] = add_vu,   [STEP_SUB_VV] = sub_vv,   [STEP_SUB_VU] = sub_vu,
    [STEP_SUB_UV] = sub_uv,   [STEP_MUL_VV] = mul_vv,   [STEP_MUL_VU] = mul_vu,
    [STEP_MAD_VVV] = mad_vvv, [STEP_MAD_VVU] = mad_vvu, [STEP_MAD_VUV] = mad_vuv,
    [STEP_MAD_VUU] = mad_vuu, [STEP_MIN_VV] = min_vv,   [STEP_MIN_VU] = min_vu,
    [STEP_MAX_VV] = max_vv,   [STEP_MAX_VU] = max_vu,   [STEP_COMPONENT] = component,
    [STEP_SCALAR] = scalar,   [STEP_DP3_VV] = dp3_vv,   [STEP_DP3_VU] = dp3_vu,
    [STEP_DP4_VV] = dp4_vv,   [STEP_DP4_VU] = dp4_vu,   [STEP_ROWS3] = rows3,
    [STEP_ROWS4] = rows4,     [STEP_MODIFY] = modify,   [STEP_FINISH] = finish,
};

void machine_prepare_steps(struct machine *m)
{
    const struct plan *plan = &m->code->plan;

    m->base[PLAN_TEMP] = m->temp[0][0];
    m->base[PLAN_OUTPUT] = m->output[0][0];
    m->base[PLAN_SCRATCH] = m->scratch[0][0];
    m->base[PLAN_FLOATS] = (const float *)m->binding->floats;
    m->base[PLAN_IMMEDIATES] = (const float *)m->code->immediates;
    m->base[PLAN_BUMP] = m->binding->bump[0];
    m->base[PLAN_LUMINANCE] = m->binding->luminance[0];
    m->base[PLAN_MODIFIED] = m->modified;
    for (unsigned n = 0; n < plan->modified_count; n++)
        m->modified[n] =
            lane_modify(plan->modified[n].modifiers, *lanes_at(m, plan->modified[n].from));
}

void machine_run_steps(struct machine *m, const struct plan_entry *entry)
{
    const struct plan_step *s = &m->code->plan.steps[entry->first];

    for (unsigned n = 0; n < entry->count; n++, s++)
        kernels[s->kernel](m, s);
}

#endif
