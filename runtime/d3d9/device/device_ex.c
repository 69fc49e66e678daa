/* SPDX-License-Identifier: MIT */
/* Methods that version 9Ex adds to the device. */
#include "runtime/d3d9/device/device_ex.h"

/* --- glyphs ------------------------------------------------------------------------------ */

/* Both work on D3DFMT_A1 surfaces, which the driver does not offer. */
HRESULT WINAPI d3d9_device_SetConvolutionMonoKernel(IDirect3DDevice9Ex *iface, UINT width, UINT height, float *rows,
                                                    float *columns)
{
    (void)iface;
    (void)width;
    (void)height;
    (void)rows;
    (void)columns;
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_ComposeRects(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source,
                                        IDirect3DSurface9 *destination, IDirect3DVertexBuffer9 *sources, UINT count,
                                        IDirect3DVertexBuffer9 *destinations, D3DCOMPOSERECTSOP operation, INT x, INT y)
{
    (void)iface;
    (void)source;
    (void)destination;
    (void)sources;
    (void)count;
    (void)destinations;
    (void)operation;
    (void)x;
    (void)y;
    return D3DERR_INVALIDCALL;
}

/* --- scheduling ---------------------------------------------------------------------------- */

HRESULT WINAPI d3d9_device_GetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT *priority)
{
    if (!priority)
        return D3DERR_INVALIDCALL;
    *priority = d3d9_device_of(iface)->gpu_priority;
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_SetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT priority)
{
    if (priority < -7 || priority > 7)
        return D3DERR_INVALIDCALL;
    d3d9_device_of(iface)->gpu_priority = priority;
    return D3D_OK;
}

/* Waits for the next refresh, by the clock of GetRasterStatus. */
HRESULT WINAPI d3d9_device_WaitForVBlank(IDirect3DDevice9Ex *iface, UINT chain)
{
    const double refreshes = clock_seconds() * 60.0;

    (void)iface;
    if (chain)
        return D3DERR_INVALIDCALL;
    Sleep((DWORD)((1.0 - (refreshes - (double)(long long)refreshes)) * 1000.0 / 60.0));
    return D3D_OK;
}

/* All memory is resident. */
HRESULT WINAPI d3d9_device_CheckResourceResidency(IDirect3DDevice9Ex *iface, IDirect3DResource9 **resources,
                                                  UINT32 count)
{
    (void)iface;
    return count && !resources ? D3DERR_INVALIDCALL : D3D_OK;
}

/* Frames are drawn when they are presented, so the number of waiting frames is below any limit. */
HRESULT WINAPI d3d9_device_SetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT frames)
{
    if (frames > D3D9_MAX_LATENCY)
        return D3DERR_INVALIDCALL;
    d3d9_device_of(iface)->max_latency = frames ? frames : D3D9_DEFAULT_LATENCY;
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT *frames)
{
    if (!frames)
        return D3DERR_INVALIDCALL;
    *frames = d3d9_device_of(iface)->max_latency;
    return D3D_OK;
}

/* --- state and reset ----------------------------------------------------------------------- */

/* Tells whether the window of a full-screen device covers all others or is covered. A device that a Reset has left
 * without memory is lost. */
HRESULT WINAPI d3d9_device_CheckDeviceState(IDirect3DDevice9Ex *iface, HWND window)
{
    struct rt_device *device = rt_device_of(iface);
    enum rt_device_status status;
    RT_LOCK(&device->base);

    if (!rt_link_has_context(device->link))
        return D3DERR_DEVICELOST;
    if (device->frame->swapchain->params.windowed)
        return D3D_OK;
    status = rt_fullscreen_status(&device->frame->fullscreen);
    if ((status == RT_DEVICE_LOST) == (window == device->frame->swapchain->params.window))
        return S_PRESENT_OCCLUDED;
    return status == RT_DEVICE_NOT_RESET ? S_PRESENT_MODE_CHANGED : D3D_OK;
}

/* A mode for full screen, none for windows. */
HRESULT WINAPI d3d9_device_ResetEx(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *params, D3DDISPLAYMODEEX *mode)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    RT_LOCK(&device->common.base);

    if (!params || !params->Windowed != !!mode || (mode && mode->Size != sizeof(*mode)))
        return D3DERR_INVALIDCALL;
    return d3d9_device_reset(device, params, mode);
}
