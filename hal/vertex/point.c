/* SPDX-License-Identifier: MIT */
/* Point sizes and clipping of points by user planes (docs/reference/device-state.md, section 6). The rasterizer makes
 * the square and its texture coordinates. */
#include "hal/vertex/point.h"

#include "d3d/ddi.h"
#include "hal/math.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex.h"

#include <string.h>

void tnl_prepare_points(struct tnl_program *p, const struct hal_state *state)
{
    p->point_scale = p->stage->points && state->render_state[D3DRS_POINTSCALEENABLE] && !p->transformed;
    p->point_a = hal_render_state_float(state, D3DRS_POINTSCALE_A);
    p->point_b = hal_render_state_float(state, D3DRS_POINTSCALE_B);
    p->point_c = hal_render_state_float(state, D3DRS_POINTSCALE_C);
    p->viewport_height = (float)state->viewport.height;
}

/* --- user planes -------------------------------------------------------------------- */

/* All corners of a point share the centre's z and w, so a plane's distance is linear over the
 * square. Planes are in view space here, and with a singular projection only the centre is tested. */
void tnl_set_plane_slopes(const struct tnl_program *p, struct hal_vertex_stage *stage)
{
    struct hal_matrix inverse;
    const bool invertible = hal_matrix_invert(&inverse, &p->projection);

    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++) {
        for (unsigned c = 0; c < 2; c++) {
            float slope = 0;

            for (unsigned j = 0; invertible && j < 4; j++)
                slope += inverse.m[c][j] * p->user_plane[k][j];
            stage->plane_slope[k][c] = slope;
        }
    }
}

/* A corner and its distance inside the plane. */
static double inside(const double base, const double slope[2], const double corner[2])
{
    return base + slope[0] * (2 * corner[0] - 1) - slope[1] * (2 * corner[1] - 1);
}

static unsigned point_cut(double base, const double slope[2], double (*in)[2], unsigned count, double (*out)[2])
{
    unsigned n = 0;

    for (unsigned i = 0; i < count && n + 2 <= HAL_MAX_POINT_CORNERS; i++) {
        const double *a = in[i], *b = in[i + 1 == count ? 0 : i + 1];
        const double da = inside(base, slope, a), db = inside(base, slope, b);

        if (da >= 0)
            memcpy(out[n++], a, sizeof(*out));
        if ((da >= 0) != (db >= 0)) {
            const double t = da / (da - db);

            out[n][0] = a[0] + t * (b[0] - a[0]);
            out[n++][1] = a[1] + t * (b[1] - a[1]);
        }
    }
    return n < 3 ? 0 : n;
}

unsigned hal_point_clip(const struct hal_projection *p, const float (*plane_slope)[2], const struct hal_vertex *vertex,
                        float corners[HAL_MAX_POINT_CORNERS][2])
{
    const double reach = (double)vertex->point_size * vertex->position[3] / 2;
    double polygon[2][HAL_MAX_POINT_CORNERS][2] = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    unsigned count = 4, now = 0;

    for (unsigned k = 0; k < CLIP_MAX_PLANES && count > 0; k++) {
        if (!(p->user_planes & 1u << k))
            continue;
        const double slope[2] = {plane_slope[k][0] * reach / p->half_width, plane_slope[k][1] * reach / p->half_height};

        count = point_cut(hal_plane_distance(p, vertex, k), slope, polygon[now], count, polygon[1 - now]);
        now = 1 - now;
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned c = 0; c < 2; c++) {
            const double value = polygon[now][i][c];

            if (!(value > -1 && value < 2)) /* NaN: planes or matrices are wild */
                return 0;
            corners[i][c] = (float)value;
        }
    }
    return count;
}
