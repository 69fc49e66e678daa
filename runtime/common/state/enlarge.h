/* SPDX-License-Identifier: MIT */
/*
 * Coordinates in pixels, for a target that is larger than the program believes (rt_pipe.times): what the driver is told instead of
 * the program's. docs/internal-resolution.md has the rules.
 */
#ifndef HALCYON_RUNTIME_ENLARGE_H
#define HALCYON_RUNTIME_ENLARGE_H

#include <math.h>
#include <stdint.h>

#include <windows.h>

/* Counts of pixels; what does not fit becomes the largest value. */
static inline uint32_t rt_enlarge_count(uint32_t value, uint32_t times)
{
    return times && value > UINT32_MAX / times ? UINT32_MAX : value * (times ? times : 1);
}

static inline LONG rt_enlarge_place(LONG value, uint32_t times)
{
    const int64_t place = (int64_t)value * (times ? times : 1);

    return place > INT32_MAX ? INT32_MAX : place < INT32_MIN ? INT32_MIN : (LONG)place;
}

/*
 * The coordinate of a triangle's corner in pixels, whose centres are whole numbers. A coordinate in the middle between two centres is the edge
 * of a pixel, put there so that texels and pixels meet ("Directly Mapping Texels to Pixels", DirectX 9 documentation), and becomes
 * the edge of the enlarged pixel. All others are multiplied, as the viewport does with vertices that the driver transforms. So a
 * rectangle covers the enlarged pixels of exactly those that it covers in the program's resolution, whether the program puts its
 * edges on centres or between them.
 */
static inline float rt_enlarge_corner(float value, uint32_t times)
{
    const float twice = 2.0f * value;
    const float between = 0.5f * (float)(times - 1);

    if (fabsf(twice) < 65536.0f && twice == floorf(twice) && value != floorf(value))
        return value * (float)times + between;
    return value * (float)times;
}

/* The size of a point in pixels, as bits. Sizes outside 1/65536 to 65536 stay: as render states they are commands of other
 * kinds (docs/extensions.md). */
static inline uint32_t rt_enlarge_size(uint32_t bits, uint32_t times)
{
    union {
        uint32_t bits;
        float size;
    } value = {.bits = bits};

    if (times && value.size >= 1.0f / 65536.0f && value.size <= 65536.0f)
        value.size *= (float)times;
    return value.bits;
}

#endif
