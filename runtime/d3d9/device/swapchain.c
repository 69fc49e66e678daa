/* SPDX-License-Identifier: MIT */
/* IDirect3DSwapChain9Ex, and the methods of the device that go to its swap chain. */
#include "runtime/d3d9/device/swapchain.h"

#include "runtime/common/object/methods.h"
#include "runtime/d3d9/perf.h"
#include "runtime/d3d9/device/present_params.h"

const GUID *const d3d9_swapchain_ids[] = {&IID_IDirect3DSwapChain9, &IID_IUnknown, NULL};
const GUID *const d3d9_swapchain_ex_ids[] = {&IID_IDirect3DSwapChain9Ex, &IID_IDirect3DSwapChain9, &IID_IUnknown, NULL};

/* --- presentation ------------------------------------------------------------------------ */

/* A lost 9Ex device continues to draw, and reports that it is occluded. */
HRESULT d3d9_swapchain_present(struct rt_swapchain *swapchain, const RECT *source, const RECT *destination, HWND window,
                               const RGNDATA *dirty)
{
    struct rt_device *device = swapchain->device;
    enum rt_device_status status = RT_DEVICE_OPERATIONAL;
    HRESULT hr;

    if (device->api->is_ex) {
        status = rt_fullscreen_frame_status(&device->frame->fullscreen);
        if (status == RT_DEVICE_LOST)
            return S_PRESENT_OCCLUDED;
    } else if (device->frame->fullscreen.status != RT_DEVICE_OPERATIONAL) {
        return D3DERR_DEVICELOST;
    }
    d3d9_perf_send(device->link);
    hr = rt_swapchain_present(swapchain, source, destination, window, dirty);
    return SUCCEEDED(hr) && status == RT_DEVICE_NOT_RESET ? S_PRESENT_MODE_CHANGED : hr;
}

/* --- methods of the chain ------------------------------------------------------------------ */

static HRESULT WINAPI swapchain_Present(IDirect3DSwapChain9Ex *iface, const RECT *source, const RECT *destination,
                                        HWND window, const RGNDATA *dirty, DWORD flags)
{
    struct rt_swapchain *swapchain = rt_swapchain_of(iface);
    RT_LOCK(&swapchain->device->base);

    (void)flags; /* presenting never waits for the screen, so there is no wait that a program could turn off */
    return d3d9_swapchain_present(swapchain, source, destination, window, dirty);
}

static HRESULT get_front_buffer(struct rt_swapchain *swapchain, IDirect3DSurface9 *destination)
{
    struct rt_surface *surface = rt_surface_of(destination);

    if (!surface || surface->device != swapchain->device || surface->desc.pool != D3DPOOL_SYSTEMMEM)
        return D3DERR_INVALIDCALL;
    return rt_swapchain_front(swapchain, surface);
}

static HRESULT WINAPI swapchain_GetFrontBufferData(IDirect3DSwapChain9Ex *iface, IDirect3DSurface9 *destination)
{
    struct rt_swapchain *swapchain = rt_swapchain_of(iface);
    RT_LOCK(&swapchain->device->base);

    return get_front_buffer(swapchain, destination);
}

static HRESULT WINAPI swapchain_GetBackBuffer(IDirect3DSwapChain9Ex *iface, UINT index, D3DBACKBUFFER_TYPE type,
                                              IDirect3DSurface9 **out)
{
    struct rt_swapchain *swapchain = rt_swapchain_of(iface);
    RT_LOCK(&swapchain->device->base);

    (void)type; /* no stereo: every value means the same buffer */
    return out ? rt_swapchain_back_buffer(swapchain, index, (struct rt_surface **)out) : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI swapchain_GetRasterStatus(IDirect3DSwapChain9Ex *iface, D3DRASTER_STATUS *status)
{
    return rt_device_raster_status(rt_swapchain_of(iface)->device, status);
}

static HRESULT WINAPI swapchain_GetDisplayMode(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODE *mode)
{
    return rt_device_display_mode(rt_swapchain_of(iface)->device, mode);
}

static HRESULT WINAPI swapchain_GetPresentParameters(IDirect3DSwapChain9Ex *iface, D3DPRESENT_PARAMETERS *params)
{
    if (!params)
        return D3DERR_INVALIDCALL;
    d3d9_give_params(&rt_swapchain_of(iface)->params, params);
    return D3D_OK;
}

static HRESULT WINAPI swapchain_GetLastPresentCount(IDirect3DSwapChain9Ex *iface, UINT *count)
{
    if (!count)
        return D3DERR_INVALIDCALL;
    *count = rt_swapchain_of(iface)->presented;
    return D3D_OK;
}

/* Every frame is shown as soon as it is presented. */
static HRESULT WINAPI swapchain_GetPresentStats(IDirect3DSwapChain9Ex *iface, D3DPRESENTSTATS *stats)
{
    const UINT frames = rt_swapchain_of(iface)->presented;
    LARGE_INTEGER now;

    if (!stats)
        return D3DERR_INVALIDCALL;
    QueryPerformanceCounter(&now);
    *stats = (D3DPRESENTSTATS){.PresentCount = frames,
                               .PresentRefreshCount = frames,
                               .SyncRefreshCount = frames,
                               .SyncQPCTime = now,
                               .SyncGPUTime = now};
    return D3D_OK;
}

static HRESULT get_mode_ex(struct rt_device *device, D3DDISPLAYMODEEX *mode, D3DDISPLAYROTATION *rotation)
{
    if (!mode)
        return D3DERR_INVALIDCALL;
    return d3d9_current_mode_ex((struct d3d9 *)device->parent, device->creation.AdapterOrdinal, mode, rotation);
}

static HRESULT WINAPI swapchain_GetDisplayModeEx(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODEEX *mode,
                                                 D3DDISPLAYROTATION *rotation)
{
    return get_mode_ex(rt_swapchain_of(iface)->device, mode, rotation);
}

RT_OBJECT_METHODS(RT_METHOD, IDirect3DSwapChain9Ex, IDirect3DDevice9)

/* clang-format off */
const IDirect3DSwapChain9ExVtbl d3d9_swapchain_vtbl = {
    RT_OBJECT_METHODS(RT_ENTRY, IDirect3DSwapChain9Ex, IDirect3DDevice9)
    .Present = swapchain_Present,
    .GetFrontBufferData = swapchain_GetFrontBufferData,
    .GetBackBuffer = swapchain_GetBackBuffer,
    .GetRasterStatus = swapchain_GetRasterStatus,
    .GetDisplayMode = swapchain_GetDisplayMode,
    .GetPresentParameters = swapchain_GetPresentParameters,
    .GetLastPresentCount = swapchain_GetLastPresentCount,
    .GetPresentStats = swapchain_GetPresentStats,
    .GetDisplayModeEx = swapchain_GetDisplayModeEx,
};
/* clang-format on */

/* --- methods of the device ------------------------------------------------------------------- */

/* Only implicit chains have numbers, and each adapter has one chain. */
static struct rt_swapchain *chain_of(IDirect3DDevice9Ex *iface, UINT index)
{
    return index ? NULL : rt_device_of(iface)->frame->swapchain;
}

HRESULT WINAPI d3d9_device_CreateAdditionalSwapChain(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *params,
                                                     IDirect3DSwapChain9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_present_params taken;
    struct rt_swapchain *swapchain;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!params || !out)
        return D3DERR_INVALIDCALL;
    hr = d3d9_check_chain_params(device, params);
    if (FAILED(hr))
        return hr;
    taken = d3d9_take_params(params);
    hr = rt_swapchain_create(device, &taken, false, &swapchain);
    if (SUCCEEDED(hr))
        *out = (IDirect3DSwapChain9 *)swapchain;
    return hr;
}

HRESULT WINAPI d3d9_device_GetSwapChain(IDirect3DDevice9Ex *iface, UINT index, IDirect3DSwapChain9 **out)
{
    struct rt_swapchain *swapchain = chain_of(iface, index);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = (IDirect3DSwapChain9 *)swapchain;
    if (!swapchain)
        return D3DERR_INVALIDCALL;
    rt_object_AddRef(swapchain);
    return D3D_OK;
}

UINT WINAPI d3d9_device_GetNumberOfSwapChains(IDirect3DDevice9Ex *iface)
{
    (void)iface;
    return 1;
}

HRESULT WINAPI d3d9_device_Present(IDirect3DDevice9Ex *iface, const RECT *source, const RECT *destination, HWND window,
                                   const RGNDATA *dirty)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return d3d9_swapchain_present(device->frame->swapchain, source, destination, window, dirty);
}

HRESULT WINAPI d3d9_device_PresentEx(IDirect3DDevice9Ex *iface, const RECT *source, const RECT *destination,
                                     HWND window, const RGNDATA *dirty, DWORD flags)
{
    (void)flags;
    return d3d9_device_Present(iface, source, destination, window, dirty);
}

HRESULT WINAPI d3d9_device_GetBackBuffer(IDirect3DDevice9Ex *iface, UINT chain, UINT index, D3DBACKBUFFER_TYPE type,
                                         IDirect3DSurface9 **out)
{
    struct rt_swapchain *swapchain = chain_of(iface, chain);
    RT_LOCK(&rt_device_of(iface)->base);

    (void)type;
    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    return swapchain ? rt_swapchain_back_buffer(swapchain, index, (struct rt_surface **)out) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d9_device_GetFrontBufferData(IDirect3DDevice9Ex *iface, UINT chain, IDirect3DSurface9 *destination)
{
    struct rt_swapchain *swapchain = chain_of(iface, chain);
    RT_LOCK(&rt_device_of(iface)->base);

    return swapchain ? get_front_buffer(swapchain, destination) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d9_device_GetRasterStatus(IDirect3DDevice9Ex *iface, UINT chain, D3DRASTER_STATUS *status)
{
    return chain_of(iface, chain) ? rt_device_raster_status(rt_device_of(iface), status) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d9_device_GetDisplayMode(IDirect3DDevice9Ex *iface, UINT chain, D3DDISPLAYMODE *mode)
{
    return chain_of(iface, chain) ? rt_device_display_mode(rt_device_of(iface), mode) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d9_device_GetDisplayModeEx(IDirect3DDevice9Ex *iface, UINT chain, D3DDISPLAYMODEEX *mode,
                                            D3DDISPLAYROTATION *rotation)
{
    return chain_of(iface, chain) ? get_mode_ex(rt_device_of(iface), mode, rotation) : D3DERR_INVALIDCALL;
}

void WINAPI d3d9_device_SetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, DWORD flags, const D3DGAMMARAMP *ramp)
{
    struct rt_swapchain *swapchain = chain_of(iface, chain);
    RT_LOCK(&rt_device_of(iface)->base);

    (void)flags; /* nothing to calibrate */
    if (swapchain && ramp)
        swapchain->gamma = *ramp;
}

void WINAPI d3d9_device_GetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, D3DGAMMARAMP *ramp)
{
    struct rt_swapchain *swapchain = chain_of(iface, chain);
    RT_LOCK(&rt_device_of(iface)->base);

    if (swapchain && ramp)
        *ramp = swapchain->gamma;
}
