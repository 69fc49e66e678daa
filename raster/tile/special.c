/* SPDX-License-Identifier: MIT */
/*
 * Fields of raster_state off the fast path of a tile: polygon stipple, smoothing (alpha scaled by the covered part of
 * the pixel, from 4x4 points), depth clamp, clamped colours.
 */
#include "raster/tile/special.h"

#include "raster/tile/worker.h"

#define POINTS 4 /* a side */

void tile_special_choose(struct tile_worker *w)
{
    const struct raster_state *rs = &w->state.draw->rasterizer;
    bool conservative = rs->conservative_raster_mode != RASTER_CONSERVATIVE_OFF;

    w->state.smooths = (w->state.samples <= 1 || !rs->multisample) && !conservative &&
                       (rs->poly_smooth || rs->line_smooth || rs->point_smooth);
    w->state.special = conservative || w->state.smooths || rs->depth_clamp;
    w->state.clamps_color = false;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS && rs->clamp_fragment_color; t++)
        w->state.clamps_color |=
            w->targets->color[t].pixels && raster_format_info(w->targets->color[t].format)->type == RASTER_FLOAT;
}

uint64_t tile_stipple_mask(const struct raster_draw_state *state, int x, int y)
{
    uint64_t mask = 0;

    for (unsigned lane = 0; lane < RASTER_LANES; lane++) {
        unsigned group = lane / RASTER_GROUP_LANES, l = lane % RASTER_GROUP_LANES;
        unsigned px = (unsigned)(x + raster_lane_x[l]) + (group & 1) * 4;
        unsigned py = (unsigned)(y + raster_lane_y[l]) + (group >> 1) * 4;

        mask |= (uint64_t)(state->poly_stipple[py & 31] >> (px & 31) & 1) << lane;
    }
    return mask;
}

/* Is the point (subpixels) inside? */
static bool smooth_inside(const struct scene_smooth *s, int64_t x, int64_t y)
{
    if (!s->edges)
        return (x - s->x) * (x - s->x) + (y - s->y) * (y - s->y) < s->radius * s->radius;
    for (unsigned e = 0; e < s->edges; e++)
        if (s->edge[e].e - s->edge[e].dy * x + s->edge[e].dx * y < 0)
            return false;
    return true;
}

/* Does the pattern of a smooth line draw there? */
static bool smooth_stippled(const struct raster_state *rs, const struct scene_smooth *s, int64_t x, int64_t y)
{
    const double steps = s->phase + (double)(x - s->x) * s->along[0] + (double)(y - s->y) * s->along[1];

    return scene_stipple_draws(rs, steps > 0.0 ? (uint32_t)steps : 0);
}

static unsigned smooth_points(const struct raster_state *rs, const struct scene_smooth *s, int px, int py)
{
    unsigned count = 0;

    for (unsigned i = 0; i < POINTS * POINTS; i++) {
        const int64_t x = 256 * (int64_t)px + 32 + 64 * (i % POINTS), y = 256 * (int64_t)py + 32 + 64 * (i / POINTS);

        count += smooth_inside(s, x, y) && (!s->stippled || smooth_stippled(rs, s, x, y));
    }
    return count;
}

uint32_t tile_smooth_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                           uint32_t mask)
{
    const struct scene_smooth *smooth = scene_smooth_of(primitive);
    float *alpha = &w->batch.alpha[g * RASTER_GROUP_LANES];

    for (unsigned l = 0; l < RASTER_GROUP_LANES; l++) {
        alpha[l] = 1.0f;
        if (!smooth || !(mask & (1u << l)))
            continue;
        unsigned count = smooth_points(&w->state.draw->rasterizer, smooth, x + raster_lane_x[l], y + raster_lane_y[l]);

        alpha[l] = (float)count * (1.0f / (POINTS * POINTS));
        if (!count)
            mask &= ~(1u << l);
    }
    return mask;
}

void tile_clamp_depth(const struct raster_draw_state *state, float *z)
{
    for (unsigned l = 0; l < RASTER_GROUP_LANES; l++) {
        z[l] = z[l] > state->depth_min ? z[l] : state->depth_min;
        z[l] = z[l] < state->depth_max ? z[l] : state->depth_max;
    }
}

uint32_t tile_special_group(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                            float *z, uint32_t mask)
{
    if (primitive->conservative || w->state.draw->rasterizer.depth_clamp)
        tile_clamp_depth(w->state.draw, z);
    return w->state.smooths ? tile_smooth_group(w, primitive, g, x, y, mask) : mask;
}

/* Samples of lane l of group g that are to be drawn. */
static unsigned covered_samples(const struct tile_worker *w, unsigned g, unsigned l)
{
    unsigned mask = 0;

    if (w->state.samples <= 1)
        return w->batch.group[g].mask >> l & 1;
    if (w->batch.whole_block)
        return w->batch.group[g].mask >> l & 1 ? tile_drawn_samples(&w->state) : 0;
    for (unsigned s = 0; s < w->state.samples; s++)
        mask |= (w->batch.sample_mask[g][s] >> l & 1u) << s;
    return mask;
}

void tile_special_inputs(struct tile_worker *w)
{
    float(*input)[RASTER_LANES] = w->batch.lanes.input[w->state.draw->coverage_input];

    for (unsigned lane = 0; lane < w->batch.lanes.group_count * RASTER_GROUP_LANES; lane++) {
        unsigned mask = covered_samples(w, lane / RASTER_GROUP_LANES, lane % RASTER_GROUP_LANES);
        float inner = (float)(w->batch.lanes.inner >> lane & 1);

        if (w->state.draw->coverage == RASTER_COVERAGE_INNER) {
            for (unsigned c = 0; c < 4; c++)
                input[c][lane] = inner;
            continue;
        }
        input[0][lane] = (float)(mask & 255) / 255.0f;
        input[1][lane] = (float)(mask >> 8) / 255.0f;
        input[2][lane] = 0.0f;
        input[3][lane] = (float)__builtin_popcount(mask) / (float)w->state.samples;
    }
}

void tile_special_colors(struct tile_worker *w)
{
    unsigned lanes = w->batch.lanes.group_count * RASTER_GROUP_LANES;

    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        if (!w->targets->color[t].pixels)
            continue;
        for (unsigned l = 0; l < lanes && w->state.smooths; l++)
            w->batch.lanes.color[t][3][l] *= w->batch.alpha[l];
        for (unsigned c = 0; c < 4 && w->state.clamps_color; c++) {
            for (unsigned l = 0; l < lanes; l++) {
                float v = w->batch.lanes.color[t][c][l];

                v = v > 0.0f ? v : 0.0f;
                w->batch.lanes.color[t][c][l] = v < 1.0f ? v : 1.0f;
            }
        }
    }
}
