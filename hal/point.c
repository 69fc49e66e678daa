/* SPDX-License-Identifier: MIT */
/* Point sizes (ddi.md 6 "Point sprites"). The quad and its texture coordinates are the
 * rasterizer's. */
#include "hal/front.h"

void tnl_prepare_points(struct tnl_program *p, const struct hal_context *context)
{
    p->point_size = hal_state_float(context, D3DRS_POINTSIZE);
    p->point_min = hal_state_float(context, D3DRS_POINTSIZE_MIN);
    p->point_max = hal_state_float(context, D3DRS_POINTSIZE_MAX);
    if (!(p->point_max <= HAL_MAX_POINT_SIZE)) {
        p->point_max = HAL_MAX_POINT_SIZE;
    }
    p->point_scale = p->points && context->render_state[D3DRS_POINTSCALEENABLE] && !p->transformed;
    p->point_a = hal_state_float(context, D3DRS_POINTSCALE_A);
    p->point_b = hal_state_float(context, D3DRS_POINTSCALE_B);
    p->point_c = hal_state_float(context, D3DRS_POINTSCALE_C);
    p->viewport_height = (float)context->viewport.height;
}

/* S = Vh * S * sqrt(1 / (A + B * D + C * D^2)), D the distance from the eye */
static float scaled(const struct tnl_program *p, const struct tnl_batch *b, unsigned i, float size)
{
    const float x = b->eye[0][i], y = b->eye[1][i], z = b->eye[2][i];
    const float d2 = x * x + y * y + z * z;
    const float divisor = p->point_a + p->point_b * __builtin_sqrtf(d2) + p->point_c * d2;

    return p->viewport_height * size * __builtin_sqrtf(1.0f / divisor);
}

void tnl_point_size(const struct tnl_program *p, struct tnl_batch *b,
                    const struct hal_source *source, struct hal_vertex *vertices)
{
    const bool own = hal_fetch(source, HAL_POINT_SIZE, &b->span, b->scratch) > 0;

    for (unsigned i = 0; i < b->span.padded; i++) {
        float size = own ? b->scratch[0][i] : p->point_size;

        if (p->point_scale) {
            size = scaled(p, b, i, size);
        }
        if (!(size >= p->point_min)) {
            size = p->point_min;
        }
        vertices[i].point_size = BASE_MIN(size, p->point_max);
    }
}
