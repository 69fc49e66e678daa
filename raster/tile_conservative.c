/* SPDX-License-Identifier: MIT */
/* What a tile does beyond coverage for conservative primitives: inner coverage. Source: reference raster.md 3.3. */
#include "raster/tile.h"

/* Pixels of the 8x8 block at (x, y) that up to three edges leave; inner: of the edges moved inwards. */
static uint64_t edges_block(const struct tile_worker *w, const struct scene_edge *edges, unsigned count, bool inner,
                            int x, int y)
{
    const int64_t span = BLOCK_SIZE - 1;
    int32_t c[3] = {0, 0, 0}, dx[3] = {0, 0, 0}, dy[3] = {0, 0, 0};
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
        c[e] = (int32_t)value; /* it crosses the block: below 2^30 as outer edges are */
        crossing |= 1u << e;
    }
    return crossing ? w->kernels->coverage_block(c, dx, dy, crossing) : ~UINT64_C(0);
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
    return more_edges_block(w, primitive, false, x, y);
}
