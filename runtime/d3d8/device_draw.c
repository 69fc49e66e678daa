/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: draws. There must be a vertex shader, or an FVF in its place. */
#include "runtime/common/device/draw.h"
#include "runtime/d3d8/device_methods.h"

static bool has_vertex_shader(const struct rt_device *device)
{
    return device->pipe.state.vertex_shader != 0;
}

HRESULT WINAPI d3d8_device_DrawPrimitive(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    return has_vertex_shader(device) ? rt_draw(device, type, start, count) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d8_device_DrawIndexedPrimitive(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT min_index,
                                                UINT vertex_count, UINT start, UINT count)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    if (!has_vertex_shader(device))
        return D3DERR_INVALIDCALL;
    return rt_draw_indexed(device, type, (INT)device->pipe.state.base_vertex, min_index, vertex_count, start, count);
}

HRESULT WINAPI d3d8_device_DrawPrimitiveUP(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT count, const void *data,
                                           UINT stride)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    return has_vertex_shader(device) ? rt_draw_up(device, type, count, data, stride) : D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d8_device_DrawIndexedPrimitiveUP(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT min_index,
                                                  UINT vertex_count, UINT count, const void *indices, D3DFORMAT format,
                                                  const void *data, UINT stride)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    if (!has_vertex_shader(device))
        return D3DERR_INVALIDCALL;
    return rt_draw_indexed_up(device, type, min_index, vertex_count, count, indices, format, data, stride);
}

HRESULT WINAPI d3d8_device_DrawRectPatch(IDirect3DDevice8 *iface, UINT handle, const float *segments,
                                         const D3DRECTPATCH_INFO *info)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!has_vertex_shader(device))
        return D3DERR_INVALIDCALL;
    return rt_draw_patch(device, D3DDP2OP_DRAWRECTPATCH, handle, segments, info);
}

HRESULT WINAPI d3d8_device_DrawTriPatch(IDirect3DDevice8 *iface, UINT handle, const float *segments,
                                        const D3DTRIPATCH_INFO *info)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!has_vertex_shader(device))
        return D3DERR_INVALIDCALL;
    return rt_draw_patch(device, D3DDP2OP_DRAWTRIPATCH, handle, segments, info);
}

HRESULT WINAPI d3d8_device_ProcessVertices(IDirect3DDevice8 *iface, UINT source_start, UINT destination_start,
                                           UINT count, IDirect3DVertexBuffer8 *destination, DWORD flags)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_buffer *to = rt_buffer_of(destination);
    RT_LOCK(&device->base);

    if (!to || to->device != device || !has_vertex_shader(device) || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    return rt_process_vertices(device, source_start, destination_start, count, to, to->desc.fvf, flags);
}
