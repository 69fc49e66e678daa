/* SPDX-License-Identifier: MIT */
/* IDirect3DTexture9, IDirect3DCubeTexture9, IDirect3DVolumeTexture9: vtables over runtime/common/object/texture.h. */
#include "runtime/d3d9/resource/resources.h"

const IID *const d3d9_texture_ids[] = {&IID_IDirect3DTexture9, &IID_IDirect3DBaseTexture9, &IID_IDirect3DResource9,
                                       &IID_IUnknown, NULL};
const IID *const d3d9_cube_texture_ids[] = {&IID_IDirect3DCubeTexture9, &IID_IDirect3DBaseTexture9,
                                            &IID_IDirect3DResource9, &IID_IUnknown, NULL};
const IID *const d3d9_volume_texture_ids[] = {&IID_IDirect3DVolumeTexture9, &IID_IDirect3DBaseTexture9,
                                              &IID_IDirect3DResource9, &IID_IUnknown, NULL};

/* --- generated levels --------------------------------------------------------------------- */

HRESULT WINAPI d3d9_texture_SetAutoGenFilterType(void *iface, D3DTEXTUREFILTERTYPE filter)
{
    struct rt_texture *texture = rt_texture_of(iface);
    RT_LOCK(&texture->device->base);

    if (filter == D3DTEXF_NONE)
        return D3DERR_INVALIDCALL;
    if (texture->mip_filter != (uint32_t)filter)
        texture->mips_stale = texture->generates_mips;
    texture->mip_filter = filter;
    return D3D_OK;
}

D3DTEXTUREFILTERTYPE WINAPI d3d9_texture_GetAutoGenFilterType(void *iface)
{
    return (D3DTEXTUREFILTERTYPE)rt_texture_of(iface)->mip_filter;
}

void WINAPI d3d9_texture_GenerateMipSubLevels(void *iface)
{
    struct rt_texture *texture = rt_texture_of(iface);
    RT_LOCK(&texture->device->base);

    rt_texture_generate_mips(texture);
}

/* --- descriptions ------------------------------------------------------------------------- */

static HRESULT get_level_desc(struct rt_texture *texture, UINT level, D3DSURFACE_DESC *desc)
{
    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return IDirect3DSurface9_GetDesc((IDirect3DSurface9 *)&texture->surfaces[level], desc);
}

static HRESULT WINAPI texture_GetLevelDesc(IDirect3DTexture9 *iface, UINT level, D3DSURFACE_DESC *desc)
{
    return get_level_desc(rt_texture_of(iface), level, desc);
}

static HRESULT WINAPI cube_GetLevelDesc(IDirect3DCubeTexture9 *iface, UINT level, D3DSURFACE_DESC *desc)
{
    return get_level_desc(rt_texture_of(iface), level, desc);
}

static HRESULT WINAPI volumes_GetLevelDesc(IDirect3DVolumeTexture9 *iface, UINT level, D3DVOLUME_DESC *desc)
{
    struct rt_texture *texture = rt_texture_of(iface);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return IDirect3DVolume9_GetDesc((IDirect3DVolume9 *)&texture->volumes[level], desc);
}

/* --- vtables ------------------------------------------------------------------------------ */

const IDirect3DTexture9Vtbl d3d9_texture_vtbl = {
    D3D9_TEXTURE_METHODS,        texture_GetLevelDesc,          (void *)rt_texture_GetSurfaceLevel,
    (void *)rt_texture_LockRect, (void *)rt_texture_UnlockRect, (void *)rt_texture_AddDirtyRect,
};

const IDirect3DCubeTexture9Vtbl d3d9_cube_texture_vtbl = {
    D3D9_TEXTURE_METHODS,     cube_GetLevelDesc,          (void *)rt_cube_GetCubeMapSurface,
    (void *)rt_cube_LockRect, (void *)rt_cube_UnlockRect, (void *)rt_cube_AddDirtyRect,
};

const IDirect3DVolumeTexture9Vtbl d3d9_volume_texture_vtbl = {
    D3D9_TEXTURE_METHODS,       volumes_GetLevelDesc,         (void *)rt_volumes_GetVolumeLevel,
    (void *)rt_volumes_LockBox, (void *)rt_volumes_UnlockBox, (void *)rt_volumes_AddDirtyBox,
};
