/* SPDX-License-Identifier: MIT */
/*
 * From coordinates to texels of an axis in vectors, for the sampler's fast paths; same bits as
 * sample/kernels/address.c. Not for the levels scalar and SSE2.
 */
#ifndef HALCYON_RASTER_SAMPLE_AXES_H
#define HALCYON_RASTER_SAMPLE_AXES_H

#include "base/simd/simd.h"
#include "raster/sample/kernels/sampler.h"

#if SIMD_HAS_GATHER

/* Everything that a loop holds in registers. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Coordinates beyond this many repetitions have no fraction left worth keeping (sample/kernels/address.c). */
#define MAX_REPEAT 1048576.0f

/* One axis of a level, of each lane. */
struct axis_rule {
    unsigned mode; /* enum raster_address */
    veci size;
};

static inline veci less_one(veci v)
{
    return veci_sub(v, veci_splat(1));
}

/* Coordinates in 1/256 texel, as in sample/kernels/address.c: scaling by the power of two does not round. They stay at
 * least `low` texels away from both ends, unless the address mode ensures that. */
static ALWAYS_INLINE vecf texel_coordinate(struct axis_rule rule, vecf u, float low)
{
    const vecf size = vecf_from(veci_left(rule.size, 8)), edge = vecf_splat(256.0f * low);

    if (rule.mode == RASTER_WRAP)
        return vecf_mul(vector_fraction(vecf_limit(u, vecf_splat(-MAX_REPEAT), vecf_splat(MAX_REPEAT))), size);
    if (rule.mode == RASTER_MIRROR) {
        vecf half = vecf_mul(vecf_limit(u, vecf_splat(-MAX_REPEAT), vecf_splat(MAX_REPEAT)), vecf_splat(0.5f));
        vecf t = vecf_mul(vector_fraction(half), vecf_splat(2.0f));

        u = vecf_sub(vecf_splat(1.0f), vecf_abs(vecf_sub(vecf_splat(1.0f), t)));
    } else if (rule.mode == RASTER_MIRROR_ONCE) {
        u = vecf_abs(vecf_limit(u, vecf_splat(-2.0f), vecf_splat(2.0f)));
    }
    return vecf_limit(vecf_mul(u, size), edge, vecf_sub(size, edge));
}

/* Does the edge texel repeat? */
static ALWAYS_INLINE bool repeats_edge(unsigned mode)
{
    return mode != RASTER_WRAP && mode != RASTER_BORDER;
}

/* Texels of a linear filter, before the mode is applied, and weights of the next ones, 0..256. Where the edge texel
 * repeats, the coordinate is kept between the centres of the outermost texels, which gives the same result; then a next
 * texel always exists, if there are two. Not if filtering rounds: mixing the edge texel with itself then differs from
 * giving a neighbour all the weight. */
static ALWAYS_INLINE void linear_texels(struct axis_rule rule, bool rounds, vecf u, veci *texel, veci *weight)
{
    const bool between = repeats_edge(rule.mode) && !rounds;
    const vecf s = texel_coordinate(rule, u, between ? 0.5f : -1.0f);
    const veci q = veci_truncate(vecf_add(s, vecf_splat(768.0f - 128.0f + 0.5f)));

    *texel = veci_sub(vector_right(q, 8), veci_splat(3));
    if (between) {
        const veci last = vector_max(veci_sub(rule.size, veci_splat(2)), veci_splat(0));

        *texel = vector_min(*texel, last);
        *weight = veci_sub(veci_sub(q, veci_splat(768)), veci_left(*texel, 8));
    } else {
        *weight = veci_and(q, veci_splat(255));
    }
}

/* Maps texels -2 .. size + 1 into the texture by the address mode. */
static ALWAYS_INLINE veci wrap_texels(struct axis_rule rule, veci i)
{
    const veci size = rule.size;

    if (rule.mode == RASTER_WRAP) {
        i = vector_min_unsigned(i, veci_add(i, size));
        return vector_min_unsigned(i, veci_sub(i, size));
    }
    if (rule.mode == RASTER_BORDER)
        return veci_or(i, vector_right(veci_or(i, veci_sub(less_one(size), i)), 31));
    return vector_max(vector_min(i, less_one(size)), veci_splat(0));
}

/* The texel of a point filter: rounds to the nearest 1/256 first, like linear filters. */
static ALWAYS_INLINE veci nearest_texel(struct axis_rule rule, vecf u)
{
    vecf s = vecf_add(texel_coordinate(rule, u, -1.0f), vecf_splat(512.5f));

    return wrap_texels(rule, veci_sub(vector_right(veci_truncate(s), 8), veci_splat(2)));
}

/* Index of the first texel of each lane's face. */
static ALWAYS_INLINE veci face_start(int32_t slice, const struct place *place, unsigned l)
{
    return place->face ? vector_mul(veci_load(place->face + l), veci_splat(slice)) : veci_splat(0);
}

#endif
#endif
