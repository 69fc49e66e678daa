/* SPDX-License-Identifier: MIT */
/*
 * Surface handles: small integers that the runtime assigns, one table per DirectDraw object
 * (docs/reference/driver-calls.md, section 4).
 */
#include "hal/handles.h"

#include "base/assert.h"
#include "base/base.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/resource/buffer.h"
#include "hal/resource/surface.h"
#include "hal/resources.h"

#include <stdlib.h>
#include <string.h>

bool hal_handles_reserve(struct hal_handle_table *table, uint32_t handle)
{
    uint32_t capacity = BASE_MAX(table->capacity * 2, 256);
    struct hal_resource **resources;

    if (handle > HAL_MAX_SURFACE_HANDLE)
        return false;
    if (handle < table->capacity)
        return true;
    capacity = BASE_MAX(capacity, handle + 1);
    resources = mem_realloc(table->resources, capacity, sizeof(*resources));
    if (!resources)
        return false;
    memset(resources + table->capacity, 0, (capacity - table->capacity) * sizeof(*resources));
    table->resources = resources;
    table->capacity = capacity;
    return true;
}

bool hal_handles_set(struct hal_handle_table *table, uint32_t handle, struct hal_resource *resource)
{
    if (handle > HAL_MAX_SURFACE_HANDLE)
        return false;
    table->changes++;
    if (handle >= table->capacity && !resource)
        return true;
    if (!hal_handles_reserve(table, handle))
        return false;
    table->resources[handle] = resource;
    return true;
}

struct hal_resource *hal_handles_get(const struct hal_handle_table *table, uint32_t handle)
{
    return handle < table->capacity ? table->resources[handle] : NULL;
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

void hal_handles_name(struct hal_handle_table *table, uint32_t handle, struct hal_resource *resource)
{
    struct hal_resource *holder = hal_handles_get(table, handle);

    BASE_ASSERT(handle != 0 && handle < table->capacity);
    if (resource->handle && (resource->handles != table || resource->handle != handle))
        hal_handles_set(resource->handles, resource->handle, NULL);
    if (holder && holder != resource)
        holder->handle = 0;
    hal_handles_set(table, handle, resource);
    resource->handles = table;
    resource->handle = handle;
}

struct hal_resource *hal_resource_of(const struct hal_resources *resources, uint32_t handle)
{
    return handle ? hal_handles_get(resources->handles, handle) : NULL;
}

struct hal_surface *hal_surface_of(const struct hal_resources *resources, uint32_t handle)
{
    return hal_as_surface(hal_resource_of(resources, handle));
}

struct hal_buffer *hal_buffer_of(const struct hal_resources *resources, uint32_t handle)
{
    return hal_as_buffer(hal_resource_of(resources, handle));
}

bool hal_find_target(const struct hal_resources *resources, uint32_t handle, uint32_t kind,
                     struct hal_surface **surface)
{
    *surface = hal_surface_of(resources, handle);
    if (handle == 0 || (*surface && (*surface)->base.kind & kind))
        return true;
    log_warn("surface %#x is unknown, or cannot be drawn to", (unsigned)handle);
    return false;
}
