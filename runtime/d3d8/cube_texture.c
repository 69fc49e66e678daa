/* SPDX-License-Identifier: MIT */
#include "runtime/d3d8/d3d8_objects.h"

/* NULL: no such face or level. */
static struct d3d8_surface *part(struct d3d8_texture *texture, D3DCUBEMAP_FACES face, UINT level)
{
    if ((unsigned)face >= 6 || level >= texture->levels)
        return NULL;
    return &texture->surfaces[(unsigned)face * texture->levels + level];
}

static HRESULT WINAPI cube_GetLevelDesc(IDirect3DCubeTexture8 *iface, UINT level, D3DSURFACE_DESC *desc)
{
    struct d3d8_surface *surface = part(d3d8_texture_of(iface), D3DCUBEMAP_FACE_POSITIVE_X, level);

    if (!surface || !desc)
        return D3DERR_INVALIDCALL;
    *desc = surface->desc;
    return D3D_OK;
}

static HRESULT WINAPI cube_GetCubeMapSurface(IDirect3DCubeTexture8 *iface, D3DCUBEMAP_FACES face, UINT level,
                                             IDirect3DSurface8 **out)
{
    struct d3d8_surface *surface = part(d3d8_texture_of(iface), face, level);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    if (!surface)
        return D3DERR_INVALIDCALL;
    *out = &surface->iface;
    IDirect3DSurface8_AddRef(*out);
    return D3D_OK;
}

static HRESULT WINAPI cube_LockRect(IDirect3DCubeTexture8 *iface, D3DCUBEMAP_FACES face, UINT level,
                                    D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);
    struct d3d8_surface *surface = part(texture, face, level);
    RT_LOCK(&texture->device->base);

    return surface ? d3d8_surface_lock(surface, locked, rect, flags) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI cube_UnlockRect(IDirect3DCubeTexture8 *iface, D3DCUBEMAP_FACES face, UINT level)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);
    struct d3d8_surface *surface = part(texture, face, level);
    RT_LOCK(&texture->device->base);

    return surface ? d3d8_surface_unlock(surface) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI cube_AddDirtyRect(IDirect3DCubeTexture8 *iface, D3DCUBEMAP_FACES face, const RECT *rect)
{
    if ((unsigned)face >= 6)
        return D3DERR_INVALIDCALL;
    return d3d8_texture_add_dirty_rect(d3d8_texture_of(iface), (unsigned)face, rect);
}

const IDirect3DCubeTexture8Vtbl d3d8_cube_texture_vtbl = {
    D3D8_TEXTURE_METHODS, cube_GetLevelDesc, cube_GetCubeMapSurface, cube_LockRect, cube_UnlockRect, cube_AddDirtyRect,
};
