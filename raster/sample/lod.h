/* SPDX-License-Identifier: MIT */
/* Levels of detail and anisotropic probes: one set of formulas for the samplers and for tests that predict which texels
 * they read. All in floats, selects without branches, so that loops over quads vectorize. */
#ifndef HALCYON_RASTER_LOD_H
#define HALCYON_RASTER_LOD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* log2 of a positive float, absolute error below 1/10000; 0 gives about -127. A multiple of 2^-16 whose fraction does not
 * depend on the exponent: twice the size is exactly one level more, so a texture without its finest levels (which were
 * never read, by its feedback map) is sampled as before. */
static inline float raster_log2(float v)
{
    uint32_t bits;
    float m;

    memcpy(&bits, &v, sizeof(bits));
    int32_t exponent = (int32_t)(bits >> 23 & 255) - 127;
    bits = (bits & 0x007fffff) | 0x3f800000;
    memcpy(&m, &bits, sizeof(m));
    m -= 1.0f;
    m *= 1.44179f + m * (-0.70770f + m * (0.41280f + m * (-0.19250f + m * 0.04561f)));
    return (m + 128.0f) + (float)(exponent - 128); /* 128 + m: floats there are 2^-16 apart */
}

/* Squared lengths of the footprint's sides, in texels of level 0, and the area that they span. */
struct raster_footprint {
    float x2, y2, area;
};

/* From the changes of (u, v) per pixel in x and in y, in texels of level 0. */
static inline struct raster_footprint raster_footprint_of(float ux, float vx, float uy, float vy)
{
    return (struct raster_footprint){ux * ux + vx * vx, uy * uy + vy * vy, fabsf(ux * vy - vx * uy)};
}

/* How an anisotropic filter reads a footprint: `probes` equal samples along its longer side, 1..max (1..16); *lod:
 * level of detail of each, from the shorter side. A footprint less than one texel wide needs no more probes than its
 * length in texels. The ratio is rounded to 1/256, so that noise in the last bits adds no probe. Source:
 * docs/reference/texture-sampling.md, section 2. */
static inline int32_t raster_anisotropy(struct raster_footprint f, float max, float *lod)
{
    float longer2 = f.x2 > f.y2 ? f.x2 : f.y2, longer = sqrtf(longer2), ratio = longer2 / f.area;
    int limited = !(ratio <= max);
    float shorter = limited ? longer / max : f.area / longer;
    int32_t steps;

    ratio = limited ? max : ratio;
    ratio = shorter < 1.0f ? ratio * shorter : ratio;
    ratio = ratio > 1.0f ? ratio : 1.0f; /* also where it is not a number */
    steps = (int32_t)(ratio * 256.0f + 0.5f);
    *lod = raster_log2(shorter);
    return (steps + 255) >> 8;
}

/* The position of probe k of n, in lengths of the longer side from its middle: -1/2 < result < 1/2. */
static inline float raster_probe_offset(int32_t k, int32_t n)
{
    return (float)(2 * k + 1 - n) / (float)(2 * n);
}

#endif
