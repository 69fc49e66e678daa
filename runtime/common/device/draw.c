/* SPDX-License-Identifier: MIT */
/* Scenes and draws. */
#include "runtime/common/device/draw.h"

#include <d3d8.h>

#include "base/base.h"
#include "d3d/primitives.h"
#include "runtime/common/device/enlarged.h"

#define UP_INDEX_BYTES (256u * 1024)
/* One DP2 command and its header. */
#define DRAW_COMMAND_BYTES 64

HRESULT WINAPI rt_device_BeginScene(void *iface)
{
    struct rt_device *device = rt_device_of(iface);
    D3DHAL_DP2RENDERSTATE capture = {.RenderState = (D3DRENDERSTATETYPE)D3DRENDERSTATE_SCENECAPTURE, .dwState = TRUE};
    RT_LOCK(&device->base);

    if (device->in_scene)
        return D3DERR_INVALIDCALL;
    device->in_scene = true;
    rt_put_entry(device->link, D3DDP2OP_RENDERSTATE, &capture, sizeof(capture));
    return D3D_OK;
}

HRESULT WINAPI rt_device_EndScene(void *iface)
{
    struct rt_device *device = rt_device_of(iface);
    D3DHAL_DP2RENDERSTATE capture = {.RenderState = (D3DRENDERSTATETYPE)D3DRENDERSTATE_SCENECAPTURE, .dwState = FALSE};
    RT_LOCK(&device->base);

    if (!device->in_scene)
        return D3DERR_INVALIDCALL;
    device->in_scene = false;
    rt_put_entry(device->link, D3DDP2OP_RENDERSTATE, &capture, sizeof(capture));
    return D3D_OK;
}

/* --- draws ----------------------------------------------------------------------------- */

/* Vertices or indices a draw reads; 0 for an unknown type or a count that overflows. */
static unsigned rt_vertices_of(D3DPRIMITIVETYPE type, UINT count)
{
    if (count > 0x1fffffff)
        return 0;
    return (unsigned)d3d_vertices_of(type, count);
}

static void upload_textures(struct rt_device *device)
{
    for (unsigned i = 0; i < RT_SAMPLERS; i++) {
        struct rt_resource *texture = device->pipe.state.texture[i];
        if (texture)
            rt_texture_upload(RT_FROM_RES(rt_texture, texture));
    }
    device->attention &= (uint8_t)~RT_TEXTURES_CHANGED;
}

static void upload_buffers(struct rt_device *device)
{
    const struct rt_state *state = &device->pipe.state;
    bool again = false;

    for (unsigned i = 0; i < RT_STREAMS; i++)
        if (state->stream[i].buffer)
            again |= rt_buffer_upload(RT_FROM_RES(rt_buffer, state->stream[i].buffer));
    if (state->indices)
        again |= rt_buffer_upload(RT_FROM_RES(rt_buffer, state->indices));
    if (!again)
        device->attention &= (uint8_t)~RT_BUFFERS_CHANGED;
}

static void upload(struct rt_device *device)
{
    if (device->attention & RT_TEXTURES_CHANGED)
        upload_textures(device);
    if (device->attention & RT_BUFFERS_CHANGED)
        upload_buffers(device);
    if (device->attention & RT_TARGETS_CHANGED)
        rt_device_match_samples(device);
}

/* Sends everything that a draw needs before its own command; arguments as for rt_pipe_bind. True: stream 0 may hold
 * results of ProcessVertices. */
static inline __attribute__((always_inline)) bool prepare_draw(struct rt_device *device, uint32_t um_stride,
                                                               uint32_t index_handle, uint32_t index_stride)
{
    if (device->attention & RT_BEFORE_BINDING)
        upload(device);
    rt_pipe_bind(&device->pipe, um_stride, index_handle, index_stride);
    if (!(device->attention & RT_AFTER_BINDING))
        return false;
    if (device->attention & RT_HAS_PALETTES)
        rt_palettes_prepare(device);
    return device->attention & RT_HAS_TRANSFORMED;
}

void rt_device_prepare(struct rt_device *device, uint32_t um_stride, uint32_t index_handle, uint32_t index_stride)
{
    prepare_draw(device, um_stride, index_handle, index_stride);
}

void rt_device_bind(struct rt_device *device)
{
    prepare_draw(device, 0, 0, 0);
}

/* Also counts it. */
static HRESULT check_draw(struct rt_device *device, D3DPRIMITIVETYPE type, UINT count)
{
    if (!device->target[0] || !rt_vertices_of(type, count))
        return D3DERR_INVALIDCALL;
    device->draws++;
    device->primitives += count;
    return D3D_OK;
}

/* Vertices that the runtime has transformed (ProcessVertices) are in stream 0, alone, and are drawn by commands that
 * count in bytes. False: they are not, or a byte count does not fit into such a command. */
static bool is_transformed(const struct rt_device *device, int64_t start)
{
    const struct rt_stream *stream = &device->pipe.state.stream[0];

    return stream->buffer && RT_FROM_RES(rt_buffer, stream->buffer)->transformed &&
           (device->api->current_fvf(device) & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW &&
           start * stream->stride == (int32_t)(start * stream->stride);
}

static void put_draw(struct rt_device *device, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    D3DHAL_DP2DRAWPRIMITIVE body = {type, start, count};

    rt_put_entry(device->link, D3DDP2OP_DRAWPRIMITIVE, &body, sizeof(body));
}

static void put_transformed(struct rt_device *device, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    D3DHAL_DP2DRAWPRIMITIVE2 body = {type, start * device->pipe.state.stream[0].stride, count};

    rt_put_entry(device->link, D3DDP2OP_DRAWPRIMITIVE2, &body, sizeof(body));
}

static void put_indexed_transformed(struct rt_device *device, const D3DHAL_DP2DRAWINDEXEDPRIMITIVE *draw,
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

HRESULT rt_draw(struct rt_device *device, D3DPRIMITIVETYPE type, UINT start, UINT count)
{
    HRESULT hr = check_draw(device, type, count);
    struct rt_vertex_use use;

    if (FAILED(hr))
        return hr;
    if (rt_enlarged_begin(device, type, &use) && device->pipe.state.stream[0].buffer)
        return rt_enlarged_draw(device, &use, type, start, count, rt_vertices_of(type, count));
    if (prepare_draw(device, 0, 0, 0) && is_transformed(device, start))
        put_transformed(device, type, start, count);
    else
        put_draw(device, type, start, count);
    return D3D_OK;
}

HRESULT rt_draw_indexed(struct rt_device *device, D3DPRIMITIVETYPE type, INT base_vertex, UINT min_index,
                        UINT vertex_count, UINT start, UINT count)
{
    struct rt_pipe *pipe = &device->pipe;
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE body = {type, base_vertex, min_index, vertex_count, start, count};
    struct rt_vertex_use use;
    struct rt_buffer *indices;
    unsigned index_bytes;
    HRESULT hr;
    bool maybe;

    if (!vertex_count)
        return D3D_OK;
    hr = check_draw(device, type, count);
    if (FAILED(hr))
        return hr;
    /* Without indices the original reports success and draws nothing. */
    if (!pipe->state.indices)
        return D3D_OK;
    if (rt_enlarged_begin(device, type, &use) && pipe->state.stream[0].buffer)
        return rt_enlarged_draw_indexed(device, &use, type, base_vertex, start, count, rt_vertices_of(type, count));
    indices = RT_FROM_RES(rt_buffer, pipe->state.indices);
    index_bytes = indices->desc.format == D3DFMT_INDEX32 ? 4 : 2;
    maybe = prepare_draw(device, 0, pipe->dirty_indices ? rt_buffer_handle(&indices->res) : 0, index_bytes);
    pipe->dirty_indices = false;
    if (maybe && is_transformed(device, base_vertex) && start <= UINT32_MAX / index_bytes)
        put_indexed_transformed(device, &body, index_bytes);
    else
        rt_put_entry(device->link, D3DDP2OP_DRAWINDEXEDPRIMITIVE, &body, sizeof(body));
    return D3D_OK;
}

/* --- draws from user memory ------------------------------------------------------------ */

/* A user-memory draw leaves stream 0 (and the indices) unbound; state blocks do not record that. */
static void forget_stream(struct rt_device *device, bool indices)
{
    rt_set_stream(&device->pipe, 0, NULL, 0);
    if (indices)
        rt_set_indices(&device->pipe, NULL, 0);
}

HRESULT rt_draw_up(struct rt_device *device, D3DPRIMITIVETYPE type, UINT count, const void *vertices, UINT stride)
{
    D3DHAL_DP2DRAWPRIMITIVE body = {type, 0, count};
    struct rt_vertex_use use;
    uint32_t first;

    if (FAILED(check_draw(device, type, count)) || !vertices || !stride)
        return D3DERR_INVALIDCALL;
    if (rt_enlarged_begin(device, type, &use))
        vertices = rt_enlarged_vertices(device, &use, vertices, rt_vertices_of(type, count), &stride);
    if (!vertices)
        return E_OUTOFMEMORY;
    prepare_draw(device, stride, 0, 0);
    rt_reserve(device->link, DRAW_COMMAND_BYTES);
    if (!rt_put_user_vertices(device->link, vertices, rt_vertices_of(type, count), stride,
                              device->api->vertex_bytes(device), &first))
        return E_OUTOFMEMORY;
    body.VStart = first;
    rt_put_entry(device->link, D3DDP2OP_DRAWPRIMITIVE, &body, sizeof(body));
    forget_stream(device, false);
    return D3D_OK;
}

/* Copies indices into the ring; *start is the first one's number in it. */
static bool put_indices(struct rt_device *device, const void *indices, unsigned count, unsigned size, uint32_t *start)
{
    struct rt_chain_desc desc = {
        .kind = RT_CHAIN_INDEX, .memory = RT_MEMORY_VIDEO, .height = 1, .depth = 1, .dynamic = true};
    DWORD flags = D3DLOCK_NOOVERWRITE;
    struct rt_mapping map;
    unsigned bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        return false;
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
    if (device->up_index_used > device->up_index_bytes - bytes) {
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

static inline uint32_t index_at(const uint8_t *indices, unsigned i, unsigned size)
{
    uint16_t narrow;
    uint32_t wide;

    if (size == 4) {
        memcpy(&wide, indices + (size_t)i * 4, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, indices + (size_t)i * 2, sizeof(narrow));
    return narrow;
}

/* Distance of an index above the lowest that was promised; indices below it wrap to very large distances. */
static inline __attribute__((always_inline)) uint32_t farthest(const uint8_t *indices, unsigned count, unsigned size,
                                                               uint32_t lowest)
{
    uint32_t most = 0;

    for (unsigned i = 0; i < count; i++)
        most = BASE_MAX(most, index_at(indices, i, size) - lowest);
    return most;
}

/* Are all indices of the range that the program promises? */
static bool indices_keep_promise(const void *indices, unsigned count, unsigned size, uint32_t lowest, uint32_t vertices)
{
    return (size == 4 ? farthest(indices, count, 4, lowest) : farthest(indices, count, 2, lowest)) < vertices;
}

HRESULT rt_draw_indexed_up(struct rt_device *device, D3DPRIMITIVETYPE type, UINT min_index, UINT vertex_count,
                           UINT count, const void *indices, uint32_t format, const void *vertices, UINT stride)
{
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE body = {type, 0, min_index, vertex_count, 0, count};
    unsigned size = format == D3DFMT_INDEX32 ? 4 : 2;
    uint32_t start, first;

    if (vertex_count && (FAILED(check_draw(device, type, count)) || !vertices || !indices ||
                         (format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32)))
        return D3DERR_INVALIDCALL;
    if (stride && vertex_count) {
        const unsigned index_count = rt_vertices_of(type, count);
        /* only the vertices that the program promised are read */
        const void *promised = (const uint8_t *)vertices + (size_t)min_index * stride;
        struct rt_vertex_use use;
        bool alone;

        if (rt_enlarged_begin(device, type, &use))
            promised = rt_enlarged_vertices(device, &use, promised, vertex_count, &stride);
        if (!promised || !put_indices(device, indices, index_count, size, &start))
            return E_OUTOFMEMORY;
        /* Vertices outside the promised range read as 0: vertices of other draws must not lie before or after it. */
        alone = !indices_keep_promise(indices, index_count, size, min_index, vertex_count);
        prepare_draw(device, stride, rt_chain_handle(device->up_indices, 0), size);
        if (alone)
            rt_flush(device->link);
        rt_reserve(device->link, DRAW_COMMAND_BYTES);
        if (!rt_put_user_vertices(device->link, promised, vertex_count, stride, device->api->vertex_bytes(device),
                                  &first))
            return E_OUTOFMEMORY;
        body.BaseVertexIndex = (INT)first - (INT)min_index;
        body.StartIndex = start;
        rt_put_entry(device->link, D3DDP2OP_DRAWINDEXEDPRIMITIVE, &body, sizeof(body));
        if (alone)
            rt_flush(device->link);
    }
    forget_stream(device, true);
    return D3D_OK;
}
