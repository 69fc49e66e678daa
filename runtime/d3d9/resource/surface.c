/* SPDX-License-Identifier: MIT */
/* IDirect3DSurface9 and IDirect3DVolume9: vtables over runtime/common/object. */
#include "runtime/d3d9/resource/resources.h"

#include "runtime/common/object/methods.h"
#include "runtime/common/object/surface_dc.h"

const IID *const d3d9_surface_ids[] = {&IID_IDirect3DSurface9, &IID_IDirect3DResource9, &IID_IUnknown, NULL};
const IID *const d3d9_volume_ids[] = {&IID_IDirect3DVolume9, &IID_IUnknown, NULL};

static HRESULT WINAPI surface_GetDesc(IDirect3DSurface9 *iface, D3DSURFACE_DESC *out)
{
    const struct rt_surface_desc *desc = &rt_surface_of(iface)->desc;

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = (D3DSURFACE_DESC){.Format = (D3DFORMAT)desc->format,
                             .Type = D3DRTYPE_SURFACE,
                             .Usage = desc->usage,
                             .Pool = desc->pool,
                             .MultiSampleType = (D3DMULTISAMPLE_TYPE)desc->samples,
                             .MultiSampleQuality = desc->quality,
                             .Width = desc->width,
                             .Height = desc->height};
    return D3D_OK;
}

#define SURFACE_METHODS(X, I)                                                                 \
    RT_SURFACE_METHODS(X, I, IDirect3DDevice9)                                                \
    RT_PRIORITY_METHODS(X, I, rt_object_SetNoPriority, rt_object_PreLoad, rt_surface_GetType) \
    X(I, HRESULT, GetDC, rt_surface_GetDC, (HDC *, dc, VALUE))                                \
    X(I, HRESULT, ReleaseDC, rt_surface_ReleaseDC, (HDC, dc, VALUE))

SURFACE_METHODS(RT_METHOD, IDirect3DSurface9)

/* clang-format off */
const IDirect3DSurface9Vtbl d3d9_surface_vtbl = {
    SURFACE_METHODS(RT_ENTRY, IDirect3DSurface9)
    .GetDesc = surface_GetDesc,
};
/* clang-format on */

static HRESULT WINAPI volume_GetDesc(IDirect3DVolume9 *iface, D3DVOLUME_DESC *out)
{
    const struct rt_volume *volume = rt_volume_of(iface);
    const struct rt_texture *texture = volume->texture;

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = (D3DVOLUME_DESC){.Format = (D3DFORMAT)texture->format,
                            .Type = D3DRTYPE_VOLUME,
                            .Usage = texture->usage,
                            .Pool = texture->pool,
                            .Width = volume->width,
                            .Height = volume->height,
                            .Depth = volume->depth};
    return D3D_OK;
}

RT_VOLUME_METHODS(RT_METHOD, IDirect3DVolume9, IDirect3DDevice9)

/* clang-format off */
const IDirect3DVolume9Vtbl d3d9_volume_vtbl = {
    RT_VOLUME_METHODS(RT_ENTRY, IDirect3DVolume9, IDirect3DDevice9)
    .GetDesc = volume_GetDesc,
};
/* clang-format on */
