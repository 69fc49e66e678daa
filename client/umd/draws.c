/* SPDX-License-Identifier: MIT */
/*
 * Streams, indices and draws. Vertices that come with a call are put at the end of a buffer of the device's, so that what a draw reads
 * beyond them is what it reads beyond any buffer: zeros. The buffer is written once a call, whatever it draws.
 */
#include "client/umd/internal.h"

#include "base/base.h"
#include "d3d/primitives.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_VERTEX_BYTES (256u * 1024)

/* --- buffers ------------------------------------------------------------------------------------------ */

static HANDLE make_buffer(struct bridge_local *local, uint32_t bytes, bool vertices)
{
    const D3DDDI_SURFACEINFO info = {.Width = bytes, .Height = 1, .Depth = 1};
    D3DDDIARG_CREATERESOURCE args = {.Format = vertices ? D3DDDIFMT_VERTEXDATA : D3DDDIFMT_INDEX16,
                                     .Pool = D3DDDIPOOL_VIDEOMEMORY,
                                     .pSurfList = &info,
                                     .SurfCount = 1,
                                     .hResource = local};

    args.Flags.VertexBuffer = vertices;
    args.Flags.IndexBuffer = !vertices;
    args.Flags.Dynamic = 1;
    return SUCCEEDED(local->f.pfnCreateResource(local->device, &args)) ? args.hResource : NULL;
}

bool bridge_upload(struct bridge_call *call, const uint8_t *vertices, size_t bytes, uint32_t *offset)
{
    struct bridge_local *local = call->local;
    D3DDDIARG_LOCK lock = {.pSurfData = NULL};
    D3DDDIARG_UNLOCK unlock = {.SubResourceIndex = 0};
    uint32_t size = BASE_MAX(local->vertex_bytes, LEAST_VERTEX_BYTES);

    if (bytes > INT32_MAX / 2)
        return false;
    while (size < bytes)
        size *= 2;
    bridge_call_flush(call); /* what was drawn with the vertices before */
    if (size != local->vertex_bytes) {
        if (local->vertices)
            call->f->pfnDestroyResource(call->device, local->vertices);
        local->vertices = make_buffer(local, size, true);
        local->vertex_bytes = local->vertices ? size : 0;
    }
    lock.hResource = unlock.hResource = local->vertices;
    if (!local->vertices || FAILED(call->f->pfnLock(call->device, &lock)))
        return false;
    *offset = size - (uint32_t)bytes;
    memcpy((uint8_t *)lock.pSurfData + *offset, vertices, bytes);
    call->f->pfnUnlock(call->device, &unlock);
    return true;
}

/* --- what is bound ---------------------------------------------------------------------------------------- */

/* Stream 0 is the vertices of this call; the others are none meanwhile. */
static void bind_user_vertices(struct bridge_call *call)
{
    struct bridge_context *context = call->context;
    struct bridge_stream *streams = context->state.stream;
    D3DDDIARG_SETSTREAMSOURCE args = {.Stride = context->user_stride};

    if (call->vertices && bridge_upload(call, call->vertices, call->vertex_bytes, &args.Offset))
        args.hVertexBuffer = call->local->vertices;
    call->f->pfnSetStreamSource(call->device, &args);
    for (unsigned i = 1; i < D3D_STREAMS; i++)
        if (streams[i].number && !(context->stale & BRIDGE_STREAM << i)) {
            args = (D3DDDIARG_SETSTREAMSOURCE){.Stream = i, .Stride = streams[i].stride};
            call->f->pfnSetStreamSource(call->device, &args);
        }
}

/* Before a draw from streams. False: nothing can be drawn. */
static bool begin_draw(struct bridge_call *call)
{
    struct bridge_context *context = call->context;
    const bool binds_user = context->user_vertices && context->stale & BRIDGE_STREAM;

    if (context->stale | context->stale_textures)
        bridge_settle(context);
    if (binds_user)
        bind_user_vertices(call);
    return !context->undrawable;
}

/* --- tokens ---------------------------------------------------------------------------------------------------- */

static void set_stream(struct bridge_call *call, uint32_t stream, struct bridge_stream source)
{
    struct bridge_context *context = call->context;

    if (stream >= D3D_STREAMS)
        return;
    if (!stream && context->user_vertices && !context->recording) {
        context->user_vertices = false;
        context->stale |= 0xFFFEu * BRIDGE_STREAM; /* the others come back */
    }
    bridge_writes(context, BRIDGE_STREAM << stream)->stream[stream] = source;
    bridge_bind_stream(context, stream, &source);
}

HRESULT bridge_stream_source(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2SETSTREAMSOURCE entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        set_stream(call, entry.dwStream, (struct bridge_stream){entry.dwVBHandle, 0, entry.dwStride});
    }
    return DD_OK;
}

HRESULT bridge_stream_source2(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2SETSTREAMSOURCE2 entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        set_stream(call, entry.dwStream, (struct bridge_stream){entry.dwVBHandle, entry.dwOffset, entry.dwStride});
    }
    return DD_OK;
}

/* Only stream 0 can have the vertices that come with a call. */
HRESULT bridge_stream_source_um(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_context *context = call->context;
    D3DHAL_DP2SETSTREAMSOURCEUM entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        if (entry.dwStream)
            continue;
        context->user_vertices = true;
        context->user_stride = entry.dwStride;
        context->stale |= BRIDGE_STREAM;
    }
    return DD_OK;
}

HRESULT bridge_stream_frequency(struct bridge_call *call, const struct dp2_command *command)
{
    D3DDDIARG_SETSTREAMSOURCEFREQ args;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&args, command->body + i * sizeof(args), sizeof(args));
        call->f->pfnSetStreamSourceFreq(call->device, &args);
    }
    return DD_OK;
}

HRESULT bridge_indices(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2SETINDICES entry;

    for (unsigned i = 0; i < command->count; i++) {
        struct bridge_state *state = bridge_writes(call->context, BRIDGE_INDICES);

        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        state->index_number = entry.dwVBHandle;
        state->index_stride = entry.dwStride;
        bridge_bind_indices(call->context, state);
    }
    return DD_OK;
}

static HRESULT drawn(HRESULT hr)
{
    return hr == E_OUTOFMEMORY ? DDERR_OUTOFMEMORY : DD_OK; /* others are skipped, as in streams */
}

HRESULT bridge_draw(struct bridge_call *call, const struct dp2_command *command)
{
    D3DDDIARG_DRAWPRIMITIVE args;
    HRESULT hr = DD_OK;

    if (!begin_draw(call))
        return DD_OK;
    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&args, command->body + i * sizeof(args), sizeof(args));
        hr = drawn(call->f->pfnDrawPrimitive(call->device, &args, NULL));
    }
    return hr;
}

HRESULT bridge_draw_indexed(struct bridge_call *call, const struct dp2_command *command)
{
    D3DDDIARG_DRAWINDEXEDPRIMITIVE args;
    HRESULT hr = DD_OK;

    if (!begin_draw(call))
        return DD_OK;
    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&args, command->body + i * sizeof(args), sizeof(args));
        hr = drawn(call->f->pfnDrawIndexedPrimitive(call->device, &args));
    }
    return hr;
}

HRESULT bridge_draw2(struct bridge_call *call, const struct dp2_command *command)
{
    D3DDDIARG_DRAWPRIMITIVE2 args;
    HRESULT hr = DD_OK;

    if (!begin_draw(call))
        return DD_OK;
    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&args, command->body + i * sizeof(args), sizeof(args));
        hr = drawn(call->f->pfnDrawPrimitive2(call->device, &args));
    }
    return hr;
}

/* The function takes indices from memory, the token from the buffer that is set. Those beyond its end are 0. */
static HRESULT draw_indexed2(struct bridge_call *call, D3DDDIARG_DRAWINDEXEDPRIMITIVE2 *args)
{
    const struct bridge_state *state = &call->context->state;
    const struct bridge_surface *buffer = bridge_named(call->local, state->index_number);
    const uint32_t stride = state->index_stride;
    const uint64_t bytes = d3d_vertices_of(args->PrimitiveType, args->PrimitiveCount) * stride;
    uint32_t size, there;
    D3DDDIARG_LOCK lock;
    uint8_t *copy;
    HRESULT hr;

    if (!buffer || !buffer->resource || buffer->resource->format || (stride != 2 && stride != 4) || !bytes ||
        bytes > INT32_MAX)
        return DD_OK;
    copy = mem_calloc((size_t)bytes, 1);
    if (!copy)
        return DDERR_OUTOFMEMORY;
    size = buffer->lcl->lpGbl->dwLinearSize;
    there = args->StartIndexOffset < size ? size - args->StartIndexOffset : 0;
    hr = bridge_lock_part(buffer->resource, 0, 1 /* ReadOnly */, &lock);
    if (SUCCEEDED(hr)) {
        memcpy(copy, (const uint8_t *)lock.pSurfData + (there ? args->StartIndexOffset : 0),
               (size_t)BASE_MIN(bytes, there));
        bridge_unlock_part(buffer->resource, 0);
        args->StartIndexOffset = 0;
        hr = call->f->pfnDrawIndexedPrimitive2(call->device, args, stride, copy, NULL);
    }
    free(copy);
    return drawn(hr);
}

HRESULT bridge_draw_indexed2(struct bridge_call *call, const struct dp2_command *command)
{
    D3DDDIARG_DRAWINDEXEDPRIMITIVE2 args;
    HRESULT hr = DD_OK;

    if (!begin_draw(call))
        return DD_OK;
    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&args, command->body + i * sizeof(args), sizeof(args));
        hr = draw_indexed2(call, &args);
    }
    return hr;
}

/* The token counts bytes, the function vertices: stream 0 begins where the fan does. */
HRESULT bridge_clipped_fan(struct bridge_call *call, const struct dp2_command *command)
{
    struct bridge_context *context = call->context;
    struct bridge_stream source = context->state.stream[0];
    D3DHAL_CLIPPEDTRIANGLEFAN entry;
    HRESULT hr = DD_OK;

    if (!begin_draw(call))
        return DD_OK;
    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const uint32_t stride = context->user_vertices ? context->user_stride : source.stride;
        const D3DDDIARG_DRAWPRIMITIVE args = {D3D_TRIANGLEFAN, stride ? entry.FirstVertexOffset / stride : 0,
                                              entry.PrimitiveCount};
        const UINT edges = entry.dwEdgeFlags;

        hr = drawn(call->f->pfnDrawPrimitive(call->device, &args, &edges));
    }
    return hr;
}

/* --- patches ---------------------------------------------------------------------------------------------------- */

#define HAS_SEGMENTS 1u /* RTPATCHFLAG_* */
#define HAS_INFO     2u

static HRESULT draw_patches(struct bridge_call *call, const struct dp2_command *command, bool rectangular)
{
    const size_t segment_bytes = (rectangular ? 4 : 3) * sizeof(float);
    struct dp2_entry entry = {0};
    HRESULT hr = DD_OK;

    begin_draw(call);
    while (SUCCEEDED(hr) && dp2_next_entry(command, &entry)) {
        const uint32_t flags = dp2_read_u32(entry.head + 4);
        const D3DDDIARG_DRAWRECTPATCH args = {dp2_read_u32(entry.head)};
        D3DDDIRECTPATCH_INFO rect;
        D3DDDITRIPATCH_INFO triangle;
        const size_t at = flags & HAS_SEGMENTS ? segment_bytes : 0;
        const size_t info_bytes = rectangular ? sizeof(rect) : sizeof(triangle);
        const bool has_info = flags & HAS_INFO && entry.data_size >= at + info_bytes;
        float segments[4];

        if (flags & HAS_SEGMENTS)
            memcpy(segments, entry.data, BASE_MIN(segment_bytes, entry.data_size));
        if (has_info)
            memcpy(rectangular ? (void *)&rect : (void *)&triangle, entry.data + at, info_bytes);
        hr = rectangular ? call->f->pfnDrawRectPatch(call->device, &args, has_info ? &rect : NULL,
                                                     flags & HAS_SEGMENTS ? segments : NULL)
                         : call->f->pfnDrawTriPatch(call->device, &args, has_info ? &triangle : NULL,
                                                    flags & HAS_SEGMENTS ? segments : NULL);
    }
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

HRESULT bridge_rect_patch(struct bridge_call *call, const struct dp2_command *command)
{
    return draw_patches(call, command, true);
}

HRESULT bridge_tri_patch(struct bridge_call *call, const struct dp2_command *command)
{
    return draw_patches(call, command, false);
}
