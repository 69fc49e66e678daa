/* SPDX-License-Identifier: MIT */
/*
 * The instruction set of the texture-stage cascade and of shader bytecode: not SSA, registers of four floats. An
 * instruction works on whole vectors with swizzles, write masks and modifiers; an executor runs it over all lanes of a
 * batch at once (run/kernels/program.c). docs/shader-ir.md describes both.
 */
#ifndef HALCYON_SHADER_IR_IR_H
#define HALCYON_SHADER_IR_IR_H

#include "raster/sample/sample.h"

#define IR_MAX_INSTRUCTIONS 128
#define IR_MAX_TEMPS        16

enum ir_file {
    IR_TEMP,
    IR_INPUT,     /* v#, t# */
    IR_CONSTANT,  /* the same for all lanes */
    IR_OUTPUT,    /* raster_batch.color or shader_vertex_batch.output */
    IR_ADDRESS,   /* a0, integers */
    IR_PREDICATE, /* p0 */
    IR_IMMEDIATE, /* values that belong to the program */
    IR_BUMP,      /* bump matrix of a stage: 00, 01, 10, 11 */
    IR_LUMINANCE, /* scale and offset of a stage */
    IR_PIXEL,     /* 0: x, y of the pixel; 1: facing */
    IR_DEPTH,     /* .x replaces the fragment's depth */
    IR_INTEGER,   /* i#: of loops */
    IR_BOOLEAN,   /* b#: of conditions */
    IR_FILE_COUNT,
};

/* clang-format off */
/* "0 * x" is 0 for every x; a result computed from products is never -0. */
enum ir_op {
    IR_MOV, /* d = a */
    IR_ADD, /* d = a + b */
    IR_SUB, /* d = a - b */
    IR_MUL, /* d = a * b */
    IR_MAD, /* d = a * b + c, rounded twice */
    IR_LRP, /* d = c + a * (b - c) */
    IR_DP3, /* d.* = a.x * b.x + a.y * b.y + a.z * b.z */
    IR_TEX, /* d = sampler at a (.xyz; divided by a.w if `project`) */
    /* componentwise: */
    IR_MIN, IR_MAX,
    IR_SLT, IR_SGE, /* 1 if a < b, a >= b; else 0 */
    IR_CMP,         /* a >= 0 ? b : c */
    IR_CND,         /* a > 1/2 ? b : c */
    IR_FLOOR, IR_FRC,
    IR_SGN,
    IR_DIV,         /* a / b, 1 if b is 0 */
    IR_DDX, IR_DDY, /* differences inside a quad */
    /* of one component (source.x after its swizzle), result in all of the mask: */
    IR_RCP, IR_RSQ, IR_SQRT, IR_EXP2, IR_LOG2,
    IR_POW,
    /* of vectors: */
    IR_DP2, /* d.* = a.x * b.x + a.y * b.y + c.x */
    IR_DP4,
    IR_LIT, IR_DST,
    IR_SINCOS, /* cos a.x, sin a.x */
    /* to other files: */
    IR_SETP,    /* p0 = a compared with b */
    IR_ARL,     /* a0 = floor a */
    IR_ARR,     /* a0 = nearest to a */
    IR_PROJECT, /* d = a divided as the binding of stage `sampler` says */
    IR_KILL,    /* lanes with a component of a (in destination.mask) below 0 */
    /* flow; target: the instruction to continue with */
    IR_IF,      /* condition in a: boolean or predicate; target: its ELSE or ENDIF */
    IR_IFC,     /* a compared with b */
    IR_ELSE,    /* target: the ENDIF */
    IR_ENDIF,
    IR_LOOP,    /* a: integer register (count, start, step); target: after its end */
    IR_REP,
    IR_ENDLOOP, /* target: first instruction of the body */
    IR_BREAK, IR_BREAKC, IR_BREAKP,
    IR_CALL,    /* target: first instruction of the subroutine; condition in a if it has one */
    IR_RET,
    IR_END,
    IR_OP_COUNT,
};

/* In the order they are applied. */
enum ir_source_modifier {
    IR_NEGATE = 1,       /* last of all */
    IR_COMPLEMENT = 2,   /* 1 - x */
    IR_CLAMP = 4,        /* to -1..1, before all others (constants of ps_1_x) */
    IR_SATURATE = 8,     /* to 0..1, before all others (colours of ps_1_x) */
    IR_ABS = 16,
    IR_BIAS = 32,        /* x - 1/2 */
    IR_SIGNED = 64,      /* 2x - 1 */
    IR_DOUBLE = 128,     /* 2x */
    IR_NOT = 256,        /* conditions */
};
/* clang-format on */

#define IR_SWIZZLE(x, y, z, w) ((uint8_t)((x) | (y) << 2 | (z) << 4 | (w) << 6))
#define IR_XYZW                IR_SWIZZLE(0, 1, 2, 3)
#define IR_WWWW                IR_SWIZZLE(3, 3, 3, 3)

/* The value added to a register's index: nothing, a component of a0 or the loop counter. */
enum ir_relative { IR_ABSOLUTE, IR_A0_X, IR_A0_Y, IR_A0_Z, IR_A0_W, IR_AL };

struct ir_source {
    uint8_t file, swizzle;
    uint8_t relative; /* enum ir_relative */
    uint16_t index, modifiers;
};

struct ir_destination {
    uint8_t file;
    uint8_t mask;     /* bit 0 x .. bit 3 w */
    uint8_t saturate; /* the result, after the shift, is clamped to 0..1 */
    uint8_t relative;
    int8_t shift; /* -8..7: result times 2^shift */
    uint16_t index;
};

enum ir_predication { IR_ALWAYS, IR_IF_SET, IR_IF_CLEAR };
enum ir_compare { IR_GT = 1, IR_EQ, IR_GE, IR_LT, IR_NE, IR_LE };

struct ir_instruction {
    uint8_t op, sampler;
    bool project;                         /* IR_TEX: coordinates are divided by a.w */
    uint8_t lod;                          /* IR_TEX: enum raster_lod_mode; biased, given: by a.w; gradients: b, c */
    bool stage_project;                   /* IR_TEX: divided as the stage's binding says */
    uint8_t compare;                      /* enum ir_compare */
    uint8_t predicate, predicate_swizzle; /* enum ir_predication; destination components are written where p0 allows */
    struct ir_destination destination;
    struct ir_source source[3];
    uint32_t target; /* flow */
    uint32_t origin; /* DWORD of the bytecode instruction that it was lowered from; 0: none */
};

struct ir_program {
    unsigned count, temp_count;
    struct ir_instruction code[IR_MAX_INSTRUCTIONS];
};

/* Appends; false when the program is full. */
bool ir_emit(struct ir_program *program, const struct ir_instruction *instruction);

/* The number of sources that an operation reads. */
unsigned ir_source_count(enum ir_op op);
/* The components of a source (after its swizzle) that an operation reads for a destination mask. */
unsigned ir_components_read(enum ir_op op, unsigned source, unsigned mask);

/* A source as text: "-r0.x". */
void ir_print_source(char *text, size_t size, const struct ir_source *source);
/* One instruction as text with a newline; returns what snprintf would. */
int ir_print_instruction(char *text, size_t size, const struct ir_instruction *instruction);

#endif
