/* SPDX-License-Identifier: MIT */
/*
 * ValidateTextureStageState: whether the stages can be drawn as set, and in how many passes. The driver needs one pass
 * for everything that it supports. Settings that it would draw differently are rejected, and the stage is logged.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/handles.h"
#include "hal/pixel/validate.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/state/state.h"
#include "hal/state/values.h"

/* They are in d3d8.h, which cannot be included together with ddraw.h. */
#define WRONG_TEXTURE_FORMAT        ((HRESULT)0x88760818)
#define UNSUPPORTED_COLOR_OPERATION ((HRESULT)0x88760819)
#define UNSUPPORTED_COLOR_ARGUMENT  ((HRESULT)0x8876081a)
#define UNSUPPORTED_ALPHA_OPERATION ((HRESULT)0x8876081b)
#define UNSUPPORTED_ALPHA_ARGUMENT  ((HRESULT)0x8876081c)
#define UNSUPPORTED_TEXTURE_FILTER  ((HRESULT)0x88760822)

/* Which of ARG0, ARG1, ARG2 an operation reads: bits 0, 1, 2. */
static unsigned arguments_of(uint32_t operation)
{
    switch (operation) {
    case D3DTOP_SELECTARG1:
    case D3DTOP_PREMODULATE:
        return 2;
    case D3DTOP_SELECTARG2:
        return 4;
    case D3DTOP_MULTIPLYADD:
    case D3DTOP_LERP:
        return 7;
    case D3DTOP_BUMPENVMAP:
    case D3DTOP_BUMPENVMAPLUMINANCE:
        return 0;
    default:
        return 6;
    }
}

static bool is_argument(uint32_t argument)
{
    return (argument & D3DTA_SELECTMASK) <= D3DTA_TEMP &&
           !(argument & ~(uint32_t)(D3DTA_SELECTMASK | D3DTA_COMPLEMENT | D3DTA_ALPHAREPLICATE));
}

static bool arguments_are_known(uint32_t operation, const uint32_t argument[3])
{
    const unsigned used = arguments_of(operation);

    for (unsigned i = 0; i < 3; i++)
        if (used & 1u << i && !is_argument(argument[i]))
            return false;
    return true;
}

/* Cubic filters would be drawn as linear ones. DX7 gave magnification another number for anisotropic. */
static bool filters_are_known(uint32_t level, const uint32_t *stage)
{
    const uint32_t mip_last = level <= DDI_LEVEL_DX7 ? D3DTEXF_LINEAR + 1 : D3DTEXF_LINEAR;
    const uint32_t mag_last = level <= DDI_LEVEL_DX7 ? D3DTEXF_LINEAR : D3DTEXF_ANISOTROPIC;

    return stage[D3DTSS_MAGFILTER] <= mag_last && stage[D3DTSS_MINFILTER] <= D3DTEXF_ANISOTROPIC &&
           stage[D3DTSS_MIPFILTER] <= mip_last;
}

static HRESULT validate_stage(const struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene,
                              const uint32_t *stage)
{
    const uint32_t color = stage[D3DTSS_COLOROP], alpha = stage[D3DTSS_ALPHAOP];
    const uint32_t color_argument[3] = {stage[D3DTSS_COLORARG0], stage[D3DTSS_COLORARG1], stage[D3DTSS_COLORARG2]};
    const uint32_t alpha_argument[3] = {stage[D3DTSS_ALPHAARG0], stage[D3DTSS_ALPHAARG1], stage[D3DTSS_ALPHAARG2]};
    const uint32_t handle = stage[D3DTSS_TEXTUREMAP];

    if (color == 0 || color > D3DTOP_LERP)
        return UNSUPPORTED_COLOR_OPERATION;
    if (!arguments_are_known(color, color_argument))
        return UNSUPPORTED_COLOR_ARGUMENT;
    if (alpha == 0 || (alpha >= D3DTOP_BUMPENVMAP && alpha <= D3DTOP_BUMPENVMAPLUMINANCE) || alpha > D3DTOP_LERP)
        return UNSUPPORTED_ALPHA_OPERATION;
    if (alpha != D3DTOP_DISABLE && !arguments_are_known(alpha, alpha_argument))
        return UNSUPPORTED_ALPHA_ARGUMENT;
    if (!hal_resource_of(resources, handle))
        return DD_OK;
    struct hal_texture *texture = hal_texture_of(resources, handle);

    if (!texture || !hal_texture_view(texture, state, resources, scene))
        return WRONG_TEXTURE_FORMAT;
    return filters_are_known(state->level, stage) ? DD_OK : UNSUPPORTED_TEXTURE_FILTER;
}

HRESULT hal_validate_stages(const struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene,
                            uint32_t *passes)
{
    *passes = 0;
    for (unsigned i = 0; i < HAL_MAX_STAGES && state->stage_state[i][D3DTSS_COLOROP] != D3DTOP_DISABLE; i++) {
        const HRESULT result = validate_stage(state, resources, scene, state->stage_state[i]);

        if (result != DD_OK) {
            log_info("ValidateTextureStageState: stage %u: %#x", i, (unsigned)result);
            return result;
        }
    }
    *passes = 1;
    return DD_OK;
}
