/* SPDX-License-Identifier: MIT */
/*
 * Surface handles: small integers the runtime gives out, one table per DirectDraw object
 * (docs/reference/driver-calls.md, section 4).
 */
#include "hal/handles.h"

#include "base/assert.h"
#include "base/base.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/resource/surface.h"

#include <stdlib.h>
#include <string.h>

bool hal_handles_reserve(struct hal_handle_table *table, uint32_t handle)
{
    uint32_t capacity = BASE_MAX(table->capacity * 2, 256);
    struct hal_surface **surfaces;

    if (handle > HAL_MAX_SURFACE_HANDLE)
        return false;
    if (handle < table->capacity)
        return true;
    capacity = BASE_MAX(capacity, handle + 1);
    surfaces = mem_realloc(table->surfaces, capacity, sizeof(*surfaces));
    if (!surfaces)
        return false;
    memset(surfaces + table->capacity, 0, (capacity - table->capacity) * sizeof(*surfaces));
    table->surfaces = surfaces;
    table->capacity = capacity;
    return true;
}

bool hal_handles_set(struct hal_handle_table *table, uint32_t handle, struct hal_surface *surface)
{
    if (handle > HAL_MAX_SURFACE_HANDLE)
        return false;
    table->changes++;
    if (handle >= table->capacity && !surface)
        return true;
    if (!hal_handles_reserve(table, handle))
        return false;
    table->surfaces[handle] = surface;
    return true;
}

struct hal_surface *hal_handles_get(const struct hal_handle_table *table, uint32_t handle)
{
    return handle < table->capacity ? table->surfaces[handle] : NULL;
}

static struct hal_local *find_local(struct hal_driver *driver, const void *dd_local)
{
    struct hal_local *local = driver->locals;
    while (local && local->dd_local != dd_local)
        local = local->next;
    return local;
}

struct hal_handle_table *hal_driver_handles(struct hal_driver *driver, const void *dd_local)
{
    struct hal_local *local = find_local(driver, dd_local);
    if (!local) {
        local = mem_calloc(1, sizeof(*local));
        if (!local)
            return NULL;
        local->dd_local = dd_local;
        local->next = driver->locals;
        driver->locals = local;
    }
    return &local->handles;
}

void hal_handles_name(struct hal_handle_table *table, uint32_t handle, struct hal_surface *surface)
{
    struct hal_surface *holder = hal_handles_get(table, handle);

    BASE_ASSERT(handle != 0 && handle < table->capacity);
    if (surface->handle && (surface->handles != table || surface->handle != handle))
        hal_handles_set(surface->handles, surface->handle, NULL);
    if (holder && holder != surface)
        holder->handle = 0;
    hal_handles_set(table, handle, surface);
    surface->handles = table;
    surface->handle = handle;
}

/* Surfaces outlive their DirectDraw object only if the driver owns their memory: then
 * DestroySurface is still to come. The others were announced, and no call will take them back. */
static void drop_surfaces(struct hal_driver *driver, struct hal_handle_table *table)
{
    struct hal_surface *next;

    for (struct hal_surface *surface = driver->surfaces; surface; surface = next) {
        next = surface->next;
        if (surface->handles != table)
            continue;
        if (surface->handle)
            table->surfaces[surface->handle] = NULL;
        surface->handles = NULL;
        surface->handle = 0;
        if (!surface->owns_memory)
            hal_surface_free(surface);
    }
}

void hal_driver_drop_local(struct hal_driver *driver, const void *dd_local)
{
    struct hal_local *local = find_local(driver, dd_local), **link = &driver->locals;
    if (!local)
        return;
    for (struct hal_context *context = driver->contexts, *next; context; context = next) {
        next = context->next;
        if (context->handles == &local->handles)
            hal_context_destroy(context);
    }
    while (*link != local)
        link = &(*link)->next;
    *link = local->next;
    drop_surfaces(driver, &local->handles);
    free(local->handles.surfaces);
    free(local);
}

struct hal_surface *hal_surface_of(const struct hal_context *context, uint32_t handle)
{
    return handle ? hal_handles_get(context->handles, handle) : NULL;
}

bool hal_find_target(const struct hal_context *context, uint32_t handle, uint32_t kind, struct hal_surface **surface)
{
    *surface = hal_surface_of(context, handle);
    if (handle == 0 || (*surface && (*surface)->kind & kind))
        return true;
    log_warn("surface %#x is unknown, or cannot be drawn to", (unsigned)handle);
    return false;
}
