/* SPDX-License-Identifier: MIT */
/*
 * The second form of pixel programs that need no values outside -1..1 and no steps finer than 1/32767: steps on pixels
 * of 16-bit numbers (raster/narrow.h), each over all lanes of a batch before the next. Made once, from a program's
 * final IR; shader/run/kernels/narrow.c runs it. Private to shader/.
 */
#ifndef HALCYON_SHADER_NARROW_NARROW_H
#define HALCYON_SHADER_NARROW_NARROW_H

#include "shader/ir/ir.h"
#include "shader/shader.h"

/* Operands of steps are a, b, c; sums and differences saturate. */
enum narrow_op {
    NARROW_ZERO,
    NARROW_MOV,
    NARROW_ADD,
    NARROW_SUB,
    NARROW_MUL,
    NARROW_MAD, /* a * b + c */
    NARROW_LRP, /* c + a * (b - c) */
    NARROW_DP3, /* of red, green and blue, in all four numbers */
    NARROW_MIN,
    NARROW_MAX,
    NARROW_CMP, /* a >= 0 ? b : c */
    NARROW_CND, /* a > 1/2 ? b : c */
    /* swizzles and modifiers of the IR's operands: */
    NARROW_REPLICATE_ALPHA,
    NARROW_SWIZZLE,
    NARROW_ABS,
    NARROW_BIAS,       /* a - 1/2 */
    NARROW_SIGNED,     /* 2a - 1 */
    NARROW_COMPLEMENT, /* 1 - a */
    NARROW_NEGATE,
    NARROW_TEX, /* a: the input with the coordinates */
};

/* Places of pixels: the batch's colour 0; registers; the program's inputs, by entry; uniforms. */
enum {
    NARROW_OUTPUT,
    NARROW_FIRST_REGISTER,
    NARROW_FIRST_INPUT = 64,
    NARROW_FIRST_UNIFORM = NARROW_FIRST_INPUT + RASTER_MAX_INPUTS,
    NARROW_MAX_UNIFORMS = 32,
    NARROW_PLACES = NARROW_FIRST_UNIFORM + NARROW_MAX_UNIFORMS,
};

struct narrow_step {
    uint8_t op; /* enum narrow_op */
    uint8_t to, from[3];
    bool is_partial;      /* not all four numbers of a pixel are written */
    uint8_t order[4];     /* NARROW_SWIZZLE: the number that each becomes */
    int8_t shift;         /* the result times 2^shift; values outside -1..1 saturate */
    int16_t low;          /* lower limit of the result after the shift: 0 or -NARROW_ONE */
    int16_t written[4];   /* -1: the number is written; else 0 */
    uint32_t instruction; /* of the IR, completed by its last step; NARROW_ZERO: the temporary */
};

struct narrow_program {
    unsigned step_count, uniform_count;
    uint16_t colors; /* bit n: entry n of the program's inputs is a colour; others are coordinates */
    const struct narrow_step *step;
    const struct ir_source *uniform; /* constants and immediates, with their modifiers */
};

/* The number of the component: x y z w are red, green, blue, alpha. The mapping is its own inverse. */
static inline unsigned narrow_number(unsigned component)
{
    return component < 3 ? 2 - component : 3;
}

/* Makes program->code->narrow, from its final IR; it stays NULL if the program has no such form. False: out of memory,
 * which must not change the pixels of a program. Release with free(). */
bool narrow_build(struct shader_program *program);
/* The bytes of a narrow form; 0 for NULL. */
size_t narrow_memory(const struct narrow_program *narrow);

#endif
