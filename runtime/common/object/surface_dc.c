/* SPDX-License-Identifier: MIT */
/* GetDC and ReleaseDC: a device context over the memory of a locked surface. */
#include "runtime/common/object/surface_dc.h"

#include <d3d8.h>

#include "base/base.h"
#include "d3d/formats.h"
#include "runtime/common/device/device.h"
#include "runtime/common/object/surface_twin.h"

static bool format_has_dc(uint32_t format)
{
    switch (format) {
    case D3D_FORMAT_R8G8B8:
    case D3D_FORMAT_X8R8G8B8:
    case D3D_FORMAT_A8R8G8B8:
    case D3D_FORMAT_R5G6B5:
    case D3D_FORMAT_X1R5G5B5:
    case D3D_FORMAT_A1R5G5B5:
        return true;
    default:
        return false;
    }
}

/* A context locks all levels and faces of a texture. */
static bool is_any_part_locked(const struct rt_surface *surface)
{
    const struct rt_texture *texture = surface->texture;

    if (!texture)
        return surface->locked;
    for (unsigned i = 0; i < texture->levels * texture->faces; i++)
        if (texture->surfaces[i].locked)
            return true;
    return texture->has_dc;
}

HRESULT WINAPI rt_surface_GetDC(void *iface, HDC *dc)
{
    struct rt_surface *surface = rt_surface_of(iface);
    D3DLOCKED_RECT locked;
    HRESULT hr;
    RT_LOCK(&surface->device->base);

    if (!dc || !format_has_dc(surface->desc.format) || is_any_part_locked(surface))
        return D3DERR_INVALIDCALL;
    hr = rt_surface_lock(surface, &locked, NULL, 0);
    if (FAILED(hr))
        return hr;
    if (!rt_memory_dc_create(&surface->dc, locked.pBits, surface->desc.format, surface->desc.width,
                             surface->desc.height, (size_t)locked.Pitch, NULL)) {
        rt_surface_unlock(surface);
        return D3DERR_INVALIDCALL;
    }
    if (surface->texture)
        surface->texture->has_dc = true;
    *dc = surface->dc.dc;
    return D3D_OK;
}

/* False: dc is not the device context of the surface. */
static bool end_dc(struct rt_surface *surface, HDC dc)
{
    if (!dc || surface->dc.dc != dc)
        return false;
    rt_memory_dc_destroy(&surface->dc);
    if (surface->texture)
        surface->texture->has_dc = false;
    return true;
}

HRESULT WINAPI rt_surface_ReleaseDC(void *iface, HDC dc)
{
    struct rt_surface *surface = rt_surface_of(iface);
    RT_LOCK(&surface->device->base);

    return end_dc(surface, dc) ? rt_surface_unlock(surface) : D3DERR_INVALIDCALL;
}

void rt_surface_lose_memory(struct rt_surface *surface)
{
    struct rt_chain *chain = rt_surface_video(surface);

    end_dc(surface, surface->dc.dc);
    if (surface->locked && chain && !surface->view)
        rt_chain_unlock(chain, rt_surface_part(surface, chain));
    rt_view_drop(surface->view);
    surface->view = NULL;
    surface->locked = false;
    rt_surface_free_twin(surface);
    surface->chain = NULL;
}
