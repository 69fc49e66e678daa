/* SPDX-License-Identifier: MIT */
/*
 * Programs that the driver generates itself, from IR instead of bytecode: the texture-stage cascade and fixed-function
 * vertex processing.
 */
#include "shader/code.h"
#include "shader/ir/optimize.h"

#include <stdlib.h>
#include <string.h>

/* Records the reads of an instruction: input registers, constants, temporaries not written before.
 * */
static void build_note_source(struct shader_program *program, const struct ir_instruction *i, unsigned k,
                              const uint8_t written[CODE_TEMP_COUNT], uint8_t input_read[SHADER_MAX_INPUTS])
{
    const struct ir_source *s = &i->source[k];
    unsigned needed = ir_components_read((enum ir_op)i->op, k, i->destination.mask), read = 0;

    for (unsigned c = 0; c < 4; c++)
        read |= needed & (1u << c) ? 1u << (s->swizzle >> 2 * c & 3) : 0;
    if (s->file == IR_INPUT)
        input_read[s->index] |= (uint8_t)read;
    if (s->file == IR_CONSTANT) {
        program->float_count = BASE_MAX(program->float_count, s->index + 1u);
        program->relative_constants |= s->relative != IR_ABSOLUTE;
    }
    if (s->file == IR_TEMP && (read & ~(unsigned)written[s->index]))
        program->code->zero_temps |= 1ull << s->index;
}

static void note_instructions(struct shader_program *program)
{
    struct shader_code *code = program->code;
    uint8_t written[CODE_TEMP_COUNT] = {0}, input_read[SHADER_MAX_INPUTS] = {0};

    for (unsigned n = 0; n < code->count; n++) {
        const struct ir_instruction *i = &code->code[n];
        const struct ir_destination *d = &i->destination;

        for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++)
            build_note_source(program, i, k, written, input_read);
        if (d->file == IR_TEMP)
            written[d->index] |= d->mask;
        if (d->file == IR_OUTPUT)
            program->outputs_written |= (uint16_t)(1u << d->index);
        if (i->op == IR_TEX)
            program->samplers |= (uint16_t)(1u << i->sampler);
    }
    for (unsigned r = 0; r < SHADER_MAX_INPUTS; r++)
        if (input_read[r]) {
            program->inputs_read |= (uint16_t)(1u << r);
            program->input[program->input_count++] =
                (struct shader_semantic){.usage = SHADER_USAGE_NONE, .reg = (uint8_t)r, .mask = input_read[r]};
        }
    code->inputs_fetched = program->inputs_read;
}

/* Constant 0, for constant folding. */
static bool optimize_with(struct shader_code *code, const float constant[4])
{
    code->definitions = mem_calloc(1, sizeof(*code->definitions));
    if (!code->definitions)
        return false;
    code->definition_count = code->definition_capacity = 1;
    memcpy(code->definitions[0].value, constant, sizeof(code->definitions[0].value));
    return optimize_code(code);
}

struct shader_program *shader_from_ir(enum shader_stage stage, const struct ir_instruction *code, unsigned count,
                                      const float constant[4])
{
    struct shader_program *program = mem_calloc(1, sizeof(*program));

    if (!program)
        return NULL;
    program->stage = stage;
    program->major = 1;
    program->code = mem_calloc(1, sizeof(*program->code));
    if (program->code)
        program->code->code = mem_calloc(BASE_MAX(count, 1u), sizeof(*code));
    if (!program->code || !program->code->code)
        goto fail;
    memcpy(program->code->code, code, count * sizeof(*code));
    program->code->count = program->code->capacity = count;
    program->code->is_fixed = true;
    if (constant && !optimize_with(program->code, constant))
        goto fail;
    program->instruction_count = program->code->count;
    note_instructions(program);
    if (!plan_build(&program->code->plan, program->code->code, program->code->count) || !narrow_build(program))
        goto fail;
    shader_note_cost(program);
    return program;
fail:
    shader_destroy(program);
    return NULL;
}
