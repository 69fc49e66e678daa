/* SPDX-License-Identifier: MIT */
/*
 * What a tile does beyond coverage for conservative primitives: inner coverage, and guarding
 * against values that are extrapolated outside the triangle. Source: reference raster.md 3.3
 * and 3.5.
 */
#include "raster/tile.h"

uint64_t conservative_inner(const struct tile_worker *w, const struct scene_primitive *primitive,
                            int x, int y)
{
    const int64_t span = BLOCK_SIZE - 1;
    int32_t c[3] = {0, 0, 0}, dx[3], dy[3];
    unsigned crossing = 0;

    if (primitive->degenerate)
        return 0;
    for (unsigned e = 0; e < 3; e++) {
        const struct scene_edge *edge = &primitive->edge[e];
        int64_t value = edge->inner - (int64_t)edge->dy * x + (int64_t)edge->dx * y;
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

uint32_t conservative_group(const struct tile_worker *w, const struct scene_primitive *primitive,
                            int x, int y, float *z, uint32_t mask)
{
    const struct scene_plane4 *p = &primitive->depth;
    float low = w->state->depth_min, high = w->state->depth_max;

    for (unsigned l = 0; l < RASTER_GROUP_LANES; l++) {
        float px = (float)(x + raster_lane_x[l]) - primitive->reference_x;
        float py = (float)(y + raster_lane_y[l]) - primitive->reference_y;
        float rhw = p->a[1] + px * p->dx[1] + py * p->dy[1];

        z[l] = z[l] > low ? z[l] : low;
        z[l] = z[l] < high ? z[l] : high;
        if (!(rhw > 0.0f))
            mask &= ~(1u << l);
    }
    return mask;
}
