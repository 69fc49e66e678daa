/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice9(Ex): checks draws, before runtime/common/device draws. */
#include "runtime/d3d9/device/device_methods.h"

#include "d3d/states.h"
#include "runtime/common/device/draw.h"
#include "runtime/d3d9/shader/declaration.h"
#include "runtime/d3d9/perf.h"
#include "runtime/d3d9/shader/shader.h"

/* --- what all draws need ------------------------------------------------------------------ */

/* A mixed device in hardware mode has been given a shader that only software can run. Like the original, refuses the
 * draw that would send the shader, and counts the shader as sent: the next draw uses the driver's previous shader. */
static bool refuses_shader(struct rt_device *device)
{
    struct rt_pipe *pipe = &device->pipe;
    const struct rt_resource *shader = pipe->state.vertex_function;

    if (!shader || !RT_FROM_RES(d3d9_shader, shader)->needs_software ||
        !(device->creation.BehaviorFlags & D3DCREATE_MIXED_VERTEXPROCESSING) ||
        pipe->state.render[D3D_RS_SOFTWAREVERTEXPROCESSING])
        return false;
    pipe->dirty_vertex_shader = false;
    log_once(LOG_WARN, 0, "a draw in hardware mode is refused: its vertex shader needs software vertex processing");
    return true;
}

static bool can_draw(struct rt_device *device)
{
    if (!device->pipe.state.declaration || (device->pipe.dirty_vertex_shader && refuses_shader(device)))
        return false;
    d3d9_perf_send(device->link);
    return true;
}

HRESULT WINAPI d3d9_device_Clear(IDirect3DDevice9Ex *iface, DWORD count, const D3DRECT *rects, DWORD flags,
                                 D3DCOLOR color, float z, DWORD stencil)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    d3d9_perf_send(device->link);
    return rt_device_Clear(iface, count, rects, flags, color, z, stencil);
}

/* --- from buffers ------------------------------------------------------------------------- */

HRESULT WINAPI d3d9_device_DrawPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!can_draw(device))
        return D3DERR_INVALIDCALL;
    return count ? rt_draw(device, type, start, count) : D3D_OK;
}

HRESULT WINAPI d3d9_device_DrawIndexedPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, INT base_vertex,
                                                UINT min_index, UINT vertex_count, UINT start, UINT count)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!can_draw(device))
        return D3DERR_INVALIDCALL;
    return count ? rt_draw_indexed(device, type, base_vertex, min_index, vertex_count, start, count) : D3D_OK;
}

/* --- from memory of the program's ----------------------------------------------------------- */

/* Even a rejected UP draw unbinds stream 0 (its stride survives) and the index buffer. */
static HRESULT refuse_up(struct rt_device *device, bool indexed)
{
    const struct rt_stream *stream = &device->pipe.state.stream[0];

    rt_set_stream_source(&device->pipe, 0, NULL, stream->offset, stream->stride);
    if (indexed)
        rt_set_indices(&device->pipe, NULL, 0);
    return D3DERR_INVALIDCALL;
}

HRESULT WINAPI d3d9_device_DrawPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT count,
                                           const void *vertices, UINT stride)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!stride)
        return D3DERR_INVALIDCALL;
    if (!can_draw(device))
        return refuse_up(device, false);
    return count ? rt_draw_up(device, type, count, vertices, stride) : D3D_OK;
}

HRESULT WINAPI d3d9_device_DrawIndexedPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT min_index,
                                                  UINT vertex_count, UINT count, const void *indices, D3DFORMAT format,
                                                  const void *vertices, UINT stride)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!stride)
        return D3DERR_INVALIDCALL;
    if (!can_draw(device))
        return refuse_up(device, true);
    if (!count)
        return D3D_OK;
    return rt_draw_indexed_up(device, type, min_index, vertex_count, count, indices, format, vertices, stride);
}

/* --- patches ------------------------------------------------------------------------------ */

HRESULT WINAPI d3d9_device_DrawRectPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
                                         const D3DRECTPATCH_INFO *info)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!can_draw(device))
        return D3DERR_INVALIDCALL;
    return rt_draw_patch(device, D3DDP2OP_DRAWRECTPATCH, handle, segments, info);
}

HRESULT WINAPI d3d9_device_DrawTriPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
                                        const D3DTRIPATCH_INFO *info)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!can_draw(device))
        return D3DERR_INVALIDCALL;
    return rt_draw_patch(device, D3DDP2OP_DRAWTRIPATCH, handle, segments, info);
}

/* --- vertices into a buffer --------------------------------------------------------------- */

/* The result's format: of the declaration, which must be equivalent to a flexible vertex format (0 if not), or of the buffer. */
static DWORD result_format(const struct rt_buffer *buffer, IDirect3DVertexDeclaration9 *declaration)
{
    return declaration ? d3d9_declaration_layout(d3d9_declaration_at(declaration)) : buffer->desc.fvf;
}

HRESULT WINAPI d3d9_device_ProcessVertices(IDirect3DDevice9Ex *iface, UINT source_start, UINT destination_start,
                                           UINT count, IDirect3DVertexBuffer9 *destination,
                                           IDirect3DVertexDeclaration9 *declaration, DWORD flags)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    struct rt_buffer *buffer = rt_buffer_of(destination);
    RT_LOCK(&device->common.base);

    if (!buffer || buffer->device != &device->common || d3d9_device_is_pure(device) || !can_draw(&device->common))
        return D3DERR_INVALIDCALL;
    return rt_process_vertices(&device->common, source_start, destination_start, count, buffer,
                               result_format(buffer, declaration), flags);
}
