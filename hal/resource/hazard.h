/* SPDX-License-Identifier: MIT */
/* The surfaces that the scene of a context reads or draws, so that other users of one of them flush first. */
#ifndef HALCYON_HAL_RESOURCE_HAZARD_H
#define HALCYON_HAL_RESOURCE_HAZARD_H

#include <stdbool.h>

struct hal_context;
struct hal_surface;

/* Surfaces that the scene reads or draws, or of which it holds dirty depth that is not written back. */
#define HAL_MAX_HAZARDS 512 /* then the scene is flushed */
struct hal_hazards {
    struct hal_surface *surface[HAL_MAX_HAZARDS];
    unsigned count;
    bool targets_bound;    /* to those of the context, unless it has others since */
    bool depth_is_smaller; /* than target 0: it is bound for draws that look at it and for clears */
    bool depth_is_bound;   /* or there is none */
};

/* Notes that the scene reads or draws a surface, so that its next user flushes first. */
void hal_hazard_add(struct hal_context *context, struct hal_surface *surface, bool write);
/* The scene does not use the surface any longer (hal/resource/buffer_renaming.c). */
void hal_hazard_remove(struct hal_context *context, struct hal_surface *surface);
/* hal_context_flush calls this after raster_flush: surfaces are free again, but for depth
 * buffers that wait for their write-back. */
void hal_hazards_clear(struct hal_context *context, bool depth_is_dirty);
/* Binds the context's targets to the rasterizer for a draw and marks them as being drawn. A depth buffer smaller than target 0 is
 * left out, so as not to cut what is drawn, unless render states make the draw look at it. False: there is none. */
bool hal_targets_bind(struct hal_context *context);
/* The same with the depth buffer in any case, for clears. */
bool hal_targets_bind_whole(struct hal_context *context);
/* Binds one of the targets, or the depth buffer, without the others. False: it cannot be drawn to. */
bool hal_target_bind_alone(struct hal_context *context, struct hal_surface *surface);

#endif
