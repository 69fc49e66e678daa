/* SPDX-License-Identifier: MIT */
/*
 * Marks in a feedback map what a batch reads of one level: the regions of the texels with weight, for the lanes that
 * count. Scenes read the same regions over and over, so a batch first looks whether all of the box that it reads in is
 * marked already; marking lane by lane is for what is new. Compiled once per CPU level; all of them mark the same.
 */
#include "raster/feedback_map.h"
#include "raster/sample_lanes.h"

#include <limits.h>

/* Boxes of more regions than this are not looked at as a whole. */
#define MAX_BOX 16

/* The regions the lanes read along one axis; negative: the border. */
struct regions {
    int32_t first[MAX_LANES], second[MAX_LANES];
};

struct bounds {
    int32_t low, high;
};

/* A second texel without weight is not read. */
static void find_regions(const struct axis *axis, bool linear, unsigned shift, unsigned n, struct regions *out)
{
    if (!linear) {
        LANES(n)
            out->first[l] = out->second[l] = axis->first[l] >> shift;
        return;
    }
    LANES(n)
    {
        int32_t first = axis->first[l] >> shift, second = axis->second[l] >> shift;

        out->first[l] = first;
        out->second[l] = axis->weight[l] > 0.0f ? second : first;
    }
}

/* Of the lanes that count: those where `live` is -1, not 0. */
static struct bounds bounds_of(const struct regions *r, const int32_t *restrict live, unsigned n)
{
    const int32_t *restrict a = r->first, *restrict b = r->second;
    struct bounds out = {INT_MAX, INT_MIN};

    LANES(n)
    {
        int32_t low = a[l] < b[l] ? a[l] : b[l], high = a[l] < b[l] ? b[l] : a[l];

        low = live[l] ? low : INT_MAX;
        high = live[l] ? high : INT_MIN;
        out.low = out.low < low ? out.low : low;
        out.high = out.high > high ? out.high : high;
    }
    return out;
}

static void spread_mask(uint64_t lanes, unsigned n, int32_t *restrict live)
{
    for (unsigned first = 0; first < n; first += 16) {
        uint32_t part = (uint32_t)(lanes >> first) & 0xffff;

        for (unsigned l = 0; l < 16; l++)
            live[first + l] = -(int32_t)(part >> l & 1);
    }
}

static bool is_marked(const struct raster_feedback *map, unsigned level, struct bounds x, struct bounds y)
{
    if (x.low < 0 || y.low < 0 || (x.high - x.low + 1) * (y.high - y.low + 1) > MAX_BOX)
        return false;
    for (int32_t row = y.low; row <= y.high; row++)
        for (int32_t column = x.low; column <= x.high; column++)
            if (!feedback_is_marked(feedback_region(map, 0, level, (unsigned)column, (unsigned)row)))
                return false;
    return true;
}

static void mark(const struct raster_feedback *map, unsigned layer, unsigned level, int32_t column, int32_t row)
{
    if (column >= 0 && row >= 0)
        feedback_mark_region(feedback_region(map, layer, level, (unsigned)column, (unsigned)row));
}

static void mark_lanes(const struct raster_feedback *map, unsigned level, const int32_t *face, const struct regions *x,
                       const struct regions *y, uint64_t lanes)
{
    int32_t last[5] = {-2, -2, -2, -2, -2};

    for (; lanes; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctzll(lanes);
        const int32_t now[5] = {x->first[l], x->second[l], y->first[l], y->second[l], face[l]};

        /* neighbours mostly read what their neighbours do */
        if (now[0] == last[0] && now[1] == last[1] && now[2] == last[2] && now[3] == last[3] && now[4] == last[4])
            continue;
        for (unsigned i = 0; i < 5; i++)
            last[i] = now[i];
        for (unsigned i = 0; i < 4; i++)
            mark(map, (unsigned)face[l], level, now[i & 1], now[2 + (i >> 1)]);
    }
}

void KERNEL(feedback_level)(const struct raster_sampler *sampler, const struct place *place, unsigned n, unsigned level,
                            bool linear, uint64_t lanes)
{
    const struct raster_feedback *map = sampler->feedback;
    const struct raster_texture_level *l = &sampler->texture->level[level];
    bool cube = sampler->texture->kind == RASTER_TEXTURE_CUBE; /* clamped inside the face */
    int32_t live[MAX_LANES];
    struct regions x, y;
    struct axis axis;

    KERNEL(sample_axis)(cube ? RASTER_CLAMP : sampler->address[0], linear, n, place->u, l->width, &axis);
    find_regions(&axis, linear, map->shift_x, n, &x);
    KERNEL(sample_axis)(cube ? RASTER_CLAMP : sampler->address[1], linear, n, place->v, l->height, &axis);
    find_regions(&axis, linear, map->shift_y, n, &y);
    if (!cube) {
        spread_mask(lanes, n, live);
        if (is_marked(map, level, bounds_of(&x, live, n), bounds_of(&y, live, n)))
            return;
    }
    mark_lanes(map, level, place->face, &x, &y, lanes);
}
