/* SPDX-License-Identifier: MIT */
/* Steps to values: to the bit what shader/run/kernels/step.c computes for one register of lanes. */
#include "shader/jit/segment.h"

#include "base/assert.h"
#include "shader/code.h"
#include "shader/run/generated.h"

#include <float.h>
#include <string.h>

const float generated_literals[SEGMENT_LITERALS] = {
    [SEGMENT_ONE_HALF_NEGATIVE] = -0.5f,
    [SEGMENT_ONE_NEGATIVE] = -1.0f,
    [SEGMENT_LARGEST] = FLT_MAX,
    [SEGMENT_LARGEST_NEGATIVE] = -FLT_MAX,
    [SEGMENT_SIGN] = -0.0f,
    [SEGMENT_NAN] = __builtin_nanf(""),
    [SEGMENT_SMALLEST] = FLT_MIN,
    [SEGMENT_TWO_24] = 16777216.0f,
    [SEGMENT_ROUNDER] = 12582912.0f,
    [SEGMENT_ROOT_OF_TWO] = 1.41421356f,
    [SEGMENT_MANTISSA] = 0x1.fffffcp-127f, /* 0x007fffff */
    [SEGMENT_INTEGER_127] = 0x1.fcp-143f,  /* 127 */
    [SEGMENT_EXP2_LOWEST] = -150.0f,
    [SEGMENT_BIAS] = 127.0f,
    [SEGMENT_BIAS_TINY] = 151.0f,
    [SEGMENT_EXP2] = 0.000015252733804f,
    0.00015403530393f,
    0.0013333558146f,
    0.0096181291076f,
    0.055504108665f,
    0.24022650696f,
    0.69314718056f,
    [SEGMENT_LOG2] = 0.3205988980f,
    0.4121985831f,
    0.5770780164f,
    0.9617966939f,
    2.8853900818f,
    [SEGMENT_POWERS] = 0x1p-8f,
    0x1p-7f,
    0x1p-6f,
    0x1p-5f,
    0x1p-4f,
    0x1p-3f,
    0x1p-2f,
    0x1p-1f,
    1.0f,
    2.0f,
    4.0f,
    8.0f,
    16.0f,
    32.0f,
    64.0f,
    128.0f,
};

unsigned segment_place(struct plan_operand o)
{
    const unsigned reg = o.offset / SHADER_LANES;

    switch (o.base) {
    case PLAN_TEMP:
        BASE_ASSERT(reg < SEGMENT_TEMPS);
        return reg;
    case PLAN_OUTPUT:
        return SEGMENT_TEMPS + reg;
    case PLAN_SCRATCH:
        return SEGMENT_OUTPUTS + reg;
    default:
        BASE_ASSERT(o.base >= PLAN_INPUT && o.base < PLAN_BASES);
        return SEGMENT_SCRATCH + o.base - PLAN_INPUT;
    }
}

/* --- values ----------------------------------------------------------------------------- */

static uint16_t add_value(struct segment *segment, struct segment_value value)
{
    if (segment->value_count == SEGMENT_MAX_VALUES) {
        segment->full = true;
        return 0;
    }
    segment->value[segment->value_count] = value;
    return (uint16_t)segment->value_count++;
}

static uint16_t literal(struct segment *segment, enum segment_literal number)
{
    uint16_t *held = &segment->literal[number];

    if (*held == SEGMENT_NONE)
        *held =
            add_value(segment, (struct segment_value){.operation = SEGMENT_LITERAL, .place.offset = (uint16_t)number});
    return *held;
}

static uint16_t make(struct segment *segment, enum segment_operation operation, uint16_t a, uint16_t b)
{
    return add_value(segment, (struct segment_value){.operation = (uint8_t)operation, .source = {a, b}});
}

static uint16_t make_select(struct segment *segment, enum segment_predicate predicate, uint16_t a, uint16_t b,
                            uint16_t yes, uint16_t no)
{
    return add_value(segment, (struct segment_value){.operation = SEGMENT_SELECT,
                                                     .immediate = (uint8_t)predicate,
                                                     .source = {a, b, yes, no}});
}

static uint16_t make_immediate(struct segment *segment, enum segment_operation operation, uint16_t a,
                               unsigned immediate)
{
    return add_value(segment, (struct segment_value){
                                  .operation = (uint8_t)operation, .immediate = (uint8_t)immediate, .source = {a}});
}

/* 0 times anything is 0; a square is what the processor makes of it. */
static uint16_t product(struct segment *segment, uint16_t a, uint16_t b)
{
    return add_value(segment, (struct segment_value){.operation = SEGMENT_MUL, .legacy = a != b, .source = {a, b}});
}

static uint16_t plus_zero(struct segment *segment, uint16_t a)
{
    const uint16_t zero = literal(segment, SEGMENT_ZERO);

    return add_value(segment, (struct segment_value){.operation = SEGMENT_ADD, .adds_zero = true, .source = {a, zero}});
}

static uint16_t uniform(struct segment *segment, struct plan_operand place)
{
    for (unsigned n = 0; n < segment->uniform_count; n++) {
        const struct plan_operand *held = &segment->value[segment->uniform[n]].place;

        if (held->base == place.base && held->offset == place.offset)
            return segment->uniform[n];
    }
    const uint16_t v = add_value(segment, (struct segment_value){.operation = SEGMENT_UNIFORM, .place = place});

    if (!segment->full)
        segment->uniform[segment->uniform_count++] = v;
    return v;
}

static uint16_t read_operand(struct segment *segment, struct plan_operand from)
{
    if (plan_is_uniform(from))
        return uniform(segment, from);
    uint16_t *held = &segment->held[segment_place(from)];

    if (*held == SEGMENT_NONE)
        *held = add_value(segment, (struct segment_value){.operation = SEGMENT_LANES, .place = from});
    return *held;
}

static uint16_t source(struct segment *segment, const struct plan_step *step, unsigned k, unsigned n)
{
    return read_operand(segment, step->source[k][n]);
}

/* --- results ------------------------------------------------------------------------------ */

static uint16_t clamp(struct segment *segment, uint16_t v, enum segment_literal low)
{
    const uint16_t held = make(segment, SEGMENT_MAX, v, literal(segment, low));

    return make(segment, SEGMENT_MIN, held, literal(segment, SEGMENT_ONE));
}

/* Scales and saturates a result as the step says. Stores make NaN canonical. */
static uint16_t finish(struct segment *segment, const struct plan_step *step, uint16_t v)
{
    if (step->after & PLAN_SCALE) {
        unsigned power = 0;

        while (power < 15 && generated_literals[SEGMENT_POWERS + power] != step->scale)
            power++;
        v = make(segment, SEGMENT_MUL, v, literal(segment, (enum segment_literal)(SEGMENT_POWERS + power)));
    }
    return step->after & PLAN_SATURATE ? clamp(segment, v, SEGMENT_ZERO) : v;
}

static uint16_t finish_product(struct segment *segment, const struct plan_step *step, uint16_t v)
{
    segment->value[v].checked = true;
    return finish(segment, step, step->after & PLAN_SATURATE ? v : plus_zero(segment, v));
}

static void write_result(struct segment *segment, const struct plan_step *step, unsigned n, uint16_t v)
{
    const unsigned place = segment_place(step->out[n]);

    segment->held[place] = v;
    segment->dirty[place] = true;
    segment->canonical[place] = step->after & PLAN_CANONICAL_NAN;
}

/* --- kinds of steps ------------------------------------------------------------------------ */

/* lane_floor */
static uint16_t floor_of(struct segment *segment, uint16_t v)
{
    return plus_zero(segment, make(segment, SEGMENT_FLOOR, v, SEGMENT_NONE));
}

/* lane_finite */
static uint16_t finite_of(struct segment *segment, uint16_t v)
{
    v = make(segment, SEGMENT_MIN, literal(segment, SEGMENT_LARGEST), v);
    return make(segment, SEGMENT_MAX, literal(segment, SEGMENT_LARGEST_NEGATIVE), v);
}

/* lane_rcp */
static uint16_t reciprocal(struct segment *segment, uint16_t v)
{
    const uint16_t largest = literal(segment, SEGMENT_LARGEST), zero = literal(segment, SEGMENT_ZERO);
    const uint16_t r = make(segment, SEGMENT_DIV, literal(segment, SEGMENT_ONE), v);

    return make_select(segment, SEGMENT_EQUAL, v, zero, largest, finite_of(segment, r));
}

/* lane_rsq */
static uint16_t reciprocal_root(struct segment *segment, uint16_t v)
{
    const uint16_t a = make(segment, SEGMENT_ANDN, literal(segment, SEGMENT_SIGN), v);
    const uint16_t root = make(segment, SEGMENT_SQRT, a, SEGMENT_NONE);
    const uint16_t r = make(segment, SEGMENT_DIV, literal(segment, SEGMENT_ONE), root);

    return make_select(segment, SEGMENT_EQUAL, a, literal(segment, SEGMENT_ZERO), literal(segment, SEGMENT_LARGEST), r);
}

/* v, or `otherwise` where a number is asked for and v is one. */
static uint16_t unless_nan(struct segment *segment, uint16_t v, uint16_t otherwise)
{
    return make_select(segment, SEGMENT_EQUAL, v, v, otherwise, v);
}

/* A polynomial of `terms` coefficients, which lie behind each other from the highest power on. */
static uint16_t polynomial(struct segment *segment, uint16_t x, enum segment_literal first, unsigned terms)
{
    uint16_t p = literal(segment, first);

    for (unsigned n = 1; n < terms; n++)
        p = make(segment, SEGMENT_ADD, literal(segment, (enum segment_literal)(first + n)),
                 make(segment, SEGMENT_MUL, x, p));
    return p;
}

/* 2^n of integers that are exponents of normal numbers. */
static uint16_t power_of_two(struct segment *segment, uint16_t n)
{
    const uint16_t biased = make(segment, SEGMENT_ADD_INTEGERS, n, literal(segment, SEGMENT_INTEGER_127));

    return make_immediate(segment, SEGMENT_SHIFT_LEFT, biased, 23);
}

/* lane_exp2 */
static uint16_t exp2_of(struct segment *segment, uint16_t v)
{
    const uint16_t rounder = literal(segment, SEGMENT_ROUNDER);
    const uint16_t above = make(segment, SEGMENT_MAX, v, literal(segment, SEGMENT_EXP2_LOWEST));
    const uint16_t c = make(segment, SEGMENT_MIN, above, literal(segment, SEGMENT_HIGHEST_POWER));
    const uint16_t whole = make(segment, SEGMENT_SUB, make(segment, SEGMENT_ADD, c, rounder), rounder);
    const uint16_t r = make(segment, SEGMENT_SUB, c, whole);
    const uint16_t n = make(segment, SEGMENT_TRUNCATE, whole, SEGMENT_NONE);
    const uint16_t half = make_immediate(segment, SEGMENT_HALVE, n, 1);
    uint16_t p = make(segment, SEGMENT_MUL, r, polynomial(segment, r, SEGMENT_EXP2, 7));

    p = make(segment, SEGMENT_ADD, literal(segment, SEGMENT_ONE), p);
    p = make(segment, SEGMENT_MUL, p, power_of_two(segment, half));
    p = make(segment, SEGMENT_MUL, p, power_of_two(segment, make(segment, SEGMENT_SUB_INTEGERS, n, half)));
    return unless_nan(segment, v, finite_of(segment, p));
}

/* lane_log2; the exponent is counted in floats, which hold such numbers. */
static uint16_t log2_of(struct segment *segment, uint16_t v)
{
    const uint16_t one = literal(segment, SEGMENT_ONE), zero = literal(segment, SEGMENT_ZERO);
    const uint16_t least = literal(segment, SEGMENT_SMALLEST), root = literal(segment, SEGMENT_ROOT_OF_TWO);
    const uint16_t a = make(segment, SEGMENT_ANDN, literal(segment, SEGMENT_SIGN), v);
    const uint16_t bits = make_select(segment, SEGMENT_LESS, a, least,
                                      make(segment, SEGMENT_MUL, a, literal(segment, SEGMENT_TWO_24)), a);
    const uint16_t bias = make_select(segment, SEGMENT_LESS, a, least, literal(segment, SEGMENT_BIAS_TINY),
                                      literal(segment, SEGMENT_BIAS));
    const uint16_t biased = make_immediate(segment, SEGMENT_SHIFT_RIGHT, bits, 23);
    uint16_t exponent = make(segment, SEGMENT_SUB, make(segment, SEGMENT_TO_FLOAT, biased, SEGMENT_NONE), bias);
    uint16_t m = make(segment, SEGMENT_OR, make(segment, SEGMENT_AND, bits, literal(segment, SEGMENT_MANTISSA)), one);

    exponent = make(segment, SEGMENT_ADD, exponent, make_select(segment, SEGMENT_GREATER, m, root, one, zero));
    m = make_select(segment, SEGMENT_GREATER, m, root, make(segment, SEGMENT_MUL, m, literal(segment, SEGMENT_HALF)),
                    m);
    const uint16_t t =
        make(segment, SEGMENT_DIV, make(segment, SEGMENT_SUB, m, one), make(segment, SEGMENT_ADD, m, one));
    const uint16_t p =
        make(segment, SEGMENT_MUL, t, polynomial(segment, make(segment, SEGMENT_MUL, t, t), SEGMENT_LOG2, 5));
    const uint16_t largest = literal(segment, SEGMENT_LARGEST);
    uint16_t r = make(segment, SEGMENT_ADD, exponent, p);

    r = make_select(segment, SEGMENT_EQUAL, a, zero, literal(segment, SEGMENT_LARGEST_NEGATIVE), r);
    r = make_select(segment, SEGMENT_GREATER, a, largest, largest, r);
    return unless_nan(segment, v, r);
}

/* lane_pow */
static uint16_t power_of(struct segment *segment, uint16_t a, uint16_t b)
{
    const uint16_t exponent = product(segment, b, log2_of(segment, a));

    segment->value[exponent].checked = true;
    return exp2_of(segment, plus_zero(segment, exponent));
}

/* Differences inside a quad, of neighbours across or down. */
static uint16_t difference(struct segment *segment, bool down, uint16_t v)
{
    /* lanes 0 to 3 of a quad take these: 1, 1, 3, 3 less 0, 0, 2, 2; 2, 3, 2, 3 less 0, 1, 0, 1 */
    const uint16_t more = make_immediate(segment, SEGMENT_SHUFFLE, v, down ? 0xee : 0xf5);

    return make(segment, SEGMENT_SUB, more, make_immediate(segment, SEGMENT_SHUFFLE, v, down ? 0x44 : 0xa0));
}

/* lane_modify */
static uint16_t modified(struct segment *segment, unsigned modifiers, uint16_t v)
{
    if (modifiers & IR_CLAMP)
        v = clamp(segment, v, SEGMENT_ONE_NEGATIVE);
    if (modifiers & IR_SATURATE)
        v = clamp(segment, v, SEGMENT_ZERO);
    if (modifiers & IR_ABS)
        v = make(segment, SEGMENT_ANDN, literal(segment, SEGMENT_SIGN), v);
    if (modifiers & IR_BIAS)
        v = make(segment, SEGMENT_ADD, v, literal(segment, SEGMENT_ONE_HALF_NEGATIVE));
    if (modifiers & (IR_SIGNED | IR_DOUBLE) && modifiers & IR_SIGNED)
        v = make(segment, SEGMENT_ADD, make(segment, SEGMENT_MUL, v, literal(segment, SEGMENT_TWO)),
                 literal(segment, SEGMENT_ONE_NEGATIVE));
    if (modifiers & IR_DOUBLE)
        v = make(segment, SEGMENT_MUL, v, literal(segment, SEGMENT_TWO));
    if (modifiers & IR_COMPLEMENT)
        v = make(segment, SEGMENT_SUB, literal(segment, SEGMENT_ONE), v);
    return modifiers & IR_NEGATE ? make(segment, SEGMENT_XOR, v, literal(segment, SEGMENT_SIGN)) : v;
}

/* An operation of STEP_COMPONENT or STEP_SCALAR, as alu_component has it. */
static uint16_t operation_of(struct segment *segment, enum ir_op op, uint16_t a, uint16_t b, uint16_t c)
{
    const uint16_t zero = literal(segment, SEGMENT_ZERO), one = literal(segment, SEGMENT_ONE);

    switch (op) {
    case IR_SLT:
        return make_select(segment, SEGMENT_LESS, a, b, one, zero);
    case IR_SGE:
        return make_select(segment, SEGMENT_AT_LEAST, a, b, one, zero);
    case IR_CMP:
        return make_select(segment, SEGMENT_AT_LEAST, a, zero, b, c);
    case IR_CND:
        return make_select(segment, SEGMENT_GREATER, a, literal(segment, SEGMENT_HALF), b, c);
    case IR_FLOOR:
        return floor_of(segment, a);
    case IR_FRC:
        return make(segment, SEGMENT_SUB, a, floor_of(segment, a));
    case IR_SGN: {
        const uint16_t below = literal(segment, SEGMENT_ONE_NEGATIVE);

        return make_select(segment, SEGMENT_GREATER, a, zero, one,
                           make_select(segment, SEGMENT_LESS, a, zero, below, zero));
    }
    case IR_DIV:
        return make_select(segment, SEGMENT_EQUAL, b, zero, one, make(segment, SEGMENT_DIV, a, b));
    case IR_SQRT:
        return make(segment, SEGMENT_SQRT, a, SEGMENT_NONE);
    case IR_EXP2:
        return exp2_of(segment, a);
    case IR_LOG2:
        return log2_of(segment, a);
    case IR_POW:
        return power_of(segment, a, b);
    case IR_DDX:
    case IR_DDY:
        return difference(segment, op == IR_DDY, a);
    default:
        BASE_ASSERT(op == IR_RCP);
        return reciprocal(segment, a);
    }
}

bool segment_takes(const struct plan_step *step)
{
    return step->kernel != STEP_TEXTURE && step->kernel != STEP_INSTRUCTION;
}

static uint16_t dot(struct segment *segment, const struct plan_step *step, unsigned terms, const uint16_t factor[4])
{
    uint16_t sum = product(segment, source(segment, step, 0, 0), factor[0]);

    for (unsigned c = 1; c < terms; c++)
        sum = make(segment, SEGMENT_ADD, sum, product(segment, source(segment, step, 0, c), factor[c]));
    return finish_product(segment, step, sum);
}

/* One result for all parts. */
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
            factor[c] = uniform(segment, at);
        }
        write_result(segment, step, n, dot(segment, step, terms, factor));
    }
}

static void add_scalar(struct segment *segment, const struct plan_step *step)
{
    const uint16_t a = source(segment, step, 0, 0);
    const uint16_t b = step->op == IR_POW ? source(segment, step, 1, 0) : a;
    const uint16_t r =
        step->kernel == STEP_RSQ ? reciprocal_root(segment, a) : operation_of(segment, (enum ir_op)step->op, a, b, a);
    const uint16_t v = finish(segment, step, r);

    for (unsigned n = 0; n < step->parts; n++)
        write_result(segment, step, n, v);
}

/* Part n of a componentwise step, and whether it is made of products. */
static uint16_t component(struct segment *segment, const struct plan_step *step, unsigned n, bool *products)
{
    const unsigned sources = step->kernel == STEP_COMPONENT ? ir_source_count((enum ir_op)step->op) : 3;
    const uint16_t a = source(segment, step, 0, n);

    *products = false;
    switch (step->kernel) {
    case STEP_MOV_V:
    case STEP_MOV_U:
        return a;
    case STEP_MODIFY:
        return modified(segment, step->modifiers, a);
    case STEP_ADD_VV:
    case STEP_ADD_VU:
        return make(segment, SEGMENT_ADD, a, source(segment, step, 1, n));
    case STEP_SUB_VV:
    case STEP_SUB_VU:
    case STEP_SUB_UV:
        return make(segment, SEGMENT_SUB, a, source(segment, step, 1, n));
    case STEP_MIN_VV:
    case STEP_MIN_VU:
        return make(segment, SEGMENT_MIN, a, source(segment, step, 1, n));
    case STEP_MAX_VV:
    case STEP_MAX_VU: {
        const uint16_t b = source(segment, step, 1, n);

        return make_select(segment, SEGMENT_AT_LEAST, a, b, a, b);
    }
    case STEP_MUL_SAT_VV:
    case STEP_MUL_SAT_VU: /* NaN becomes 0 in the end, as 0 times anything is */
        return make(segment, SEGMENT_MUL, a, source(segment, step, 1, n));
    case STEP_COMPONENT:
        return operation_of(segment, (enum ir_op)step->op, a, sources > 1 ? source(segment, step, 1, n) : a,
                            sources > 2 ? source(segment, step, 2, n) : a);
    default:
        break;
    }
    const uint16_t b = source(segment, step, 1, n);

    *products = true;
    if (step->kernel == STEP_MUL_VV || step->kernel == STEP_MUL_VU)
        return product(segment, a, b);
    const uint16_t c = source(segment, step, 2, n);

    if (step->kernel == STEP_LRP_VVV) {
        const uint16_t difference = make(segment, SEGMENT_SUB, b, c);

        return make(segment, SEGMENT_ADD, c, plus_zero(segment, product(segment, a, difference)));
    }
    return make(segment, SEGMENT_ADD, product(segment, a, b), c);
}

static void add_components(struct segment *segment, const struct plan_step *step)
{
    for (unsigned n = 0; n < step->parts; n++) {
        bool products;
        const uint16_t r = component(segment, step, n, &products);

        write_result(segment, step, n, products ? finish_product(segment, step, r) : finish(segment, step, r));
    }
}

void segment_add(struct segment *segment, const struct plan_step *step)
{
    BASE_ASSERT(segment_takes(step));
    switch (step->kernel) {
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

/* --- the whole ------------------------------------------------------------------------------- */

void segment_begin(struct segment *segment)
{
    segment->value_count = segment->store_count = segment->uniform_count = 0;
    segment->full = false;
    memset(segment->literal, 0xff, sizeof(segment->literal));
    memset(segment->held, 0xff, sizeof(segment->held));
    memset(segment->dirty, 0, sizeof(segment->dirty));
}

static struct plan_operand operand_of_place(unsigned place)
{
    if (place < SEGMENT_TEMPS)
        return (struct plan_operand){PLAN_TEMP, (uint16_t)(place * SHADER_LANES)};
    if (place < SEGMENT_OUTPUTS)
        return (struct plan_operand){PLAN_OUTPUT, (uint16_t)((place - SEGMENT_TEMPS) * SHADER_LANES)};
    return (struct plan_operand){PLAN_SCRATCH, (uint16_t)((place - SEGMENT_OUTPUTS) * SHADER_LANES)};
}

void segment_end(struct segment *segment, const bool live[SEGMENT_PLACES])
{
    for (unsigned place = 0; place < SEGMENT_SCRATCH; place++) {
        const bool is_output = place >= SEGMENT_TEMPS && place < SEGMENT_OUTPUTS;
        uint16_t v = segment->held[place];

        if (!segment->dirty[place] || !(is_output || live[place]))
            continue;
        if (segment->value[v].operation == SEGMENT_LANES)
            v = make(segment, SEGMENT_COPY, v, SEGMENT_NONE);
        if (segment->store_count == SEGMENT_MAX_STORES) {
            segment->full = true;
            return;
        }
        segment->store[segment->store_count++] = (struct segment_store){
            .to = operand_of_place(place),
            .value = v,
            .canonical = segment->canonical[place],
        };
    }
}
