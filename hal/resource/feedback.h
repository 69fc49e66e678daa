/* SPDX-License-Identifier: MIT */
/* Sampler feedback maps as surfaces (d3d/feedback.h): a texture chain of a feedback format, seen as a raster_feedback. */
#ifndef HALCYON_HAL_RESOURCE_FEEDBACK_H
#define HALCYON_HAL_RESOURCE_FEEDBACK_H

#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "hal/resource/surface.h"
#include "raster/format/format.h"
#include "raster/sample/feedback.h"
#include "raster/sample/sample.h"

#include <stdbool.h>
#include <stdint.h>

struct dp2_command;
struct hal_context;
struct hal_surface;
struct raster_feedback;

/* A map over the memory of its chain's parts, as that was when the map was made. */
struct hal_feedback {
    struct raster_feedback *map;
    struct raster_feedback_desc desc;
    struct feedback_plane planes[6 * RASTER_MAX_LEVELS]; /* [face * level_count + level] */
    /* Behind a step of the queue (feedback_queue.c) draws mark a map of their own, which goes into `map` when they are
     * finished. NULL: they mark `map`. */
    struct raster_feedback *recorder;
    bool recorder_used;
};

static inline bool hal_is_feedback(const struct hal_surface *surface)
{
    return surface->format == RASTER_FORMAT_FEEDBACK;
}

/* The map that a chain holds, over the chain's memory; NULL: not one, or its description is against the rules. */
struct raster_feedback *hal_feedback_map(struct hal_surface *surface);
void hal_feedback_discard(struct hal_surface *top);
/* Regions of a map's level 0 times levels and faces; 0: no map, or no memory. */
uint64_t hal_feedback_regions(struct hal_surface *surface);

/* Returns what the map of a sampler records, enum ddi_feedback_mode; t: its row of stage_state. Only a map beside the
 * sampler does without a texture. */
static inline uint32_t hal_feedback_mode(const uint32_t *t)
{
    const uint32_t mode = t[D3D_TSS_FEEDBACKMODE],
                   last = t[D3D_TSS_FEEDBACK] ? DDI_FEEDBACK_WRITES : DDI_FEEDBACK_REQUESTS;

    return mode <= last ? mode : (uint32_t)DDI_FEEDBACK_READS;
}

/* The chain that records what sampler `row` (of stage_state) samples of `texture`: beside the sampler, else paired with the
 * texture; NULL: none, or one that does not go with it. texture: NULL if there is none; then only writes are recorded. */
struct hal_surface *hal_feedback_of(struct hal_context *context, unsigned row, const struct hal_surface *texture);
/* Where draws of the context from now on mark what a chain records; NULL: no map, or no memory. */
struct raster_feedback *hal_feedback_recorder(const struct hal_context *context, struct hal_surface *map);

/* Either surface is a map. Copies, decodes or encodes; DDERR_INVALIDPIXELFORMAT for other pairs. */
HRESULT hal_feedback_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from);
/* The whole map, whichever part of it is named. */
HRESULT hal_feedback_clear(struct hal_surface *surface);
/* Whole chains, tops: every face, slice and level that both have. False: they do not go together. hal_feedback_takes: the
 * format holds what maps decode to. */
bool hal_feedback_decode(struct hal_surface *bytes, struct hal_surface *map);
bool hal_feedback_encode(struct hal_surface *map, struct hal_surface *bytes);
bool hal_feedback_takes(const struct hal_surface *bytes);

/* feedback_queue.c: what is to be done with maps when the scene that records in them has been drawn, in the order it was
 * asked for; draws behind it are not seen by it. False: nothing waits for the map or there is no memory, so that the caller
 * does it at once. */
bool hal_feedback_queue_clear(struct hal_surface *map);
/* A value of D3DRS_POINTSIZE that may be a command (d3d/feedback.h); false: it is none. */
bool hal_feedback_command(struct hal_context *context, uint32_t value);

/* Token SETFEEDBACK. */
HRESULT hal_token_set_feedback(struct hal_context *context, const struct dp2_command *command);

#endif
