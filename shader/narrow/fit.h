/* SPDX-License-Identifier: MIT */
/*
 * Tells which programs fit into 16-bit numbers. Private to shader/narrow/.
 */
#ifndef HALCYON_SHADER_NARROW_FIT_H
#define HALCYON_SHADER_NARROW_FIT_H

#include "shader/code.h"

/* Temporaries, followed by the output. */
enum { NARROW_SLOT_OUTPUT = CODE_TEMP_COUNT, NARROW_SLOTS };

/* The use of an instruction's result. */
struct narrow_use {
    uint8_t keeps; /* components of its register that it does not write and that are read later */
    bool is_color; /* is the output, or only copied there: values outside 0..1 do not matter */
};

/* A program during the passes over it. */
struct narrow_code {
    const struct shader_program *program;
    const struct ir_instruction *code;
    unsigned count;                 /* without RET and END */
    struct narrow_use *use;         /* of each instruction */
    uint8_t unset[CODE_TEMP_COUNT]; /* components that are read before they are written: they are 0 */
    uint16_t colors, coordinates;   /* entries of the program's inputs */
};

/* Can a narrow form have all of the operations, operands and inputs? Sets colors and coordinates. */
bool narrow_has_form(struct narrow_code *n);
/* Sets use and unset. */
void narrow_find_uses(struct narrow_code *n);
/* Do all values stay in -1..1, unless they saturate as in the program? */
bool narrow_fits(const struct narrow_code *n);

/* Is the operand the same for all lanes? */
static inline bool narrow_is_uniform(const struct ir_source *s)
{
    return s->file == IR_CONSTANT || s->file == IR_IMMEDIATE;
}

/* The entry of the program's inputs that an input register is; SHADER_NO_INPUT: none. */
static inline unsigned narrow_entry(const struct shader_program *program, unsigned reg)
{
    for (unsigned k = 0; k < program->input_count; k++)
        if (program->input[k].reg == reg)
            return k;
    return SHADER_NO_INPUT;
}

#endif
