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

#include "tests/runtime/resource_locks.h"

const struct resource_api resources8 = {create, surface, lock, unlock, update};
