/* SPDX-License-Identifier: MIT */
/*
 * What the files of the sampler share: for sample*_kernels.c only. A batch of lanes goes through
 * three of them: sample_lod (which levels a quad reads), sample_address (which texels of an axis,
 * with which weight), sample_filter (texels fetched and mixed). sample_kernels.c ties them
 * together.
 */
#ifndef HALCYON_RASTER_SAMPLE_LANES_H
#define HALCYON_RASTER_SAMPLE_LANES_H

#include "raster/kernels.h"

#define LANES(n)  for (unsigned l = 0; l < (n); l++)
#define MAX_LANES RASTER_LANES
#define MAX_QUADS (MAX_LANES / 4)

/* What the lanes read of one axis: two texels and the weight of the second. */
struct axis {
    int32_t first[MAX_LANES], second[MAX_LANES];
    float weight[MAX_LANES];
};

/* Texel index outside the texture whose place the border colour takes. */
#define BORDER_TEXEL (-1)

/* Where the lanes sample: coordinates per axis and, for cubes, the face. */
struct place {
    float u[MAX_LANES], v[MAX_LANES], w[MAX_LANES];
    int32_t face[MAX_LANES];
    const float *lod; /* of each quad; NULL: from the coordinates */
};

/* What quads do: first level, whether it is filtered, and how much of the next level is mixed in.
 */
struct quad_levels {
    int32_t level[MAX_QUADS], linear[MAX_QUADS];
    float fraction[MAX_QUADS];
};

/* Texels and weights of one axis of `size` texels; mode: enum raster_address. Not linear: `first`
 * alone. */
void KERNEL(sample_axis)(unsigned mode, bool linear, unsigned n, const float *u, uint32_t size,
                         struct axis *axis);

/* One level at the places of n lanes. Channels as the texture has them: 0..255 of words, others as
 * they are. */
void KERNEL(sample_level)(const struct raster_sampler *sampler, const struct place *place,
                          unsigned n, unsigned index, bool linear,
                          float (*restrict out)[MAX_LANES]);
/* near += (far - near) * weight, all channels. */
void KERNEL(sample_mix)(unsigned n, float (*restrict near)[MAX_LANES],
                        float (*restrict far)[MAX_LANES], const float *restrict weight);

/* Level of detail of each quad: log2 of the footprint's longer side in texels of level 0. */
void KERNEL(sample_lods)(const struct raster_sampler *sampler, const struct place *place,
                         unsigned quads, float *lod);
/* Fills `levels`; true if all quads read the same levels with the same filter. */
bool KERNEL(sample_levels)(const struct raster_sampler *sampler, const struct place *place,
                           unsigned quads, struct quad_levels *levels);
bool KERNEL(sample_same_levels)(const struct quad_levels *levels, unsigned a, unsigned b);

/* NaN becomes the low end. */
static inline float limit(float v, float low, float high)
{
    v = v > low ? v : low;
    return v < high ? v : high;
}

#endif
