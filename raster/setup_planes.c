/* SPDX-License-Identifier: MIT */
/* Planes of depth and inputs, depth bias: for all who are no mesh. */
#include "raster/setup_planes.h"

/* --- depth -------------------------------------------------------------------------------- */

float setup_depth_plane(struct scene_plane2 *plane, unsigned component, const struct gradient *g, double v0, double v1,
                        double v2)
{
    double d1 = v1 - v0, d2 = v2 - v0;

    plane->a[component] = (float)v0;
    plane->dx[component] = (float)(d1 * g->ax + d2 * g->bx);
    plane->dy[component] = (float)(d1 * g->ay + d2 * g->by);
    return fmaxf(fabsf(plane->dx[component]), fabsf(plane->dy[component]));
}

/* Depth bias of a primitive whose steepest depth slope is m. Source: reference raster.md 1.9. */
/* The least step of depth: 1 / (2^n - 1), or 2^(e - m) of floats with m bits of mantissa, where e is the exponent of the
 * triangle's greatest depth. Source: D3D11 functional specification, 15.10. */
static float depth_unit(const struct raster *raster, const struct raster_vertex *const v[3])
{
    int exponent = 0;

    if (!raster->depth_mantissa)
        return raster->depth_resolution;
    float most = fmaxf(fabsf(v[0]->z), fmaxf(fabsf(v[1]->z), fabsf(v[2]->z)));
    if (!(most > 0.0f) || most > 1e30f)
        return 0.0f;
    frexpf(most, &exponent); /* most = 0.5.. * 2^exponent */
    return ldexpf(1.0f, exponent - 1 - (int)raster->depth_mantissa);
}

float setup_depth_bias(const struct raster *raster, const struct raster_state *rs, float slope,
                       const struct raster_vertex *const v[3])
{
    float bias = rs->offset_units;

    if (!rs->offset_units_unscaled)
        bias *= depth_unit(raster, v);
    bias += rs->offset_scale * slope;
    if (rs->offset_clamp > 0.0f)
        bias = fminf(bias, rs->offset_clamp);
    else if (rs->offset_clamp < 0.0f)
        bias = fmaxf(bias, rs->offset_clamp);
    return bias;
}

/* --- inputs ------------------------------------------------------------------------------- */

void setup_input_planes(const struct raster_draw_state *state, struct scene_primitive *primitive,
                        const struct gradient *g, const struct raster_vertex *const v[3],
                        const struct raster_vertex *provoking)
{
    const struct lane_gradient lanes = lane_gradient(_mm_set_pd(g->ay, g->ax), _mm_set_pd(g->by, g->bx));

    input_planes(state, primitive, &lanes, v, provoking);
}

void setup_triangle_planes(struct raster *raster, const struct raster_draw_state *state,
                           struct scene_primitive *primitive, const struct raster_vertex *const v[3],
                           const struct raster_snapped p[3], double area, const struct raster_vertex *provoking,
                           bool offset)
{
    const __m128i corner[3] = {setup_load_point(&p[0]), setup_load_point(&p[1]), setup_load_point(&p[2])};

    triangle_planes(raster, state, primitive, v, corner, area, provoking, offset);
}
