/* SPDX-License-Identifier: MIT */
/*
 * Triangle setup and binning. Positions are snapped to 16.8 fixed point, edges are exact integers (setup/solid.c),
 * planes of depth and inputs come from the snapped positions (setup/planes.c).
 *
 * Bit budget. Vertices lie within RASTER_GUARD_BAND (16376 px), so snapped coordinates are below 2^22 in magnitude
 * plus half a pixel, and the deltas of an edge below 2^23. The edge function E(p) = dx (py - ay) - dy (px - ax) is
 * below 2 * 2^23 * 2^23 = 2^47: exact in 64 bits. From pixel to pixel E changes by multiples of
 * 256, so floor(E / 256) keeps its sign at every pixel centre. Where an edge crosses a 64x64 tile, |floor(E / 256)|
 * is at most 63 (|dx| + |dy|) + 1 < 2^30 in the tile: exact in 32 bits.
 */
#include "raster/setup/setup.h"

#include <math.h>
#include <string.h>

_Static_assert((int)RASTER_GUARD_BAND * 256 + 128 < 1 << 22, "snapped coordinates fit 23 bits with sign");

struct raster_snapped setup_snap(const struct raster_draw_state *state, const struct raster_vertex *v)
{
    struct raster_snapped p;

    setup_store_point(&p, setup_snap_pairs(setup_load_xy(v), setup_snap_shift(&state->rasterizer)));
    return p;
}

/* --- binning -------------------------------------------------------------------------------- */

/* How far samples may lie from the centre along an edge's normal: half a pixel each way. */
int64_t scene_edge_margin(const struct scene_edge *edge)
{
    return (((int64_t)edge->dx < 0 ? -(int64_t)edge->dx : edge->dx) +
            ((int64_t)edge->dy < 0 ? -(int64_t)edge->dy : edge->dy)) /
               2 +
           1;
}

void setup_bin_triangle(struct scene *scene, const struct scene_primitive *primitive)
{
    int64_t margin[3] = {0, 0, 0};

    int left = primitive->left / RASTER_TILE_SIZE, right = (primitive->right - 1) / RASTER_TILE_SIZE;
    int top = primitive->top / RASTER_TILE_SIZE, bottom = (primitive->bottom - 1) / RASTER_TILE_SIZE;

    BASE_ASSERT(left >= 0 && top >= 0 && left <= right && top <= bottom);
    if (left == right && top == bottom) {
        scene_bin_command(scene, (unsigned)left, (unsigned)top, SCENE_TRIANGLE, primitive, 7);
        return;
    }
    for (unsigned e = 0; e < 3 && scene_samples(scene, primitive->state) > 1; e++)
        margin[e] = scene_edge_margin(&primitive->shape->edge[e]);
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            uint32_t crossing = 0;
            bool outside = false;

            for (unsigned e = 0; e < 3 && !outside; e++) {
                int where = setup_classify_tile(&primitive->shape->edge[e], x * RASTER_TILE_SIZE, y * RASTER_TILE_SIZE,
                                                margin[e]);

                outside = where < 0;
                crossing |= (uint32_t)(where == 0) << e;
            }
            if (!outside)
                scene_bin_command(scene, (unsigned)x, (unsigned)y, SCENE_TRIANGLE, primitive, crossing);
        }
    }
}

bool setup_bounds(struct scene_primitive *primitive, const struct raster_rect *clip, int32_t left, int32_t top,
                  int32_t right, int32_t bottom)
{
    primitive->left = BASE_MAX(left, clip->left);
    primitive->top = BASE_MAX(top, clip->top);
    primitive->right = BASE_MIN(right, clip->right);
    primitive->bottom = BASE_MIN(bottom, clip->bottom);
    return primitive->left < primitive->right && primitive->top < primitive->bottom;
}

struct scene_primitive *setup_bounded_primitive(struct raster *raster, const struct raster_draw_state *state,
                                                const struct scene_primitive *bounds, bool shaped)
{
    struct scene_primitive *primitive = NULL;

    if (raster_spend_rect(raster, bounds->right - bounds->left, bounds->bottom - bounds->top))
        primitive = setup_primitive(raster, state, shaped);
    if (primitive) {
        primitive->left = bounds->left;
        primitive->top = bounds->top;
        primitive->right = bounds->right;
        primitive->bottom = bounds->bottom;
    }
    return primitive;
}

/* --- triangles --------------------------------------------------------------------------------- */

/* The steepest slope of a triangle from its corners' differences to the first one. */
static float outline_slope(double d1, double d2, const struct raster_snapped p[3], int64_t area)
{
    double scale = 256.0 / (double)area;
    double dx = (d1 * (p[2].y - p[0].y) - d2 * (p[1].y - p[0].y)) * scale;
    double dy = (d2 * (p[1].x - p[0].x) - d1 * (p[2].x - p[0].x)) * scale;

    return (float)fmax(fabs(dx), fabs(dy));
}

/* Depth bias of a triangle drawn as lines or points is that of its slope. Returns what is added to z of copies of its
 * vertices; where depth is eye w, the lines and points take it from the raster. */
static float outline_bias(struct raster *raster, const struct raster_draw_state *state,
                          const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area)
{
    const bool from_w = state->depth_from_w;
    const double v0 = from_w ? v[0]->rhw : v[0]->z, v1 = from_w ? v[1]->rhw : v[1]->z,
                 v2 = from_w ? v[2]->rhw : v[2]->z;
    const float slope = outline_slope(v1 - v0, v2 - v0, p, area);

    if (!from_w)
        return setup_depth_bias(raster, &state->rasterizer, slope, v);
    raster->w_bias = setup_w_bias(raster, state, slope, v);
    return 0.0f;
}

/* Draws a corner of a triangle as a point, whose flat inputs are the whole triangle's. */
static void corner_point(struct raster *raster, struct raster_vertex *corner, const struct raster_vertex *provoking)
{
    const struct raster_draw_state *state = &raster->state;

    for (unsigned i = 0; i < state->input_count; i++)
        if (state->interpolation[i] == RASTER_FLAT)
            memcpy(corner->input[i], provoking->input[i], sizeof(corner->input[i]));
    raster_point(raster, corner, state->rasterizer.point_size);
}

static void outline_triangle(struct raster *raster, const struct raster_vertex *const v[3], float bias,
                             enum raster_fill fill, const struct raster_vertex *provoking, unsigned edge_flags)
{
    struct raster_vertex moved[3];

    for (unsigned i = 0; i < 3; i++) {
        moved[i] = *v[i];
        moved[i].z += bias;
    }
    struct raster_vertex flat = *provoking;
    if (!(edge_flags & RASTER_OUTLINE_GOES_ON))
        raster_begin_strip(raster);
    for (unsigned i = 0; i < 3; i++)
        if (fill == RASTER_FILL_POINT)
            corner_point(raster, &moved[i], &flat);
        else if (edge_flags & (1u << i))
            raster_line(raster, &moved[i], &moved[(i + 1) % 3], &flat, false);
}

/* Twice the area in subpixels squared; positive: clockwise on the screen. */
int64_t setup_area(const struct raster_snapped p[3])
{
    return (int64_t)(p[1].x - p[0].x) * (p[2].y - p[0].y) - (int64_t)(p[1].y - p[0].y) * (p[2].x - p[0].x);
}

/* Have corners more bits than setup_snap gives? */
static inline bool is_fine(const struct raster_state *rs)
{
    return rs->conservative_raster_mode && (rs->subpixel_precision_x | rs->subpixel_precision_y);
}

/* Degenerate triangles face back. */
static bool faces_front(const struct raster_state *rs, int64_t area)
{
    return area && (area < 0) == rs->front_ccw;
}

bool setup_facing(const struct raster_state *rs, int64_t area, bool *front)
{
    *front = faces_front(rs, area);
    return rs->cull_mode != RASTER_CULL_BOTH && rs->cull_mode != (*front ? RASTER_CULL_FRONT : RASTER_CULL_BACK);
}

/* More subpixel bits than 16.8 are a polygon's. */
static struct raster_polygon whole_polygon(const struct raster_vertex *const v[3],
                                           const struct raster_vertex *provoking)
{
    return (struct raster_polygon){
        .count = 3,
        .x = {v[0]->x, v[1]->x, v[2]->x},
        .y = {v[0]->y, v[1]->y, v[2]->y},
        .vertex = {v[0], v[1], v[2]},
        .whole = true,
        .provoking = provoking,
    };
}

bool raster_front_facing(const struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                         const struct raster_vertex *v2)
{
    const struct raster_vertex *const v[3] = {v0, v1, v2};
    struct raster_snapped p[3];

    if (is_fine(&raster->state.rasterizer)) {
        const struct raster_polygon polygon = whole_polygon(v, v0);

        return raster_polygon_front_facing(raster, &polygon);
    }
    setup_snap_corners(setup_snap_shift(&raster->state.rasterizer), v, p);
    return faces_front(&raster->state.rasterizer, setup_area(p));
}

bool raster_has_area(const struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                     const struct raster_vertex *v2)
{
    const struct raster_state *rs = &raster->state.rasterizer;
    const struct raster_vertex *const v[3] = {v0, v1, v2};
    struct raster_snapped p[3];

    if (rs->conservative_raster_mode != RASTER_CONSERVATIVE_OFF &&
        rs->conservative_raster_mode != RASTER_CONSERVATIVE_POST_SNAP)
        return true;
    if (is_fine(rs)) {
        const struct raster_polygon polygon = whole_polygon(v, v0);

        return setup_polygon_has_area(raster, &polygon);
    }
    setup_snap_corners(setup_snap_shift(rs), v, p);
    return setup_area(p) != 0;
}

bool setup_choose_colors(const struct raster_draw_state *state, bool front, struct raster_vertex *vertex,
                         unsigned count)
{
    const struct raster_state *rs = &state->rasterizer;
    bool back = rs->light_twoside && !front;

    if (!state->color_inputs || !(back || rs->clamp_vertex_color))
        return false;
    for (unsigned n = 0; n < count * RASTER_MAX_INPUTS; n++) {
        unsigned i = n % RASTER_MAX_INPUTS;
        float *value = vertex[n / RASTER_MAX_INPUTS].input[i];

        if (!(state->color_inputs & (1u << i)))
            continue;
        if (back)
            memcpy(value, vertex[n / RASTER_MAX_INPUTS].input[state->back_input[i] % RASTER_MAX_INPUTS],
                   4 * sizeof(*value));
        for (unsigned c = 0; c < 4 && rs->clamp_vertex_color; c++)
            value[c] = value[c] > 0.0f ? fminf(value[c], 1.0f) : 0.0f;
    }
    return true;
}

static void fill_triangle(struct raster *raster, const struct raster_draw_state *state,
                          const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                          const struct raster_vertex *provoking, bool front, unsigned edge_flags);

/* Draws the triangle with the colours that face and clamping choose. */
static __attribute__((noinline)) void recolored_triangle(struct raster *raster, const struct raster_draw_state *state,
                                                         const struct raster_vertex *const v[3],
                                                         const struct raster_snapped p[3], int64_t area,
                                                         const struct raster_vertex *provoking, bool front,
                                                         unsigned edge_flags)
{
    struct raster_vertex copy[4] = {*v[0], *v[1], *v[2], *provoking};
    const struct raster_vertex *const cv[3] = {&copy[0], &copy[1], &copy[2]};

    setup_choose_colors(state, front, copy, 4);
    fill_triangle(raster, state, cv, p, area, &copy[3], front, edge_flags);
}

static __attribute__((noinline)) void precise_triangle(struct raster *raster, const struct raster_vertex *const v[3],
                                                       const struct raster_vertex *provoking)
{
    const struct raster_polygon polygon = whole_polygon(v, provoking);

    raster_polygon(raster, &polygon);
}

void raster_triangle(struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                     const struct raster_vertex *v2, const struct raster_vertex *provoking, unsigned edge_flags)
{
    const struct raster_vertex *const v[3] = {v0, v1, v2};

    raster->statistics.triangles++;
    const struct raster_draw_state *state = raster_begin_primitive(raster);
    if (!state)
        return;
    const struct raster_state *rs = &state->rasterizer;
    if (is_fine(rs)) {
        raster->statistics.triangles--; /* it is counted there */
        precise_triangle(raster, v, provoking);
        return;
    }
    struct raster_snapped p[3];
    setup_snap_corners(setup_snap_shift(rs), v, p);
    int64_t area = setup_area(p);
    bool front;
    if (!setup_facing(rs, area, &front))
        return;
    if (state->color_inputs)
        recolored_triangle(raster, state, v, p, area, provoking, front, edge_flags);
    else
        fill_triangle(raster, state, v, p, area, provoking, front, edge_flags);
}

static void conservative_triangle(struct raster *raster, const struct raster_draw_state *state,
                                  const struct raster_vertex *const v[3], const struct raster_snapped p[3],
                                  int64_t area, const struct raster_vertex *provoking, bool front)
{
    struct raster_snapped points[3] = {p[0], p[area < 0 ? 2 : 1], p[area < 0 ? 1 : 2]}, hull[RASTER_MAX_CORNERS];
    struct setup_outline outline = {
        .point = points,
        .count = 3,
        .least_rhw = fminf(fminf(v[0]->rhw, v[1]->rhw), v[2]->rhw),
    };

    const struct raster_vertex *const same[3] = {provoking, provoking, provoking}; /* of what has no area */

    /* Tier 1 (post-snap) may drop what has no area; tiers 2 and 3 draw it. */
    if (!area && state->rasterizer.conservative_raster_mode == RASTER_CONSERVATIVE_POST_SNAP)
        return;
    if (!area) {
        outline.point = hull;
        outline.count = setup_hull(points, 3, hull);
    }
    setup_conservative(raster, state, area ? v : same, p, area, provoking, front, &outline);
}

static void fill_triangle(struct raster *raster, const struct raster_draw_state *state,
                          const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                          const struct raster_vertex *provoking, bool front, unsigned edge_flags)
{
    const struct raster_state *rs = &state->rasterizer;

    if (rs->conservative_raster_mode != RASTER_CONSERVATIVE_OFF) {
        conservative_triangle(raster, state, v, p, area, provoking, front);
        return;
    }
    if (!area)
        return;
    enum raster_fill fill = front ? rs->fill_front : rs->fill_back;
    if (fill == RASTER_FILL_SOLID) {
        if (rs->poly_smooth && setup_smooths(raster, state))
            setup_smooth_triangle(raster, state, v, p, provoking, front, rs->offset_tri);
        else
            setup_solid_triangle(raster, state, v, p, area, provoking, front, rs->offset_tri, true);
        return;
    }
    bool offset = fill == RASTER_FILL_LINE ? rs->offset_line : rs->offset_point;
    outline_triangle(raster, v, offset ? outline_bias(raster, state, v, p, area) : 0.0f, fill, provoking, edge_flags);
    raster->w_bias = (struct scene_w_bias){.constant = 0.0f};
}
