/* SPDX-License-Identifier: MIT */
/* The scene of a context: its surfaces, its memory and its owners' hooks, and the only calls that draw it. */
#include "hal/scene.h"

#include "base/assert.h"
#include "base/base.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/resource/present_queue.h"
#include "hal/resource/surface.h"
#include "raster/raster.h"

#include <stdlib.h>

const char *hal_flush_name(enum hal_flush why)
{
#define FLUSH_NAME(NUMBER, name, text) name,
    static const char *const names[HAL_FLUSH_COUNT] = {HAL_FLUSHES(FLUSH_NAME)};

    return names[why];
}

const char *hal_flush_text(enum hal_flush why)
{
#define FLUSH_TEXT(NUMBER, name, text) text,
    static const char *const texts[HAL_FLUSH_COUNT] = {HAL_FLUSHES(FLUSH_TEXT)};

    return texts[why];
}

/* --- surfaces ------------------------------------------------------------------------------------- */

void hal_scene_add(struct hal_context *context, struct hal_surface *surface, bool write)
{
    struct hal_scene *scene = &context->scene;

    if (surface->presents_to)
        hal_present_wait(surface);
    if (surface->pending != context) {
        if (surface->pending)
            hal_scene_flush_surface(surface, HAL_FLUSH_CONTEXT);
        if (scene->count == HAL_MAX_HAZARDS)
            hal_scene_flush(context, HAL_FLUSH_SURFACES);
        BASE_ASSERT(scene->count < HAL_MAX_HAZARDS);
        scene->surface[scene->count++] = surface;
        surface->pending = context;
    }
    surface->pending_write |= write;
}

void hal_scene_remove(struct hal_context *context, struct hal_surface *surface)
{
    struct hal_scene *scene = &context->scene;

    for (unsigned i = 0; i < scene->count; i++)
        if (scene->surface[i] == surface) {
            scene->surface[i] = scene->surface[--scene->count];
            surface->pending = NULL;
            return;
        }
}

/* Releases all surfaces, except for depth buffers that wait for their write-back. */
static void free_surfaces(struct hal_context *context, bool depth_is_dirty)
{
    struct hal_scene *scene = &context->scene;
    unsigned kept = 0;

    for (unsigned i = 0; i < scene->count; i++) {
        struct hal_surface *surface = scene->surface[i];

        BASE_ASSERT(surface->pending == context);
        if (depth_is_dirty && surface->pending_write && surface->base.kind & HAL_SURFACE_DEPTH) {
            scene->surface[kept++] = surface;
        } else {
            surface->pending = NULL;
            surface->pending_write = false;
        }
    }
    scene->count = scene->kept = kept;
}

/* --- memory and owners ------------------------------------------------------------------------------ */

void hal_scene_keep(struct hal_context *context, struct hal_scene_memory *memory, size_t bytes)
{
    memory->next = context->scene.memory;
    context->scene.memory = memory;
    context->scene.memory_bytes += bytes;
}

static void free_memory(struct hal_scene *scene)
{
    while (scene->memory) {
        struct hal_scene_memory *memory = scene->memory;

        scene->memory = memory->next;
        mem_free_aligned(memory->memory);
        mem_free_aligned(memory->decoded);
        free(memory->texture);
        free(memory);
    }
    scene->memory_bytes = 0;
}

void hal_scene_watch(struct hal_context *context, struct hal_scene_hook *hook)
{
    hook->next = context->scene.hooks;
    context->scene.hooks = hook;
}

/* --- flushes ------------------------------------------------------------------------------------------ */

/* A flush of an empty scene is not counted. */
static void count_end(struct hal_context *context, enum hal_flush why, bool has_drawn)
{
    if (!has_drawn)
        return;
    context->driver->scenes_ended[why]++;
    log_debug("context %u: its scene is drawn: %s", (unsigned)context->handle, hal_flush_text(why));
}

/* The scene has been drawn: releases everything that it used. */
static void end_scene(struct hal_context *context, bool depth_is_dirty)
{
    free_surfaces(context, depth_is_dirty);
    for (struct hal_scene_hook *hook = context->scene.hooks; hook; hook = hook->next)
        hook->drawn(context);
    free_memory(&context->scene);
}

void hal_scene_flush(struct hal_context *context, enum hal_flush why)
{
    count_end(context, why, context->scene.count > 0);
    raster_flush(context->raster);
    end_scene(context, false);
}

void hal_scene_flush_colors(struct hal_context *context, enum hal_flush why)
{
    count_end(context, why, context->scene.count > context->scene.kept);
    const bool depth_is_dirty = raster_flush_colors(context->raster);

    end_scene(context, depth_is_dirty);
}

void hal_scene_flush_surface(struct hal_surface *surface, enum hal_flush why)
{
    if (surface->base.kind & HAL_SURFACE_DEPTH)
        hal_scene_flush(surface->pending, why);
    else
        hal_scene_flush_colors(surface->pending, why);
}
