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

/* The steepest slope of a triangle, from the differences of its corners to the first. */
static float outline_slope(double d1, double d2, const struct raster_snapped p[3], int64_t area)
{
    double scale = 256.0 / (double)area;
    double dx = (d1 * (p[2].y - p[0].y) - d2 * (p[1].y - p[0].y)) * scale;
    double dy = (d2 * (p[1].x - p[0].x) - d1 * (p[2].x - p[0].x)) * scale;

    return (float)fmax(fabs(dx), fabs(dy));
}

/* Lines and points that outline a triangle get the depth bias of its slope. Returns the bias to add to z of copies of
 * its vertices; where depth is eye w, the lines and points take it from the raster. */
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

/* Draws a corner of a triangle as a point with the flat inputs of the triangle. */
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

/* Do corners have more bits than setup_snap gives? */
static inline bool is_fine(const struct raster_state *rs)
{
    return rs->conservative_raster_mode && (rs->subpixel_precision_x | rs->subpixel_precision_y);
}

/* Draws a triangle with more subpixel bits than 16.8 as a polygon. */
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
    return setup_faces_front(&raster->state.rasterizer, setup_area(p));
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

static void fill_triangle(struct raster *raster, const struct raster_draw_state *state,
                          const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                          const struct raster_vertex *provoking, bool front, unsigned edge_flags);

/* Draws the triangle with colours chosen by face and clamped. */
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
        raster->statistics.triangles--; /* raster_polygon counts it */
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

    const struct raster_vertex *const same[3] = {provoking, provoking, provoking}; /* for triangles without area */

    /* Tier 1 (post-snap) may drop triangles without area; tiers 2 and 3 draw them. */
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

void raster_triangles(struct raster *raster, const struct raster_vertex *vertices, const struct raster_snapped *snapped,
                      const uint32_t *corners, size_t count)
{
    if (setup_only_fills(&raster->state)) {
        setup_solid_triangles(raster, vertices, snapped, corners, count);
        return;
    }
    for (size_t i = 0; i < 3 * count; i += 3) {
        const struct raster_vertex *v0 = &vertices[corners[i]];

        raster_triangle(raster, v0, &vertices[corners[i + 1]], &vertices[corners[i + 2]], v0, 7);
    }
}
