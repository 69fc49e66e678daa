/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: stage states and bindings, whose methods take other arguments than those of version 9. While a block is
 * recorded, setters fill it instead of the device. */
#include "runtime/common/device/states.h"
#include "runtime/common/state/record.h"
#include "runtime/d3d8/device_methods.h"

/* --- stage states ---------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetTextureStageState(IDirect3DDevice8 *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD value)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!rt_is_stage_state(&d3d8_state_rules, type))
        return D3DERR_INVALIDCALL;
    if (stage >= RT_STAGES) /* the original does not complain */
        return D3D_OK;
    if (device->recording)
        rt_record_stage_state(device->recording, stage, type, value);
    else
        rt_set_stage_state(&device->pipe, stage, type, value);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTextureStageState(IDirect3DDevice8 *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD *value)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!rt_is_stage_state(&d3d8_state_rules, type) || !value || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *value = stage < RT_STAGES ? rt_device_of(iface)->pipe.state.stage[stage][type] : 0;
    return D3D_OK;
}

/* --- bindings -------------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetTexture(IDirect3DDevice8 *iface, DWORD stage, IDirect3DBaseTexture8 *base)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_texture *texture = rt_texture_of(base);
    RT_LOCK(&device->base);

    if (stage >= RT_STAGES)
        return D3D_OK;
    if (texture && texture->device != device)
        return D3DERR_INVALIDCALL;
    rt_device_set_texture(device, stage, texture);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTexture(IDirect3DDevice8 *iface, DWORD stage, IDirect3DBaseTexture8 **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = stage < RT_STAGES ? (IDirect3DBaseTexture8 *)rt_device_get_texture(device, stage) : NULL;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetStreamSource(IDirect3DDevice8 *iface, UINT stream, IDirect3DVertexBuffer8 *vertices,
                                           UINT stride)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_buffer *buffer = rt_buffer_of(vertices);
    struct rt_state *state;
    struct rt_resource *resource = buffer ? &buffer->res : NULL;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || (buffer && buffer->device != device))
        return D3DERR_INVALIDCALL;
    state = device->recording ? &device->recording->state : &device->pipe.state;
    if (!buffer) /* unbinding leaves the stride */
        stride = state->stream[stream].stride;
    if (device->recording)
        rt_record_stream(device->recording, stream, resource, 0, stride);
    else
        rt_set_stream(&device->pipe, stream, resource, stride);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetStreamSource(IDirect3DDevice8 *iface, UINT stream, IDirect3DVertexBuffer8 **out,
                                           UINT *stride)
{
    struct rt_device *device = rt_device_of(iface);
    const struct rt_stream *bound;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || !out)
        return D3DERR_INVALIDCALL;
    bound = &device->pipe.state.stream[stream];
    *out = NULL;
    if (bound->buffer) {
        *out = (IDirect3DVertexBuffer8 *)RT_FROM_RES(rt_buffer, bound->buffer);
        rt_resource_addref(bound->buffer);
    }
    if (stride)
        *stride = bound->stride;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 *indices, UINT base_vertex)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_buffer *buffer = rt_buffer_of(indices);
    struct rt_resource *resource = buffer ? &buffer->res : NULL;
    RT_LOCK(&device->base);

    if (buffer && buffer->device != device)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        rt_bind_resource(&device->recording->state.indices, resource);
        device->recording->state.base_vertex = base_vertex;
        device->recording->mask.indices = true;
    } else {
        rt_set_indices(&device->pipe, resource, base_vertex);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 **out, UINT *base_vertex)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_resource *bound;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    bound = device->pipe.state.indices;
    *out = NULL;
    if (bound) {
        *out = (IDirect3DIndexBuffer8 *)RT_FROM_RES(rt_buffer, bound);
        rt_resource_addref(bound);
    }
    if (base_vertex)
        *base_vertex = device->pipe.state.base_vertex;
    return D3D_OK;
}
