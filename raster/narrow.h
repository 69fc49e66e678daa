/* SPDX-License-Identifier: MIT */
/*
 * Colours in 16 bits. States whose colours have 8 bits from end to end (raster_draw_state.narrow) are shaded, blended
 * and stored in integers: 0..32767 is 0..1, -32767..32767 is -1..1. A pixel is four of them, blue, green, red, alpha,
 * in the order of its word. docs/narrow-colour.md describes their rounding; the scalar level defines it.
 *
 * A batch's pixels lie in the order that unpacking registers gives (base/simd/simd.h); narrow_place tells where a lane
 * is.
 */
#ifndef HALCYON_RASTER_NARROW_H
#define HALCYON_RASTER_NARROW_H

#include "base/base.h"

#include <stdint.h>

#define NARROW_ONE  32767
#define NARROW_HALF 16384

/* Scale and offset of filtered texels, which are 255 times a byte less 128. Both ends are exact, because the sum is
 * clamped to NARROW_ONE. */
#define NARROW_FILTER_SCALE  16513
#define NARROW_FILTER_MIDDLE 16448

/* Shuffles of the linear filter, in each 16 bytes: blue of two neighbouring texels, then green, red, alpha; the lower halves of words 0 and 1,
 * four times each, and of words 2 and 3; the lowest bytes of words 0 and 1, eight times each, and of words 2 and 3. */
#define NARROW_PAIR_BYTES   0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15
#define NARROW_LOWER_HALVES 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5
#define NARROW_UPPER_HALVES 8, 9, 8, 9, 8, 9, 8, 9, 12, 13, 12, 13, 12, 13, 12, 13
#define NARROW_LOWER_BYTES  0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4
#define NARROW_UPPER_BYTES  8, 8, 8, 8, 8, 8, 8, 8, 12, 12, 12, 12, 12, 12, 12, 12

/* vec16_mul by this makes w - (w >> 7) of w, 0..255: the weight of 255 that is nearest to w of 256. */
#define NARROW_WEIGHT_SCALE 32639

/* A batch's memory for inputs and colours, as narrow ones: RASTER_LANES pixels. */
static inline int16_t *narrow_of(void *lanes)
{
    return lanes;
}
static inline const int16_t *narrow_of_const(const void *lanes)
{
    return lanes;
}

/* The number of lane l's pixel at levels with registers of `width` lanes (VEC of base/simd/simd.h). */
static inline unsigned narrow_place(unsigned width, unsigned l)
{
    const unsigned in = l % width;

    return width == 1 ? l : l - in + (in & 2 ? width / 2 : 0) + (in >> 2) * 2 + (in & 1);
}

/* The lanes of a level's registers: `width` of narrow_place. */
static inline unsigned narrow_width(enum cpu_level level)
{
    return level == CPU_SCALAR ? 1u : 2u << level;
}

/* Red, green, blue or alpha (0..3) of lane l. */
static inline float narrow_channel(const void *lanes, unsigned width, unsigned l, unsigned channel)
{
    const int16_t *pixel = narrow_of_const(lanes) + 4 * narrow_place(width, l);

    return (float)pixel[channel < 3 ? 2 - channel : 3] * (1.0f / (float)NARROW_ONE);
}

/* A number as a byte, rounded as in registers (vec16_words). */
static inline uint8_t narrow_byte(int16_t v)
{
    return v > 0 ? (uint8_t)((255 * v + NARROW_HALF) >> 15) : 0;
}

/* 0..1 to the nearest; NaN to 0. */
static inline int16_t narrow_from(float v)
{
    v = v > 0.0f ? v : 0.0f;
    v = v < 1.0f ? v : 1.0f;
    return (int16_t)(v * (float)NARROW_ONE + 0.5f);
}

#endif
