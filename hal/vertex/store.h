/* SPDX-License-Identifier: MIT */
/*
 * From the outputs of a vertex program, in lanes, to processed vertices: what programs that state was lowered to (tnl/run.c) and
 * vertex shaders (vertex_shader.c) have in common. Counts are rounded up to SIMD4_LANES, and so is the room.
 */
#ifndef HALCYON_HAL_VERTEX_STORE_H
#define HALCYON_HAL_VERTEX_STORE_H

#include "base/base.h"
#include "base/simd/simd4.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"

#include <stdbool.h>

/* Clip positions from the components x, y, z, w. */
static inline void hal_store_positions(const hal_lanes from[4], unsigned count, struct hal_vertex *vertices)
{
    for (unsigned i = 0; i < count; i += SIMD4_LANES) {
        float4 v[4];

        SIMD4_EACH(c)
        v[c] = float4_load(&from[c][i]);
        float4_transpose(v);
        SIMD4_EACH(l)
        float4_store(vertices[i + l].position, v[l]);
    }
}

/* An attribute from any four components. clamp: to 0..1. */
static inline __attribute__((always_inline)) void hal_store_attribute(const float *const from[4], bool clamp,
                                                                      unsigned slot, unsigned count,
                                                                      struct raster_vertex *projected)
{
    for (unsigned i = 0; i < count; i += SIMD4_LANES) {
        float4 v[4];

        SIMD4_EACH(c)
        {
            v[c] = float4_load(&from[c][i]);
            v[c] = clamp ? float4_saturate(v[c]) : v[c];
        }
        float4_transpose(v);
        SIMD4_EACH(l)
        float4_store(projected[i + l].input[slot], v[l]);
    }
}

/* Point sizes in pixels; NaN becomes the least one. */
static inline void hal_store_size(float size, float least, float most, struct hal_vertex *vertex)
{
    if (!(size >= least))
        size = least;
    vertex->point_size = BASE_MIN(size, most);
}

#endif
