/* SPDX-License-Identifier: MIT */
/* struct resource_api for Direct3D 8. */
#include "tests/runtime/program.h"

#include "tests/runtime/resources.h"

static HRESULT create(void *any_device, const struct resource_desc *d, IUnknown **object)
{
    IDirect3DDevice8 *device = any_device;
    const D3DFORMAT format = (D3DFORMAT)d->format;
    const D3DPOOL pool = (D3DPOOL)d->pool;

    *object = NULL;
    switch (d->kind) {
    case RESOURCE_VERTICES:
        return IDirect3DDevice8_CreateVertexBuffer(device, d->width, d->usage, 0, pool, (void *)object);
    case RESOURCE_INDICES:
        return IDirect3DDevice8_CreateIndexBuffer(device, d->width, d->usage, format, pool, (void *)object);
    case RESOURCE_TEXTURE:
        return IDirect3DDevice8_CreateTexture(device, d->width, d->height, d->levels, d->usage, format, pool,
                                              (void *)object);
    case RESOURCE_CUBE:
        return IDirect3DDevice8_CreateCubeTexture(device, d->width, d->levels, d->usage, format, pool, (void *)object);
    case RESOURCE_VOLUME:
        return IDirect3DDevice8_CreateVolumeTexture(device, d->width, d->height, d->depth, d->levels, d->usage, format,
                                                    pool, (void *)object);
    case RESOURCE_PLAIN:
        return IDirect3DDevice8_CreateImageSurface(device, d->width, d->height, format, (void *)object);
    case RESOURCE_TARGET:
        return IDirect3DDevice8_CreateRenderTarget(device, d->width, d->height, format, D3DMULTISAMPLE_NONE, TRUE,
                                                   (void *)object);
    default:
        return IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, (void *)object);
    }
}

static IUnknown *surface(const struct resource_desc *d, IUnknown *object)
{
    IDirect3DSurface8 *surface = NULL;

    switch (d->kind) {
    case RESOURCE_VERTICES:
    case RESOURCE_INDICES:
    case RESOURCE_VOLUME:
        return NULL;
    case RESOURCE_TEXTURE:
        IDirect3DTexture8_GetSurfaceLevel((IDirect3DTexture8 *)object, 0, &surface);
        return (IUnknown *)surface;
    case RESOURCE_CUBE:
        IDirect3DCubeTexture8_GetCubeMapSurface((IDirect3DCubeTexture8 *)object, (D3DCUBEMAP_FACES)d->face, 0,
                                                &surface);
        return (IUnknown *)surface;
    default:
        IUnknown_AddRef(object);
        return object;
    }
}

static HRESULT lock_volume(IDirect3DVolumeTexture8 *volume, DWORD flags, struct resource_memory *memory)
{
    D3DLOCKED_BOX box = {0};
    const HRESULT hr = IDirect3DVolumeTexture8_LockBox(volume, 0, &box, NULL, flags);

    *memory = (struct resource_memory){box.pBits, box.RowPitch, box.SlicePitch};
    return hr;
}

static HRESULT lock_surface(IUnknown *locked, DWORD flags, struct resource_memory *memory)
{
    D3DLOCKED_RECT rect = {0};
    HRESULT hr = E_FAIL;

    if (locked) {
        hr = IDirect3DSurface8_LockRect((IDirect3DSurface8 *)locked, &rect, NULL, flags);
        IUnknown_Release(locked);
    }
    *memory = (struct resource_memory){rect.pBits, rect.Pitch, 0};
    return hr;
}

static HRESULT lock(const struct resource_desc *d, IUnknown *object, DWORD flags, struct resource_memory *memory)
{
    *memory = (struct resource_memory){NULL, 0, 0};
    switch (d->kind) {
    case RESOURCE_VERTICES:
        return IDirect3DVertexBuffer8_Lock((IDirect3DVertexBuffer8 *)object, 0, 0, (void *)&memory->bits, flags);
    case RESOURCE_INDICES:
        return IDirect3DIndexBuffer8_Lock((IDirect3DIndexBuffer8 *)object, 0, 0, (void *)&memory->bits, flags);
    case RESOURCE_VOLUME:
        return lock_volume((IDirect3DVolumeTexture8 *)object, flags, memory);
    default:
        return lock_surface(surface(d, object), flags, memory);
    }
}

static void unlock(const struct resource_desc *d, IUnknown *object)
{
    IUnknown *locked;

    switch (d->kind) {
    case RESOURCE_VERTICES:
        IDirect3DVertexBuffer8_Unlock((IDirect3DVertexBuffer8 *)object);
        break;
    case RESOURCE_INDICES:
        IDirect3DIndexBuffer8_Unlock((IDirect3DIndexBuffer8 *)object);
        break;
    case RESOURCE_VOLUME:
        IDirect3DVolumeTexture8_UnlockBox((IDirect3DVolumeTexture8 *)object, 0);
        break;
    default:
        locked = surface(d, object);
        IDirect3DSurface8_UnlockRect((IDirect3DSurface8 *)locked);
        IUnknown_Release(locked);
    }
}

const struct resource_api resources8 = {create, surface, lock, unlock};
