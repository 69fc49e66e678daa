/* SPDX-License-Identifier: MIT */
/*
 * The state of one compilation: compile.c walks the bytecode, registers.c and declare.c track registers and
 * declarations, lower.c, lower_flow.c and lower_texture.c make instructions. Private to shader/.
 */
#ifndef HALCYON_SHADER_COMPILE_COMPILER_H
#define HALCYON_SHADER_COMPILE_COMPILER_H

#include "d3d/usages.h"
#include "shader/code.h"
#include "shader/ir/build.h"

struct compiler_block {
    uint8_t kind;    /* IR_IF, IR_ELSE, IR_LOOP, IR_REP */
    uint8_t nesting; /* enum code_block */
    unsigned at;     /* instruction whose target is not known yet */
    unsigned body;   /* loops: first instruction inside */
};

struct compiler {
    struct shader_reader reader;
    struct shader_instruction instruction; /* being lowered */
    struct shader_error *error;
    struct shader_program *program;
    struct shader_code *code;
    unsigned version; /* major << 8 | minor */
    bool failed;      /* out of memory or too long; *error is filled */
    /* registers and declarations */
    uint8_t written[CODE_TEMP_COUNT];             /* components written on every path */
    uint8_t output_written[SHADER_MAX_OUTPUTS];   /* likewise */
    uint8_t input_read[SHADER_MAX_INPUTS];        /* components */
    uint8_t input_third[SHADER_MAX_INPUTS];       /* components that are third coordinates of 2D samplers: */
    uint16_t third_samplers[SHADER_MAX_INPUTS];   /* of these */
    uint8_t input_divisor[SHADER_MAX_INPUTS];     /* components that divide the others where a stage is projected: */
    uint16_t divided_samplers[SHADER_MAX_INPUTS]; /* of these */
    bool inputs_indexed;
    uint8_t texture_written; /* ps_1_0..1_3: bit m: an instruction has written t#m */
    bool redirect;           /* the destination is read by the instruction this one is paired with */
    unsigned row;            /* texm3x*: next row */
    uint8_t row_stage[2];    /* stages of the rows so far */
    /* flow */
    struct compiler_block block[CODE_MAX_BLOCKS];
    unsigned depth, nested[CODE_BLOCK_KINDS]; /* blocks that are open, by kind too */
    bool conditional;                         /* code from here on may not run for all lanes, at any depth */
    uint32_t label[CODE_MAX_LABELS];          /* instruction + 1; 0: not seen */
    unsigned level;                           /* the most calls around the current code */
    uint8_t label_level[CODE_MAX_LABELS];
};

/* --- compile.c --------------------------------------------------------------------- */

/* Reports an error at the current instruction; returns false. */
bool compiler_fail(struct compiler *c, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
/* Makes room for one more element of a growing array. */
bool compiler_reserve(struct compiler *c, void **array, unsigned count, unsigned *capacity, size_t size);
/* Appends an instruction; those that write the instruction's own destination get its predicate. */
void compiler_emit(struct compiler *c, const struct ir_instruction *instruction);

/* --- registers.c ------------------------------------------------------------------- */

/* Returns the register's name in assembly. */
const char *compiler_register_name(struct compiler *c, const struct shader_parameter *p);
/* False (and an error) if the model lacks the register or cannot do this with it. `access`: SREG_*;
 * `count`: consecutive ones. */
bool compiler_register(struct compiler *c, const struct shader_parameter *p, unsigned access, unsigned count);
bool compiler_source(struct compiler *c, const struct shader_parameter *p, struct ir_source *out);
bool compiler_destination(struct compiler *c, const struct shader_parameter *p, struct ir_destination *out);
/* Adds an input with this meaning unless there is one (for registers of models without dcl, and undeclared
 * registers). */
struct shader_semantic *compiler_imply_input(struct compiler *c, unsigned usage, unsigned index, unsigned reg);
/* Source of a literal, all four components given. */
struct ir_source compiler_immediate(struct compiler *c, float x, float y, float z, float w);

/* --- one instruction: declare.c, lower.c, lower_flow.c, lower_texture.c
 * ----------------------------- */

bool compiler_declare(struct compiler *c);
bool compiler_define(struct compiler *c);
bool lower_arithmetic(struct compiler *c);
bool lower_flow(struct compiler *c);
bool lower_texture(struct compiler *c);

/* clang-format off */
/* op, destination, sources... */
#define COMPILER_EMIT(c, op_, d_, ...)                                                             \
    do {                                                                                           \
        struct ir_instruction i_ = {.op = (op_), .destination = (d_)};                             \
        const struct ir_source s_[] = {__VA_ARGS__};                                               \
                                                                                                   \
        memcpy(i_.source, s_, sizeof(s_));                                                         \
        compiler_emit(c, &i_);                                                                     \
    } while (0)
/* clang-format on */

#endif
