/* SPDX-License-Identifier: MIT */
/*
 * Functions of one variable and matrices, from basic double operations alone: the C libraries of the builds differ in
 * the last bit; these functions do not.
 */
#ifndef HALCYON_HAL_MATH_H
#define HALCYON_HAL_MATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct hal_matrix;

/* The float with these bits, as states hold it. */
static inline float hal_float_from_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* |x| up to a few turns. */
float hal_cosf(float x);

void hal_matrix_identity(struct hal_matrix *m);
/* out = a * b: a is applied first. `out` may be one of them. */
void hal_matrix_multiply(struct hal_matrix *out, const struct hal_matrix *a, const struct hal_matrix *b);
/* False: singular, `out` untouched. */
bool hal_matrix_invert(struct hal_matrix *out, const struct hal_matrix *m);
/* Transposed inverse of the upper 3x3, for normals; of a singular matrix the identity, so that normals are not changed,
 * as DXVK found on Windows (doitsujin/dxvk#5765). */
void hal_matrix_normal(float out[3][3], const struct hal_matrix *m);

#endif
