/* SPDX-License-Identifier: MIT */
/* Turns steps into values. The bits are those that shader/run/kernels/step.c computes, for one register of lanes. */
#include "shader/jit/values.h"

#include "base/assert.h"

static uint16_t source(struct segment *segment, const struct plan_step *step, unsigned k, unsigned n)
{
    return value_read(segment, step->source[k][n]);
}

static void write_result(struct segment *segment, const struct plan_step *step, unsigned n, uint16_t v)
{
    value_write(segment, step->out[n], v, step->after & PLAN_CANONICAL_NAN);
}

static struct value_after after_step(const struct plan_step *step)
{
    return (struct value_after){step->after, step->scale};
}

/* --- kinds of steps ------------------------------------------------------------------------ */

static uint16_t dot(struct segment *segment, const struct plan_step *step, unsigned terms, const uint16_t factor[4])
{
    uint16_t sum = value_product(segment, source(segment, step, 0, 0), factor[0]);

    for (unsigned c = 1; c < terms; c++)
        sum = value_make(segment, SEGMENT_ADD, sum, value_product(segment, source(segment, step, 0, c), factor[c]));
    return value_finish_product(segment, after_step(step), sum);
}

/* One result, written to all parts. */
static void add_dot(struct segment *segment, const struct plan_step *step, unsigned terms)
{
    uint16_t factor[4];

    for (unsigned c = 0; c < terms; c++)
        factor[c] = source(segment, step, 1, c);
    const uint16_t r = dot(segment, step, terms, factor);

    for (unsigned n = 0; n < step->parts; n++)
        write_result(segment, step, n, r);
}

static void add_rows(struct segment *segment, const struct plan_step *step, unsigned terms)
{
    for (unsigned n = 0; n < step->parts; n++) {
        uint16_t factor[4];

        for (unsigned c = 0; c < terms; c++) {
            struct plan_operand at = step->source[1][n];

            at.offset = (uint16_t)(at.offset + c);
            factor[c] = value_uniform(segment, at);
        }
        write_result(segment, step, n, dot(segment, step, terms, factor));
    }
}

static void add_scalar(struct segment *segment, const struct plan_step *step)
{
    const uint16_t a = source(segment, step, 0, 0);
    const uint16_t b = step->op == IR_POW ? source(segment, step, 1, 0) : a;
    const uint16_t r = value_of_operation(segment, (enum ir_op)step->op, a, b, a);
    const uint16_t v = value_finish(segment, after_step(step), r);

    for (unsigned n = 0; n < step->parts; n++)
        write_result(segment, step, n, v);
}

/* Part n of a componentwise step. */
static uint16_t component(struct segment *segment, const struct plan_step *step, unsigned n)
{
    const enum ir_op op = (enum ir_op)step->op;
    const unsigned sources = ir_source_count(op);
    const uint16_t a = source(segment, step, 0, n);
    const uint16_t b = sources > 1 ? source(segment, step, 1, n) : a, c = sources > 2 ? source(segment, step, 2, n) : a;

    if (step->kernel == STEP_MODIFY)
        return value_modified(segment, step->modifiers, a);
    if (step->kernel == STEP_MUL_SAT_VV || step->kernel == STEP_MUL_SAT_VU)
        return value_make(segment, SEGMENT_MUL, a, b); /* NaN ends up as 0, which is also the result of 0 times
                                                        * anything */
    return value_of_operation(segment, op, a, b, c);
}

static bool has_products(const struct plan_step *step)
{
    return step->kernel != STEP_MODIFY && step->kernel != STEP_MUL_SAT_VV && step->kernel != STEP_MUL_SAT_VU &&
           value_has_products((enum ir_op)step->op);
}

static void add_components(struct segment *segment, const struct plan_step *step)
{
    const bool products = has_products(step);

    for (unsigned n = 0; n < step->parts; n++) {
        const uint16_t r = component(segment, step, n);

        write_result(segment, step, n,
                     products ? value_finish_product(segment, after_step(step), r)
                              : value_finish(segment, after_step(step), r));
    }
}

bool segment_takes(const struct shader_code *code, const struct plan_step *step)
{
    if (step->kernel == STEP_INSTRUCTION)
        return segment_takes_instruction(&code->code[step->instruction]);
    return step->kernel != STEP_TEXTURE;
}

void segment_add(struct segment *segment, const struct plan_step *step)
{
    BASE_ASSERT(segment_takes(segment->code, step));
    switch (step->kernel) {
    case STEP_INSTRUCTION:
        segment_add_instruction(segment, &segment->code->code[step->instruction]);
        break;
    case STEP_DP3_VV:
    case STEP_DP3_VU:
        add_dot(segment, step, 3);
        break;
    case STEP_DP4_VV:
    case STEP_DP4_VU:
        add_dot(segment, step, 4);
        break;
    case STEP_ROWS3:
        add_rows(segment, step, 3);
        break;
    case STEP_ROWS4:
        add_rows(segment, step, 4);
        break;
    case STEP_SCALAR:
    case STEP_RSQ:
        add_scalar(segment, step);
        break;
    default:
        add_components(segment, step);
        break;
    }
}
