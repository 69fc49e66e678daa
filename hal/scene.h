/* SPDX-License-Identifier: MIT */
/*
 * The scene of a context: everything that was given to the rasterizer and may not have been drawn yet. The scene knows
 * the surfaces that it reads or draws, so that other users of these flush it first; memory that only the scene still
 * reads; and the owners of values that it refers to. Scenes are drawn only in scene.c, and every caller gives a reason.
 */
#ifndef HALCYON_HAL_SCENE_H
#define HALCYON_HAL_SCENE_H

#include "hal/flush.h"
#include "hal/resource/targets.h"
#include "hal/state/values.h"
#include "hal/work.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_driver;
struct hal_feedback_step;
struct hal_surface;
struct raster_texture;

/* Called when the scene has been drawn and its surfaces are free: the owner may reuse, or finish, objects that the
 * scene referred to. */
struct hal_scene_hook {
    struct hal_scene_hook *next;
    void (*drawn)(void *user);
    void *user;
};

/* Operations on feedback maps that wait until the scene that marks them has been drawn
 * (hal/resource/feedback_queue.c). */
struct hal_feedback_queue {
    struct hal_feedback_step *steps;
    unsigned step_count;
    size_t step_bytes;          /* of the separate maps that draws between steps mark */
    struct hal_scene_hook hook; /* `drawn` is NULL until there is a step */
};

/* Memory that a surface had when the scene read it, and has since given up. */
struct hal_scene_memory {
    struct hal_scene_memory *next;
    uint8_t *memory;
    uint32_t *decoded;
    struct raster_texture *texture;
};

/* Surfaces that the scene reads or draws, or whose depth it has changed but not written back. */
#define HAL_MAX_HAZARDS 512 /* then the scene is drawn */

struct hal_scene {
    struct hal_driver *driver;
    struct hal_scene *next; /* in the driver's list */
    uint32_t context;       /* the handle of the context, for the log */
    struct raster *raster;
    struct hal_work work;

    /* The targets, which tokens and calls set (hal/resource/targets.h). NULL: none. */
    struct hal_surface *target, *depth;
    struct hal_surface *more_targets[RASTER_MAX_TARGETS - 1]; /* SETRENDERTARGET2 1..3 */
    struct hal_bound_targets bound;
    /* Groups of state (enum hal_dirty) whose derived values are stale because a surface changed, or the targets did: the
     * next draw derives them again. */
    uint32_t dirty;

    struct hal_surface *surface[HAL_MAX_HAZARDS];
    unsigned count;
    unsigned kept; /* of them, from before the last flush: depth buffers that still wait for their write-back */
    struct hal_scene_memory *memory;
    size_t memory_bytes;
    struct hal_scene_hook *hooks;
    struct hal_feedback_queue feedback;
};

/* An empty scene of a new context, in the driver's list. False: out of memory; then hal_scene_destroy frees the rest. */
bool hal_scene_create(struct hal_scene *scene, struct hal_driver *driver);
/* The scene must have been drawn. */
void hal_scene_destroy(struct hal_scene *scene);

/* Draws the scene; returns when all surfaces hold the result. */
void hal_scene_flush(struct hal_scene *scene, enum hal_flush why);
/* Draws the scene; returns when colour surfaces hold the result. Depth buffers may be incomplete (raster_flush_colors)
 * and remain pending. */
void hal_scene_flush_colors(struct hal_scene *scene, enum hal_flush why);
/* Draws the scene that a pending surface belongs to: completely if the surface holds depth, else its colours. */
void hal_scene_flush_surface(struct hal_surface *surface, enum hal_flush why);

/* Notes that the scene reads or draws a surface, so that its next user flushes first. */
void hal_scene_add(struct hal_scene *scene, struct hal_surface *surface, bool write);
/* The scene does not use the surface any longer, because hal_scene_keep took over the memory that it reads. */
void hal_scene_remove(struct hal_scene *scene, struct hal_surface *surface);
/* Takes over memory that the scene reads of a surface, `bytes` in `memory`; it is freed when the scene has been
 * drawn. */
void hal_scene_keep(struct hal_scene *scene, struct hal_scene_memory *memory, size_t bytes);
/* Calls the hook after each scene from now on, until the context is destroyed. */
void hal_scene_watch(struct hal_scene *scene, struct hal_scene_hook *hook);
/* The texture that a handle names, or its view, has changed: all scenes' draws look it up again. */
void hal_scenes_texture_changed(struct hal_driver *driver);

/* A rectangle of the state, for the rasterizer. */
static inline struct raster_rect hal_raster_rect(const struct hal_rect *rect)
{
    return (struct raster_rect){rect->left, rect->top, rect->right, rect->bottom};
}

#endif
