/* SPDX-License-Identifier: MIT */
/*
 * Constant folding. Values known when a shader is compiled are literals, and constants that the shader defines itself,
 * which cannot be set from outside. Products with 1 and sums with 0 are copies.
 */
#include "shader/ir/optimize.h"
#include "shader/run/lane_math.h"

#include <stdlib.h>
#include <string.h>

/* The definition of the arithmetic (run/kernels/alu.c, scalar). */
void alu_component_scalar(enum ir_op op, unsigned lanes, float *out, const float *a, const float *b, const float *c);
void alu_dot_scalar(unsigned terms, unsigned lanes, float *out, const float *const *a, const float *const *b,
                    const float *more);
void alu_finish_scalar(int shift, bool saturate, unsigned lanes, float *out);

#define FOLD_LANES 16 /* the fewest lanes that the arithmetic takes */

static const float *constant_register(const struct shader_code *code, const struct ir_source *s)
{
    if (s->relative != IR_ABSOLUTE)
        return NULL;
    if (s->file == IR_IMMEDIATE)
        return code->immediates[s->index];
    for (unsigned n = 0; s->file == IR_CONSTANT && n < code->definition_count; n++)
        if (code->definitions[n].index == s->index)
            return code->definitions[n].value;
    return NULL;
}

static bool folds(const struct ir_instruction *i)
{
    switch (i->op) {
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_MAD:
    case IR_LRP:
    case IR_DP3:
    case IR_DP4:
    case IR_MIN:
    case IR_MAX:
    case IR_SLT:
    case IR_SGE:
    case IR_CMP:
    case IR_CND:
    case IR_FLOOR:
    case IR_FRC:
    case IR_SGN:
    case IR_DIV:
    case IR_RCP:
    case IR_RSQ:
    case IR_SQRT:
    case IR_EXP2:
    case IR_LOG2:
    case IR_POW:
        return true;
    default:
        return false;
    }
}

/* Components x, y, z, w of a source, after swizzle and modifiers. */
static void known_value(const struct shader_code *code, const struct ir_source *s, float value[4])
{
    const float *from = constant_register(code, s);

    for (unsigned c = 0; c < 4; c++)
        value[c] = lane_modify(s->modifiers, from[s->swizzle >> 2 * c & 3]);
}

static bool is_replicated(unsigned op)
{
    return op == IR_DP3 || op == IR_DP4 || op == IR_RCP || op == IR_RSQ || op == IR_SQRT || op == IR_EXP2 ||
           op == IR_LOG2 || op == IR_POW;
}

static float evaluate(const struct ir_instruction *i, float source[3][4], unsigned c)
{
    float lanes[2][4][FOLD_LANES] = {{{0}}}, third[FOLD_LANES] = {0}, out[FOLD_LANES] = {0};
    const float *a[4], *b[4];
    unsigned from = is_replicated(i->op) ? 0 : c;

    for (unsigned k = 0; k < 4; k++) {
        lanes[0][k][0] = source[0][k];
        lanes[1][k][0] = source[1][k];
        a[k] = lanes[0][k];
        b[k] = lanes[1][k];
    }
    third[0] = source[2][c];
    if (i->op == IR_DP3 || i->op == IR_DP4)
        alu_dot_scalar(i->op == IR_DP4 ? 4 : 3, FOLD_LANES, out, a, b, NULL);
    else
        alu_component_scalar((enum ir_op)i->op, FOLD_LANES, out, a[from], b[from], third);
    alu_finish_scalar(i->destination.shift, i->destination.saturate, FOLD_LANES, out);
    return out[0];
}

static bool add_immediate(struct shader_code *code, const float value[4], unsigned *index)
{
    for (*index = 0; *index < code->immediate_count; ++*index)
        if (!memcmp(code->immediates[*index], value, sizeof(code->immediates[0])))
            return true;
    if (code->immediate_count > UINT16_MAX)
        return false;
    if (code->immediate_count == code->immediate_capacity) {
        unsigned bigger = BASE_MAX(2 * code->immediate_capacity, 16u);
        void *moved = mem_realloc(code->immediates, bigger, sizeof(code->immediates[0]));

        if (!moved)
            return false;
        code->immediates = moved;
        code->immediate_capacity = bigger;
    }
    memcpy(code->immediates[code->immediate_count++], value, sizeof(code->immediates[0]));
    return true;
}

static bool fold(struct shader_code *code, struct ir_instruction *i)
{
    float source[3][4] = {{0}}, value[4] = {0};
    unsigned index;

    for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++)
        known_value(code, &i->source[k], source[k]);
    for (unsigned c = 0; c < 4; c++)
        if (i->destination.mask & (1u << c))
            value[c] = evaluate(i, source, c);
    if (!add_immediate(code, value, &index))
        return false;
    i->op = IR_MOV;
    i->destination.shift = 0;
    i->destination.saturate = 0;
    memset(i->source, 0, sizeof(i->source));
    i->source[0] = (struct ir_source){.file = IR_IMMEDIATE, .swizzle = IR_XYZW, .index = (uint16_t)index};
    return true;
}

/* Are all components that the instruction reads of source k known to be `value`? */
static bool is_all(const struct shader_code *code, const struct ir_instruction *i, unsigned k, float value)
{
    const unsigned read = ir_components_read((enum ir_op)i->op, k, i->destination.mask);
    float known[4];

    if (!constant_register(code, &i->source[k]))
        return false;
    known_value(code, &i->source[k], known);
    for (unsigned c = 0; c < 4; c++)
        if (read >> c & 1 && known[c] != value)
            return false;
    return true;
}

/* Turns an instruction into an operation on one or two of its sources. */
static bool becomes(struct ir_instruction *i, enum ir_op op, unsigned first, unsigned second)
{
    const struct ir_source a = i->source[first], b = i->source[second];

    i->op = (uint8_t)op;
    memset(i->source, 0, sizeof(i->source));
    i->source[0] = a;
    if (ir_source_count(op) > 1)
        i->source[1] = b;
    return true;
}

/* Removes a factor of 1 and a term of 0. Copies keep -0 but products and sums with 0 do not, so the result must be
 * saturated, which hides the difference. */
static bool simplify(const struct shader_code *code, struct ir_instruction *i)
{
    if (!i->destination.saturate)
        return false;
    switch (i->op) {
    case IR_MUL:
        return is_all(code, i, 1, 1.0f)   ? becomes(i, IR_MOV, 0, 0)
               : is_all(code, i, 0, 1.0f) ? becomes(i, IR_MOV, 1, 1)
                                          : false;
    case IR_ADD:
        return is_all(code, i, 1, 0.0f)   ? becomes(i, IR_MOV, 0, 0)
               : is_all(code, i, 0, 0.0f) ? becomes(i, IR_MOV, 1, 1)
                                          : false;
    case IR_SUB:
        return is_all(code, i, 1, 0.0f) ? becomes(i, IR_MOV, 0, 0) : false;
    case IR_MAD:
        return is_all(code, i, 0, 0.0f) || is_all(code, i, 1, 0.0f) ? becomes(i, IR_MOV, 2, 2)
               : is_all(code, i, 0, 1.0f)                           ? becomes(i, IR_ADD, 1, 2)
               : is_all(code, i, 1, 1.0f)                           ? becomes(i, IR_ADD, 0, 2)
               : is_all(code, i, 2, 0.0f)                           ? becomes(i, IR_MUL, 0, 1)
                                                                    : false;
    default:
        return false;
    }
}

bool optimize_fold(struct shader_code *code, bool *changed)
{
    for (unsigned n = 0; n < code->count; n++) {
        struct ir_instruction *i = &code->code[n];
        bool constant = folds(i);

        for (unsigned k = 0; constant && k < ir_source_count((enum ir_op)i->op); k++)
            constant = constant_register(code, &i->source[k]) != NULL;
        if (constant && !fold(code, i))
            return false;
        *changed |= constant || simplify(code, i);
    }
    return true;
}
