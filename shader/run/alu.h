/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic over the lanes of a batch: kernels/alu.c, once per CPU level. Private to shader/.
 */
#ifndef HALCYON_SHADER_RUN_ALU_H
#define HALCYON_SHADER_RUN_ALU_H

#include "raster/kernels/kernels.h"
#include "shader/ir/ir.h"

/* Names for the level that is being compiled. */
#define alu_compare   KERNEL(alu_compare)
#define alu_component KERNEL(alu_component)
#define alu_dot       KERNEL(alu_dot)
#define alu_finish    KERNEL(alu_finish)
#define alu_lit       KERNEL(alu_lit)
#define alu_modify    KERNEL(alu_modify)
#define alu_sincos    KERNEL(alu_sincos)

/* Lanes are independent, even if the destination is one of the sources. */
#define FOR_INDEPENDENT_LANES(n) _Pragma("GCC ivdep") for (unsigned l = 0; l < (n); l++)

/* One component of an operation in which each lane (for differences: each quad) of the result depends only on the same
 * lane of the sources. out may be one of the sources unless op is IR_DDX or IR_DDY. lanes: a multiple of 16. */
void alu_component(enum ir_op op, unsigned lanes, float *out, const float *a, const float *b, const float *c);

/* Dot product of the first `terms` (2..4) components, plus `more` unless it is NULL. */
void alu_dot(unsigned terms, unsigned lanes, float *out, const float *const *a, const float *const *b,
             const float *more);

/* -1 where the comparison holds, else 0. */
void alu_compare(enum ir_compare compare, unsigned lanes, int32_t *out, const float *a, const float *b);

/* The z component of lit. */
void alu_lit(unsigned lanes, float *out, const float *x, const float *y, const float *w);
void alu_sincos(unsigned lanes, float *sine, float *cosine, const float *angle);

/* Applies a source modifier, enum ir_source_modifier, to `in`. out may be in. */
void alu_modify(unsigned modifiers, unsigned lanes, float *out, const float *in);
/* Shifts and saturates a result in place. */
void alu_finish(int shift, bool saturate, unsigned lanes, float *out);

#endif
