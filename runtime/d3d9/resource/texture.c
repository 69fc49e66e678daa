/* SPDX-License-Identifier: MIT */
/* IDirect3DTexture9, IDirect3DCubeTexture9, IDirect3DVolumeTexture9: vtables over runtime/common/object/texture.h. */
#include "runtime/d3d9/resource/resources.h"

#include "runtime/common/object/methods.h"

const IID *const d3d9_texture_ids[] = {&IID_IDirect3DTexture9, &IID_IDirect3DBaseTexture9, &IID_IDirect3DResource9,
                                       &IID_IUnknown, NULL};
const IID *const d3d9_cube_texture_ids[] = {&IID_IDirect3DCubeTexture9, &IID_IDirect3DBaseTexture9,
                                            &IID_IDirect3DResource9, &IID_IUnknown, NULL};
const IID *const d3d9_volume_texture_ids[] = {&IID_IDirect3DVolumeTexture9, &IID_IDirect3DBaseTexture9,
                                              &IID_IDirect3DResource9, &IID_IUnknown, NULL};

/* --- generated levels --------------------------------------------------------------------- */

static HRESULT set_filter(void *iface, D3DTEXTUREFILTERTYPE filter)
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

static D3DTEXTUREFILTERTYPE get_filter(void *iface)
{
    return (D3DTEXTUREFILTERTYPE)rt_texture_of(iface)->mip_filter;
}

static void generate_levels(void *iface)
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

/* Those that version 9 adds to all textures. */
#define GENERATED_LEVEL_METHODS(X, I)                                                      \
    X(I, HRESULT, SetAutoGenFilterType, set_filter, (D3DTEXTUREFILTERTYPE, filter, VALUE)) \
    X(I, D3DTEXTUREFILTERTYPE, GetAutoGenFilterType, get_filter)                           \
    X(I, void, GenerateMipSubLevels, generate_levels)

#define TEXTURE_METHODS(X, I)                                     \
    RT_TEXTURE_METHODS(X, I, IDirect3DDevice9, IDirect3DSurface9) \
    GENERATED_LEVEL_METHODS(X, I)
#define CUBE_METHODS(X, I)                                     \
    RT_CUBE_METHODS(X, I, IDirect3DDevice9, IDirect3DSurface9) \
    GENERATED_LEVEL_METHODS(X, I)
#define VOLUMES_METHODS(X, I)                                    \
    RT_VOLUMES_METHODS(X, I, IDirect3DDevice9, IDirect3DVolume9) \
    GENERATED_LEVEL_METHODS(X, I)

TEXTURE_METHODS(RT_METHOD, IDirect3DTexture9)
CUBE_METHODS(RT_METHOD, IDirect3DCubeTexture9)
VOLUMES_METHODS(RT_METHOD, IDirect3DVolumeTexture9)

/* clang-format off */
const IDirect3DTexture9Vtbl d3d9_texture_vtbl = {
    TEXTURE_METHODS(RT_ENTRY, IDirect3DTexture9)
    .GetLevelDesc = texture_GetLevelDesc,
};
/* clang-format on */

/* clang-format off */
const IDirect3DCubeTexture9Vtbl d3d9_cube_texture_vtbl = {
    CUBE_METHODS(RT_ENTRY, IDirect3DCubeTexture9)
    .GetLevelDesc = cube_GetLevelDesc,
};
/* clang-format on */

/* clang-format off */
const IDirect3DVolumeTexture9Vtbl d3d9_volume_texture_vtbl = {
    VOLUMES_METHODS(RT_ENTRY, IDirect3DVolumeTexture9)
    .GetLevelDesc = volumes_GetLevelDesc,
};
/* clang-format on */
