/* SPDX-License-Identifier: MIT */
/*
 * dcl, def, defi and defb: the meaning of a program's registers, and the constants that it defines. Sources:
 * docs/reference/shader-code.md, section 1; docs/reference/vertex-processing.md, section 4.
 */
#include "shader/compile/compiler.h"

#include <string.h>

static bool add_semantic(struct compiler *c, struct shader_semantic *list, unsigned *count)
{
    const struct shader_parameter *p = &c->instruction.destination;
    uint32_t usage = c->instruction.usage;

    if ((usage & 15) >= D3D_USAGE_COUNT)
        return compiler_fail(c, "usage %u", (unsigned)(usage & 15));
    if (*count == SHADER_MAX_SEMANTICS)
        return compiler_fail(c, "too many declarations");
    list[(*count)++] = (struct shader_semantic){.usage = usage & 15,
                                                .index = usage >> 16 & 15,
                                                .reg = (uint8_t)p->number,
                                                .mask = p->mask,
                                                .centroid = (p->modifier & SDST_CENTROID) != 0};
    return true;
}

bool compiler_declare(struct compiler *c)
{
    const struct shader_parameter *p = &c->instruction.destination;
    struct shader_program *program = c->program;
    bool vertex = c->reader.stage == SHADER_VERTEX;
    const struct shader_register_rule *rule = shader_register_rule(&c->reader, p->type);

    if (!rule || p->number >= rule->count || p->relative)
        return compiler_fail(c, "there is no register %s%u to declare", compiler_register_name(c, p), p->number);
    switch (p->type) {
    case SREG_SAMPLER:
        program->sampler_kind[p->number] = c->instruction.usage >> 27 & 15;
        return true;
    case SREG_INPUT:
        if (vertex || c->reader.major >= 3)
            return add_semantic(c, program->input, &program->input_count);
        compiler_imply_input(c, D3D_USAGE_COLOR, p->number, p->number)->centroid |= (p->modifier & SDST_CENTROID) != 0;
        return true;
    case SREG_TEXTURE:
        if (vertex)
            return compiler_fail(c, "a0 is not declared");
        compiler_imply_input(c, D3D_USAGE_TEXCOORD, p->number, CODE_INPUT_TEXCOORD + p->number)->centroid |=
            (p->modifier & SDST_CENTROID) != 0;
        return true;
    case SREG_TEXCOORD_OUT:
        if (vertex && c->reader.major >= 3)
            return add_semantic(c, program->output, &program->output_count);
        return compiler_fail(c, "oT%u is not declared", p->number);
    case SREG_MISC:
        return true;
    default:
        return compiler_fail(c, "%s%u is not declared", compiler_register_name(c, p), p->number);
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
        if (!compiler_reserve(c, (void **)&code->definitions, n, &code->definition_capacity, sizeof(*d)))
            return false;
        code->definition_count++;
    }
    code->definitions[n].index = (uint16_t)index;
    memcpy(code->definitions[n].value, c->instruction.data, sizeof(code->definitions[n].value));
    c->program->float_count = BASE_MAX(c->program->float_count, index + 1);
    return true;
}

bool compiler_define(struct compiler *c)
{
    const struct shader_parameter *p = &c->instruction.destination;
    const struct shader_register_rule *rule = shader_register_rule(&c->reader, p->type);
    struct shader_code *code = c->code;
    unsigned type = c->instruction.opcode == SOP_DEF    ? SREG_CONST
                    : c->instruction.opcode == SOP_DEFI ? SREG_INTEGER
                                                        : SREG_BOOLEAN;

    if (p->type != type || !rule || p->number >= rule->count || p->relative)
        return compiler_fail(c, "there is no register %s%u to define", compiler_register_name(c, p), p->number);
    if (type == SREG_CONST)
        return define_floats(c, p->number);
    if (type == SREG_INTEGER) {
        memcpy(code->integers[p->number], c->instruction.data, sizeof(code->integers[0]));
        code->integers_defined |= (uint16_t)(1u << p->number);
        return true;
    }
    code->booleans_defined |= (uint16_t)(1u << p->number);
    code->booleans &= (uint16_t) ~(1u << p->number);
    code->booleans |= (uint16_t)((c->instruction.data[0] != 0) << p->number);
    return true;
}
