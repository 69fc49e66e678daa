/* SPDX-License-Identifier: MIT */
/* Draws of vertices in pixels, and of points, to enlarged targets. */
#include "runtime/common/device/enlarged.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/draw.h"
#include "runtime/common/state/enlarge.h"
#include "runtime/common/state/points.h"

#define MOST_VERTICES (1u << 24)
#define COMMAND_BYTES 64 /* of a draw, with its header */

/* By the rules of object/resolution.h, surfaces that are used together are usually enlarged together; the log names those that are not. */
static void look_at_sizes(const struct rt_device *device)
{
    const unsigned times = BASE_MAX(device->pipe.times, 1u);

    for (unsigned i = 1; times > 1 && i < RT_TARGETS; i++)
        if (device->target[i] && rt_surface_times(device->target[i]) != times)
            log_once(LOG_WARN, 0,
                     "internal_resolution: targets of different sizes are drawn to together, and do not match");
    if (times > 1 && device->depth && rt_surface_times(device->depth) != times)
        log_once(LOG_WARN, 1,
                 "internal_resolution: the target is enlarged and its depth buffer is not: they do not match");
}

bool rt_enlarged_begin(struct rt_device *device, D3DPRIMITIVETYPE type, struct rt_vertex_use *use)
{
    struct rt_pipe *pipe = &device->pipe;
    const bool points = type == D3DPT_POINTLIST || pipe->state.render[D3DRS_FILLMODE] == D3DFILL_POINT;

    if (!pipe->times && !pipe->points_enlarged)
        return false;
    *use = (struct rt_vertex_use){.size = -1};
    look_at_sizes(device);
    device->api->vertex_use(device, use);
    use->has_edges = type >= D3DPT_TRIANGLELIST;
    if (points)
        rt_pipe_bind_points(pipe, &(struct rt_point_use){.transformed = use->in_pixels,
                                                         .has_shader = use->has_shader,
                                                         .vertices_sized = use->size >= 0});
    if (!pipe->times || !use->in_pixels)
        return false;
    if (use->several_streams)
        log_once(LOG_WARN, 0,
                 "internal_resolution: vertices in pixels come from several streams, and are not enlarged");
    return !use->several_streams;
}

/* --- vertices --------------------------------------------------------------------------- */

/* Vertices in memory, which ends after `bytes`; what lies behind it reads as 0. */
struct source {
    const uint8_t *memory;
    size_t bytes;
    unsigned stride, count;
};

static void enlarge_float(uint8_t *at, float (*enlarge)(float value, uint32_t times), uint32_t times)
{
    float value;

    memcpy(&value, at, sizeof(value));
    value = enlarge(value, times);
    memcpy(at, &value, sizeof(value));
}

static float times_as_large(float value, uint32_t times)
{
    return value * (float)times;
}

static void enlarge_vertex(uint8_t *vertex, size_t bytes, const struct rt_vertex_use *use, uint32_t times)
{
    float (*const coordinate)(float, uint32_t) = use->has_edges ? rt_enlarge_corner : times_as_large;

    if (bytes >= use->position + 2 * sizeof(float)) {
        enlarge_float(vertex + use->position, coordinate, times);
        enlarge_float(vertex + use->position + sizeof(float), coordinate, times);
    }
    if (use->size >= 0 && bytes >= (size_t)use->size + sizeof(float))
        enlarge_float(vertex + use->size, times_as_large, times);
}

/* Bytes from one copy to the next: all that the draw reads of a vertex, even if the program's overlap. */
static unsigned copy_stride(const struct rt_device *device, unsigned stride)
{
    return (BASE_MAX(stride, device->api->vertex_bytes(device)) + 3) & ~3u;
}

/* Enlarged copies in memory of the device. */
static const void *copy_vertices(struct rt_device *device, const struct rt_vertex_use *use, const struct source *source)
{
    const unsigned stride = copy_stride(device, source->stride);
    uint8_t *copies, *to;
    size_t bytes;

    if (source->count > MOST_VERTICES || __builtin_mul_overflow(source->count, (size_t)stride, &bytes))
        return NULL;
    if (device->enlarged_bytes < bytes) {
        copies = mem_realloc(device->enlarged, bytes, 1);
        if (!copies)
            return NULL;
        device->enlarged = copies;
        device->enlarged_bytes = bytes;
    }
    to = device->enlarged;
    memset(to, 0, bytes);
    for (unsigned i = 0; i < source->count; i++, to += stride) {
        const size_t from = (size_t)i * source->stride;
        const size_t held = from < source->bytes ? BASE_MIN(source->bytes - from, stride) : 0;

        if (!held)
            break;
        memcpy(to, source->memory + from, held);
        enlarge_vertex(to, held, use, device->pipe.times);
    }
    return device->enlarged;
}

const void *rt_enlarged_vertices(struct rt_device *device, const struct rt_vertex_use *use, const void *vertices,
                                 unsigned count, unsigned *stride)
{
    const struct source source = {vertices, (size_t)count * *stride, *stride, count};

    *stride = copy_stride(device, *stride);
    return copy_vertices(device, use, &source);
}

/* --- draws from buffers ------------------------------------------------------------------ */

static bool put_copies(struct rt_device *device, const void *copies, unsigned count, unsigned stride, uint32_t *first)
{
    rt_reserve(device->link, COMMAND_BYTES);
    return copies &&
           rt_put_user_vertices(device->link, copies, count, stride, device->api->vertex_bytes(device), first);
}

/* Part of stream 0 from vertex `first` on. False: it cannot be read. */
static bool read_stream(struct rt_device *device, const struct rt_vertex_use *use, unsigned first, unsigned count,
                        const void **copies)
{
    const struct rt_stream *stream = &device->pipe.state.stream[0];
    struct rt_buffer *buffer = RT_FROM_RES(rt_buffer, stream->buffer);
    const uint64_t start = stream->offset + (uint64_t)first * stream->stride;
    struct source source = {NULL, 0, stream->stride, count};
    const uint8_t *bytes = rt_buffer_read(buffer);

    if (!bytes)
        return false;
    if (start < buffer->desc.length) {
        source.memory = bytes + start;
        source.bytes = buffer->desc.length - (size_t)start;
    }
    *copies = copy_vertices(device, use, &source);
    rt_buffer_read_end(buffer);
    return *copies != NULL;
}

HRESULT rt_enlarged_draw(struct rt_device *device, const struct rt_vertex_use *use, D3DPRIMITIVETYPE type, UINT start,
                         UINT count, unsigned vertex_count)
{
    const unsigned stride = copy_stride(device, device->pipe.state.stream[0].stride);
    D3DHAL_DP2DRAWPRIMITIVE body = {type, 0, count};
    const void *copies;
    uint32_t first;

    if (!device->pipe.state.stream[0].buffer)
        return D3D_OK; /* all vertices are the same point */
    if (!read_stream(device, use, start, vertex_count, &copies))
        return E_OUTOFMEMORY;
    rt_device_prepare(device, stride, 0, 0);
    if (!put_copies(device, copies, vertex_count, stride, &first))
        return E_OUTOFMEMORY;
    body.VStart = first;
    rt_put_entry(device->link, D3DDP2OP_DRAWPRIMITIVE, &body, sizeof(body));
    return D3D_OK;
}

/* --- indexed ------------------------------------------------------------------------------ */

struct range {
    uint32_t least, most;
};

static uint32_t index_at(const uint8_t *indices, size_t i, unsigned size)
{
    uint16_t narrow;
    uint32_t wide;

    if (size == 4) {
        memcpy(&wide, indices + i * 4, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, indices + i * 2, sizeof(narrow));
    return narrow;
}

/* The least and the most of the indices; those beyond the end of the buffer are 0. False: they cannot be read. */
static bool range_of_indices(struct rt_buffer *buffer, unsigned size, UINT start, unsigned count, struct range *range)
{
    const size_t held = buffer->desc.length / size;
    const uint8_t *indices = rt_buffer_read(buffer);

    if (!indices)
        return false;
    *range = (struct range){UINT32_MAX, 0};
    for (unsigned i = 0; i < count; i++) {
        const size_t at = (size_t)start + i;
        const uint32_t index = at < held ? index_at(indices, at, size) : 0;

        range->least = BASE_MIN(range->least, index);
        range->most = BASE_MAX(range->most, index);
        if (at >= held)
            break;
    }
    rt_buffer_read_end(buffer);
    return true;
}

/* Vertices of the stream, of which the last may be a part. */
static int64_t vertices_held(const struct rt_stream *stream)
{
    const struct rt_buffer *buffer = RT_FROM_RES(rt_buffer, stream->buffer);

    if (stream->offset >= buffer->desc.length)
        return 0;
    return stream->stride ? ((int64_t)buffer->desc.length - stream->offset + stream->stride - 1) / stream->stride
                          : INT64_MAX;
}

HRESULT rt_enlarged_draw_indexed(struct rt_device *device, const struct rt_vertex_use *use, D3DPRIMITIVETYPE type,
                                 INT base_vertex, UINT start, UINT count, unsigned index_count)
{
    const struct rt_stream *stream = &device->pipe.state.stream[0];
    struct rt_buffer *indices = RT_FROM_RES(rt_buffer, device->pipe.state.indices);
    const unsigned size = indices->desc.format == D3DFMT_INDEX32 ? 4 : 2, stride = copy_stride(device, stream->stride);
    D3DHAL_DP2DRAWINDEXEDPRIMITIVE body = {type, 0, 0, 0, start, count};
    int64_t least, most;
    struct range range;
    const void *copies;
    uint32_t first;
    bool beyond;

    if (!stream->buffer)
        return D3D_OK;
    if (!range_of_indices(indices, size, start, index_count, &range))
        return E_OUTOFMEMORY;
    least = BASE_MAX((int64_t)base_vertex + range.least, 0);
    most = BASE_MIN((int64_t)base_vertex + range.most, vertices_held(stream) - 1);
    if (least > most)
        return D3D_OK;
    /* Vertices outside the buffer read as 0: those of other draws must not lie before or after these. */
    beyond = least != (int64_t)base_vertex + range.least || most != (int64_t)base_vertex + range.most;
    body.NumVertices = (DWORD)BASE_MIN(most - least + 1, (int64_t)UINT32_MAX);
    if (!read_stream(device, use, (unsigned)least, body.NumVertices, &copies))
        return E_OUTOFMEMORY;
    rt_device_prepare(device, stride, rt_buffer_handle(&indices->res), size);
    device->pipe.dirty_indices = false;
    if (beyond)
        rt_flush(device->link);
    if (!put_copies(device, copies, body.NumVertices, stride, &first))
        return E_OUTOFMEMORY;
    body.MinIndex = (DWORD)(least - base_vertex);
    body.BaseVertexIndex = (INT)((int64_t)first - (least - base_vertex));
    rt_put_entry(device->link, D3DDP2OP_DRAWINDEXEDPRIMITIVE, &body, sizeof(body));
    if (beyond)
        rt_flush(device->link);
    return D3D_OK;
}
