/* SPDX-License-Identifier: MIT */
/* Devices: their life, and questions to the whole device. */
#include "umd/device.h"

#include <stdlib.h>
#include <string.h>

#include "d3d/ddi.h"

/* --- life ------------------------------------------------------------------------------------------ */

static HRESULT create_kernel_context(struct umd_device *device)
{
    D3DDDICB_CREATECONTEXT data = {.NodeOrdinal = 0};
    HRESULT hr;

    if (!device->callbacks.pfnCreateContextCb)
        return S_OK;
    hr = device->callbacks.pfnCreateContextCb(device->runtime, &data);
    if (SUCCEEDED(hr))
        device->kernel_context = data.hContext;
    return FAILED(hr) ? hr : S_OK;
}

/* The context has a target of its own, so that tokens need not wait for the runtime's. */
static HRESULT open_stream(struct umd_device *device)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TARGET, .format = D3DFMT_X8R8G8B8, .width = 1, .height = 1};
    HRESULT hr;

    device->client = client_create(&device->adapter->driver);
    if (!device->client)
        return E_OUTOFMEMORY;
    hr = client_chain_create(device->client, &desc, &device->nowhere);
    if (SUCCEEDED(hr))
        hr = client_batch_open(&device->batch, device->client);
    if (SUCCEEDED(hr))
        hr = client_context_create(device->client, client_part(device->nowhere, 0), NULL, DDI_LEVEL_DX9,
                                   &device->batch.context);
    device->now.context = device->batch.context;
    if (SUCCEEDED(hr)) {
        device->contexts = mem_calloc(1, sizeof(*device->contexts));
        device->context_count = device->contexts ? 1 : 0;
        hr = device->contexts ? S_OK : E_OUTOFMEMORY;
    }
    device->batch.answer = umd_take_answer;
    device->batch.refused = umd_refuse_answers;
    device->batch.owner = device;
    return umd_result(hr);
}

static void free_object(struct umd_device *device, HANDLE handle)
{
    static const enum umd_kind plain[] = {UMD_DECLARATION, UMD_VERTEX_SHADER, UMD_PIXEL_SHADER, UMD_QUERY,
                                          UMD_STATE_BLOCK};
    struct umd_resource *resource = umd_handle_get(handle, UMD_RESOURCE, device);

    if (resource)
        umd_resource_free(resource);
    for (unsigned i = 0; !resource && i < ARRAY_COUNT(plain); i++)
        free(umd_handle_get(handle, plain[i], device));
    umd_handle_delete(handle);
}

static void close_device(struct umd_device *device)
{
    uint32_t from = 0;
    HANDLE handle;

    if (device->batch.commands)
        umd_send(device);
    while ((handle = umd_handle_next(device, &from)))
        free_object(device, handle);
    umd_free_ring(device);
    for (unsigned i = 0; i < device->context_count; i++)
        if (i != device->selected && device->contexts[i].context)
            client_context_destroy(device->client, device->contexts[i].context);
    if (device->batch.context)
        client_context_destroy(device->client, device->batch.context);
    free(device->contexts);
    client_batch_close(&device->batch);
    client_chain_destroy(device->nowhere);
    if (device->client)
        client_destroy(device->client);
    if (device->kernel_context && device->callbacks.pfnDestroyContextCb) {
        const D3DDDICB_DESTROYCONTEXT data = {.hContext = device->kernel_context};

        device->callbacks.pfnDestroyContextCb(device->runtime, &data);
    }
    free(device);
}

HRESULT umd_open_device(struct umd_adapter *adapter, HANDLE runtime, const D3DDDI_DEVICECALLBACKS *callbacks,
                        HANDLE *handle)
{
    struct umd_device *device = mem_calloc(1, sizeof(*device));
    HRESULT hr;

    if (!device)
        return E_OUTOFMEMORY;
    device->adapter = adapter;
    device->runtime = runtime;
    device->callbacks = *callbacks;
    hr = open_stream(device);
    if (SUCCEEDED(hr))
        hr = create_kernel_context(device);
    if (SUCCEEDED(hr)) {
        *handle = device->handle = umd_handle_new(UMD_DEVICE, NULL, device);
        hr = device->handle ? S_OK : E_OUTOFMEMORY;
    }
    if (FAILED(hr)) {
        close_device(device);
        return hr;
    }
    __atomic_add_fetch(&adapter->devices, 1, __ATOMIC_SEQ_CST);
    return S_OK;
}

HRESULT APIENTRY umd_DestroyDevice(HANDLE hDevice)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_adapter *adapter;

    if (!device)
        return E_FAIL;
    adapter = device->adapter;
    close_device(device); /* callbacks find the device in use */
    umd_handle_delete(hDevice);
    __atomic_sub_fetch(&adapter->devices, 1, __ATOMIC_SEQ_CST);
    return S_OK;
}

/* --- the whole device ------------------------------------------------------------------------------- */

HRESULT APIENTRY umd_Flush(HANDLE hDevice)
{
    struct umd_device *device = umd_enter(hDevice);

    if (!device)
        return E_FAIL;
    umd_send(device);
    return umd_leave(device, umd_take_error(device));
}

HRESULT APIENTRY umd_ValidateDevice(HANDLE hDevice, D3DDDIARG_VALIDATETEXTURESTAGESTATE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    DWORD passes = 0;
    HRESULT hr = E_FAIL;

    if (device && data) {
        umd_send(device);
        hr = umd_result(client_validate_stages(device->client, device->batch.context, &passes));
        if (SUCCEEDED(hr))
            data->NumPasses = passes;
    }
    return umd_leave(device, hr);
}

/* The driver answers ids of DirectX 7 and 8, and its own (d3d/halcyon.h). */
HRESULT APIENTRY umd_GetInfo(HANDLE hDevice, UINT id, VOID *answer, UINT size)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && answer && !umd_private_info(device, id, answer, size, &hr)) {
        umd_send(device);
        hr = client_driver_state(device->client, device->batch.context, id, answer, size);
        hr = hr == DDERR_CURRENTLYNOTAVAIL ? E_NOTIMPL : umd_result(hr);
    }
    return umd_leave(device, hr);
}
