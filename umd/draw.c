/* SPDX-License-Identifier: MIT */
/*
 * Streams, indices and draws. Vertices and indices may be in the caller's memory, whose size no function says: a draw copies what it reads,
 * vertices into the batch, indices into a buffer of the device.
 */
#include "umd/device.h"

#include <string.h>

#include "d3d/ddi.h"
#include "d3d/primitives.h"

UMD_SAME_SIZE(D3DDDIARG_DRAWPRIMITIVE, D3DHAL_DP2DRAWPRIMITIVE);
UMD_SAME_SIZE(D3DDDIARG_DRAWINDEXEDPRIMITIVE, D3DHAL_DP2DRAWINDEXEDPRIMITIVE);

#define MOST_INDICES \
    0x300000u /* of a draw from the caller's memory: streams draw 0xFFFFF primitives at once (docs/limits.md) */
#define MOST_STRIDE 1024u /* bytes (D3DCAPS9.MaxStreamStride) */
#define RING_BYTES  (256u * 1024)
#define INDEX_BLOCK 0xFFFFFFFFu /* the number of a state block that holds the indices; handles have smaller ones */

/* --- streams ------------------------------------------------------------------------------------- */

void umd_bind_stream(struct umd_device *device, unsigned stream, struct umd_stream state)
{
    device->now.streams[stream] = state;
    device->now.streams_of_caller &= ~(1u << stream);
    device->now.streams_of_caller |= (uint32_t) !!state.memory << stream;
}

/* The stream as draws will find it: as soon as the state block that is being recorded is executed, if there is one. */
static void keep_stream(struct umd_device *device, unsigned stream, struct umd_stream state)
{
    struct umd_state_block *block = device->now.recording;

    if (!block) {
        umd_bind_stream(device, stream, state);
        return;
    }
    block->streams_set |= 1u << stream;
    block->streams[stream] = state;
}

HRESULT APIENTRY umd_SetStreamSource(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && data->Stream < D3D_STREAMS) {
        const struct umd_part *part = data->hVertexBuffer ? umd_find_part(device, data->hVertexBuffer, 0) : NULL;

        if (part ? part->surface->usage & CLIENT_BUFFER : !data->hVertexBuffer) {
            const D3DHAL_DP2SETSTREAMSOURCE2 entry = {data->Stream, part ? client_handle(part->surface) : 0,
                                                      data->Offset, data->Stride};

            hr = umd_put(device, D3DDP2OP_SETSTREAMSOURCE2, &entry, sizeof(entry));
            keep_stream(device, data->Stream, (struct umd_stream){NULL, data->Stride, part});
        }
    }
    return umd_leave(device, hr);
}

/* The token is not one that state blocks hold: while one is recorded, it takes effect at once. Streams have the caller's vertices as
 * stream 0 only (docs/reference/device-state.md). */
HRESULT APIENTRY umd_SetStreamSourceUm(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCEUM *data, const VOID *vertices)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && data->Stream)
        hr = UMD_REFUSE("the caller's vertices as another stream than 0");
    else if (device && data && vertices && data->Stride && data->Stride <= MOST_STRIDE) {
        const D3DHAL_DP2SETSTREAMSOURCEUM entry = {data->Stream, data->Stride};

        hr = umd_put(device, D3DDP2OP_SETSTREAMSOURCEUM, &entry, sizeof(entry));
        umd_bind_stream(device, data->Stream, (struct umd_stream){vertices, data->Stride, false});
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_SetStreamSourceFreq(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCEFREQ *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && data->Stream < D3D_STREAMS) {
        const D3DHAL_DP2SETSTREAMSOURCEFREQ entry = {data->Stream, data->Divider};

        hr = umd_put(device, D3DDP2OP_SETSTREAMSOURCEFREQ, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}

/* --- indices ---------------------------------------------------------------------------------------- */

HRESULT APIENTRY umd_SetIndices(HANDLE hDevice, const D3DDDIARG_SETINDICES *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && (!data->hIndexBuffer || data->Stride == 2 || data->Stride == 4)) {
        const struct umd_part *part = data->hIndexBuffer ? umd_find_part(device, data->hIndexBuffer, 0) : NULL;

        if (part ? part->surface->usage & CLIENT_BUFFER : !data->hIndexBuffer) {
            const D3DHAL_DP2SETINDICES entry = {part ? client_handle(part->surface) : 0, part ? data->Stride : 2};

            hr = umd_put(device, D3DDP2OP_SETINDICES, &entry, sizeof(entry));
            if (device->now.recording)
                device->now.recording->indices_set = true;
            else
                device->now.indices = NULL;
        }
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_SetIndicesUm(HANDLE hDevice, UINT size, const VOID *indices)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && indices && (size == 2 || size == 4)) {
        device->now.indices = indices;
        device->now.index_size = size;
        hr = S_OK;
    }
    return umd_leave(device, hr);
}

void umd_free_ring(struct umd_device *device)
{
    client_chain_destroy(device->ring);
    device->ring = NULL;
    device->ring_bytes = device->ring_used = 0;
}

/* A larger buffer, if the one there is has not so many bytes. */
static HRESULT make_ring(struct umd_device *device, size_t bytes)
{
    struct client_chain_desc desc = {.usage = CLIENT_INDEX_BUFFER | CLIENT_DYNAMIC, .width = RING_BYTES};
    HRESULT hr;

    if (bytes <= device->ring_bytes)
        return S_OK;
    while (desc.width < bytes)
        desc.width *= 2;
    umd_send(device);
    umd_free_ring(device);
    hr = client_chain_create(device->client, &desc, &device->ring);
    if (SUCCEEDED(hr))
        device->ring_bytes = desc.width;
    return umd_result(hr);
}

/* Copies indices into the ring. *start: their offset there, in bytes. A draw reads its indices when the batch is sent, so a batch that was
 * sent leaves the ring empty. */
static HRESULT put_indices(struct umd_device *device, const uint8_t *indices, size_t bytes, uint32_t *start)
{
    HRESULT hr = make_ring(device, bytes);
    struct client_lock lock;

    if (FAILED(hr))
        return hr;
    if (bytes > device->ring_bytes - device->ring_used) {
        umd_send(device);
        device->ring_used = 0;
    }
    hr = client_lock(client_part(device->ring, 0), NULL, DDLOCK_NOOVERWRITE, &lock);
    if (FAILED(hr))
        return umd_result(hr);
    memcpy(lock.bits + device->ring_used, indices, bytes);
    client_unlock(client_part(device->ring, 0));
    *start = device->ring_used;
    device->ring_used = (uint32_t)BASE_MIN((size_t)device->ring_bytes, (device->ring_used + bytes + 3) & ~(size_t)3);
    return S_OK;
}

static HRESULT operate_block(struct umd_device *device, uint32_t operation)
{
    const D3DHAL_DP2STATESET entry = {operation, INDEX_BLOCK, 0};

    return umd_put(device, D3DDP2OP_STATESET, &entry, sizeof(entry));
}

/* Binds the ring, after saving the binding that there is: a state block of the stream's keeps it, because blocks that the runtime
 * executes change it without any function's knowledge. */
static HRESULT bind_ring(struct umd_device *device, uint32_t index_size)
{
    const D3DHAL_DP2SETINDICES none = {0, 2}, ring = {client_handle(client_part(device->ring, 0)), index_size};
    HRESULT hr = S_OK;

    if (device->now.recording)
        return UMD_REFUSE("a draw from the caller's indices while a state block is recorded");
    if (!device->now.has_index_block) {
        hr = operate_block(device, D3DHAL_STATESETBEGIN);
        if (SUCCEEDED(hr))
            hr = umd_put(device, D3DDP2OP_SETINDICES, &none, sizeof(none));
        if (SUCCEEDED(hr))
            hr = operate_block(device, D3DHAL_STATESETEND);
        device->now.has_index_block = SUCCEEDED(hr);
    }
    if (SUCCEEDED(hr))
        hr = operate_block(device, D3DHAL_STATESETCAPTURE);
    return SUCCEEDED(hr) ? umd_put(device, D3DDP2OP_SETINDICES, &ring, sizeof(ring)) : hr;
}

/* --- vertices of the caller ------------------------------------------------------------------------------ */

/* Room for all commands of a draw, which must be sent together with its vertices. */
#define DRAW_BYTES 256

/* The vertices that a draw reads, from `first` on, and where they are in the batch. */
struct range {
    int64_t first; /* vertex, counted from the pointer */
    uint64_t count;
    int64_t moved; /* out: by so many vertices */
};

static struct umd_stream *stream_of_caller(struct umd_device *device, bool *others)
{
    struct umd_stream *found = NULL;

    *others = false;
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        if (device->now.streams[i].memory && !found)
            found = &device->now.streams[i];
        else if (device->now.streams[i].memory || device->now.streams[i].bound)
            *others = true;
    return found;
}

/* Copies the vertices of the stream in the caller's memory. Draws of several streams keep their numbers of vertices: all from 0 on are
 * copied, to the front of a batch. */
static __attribute__((noinline)) HRESULT put_vertices_of_caller(struct umd_device *device, struct range *range)
{
    bool others;
    struct umd_stream *stream;
    const struct umd_shader *declaration;
    uint32_t first = 0, reach;
    int64_t from = range->first;
    uint64_t count = range->count;

    stream = stream_of_caller(device, &others);
    declaration = umd_handle_get(device->now.declaration, UMD_DECLARATION, device);
    if (others) {
        umd_send(device);
        count += from > 0 ? (uint64_t)from : 0;
        from = BASE_MIN(from, 0);
    }
    if (count > MOST_INDICES)
        return UMD_REFUSE("a draw of too many vertices from the caller's memory");
    client_batch_reserve(&device->batch, DRAW_BYTES);
    reach = declaration ? declaration->reach[stream - device->now.streams] : 0;
    if (!client_batch_put_vertices(&device->batch, stream->memory + from * (int64_t)stream->stride, (unsigned)count,
                                   stream->stride, reach, &first))
        return E_OUTOFMEMORY;
    range->moved = (int64_t)first - from;
    return S_OK;
}

static HRESULT put_vertices(struct umd_device *device, struct range *range)
{
    range->moved = 0;
    return device->now.streams_of_caller ? put_vertices_of_caller(device, range) : S_OK;
}

/* --- draws ---------------------------------------------------------------------------------------------------- */

static bool is_drawable(UINT type, UINT primitives)
{
    return type >= D3D_POINTLIST && type <= D3D_TRIANGLEFAN && primitives;
}

/* A fan that the runtime has clipped, in wireframe: bits say which edges to draw. */
static HRESULT put_fan(struct umd_device *device, uint32_t start, UINT primitives, UINT edges)
{
    const D3DHAL_CLIPPEDTRIANGLEFAN entry = {start * device->now.streams[0].stride, edges, primitives};

    return umd_put(device, D3DDP2OP_CLIPPEDTRIANGLEFAN, &entry, sizeof(entry));
}

/* With vertices of the caller, or edge flags. */
static __attribute__((noinline)) HRESULT draw_moved(struct umd_device *device, const D3DDDIARG_DRAWPRIMITIVE *data,
                                                    const UINT *edges)
{
    struct range range = {.first = data->VStart, .count = d3d_vertices_of(data->PrimitiveType, data->PrimitiveCount)};
    D3DDDIARG_DRAWPRIMITIVE moved = *data;
    const HRESULT hr = put_vertices(device, &range);

    moved.VStart = (UINT)(data->VStart + range.moved);
    if (FAILED(hr))
        return hr;
    return edges && data->PrimitiveType == D3D_TRIANGLEFAN
               ? put_fan(device, moved.VStart, data->PrimitiveCount, *edges)
               : umd_put(device, D3DDP2OP_DRAWPRIMITIVE, &moved, sizeof(moved));
}

HRESULT APIENTRY umd_DrawPrimitive(HANDLE hDevice, const D3DDDIARG_DRAWPRIMITIVE *data, const UINT *edges)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && is_drawable(data->PrimitiveType, data->PrimitiveCount))
        hr = device->now.streams_of_caller || edges ? draw_moved(device, data, edges)
                                                    : umd_put(device, D3DDP2OP_DRAWPRIMITIVE, data, sizeof(*data));
    return umd_leave(device, hr);
}

/* With indices of the caller: *start is moved, in bytes. */
static HRESULT use_indices(struct umd_device *device, const uint8_t *indices, uint32_t size, uint64_t offset,
                           uint64_t count, uint32_t *start)
{
    HRESULT hr;

    if (count > MOST_INDICES)
        return UMD_REFUSE("a draw of too many indices from the caller's memory");
    hr = put_indices(device, indices + offset, (size_t)(count * size), start);
    if (SUCCEEDED(hr))
        client_batch_reserve(&device->batch, DRAW_BYTES);
    return SUCCEEDED(hr) ? bind_ring(device, size) : hr;
}

/* With vertices or indices of the caller. */
static __attribute__((noinline)) HRESULT draw_indexed_moved(struct umd_device *device,
                                                            const D3DDDIARG_DRAWINDEXEDPRIMITIVE *data)
{
    const uint64_t count = d3d_vertices_of(data->PrimitiveType, data->PrimitiveCount);
    const uint8_t *indices = device->now.indices;
    struct range range = {.first = (int64_t)data->BaseVertexIndex + data->MinIndex, .count = data->NumVertices};
    D3DDDIARG_DRAWINDEXEDPRIMITIVE moved = *data;
    uint32_t start;
    HRESULT hr = S_OK;

    if (indices) {
        hr = use_indices(device, indices, device->now.index_size, (uint64_t)data->StartIndex * device->now.index_size,
                         count, &start);
        moved.StartIndex = SUCCEEDED(hr) ? start / device->now.index_size : 0;
    }
    if (SUCCEEDED(hr))
        hr = put_vertices(device, &range);
    moved.BaseVertexIndex = (INT)(data->BaseVertexIndex + range.moved);
    if (SUCCEEDED(hr))
        hr = umd_put(device, D3DDP2OP_DRAWINDEXEDPRIMITIVE, &moved, sizeof(moved));
    if (indices && SUCCEEDED(hr))
        hr = operate_block(device, D3DHAL_STATESETEXECUTE);
    return hr;
}

HRESULT APIENTRY umd_DrawIndexedPrimitive(HANDLE hDevice, const D3DDDIARG_DRAWINDEXEDPRIMITIVE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && is_drawable(data->PrimitiveType, data->PrimitiveCount))
        hr = device->now.streams_of_caller || device->now.indices
                 ? draw_indexed_moved(device, data)
                 : umd_put(device, D3DDP2OP_DRAWINDEXEDPRIMITIVE, data, sizeof(*data));
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_DrawPrimitive2(HANDLE hDevice, const D3DDDIARG_DRAWPRIMITIVE2 *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && is_drawable(data->PrimitiveType, data->PrimitiveCount)) {
        const uint32_t stride = BASE_MAX(device->now.streams[0].stride, 1u);
        struct range range = {.first = data->FirstVertexOffset / stride,
                              .count = d3d_vertices_of(data->PrimitiveType, data->PrimitiveCount)};

        hr = put_vertices(device, &range);
        if (SUCCEEDED(hr)) {
            const D3DHAL_DP2DRAWPRIMITIVE2 entry = {(D3DPRIMITIVETYPE)data->PrimitiveType,
                                                    (DWORD)(data->FirstVertexOffset + range.moved * (int64_t)stride),
                                                    data->PrimitiveCount};

            hr = umd_put(device, D3DDP2OP_DRAWPRIMITIVE2, &entry, sizeof(entry));
        }
    }
    return umd_leave(device, hr);
}

static HRESULT draw_indexed2(struct umd_device *device, const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 *data, UINT size,
                             const uint8_t *indices)
{
    const int64_t stride = BASE_MAX(device->now.streams[0].stride, 1u);
    const uint64_t count = d3d_vertices_of(data->PrimitiveType, data->PrimitiveCount);
    struct range range = {.first = data->BaseVertexOffset / stride + data->MinIndex, .count = data->NumVertices};
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE2 entry = {(D3DPRIMITIVETYPE)data->PrimitiveType,
                                             data->BaseVertexOffset,
                                             data->MinIndex,
                                             data->NumVertices,
                                             0,
                                             data->PrimitiveCount};
    uint32_t start;
    HRESULT hr = use_indices(device, indices, size, data->StartIndexOffset, count, &start);

    if (FAILED(hr))
        return hr;
    entry.StartIndexOffset = start;
    hr = put_vertices(device, &range);
    entry.BaseVertexOffset = (INT)(data->BaseVertexOffset + range.moved * stride);
    if (SUCCEEDED(hr))
        hr = umd_put(device, D3DDP2OP_DRAWINDEXEDPRIMITIVE2, &entry, sizeof(entry));
    return SUCCEEDED(hr) ? operate_block(device, D3DHAL_STATESETEXECUTE) : hr;
}

static uint32_t index_at(const uint8_t *indices, UINT size, unsigned i)
{
    uint16_t narrow;
    uint32_t wide;

    memcpy(&narrow, indices + (size_t)i * 2, sizeof(narrow));
    if (size == 2)
        return narrow;
    memcpy(&wide, indices + (size_t)i * 4, sizeof(wide));
    return wide;
}

/* One triangle with edge flags: bit 0 is the edge from the first vertex to the second. The stream's token for edge flags is of fans, and
 * theirs begin at the last vertex, so that the first one decides the colour of flat shading. It has no indices: vertices in the caller's
 * memory are copied in order; those of buffers cannot be. */
static HRESULT draw_edges(struct umd_device *device, const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 *data, UINT size,
                          const uint8_t *indices, UINT edges)
{
    uint8_t vertices[3 * MOST_STRIDE];
    bool others;
    const struct umd_stream *stream = stream_of_caller(device, &others);
    const struct umd_shader *declaration = umd_handle_get(device->now.declaration, UMD_DECLARATION, device);
    uint32_t first = 0;

    if (data->PrimitiveType != D3D_TRIANGLELIST || data->PrimitiveCount != 1)
        return UMD_REFUSE("edge flags for more than one triangle");
    if (stream != &device->now.streams[0] || others)
        return E_NOTIMPL;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t index = index_at(indices + data->StartIndexOffset, size, i);

        if (index < data->MinIndex || index - data->MinIndex >= data->NumVertices)
            return UMD_REFUSE("an index beyond the vertices of the draw");
        memcpy(vertices + (i + 1) % 3 * (size_t)stream->stride,
               stream->memory + data->BaseVertexOffset + (int64_t)index * stream->stride, stream->stride);
    }
    client_batch_reserve(&device->batch, DRAW_BYTES);
    if (!client_batch_put_vertices(&device->batch, vertices, 3, stream->stride, declaration ? declaration->reach[0] : 0,
                                   &first))
        return E_OUTOFMEMORY;
    return put_fan(device, first, 1, (edges & 1) << 1 | (edges & 2) << 1 | (edges & 4) >> 2);
}

HRESULT APIENTRY umd_DrawIndexedPrimitive2(HANDLE hDevice, const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 *data, UINT size,
                                           const VOID *indices, const UINT *edges)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && indices && (size == 2 || size == 4) && is_drawable(data->PrimitiveType, data->PrimitiveCount))
        hr = edges ? draw_edges(device, data, size, indices, *edges) : draw_indexed2(device, data, size, indices);
    return umd_leave(device, hr);
}

/* --- patches ---------------------------------------------------------------------------------------------------- */

/* Segments and description follow the entry, each if it is given. */
static HRESULT put_patch(HANDLE hDevice, uint8_t token, const UINT *number, const void *info, size_t info_bytes,
                         const FLOAT *segments, size_t segment_bytes)
{
    struct umd_device *device = umd_enter(hDevice);
    const size_t bytes = (segments ? segment_bytes : 0) + (info ? info_bytes : 0);
    HRESULT hr = E_FAIL;

    if (device && number) {
        const D3DHAL_DP2DRAWRECTPATCH entry = {*number,
                                               (segments ? RTPATCHFLAG_HASSEGS : 0) | (info ? RTPATCHFLAG_HASINFO : 0)};
        uint8_t *place =
            umd_drops(device) ? NULL : client_batch_put(&device->batch, token, 1, NULL, sizeof(entry) + bytes);

        hr = place || umd_drops(device) ? S_OK : E_OUTOFMEMORY;
        if (place) {
            memcpy(place, &entry, sizeof(entry));
            if (segments)
                memcpy(place + sizeof(entry), segments, segment_bytes);
            if (info)
                memcpy(place + sizeof(entry) + bytes - info_bytes, info, info_bytes);
        }
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_DrawRectPatch(HANDLE hDevice, const D3DDDIARG_DRAWRECTPATCH *data,
                                   const D3DDDIRECTPATCH_INFO *info, const FLOAT *segments)
{
    return put_patch(hDevice, D3DDP2OP_DRAWRECTPATCH, data ? &data->Handle : NULL, info, sizeof(*info), segments,
                     4 * sizeof(*segments));
}

HRESULT APIENTRY umd_DrawTriPatch(HANDLE hDevice, const D3DDDIARG_DRAWTRIPATCH *data, const D3DDDITRIPATCH_INFO *info,
                                  const FLOAT *segments)
{
    return put_patch(hDevice, D3DDP2OP_DRAWTRIPATCH, data ? &data->Handle : NULL, info, sizeof(*info), segments,
                     3 * sizeof(*segments));
}
