/* SPDX-License-Identifier: MIT */
/* Levels of detail are computed with one logarithm, by the samplers and by whoever must know what they read. */
#ifndef HALCYON_RASTER_LOD_H
#define HALCYON_RASTER_LOD_H

#include <stdint.h>
#include <string.h>

/* log2 of a positive float, absolute error below 1/10000; 0 gives about -127. */
static inline float raster_log2(float v)
{
    uint32_t bits;
    float m;

    memcpy(&bits, &v, sizeof(bits));
    int32_t exponent = (int32_t)(bits >> 23 & 255) - 127;
    bits = (bits & 0x007fffff) | 0x3f800000;
    memcpy(&m, &bits, sizeof(m));
    m -= 1.0f;
    return (float)exponent + m * (1.44179f + m * (-0.70770f + m * (0.41280f + m * (-0.19250f + m * 0.04561f))));
}

#endif
