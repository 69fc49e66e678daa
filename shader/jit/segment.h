/* SPDX-License-Identifier: MIT */
/*
 * A segment: consecutive steps of a plan that become one function of machine code. Its values are in SSA form: each is
 * the result of one operation on earlier values, for one register of lanes. Memory is read when the segment begins and
 * written when it ends, so that a register of lanes whose products need the slow path (0 times anything is 0) can be
 * computed again from the start. Private to shader/jit/.
 */
#ifndef HALCYON_SHADER_JIT_SEGMENT_H
#define HALCYON_SHADER_JIT_SEGMENT_H

#include "shader/code.h"

#include <stdbool.h>
#include <stdint.h>

#define SEGMENT_MAX_VALUES 4096u
#define SEGMENT_MAX_STORES 384u
#define SEGMENT_NONE       0xffffu

/* Operations: X(name, sources). At NaN and at equal sources they behave like the processor's instructions. */
/* clang-format off */
#define SEGMENT_OPERATIONS(X)                                                                                      \
    X(LANES, 0)       /* from memory: `place` */                                                                     \
    X(UNIFORM, 0)     /* a float from memory: `place` */                                                             \
    X(LITERAL, 0)     /* a float of the program or of the generator: `place.offset` is its index in
                       * generated_literals */  \
    X(INTEGER, 0)     /* `place.offset` in all lanes */                                                            \
    X(GATHER, 1)      /* component `place.offset` of the constant whose number is in each lane; 0 outside the
                       * constants */      \
    X(COPY, 1)        /* from lanes that are stored elsewhere: read before anything is written */                    \
    X(ADD, 2) X(SUB, 2) X(DIV, 2)                                                                                  \
    X(MUL, 2)         /* `legacy`: 0 times anything is 0 */                                                        \
    X(MIN, 2)         /* a < b ? a : b */                                                                          \
    X(MAX, 2)         /* a > b ? a : b */                                                                          \
    X(SQRT, 1)                                                                                                     \
    X(FLOOR, 1)       /* -0 stays */                                                                               \
    X(AND, 2) X(ANDN, 2) X(OR, 2) X(XOR, 2) /* of bits; ANDN: ~a & b */                                            \
    X(ADD_INTEGERS, 2) X(SUB_INTEGERS, 2)                                                                          \
    X(SHIFT_LEFT, 1) X(SHIFT_RIGHT, 1) X(HALVE, 1) /* shifts by `immediate`; HALVE keeps the sign */                 \
    X(TRUNCATE, 1) X(TO_FLOAT, 1) /* to integers, from integers */                                                 \
    X(SHUFFLE, 1)     /* inside quads: two bits of `immediate` per lane */                                    \
    X(SELECT, 4)      /* a OP b ? c : d; `immediate` is a segment_predicate */
/* clang-format on */

enum segment_operation {
#define SEGMENT_ENUM(name, sources) SEGMENT_##name,
    SEGMENT_OPERATIONS(SEGMENT_ENUM) SEGMENT_OPERATION_COUNT
#undef SEGMENT_ENUM
};

/* The immediates of vcmpps. */
enum segment_predicate {
    SEGMENT_EQUAL = 0,
    SEGMENT_NOT_EQUAL = 4, /* true where one is NaN */
    SEGMENT_LESS = 17,
    SEGMENT_AT_MOST = 18,
    SEGMENT_AT_LEAST = 29,
    SEGMENT_GREATER = 30
};

/* The constants of operations. The powers of two from 2^-8 to 2^7, which scale results, are consecutive. */
enum segment_literal {
    SEGMENT_ZERO,
    SEGMENT_ONE_HALF_NEGATIVE,
    SEGMENT_ONE_NEGATIVE,
    SEGMENT_LARGEST,
    SEGMENT_LARGEST_NEGATIVE,
    SEGMENT_SIGN,     /* only this bit */
    SEGMENT_ALL_BITS, /* a set lane of a mask */
    SEGMENT_NAN,      /* the canonical NaN */
    SEGMENT_SMALLEST, /* the smallest normal number */
    SEGMENT_TWO_24,   /* 2^24 */
    SEGMENT_ROUNDER,  /* lane_nearest's */
    SEGMENT_ROOT_OF_TWO,
    SEGMENT_MANTISSA,  /* bits */
    SEGMENT_INTEGER_1, /* bits, as those of the next */
    SEGMENT_INTEGER_127,
    SEGMENT_EXP2_LOWEST,
    SEGMENT_BIAS,
    SEGMENT_BIAS_TINY,                     /* of exponents; of numbers that were scaled by 2^24 */
    SEGMENT_EXP2,                          /* seven coefficients, from the highest power */
    SEGMENT_LOG2 = SEGMENT_EXP2 + 7,       /* five */
    SEGMENT_LIT_LOWEST = SEGMENT_LOG2 + 5, /* power of lit */
    SEGMENT_LIT_HIGHEST,
    SEGMENT_INDEX_LOWEST, /* of a0 */
    SEGMENT_INDEX_HIGHEST,
    SEGMENT_ANGLE_END,                      /* angles from here on count as 0 */
    SEGMENT_RIGHT_ANGLES,                   /* per radian */
    SEGMENT_RIGHT_ANGLE,                    /* as the sum of three floats */
    SEGMENT_SINE = SEGMENT_RIGHT_ANGLE + 3, /* three coefficients, from the highest power */
    SEGMENT_COSINE = SEGMENT_SINE + 3,      /* likewise */
    SEGMENT_POWERS = SEGMENT_COSINE + 3,
    SEGMENT_ONE = SEGMENT_POWERS + 8,
    SEGMENT_TWO,
    SEGMENT_HALF = SEGMENT_ONE - 1,
    SEGMENT_HIGHEST_POWER = SEGMENT_POWERS + 15, /* 128 */
    SEGMENT_LITERALS,
};

struct segment_value {
    uint8_t operation; /* enum segment_operation */
    uint8_t immediate;
    bool legacy;    /* MUL: by the rule of shaders if a NaN appears */
    bool checked;   /* a NaN here means that products may be wrong */
    bool adds_zero; /* ADD of 0, which only turns -0 into 0 */
    bool used;      /* by a store or a used value */
    uint16_t source[4];
    struct plan_operand place;
};

struct segment_store {
    struct plan_operand to;
    uint16_t value;
    bool canonical; /* any NaN becomes the NaN of results */
    bool clean;     /* not NaN unless a checked value is NaN: segment_simplify */
};

/* Places of lanes, numbered; each name is the end of a kind. Those up to SEGMENT_DEPTH may be written. */
enum {
    SEGMENT_TEMPS = 4 * 64,
    SEGMENT_OUTPUTS = SEGMENT_TEMPS + 4 * 16,
    SEGMENT_SCRATCH = SEGMENT_OUTPUTS + 16,
    SEGMENT_ADDRESS = SEGMENT_SCRATCH + 4,
    SEGMENT_PREDICATE = SEGMENT_ADDRESS + 4,
    SEGMENT_KILLED = SEGMENT_PREDICATE + 1,
    SEGMENT_DEPTH = SEGMENT_KILLED + 1,
    SEGMENT_POSITION = SEGMENT_DEPTH + 2,
    SEGMENT_PLACES = SEGMENT_POSITION + 4 * 16, /* inputs */
};

struct segment {
    const struct shader_code *code;
    struct segment_value value[SEGMENT_MAX_VALUES];
    struct segment_store store[SEGMENT_MAX_STORES];
    unsigned value_count, store_count;
    bool full;                     /* values or stores did not fit: no code */
    uint16_t held[SEGMENT_PLACES]; /* the current value of a place; SEGMENT_NONE: in memory, not read yet */
    bool dirty[SEGMENT_PLACES];
    bool canonical[SEGMENT_PLACES];
    uint16_t literal[SEGMENT_LITERALS]; /* values of literals, SEGMENT_NONE: not used yet */
    uint16_t uniform[SEGMENT_MAX_VALUES];
    unsigned uniform_count;
};

/* Can the step be part of a segment? lower.c, instruction.c */
bool segment_takes(const struct shader_code *code, const struct plan_step *step);
/* Adds the values that a step computes. */
void segment_add(struct segment *segment, const struct plan_step *step);

/* values.c */

void segment_begin(struct segment *segment, const struct shader_code *code);
/* Makes the stores. `live`: whether each place is read after the segment; outputs, a0, p0, depth and killed lanes
 * always are. */
void segment_end(struct segment *segment, const bool live[SEGMENT_PLACES]);

unsigned segment_source_count(const struct segment_value *v);
/* The number of a place of lanes. */
unsigned segment_place(struct plan_operand operand);

/* simplify.c: removes additions of 0 without an observable effect, decides which values are checked for NaN, marks used
 * values. */
void segment_simplify(struct segment *segment);

#endif
