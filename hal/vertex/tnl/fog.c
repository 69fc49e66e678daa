/* SPDX-License-Identifier: MIT */
/* State of vertex fog (docs/reference/vertex-processing.md, section 9). The rasterizer does table fog, per pixel. */
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/state/state.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/lower.h"
#include "hal/vertex/tnl/tnl.h"

void tnl_prepare_fog(struct tnl_program *p, const struct hal_state *state)
{
    static const uint8_t mode[] = {TNL_FOG_ALPHA, TNL_FOG_EXP, TNL_FOG_EXP2, TNL_FOG_LINEAR};
    const uint32_t vertex_mode = state->render_state[D3DRS_FOGVERTEXMODE];

    p->fog = p->transformed || vertex_mode >= ARRAY_COUNT(mode) ? TNL_FOG_ALPHA : mode[vertex_mode];
    p->fog_is_copied = p->fog == TNL_FOG_ALPHA && p->layout->has_fog;
    if (p->fog_is_copied)
        p->fog = TNL_FOG_NONE;
    p->fog_range = state->render_state[D3DRS_RANGEFOGENABLE] != 0;
    p->fog_start = hal_render_state_float(state, D3DRS_FOGSTART);
    p->fog_end = hal_render_state_float(state, D3DRS_FOGEND);
    p->fog_density = hal_render_state_float(state, D3DRS_FOGDENSITY);
}
