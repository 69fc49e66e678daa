/* SPDX-License-Identifier: MIT */
/* The driver's root: owns all of the driver's objects. */
#include "hal/driver.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/resource/copy/present.h"
#include "hal/resource/display_palette.h"
#include "hal/resource/surface.h"
#include "jit/memory.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

/* Scenes that threads draw run programs. Geometry that threads make is finished when the call that noted a use
 * continues. */
void hal_driver_wait(void *argument)
{
    const struct hal_driver *driver = argument;

    for (struct hal_context *context = driver->contexts; context; context = context->next)
        if (context->scene.raster)
            raster_wait(context->scene.raster);
}

void hal_driver_generate(struct hal_driver *driver, size_t bytes, bool checks)
{
    shader_jit_destroy(driver->jit);
    driver->jit = shader_jit_create(driver->cpu, bytes, checks);
    shader_jit_on_eviction(driver->jit, hal_driver_wait, driver);
}

void hal_driver_code(const struct hal_driver *driver, HALCYON_CODE *code)
{
    struct shader_jit_counts counts;

    shader_jit_get_counts(driver->jit, &counts);
    *code = (HALCYON_CODE){
        .uses = counts.uses,
        .generated = counts.generated_uses,
        .busy = (ULONGLONG)(counts.seconds * 1e9),
        .bytes = (DWORD)counts.bytes,
        .programs = counts.programs,
    };
}

struct hal_driver *hal_driver_create(void)
{
    struct hal_driver *driver = mem_calloc(1, sizeof(*driver));
    if (!driver)
        return NULL;
    driver->cpu = cpu_level_selected();
    driver->threads = cpu_thread_count();
    driver->split_seed = (uint32_t)config_int("split_seed");
    if (*config_string("trace")) {
        driver->trace = config_string("trace");
        driver->threads = 1;
    }
    if (strcmp(config_string("jit"), "0"))
        hal_driver_generate(driver, JIT_MEMORY_LIMIT, !strcmp(config_string("jit"), "check"));
    driver->next_context = 1;
    base_map_init(&driver->display_palettes, HAL_MAX_DISPLAY_PALETTES);
    driver->work_allowed = HAL_WORK_UNBOUNDED;
    return driver;
}

/* --- DirectDraw objects --------------------------------------------------------------------------- */

/* Resources outlive their DirectDraw object only if the driver owns their memory: then DestroySurface will still be
 * called. The others were only announced, and no call will destroy them. */
static void drop_resources(struct hal_driver *driver, struct hal_handle_table *table)
{
    struct hal_resource *next;

    for (struct hal_resource *resource = driver->resources; resource; resource = next) {
        next = resource->next;
        if (resource->handles != table)
            continue;
        if (resource->handle)
            table->resources[resource->handle] = NULL;
        resource->handles = NULL;
        resource->handle = 0;
        if (!resource->owns_memory)
            hal_resource_free(resource);
    }
}

void hal_driver_drop_local(struct hal_driver *driver, const void *dd_local)
{
    struct hal_local *local = hal_driver_find_local(driver, dd_local), **link = &driver->locals;
    if (!local)
        return;
    for (struct hal_context *context = driver->contexts, *next; context; context = next) {
        next = context->next;
        if (context->resources.handles == &local->handles)
            hal_context_destroy(context);
    }
    while (*link != local)
        link = &(*link)->next;
    *link = local->next;
    drop_resources(driver, &local->handles);
    hal_display_palettes_drop(driver, dd_local);
    free(local->handles.resources);
    free(local);
}

bool hal_driver_destroy(struct hal_driver *driver)
{
    hal_present_destroy(driver);
    while (driver->contexts)
        hal_context_destroy(driver->contexts);
    while (driver->locals)
        hal_driver_drop_local(driver, driver->locals->dd_local);
    if (driver->resource_count) {
        log_warn("driver closed: %u surfaces still exist", (unsigned)driver->resource_count);
        return false;
    }
    shader_jit_destroy(driver->jit);
    base_map_clear(&driver->display_palettes);
    free(driver);
    return true;
}
