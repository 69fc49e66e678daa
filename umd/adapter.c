/* SPDX-License-Identifier: MIT */
/* OpenAdapter, the exported entry point of the WDDM interface, and what adapters do: make devices, end. */
#include "umd/device.h"

#include <stdlib.h>

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

static HRESULT APIENTRY create_device(HANDLE handle, D3DDDIARG_CREATEDEVICE *data)
{
    struct umd_adapter *adapter;
    HANDLE device;
    HRESULT hr;

    if (!data || !data->pCallbacks || !data->pDeviceFuncs)
        return UMD_REFUSE("no callbacks, or no place for the functions");
    adapter = umd_handle_enter(handle, UMD_ADAPTER, false);
    if (!adapter)
        return UMD_REFUSE("no such adapter");
    hr = umd_open_device(adapter, data->hDevice, data->pCallbacks, &device);
    if (SUCCEEDED(hr)) {
        *data->pDeviceFuncs = umd_device_functions;
        data->hDevice = device;
    }
    umd_handle_leave(handle);
    return hr;
}

static HRESULT APIENTRY close_adapter(HANDLE handle)
{
    struct umd_adapter *adapter = umd_handle_enter(handle, UMD_ADAPTER, true);

    if (!adapter)
        return UMD_REFUSE("no such adapter, or it is in use");
    if (adapter->devices) {
        umd_handle_leave(handle);
        return UMD_REFUSE("the adapter has devices");
    }
    umd_handle_delete(handle);
    client_driver_close(&adapter->driver);
    free(adapter);
    return S_OK;
}

static HRESULT check_caller(const D3DDDIARG_OPENADAPTER *data)
{
    if (!data || !data->pAdapterFuncs)
        return UMD_REFUSE("no place for the answer");
    if (data->Interface < 7 || data->Interface > 9)
        return UMD_REFUSE("the interface is of Direct3D 7, 8 or 9");
    if (data->Version < D3D_UMD_INTERFACE_VERSION_VISTA)
        return UMD_REFUSE("the runtime is older than Windows Vista");
    return S_OK;
}

EXPORTED HRESULT APIENTRY OpenAdapter(D3DDDIARG_OPENADAPTER *data)
{
    struct umd_adapter *adapter;
    HRESULT hr;

    base_init("halcyon");
    hr = check_caller(data);
    if (FAILED(hr))
        return hr;
    adapter = mem_calloc(1, sizeof(*adapter));
    if (!adapter)
        return E_OUTOFMEMORY;
    hr = client_driver_init(&adapter->driver, HalcyonUserModeInit);
    if (FAILED(hr)) {
        free(adapter);
        return umd_result(hr);
    }
    adapter->runtime = data->hAdapter;
    adapter->handle = umd_handle_new(UMD_ADAPTER, NULL, adapter);
    if (!adapter->handle) {
        client_driver_close(&adapter->driver);
        free(adapter);
        return E_OUTOFMEMORY;
    }
    /* what a newer runtime knows beyond this version is never called */
    data->DriverVersion = D3D_UMD_INTERFACE_VERSION_VISTA;
    *data->pAdapterFuncs = (D3DDDI_ADAPTERFUNCS){umd_get_caps, create_device, close_adapter};
    data->hAdapter = adapter->handle;
    log_info("OpenAdapter: interface %u, runtime version %#x", data->Interface, data->Version);
    return S_OK;
}
