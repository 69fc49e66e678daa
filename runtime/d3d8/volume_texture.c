/* SPDX-License-Identifier: MIT */
#include "runtime/d3d8/d3d8_objects.h"

static HRESULT WINAPI volumes_GetLevelDesc(IDirect3DVolumeTexture8 *iface, UINT level, D3DVOLUME_DESC *desc)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);

    if (level >= texture->levels || !desc)
        return D3DERR_INVALIDCALL;
    *desc = texture->volumes[level].desc;
    return D3D_OK;
}

static HRESULT WINAPI volumes_GetVolumeLevel(IDirect3DVolumeTexture8 *iface, UINT level, IDirect3DVolume8 **volume)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);

    if (!volume)
        return D3DERR_INVALIDCALL;
    *volume = NULL;
    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    *volume = &texture->volumes[level].iface;
    IDirect3DVolume8_AddRef(*volume);
    return D3D_OK;
}

static HRESULT WINAPI volumes_LockBox(IDirect3DVolumeTexture8 *iface, UINT level, D3DLOCKED_BOX *locked,
                                      const D3DBOX *box, DWORD flags)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);
    RT_LOCK(&texture->device->base);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return d3d8_volume_lock(&texture->volumes[level], locked, box, flags);
}

static HRESULT WINAPI volumes_UnlockBox(IDirect3DVolumeTexture8 *iface, UINT level)
{
    struct d3d8_texture *texture = d3d8_texture_of(iface);
    RT_LOCK(&texture->device->base);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return d3d8_volume_unlock(&texture->volumes[level]);
}

static HRESULT WINAPI volumes_AddDirtyBox(IDirect3DVolumeTexture8 *iface, const D3DBOX *box)
{
    return d3d8_texture_add_dirty_box(d3d8_texture_of(iface), 0, box);
}

const IDirect3DVolumeTexture8Vtbl d3d8_volume_texture_vtbl = {
    D3D8_TEXTURE_METHODS, volumes_GetLevelDesc, volumes_GetVolumeLevel,
    volumes_LockBox,      volumes_UnlockBox,    volumes_AddDirtyBox,
};
