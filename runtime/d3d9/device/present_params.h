/* SPDX-License-Identifier: MIT */
/* D3DPRESENT_PARAMETERS of version 9: which are refused, and the values that the program gets back. */
#ifndef HALCYON_RUNTIME_D3D9_DEVICE_PRESENT_PARAMS_H
#define HALCYON_RUNTIME_D3D9_DEVICE_PRESENT_PARAMS_H

#include "runtime/d3d9/device/d3d9_objects.h"
#include "runtime/d3d9/direct3d.h"

/* Checks the parameters of the implicit swap chain of a device and fills in what they leave open (count, format, size). `focus`: the
 * window of CreateDevice. *display becomes the format of the screen. `mode`: of CreateDeviceEx and ResetEx; NULL for others.
 * D3DERR_INVALIDCALL, D3DERR_NOTAVAILABLE. */
HRESULT d3d9_check_device_params(struct d3d9 *d3d, UINT adapter, HWND focus, D3DPRESENT_PARAMETERS *params,
                                 const D3DDISPLAYMODEEX *mode, D3DFORMAT *display);
/* Those of CreateAdditionalSwapChain. */
HRESULT d3d9_check_chain_params(const struct rt_device *device, D3DPRESENT_PARAMETERS *params);
/* Checked and complete ones for the common swap chain, and back. */
struct rt_present_params d3d9_take_params(const D3DPRESENT_PARAMETERS *params);
void d3d9_give_params(const struct rt_present_params *from, D3DPRESENT_PARAMETERS *params);

#endif
