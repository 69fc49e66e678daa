/* SPDX-License-Identifier: MIT */
/*
 * The texels that a sampler reads for one fragment; the marks of the kernels are compared with them. The steps are
 * those of raster/sample/kernels/sample.c (level of detail, snapping to 1/256 texel, address modes); a texel whose
 * weight is zero is not read. Sources: docs/reference/feedback-rules.md, section 3; docs/reference/texture-sampling.md.
 */
#ifndef HALCYON_TESTS_FEEDBACK_ORACLE_H
#define HALCYON_TESTS_FEEDBACK_ORACLE_H

#include "raster/sample/feedback_map.h"
#include "raster/sample/lod.h"

#include <math.h>

/* The forms of WriteSamplerFeedback. */
enum feedback_form {
    FEEDBACK_SAMPLE,       /* implicit level of detail, from ddx, ddy */
    FEEDBACK_SAMPLE_BIAS,  /* likewise, plus `value` before the sampler's limits */
    FEEDBACK_SAMPLE_GRAD,  /* as FEEDBACK_SAMPLE; the gradient was given */
    FEEDBACK_SAMPLE_LEVEL, /* level `value`; never anisotropic */
};

struct feedback_write {
    enum feedback_form form;
    float u, v, layer;    /* layer: rounded to the nearest, ties to even, clamped */
    float ddx[2], ddy[2]; /* of (u, v), per pixel */
    float value;
    float lod_clamp; /* no finer level than this; 0: none */
};

/* Two texels of an axis; second_weight 0: only the first is read. ORACLE_BORDER: none is. */
struct taps {
    int32_t index[2];
    unsigned second_weight; /* 1/256 */
};

#define ORACLE_BORDER (-1)

static inline float limit(float v, float low, float high)
{
    v = v > low ? v : low; /* NaN becomes the lower limit */
    return v < high ? v : high;
}

/* The coordinate in texels after the address mode: in floats, as the kernels compute it, so that ties fall on the same
 * side. */
static inline float texel_coordinate(unsigned mode, float u, float size)
{
    const float far = 1048576.0f;
    float t;

    switch (mode) {
    case RASTER_WRAP:
        t = limit(u, -far, far);
        return (t - floorf(t)) * size;
    case RASTER_MIRROR:
        t = limit(u, -far, far);
        t = t - 2.0f * floorf(t * 0.5f);
        return (1.0f - fabsf(1.0f - t)) * size;
    case RASTER_MIRROR_ONCE:
        t = fabsf(limit(u, -2.0f, 2.0f)) * size;
        return t < size + 1.0f ? t : size + 1.0f;
    default:
        return limit(u * size, -1.0f, size + 1.0f);
    }
}

static inline int32_t inside(unsigned mode, int32_t i, int32_t size)
{
    if (mode == RASTER_WRAP)
        return i < 0 ? i + size : i >= size ? i - size : i;
    if (mode == RASTER_BORDER)
        return i < 0 || i >= size ? ORACLE_BORDER : i;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static inline struct taps find_taps(unsigned mode, bool linear, float u, unsigned size)
{
    float s = texel_coordinate(mode, u, (float)size);
    int32_t n = (int32_t)size, q, first;

    if (!linear) {
        first = ((int32_t)(s * 256.0f + 512.5f) >> 8) - 2;
        return (struct taps){{inside(mode, first, n), ORACLE_BORDER}, 0};
    }
    q = (int32_t)(s * 256.0f + (768.0f - 128.0f + 0.5f));
    first = (q >> 8) - 3;
    return (struct taps){{inside(mode, first, n), inside(mode, first + 1, n)}, (unsigned)q & 255};
}

struct footprint {
    struct raster_feedback *map;
    const struct raster_sampler *sampler;
    unsigned layer;
};

/* The texels of one probe at (u, v) in a level. */
static inline void mark_probe(const struct footprint *f, unsigned level, bool linear, float u, float v)
{
    const struct raster_texture_level *l = &f->sampler->texture->level[level];
    bool cube = f->sampler->texture->kind == RASTER_TEXTURE_CUBE; /* clamped inside the face */
    struct taps x = find_taps(cube ? RASTER_CLAMP : f->sampler->address[0], linear, u, l->width);
    struct taps y = find_taps(cube ? RASTER_CLAMP : f->sampler->address[1], linear, v, l->height);

    for (unsigned j = 0; j < (y.second_weight ? 2u : 1u); j++)
        for (unsigned i = 0; i < (x.second_weight ? 2u : 1u); i++)
            if (x.index[i] != ORACLE_BORDER && y.index[j] != ORACLE_BORDER)
                feedback_mark_region(feedback_region(f->map, f->layer, level, (unsigned)x.index[i] >> f->map->shift_x,
                                                     (unsigned)y.index[j] >> f->map->shift_y));
}

/* How a fragment is sampled: the level of detail, and a line of probes if the filter is anisotropic. */
struct lod_choice {
    float lod;
    unsigned probes;
    float major[2]; /* from the first probe's end to the last's, in (u, v) */
};

/* The change of (u, v) per pixel in x and in y. */
struct gradient {
    float x[2], y[2];
};

/* In the floats of raster/sample/kernels/levels.c, so that ties fall on the same side. */
static inline struct lod_choice choose_lod(const struct raster_sampler *sampler, const struct gradient *g)
{
    const struct raster_texture_level *top = &sampler->texture->level[0];
    float width = (float)top->width, height = (float)top->height;
    struct raster_footprint f =
        raster_footprint_of(g->x[0] * width, g->x[1] * height, g->y[0] * width, g->y[1] * height);
    const float *longer = f.x2 >= f.y2 ? g->x : g->y;
    struct lod_choice choice = {.probes = 1, .major = {longer[0], longer[1]}};

    if (sampler->min_filter == RASTER_FILTER_ANISOTROPIC && sampler->max_anisotropy > 1)
        choice.probes = (unsigned)raster_anisotropy(f, (float)BASE_MIN(sampler->max_anisotropy, RASTER_MAX_ANISOTROPY),
                                                    &choice.lod);
    else
        choice.lod = 0.5f * raster_log2(f.x2 > f.y2 ? f.x2 : f.y2);
    choice.lod += sampler->lod_bias;
    return choice;
}

static inline void mark_level(const struct footprint *f, float u, float v, const struct lod_choice *choice,
                              unsigned level, bool linear)
{
    for (unsigned k = 0; k < choice->probes; k++) {
        float along = raster_probe_offset((int32_t)k, (int32_t)choice->probes);

        mark_probe(f, level, linear, u + along * choice->major[0], v + along * choice->major[1]);
    }
}

/* The four texels of fetch4, in the floats of raster/sample/kernels/sample.c. */
static inline void mark_fetch4(const struct footprint *f, float u, float v)
{
    const struct raster_texture *texture = f->sampler->texture;
    unsigned base = BASE_MIN(f->sampler->base_level, texture->level_count - 1);
    float right = 1.0f / (float)texture->level[base].width, below = 1.0f / (float)texture->level[base].height;

    for (unsigned k = 0; k < 4; k++)
        mark_probe(f, base, false, u + (k & 1 ? right : 0.0f), v + (k & 2 ? below : 0.0f));
}

/* All texels that have a weight for a fragment at (u, v). */
static inline void mark_fragment(const struct footprint *f, float u, float v, const struct lod_choice *given)
{
    const struct raster_sampler *sampler = f->sampler;
    unsigned last = sampler->texture->level_count - 1, base = BASE_MIN(sampler->base_level, last);
    bool mipped = sampler->mip_filter != RASTER_FILTER_NONE;
    struct lod_choice choice = *given;

    if (sampler->fetch4) {
        mark_fetch4(f, u, v);
        return;
    }
    if (mipped)
        choice.lod = limit(choice.lod, (float)base, (float)last);
    bool magnified = !(choice.lod > 0.0f);
    bool linear = (magnified ? sampler->mag_filter : sampler->min_filter) >= RASTER_FILTER_LINEAR;
    if (!mipped) {
        mark_level(f, u, v, &choice, base, linear);
        return;
    }
    unsigned fixed = magnified ? 0 : (unsigned)(choice.lod * 256.0f + 0.5f);
    if (sampler->mip_filter == RASTER_FILTER_POINT) {
        mark_level(f, u, v, &choice, magnified ? base : BASE_MIN((fixed + 128) >> 8, last), linear);
        return;
    }
    mark_level(f, u, v, &choice, magnified ? base : fixed >> 8, linear);
    if ((fixed & 255) && fixed >> 8 < last)
        mark_level(f, u, v, &choice, (fixed >> 8) + 1, linear);
}

/* Marks the texels that the sampler would read for one fragment. The sampler's texture gives size and levels and must
 * be the paired one; a NULL texture marks nothing. Exactly the texels with a weight are marked. */
static inline void write_feedback(struct raster_feedback *map, const struct raster_sampler *sampler,
                                  const struct feedback_write *w)
{
    struct footprint f = {map, sampler, 0};
    struct gradient g = {{w->ddx[0], w->ddx[1]}, {w->ddy[0], w->ddy[1]}};
    struct lod_choice choice = {.lod = w->value + sampler->lod_bias, .probes = 1};

    if (!sampler->texture)
        return;
    unsigned layers = map->desc.layer_count;
    double layer = nearbyint((double)w->layer);
    f.layer = layer > 0.0 ? layer < layers ? (unsigned)layer : layers - 1 : 0;
    if (w->form != FEEDBACK_SAMPLE_LEVEL)
        choice = choose_lod(sampler, &g);
    if (w->form == FEEDBACK_SAMPLE_BIAS)
        choice.lod += w->value;
    choice.lod = choice.lod > w->lod_clamp || w->lod_clamp <= 0.0f ? choice.lod : w->lod_clamp;
    mark_fragment(&f, w->u, w->v, &choice);
}

#endif
