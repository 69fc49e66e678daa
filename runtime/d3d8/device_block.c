/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: state blocks under their tokens. Values are recorded in a block of the runtime; for a pure
 * device it is then sent to the driver. */
#include "runtime/d3d8/device_methods.h"

/* --- the table ------------------------------------------------------------------------- */

/* An empty place, and the token that names it; NULL: out of memory. */
static union d3d8_block *add_block(struct d3d8_device *device, DWORD *token)
{
    unsigned slot = 0;

    while (slot < device->block_count && device->blocks[slot].any)
        slot++;
    if (slot == device->block_count) {
        unsigned count = device->block_count ? device->block_count * 2 : 16;
        union d3d8_block *blocks = mem_realloc(device->blocks, count, sizeof(*blocks));
        if (!blocks)
            return NULL;
        memset(blocks + device->block_count, 0, (count - device->block_count) * sizeof(*blocks));
        device->blocks = blocks;
        device->block_count = count;
    }
    *token = slot + 1;
    return &device->blocks[slot];
}

static union d3d8_block *find_block(const struct d3d8_device *device, DWORD token)
{
    union d3d8_block *block = token && token <= device->block_count ? &device->blocks[token - 1] : NULL;

    return block && block->any ? block : NULL;
}

/* `has_driver`: the context that holds a pure device's block exists. */
static void destroy_block(struct d3d8_device *device, union d3d8_block *block, bool has_driver)
{
    if (device->rt.pipe.pure)
        rt_pure_block_destroy(block->pure, has_driver ? &device->rt.pipe : NULL);
    else
        rt_block_destroy(block->own);
    block->any = NULL;
}

static void destroy_blocks(struct d3d8_device *device)
{
    for (unsigned i = 0; i < device->block_count; i++)
        if (device->blocks[i].any)
            destroy_block(device, &device->blocks[i], false);
}

void d3d8_blocks_free(struct d3d8_device *device)
{
    destroy_blocks(device);
    free(device->blocks);
    device->blocks = NULL;
    device->block_count = 0;
}

void d3d8_blocks_lost(struct rt_device *device)
{
    if (device->pipe.pure)
        destroy_blocks((struct d3d8_device *)device);
}

/* --- methods --------------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_BeginStateBlock(IDirect3DDevice8 *iface)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);

    if (device->rt.recording)
        return D3DERR_INVALIDCALL;
    device->rt.recording = rt_block_create(RT_BLOCK_RECORDED, &device->rt.pipe.state);
    return device->rt.recording ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_EndStateBlock(IDirect3DDevice8 *iface, DWORD *token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);
    struct rt_block *recorded = device->rt.recording;
    union d3d8_block *block;

    if (!recorded || !token)
        return D3DERR_INVALIDCALL;
    device->rt.recording = NULL;
    block = add_block(device, token);
    if (block && !device->rt.pipe.pure) {
        block->own = recorded;
        return D3D_OK;
    }
    if (block)
        block->pure = rt_pure_block_record(&device->rt.pipe, *token, recorded);
    rt_block_destroy(recorded);
    return block && block->any ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_ApplyStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);
    union d3d8_block *block = find_block(device, token);

    if (device->rt.recording)
        return D3DERR_INVALIDCALL;
    if (!token)
        return D3D_OK;
    if (!block)
        return D3DERR_INVALIDCALL;
    if (device->rt.pipe.pure) {
        d3d8_load_declared_constants(device, rt_pure_block_vertex_shader(block->pure));
        rt_pure_block_apply(block->pure, &device->rt.pipe);
        return D3D_OK;
    }
    if (block->own->mask.vertex_shader)
        d3d8_load_declared_constants(device, block->own->state.vertex_shader);
    return rt_block_apply(block->own, &device->rt.pipe) ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_CaptureStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);
    union d3d8_block *block = find_block(device, token);

    if (device->rt.recording || !block)
        return D3DERR_INVALIDCALL;
    if (device->rt.pipe.pure) {
        rt_pure_block_capture(block->pure, &device->rt.pipe);
        return D3D_OK;
    }
    return rt_block_capture(block->own, &device->rt.pipe.state) ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_DeleteStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->rt.base);
    union d3d8_block *block = find_block(device, token);

    if (device->rt.recording || !block)
        return D3DERR_INVALIDCALL;
    destroy_block(device, block, true);
    return D3D_OK;
}

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

HRESULT WINAPI d3d8_device_CreateStateBlock(IDirect3DDevice8 *iface, D3DSTATEBLOCKTYPE type, DWORD *token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    union d3d8_block *block;
    enum rt_block_type kind;
    RT_LOCK(&device->rt.base);

    if (device->rt.recording || !token || !block_type(type, &kind))
        return D3DERR_INVALIDCALL;
    block = add_block(device, token);
    if (!block)
        return E_OUTOFMEMORY;
    if (device->rt.pipe.pure)
        block->pure = rt_pure_block_create(&device->rt.pipe, *token, kind);
    else
        block->own = rt_block_create(kind, &device->rt.pipe.state);
    return block->any ? D3D_OK : E_OUTOFMEMORY;
}
