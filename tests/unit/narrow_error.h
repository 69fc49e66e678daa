/* SPDX-License-Identifier: MIT */
/*
 * The largest difference between the narrow form of a program and the floats: errors are propagated through its IR, for
 * values that are at most 1. In units of 1/32767, the distance between two numbers.
 */
#ifndef HALCYON_TESTS_NARROW_ERROR_H
#define HALCYON_TESTS_NARROW_ERROR_H

#include "shader/code.h"

struct narrow_errors {
    double of[CODE_TEMP_COUNT][4], output[4];
};

/* Component c of a source. A value that is rounded once has an error of half a unit, and so has 1/2 itself. */
static inline double narrow_source_error(const struct narrow_errors *e, const struct ir_source *s, unsigned c)
{
    double error = s->file == IR_TEMP ? e->of[s->index][s->swizzle >> 2 * c & 3] : 0.5;

    if (s->file == IR_CONSTANT || s->file == IR_IMMEDIATE)
        return error;
    error += s->modifiers & IR_BIAS ? 0.5 : 0.0;
    return error * (s->modifiers & IR_SIGNED ? 2.0 : 1.0) * (s->modifiers & IR_DOUBLE ? 2.0 : 1.0);
}

/* A product of values with errors. It is rounded to the nearest, an error of half a unit, and it is too small by a
 * 32768th, one unit. */
static inline double narrow_product_error(double a, double b)
{
    return a + b + a * b / 32767.0 + 1.5;
}

static inline double narrow_result_error(const struct narrow_errors *e, const struct ir_instruction *i, unsigned c)
{
    double s[3] = {0.0}, dot = 0.0;

    for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++)
        s[k] = narrow_source_error(e, &i->source[k], c);
    switch (i->op) {
    case IR_TEX:
        return 1.0;
    case IR_ADD:
    case IR_SUB:
        return s[0] + s[1];
    case IR_MUL:
        return narrow_product_error(s[0], s[1]);
    case IR_MAD:
        return narrow_product_error(s[0], s[1]) + s[2];
    case IR_LRP:
        return narrow_product_error(s[0], s[1] + s[2]) + s[2];
    case IR_DP3: /* one factor of each product loses its last bit, which is up to a unit */
        for (unsigned k = 0; k < 3; k++)
            dot += 1.0 + narrow_product_error(narrow_source_error(e, &i->source[0], k),
                                              narrow_source_error(e, &i->source[1], k));
        return dot;
    case IR_MIN:
    case IR_MAX:
        return BASE_MAX(s[0], s[1]);
    case IR_CMP: /* of conditions that are not near their limit */
    case IR_CND:
        return BASE_MAX(s[1], s[2]);
    default:
        return s[0];
    }
}

/* The error of colour 0; 1 is 1. */
static inline void narrow_error_bound(const struct shader_program *program, double bound[4])
{
    const struct shader_code *code = program->code;
    struct narrow_errors e = {{{0.0}}, {0.0}};

    for (unsigned n = 0; n < code->count && code->code[n].op < IR_KILL; n++) {
        const struct ir_instruction *i = &code->code[n];
        const struct ir_destination *d = &i->destination;
        double result[4] = {0.0};

        for (unsigned c = 0; c < 4; c++) {
            result[c] = narrow_result_error(&e, i, c);
            result[c] =
                d->shift > 0 ? result[c] * (1 << d->shift) : result[c] / (1 << -d->shift) + (d->shift ? 1.0 : 0.0);
        }
        for (unsigned c = 0; c < 4; c++)
            if (d->mask >> c & 1)
                *(d->file == IR_TEMP ? &e.of[d->index][c] : &e.output[c]) = result[c];
    }
    for (unsigned c = 0; c < 4; c++)
        bound[c] = (e.output[c] + 0.1) / 32767.0;
}

#endif
