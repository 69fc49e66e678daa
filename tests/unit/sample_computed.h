/* SPDX-License-Identifier: MIT */
/* The sampler as most tests call it: with levels of detail from the differences inside each quad. */
#ifndef HALCYON_TESTS_SAMPLE_COMPUTED_H
#define HALCYON_TESTS_SAMPLE_COMPUTED_H

#include "raster/sample/sample.h"

/* Samples group_count groups of 16 lanes with the kernels of a CPU level. */
static inline void sample_computed(enum cpu_level level, const struct raster_sampler *sampler, unsigned group_count,
                                   const float (*coordinate)[RASTER_LANES], float (*result)[RASTER_LANES])
{
    raster_sample_lod_kernel(level)(sampler, group_count, coordinate, RASTER_LOD_COMPUTED, NULL, result);
}

#endif
