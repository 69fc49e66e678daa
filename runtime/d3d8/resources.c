/* SPDX-License-Identifier: MIT */
/* Vtables of what a device creates, and the methods that describe it in the structures of version 8. */
#include "runtime/d3d8/d3d8_objects.h"

/* clang-format off */
/* The first entries of every vtable, of those of IDirect3DResource8, and of those of textures. */
#define UNKNOWN_METHODS \
    (void *)rt_object_QueryInterface, (void *)rt_object_AddRef, (void *)rt_object_Release
#define OBJECT_METHODS \
    UNKNOWN_METHODS, (void *)rt_object_GetDevice, (void *)rt_object_SetPrivateData, \
    (void *)rt_object_GetPrivateData, (void *)rt_object_FreePrivateData
#define RESOURCE_METHODS(set_priority, pre_load, get_type) \
    OBJECT_METHODS, (void *)set_priority, (void *)rt_object_GetPriority, (void *)pre_load, (void *)get_type
#define BUFFER_METHODS \
    RESOURCE_METHODS(rt_buffer_SetPriority, rt_object_PreLoad, rt_buffer_GetType), \
    (void *)rt_buffer_Lock, (void *)rt_buffer_Unlock
#define TEXTURE_METHODS \
    RESOURCE_METHODS(rt_texture_SetPriority, rt_texture_PreLoad, rt_texture_GetType), \
    (void *)rt_texture_SetLOD, (void *)rt_texture_GetLOD, (void *)rt_texture_GetLevelCount
/* clang-format on */

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

const IDirect3DSurface8Vtbl d3d8_surface_vtbl = {
    OBJECT_METHODS,
    (void *)rt_surface_GetContainer,
    surface_GetDesc,
    (void *)rt_surface_LockRect,
    (void *)rt_surface_UnlockRect,
};

const IDirect3DVolume8Vtbl d3d8_volume_vtbl = {
    OBJECT_METHODS,
    (void *)rt_volume_GetContainer,
    volume_GetDesc,
    (void *)rt_volume_LockBox,
    (void *)rt_volume_UnlockBox,
};

/* --- textures -------------------------------------------------------------------------- */

/* For 2D textures, and for cubes, whose faces are alike. */
static HRESULT WINAPI texture_GetLevelDesc(void *iface, UINT level, D3DSURFACE_DESC *desc)
{
    struct rt_texture *texture = rt_texture_of(iface);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return surface_GetDesc((IDirect3DSurface8 *)&texture->surfaces[level], desc);
}

static HRESULT WINAPI volumes_GetLevelDesc(IDirect3DVolumeTexture8 *iface, UINT level, D3DVOLUME_DESC *desc)
{
    struct rt_texture *texture = rt_texture_of(iface);

    if (level >= texture->levels)
        return D3DERR_INVALIDCALL;
    return volume_GetDesc((IDirect3DVolume8 *)&texture->volumes[level], desc);
}

const IDirect3DTexture8Vtbl d3d8_texture_vtbl = {
    TEXTURE_METHODS,
    (void *)texture_GetLevelDesc,
    (void *)rt_texture_GetSurfaceLevel,
    (void *)rt_texture_LockRect,
    (void *)rt_texture_UnlockRect,
    (void *)rt_texture_AddDirtyRect,
};

const IDirect3DCubeTexture8Vtbl d3d8_cube_texture_vtbl = {
    TEXTURE_METHODS,          (void *)texture_GetLevelDesc, (void *)rt_cube_GetCubeMapSurface,
    (void *)rt_cube_LockRect, (void *)rt_cube_UnlockRect,   (void *)rt_cube_AddDirtyRect,
};

const IDirect3DVolumeTexture8Vtbl d3d8_volume_texture_vtbl = {
    TEXTURE_METHODS,
    volumes_GetLevelDesc,
    (void *)rt_volumes_GetVolumeLevel,
    (void *)rt_volumes_LockBox,
    (void *)rt_volumes_UnlockBox,
    (void *)rt_volumes_AddDirtyBox,
};

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

const IDirect3DVertexBuffer8Vtbl d3d8_vertex_buffer_vtbl = {BUFFER_METHODS, vertex_GetDesc};
const IDirect3DIndexBuffer8Vtbl d3d8_index_buffer_vtbl = {BUFFER_METHODS, index_GetDesc};

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

const IDirect3DSwapChain8Vtbl d3d8_swapchain_vtbl = {UNKNOWN_METHODS, swapchain_Present, swapchain_GetBackBuffer};
