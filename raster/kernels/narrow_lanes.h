/* SPDX-License-Identifier: MIT */
/* Quads of pixels of 16-bit numbers (raster/narrow.h) on their way into a batch and out of it. */
#ifndef HALCYON_RASTER_NARROW_LANES_H
#define HALCYON_RASTER_NARROW_LANES_H

#include "raster/kernels/lanes.h"
#include "raster/narrow.h"
#include "base/simd/simd.h"

/* Quad `from` of pixels of 16-bit numbers (raster/narrow.h) becomes quad `to` of others. Two pairs of pixels stay together. */
static inline void copy_narrow_quad(int16_t *out, unsigned to, const int16_t *in, unsigned from)
{
    const unsigned below = 4 * (narrow_place(VEC, 2) - narrow_place(VEC, 0));
    int16_t *o = out + 4 * narrow_place(VEC, RASTER_QUAD_LANES * to);
    const int16_t *i = in + 4 * narrow_place(VEC, RASTER_QUAD_LANES * from);

    memcpy(o, i, 8 * sizeof(*o));
    memcpy(o + below, i + below, 8 * sizeof(*o));
}

#endif
