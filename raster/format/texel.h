/* SPDX-License-Identifier: MIT */
/*
 * Floats of less than 32 bits, to and from float. Inline and free of branches, so that the kernels can use
 * them in loops over lanes. Every NaN becomes RASTER_NAN on the way in and out.
 */
#ifndef HALCYON_RASTER_TEXEL_H
#define HALCYON_RASTER_TEXEL_H

#include <stdint.h>
#include <string.h>

#define RASTER_NAN      0xffc00000u /* x86's result of an invalid operation */
#define RASTER_HALF_NAN 0xfe00u

static inline uint32_t texel_bits(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

static inline float texel_float(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* Replaces every NaN by RASTER_NAN. */
static inline uint32_t texel_from_f32(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000 ? RASTER_NAN : bits;
}

/* Exact: every half is a float. Bits of the result. */
static inline uint32_t texel_from_half(uint32_t half)
{
    uint32_t magnitude = (half & 0x7fff) << 13, sign = (half & 0x8000) << 16;
    uint32_t normal = magnitude + ((127u - 15u) << 23);
    /* denormals: as if the exponent were 1, minus the implicit leading one that they lack */
    uint32_t small = texel_bits(texel_float(magnitude + ((127u - 14u) << 23)) - texel_float((127u - 14u) << 23));
    uint32_t large = magnitude > (0x1fu << 23) ? RASTER_NAN : 0x7f800000;
    uint32_t bits = magnitude < (1u << 23) ? small : normal;

    bits = magnitude >= (0x1fu << 23) ? large : bits;
    return bits | sign;
}

/* To the nearest half, ties to even; beyond the range infinity. */
static inline uint32_t texel_to_half(float v)
{
    uint32_t bits = texel_bits(v), magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
    uint32_t normal = (magnitude + ((15u - 127u) << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    /* below 2^-14: a sum with 1/2 has the last place of a denormal half, so the addition rounds */
    uint32_t small = texel_bits(texel_float(magnitude) + 0.5f) - 0x3f000000;
    uint32_t half = magnitude < 0x38800000 ? small : normal;

    half = magnitude >= 0x47800000 ? 0x7c00 : half;
    half |= sign;
    return magnitude > 0x7f800000 ? RASTER_HALF_NAN : half;
}

/* 20e4: exponent biased by 15, no sign, denormals. z: 0..1. Nearest, ties to even. */
static inline uint32_t texel_to_20e4(float z)
{
    uint32_t bits = texel_bits(z);
    uint32_t normal = (bits + ((15u - 127u) << 23) + 3 + (bits >> 3 & 1)) >> 3;
    /* 2^-34 is the last place of a denormal; a sum with 2^23 rounds to it */
    uint32_t small = texel_bits(z * 17179869184.0f + 8388608.0f) & 0x7fffff;

    return bits < 0x38800000 ? small : normal;
}

/* Exact. */
static inline float texel_from_20e4(uint32_t value)
{
    if (value < 1u << 20)
        return (float)value * (1.0f / 17179869184.0f);
    return texel_float((value << 3) + ((127u - 15u) << 23));
}

#endif
