/* SPDX-License-Identifier: MIT */
/* The sizes of resources of Direct3D 9. */
#include "tools/import/player/player.h"

#include <d3d9.h>

static bool of_surface(HRESULT hr, const D3DSURFACE_DESC *desc, struct player_size *size)
{
    *size = (struct player_size){(uint32_t)desc->Format, desc->Width, desc->Height, 1, 0};
    return SUCCEEDED(hr);
}

static bool of_volume(HRESULT hr, const D3DVOLUME_DESC *desc, struct player_size *size)
{
    *size = (struct player_size){(uint32_t)desc->Format, desc->Width, desc->Height, desc->Depth, 0};
    return SUCCEEDED(hr);
}

bool player_size9(IUnknown *iface, enum import_class class, uint32_t level, struct player_size *size)
{
    D3DSURFACE_DESC surface = {0};
    D3DVOLUME_DESC volume = {0};
    D3DVERTEXBUFFER_DESC vertices = {0};
    D3DINDEXBUFFER_DESC indices = {0};
    HRESULT hr;

    switch (class) {
    case CLASS_IDirect3DSurface9:
        return of_surface(IDirect3DSurface9_GetDesc((IDirect3DSurface9 *)iface, &surface), &surface, size);
    case CLASS_IDirect3DTexture9:
        return of_surface(IDirect3DTexture9_GetLevelDesc((IDirect3DTexture9 *)iface, level, &surface), &surface, size);
    case CLASS_IDirect3DCubeTexture9:
        return of_surface(IDirect3DCubeTexture9_GetLevelDesc((IDirect3DCubeTexture9 *)iface, level, &surface), &surface,
                          size);
    case CLASS_IDirect3DVolume9:
        return of_volume(IDirect3DVolume9_GetDesc((IDirect3DVolume9 *)iface, &volume), &volume, size);
    case CLASS_IDirect3DVolumeTexture9:
        return of_volume(IDirect3DVolumeTexture9_GetLevelDesc((IDirect3DVolumeTexture9 *)iface, level, &volume),
                         &volume, size);
    case CLASS_IDirect3DVertexBuffer9:
        hr = IDirect3DVertexBuffer9_GetDesc((IDirect3DVertexBuffer9 *)iface, &vertices);
        size->bytes = vertices.Size;
        return SUCCEEDED(hr);
    case CLASS_IDirect3DIndexBuffer9:
        hr = IDirect3DIndexBuffer9_GetDesc((IDirect3DIndexBuffer9 *)iface, &indices);
        size->bytes = indices.Size;
        return SUCCEEDED(hr);
    default:
        return false;
    }
}
