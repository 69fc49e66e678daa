/* SPDX-License-Identifier: MIT */
/*
 * RENDERSTATE: stores values in the state, and passes commands that come as values to their handlers: commands about
 * feedback maps and the depth resolve through D3DRS_POINTSIZE (docs/extensions.md), and D3DRS_DELETERTPATCH.
 */
#include "hal/orders.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/hal.h"
#include "hal/resource/copy/depth_resolve.h"
#include "hal/resource/feedback.h"
#include "hal/state/extension.h"
#include "hal/state/state_tokens.h"
#include "hal/state/values.h"
#include "hal/tokens.h"
#include "hal/vertex/patch/patch.h"

static void orders_render_state(struct hal_context *context, uint32_t state, uint32_t value)
{
    enum hal_order order;

    if (state >= HAL_MAX_RENDER_STATES) {
        log_once(LOG_WARN, state, "render state %u does not exist, ignored", (unsigned)state);
        return;
    }
    if (state == D3DRS_POINTSIZE && hal_feedback_command(&context->state, &context->resources, &context->scene, value))
        return;
    const bool set = hal_state_set_render_state(&context->state, state, value, &order);

    if (set && context->execute && context->execute->render_states)
        context->execute->render_states[state] = value;
    if (order == HAL_ORDER_RESOLVE_DEPTH)
        hal_depth_resolve(&context->state, &context->resources, &context->scene);
    if (set && state == D3DRS_DELETERTPATCH)
        hal_patch_delete(context->resources.patches, value);
}

void hal_token_render_state(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2RENDERSTATE))
        orders_render_state(context, DP2_FIELD(entry, D3DHAL_DP2RENDERSTATE, RenderState),
                            DP2_FIELD(entry, D3DHAL_DP2RENDERSTATE, dwState));
}

void hal_orders_while_recording(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    if (command->info->number != D3DDP2OP_RENDERSTATE)
        return;
    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2RENDERSTATE))
        if (DP2_FIELD(entry, D3DHAL_DP2RENDERSTATE, RenderState) == D3DRS_DELETERTPATCH)
            hal_patch_delete(context->resources.patches, DP2_FIELD(entry, D3DHAL_DP2RENDERSTATE, dwState));
}
