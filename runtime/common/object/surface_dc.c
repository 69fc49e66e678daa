/* SPDX-License-Identifier: MIT */
/* GetDC and ReleaseDC: a device context over the memory of a locked surface. */
#include "runtime/common/object/surface_dc.h"

#include <d3d8.h>

#include "base/base.h"
#include "d3d/formats.h"
#include "runtime/common/device/device.h"

/* Argument of D3DKMTCreateDCFromMemory, the only function of GDI that makes a context for memory of the caller. */
struct dc_from_memory {
    void *memory;
    UINT format; /* D3DDDIFORMAT, whose numbers are those of D3DFORMAT */
    UINT width, height, pitch;
    HDC device_dc; /* DC whose device it is compatible with */
    PALETTEENTRY *colors;
    HDC dc;        /* out */
    HANDLE bitmap; /* out */
};
struct dc_to_destroy {
    HDC dc;
    HANDLE bitmap;
};

typedef LONG(WINAPI *create_dc)(struct dc_from_memory *desc);
typedef LONG(WINAPI *destroy_dc)(const struct dc_to_destroy *desc);

static FARPROC gdi_function(const char *name)
{
    return GetProcAddress(GetModuleHandleA("gdi32.dll"), name);
}

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
    const create_dc create = (create_dc)(void *)gdi_function("D3DKMTCreateDCFromMemory");
    struct dc_from_memory desc = {
        .format = surface->desc.format, .width = surface->desc.width, .height = surface->desc.height};
    D3DLOCKED_RECT locked;
    HRESULT hr;
    RT_LOCK(&surface->device->base);

    if (!dc || !create || !format_has_dc(surface->desc.format) || is_any_part_locked(surface))
        return D3DERR_INVALIDCALL;
    hr = rt_surface_lock(surface, &locked, NULL, 0);
    if (FAILED(hr))
        return hr;
    desc.memory = locked.pBits;
    desc.pitch = (UINT)locked.Pitch;
    desc.device_dc = CreateCompatibleDC(NULL);
    if (!desc.device_dc || create(&desc) != 0) {
        log_error("no device context for a %ux%u surface", surface->desc.width, surface->desc.height);
        if (desc.device_dc)
            DeleteDC(desc.device_dc);
        rt_surface_unlock(surface);
        return D3DERR_INVALIDCALL;
    }
    DeleteDC(desc.device_dc);
    surface->dc = desc.dc;
    surface->dc_bitmap = desc.bitmap;
    if (surface->texture)
        surface->texture->has_dc = true;
    *dc = desc.dc;
    return D3D_OK;
}

/* False: dc is not the device context of the surface. */
static bool end_dc(struct rt_surface *surface, HDC dc)
{
    const destroy_dc destroy = (destroy_dc)(void *)gdi_function("D3DKMTDestroyDCFromMemory");
    const struct dc_to_destroy desc = {dc, surface->dc_bitmap};

    if (!dc || !destroy || surface->dc != dc)
        return false;
    GdiFlush();
    destroy(&desc);
    surface->dc = NULL;
    surface->dc_bitmap = NULL;
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
    end_dc(surface, surface->dc);
    if (surface->locked && surface->chain && !surface->view)
        rt_chain_unlock(surface->chain, surface->part);
    rt_view_drop(surface->view);
    surface->view = NULL;
    surface->locked = false;
    surface->chain = NULL;
}
