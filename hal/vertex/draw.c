/* SPDX-License-Identifier: MIT */
/* Draws primitives, directly or as N-patches. */
#include "hal/vertex/draw.h"

#include "hal/context.h"
#include "hal/vertex/patch/patch.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/stream.h"

void hal_draw_primitives(struct hal_context *context, const struct hal_draw *draw)
{
    struct hal_source source;
    uint32_t primitives;

    if (!prim_begin_draw(context, draw, &source, &primitives))
        return;
    if (primitives && hal_npatch_applies(&context->state, draw))
        hal_npatch_draw(context, draw, &source, primitives);
    else
        prim_draw(context, draw, &source, primitives);
}
