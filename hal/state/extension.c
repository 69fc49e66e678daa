/* SPDX-License-Identifier: MIT */
#include "hal/state/extension.h"

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/ddi.h"
#include "d3d/extension.h"
#include "d3d/states.h"
#include "d3d/usages.h"
#include "hal/context.h"
#include "hal/pixel/pipeline.h"
#include "hal/resource/copy/depth_resolve.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/state/dirty.h"
#include "hal/state/rasterizer_state.h"
#include "raster/raster.h"

#include <limits.h>
#include <string.h>

/* --- magic values ------------------------------------------------------------------------ */

/* Settings that magic values leave in context->extension[]: 0 is off. */
enum { COVERAGE_OFF, COVERAGE_INPUT, COVERAGE_INNER };
#define CONSERVATIVE_SETTING(tier, quarters) (uint8_t)((quarters) << 4 | (tier))
#define CONSERVATIVE_TIER(setting)           ((setting)&15u)
#define CONSERVATIVE_DILATE(setting)         (0.25f * (float)((setting) >> 4))

enum magic_kind {
    MAGIC_STAYS,  /* the value stays in the state; any other value there turns the extension off */
    MAGIC_COMMAND /* the state keeps the value it had, and other values leave the extension alone */
};

struct magic_value {
    uint8_t state; /* D3DRENDERSTATETYPE */
    uint8_t kind;
    uint8_t extension, setting; /* context->extension[extension] = setting */
    uint32_t value;
    uint32_t fourcc; /* it means something only if this extension is offered (caps/extensions.c); 0: always */
    void (*act)(struct hal_context *context); /* NULL: nothing but the setting */
};

/* clang-format off */
#define CONSERVATIVE(tier, quarters)                                                                    \
    {D3DRS_MULTISAMPLEANTIALIAS,           MAGIC_STAYS, HAL_EXTENSION_CONSERVATIVE,                      \
     CONSERVATIVE_SETTING(tier, quarters), EXTENSION_CONSERVATIVE(tier, quarters),                      \
     EXTENSION_CONSERVATIVE(tier, quarters), NULL}
/* clang-format on */
#define CONSERVATIVE_TIER_ROWS(tier) \
    CONSERVATIVE(tier, 0), CONSERVATIVE(tier, 1), CONSERVATIVE(tier, 2), CONSERVATIVE(tier, 3)
#define COVERAGE(setting, fourcc)                                                                               \
    {                                                                                                           \
        D3DRS_SPECULARMATERIALSOURCE, MAGIC_STAYS, HAL_EXTENSION_COVERAGE_SOURCE, setting, fourcc, fourcc, NULL \
    }

static const struct magic_value magic_values[] = {
    CONSERVATIVE_TIER_ROWS(1),
    CONSERVATIVE_TIER_ROWS(2),
    CONSERVATIVE_TIER_ROWS(3),
    COVERAGE(COVERAGE_INPUT, EXTENSION_INPUT_COVERAGE),
    COVERAGE(COVERAGE_INNER, EXTENSION_INNER_COVERAGE),
    {D3D_RS_ADAPTIVETESS_X, MAGIC_STAYS, HAL_EXTENSION_DEPTH_BOUNDS, 1, EXTENSION_DEPTH_BOUNDS, EXTENSION_DEPTH_BOUNDS,
     NULL},
    {D3D_RS_ADAPTIVETESS_Y, MAGIC_STAYS, HAL_EXTENSION_ALPHA_COVERAGE, 1, EXTENSION_ALPHA_COVERAGE,
     EXTENSION_ALPHA_COVERAGE, NULL},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS, 1, EXTENSION_ALPHA_COVERAGE_ON,
     EXTENSION_ALPHA_COVERAGE_ON, NULL},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS, 0, EXTENSION_ALPHA_COVERAGE_OFF,
     EXTENSION_ALPHA_COVERAGE_OFF, NULL},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_DEPTH_RESOLVE, 0, EXTENSION_RESOLVE_DEPTH,
     EXTENSION_RESOLVE_DEPTH_NAME, hal_depth_resolve},
    {D3DRS_POINTSIZE, MAGIC_COMMAND, HAL_EXTENSION_INSTANCING, 0, EXTENSION_INSTANCING, EXTENSION_INSTANCING, NULL},
};

void hal_extension_init(struct hal_context *context)
{
    for (size_t i = 0; i < ARRAY_COUNT(magic_values); i++)
        context->magic_states[magic_values[i].state / 32] |= 1u << (magic_values[i].state % 32);
}

static const struct magic_value *find_magic(uint32_t state, uint32_t value)
{
    for (size_t i = 0; i < ARRAY_COUNT(magic_values); i++)
        if (magic_values[i].state == state && magic_values[i].value == value)
            return &magic_values[i];
    return NULL;
}

/* An ordinary value: it ends what a magic one in its place began. */
static void switch_off(struct hal_context *context, uint32_t state)
{
    for (size_t i = 0; i < ARRAY_COUNT(magic_values); i++)
        if (magic_values[i].state == state && magic_values[i].kind == MAGIC_STAYS)
            context->extension[magic_values[i].extension] = 0;
}

bool hal_extension_render_state(struct hal_context *context, uint32_t state, uint32_t value)
{
    if (!(context->magic_states[state / 32] >> (state % 32) & 1))
        return true;
    if (state == D3DRS_POINTSIZE && hal_feedback_command(context, value))
        return false;
    const struct magic_value *magic = find_magic(state, value);

    if (!magic || (magic->fourcc && !caps_has_extension(magic->fourcc))) {
        if (magic) {
            log_once(LOG_WARN, value, "render state %u: extension %.4s is not offered", (unsigned)state,
                     (const char *)&magic->fourcc);
        }
        switch_off(context, state);
        return true;
    }
    if (context->extension[magic->extension] != magic->setting) {
        context->extension[magic->extension] = magic->setting;
        context->dirty |= HAL_DIRTY_RENDER_STATE;
    }
    if (magic->act)
        magic->act(context);
    return magic->kind == MAGIC_STAYS;
}

/* --- conservative rasterization --------------------------------------------------------- */

static void extension_derive_conservative(const struct hal_context *context, struct raster_state *rs)
{
    const uint8_t setting = context->extension[HAL_EXTENSION_CONSERVATIVE];

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

/* Whose rules hold: 0 without conservative rasterization. */
static unsigned conservative_tier(const struct hal_context *context, const struct raster_state *rs)
{
    if (rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF)
        return 0;
    return hal_rasterizer_state_bound(context) ? caps_conservative_tier()
                                               : CONSERVATIVE_TIER(context->extension[HAL_EXTENSION_CONSERVATIVE]);
}

static void derive_coverage(const struct hal_context *context, const struct hal_pipeline_inputs *inputs,
                            struct raster_draw_state *state)
{
    const uint8_t source = context->extension[HAL_EXTENSION_COVERAGE_SOURCE];
    const unsigned input = source ? specular_input(inputs) : UINT_MAX;

    if (input == UINT_MAX)
        return;
    state->coverage = source == COVERAGE_INPUT ? RASTER_COVERAGE_INPUT : RASTER_COVERAGE_INNER;
    state->coverage_input = (uint8_t)input;
    if (source == COVERAGE_INPUT)
        return;
    state->inner_coverage = conservative_tier(context, &state->rasterizer) == 3;
    if (!state->inner_coverage)
        log_once(LOG_WARN, 1, "InnerCoverage needs conservative rasterization of tier 3: it is 0");
}

/* --- depth bounds, alpha to coverage ------------------------------------------------------ */

static void derive_depth_bounds(const struct hal_context *context, struct raster_draw_state *state)
{
    if (!context->extension[HAL_EXTENSION_DEPTH_BOUNDS])
        return;
    state->depth_bounds = true;
    memcpy(&state->bounds_min, &context->render_state[D3D_RS_ADAPTIVETESS_Z], sizeof(float));
    memcpy(&state->bounds_max, &context->render_state[D3D_RS_ADAPTIVETESS_W], sizeof(float));
}

static void derive_alpha_coverage(const struct hal_context *context, struct raster_draw_state *state)
{
    const bool wanted =
        context->extension[HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS] ||
        (context->extension[HAL_EXTENSION_ALPHA_COVERAGE] && context->render_state[D3DRS_ALPHATESTENABLE]);

    if (!wanted || !context->target || !context->target->samples || !state->rasterizer.multisample)
        return;
    state->alpha_to_coverage = true;
    state->alpha_test = false;
}

void hal_extension_derive(const struct hal_context *context, const struct hal_pipeline_inputs *inputs,
                          struct raster_draw_state *state)
{
    if (hal_rasterizer_state_bound(context))
        hal_rasterizer_state_derive(context, state);
    else
        extension_derive_conservative(context, &state->rasterizer);
    derive_coverage(context, inputs, state);
    derive_depth_bounds(context, state);
    derive_alpha_coverage(context, state);
}

void hal_extension_derive_output(const struct hal_context *context, struct raster_draw_state *state)
{
    derive_alpha_coverage(context, state);
}

void hal_extension_check_draw(const struct hal_context *context, uint32_t type)
{
    if (type <= D3DPT_LINESTRIP && hal_pipeline_inputs(context)->conservative)
        log_once(LOG_WARN, 2, "conservative rasterization is for triangles: points and lines are drawn as without it");
}
