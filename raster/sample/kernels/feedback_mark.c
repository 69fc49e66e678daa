/* SPDX-License-Identifier: MIT */
/*
 * Marks the regions that a batch reads of a level in a feedback map: those of texels with weight, for the recorded
 * lanes. Scenes read the same regions over and over, so a batch first checks a box around everything that it may read;
 * if all of that is marked already, it is done. Otherwise it marks lane by lane. Compiled once per CPU level; all
 * levels mark the same regions.
 */
#include "raster/sample/feedback_map.h"
#include "raster/sample/kernels/sampler.h"

#include <string.h>

/* Boxes of more regions than this are not checked as a whole. */
#define MAX_BOX 16

/* --- boxes around what may be read ------------------------------------------------------------------ */

/* Floats as integers in the same order, to and fro; NaN comes out at an end. */
static inline int32_t in_order(int32_t bits)
{
    return bits ^ (bits >> 31 & INT32_MAX);
}

static float from_order(int32_t order)
{
    int32_t bits = in_order(order);
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* Least and greatest coordinate, or NaN. Integers, because only their least is the same in any order. */
static struct feedback_span find_span(const float *t, unsigned n)
{
    int32_t bits[MAX_LANES], low = INT32_MAX, high = INT32_MIN;

    memcpy(bits, t, n * sizeof(*bits));
    FOR_LANES(n) {
        int32_t v = in_order(bits[l]);

        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    return (struct feedback_span){from_order(low), from_order(high)};
}

/* Probes are up to half of the footprint's longer side away. */
static void widen(struct feedback_span *span, const float *restrict along, unsigned quads)
{
    float most = 0.0f;

    for (unsigned q = 0; q < quads; q++) {
        float a = along[q] < 0.0f ? -along[q] : along[q];

        most = a > most || a != a ? a : most; /* NaN stays, and makes the span one */
    }
    span->low -= 0.5f * most;
    span->high += 0.5f * most;
}

void KERNEL(feedback_spans)(const struct raster_sampler *sampler, const struct place *place, unsigned n,
                            const struct footprint *footprint, struct feedback_spans *out)
{
    out->valid = sampler->texture->kind == RASTER_TEXTURE_2D;
    if (!out->valid)
        return;
    out->u = find_span(place->u, n);
    out->v = find_span(place->v, n);
    if (footprint->most_probes > 1) {
        widen(&out->u, footprint->along_u, n / 4);
        widen(&out->v, footprint->along_v, n / 4);
    }
}

/* Regions first, first + 1, ... last; region 0 follows the last of the level. */
struct region_range {
    unsigned first, last, count;
};

/* A superset of the regions that coordinates inside the span may read; all regions where a closer bound is not
 * simple. */
static struct region_range range_of(unsigned mode, struct feedback_span span, uint32_t size, unsigned shift)
{
    const float margin = 0.5f + 1.0f / 64.0f; /* a filter's reach, and rounding */
    unsigned columns = (size - 1) >> shift;   /* less one */
    struct region_range all = {0, columns, columns + 1}, r;
    float period = 0.0f, low, high, end = (float)size;

    if (!(span.low > -65536.0f && span.high < 65536.0f) || (mode != RASTER_WRAP && mode != RASTER_CLAMP))
        return all;
    if (mode == RASTER_WRAP) {
        period = (float)(int32_t)span.low;
        period -= period > span.low ? 1.0f : 0.0f;
    }
    low = (span.low - period) * end - margin;
    high = (span.high - period) * end + margin;
    if (mode == RASTER_WRAP) {
        if (high - low >= end - 1.0f)
            return all;
        low = low < 0.0f ? low + end : low;
        high = high >= end ? high - end : high;
    }
    r.first = (unsigned)(int32_t)limit(low, 0.0f, end - 1.0f) >> shift;
    r.last = (unsigned)(int32_t)limit(high, 0.0f, end - 1.0f) >> shift;
    r.count = r.last - r.first + 1 + (low > high ? columns + 1 : 0);
    return r;
}

bool KERNEL(feedback_covers)(const struct raster_sampler *sampler, const struct feedback_spans *spans, unsigned level)
{
    const struct raster_feedback *map = sampler->feedback;
    const struct raster_texture_level *l = &sampler->texture->level[level];

    if (!spans->valid)
        return false;
    struct region_range x = range_of(sampler->address[0], spans->u, l->width, map->shift_x);
    struct region_range y = range_of(sampler->address[1], spans->v, l->height, map->shift_y);

    if (x.count * y.count > MAX_BOX)
        return false;
    for (unsigned row = y.first, i = 0; i < y.count; i++, row = row + 1 < map->rows[level] ? row + 1 : 0)
        for (unsigned column = x.first, k = 0; k < x.count;
             k++, column = column + 1 < map->columns[level] ? column + 1 : 0)
            if (!feedback_is_marked(feedback_region(map, 0, level, column, row)))
                return false;
    return true;
}

/* --- what is read ------------------------------------------------------------------------------------ */

/* The regions the lanes read along one axis; negative: the border. */
struct regions {
    int32_t first[MAX_LANES], second[MAX_LANES];
};

/* A second texel without weight is not read. */
static void find_regions(const struct axis *axis, bool linear, unsigned shift, unsigned n, struct regions *out)
{
    if (!linear) {
        FOR_LANES(n)
            out->first[l] = out->second[l] = axis->first[l] >> shift;
        return;
    }
    FOR_LANES(n) {
        int32_t first = axis->first[l] >> shift, second = axis->second[l] >> shift;

        out->first[l] = first;
        out->second[l] = axis->weight[l] > 0.0f ? second : first;
    }
}

static void mark(const struct raster_feedback *map, unsigned layer, unsigned level, int32_t column, int32_t row)
{
    if (column >= 0 && row >= 0)
        feedback_mark_region(feedback_region(map, layer, level, (unsigned)column, (unsigned)row));
}

/* face: NULL for textures that have none. */
static void mark_lanes(const struct raster_feedback *map, unsigned level, const int32_t *face, const struct regions *x,
                       const struct regions *y, uint64_t lanes)
{
    int32_t last[5] = {-2, -2, -2, -2, -2};

    for (; lanes; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctzll(lanes);
        const int32_t now[5] = {x->first[l], x->second[l], y->first[l], y->second[l], face ? face[l] : 0};

        /* neighbours mostly read what their neighbours do */
        if (now[0] == last[0] && now[1] == last[1] && now[2] == last[2] && now[3] == last[3] && now[4] == last[4])
            continue;
        for (unsigned i = 0; i < 5; i++)
            last[i] = now[i];
        for (unsigned i = 0; i < 4; i++)
            mark(map, (unsigned)now[4], level, now[i & 1], now[2 + (i >> 1)]);
    }
}

/* Lanes of a volume read one slice or two. */
static void mark_slices(const struct raster_feedback *map, unsigned level, const struct regions *x,
                        const struct regions *y, const struct regions *slice, uint64_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctzll(lanes);
        const int32_t column[2] = {x->first[l], x->second[l]}, row[2] = {y->first[l], y->second[l]};
        const int32_t layer[2] = {slice->first[l], slice->second[l]};

        for (unsigned i = 0; i < 8; i++)
            if (layer[i >> 2] >= 0)
                mark(map, (unsigned)layer[i >> 2], level, column[i & 1], row[i >> 1 & 1]);
    }
}

void KERNEL(feedback_level)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned level,
                            bool linear, uint64_t lanes)
{
    const struct raster_feedback *map = sampler->feedback;
    const struct raster_texture_level *l = &sampler->texture->level[level];
    bool cube = sampler->texture->kind == RASTER_TEXTURE_CUBE; /* clamped inside the face */
    struct regions x, y, slice;
    struct axis axis;

    KERNEL(sample_axis)(cube ? RASTER_CLAMP : sampler->address[0], linear, n, place->u, l->width, &axis);
    find_regions(&axis, linear, map->shift_x, n, &x);
    KERNEL(sample_axis)(cube ? RASTER_CLAMP : sampler->address[1], linear, n, place->v, l->height, &axis);
    find_regions(&axis, linear, map->shift_y, n, &y);
    if (sampler->texture->kind == RASTER_TEXTURE_VOLUME) {
        KERNEL(sample_axis)(sampler->address[2], linear, n, place->w, l->depth, &axis);
        find_regions(&axis, linear, 0, n, &slice);
        mark_slices(map, level, &x, &y, &slice, lanes);
        return;
    }
    mark_lanes(map, level, place->face, &x, &y, lanes);
}
