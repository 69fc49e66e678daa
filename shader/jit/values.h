/* SPDX-License-Identifier: MIT */
/*
 * Building blocks of steps and instructions: each function adds values to a segment and returns the number of the last
 * one. If the segment is full, nothing is added and the number is arbitrary. Private to shader/jit/.
 */
#ifndef HALCYON_SHADER_JIT_VALUES_H
#define HALCYON_SHADER_JIT_VALUES_H

#include "shader/jit/segment.h"

/* --- values.c ------------------------------------------------------------------------------------- */

uint16_t value_literal(struct segment *segment, enum segment_literal number);
/* An integer up to 65535, the same in all lanes. */
uint16_t value_integer(struct segment *segment, unsigned integer);
uint16_t value_uniform(struct segment *segment, struct plan_operand place);
/* The contents of a place: a uniform, or the place's current value. */
uint16_t value_read(struct segment *segment, struct plan_operand from);
void value_write(struct segment *segment, struct plan_operand to, uint16_t v, bool canonical);

/* `b` is SEGMENT_NONE for operations with one source. */
uint16_t value_make(struct segment *segment, enum segment_operation operation, uint16_t a, uint16_t b);
uint16_t value_immediate(struct segment *segment, enum segment_operation operation, uint16_t a, unsigned immediate);
uint16_t value_select(struct segment *segment, enum segment_predicate predicate, uint16_t a, uint16_t b, uint16_t yes,
                      uint16_t no);
/* A component of the constants whose numbers are in the lanes of `number`, as integers. */
uint16_t value_gather(struct segment *segment, uint16_t number, unsigned component);
/* 0 times anything is 0. The caller must ensure that a resulting NaN is checked (struct segment_value, checked), and
 * adds 0. */
uint16_t value_product(struct segment *segment, uint16_t a, uint16_t b);
uint16_t value_plus_zero(struct segment *segment, uint16_t a);

/* --- operations.c ----------------------------------------------------------------------------------- */

/* The final operations on a result: enum plan_after, except PLAN_CANONICAL_NAN, which stores apply; and the scale. */
struct value_after {
    unsigned what;
    float scale;
};

uint16_t value_clamp(struct segment *segment, uint16_t v, enum segment_literal low); /* low..1 */
uint16_t value_finish(struct segment *segment, struct value_after after, uint16_t v);
/* value_finish for a result computed from products. */
uint16_t value_finish_product(struct segment *segment, struct value_after after, uint16_t v);
/* Source modifiers, enum ir_source_modifier. */
uint16_t value_modified(struct segment *segment, unsigned modifiers, uint16_t v);
/* As alu_component; surplus sources are ignored. */
uint16_t value_of_operation(struct segment *segment, enum ir_op op, uint16_t a, uint16_t b, uint16_t c);
/* Is the operation's result a sum of products, to be finished by value_finish_product? */
bool value_has_products(enum ir_op op);
uint16_t value_lit(struct segment *segment, uint16_t x, uint16_t y, uint16_t w);
void value_sincos(struct segment *segment, uint16_t v, uint16_t *sine, uint16_t *cosine);
/* A lane for a0. */
uint16_t value_index(struct segment *segment, uint16_t v);
/* All bits set where the comparison holds, else 0. */
uint16_t value_compare(struct segment *segment, enum ir_compare compare, uint16_t a, uint16_t b);

/* --- instruction.c: instructions that have no steps of their own --------------------------------------- */

bool segment_takes_instruction(const struct ir_instruction *i);
void segment_add_instruction(struct segment *segment, const struct ir_instruction *i);

#endif
