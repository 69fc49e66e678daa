/* SPDX-License-Identifier: MIT */
/*
 * Flow: conditions, loops, subroutines. Blocks must be closed and calls only go forward, so that every program ends.
 * Source: docs/reference/shader-code.md, section 7.
 */
#include "shader/compile/compiler.h"

#include <string.h>

/* Boolean constant or component of p0, perhaps negated. */
static bool flow_condition(struct compiler *c, const struct shader_parameter *p, struct ir_source *out)
{
    if (!compiler_register(c, p, SREG_READ, 1))
        return false;
    if (p->type == SREG_BOOLEAN)
        c->program->booleans_read |= (uint16_t)(1u << p->number);
    else if (p->type != SREG_PREDICATE)
        return compiler_fail(c, "%s%u is not a condition", compiler_register_name(c, p), p->number);
    c->code->uses_predicate |= p->type == SREG_PREDICATE;
    *out = ir_register(p->type == SREG_BOOLEAN ? IR_BOOLEAN : IR_PREDICATE, p->number);
    out->swizzle = p->swizzle;
    out->modifiers = p->modifier == SMOD_NOT ? IR_NOT : 0;
    return true;
}

static bool comparison(struct compiler *c, struct ir_instruction *i)
{
    i->compare = c->instruction.control & 7;
    if (!shader_comparison_name(i->compare))
        return compiler_fail(c, "comparison %u", i->compare);
    for (unsigned k = 0; k < 2; k++)
        if (!compiler_source(c, &c->instruction.source[k], &i->source[k]))
            return false;
    return true;
}

static bool flow_open_block(struct compiler *c, struct ir_instruction *i, unsigned kind)
{
    static const uint8_t most[CODE_BLOCK_KINDS] = {CODE_MAX_IFS, CODE_MAX_IFS, CODE_MAX_LOOPS};
    static const char *const names[CODE_BLOCK_KINDS] = {"conditions on constants", "conditions", "loops"};

    if (c->nested[kind] == most[kind])
        return compiler_fail(c, "%s nested more than %u deep", names[kind], most[kind]);
    compiler_emit(c, i);
    c->nested[kind]++;
    c->block[c->depth++] = (struct compiler_block){
        .kind = i->op == IR_IFC ? IR_IF : i->op,
        .nesting = (uint8_t)kind,
        .at = c->code->count - 1,
        .body = c->code->count,
    };
    return !c->failed;
}

static bool open_loop(struct compiler *c, bool counted)
{
    const struct shader_parameter *p = &c->instruction.source[counted ? 1 : 0];
    struct ir_instruction i = {.op = counted ? IR_LOOP : IR_REP};

    if (counted && c->instruction.source[0].type != SREG_LOOP)
        return compiler_fail(c, "loop does not name aL");
    if (p->type != SREG_INTEGER || p->relative)
        return compiler_fail(c, "%s%u is not a loop count", compiler_register_name(c, p), p->number);
    if (!compiler_register(c, p, SREG_READ, 1))
        return false;
    c->program->integers_read |= (uint16_t)(1u << p->number);
    i.source[0] = ir_register(IR_INTEGER, p->number);
    return flow_open_block(c, &i, CODE_LOOP);
}

static bool flow_close_block(struct compiler *c)
{
    unsigned opcode = c->instruction.opcode;
    struct compiler_block *b = c->depth ? &c->block[c->depth - 1] : NULL;
    unsigned kind = b ? b->kind : IR_OP_COUNT;
    bool matches = opcode == SOP_ELSE      ? kind == IR_IF
                   : opcode == SOP_ENDIF   ? kind == IR_IF || kind == IR_ELSE
                   : opcode == SOP_ENDLOOP ? kind == IR_LOOP
                                           : kind == IR_REP;
    struct ir_instruction i = {.op = opcode == SOP_ELSE ? IR_ELSE : opcode == SOP_ENDIF ? IR_ENDIF : IR_ENDLOOP};

    if (!matches)
        return compiler_fail(c, "%s without its beginning", c->instruction.info->name);
    i.target = b->body;
    compiler_emit(c, &i);
    if (c->failed)
        return false;
    c->code->code[b->at].target = i.op == IR_ENDLOOP ? c->code->count : c->code->count - 1;
    b->at = c->code->count - 1;
    b->kind = IR_ELSE;
    if (i.op != IR_ELSE) {
        c->nested[b->nesting]--;
        c->depth--;
    }
    return true;
}

static bool leave_loop(struct compiler *c)
{
    static const uint8_t ops[] = {IR_BREAK, IR_BREAKC};
    unsigned opcode = c->instruction.opcode;
    struct ir_instruction i = {.op = opcode == SOP_BREAKP ? IR_BREAKP : ops[opcode - SOP_BREAK]};
    bool inside = false;

    for (unsigned b = 0; b < c->depth; b++)
        inside |= c->block[b].kind == IR_LOOP || c->block[b].kind == IR_REP;
    if (!inside)
        return compiler_fail(c, "break outside of loops");
    if (i.op == IR_BREAKC && !comparison(c, &i))
        return false;
    if (i.op == IR_BREAKP && !flow_condition(c, &c->instruction.source[0], &i.source[0]))
        return false;
    compiler_emit(c, &i);
    return true;
}

static bool label_number(struct compiler *c, unsigned *number)
{
    const struct shader_parameter *p = &c->instruction.source[0];

    if (p->type != SREG_LABEL || p->number >= CODE_MAX_LABELS)
        return compiler_fail(c, "%s%u is not a label", compiler_register_name(c, p), p->number);
    *number = p->number;
    return true;
}

static bool place_label(struct compiler *c)
{
    struct ir_instruction end = {.op = IR_RET};
    unsigned number = 0;

    if (!label_number(c, &number))
        return false;
    if (c->depth)
        return compiler_fail(c, "label inside a block");
    if (c->label[number])
        return compiler_fail(c, "label l%u a second time", number);
    compiler_emit(c, &end);
    c->label[number] = c->code->count + 1;
    c->level = c->label_level[number]; /* its calls precede it */
    c->conditional = true;
    memset(c->written, 0, CODE_TEMP_ROWS);
    return true;
}

/* The target is the label's number until all labels are known. */
static bool call(struct compiler *c)
{
    struct ir_instruction i = {.op = IR_CALL};
    unsigned number = 0;

    if (!label_number(c, &number))
        return false;
    if (c->label[number])
        return compiler_fail(c, "call back to label l%u", number);
    if (c->level == CODE_MAX_CALLS)
        return compiler_fail(c, "calls nested more than %u deep", CODE_MAX_CALLS);
    c->label_level[number] = (uint8_t)BASE_MAX(c->label_level[number], c->level + 1);
    if (c->instruction.opcode == SOP_CALLNZ && !flow_condition(c, &c->instruction.source[1], &i.source[0]))
        return false;
    i.target = number;
    compiler_emit(c, &i);
    return true;
}

bool lower_flow(struct compiler *c)
{
    struct ir_instruction i = {.op = IR_RET};

    switch (c->instruction.opcode) {
    case SOP_IF:
        i.op = IR_IF;
        return flow_condition(c, &c->instruction.source[0], &i.source[0]) &&
               flow_open_block(c, &i, i.source[0].file == IR_BOOLEAN ? CODE_IF_CONSTANT : CODE_IF_VALUE);
    case SOP_IFC:
        i.op = IR_IFC;
        return comparison(c, &i) && flow_open_block(c, &i, CODE_IF_VALUE);
    case SOP_LOOP:
        return open_loop(c, true);
    case SOP_REP:
        return open_loop(c, false);
    case SOP_BREAK:
    case SOP_BREAKC:
    case SOP_BREAKP:
        return leave_loop(c);
    case SOP_LABEL:
        return place_label(c);
    case SOP_CALL:
    case SOP_CALLNZ:
        return call(c);
    case SOP_RET:
        compiler_emit(c, &i);
        c->conditional = true;
        return true;
    default:
        return flow_close_block(c);
    }
}
