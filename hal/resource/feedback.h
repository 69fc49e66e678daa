/* SPDX-License-Identifier: MIT */
/* Sampler feedback maps as surfaces (d3d/feedback.h): a texture chain of a feedback format, seen as a raster_feedback. */
#ifndef HALCYON_HAL_RESOURCE_FEEDBACK_H
#define HALCYON_HAL_RESOURCE_FEEDBACK_H

#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "raster/format/format.h"
#include "raster/sample/feedback.h"
#include "raster/sample/sample.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_resources;
struct hal_scene;
struct hal_state;
struct hal_surface;
struct raster_feedback;

/* A map over the memory of its chain's parts, as of the map's creation. */
struct hal_feedback {
    struct raster_feedback *map;
    struct raster_feedback_desc desc;
    struct feedback_plane planes[6 * RASTER_MAX_LEVELS]; /* [face * level_count + level] */
    /* After a step of the queue (feedback_queue.c) draws mark a separate map, which is merged into `map` when they are
     * finished. NULL: they mark `map`. */
    struct raster_feedback *recorder;
    bool recorder_used;
};

static inline bool hal_is_feedback(const struct hal_surface *surface)
{
    return surface->format == RASTER_FORMAT_FEEDBACK;
}

/* The map of a texture, over its memory; NULL: not a feedback map, or its description is invalid, or out of memory.
 * texture: may be NULL. */
struct raster_feedback *hal_feedback_map(struct hal_texture *texture);
void hal_feedback_discard(struct hal_texture *texture);
/* Regions of a map's level 0 times levels and faces; 0: not a map, NULL, or out of memory. */
uint64_t hal_feedback_regions(struct hal_texture *texture);

/* Returns what the map of a sampler records, enum ddi_feedback_mode; t: its row of stage_state. Only a map that is
 * bound to the sampler works without a texture. */
static inline uint32_t hal_feedback_mode(const uint32_t *t)
{
    const uint32_t mode = t[D3D_TSS_FEEDBACKMODE],
                   last = t[D3D_TSS_FEEDBACK] ? DDI_FEEDBACK_WRITES : DDI_FEEDBACK_REQUESTS;

    return mode <= last ? mode : (uint32_t)DDI_FEEDBACK_READS;
}

/* The texture that records the accesses of sampler `row` (of stage_state) to `texture`: the one bound to the sampler,
 * else the one paired with the texture; NULL: none, or one that does not match. texture: NULL if there is none; then
 * only writes are recorded. */
struct hal_texture *hal_feedback_of(const struct hal_state *state, struct hal_resources *resources, unsigned row,
                                    const struct hal_texture *texture);
/* The map that draws of the scene mark from now on for a texture; NULL: not a map, or out of memory. */
struct raster_feedback *hal_feedback_recorder(const struct hal_scene *scene, struct hal_texture *map);

/* At least one surface must be a map. Copies, decodes or encodes; DDERR_INVALIDPIXELFORMAT for other pairs. */
HRESULT hal_feedback_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from);
/* Clears the whole map, of which `surface` may be any part. */
HRESULT hal_feedback_clear(struct hal_surface *surface);
/* Whole textures: every face, slice and level that both have. False: they do not match. hal_feedback_takes: can the
 * format hold a decoded map? */
bool hal_feedback_decode(struct hal_texture *bytes, struct hal_texture *map);
bool hal_feedback_encode(struct hal_texture *map, struct hal_texture *bytes);
bool hal_feedback_takes(const struct hal_surface *bytes);

/* feedback_queue.c: operations on maps that are done in order once the scene that records in the maps has been drawn;
 * later draws do not affect them. False: nothing is pending for the map, or out of memory, so the caller does the
 * operation at once. */
bool hal_feedback_queue_clear(struct hal_texture *map);
/* Executes a value of D3DRS_POINTSIZE that may be a command (d3d/feedback.h); false: it is not a command. */
bool hal_feedback_command(struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene,
                          uint32_t value);

#endif
