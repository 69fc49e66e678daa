/* SPDX-License-Identifier: MIT */
/*
 * Which texels a sampler reads for one fragment. The steps are those of sample_kernels.c (level of detail, snapping to
 * 1/256 texel, address modes); a texel whose weight is zero is not read. Source: reference raster.md 5.3 and 6.
 */
#include "raster/feedback.h"
#include "raster/lod.h"

#include <math.h>

/* Two texels of an axis; second_weight 0: only the first is read. BORDER: none is. */
struct taps {
    int32_t index[2];
    unsigned second_weight; /* 1/256 */
};

#define BORDER (-1)

static float limit(float v, float low, float high)
{
    v = v > low ? v : low; /* NaN becomes the low end */
    return v < high ? v : high;
}

/* Coordinate in texels after what the address mode does to it: in floats, as the kernels compute it, so that ties
 * fall on the same side. */
static float texel_coordinate(unsigned mode, float u, float size)
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

static int32_t inside(unsigned mode, int32_t i, int32_t size)
{
    if (mode == RASTER_WRAP)
        return i < 0 ? i + size : i >= size ? i - size : i;
    if (mode == RASTER_BORDER)
        return i < 0 || i >= size ? BORDER : i;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static struct taps find_taps(unsigned mode, bool linear, float u, unsigned size)
{
    float s = texel_coordinate(mode, u, (float)size);
    int32_t n = (int32_t)size, q, first;

    if (!linear) {
        first = ((int32_t)(s * 256.0f + 512.5f) >> 8) - 2;
        return (struct taps){{inside(mode, first, n), BORDER}, 0};
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
static void mark_probe(const struct footprint *f, unsigned level, bool linear, float u, float v)
{
    const struct raster_texture_level *l = &f->sampler->texture->level[level];
    struct taps x = find_taps(f->sampler->address[0], linear, u, l->width);
    struct taps y = find_taps(f->sampler->address[1], linear, v, l->height);

    for (unsigned j = 0; j < (y.second_weight ? 2u : 1u); j++)
        for (unsigned i = 0; i < (x.second_weight ? 2u : 1u); i++)
            if (x.index[i] != BORDER && y.index[j] != BORDER)
                raster_feedback_mark(f->map, f->layer, level, (unsigned)x.index[i], (unsigned)y.index[j]);
}

/* How a fragment is sampled: level of detail, and a line of probes if it is anisotropic. */
struct lod_choice {
    float lod;
    unsigned probes;
    double major[2]; /* from the first probe's end to the last's, in (u, v) */
};

/* Isotropic: log2 of the longer side of the footprint, in the floats of sample_kernels.c. */
static float isotropic_lod(const struct raster_texture_level *top, const struct feedback_write *w)
{
    float width = (float)top->width, height = (float)top->height;
    float xu = w->ddx[0] * width, xv = w->ddx[1] * height, yu = w->ddy[0] * width, yv = w->ddy[1] * height;
    float x = 0.0f + xu * xu + xv * xv, y = 0.0f + yu * yu + yv * yv;

    return 0.5f * raster_log2(x > y ? x : y);
}

/* Probes along the longer side; the shorter one gives the level. Source: reference raster.md 6, "Aniso". */
static void anisotropic_choice(const struct raster_sampler *sampler, const struct feedback_write *w,
                               struct lod_choice *choice)
{
    const struct raster_texture_level *top = &sampler->texture->level[0];
    double xu = (double)w->ddx[0] * top->width, xv = (double)w->ddx[1] * top->height;
    double yu = (double)w->ddy[0] * top->width, yv = (double)w->ddy[1] * top->height;
    double x = sqrt(xu * xu + xv * xv), y = sqrt(yu * yu + yv * yv), major = fmax(x, y);
    double det = fabs(xu * yv - xv * yu), max = sampler->max_anisotropy;
    double ratio = det > 0.0 ? major * major / det : max, minor = det / major;

    if (!(major > 0.0))
        return;
    if (!(ratio <= max)) {
        ratio = max;
        minor = major / ratio;
    }
    if (minor < 1.0)
        ratio = fmax(1.0, ratio * minor);
    choice->lod = raster_log2((float)minor);
    choice->probes = (unsigned)ceil(ratio);
    choice->major[0] = (double)(x >= y ? w->ddx[0] : w->ddy[0]);
    choice->major[1] = (double)(x >= y ? w->ddx[1] : w->ddy[1]);
}

static struct lod_choice choose_lod(const struct raster_sampler *sampler, const struct feedback_write *w)
{
    struct lod_choice choice = {.lod = w->value, .probes = 1};

    if (w->form == FEEDBACK_SAMPLE_LEVEL)
        return choice;
    choice.lod = isotropic_lod(&sampler->texture->level[0], w);
    if (sampler->min_filter == RASTER_FILTER_ANISOTROPIC && sampler->max_anisotropy > 1)
        anisotropic_choice(sampler, w, &choice);
    choice.lod += sampler->lod_bias;
    if (w->form == FEEDBACK_SAMPLE_BIAS)
        choice.lod += w->value;
    return choice;
}

static void mark_level(const struct footprint *f, const struct feedback_write *w, const struct lod_choice *choice,
                       unsigned level, bool linear)
{
    for (unsigned k = 0; k < choice->probes; k++) {
        double along = ((double)k + 0.5) / choice->probes - 0.5;

        mark_probe(f, level, linear, (float)((double)w->u + along * choice->major[0]),
                   (float)((double)w->v + along * choice->major[1]));
    }
}

void raster_feedback_write(struct raster_feedback *map, const struct raster_sampler *sampler,
                           const struct feedback_write *w)
{
    const struct raster_texture *texture = sampler->texture;
    struct footprint f = {map, sampler, 0};

    if (!texture)
        return;
    unsigned last = texture->level_count - 1, base = BASE_MIN(sampler->base_level, last);
    unsigned layers = raster_feedback_desc(map)->layer_count;
    double layer = nearbyint((double)w->layer);
    f.layer = layer > 0.0 ? layer < layers ? (unsigned)layer : layers - 1 : 0;

    struct lod_choice choice = choose_lod(sampler, w);
    bool mipped = sampler->mip_filter != RASTER_FILTER_NONE;
    choice.lod = choice.lod > w->lod_clamp || w->lod_clamp <= 0.0f ? choice.lod : w->lod_clamp;
    if (mipped) {
        choice.lod = choice.lod > (float)base ? choice.lod : (float)base;
        choice.lod = choice.lod < (float)last ? choice.lod : (float)last;
    }
    bool magnified = !(choice.lod > 0.0f);
    bool linear = (magnified ? sampler->mag_filter : sampler->min_filter) >= RASTER_FILTER_LINEAR;
    if (!mipped) {
        mark_level(&f, w, &choice, base, linear);
        return;
    }
    unsigned fixed = magnified ? 0 : (unsigned)(choice.lod * 256.0f + 0.5f);
    if (sampler->mip_filter == RASTER_FILTER_POINT) {
        mark_level(&f, w, &choice, magnified ? base : BASE_MIN((fixed + 128) >> 8, last), linear);
        return;
    }
    mark_level(&f, w, &choice, magnified ? base : fixed >> 8, linear);
    if ((fixed & 255) && fixed >> 8 < last)
        mark_level(&f, w, &choice, (fixed >> 8) + 1, linear);
}
