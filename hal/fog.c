/* SPDX-License-Identifier: MIT */
/* The vertex fog factor, 1 = no fog (shaders.md 8 "Fog"). Table fog is the rasterizer's, per pixel.
 */
#include "hal/front.h"

void tnl_prepare_fog(struct tnl_program *p, const struct hal_context *context)
{
    static const uint8_t mode[] = {TNL_FOG_ALPHA, TNL_FOG_EXP, TNL_FOG_EXP2, TNL_FOG_LINEAR};
    const uint32_t vertex_mode = context->render_state[D3DRS_FOGVERTEXMODE];

    p->fog = p->transformed || vertex_mode >= ARRAY_COUNT(mode) ? TNL_FOG_ALPHA : mode[vertex_mode];
    p->fog_range = context->render_state[D3DRS_RANGEFOGENABLE] != 0;
    p->fog_start = hal_state_float(context, D3DRS_FOGSTART);
    p->fog_end = hal_state_float(context, D3DRS_FOGEND);
    p->fog_density = hal_state_float(context, D3DRS_FOGDENSITY);
}

static vec4f distances(const struct tnl_program *p, const struct tnl_batch *b, unsigned at)
{
    if (!p->fog_range) {
        return vec_abs(vec_load(&b->eye[2][at]));
    }
    const vec4f eye[3] = {vec_load(&b->eye[0][at]), vec_load(&b->eye[1][at]),
                          vec_load(&b->eye[2][at])};

    return vec_sqrt(vec_dot3(eye, eye));
}

static vec4f exponential(const struct tnl_program *p, vec4f d)
{
    vec4f r;

    for (int l = 0; l < VEC_LANES; l++) {
        const float x = d[l] * p->fog_density;

        r[l] = hal_expf(p->fog == TNL_FOG_EXP ? -x : -x * x);
    }
    return r;
}

void tnl_fog(const struct tnl_program *p, struct tnl_batch *b)
{
    const float span = p->fog_end - p->fog_start;

    for (unsigned at = 0; at < b->span.padded; at += VEC_LANES) {
        vec4f f;

        if (p->fog == TNL_FOG_ALPHA) {
            f = b->has_color2 ? vec_load(&b->color2[3][at]) : vec_set(1);
        } else if (p->fog == TNL_FOG_LINEAR) {
            /* start = end: fully fogged */
            f = vec_set(0);
            if (span != 0.0f) {
                f = (p->fog_end - distances(p, b, at)) / vec_set(span);
            }
        } else {
            f = exponential(p, distances(p, b, at));
        }
        vec_store(&b->out[0][at], vec_saturate(f));
        for (unsigned c = 1; c < 4; c++) {
            vec_store(&b->out[c][at], vec_set(0));
        }
    }
}
