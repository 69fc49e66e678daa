/* SPDX-License-Identifier: MIT */
/* State blocks: the stream holds them, under numbers of the driver's choice. */
#include "umd/device.h"

#include <stdlib.h>

#include "d3d/ddi.h"

#define BLOCK_VERTEX 3 /* D3DSBT_VERTEXSTATE, the last type */

static HRESULT put_operation(struct umd_device *device, uint32_t operation, uint32_t number, uint32_t type)
{
    const D3DHAL_DP2STATESET entry = {operation, number, type};

    return umd_put(device, D3DDP2OP_STATESET, &entry, sizeof(entry));
}

/* BEGIN and CREATE. */
static HRESULT create_block(struct umd_device *device, D3DDDIARG_STATESET *data)
{
    const bool begins = data->Operation == D3DHAL_STATESETBEGIN;
    struct umd_state_block *block;
    HANDLE handle;
    HRESULT hr;

    if (device->now.recording || (!begins && (!data->StateBlockType || data->StateBlockType > BLOCK_VERTEX)))
        return UMD_REFUSE("a block while another is recorded, or of an unknown type");
    block = mem_calloc(1, sizeof(*block));
    handle = block ? umd_handle_new(UMD_STATE_BLOCK, device, block) : NULL;
    if (!handle) {
        free(block);
        return E_OUTOFMEMORY;
    }
    block->number = umd_handle_number(handle);
    hr = put_operation(device, data->Operation, block->number, begins ? 0 : data->StateBlockType);
    if (FAILED(hr)) {
        umd_handle_delete(handle);
        free(block);
        return hr;
    }
    device->now.recording = begins ? block : NULL;
    data->hStateSet = handle;
    return S_OK;
}

static HRESULT end_block(struct umd_device *device, struct umd_state_block *block)
{
    if (device->now.recording != block)
        return UMD_REFUSE("the end of a block that is not recorded");
    device->now.recording = NULL;
    return put_operation(device, D3DHAL_STATESETEND, block->number, 0);
}

static HRESULT delete_block(struct umd_device *device, struct umd_state_block *block, HANDLE handle)
{
    HRESULT hr;

    if (device->now.recording == block)
        return UMD_REFUSE("a block is deleted while it is recorded");
    hr = put_operation(device, D3DHAL_STATESETDELETE, block->number, 0);
    umd_handle_delete(handle);
    free(block);
    return hr;
}

/* The streams as draws know them follow. */
static HRESULT execute_block(struct umd_device *device, const struct umd_state_block *block)
{
    if (device->now.recording)
        return UMD_REFUSE("a block is executed while another is recorded");
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        if (block->streams_set >> i & 1)
            umd_bind_stream(device, i, block->streams[i]);
    if (block->indices_set)
        device->now.indices = NULL;
    if (block->declaration)
        device->now.declaration = block->declaration;
    return put_operation(device, D3DHAL_STATESETEXECUTE, block->number, 0);
}

/* A block keeps holding the states that it holds, with today's values. */
static HRESULT capture_block(struct umd_device *device, struct umd_state_block *block)
{
    if (device->now.recording)
        return UMD_REFUSE("a block captures while another is recorded");
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        if (block->streams_set >> i & 1)
            block->streams[i] = device->now.streams[i];
    if (block->declaration)
        block->declaration = device->now.declaration;
    return put_operation(device, D3DHAL_STATESETCAPTURE, block->number, 0);
}

static HRESULT operate(struct umd_device *device, D3DDDIARG_STATESET *data)
{
    struct umd_state_block *block;

    if (data->Operation == D3DHAL_STATESETBEGIN || data->Operation == D3DHAL_STATESETCREATE)
        return create_block(device, data);
    block = umd_handle_get(data->hStateSet, UMD_STATE_BLOCK, device);
    if (!block)
        return UMD_REFUSE("no such state block");
    switch (data->Operation) {
    case D3DHAL_STATESETEND:
        return end_block(device, block);
    case D3DHAL_STATESETDELETE:
        return delete_block(device, block, data->hStateSet);
    case D3DHAL_STATESETEXECUTE:
        return execute_block(device, block);
    case D3DHAL_STATESETCAPTURE:
        return capture_block(device, block);
    default:
        return UMD_REFUSE("an unknown operation");
    }
}

HRESULT APIENTRY umd_StateSet(HANDLE hDevice, D3DDDIARG_STATESET *data)
{
    struct umd_device *device = umd_enter(hDevice);

    return umd_leave(device, device && data ? operate(device, data) : E_FAIL);
}
