/* SPDX-License-Identifier: MIT */
/* IDirect3DTexture8: what only two-dimensional textures have. */
#include "runtime/d3d8/d3d8_objects.h"

static HRESULT WINAPI texture_GetLevelDesc(IDirect3DTexture8 *iface, UINT level, D3DSURFACE_DESC *desc)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);

    if (level >= texture->levels || !desc)
        return D3DERR_INVALIDCALL;
    *desc = texture->surfaces[level].desc;
    return D3D_OK;
}

static HRESULT WINAPI texture_GetSurfaceLevel(IDirect3DTexture8 *iface, UINT level, IDirect3DSurface8 **surface)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);

    if (!surface)
        return D3DERR_INVALIDCALL;
    if (level >= texture->levels) {
        *surface = NULL;
        return D3DERR_INVALIDCALL;
    }
    *surface = &texture->surfaces[level].iface;
    IDirect3DSurface8_AddRef(*surface);
    return D3D_OK;
}

static HRESULT WINAPI texture_LockRect(IDirect3DTexture8 *iface, UINT level, D3DLOCKED_RECT *locked, const RECT *rect,
                                       DWORD flags)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);
    RT_LOCK(&texture->device->base);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return d3d8_surface_lock(&texture->surfaces[level], locked, rect, flags);
}

static HRESULT WINAPI texture_UnlockRect(IDirect3DTexture8 *iface, UINT level)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);
    RT_LOCK(&texture->device->base);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return d3d8_surface_unlock(&texture->surfaces[level]);
}

static HRESULT WINAPI texture_AddDirtyRect(IDirect3DTexture8 *iface, const RECT *rect)
{
    return d3d8_texture_add_dirty_rect(d3d8_texture_of(iface), 0, rect);
}

const IDirect3DTexture8Vtbl d3d8_texture_vtbl = {
    D3D8_TEXTURE_METHODS, texture_GetLevelDesc, texture_GetSurfaceLevel,
    texture_LockRect,     texture_UnlockRect,   texture_AddDirtyRect,
};
