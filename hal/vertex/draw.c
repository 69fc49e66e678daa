/* SPDX-License-Identifier: MIT */
/* Draws primitives, directly or as N-patches. */
#include "hal/vertex/draw.h"

#include "hal/renderer.h"
#include "hal/vertex/patch/patch.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/stream.h"

void hal_draw_primitives(struct hal_renderer *renderer, const struct hal_draw *draw)
{
    struct hal_source source;
    uint32_t primitives;

    if (!prim_begin_draw(renderer, draw, &source, &primitives))
        return;
    if (primitives && hal_npatch_applies(renderer->state, draw))
        hal_npatch_draw(renderer, draw, &source, primitives);
    else
        prim_draw(renderer, draw, &source, primitives);
}
