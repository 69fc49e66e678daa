/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic over the lanes of a batch: alu_kernels.c, once per CPU level. Private to shader/.
 */
#ifndef HALCYON_SHADER_ALU_H
#define HALCYON_SHADER_ALU_H

#include "raster/kernels.h"
#include "shader/ir.h"

/* One component: operations whose lane (for differences: quad) of the result depends on the same of the sources
 * alone. out may be one of the sources unless op is IR_DDX or IR_DDY. lanes: a multiple of 16. */
void KERNEL(alu_component)(enum ir_op op, unsigned lanes, float *out, const float *a, const float *b, const float *c);

/* Dot product of the first `terms` (2..4) components, plus `more` unless it is NULL. */
void KERNEL(alu_dot)(unsigned terms, unsigned lanes, float *out, const float *const *a, const float *const *b,
                     const float *more);

/* -1 where the comparison holds, else 0. */
void KERNEL(alu_compare)(enum ir_compare compare, unsigned lanes, int32_t *out, const float *a, const float *b);

/* z of lit. */
void KERNEL(alu_lit)(unsigned lanes, float *out, const float *x, const float *y, const float *w);
void KERNEL(alu_sincos)(unsigned lanes, float *sine, float *cosine, const float *angle);

/* Source modifiers of in, enum ir_source_modifier. out may be in. */
void KERNEL(alu_modify)(unsigned modifiers, unsigned lanes, float *out, const float *in);
/* Shift and saturation of a result, in place. */
void KERNEL(alu_finish)(int shift, bool saturate, unsigned lanes, float *out);

#endif
