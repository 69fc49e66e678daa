/* SPDX-License-Identifier: MIT */
/* ProcessVertices: the driver's vertex processing, its results kept in a buffer of the program's. */
#include "runtime/common/device/draw.h"

#include <d3d8.h>

#include "base/base.h"
#include "dp2/dp2.h"
#include "runtime/common/device/enlarged.h"

#ifndef D3DPV_DONOTCOPYDATA /* mingw-w64 lacks it */
#define D3DPV_DONOTCOPYDATA 0x00000001
#endif

static bool is_of_transformed_vertices(DWORD fvf)
{
    return (fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW && !(fvf & (D3DFVF_NORMAL | D3DFVF_RESERVED0));
}

static bool is_stream(const struct rt_device *device, const struct rt_buffer *buffer)
{
    const struct rt_state *state = &device->pipe.state;

    for (unsigned i = 0; i < RT_STREAMS; i++)
        if (state->stream[i].buffer == &buffer->res)
            return true;
    return false;
}

HRESULT rt_process_vertices(struct rt_device *device, UINT source_start, UINT destination_start, UINT count,
                            struct rt_buffer *destination, DWORD fvf, DWORD flags)
{
    const DWORD written = fvf & ~(DWORD)D3DFVF_FOG; /* reserved in the API */
    const unsigned stride = dp2_fvf_size(written);
    struct client_process process = {.first = source_start,
                                     .count = count,
                                     .fvf = written,
                                     .stride = stride,
                                     .flags = flags & D3DPV_DONOTCOPYDATA ? HALCYON_PROCESS_DONOTCOPYDATA : 0,
                                     .bytes = (size_t)count * stride};
    const uint32_t times = device->pipe.times;
    struct rt_vertex_use use;
    struct rt_mapping map;
    HRESULT hr;

    if ((flags & ~(DWORD)D3DPV_DONOTCOPYDATA) || !is_of_transformed_vertices(fvf) || is_stream(device, destination) ||
        (uint64_t)(destination_start + (uint64_t)count) * stride > destination->desc.length)
        return D3DERR_INVALIDCALL;
    if (!count)
        return D3D_OK;
    /* The program reads the results, which are in its own pixels. */
    rt_pipe_set_times(&device->pipe, 0);
    rt_enlarged_begin(device, D3DPT_POINTLIST, &use);
    rt_device_bind(device);
    hr = rt_chain_lock(destination->chain, 0, 0, &map);
    if (FAILED(hr)) {
        rt_pipe_set_times(&device->pipe, times);
        return hr;
    }
    process.vertices = map.bits + (size_t)destination_start * stride;
    hr = rt_link_process_vertices(device->link, &process);
    rt_pipe_set_times(&device->pipe, times);
    rt_chain_unlock(destination->chain, 0);
    rt_buffer_transformed(destination, destination_start * stride, (unsigned)process.bytes);
    return FAILED(hr) ? D3DERR_INVALIDCALL : D3D_OK;
}
