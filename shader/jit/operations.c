/* SPDX-License-Identifier: MIT */
/* The arithmetic of operations, with the same bits as the functions of shader/run/lane_math.h named in comments. */
#include "shader/jit/values.h"

#include "base/assert.h"
#include "shader/run/generated.h"

/* --- results ------------------------------------------------------------------------------ */

uint16_t value_clamp(struct segment *segment, uint16_t v, enum segment_literal low)
{
    const uint16_t held = value_make(segment, SEGMENT_MAX, v, value_literal(segment, low));

    return value_make(segment, SEGMENT_MIN, held, value_literal(segment, SEGMENT_ONE));
}

/* Scales and saturates a result as the step demands. Stores make NaN canonical. */
uint16_t value_finish(struct segment *segment, struct value_after after, uint16_t v)
{
    if (after.what & PLAN_SCALE) {
        unsigned power = 0;

        while (power < 15 && generated_literals[SEGMENT_POWERS + power] != after.scale)
            power++;
        v = value_make(segment, SEGMENT_MUL, v, value_literal(segment, (enum segment_literal)(SEGMENT_POWERS + power)));
    }
    return after.what & PLAN_SATURATE ? value_clamp(segment, v, SEGMENT_ZERO) : v;
}

uint16_t value_finish_product(struct segment *segment, struct value_after after, uint16_t v)
{
    segment->value[v].checked = true;
    return value_finish(segment, after, after.what & PLAN_SATURATE ? v : value_plus_zero(segment, v));
}

/* --- operations ------------------------------------------------------------------------------ */

/* lane_floor */
static uint16_t floor_of(struct segment *segment, uint16_t v)
{
    return value_plus_zero(segment, value_make(segment, SEGMENT_FLOOR, v, SEGMENT_NONE));
}

/* lane_finite */
static uint16_t finite_of(struct segment *segment, uint16_t v)
{
    v = value_make(segment, SEGMENT_MIN, value_literal(segment, SEGMENT_LARGEST), v);
    return value_make(segment, SEGMENT_MAX, value_literal(segment, SEGMENT_LARGEST_NEGATIVE), v);
}

/* lane_rcp */
static uint16_t reciprocal(struct segment *segment, uint16_t v)
{
    const uint16_t largest = value_literal(segment, SEGMENT_LARGEST), zero = value_literal(segment, SEGMENT_ZERO);
    const uint16_t r = value_make(segment, SEGMENT_DIV, value_literal(segment, SEGMENT_ONE), v);

    return value_select(segment, SEGMENT_EQUAL, v, zero, largest, finite_of(segment, r));
}

/* lane_rsq */
static uint16_t reciprocal_root(struct segment *segment, uint16_t v)
{
    const uint16_t a = value_make(segment, SEGMENT_ANDN, value_literal(segment, SEGMENT_SIGN), v);
    const uint16_t root = value_make(segment, SEGMENT_SQRT, a, SEGMENT_NONE);
    const uint16_t r = value_make(segment, SEGMENT_DIV, value_literal(segment, SEGMENT_ONE), root);

    return value_select(segment, SEGMENT_EQUAL, a, value_literal(segment, SEGMENT_ZERO),
                        value_literal(segment, SEGMENT_LARGEST), r);
}

/* v, or `otherwise` in lanes where the instruction needs a number and v is NaN. */
static uint16_t unless_nan(struct segment *segment, uint16_t v, uint16_t otherwise)
{
    return value_select(segment, SEGMENT_EQUAL, v, v, otherwise, v);
}

/* A polynomial with `terms` coefficients, which are consecutive from the highest power on. */
static uint16_t polynomial(struct segment *segment, uint16_t x, enum segment_literal first, unsigned terms)
{
    uint16_t p = value_literal(segment, first);

    for (unsigned n = 1; n < terms; n++)
        p = value_make(segment, SEGMENT_ADD, value_literal(segment, (enum segment_literal)(first + n)),
                       value_make(segment, SEGMENT_MUL, x, p));
    return p;
}

/* 2^n for integers n that are exponents of normal numbers. */
static uint16_t power_of_two(struct segment *segment, uint16_t n)
{
    const uint16_t biased = value_make(segment, SEGMENT_ADD_INTEGERS, n, value_literal(segment, SEGMENT_INTEGER_127));

    return value_immediate(segment, SEGMENT_SHIFT_LEFT, biased, 23);
}

/* lane_exp2 */
static uint16_t exp2_of(struct segment *segment, uint16_t v)
{
    const uint16_t rounder = value_literal(segment, SEGMENT_ROUNDER);
    const uint16_t above = value_make(segment, SEGMENT_MAX, v, value_literal(segment, SEGMENT_EXP2_LOWEST));
    const uint16_t c = value_make(segment, SEGMENT_MIN, above, value_literal(segment, SEGMENT_HIGHEST_POWER));
    const uint16_t whole = value_make(segment, SEGMENT_SUB, value_make(segment, SEGMENT_ADD, c, rounder), rounder);
    const uint16_t r = value_make(segment, SEGMENT_SUB, c, whole);
    const uint16_t n = value_make(segment, SEGMENT_TRUNCATE, whole, SEGMENT_NONE);
    const uint16_t half = value_immediate(segment, SEGMENT_HALVE, n, 1);
    uint16_t p = value_make(segment, SEGMENT_MUL, r, polynomial(segment, r, SEGMENT_EXP2, 7));

    p = value_make(segment, SEGMENT_ADD, value_literal(segment, SEGMENT_ONE), p);
    p = value_make(segment, SEGMENT_MUL, p, power_of_two(segment, half));
    p = value_make(segment, SEGMENT_MUL, p, power_of_two(segment, value_make(segment, SEGMENT_SUB_INTEGERS, n, half)));
    return unless_nan(segment, v, finite_of(segment, p));
}

/* lane_log2; the exponent is converted to a float, which holds it exactly. */
static uint16_t log2_of(struct segment *segment, uint16_t v)
{
    const uint16_t one = value_literal(segment, SEGMENT_ONE), zero = value_literal(segment, SEGMENT_ZERO);
    const uint16_t least = value_literal(segment, SEGMENT_SMALLEST), root = value_literal(segment, SEGMENT_ROOT_OF_TWO);
    const uint16_t a = value_make(segment, SEGMENT_ANDN, value_literal(segment, SEGMENT_SIGN), v);
    const uint16_t bits = value_select(segment, SEGMENT_LESS, a, least,
                                       value_make(segment, SEGMENT_MUL, a, value_literal(segment, SEGMENT_TWO_24)), a);
    const uint16_t bias = value_select(segment, SEGMENT_LESS, a, least, value_literal(segment, SEGMENT_BIAS_TINY),
                                       value_literal(segment, SEGMENT_BIAS));
    const uint16_t biased = value_immediate(segment, SEGMENT_SHIFT_RIGHT, bits, 23);
    uint16_t exponent =
        value_make(segment, SEGMENT_SUB, value_make(segment, SEGMENT_TO_FLOAT, biased, SEGMENT_NONE), bias);
    uint16_t m = value_make(segment, SEGMENT_OR,
                            value_make(segment, SEGMENT_AND, bits, value_literal(segment, SEGMENT_MANTISSA)), one);

    exponent = value_make(segment, SEGMENT_ADD, exponent, value_select(segment, SEGMENT_GREATER, m, root, one, zero));
    m = value_select(segment, SEGMENT_GREATER, m, root,
                     value_make(segment, SEGMENT_MUL, m, value_literal(segment, SEGMENT_HALF)), m);
    const uint16_t t = value_make(segment, SEGMENT_DIV, value_make(segment, SEGMENT_SUB, m, one),
                                  value_make(segment, SEGMENT_ADD, m, one));
    const uint16_t p = value_make(segment, SEGMENT_MUL, t,
                                  polynomial(segment, value_make(segment, SEGMENT_MUL, t, t), SEGMENT_LOG2, 5));
    const uint16_t largest = value_literal(segment, SEGMENT_LARGEST);
    uint16_t r = value_make(segment, SEGMENT_ADD, exponent, p);

    r = value_select(segment, SEGMENT_EQUAL, a, zero, value_literal(segment, SEGMENT_LARGEST_NEGATIVE), r);
    r = value_select(segment, SEGMENT_GREATER, a, largest, largest, r);
    return unless_nan(segment, v, r);
}

/* lane_pow */
static uint16_t power_of(struct segment *segment, uint16_t a, uint16_t b)
{
    const uint16_t exponent = value_product(segment, b, log2_of(segment, a));

    segment->value[exponent].checked = true;
    return exp2_of(segment, value_plus_zero(segment, exponent));
}

/* Differences between neighbours in a quad, horizontal or vertical. */
static uint16_t difference(struct segment *segment, bool down, uint16_t v)
{
    /* lanes 0 to 3 of a quad get: 1, 1, 3, 3 minus 0, 0, 2, 2; 2, 3, 2, 3 minus 0, 1, 0, 1 */
    const uint16_t more = value_immediate(segment, SEGMENT_SHUFFLE, v, down ? 0xee : 0xf5);

    return value_make(segment, SEGMENT_SUB, more, value_immediate(segment, SEGMENT_SHUFFLE, v, down ? 0x44 : 0xa0));
}

/* lane_modify */
uint16_t value_modified(struct segment *segment, unsigned modifiers, uint16_t v)
{
    if (modifiers & IR_CLAMP)
        v = value_clamp(segment, v, SEGMENT_ONE_NEGATIVE);
    if (modifiers & IR_SATURATE)
        v = value_clamp(segment, v, SEGMENT_ZERO);
    if (modifiers & IR_ABS)
        v = value_make(segment, SEGMENT_ANDN, value_literal(segment, SEGMENT_SIGN), v);
    if (modifiers & IR_BIAS)
        v = value_make(segment, SEGMENT_ADD, v, value_literal(segment, SEGMENT_ONE_HALF_NEGATIVE));
    if (modifiers & (IR_SIGNED | IR_DOUBLE) && modifiers & IR_SIGNED)
        v = value_make(segment, SEGMENT_ADD, value_make(segment, SEGMENT_MUL, v, value_literal(segment, SEGMENT_TWO)),
                       value_literal(segment, SEGMENT_ONE_NEGATIVE));
    if (modifiers & IR_DOUBLE)
        v = value_make(segment, SEGMENT_MUL, v, value_literal(segment, SEGMENT_TWO));
    if (modifiers & IR_COMPLEMENT)
        v = value_make(segment, SEGMENT_SUB, value_literal(segment, SEGMENT_ONE), v);
    return modifiers & IR_NEGATE ? value_make(segment, SEGMENT_XOR, v, value_literal(segment, SEGMENT_SIGN)) : v;
}

/* Operations that are one or two instructions of the processor. */
static uint16_t sum_of(struct segment *segment, enum ir_op op, uint16_t a, uint16_t b, uint16_t c)
{
    switch (op) {
    case IR_ADD:
        return value_make(segment, SEGMENT_ADD, a, b);
    case IR_SUB:
        return value_make(segment, SEGMENT_SUB, a, b);
    case IR_MUL:
        return value_product(segment, a, b);
    case IR_MAD:
        return value_make(segment, SEGMENT_ADD, value_product(segment, a, b), c);
    default: {
        BASE_ASSERT(op == IR_LRP);
        const uint16_t difference = value_make(segment, SEGMENT_SUB, b, c);

        return value_make(segment, SEGMENT_ADD, c, value_plus_zero(segment, value_product(segment, a, difference)));
    }
    }
}

static uint16_t comparison_of(struct segment *segment, enum ir_op op, uint16_t a, uint16_t b, uint16_t c)
{
    const uint16_t zero = value_literal(segment, SEGMENT_ZERO), one = value_literal(segment, SEGMENT_ONE);

    switch (op) {
    case IR_MIN:
        return value_make(segment, SEGMENT_MIN, a, b);
    case IR_MAX: /* the first one if both are equal */
        return value_select(segment, SEGMENT_AT_LEAST, a, b, a, b);
    case IR_SLT:
        return value_select(segment, SEGMENT_LESS, a, b, one, zero);
    case IR_SGE:
        return value_select(segment, SEGMENT_AT_LEAST, a, b, one, zero);
    case IR_CMP:
        return value_select(segment, SEGMENT_AT_LEAST, a, zero, b, c);
    case IR_CND:
        return value_select(segment, SEGMENT_GREATER, a, value_literal(segment, SEGMENT_HALF), b, c);
    case IR_SGN: {
        const uint16_t below = value_literal(segment, SEGMENT_ONE_NEGATIVE);

        return value_select(segment, SEGMENT_GREATER, a, zero, one,
                            value_select(segment, SEGMENT_LESS, a, zero, below, zero));
    }
    default:
        BASE_ASSERT(op == IR_DIV);
        return value_select(segment, SEGMENT_EQUAL, b, zero, one, value_make(segment, SEGMENT_DIV, a, b));
    }
}

uint16_t value_of_operation(struct segment *segment, enum ir_op op, uint16_t a, uint16_t b, uint16_t c)
{
    switch (op) {
    case IR_MOV:
        return a;
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_MAD:
    case IR_LRP:
        return sum_of(segment, op, a, b, c);
    case IR_FLOOR:
        return floor_of(segment, a);
    case IR_FRC:
        return value_make(segment, SEGMENT_SUB, a, floor_of(segment, a));
    case IR_DDX:
    case IR_DDY:
        return difference(segment, op == IR_DDY, a);
    case IR_RCP:
        return reciprocal(segment, a);
    case IR_RSQ:
        return reciprocal_root(segment, a);
    case IR_SQRT:
        return value_make(segment, SEGMENT_SQRT, a, SEGMENT_NONE);
    case IR_EXP2:
        return exp2_of(segment, a);
    case IR_LOG2:
        return log2_of(segment, a);
    case IR_POW:
        return power_of(segment, a, b);
    default:
        return comparison_of(segment, op, a, b, c);
    }
}

bool value_has_products(enum ir_op op)
{
    return op == IR_MUL || op == IR_MAD || op == IR_LRP;
}

/* lane_limit */
static uint16_t limit(struct segment *segment, uint16_t v, enum segment_literal low, enum segment_literal high)
{
    return value_make(segment, SEGMENT_MIN, value_make(segment, SEGMENT_MAX, v, value_literal(segment, low)),
                      value_literal(segment, high));
}

/* lane_lit */
uint16_t value_lit(struct segment *segment, uint16_t x, uint16_t y, uint16_t w)
{
    const uint16_t zero = value_literal(segment, SEGMENT_ZERO);
    const uint16_t power = power_of(segment, y, limit(segment, w, SEGMENT_LIT_LOWEST, SEGMENT_LIT_HIGHEST));
    const uint16_t lit = value_select(segment, SEGMENT_GREATER, y, zero, power, zero);

    return value_select(segment, SEGMENT_GREATER, x, zero, lit, zero);
}

/* lane_index of lane_floor */
uint16_t value_index(struct segment *segment, uint16_t v)
{
    const uint16_t held = limit(segment, floor_of(segment, v), SEGMENT_INDEX_LOWEST, SEGMENT_INDEX_HIGHEST);

    return value_make(segment, SEGMENT_TRUNCATE, held, SEGMENT_NONE);
}

/* The sign given by bit 1 of an integer, as the sign bit of a float. */
static uint16_t sign_of_bit_1(struct segment *segment, uint16_t n)
{
    return value_make(segment, SEGMENT_AND, value_immediate(segment, SEGMENT_SHIFT_LEFT, n, 30),
                      value_literal(segment, SEGMENT_SIGN));
}

/* The range reduction of lane_sincos: the remainder of an angle, less than half a right angle, and the number of right
 * angles removed. */
static uint16_t reduce_angle(struct segment *segment, uint16_t v, uint16_t *quadrants)
{
    const uint16_t size = value_make(segment, SEGMENT_ANDN, value_literal(segment, SEGMENT_SIGN), v);
    const uint16_t rounder = value_literal(segment, SEGMENT_ROUNDER);
    uint16_t r = value_select(segment, SEGMENT_LESS, size, value_literal(segment, SEGMENT_ANGLE_END), v,
                              value_literal(segment, SEGMENT_ZERO));
    uint16_t q = value_make(segment, SEGMENT_MUL, r, value_literal(segment, SEGMENT_RIGHT_ANGLES));

    q = value_make(segment, SEGMENT_SUB, value_make(segment, SEGMENT_ADD, q, rounder), rounder);
    *quadrants = value_make(segment, SEGMENT_TRUNCATE, q, SEGMENT_NONE);
    for (unsigned n = 0; n < 3; n++) {
        const uint16_t part = value_literal(segment, (enum segment_literal)(SEGMENT_RIGHT_ANGLE + n));

        r = value_make(segment, SEGMENT_SUB, r, value_make(segment, SEGMENT_MUL, q, part));
    }
    return r;
}

/* lane_sincos */
void value_sincos(struct segment *segment, uint16_t v, uint16_t *sine, uint16_t *cosine)
{
    const uint16_t zero = value_literal(segment, SEGMENT_ZERO), one = value_literal(segment, SEGMENT_INTEGER_1);
    uint16_t n;
    const uint16_t r = reduce_angle(segment, v, &n), z = value_make(segment, SEGMENT_MUL, r, r);
    uint16_t s = value_make(segment, SEGMENT_MUL, r, z), c = value_make(segment, SEGMENT_MUL, z, z);
    const uint16_t half = value_make(segment, SEGMENT_MUL, value_literal(segment, SEGMENT_HALF), z);

    s = value_make(segment, SEGMENT_MUL, s, polynomial(segment, z, SEGMENT_SINE, 3));
    s = value_make(segment, SEGMENT_ADD, r, s);
    c = value_make(segment, SEGMENT_MUL, c, polynomial(segment, z, SEGMENT_COSINE, 3));
    c = value_make(segment, SEGMENT_ADD, value_make(segment, SEGMENT_SUB, value_literal(segment, SEGMENT_ONE), half),
                   c);
    const uint16_t odd = value_make(segment, SEGMENT_TO_FLOAT, value_make(segment, SEGMENT_AND, n, one), SEGMENT_NONE);

    *sine = value_make(segment, SEGMENT_XOR, value_select(segment, SEGMENT_EQUAL, odd, zero, s, c),
                       sign_of_bit_1(segment, n));
    *cosine = value_make(segment, SEGMENT_XOR, value_select(segment, SEGMENT_EQUAL, odd, zero, c, s),
                         sign_of_bit_1(segment, value_make(segment, SEGMENT_ADD_INTEGERS, n, one)));
}

/* alu_compare */
uint16_t value_compare(struct segment *segment, enum ir_compare compare, uint16_t a, uint16_t b)
{
    static const uint8_t predicates[] = {
        [IR_GT] = SEGMENT_GREATER, [IR_EQ] = SEGMENT_EQUAL,     [IR_GE] = SEGMENT_AT_LEAST,
        [IR_LT] = SEGMENT_LESS,    [IR_NE] = SEGMENT_NOT_EQUAL, [IR_LE] = SEGMENT_AT_MOST,
    };
    const unsigned known = compare >= IR_GT && compare <= IR_LE ? compare : IR_LE;

    return value_select(segment, (enum segment_predicate)predicates[known], a, b,
                        value_literal(segment, SEGMENT_ALL_BITS), value_literal(segment, SEGMENT_ZERO));
}
