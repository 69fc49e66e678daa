/* SPDX-License-Identifier: MIT */
/*
 * Drawing tokens: from the numbers in the stream to a hal_draw over memory. DirectX 8 tokens read
 * the bound streams, those of DirectX 6 and 7 the vertices that came with the call.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "d3d/primitives.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/renderer.h"
#include "hal/resource/surface.h"
#include "hal/resources.h"
#include "hal/state/dirty.h"
#include "hal/tokens.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/instances.h"
#include "hal/vertex/skip.h"
#include "hal/vertex/stream.h"
#include "hal/work.h"

#include <string.h>

/* Nothing is bound; of the buffers, which are many, the first one alone says so. */
static void clear_draw(struct hal_draw *draw)
{
    memset(draw, 0, offsetof(struct hal_draw, buffers[1]));
}

/* --- DirectX 8 ---------------------------------------------------------------------- */

/* Layout and streams of a draw. stream_zero_only: the tokens with byte offsets read no other. */
static bool begin_draw(struct hal_renderer *renderer, struct hal_draw *draw, bool stream_zero_only)
{
    const struct hal_state *state = renderer->state;
    const struct hal_shaders *shaders = &renderer->resources->shaders;

    clear_draw(draw);
    draw->layout = hal_stream_layout(renderer->front, state, shaders);
    if (!draw->layout) {
        hal_skip_without_layout(renderer);
        return false;
    }
    draw->program = hal_stream_program(renderer->front, state, shaders, draw->layout);
    for (uint32_t left = draw->layout->streams; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);

        if (i == 0 || !stream_zero_only)
            hal_stream_find_memory(state, renderer->resources, i, &draw->buffers[i]);
        else
            draw->buffers[i] = (struct hal_stream_memory){.data = NULL};
        if (!draw->buffers[i].data && (i == 0 || !stream_zero_only))
            log_once(LOG_WARN, i, "a draw reads stream %u, which has no buffer: its elements are 0", i);
    }
    return true;
}

/* The bound index buffer from a byte offset on. */
static bool bind_indices(struct hal_renderer *renderer, struct hal_draw *draw, uint64_t offset)
{
    const struct hal_buffer *buffer = hal_buffer_of(renderer->resources, renderer->state->index_handle);
    const uint32_t stride = renderer->state->index_stride;

    if (!buffer || !buffer->base.memory || (stride != 2 && stride != 4)) {
        hal_skip_draw(renderer, draw, HAL_SKIP_NO_INDICES, 0);
        return false;
    }
    const size_t begin = (size_t)BASE_MIN(offset, (uint64_t)buffer->base.bytes);

    draw->indices = buffer->base.memory + begin;
    draw->index_offset = offset;
    draw->index_stride = stride;
    draw->index_bytes = buffer->base.bytes - begin;
    if (d3d_vertices_of(draw->type, draw->primitives) > draw->index_bytes / stride)
        log_once(LOG_WARN, 1,
                 "a draw reads %llu indices from byte %llu of a buffer of %llu: those beyond its end are 0",
                 (unsigned long long)d3d_vertices_of(draw->type, draw->primitives), (unsigned long long)offset,
                 (unsigned long long)buffer->base.bytes);
    return true;
}

void hal_token_draw(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    struct hal_renderer *renderer = hal_context_renderer(context);
    struct hal_draw draw;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2DRAWPRIMITIVE)) {
        if (!begin_draw(renderer, &draw, false))
            return;
        draw.type = DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE, primType);
        draw.base = DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE, VStart);
        draw.primitives = DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE, PrimitiveCount);
        hal_draw_streams(renderer, &draw);
    }
}

/* MinIndex and NumVertices are hints that may be wrong: the indices themselves are examined.
 */
void hal_token_draw_indexed(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    struct hal_renderer *renderer = hal_context_renderer(context);
    struct hal_draw draw;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2DRAWINDEXEDPRIMITIVE)) {
        if (!begin_draw(renderer, &draw, false))
            return;
        draw.type = DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE, primType);
        draw.base = (int32_t)DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE, BaseVertexIndex);
        draw.primitives = DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE, PrimitiveCount);
        if (bind_indices(renderer, &draw,
                         (uint64_t)DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE, StartIndex) *
                             context->state.index_stride))
            hal_draw_streams(renderer, &draw);
    }
}

void hal_token_draw2(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    struct hal_renderer *renderer = hal_context_renderer(context);
    struct hal_draw draw;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2DRAWPRIMITIVE2)) {
        if (!begin_draw(renderer, &draw, true))
            return;
        draw.type = DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE2, primType);
        draw.buffers[0].offset += DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE2, FirstVertexOffset);
        draw.primitives = DP2_FIELD(entry, D3DHAL_DP2DRAWPRIMITIVE2, PrimitiveCount);
        hal_draw_primitives(renderer, &draw);
    }
}

void hal_token_draw_indexed2(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    struct hal_renderer *renderer = hal_context_renderer(context);
    struct hal_draw draw;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2DRAWINDEXEDPRIMITIVE2)) {
        if (!begin_draw(renderer, &draw, true))
            return;
        draw.type = DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE2, primType);
        draw.buffers[0].offset += (int32_t)DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE2, BaseVertexOffset);
        draw.primitives = DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE2, PrimitiveCount);
        if (bind_indices(renderer, &draw, DP2_FIELD(entry, D3DHAL_DP2DRAWINDEXEDPRIMITIVE2, StartIndexOffset)))
            hal_draw_primitives(renderer, &draw);
    }
}

void hal_token_clipped_fan(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    struct hal_renderer *renderer = hal_context_renderer(context);
    struct hal_draw draw;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_CLIPPEDTRIANGLEFAN)) {
        if (!begin_draw(renderer, &draw, true))
            return;
        draw.type = D3DPT_TRIANGLEFAN;
        draw.buffers[0].offset += DP2_FIELD(entry, D3DHAL_CLIPPEDTRIANGLEFAN, FirstVertexOffset);
        draw.fan_flags = true;
        draw.fan_edges = DP2_FIELD(entry, D3DHAL_CLIPPEDTRIANGLEFAN, dwEdgeFlags);
        draw.primitives = DP2_FIELD(entry, D3DHAL_CLIPPEDTRIANGLEFAN, PrimitiveCount);
        hal_draw_primitives(renderer, &draw);
    }
}

/* --- DirectX 6 and 7 ---------------------------------------------------------------- */

/* Vertices of the call, or inline ones, in the format the call names. */
static bool begin_legacy(struct hal_context *context, struct hal_draw *draw, const uint8_t *vertices, size_t bytes)
{
    struct hal_renderer *renderer = hal_context_renderer(context);
    struct hal_front *front = renderer->front;
    const uint32_t fvf = context->execute ? context->execute->vertex_type : 0;

    clear_draw(draw);
    if (fvf != front->fvf_of_legacy_layout) {
        front->fvf_of_legacy_layout = fvf;
        front->legacy_is_valid = hal_layout_from_fvf(&front->legacy_layout, fvf, context->state.level <= DDI_LEVEL_DX7);
        front->dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
    if (!front->legacy_is_valid || !vertices) {
        hal_skip_draw(renderer, NULL, vertices ? HAL_SKIP_FORMAT : HAL_SKIP_NO_VERTICES, vertices ? fvf : 0);
        return false;
    }
    draw->layout = &front->legacy_layout;
    draw->buffers[0] = (struct hal_stream_memory){.data = vertices, .bytes = bytes, .stride = dp2_fvf_size(fvf)};
    return true;
}

static bool begin_call_vertices(struct hal_context *context, struct hal_draw *draw)
{
    const struct hal_execute *execute = context->execute;

    return execute && begin_legacy(context, draw, execute->vertices, execute->vertex_bytes);
}

void hal_token_points(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    struct hal_draw draw;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2POINTS)) {
        if (!begin_call_vertices(context, &draw))
            return;
        draw.type = D3DPT_POINTLIST;
        draw.primitives = DP2_WORD_FIELD(entry, D3DHAL_DP2POINTS, wCount);
        draw.base = DP2_WORD_FIELD(entry, D3DHAL_DP2POINTS, wVStart);
        hal_draw_primitives(&context->renderer, &draw);
    }
}

static uint32_t primitive_type(uint8_t token)
{
    switch (token) {
    case D3DDP2OP_LINELIST:
    case D3DDP2OP_INDEXEDLINELIST:
    case D3DDP2OP_INDEXEDLINELIST2:
    case D3DDP2OP_LINELIST_IMM:
        return D3DPT_LINELIST;
    case D3DDP2OP_LINESTRIP:
    case D3DDP2OP_INDEXEDLINESTRIP:
        return D3DPT_LINESTRIP;
    case D3DDP2OP_TRIANGLESTRIP:
    case D3DDP2OP_INDEXEDTRIANGLESTRIP:
        return D3DPT_TRIANGLESTRIP;
    case D3DDP2OP_TRIANGLEFAN:
    case D3DDP2OP_INDEXEDTRIANGLEFAN:
    case D3DDP2OP_TRIANGLEFAN_IMM:
        return D3DPT_TRIANGLEFAN;
    default:
        return D3DPT_TRIANGLELIST;
    }
}

void hal_token_legacy_draw(struct hal_context *context, const struct dp2_command *command)
{
    struct hal_draw draw;

    if (begin_call_vertices(context, &draw)) {
        draw.type = primitive_type(command->info->number);
        draw.primitives = command->count;
        draw.base = DP2_WORD_FIELD(command->body, D3DHAL_DP2STARTVERTEX, wVStart);
        hal_draw_primitives(&context->renderer, &draw);
    }
}

/* Indices are in the command, after the start vertex if the token has one. */
void hal_token_legacy_indexed(struct hal_context *context, const struct dp2_command *command)
{
    struct hal_draw draw;

    if (!begin_call_vertices(context, &draw))
        return;
    draw.type = primitive_type(command->info->number);
    draw.primitives = command->count;
    draw.indices = command->body;
    draw.index_bytes = command->body_size;
    draw.index_stride = 2;
    if (command->info->number == D3DDP2OP_INDEXEDTRIANGLELIST) {
        draw.index_step = sizeof(D3DHAL_DP2INDEXEDTRIANGLELIST);
        draw.list_flags = true;
    } else if (command->info->number != D3DDP2OP_INDEXEDLINELIST) {
        draw.base = DP2_WORD_FIELD(command->body, D3DHAL_DP2STARTVERTEX, wVStart);
        draw.indices += sizeof(D3DHAL_DP2STARTVERTEX);
        draw.index_bytes -= sizeof(D3DHAL_DP2STARTVERTEX);
    }
    hal_draw_primitives(&context->renderer, &draw);
}

void hal_token_legacy_inline(struct hal_context *context, const struct dp2_command *command)
{
    const size_t bytes = command->vertices ? (size_t)(command->body + command->body_size - command->vertices) : 0;
    struct hal_draw draw;

    if (!begin_legacy(context, &draw, command->vertices, bytes))
        return;
    draw.type = primitive_type(command->info->number);
    draw.primitives = command->count;
    if (draw.type == D3DPT_TRIANGLEFAN) {
        draw.fan_flags = true;
        draw.fan_edges = DP2_FIELD(command->body, D3DHAL_DP2TRIANGLEFAN_IMM, dwEdgeFlags);
    }
    hal_draw_primitives(&context->renderer, &draw);
}

/* --- execute buffers ---------------------------------------------------------------- */

/* Runtimes pass on the contents of DirectX 3 execute buffers. In other streams these numbers are not tokens. */
static HRESULT check_instruction(const struct hal_context *context)
{
    const bool legacy = context->execute->execute_buffer || context->state.level <= DDI_LEVEL_DX7;

    return legacy ? DD_OK : D3DERR_COMMAND_UNPARSED;
}

/* D3DOP_EXIT: the list ends here, regardless of what follows (execute.c). */
HRESULT hal_token_exit(struct hal_context *context, const struct dp2_command *command)
{
    (void)command;
    return check_instruction(context);
}

/* Y of a vertex of the call; false: the vertex does not exist. */
static bool vertex_y(const struct hal_execute *execute, size_t stride, uint32_t vertex, float *y)
{
    const uint64_t at = (uint64_t)vertex * stride + sizeof(float);

    if (at + sizeof(*y) > execute->vertex_bytes)
        return false;
    memcpy(y, execute->vertices + at, sizeof(*y));
    return true;
}

#define SPAN_LINES 64 /* drawn at once */

/* Indices of lines from `vertex` on to the next, until the indices are full, or the vertices or the spans are at an end.
 * Neighbours at different y belong to different spans. Returns how many lines there are. */
static uint32_t gather_spans(const struct hal_execute *execute, size_t stride, uint32_t *vertex, uint32_t end,
                             uint32_t *indices)
{
    uint32_t lines = 0;
    float y, next;

    for (; *vertex < end && lines < SPAN_LINES; ++*vertex) {
        if (!vertex_y(execute, stride, *vertex, &y) || !vertex_y(execute, stride, *vertex + 1, &next)) {
            *vertex = end;
            break;
        }
        if (y == next) {
            indices[2 * lines] = *vertex;
            indices[2 * lines + 1] = *vertex + 1;
            lines++;
        }
    }
    return lines;
}

/* D3DOP_SPAN: each entry joins wCount + 1 points from its first on where they have the same y. */
HRESULT hal_token_span(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;
    const HRESULT result = check_instruction(context);
    uint32_t indices[2 * SPAN_LINES];
    struct hal_draw draw;

    if (result != DD_OK || !begin_call_vertices(context, &draw))
        return result;
    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2SPAN)) {
        uint32_t vertex = DP2_WORD_FIELD(entry, D3DHAL_DP2SPAN, wFirst);
        const uint32_t end = vertex + DP2_WORD_FIELD(entry, D3DHAL_DP2SPAN, wCount);

        while (vertex < end) {
            const uint32_t first = vertex;

            draw.type = D3DPT_LINELIST;
            draw.indices = (const uint8_t *)indices;
            draw.index_bytes = sizeof(indices);
            draw.index_stride = sizeof(indices[0]);
            draw.primitives = gather_spans(context->execute, draw.buffers[0].stride, &vertex, end, indices);
            if (!hal_work_spend(&context->scene.work, vertex - first, HAL_WORK_VERTEX))
                return DD_OK;
            hal_draw_primitives(&context->renderer, &draw);
        }
    }
    return DD_OK;
}
