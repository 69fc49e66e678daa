/* SPDX-License-Identifier: MIT */
/* The operations of the intermediate representation, and programs as text. */
#include "shader/ir/ir.h"

#include <stdio.h>

enum { SHAPE_FLOW = 2, SHAPE_TARGET = 4, SHAPE_COMPARES = 8 };

static const struct {
    const char *name;
    uint8_t sources, shape;
} op_table[IR_OP_COUNT] = {
    [IR_MOV] = {"mov", 1, 0},
    [IR_ADD] = {"add", 2, 0},
    [IR_SUB] = {"sub", 2, 0},
    [IR_MUL] = {"mul", 2, 0},
    [IR_MAD] = {"mad", 3, 0},
    [IR_LRP] = {"lrp", 3, 0},
    [IR_DP3] = {"dp3", 2, 0},
    [IR_TEX] = {"tex", 1, 0},
    [IR_MIN] = {"min", 2, 0},
    [IR_MAX] = {"max", 2, 0},
    [IR_SLT] = {"slt", 2, 0},
    [IR_SGE] = {"sge", 2, 0},
    [IR_CMP] = {"cmp", 3, 0},
    [IR_CND] = {"cnd", 3, 0},
    [IR_FLOOR] = {"floor", 1, 0},
    [IR_FRC] = {"frc", 1, 0},
    [IR_SGN] = {"sgn", 1, 0},
    [IR_DIV] = {"div", 2, 0},
    [IR_DDX] = {"ddx", 1, 0},
    [IR_DDY] = {"ddy", 1, 0},
    [IR_RCP] = {"rcp", 1, 0},
    [IR_RSQ] = {"rsq", 1, 0},
    [IR_SQRT] = {"sqrt", 1, 0},
    [IR_EXP2] = {"exp2", 1, 0},
    [IR_LOG2] = {"log2", 1, 0},
    [IR_POW] = {"pow", 2, 0},
    [IR_DP2] = {"dp2", 3, 0},
    [IR_DP4] = {"dp4", 2, 0},
    [IR_LIT] = {"lit", 1, 0},
    [IR_DST] = {"dst", 2, 0},
    [IR_SINCOS] = {"sincos", 1, 0},
    [IR_SETP] = {"setp", 2, SHAPE_COMPARES},
    [IR_ARL] = {"arl", 1, 0},
    [IR_ARR] = {"arr", 1, 0},
    [IR_PROJECT] = {"project", 1, 0},
    [IR_KILL] = {"kill", 1, SHAPE_FLOW},
    [IR_IF] = {"if", 1, SHAPE_FLOW | SHAPE_TARGET},
    [IR_IFC] = {"if", 2, SHAPE_FLOW | SHAPE_TARGET | SHAPE_COMPARES},
    [IR_ELSE] = {"else", 0, SHAPE_FLOW | SHAPE_TARGET},
    [IR_ENDIF] = {"endif", 0, SHAPE_FLOW},
    [IR_LOOP] = {"loop", 1, SHAPE_FLOW | SHAPE_TARGET},
    [IR_REP] = {"rep", 1, SHAPE_FLOW | SHAPE_TARGET},
    [IR_ENDLOOP] = {"endloop", 0, SHAPE_FLOW | SHAPE_TARGET},
    [IR_BREAK] = {"break", 0, SHAPE_FLOW},
    [IR_BREAKC] = {"break", 2, SHAPE_FLOW | SHAPE_COMPARES},
    [IR_BREAKP] = {"breakp", 1, SHAPE_FLOW},
    [IR_CALL] = {"call", 1, SHAPE_FLOW | SHAPE_TARGET},
    [IR_RET] = {"ret", 0, SHAPE_FLOW},
    [IR_END] = {"end", 0, SHAPE_FLOW},
};

bool ir_emit(struct ir_program *program, const struct ir_instruction *instruction)
{
    if (program->count == IR_MAX_INSTRUCTIONS)
        return false;
    program->code[program->count++] = *instruction;
    if (instruction->destination.file == IR_TEMP && instruction->destination.index >= program->temp_count)
        program->temp_count = instruction->destination.index + 1u;
    return true;
}

unsigned ir_source_count(enum ir_op op)
{
    return op_table[op].sources;
}

/* --- text -------------------------------------------------------------------------- */

static const char *const file_names[IR_FILE_COUNT] = {
    [IR_TEMP] = "r",      [IR_INPUT] = "v",     [IR_CONSTANT] = "c", [IR_OUTPUT] = "o",      [IR_ADDRESS] = "a",
    [IR_PREDICATE] = "p", [IR_IMMEDIATE] = "#", [IR_BUMP] = "bump",  [IR_LUMINANCE] = "lum", [IR_PIXEL] = "pixel",
    [IR_DEPTH] = "depth", [IR_INTEGER] = "i",   [IR_BOOLEAN] = "b",
};
static const char component[] = "xyzw";

static void print_register(char *text, size_t size, unsigned file, unsigned index, unsigned relative)
{
    static const char *const added[] = {"", "a0.x", "a0.y", "a0.z", "a0.w", "aL"};

    if (relative != IR_ABSOLUTE)
        snprintf(text, size, "%s[%s+%u]", file_names[file], added[relative], index);
    else
        snprintf(text, size, "%s%u", file_names[file], index);
}

static void print_swizzle(char text[6], unsigned swizzle)
{
    snprintf(text, 6, ".%c%c%c%c", component[swizzle & 3], component[swizzle >> 2 & 3], component[swizzle >> 4 & 3],
             component[swizzle >> 6 & 3]);
    if (swizzle == IR_XYZW)
        text[0] = 0;
    else if (swizzle % 85 == 0) /* all the same */
        text[2] = 0;
}

void ir_print_source(char *text, size_t size, const struct ir_source *s)
{
    unsigned m = s->modifiers;
    char swizzle[6], name[20];

    print_swizzle(swizzle, s->swizzle);
    print_register(name, sizeof(name), s->file, s->index, s->relative);
    snprintf(text, size, "%s%s%s%s%s%s%s%s%s%s%s", m & IR_NOT ? "!" : "", m & IR_NEGATE ? "-" : "",
             m & IR_COMPLEMENT ? "1-" : "", m & IR_ABS ? "|" : "", name, swizzle, m & IR_ABS ? "|" : "",
             m & IR_CLAMP      ? "_clamp"
             : m & IR_SATURATE ? "_sat"
                               : "",
             m & IR_BIAS ? "_bias" : "", m & IR_SIGNED ? "_bx2" : "", m & IR_DOUBLE ? "_x2" : "");
}

static void print_destination(char *text, size_t size, const struct ir_destination *d)
{
    char name[20], mask[6] = "";
    unsigned length = 0;

    if (d->mask != 15) {
        mask[length++] = '.';
        for (unsigned c = 0; c < 4; c++)
            if (d->mask & (1u << c))
                mask[length++] = component[c];
    }
    print_register(name, sizeof(name), d->file, d->index, d->relative);
    snprintf(text, size, "%s%s", name, mask);
}

static void print_opcode(char *text, size_t size, const struct ir_instruction *i)
{
    static const char *const compares[] = {"", "_gt", "_eq", "_ge", "_lt", "_ne", "_le", ""};
    static const char *const lods[] = {"", "_bias", "_lod", "_grad"};
    char shift[8] = "";
    const struct ir_destination *d = &i->destination;
    char predicate[12] = "", swizzle[6];

    if (i->predicate != IR_ALWAYS) {
        print_swizzle(swizzle, i->predicate_swizzle);
        snprintf(predicate, sizeof(predicate), "(%sp0%s) ", i->predicate == IR_IF_CLEAR ? "!" : "", swizzle);
    }
    if (d->shift)
        snprintf(shift, sizeof(shift), "_%c%d", d->shift < 0 ? 'd' : 'x', 1 << (d->shift < 0 ? -d->shift : d->shift));
    snprintf(text, size, "%s%s%s%s%s%s%s", predicate, op_table[i->op].name,
             i->project         ? "p"
             : i->stage_project ? "_stage"
                                : "",
             i->op == IR_TEX ? lods[i->lod & 3] : "",
             op_table[i->op].shape & SHAPE_COMPARES ? compares[i->compare & 7] : "", shift, d->saturate ? "_sat" : "");
}

int ir_print_instruction(char *text, size_t size, const struct ir_instruction *i)
{
    char opcode[64], d[32] = "", sources[3][64] = {"", "", ""}, end[20] = "";
    unsigned count = op_table[i->op].sources, shape = op_table[i->op].shape;
    const char *comma = "";

    if (i->op == IR_TEX && i->lod == RASTER_LOD_GRADIENTS)
        count = 3;
    if (i->op == IR_CALL && i->source[0].file != IR_BOOLEAN && i->source[0].file != IR_PREDICATE)
        count = 0;
    print_opcode(opcode, sizeof(opcode), i);
    if (!(shape & SHAPE_FLOW))
        print_destination(d, sizeof(d), &i->destination);
    for (unsigned k = 0; k < count; k++)
        ir_print_source(sources[k], sizeof(sources[k]), &i->source[k]);
    if (i->op == IR_TEX)
        snprintf(end, sizeof(end), ", s%u", i->sampler);
    else if (shape & SHAPE_TARGET)
        snprintf(end, sizeof(end), " -> %u", (unsigned)i->target);
    if (d[0] && count)
        comma = ", ";
    return snprintf(text, size, "%s%s%s%s%s%s%s%s%s%s\n", opcode, d[0] || count ? " " : "", d, comma, sources[0],
                    sources[1][0] ? ", " : "", sources[1], sources[2][0] ? ", " : "", sources[2], end);
}

unsigned ir_components_read(enum ir_op op, unsigned source, unsigned mask)
{
    switch (op) {
    case IR_DP3:
        return 7;
    case IR_DP2:
        return source < 2 ? 3 : 1;
    case IR_TEX:
        return source ? 7 : 15;
    case IR_DP4:
    case IR_LIT:
    case IR_DST:
    case IR_PROJECT:
        return 15;
    case IR_RCP:
    case IR_RSQ:
    case IR_SQRT:
    case IR_EXP2:
    case IR_LOG2:
    case IR_POW:
    case IR_SINCOS:
    case IR_IF:
    case IR_IFC:
    case IR_BREAKC:
    case IR_BREAKP:
    case IR_CALL:
        return 1;
    default:
        return mask;
    }
}
