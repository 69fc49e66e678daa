/* SPDX-License-Identifier: MIT */
/* What the rasterizer may know of a pixel program to leave work out. */
#include "shader/code.h"

/* Does the instruction copy components of one input to the same ones of colour 0? Saturated or not, here and there. */
static bool copies_input(const struct ir_instruction *i, unsigned input)
{
    const struct ir_destination *d = &i->destination;
    const struct ir_source *s = &i->source[0];

    if (i->op != IR_MOV || i->predicate || d->file != IR_OUTPUT || d->index || d->relative || d->shift)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (d->mask >> c & 1 && (s->swizzle >> 2 * c & 3) != c)
            return false;
    return s->file == IR_INPUT && s->index == input && !s->relative && !(s->modifiers & ~(unsigned)IR_SATURATE);
}

unsigned shader_passed_input(const struct shader_program *program)
{
    const struct shader_code *code = program->code;
    const unsigned input = code->count ? code->code[0].source[0].index : 0;
    unsigned written = 0, n = 0;

    for (; n < code->count && copies_input(&code->code[n], input); n++)
        written |= code->code[n].destination.mask;
    if (written != 15 || program->outputs_written != 1)
        return SHADER_NO_INPUT;
    for (; n < code->count; n++)
        if (code->code[n].op != IR_RET && code->code[n].op != IR_END)
            return SHADER_NO_INPUT;
    for (unsigned k = 0; k < program->input_count; k++)
        if (program->input[k].reg == input && program->input[k].mask == 15)
            return k;
    return SHADER_NO_INPUT;
}

bool shader_reads_inputs_alone(const struct shader_program *program)
{
    return !program->samplers && !program->reads_position && !program->writes_depth;
}
