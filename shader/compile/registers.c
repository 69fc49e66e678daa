/* SPDX-License-Identifier: MIT */
/*
 * Maps bytecode registers to IR registers: checks that they exist, applies modifiers, and records the registers that a
 * program reads and writes. Rejects registers that could make an executor leave its arrays. Source:
 * docs/reference/shader-code.md, sections 1, 4 and 5.
 */
#include "shader/compile/compiler.h"

#include <string.h>

const char *compiler_register_name(struct compiler *c, const struct shader_parameter *p)
{
    return shader_register_name(c->reader.stage, c->reader.major, p);
}

bool compiler_register(struct compiler *c, const struct shader_parameter *p, unsigned access, unsigned count)
{
    const struct shader_register_rule *rule = shader_register_rule(&c->reader, p->type);
    unsigned there = p->type == SREG_TEMP ? SHADER_MAX_TEMPS : rule ? rule->count : 0;

    if (!rule || p->number + count > there)
        return compiler_fail(c, "there is no register %s%u", compiler_register_name(c, p), p->number + count - 1);
    if (access & ~rule->access)
        return compiler_fail(c, "%s%u cannot be %s", compiler_register_name(c, p), p->number,
                             access & SREG_WRITE ? "written" : "read");
    if (!p->relative)
        return true;
    if (!(rule->access & (access & SREG_WRITE ? SREG_INDEXED_WRITE : SREG_INDEXED_READ)) ||
        (p->relative_type == SREG_ADDRESS && c->reader.stage == SHADER_PIXEL) ||
        (p->relative_type == SREG_LOOP && c->reader.major < 2))
        return compiler_fail(c, "%s cannot be indexed so", compiler_register_name(c, p));
    return true;
}

static uint8_t relative_of(const struct shader_parameter *p)
{
    if (!p->relative)
        return IR_ABSOLUTE;
    return p->relative_type == SREG_LOOP ? IR_AL : (uint8_t)(IR_A0_X + p->relative_component);
}

struct shader_semantic *compiler_imply_input(struct compiler *c, unsigned usage, unsigned index, unsigned reg)
{
    struct shader_program *program = c->program;
    unsigned i;

    for (i = 0; i < program->input_count; i++)
        if (program->input[i].reg == reg)
            return &program->input[i];
    i = BASE_MIN(i, SHADER_MAX_SEMANTICS - 1u);
    program->input_count = i + 1;
    program->input[i] =
        (struct shader_semantic){.usage = (uint8_t)usage, .index = (uint8_t)index, .reg = (uint8_t)reg, .mask = 15};
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
            compiler_imply_input(c, SHADER_USAGE_NONE, 0, p->number);
        else if (c->reader.major < 3)
            compiler_imply_input(c, D3D_USAGE_COLOR, p->number, p->number);
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
        compiler_imply_input(c, D3D_USAGE_TEXCOORD, p->number, out->index);
        return true;
    case SREG_MISC:
        out->file = IR_PIXEL;
        if (p->number)
            c->program->reads_face = true;
        else
            c->program->reads_position = true;
        return true;
    default:
        return compiler_fail(c, "%s%u is not a value", compiler_register_name(c, p), p->number);
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
    if (p->modifier == SMOD_NOT)
        return compiler_fail(c, "source modifier that this instruction does not have");
    /* Only texld and texcrd handle _dz and _dw (lower_texture.c); other instructions read the value unchanged. */
    out->modifiers |= modifiers[p->modifier];
    out->swizzle = p->swizzle;
    return true;
}

/* Vertex outputs below 3.0 have fixed meanings. */
static void note_output(struct compiler *c, const struct shader_parameter *p, unsigned index, unsigned mask)
{
    static const uint8_t raster_usage[] = {D3D_USAGE_POSITION, D3D_USAGE_FOG, D3D_USAGE_PSIZE};
    struct shader_program *program = c->program;
    unsigned usage = p->type == SREG_RASTER_OUT      ? raster_usage[p->number]
                     : p->type == SREG_ATTRIBUTE_OUT ? (unsigned)D3D_USAGE_COLOR
                                                     : (unsigned)D3D_USAGE_TEXCOORD;

    for (unsigned i = 0; i < program->output_count; i++)
        if (program->output[i].reg == index) {
            program->output[i].mask |= (uint8_t)mask;
            return;
        }
    program->output[program->output_count++] =
        (struct shader_semantic){.usage = (uint8_t)usage,
                                 .index = p->type == SREG_RASTER_OUT ? 0 : (uint8_t)p->number,
                                 .reg = (uint8_t)index,
                                 .mask = (uint8_t)mask};
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
        c->program->outputs_written |= 0xffff; /* reduced to the declared outputs at the end */
    return true;
}

bool compiler_destination(struct compiler *c, const struct shader_parameter *p, struct ir_destination *out)
{
    if (!compiler_register(c, p, SREG_WRITE, 1))
        return false;
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
    if (!compiler_reserve(c, (void **)&code->immediates, code->immediate_count, &code->immediate_capacity,
                          sizeof(value)))
        return ir_register(IR_IMMEDIATE, 0);
    memcpy(code->immediates[code->immediate_count], value, sizeof(value));
    return ir_register(IR_IMMEDIATE, code->immediate_count++);
}
