/* SPDX-License-Identifier: MIT */
/* The scene of a context: its surfaces, its memory and its owners' hooks, and the only calls that draw it. */
#include "hal/scene.h"

#include "base/assert.h"
#include "base/base.h"
#include "hal/driver.h"
#include "hal/resource/present_queue.h"
#include "hal/resource/surface.h"
#include "hal/state/dirty.h"
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

/* --- life ------------------------------------------------------------------------------------------- */

bool hal_scene_create(struct hal_scene *scene, struct hal_driver *driver)
{
    scene->driver = driver;
    scene->next = driver->scenes;
    driver->scenes = scene;
    scene->raster = raster_create(driver->cpu, driver->threads);
    if (!scene->raster)
        return false;
    scene->work = (struct hal_work){.driver = driver, .raster = scene->raster};
    raster_split_scenes(scene->raster, driver->split_seed);
    if (driver->trace)
        raster_trace(scene->raster, driver->trace);
    raster_watch(scene->raster, driver->watch);
    return true;
}

void hal_scene_destroy(struct hal_scene *scene)
{
    struct hal_scene **link = &scene->driver->scenes;

    while (*link && *link != scene)
        link = &(*link)->next;
    if (*link)
        *link = scene->next;
    if (scene->raster)
        raster_destroy(scene->raster);
}

/* --- surfaces ------------------------------------------------------------------------------------- */

void hal_scene_add(struct hal_scene *scene, struct hal_surface *surface, bool write)
{
    if (surface->presents_to)
        hal_present_wait(surface);
    if (surface->pending != scene) {
        if (surface->pending)
            hal_scene_flush_surface(surface, HAL_FLUSH_CONTEXT);
        if (scene->count == HAL_MAX_HAZARDS)
            hal_scene_flush(scene, HAL_FLUSH_SURFACES);
        BASE_ASSERT(scene->count < HAL_MAX_HAZARDS);
        scene->surface[scene->count++] = surface;
        surface->pending = scene;
    }
    surface->pending_write |= write;
}

void hal_scene_remove(struct hal_scene *scene, struct hal_surface *surface)
{
    for (unsigned i = 0; i < scene->count; i++)
        if (scene->surface[i] == surface) {
            scene->surface[i] = scene->surface[--scene->count];
            surface->pending = NULL;
            return;
        }
}

/* Releases all surfaces, except for depth buffers that wait for their write-back. */
static void free_surfaces(struct hal_scene *scene, bool depth_is_dirty)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < scene->count; i++) {
        struct hal_surface *surface = scene->surface[i];

        BASE_ASSERT(surface->pending == scene);
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

void hal_scene_keep(struct hal_scene *scene, struct hal_scene_memory *memory, size_t bytes)
{
    memory->next = scene->memory;
    scene->memory = memory;
    scene->memory_bytes += bytes;
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

void hal_scene_watch(struct hal_scene *scene, struct hal_scene_hook *hook)
{
    hook->next = scene->hooks;
    scene->hooks = hook;
}

/* --- flushes ------------------------------------------------------------------------------------------ */

/* A flush of an empty scene is not counted. */
static void count_end(struct hal_scene *scene, enum hal_flush why, bool has_drawn)
{
    if (!has_drawn)
        return;
    scene->driver->scenes_ended[why]++;
    log_debug("context %u: its scene is drawn: %s", (unsigned)scene->context, hal_flush_text(why));
}

/* The scene has been drawn: releases everything that it used. */
static void end_scene(struct hal_scene *scene, bool depth_is_dirty)
{
    free_surfaces(scene, depth_is_dirty);
    for (struct hal_scene_hook *hook = scene->hooks; hook; hook = hook->next)
        hook->drawn(hook->user);
    free_memory(scene);
}

void hal_scene_flush(struct hal_scene *scene, enum hal_flush why)
{
    count_end(scene, why, scene->count > 0);
    raster_flush(scene->raster);
    end_scene(scene, false);
}

void hal_scene_flush_colors(struct hal_scene *scene, enum hal_flush why)
{
    count_end(scene, why, scene->count > scene->kept);
    const bool depth_is_dirty = raster_flush_colors(scene->raster);

    end_scene(scene, depth_is_dirty);
}

void hal_scene_flush_surface(struct hal_surface *surface, enum hal_flush why)
{
    if (surface->base.kind & HAL_SURFACE_DEPTH)
        hal_scene_flush(surface->pending, why);
    else
        hal_scene_flush_colors(surface->pending, why);
}

void hal_scenes_texture_changed(struct hal_driver *driver)
{
    for (struct hal_scene *scene = driver->scenes; scene; scene = scene->next)
        scene->dirty |= HAL_DIRTY_TEXTURE;
}
