/* SPDX-License-Identifier: MIT */
/* Tells the rasterizer what it may know of a pixel program to leave work out. */
#include "shader/code.h"
#include "shader/run/lane_math.h"

/* Programs that only copy are short. */
#define LONGEST 16

static bool is_copy(const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;

    return i->op == IR_MOV && !i->predicate && !d->relative && !d->shift && !i->source[0].relative &&
           (d->file == IR_TEMP || (d->file == IR_OUTPUT && !d->index));
}

/* The instructions of a program that are copies. 0: it has others. */
static unsigned count_copies(const struct shader_code *code)
{
    unsigned copies = 0;

    while (copies < code->count && is_copy(&code->code[copies]))
        copies++;
    for (unsigned n = copies; n < code->count; n++)
        if (code->code[n].op != IR_RET && code->code[n].op != IR_END)
            return 0;
    return copies <= LONGEST ? copies : 0;
}

/* Where the copies take component *c of colour 0 from in the end, and which component that is.
 * NULL: from nowhere, or it changes on the way by more than being clamped to 0..1. */
static const struct ir_source *origin_of(const struct ir_instruction *copies, unsigned count, unsigned *c)
{
    unsigned file = IR_OUTPUT, index = 0;

    while (count--) {
        const struct ir_destination *d = &copies[count].destination;
        const struct ir_source *s = &copies[count].source[0];

        if (d->file != file || d->index != index || !(d->mask >> *c & 1))
            continue;
        *c = s->swizzle >> 2 * *c & 3;
        if (s->file != IR_TEMP)
            return s;
        if (s->modifiers & ~(unsigned)IR_SATURATE)
            return NULL;
        file = IR_TEMP;
        index = s->index;
    }
    return NULL;
}

/* The entry of program->input that holds component c of an input register. */
static unsigned entry_of(const struct shader_program *program, unsigned reg, unsigned c)
{
    for (unsigned k = 0; k < program->input_count; k++)
        if (program->input[k].reg == reg && program->input[k].mask >> c & 1)
            return k;
    return SHADER_NO_INPUT;
}

static bool add_input(const struct shader_program *program, const struct ir_source *s, unsigned c,
                      struct shader_copies *copies)
{
    const unsigned entry = entry_of(program, s->index, c);

    if (s->modifiers & ~(unsigned)IR_SATURATE || entry == SHADER_NO_INPUT ||
        (copies->components && copies->input != entry))
        return false;
    copies->input = (uint8_t)entry;
    copies->components |= (uint8_t)(1u << c);
    return true;
}

static bool find_constant(const struct shader_binding *binding, const struct ir_source *s, unsigned from, float *value)
{
    switch (s->file) {
    case IR_CONSTANT:
        *value = s->index < binding->float_count ? binding->floats[s->index][from] : 0.0f;
        break;
    case IR_IMMEDIATE:
        *value = binding->program->code->immediates[s->index][from];
        break;
    default:
        return false;
    }
    *value = lane_modify(s->modifiers, *value);
    return true;
}

bool shader_only_copies(const struct shader_binding *binding, struct shader_copies *copies)
{
    const struct shader_program *program = binding->program;
    const unsigned count = count_copies(program->code);

    *copies = (struct shader_copies){.input = SHADER_NO_INPUT};
    if (!count || program->outputs_written != 1)
        return false;
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = c;
        const struct ir_source *s = origin_of(program->code->code, count, &from);

        if (!s)
            return false;
        if (s->file == IR_INPUT ? from != c || !add_input(program, s, c, copies)
                                : !find_constant(binding, s, from, &copies->constant[c]))
            return false;
    }
    return true;
}

bool shader_reads_inputs_alone(const struct shader_program *program)
{
    return !program->samplers && !program->reads_position && !program->writes_depth;
}
