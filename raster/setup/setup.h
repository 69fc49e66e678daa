/* SPDX-License-Identifier: MIT */
/* Functions that the setup of triangles, lines, points and conservative triangles share. */
#ifndef HALCYON_RASTER_SETUP_H
#define HALCYON_RASTER_SETUP_H

#include "base/assert.h"
#include "raster/frontend.h"
#include "base/simd/simd4.h"

/* Points are vectors with x, y in the lower half. */
static inline float4 setup_load_xy(const struct raster_vertex *v)
{
    return float4_load_low(&v->x);
}
static inline int4 setup_load_point(const struct raster_snapped *p)
{
    return int4_load_low(p);
}
static inline void setup_store_point(struct raster_snapped *p, int4 v)
{
    int4_store_low(p, v);
}

/* The shift added to snapped positions: half a pixel if pixel centres are on integers. */
static inline int4 setup_snap_shift(const struct raster_state *rs)
{
    return int4_splat(rs->half_pixel_center ? 0 : 128);
}

/* Two positions to 16.8: rounds to nearest, ties to even; NaN becomes 0. Source: D3D11 functional specification, 3.4.2. */
static inline int4 setup_snap_pairs(float4 v, int4 shift)
{
    v = float4_numbers(v);
    v = float4_max(v, float4_splat(-RASTER_GUARD_BAND));
    v = float4_min(v, float4_splat(RASTER_GUARD_BAND));
    return int4_add(float4_round(v * 256.0f), shift);
}

/* Snaps a position to 16.8: one of raster_snap. */
static inline struct raster_snapped setup_snap(const struct raster_draw_state *state, const struct raster_vertex *v)
{
    struct raster_snapped p;

    setup_store_point(&p, setup_snap_pairs(setup_load_xy(v), setup_snap_shift(&state->rasterizer)));
    return p;
}

/* Snaps the corners of a triangle. */
static inline void setup_snap_corners(int4 shift, const struct raster_vertex *const v[3], struct raster_snapped p[3])
{
    const int4 two = setup_snap_pairs(float4_low_halves(setup_load_xy(v[0]), setup_load_xy(v[1])), shift);

    int4_store(p, two);
    setup_store_point(&p[2], setup_snap_pairs(setup_load_xy(v[2]), shift));
}

/* Twice the area in subpixels squared; positive: clockwise on the screen. */
static inline int64_t setup_area(const struct raster_snapped p[3])
{
    return (int64_t)(p[1].x - p[0].x) * (p[2].y - p[0].y) - (int64_t)(p[1].y - p[0].y) * (p[2].x - p[0].x);
}

/* Does a triangle of that area face front? Degenerate ones face back. */
static inline bool setup_faces_front(const struct raster_state *rs, int64_t area)
{
    return area && (area < 0) == rs->front_ccw;
}

/* Sets *front to whether a triangle of that area faces front. False: the state culls it. */
static inline bool setup_facing(const struct raster_state *rs, int64_t area, bool *front)
{
    *front = setup_faces_front(rs, area);
    return rs->cull_mode != RASTER_CULL_BOTH && rs->cull_mode != (*front ? RASTER_CULL_FRONT : RASTER_CULL_BACK);
}

/* The first pixel whose centre is at or right of p (subpixels). */
static inline int32_t setup_first_pixel(int32_t p)
{
    return (p + 127) >> 8;
}
/* The first pixel whose centre is right of p (subpixels). */
static inline int32_t setup_end_pixel(int32_t p)
{
    return ((p - 128) >> 8) + 1;
}

/* Factors from a value's differences along two edges to its gradient: d/dx = d1 * ax + d2 * bx, likewise y. */
struct gradient {
    double ax, bx, ay, by;
};

/* setup/planes.c. Component 0 (z) or 1 (1/w) of the depth plane from its values at three vertices. */
void setup_depth_plane(struct scene_plane2 *plane, unsigned component, const struct gradient *g, double v0, double v1,
                       double v2);
/* For narrow states: the inputs that are coordinates in integers (scene_primitive.affine_inputs), if eye w is
 * constant. */
uint16_t setup_affine_inputs(const struct raster_draw_state *state, const struct scene_plane4 *planes,
                             const struct raster_vertex *const v[3]);
/* For narrow states: do all corners have the same colours? */
bool setup_same_colors(const struct raster_draw_state *state, const struct raster_vertex *const v[3]);
/* The planes of all inputs, from their values at three vertices; flat inputs take the value of `provoking`. */
void setup_input_planes(const struct raster_draw_state *state, struct scene_primitive *primitive,
                        const struct gradient *g, const struct raster_vertex *const v[3],
                        const struct raster_vertex *provoking);
/* The depth bias of a primitive; slope: the steepest, per pixel. v: the triangle; its greatest depth scales the bias of
 * floating-point formats. */
float setup_depth_bias(const struct raster *raster, const struct raster_state *rs, float slope,
                       const struct raster_vertex *const v[3]);
/* The depth bias where depth is eye w; slope: the steepest of 1/w, per pixel. */
struct scene_w_bias setup_w_bias(const struct raster *raster, const struct raster_draw_state *state, float slope,
                                 const struct raster_vertex *const v[3]);
/* Adds the bias to a primitive whose planes of depth are those of the triangle v. */
void setup_add_bias(const struct raster *raster, struct scene_primitive *primitive,
                    const struct raster_vertex *const v[3]);

/* Allocates a primitive in the scene, with its planes and, if it has one, its shape; NULL if out of memory. */
static inline struct scene_primitive *setup_primitive(struct raster *raster, const struct raster_draw_state *state,
                                                      bool shaped)
{
    const size_t bytes = scene_primitive_bytes(state);
    struct scene_primitive *primitive =
        (struct scene_primitive *)scene_alloc(&raster->scene, bytes + (shaped ? sizeof(struct scene_shape) : 0));

    if (!primitive)
        return NULL;
    primitive->state = state;
    primitive->front_facing = primitive->is_small = primitive->clipped = false;
    primitive->is_rectangle = SCENE_NO_RECTANGLE;
    primitive->stippled = primitive->conservative = primitive->same_colors = primitive->unused = false;
    primitive->affine_inputs = primitive->constant_inputs = 0;
    primitive->shape = NULL;
    if (state->depth_from_w)
        *scene_w_bias_of(primitive) = raster->w_bias;
    if (shaped) {
        primitive->shape = (struct scene_shape *)((uint8_t *)primitive + bytes);
        primitive->shape->smooth = NULL;
        primitive->shape->outline = NULL;
        primitive->shape->degenerate = false;
    }
    return primitive;
}

/* --- primitive.c -------------------------------------------------------------------------- */

/* Corners with colours chosen by face and clamped. False: they are unchanged. */
bool setup_choose_colors(const struct raster_draw_state *state, bool front, struct raster_vertex *vertex,
                         unsigned count);
/* setup_primitive with the bounds it covers, whose pixels are charged to the budget; NULL also if the budget is used
 * up. */
struct scene_primitive *setup_bounded_primitive(struct raster *raster, const struct raster_draw_state *state,
                                                const struct scene_primitive *bounds, bool shaped);
/* Sets the bounds of a primitive, in pixels, clipped; false if nothing is left. */
bool setup_bounds(struct scene_primitive *primitive, const struct raster_rect *clip, int32_t left, int32_t top,
                  int32_t right, int32_t bottom);
/* Classifies the tile at pixel (x, y) against an edge: -1 outside (trivially rejected), 0 crossing, 1 inside (trivially
 * accepted). */
static inline int setup_classify_tile(const struct scene_edge *edge, int32_t x, int32_t y, int64_t margin)
{
    const int64_t span = RASTER_TILE_SIZE - 1;
    int64_t c = edge->c - (int64_t)edge->dy * x + (int64_t)edge->dx * y;
    int64_t step_x = -(int64_t)edge->dy * span, step_y = (int64_t)edge->dx * span;

    if (c + BASE_MAX(step_x, 0) + BASE_MAX(step_y, 0) + margin < 0)
        return -1;
    return c + BASE_MIN(step_x, 0) + BASE_MIN(step_y, 0) - margin >= 0;
}
/* Puts the primitive into the bins of all tiles that its edges do not reject. */
void setup_bin_triangle(struct scene *scene, const struct scene_primitive *primitive);
/* Puts a primitive whose bounds are its shape into the bins of all tiles that they touch. */
static inline void setup_bin_rectangle(struct scene *scene, const struct scene_primitive *primitive)
{
    /* No edge crosses any tile: the bounds are the shape. */
    for (int y = primitive->top / RASTER_TILE_SIZE; y <= (primitive->bottom - 1) / RASTER_TILE_SIZE; y++)
        for (int x = primitive->left / RASTER_TILE_SIZE; x <= (primitive->right - 1) / RASTER_TILE_SIZE; x++)
            scene_bin_command(scene, (unsigned)x, (unsigned)y, SCENE_TRIANGLE, primitive, 0);
}

/* The planes of depth and inputs of a triangle with an area, depth bias included. */
void setup_triangle_planes(struct raster *raster, const struct raster_draw_state *state,
                           struct scene_primitive *primitive, const struct raster_vertex *const v[3],
                           const struct raster_snapped p[3], double area, const struct raster_vertex *provoking,
                           bool offset);
/* setup/solid.c: a triangle with an area, filled. */
void setup_solid_triangle(struct raster *raster, const struct raster_draw_state *state,
                          const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                          const struct raster_vertex *provoking, bool front, bool offset, bool stippled);

/* Does the state need nothing from raster_triangle except filling triangles that have an area? */
bool setup_only_fills(const struct raster_draw_state *state);
/* raster_triangles if setup_only_fills is true of the current state. */
void setup_solid_triangles(struct raster *raster, const struct raster_vertex *vertices,
                           const struct raster_snapped *snapped, const uint32_t *corners, size_t count);

/* setup/rectangle.c: draws two triangles of a mesh as one rectangle if the pixels are the same, and returns whether it
 * did; otherwise the caller draws both by setup_solid_triangle. Their corners are vertices[corners[0]] to [5], the
 * first of each triangle the provoking one; both have that area. */
bool setup_rectangle(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *vertices,
                     const struct raster_snapped *snapped, const uint32_t *corners, double area, bool front,
                     bool offset);

/* The pixels charged for a large triangle: those that it can cover, and a part of the rest of its bounds. area: twice
 * its area, in subpixels squared. */
static inline uint64_t setup_large_pixels(uint64_t bounds, double area)
{
    const uint64_t covered = (uint64_t)(__builtin_fabs(area) * (1.0 / (2 * 256.0 * 256.0)));

    return BASE_MIN(bounds, covered + bounds / RASTER_BOUNDS_PART);
}

/* Does the state's smoothing apply to the targets? Not if coverage is per sample. */
static inline bool setup_smooths(const struct raster *raster, const struct raster_draw_state *state)
{
    return scene_samples(&raster->scene, state) <= 1 || !state->rasterizer.multisample;
}

/* setup/smooth.c. Parameters as for setup_solid_triangle. */
void setup_smooth_triangle(struct raster *raster, const struct raster_draw_state *state,
                           const struct raster_vertex *const v[3], const struct raster_snapped p[3],
                           const struct raster_vertex *provoking, bool front, bool offset);
/* The stipple pattern of a smooth line. */
struct setup_stipple {
    bool enable;
    double steps; /* of the pattern before the line's first pixel of length */
};
void setup_smooth_line(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *v0,
                       const struct raster_vertex *v1, const struct raster_vertex *provoking,
                       struct setup_stipple stipple);
void setup_smooth_point(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *v,
                        float size);

/* Bits of precision beyond 16.8 of corners, by axis. */
struct setup_grid {
    uint8_t x, y;
};

/* The convex outline that a conservative primitive covers, from setup_hull, on a grid. */
struct setup_outline {
    const struct raster_snapped *point;
    unsigned count; /* 2: a line, 1: a point */
    struct setup_grid grid;
    double slack;    /* pixels by which the region is wider than snapping requires */
    float least_rhw; /* of the corners */
};
/* setup/conservative.c. v, p, area (twice that of p; 0: every value is v[0]'s) say what is interpolated. */
void setup_conservative(struct raster *raster, const struct raster_draw_state *state,
                        const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                        const struct raster_vertex *provoking, bool front, const struct setup_outline *outline);
/* Does a polygon have an area after snapping? */
bool setup_polygon_has_area(const struct raster *raster, const struct raster_polygon *polygon);
/* The convex hull of count points (which are sorted), clockwise on the screen; 2 corners: a line, 1: a point. */
unsigned setup_hull(struct raster_snapped *p, unsigned count, struct raster_snapped hull[RASTER_MAX_CORNERS]);

#endif
