/* SPDX-License-Identifier: MIT */
/*
 * The fast path to the levels of a batch: from coordinates to levels and fractions in vectors of quads. It gives the
 * same result in the same steps as sample/kernels/levels.c, which goes through a footprint; decisions that are the same
 * for all quads are made first. Not for the levels scalar and SSE2.
 */
#include "base/simd/simd.h"
#include "raster/sample/kernels/sampler.h"

#if SIMD_HAS_GATHER

/* Lanes that make a vector of quads. */
#define VECTOR_QUAD_LANES (4 * VEC)

/* Lanes 0, 1 and 2 of the quads of a block. Quad k of its vector i is lane 4 * k + i. */
struct vector_corners {
    vecf at, right, below;
};

/* Loads the corners of quads from a block of n lanes or more; if it is less than four vectors, the last one fills it. */
static inline struct vector_corners block_corners(const float *t, unsigned n)
{
    vecf a = vecf_load(t), b = vecf_load(t + BASE_MIN(1 * VEC, n - VEC));
    vecf c = vecf_load(t + BASE_MIN(2 * VEC, n - VEC)), d = vecf_load(t + BASE_MIN(3 * VEC, n - VEC));
    vecf ab = vector_unpack_low(a, b), cd = vector_unpack_low(c, d);

    return (struct vector_corners){vector_low_halves(ab, cd), vector_high_halves(ab, cd),
                                   vector_low_halves(vector_unpack_high(a, b), vector_unpack_high(c, d))};
}

/* Squared length of a footprint's side. */
static inline vecf squared(vecf u, vecf v)
{
    return vecf_add(vecf_mul(u, u), vecf_mul(v, v));
}

/* The squared length of each quad's longer side. */
static inline vecf longer_sides(const float *u, const float *v, unsigned n, vecf width, vecf height)
{
    struct vector_corners s = block_corners(u, n), t = block_corners(v, n);
    vecf x = squared(vecf_mul(vecf_sub(s.right, s.at), width), vecf_mul(vecf_sub(t.right, t.at), height));
    vecf y = squared(vecf_mul(vecf_sub(s.below, s.at), width), vecf_mul(vecf_sub(t.below, t.at), height));

    return vecf_max(x, y);
}

/* raster_log2 */
static inline vecf levels_log2(vecf v)
{
    static const float factor[4] = {-0.19250f, 0.41280f, -0.70770f, 1.44179f};
    veci bits = veci_bits(v);
    veci exponent = veci_sub(veci_and(veci_right(bits, 23), veci_splat(255)), veci_splat(127 + 128));
    veci mantissa = veci_or(veci_and(bits, veci_splat(0x007fffff)), veci_splat(0x3f800000));
    vecf m = vecf_sub(vecf_of_bits(mantissa), vecf_splat(1.0f)), sum = vecf_splat(0.04561f);

    UNROLLED
    for (unsigned i = 0; i < 4; i++)
        sum = vecf_add(vecf_splat(factor[i]), vecf_mul(m, sum));
    return vecf_add(vecf_add(vecf_mul(m, sum), vecf_splat(128.0f)), vecf_from(exponent));
}

/* How a sampler turns levels of detail into levels. */
struct level_rule {
    vecf bias, low, high;
    veci round, fraction_mask; /* of levels in 1/256 */
    veci mag, min;             /* are they filtered? */
    bool mipped;
    veci base; /* the level, if not */
};

static inline struct level_rule level_rule(const struct raster_sampler *sampler)
{
    bool mipped = sampler->mip_filter != RASTER_FILTER_NONE, mixed = sampler->mip_filter == RASTER_FILTER_LINEAR;
    int32_t base = sample_base_level(sampler), last = (int32_t)sampler->texture->level_count - 1;

    return (struct level_rule){
        .bias = vecf_splat(sampler->lod_bias),
        .low = vecf_splat(mipped ? (float)base : -128.0f),
        .high = vecf_splat(mipped ? (float)last : 128.0f),
        .round = veci_splat(mixed ? 0 : 128),
        .fraction_mask = veci_splat(mixed ? 255 : 0),
        .mag = veci_splat(sampler->mag_filter >= RASTER_FILTER_LINEAR),
        .min = veci_splat(sampler->min_filter >= RASTER_FILTER_LINEAR),
        .mipped = mipped,
        .base = veci_splat(base),
    };
}

/* Levels of a vector of quads from the squared lengths of their longer sides. Magnified quads have level of detail 0
 * and hence the base level; the last level has no fraction, because detail ends there. Returns a word for each quad
 * that is the same if sample_same_levels is true of them. */
static inline veci levels_choose_vector(const struct level_rule *rule, vecf side, int32_t *level, int32_t *linear,
                                        float *fraction)
{
    vecf lod = vecf_add(vecf_mul(vecf_splat(0.5f), levels_log2(side)), rule->bias);
    vecf detail = vecf_max(vecf_limit(lod, rule->low, rule->high), vecf_splat(0.0f));
    veci fixed = veci_truncate(vecf_add(vecf_mul(detail, vecf_splat(256.0f)), vecf_splat(0.5f)));
    veci chosen = rule->mipped ? veci_right(veci_add(fixed, rule->round), 8) : rule->base;
    veci filtered = vector_select(veci_sub(veci_bits(detail), veci_splat(1)), rule->mag, rule->min);
    veci mixed = veci_and(fixed, rule->fraction_mask);

    veci_store(level, chosen);
    veci_store(linear, filtered);
    vecf_store(fraction, vecf_mul(vecf_from(mixed), vecf_splat(1.0f / 256.0f)));
    /* a fraction that is not 0 carries into bit 8 */
    mixed = veci_and(veci_add(mixed, veci_splat(255)), veci_splat(256));
    return veci_or(veci_or(veci_left(chosen, 16), filtered), mixed);
}

bool KERNEL(sample_isotropic_levels)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                                     struct quad_levels *levels)
{
    const struct raster_texture_level *top = &sampler->texture->level[0];
    const vecf width = vecf_splat((float)top->width), height = vecf_splat((float)top->height);
    bool magnified = sampler->lod_bias <= 0.0f && (!sampler->base_level || sampler->mip_filter == RASTER_FILTER_NONE);
    vecf side[MAX_LANES / VECTOR_QUAD_LANES];
    veci first = veci_splat(0), other = veci_splat(0);
    struct level_rule rule;

    for (unsigned l = 0; l < n; l += VECTOR_QUAD_LANES) {
        side[l / VECTOR_QUAD_LANES] = longer_sides(place->u + l, place->v + l, n - l, width, height);
        /* for sure, with any last bits of the logarithm */
        magnified = magnified && vector_all_at_most(side[l / VECTOR_QUAD_LANES], vecf_splat(0.99f));
    }
    if (magnified) {
        sample_only_level(sampler, levels);
        return true;
    }
    rule = level_rule(sampler);
    for (unsigned l = 0; l < n; l += VECTOR_QUAD_LANES) {
        unsigned q = l / 4;
        veci same = levels_choose_vector(&rule, vector_quad_order(side[l / VECTOR_QUAD_LANES]), &levels->level[q],
                                         &levels->linear[q], &levels->fraction[q]);

        first = l ? first : vector_splat_first(same);
        other = veci_or(other, vector_difference(same, first));
    }
    return !vector_any(other);
}
#endif
