/* SPDX-License-Identifier: MIT */
/* Runs as text: instructions, registers, texture reads. */
#include "inspect/trace/trace.h"

#include "bytecode/bytecode.h"
#include "shader/ir/ir.h"

#include <stdio.h>
#include <string.h>

/* --- instructions ---------------------------------------------------------------------------------- */

void inspect_trace_ir(const struct ir_instruction *instruction, char *text, size_t size)
{
    ir_print_instruction(text, size, instruction);
    text[strcspn(text, "\n")] = 0;
}

bool inspect_trace_kills(const struct shader_trace_step *step)
{
    return step->code->op == IR_KILL;
}

bool inspect_trace_loops(const struct shader_trace_step *step)
{
    const struct ir_instruction *i = step->code;
    bool loops = i->op == IR_LOOP || i->op == IR_ENDLOOP || i->destination.relative == IR_AL;

    for (unsigned k = 0; k < 3; k++)
        loops |= step->read[k] && i->source[k].relative == IR_AL;
    return loops;
}

bool inspect_trace_target(const struct shader_trace_step *step, unsigned lane, char *text, size_t size)
{
    const struct ir_instruction *i = step->code;
    const unsigned file = i->op == IR_SETP                     ? IR_PREDICATE
                          : i->op == IR_ARL || i->op == IR_ARR ? IR_ADDRESS
                                                               : i->destination.file;

    if (i->op >= IR_KILL)
        return false;
    if (file == IR_DEPTH)
        snprintf(text, size, "depth");
    else
        snprintf(text, size, "%c%u",
                 file == IR_TEMP      ? 'r'
                 : file == IR_OUTPUT  ? 'o'
                 : file == IR_ADDRESS ? 'a'
                                      : 'p',
                 step->target[lane]);
    return true;
}

void inspect_trace_source(const struct shader_trace_step *step, unsigned k, char *text, size_t size)
{
    if (step->read[k])
        ir_print_source(text, size, &step->code->source[k]);
    else
        text[0] = 0;
}

/* Disassembles a program of a version, this instruction and an end; the instruction is its second line. */
void inspect_trace_assembly(const struct inspect_trace *trace, uint32_t origin, char *text, size_t size)
{
    enum { MOST_DWORDS = 64 };
    uint32_t tokens[MOST_DWORDS + 2] = {0};
    char assembly[512];
    const char *line;
    struct shader_reader reader;
    struct shader_instruction instruction;

    text[0] = 0;
    if (!origin || origin >= trace->run->token_count ||
        !shader_reader_init(&reader, trace->run->tokens, trace->run->token_count, NULL))
        return;
    reader.offset = origin;
    if (!shader_read(&reader, &instruction, NULL) || !instruction.info || instruction.size > MOST_DWORDS)
        return;
    tokens[0] = trace->run->tokens[0];
    memcpy(tokens + 1, trace->run->tokens + instruction.offset, instruction.size * sizeof(*tokens));
    tokens[1 + instruction.size] = SOP_END;
    shader_disassemble(tokens, instruction.size + 2, assembly, sizeof(assembly));
    line = strchr(assembly, '\n');
    if (!line)
        return;
    line += 1 + strspn(line + 1, " ");
    snprintf(text, size, "%.*s", (int)strcspn(line, "\n"), line);
}

/* --- texture reads --------------------------------------------------------------------------------- */

const char *inspect_texture_kind(const struct hal_run_fetch *fetch)
{
    return fetch->kind == HAL_RUN_CUBE ? "cube" : fetch->kind == HAL_RUN_VOLUME ? "volume" : "2d";
}

const char *inspect_lod_name(enum hal_run_lod mode)
{
    static const char *const names[] = {"computed", "biased", "given", "gradients"};

    return names[mode];
}

unsigned inspect_lod_rows(enum hal_run_lod mode)
{
    return mode == HAL_RUN_COMPUTED ? 0 : mode == HAL_RUN_GRADIENTS ? 6 : 1;
}
