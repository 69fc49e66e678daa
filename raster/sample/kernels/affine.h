/* SPDX-License-Identifier: MIT */
/* From integer coordinates to texels, in vectors, as defined by sample/kernels/narrow.c. Not for the levels scalar and
 * SSE2. */
#ifndef HALCYON_RASTER_SAMPLE_AFFINE_H
#define HALCYON_RASTER_SAMPLE_AFFINE_H

#include "raster/sample/kernels/fetch.h"

#if SIMD_HAS_GATHER

/* The value added before the shift: rounding to nearest plus 3 texels, minus half a texel for linear filters. */
static ALWAYS_INLINE uint32_t affine_bias(unsigned shift, bool linear)
{
    return (1u << (shift - 1)) + ((linear ? 768u - 128 : 768) << shift);
}

static ALWAYS_INLINE veci affine_texel(unsigned mode, int32_t size, unsigned shift, uint32_t bias, bool linear, veci v)
{
    const int32_t start = linear ? 768 - 128 : 768;
    const veci at = mode == RASTER_WRAP ? veci_and(v, veci_splat(RASTER_AFFINE_ONE - 1)) : v;
    const veci q = vector_right(veci_add(at, veci_splat(bias)), shift);

    if (mode == RASTER_WRAP)
        return q;
    return vector_max(vector_min(q, veci_splat((uint32_t)(size * 256 + 256 + start))),
                      veci_splat((uint32_t)(start - 256)));
}

static ALWAYS_INLINE veci affine_u(const struct raster_affine_level *level, bool linear, veci u)
{
    return affine_texel(level->mode_u, level->width, level->shift_u, level->bias_u, linear, u);
}

static ALWAYS_INLINE veci affine_v(const struct raster_affine_level *level, bool linear, veci v)
{
    return affine_texel(level->mode_v, level->height, level->shift_v, level->bias_v, linear, v);
}

/* The texel of a position in 1/256 texel. */
static ALWAYS_INLINE veci texel_of(veci q)
{
    return veci_sub(veci_right(q, 8), veci_splat(3));
}

static inline void view_affine(const struct raster_sampler *sampler, unsigned index, bool linear,
                               struct raster_affine_level *out)
{
    const struct raster_texture_level *level = &sampler->texture->level[index];

    out->texels = level->texels;
    out->width = (int32_t)level->width;
    out->height = (int32_t)level->height;
    out->pitch = (int32_t)level->pitch;
    out->mode_u = (uint8_t)sampler->address[0];
    out->mode_v = (uint8_t)sampler->address[1];
    out->shift_u = (uint8_t)(16 - __builtin_ctz(level->width));
    out->shift_v = (uint8_t)(16 - __builtin_ctz(level->height));
    out->bias_u = affine_bias(out->shift_u, linear);
    out->bias_v = affine_bias(out->shift_v, linear);
}

#endif
#endif
