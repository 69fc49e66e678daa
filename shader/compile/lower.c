/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic instructions to IR. Most become one operation; matrices, cross products and normals become a few. Source:
 * docs/reference/shader-code.md, sections 2 (instructions) and 5 (modifiers).
 */
#include "shader/compile/compiler.h"

#include <string.h>

#define SCRATCH(n)              ir_register(IR_TEMP, CODE_TEMP_SCRATCH + (n))
#define SCRATCH_TARGET(n, mask) ir_target(IR_TEMP, CODE_TEMP_SCRATCH + (n), mask)

/* Instructions that are one operation on their sources. */
static const uint8_t simple[] = {
    [SOP_MOV] = IR_MOV + 1,  [SOP_ADD] = IR_ADD + 1,   [SOP_SUB] = IR_SUB + 1,    [SOP_MAD] = IR_MAD + 1,
    [SOP_MUL] = IR_MUL + 1,  [SOP_DP3] = IR_DP3 + 1,   [SOP_DP4] = IR_DP4 + 1,    [SOP_MIN] = IR_MIN + 1,
    [SOP_MAX] = IR_MAX + 1,  [SOP_SLT] = IR_SLT + 1,   [SOP_SGE] = IR_SGE + 1,    [SOP_LIT] = IR_LIT + 1,
    [SOP_DST] = IR_DST + 1,  [SOP_LRP] = IR_LRP + 1,   [SOP_FRC] = IR_FRC + 1,    [SOP_CMP] = IR_CMP + 1,
    [SOP_DSX] = IR_DDX + 1,  [SOP_DSY] = IR_DDY + 1,   [SOP_RCP] = IR_RCP + 1,    [SOP_RSQ] = IR_RSQ + 1,
    [SOP_EXP] = IR_EXP2 + 1, [SOP_LOG] = IR_LOG2 + 1,  [SOP_LOGP] = IR_LOG2 + 1,  [SOP_POW] = IR_POW + 1,
    [SOP_MOVA] = IR_ARR + 1, [SOP_SETP] = IR_SETP + 1, [SOP_DP2ADD] = IR_DP2 + 1,
};

/* Scalar operands: vs_1_x takes .w of an unswizzled register; others are replicated, so any component is correct. */
static struct ir_source scalar(struct ir_source s)
{
    return ir_component(s, 3);
}

static void emit_simple(struct compiler *c, unsigned op, struct ir_destination d, const struct ir_source *s)
{
    struct ir_instruction i = {.op = (uint8_t)op, .destination = d, .compare = c->instruction.control & 7};

    memcpy(i.source, s, ir_source_count(op) * sizeof(*s));
    compiler_emit(c, &i);
}

static bool is_scalar(unsigned op)
{
    return op == IR_RCP || op == IR_RSQ || op == IR_EXP2 || op == IR_LOG2 || op == IR_POW;
}

/* One row of a matrix per component; the vector is read before any component is written. */
static bool matrix(struct compiler *c, struct ir_destination d, struct ir_source vector, struct ir_source row)
{
    static const struct {
        uint8_t op, rows;
    } shape[] = {{IR_DP4, 4}, {IR_DP4, 3}, {IR_DP3, 4}, {IR_DP3, 3}, {IR_DP3, 2}};
    unsigned kind = c->instruction.opcode - SOP_M4X4, rows = shape[kind].rows, done = 0;
    const struct shader_parameter *p = &c->instruction.source[1];

    if (!compiler_register(c, p, SREG_READ, rows))
        return false;
    if (row.file == IR_CONSTANT)
        c->program->float_count = BASE_MAX(c->program->float_count, p->number + rows);
    if (row.file == IR_INPUT && c->reader.stage == SHADER_PIXEL)
        return compiler_fail(c, "matrix in v registers");
    for (unsigned r = 0; r < rows; r++, row.index++) {
        if (!(d.mask & (1u << r)))
            continue;
        COMPILER_EMIT(c, shape[kind].op, SCRATCH_TARGET(0, 1u << r), vector, row);
        done |= 1u << r;
    }
    d.mask = (uint8_t)done;
    COMPILER_EMIT(c, IR_MOV, d, SCRATCH(0));
    return true;
}

static void lower_cross(struct compiler *c, struct ir_destination d, struct ir_source a, struct ir_source b)
{
    COMPILER_EMIT(c, IR_MUL, SCRATCH_TARGET(0, 7), ir_swizzled(a, 1, 2, 0, 3), ir_swizzled(b, 2, 0, 1, 3));
    d.mask &= 7;
    COMPILER_EMIT(c, IR_MAD, d, ir_negated(ir_swizzled(a, 2, 0, 1, 3)), ir_swizzled(b, 1, 2, 0, 3), SCRATCH(0));
}

static void lower_normalize(struct compiler *c, struct ir_destination d, struct ir_source s)
{
    COMPILER_EMIT(c, IR_DP3, SCRATCH_TARGET(0, 1), s, s);
    COMPILER_EMIT(c, IR_RSQ, SCRATCH_TARGET(0, 1), SCRATCH(0));
    COMPILER_EMIT(c, IR_MUL, d, s, ir_component(SCRATCH(0), 0));
}

/* (2^floor s, s - floor s, 2^s, 1) in vertex models 1; 2^s later. */
static void exponent_parts(struct compiler *c, struct ir_destination d, struct ir_source s)
{
    s = scalar(s);
    if (c->reader.major > 1) {
        COMPILER_EMIT(c, IR_EXP2, d, s);
        return;
    }
    COMPILER_EMIT(c, IR_FLOOR, SCRATCH_TARGET(0, 1), s);
    COMPILER_EMIT(c, IR_EXP2, SCRATCH_TARGET(0, 1), SCRATCH(0));
    COMPILER_EMIT(c, IR_FRC, SCRATCH_TARGET(0, 2), s);
    COMPILER_EMIT(c, IR_EXP2, SCRATCH_TARGET(0, 4), s);
    COMPILER_EMIT(c, IR_MOV, SCRATCH_TARGET(0, 8), compiler_immediate(c, 1.0f, 1.0f, 1.0f, 1.0f));
    COMPILER_EMIT(c, IR_MOV, d, SCRATCH(0));
}

/* Below 1.4 the condition is always r0.a, and a paired cnd that writes colour takes its second source. */
static void select_half(struct compiler *c, struct ir_destination d, const struct ir_source *s)
{
    if (c->version < 0x104 && c->instruction.coissue && d.mask != 8)
        COMPILER_EMIT(c, IR_MOV, d, s[1]);
    else
        COMPILER_EMIT(c, IR_CND, d, s[0], s[1], s[2]);
}

/* d.xy = a.xy + matrix * b.xy with the matrix of the stage that d's number names. */
static bool bump(struct compiler *c, struct ir_destination d, struct ir_source a, struct ir_source b)
{
    unsigned stage = c->instruction.destination.number;
    struct ir_source matrix = ir_register(IR_BUMP, stage);

    if (stage >= SHADER_MAX_STAGES)
        return compiler_fail(c, "bem into r%u", stage);
    c->program->bump_stages |= (uint8_t)(1u << stage);
    d.mask &= 3;
    COMPILER_EMIT(c, IR_MAD, SCRATCH_TARGET(0, 3), ir_component(b, 0), ir_swizzled(matrix, 0, 1, 0, 1), a);
    COMPILER_EMIT(c, IR_MAD, d, ir_component(b, 1), ir_swizzled(matrix, 2, 3, 2, 3), SCRATCH(0));
    return true;
}

static bool lower_to(struct compiler *c, struct ir_destination d, struct ir_source s[3])
{
    unsigned opcode = c->instruction.opcode;

    switch (opcode) {
    case SOP_M4X4:
    case SOP_M4X3:
    case SOP_M3X4:
    case SOP_M3X3:
    case SOP_M3X2:
        return matrix(c, d, s[0], s[1]);
    case SOP_CRS:
        lower_cross(c, d, s[0], s[1]);
        return true;
    case SOP_NRM:
        lower_normalize(c, d, s[0]);
        return true;
    case SOP_ABS:
        s[0].modifiers = (uint16_t)((s[0].modifiers & ~IR_NEGATE) | IR_ABS);
        COMPILER_EMIT(c, IR_MOV, d, s[0]);
        return true;
    case SOP_SGN:
        COMPILER_EMIT(c, IR_SGN, d, s[0]);
        return true;
    case SOP_SINCOS:
        d.mask &= 3;
        COMPILER_EMIT(c, IR_SINCOS, d, scalar(s[0]));
        return true;
    case SOP_EXPP:
        exponent_parts(c, d, s[0]);
        return true;
    case SOP_CND:
        select_half(c, d, s);
        return true;
    case SOP_BEM:
        return bump(c, d, s[0], s[1]);
    case SOP_MOV: /* to a0: rounded down in vs_1_x */
        emit_simple(c, d.file == IR_ADDRESS ? (c->reader.major == 1 ? IR_ARL : IR_ARR) : IR_MOV, d, s);
        return true;
    default:
        break;
    }
    unsigned op = simple[opcode] - 1u;
    for (unsigned k = 0; is_scalar(op) && k < 2; k++)
        s[k] = scalar(s[k]);
    if (op == IR_DP2)
        s[2] = scalar(s[2]);
    emit_simple(c, op, d, s);
    return true;
}

static bool check_files(struct compiler *c, const struct ir_destination *d)
{
    unsigned opcode = c->instruction.opcode;
    bool predicate = d->file == IR_PREDICATE;

    if (opcode == SOP_SETP && !shader_comparison_name(c->instruction.control & 7))
        return compiler_fail(c, "comparison %u", c->instruction.control);
    if ((opcode == SOP_MOVA && d->file != IR_ADDRESS) || predicate != (opcode == SOP_SETP))
        return compiler_fail(c, "%s does not write there", c->instruction.info->name);
    return true;
}

/* oFog and oPts are a single value: any written component is stored in x. */
static bool is_single(const struct compiler *c, const struct ir_destination *d)
{
    return d->file == IR_OUTPUT && c->reader.stage == SHADER_VERTEX && c->reader.major < 3 && !(d->mask & 1) &&
           (d->index == CODE_OUT_FOG || d->index == CODE_OUT_SIZE);
}

/* Computes into scratch register 3, for a later move. Some operations write fewer components than requested; c->written
 * then holds those written. */
static bool lower_to_scratch(struct compiler *c, struct ir_destination held, struct ir_source s[3])
{
    c->written[held.index] = 0;
    return lower_to(c, held, s);
}

/* a0 takes integers: results of instructions other than mov and mova are rounded before they are stored there. */
static bool lower_to_address(struct compiler *c, struct ir_destination d, struct ir_source s[3])
{
    struct ir_destination held = SCRATCH_TARGET(3, d.mask);
    unsigned opcode = c->instruction.opcode;

    if (opcode == SOP_MOV || opcode == SOP_MOVA)
        return lower_to(c, d, s);
    held.saturate = d.saturate;
    held.shift = d.shift;
    d.saturate = 0;
    d.shift = 0;
    if (!lower_to_scratch(c, held, s))
        return false;
    d.mask &= c->written[held.index];
    COMPILER_EMIT(c, c->reader.major == 1 ? IR_ARL : IR_ARR, d, SCRATCH(3));
    return true;
}

bool lower_arithmetic(struct compiler *c)
{
    const struct shader_instruction *i = &c->instruction;
    unsigned count = i->opcode == SOP_SGN || i->opcode == SOP_SINCOS ? 1 : i->source_count;
    struct ir_source s[3] = {{0}}, value = SCRATCH(3);
    struct ir_destination d;

    for (unsigned k = 0; k < count; k++)
        if (!compiler_source(c, &i->source[k], &s[k]))
            return false;
    if (!compiler_destination(c, &i->destination, &d) || !check_files(c, &d))
        return false;
    if (d.file == IR_ADDRESS)
        return lower_to_address(c, d, s);
    if (!is_single(c, &d))
        return lower_to(c, d, s);
    struct ir_destination to = d, held = SCRATCH_TARGET(3, d.mask);
    to.mask = 1;
    to.saturate = 0;
    held.saturate = d.saturate;
    c->program->output[c->program->output_count - 1].mask |= 1;
    if (!lower_to_scratch(c, held, s))
        return false;
    COMPILER_EMIT(c, IR_MOV, to, ir_component(value, d.mask & 2 ? 1 : d.mask & 4 ? 2 : 3));
    return true;
}
