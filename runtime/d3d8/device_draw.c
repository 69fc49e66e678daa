/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: scenes, clears and draws. */
#include "runtime/d3d8/device_methods.h"

#define UP_INDEX_BYTES (256u * 1024)
/* One DP2 command and its header. */
#define DRAW_COMMAND_BYTES 64

HRESULT WINAPI d3d8_device_BeginScene(IDirect3DDevice8 *iface)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DHAL_DP2RENDERSTATE capture = {.RenderState = (D3DRENDERSTATETYPE)D3DRENDERSTATE_SCENECAPTURE, .dwState = TRUE};
    RT_LOCK(&device->base);

    if (device->in_scene)
        return D3DERR_INVALIDCALL;
    device->in_scene = true;
    rt_put_entry(device->link, D3DDP2OP_RENDERSTATE, &capture, sizeof(capture));
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_EndScene(IDirect3DDevice8 *iface)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DHAL_DP2RENDERSTATE capture = {.RenderState = (D3DRENDERSTATETYPE)D3DRENDERSTATE_SCENECAPTURE, .dwState = FALSE};
    RT_LOCK(&device->base);

    if (!device->in_scene)
        return D3DERR_INVALIDCALL;
    device->in_scene = false;
    rt_put_entry(device->link, D3DDP2OP_RENDERSTATE, &capture, sizeof(capture));
    return D3D_OK;
}

/* --- clear ----------------------------------------------------------------------------- */

static bool clip_to_viewport(const struct d3d8_device *device, const D3DRECT *rect, RECT *out)
{
    const D3DVIEWPORT8 *v = &device->pipe.state.viewport;
    LONG left = (LONG)v->X, top = (LONG)v->Y;
    LONG right = (LONG)BASE_MIN(v->X + v->Width, device->target->desc.Width);
    LONG bottom = (LONG)BASE_MIN(v->Y + v->Height, device->target->desc.Height);

    SetRect(out, left, top, right, bottom);
    if (rect) {
        out->left = BASE_MAX(left, rect->x1);
        out->top = BASE_MAX(top, rect->y1);
        out->right = BASE_MIN(right, rect->x2);
        out->bottom = BASE_MIN(bottom, rect->y2);
    }
    return out->left < out->right && out->top < out->bottom;
}

static HRESULT check_clear(const struct d3d8_device *device, DWORD flags)
{
    if (!device->target || !flags || (flags & ~(DWORD)(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)))
        return D3DERR_INVALIDCALL;
    if ((flags & (D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)) && !device->depth)
        return D3DERR_INVALIDCALL;
    if ((flags & D3DCLEAR_STENCIL) && !(rt_format_info(device->depth->desc.Format)->flags & RT_FORMAT_STENCIL))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

/* Rectangles of one command: far more than programs have, and less than a batch holds. */
#define CLEAR_RECTS 8192

/* A command with room for so many rectangles, which nothing aligns; NULL: none could be made. */
static uint8_t *put_clear(struct d3d8_device *device, const D3DHAL_DP2CLEAR *clear, unsigned count)
{
    const size_t head = offsetof(D3DHAL_DP2CLEAR, Rects);
    uint8_t *body =
        rt_put(device->link, D3DDP2OP_CLEAR, (uint16_t)count, NULL, head + BASE_MAX(count, 1u) * sizeof(RECT));

    if (!body)
        return NULL;
    memcpy(body, clear, head);
    return body + head;
}

/* The driver of a pure device cuts rectangles to its viewport, and clears all of that if there are none; the stream carries
 * one rectangle then that means nothing (DirectX 8 DDI document, "Processing the D3DDP2OP_CLEAR DP2 Token"). */
static void clear_computed(struct d3d8_device *device, D3DHAL_DP2CLEAR *clear, const D3DRECT *rects, DWORD count)
{
    clear->dwFlags |= D3DCLEAR_COMPUTERECTS;
    if (!rects) {
        uint8_t *filler = put_clear(device, clear, 0);
        if (filler)
            memset(filler, 0, sizeof(RECT));
        return;
    }
    for (DWORD done = 0; done < count; done += CLEAR_RECTS) {
        unsigned n = (unsigned)BASE_MIN(count - done, CLEAR_RECTS);
        uint8_t *to = put_clear(device, clear, n);
        if (to)
            memcpy(to, rects + done, n * sizeof(*rects)); /* a D3DRECT has the layout of a RECT */
    }
}

/* One command for those that are seen. */
static void clear_clipped(struct d3d8_device *device, const D3DHAL_DP2CLEAR *clear, const D3DRECT *rects, DWORD count)
{
    for (DWORD done = 0; done < count; done += CLEAR_RECTS) {
        DWORD end = BASE_MIN(count, done + CLEAR_RECTS);
        unsigned visible = 0;
        uint8_t *to;
        RECT rect;
        for (DWORD i = done; i < end; i++)
            visible += clip_to_viewport(device, &rects[i], &rect);
        to = visible ? put_clear(device, clear, visible) : NULL;
        for (DWORD i = done; to && i < end; i++) {
            if (clip_to_viewport(device, &rects[i], &rect)) {
                memcpy(to, &rect, sizeof(rect));
                to += sizeof(rect);
            }
        }
    }
}

HRESULT WINAPI d3d8_device_Clear(IDirect3DDevice8 *iface, DWORD count, const D3DRECT *rects, DWORD flags,
                                 D3DCOLOR color, float z, DWORD stencil)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DHAL_DP2CLEAR clear = {flags, color, z, stencil, {{0, 0, 0, 0}}};
    HRESULT hr;
    RT_LOCK(&device->base);

    hr = check_clear(device, flags);
    if (FAILED(hr))
        return hr;
    if (!count && rects)
        return D3D_OK;
    if (device->pipe.pure)
        clear_computed(device, &clear, rects, count);
    else if (rects)
        clear_clipped(device, &clear, rects, count);
    else if (clip_to_viewport(device, NULL, &clear.Rects[0]))
        rt_put(device->link, D3DDP2OP_CLEAR, 1, &clear, sizeof(clear));
    return D3D_OK;
}

/* --- draws ----------------------------------------------------------------------------- */

/* Vertices or indices a draw reads; 0 for an unknown type or a count that overflows. */
static unsigned vertices_of(D3DPRIMITIVETYPE type, UINT count)
{
    if (count > 0x1fffffff)
        return 0;
    switch (type) {
    case D3DPT_POINTLIST:
        return count;
    case D3DPT_LINELIST:
        return count * 2;
    case D3DPT_LINESTRIP:
        return count + 1;
    case D3DPT_TRIANGLELIST:
        return count * 3;
    case D3DPT_TRIANGLESTRIP:
    case D3DPT_TRIANGLEFAN:
        return count + 2;
    default:
        return 0;
    }
}

static void upload_textures(struct d3d8_device *device)
{
    for (unsigned i = 0; i < RT_STAGES; i++) {
        struct rt_resource *texture = device->pipe.state.texture[i];
        if (texture)
            d3d8_texture_upload(D3D8_FROM_RES(d3d8_texture, texture));
    }
    device->attention &= (uint8_t)~D3D8_TEXTURES_CHANGED;
}

static void upload_buffers(struct d3d8_device *device)
{
    const struct rt_state *state = &device->pipe.state;
    bool again = false;

    for (unsigned i = 0; i < RT_STREAMS; i++)
        if (state->stream[i].buffer)
            again |= d3d8_buffer_upload(D3D8_FROM_RES(d3d8_buffer, state->stream[i].buffer));
    if (state->indices)
        again |= d3d8_buffer_upload(D3D8_FROM_RES(d3d8_buffer, state->indices));
    if (!again)
        device->attention &= (uint8_t)~D3D8_BUFFERS_CHANGED;
}

void d3d8_device_prepare(struct d3d8_device *device)
{
    if (device->attention & D3D8_TEXTURES_CHANGED)
        upload_textures(device);
    if (device->attention & D3D8_BUFFERS_CHANGED)
        upload_buffers(device);
}

/* All that goes before a draw but its own command; arguments as of rt_pipe_bind. True: stream 0 may hold what ProcessVertices
 * has made. */
static inline __attribute__((always_inline)) bool prepare_draw(struct d3d8_device *device, uint32_t um_stride,
                                                               uint32_t index_handle, uint32_t index_stride)
{
    if (device->attention & D3D8_BEFORE_BINDING)
        d3d8_device_prepare(device);
    rt_pipe_bind(&device->pipe, um_stride, index_handle, index_stride);
    if (!(device->attention & D3D8_AFTER_BINDING))
        return false;
    if (device->attention & D3D8_HAS_PALETTES)
        d3d8_palettes_prepare(device);
    return device->attention & D3D8_HAS_TRANSFORMED;
}

/* Also counts it. */
static HRESULT check_draw(struct d3d8_device *device, D3DPRIMITIVETYPE type, UINT count)
{
    if (!device->pipe.state.vertex_shader || !device->target || !vertices_of(type, count))
        return D3DERR_INVALIDCALL;
    device->draws++;
    device->primitives += count;
    return D3D_OK;
}

/* Vertices that the runtime has transformed (ProcessVertices) are in stream 0, alone, and are drawn by commands that count in
 * bytes. False: they are not, or the bytes are beyond what such a command can say. */
static bool is_transformed(const struct d3d8_device *device, int64_t start)
{
    const struct rt_state *state = &device->pipe.state;
    const struct rt_stream *stream = &state->stream[0];

    return stream->buffer && D3D8_FROM_RES(d3d8_buffer, stream->buffer)->transformed &&
           !(state->vertex_shader & D3DFVF_RESERVED0) &&
           (state->vertex_shader & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW &&
           start * stream->stride == (int32_t)(start * stream->stride);
}

static void put_draw(struct d3d8_device *device, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    D3DHAL_DP2DRAWPRIMITIVE body = {type, start, count};

    rt_put_entry(device->link, D3DDP2OP_DRAWPRIMITIVE, &body, sizeof(body));
}

static void put_transformed(struct d3d8_device *device, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    D3DHAL_DP2DRAWPRIMITIVE2 body = {type, start * device->pipe.state.stream[0].stride, count};

    rt_put_entry(device->link, D3DDP2OP_DRAWPRIMITIVE2, &body, sizeof(body));
}

static void put_indexed_transformed(struct d3d8_device *device, const D3DHAL_DP2DRAWINDEXEDPRIMITIVE *draw,
                                    unsigned index_bytes)
{
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE2 body = {draw->primType,
                                            draw->BaseVertexIndex * (INT)device->pipe.state.stream[0].stride,
                                            draw->MinIndex,
                                            draw->NumVertices,
                                            draw->StartIndex * index_bytes,
                                            draw->PrimitiveCount};

    rt_put_entry(device->link, D3DDP2OP_DRAWINDEXEDPRIMITIVE2, &body, sizeof(body));
}

HRESULT WINAPI d3d8_device_DrawPrimitive(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    hr = check_draw(device, type, count);
    if (FAILED(hr))
        return hr;
    if (prepare_draw(device, 0, 0, 0) && is_transformed(device, start))
        put_transformed(device, type, start, count);
    else
        put_draw(device, type, start, count);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_DrawIndexedPrimitive(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT min_index,
                                                UINT vertex_count, UINT start, UINT count)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_pipe *pipe = &device->pipe;
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE body = {type, (INT)pipe->state.base_vertex, min_index, vertex_count, start, count};
    struct d3d8_buffer *indices;
    unsigned index_bytes;
    bool maybe;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    hr = check_draw(device, type, count);
    if (FAILED(hr))
        return hr;
    /* Without indices the original reports success and draws nothing. */
    if (!pipe->state.indices)
        return D3D_OK;
    indices = D3D8_FROM_RES(d3d8_buffer, pipe->state.indices);
    index_bytes = indices->format == D3DFMT_INDEX32 ? 4 : 2;
    maybe = prepare_draw(device, 0, pipe->dirty_indices ? d3d8_buffer_handle(&indices->res) : 0, index_bytes);
    pipe->dirty_indices = false;
    if (maybe && is_transformed(device, body.BaseVertexIndex) && start <= UINT32_MAX / index_bytes)
        put_indexed_transformed(device, &body, index_bytes);
    else
        rt_put_entry(device->link, D3DDP2OP_DRAWINDEXEDPRIMITIVE, &body, sizeof(body));
    return D3D_OK;
}

/* A user-memory draw leaves stream 0 (and the indices) unbound; state blocks do not record that. */
static void forget_stream(struct d3d8_device *device, bool indices)
{
    rt_set_stream(&device->pipe, 0, NULL, 0);
    if (indices)
        rt_set_indices(&device->pipe, NULL, 0);
}

HRESULT WINAPI d3d8_device_DrawPrimitiveUP(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT count, const void *data,
                                           UINT stride)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DHAL_DP2DRAWPRIMITIVE body = {type, 0, count};
    uint32_t first;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    hr = check_draw(device, type, count);
    if (FAILED(hr) || !data || !stride)
        return D3DERR_INVALIDCALL;
    prepare_draw(device, stride, 0, 0);
    rt_reserve(device->link, DRAW_COMMAND_BYTES);
    if (!rt_put_user_vertices(device->link, data, vertices_of(type, count), stride, &first))
        return E_OUTOFMEMORY;
    body.VStart = first;
    rt_put_entry(device->link, D3DDP2OP_DRAWPRIMITIVE, &body, sizeof(body));
    forget_stream(device, false);
    return D3D_OK;
}

/* Copies indices into the ring; *start is the first one's number in it. */
static bool put_indices(struct d3d8_device *device, const void *indices, unsigned count, unsigned size, uint32_t *start)
{
    struct rt_chain_desc desc = {
        .kind = RT_CHAIN_INDEX, .memory = RT_MEMORY_VIDEO, .height = 1, .depth = 1, .dynamic = true};
    unsigned bytes = count * size;
    DWORD flags = D3DLOCK_NOOVERWRITE;
    struct rt_mapping map;

    if (bytes > device->up_index_bytes) {
        rt_chain_destroy(device->up_indices);
        device->up_indices = NULL;
        device->up_index_bytes = 0;
        desc.width = BASE_MAX(bytes, UP_INDEX_BYTES);
        if (FAILED(rt_chain_create(device->link, &desc, &device->up_indices)))
            return false;
        device->up_index_bytes = desc.width;
        device->up_index_used = 0;
    }
    device->up_index_used = (device->up_index_used + 3) & ~3u;
    if (device->up_index_used + bytes > device->up_index_bytes) {
        device->up_index_used = 0;
        flags = D3DLOCK_DISCARD;
    }
    if (FAILED(rt_chain_lock(device->up_indices, 0, flags, &map)))
        return false;
    memcpy(map.bits + device->up_index_used, indices, bytes);
    rt_chain_unlock(device->up_indices, 0);
    *start = device->up_index_used / size;
    device->up_index_used += bytes;
    return true;
}

HRESULT WINAPI d3d8_device_DrawIndexedPrimitiveUP(IDirect3DDevice8 *iface, D3DPRIMITIVETYPE type, UINT min_index,
                                                  UINT vertex_count, UINT count, const void *indices, D3DFORMAT format,
                                                  const void *data, UINT stride)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE body = {type, 0, min_index, vertex_count, 0, count};
    unsigned size = format == D3DFMT_INDEX32 ? 4 : 2;
    uint32_t start, first;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!count)
        return D3D_OK;
    hr = check_draw(device, type, count);
    if (FAILED(hr) || !data || !indices || (format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32))
        return D3DERR_INVALIDCALL;
    if (stride && vertex_count) {
        if (!put_indices(device, indices, vertices_of(type, count), size, &start))
            return E_OUTOFMEMORY;
        prepare_draw(device, stride, rt_chain_handle(device->up_indices, 0), size);
        rt_reserve(device->link, DRAW_COMMAND_BYTES);
        /* Only the vertices the program promised are read. */
        if (!rt_put_user_vertices(device->link, (const uint8_t *)data + (size_t)min_index * stride, vertex_count,
                                  stride, &first))
            return E_OUTOFMEMORY;
        body.BaseVertexIndex = (INT)first - (INT)min_index;
        body.StartIndex = start;
        rt_put_entry(device->link, D3DDP2OP_DRAWINDEXEDPRIMITIVE, &body, sizeof(body));
    }
    forget_stream(device, true);
    return D3D_OK;
}

/* --- patches --------------------------------------------------------------------------- */

/* Checks what any draw is checked for; how many primitives a patch will be only the driver knows. */
static HRESULT check_patch(struct d3d8_device *device, UINT handle, const void *info)
{
    if (!device->pipe.state.vertex_shader || !device->target || (!handle && !info))
        return D3DERR_INVALIDCALL;
    device->draws++;
    return D3D_OK;
}

/* Handle, flags, then segments and description where given. */
static void put_patch(struct d3d8_device *device, uint8_t token, UINT handle, const float *segments,
                      size_t segment_bytes, const void *info, size_t info_bytes)
{
    uint8_t body[8 + 16 + sizeof(D3DRECTPATCH_INFO)];
    DWORD flags = (segments ? RTPATCHFLAG_HASSEGS : 0) | (info ? RTPATCHFLAG_HASINFO : 0);
    size_t size = 8;

    memcpy(body, &handle, 4);
    memcpy(body + 4, &flags, 4);
    if (segments) {
        memcpy(body + size, segments, segment_bytes);
        size += segment_bytes;
    }
    if (info) {
        memcpy(body + size, info, info_bytes);
        size += info_bytes;
    }
    rt_put(device->link, token, 1, body, size);
}

HRESULT WINAPI d3d8_device_DrawRectPatch(IDirect3DDevice8 *iface, UINT handle, const float *segments,
                                         const D3DRECTPATCH_INFO *info)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    HRESULT hr;
    RT_LOCK(&device->base);

    hr = check_patch(device, handle, info);
    if (FAILED(hr))
        return hr;
    prepare_draw(device, 0, 0, 0);
    put_patch(device, D3DDP2OP_DRAWRECTPATCH, handle, segments, 16, info, sizeof(*info));
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_DrawTriPatch(IDirect3DDevice8 *iface, UINT handle, const float *segments,
                                        const D3DTRIPATCH_INFO *info)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    HRESULT hr;
    RT_LOCK(&device->base);

    hr = check_patch(device, handle, info);
    if (FAILED(hr))
        return hr;
    prepare_draw(device, 0, 0, 0);
    put_patch(device, D3DDP2OP_DRAWTRIPATCH, handle, segments, 12, info, sizeof(*info));
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_DeletePatch(IDirect3DDevice8 *iface, UINT handle)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DHAL_DP2RENDERSTATE entry = {.RenderState = (D3DRENDERSTATETYPE)D3DRS_DELETERTPATCH, .dwState = handle};
    RT_LOCK(&device->base);

    rt_put_entry(device->link, D3DDP2OP_RENDERSTATE, &entry, sizeof(entry));
    return D3D_OK;
}
