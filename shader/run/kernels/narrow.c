/* SPDX-License-Identifier: MIT */
/*
 * Runs the narrow form of a program (shader/narrow/narrow.h): each step over all pixels of a batch, in registers of
 * 16-bit numbers. Operands are located once per batch. The scalar level is the definition; trace_narrow.c compiles it a
 * second time.
 */
#include "base/simd/simd.h"
#include "raster/kernels/kernels.h"
#include "raster/narrow.h"
#include "shader/run/narrow_machine.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* trace_narrow.c replaces these. */
#ifndef NARROW_LOOK_AT_READ
#define NARROW_LOOK_AT_READ(m, i, from, affine)
#define NARROW_RECORDED(lanes) lanes
#endif

/* --- operands --------------------------------------------------------------------------------------------- */

/* Rounds to the nearest number; NaN becomes 0. */
static int16_t number_of(float v)
{
    const float scaled = lane_limit(v == v ? v : 0.0f, -1.0f, 1.0f) * (float)NARROW_ONE;

    return (int16_t)(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
}

static void repeat(const int16_t pixel[4], narrow_pixels out)
{
    const vec16 v = vec16_splat_pixel(pixel);

    for (unsigned n = 0; n < 4 * RASTER_LANES; n += VEC16)
        vec16_store(out + n, v);
}

/* A constant or an immediate with its swizzle and modifiers applied, before it is rounded. */
static void make_uniform(const struct shader_binding *b, const struct ir_source *s, narrow_pixels out)
{
    static const float zeros[4];
    const float *value = s->file == IR_IMMEDIATE     ? b->program->code->immediates[s->index]
                         : s->index < b->float_count ? b->floats[s->index]
                                                     : zeros;
    int16_t pixel[4];

    for (unsigned c = 0; c < 4; c++)
        pixel[narrow_number(c)] = number_of(lane_modify(s->modifiers, value[s->swizzle >> 2 * c & 3]));
    repeat(pixel, out);
}

void narrow_link(struct narrow_machine *m, const struct shader_binding *binding, struct raster_batch *batch)
{
    static const int16_t missing[4] = {0, 0, 0, NARROW_ONE};
    const struct narrow_program *narrow = binding->program->code->narrow;

    m->binding = binding;
    m->narrow = narrow;
    m->batch = batch;
    m->has_block = false;
    memset(m->stepped, 0, sizeof(m->stepped));
    repeat(missing, m->missing);
    m->place[NARROW_OUTPUT] = narrow_of(batch->color[0]);
    for (unsigned r = NARROW_FIRST_REGISTER; r < NARROW_FIRST_INPUT; r++)
        m->place[r] = m->reg[r];
    for (unsigned k = 0; k < RASTER_MAX_INPUTS; k++) {
        const unsigned from = binding->input[k];

        m->place[NARROW_FIRST_INPUT + k] = from < RASTER_MAX_INPUTS ? narrow_of(batch->input[from]) : m->missing;
    }
    for (unsigned k = 0; k < narrow->step_count; k++)
        if (narrow->step[k].op == NARROW_TEX) {
            const unsigned sampler = binding->program->code->code[narrow->step[k].instruction].sampler;

            m->reads[sampler] = KERNEL(raster_choose_narrow_reads)(&binding->sampler[sampler]);
        }
    for (unsigned k = 0; k < narrow->uniform_count; k++) {
        make_uniform(binding, &narrow->uniform[k], m->uniform[k]);
        m->place[NARROW_FIRST_UNIFORM + k] = m->uniform[k];
    }
}

/* --- arithmetic ------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE vec16 operation(unsigned op, const struct vec16_order *order, vec16 a, vec16 b, vec16 c)
{
    const vec16 zero = vec16_splat(0), one = vec16_splat(NARROW_ONE);

    switch (op) {
    case NARROW_ZERO:
        return zero;
    case NARROW_ADD:
        return vec16_adds(a, b);
    case NARROW_SUB:
        return vec16_subs(a, b);
    case NARROW_MUL:
        return vec16_mul(a, b);
    case NARROW_MAD:
        return vec16_adds(vec16_mul(a, b), c);
    case NARROW_LRP:
        return vec16_adds(c, vec16_mul(a, vec16_subs(b, c)));
    case NARROW_DP3:
        return vec16_dot3(a, b);
    case NARROW_MIN:
        return vec16_min(a, b);
    case NARROW_MAX:
        return vec16_max(a, b);
    case NARROW_CMP:
        return vec16_select(vec16_greater(zero, a), c, b);
    case NARROW_CND:
        return vec16_select(vec16_greater(a, vec16_splat(NARROW_HALF)), b, c);
    case NARROW_REPLICATE_ALPHA:
        return vec16_alpha(a);
    case NARROW_SWIZZLE:
        return vec16_swizzle(a, order);
    case NARROW_ABS:
        return vec16_max(a, vec16_subs(zero, a));
    case NARROW_BIAS:
        return vec16_subs(a, vec16_splat(NARROW_HALF));
    case NARROW_SIGNED:
        return vec16_adds(a, vec16_subs(a, one));
    case NARROW_COMPLEMENT:
        return vec16_subs(one, a);
    case NARROW_NEGATE:
        return vec16_subs(zero, a);
    default: /* NARROW_MOV */
        return a;
    }
}

/* times 2^shift, to the nearest */
static ALWAYS_INLINE vec16 shifted(vec16 v, int shift)
{
    if (shift < 0)
        return vec16_right(vec16_adds(v, vec16_splat((int16_t)(1 << (-shift - 1)))), (unsigned)-shift);
    for (; shift; shift--)
        v = vec16_adds(v, v);
    return v;
}

/* Operations on results, except for the lower limit `low`. */
enum finish { FINISH_PLAIN, FINISH_DOUBLED, FINISH_MASKED, FINISH_ANY };

static enum finish finish_of(const struct narrow_step *s)
{
    if (!s->is_partial)
        return s->shift == 0 ? FINISH_PLAIN : s->shift == 1 ? FINISH_DOUBLED : FINISH_ANY;
    return s->shift == 0 ? FINISH_MASKED : FINISH_ANY;
}

/* The number of registers that one round of a loop covers: at most 16 lanes' worth. */
#define AT_ONCE (VEC16 < 32 ? 4 : 2)

/* One step over all pixels; op and finish are constants where this function is called. */
static ALWAYS_INLINE void run_pixels(const struct narrow_machine *m, const struct narrow_step *s, unsigned op,
                                     enum finish finish)
{
    const int16_t *a = m->place[s->from[0]], *b = m->place[s->from[1]], *c = m->place[s->from[2]];
    const bool masked = finish == FINISH_MASKED || finish == FINISH_ANY;
    const struct vec16_order order = vec16_order(s->order);
    const vec16 low = vec16_splat(s->low), written = vec16_splat_pixel(s->written);
    const int shift = s->shift;
    int16_t *to = m->place[s->to];
    const size_t count = 4 * (size_t)m->lanes;

    for (size_t first = 0; first < count; first += AT_ONCE * VEC16) {
        UNROLLED
        for (size_t n = first; n < first + AT_ONCE * VEC16; n += VEC16) {
            vec16 v = operation(op, &order, vec16_load(a + n), vec16_load(b + n), vec16_load(c + n));

            if (finish == FINISH_DOUBLED)
                v = vec16_adds(v, v);
            else if (finish == FINISH_ANY)
                v = shifted(v, shift);
            v = vec16_max(v, low);
            if (masked)
                v = vec16_select(written, v, vec16_load(to + n));
            vec16_store(to + n, v);
        }
    }
}

static ALWAYS_INLINE void run_operation(const struct narrow_machine *m, const struct narrow_step *s, unsigned op)
{
    const enum finish finish = finish_of(s);

    if (finish == FINISH_PLAIN)
        run_pixels(m, s, op, FINISH_PLAIN);
    else if (finish == FINISH_DOUBLED && (op == NARROW_MUL || op == NARROW_ADD))
        run_pixels(m, s, op, FINISH_DOUBLED);
    else if (finish == FINISH_MASKED)
        run_pixels(m, s, op, FINISH_MASKED);
    else
        run_pixels(m, s, op, FINISH_ANY);
}

/* --- textures --------------------------------------------------------------------------------------------- */

/* The coordinates of a raster input; for SHADER_NO_INPUT (0, 0, 0, 1), in `room`. */
static const float (*coordinates_of(const struct narrow_machine *m, unsigned input,
                                    float (*room)[RASTER_LANES]))[RASTER_LANES]
{
    if (input < RASTER_MAX_INPUTS)
        return (const float(*)[RASTER_LANES])m->batch->input[input];
    for (unsigned c = 0; c < 4; c++)
        memcpy(room[c], c == 3 ? machine_ones : machine_zeros, sizeof(room[c]));
    return (const float(*)[RASTER_LANES])room;
}

void narrow_read_texture(const struct narrow_machine *m, const struct narrow_step *s, int16_t *to)
{
    const struct ir_instruction *i = &m->binding->program->code->code[s->instruction];
    const struct raster_sampler *sampler = &m->binding->sampler[i->sampler];
    const unsigned input = m->binding->input[s->from[0] - NARROW_FIRST_INPUT];
    const uint64_t all = m->lanes < 64 ? (1ull << m->lanes) - 1 : ~0ull;
    const bool affine = input < RASTER_MAX_INPUTS && (m->batch->affine >> input & 1);
    const unsigned q = affine ? 0 : machine_divisor(m->binding, i, sampler->texture);
    const enum narrow_coordinates kind = !affine              ? NARROW_FLOATS
                                         : m->batch->is_block ? NARROW_AFFINE_BLOCK
                                                              : NARROW_AFFINE;
    _Alignas(64) float room[3][RASTER_LANES], missing[4][RASTER_LANES];
    const float(*from)[RASTER_LANES] = coordinates_of(m, input, missing);

    BASE_ASSERT(!affine || !machine_divisor(m->binding, i, sampler->texture));
    if (q) {
        const float *const axis[3] = {from[0], from[1], from[2]};

        machine_divide(m->lanes, from[q - 1], axis, raster_texture_axes(sampler->texture), room);
        from = (const float(*)[RASTER_LANES])room;
    }
    NARROW_LOOK_AT_READ(m, i, from, affine);
    KERNEL(raster_sample_narrow)
    (sampler, &m->reads[i->sampler], m->lanes / RASTER_GROUP_LANES, from, kind,
     NARROW_RECORDED(m->batch->covered & all), to);
}

/* --- steps ------------------------------------------------------------------------------------------------ */

#define OPERATION(op)            \
    case op:                     \
        run_operation(m, s, op); \
        break

static void run_step(const struct narrow_machine *m, const struct narrow_step *s)
{
    switch (s->op) {
        OPERATION(NARROW_ZERO);
        OPERATION(NARROW_MOV);
        OPERATION(NARROW_ADD);
        OPERATION(NARROW_SUB);
        OPERATION(NARROW_MUL);
        OPERATION(NARROW_MAD);
        OPERATION(NARROW_LRP);
        OPERATION(NARROW_DP3);
        OPERATION(NARROW_MIN);
        OPERATION(NARROW_MAX);
        OPERATION(NARROW_CMP);
        OPERATION(NARROW_CND);
        OPERATION(NARROW_ABS);
        OPERATION(NARROW_BIAS);
        OPERATION(NARROW_SIGNED);
        OPERATION(NARROW_COMPLEMENT);
        OPERATION(NARROW_NEGATE);
        OPERATION(NARROW_REPLICATE_ALPHA);
        OPERATION(NARROW_SWIZZLE);
    default: /* NARROW_TEX */
        narrow_read_texture(m, s, m->place[s->to]);
        break;
    }
}

static ALWAYS_INLINE void run_narrow(struct narrow_machine *m, const void *binding, struct raster_batch *batch)
{
    if (!(batch->scratch && batch->again))
        narrow_link(m, binding, batch);
    m->lanes = batch->group_count * RASTER_GROUP_LANES;
    BASE_ASSERT(m->lanes > 0 && m->lanes <= RASTER_LANES && m->narrow);
    for (unsigned k = 0; k < m->narrow->step_count; k++)
        run_step(m, &m->narrow->step[k]);
}

static __attribute__((noinline)) void run_narrow_on_stack(const void *binding, struct raster_batch *batch)
{
    struct narrow_machine m;

    run_narrow(&m, binding, batch);
}

void KERNEL(shader_run_narrow)(const void *program, struct raster_batch *batch)
{
    if (batch->scratch)
        run_narrow(batch->scratch, program, batch);
    else
        run_narrow_on_stack(program, batch);
}
