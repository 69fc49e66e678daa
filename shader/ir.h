/* SPDX-License-Identifier: MIT */
/*
 * The one instruction set that the texture-stage cascade (and later shader bytecode and
 * fixed-function vertex processing) lowers to: no SSA, registers of four floats, straight-line code. An
 * instruction works on whole vectors with swizzles, write masks and modifiers; an executor runs it over
 * all lanes of a batch at once. docs/architecture.md shows where it stands.
 */
#ifndef HALCYON_SHADER_IR_H
#define HALCYON_SHADER_IR_H

#include "raster/sample.h"

#define IR_MAX_INSTRUCTIONS 128
#define IR_MAX_TEMPS 16
#define IR_MAX_CONSTANTS 24
#define IR_MAX_SAMPLERS 8

enum ir_file {
    IR_TEMP,
    IR_INPUT,    /* raster_batch.input */
    IR_CONSTANT, /* shader_instance.constant, the same for all lanes */
    IR_OUTPUT,   /* raster_batch.color */
};

enum ir_op {
    IR_MOV, /* d = a */
    IR_ADD, /* d = a + b */
    IR_SUB, /* d = a - b */
    IR_MUL, /* d = a * b */
    IR_MAD, /* d = a * b + c, rounded twice */
    IR_LRP, /* d = a * b + (1 - a) * c */
    IR_DP3, /* d.* = a.x * b.x + a.y * b.y + a.z * b.z */
    IR_TEX, /* d = sampler at a (.xyz; divided by a.w with IR_PROJECT) */
    IR_OP_COUNT,
};

enum ir_source_modifier { IR_NEGATE = 1, IR_COMPLEMENT = 2 /* 1 - x, before negation */ };

#define IR_SWIZZLE(x, y, z, w) ((uint8_t)((x) | (y) << 2 | (z) << 4 | (w) << 6))
#define IR_XYZW IR_SWIZZLE(0, 1, 2, 3)
#define IR_WWWW IR_SWIZZLE(3, 3, 3, 3)

struct ir_source {
    uint8_t file, index, swizzle, modifiers;
};

struct ir_destination {
    uint8_t file, index;
    uint8_t mask;     /* bit 0 x .. bit 3 w */
    uint8_t shift;    /* result times 2^shift */
    uint8_t saturate; /* then clamped to 0..1 */
};

struct ir_instruction {
    uint8_t op, sampler;
    bool project; /* IR_TEX */
    struct ir_destination destination;
    struct ir_source source[3];
};

struct ir_program {
    unsigned count, temp_count;
    struct ir_instruction code[IR_MAX_INSTRUCTIONS];
};

/* Appends; false when the program is full. */
bool ir_emit(struct ir_program *program, const struct ir_instruction *instruction);

/* How many sources an operation reads. */
unsigned ir_source_count(enum ir_op op);

/* The program as text, one line an instruction; returns what snprintf would. */
int ir_print(const struct ir_program *program, char *text, size_t size);

/* --- running -------------------------------------------------------------------------------- */

/* A program with the values a draw gives it. Must stay as it is while scenes refer to it. */
struct shader_instance {
    const struct ir_program *program;
    raster_sample_fn sample;
    float constant[IR_MAX_CONSTANTS][4];
    unsigned constant_count;
    struct raster_sampler sampler[IR_MAX_SAMPLERS];
};

/* The executor for a CPU level; its `program` argument is a struct shader_instance. All give the same bits. */
raster_shade_fn shader_executor(enum cpu_level level);

#endif
