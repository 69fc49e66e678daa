/* SPDX-License-Identifier: MIT */
/* Sampler feedback maps as surfaces (ddi/feedback.h): a texture chain of a feedback format, seen as a raster_feedback. */
#ifndef HALCYON_HAL_FEEDBACK_H
#define HALCYON_HAL_FEEDBACK_H

#include "hal/state.h"
#include "raster/feedback.h"

static inline bool hal_is_feedback(const struct hal_surface *surface)
{
    return surface->format == RASTER_FORMAT_FEEDBACK;
}

/* The map that a chain holds, over the chain's memory; NULL: not one, or its description is against the rules. */
struct raster_feedback *hal_feedback_map(struct hal_surface *surface);
void hal_feedback_discard(struct hal_surface *top);

/* The chain that records what `stage` samples of `texture`: beside the stage, else paired with the texture; NULL:
 * none, or one that does not go with it. */
struct hal_surface *hal_feedback_of(struct hal_context *context, unsigned stage, const struct hal_surface *texture);

/* Either surface is a map. Copies, decodes or encodes; DDERR_INVALIDPIXELFORMAT for other pairs. */
HRESULT hal_feedback_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source,
                         const RECT *from);
/* The whole map, whichever part of it is named. */
HRESULT hal_feedback_clear(struct hal_surface *surface);

/* A command that came through D3DRS_POINTSIZE (ddi/feedback.h): context->extension[HAL_EXTENSION_FEEDBACK]. */
#define HAL_FEEDBACK_SETTING(command, stage) (uint8_t)(((command) - 'A') << 4 | (stage))
void hal_feedback_command(struct hal_context *context);

/* Token SETFEEDBACK. */
HRESULT hal_token_set_feedback(struct hal_context *context, const struct dp2_command *command);

#endif
