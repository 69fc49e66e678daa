/* SPDX-License-Identifier: MIT */
/*
 * The fast path through a level of wide texels, of four floats or of four halves: from coordinates to channels in two loops over
 * vectors of lanes, the first to addresses and weights, the second from texels to sums. The same steps as
 * sample/kernels/address.c and sample/kernels/filter.c take, and the same bits. Not for the levels scalar and SSE2.
 */
#include "raster/format/texel.h"
#include "raster/sample/kernels/axes.h"

#if SIMD_HAS_GATHER

/* A level that the lanes read. */
struct wide_level {
    const void *texels;
    bool halves;
    struct axis_rule u, v;
    veci pitch;
    int32_t slice;
};

/* The positions of the lanes' texels, counted in texels (left and right, in two rows), and the weights of the right and
 * the lower texels. */
struct wide_taps {
    _Alignas(64) int32_t index[4][MAX_LANES];
    _Alignas(64) float wu[MAX_LANES], wv[MAX_LANES];
    bool pairs; /* right texels follow the left ones in memory, for all lanes */
};

static inline struct wide_level view_level(const struct raster_sampler *sampler, unsigned index)
{
    const struct raster_texture *texture = sampler->texture;
    const struct raster_texture_level *level = &texture->level[index];
    const bool cube = texture->kind == RASTER_TEXTURE_CUBE;

    return (struct wide_level){
        .texels = level->texels,
        .halves = texture->is_half,
        .u = {cube ? RASTER_CLAMP : sampler->address[0], veci_splat((int32_t)level->width)},
        .v = {cube ? RASTER_CLAMP : sampler->address[1], veci_splat((int32_t)level->height)},
        .pitch = veci_splat((int32_t)level->pitch),
        .slice = (int32_t)level->slice,
    };
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* y * pitch + base; both factors have less than 16 bits. */
static ALWAYS_INLINE veci row_start(const struct wide_level *level, veci y, veci base)
{
    return veci_add(veci_madd16(y, level->pitch), base);
}

static ALWAYS_INLINE void find_nearest(const struct wide_level *level, const struct place *place, unsigned n,
                                       struct wide_taps *taps)
{
    for (unsigned l = 0; l < n; l += VEC) {
        const veci x = nearest_texel(level->u, vecf_load(place->u + l));
        const veci y = nearest_texel(level->v, vecf_load(place->v + l));

        veci_store(&taps->index[0][l], veci_add(row_start(level, y, face_start(level->slice, place, l)), x));
    }
}

static ALWAYS_INLINE void find_linear(const struct wide_level *level, const struct place *place, unsigned n,
                                      struct wide_taps *taps)
{
    const veci one = veci_splat(1);
    const vecf unit = vecf_splat(1.0f / 256.0f);

    taps->pairs = true;
    for (unsigned l = 0; l < n; l += VEC) {
        const veci base = face_start(level->slice, place, l);
        veci x, y, wu, wv, upper, lower, next;

        linear_texels(level->u, true, vecf_load(place->u + l), &x, &wu);
        linear_texels(level->v, true, vecf_load(place->v + l), &y, &wv);
        taps->pairs &= vector_inside(x, less_one(level->u.size));
        next = wrap_texels(level->u, veci_add(x, one));
        x = wrap_texels(level->u, x);
        upper = row_start(level, wrap_texels(level->v, y), base);
        lower = row_start(level, wrap_texels(level->v, veci_add(y, one)), base);
        veci_store(&taps->index[0][l], veci_add(upper, x));
        veci_store(&taps->index[1][l], veci_add(upper, next));
        veci_store(&taps->index[2][l], veci_add(lower, x));
        veci_store(&taps->index[3][l], veci_add(lower, next));
        vecf_store(&taps->wu[l], vecf_mul(vecf_from(wu), unit));
        vecf_store(&taps->wv[l], vecf_mul(vecf_from(wv), unit));
    }
}

/* --- texels --------------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE vecf load_fours(const void *texels, bool halves, const int32_t *index)
{
    return halves ? vector_fours_of_halves(texels, index) : vector_fours(texels, index);
}

/* The left and the right texels of a row; of lanes from l on. */
static ALWAYS_INLINE void load_row(const struct wide_level *level, bool halves, const struct wide_taps *taps,
                                   bool pairs, unsigned row, unsigned l, vecf pair[2])
{
    const int32_t *left = &taps->index[2 * row][l];

    if (!pairs) {
        pair[0] = load_fours(level->texels, halves, left);
        pair[1] = load_fours(level->texels, halves, &taps->index[2 * row + 1][l]);
    } else if (halves) {
        vector_four_pairs_of_halves(level->texels, left, pair);
    } else {
        vector_four_pairs(level->texels, left, pair);
    }
}

/* texel[i]: the four channels of lanes i, i + 4, ... of those from l on. Texels that are read in place may hold any
 * NaN. */
static ALWAYS_INLINE void store_channels(vecf texel[4], unsigned l, float (*out)[MAX_LANES])
{
    /* NaN if any of them is: one comparison for all. */
    const vecf sum = vecf_add(vecf_add(texel[0], texel[1]), vecf_add(texel[2], texel[3]));

    if (__builtin_expect(vecm_any(vecf_is_nan(sum)), false)) {
        const vecf nan = vecf_of_bits(veci_splat((int32_t)RASTER_NAN));

        UNROLLED
        for (unsigned i = 0; i < 4; i++)
            texel[i] = vecf_select(vecf_is_nan(texel[i]), nan, texel[i]);
    }
    vector_transpose(texel);
    UNROLLED
    for (unsigned c = 0; c < 4; c++)
        vecf_store(&out[c][l], texel[c]);
}

static ALWAYS_INLINE void read_nearest(const struct wide_level *level, bool halves, const struct wide_taps *taps,
                                       unsigned n, float (*out)[MAX_LANES])
{
    for (unsigned l = 0; l < n; l += VEC) {
        vecf texel[4];

        UNROLLED
        for (unsigned i = 0; i < 4; i++)
            texel[i] = load_fours(level->texels, halves, &taps->index[0][l + i]);
        store_channels(texel, l, out);
    }
}

static ALWAYS_INLINE vecf mix(vecf a, vecf b, vecf weight)
{
    return vecf_add(a, vecf_mul(vecf_sub(b, a), weight));
}

static ALWAYS_INLINE void read_linear(const struct wide_level *level, bool halves, const struct wide_taps *taps,
                                      bool pairs, unsigned n, float (*out)[MAX_LANES])
{
    for (unsigned l = 0; l < n; l += VEC) {
        const vecf wu = vecf_load(&taps->wu[l]), wv = vecf_load(&taps->wv[l]);
        vecf texel[4];

        UNROLLED
        for (unsigned i = 0; i < 4; i++) {
            const vecf u = vector_splat_in_fours(wu, i), v = vector_splat_in_fours(wv, i);
            vecf upper[2], lower[2];

            load_row(level, halves, taps, pairs, 0, l + i, upper);
            load_row(level, halves, taps, pairs, 1, l + i, lower);
            texel[i] = mix(mix(upper[0], upper[1], u), mix(lower[0], lower[1], u), v);
        }
        store_channels(texel, l, out);
    }
}

void KERNEL(sample_wide)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned index,
                         bool linear, float (*out)[MAX_LANES])
{
    const struct wide_level level = view_level(sampler, index);
    struct wide_taps taps;

    if (!linear) {
        find_nearest(&level, place, n, &taps);
        level.halves ? read_nearest(&level, true, &taps, n, out) : read_nearest(&level, false, &taps, n, out);
        return;
    }
    find_linear(&level, place, n, &taps);
    if (level.halves)
        taps.pairs ? read_linear(&level, true, &taps, true, n, out) : read_linear(&level, true, &taps, false, n, out);
    else
        taps.pairs ? read_linear(&level, false, &taps, true, n, out) : read_linear(&level, false, &taps, false, n, out);
}

#endif
