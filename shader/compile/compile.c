/* SPDX-License-Identifier: MIT */
/*
 * Bytecode to IR: walks the instructions, and completes the program's tables at the end. Other parts: emit.c,
 * registers.c, declare.c, lower.c, lower_flow.c, lower_texture.c. Source: docs/reference/shader-code.md, sections 1, 4
 * and 7.
 */
#include "shader/compile/compiler.h"
#include "shader/ir/optimize.h"
#include "shader/jit/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return compiler_declare(c);
    if (info->flags & SOPF_DEFINITION)
        return compiler_define(c);
    c->program->instruction_count++;
    if (info->flags & SOPF_FLOW)
        return lower_flow(c);
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

/* Initial values of outputs by meaning. Source: docs/reference/vertex-processing.md, section 5. */
static void initial_outputs(struct compiler *c, bool branches)
{
    struct shader_program *program = c->program;
    struct shader_code *code = c->code;
    uint16_t declared = 0;

    for (unsigned i = 0; i < program->output_count; i++) {
        const struct shader_semantic *s = &program->output[i];

        declared |= (uint16_t)(1u << s->reg);
        if (s->usage == D3D_USAGE_COLOR && s->index == 0)
            code->output_one[s->reg] |= c->reader.major < 3 ? 15 : s->mask;
        else if (s->usage == D3D_USAGE_TEXCOORD)
            code->output_one[s->reg] |= 8 & (c->reader.major < 3 ? 15 : s->mask);
    }
    if (c->reader.stage == SHADER_PIXEL)
        declared = program->outputs_written;
    program->outputs_written &= declared;
    for (unsigned i = 0; i < SHADER_MAX_OUTPUTS; i++)
        if ((declared & (1u << i)) && (branches || c->output_written[i] != 15))
            code->init_outputs |= (uint16_t)(1u << i);
    /* The alpha test reads colour 0 even if the program does not write it. */
    if (c->reader.stage == SHADER_PIXEL && !(program->outputs_written & 1))
        code->init_outputs |= 1;
}

/* Pixel inputs: only components that are read are interpolated. */
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

        if (c->reader.stage == SHADER_PIXEL) {
            s.third_mask = s.mask & c->input_third[s.reg];
            s.third_samplers = s.third_mask ? c->third_samplers[s.reg] : 0;
            s.divisor_mask = s.mask & c->input_divisor[s.reg];
            s.divided_samplers = s.divisor_mask ? c->divided_samplers[s.reg] : 0;
            s.mask &= c->input_read[s.reg];
            program->third_samplers |= s.third_samplers;
            program->divided_samplers |= s.divided_samplers;
        }
        if (s.mask && c->input_read[s.reg])
            program->inputs_read |= (uint16_t)(1u << s.reg);
        if (s.mask || s.third_mask || s.divisor_mask || c->reader.stage == SHADER_VERTEX)
            program->input[kept++] = s;
    }
    program->input_count = kept;
}

static bool compile_finish(struct compiler *c)
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

static struct shader_program *compile(const uint32_t *tokens, size_t count, struct shader_error *error, bool optimize)
{
    struct shader_program *program = mem_calloc(1, sizeof(*program));
    struct compiler *c = mem_calloc(1, sizeof(*c));

    if (program)
        program->code = mem_calloc(1, sizeof(*program->code));
    if (!program || !c || !program->code) {
        shader_fail_memory(error, 0);
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
    if (!compile_code(c) || !compile_finish(c))
        goto fail;
    if ((optimize && !optimize_code(program->code)) ||
        !plan_build(&program->code->plan, program->code->code, program->code->count) || !narrow_build(program)) {
        shader_fail_memory(error, 0);
        goto fail;
    }
    shader_note_cost(program);
    free(c);
    return program;
fail:
    free(c);
    shader_destroy(program);
    return NULL;
}

struct shader_program *shader_compile(const uint32_t *tokens, size_t count, struct shader_error *error)
{
    return compile(tokens, count, error, true);
}

struct shader_program *shader_compile_plain(const uint32_t *tokens, size_t count, struct shader_error *error)
{
    return compile(tokens, count, error, false);
}

void shader_destroy(struct shader_program *program)
{
    if (!program)
        return;
    if (program->code) {
        plan_clear(&program->code->plan);
        shader_generated_drop(program->code);
        free(program->code->code);
        free(program->code->definitions);
        free(program->code->immediates);
        free(program->code->narrow);
    }
    free(program->code);
    free(program);
}

size_t shader_memory(const struct shader_program *program)
{
    const struct shader_code *code = program ? program->code : NULL;

    if (!code)
        return program ? sizeof(*program) : 0;
    return sizeof(*program) + sizeof(*code) + code->capacity * sizeof(*code->code) +
           code->definition_capacity * sizeof(*code->definitions) +
           code->immediate_capacity * sizeof(*code->immediates) + code->count * sizeof(*code->plan.entries) +
           code->plan.step_capacity * sizeof(*code->plan.steps) + narrow_memory(code->narrow);
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
