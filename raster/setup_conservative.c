/* SPDX-License-Identifier: MIT */
/*
 * Conservative rasterization: every pixel whose square meets the triangle grown by the uncertainty
 * of snapping. Source: conservative-rasterization.md; worked out in reference raster.md 3.
 *
 * A pixel's square meets triangle + square(u) exactly if its centre lies in triangle + square(1/2 +
 * u): the three edges pushed out, and the box of the triangle pushed out. In units of 1/512 px the
 * half-width of that square is h = 256 + k. Snapping moves a vertex by at most 1/512 px an axis, so
 * u = 1/512 (k = 1) is the smallest region without false negatives; with it the document demands
 * the top-left rule on the region's edges. k = 1 is legal at all tiers.
 *
 * With E the exact edge function at a pixel's centre (subpixels squared), the pushed edge is 2 E +
 * h (|dx| + |dy|) >= 0, minus one where the edge is not a top or left one. From pixel to pixel 2 E
 * changes by multiples of 512, so the division by 512 keeps its sign and the same steps dx, dy
 * serve: tiles and kernels need not know. 2 E is below 2^48 and the push below 2^33 (dilated by at
 * most 4 px): 64 bits are exact.
 */
#include "raster/setup.h"

#include <string.h>

/* Half a pixel and 1/512, in 1/512 px. */
#define PUSH_BASE 257
/* More dilation than any hardware offers is cut to this, in px. */
#define MAX_DILATE 4.0f

static int32_t push(const struct raster_state *rs)
{
    float dilate = rs->conservative_raster_dilate;

    dilate = dilate > 0.0f ? dilate < MAX_DILATE ? dilate : MAX_DILATE : 0.0f;
    return PUSH_BASE + (int32_t)(dilate * 512.0f + 0.5f);
}

static struct scene_edge pushed_edge(struct snapped a, struct snapped b, int32_t h)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    bool top_left = dy < 0 || (dy == 0 && dx > 0);
    int64_t e = 2 * ((int64_t)dx * (128 - a.y) - (int64_t)dy * (128 - a.x)) + (top_left ? 0 : -1);
    int64_t reach = (int64_t)h * ((dx < 0 ? -(int64_t)dx : dx) + (dy < 0 ? -(int64_t)dy : dy));

    return (struct scene_edge){
        .c = (e + reach) >> 9,
        .inner = (e - reach) >> 9,
        .dx = dx,
        .dy = dy,
    };
}

static int32_t min3(int32_t a, int32_t b, int32_t c)
{
    return BASE_MIN(a, BASE_MIN(b, c));
}
static int32_t max3(int32_t a, int32_t b, int32_t c)
{
    return BASE_MAX(a, BASE_MAX(b, c));
}

/* First pixel whose centre is at or right of low - h, end of those at or left of high + h; subpixel
 * arguments. */
static int32_t first_reached(int32_t low, int32_t h)
{
    return (2 * low - 256 - h + 511) >> 9;
}
static int32_t end_reached(int32_t high, int32_t h)
{
    return ((2 * high - 256 + h) >> 9) + 1;
}

/* A triangle snapped onto a line: the line's two sides. Onto a point: no edge, the box alone
 * decides. */
static void degenerate_edges(struct scene_primitive *primitive, const struct snapped p[3],
                             int32_t h)
{
    unsigned from = 0, to = 0;
    int64_t longest = 0;

    for (unsigned i = 0; i < 3; i++) {
        unsigned j = (i + 1) % 3;
        int64_t dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, length = dx * dx + dy * dy;

        if (length > longest) {
            longest = length;
            from = i;
            to = j;
        }
    }
    memset(primitive->edge, 0, sizeof(primitive->edge));
    if (!longest)
        return;
    primitive->edge[0] = pushed_edge(p[from], p[to], h);
    primitive->edge[1] = pushed_edge(p[to], p[from], h);
}

static void triangle_edges(struct scene_primitive *primitive, const struct snapped p[3],
                           int64_t area, int32_t h)
{
    unsigned second = area > 0 ? 1 : 2, third = 3 - second; /* inside is positive */

    primitive->edge[0] = pushed_edge(p[0], p[second], h);
    primitive->edge[1] = pushed_edge(p[second], p[third], h);
    primitive->edge[2] = pushed_edge(p[third], p[0], h);
}

/* Degenerate triangles take every value from their first vertex. */
static void planes(struct raster *raster, const struct raster_draw_state *state,
                   struct scene_primitive *primitive, const struct raster_vertex *const v[3],
                   const struct snapped p[3], int64_t area, const struct raster_vertex *provoking)
{
    static const struct gradient none = {0.0, 0.0, 0.0, 0.0};
    double scale = area ? 256.0 / (double)area : 0.0;
    struct gradient g = {
        .ax = (p[2].y - p[0].y) * scale,
        .bx = -(p[1].y - p[0].y) * scale,
        .ay = -(p[2].x - p[0].x) * scale,
        .by = (p[1].x - p[0].x) * scale,
    };
    float slope =
        setup_depth_plane(&primitive->depth, 0, area ? &g : &none, v[0]->z, v[1]->z, v[2]->z);

    setup_depth_plane(&primitive->depth, 1, area ? &g : &none, v[0]->rhw, v[1]->rhw, v[2]->rhw);
    if (state->rasterizer.offset_tri)
        primitive->depth.a[0] += setup_depth_bias(raster, &state->rasterizer, slope);
    setup_input_planes(state, primitive, area ? &g : &none, v, area ? provoking : v[0]);
}

void setup_conservative(struct raster *raster, const struct raster_draw_state *state,
                        const struct raster_vertex *const v[3], const struct snapped p[3],
                        int64_t area, const struct raster_vertex *provoking, bool front)
{
    const struct raster_state *rs = &state->rasterizer;
    int32_t h = push(rs);
    struct scene_primitive bounds;

    /* Tier 1 (post-snap) may drop what has no area; tiers 2 and 3 draw it. */
    if (!area && rs->conservative_raster_mode == RASTER_CONSERVATIVE_POST_SNAP)
        return;
    if (!setup_bounds(&bounds, &raster->clip, first_reached(min3(p[0].x, p[1].x, p[2].x), h),
                      first_reached(min3(p[0].y, p[1].y, p[2].y), h),
                      end_reached(max3(p[0].x, p[1].x, p[2].x), h),
                      end_reached(max3(p[0].y, p[1].y, p[2].y), h)))
        return;
    struct scene_primitive *primitive = setup_primitive(raster, state);
    if (!primitive)
        return;
    primitive->left = bounds.left;
    primitive->top = bounds.top;
    primitive->right = bounds.right;
    primitive->bottom = bounds.bottom;
    primitive->front_facing = front;
    primitive->conservative = true;
    primitive->degenerate = !area;
    primitive->reference_x = (float)(p[0].x - 128) * (1.0f / 256.0f);
    primitive->reference_y = (float)(p[0].y - 128) * (1.0f / 256.0f);
    if (area)
        triangle_edges(primitive, p, area, h);
    else
        degenerate_edges(primitive, p, h);
    planes(raster, state, primitive, v, p, area, provoking);
    setup_bin_triangle(&raster->scene, primitive);
    raster->statistics.binned++;
}
