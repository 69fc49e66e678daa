/* SPDX-License-Identifier: MIT */
/* DrawPrimitives2: walks the stream and calls each token's translation. Results and error offsets are those of the stream's own driver. */
#include "client/umd/internal.h"

#include "base/base.h"
#include "d3d/marker.h"
#include "dp2/tokens.h"

#include <string.h>

#define MOST_VERTEX_BYTES 1024 /* of one vertex, if a call does not say */

static bool is_old(const struct bridge_call *call)
{
    return call->data->dwFlags & D3DHALDP2_EXECUTEBUFFER || call->context->level <= DDI_LEVEL_DX7;
}

/* The result of the end of an execute buffer: what follows is not read. A success code that no driver returns. */
#define ENDS ((HRESULT)INT32_MAX)

static HRESULT end(struct bridge_call *call, const struct dp2_command *command)
{
    (void)command;
    return is_old(call) ? ENDS : D3DERR_COMMAND_UNPARSED;
}

static HRESULT span(struct bridge_call *call, const struct dp2_command *command)
{
    return is_old(call) ? bridge_span(call, command) : D3DERR_COMMAND_UNPARSED;
}

static bridge_token *const tokens[256] = {
    /* DirectX 6 */
    [D3DDP2OP_POINTS] = bridge_legacy_points,
    [D3DDP2OP_INDEXEDLINELIST] = bridge_legacy_indexed,
    [D3DDP2OP_INDEXEDTRIANGLELIST] = bridge_legacy_indexed,
    [D3DDP2OP_RENDERSTATE] = bridge_render_state,
    [DP2OP_EXIT] = end,
    [DP2OP_SPAN] = span,
    [D3DDP2OP_LINELIST] = bridge_legacy_draw,
    [D3DDP2OP_LINESTRIP] = bridge_legacy_draw,
    [D3DDP2OP_INDEXEDLINESTRIP] = bridge_legacy_indexed,
    [D3DDP2OP_TRIANGLELIST] = bridge_legacy_draw,
    [D3DDP2OP_TRIANGLESTRIP] = bridge_legacy_draw,
    [D3DDP2OP_INDEXEDTRIANGLESTRIP] = bridge_legacy_indexed,
    [D3DDP2OP_TRIANGLEFAN] = bridge_legacy_draw,
    [D3DDP2OP_INDEXEDTRIANGLEFAN] = bridge_legacy_indexed,
    [D3DDP2OP_TRIANGLEFAN_IMM] = bridge_legacy_inline,
    [D3DDP2OP_LINELIST_IMM] = bridge_legacy_inline,
    [D3DDP2OP_TEXTURESTAGESTATE] = bridge_stage_state,
    [D3DDP2OP_INDEXEDTRIANGLELIST2] = bridge_legacy_indexed,
    [D3DDP2OP_INDEXEDLINELIST2] = bridge_legacy_indexed,
    [D3DDP2OP_VIEWPORTINFO] = bridge_viewport,
    [D3DDP2OP_WINFO] = bridge_w_info,
    [D3DDP2OP_SETPALETTE] = bridge_palette,
    [D3DDP2OP_UPDATEPALETTE] = bridge_update_palette,
    [D3DDP2OP_SETRENDERTARGET] = bridge_render_target,
    [D3DDP2OP_CLEAR] = bridge_token_clear,
    /* DirectX 7 */
    [D3DDP2OP_ZRANGE] = bridge_z_range,
    [D3DDP2OP_SETMATERIAL] = bridge_material,
    [D3DDP2OP_SETLIGHT] = bridge_set_light,
    [D3DDP2OP_CREATELIGHT] = bridge_create_light,
    [D3DDP2OP_SETTRANSFORM] = bridge_set_transform,
    [D3DDP2OP_TEXBLT] = bridge_tex_blt,
    [D3DDP2OP_STATESET] = bridge_state_set,
    [D3DDP2OP_SETPRIORITY] = bridge_priority,
    [D3DDP2OP_SETTEXLOD] = bridge_surface_token,
    [D3DDP2OP_SETCLIPPLANE] = bridge_clip_plane,
    /* DirectX 8 */
    [D3DDP2OP_CREATEVERTEXSHADER] = bridge_create_shader8,
    [D3DDP2OP_DELETEVERTEXSHADER] = bridge_delete_shader8,
    [D3DDP2OP_SETVERTEXSHADER] = bridge_set_shader8,
    [D3DDP2OP_SETVERTEXSHADERCONST] = bridge_constants,
    [D3DDP2OP_CREATEPIXELSHADER] = bridge_create_pixel,
    [D3DDP2OP_DELETEPIXELSHADER] = bridge_delete_pixel,
    [D3DDP2OP_SETPIXELSHADER] = bridge_set_pixel,
    [D3DDP2OP_SETPIXELSHADERCONST] = bridge_constants,
    [D3DDP2OP_SETSTREAMSOURCE] = bridge_stream_source,
    [D3DDP2OP_SETSTREAMSOURCEUM] = bridge_stream_source_um,
    [D3DDP2OP_SETINDICES] = bridge_indices,
    [D3DDP2OP_DRAWPRIMITIVE] = bridge_draw,
    [D3DDP2OP_DRAWINDEXEDPRIMITIVE] = bridge_draw_indexed,
    [D3DDP2OP_CLIPPEDTRIANGLEFAN] = bridge_clipped_fan,
    [D3DDP2OP_DRAWPRIMITIVE2] = bridge_draw2,
    [D3DDP2OP_DRAWINDEXEDPRIMITIVE2] = bridge_draw_indexed2,
    [D3DDP2OP_DRAWRECTPATCH] = bridge_rect_patch,
    [D3DDP2OP_DRAWTRIPATCH] = bridge_tri_patch,
    [D3DDP2OP_VOLUMEBLT] = bridge_volume_blt,
    [D3DDP2OP_BUFFERBLT] = bridge_buffer_blt,
    [D3DDP2OP_MULTIPLYTRANSFORM] = bridge_multiply_transform,
    [D3DDP2OP_ADDDIRTYRECT] = bridge_surface_token,
    [D3DDP2OP_ADDDIRTYBOX] = bridge_surface_token,
    /* DirectX 9 */
    [D3DDP2OP_CREATEVERTEXSHADERDECL] = bridge_create_declaration,
    [D3DDP2OP_DELETEVERTEXSHADERDECL] = bridge_delete_declaration,
    [D3DDP2OP_SETVERTEXSHADERDECL] = bridge_set_declaration,
    [D3DDP2OP_CREATEVERTEXSHADERFUNC] = bridge_create_function,
    [D3DDP2OP_DELETEVERTEXSHADERFUNC] = bridge_delete_function,
    [D3DDP2OP_SETVERTEXSHADERFUNC] = bridge_set_function,
    [D3DDP2OP_SETVERTEXSHADERCONSTI] = bridge_constants,
    [D3DDP2OP_SETVERTEXSHADERCONSTB] = bridge_constants,
    [D3DDP2OP_SETPIXELSHADERCONSTI] = bridge_constants,
    [D3DDP2OP_SETPIXELSHADERCONSTB] = bridge_constants,
    [D3DDP2OP_SETSCISSORRECT] = bridge_scissor,
    [D3DDP2OP_SETSTREAMSOURCE2] = bridge_stream_source2,
    [D3DDP2OP_SETSTREAMSOURCEFREQ] = bridge_stream_frequency,
    [D3DDP2OP_BLT] = bridge_token_blt,
    [D3DDP2OP_SURFACEBLT] = bridge_token_blt,
    [D3DDP2OP_COLORFILL] = bridge_color_fill,
    [D3DDP2OP_SETRENDERTARGET2] = bridge_render_target2,
    [D3DDP2OP_SETDEPTHSTENCIL] = bridge_depth_stencil,
    [D3DDP2OP_GENERATEMIPSUBLEVELS] = bridge_mip_sublevels,
    [D3DDP2OP_CREATEQUERY] = bridge_create_query,
    [D3DDP2OP_DELETEQUERY] = bridge_delete_query,
    [D3DDP2OP_ISSUEQUERY] = bridge_issue_query,
    [D3DDP2OP_SETCONVOLUTIONKERNELMONO] = bridge_convolution,
    [D3DDP2OP_COMPOSERECTS] = bridge_compose,
    /* this driver's own */
    [DP2OP_SETFEEDBACK] = bridge_set_feedback,
    [DP2OP_MARKER] = bridge_marker,
};

/* --- calls --------------------------------------------------------------------------------------------------- */

/* Commands from `start` on. *error: offset of the one that failed. */
static HRESULT run(struct bridge_call *call, uint32_t start, uint32_t *error)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;
    HRESULT hr = DD_OK;

    dp2_cursor_init(&cursor, call->commands + start, call->command_bytes - start,
                    call->data->dwVertexType ? dp2_fvf_size(call->data->dwVertexType) : 0);
    while ((status = dp2_next_of_many(&cursor, &command)) == DP2_OK) {
        bridge_token *token = tokens[command.info->number];

        call->offset = start + (uint32_t)command.offset;
        bridge_tell_command(call->offset);
        if (token)
            hr = token(call, &command);
        else
            log_once(LOG_WARN, command.info->number, "bridge: token %s is skipped", command.info->name);
        if (FAILED(hr) || FAILED(call->failed) || hr == ENDS)
            break;
    }
    *error = call->offset;
    if (status != DP2_OK && status != DP2_END) {
        *error = call->offset = start + (uint32_t)command.offset;
        return D3DERR_COMMAND_UNPARSED;
    }
    return hr == ENDS ? DD_OK : hr;
}

/* The offset at which the caller's parser wants to continue; false: it does not know the command either. */
static bool parse_unknown(const struct bridge_call *call, uint32_t at, uint32_t *next)
{
    HRESULT(CALLBACK * parse)(LPVOID, LPVOID *);
    LPVOID returned = NULL;
    const uint8_t *place;

    if (!bridge_parse_unknown)
        return false;
    memcpy(&parse, &bridge_parse_unknown, sizeof(parse));
    if (FAILED(parse((LPVOID)(call->commands + at), &returned)))
        return false;
    place = returned;
    if (place <= call->commands + at || place > call->commands + call->command_bytes)
        return false;
    *next = (uint32_t)(place - call->commands);
    return true;
}

static HRESULT play(struct bridge_call *call, uint32_t *error)
{
    uint32_t start = 0;
    HRESULT hr;

    do {
        hr = run(call, start, error);
        bridge_tell_command(CLIENT_UMD_NO_COMMAND);
        bridge_call_flush(call);
        if (FAILED(call->failed)) { /* an earlier command than the one that was refused at once */
            *error = call->failed_at;
            return call->failed;
        }
    } while (hr == D3DERR_COMMAND_UNPARSED && parse_unknown(call, *error, &start));
    return hr;
}

/* Vertices in the caller's memory, or in a buffer, from which they are read. */
static void find_vertices(struct bridge_call *call, struct bridge_surface *buffer, D3DDDIARG_LOCK *lock)
{
    const D3DHAL_DRAWPRIMITIVES2DATA *data = call->data;
    uint64_t size = data->dwVertexSize, bytes = 0;
    const uint8_t *memory = NULL;

    if (data->dwFlags & D3DHALDP2_USERMEMVERTICES) {
        size = size ? size : dp2_fvf_size(data->dwVertexType);
        if (!size || size > MOST_VERTEX_BYTES)
            size = MOST_VERTEX_BYTES;
        bytes = data->dwVertexOffset + size * data->dwVertexLength;
        bytes = bytes > SIZE_MAX / 2 ? 0 : bytes;
        memory = data->lpVertices;
    } else if (buffer && lock->pSurfData) {
        memory = lock->pSurfData;
        bytes = buffer->lcl->lpGbl->dwLinearSize;
    }
    if (!memory || data->dwVertexOffset > bytes)
        return;
    call->vertices = memory + data->dwVertexOffset;
    call->vertex_bytes = (size_t)(bytes - data->dwVertexOffset);
}

/* Nobody else calls the device meanwhile, because the bridge has its lock; so its functions need no lock of their own. */
static void hold(const struct bridge_call *call, bool keep)
{
    HALCYON_UMD_HOLD args = {keep};

    call->f->pfnGetInfo(call->device, HALCYON_DEVINFOID_HOLD, &args, sizeof(args));
}

static HRESULT draw(D3DHAL_DRAWPRIMITIVES2DATA *data, uint32_t *error)
{
    struct bridge_surface *commands = bridge_surface_of(data->lpDDCommands), *buffer = NULL;
    struct bridge_call call = {.context = bridge_find_context(data->dwhContext), .data = data};
    D3DDDIARG_LOCK lock = {.pSurfData = NULL}, command_lock;
    uint8_t *memory = NULL;
    size_t bytes = 0;
    HRESULT hr;

    if (!call.context || !bridge_select(call.context))
        return D3DHAL_CONTEXT_BAD;
    if (!(data->dwFlags & D3DHALDP2_USERMEMVERTICES))
        buffer = bridge_surface_of(data->lpDDVertex);
    if (buffer && (!buffer->resource || buffer->resource->format))
        buffer = NULL;
    if (commands && commands->memory && !commands->resource) {
        memory = commands->memory;
        bytes = commands->bytes;
    } else if (commands && commands->resource && !commands->resource->format &&
               SUCCEEDED(bridge_lock_part(commands->resource, 0, 0, &command_lock))) {
        bridge_unlock_part(commands->resource, 0);
        memory = command_lock.pSurfData;
        bytes = commands->lcl->lpGbl->dwLinearSize;
    } else if (!commands && data->lpDDCommands && data->lpDDCommands->ddsCaps.dwCaps & DDSCAPS_SYSTEMMEMORY &&
               data->lpDDCommands->lpGbl) {
        memory = (uint8_t *)data->lpDDCommands->lpGbl->fpVidMem;
        bytes = memory ? data->lpDDCommands->lpGbl->dwLinearSize : 0;
    }
    if (data->dwCommandOffset > bytes || data->dwCommandLength > bytes - data->dwCommandOffset)
        return DDERR_INVALIDPARAMS;
    call.local = call.context->local;
    call.device = call.local->device;
    call.f = &call.local->f;
    call.commands = memory + data->dwCommandOffset;
    call.command_bytes = data->dwCommandLength;
    hold(&call, true);
    if (buffer && FAILED(bridge_lock_part(buffer->resource, 0, 1 /* ReadOnly */, &lock)))
        buffer = NULL;
    if (buffer)
        bridge_unlock_part(buffer->resource, 0);
    find_vertices(&call, buffer, &lock);
    if (call.context->user_vertices)
        call.context->stale |= BRIDGE_STREAM; /* those of this call */
    hr = play(&call, error);
    *error = SUCCEEDED(hr) ? bridge_respond(&call, memory + data->dwCommandOffset, bytes - data->dwCommandOffset)
                           : *error + data->dwCommandOffset;
    hold(&call, false);
    return hr;
}

DWORD PASCAL bridge_draw_primitives2(LPD3DHAL_DRAWPRIMITIVES2DATA data)
{
    uint32_t error = 0;

    bridge_enter();
    data->ddrval = draw(data, &error);
    data->dwErrorOffset = error;
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}
