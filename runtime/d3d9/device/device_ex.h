/* SPDX-License-Identifier: MIT */
/* Methods that only IDirect3DDevice9Ex has. */
#ifndef HALCYON_RUNTIME_D3D9_DEVICE_DEVICE_EX_H
#define HALCYON_RUNTIME_D3D9_DEVICE_DEVICE_EX_H

#include "runtime/d3d9/device/d3d9_objects.h"

#define D3D9_DEFAULT_LATENCY 3 /* frames */
#define D3D9_MAX_LATENCY     30

HRESULT WINAPI d3d9_device_SetConvolutionMonoKernel(IDirect3DDevice9Ex *iface, UINT width, UINT height, float *rows,
                                                    float *columns);
HRESULT WINAPI d3d9_device_ComposeRects(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *source,
                                        IDirect3DSurface9 *destination, IDirect3DVertexBuffer9 *sources, UINT count,
                                        IDirect3DVertexBuffer9 *destinations, D3DCOMPOSERECTSOP operation, INT x,
                                        INT y);
HRESULT WINAPI d3d9_device_GetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT *priority);
HRESULT WINAPI d3d9_device_SetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT priority);
HRESULT WINAPI d3d9_device_WaitForVBlank(IDirect3DDevice9Ex *iface, UINT chain);
HRESULT WINAPI d3d9_device_CheckResourceResidency(IDirect3DDevice9Ex *iface, IDirect3DResource9 **resources,
                                                  UINT32 count);
HRESULT WINAPI d3d9_device_SetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT frames);
HRESULT WINAPI d3d9_device_GetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT *frames);
HRESULT WINAPI d3d9_device_CheckDeviceState(IDirect3DDevice9Ex *iface, HWND window);
HRESULT WINAPI d3d9_device_ResetEx(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *params, D3DDISPLAYMODEEX *mode);

/* device.c: Reset and ResetEx. The device is not lost, or an Ex one; its lock is held. */
HRESULT d3d9_device_reset(struct d3d9_device *device, D3DPRESENT_PARAMETERS *params, const D3DDISPLAYMODEEX *mode);

#endif
