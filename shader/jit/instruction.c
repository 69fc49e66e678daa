/* SPDX-License-Identifier: MIT */
/*
 * Instructions that have no steps of their own because they are rare, predicated or indexed. The bits are those of
 * machine_instruction (shader/run/kernels/vector.c), for one register of lanes, all active.
 */
#include "shader/jit/values.h"

#include "base/assert.h"

#include <math.h>

/* The last constant that the offset of an operand can name. */
#define LAST_CONSTANT (UINT16_MAX / 4u - 1)

/* --- operands ------------------------------------------------------------------------------------- */

static bool takes_source(const struct ir_source *s)
{
    const bool absolute = s->relative == IR_ABSOLUTE;

    switch (s->file) {
    case IR_CONSTANT:
        return s->index <= LAST_CONSTANT;
    case IR_IMMEDIATE:
        return absolute && s->index <= LAST_CONSTANT;
    case IR_INPUT:
        return absolute && s->index < SHADER_MAX_INPUTS;
    case IR_PIXEL:
        return s->index == 0;
    case IR_TEMP:
    case IR_BUMP:
    case IR_LUMINANCE:
        return absolute;
    default:
        return false;
    }
}

static struct plan_operand place_of(unsigned base, unsigned offset)
{
    return (struct plan_operand){(uint8_t)base, (uint16_t)offset};
}

/* The number of an indexed constant. */
static uint16_t constant_number(struct segment *segment, const struct ir_source *s)
{
    const struct plan_operand from = s->relative == IR_AL
                                         ? place_of(PLAN_COUNTERS, PLAN_COUNTER_LOOP)
                                         : place_of(PLAN_ADDRESS, (s->relative - IR_A0_X) * SHADER_LANES);
    const uint16_t relative = value_read(segment, from);

    return s->index ? value_make(segment, SEGMENT_ADD_INTEGERS, relative, value_integer(segment, s->index)) : relative;
}

/* A component of the register, without modifiers. */
static uint16_t register_component(struct segment *segment, const struct ir_source *s, unsigned component)
{
    const unsigned scalar = 4u * s->index + component;

    if (s->relative != IR_ABSOLUTE)
        return value_gather(segment, constant_number(segment, s), component);
    switch (s->file) {
    case IR_CONSTANT:
        return value_uniform(segment, place_of(PLAN_FLOATS, scalar));
    case IR_IMMEDIATE:
        return value_uniform(segment, place_of(PLAN_IMMEDIATES, scalar));
    case IR_BUMP:
        return value_uniform(segment, place_of(PLAN_BUMP, scalar));
    case IR_LUMINANCE:
        return value_uniform(segment, place_of(PLAN_LUMINANCE, 2u * s->index + (component & 1)));
    case IR_INPUT:
        return value_read(segment, place_of(PLAN_INPUT + scalar, 0));
    case IR_PIXEL:
        return component < 2 ? value_read(segment, place_of(PLAN_POSITION, component * SHADER_LANES))
                             : value_literal(segment, SEGMENT_ZERO);
    default:
        BASE_ASSERT(s->file == IR_TEMP);
        return value_read(segment, place_of(PLAN_TEMP, scalar * SHADER_LANES));
    }
}

/* Component c after the swizzle. */
static uint16_t source(struct segment *segment, const struct ir_instruction *i, unsigned k, unsigned c)
{
    const struct ir_source *s = &i->source[k];

    return value_modified(segment, s->modifiers, register_component(segment, s, (unsigned)s->swizzle >> 2 * c & 3));
}

/* `written` where component c may be written, else `old`. */
static uint16_t predicated(struct segment *segment, const struct ir_instruction *i, unsigned c, uint16_t written,
                           uint16_t old)
{
    if (i->predicate == IR_ALWAYS)
        return written;
    const unsigned from = i->predicate_swizzle >> 2 * c & 3;
    const uint16_t p = value_read(segment, place_of(PLAN_PREDICATE, from * SHADER_LANES));
    const bool if_set = i->predicate == IR_IF_SET;

    /* a mask with all bits set is NaN, which does not equal itself */
    return value_select(segment, SEGMENT_EQUAL, p, p, if_set ? old : written, if_set ? written : old);
}

static bool takes_destination(const struct ir_destination *d)
{
    return d->relative == IR_ABSOLUTE && (d->file == IR_TEMP || d->file == IR_OUTPUT || d->file == IR_DEPTH);
}

static void write_component(struct segment *segment, const struct ir_instruction *i, unsigned c, uint16_t v)
{
    const struct ir_destination *d = &i->destination;
    struct plan_operand to = place_of(d->file == IR_TEMP ? PLAN_TEMP : PLAN_OUTPUT, (4u * d->index + c) * SHADER_LANES);

    if (d->file == IR_DEPTH) {
        to = place_of(PLAN_DEPTH, 0);
        v = value_clamp(segment, v, SEGMENT_ZERO);
    }
    v = predicated(segment, i, c, v, i->predicate == IR_ALWAYS ? v : value_read(segment, to));
    value_write(segment, to, v, false);
}

/* Is component c among the written components? Depth has only one. */
static bool writes(const struct ir_instruction *i, unsigned c)
{
    return i->destination.mask >> c & 1 && (i->destination.file != IR_DEPTH || c == 0);
}

/* --- results ---------------------------------------------------------------------------------------- */

static struct value_after after_instruction(const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;

    return (struct value_after){(d->shift ? PLAN_SCALE : 0) | (d->saturate ? PLAN_SATURATE : 0),
                                ldexpf(1.0f, d->shift)};
}

/* All components are computed before the first is written. */
static void write_results(struct segment *segment, const struct ir_instruction *i, const uint16_t v[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (writes(i, c))
            write_component(segment, i, c, v[c]);
}

static void write_everywhere(struct segment *segment, const struct ir_instruction *i, uint16_t v)
{
    const uint16_t all[4] = {v, v, v, v};

    write_results(segment, i, all);
}

static uint16_t finish(struct segment *segment, const struct ir_instruction *i, uint16_t v, bool products)
{
    return products ? value_finish_product(segment, after_instruction(i), v)
                    : value_finish(segment, after_instruction(i), v);
}

/* --- kinds of instructions ---------------------------------------------------------------------------- */

static void add_components(struct segment *segment, const struct ir_instruction *i)
{
    const enum ir_op op = (enum ir_op)i->op;
    const unsigned sources = ir_source_count(op);
    uint16_t v[4] = {0};

    for (unsigned c = 0; c < 4; c++) {
        if (!writes(i, c))
            continue;
        const uint16_t a = source(segment, i, 0, c);
        const uint16_t b = sources > 1 ? source(segment, i, 1, c) : a, d = sources > 2 ? source(segment, i, 2, c) : a;

        v[c] = finish(segment, i, value_of_operation(segment, op, a, b, d), value_has_products(op));
    }
    write_results(segment, i, v);
}

static void add_scalar(struct segment *segment, const struct ir_instruction *i)
{
    const enum ir_op op = (enum ir_op)i->op;
    const uint16_t a = source(segment, i, 0, 0), b = op == IR_POW ? source(segment, i, 1, 0) : a;

    write_everywhere(segment, i, finish(segment, i, value_of_operation(segment, op, a, b, a), false));
}

static void add_dot(struct segment *segment, const struct ir_instruction *i)
{
    const unsigned terms = i->op == IR_DP4 ? 4 : i->op == IR_DP3 ? 3 : 2;
    uint16_t sum = value_product(segment, source(segment, i, 0, 0), source(segment, i, 1, 0));

    for (unsigned c = 1; c < terms; c++)
        sum = value_make(segment, SEGMENT_ADD, sum,
                         value_product(segment, source(segment, i, 0, c), source(segment, i, 1, c)));
    if (i->op == IR_DP2)
        sum = value_make(segment, SEGMENT_ADD, sum, source(segment, i, 2, 0));
    write_everywhere(segment, i, finish(segment, i, sum, true));
}

static void add_vector(struct segment *segment, const struct ir_instruction *i)
{
    const uint16_t one = value_literal(segment, SEGMENT_ONE), zero = value_literal(segment, SEGMENT_ZERO);
    const uint16_t a = source(segment, i, 0, 0);
    uint16_t v[4] = {one, one, one, one};
    bool products = false;

    if (i->op == IR_SINCOS) {
        value_sincos(segment, a, &v[1], &v[0]);
    } else if (i->op == IR_LIT) {
        v[1] = value_of_operation(segment, IR_MAX, a, zero, zero);
        v[2] = value_lit(segment, a, source(segment, i, 0, 1), source(segment, i, 0, 3));
    } else {
        BASE_ASSERT(i->op == IR_DST);
        v[1] = value_product(segment, source(segment, i, 0, 1), source(segment, i, 1, 1));
        v[2] = source(segment, i, 0, 2);
        v[3] = source(segment, i, 1, 3);
        products = true;
    }
    for (unsigned c = 0; c < 4; c++)
        if (writes(i, c))
            v[c] = finish(segment, i, v[c], products && c == 1);
    write_results(segment, i, v);
}

static void add_address(struct segment *segment, const struct ir_instruction *i)
{
    const uint16_t more = value_literal(segment, i->op == IR_ARR ? SEGMENT_HALF : SEGMENT_ZERO);
    uint16_t number[4] = {0};

    for (unsigned c = 0; c < 4; c++)
        if (i->destination.mask >> c & 1)
            number[c] = value_index(segment, value_make(segment, SEGMENT_ADD, source(segment, i, 0, c), more));
    for (unsigned c = 0; c < 4; c++) {
        const struct plan_operand to = place_of(PLAN_ADDRESS, c * SHADER_LANES);

        if (i->destination.mask >> c & 1)
            value_write(segment, to, predicated(segment, i, c, number[c], value_read(segment, to)), false);
    }
}

static void add_set_predicate(struct segment *segment, const struct ir_instruction *i)
{
    uint16_t holds[4] = {0};

    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask >> c & 1))
            continue;
        const uint16_t old = value_read(segment, place_of(PLAN_PREDICATE, c * SHADER_LANES));

        holds[c] =
            value_compare(segment, (enum ir_compare)i->compare, source(segment, i, 0, c), source(segment, i, 1, c));
        holds[c] = predicated(segment, i, c, holds[c], old);
    }
    for (unsigned c = 0; c < 4; c++)
        if (i->destination.mask >> c & 1)
            value_write(segment, place_of(PLAN_PREDICATE, c * SHADER_LANES), holds[c], false);
}

static void add_kill(struct segment *segment, const struct ir_instruction *i)
{
    const uint16_t zero = value_literal(segment, SEGMENT_ZERO);
    const struct plan_operand place = place_of(PLAN_KILLED, 0);
    uint16_t killed = value_read(segment, place);

    for (unsigned c = 0; c < 4; c++)
        if (i->destination.mask >> c & 1) {
            const uint16_t below = value_compare(segment, IR_LT, source(segment, i, 0, c), zero);

            killed = value_make(segment, SEGMENT_OR, killed, predicated(segment, i, c, below, zero));
        }
    value_write(segment, place, killed, false);
}

/* --- a whole instruction ------------------------------------------------------------------------------------------ */

static bool writes_registers(const struct ir_instruction *i)
{
    return i->op != IR_SETP && i->op != IR_ARL && i->op != IR_ARR && i->op != IR_KILL;
}

bool segment_takes_instruction(const struct ir_instruction *i)
{
    if (i->op == IR_TEX || i->op == IR_PROJECT || i->op > IR_KILL)
        return false;
    if (writes_registers(i) && !takes_destination(&i->destination))
        return false;
    /* sincos defines only x and y */
    if (i->op == IR_SINCOS && i->destination.mask & 12)
        return false;
    for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++)
        if (!takes_source(&i->source[k]))
            return false;
    return true;
}

void segment_add_instruction(struct segment *segment, const struct ir_instruction *i)
{
    switch (i->op) {
    case IR_RCP:
    case IR_RSQ:
    case IR_SQRT:
    case IR_EXP2:
    case IR_LOG2:
    case IR_POW:
        add_scalar(segment, i);
        break;
    case IR_DP2:
    case IR_DP3:
    case IR_DP4:
        add_dot(segment, i);
        break;
    case IR_LIT:
    case IR_DST:
    case IR_SINCOS:
        add_vector(segment, i);
        break;
    case IR_SETP:
        add_set_predicate(segment, i);
        break;
    case IR_ARL:
    case IR_ARR:
        add_address(segment, i);
        break;
    case IR_KILL:
        add_kill(segment, i);
        break;
    default:
        add_components(segment, i);
        break;
    }
}
