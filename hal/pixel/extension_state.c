/* SPDX-License-Identifier: MIT */
/* The rasterizer state of vendor extensions. */
#include "hal/pixel/extension_state.h"

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/ddi.h"
#include "d3d/states.h"
#include "d3d/usages.h"
#include "hal/context.h"
#include "hal/pixel/pipeline.h"
#include "hal/resource/surface.h"
#include "hal/state/extension.h"
#include "hal/state/rasterizer_state.h"
#include "raster/raster.h"

#include <limits.h>
#include <string.h>

/* --- conservative rasterization --------------------------------------------------------- */

static void extension_derive_conservative(const struct hal_state *state, struct raster_state *rs)
{
    const uint8_t setting = state->extension[HAL_EXTENSION_CONSERVATIVE];

    if (!setting)
        return;
    /* Solid is the only fill mode it has (docs/reference/conservative-rules.md, section 5). */
    if (rs->fill_front != RASTER_FILL_SOLID || rs->fill_back != RASTER_FILL_SOLID) {
        log_once(LOG_WARN, 0, "conservative rasterization fills: off while D3DRS_FILLMODE is not D3DFILL_SOLID");
        return;
    }
    rs->conservative_raster_mode =
        CONSERVATIVE_TIER(setting) == 1 ? RASTER_CONSERVATIVE_POST_SNAP : RASTER_CONSERVATIVE_PRE_SNAP;
    rs->conservative_raster_dilate = CONSERVATIVE_DILATE(setting);
}

/* The input that carries the specular colour; UINT_MAX: no program reads it. */
static unsigned specular_input(const struct hal_pipeline_inputs *inputs)
{
    for (unsigned i = 0; i < inputs->count; i++)
        if (inputs->usage[i] == D3D_USAGE_COLOR && inputs->usage_index[i] == 1)
            return i;
    return UINT_MAX;
}

/* The tier whose rules apply; 0 without conservative rasterization. */
static unsigned conservative_tier(const struct hal_state *state, const struct raster_state *rs)
{
    if (rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF)
        return 0;
    return hal_rasterizer_state_bound(state) ? caps_conservative_tier()
                                             : CONSERVATIVE_TIER(state->extension[HAL_EXTENSION_CONSERVATIVE]);
}

static void derive_coverage(const struct hal_context *context, const struct hal_pipeline_inputs *inputs,
                            struct raster_draw_state *state)
{
    const uint8_t source = context->state.extension[HAL_EXTENSION_COVERAGE_SOURCE];
    const unsigned input = source ? specular_input(inputs) : UINT_MAX;

    if (input == UINT_MAX)
        return;
    state->coverage = source == COVERAGE_INPUT ? RASTER_COVERAGE_INPUT : RASTER_COVERAGE_INNER;
    state->coverage_input = (uint8_t)input;
    if (source == COVERAGE_INPUT)
        return;
    state->inner_coverage = conservative_tier(&context->state, &state->rasterizer) == 3;
    if (!state->inner_coverage)
        log_once(LOG_WARN, 1, "InnerCoverage needs conservative rasterization of tier 3: it is 0");
}

/* --- depth bounds, alpha to coverage ------------------------------------------------------ */

static void derive_depth_bounds(const struct hal_context *context, struct raster_draw_state *state)
{
    if (!context->state.extension[HAL_EXTENSION_DEPTH_BOUNDS])
        return;
    state->depth_bounds = true;
    memcpy(&state->bounds_min, &context->state.render_state[D3D_RS_ADAPTIVETESS_Z], sizeof(float));
    memcpy(&state->bounds_max, &context->state.render_state[D3D_RS_ADAPTIVETESS_W], sizeof(float));
}

static void derive_alpha_coverage(const struct hal_context *context, struct raster_draw_state *state)
{
    const bool wanted =
        context->state.extension[HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS] ||
        (context->state.extension[HAL_EXTENSION_ALPHA_COVERAGE] && context->state.render_state[D3DRS_ALPHATESTENABLE]);

    if (!wanted || !context->scene.target || !context->scene.target->samples || !state->rasterizer.multisample)
        return;
    state->alpha_to_coverage = true;
    state->alpha_test = false;
}

void hal_extension_derive(const struct hal_context *context, const struct hal_pipeline_inputs *inputs,
                          struct raster_draw_state *state)
{
    if (hal_rasterizer_state_bound(&context->state))
        hal_rasterizer_state_derive(context, state);
    else
        extension_derive_conservative(&context->state, &state->rasterizer);
    derive_coverage(context, inputs, state);
    derive_depth_bounds(context, state);
    derive_alpha_coverage(context, state);
}

void hal_extension_derive_output(const struct hal_context *context, struct raster_draw_state *state)
{
    derive_alpha_coverage(context, state);
}

void hal_extension_check_draw(const struct hal_pipeline_inputs *inputs, uint32_t type)
{
    if (type <= D3DPT_LINESTRIP && inputs->conservative)
        log_once(LOG_WARN, 2, "conservative rasterization is for triangles: points and lines are drawn as without it");
}
