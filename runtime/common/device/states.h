/* SPDX-License-Identifier: MIT */
/* Methods of the device that set and get states and bindings, where versions agree or differ by a rule of struct
 * rt_api. While a block is recorded, setters fill it instead of the device. On a pure device, getters of states that
 * a block can hold fail. */
#ifndef HALCYON_RUNTIME_STATES_H
#define HALCYON_RUNTIME_STATES_H

#include "runtime/common/device/device.h"

HRESULT WINAPI rt_device_SetTransform(void *iface, D3DTRANSFORMSTATETYPE type, const D3DMATRIX *matrix);
HRESULT WINAPI rt_device_GetTransform(void *iface, D3DTRANSFORMSTATETYPE type, D3DMATRIX *matrix);
HRESULT WINAPI rt_device_MultiplyTransform(void *iface, D3DTRANSFORMSTATETYPE type, const D3DMATRIX *matrix);
HRESULT WINAPI rt_device_SetViewport(void *iface, const D3DVIEWPORT8 *viewport);
HRESULT WINAPI rt_device_GetViewport(void *iface, D3DVIEWPORT8 *viewport);
HRESULT WINAPI rt_device_SetMaterial(void *iface, const D3DMATERIAL8 *material);
HRESULT WINAPI rt_device_GetMaterial(void *iface, D3DMATERIAL8 *material);
HRESULT WINAPI rt_device_SetLight(void *iface, DWORD index, const D3DLIGHT8 *light);
HRESULT WINAPI rt_device_GetLight(void *iface, DWORD index, D3DLIGHT8 *light);
HRESULT WINAPI rt_device_LightEnable(void *iface, DWORD index, BOOL enable);
HRESULT WINAPI rt_device_GetLightEnable(void *iface, DWORD index, BOOL *enable);
HRESULT WINAPI rt_device_SetClipPlane(void *iface, DWORD index, const float *plane);
HRESULT WINAPI rt_device_GetClipPlane(void *iface, DWORD index, float *plane);
HRESULT WINAPI rt_device_SetClipStatus(void *iface, const D3DCLIPSTATUS8 *status);
HRESULT WINAPI rt_device_GetClipStatus(void *iface, D3DCLIPSTATUS8 *status);
HRESULT WINAPI rt_device_SetRenderState(void *iface, D3DRENDERSTATETYPE state, DWORD value);
HRESULT WINAPI rt_device_GetRenderState(void *iface, D3DRENDERSTATETYPE state, DWORD *value);

/* slot: a valid index of rt_state.texture. The texture may be NULL, and belongs to this device. */
void rt_device_set_texture(struct rt_device *device, unsigned slot, struct rt_texture *texture);
/* Gives a reference; NULL: none is bound. */
struct rt_texture *rt_device_get_texture(struct rt_device *device, unsigned slot);

#endif
