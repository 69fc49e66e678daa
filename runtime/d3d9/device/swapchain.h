/* SPDX-License-Identifier: MIT */
/* IDirect3DSwapChain9(Ex), and the methods of the device that name one by its number. */
#ifndef HALCYON_RUNTIME_D3D9_DEVICE_SWAPCHAIN_H
#define HALCYON_RUNTIME_D3D9_DEVICE_SWAPCHAIN_H

#include "runtime/d3d9/device/d3d9_objects.h"

extern const IDirect3DSwapChain9ExVtbl d3d9_swapchain_vtbl;
extern const GUID *const d3d9_swapchain_ids[], *const d3d9_swapchain_ex_ids[];

/* Present of a chain, with what each version answers while the device is lost. The device's lock is held. */
HRESULT d3d9_swapchain_present(struct rt_swapchain *swapchain, const RECT *source, const RECT *destination, HWND window,
                               const RGNDATA *dirty);

HRESULT WINAPI d3d9_device_CreateAdditionalSwapChain(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *params,
                                                     IDirect3DSwapChain9 **out);
HRESULT WINAPI d3d9_device_GetSwapChain(IDirect3DDevice9Ex *iface, UINT index, IDirect3DSwapChain9 **out);
UINT WINAPI d3d9_device_GetNumberOfSwapChains(IDirect3DDevice9Ex *iface);
HRESULT WINAPI d3d9_device_Present(IDirect3DDevice9Ex *iface, const RECT *source, const RECT *destination, HWND window,
                                   const RGNDATA *dirty);
HRESULT WINAPI d3d9_device_PresentEx(IDirect3DDevice9Ex *iface, const RECT *source, const RECT *destination,
                                     HWND window, const RGNDATA *dirty, DWORD flags);
HRESULT WINAPI d3d9_device_GetBackBuffer(IDirect3DDevice9Ex *iface, UINT chain, UINT index, D3DBACKBUFFER_TYPE type,
                                         IDirect3DSurface9 **out);
HRESULT WINAPI d3d9_device_GetFrontBufferData(IDirect3DDevice9Ex *iface, UINT chain, IDirect3DSurface9 *destination);
HRESULT WINAPI d3d9_device_GetRasterStatus(IDirect3DDevice9Ex *iface, UINT chain, D3DRASTER_STATUS *status);
HRESULT WINAPI d3d9_device_GetDisplayMode(IDirect3DDevice9Ex *iface, UINT chain, D3DDISPLAYMODE *mode);
HRESULT WINAPI d3d9_device_GetDisplayModeEx(IDirect3DDevice9Ex *iface, UINT chain, D3DDISPLAYMODEEX *mode,
                                            D3DDISPLAYROTATION *rotation);
void WINAPI d3d9_device_SetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, DWORD flags, const D3DGAMMARAMP *ramp);
void WINAPI d3d9_device_GetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, D3DGAMMARAMP *ramp);

#endif
