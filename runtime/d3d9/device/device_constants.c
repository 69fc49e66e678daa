/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice9(Ex): registers of shaders. While a block is recorded, setters fill it instead of the device. */
#include "runtime/d3d9/device/device_methods.h"

#include "runtime/common/state/record.h"

/* A call does nothing unless all its registers exist. */
static bool range_is_valid(const struct rt_device *device, enum rt_bank bank, UINT first, UINT count)
{
    const unsigned limit = rt_constant_limit(&device->pipe.state, bank);

    return first < limit && count <= limit - first;
}

static HRESULT set(IDirect3DDevice9Ex *iface, enum rt_bank bank, UINT first, const void *values, UINT count)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!values || !range_is_valid(device, bank, first, count))
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_constants(device->recording, bank, first, count, values);
    else
        rt_set_constants(&device->pipe, bank, first, count, values);
    return D3D_OK;
}

static HRESULT get(IDirect3DDevice9Ex *iface, enum rt_bank bank, UINT first, void *values, UINT count)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    RT_LOCK(&device->common.base);

    if (!values || !range_is_valid(&device->common, bank, first, count) || d3d9_device_is_pure(device))
        return D3DERR_INVALIDCALL;
    rt_get_constants(&device->common.pipe.state, bank, first, count, values);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_SetVertexShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, const float *values,
                                                    UINT count)
{
    return set(iface, RT_VS_FLOAT, first, values, count);
}

HRESULT WINAPI d3d9_device_GetVertexShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, float *values, UINT count)
{
    return get(iface, RT_VS_FLOAT, first, values, count);
}

HRESULT WINAPI d3d9_device_SetVertexShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, const int *values,
                                                    UINT count)
{
    return set(iface, RT_VS_INT, first, values, count);
}

HRESULT WINAPI d3d9_device_GetVertexShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, int *values, UINT count)
{
    return get(iface, RT_VS_INT, first, values, count);
}

HRESULT WINAPI d3d9_device_SetVertexShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, const BOOL *values,
                                                    UINT count)
{
    return set(iface, RT_VS_BOOL, first, values, count);
}

HRESULT WINAPI d3d9_device_GetVertexShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, BOOL *values, UINT count)
{
    return get(iface, RT_VS_BOOL, first, values, count);
}

HRESULT WINAPI d3d9_device_SetPixelShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, const float *values,
                                                   UINT count)
{
    return set(iface, RT_PS_FLOAT, first, values, count);
}

HRESULT WINAPI d3d9_device_GetPixelShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, float *values, UINT count)
{
    return get(iface, RT_PS_FLOAT, first, values, count);
}

HRESULT WINAPI d3d9_device_SetPixelShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, const int *values, UINT count)
{
    return set(iface, RT_PS_INT, first, values, count);
}

HRESULT WINAPI d3d9_device_GetPixelShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, int *values, UINT count)
{
    return get(iface, RT_PS_INT, first, values, count);
}

HRESULT WINAPI d3d9_device_SetPixelShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, const BOOL *values,
                                                   UINT count)
{
    return set(iface, RT_PS_BOOL, first, values, count);
}

HRESULT WINAPI d3d9_device_GetPixelShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, BOOL *values, UINT count)
{
    return get(iface, RT_PS_BOOL, first, values, count);
}
