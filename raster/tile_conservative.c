/* SPDX-License-Identifier: MIT */
/* What a tile does beyond coverage for conservative primitives: inner coverage. Source: reference raster.md 3.3. */
#include "raster/tile.h"

/* Deltas beyond which an edge's values in a block do not fit 32 bits. */
#define MOST_DELTA (1 << 25)

/* Pixels of a block that an edge leaves; value: at its first pixel. */
static uint64_t wide_edge_block(const struct scene_edge *edge, int64_t value)
{
    uint64_t mask = 0;

    for (unsigned lane = 0; lane < RASTER_LANES; lane++) {
        const unsigned group = lane / RASTER_GROUP_LANES, l = lane % RASTER_GROUP_LANES;
        const int64_t x = raster_lane_x[l] + (int)(group & 1) * 4, y = raster_lane_y[l] + (int)(group >> 1) * 4;

        mask |= (uint64_t)(value - edge->dy * x + edge->dx * y >= 0) << lane;
    }
    return mask;
}

/* Pixels of the 8x8 block at (x, y) that up to three edges leave; inner: of the edges moved inwards. */
static uint64_t edges_block(const struct tile_worker *w, const struct scene_edge *edges, unsigned count, bool inner,
                            int x, int y)
{
    const int64_t span = BLOCK_SIZE - 1;
    int32_t c[3] = {0, 0, 0}, dx[3] = {0, 0, 0}, dy[3] = {0, 0, 0};
    uint64_t mask = ~UINT64_C(0);
    unsigned crossing = 0;

    for (unsigned e = 0; e < count; e++) {
        const struct scene_edge *edge = &edges[e];
        int64_t value = (inner ? edge->inner : edge->c) - (int64_t)edge->dy * x + (int64_t)edge->dx * y;
        int64_t step_x = -(int64_t)edge->dy * span, step_y = (int64_t)edge->dx * span;

        dx[e] = edge->dx;
        dy[e] = edge->dy;
        if (value + BASE_MAX(step_x, 0) + BASE_MAX(step_y, 0) < 0)
            return 0;
        if (value + BASE_MIN(step_x, 0) + BASE_MIN(step_y, 0) >= 0)
            continue;
        if (edge->dx < -MOST_DELTA || edge->dx > MOST_DELTA || edge->dy < -MOST_DELTA || edge->dy > MOST_DELTA) {
            mask &= wide_edge_block(edge, value);
            continue;
        }
        c[e] = (int32_t)value; /* it crosses the block: below 2^30 */
        crossing |= 1u << e;
    }
    return crossing ? mask & w->kernels->coverage_block(c, dx, dy, crossing) : mask;
}

static uint64_t more_edges_block(const struct tile_worker *w, const struct scene_primitive *primitive, bool inner, int x,
                                 int y)
{
    const struct scene_more_edges *more = primitive->shape->more_edges;
    uint64_t mask = ~UINT64_C(0);

    for (unsigned e = 0; more && mask && e < more->count; e += 3)
        mask &= edges_block(w, more->edge + e, BASE_MIN(more->count - e, 3u), inner, x, y);
    return mask;
}

uint64_t conservative_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y)
{
    w->inner_block = 0;
    if (w->state->inner_coverage && !primitive->shape->degenerate)
        w->inner_block = edges_block(w, primitive->shape->edge, 3, true, x, y) & more_edges_block(w, primitive, true, x, y);
    uint64_t mask = more_edges_block(w, primitive, false, x, y);
    if (primitive->shape->wide)
        mask &= edges_block(w, primitive->shape->edge, 3, false, x, y);
    return mask;
}
