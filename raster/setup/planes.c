/* SPDX-License-Identifier: MIT */
/* Planes of depth and inputs, depth bias: for everything except meshes, which inline planes.h. */
#include "raster/setup/planes.h"
#include "raster/setup/setup.h"

/* --- depth -------------------------------------------------------------------------------- */

void setup_depth_plane(struct scene_plane2 *plane, unsigned component, const struct gradient *g, double v0, double v1,
                       double v2)
{
    double d1 = v1 - v0, d2 = v2 - v0;

    plane->a[component] = (float)v0;
    plane->dx[component] = (float)(d1 * g->ax + d2 * g->bx);
    plane->dy[component] = (float)(d1 * g->ay + d2 * g->by);
}

/* The depth of a vertex in the depth buffer. */
static float vertex_depth(const struct raster_draw_state *state, const struct raster_vertex *v)
{
    return state->depth_from_w ? fminf(fmaxf((1.0f / v->rhw - state->w_near) * state->w_scale, 0.0f), 1.0f)
                               : fabsf(v->z);
}

/* The least step of depth: 1 / (2^n - 1), or 2^(e - m) of floats with m bits of mantissa, where e is the exponent of the
 * triangle's greatest depth. Source: D3D11 functional specification, 15.10. */
static float depth_unit(const struct raster *raster, const struct raster_vertex *const v[3])
{
    const struct raster_draw_state *state = &raster->state;
    int exponent = 0;

    if (!raster->depth_mantissa)
        return raster->depth_resolution;
    float most = fmaxf(vertex_depth(state, v[0]), fmaxf(vertex_depth(state, v[1]), vertex_depth(state, v[2])));
    if (!(most > 0.0f) || most > 1e30f)
        return 0.0f;
    frexpf(most, &exponent); /* most = 0.5.. * 2^exponent */
    return ldexpf(1.0f, exponent - 1 - (int)raster->depth_mantissa);
}

/* The part of the bias that does not depend on the slope. */
static float constant_bias(const struct raster *raster, const struct raster_state *rs,
                           const struct raster_vertex *const v[3])
{
    return rs->offset_units_unscaled ? rs->offset_units : rs->offset_units * depth_unit(raster, v);
}

/* Depth bias of a primitive whose steepest depth slope is m. Source: docs/reference/rasterization.md, section 9. */
float setup_depth_bias(const struct raster *raster, const struct raster_state *rs, float slope,
                       const struct raster_vertex *const v[3])
{
    float bias = constant_bias(raster, rs, v) + rs->offset_scale * slope;

    if (rs->offset_clamp > 0.0f)
        bias = fminf(bias, rs->offset_clamp);
    else if (rs->offset_clamp < 0.0f)
        bias = fmaxf(bias, rs->offset_clamp);
    return bias;
}

struct scene_w_bias setup_w_bias(const struct raster *raster, const struct raster_draw_state *state, float slope,
                                 const struct raster_vertex *const v[3])
{
    return (struct scene_w_bias){
        .constant = constant_bias(raster, &state->rasterizer, v),
        .slope = state->rasterizer.offset_scale * slope * fabsf(state->w_scale),
    };
}

void setup_add_bias(const struct raster *raster, struct scene_primitive *primitive,
                    const struct raster_vertex *const v[3])
{
    const struct raster_draw_state *state = primitive->state;
    const unsigned component = state->depth_from_w;
    const float slope = fmaxf(fabsf(primitive->depth.dx[component]), fabsf(primitive->depth.dy[component]));

    if (state->depth_from_w)
        *scene_w_bias_of(primitive) = setup_w_bias(raster, state, slope, v);
    else
        primitive->depth.a[0] += setup_depth_bias(raster, &state->rasterizer, slope, v);
}

/* --- integers ------------------------------------------------------------------------ */

/* Limits of a coordinate in integers, in repetitions of a texture: of the step per pixel, and of the value. */
#define MOST_AFFINE_STEP  4.0f
#define MOST_AFFINE_VALUE 100.0f

/* Do both axes of an input stay within these? Quads reach up to three pixels beyond a primitive. Parts cut off by the
 * scissor rectangle count too, so that it does not change the bits of a pixel. */
static bool input_is_affine(const struct raster_draw_state *state, const struct scene_plane4 *plane,
                            const struct raster_vertex *const v[3], unsigned input)
{
    const float factor = state->interpolation[input] == RASTER_PERSPECTIVE ? 1.0f / v[0]->rhw : 1.0f;
    bool affine = true;

    for (unsigned c = 0; c < 2; c++) {
        const float dx = fabsf(plane->dx[c] * factor), dy = fabsf(plane->dy[c] * factor);

        affine &= dx < MOST_AFFINE_STEP && dy < MOST_AFFINE_STEP;
        for (unsigned k = 0; k < 3; k++)
            affine &= fabsf(v[k]->input[input][c]) + 4.0f * (dx + dy) < MOST_AFFINE_VALUE;
    }
    return affine;
}

uint16_t setup_affine_inputs(const struct raster_draw_state *state, const struct scene_plane4 *planes,
                             const struct raster_vertex *const v[3])
{
    unsigned affine = 0;

    for (unsigned i = 0; i < state->input_count; i++)
        if (!(state->narrow_inputs >> i & 1) && state->input_mask[i] == 3)
            affine |= (unsigned)input_is_affine(state, &planes[i], v, i) << i;
    return (uint16_t)affine;
}

bool setup_same_colors(const struct raster_draw_state *state, const struct raster_vertex *const v[3])
{
    bool same = true;

    for (unsigned left = state->narrow_inputs; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 4; c++)
            same &= v[0]->input[i][c] == v[1]->input[i][c] && v[0]->input[i][c] == v[2]->input[i][c];
    }
    return same;
}

/* --- inputs ------------------------------------------------------------------------------- */

void setup_input_planes(const struct raster_draw_state *state, struct scene_primitive *primitive,
                        const struct gradient *g, const struct raster_vertex *const v[3],
                        const struct raster_vertex *provoking)
{
    const struct lane_gradient lanes = lane_gradient((double2){g->ax, g->ay}, (double2){g->bx, g->by});

    input_planes(state, primitive, &lanes, v, provoking);
}

void setup_triangle_planes(struct raster *raster, const struct raster_draw_state *state,
                           struct scene_primitive *primitive, const struct raster_vertex *const v[3],
                           const struct raster_snapped p[3], double area, const struct raster_vertex *provoking,
                           bool offset)
{
    const int4 corner[3] = {setup_load_point(&p[0]), setup_load_point(&p[1]), setup_load_point(&p[2])};

    triangle_planes(raster, state, primitive, v, corner, area, provoking, offset);
}
