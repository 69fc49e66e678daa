/* SPDX-License-Identifier: MIT */
/*
 * D3DRS_WRAP0..7: texture coordinates of a primitive go along the shorter arc between its corners.
 * Corners are copied, because the next primitive may need other values.
 */
#include "hal/vertex/wrap.h"

#include "d3d/ddi.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"

void hal_wrap_prepare(struct hal_vertex_stage *stage, const struct hal_state *state)
{
    stage->wraps = false;
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++) {
        const uint32_t index = state->stage_state[i][D3DTSS_TEXCOORDINDEX] & 0xffff;
        const uint32_t set = stage->shader ? i : index; /* shaders ignore TEXCOORDINDEX */
        const uint32_t bits = set < 8 ? state->render_state[D3DRS_WRAP0 + set] & 15 : 0;

        stage->wrap[i] = (uint8_t)bits;
        if (bits && stage->slot[HAL_ATTRIBUTE_TEXCOORD0 + i] >= 0)
            stage->wraps = true;
    }
}

static void wrap_vector(const float *first, float *v, unsigned bits)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(bits & 1u << c))
            continue;
        if (v[c] - first[c] > 0.5f)
            v[c] -= 1.0f;
        else if (v[c] - first[c] < -0.5f)
            v[c] += 1.0f;
    }
}

void hal_wrap_corners(const struct hal_vertex_stage *stage, const struct raster_vertex **corners, unsigned count,
                      struct raster_vertex *copies)
{
    for (unsigned i = 1; i < count; i++) {
        copies[i] = *corners[i];
        for (unsigned s = 0; s < HAL_MAX_STAGES; s++) {
            const int slot = stage->slot[HAL_ATTRIBUTE_TEXCOORD0 + s];

            if (slot >= 0 && stage->wrap[s])
                wrap_vector(corners[0]->input[slot], copies[i].input[slot], stage->wrap[s]);
        }
        corners[i] = &copies[i];
    }
}
