/* SPDX-License-Identifier: MIT */
/*
 * The scene of a context: everything that was given to the rasterizer and may not have been drawn yet. The scene knows
 * the surfaces that it reads or draws, so that other users of these flush it first; memory that only the scene still
 * reads; and the owners of values that it refers to. Scenes are drawn only in scene.c, and every caller gives a reason.
 */
#ifndef HALCYON_HAL_SCENE_H
#define HALCYON_HAL_SCENE_H

#include "hal/flush.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_context;
struct hal_surface;
struct raster_texture;

/* Called when the scene has been drawn and its surfaces are free: the owner may reuse, or finish, objects that the
 * scene referred to. */
struct hal_scene_hook {
    struct hal_scene_hook *next;
    void (*drawn)(struct hal_context *context);
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
    struct hal_surface *surface[HAL_MAX_HAZARDS];
    unsigned count;
    unsigned kept; /* of them, from before the last flush: depth buffers that still wait for their write-back */
    struct hal_scene_memory *memory;
    size_t memory_bytes;
    struct hal_scene_hook *hooks;
};

/* Draws the scene; returns when all surfaces hold the result. */
void hal_scene_flush(struct hal_context *context, enum hal_flush why);
/* Draws the scene; returns when colour surfaces hold the result. Depth buffers may be incomplete (raster_flush_colors)
 * and remain pending. */
void hal_scene_flush_colors(struct hal_context *context, enum hal_flush why);
/* Draws the scene of a pending surface's context: completely if the surface holds depth, else its colours. */
void hal_scene_flush_surface(struct hal_surface *surface, enum hal_flush why);

/* Notes that the scene reads or draws a surface, so that its next user flushes first. */
void hal_scene_add(struct hal_context *context, struct hal_surface *surface, bool write);
/* The scene does not use the surface any longer, because hal_scene_keep took over the memory that it reads. */
void hal_scene_remove(struct hal_context *context, struct hal_surface *surface);
/* Takes over memory that the scene reads of a surface, `bytes` in `memory`; it is freed when the scene has been
 * drawn. */
void hal_scene_keep(struct hal_context *context, struct hal_scene_memory *memory, size_t bytes);
/* Calls the hook after each scene from now on, until the context is destroyed. */
void hal_scene_watch(struct hal_context *context, struct hal_scene_hook *hook);

#endif
