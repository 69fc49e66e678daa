/* SPDX-License-Identifier: MIT */
/*
 * The rasterizer state object that a newer interface bound (d3d/wddm2.h), which is kept in separate render states
 * (d3d/extension.h). It replaces the corresponding states of Direct3D 8 and 9.
 */
#include "hal/state/rasterizer_state.h"

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/ddi.h"
#include "d3d/extension.h"
#include "d3d/wddm2.h"
#include "hal/state/state.h"
#include "raster/raster.h"

#include <string.h>

static float rasterizer_float(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

bool hal_rasterizer_state_bound(const struct hal_state *state)
{
    return state->render_state[EXTENSION_RS_BOUND] != 0;
}

bool hal_rasterizer_depth_clip(const struct hal_state *state)
{
    return !hal_rasterizer_state_bound(state) || state->render_state[EXTENSION_RS_DEPTH_CLIP];
}

static void rasterizer_derive_bias(const uint32_t *r, struct raster_state *rs)
{
    rs->offset_units = (float)(int32_t)r[EXTENSION_RS_DEPTH_BIAS];
    rs->offset_scale = rasterizer_float(r[EXTENSION_RS_DEPTH_BIAS_SLOPE]);
    rs->offset_clamp = rasterizer_float(r[EXTENSION_RS_DEPTH_BIAS_CLAMP]);
    rs->offset_units_unscaled = false; /* in steps of the format */
    rs->offset_tri = rs->offset_units != 0.0f || rs->offset_scale != 0.0f;
    rs->offset_line = rs->offset_point = rs->offset_tri;
}

/*
 * CreateRasterizerState (ddi/wddm2.c) rejects invalid descriptions. Programs that set the states one by one can set any
 * value: then an invalid member has no effect, and is logged once per value.
 */
static void rasterizer_refuse(unsigned member, uint32_t value, const char *why)
{
    log_once(LOG_WARN, member << 16 ^ value, "render state %u is %u: %s", member, (unsigned)value, why);
}

static enum raster_fill derive_fill(const uint32_t *r)
{
    const uint32_t fill = r[EXTENSION_RS_FILL];

    if (fill != 0 && fill != D3D10_DDI_FILL_WIREFRAME && fill != D3D10_DDI_FILL_SOLID) /* 0: never set */
        rasterizer_refuse(EXTENSION_RS_FILL, fill, "unknown fill mode, triangles are filled");
    return fill == D3D10_DDI_FILL_WIREFRAME ? RASTER_FILL_LINE : RASTER_FILL_SOLID;
}

static enum raster_cull derive_cull(const uint32_t *r)
{
    static const enum raster_cull culls[] = {RASTER_CULL_NONE, RASTER_CULL_NONE, RASTER_CULL_FRONT, RASTER_CULL_BACK};
    const uint32_t cull = r[EXTENSION_RS_CULL];

    if (cull > D3D10_DDI_CULL_BACK) {
        rasterizer_refuse(EXTENSION_RS_CULL, cull, "unknown cull mode, nothing is culled");
        return RASTER_CULL_NONE;
    }
    return culls[cull];
}

static enum raster_conservative rasterizer_derive_conservative(const uint32_t *r)
{
    static const enum raster_conservative modes[] = {RASTER_CONSERVATIVE_OFF, RASTER_CONSERVATIVE_POST_SNAP,
                                                     RASTER_CONSERVATIVE_PRE_SNAP, RASTER_CONSERVATIVE_PRE_SNAP};
    const uint32_t mode = r[EXTENSION_RS_CONSERVATIVE];
    const unsigned tier = caps_conservative_tier();

    if (mode == D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_OFF)
        return RASTER_CONSERVATIVE_OFF;
    if (mode != D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_ON)
        rasterizer_refuse(EXTENSION_RS_CONSERVATIVE, mode, "unknown conservative mode, it is off");
    else if (tier == 0)
        rasterizer_refuse(EXTENSION_RS_CONSERVATIVE, mode, "conservative rasterization is not supported, it is off");
    else if (r[EXTENSION_RS_FILL] == D3D10_DDI_FILL_WIREFRAME)
        rasterizer_refuse(EXTENSION_RS_CONSERVATIVE, mode, "conservative rasterization fills, it is off in wireframe");
    else
        return modes[tier & 3];
    return RASTER_CONSERVATIVE_OFF;
}

/* 0: as many as the targets have. */
static uint8_t derive_forced_samples(const uint32_t *r)
{
    const uint32_t samples = r[EXTENSION_RS_FORCED_SAMPLES];

    if (samples > RASTER_MAX_SAMPLES || (samples & (samples - 1)) != 0) {
        rasterizer_refuse(EXTENSION_RS_FORCED_SAMPLES, samples, "impossible forced sample count, none is forced");
        return 0;
    }
    return samples > 1 ? (uint8_t)samples : 0;
}

void hal_rasterizer_state_derive(const struct hal_state *state, struct raster_draw_state *derived)
{
    const uint32_t *r = state->render_state;
    struct raster_state *rs = &derived->rasterizer;

    rs->fill_front = rs->fill_back = derive_fill(r);
    rs->cull_mode = derive_cull(r);
    rs->front_ccw = r[EXTENSION_RS_FRONT_CCW] != 0;
    rasterizer_derive_bias(r, rs);
    rs->depth_clip_near = rs->depth_clip_far = r[EXTENSION_RS_DEPTH_CLIP] != 0;
    rs->depth_clamp = !rs->depth_clip_near;
    rs->scissor = r[EXTENSION_RS_SCISSOR] != 0;
    rs->multisample = r[EXTENSION_RS_MULTISAMPLE] != 0;
    rs->line_smooth = r[EXTENSION_RS_LINE_SMOOTH] != 0;
    rs->conservative_raster_mode = rasterizer_derive_conservative(r);
    rs->conservative_raster_dilate = 0.0f;
    const uint8_t samples = derive_forced_samples(r);

    if (samples) {
        derived->forced_samples = samples;
        rs->multisample = true;
    }
}
