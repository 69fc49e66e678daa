/* SPDX-License-Identifier: MIT */
/*
 * The plan of a program: its instructions taken apart into steps that need no decoding while they run. A step names a
 * kernel, up to four components, and the places of each component's operands as a base and an offset. Values that are
 * the same for all lanes stay single floats. Masked, indexed and rare instructions are not taken apart; each is one
 * step. A plan is made once per program (plan.c) and run by the levels with vectors (kernels/step.c); the scalar level,
 * the definition, does not use it. Private to shader/.
 */
#ifndef HALCYON_SHADER_RUN_PLAN_H
#define HALCYON_SHADER_RUN_PLAN_H

#include "shader/ir/ir.h"

/* An offset, in floats, counts from one of these bases. Those from PLAN_FLOATS to PLAN_MODIFIED hold uniforms: one float for
 * all lanes. */
enum plan_base {
    PLAN_TEMP,
    PLAN_OUTPUT,
    PLAN_SCRATCH, /* struct machine's scratch, then result */
    /* The next five are for generated code only (shader/jit/). a0 and p0 are integers. */
    PLAN_ADDRESS,
    PLAN_PREDICATE,
    PLAN_KILLED,   /* all bits where a lane is killed */
    PLAN_DEPTH,    /* of the fragment */
    PLAN_POSITION, /* x and y of the pixel */
    PLAN_FLOATS,
    PLAN_IMMEDIATES,
    PLAN_BUMP,
    PLAN_LUMINANCE,
    PLAN_COUNTERS, /* integers, for generated code only: enum plan_counter */
    PLAN_MODIFIED,
    PLAN_INPUT, /* and following: a base for each component of v0, v1... */
    PLAN_BASES = PLAN_INPUT + 4 * 16,
};

enum plan_counter { PLAN_COUNTER_LOOP, PLAN_COUNTER_LOOP_STEP, PLAN_COUNTER_FLOATS };

struct plan_operand {
    uint8_t base;
    uint16_t offset;
};

static inline bool plan_is_uniform(struct plan_operand o)
{
    return o.base >= PLAN_FLOATS && o.base <= PLAN_MODIFIED;
}

/* V: a vector of lanes, U: a uniform. */
enum plan_kernel {
    STEP_MOV_V,
    STEP_MOV_U,
    STEP_ADD_VV,
    STEP_ADD_VU,
    STEP_SUB_VV,
    STEP_SUB_VU,
    STEP_SUB_UV,
    STEP_MUL_VV,
    STEP_MUL_VU,
    STEP_MUL_SAT_VV, /* saturated, by this step or the next one */
    STEP_MUL_SAT_VU,
    STEP_MAD_VVV,
    STEP_MAD_VVU,
    STEP_MAD_VUV,
    STEP_MAD_VUU,
    STEP_LRP_VVV,
    STEP_MIN_VV,
    STEP_MIN_VU,
    STEP_MAX_VV,
    STEP_MAX_VU,
    STEP_COMPONENT, /* any other componentwise operation, sources V */
    STEP_SCALAR,    /* with one component, sources V; the result goes to all parts */
    STEP_RSQ,       /* likewise */
    STEP_DP3_VV,
    STEP_DP3_VU,
    STEP_DP4_VV,
    STEP_DP4_VU, /* the result goes to all parts */
    STEP_ROWS3,
    STEP_ROWS4,       /* dp3, dp4 of one V with one row of uniforms (x, y, z, w) per part */
    STEP_MODIFY,      /* source modifiers */
    STEP_TEXTURE,     /* coordinates V: sampled directly if nothing divides them */
    STEP_INSTRUCTION, /* a whole instruction */
    STEP_KERNELS,
};

/* Operations that end a step, in the order in which they are applied. */
enum plan_after {
    PLAN_SCALE = 1,         /* times plan_step.scale */
    PLAN_SATURATE = 2,      /* clamps to 0..1, NaN to 0 */
    PLAN_CANONICAL_NAN = 4, /* any NaN to the canonical NaN */
};

struct plan_step {
    uint8_t kernel, parts;
    uint8_t op;    /* enum ir_op of STEP_COMPONENT and STEP_SCALAR */
    uint8_t after; /* enum plan_after */
    uint16_t modifiers;
    uint16_t instruction; /* its number in the code */
    float scale;
    struct plan_operand out[4], source[3][4]; /* by part; dots, rows and coordinates: source[k][component], rows:
                         source[1][part] */
};

/* A uniform with source modifiers, computed before the program runs. */
#define PLAN_MAX_MODIFIED 64
struct plan_modified {
    struct plan_operand from;
    uint16_t modifiers;
};

/* The steps of one instruction (none for flow control). `covers`: the number of instructions that they do, more than
 * one when rows are fused. */
struct plan_entry {
    uint32_t first;
    uint8_t count, covers;
};

struct plan {
    struct plan_entry *entries; /* one for each instruction of the code */
    struct plan_step *steps;
    unsigned step_count, step_capacity;
    struct plan_modified modified[PLAN_MAX_MODIFIED];
    unsigned modified_count;
    /* Without flow control, a program is just its steps in order, with all lanes active. */
    bool straight;
    bool masks;           /* a step reads the machine's mask */
    bool addresses;       /* a register is named by a0 */
    uint16_t nan_outputs; /* straight: outputs that may still hold any NaN at the end */
};

/* Returns false if out of memory. */
bool plan_build(struct plan *plan, const struct ir_instruction *code, unsigned count);
void plan_clear(struct plan *plan);

#endif
