/* SPDX-License-Identifier: MIT */
/* Vtables of what a device creates, and the methods that describe it in the structures of version 8. */
#include "runtime/d3d8/d3d8_objects.h"

#include "runtime/common/object/methods.h"

/* --- surfaces and volumes -------------------------------------------------------------- */

static HRESULT WINAPI surface_GetDesc(IDirect3DSurface8 *iface, D3DSURFACE_DESC *desc)
{
    const struct rt_surface_desc *d = &rt_surface_of(iface)->desc;

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DSURFACE_DESC){.Format = (D3DFORMAT)d->format,
                              .Type = D3DRTYPE_SURFACE,
                              .Usage = d->usage,
                              .Pool = d->pool,
                              .Size = rt_surface_bytes(d),
                              .MultiSampleType = (D3DMULTISAMPLE_TYPE)d->samples,
                              .Width = d->width,
                              .Height = d->height};
    return D3D_OK;
}

static HRESULT WINAPI volume_GetDesc(IDirect3DVolume8 *iface, D3DVOLUME_DESC *desc)
{
    const struct rt_volume *volume = rt_volume_of(iface);

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DVOLUME_DESC){.Format = (D3DFORMAT)volume->texture->format,
                             .Type = D3DRTYPE_VOLUME,
                             .Usage = volume->texture->usage,
                             .Pool = volume->texture->pool,
                             .Size = rt_volume_bytes(volume),
                             .Width = volume->width,
                             .Height = volume->height,
                             .Depth = volume->depth};
    return D3D_OK;
}

RT_SURFACE_METHODS(RT_METHOD, IDirect3DSurface8, IDirect3DDevice8)

/* clang-format off */
const IDirect3DSurface8Vtbl d3d8_surface_vtbl = {
    RT_SURFACE_METHODS(RT_ENTRY, IDirect3DSurface8, IDirect3DDevice8)
    .GetDesc = surface_GetDesc,
};
/* clang-format on */

RT_VOLUME_METHODS(RT_METHOD, IDirect3DVolume8, IDirect3DDevice8)

/* clang-format off */
const IDirect3DVolume8Vtbl d3d8_volume_vtbl = {
    RT_VOLUME_METHODS(RT_ENTRY, IDirect3DVolume8, IDirect3DDevice8)
    .GetDesc = volume_GetDesc,
};
/* clang-format on */

/* --- textures -------------------------------------------------------------------------- */

/* For 2D textures, and for cubes, whose faces are alike. */
static HRESULT describe_level(struct rt_texture *texture, UINT level, D3DSURFACE_DESC *desc)
{
    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return surface_GetDesc((IDirect3DSurface8 *)&texture->surfaces[level], desc);
}

static HRESULT WINAPI texture_GetLevelDesc(IDirect3DTexture8 *iface, UINT level, D3DSURFACE_DESC *desc)
{
    return describe_level(rt_texture_of(iface), level, desc);
}

static HRESULT WINAPI cube_GetLevelDesc(IDirect3DCubeTexture8 *iface, UINT level, D3DSURFACE_DESC *desc)
{
    return describe_level(rt_texture_of(iface), level, desc);
}

static HRESULT WINAPI volumes_GetLevelDesc(IDirect3DVolumeTexture8 *iface, UINT level, D3DVOLUME_DESC *desc)
{
    struct rt_texture *texture = rt_texture_of(iface);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return volume_GetDesc((IDirect3DVolume8 *)&texture->volumes[level], desc);
}

RT_TEXTURE_METHODS(RT_METHOD, IDirect3DTexture8, IDirect3DDevice8, IDirect3DSurface8)

/* clang-format off */
const IDirect3DTexture8Vtbl d3d8_texture_vtbl = {
    RT_TEXTURE_METHODS(RT_ENTRY, IDirect3DTexture8, IDirect3DDevice8, IDirect3DSurface8)
    .GetLevelDesc = texture_GetLevelDesc,
};
/* clang-format on */

RT_CUBE_METHODS(RT_METHOD, IDirect3DCubeTexture8, IDirect3DDevice8, IDirect3DSurface8)

/* clang-format off */
const IDirect3DCubeTexture8Vtbl d3d8_cube_texture_vtbl = {
    RT_CUBE_METHODS(RT_ENTRY, IDirect3DCubeTexture8, IDirect3DDevice8, IDirect3DSurface8)
    .GetLevelDesc = cube_GetLevelDesc,
};
/* clang-format on */

RT_VOLUMES_METHODS(RT_METHOD, IDirect3DVolumeTexture8, IDirect3DDevice8, IDirect3DVolume8)

/* clang-format off */
const IDirect3DVolumeTexture8Vtbl d3d8_volume_texture_vtbl = {
    RT_VOLUMES_METHODS(RT_ENTRY, IDirect3DVolumeTexture8, IDirect3DDevice8, IDirect3DVolume8)
    .GetLevelDesc = volumes_GetLevelDesc,
};
/* clang-format on */

/* --- buffers --------------------------------------------------------------------------- */

static HRESULT WINAPI vertex_GetDesc(IDirect3DVertexBuffer8 *iface, D3DVERTEXBUFFER_DESC *desc)
{
    const struct rt_buffer_desc *d = &rt_buffer_of(iface)->desc;

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DVERTEXBUFFER_DESC){(D3DFORMAT)d->format, d->type, d->usage, d->pool, d->length, d->fvf};
    return D3D_OK;
}

static HRESULT WINAPI index_GetDesc(IDirect3DIndexBuffer8 *iface, D3DINDEXBUFFER_DESC *desc)
{
    const struct rt_buffer_desc *d = &rt_buffer_of(iface)->desc;

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DINDEXBUFFER_DESC){(D3DFORMAT)d->format, d->type, d->usage, d->pool, d->length};
    return D3D_OK;
}

RT_BUFFER_METHODS(RT_METHOD, IDirect3DVertexBuffer8, IDirect3DDevice8, BYTE)

/* clang-format off */
const IDirect3DVertexBuffer8Vtbl d3d8_vertex_buffer_vtbl = {
    RT_BUFFER_METHODS(RT_ENTRY, IDirect3DVertexBuffer8, IDirect3DDevice8, BYTE)
    .GetDesc = vertex_GetDesc,
};
/* clang-format on */
RT_BUFFER_METHODS(RT_METHOD, IDirect3DIndexBuffer8, IDirect3DDevice8, BYTE)

/* clang-format off */
const IDirect3DIndexBuffer8Vtbl d3d8_index_buffer_vtbl = {
    RT_BUFFER_METHODS(RT_ENTRY, IDirect3DIndexBuffer8, IDirect3DDevice8, BYTE)
    .GetDesc = index_GetDesc,
};
/* clang-format on */

/* --- swap chains ----------------------------------------------------------------------- */

static HRESULT WINAPI swapchain_Present(IDirect3DSwapChain8 *iface, const RECT *source, const RECT *destination,
                                        HWND window, const RGNDATA *dirty)
{
    struct rt_swapchain *swapchain = rt_swapchain_of(iface);
    RT_LOCK(&swapchain->device->base);

    return rt_swapchain_present(swapchain, source, destination, window, dirty);
}

static HRESULT WINAPI swapchain_GetBackBuffer(IDirect3DSwapChain8 *iface, UINT index, D3DBACKBUFFER_TYPE type,
                                              IDirect3DSurface8 **surface)
{
    (void)type; /* no stereo: every value means the same buffer */
    if (!surface)
        return D3DERR_INVALIDCALL;
    return rt_swapchain_back_buffer(rt_swapchain_of(iface), index, (struct rt_surface **)surface);
}

RT_UNKNOWN_METHODS(RT_METHOD, IDirect3DSwapChain8)

/* clang-format off */
const IDirect3DSwapChain8Vtbl d3d8_swapchain_vtbl = {
    RT_UNKNOWN_METHODS(RT_ENTRY, IDirect3DSwapChain8)
    .Present = swapchain_Present,
    .GetBackBuffer = swapchain_GetBackBuffer,
};
/* clang-format on */
