/* SPDX-License-Identifier: MIT */
/* From coordinates that are whole numbers to texels, in vectors, as sample/kernels/narrow.c defines it. Not for the levels scalar and SSE2. */
#ifndef HALCYON_RASTER_SAMPLE_AFFINE_H
#define HALCYON_RASTER_SAMPLE_AFFINE_H

#include "raster/sample/kernels/fetch.h"

#if SIMD_HAS_GATHER

/* A level and how whole numbers become its texels, 1/256 each, plus 768. */
struct affine_level {
    struct quad_texels texels;
    unsigned shift_u, shift_v;
    uint32_t bias_u, bias_v;
    bool rows; /* rows of texels are worth trying */
};

/* What is added before the shift: to the nearest, and 3 texels, for linear filters less half a one. */
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

static ALWAYS_INLINE veci affine_u(const struct affine_level *level, bool linear, veci u)
{
    return affine_texel(level->texels.u.mode, level->texels.u.size[0], level->shift_u, level->bias_u, linear, u);
}

static ALWAYS_INLINE veci affine_v(const struct affine_level *level, bool linear, veci v)
{
    return affine_texel(level->texels.v.mode, level->texels.v.size[0], level->shift_v, level->bias_v, linear, v);
}

/* The texel of 1/256 of them. */
static ALWAYS_INLINE veci texel_of(veci q)
{
    return veci_sub(veci_right(q, 8), veci_splat(3));
}

static ALWAYS_INLINE void view_affine(const struct raster_sampler *sampler, unsigned index, bool linear,
                                      const int32_t *v, struct affine_level *out)
{
    const struct raster_texture_level *level = &sampler->texture->level[index];

    out->texels.texels = level->texels;
    out->texels.u.mode = sampler->address[0];
    out->texels.v.mode = sampler->address[1];
    out->texels.u.size[0] = (int32_t)level->width;
    out->texels.v.size[0] = (int32_t)level->height;
    out->texels.pitch[0] = (int32_t)level->pitch;
    out->texels.bordered = false;
    out->texels.border = 0;
    out->shift_u = 16 - (unsigned)__builtin_ctz(level->width);
    out->shift_v = 16 - (unsigned)__builtin_ctz(level->height);
    out->bias_u = affine_bias(out->shift_u, linear);
    out->bias_v = affine_bias(out->shift_v, linear);
    out->rows = false;
#if SIMD_ROW_WORDS
    out->rows = linear && level->width >= SIMD_ROW_WORDS && vector_rows_are_equal(veci_load(v));
#else
    (void)v;
#endif
}

#endif
#endif
