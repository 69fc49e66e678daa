/* SPDX-License-Identifier: MIT */
/*
 * Levels of detail, one per quad, from the differences inside it, and the probes of anisotropic filters. Batches of
 * fewer quads are computed as full ones: loops over a constant 16 quads are what the vectorizer likes.
 */
#include "raster/sample/lod.h"
#include "raster/sample/kernels/sampler.h"

#include <string.h>

/* Lanes 0, 1 and 2 of each quad. */
struct corners {
    float at[MAX_QUADS], right[MAX_QUADS], below[MAX_QUADS];
};

/* Differences of one axis inside quads, per pixel in x and in y. */
static inline void quad_differences(const float *restrict t, float *restrict dx, float *restrict dy)
{
    struct corners c;

    corners_of_quads(t, c.at, c.right, c.below);
    for (unsigned q = 0; q < MAX_QUADS; q++) {
        dx[q] = c.right[q] - c.at[q];
        dy[q] = c.below[q] - c.at[q];
    }
}

/* Differences of a batch. */
struct differences {
    float ux[MAX_QUADS], uy[MAX_QUADS], vx[MAX_QUADS], vy[MAX_QUADS], wx[MAX_QUADS], wy[MAX_QUADS];
};

static void isotropic_footprint(const struct raster_sampler *sampler, const struct differences *d,
                                struct footprint *out)
{
    const struct raster_texture_level *top = &sampler->texture->level[0];
    float width = (float)top->width, height = (float)top->height, depth = (float)top->depth;
    float bias = sampler->lod_bias;

    for (unsigned q = 0; q < MAX_QUADS; q++) {
        float ux = d->ux[q] * width, vx = d->vx[q] * height, wx = d->wx[q] * depth;
        float uy = d->uy[q] * width, vy = d->vy[q] * height, wy = d->wy[q] * depth;
        float x = ux * ux + vx * vx + wx * wx, y = uy * uy + vy * vy + wy * wy;

        out->lod[q] = 0.5f * raster_log2(x > y ? x : y) + bias;
    }
    out->most_probes = 1;
}

static void anisotropic_footprint(const struct raster_sampler *sampler, const struct differences *d, unsigned quads,
                                  struct footprint *out)
{
    const struct raster_texture_level *top = &sampler->texture->level[0];
    float max = (float)BASE_MIN(sampler->max_anisotropy, RASTER_MAX_ANISOTROPY), bias = sampler->lod_bias;
    float width = (float)top->width, height = (float)top->height;

    for (unsigned q = 0; q < MAX_QUADS; q++) {
        float ux = d->ux[q] * width, vx = d->vx[q] * height, uy = d->uy[q] * width, vy = d->vy[q] * height;
        struct raster_footprint f = raster_footprint_of(ux, vx, uy, vy);
        float lod;

        out->probes[q] = raster_anisotropy(f, max, &lod);
        out->lod[q] = lod + bias;
        out->along_u[q] = f.x2 >= f.y2 ? d->ux[q] : d->uy[q];
        out->along_v[q] = f.x2 >= f.y2 ? d->vx[q] : d->vy[q];
    }
    out->most_probes = 1;
    for (unsigned q = 0; q < quads; q++)
        out->most_probes = BASE_MAX(out->most_probes, out->probes[q]);
}

void KERNEL(sample_footprint)(const struct raster_sampler *sampler, const struct place *place, unsigned quads,
                              struct footprint *out)
{
    struct differences d;

    quad_differences(place->u, d.ux, d.uy);
    quad_differences(place->v, d.vx, d.vy);
    if (is_anisotropic(sampler)) {
        anisotropic_footprint(sampler, &d, quads, out);
        return;
    }
    if (sampler->texture->kind == RASTER_TEXTURE_VOLUME) {
        quad_differences(place->w, d.wx, d.wy);
    } else {
        memset(d.wx, 0, sizeof(d.wx));
        memset(d.wy, 0, sizeof(d.wy));
    }
    isotropic_footprint(sampler, &d, out);
}

/* Magnification up to level of detail 0, decided after the clamp to the levels that may be read. */
static void choose_levels(const struct raster_sampler *sampler, const float *lod, struct quad_levels *out)
{
    int32_t last = (int32_t)sampler->texture->level_count - 1, base = BASE_MIN(sampler->base_level, last);
    int32_t mag = sampler->mag_filter >= RASTER_FILTER_LINEAR, min = sampler->min_filter >= RASTER_FILTER_LINEAR;
    bool mipped = sampler->mip_filter != RASTER_FILTER_NONE;
    float low = mipped ? (float)base : -128.0f, high = mipped ? (float)last : 128.0f;
    int32_t round = sampler->mip_filter == RASTER_FILTER_LINEAR ? 0 : 128;
    int32_t fraction_mask = sampler->mip_filter == RASTER_FILTER_LINEAR ? 255 : 0;

    for (unsigned q = 0; q < MAX_QUADS; q++) {
        float clamped = limit(lod[q], low, high);
        int32_t magnified = !(clamped > 0.0f), fixed = magnified ? 0 : (int32_t)(clamped * 256.0f + 0.5f);
        int32_t level = (fixed + round) >> 8;

        level = level < last ? level : last;
        out->linear[q] = magnified ? mag : min;
        out->level[q] = !mipped || magnified ? base : level;
        out->fraction[q] = mipped && level < last ? (float)(fixed & fraction_mask) * (1.0f / 256.0f) : 0.0f;
    }
}

bool KERNEL(sample_same_levels)(const struct quad_levels *levels, unsigned a, unsigned b)
{
    return levels->level[a] == levels->level[b] && levels->linear[a] == levels->linear[b] &&
           (levels->fraction[a] > 0.0f) == (levels->fraction[b] > 0.0f);
}

/* Do all quads read the same levels with the same filter? */
static inline bool are_same(const struct quad_levels *levels, unsigned quads)
{
    int32_t other = 0, mixed = levels->fraction[0] > 0.0f;

    for (unsigned q = 0; q < quads; q++)
        other |= (levels->level[q] ^ levels->level[0]) | (levels->linear[q] ^ levels->linear[0]) |
                 ((levels->fraction[q] > 0.0f) ^ mixed);
    return !other;
}

bool KERNEL(sample_levels)(const struct raster_sampler *sampler, const struct footprint *footprint, unsigned quads,
                           struct quad_levels *levels)
{
    choose_levels(sampler, footprint->lod, levels);
    return are_same(levels, quads);
}
