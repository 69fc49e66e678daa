/* SPDX-License-Identifier: MIT */
/* Levels of detail: one per quad, from the differences inside it. Source: reference raster.md 6. */
#include "raster/lod.h"
#include "raster/sample_lanes.h"

/* Adds the squared differences of one axis inside quads, in texels. */
static void add_footprint(unsigned quads, const float *restrict t, float size, float *restrict x,
                          float *restrict y)
{
    for (unsigned q = 0; q < quads; q++) {
        float dx = (t[4 * q + 1] - t[4 * q]) * size, dy = (t[4 * q + 2] - t[4 * q]) * size;

        x[q] += dx * dx;
        y[q] += dy * dy;
    }
}

void KERNEL(sample_lods)(const struct raster_sampler *sampler, const struct place *place,
                         unsigned quads, float *lod)
{
    const struct raster_texture *texture = sampler->texture;
    const struct raster_texture_level *top = &texture->level[0];
    float x[MAX_QUADS] = {0}, y[MAX_QUADS] = {0}, bias = sampler->lod_bias;

    add_footprint(quads, place->u, (float)top->width, x, y);
    add_footprint(quads, place->v, (float)top->height, x, y);
    if (texture->kind == RASTER_TEXTURE_VOLUME)
        add_footprint(quads, place->w, (float)top->depth, x, y);
    for (unsigned q = 0; q < quads; q++)
        lod[q] = 0.5f * raster_log2(x[q] > y[q] ? x[q] : y[q]) + bias;
}

/* Magnification up to level of detail 0, decided after the clamp to the levels that may be read. */
static void choose_levels(const struct raster_sampler *sampler, const struct place *place,
                          unsigned quads, struct quad_levels *out)
{
    int32_t last = (int32_t)sampler->texture->level_count - 1,
            base = BASE_MIN(sampler->base_level, last);
    int32_t mag = sampler->mag_filter >= RASTER_FILTER_LINEAR,
            min = sampler->min_filter >= RASTER_FILTER_LINEAR;
    bool mipped = sampler->mip_filter != RASTER_FILTER_NONE;
    float low = mipped ? (float)base : -128.0f, high = mipped ? (float)last : 128.0f,
          computed[MAX_QUADS];
    const float *lod = place->lod ? place->lod : computed;
    int32_t round = sampler->mip_filter == RASTER_FILTER_LINEAR ? 0 : 128;
    int32_t fraction_mask = sampler->mip_filter == RASTER_FILTER_LINEAR ? 255 : 0;

    if (!place->lod)
        KERNEL(sample_lods)(sampler, place, quads, computed);
    for (unsigned q = 0; q < quads; q++) {
        float clamped = limit(lod[q], low, high);
        int32_t magnified = !(clamped > 0.0f),
                fixed = magnified ? 0 : (int32_t)(clamped * 256.0f + 0.5f);
        int32_t level = (fixed + round) >> 8;

        level = level < last ? level : last;
        out->linear[q] = magnified ? mag : min;
        out->level[q] = !mipped || magnified ? base : level;
        out->fraction[q] =
            mipped && level < last ? (float)(fixed & fraction_mask) * (1.0f / 256.0f) : 0.0f;
    }
}

bool KERNEL(sample_same_levels)(const struct quad_levels *levels, unsigned a, unsigned b)
{
    return levels->level[a] == levels->level[b] && levels->linear[a] == levels->linear[b] &&
           (levels->fraction[a] > 0.0f) == (levels->fraction[b] > 0.0f);
}

bool KERNEL(sample_levels)(const struct raster_sampler *sampler, const struct place *place,
                           unsigned quads, struct quad_levels *levels)
{
    bool uniform = true;

    if (sampler->mip_filter == RASTER_FILTER_NONE && sampler->mag_filter == sampler->min_filter) {
        levels->level[0] =
            BASE_MIN(sampler->base_level, (int32_t)sampler->texture->level_count - 1);
        levels->linear[0] = sampler->mag_filter >= RASTER_FILTER_LINEAR;
        levels->fraction[0] = 0.0f;
        return true;
    }
    choose_levels(sampler, place, quads, levels);
    for (unsigned q = 1; q < quads; q++)
        uniform &= KERNEL(sample_same_levels)(levels, 0, q);
    return uniform;
}
