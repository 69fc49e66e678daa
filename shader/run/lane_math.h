/* SPDX-License-Identifier: MIT */
/*
 * The functions of shader instructions for one lane, written without branches so that loops over lanes become vector
 * code, and without library calls so that every build gives the same bits. Their results at 0, infinity and NaN are
 * part of the definition. Source: docs/reference/shader-code.md, sections 2 and 3.
 */
#ifndef HALCYON_SHADER_RUN_LANE_MATH_H
#define HALCYON_SHADER_RUN_LANE_MATH_H

#include "shader/ir/ir.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float lane_from_bits(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

static inline uint32_t lane_to_bits(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

/* NaN becomes the lower limit. */
static inline float lane_limit(float v, float low, float high)
{
    v = v > low ? v : low;
    return v < high ? v : high;
}

/* NaN stays. */
static inline float lane_finite(float v)
{
    v = v > FLT_MAX ? FLT_MAX : v;
    return v < -FLT_MAX ? -FLT_MAX : v;
}

/* 0 times anything is 0. Results of products (mul, mad, dot products) have 0 added at the end, so they are never -0; so
 * products need not check their factors as long as no result is NaN. */
static inline float lane_product(float a, float b)
{
    float p = a * b;

    return (a == 0.0f) | (b == 0.0f) ? 0.0f : p;
}

static inline float lane_mul(float a, float b)
{
    return lane_product(a, b) + 0.0f;
}

static inline float lane_mad(float a, float b, float c)
{
    return lane_product(a, b) + c + 0.0f;
}

/* To the nearest integer, |v| < 2^22; never -0. Conversion to int and back does not work: some compilers turn it into
 * an instruction that keeps the sign of 0. */
static inline float lane_nearest(float v)
{
    return (v + 12582912.0f) - 12582912.0f;
}

/* Never -0. */
static inline float lane_floor(float v)
{
    float big = v < 0.0f ? -8388608.0f : 8388608.0f, t = (v + big) - big;

    t -= t > v ? 1.0f : 0.0f;
    return fabsf(v) < 8388608.0f ? t : v;
}

static inline float lane_rcp(float v)
{
    return v == 0.0f ? FLT_MAX : lane_finite(1.0f / v);
}

static inline float lane_rsq(float v)
{
    float a = fabsf(v);

    return a == 0.0f ? FLT_MAX : 1.0f / sqrtf(a);
}

/* 2^v, exact for integers; relative error below 2e-7. Never above FLT_MAX. */
static inline float lane_exp2(float v)
{
    float c = lane_limit(v, -150.0f, 128.0f);
    float whole = lane_nearest(c), r = c - whole; /* -1/2 .. 1/2 */
    int32_t n = (int32_t)whole, half = n >> 1;
    float p = 1.0f + r * (0.69314718056f +
                          r * (0.24022650696f +
                               r * (0.055504108665f +
                                    r * (0.0096181291076f +
                                         r * (0.0013333558146f + r * (0.00015403530393f + r * 0.000015252733804f))))));
    float low = lane_from_bits((uint32_t)(half + 127) << 23), high = lane_from_bits((uint32_t)(n - half + 127) << 23);

    p = lane_finite(p * low * high);
    return v == v ? p : v;
}

/* log2 |v|, exact for powers of two; absolute error below 3e-7, relative near 1. Never beyond
 * +-FLT_MAX. */
static inline float lane_log2(float v)
{
    float a = fabsf(v), scaled = a < FLT_MIN ? a * 16777216.0f : a;
    uint32_t bits = lane_to_bits(scaled);
    int32_t exponent = (int32_t)(bits >> 23 & 255) - 127 - (a < FLT_MIN ? 24 : 0);
    float m = lane_from_bits((bits & 0x007fffff) | 0x3f800000); /* 1 .. 2 */
    int32_t upper = m > 1.41421356f;

    m = upper ? m * 0.5f : m;
    exponent += upper;
    float t = (m - 1.0f) / (m + 1.0f), z = t * t;
    float p = t * (2.8853900818f + z * (0.9617966939f + z * (0.5770780164f + z * (0.4121985831f + z * 0.3205988980f))));
    float r = (float)exponent + p;

    r = a == 0.0f ? -FLT_MAX : r;
    r = a > FLT_MAX ? FLT_MAX : r;
    return v == v ? r : v;
}

static inline float lane_pow(float a, float b)
{
    return lane_exp2(lane_mul(b, lane_log2(a)));
}

static inline float lane_sign(float v)
{
    return v > 0.0f ? 1.0f : v < 0.0f ? -1.0f : 0.0f;
}

static inline float lane_divide(float a, float b)
{
    float q = a / b;

    return b == 0.0f ? 1.0f : q;
}

/* The z component of lit: y^w where both are lit; w is clamped to the range of 8.8 fixed point. */
static inline float lane_lit(float x, float y, float w)
{
    float z = lane_pow(y, lane_limit(w, -127.9961f, 127.9961f));

    return (x > 0.0f) & (y > 0.0f) ? z : 0.0f;
}

/* Angles from 65536 on count as 0. Absolute error below 2e-7 up to 8192. */
static inline void lane_sincos(float v, float *sine, float *cosine)
{
    float x = fabsf(v) < 65536.0f ? v : 0.0f, k = x * 0.63661977237f;
    float q = lane_nearest(k);
    int32_t n = (int32_t)q;
    float r = ((x - q * 1.5703125f) - q * 4.837512969970703125e-4f) - q * 7.549789954891e-8f;
    float z = r * r;
    float s = r + r * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
    float c =
        1.0f - 0.5f * z + z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
    float first = n & 1 ? c : s, second = n & 1 ? s : c;

    *sine = n & 2 ? -first : first;
    *cosine = (n + 1) & 2 ? -second : second;
}

/* Source modifiers, enum ir_source_modifier, in their order. */
static inline float lane_modify(unsigned modifiers, float v)
{
    v = modifiers & IR_CLAMP ? lane_limit(v, -1.0f, 1.0f) : v;
    v = modifiers & IR_SATURATE ? lane_limit(v, 0.0f, 1.0f) : v;
    v = modifiers & IR_ABS ? fabsf(v) : v;
    v = modifiers & IR_BIAS ? v - 0.5f : v;
    v = modifiers & IR_SIGNED ? 2.0f * v - 1.0f : v;
    v = modifiers & IR_DOUBLE ? 2.0f * v : v;
    v = modifiers & IR_COMPLEMENT ? 1.0f - v : v;
    return modifiers & IR_NEGATE ? -v : v;
}

/* Converts a float to an index, clamped to -32768 .. 32767. */
static inline int32_t lane_index(float v)
{
    return (int32_t)lane_limit(v, -32768.0f, 32767.0f);
}

#endif
