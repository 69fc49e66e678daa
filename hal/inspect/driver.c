/* SPDX-License-Identifier: MIT */
/* The driver between two calls: contexts, observer, threads, counters. */
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/inspect.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <string.h>

struct hal_context *hal_inspect_context(struct hal_driver *driver, uint32_t handle)
{
    return hal_context_find(driver, handle);
}

void hal_inspect_observe(struct hal_driver *driver, const struct hal_observer *observer)
{
    driver->observer = observer;
}

void hal_inspect_flush(struct hal_driver *driver, bool depth)
{
    for (struct hal_context *context = driver->contexts; context; context = context->next)
        if (depth)
            hal_scene_flush(&context->scene, HAL_FLUSH_LOOK);
        else
            hal_scene_flush_colors(&context->scene, HAL_FLUSH_LOOK);
}

void hal_inspect_finish(struct hal_driver *driver)
{
    hal_inspect_flush(driver, false);
    for (struct hal_resource *resource = driver->resources; resource; resource = resource->next)
        if (hal_as_surface(resource))
            hal_present_wait(hal_as_surface(resource));
}

bool hal_inspect_take_out_of_memory(struct hal_driver *driver)
{
    bool was = driver->out_of_memory;

    driver->out_of_memory = false;
    for (struct hal_context *context = driver->contexts; context; context = context->next)
        was |= raster_take_out_of_memory(context->scene.raster);
    return was;
}

static struct hal_resource *resource_of(struct hal_surface *surface)
{
    return surface ? &surface->base : NULL;
}

void hal_inspect_bound(const struct hal_context *context, struct hal_inspect_bound *bound)
{
    bound->color[0] = resource_of(context->scene.target);
    for (unsigned t = 1; t < HAL_INSPECT_TARGETS; t++)
        bound->color[t] = resource_of(context->scene.more_targets[t - 1]);
    bound->depth = resource_of(context->scene.depth);
}

/* --- threads ------------------------------------------------------------------------------------- */

unsigned hal_inspect_threads(const struct hal_driver *driver)
{
    return driver->threads;
}

void hal_inspect_set_threads(struct hal_driver *driver, unsigned threads)
{
    driver->threads = threads;
}

void hal_inspect_watch(struct hal_driver *driver, const struct raster_watch *watch)
{
    driver->watch = watch;
    for (struct hal_context *context = driver->contexts; context && !watch; context = context->next)
        raster_watch(context->scene.raster, NULL);
}

/* --- counters ------------------------------------------------------------------------------------ */

struct hal_inspect_work hal_inspect_work(const struct hal_context *context)
{
    struct raster_statistics statistics;

    raster_get_statistics(context->scene.raster, &statistics);
    return (struct hal_inspect_work){
        .busy = statistics.busy,
        .primitives = statistics.triangles + statistics.lines + statistics.points,
        .fragments = statistics.fragments,
    };
}

struct hal_inspect_work hal_inspect_work_of_all(const struct hal_driver *driver)
{
    struct hal_inspect_work sum = {.busy = 0};

    for (const struct hal_context *context = driver->contexts; context; context = context->next) {
        const struct hal_inspect_work work = hal_inspect_work(context);

        sum.busy += work.busy;
        sum.primitives += work.primitives;
        sum.fragments += work.fragments;
    }
    return sum;
}

void hal_inspect_counts(const struct hal_driver *driver, struct hal_inspect_counts *counts)
{
    struct shader_jit_counts code;

    shader_jit_get_counts(driver->jit, &code);
    *counts = (struct hal_inspect_counts){
        .programs = code.programs, .code_bytes = code.bytes, .made = code.made, .seconds = code.seconds};
    memcpy(counts->scenes, driver->scenes_ended, sizeof(counts->scenes));
}
