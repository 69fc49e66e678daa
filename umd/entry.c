/* SPDX-License-Identifier: MIT */
/* Results of functions, and how functions append to the batch of a device. */
#include "umd/device.h"

#include "base/bytes.h"
#include "d3d/ddi.h"

HRESULT umd_result(HRESULT result)
{
    if (SUCCEEDED(result))
        return S_OK;
    switch (result) {
    case E_OUTOFMEMORY:
    case DDERR_OUTOFVIDEOMEMORY:
        return E_OUTOFMEMORY;
    case E_NOTIMPL: /* DDERR_UNSUPPORTED */
    case DDERR_WASSTILLDRAWING:
    case UMD_NOT_AVAILABLE:
    case UMD_INTERNAL_ERROR:
        return result;
    default:
        return E_FAIL;
    }
}

HRESULT umd_refuse(const char *function, const char *why)
{
    log_once(LOG_WARN, (uint32_t)(uintptr_t)why, "%s: %s", function, why);
    return E_FAIL;
}

/* --- the batch ----------------------------------------------------------------------------------- */

void umd_send(struct umd_device *device)
{
    const HRESULT hr = client_batch_flush(&device->batch);

    if (FAILED(hr) && SUCCEEDED(device->error))
        device->error = hr;
}

HRESULT umd_send_alone(struct umd_device *device, uint8_t token, const void *body, size_t size)
{
    umd_send(device);
    if (!client_batch_put(&device->batch, token, 1, body, size))
        return E_OUTOFMEMORY;
    return umd_result(client_batch_flush(&device->batch));
}

HRESULT umd_take_error(struct umd_device *device)
{
    const HRESULT hr = umd_result(device->error);

    device->error = S_OK;
    return hr;
}

uint8_t *umd_place_first(struct umd_device *device, uint8_t token, size_t size)
{
    return umd_drops(device) ? NULL : client_batch_put(&device->batch, token, 1, NULL, size);
}

HRESULT umd_put_by_handle(HANDLE handle, uint8_t token, const void *entry, size_t size)
{
    struct umd_device *device = umd_enter(handle);

    return umd_leave(device, device && entry ? umd_put(device, token, entry, size) : E_FAIL);
}
