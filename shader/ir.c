/* SPDX-License-Identifier: MIT */
#include "shader/ir.h"

#include <stdio.h>

static const struct {
    const char *name;
    uint8_t sources;
} op_table[IR_OP_COUNT] = {
    [IR_MOV] = {"mov", 1}, [IR_ADD] = {"add", 2}, [IR_SUB] = {"sub", 2}, [IR_MUL] = {"mul", 2},
    [IR_MAD] = {"mad", 3}, [IR_LRP] = {"lrp", 3}, [IR_DP3] = {"dp3", 2}, [IR_TEX] = {"tex", 1},
};

bool ir_emit(struct ir_program *program, const struct ir_instruction *instruction)
{
    if (program->count == IR_MAX_INSTRUCTIONS)
        return false;
    program->code[program->count++] = *instruction;
    if (instruction->destination.file == IR_TEMP && instruction->destination.index >= program->temp_count)
        program->temp_count = instruction->destination.index + 1u;
    return true;
}

unsigned ir_source_count(enum ir_op op)
{
    return op_table[op].sources;
}

static const char file_letter[] = {[IR_TEMP] = 'r', [IR_INPUT] = 'v', [IR_CONSTANT] = 'c', [IR_OUTPUT] = 'o'};
static const char component[] = "xyzw";

static void print_source(char *text, size_t size, const struct ir_source *s)
{
    char swizzle[6] = "";

    if (s->swizzle != IR_XYZW)
        snprintf(swizzle, sizeof(swizzle), ".%c%c%c%c", component[s->swizzle & 3], component[s->swizzle >> 2 & 3],
                 component[s->swizzle >> 4 & 3], component[s->swizzle >> 6]);
    snprintf(text, size, "%s%s%c%u%s", s->modifiers & IR_NEGATE ? "-" : "", s->modifiers & IR_COMPLEMENT ? "1-" : "",
             file_letter[s->file], s->index, swizzle);
}

static int print_instruction(char *text, size_t size, const struct ir_instruction *i)
{
    char sources[3][16] = {"", "", ""}, mask[6] = "", sampler[8] = "";
    unsigned length = 0;

    for (unsigned k = 0; k < ir_source_count(i->op); k++)
        print_source(sources[k], sizeof(sources[k]), &i->source[k]);
    if (i->destination.mask != 15) {
        mask[length++] = '.';
        for (unsigned c = 0; c < 4; c++)
            if (i->destination.mask & (1u << c))
                mask[length++] = component[c];
    }
    if (i->op == IR_TEX)
        snprintf(sampler, sizeof(sampler), ", s%u", i->sampler);
    return snprintf(text, size, "%s%s%s%s %c%u%s, %s%s%s%s%s%s\n", op_table[i->op].name, i->project ? "p" : "",
                    i->destination.shift == 1 ? "_x2" : i->destination.shift == 2 ? "_x4" : "",
                    i->destination.saturate ? "_sat" : "", file_letter[i->destination.file], i->destination.index, mask,
                    sources[0], sources[1][0] ? ", " : "", sources[1], sources[2][0] ? ", " : "", sources[2], sampler);
}

int ir_print(const struct ir_program *program, char *text, size_t size)
{
    size_t used = 0;

    for (unsigned i = 0; i < program->count; i++) {
        size_t at = used < size ? used : size;

        used += (size_t)print_instruction(text + at, size - at, &program->code[i]);
    }
    return (int)used;
}
