/* SPDX-License-Identifier: MIT */
/*
 * Bytecode to IR: registers, declarations, definitions and flow; what a single instruction becomes is lower.c's and
 * lower_texture.c's. Everything that could make an executor leave its arrays is rejected here.
 * Source: reference shaders.md 1, 2, 7.
 */
#include "shader/compiler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USAGE_POSITION = 0, USAGE_PSIZE = 4, USAGE_TEXCOORD = 5, USAGE_COLOR = 10, USAGE_FOG = 11, USAGE_COUNT = 14 };

bool compiler_fail(struct compiler *c, const char *format, ...)
{
    char text[160];
    va_list args;

    if (c->failed)
        return false;
    c->failed = true;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return shader_fail(c->error, c->instruction.offset, "%s", text);
}

/* Room for one more element of a growing array. */
static bool reserve(struct compiler *c, void **array, unsigned count, unsigned *capacity, size_t size)
{
    unsigned bigger = *capacity ? *capacity * 2 : 32;
    void *moved;

    if (count < *capacity)
        return true;
    moved = mem_realloc(*array, bigger, size);
    if (!moved)
        return compiler_fail(c, "out of memory");
    *array = moved;
    *capacity = bigger;
    return true;
}

/* --- registers ----------------------------------------------------------------------------- */

static const char *register_name(struct compiler *c, const struct shader_parameter *p)
{
    return shader_register_name(c->reader.stage, c->reader.major, p);
}

bool compiler_register(struct compiler *c, const struct shader_parameter *p, unsigned access, unsigned count)
{
    const struct shader_register_rule *rule = shader_register_rule(&c->reader, p->type);

    if (!rule || p->number + count > rule->count)
        return compiler_fail(c, "there is no register %s%u", register_name(c, p), p->number + count - 1);
    if (access & ~rule->access)
        return compiler_fail(c, "%s%u cannot be %s", register_name(c, p), p->number,
                             access & SREG_WRITE ? "written" : "read");
    if (!p->relative)
        return true;
    if (!(rule->access & (access & SREG_WRITE ? SREG_INDEXED_WRITE : SREG_INDEXED_READ)) ||
        (p->relative_type == SREG_ADDRESS && c->reader.stage == SHADER_PIXEL) ||
        (p->relative_type == SREG_LOOP && c->reader.major < 2))
        return compiler_fail(c, "%s cannot be indexed so", register_name(c, p));
    return true;
}

static uint8_t relative_of(const struct shader_parameter *p)
{
    if (!p->relative)
        return IR_ABSOLUTE;
    return p->relative_type == SREG_LOOP ? IR_AL : (uint8_t)(IR_A0_X + p->relative_component);
}

/* Makes sure there is an input with this meaning (registers of models without dcl, and undeclared ones). */
static struct shader_semantic *imply_input(struct compiler *c, unsigned usage, unsigned index, unsigned reg)
{
    struct shader_program *program = c->program;
    unsigned i;

    for (i = 0; i < program->input_count; i++)
        if (program->input[i].reg == reg)
            return &program->input[i];
    i = BASE_MIN(i, SHADER_MAX_SEMANTICS - 1u);
    program->input_count = i + 1;
    program->input[i] = (struct shader_semantic){(uint8_t)usage, (uint8_t)index, (uint8_t)reg, 15, false};
    return &program->input[i];
}

static void note_constant(struct compiler *c, const struct shader_parameter *p, unsigned count)
{
    struct shader_program *program = c->program;

    program->float_count = BASE_MAX(program->float_count, p->number + count);
    program->relative_constants |= p->relative;
}

static bool place_source(struct compiler *c, const struct shader_parameter *p, struct ir_source *out)
{
    bool vertex = c->reader.stage == SHADER_VERTEX;

    *out = ir_register(IR_TEMP, p->number);
    out->relative = relative_of(p);
    switch (p->type) {
    case SREG_TEMP:
        return true;
    case SREG_INPUT:
        out->file = IR_INPUT;
        c->inputs_indexed |= p->relative;
        if (vertex)
            imply_input(c, SHADER_USAGE_NONE, 0, p->number);
        else if (c->reader.major < 3)
            imply_input(c, USAGE_COLOR, p->number, p->number);
        out->modifiers = c->reader.major == 1 && !vertex ? IR_SATURATE : 0;
        return true;
    case SREG_CONST:
        out->file = IR_CONSTANT;
        note_constant(c, p, 1);
        out->modifiers = c->reader.major == 1 && !vertex ? IR_CLAMP : 0;
        return true;
    case SREG_TEXTURE:
        if (c->version < 0x104 && (c->texture_written & (1u << p->number))) {
            out->index = (uint16_t)(CODE_TEMP_TEXTURE + p->number);
            return true;
        }
        out->file = IR_INPUT;
        out->index = (uint16_t)(CODE_INPUT_TEXCOORD + p->number);
        imply_input(c, USAGE_TEXCOORD, p->number, out->index);
        return true;
    case SREG_MISC:
        out->file = IR_PIXEL;
        if (p->number)
            c->program->reads_face = true;
        else
            c->program->reads_position = true;
        return true;
    default:
        return compiler_fail(c, "%s%u is no value", register_name(c, p), p->number);
    }
}

bool compiler_source(struct compiler *c, const struct shader_parameter *p, struct ir_source *out)
{
    static const uint16_t modifiers[SMOD_COUNT] = {
        [SMOD_NEGATE] = IR_NEGATE,
        [SMOD_BIAS] = IR_BIAS,
        [SMOD_NEGATE_BIAS] = IR_BIAS | IR_NEGATE,
        [SMOD_BX2] = IR_SIGNED,
        [SMOD_NEGATE_BX2] = IR_SIGNED | IR_NEGATE,
        [SMOD_COMPLEMENT] = IR_COMPLEMENT,
        [SMOD_X2] = IR_DOUBLE,
        [SMOD_NEGATE_X2] = IR_DOUBLE | IR_NEGATE,
        [SMOD_ABS] = IR_ABS,
        [SMOD_NEGATE_ABS] = IR_ABS | IR_NEGATE,
    };
    if (!compiler_register(c, p, SREG_READ, 1) || !place_source(c, p, out))
        return false;
    if (p->modifier == SMOD_DZ || p->modifier == SMOD_DW || p->modifier == SMOD_NOT)
        return compiler_fail(c, "source modifier that this instruction does not have");
    out->modifiers |= modifiers[p->modifier];
    out->swizzle = p->swizzle;
    return true;
}

/* Vertex outputs below 3.0 have fixed meanings. */
static void note_output(struct compiler *c, const struct shader_parameter *p, unsigned index, unsigned mask)
{
    static const uint8_t raster_usage[] = {USAGE_POSITION, USAGE_FOG, USAGE_PSIZE};
    struct shader_program *program = c->program;
    unsigned usage = p->type == SREG_RASTER_OUT      ? raster_usage[p->number]
                     : p->type == SREG_ATTRIBUTE_OUT ? (unsigned)USAGE_COLOR
                                                     : (unsigned)USAGE_TEXCOORD;

    for (unsigned i = 0; i < program->output_count; i++)
        if (program->output[i].reg == index) {
            program->output[i].mask |= (uint8_t)mask;
            return;
        }
    program->output[program->output_count++] =
        (struct shader_semantic){(uint8_t)usage, p->type == SREG_RASTER_OUT ? 0 : (uint8_t)p->number, (uint8_t)index,
                                 (uint8_t)mask, false};
}

static bool place_output(struct compiler *c, const struct shader_parameter *p, struct ir_destination *out)
{
    static const uint8_t first[] = {CODE_OUT_POSITION, CODE_OUT_COLOR, CODE_OUT_TEXCOORD};

    out->file = IR_OUTPUT;
    if (c->reader.stage == SHADER_VERTEX && c->reader.major < 3) {
        out->index = (uint16_t)(first[p->type - SREG_RASTER_OUT] + p->number);
        note_output(c, p, out->index, out->mask);
    }
    if (out->relative == IR_ABSOLUTE)
        c->program->outputs_written |= (uint16_t)(1u << out->index);
    else
        c->program->outputs_written |= 0xffff; /* trimmed to what is declared at the end */
    return true;
}

bool compiler_destination(struct compiler *c, const struct shader_parameter *p, struct ir_destination *out)
{
    if (!compiler_register(c, p, SREG_WRITE, 1))
        return false;
    if (p->shift < -3 || p->shift > 3)
        return compiler_fail(c, "result shift of %d", p->shift);
    *out = ir_target(IR_TEMP, p->number, p->mask);
    out->saturate = p->modifier & SDST_SATURATE;
    out->shift = p->shift;
    out->relative = relative_of(p);
    switch (p->type) {
    case SREG_TEMP:
        out->index = c->redirect ? CODE_TEMP_PAIR : out->index;
        return true;
    case SREG_TEXTURE: /* and a0 of vertex shaders */
        if (c->reader.stage == SHADER_VERTEX) {
            out->file = IR_ADDRESS;
            return true;
        }
        if (c->version >= 0x104)
            return compiler_fail(c, "t%u cannot be written", p->number);
        out->index = (uint16_t)(c->redirect ? CODE_TEMP_PAIR : CODE_TEMP_TEXTURE + p->number);
        c->texture_written |= (uint8_t)(1u << p->number);
        return true;
    case SREG_RASTER_OUT:
    case SREG_ATTRIBUTE_OUT:
    case SREG_TEXCOORD_OUT:
    case SREG_COLOR_OUT:
        return place_output(c, p, out);
    case SREG_DEPTH_OUT:
        out->file = IR_DEPTH;
        c->program->writes_depth = true;
        return true;
    default:
        out->file = IR_PREDICATE;
        c->code->uses_predicate = true;
        return true;
    }
}

struct ir_source compiler_immediate(struct compiler *c, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};
    struct shader_code *code = c->code;

    for (unsigned i = 0; i < code->immediate_count; i++)
        if (!memcmp(code->immediates[i], value, sizeof(value)))
            return ir_register(IR_IMMEDIATE, i);
    if (!reserve(c, (void **)&code->immediates, code->immediate_count, &code->immediate_capacity, sizeof(value)))
        return ir_register(IR_IMMEDIATE, 0);
    memcpy(code->immediates[code->immediate_count], value, sizeof(value));
    return ir_register(IR_IMMEDIATE, code->immediate_count++);
}

/* --- instructions -------------------------------------------------------------------------------- */

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

static void note_source(struct compiler *c, const struct ir_instruction *i, unsigned k)
{
    const struct ir_source *s = &i->source[k];
    unsigned needed = ir_components_read(i->op, k, i->destination.mask), read = 0;

    if (i->op == IR_TEX && k == 0 && !i->project && i->lod != RASTER_LOD_BIASED && i->lod != RASTER_LOD_GIVEN &&
        !i->stage_project)
        needed = c->program->sampler_kind[i->sampler] == 2 ? 3 : 7;
    for (unsigned n = 0; n < 4; n++)
        if (needed & (1u << n))
            read |= 1u << (s->swizzle >> 2 * n & 3);
    if (s->file == IR_TEMP && (read & ~(unsigned)c->written[s->index]))
        c->code->zero_temps |= 1ull << s->index;
    if (s->file == IR_INPUT)
        c->input_read[s->index] |= (uint8_t)read;
}

static void note_destination(struct compiler *c, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;
    bool certain = !c->depth && !c->conditional && !i->predicate && !d->relative;

    if (i->op == IR_KILL) /* has a mask only */
        return;
    if (d->file == IR_TEMP && (certain || d->index >= CODE_TEMP_ROWS))
        c->written[d->index] |= d->mask;
    if (d->file == IR_OUTPUT && certain)
        c->output_written[d->index] |= d->mask;
}

void compiler_emit(struct compiler *c, const struct ir_instruction *instruction)
{
    struct shader_code *code = c->code;
    struct ir_instruction *i;
    unsigned count = ir_source_count(instruction->op);

    if (instruction->op == IR_TEX && instruction->lod == RASTER_LOD_GRADIENTS)
        count = 3;
    if (instruction->op <= IR_PROJECT && !instruction->destination.mask)
        return;
    if (code->count >= CODE_MAX_INSTRUCTIONS) {
        compiler_fail(c, "more than %u instructions", CODE_MAX_INSTRUCTIONS);
        return;
    }
    if (!reserve(c, (void **)&code->code, code->count, &code->capacity, sizeof(*i)))
        return;
    i = &code->code[code->count++];
    *i = *instruction;
    if (c->instruction.predicated && !(i->destination.file == IR_TEMP && i->destination.index >= CODE_TEMP_ROWS)) {
        i->predicate = c->instruction.predicate.modifier == SMOD_NOT ? IR_IF_CLEAR : IR_IF_SET;
        i->predicate_swizzle = c->instruction.predicate.swizzle;
        code->uses_predicate = true;
    }
    for (unsigned k = 0; k < count; k++)
        note_source(c, i, k);
    note_destination(c, i);
}

/* --- declarations and definitions -------------------------------------------------------------------- */

static bool add_semantic(struct compiler *c, struct shader_semantic *list, unsigned *count)
{
    const struct shader_parameter *p = &c->instruction.destination;
    uint32_t usage = c->instruction.usage;

    if ((usage & 15) >= USAGE_COUNT)
        return compiler_fail(c, "usage %u", (unsigned)(usage & 15));
    if (*count == SHADER_MAX_SEMANTICS)
        return compiler_fail(c, "too many declarations");
    list[(*count)++] = (struct shader_semantic){usage & 15, usage >> 16 & 15, (uint8_t)p->number, p->mask,
                                                (p->modifier & SDST_CENTROID) != 0};
    return true;
}

static bool declare(struct compiler *c)
{
    const struct shader_parameter *p = &c->instruction.destination;
    struct shader_program *program = c->program;
    bool vertex = c->reader.stage == SHADER_VERTEX;
    const struct shader_register_rule *rule = shader_register_rule(&c->reader, p->type);

    if (!rule || p->number >= rule->count || p->relative)
        return compiler_fail(c, "there is no register %s%u to declare", register_name(c, p), p->number);
    switch (p->type) {
    case SREG_SAMPLER:
        program->sampler_kind[p->number] = c->instruction.usage >> 27 & 15;
        return true;
    case SREG_INPUT:
        if (vertex || c->reader.major >= 3)
            return add_semantic(c, program->input, &program->input_count);
        imply_input(c, USAGE_COLOR, p->number, p->number)->centroid |= (p->modifier & SDST_CENTROID) != 0;
        return true;
    case SREG_TEXTURE:
        if (vertex)
            return compiler_fail(c, "a0 is not declared");
        imply_input(c, USAGE_TEXCOORD, p->number, CODE_INPUT_TEXCOORD + p->number)->centroid |=
            (p->modifier & SDST_CENTROID) != 0;
        return true;
    case SREG_TEXCOORD_OUT:
        if (vertex && c->reader.major >= 3)
            return add_semantic(c, program->output, &program->output_count);
        return compiler_fail(c, "oT%u is not declared", p->number);
    case SREG_MISC:
        return true;
    default:
        return compiler_fail(c, "%s%u is not declared", register_name(c, p), p->number);
    }
}

static bool define_floats(struct compiler *c, unsigned index)
{
    struct shader_code *code = c->code;
    struct code_definition *d = code->definitions;
    unsigned n;

    for (n = 0; n < code->definition_count; n++)
        if (d[n].index == index)
            break;
    if (n == code->definition_count) {
        if (!reserve(c, (void **)&code->definitions, n, &code->definition_capacity, sizeof(*d)))
            return false;
        code->definition_count++;
    }
    code->definitions[n].index = (uint16_t)index;
    memcpy(code->definitions[n].value, c->instruction.data, sizeof(code->definitions[n].value));
    c->program->float_count = BASE_MAX(c->program->float_count, index + 1);
    return true;
}

static bool define(struct compiler *c)
{
    const struct shader_parameter *p = &c->instruction.destination;
    const struct shader_register_rule *rule = shader_register_rule(&c->reader, p->type);
    struct shader_code *code = c->code;
    unsigned type = c->instruction.opcode == SOP_DEF    ? SREG_CONST
                    : c->instruction.opcode == SOP_DEFI ? SREG_INTEGER
                                                        : SREG_BOOLEAN;

    if (p->type != type || !rule || p->number >= rule->count || p->relative)
        return compiler_fail(c, "there is no register %s%u to define", register_name(c, p), p->number);
    if (type == SREG_CONST)
        return define_floats(c, p->number);
    if (type == SREG_INTEGER) {
        memcpy(code->integers[p->number], c->instruction.data, sizeof(code->integers[0]));
        code->integers_defined |= (uint16_t)(1u << p->number);
        return true;
    }
    code->booleans_defined |= (uint16_t)(1u << p->number);
    code->booleans &= (uint16_t)~(1u << p->number);
    code->booleans |= (uint16_t)((c->instruction.data[0] != 0) << p->number);
    return true;
}

/* --- flow ------------------------------------------------------------------------------------------------ */

/* Boolean constant or component of p0, perhaps negated. */
static bool condition(struct compiler *c, const struct shader_parameter *p, struct ir_source *out)
{
    if (!compiler_register(c, p, SREG_READ, 1))
        return false;
    if (p->type == SREG_BOOLEAN)
        c->program->booleans_read |= (uint16_t)(1u << p->number);
    else if (p->type != SREG_PREDICATE)
        return compiler_fail(c, "%s%u is no condition", register_name(c, p), p->number);
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

static bool open_block(struct compiler *c, struct ir_instruction *i)
{
    if (c->depth == CODE_MAX_BLOCKS)
        return compiler_fail(c, "blocks nested more than %u deep", CODE_MAX_BLOCKS);
    compiler_emit(c, i);
    c->block[c->depth++] = (struct compiler_block){i->op == IR_IFC ? IR_IF : i->op, c->code->count - 1, c->code->count};
    return !c->failed;
}

static bool open_loop(struct compiler *c, bool counted)
{
    const struct shader_parameter *p = &c->instruction.source[counted ? 1 : 0];
    struct ir_instruction i = {.op = counted ? IR_LOOP : IR_REP};

    if (counted && c->instruction.source[0].type != SREG_LOOP)
        return compiler_fail(c, "loop does not name aL");
    if (p->type != SREG_INTEGER || p->relative)
        return compiler_fail(c, "%s%u is no loop count", register_name(c, p), p->number);
    if (!compiler_register(c, p, SREG_READ, 1))
        return false;
    c->program->integers_read |= (uint16_t)(1u << p->number);
    i.source[0] = ir_register(IR_INTEGER, p->number);
    return open_block(c, &i);
}

static bool close_block(struct compiler *c)
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
    c->depth -= i.op != IR_ELSE;
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
    if (i.op == IR_BREAKP && !condition(c, &c->instruction.source[0], &i.source[0]))
        return false;
    compiler_emit(c, &i);
    return true;
}

static bool label_number(struct compiler *c, unsigned *number)
{
    const struct shader_parameter *p = &c->instruction.source[0];

    if (p->type != SREG_LABEL || p->number >= CODE_MAX_LABELS)
        return compiler_fail(c, "%s%u is no label", register_name(c, p), p->number);
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
    c->conditional = true;
    memset(c->written, 0, CODE_TEMP_ROWS);
    return true;
}

/* The target stays the label's number until all labels are known. */
static bool call(struct compiler *c)
{
    struct ir_instruction i = {.op = IR_CALL};
    unsigned number = 0;

    if (!label_number(c, &number))
        return false;
    if (c->label[number])
        return compiler_fail(c, "call back to label l%u", number);
    if (c->instruction.opcode == SOP_CALLNZ && !condition(c, &c->instruction.source[1], &i.source[0]))
        return false;
    i.target = number;
    compiler_emit(c, &i);
    return true;
}

static bool flow(struct compiler *c)
{
    struct ir_instruction i = {.op = IR_RET};

    switch (c->instruction.opcode) {
    case SOP_IF:
        i.op = IR_IF;
        return condition(c, &c->instruction.source[0], &i.source[0]) && open_block(c, &i);
    case SOP_IFC:
        i.op = IR_IFC;
        return comparison(c, &i) && open_block(c, &i);
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
        return close_block(c);
    }
}

/* --- the whole --------------------------------------------------------------------------------------------- */

/* Does the next instruction run together with this one and read what this one writes? */
static bool pair_reads_result(const struct compiler *c)
{
    struct shader_reader ahead = c->reader;
    struct shader_instruction next;

    if (c->reader.stage != SHADER_PIXEL || c->reader.major != 1 || !c->instruction.has_destination)
        return false;
    if (!shader_read(&ahead, &next, NULL) || !next.coissue || c->instruction.info->flags & SOPF_TEXTURE)
        return false;
    for (unsigned k = 0; k < next.source_count; k++)
        if (next.source[k].type == c->instruction.destination.type &&
            next.source[k].number == c->instruction.destination.number)
            return true;
    /* the condition of cnd is r0 */
    return false;
}

static bool compile_instruction(struct compiler *c)
{
    const struct shader_opcode_info *info = c->instruction.info;

    if (!info || c->instruction.opcode == SOP_NOP) /* phase */
        return true;
    if (c->instruction.predicated) {
        if (!compiler_register(c, &c->instruction.predicate, SREG_READ, 1))
            return false;
        if (info->flags & (SOPF_FLOW | SOPF_DEFINITION))
            return compiler_fail(c, "%s cannot be predicated", info->name);
    }
    if (c->instruction.opcode == SOP_DCL)
        return declare(c);
    if (info->flags & SOPF_DEFINITION)
        return define(c);
    c->program->instruction_count++;
    if (info->flags & SOPF_FLOW)
        return flow(c);
    return info->flags & SOPF_TEXTURE ? lower_texture(c) : lower_arithmetic(c);
}

static bool compile_code(struct compiler *c)
{
    struct ir_destination held = {0};
    bool holds = false;

    for (;;) {
        if (!shader_read(&c->reader, &c->instruction, c->error))
            return false;
        if (c->instruction.opcode == SOP_END)
            return true;
        c->redirect = !holds && pair_reads_result(c);
        if (!compile_instruction(c) || c->failed)
            return false;
        if (holds)
            COMPILER_EMIT(c, IR_MOV, held, ir_register(IR_TEMP, CODE_TEMP_PAIR));
        holds = c->redirect;
        if (holds) {
            unsigned base = c->instruction.destination.type == SREG_TEMP ? 0 : CODE_TEMP_TEXTURE;

            held = ir_target(IR_TEMP, base + c->instruction.destination.number, c->instruction.destination.mask);
        }
    }
}

static bool resolve_calls(struct compiler *c)
{
    for (unsigned i = 0; i < c->code->count; i++) {
        struct ir_instruction *call = &c->code->code[i];

        if (call->op != IR_CALL)
            continue;
        if (!c->label[call->target])
            return compiler_fail(c, "there is no label l%u", (unsigned)call->target);
        call->target = c->label[call->target] - 1;
    }
    return true;
}

/* Initial values of outputs by meaning. Source: reference shaders.md 6, uninitialised outputs. */
static void initial_outputs(struct compiler *c, bool branches)
{
    struct shader_program *program = c->program;
    struct shader_code *code = c->code;
    uint16_t declared = 0;

    for (unsigned i = 0; i < program->output_count; i++) {
        const struct shader_semantic *s = &program->output[i];

        declared |= (uint16_t)(1u << s->reg);
        if (s->usage == USAGE_COLOR && s->index == 0)
            code->output_one[s->reg] |= c->reader.major < 3 ? 15 : s->mask;
        else if (s->usage == USAGE_TEXCOORD)
            code->output_one[s->reg] |= 8 & (c->reader.major < 3 ? 15 : s->mask);
    }
    if (c->reader.stage == SHADER_PIXEL)
        declared = program->outputs_written;
    program->outputs_written &= declared;
    for (unsigned i = 0; i < SHADER_MAX_OUTPUTS; i++)
        if ((declared & (1u << i)) && (branches || c->output_written[i] != 15))
            code->init_outputs |= (uint16_t)(1u << i);
}

/* Pixel inputs: only what is read is interpolated. */
static void trim_inputs(struct compiler *c)
{
    struct shader_program *program = c->program;
    unsigned kept = 0;

    for (unsigned i = 0; i < SHADER_MAX_INPUTS; i++) {
        if (c->inputs_indexed)
            c->input_read[i] = 15;
        if (c->input_read[i])
            c->code->inputs_fetched |= (uint16_t)(1u << i);
    }
    for (unsigned i = 0; i < program->input_count; i++) {
        struct shader_semantic s = program->input[i];

        if (c->reader.stage == SHADER_PIXEL)
            s.mask &= c->input_read[s.reg];
        if (s.mask && c->input_read[s.reg])
            program->inputs_read |= (uint16_t)(1u << s.reg);
        if (s.mask || c->reader.stage == SHADER_VERTEX)
            program->input[kept++] = s;
    }
    program->input_count = kept;
}

static bool finish(struct compiler *c)
{
    struct ir_instruction end = {.op = IR_RET};
    bool branches = false;

    memset(&c->instruction, 0, sizeof(c->instruction));
    c->instruction.offset = c->reader.offset;
    if (c->depth)
        return compiler_fail(c, "a block is not closed");
    if (c->reader.stage == SHADER_PIXEL && c->reader.major == 1) {
        COMPILER_EMIT(c, IR_MOV, ir_target(IR_OUTPUT, 0, 15), ir_register(IR_TEMP, 0));
        c->program->outputs_written = 1;
    }
    compiler_emit(c, &end);
    end.op = IR_END;
    compiler_emit(c, &end);
    if (c->failed || !resolve_calls(c))
        return false;
    for (unsigned i = 0; i + 2 < c->code->count; i++)
        branches |= c->code->code[i].op >= IR_IF;
    branches |= c->code->count > SHADER_MAX_EXECUTED;
    initial_outputs(c, branches);
    trim_inputs(c);
    c->program->integers_read &= (uint16_t)~c->code->integers_defined;
    c->program->booleans_read &= (uint16_t)~c->code->booleans_defined;
    return true;
}

struct shader_program *shader_compile(const uint32_t *tokens, size_t count, struct shader_error *error)
{
    struct shader_program *program = mem_calloc(1, sizeof(*program));
    struct compiler *c = mem_calloc(1, sizeof(*c));

    if (program)
        program->code = mem_calloc(1, sizeof(*program->code));
    if (!program || !c || !program->code) {
        shader_fail(error, 0, "out of memory");
        goto fail;
    }
    c->program = program;
    c->code = program->code;
    c->error = error;
    if (!shader_reader_init(&c->reader, tokens, count, error))
        goto fail;
    c->version = shader_version(&c->reader);
    program->stage = c->reader.stage;
    program->major = c->reader.major;
    program->minor = c->reader.minor;
    if (!compile_code(c) || !finish(c))
        goto fail;
    free(c);
    return program;
fail:
    free(c);
    shader_destroy(program);
    return NULL;
}

void shader_destroy(struct shader_program *program)
{
    if (!program)
        return;
    if (program->code) {
        free(program->code->code);
        free(program->code->definitions);
        free(program->code->immediates);
    }
    free(program->code);
    free(program);
}

int shader_print_ir(const struct shader_program *program, char *text, size_t size)
{
    size_t used = 0;

    for (unsigned i = 0; i < program->code->count; i++) {
        size_t at = used < size ? used : size;

        used += (size_t)snprintf(text + at, size - at, "%4u  ", i);
        at = used < size ? used : size;
        used += (size_t)ir_print_instruction(text + at, size - at, &program->code->code[i]);
    }
    return (int)used;
}
