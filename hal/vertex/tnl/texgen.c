/* SPDX-License-Identifier: MIT */
/* State of the stages' texture coordinates: their source, and their transformation. */
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/tnl/tnl.h"

#include <string.h>

/* D3DTSS_TCI_* >> 16 */
enum { GENERATE_NONE, GENERATE_NORMAL, GENERATE_POSITION, GENERATE_REFLECTION, GENERATE_SPHERE };

static void texgen_prepare_stage(struct tnl_program *p, const struct hal_state *state, unsigned stage)
{
    const uint32_t index = state->stage_state[stage][D3DTSS_TEXCOORDINDEX];
    const uint32_t flags = state->stage_state[stage][D3DTSS_TEXTURETRANSFORMFLAGS];
    const uint32_t count = flags & ~(uint32_t)D3DTTFF_PROJECTED;
    struct tnl_texcoord *t = &p->texcoord[stage];

    memset(t, 0, sizeof(*t));
    t->set = (uint8_t)BASE_MIN(index & 0xffff, 8u); /* 8: no such set */
    t->generate = p->transformed ? GENERATE_NONE : (uint16_t)(index >> 16);
    if (t->generate > GENERATE_SPHERE)
        t->generate = GENERATE_NONE;
    /* COUNT1 is none. */
    t->count = (uint8_t)(count >= D3DTTFF_COUNT2 && count <= D3DTTFF_COUNT4 ? count : 0);
    t->columns = p->transformed ? 0 : t->count;
    t->projected = (flags & D3DTTFF_PROJECTED) != 0;
}

void tnl_prepare_texcoords(struct tnl_program *p, const struct hal_state *state)
{
    p->texture_matrix = state->texture;
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++)
        texgen_prepare_stage(p, state, i);
}
