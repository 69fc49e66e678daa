/* SPDX-License-Identifier: MIT */
/*
 * The rasterizer state object that a newer interface bound (ddi/wddm2.h), which stands in render states of its own
 * (ddi/extension.h). It takes the place of what Direct3D 8 and 9 say about the same things.
 */
#include "hal/extension.h"

#include "caps/caps.h"
#include "ddi/extension.h"

#include <string.h>

static float as_float(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

bool hal_rasterizer_state_bound(const struct hal_context *context)
{
    return context->render_state[EXTENSION_RS_BOUND] != 0;
}

bool hal_rasterizer_depth_clip(const struct hal_context *context)
{
    return !hal_rasterizer_state_bound(context) || context->render_state[EXTENSION_RS_DEPTH_CLIP];
}

static void derive_bias(const uint32_t *r, struct raster_state *rs)
{
    rs->offset_units = (float)(int32_t)r[EXTENSION_RS_DEPTH_BIAS];
    rs->offset_scale = as_float(r[EXTENSION_RS_DEPTH_BIAS_SLOPE]);
    rs->offset_clamp = as_float(r[EXTENSION_RS_DEPTH_BIAS_CLAMP]);
    rs->offset_units_unscaled = false; /* in steps of the format */
    rs->offset_tri = rs->offset_units != 0.0f || rs->offset_scale != 0.0f;
    rs->offset_line = rs->offset_point = rs->offset_tri;
}

static void derive_conservative(const uint32_t *r, struct raster_state *rs)
{
    static const enum raster_conservative modes[] = {RASTER_CONSERVATIVE_OFF, RASTER_CONSERVATIVE_POST_SNAP,
                                                     RASTER_CONSERVATIVE_PRE_SNAP, RASTER_CONSERVATIVE_PRE_SNAP};

    rs->conservative_raster_mode = RASTER_CONSERVATIVE_OFF;
    rs->conservative_raster_dilate = 0.0f;
    if (r[EXTENSION_RS_CONSERVATIVE] == 1) {
        rs->conservative_raster_mode = modes[caps_conservative_tier() & 3];
    }
}

void hal_rasterizer_state_derive(const struct hal_context *context, struct raster_draw_state *state)
{
    static const enum raster_cull culls[] = {RASTER_CULL_NONE, RASTER_CULL_NONE, RASTER_CULL_FRONT, RASTER_CULL_BACK};
    const uint32_t *r = context->render_state;
    struct raster_state *rs = &state->rasterizer;

    rs->fill_front = rs->fill_back = r[EXTENSION_RS_FILL] == 2 ? RASTER_FILL_LINE : RASTER_FILL_SOLID;
    rs->cull_mode = culls[r[EXTENSION_RS_CULL] & 3];
    rs->front_ccw = r[EXTENSION_RS_FRONT_CCW] != 0;
    derive_bias(r, rs);
    rs->depth_clip_near = rs->depth_clip_far = r[EXTENSION_RS_DEPTH_CLIP] != 0;
    rs->depth_clamp = !rs->depth_clip_near;
    rs->scissor = r[EXTENSION_RS_SCISSOR] != 0;
    rs->multisample = r[EXTENSION_RS_MULTISAMPLE] != 0;
    rs->line_smooth = r[EXTENSION_RS_LINE_SMOOTH] != 0;
    derive_conservative(r, rs);
    const uint32_t samples = r[EXTENSION_RS_FORCED_SAMPLES];

    if (samples > 1 && samples <= RASTER_MAX_SAMPLES && (samples & (samples - 1)) == 0) {
        state->forced_samples = (uint8_t)samples;
        rs->multisample = true;
    }
}
