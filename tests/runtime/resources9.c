/* SPDX-License-Identifier: MIT */
/* struct resource_api for Direct3D 9. */
#include "tests/runtime/program9.h"

#include "tests/runtime/resources.h"

static HRESULT create(void *any_device, const struct resource_desc *d, IUnknown **object)
{
    IDirect3DDevice9 *device = any_device;
    const D3DFORMAT format = (D3DFORMAT)d->format;
    const D3DPOOL pool = (D3DPOOL)d->pool;

    *object = NULL;
    switch (d->kind) {
    case RESOURCE_VERTICES:
        return IDirect3DDevice9_CreateVertexBuffer(device, d->width, d->usage, 0, pool, (void *)object, NULL);
    case RESOURCE_INDICES:
        return IDirect3DDevice9_CreateIndexBuffer(device, d->width, d->usage, format, pool, (void *)object, NULL);
    case RESOURCE_TEXTURE:
        return IDirect3DDevice9_CreateTexture(device, d->width, d->height, d->levels, d->usage, format, pool,
                                              (void *)object, NULL);
    case RESOURCE_CUBE:
        return IDirect3DDevice9_CreateCubeTexture(device, d->width, d->levels, d->usage, format, pool, (void *)object,
                                                  NULL);
    case RESOURCE_VOLUME:
        return IDirect3DDevice9_CreateVolumeTexture(device, d->width, d->height, d->depth, d->levels, d->usage, format,
                                                    pool, (void *)object, NULL);
    case RESOURCE_PLAIN:
        return IDirect3DDevice9_CreateOffscreenPlainSurface(device, d->width, d->height, format, pool, (void *)object,
                                                            NULL);
    case RESOURCE_TARGET:
        return IDirect3DDevice9_CreateRenderTarget(device, d->width, d->height, format, D3DMULTISAMPLE_NONE, 0, TRUE,
                                                   (void *)object, NULL);
    default:
        return IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, (void *)object);
    }
}

#include "tests/runtime/resource_locks.h"

const struct resource_api resources9 = {create, surface, lock, unlock, update};
