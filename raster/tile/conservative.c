/* SPDX-License-Identifier: MIT */
/* Conservative primitives in a tile, beyond coverage: inner coverage, and inputs where extrapolation is meaningless.
 * Source: docs/reference/conservative-rules.md, sections 3 and 5. */
#include "raster/tile/conservative.h"

#include "base/assert.h"
#include "raster/tile/worker.h"

/* Deltas beyond which an edge's values in a block do not fit 32 bits. */
#define MOST_DELTA (1 << 25)

/* The pixels of a block inside an edge with deltas of any size; value: at the block's first pixel. */
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

/* The pixels of the 8x8 block at (x, y) inside up to three edges; inner: the edges moved inwards. */
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
        BASE_ASSERT(value < 1 << 30 && value > -(1 << 30)); /* it crosses the block */
        c[e] = (int32_t)value;
        crossing |= 1u << e;
    }
    return crossing ? mask & w->kernels->coverage_block(c, dx, dy, crossing) : mask;
}

static uint64_t more_edges_block(const struct tile_worker *w, const struct scene_primitive *primitive, bool inner,
                                 int x, int y)
{
    const struct scene_outline *outline = primitive->shape->outline;
    uint64_t mask = ~UINT64_C(0);

    for (unsigned e = 0; mask && e < outline->count; e += 3)
        mask &= edges_block(w, outline->edge + e, BASE_MIN(outline->count - e, 3u), inner, x, y);
    return mask;
}

uint64_t tile_conservative_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y)
{
    w->batch.inner_block = 0;
    if (w->state.draw->inner_coverage && !primitive->shape->degenerate)
        w->batch.inner_block =
            edges_block(w, primitive->shape->edge, 3, true, x, y) & more_edges_block(w, primitive, true, x, y);
    uint64_t mask = more_edges_block(w, primitive, false, x, y);
    if (primitive->shape->wide)
        mask &= edges_block(w, primitive->shape->edge, 3, false, x, y);
    return mask;
}

/* --- inputs ------------------------------------------------------------------------------------ */

/*
 * All of a touched pixel's inputs are those of its centre, which may lie outside of the triangle. There 1/w can
 * approach 0 or become negative, and dividing by it is meaningless. Such a centre is moved towards the reference corner
 * of the planes until 1/w is half that of the farthest corner. Then inputs stay finite, constant inputs stay constant,
 * and values are continuous where the limit sets in.
 */

/* A position in pixels from the planes' reference. */
struct place {
    float x, y;
};

/* The difference of 1/w from that at the reference. */
static float rhw_change(const struct scene_primitive *primitive, struct place at)
{
    return at.x * primitive->depth.dx[1] + at.y * primitive->depth.dy[1];
}

static float z_change(const struct scene_primitive *primitive, struct place at)
{
    return at.x * primitive->depth.dx[0] + at.y * primitive->depth.dy[0];
}

/* The position that replaces a centre whose 1/w changes by `change` and falls below the limit. */
static struct place nearer_place(const struct scene_primitive *primitive, float least, struct place centre,
                                 float change)
{
    const float scale = (least - primitive->depth.a[1]) / change;
    const struct place corner = {0.0f, 0.0f};

    /* an overflow only means that the plane is too steep to follow */
    return scale > 0.0f && scale < 1.0f ? (struct place){centre.x * scale, centre.y * scale} : corner;
}

static void hold_lane(struct tile_worker *w, const struct scene_primitive *primitive, struct place at, unsigned lane)
{
    const struct raster_draw_state *state = w->state.draw;
    struct raster_batch *batch = &w->batch.lanes;
    const bool at_corner = at.x == 0.0f && at.y == 0.0f;
    const float least = primitive->shape->outline->least_rhw;
    const float rhw = primitive->depth.a[1] + (at_corner ? 0.0f : rhw_change(primitive, at));
    const float eye_w = 1.0f / (rhw > least ? rhw : least);

    if (state->fog_from_w)
        batch->w[lane] = eye_w;
    else if (state->fog_mode > RASTER_FOG_VERTEX)
        batch->w[lane] = primitive->depth.a[0] + (at_corner ? 0.0f : z_change(primitive, at));
    for (unsigned i = 0; i < state->input_count; i++) {
        const struct scene_plane4 *plane = &primitive->input[i];
        const bool pass_through = i + 1u == batch->pass_through_input;
        const unsigned mask = pass_through ? batch->pass_through_components : state->input_mask[i];
        float(*out)[RASTER_LANES] = pass_through ? batch->color[0] : batch->input[i];

        for (unsigned c = 0; c < 4; c++) {
            float v = plane->a[c];

            if (!(mask & 1u << c))
                continue;
            if (!at_corner)
                v += at.x * plane->dx[c] + at.y * plane->dy[c];
            out[c][lane] = state->interpolation[i] == RASTER_PERSPECTIVE ? v * eye_w : v;
        }
    }
}

/* Does 1/w stay above the limit in a square of `side` pixels? False if unknown. */
static bool stays_above(const struct scene_primitive *primitive, struct place first, float side)
{
    const float dx = primitive->depth.dx[1], dy = primitive->depth.dy[1];
    const struct place lowest = {first.x + (dx < 0.0f ? side : 0.0f), first.y + (dy < 0.0f ? side : 0.0f)};

    return primitive->depth.a[1] + rhw_change(primitive, lowest) >= primitive->shape->outline->least_rhw;
}

void tile_conservative_inputs(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                              unsigned lane, unsigned groups)
{
    const float least = primitive->shape->outline->least_rhw;
    const struct place first = {(float)x - primitive->reference_x, (float)y - primitive->reference_y};

    if (stays_above(primitive, first, groups > 1 ? 7.0f : 3.0f))
        return;
    for (unsigned i = 0; i < groups * RASTER_GROUP_LANES; i++) {
        const unsigned g = i / RASTER_GROUP_LANES, l = i % RASTER_GROUP_LANES;
        const struct place centre = {first.x + (float)(raster_lane_x[l] + (int)(g & 1) * 4),
                                     first.y + (float)(raster_lane_y[l] + (int)(g >> 1) * 4)};
        const float change = rhw_change(primitive, centre);

        if (!(primitive->depth.a[1] + change >= least))
            hold_lane(w, primitive, nearer_place(primitive, least, centre, change), lane + i);
    }
}
