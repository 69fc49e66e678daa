/* SPDX-License-Identifier: MIT */
/* The part of surfaces and buffers that both have: memory, the driver's list, handles. */
#include "hal/resource/resource.h"

#include "base/assert.h"
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/handles.h"

/* Maximum memory of one resource. A 32-bit process does not have much more in one piece. */
#define MAX_BYTES (sizeof(void *) == 8 ? (uint64_t)2 << 30 : (uint64_t)512 << 20)

struct hal_resource *hal_resource_from_lcl(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct hal_resource *resource = lcl ? (struct hal_resource *)lcl->dwReserved1 : NULL;

    return resource && resource->lcl == lcl ? resource : NULL;
}

DDSCAPSEX hal_resource_caps(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const DDSCAPSEX none = {0};

    return lcl->lpSurfMore ? lcl->lpSurfMore->ddsCapsEx : none;
}

HRESULT hal_resource_allocate(struct hal_resource *resource, uint64_t bytes)
{
    if (bytes > MAX_BYTES) {
        log_warn("CreateSurface: %llu bytes are too many", (unsigned long long)bytes);
        return DDERR_OUTOFVIDEOMEMORY;
    }
    resource->memory = mem_alloc_aligned((size_t)bytes + HAL_RESOURCE_SLACK);
    if (!resource->memory) {
        resource->driver->out_of_memory = true;
        return DDERR_OUTOFVIDEOMEMORY;
    }
    BASE_ASSERT((uintptr_t)resource->memory % 64 == 0);
    resource->bytes = (size_t)bytes;
    resource->owns_memory = true;
    return DD_OK;
}

/* Bytes of the driver's memory that it takes, without samples. */
static uint64_t video_bytes(const struct hal_resource *resource)
{
    return resource->owns_memory ? resource->bytes : 0;
}

void hal_resource_enlist(struct hal_resource *resource)
{
    struct hal_driver *driver = resource->driver;

    resource->next = driver->resources;
    resource->link = &driver->resources;
    if (resource->next)
        resource->next->link = &resource->next;
    driver->resources = resource;
    driver->resource_count++;
    driver->video_bytes += video_bytes(resource);
    resource->lcl->dwReserved1 = (ULONG_PTR)resource;
}

void hal_resource_delist(struct hal_resource *resource)
{
    struct hal_driver *driver = resource->driver;

    if (resource->handles && hal_handles_get(resource->handles, resource->handle) == resource)
        hal_handles_set(resource->handles, resource->handle, NULL);
    if (resource->lock_count && hal_resource_is_picture(resource))
        driver->locked_pictures--;
    driver->video_bytes -= video_bytes(resource);
    driver->resource_count--;
    *resource->link = resource->next;
    if (resource->next)
        resource->next->link = resource->link;
    if (resource->owns_memory)
        mem_free_aligned(resource->memory);
}
