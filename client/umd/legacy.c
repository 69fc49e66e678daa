/* SPDX-License-Identifier: MIT */
/*
 * Draws of DirectX 3 to 7: from the call's vertices, whose format the call names, with indices in the stream. They become draws from a
 * buffer, with a declaration of that format. What streams of DirectX 8 and 9 have set is bound again before their next draw.
 */
#include "client/umd/internal.h"

#include "base/base.h"
#include "d3d/marker.h"
#include "d3d/primitives.h"
#include "dp2/tokens.h"

#include <string.h>

#define INDEX_BYTES (256u * 1024)
#define TAKEN       (BRIDGE_SHADER | BRIDGE_FUNCTION | BRIDGE_INDICES | BRIDGE_STREAM)

/* Binds vertices. False: nothing can be drawn. `offset`: in the device's buffer of vertices. */
static bool bind_vertices(struct bridge_call *call, uint32_t offset)
{
    struct bridge_context *context = call->context;
    const uint32_t fvf = call->data->dwVertexType;
    const HANDLE declaration = bridge_format_declaration(context, fvf);
    const D3DDDIARG_SETSTREAMSOURCE args = {
        .hVertexBuffer = call->local->vertices, .Offset = offset, .Stride = dp2_fvf_size(fvf)};

    if (!declaration || context->recording)
        return false;
    bridge_settle(context); /* textures */
    call->f->pfnSetVertexShaderDecl(call->device, declaration);
    call->f->pfnSetVertexShaderFunc(call->device, NULL);
    call->f->pfnSetStreamSource(call->device, &args);
    context->stale |= TAKEN;
    return true;
}

static bool begin(struct bridge_call *call)
{
    if (call->is_uploaded && !call->context->stale_textures && (call->context->stale & TAKEN) == TAKEN)
        return true;
    call->is_uploaded = call->vertices && bridge_upload(call, call->vertices, call->vertex_bytes, &call->uploaded_at) &&
                        bind_vertices(call, call->uploaded_at);
    return call->is_uploaded;
}

static uint32_t type_of(uint8_t token)
{
    switch (token) {
    case D3DDP2OP_POINTS:
        return D3D_POINTLIST;
    case D3DDP2OP_LINELIST:
    case D3DDP2OP_INDEXEDLINELIST:
    case D3DDP2OP_INDEXEDLINELIST2:
    case D3DDP2OP_LINELIST_IMM:
        return D3D_LINELIST;
    case D3DDP2OP_LINESTRIP:
    case D3DDP2OP_INDEXEDLINESTRIP:
        return D3D_LINESTRIP;
    case D3DDP2OP_TRIANGLESTRIP:
    case D3DDP2OP_INDEXEDTRIANGLESTRIP:
        return D3D_TRIANGLESTRIP;
    case D3DDP2OP_TRIANGLEFAN:
    case D3DDP2OP_INDEXEDTRIANGLEFAN:
    case D3DDP2OP_TRIANGLEFAN_IMM:
        return D3D_TRIANGLEFAN;
    default:
        return D3D_TRIANGLELIST;
    }
}

HRESULT bridge_legacy_points(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2POINTS entry;

    if (!begin(call))
        return DD_OK;
    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        const D3DDDIARG_DRAWPRIMITIVE args = {D3D_POINTLIST, entry.wVStart, entry.wCount};

        if (entry.wCount)
            call->f->pfnDrawPrimitive(call->device, &args, NULL);
    }
    return DD_OK;
}

HRESULT bridge_legacy_draw(struct bridge_call *call, const struct dp2_command *command)
{
    const D3DDDIARG_DRAWPRIMITIVE args = {type_of(command->info->number), dp2_read_u16(command->body), command->count};

    if (command->count && begin(call))
        call->f->pfnDrawPrimitive(call->device, &args, NULL);
    return DD_OK;
}

/* --- indices ------------------------------------------------------------------------------------------------ */

/* Room for indices behind those of earlier draws. NULL: out of memory. *start: their place, in indices. */
static uint8_t *lock_indices(struct bridge_call *call, uint32_t bytes, uint32_t *start)
{
    struct bridge_local *local = call->local;
    D3DDDIARG_LOCK lock = {.Flags = {{{.NoOverwrite = 1}}}};

    if (local->index_used + bytes > local->index_bytes) {
        const D3DDDI_SURFACEINFO info = {.Width = BASE_MAX(bytes, INDEX_BYTES), .Height = 1, .Depth = 1};
        D3DDDIARG_CREATERESOURCE args = {.Format = D3DDDIFMT_INDEX16,
                                         .Pool = D3DDDIPOOL_VIDEOMEMORY,
                                         .pSurfList = &info,
                                         .SurfCount = 1,
                                         .hResource = local};

        bridge_call_flush(call);
        local->index_used = 0;
        if (bytes > local->index_bytes) {
            if (local->indices)
                call->f->pfnDestroyResource(call->device, local->indices);
            args.Flags.IndexBuffer = args.Flags.Dynamic = 1;
            local->indices = SUCCEEDED(call->f->pfnCreateResource(call->device, &args)) ? args.hResource : NULL;
            local->index_bytes = local->indices ? info.Width : 0;
        }
    }
    lock.hResource = local->indices;
    if (!local->indices || FAILED(call->f->pfnLock(call->device, &lock)))
        return NULL;
    *start = local->index_used / 2;
    local->index_used += (bytes + 3) & ~3u;
    return (uint8_t *)lock.pSurfData + *start * 2;
}

/* Draws with `count` indices at every `step` bytes. */
static HRESULT draw_indices(struct bridge_call *call, uint32_t type, uint32_t primitives, uint32_t base,
                            const uint8_t *indices, size_t group, size_t step)
{
    const uint32_t count = (uint32_t)d3d_vertices_of(type, primitives);
    D3DDDIARG_UNLOCK unlock = {.SubResourceIndex = 0};
    uint32_t start;
    uint8_t *place = lock_indices(call, 2 * count, &start);

    if (!place)
        return DDERR_OUTOFMEMORY;
    for (size_t i = 0; i < count; i += group, place += 2 * group, indices += step)
        memcpy(place, indices, 2 * group);
    unlock.hResource = call->local->indices;
    call->f->pfnUnlock(call->device, &unlock);
    const D3DDDIARG_SETINDICES set = {call->local->indices, 2};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE args = {type, (INT)base, 0, 0xFFFF, start, primitives};

    call->f->pfnSetIndices(call->device, &set);
    call->f->pfnDrawIndexedPrimitive(call->device, &args);
    return DD_OK;
}

HRESULT bridge_legacy_indexed(struct bridge_call *call, const struct dp2_command *command)
{
    const uint8_t token = command->info->number;
    const uint32_t type = type_of(token);
    const bool has_flags = token == D3DDP2OP_INDEXEDTRIANGLELIST;
    const bool has_base = !has_flags && token != D3DDP2OP_INDEXEDLINELIST;
    const uint32_t count = (uint32_t)d3d_vertices_of(type, command->count);
    const uint8_t *indices = command->body + (has_base ? sizeof(D3DHAL_DP2STARTVERTEX) : 0);

    if (!command->count || !begin(call))
        return DD_OK;
    if (has_flags)
        return draw_indices(call, type, command->count, 0, indices, 3, sizeof(D3DHAL_DP2INDEXEDTRIANGLELIST));
    return draw_indices(call, type, command->count, has_base ? dp2_read_u16(command->body) : 0, indices, count, 0);
}

/* --- vertices in the stream ------------------------------------------------------------------------------------ */

HRESULT bridge_legacy_inline(struct bridge_call *call, const struct dp2_command *command)
{
    const size_t bytes = command->vertices ? (size_t)(command->body + command->body_size - command->vertices) : 0;
    const D3DDDIARG_DRAWPRIMITIVE args = {type_of(command->info->number), 0, command->count};
    UINT edges = 0;
    uint32_t offset;

    call->is_uploaded = false;
    if (!command->count || !bytes || !bridge_upload(call, command->vertices, bytes, &offset) ||
        !bind_vertices(call, offset))
        return DD_OK;
    if (args.PrimitiveType == D3D_TRIANGLEFAN)
        edges = dp2_read_u32(command->body);
    call->f->pfnDrawPrimitive(call->device, &args, args.PrimitiveType == D3D_TRIANGLEFAN ? &edges : NULL);
    return DD_OK;
}

/* --- execute buffers --------------------------------------------------------------------------------------------- */

/* Y of a vertex of the call; false: the vertex does not exist. */
static bool vertex_y(const struct bridge_call *call, size_t stride, uint32_t vertex, float *y)
{
    const uint64_t at = (uint64_t)vertex * stride + sizeof(float);

    if (at + sizeof(*y) > call->vertex_bytes)
        return false;
    memcpy(y, call->vertices + at, sizeof(*y));
    return true;
}

/* Each entry joins wCount + 1 points from its first on where they have the same y. */
HRESULT bridge_span(struct bridge_call *call, const struct dp2_command *command)
{
    const size_t stride = dp2_fvf_size(call->data->dwVertexType);
    D3DHAL_DP2SPAN entry;

    if (!begin(call))
        return DD_OK;
    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        for (uint32_t vertex = entry.wFirst; vertex < (uint32_t)entry.wFirst + entry.wCount; vertex++) {
            const D3DDDIARG_DRAWPRIMITIVE args = {D3D_LINELIST, vertex, 1};
            float y, next;

            if (!vertex_y(call, stride, vertex, &y) || !vertex_y(call, stride, vertex + 1, &next))
                break;
            if (y == next)
                call->f->pfnDrawPrimitive(call->device, &args, NULL);
        }
    }
    return DD_OK;
}
