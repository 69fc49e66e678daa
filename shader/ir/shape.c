/* SPDX-License-Identifier: MIT */
/* Tells the rasterizer properties of a pixel program that allow it to skip work. */
#include "shader/code.h"
#include "shader/run/lane_math.h"

/* Programs that only copy are short. */
#define LONGEST 16

/* Does the program only compute colour 0, in a few consecutive instructions? (Texture reads do not qualify, because
 * feedback maps may record them.) */
static bool is_short_and_straight(const struct shader_program *program)
{
    const struct shader_code *code = program->code;
    unsigned n = 0;

    while (n < code->count && code->code[n].op < IR_KILL && code->code[n].op != IR_TEX)
        n++;
    for (unsigned end = n; end < code->count; end++)
        if (code->code[end].op != IR_RET && code->code[end].op != IR_END)
            return false;
    return n && n <= LONGEST && program->outputs_written == 1 && !program->kills && !program->writes_depth;
}

static bool is_copy(const struct ir_instruction *i)
{
    return i->op == IR_MOV && !i->predicate && !i->destination.relative && !i->destination.shift &&
           !i->source[0].relative;
}

/* The original source from which component *c of colour 0 is copied, and its component. NULL: it is not a copy, or it
 * changes on the way by more than clamping to 0..1. */
static const struct ir_source *origin_of(const struct shader_code *code, unsigned *c)
{
    unsigned file = IR_OUTPUT, index = 0;

    for (unsigned n = code->count; n--;) {
        const struct ir_instruction *i = &code->code[n];
        const struct ir_destination *d = &i->destination;
        const struct ir_source *s = &i->source[0];

        if (i->op > IR_KILL || d->file != file || (d->index != index && !d->relative) || !(d->mask >> *c & 1))
            continue;
        if (!is_copy(i))
            return NULL;
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

unsigned shader_copied_components(const struct shader_binding *binding, struct shader_copies *copies)
{
    const struct shader_program *program = binding->program;
    unsigned copied = 0;

    *copies = (struct shader_copies){.input = SHADER_NO_INPUT};
    if (!is_short_and_straight(program))
        return 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = c;
        const struct ir_source *s = origin_of(program->code, &from);

        if (s && (s->file == IR_INPUT ? from == c && add_input(program, s, c, copies)
                                      : find_constant(binding, s, from, &copies->constant[c])))
            copied |= 1u << c;
    }
    return copied;
}

bool shader_reads_inputs_alone(const struct shader_program *program)
{
    return !program->samplers && !program->reads_position && !program->writes_depth;
}
