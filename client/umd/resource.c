/* SPDX-License-Identifier: MIT */
/* Resources of a device, and the sizes of their sub-resources as the caller's structures give them. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

struct bridge_surface *bridge_surface_of(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct bridge_surface *surface = lcl ? (struct bridge_surface *)lcl->dwReserved1 : NULL;

    return surface && surface->lcl == lcl ? surface : NULL;
}

HALCYON_UMD_SURFACE bridge_place(const struct bridge_surface *surface)
{
    if (!surface || !surface->resource)
        return (HALCYON_UMD_SURFACE){NULL, 0};
    return (HALCYON_UMD_SURFACE){surface->resource->handle, surface->part};
}

/* --- sizes ------------------------------------------------------------------------------------------ */

static unsigned halved(unsigned size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

struct bridge_size bridge_size_of(const DDRAWI_DDRAWSURFACE_LCL *lcl, unsigned level)
{
    const DDSCAPSEX *ex = &lcl->lpSurfMore->ddsCapsEx;
    const unsigned depth = ex->dwCaps2 & DDSCAPS2_VOLUME ? ex->dwCaps4 & 0xFFFF : 1;

    return (struct bridge_size){halved(lcl->lpGbl->wWidth, level), halved(lcl->lpGbl->wHeight, level),
                                halved(depth, level)};
}

struct bridge_level bridge_level_of(const DDRAWI_DDRAWSURFACE_LCL *lcl, uint32_t format, size_t pitch,
                                    size_t slice_pitch, unsigned level)
{
    struct bridge_level place = {.end = 0};

    for (unsigned i = 0; i <= level; i++) {
        place.size = bridge_size_of(lcl, i);
        place.rows = client_row_count(format, place.size.height);
        place.offset = place.end;
        place.pitch = i ? client_row_pitch(format, place.size.width) : pitch;
        place.slice_pitch = i || !slice_pitch ? place.pitch * place.rows : slice_pitch;
        place.end = place.offset + place.slice_pitch * place.size.depth;
    }
    place.row_bytes = client_row_bytes(format, place.size.width);
    return place;
}

/* --- life -------------------------------------------------------------------------------------------- */

HRESULT bridge_resource_create(struct bridge_local *local, D3DDDIARG_CREATERESOURCE *args,
                               struct bridge_resource **result)
{
    struct bridge_resource *resource = mem_calloc(1, sizeof(*resource));
    HRESULT hr;

    if (!resource)
        return DDERR_OUTOFMEMORY;
    args->hResource = resource; /* the runtime's handle, for callbacks */
    hr = local->f.pfnCreateResource(local->device, args);
    if (FAILED(hr)) {
        free(resource);
        return bridge_result(hr, DDERR_INVALIDPIXELFORMAT);
    }
    *resource = (struct bridge_resource){
        .local = local,
        .handle = args->hResource,
        .count = args->SurfCount,
        .levels = args->MipLevels ? args->MipLevels : 1,
        .flags = args->Flags,
        .format = args->Flags.VertexBuffer || args->Flags.IndexBuffer ? 0 : args->Format,
        .in_system_memory = args->Pool == D3DDDIPOOL_SYSTEMMEM,
    };
    *result = resource;
    return DD_OK;
}

void bridge_resource_release(struct bridge_resource *resource)
{
    struct bridge_local *local = resource->local;

    if (--resource->surfaces)
        return;
    if (local->device)
        local->f.pfnDestroyResource(local->device, resource->handle);
    free(resource);
}

HRESULT bridge_lock_part(struct bridge_resource *resource, unsigned part, UINT flags, D3DDDIARG_LOCK *lock)
{
    struct bridge_local *local = resource->local;

    *lock = (D3DDDIARG_LOCK){.hResource = resource->handle, .SubResourceIndex = part};
    lock->Flags.Value = flags;
    return local->device ? local->f.pfnLock(local->device, lock) : E_FAIL;
}

void bridge_unlock_part(struct bridge_resource *resource, unsigned part)
{
    const D3DDDIARG_UNLOCK args = {.hResource = resource->handle, .SubResourceIndex = part};

    if (resource->local->device)
        resource->local->f.pfnUnlock(resource->local->device, &args);
}
