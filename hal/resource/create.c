/* SPDX-License-Identifier: MIT */
/* The life of a resource, from its DirectDraw surface: creation as the type that the surface's capabilities say, and the
 * calls that take either type. */
#include "d3d/ddi.h"
#include "hal/resource/buffer.h"
#include "hal/resource/resource.h"
#include "hal/resource/surface.h"

HRESULT hal_resource_create(struct hal_driver *driver, DDRAWI_DDRAWSURFACE_LCL *lcl, bool system_memory)
{
    if (!lcl || !lcl->lpGbl)
        return DDERR_INVALIDPARAMS;
    if (lcl->ddsCaps.dwCaps & DDSCAPS_EXECUTEBUFFER)
        return hal_buffer_create(driver, lcl, system_memory);
    return hal_surface_create(driver, lcl, system_memory);
}

HRESULT hal_resource_refresh(struct hal_resource *resource)
{
    struct hal_buffer *buffer = hal_as_buffer(resource);

    return buffer ? hal_buffer_refresh(buffer) : hal_surface_refresh(hal_as_surface(resource));
}

void hal_resource_free(struct hal_resource *resource)
{
    struct hal_buffer *buffer = hal_as_buffer(resource);

    if (buffer)
        hal_buffer_free(buffer);
    else
        hal_surface_free(hal_as_surface(resource));
}

void hal_resource_destroy(DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct hal_resource *resource = hal_resource_from_lcl(lcl);

    if (!resource)
        return;
    lcl->dwReserved1 = 0;
    if (resource->owns_memory && lcl->lpGbl)
        lcl->lpGbl->fpVidMem = 0;
    hal_resource_free(resource);
}
