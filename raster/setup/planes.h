/* SPDX-License-Identifier: MIT */
/*
 * Planes of depth and inputs from the values at a triangle's corners: all components of an input at once, each with the
 * same operations in the same order as a single value (setup_depth_plane). Inlined for the sake of meshes.
 */
#ifndef HALCYON_RASTER_SETUP_PLANES_H
#define HALCYON_RASTER_SETUP_PLANES_H

#include "raster/setup/setup.h"

#include <math.h>

/* A gradient (struct gradient), each component in all lanes. */
struct lane_gradient {
    float4 ax, bx, ay, by;
};

/* a: ax, ay; b: bx, by. */
static inline struct lane_gradient lane_gradient(double2 a, double2 b)
{
    const float4 fa = double2_to_floats(a), fb = double2_to_floats(b);

    return (struct lane_gradient){float4_splat_0(fa), float4_splat_0(fb), float4_splat_1(fa), float4_splat_1(fb)};
}

/* setup_depth_plane for z and 1/w at once. */
static inline void depth_planes(struct scene_plane2 *plane, double2 a, double2 b,
                                const struct raster_vertex *const v[3])
{
    const float4 z0 = float4_load_low(&v[0]->z);
    const float4 z1 = float4_load_low(&v[1]->z);
    const float4 z2 = float4_load_low(&v[2]->z);
    const double2 from = double2_from_floats(z0);
    const double2 d1 = double2_from_floats(z1) - from, d2 = double2_from_floats(z2) - from;
    const double2 ax = double2_splat_0(a), ay = double2_splat_1(a);
    const double2 bx = double2_splat_0(b), by = double2_splat_1(b);

    float4_store_low(plane->a, z0);
    float4_store_low(plane->dx, double2_to_floats(d1 * ax + d2 * bx));
    float4_store_low(plane->dy, double2_to_floats(d1 * ay + d2 * by));
}

static inline void flat_plane(struct scene_plane4 *plane, const float *value)
{
    float4_store_aligned(plane->a, float4_load(value));
    float4_store_aligned(plane->dx, float4_splat(0));
    float4_store_aligned(plane->dy, float4_splat(0));
}

/* Is a plane constant in all of its components? */
static inline unsigned is_constant(float4 dx, float4 dy)
{
    return float4_are_zero(dx, dy);
}

/* The plane of input i, which is not flat. Returns whether it is constant. */
static inline unsigned input_plane(struct scene_plane4 *plane, const struct lane_gradient *g,
                                   const struct raster_vertex *const v[3], unsigned i)
{
    const float4 f0 = float4_load(v[0]->input[i]) * v[0]->rhw;
    const float4 f1 = float4_load(v[1]->input[i]) * v[1]->rhw;
    const float4 f2 = float4_load(v[2]->input[i]) * v[2]->rhw;
    const float4 d1 = f1 - f0, d2 = f2 - f0;
    const float4 dx = d1 * g->ax + d2 * g->bx;
    const float4 dy = d1 * g->ay + d2 * g->by;

    float4_store_aligned(plane->a, f0);
    float4_store_aligned(plane->dx, dx);
    float4_store_aligned(plane->dy, dy);
    return is_constant(dx, dy);
}

static inline void input_planes(const struct raster_draw_state *state, struct scene_primitive *primitive,
                                const struct lane_gradient *g, const struct raster_vertex *const v[3],
                                const struct raster_vertex *provoking)
{
    unsigned constant = 0;

    for (unsigned i = 0; i < state->input_count; i++) {
        struct scene_plane4 *plane = &primitive->input[i];

        if (state->interpolation[i] == RASTER_FLAT) {
            flat_plane(plane, provoking->input[i]);
            constant |= 1u << i;
            continue;
        }
        constant |= input_plane(plane, g, v, i) << i;
    }
    primitive->constant_inputs = (uint16_t)constant;
    if (state->narrow && scene_has_one_w(primitive))
        primitive->affine_inputs = setup_affine_inputs(state, primitive->input, v);
    else if (state->narrow)
        primitive->same_colors = setup_same_colors(state, v);
}

/* Swaps x and y of deltas in subpixels and scales them. Lanes set in `negated` are negated as integers, so that no zero
 * becomes -0. */
static inline double2 scaled_normal(int4 delta, int4 negated, double2 scale)
{
    return double2_from_ints(int4_negate(int4_swap_low(delta), negated)) * scale;
}

/* Factors from values at the corners of a triangle to gradients: d/dx in the lower half, d/dy in the upper. */
struct triangle_gradient {
    double2 a, b;
};

static inline struct triangle_gradient triangle_gradient(const int4 p[3], double area)
{
    const double2 scale = double2_splat(256.0 / area); /* deltas in subpixels to gradients per pixel */

    return (struct triangle_gradient){scaled_normal(int4_sub(p[2], p[0]), (int4){0, -1, 0, 0}, scale),
                                      scaled_normal(int4_sub(p[1], p[0]), (int4){-1, 0, 0, 0}, scale)};
}

/* The position (reference_x, reference_y) where the planes of a triangle have the values of the first corner. */
static inline float4 triangle_reference(int4 first)
{
    return float4_from(int4_sub(first, int4_splat(128))) * (1.0f / 256.0f);
}

/* p: the corners, in the lower halves. */
static inline __attribute__((always_inline)) void triangle_planes(struct raster *raster,
                                                                  const struct raster_draw_state *state,
                                                                  struct scene_primitive *primitive,
                                                                  const struct raster_vertex *const v[3],
                                                                  const int4 p[3], double area,
                                                                  const struct raster_vertex *provoking, bool offset)
{
    const struct triangle_gradient g = triangle_gradient(p, area);
    const struct lane_gradient lanes = lane_gradient(g.a, g.b);

    float4_store_low(&primitive->reference_x, triangle_reference(p[0]));
    depth_planes(&primitive->depth, g.a, g.b, v);
    if (offset)
        setup_add_bias(raster, primitive, v);
    input_planes(state, primitive, &lanes, v, provoking);
}

#endif
