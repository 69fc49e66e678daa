/* SPDX-License-Identifier: MIT */
/* The sizes of resources of Direct3D 8. */
#include "tools/import/player/player.h"

#include <d3d8.h>

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

bool player_size8(IUnknown *iface, enum import_class class, uint32_t level, struct player_size *size)
{
    D3DSURFACE_DESC surface = {0};
    D3DVOLUME_DESC volume = {0};
    D3DVERTEXBUFFER_DESC vertices = {0};
    D3DINDEXBUFFER_DESC indices = {0};
    HRESULT hr;

    switch (class) {
    case CLASS_IDirect3DSurface8:
        return of_surface(IDirect3DSurface8_GetDesc((IDirect3DSurface8 *)iface, &surface), &surface, size);
    case CLASS_IDirect3DTexture8:
        return of_surface(IDirect3DTexture8_GetLevelDesc((IDirect3DTexture8 *)iface, level, &surface), &surface, size);
    case CLASS_IDirect3DCubeTexture8:
        return of_surface(IDirect3DCubeTexture8_GetLevelDesc((IDirect3DCubeTexture8 *)iface, level, &surface), &surface,
                          size);
    case CLASS_IDirect3DVolume8:
        return of_volume(IDirect3DVolume8_GetDesc((IDirect3DVolume8 *)iface, &volume), &volume, size);
    case CLASS_IDirect3DVolumeTexture8:
        return of_volume(IDirect3DVolumeTexture8_GetLevelDesc((IDirect3DVolumeTexture8 *)iface, level, &volume),
                         &volume, size);
    case CLASS_IDirect3DVertexBuffer8:
        hr = IDirect3DVertexBuffer8_GetDesc((IDirect3DVertexBuffer8 *)iface, &vertices);
        size->bytes = vertices.Size;
        return SUCCEEDED(hr);
    case CLASS_IDirect3DIndexBuffer8:
        hr = IDirect3DIndexBuffer8_GetDesc((IDirect3DIndexBuffer8 *)iface, &indices);
        size->bytes = indices.Size;
        return SUCCEEDED(hr);
    default:
        return false;
    }
}
