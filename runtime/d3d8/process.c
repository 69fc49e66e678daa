/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8::ProcessVertices: the driver's vertex processing, its results kept in a buffer of the program's. */
#include "dp2/dp2.h"
#include "runtime/d3d8/device_methods.h"

#ifndef D3DPV_DONOTCOPYDATA /* mingw-w64 lacks it */
#define D3DPV_DONOTCOPYDATA 0x00000001
#endif

/* Formats the result may have: what a vertex in pixels can carry. */
static bool result_is_valid(DWORD fvf)
{
    return (fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW && !(fvf & (D3DFVF_NORMAL | D3DFVF_RESERVED0));
}

HRESULT WINAPI d3d8_device_ProcessVertices(IDirect3DDevice8 *iface, UINT source_start, UINT destination_start,
                                           UINT count, IDirect3DVertexBuffer8 *destination, DWORD flags)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_buffer *to = d3d8_buffer_of(destination);
    struct client_process process = {.first = source_start, .count = count};
    struct rt_mapping map;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!to || to->device != device || (flags & ~(DWORD)D3DPV_DONOTCOPYDATA) || !device->pipe.state.vertex_shader ||
        !result_is_valid(to->fvf) || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    for (unsigned i = 0; i < RT_STREAMS; i++)
        if (device->pipe.state.stream[i].buffer == &to->res)
            return D3DERR_INVALIDCALL;
    process.fvf = to->fvf;
    process.stride = dp2_fvf_size(to->fvf);
    process.flags = flags & D3DPV_DONOTCOPYDATA ? HALCYON_PROCESS_DONOTCOPYDATA : 0;
    process.bytes = (size_t)count * process.stride;
    if ((uint64_t)(destination_start + (uint64_t)count) * process.stride > to->length)
        return D3DERR_INVALIDCALL;
    if (!count)
        return D3D_OK;
    d3d8_device_prepare(device);
    rt_pipe_bind(&device->pipe, 0, 0, 0);
    hr = rt_chain_lock(to->chain, 0, 0, &map);
    if (FAILED(hr))
        return hr;
    process.vertices = map.bits + (size_t)destination_start * process.stride;
    hr = rt_link_process_vertices(device->link, &process);
    rt_chain_unlock(to->chain, 0);
    d3d8_buffer_transformed(to, destination_start * process.stride, (unsigned)process.bytes);
    return FAILED(hr) ? D3DERR_INVALIDCALL : D3D_OK;
}
