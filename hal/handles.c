/* SPDX-License-Identifier: MIT */
/*
 * Surface handles: small integers that the runtime assigns, one table per DirectDraw object
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

struct hal_local *hal_driver_find_local(struct hal_driver *driver, const void *dd_local)
{
    struct hal_local *local = driver->locals;
    while (local && local->dd_local != dd_local)
        local = local->next;
    return local;
}

struct hal_handle_table *hal_driver_handles(struct hal_driver *driver, const void *dd_local)
{
    struct hal_local *local = hal_driver_find_local(driver, dd_local);
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
