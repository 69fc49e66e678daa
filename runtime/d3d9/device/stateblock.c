/* SPDX-License-Identifier: MIT */
/* IDirect3DStateBlock9, and the device's methods that make blocks. */
#include "runtime/d3d9/device/stateblock.h"

#include <stdlib.h>

#include "runtime/common/object/methods.h"
#include "runtime/d3d9/device/device_methods.h"

struct d3d9_stateblock {
    RT_OBJECT;
    struct rt_block *block;
};

static struct d3d9_stateblock *stateblock_of(IDirect3DStateBlock9 *iface)
{
    return (struct d3d9_stateblock *)iface;
}

/* --- life --------------------------------------------------------------------------------- */

static void destroy(struct rt_resource *resource)
{
    struct d3d9_stateblock *stateblock = RT_FROM_RES(d3d9_stateblock, resource);

    rt_block_destroy(stateblock->block);
    free(stateblock);
}

static const struct rt_resource_ops stateblock_ops = {destroy};

/* The object takes over the block, which is freed if there is no memory for the object; the block may be NULL. */
static HRESULT wrap(struct rt_device *device, struct rt_block *block, IDirect3DStateBlock9 **out)
{
    struct d3d9_stateblock *stateblock = block ? mem_calloc(1, sizeof(*stateblock)) : NULL;

    if (!stateblock) {
        if (block)
            rt_block_destroy(block);
        return E_OUTOFMEMORY;
    }
    stateblock->block = block;
    rt_object_init(stateblock, device, RT_KIND_STATE_BLOCK, &stateblock_ops, false);
    *out = (IDirect3DStateBlock9 *)stateblock;
    return D3D_OK;
}

/* --- methods of the device ---------------------------------------------------------------- */

static bool block_type(D3DSTATEBLOCKTYPE type, enum rt_block_type *block_type)
{
    switch (type) {
    case D3DSBT_ALL:
        *block_type = RT_BLOCK_ALL;
        return true;
    case D3DSBT_PIXELSTATE:
        *block_type = RT_BLOCK_PIXEL;
        return true;
    case D3DSBT_VERTEXSTATE:
        *block_type = RT_BLOCK_VERTEX;
        return true;
    default:
        return false;
    }
}

HRESULT WINAPI d3d9_device_CreateStateBlock(IDirect3DDevice9Ex *iface, D3DSTATEBLOCKTYPE type,
                                            IDirect3DStateBlock9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    enum rt_block_type kind;
    RT_LOCK(&device->base);

    if (device->recording || !out || !block_type(type, &kind))
        return D3DERR_INVALIDCALL;
    return wrap(device, rt_block_create(kind, &device->pipe.state), out);
}

HRESULT WINAPI d3d9_device_BeginStateBlock(IDirect3DDevice9Ex *iface)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (device->recording)
        return D3DERR_INVALIDCALL;
    device->recording = rt_block_create(RT_BLOCK_RECORDED, &device->pipe.state);
    return device->recording ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d9_device_EndStateBlock(IDirect3DDevice9Ex *iface, IDirect3DStateBlock9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_block *recorded;
    RT_LOCK(&device->base);

    if (!device->recording || !out)
        return D3DERR_INVALIDCALL;
    recorded = device->recording;
    device->recording = NULL;
    return wrap(device, recorded, out);
}

/* --- methods of blocks -------------------------------------------------------------------- */

static HRESULT WINAPI stateblock_Capture(IDirect3DStateBlock9 *iface)
{
    struct d3d9_stateblock *stateblock = stateblock_of(iface);
    struct rt_device *device = stateblock->device;
    RT_LOCK(&device->base);

    if (device->recording)
        return D3DERR_INVALIDCALL;
    return rt_block_capture(stateblock->block, &device->pipe.state) ? D3D_OK : E_OUTOFMEMORY;
}

static HRESULT WINAPI stateblock_Apply(IDirect3DStateBlock9 *iface)
{
    struct d3d9_stateblock *stateblock = stateblock_of(iface);
    struct rt_device *device = stateblock->device;
    RT_LOCK(&device->base);

    if (device->recording)
        return D3DERR_INVALIDCALL;
    return rt_block_apply(stateblock->block, &device->pipe) ? D3D_OK : E_OUTOFMEMORY;
}

const GUID *const d3d9_stateblock_ids[] = {&IID_IDirect3DStateBlock9, &IID_IUnknown, NULL};

RT_OBJECT_METHODS(RT_METHOD, IDirect3DStateBlock9, IDirect3DDevice9)

/* clang-format off */
const IDirect3DStateBlock9Vtbl d3d9_stateblock_vtbl = {
    RT_OBJECT_METHODS(RT_ENTRY, IDirect3DStateBlock9, IDirect3DDevice9)
    .Capture = stateblock_Capture,
    .Apply = stateblock_Apply,
};
/* clang-format on */
