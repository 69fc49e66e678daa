/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: state blocks under their tokens. */
#include "runtime/d3d8/device_methods.h"

static HRESULT add_block(struct d3d8_device *device, struct rt_block *block, DWORD *token)
{
    unsigned slot = 0;

    while (slot < device->block_count && device->blocks[slot])
        slot++;
    if (slot == device->block_count) {
        unsigned count = device->block_count ? device->block_count * 2 : 16;
        struct rt_block **blocks = mem_realloc(device->blocks, count, sizeof(*blocks));
        if (!blocks) {
            rt_block_destroy(block);
            return E_OUTOFMEMORY;
        }
        memset(blocks + device->block_count, 0, (count - device->block_count) * sizeof(*blocks));
        device->blocks = blocks;
        device->block_count = count;
    }
    device->blocks[slot] = block;
    *token = slot + 1;
    return D3D_OK;
}

static struct rt_block *find_block(const struct d3d8_device *device, DWORD token)
{
    return token && token <= device->block_count ? device->blocks[token - 1] : NULL;
}

void d3d8_blocks_free(struct d3d8_device *device)
{
    for (unsigned i = 0; i < device->block_count; i++) {
        if (device->blocks[i])
            rt_block_destroy(device->blocks[i]);
    }
    free(device->blocks);
    device->blocks = NULL;
    device->block_count = 0;
}

HRESULT WINAPI d3d8_device_BeginStateBlock(IDirect3DDevice8 *iface)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (device->recording)
        return D3DERR_INVALIDCALL;
    device->recording = rt_block_create(RT_BLOCK_RECORDED, &device->pipe.state);
    return device->recording ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_EndStateBlock(IDirect3DDevice8 *iface, DWORD *token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = device->recording;

    if (!block || !token)
        return D3DERR_INVALIDCALL;
    device->recording = NULL;
    return add_block(device, block, token);
}

HRESULT WINAPI d3d8_device_ApplyStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = find_block(device, token);

    if (device->recording)
        return D3DERR_INVALIDCALL;
    if (!token)
        return D3D_OK;
    if (!block)
        return D3DERR_INVALIDCALL;
    if (block->mask.vertex_shader)
        d3d8_load_declared_constants(device, block->state.vertex_shader);
    return rt_block_apply(block, &device->pipe) ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_CaptureStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = find_block(device, token);

    if (device->recording || !block)
        return D3DERR_INVALIDCALL;
    return rt_block_capture(block, &device->pipe.state) ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_DeleteStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = find_block(device, token);

    if (device->recording || !block)
        return D3DERR_INVALIDCALL;
    device->blocks[token - 1] = NULL;
    rt_block_destroy(block);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_CreateStateBlock(IDirect3DDevice8 *iface, D3DSTATEBLOCKTYPE type,
                                            DWORD *token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    enum rt_block_type block_type;
    struct rt_block *block;
    RT_LOCK(&device->base);

    if (device->recording || !token)
        return D3DERR_INVALIDCALL;
    if (type == D3DSBT_ALL)
        block_type = RT_BLOCK_ALL;
    else if (type == D3DSBT_PIXELSTATE)
        block_type = RT_BLOCK_PIXEL;
    else if (type == D3DSBT_VERTEXSTATE)
        block_type = RT_BLOCK_VERTEX;
    else
        return D3DERR_INVALIDCALL;
    block = rt_block_create(block_type, &device->pipe.state);
    return block ? add_block(device, block, token) : E_OUTOFMEMORY;
}
