/* SPDX-License-Identifier: MIT */
/* The rasterizer state of vendor extensions. */
#include "hal/pixel/extension_state.h"

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/ddi.h"
#include "d3d/states.h"
#include "d3d/usages.h"
#include "hal/pixel/pipeline.h"
#include "hal/resource/surface.h"
#include "hal/state/extension.h"
#include "hal/state/rasterizer_state.h"
#include "hal/state/state.h"
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

static void derive_coverage(const struct hal_state *state, const struct hal_pipeline_inputs *inputs,
                            struct raster_draw_state *derived)
{
    const uint8_t source = state->extension[HAL_EXTENSION_COVERAGE_SOURCE];
    const unsigned input = source ? specular_input(inputs) : UINT_MAX;

    if (input == UINT_MAX)
        return;
    derived->coverage = source == COVERAGE_INPUT ? RASTER_COVERAGE_INPUT : RASTER_COVERAGE_INNER;
    derived->coverage_input = (uint8_t)input;
    if (source == COVERAGE_INPUT)
        return;
    derived->inner_coverage = conservative_tier(state, &derived->rasterizer) == 3;
    if (!derived->inner_coverage)
        log_once(LOG_WARN, 1, "InnerCoverage needs conservative rasterization of tier 3: it is 0");
}

/* --- depth bounds, alpha to coverage ------------------------------------------------------ */

static void derive_depth_bounds(const struct hal_state *state, struct raster_draw_state *derived)
{
    if (!state->extension[HAL_EXTENSION_DEPTH_BOUNDS])
        return;
    derived->depth_bounds = true;
    memcpy(&derived->bounds_min, &state->render_state[D3D_RS_ADAPTIVETESS_Z], sizeof(float));
    memcpy(&derived->bounds_max, &state->render_state[D3D_RS_ADAPTIVETESS_W], sizeof(float));
}

static void derive_alpha_coverage(const struct hal_state *state, const struct hal_surface *target,
                                  struct raster_draw_state *derived)
{
    const bool wanted = state->extension[HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS] ||
                        (state->extension[HAL_EXTENSION_ALPHA_COVERAGE] && state->render_state[D3DRS_ALPHATESTENABLE]);

    if (!wanted || !target || !target->samples || !derived->rasterizer.multisample)
        return;
    derived->alpha_to_coverage = true;
    derived->alpha_test = false;
}

void hal_extension_derive(const struct hal_state *state, const struct hal_surface *target,
                          const struct hal_pipeline_inputs *inputs, struct raster_draw_state *derived)
{
    if (hal_rasterizer_state_bound(state))
        hal_rasterizer_state_derive(state, derived);
    else
        extension_derive_conservative(state, &derived->rasterizer);
    derive_coverage(state, inputs, derived);
    derive_depth_bounds(state, derived);
    derive_alpha_coverage(state, target, derived);
}

void hal_extension_derive_output(const struct hal_state *state, const struct hal_surface *target,
                                 struct raster_draw_state *derived)
{
    derive_alpha_coverage(state, target, derived);
}

void hal_extension_check_draw(const struct hal_pipeline_inputs *inputs, uint32_t type)
{
    if (type <= D3DPT_LINESTRIP && inputs->conservative)
        log_once(LOG_WARN, 2, "conservative rasterization is for triangles: points and lines are drawn as without it");
}
