/* SPDX-License-Identifier: MIT */
/* The adapter of the chosen driver, and its devices. */
#include "client/umd/internal.h"

static PFND3DDDI_OPENADAPTER chosen;
static struct {
    HANDLE handle;
    D3DDDI_ADAPTERFUNCS f;
    unsigned users;
} adapter;

const struct client_umd_watch *bridge_watch;

void client_umd_watch(const struct client_umd_watch *watcher)
{
    bridge_watch = watcher;
}

void client_umd_choose(PFND3DDDI_OPENADAPTER open)
{
    chosen = open;
}

HANDLE bridge_open_device(struct bridge_local *local, D3DDDI_DEVICEFUNCS *functions)
{
    /* nothing is shown or shared by allocations: callers lock surfaces to show them */
    static const D3DDDI_DEVICECALLBACKS callbacks;
    D3DDDIARG_CREATEDEVICE args = {.hDevice = local,
                                   .Interface = 9,
                                   .Version = D3D_UMD_INTERFACE_VERSION_VISTA,
                                   .pCallbacks = &callbacks,
                                   .pDeviceFuncs = functions};

    if (!adapter.users || FAILED(adapter.f.pfnCreateDevice(adapter.handle, &args)))
        return NULL;
    if (bridge_watch)
        bridge_watch->device(bridge_watch->user, functions);
    return args.hDevice;
}

HRESULT bridge_open_adapter(void)
{
    static const D3DDDI_ADAPTERCALLBACKS callbacks;
    D3DDDIARG_OPENADAPTER args = {.hAdapter = &adapter,
                                  .Interface = 9,
                                  .Version = D3D_UMD_INTERFACE_VERSION_VISTA,
                                  .pAdapterCallbacks = &callbacks,
                                  .pAdapterFuncs = &adapter.f};
    HRESULT hr;

    if (adapter.users) {
        adapter.users++;
        return DD_OK;
    }
    if (!chosen)
        return DDERR_UNSUPPORTED;
    hr = chosen(&args);
    if (FAILED(hr))
        return bridge_result(hr, DDERR_UNSUPPORTED);
    adapter.handle = args.hAdapter;
    hr = bridge_read_caps(adapter.handle, adapter.f.pfnGetCaps);
    if (FAILED(hr))
        adapter.f.pfnCloseAdapter(adapter.handle);
    else
        adapter.users = 1;
    return hr;
}

bool bridge_is_last_user(void)
{
    return adapter.users == 1;
}

void bridge_close_adapter(void)
{
    if (!adapter.users || --adapter.users)
        return;
    bridge_free_caps();
    adapter.f.pfnCloseAdapter(adapter.handle);
    bridge_parse_unknown = NULL;
}
