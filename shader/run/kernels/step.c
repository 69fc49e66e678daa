/* SPDX-License-Identifier: MIT */
/*
 * The steps of a plan: one loop over vectors of lanes for each kind of step. Shaders count 0 times anything as 0, and
 * IEEE products are used as long as they give the same result. They differ for 0 times infinity or NaN, which shows as
 * a NaN in a sum of the results; only then the products are computed once more with their factors checked
 * (vecf_mul_legacy). Not for the scalar level.
 */
#include "base/assert.h"
#include "shader/run/machine.h"

#if KERNEL_LEVEL > 0

#include "shader/run/step_lanes.h"

/* --- componentwise steps -------------------------------------------------------------- */

typedef vecf product_fn(vecf a, vecf b);
typedef vecf component_fn(vecf a, vecf b, vecf c, product_fn *product);

/* clang-format off */
STEP_INLINE vecf mov_of(vecf a, vecf b, vecf c, product_fn *product) { (void)b, (void)c, (void)product; return a; }
STEP_INLINE vecf add_of(vecf a, vecf b, vecf c, product_fn *product) { (void)c, (void)product; return vecf_add(a, b); }
STEP_INLINE vecf sub_of(vecf a, vecf b, vecf c, product_fn *product) { (void)c, (void)product; return vecf_sub(a, b); }
STEP_INLINE vecf min_of(vecf a, vecf b, vecf c, product_fn *product) { (void)c, (void)product; return vecf_min(a, b); }
/* The first one if both are equal. */
STEP_INLINE vecf max_of(vecf a, vecf b, vecf c, product_fn *product) { (void)c, (void)product; return vecf_select(vecf_at_least(a, b), a, b); }
STEP_INLINE vecf mul_of(vecf a, vecf b, vecf c, product_fn *product) { (void)c; return product(a, b); }
STEP_INLINE vecf mad_of(vecf a, vecf b, vecf c, product_fn *product) { return vecf_add(product(a, b), c); }
STEP_INLINE vecf lrp_of(vecf a, vecf b, vecf c, product_fn *product) { return vecf_add(c, vecf_add(product(a, vecf_sub(b, c)), vecf_splat(0.0f))); }
/* clang-format on */

/* How a step computes its products: as IEEE products where the result cannot differ, with vecf_mul_legacy where it
 * can. */
enum step_products {
    NO_PRODUCTS,
    CHECKED,   /* of vectors: a NaN among the results means that the IEEE product may have been wrong */
    SCALED,    /* with a uniform, source 1: its value alone tells whether 0 times it can be anything but 0 */
    SATURATED, /* NaN ends up as 0, which is also the result of 0 times anything: no test is needed */
};

/* Computes a block of results from lane `at` on. */
STEP_INLINE void make_block(vecf *r, const unsigned block, unsigned at, const struct step_source source[3],
                            component_fn *component, product_fn *product)
{
    FOR_BLOCK_VECTORS(i)
        r[i] = component(source_lanes(&source[0], at + i * VEC), source_lanes(&source[1], at + i * VEC),
                         source_lanes(&source[2], at + i * VEC), product);
}

STEP_INLINE void make_part(const struct plan_step *s, unsigned lanes, const unsigned block, float *to,
                           const struct step_source source[3], component_fn *component, product_fn *product,
                           enum step_products products)
{
    FOR_BLOCKS(at) {
        vecf r[MAX_BLOCK_VECTORS];
        bool clean = false;

        make_block(r, block, at, source, component, product);
        if (products == CHECKED) {
            clean = !block_has_nan(r, block);
            if (!clean) {
                STEP_LOAD_AGAIN();
                make_block(r, block, at, source, component, vecf_mul_legacy);
            }
        }
        if (products != NO_PRODUCTS)
            finish_products(s, r, block, clean);
        else if (s->after)
            finish_block(s, r, block, false);
        store_block(to + at, r, block);
    }
}

static inline bool is_finite_nonzero(float u)
{
    return __builtin_fabsf(u) <= FLT_MAX && u != 0.0f;
}

/* Sources: how many there are. Uniforms: bit k: source k is a uniform. */
STEP_INLINE void make_parts(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned block,
                            component_fn *component, unsigned sources, unsigned uniforms, enum step_products products)
{
    FOR_PARTS(n) {
        const struct step_source first = source_at(lanes_at(m, s->source[0][n]), uniforms & 1);
        const struct step_source source[3] = {
            first,
            sources > 1 ? source_at(lanes_at(m, s->source[1][n]), uniforms >> 1 & 1) : first,
            sources > 2 ? source_at(lanes_at(m, s->source[2][n]), uniforms >> 2 & 1) : first,
        };
        float *to = results_at(m, s->out[n]);

        if (products == SCALED && __builtin_expect(!is_finite_nonzero(*source[1].lanes), 0)) {
            STEP_LOAD_AGAIN();
            make_part(s, lanes, block, to, source, component, vecf_mul_legacy, products);
        } else
            make_part(s, lanes, block, to, source, component, vecf_mul, products);
    }
}

/* The kinds of struct plan_step whose parts are independent of each other: X(kernel, what it does, sources, uniforms,
 * products). */
#define COMPONENT_STEPS(X)                 \
    X(MOV_V, mov_of, 1, 0, NO_PRODUCTS)    \
    X(MOV_U, mov_of, 1, 1, NO_PRODUCTS)    \
    X(ADD_VV, add_of, 2, 0, NO_PRODUCTS)   \
    X(ADD_VU, add_of, 2, 2, NO_PRODUCTS)   \
    X(SUB_VV, sub_of, 2, 0, NO_PRODUCTS)   \
    X(SUB_VU, sub_of, 2, 2, NO_PRODUCTS)   \
    X(SUB_UV, sub_of, 2, 1, NO_PRODUCTS)   \
    X(MIN_VV, min_of, 2, 0, NO_PRODUCTS)   \
    X(MIN_VU, min_of, 2, 2, NO_PRODUCTS)   \
    X(MAX_VV, max_of, 2, 0, NO_PRODUCTS)   \
    X(MAX_VU, max_of, 2, 2, NO_PRODUCTS)   \
    X(MUL_VV, mul_of, 2, 0, CHECKED)       \
    X(MUL_VU, mul_of, 2, 2, SCALED)        \
    X(MUL_SAT_VV, mul_of, 2, 0, SATURATED) \
    X(MUL_SAT_VU, mul_of, 2, 2, SATURATED) \
    X(MAD_VVV, mad_of, 3, 0, CHECKED)      \
    X(MAD_VVU, mad_of, 3, 4, CHECKED)      \
    X(MAD_VUV, mad_of, 3, 2, SCALED)       \
    X(MAD_VUU, mad_of, 3, 6, SCALED)       \
    X(LRP_VVV, lrp_of, 3, 0, CHECKED)

#define COMPONENT_STEP(KERNEL, component, sources, uniforms, products)          \
    STEP_KERNEL(KERNEL)                                                         \
    {                                                                           \
        make_parts(m, s, lanes, block, component, sources, uniforms, products); \
    }

COMPONENT_STEPS(COMPONENT_STEP)

/* --- operations that have no vector form -------------------------------------------- */

/* Finishes results that are already in memory. */
STEP_INLINE void finish_lanes(const struct plan_step *s, float *to, unsigned lanes, const unsigned block)
{
    const struct step_source from = source_at(to, false), source[3] = {from, from, from};

    if (s->after)
        make_part(s, lanes, block, to, source, mov_of, vecf_mul, NO_PRODUCTS);
}

STEP_KERNEL(COMPONENT)
{
    FOR_PARTS(n) {
        float *to = results_at(m, s->out[n]);

        alu_component(s->op, lanes, to, lanes_at(m, s->source[0][n]), lanes_at(m, s->source[1][n]),
                      lanes_at(m, s->source[2][n]));
        finish_lanes(s, to, lanes, block);
    }
}

STEP_KERNEL(SCALAR)
{
    float *first = results_at(m, s->out[0]);

    alu_component(s->op, lanes, first, lanes_at(m, s->source[0][0]), lanes_at(m, s->source[1][0]), NULL);
    finish_lanes(s, first, lanes, block);
    for (unsigned n = 1; n < s->parts; n++) {
        float *to = results_at(m, s->out[n]);

        FOR_BLOCKS(at)
            FOR_BLOCK_VECTORS(i)
                vecf_store(to + at + i * VEC, vecf_load(first + at + i * VEC));
    }
}

STEP_KERNEL(TEXTURE)
{
    const struct ir_instruction *instruction = &m->code->code[s->instruction];
    const float *from[3] = {lanes_at(m, s->source[0][0]), lanes_at(m, s->source[0][1]), lanes_at(m, s->source[0][2])};

    (void)lanes;
    (void)block;
    if (!machine_texture_direct(m, instruction, from))
        machine_texture(m, instruction);
}

STEP_KERNEL(INSTRUCTION)
{
    (void)lanes;
    (void)block;
    machine_instruction(m, &m->code->code[s->instruction]);
}

/* --- 1 / sqrt |x| ----------------------------------------------------------------------- */

/* lane_rsq */
static inline vecf rsq(vecf v)
{
    const vecf a = vecf_abs(v), reciprocal = vecf_div(vecf_splat(1.0f), vecf_sqrt(a));

    return vecf_select(vecf_equal(a, vecf_splat(0.0f)), vecf_splat(FLT_MAX), reciprocal);
}

STEP_KERNEL(RSQ)
{
    const float *from = lanes_at(m, s->source[0][0]);

    FOR_BLOCKS(at) {
        vecf r[MAX_BLOCK_VECTORS];

        FOR_BLOCK_VECTORS(i)
            r[i] = rsq(vecf_load(from + at + i * VEC));
        if (s->after)
            finish_block(s, r, block, false);
        FOR_PARTS(n)
            store_block(results_at(m, s->out[n]) + at, r, block);
    }
}

/* --- source modifiers --------------------------------------------------------------------- */

/* Modifiers as limits, then a multiplication and an addition, then signs: adding -0 changes nothing. */
struct modification {
    vecf low, scale, more;
    veci keep, flip; /* masks applied before the multiplication, and after the addition */
};

STEP_INLINE void modify_lanes(const struct plan_step *s, const struct modification *by, const bool limits,
                              const bool signs, float *to, const float *from, unsigned lanes, const unsigned block)
{
    FOR_BLOCKS(at) {
        vecf r[MAX_BLOCK_VECTORS];

        FOR_BLOCK_VECTORS(i) {
            vecf v = vecf_load(from + at + i * VEC);

            v = limits ? vecf_limit(v, by->low, vecf_splat(1.0f)) : v;
            v = signs ? vecf_of_bits(veci_and(veci_bits(v), by->keep)) : v;
            v = vecf_add(vecf_mul(v, by->scale), by->more);
            r[i] = signs ? vecf_of_bits(veci_xor(veci_bits(v), by->flip)) : v;
        }
        if (s->after)
            finish_block(s, r, block, false);
        store_block(to + at, r, block);
    }
}

/* For at most one of the four modifiers that compute something; more than one take the slow path. */
STEP_KERNEL(MODIFY)
{
    const unsigned limits = s->modifiers & (IR_CLAMP | IR_SATURATE), signs = s->modifiers & (IR_ABS | IR_NEGATE);
    float scale = 1.0f, more = -0.0f;

    switch (s->modifiers & ~(limits | signs)) {
    case IR_BIAS:
        more = -0.5f;
        break;
    case IR_SIGNED:
        scale = 2.0f;
        more = -1.0f;
        break;
    case IR_DOUBLE:
        scale = 2.0f;
        break;
    case IR_COMPLEMENT:
        scale = -1.0f;
        more = 1.0f;
        break;
    case 0:
        break;
    default:
        FOR_PARTS(n)
            alu_modify(s->modifiers, lanes, results_at(m, s->out[n]), lanes_at(m, s->source[0][n]));
        return;
    }
    const struct modification by = {
        .low = vecf_splat(limits & IR_CLAMP ? -1.0f : 0.0f),
        .scale = vecf_splat(scale),
        .more = vecf_splat(more),
        .keep = veci_splat(signs & IR_ABS ? 0x7fffffffu : 0xffffffffu),
        .flip = veci_splat(signs & IR_NEGATE ? 0x80000000u : 0),
    };
    FOR_PARTS(n) {
        const float *from = lanes_at(m, s->source[0][n]);
        float *to = results_at(m, s->out[n]);

        if (signs)
            modify_lanes(s, &by, limits != 0, true, to, from, lanes, block);
        else if (limits)
            modify_lanes(s, &by, true, false, to, from, lanes, block);
        else
            modify_lanes(s, &by, false, false, to, from, lanes, block);
    }
}

/* --- dot products ------------------------------------------------------------------------ */

/* The factors of a dot product with 3 or 4 terms: the components of a vector, and those of a second vector or a
 * uniform. */
struct step_factors {
    const float *a[4], *b[4];
    vecf uniform[4]; /* instead of b */
};

STEP_INLINE vecf dot_term(const struct step_factors *factors, const bool uniform, unsigned c, unsigned at,
                          product_fn *product)
{
    return product(vecf_load(factors->a[c] + at), uniform ? factors->uniform[c] : vecf_load(factors->b[c] + at));
}

STEP_INLINE vecf dot(const struct step_factors *factors, const bool uniform, const unsigned terms, unsigned at,
                     product_fn *product)
{
    vecf sum = vecf_add(dot_term(factors, uniform, 0, at, product), dot_term(factors, uniform, 1, at, product));

    sum = vecf_add(sum, dot_term(factors, uniform, 2, at, product));
    return terms == 4 ? vecf_add(sum, dot_term(factors, uniform, 3, at, product)) : sum;
}

/* A block of dot products from lane `at` on, finished. */
STEP_INLINE void dot_block(const struct plan_step *s, vecf *r, const unsigned block, unsigned at,
                           const struct step_factors *factors, const bool uniform, const unsigned terms)
{
    bool clean = true;

    FOR_BLOCK_VECTORS(i)
        r[i] = dot(factors, uniform, terms, at + i * VEC, vecf_mul);
    if (block_has_nan(r, block)) {
        STEP_LOAD_AGAIN();
        FOR_BLOCK_VECTORS(i)
            r[i] = dot(factors, uniform, terms, at + i * VEC, vecf_mul_legacy);
        clean = false;
    }
    finish_products(s, r, block, clean);
}

STEP_INLINE void dots(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned block,
                      const unsigned terms, const bool uniform)
{
    struct step_factors factors;

    for (unsigned c = 0; c < 4; c++) {
        factors.a[c] = lanes_at(m, s->source[0][BASE_MIN(c, terms - 1)]);
        factors.b[c] = lanes_at(m, s->source[1][BASE_MIN(c, terms - 1)]);
        factors.uniform[c] = vecf_splat(*factors.b[c]);
    }
    FOR_BLOCKS(at) {
        vecf r[MAX_BLOCK_VECTORS];

        dot_block(s, r, block, at, &factors, uniform, terms);
        FOR_PARTS(n)
            store_block(results_at(m, s->out[n]) + at, r, block);
    }
}

/* The rows of a matrix, in blocks of groups: the vector's components are loaded once. */
STEP_INLINE void rows_of(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned terms,
                         const unsigned count)
{
    const unsigned block = RASTER_GROUP_LANES;
    struct step_factors factors;
    const float *row[4];
    float *to[4];

    for (unsigned c = 0; c < 4; c++)
        factors.a[c] = lanes_at(m, s->source[0][BASE_MIN(c, terms - 1)]);
    for (unsigned n = 0; n < count; n++) {
        row[n] = lanes_at(m, s->source[1][n]);
        to[n] = results_at(m, s->out[n]);
    }
    FOR_BLOCKS(at) {
#pragma GCC unroll 4
        for (unsigned n = 0; n < count; n++) {
            vecf r[MAX_BLOCK_VECTORS];

            UNROLLED
            for (unsigned c = 0; c < terms; c++)
                factors.uniform[c] = vecf_splat(row[n][c]);
            dot_block(s, r, block, at, &factors, true, terms);
            store_block(to[n] + at, r, block);
        }
    }
}

STEP_INLINE void rows(struct machine *m, const struct plan_step *s, unsigned lanes, const unsigned terms)
{
    if (s->parts == 4)
        rows_of(m, s, lanes, terms, 4);
    else if (s->parts == 3)
        rows_of(m, s, lanes, terms, 3);
    else
        rows_of(m, s, lanes, terms, 2);
}

/* clang-format off */
STEP_KERNEL(DP3_VV) { dots(m, s, lanes, block, 3, false); }
STEP_KERNEL(DP3_VU) { dots(m, s, lanes, block, 3, true); }
STEP_KERNEL(DP4_VV) { dots(m, s, lanes, block, 4, false); }
STEP_KERNEL(DP4_VU) { dots(m, s, lanes, block, 4, true); }
STEP_KERNEL(ROWS3) { (void)block; rows(m, s, lanes, 3); }
STEP_KERNEL(ROWS4) { (void)block; rows(m, s, lanes, 4); }
/* clang-format on */

/* --- the table ----------------------------------------------------------------------------- */

#define OTHER_STEPS(X) \
    X(COMPONENT)       \
    X(SCALAR) X(RSQ) X(DP3_VV) X(DP3_VU) X(DP4_VV) X(DP4_VU) X(ROWS3) X(ROWS4) X(MODIFY) X(TEXTURE) X(INSTRUCTION)

#define FULL_ENTRY(KERNEL, ...) [STEP_##KERNEL] = KERNEL##_full,
#define SOME_ENTRY(KERNEL, ...) [STEP_##KERNEL] = KERNEL##_some,

typedef void step_fn(struct machine *m, const struct plan_step *s);

static step_fn *const kernels[2][STEP_KERNELS] = {
    {COMPONENT_STEPS(SOME_ENTRY) OTHER_STEPS(SOME_ENTRY)},
    {COMPONENT_STEPS(FULL_ENTRY) OTHER_STEPS(FULL_ENTRY)},
};

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
    m->base[PLAN_ADDRESS] = (const float *)m->address;
    m->base[PLAN_PREDICATE] = (const float *)m->predicate;
    m->base[PLAN_KILLED] = (const float *)m->killed;
    if (m->pixels) {
        m->base[PLAN_DEPTH] = m->pixels->z;
        m->base[PLAN_POSITION] = m->pixels->x;
    }
    m->float_count = (int32_t)m->binding->float_count;
    m->base[PLAN_COUNTERS] = (const float *)&m->loop;
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

/* --- generated code ---------------------------------------------------------------------------- */

static bool same_lanes(const float *a, const float *b, unsigned lanes)
{
    bool same = true;

    for (unsigned l = 0; l < lanes; l++)
        same &= lane_to_bits(a[l]) == lane_to_bits(b[l]) || (a[l] != a[l] && b[l] != b[l]);
    return same;
}

static void copy_places(struct machine *m, const struct shader_piece *piece, float (*to)[SHADER_LANES])
{
    for (unsigned n = 0; n < piece->place_count; n++)
        memcpy(to[n], results_at(m, piece->place[n]), m->lanes * sizeof(float));
}

/* Restores the values of inactive lanes. */
static void restore_inactive(struct machine *m, const struct shader_piece *piece, float (*before)[SHADER_LANES])
{
    for (unsigned n = 0; n < piece->place_count; n++) {
        float *to = results_at(m, piece->place[n]);

        for (unsigned l = 0; l < m->lanes; l += VEC) {
            const vecm inactive = vecf_equal(vecf_from(veci_load(&m->mask[l])), vecf_splat(0.0f));

            vecf_store(to + l, vecf_select(inactive, vecf_load(&before[n][l]), vecf_load(to + l)));
        }
    }
}

static void kill_lanes(struct machine *m, const struct shader_piece *piece)
{
    if (piece->kills && m->pixels)
        m->pixels->covered &= ~(machine_pack_mask(m->lanes, m->killed) & m->active);
}

static __attribute__((noinline)) void run_masked(struct machine *m, const struct shader_piece *piece)
{
    _Alignas(64) float before[MACHINE_MASKED][SHADER_LANES];

    BASE_ASSERT(piece->place_count <= MACHINE_MASKED);
    copy_places(m, piece, before);
    piece->run(m, generated_literals);
    restore_inactive(m, piece, before);
    kill_lanes(m, piece);
}

/* Runs the steps of a piece without its generated code. */
static void interpret_piece(struct machine *m, const struct shader_piece *piece, uint32_t first)
{
    if (m->full)
        machine_run_steps(m, piece->first, piece->steps);
    for (unsigned n = 0; !m->full && n < piece->instructions; n++)
        machine_instruction(m, &m->code->code[first + n]);
}

/* Runs a piece by code and by interpreter, compares what both write, and keeps the interpreter's results. Up to the
 * results of the program, all NaN count as equal. */
static __attribute__((noinline)) void check_piece(struct machine *m, const struct shader_piece *piece, uint32_t first)
{
    _Alignas(64) float before[MACHINE_CHECKED][SHADER_LANES], made[MACHINE_CHECKED][SHADER_LANES];
    const uint64_t covered = m->pixels ? m->pixels->covered : 0;
    uint64_t left;

    BASE_ASSERT(piece->place_count <= MACHINE_CHECKED);
    copy_places(m, piece, before);
    piece->run(m, generated_literals);
    if (!m->full)
        restore_inactive(m, piece, before);
    kill_lanes(m, piece);
    left = m->pixels ? m->pixels->covered : 0;
    copy_places(m, piece, made);
    for (unsigned n = 0; n < piece->place_count; n++)
        memcpy(results_at(m, piece->place[n]), before[n], m->lanes * sizeof(float));
    if (m->pixels)
        m->pixels->covered = covered;
    interpret_piece(m, piece, first);
    for (unsigned n = 0; n < piece->place_count; n++)
        if (piece->place[n].base != PLAN_KILLED && !same_lanes(made[n], results_at(m, piece->place[n]), m->lanes))
            log_error("generated code of steps %u to %u writes something else at base %u, offset %u", piece->first,
                      piece->first + piece->steps - 1u, piece->place[n].base, piece->place[n].offset);
    if (m->pixels && left != m->pixels->covered)
        log_error("generated code of steps %u to %u kills other lanes", piece->first, piece->first + piece->steps - 1u);
}

void machine_run_piece(struct machine *m, const struct shader_piece *piece, uint32_t first)
{
    BASE_ASSERT(machine_takes_piece(m, piece));
    if (__builtin_expect(m->generated->checks, 0)) {
        check_piece(m, piece, first);
    } else if (!m->full) {
        run_masked(m, piece);
    } else {
        piece->run(m, generated_literals);
        kill_lanes(m, piece);
    }
}

void machine_run_plan(struct machine *m)
{
    const unsigned count = m->code->plan.step_count;

    if (!m->generated) {
        machine_run_steps(m, 0, count);
        return;
    }
    for (unsigned n = 0; n < count;) {
        const struct shader_piece *piece = machine_piece(m, n);

        if (piece)
            machine_run_piece(m, piece, 0);
        else
            machine_run_steps(m, n, 1);
        n += piece ? piece->steps : 1;
    }
}

#endif
