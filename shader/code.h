/* SPDX-License-Identifier: MIT */
/*
 * struct shader_code, the private part of a program. Private to shader/.
 */
#ifndef HALCYON_SHADER_CODE_H
#define HALCYON_SHADER_CODE_H

#include "shader/ir/ir.h"
#include "shader/narrow/narrow.h"
#include "shader/run/plan.h"
#include "shader/shader.h"

/* IR_TEMP: r#, then t# as ps_1_0..1_3 writes them, then what lowering needs. */
enum {
    CODE_TEMP_TEXTURE = 32,
    CODE_TEMP_ROWS = 40,                    /* of texm3x* */
    CODE_TEMP_SCRATCH,                      /* 4 of them */
    CODE_TEMP_PAIR = CODE_TEMP_SCRATCH + 4, /* first half of a co-issued pair */
    CODE_TEMP_COUNT,
};

/* IR_INPUT of pixel programs below 3.0: v0, v1, t0..t7. */
enum { CODE_INPUT_TEXCOORD = 2 };

/* clang-format off */
/* IR_OUTPUT of vertex programs below 3.0. */
enum {
    CODE_OUT_POSITION,
    CODE_OUT_FOG,
    CODE_OUT_SIZE,
    CODE_OUT_COLOR,
    CODE_OUT_TEXCOORD = 5,
    CODE_OUT_COUNT = 13
};
/* clang-format on */

/* The deepest nesting that any model allows: of each kind of block in one subroutine, and of calls. The machine has
 * frames for all of them at once. */
enum code_block { CODE_IF_CONSTANT, CODE_IF_VALUE, CODE_LOOP, CODE_BLOCK_KINDS };
#define CODE_MAX_IFS          24 /* on constants, and as many on computed values */
#define CODE_MAX_LOOPS        4
#define CODE_MAX_CALLS        4
#define CODE_MAX_BLOCKS       (2 * CODE_MAX_IFS + CODE_MAX_LOOPS)
#define CODE_MAX_FRAMES       ((CODE_MAX_CALLS + 1) * CODE_MAX_BLOCKS + CODE_MAX_CALLS)
#define CODE_MAX_INSTRUCTIONS 65536
#define CODE_MAX_LABELS       2048

struct code_definition {
    uint16_t index;
    float value[4];
};

struct shader_code {
    struct ir_instruction *code;
    unsigned count, capacity;
    uint64_t zero_temps;                    /* bit n: temporary n may be read before it is written */
    uint16_t init_outputs;                  /* bit n: output n has components that may stay unwritten */
    uint8_t output_one[SHADER_MAX_OUTPUTS]; /* components whose initial value is 1, not 0 */
    uint16_t inputs_fetched;                /* IR_INPUT registers the code may read */
    bool uses_predicate;
    bool is_fixed; /* made by shader_from_ir, not from bytecode */
    struct plan plan;
    struct narrow_program *narrow;      /* NULL: only floats */
    struct shader_generated *generated; /* run/generated.h: published when complete; NULL: none */
    unsigned uses;                      /* shader_note_use without code: jit/keep.c */
    struct shader_cost cost;            /* of a straight program with any binding; 0 instructions: not known */
    struct code_definition *definitions;
    unsigned definition_count, definition_capacity;
    float (*immediates)[4];
    unsigned immediate_count, immediate_capacity;
    int32_t integers[SHADER_MAX_INTEGERS][4]; /* defi */
    uint16_t integers_defined, booleans_defined, booleans;
};

/* ir/cost.c: once the plan is made. */
void shader_note_cost(struct shader_program *program);

#endif
