/* SPDX-License-Identifier: MIT */
/*
 * Render states of DirectX 6 and before that became texture stage states. Programs written for the old interfaces still
 * send them to DirectX 7 drivers (docs/reference/command-stream.md, section 8).
 */
#include "hal/state/legacy.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"

enum {
    LEGACY_TEXTUREHANDLE = 1,
    LEGACY_TEXTUREADDRESS = 3,
    LEGACY_WRAPU = 5,
    LEGACY_WRAPV = 6,
    LEGACY_TEXTUREMAG = 17,
    LEGACY_TEXTUREMIN = 18,
    LEGACY_TEXTUREMAPBLEND = 21,
    LEGACY_BORDERCOLOR = 43,
    LEGACY_TEXTUREADDRESSU = 44,
    LEGACY_TEXTUREADDRESSV = 45,
    LEGACY_MIPMAPLODBIAS = 46,
    LEGACY_ANISOTROPY = 49,

    LEGACY_BLEND_MODULATE = 2, /* D3DTBLEND */

    LEGACY_STAGE_ADDRESS = 12, /* D3DTSS_ADDRESS: both directions */
};

static void legacy_set(struct hal_state *state, unsigned number, uint32_t value)
{
    state->stage_state[0][number] = value;
    state->dirty |= number == 0 ? HAL_DIRTY_BOUND : HAL_DIRTY_STAGE;
}

/* D3DTEXTUREBLEND 1..8 as operations of stage 0. Which alpha MODULATE gives depends on the texture as well. */
static void set_blend(struct hal_state *state, uint32_t blend)
{
    static const struct {
        uint8_t color, alpha;
    } ops[] = {
        [1] = {D3DTOP_SELECTARG1, D3DTOP_SELECTARG1},        /* DECAL */
        [2] = {D3DTOP_MODULATE, D3DTOP_SELECTARG1},          /* MODULATE */
        [3] = {D3DTOP_BLENDTEXTUREALPHA, D3DTOP_SELECTARG2}, /* DECALALPHA */
        [4] = {D3DTOP_MODULATE, D3DTOP_MODULATE},            /* MODULATEALPHA */
        [5] = {D3DTOP_SELECTARG1, D3DTOP_SELECTARG1},        /* DECALMASK */
        [6] = {D3DTOP_MODULATE, D3DTOP_MODULATE},            /* MODULATEMASK */
        [7] = {D3DTOP_SELECTARG1, D3DTOP_SELECTARG1},        /* COPY */
        [8] = {D3DTOP_ADD, D3DTOP_SELECTARG2},               /* ADD */
    };

    if (blend == 0 || blend >= ARRAY_COUNT(ops))
        return;
    state->modulate_of_dx5 = blend == LEGACY_BLEND_MODULATE;
    legacy_set(state, D3DTSS_COLOROP, ops[blend].color);
    legacy_set(state, D3DTSS_ALPHAOP, ops[blend].alpha);
    legacy_set(state, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    legacy_set(state, D3DTSS_COLORARG2, D3DTA_CURRENT);
    legacy_set(state, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
    legacy_set(state, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
}

/* D3DTEXTUREFILTER: 1 NEAREST, 2 LINEAR, 3 MIPNEAREST, 4 MIPLINEAR, 5 LINEARMIPNEAREST, 6
 * LINEARMIPLINEAR. */
static void set_min_filter(struct hal_state *state, uint32_t filter)
{
    static const uint8_t within[] = {1, 1, 2, 1, 2, 1, 2};
    static const uint8_t between[] = {1, 1, 1, 2, 2, 3, 3}; /* 1 none, 2 point, 3 linear */

    if (filter < ARRAY_COUNT(within)) {
        legacy_set(state, D3DTSS_MINFILTER, within[filter]);
        legacy_set(state, D3DTSS_MIPFILTER, between[filter]);
    }
}

static void set_wrap(struct hal_state *state, uint32_t bit, bool on)
{
    uint32_t *wrap = &state->render_state[D3DRS_WRAP0];

    *wrap = on ? *wrap | bit : *wrap & ~bit;
    state->dirty |= HAL_DIRTY_RENDER_STATE;
}

void hal_legacy_render_state(struct hal_state *state, uint32_t number, uint32_t value)
{
    switch (number) {
    case LEGACY_TEXTUREHANDLE:
        legacy_set(state, D3DTSS_TEXTUREMAP, value);
        break;
    case LEGACY_TEXTUREADDRESS:
        legacy_set(state, D3DTSS_ADDRESSU, value);
        legacy_set(state, D3DTSS_ADDRESSV, value);
        break;
    case LEGACY_WRAPU:
    case LEGACY_WRAPV:
        set_wrap(state, number == LEGACY_WRAPU ? 1 : 2, value != 0);
        break;
    case LEGACY_TEXTUREMAG:
        legacy_set(state, D3DTSS_MAGFILTER, value == 1 ? 1 : 2);
        break;
    case LEGACY_TEXTUREMIN:
        set_min_filter(state, value);
        break;
    case LEGACY_TEXTUREMAPBLEND:
        set_blend(state, value);
        break;
    case LEGACY_BORDERCOLOR:
        legacy_set(state, D3DTSS_BORDERCOLOR, value);
        break;
    case LEGACY_TEXTUREADDRESSU:
        legacy_set(state, D3DTSS_ADDRESSU, value);
        break;
    case LEGACY_TEXTUREADDRESSV:
        legacy_set(state, D3DTSS_ADDRESSV, value);
        break;
    case LEGACY_MIPMAPLODBIAS:
        legacy_set(state, D3DTSS_MIPMAPLODBIAS, value);
        break;
    case LEGACY_ANISOTROPY:
        legacy_set(state, D3DTSS_MAXANISOTROPY, value);
        break;
    default:
        break;
    }
}

void hal_legacy_stage_state(struct hal_state *state, unsigned row, uint32_t number, uint32_t value)
{
    if (number == LEGACY_STAGE_ADDRESS) {
        state->stage_state[row][D3DTSS_ADDRESSU] = value;
        state->stage_state[row][D3DTSS_ADDRESSV] = value;
        state->dirty |= HAL_DIRTY_SAMPLER;
    } else if (number == D3DTSS_ALPHAOP && row == 0 && state->modulate_of_dx5) {
        state->modulate_of_dx5 = false;
        state->dirty |= HAL_DIRTY_STAGE;
    }
}
