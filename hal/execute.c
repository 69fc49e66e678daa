/* SPDX-License-Identifier: MIT */
/*
 * DrawPrimitives2: walks the stream and calls each token's handler. Commands before a failing one stay executed
 * (docs/reference/command-stream.md, section 5).
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "dp2/tokens.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/orders.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/scene.h"
#include "hal/state/stateset.h"
#include "hal/tokens.h"
#include "hal/work.h"
#include "raster/raster.h"

/* One of the two, or neither for a token that does nothing here. */
struct token_handler {
    hal_token_fn *run;
    hal_token_result_fn *run_result;
};

static const struct token_handler handlers[256] = {
    /* DirectX 6 */
    [D3DDP2OP_POINTS] = {.run = hal_token_points},
    [D3DDP2OP_INDEXEDLINELIST] = {.run = hal_token_legacy_indexed},
    [D3DDP2OP_INDEXEDTRIANGLELIST] = {.run = hal_token_legacy_indexed},
    [D3DDP2OP_RENDERSTATE] = {.run = hal_token_render_state},
    [DP2OP_EXIT] = {.run_result = hal_token_exit},
    [DP2OP_SPAN] = {.run_result = hal_token_span},
    [D3DDP2OP_LINELIST] = {.run = hal_token_legacy_draw},
    [D3DDP2OP_LINESTRIP] = {.run = hal_token_legacy_draw},
    [D3DDP2OP_INDEXEDLINESTRIP] = {.run = hal_token_legacy_indexed},
    [D3DDP2OP_TRIANGLELIST] = {.run = hal_token_legacy_draw},
    [D3DDP2OP_TRIANGLESTRIP] = {.run = hal_token_legacy_draw},
    [D3DDP2OP_INDEXEDTRIANGLESTRIP] = {.run = hal_token_legacy_indexed},
    [D3DDP2OP_TRIANGLEFAN] = {.run = hal_token_legacy_draw},
    [D3DDP2OP_INDEXEDTRIANGLEFAN] = {.run = hal_token_legacy_indexed},
    [D3DDP2OP_TRIANGLEFAN_IMM] = {.run = hal_token_legacy_inline},
    [D3DDP2OP_LINELIST_IMM] = {.run = hal_token_legacy_inline},
    [D3DDP2OP_TEXTURESTAGESTATE] = {.run = hal_token_stage_state},
    [D3DDP2OP_INDEXEDTRIANGLELIST2] = {.run = hal_token_legacy_indexed},
    [D3DDP2OP_INDEXEDLINELIST2] = {.run = hal_token_legacy_indexed},
    [D3DDP2OP_VIEWPORTINFO] = {.run = hal_token_viewport},
    [D3DDP2OP_WINFO] = {.run = hal_token_w_info},
    [D3DDP2OP_SETPALETTE] = {.run = hal_token_palette},
    [D3DDP2OP_UPDATEPALETTE] = {.run_result = hal_token_update_palette},
    [D3DDP2OP_SETRENDERTARGET] = {.run_result = hal_token_render_target},
    [D3DDP2OP_CLEAR] = {.run = hal_token_clear},
    /* DirectX 7 */
    [D3DDP2OP_ZRANGE] = {.run = hal_token_z_range},
    [D3DDP2OP_SETMATERIAL] = {.run = hal_token_material},
    [D3DDP2OP_SETLIGHT] = {.run = hal_token_set_light},
    [D3DDP2OP_CREATELIGHT] = {.run = hal_token_create_light},
    [D3DDP2OP_SETTRANSFORM] = {.run = hal_token_set_transform},
    [D3DDP2OP_TEXBLT] = {.run_result = hal_token_tex_blt},
    [D3DDP2OP_STATESET] = {.run_result = hal_token_state_set},
    [D3DDP2OP_SETPRIORITY] = {.run = hal_token_priority},
    [D3DDP2OP_SETTEXLOD] = {.run = hal_token_tex_lod},
    [D3DDP2OP_SETCLIPPLANE] = {.run = hal_token_clip_plane},
    /* DirectX 8 */
    [D3DDP2OP_CREATEVERTEXSHADER] = {.run_result = hal_token_create_vertex_shader},
    [D3DDP2OP_DELETEVERTEXSHADER] = {.run = hal_token_delete_vertex_shader},
    [D3DDP2OP_SETVERTEXSHADER] = {.run = hal_token_set_vertex_shader},
    [D3DDP2OP_SETVERTEXSHADERCONST] = {.run_result = hal_token_shader_constants},
    [D3DDP2OP_CREATEPIXELSHADER] = {.run_result = hal_token_create_pixel_shader},
    [D3DDP2OP_DELETEPIXELSHADER] = {.run = hal_token_delete_pixel_shader},
    [D3DDP2OP_SETPIXELSHADER] = {.run = hal_token_set_pixel_shader},
    [D3DDP2OP_SETPIXELSHADERCONST] = {.run_result = hal_token_shader_constants},
    [D3DDP2OP_SETSTREAMSOURCE] = {.run = hal_token_stream_source},
    [D3DDP2OP_SETSTREAMSOURCEUM] = {.run = hal_token_stream_source_um},
    [D3DDP2OP_SETINDICES] = {.run = hal_token_indices},
    [D3DDP2OP_DRAWPRIMITIVE] = {.run = hal_token_draw},
    [D3DDP2OP_DRAWINDEXEDPRIMITIVE] = {.run = hal_token_draw_indexed},
    [D3DDP2OP_CLIPPEDTRIANGLEFAN] = {.run = hal_token_clipped_fan},
    [D3DDP2OP_DRAWPRIMITIVE2] = {.run = hal_token_draw2},
    [D3DDP2OP_DRAWINDEXEDPRIMITIVE2] = {.run = hal_token_draw_indexed2},
    [D3DDP2OP_DRAWRECTPATCH] = {.run_result = hal_token_rect_patch},
    [D3DDP2OP_DRAWTRIPATCH] = {.run_result = hal_token_tri_patch},
    [D3DDP2OP_VOLUMEBLT] = {.run_result = hal_token_volume_blt},
    [D3DDP2OP_BUFFERBLT] = {.run_result = hal_token_buffer_blt},
    [D3DDP2OP_MULTIPLYTRANSFORM] = {.run = hal_token_multiply_transform},
    [D3DDP2OP_ADDDIRTYRECT] = {.run = hal_token_dirty_rect},
    [D3DDP2OP_ADDDIRTYBOX] = {.run = hal_token_dirty_box},
    /* DirectX 9 */
    [D3DDP2OP_CREATEVERTEXSHADERDECL] = {.run_result = hal_token_create_declaration},
    [D3DDP2OP_DELETEVERTEXSHADERDECL] = {.run = hal_token_delete_declaration},
    [D3DDP2OP_SETVERTEXSHADERDECL] = {.run = hal_token_set_declaration},
    [D3DDP2OP_CREATEVERTEXSHADERFUNC] = {.run_result = hal_token_create_vertex_function},
    [D3DDP2OP_DELETEVERTEXSHADERFUNC] = {.run = hal_token_delete_vertex_function},
    [D3DDP2OP_SETVERTEXSHADERFUNC] = {.run = hal_token_set_vertex_function},
    [D3DDP2OP_SETVERTEXSHADERCONSTI] = {.run_result = hal_token_shader_constants},
    [D3DDP2OP_SETVERTEXSHADERCONSTB] = {.run_result = hal_token_shader_constants},
    [D3DDP2OP_SETPIXELSHADERCONSTI] = {.run_result = hal_token_shader_constants},
    [D3DDP2OP_SETPIXELSHADERCONSTB] = {.run_result = hal_token_shader_constants},
    [D3DDP2OP_SETSCISSORRECT] = {.run = hal_token_scissor},
    [D3DDP2OP_SETSTREAMSOURCE2] = {.run = hal_token_stream_source2},
    [D3DDP2OP_SETSTREAMSOURCEFREQ] = {.run = hal_token_stream_frequency},
    [D3DDP2OP_BLT] = {.run_result = hal_token_blt},
    [D3DDP2OP_SURFACEBLT] = {.run_result = hal_token_blt},
    [D3DDP2OP_COLORFILL] = {.run_result = hal_token_color_fill},
    [D3DDP2OP_SETRENDERTARGET2] = {.run_result = hal_token_render_target2},
    [D3DDP2OP_SETDEPTHSTENCIL] = {.run_result = hal_token_depth_stencil},
    [D3DDP2OP_GENERATEMIPSUBLEVELS] = {.run = hal_token_mip_sublevels},
    [D3DDP2OP_CREATEQUERY] = {.run_result = hal_token_create_query},
    [D3DDP2OP_DELETEQUERY] = {.run = hal_token_delete_query},
    [D3DDP2OP_ISSUEQUERY] = {.run = hal_token_issue_query},
    [D3DDP2OP_SETCONVOLUTIONKERNELMONO] = {.run_result = hal_token_convolution_kernel},
    [D3DDP2OP_COMPOSERECTS] = {.run = hal_token_compose_rects},
    /* ours */
    [DP2OP_SETFEEDBACK] = {.run_result = hal_token_set_feedback},
    [DP2OP_MARKER] = {.run = hal_token_marker},
};

static HRESULT execute_command(struct hal_context *context, const struct dp2_command *command)
{
    const struct token_handler *handler = &handlers[command->info->number];

    if (handler->run) {
        handler->run(context, command);
        return DD_OK;
    }
    if (!handler->run_result) {
        log_once(LOG_WARN, command->info->number, "token %s at offset %zu: not executed yet, skipped",
                 command->info->name, command->offset);
        return DD_OK;
    }
    return handler->run_result(context, command);
}

/* --- state blocks ----------------------------------------------------------------------------------- */

/* A block holds no STATESET, so this does not nest. */
static HRESULT execute_block(struct hal_context *context, uint32_t handle)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    HRESULT result = DD_OK;
    size_t bytes;

    if (!hal_state_block_commands(&context->resources, handle, &cursor, &bytes))
        return DD_OK;
    hal_work_spend(&context->scene.work, bytes, HAL_WORK_STATE);
    context->resources.blocks.executing = true;
    while (result == DD_OK && dp2_next(&cursor, &command) == DP2_OK)
        result = execute_command(context, &command);
    context->resources.blocks.executing = false;
    return result;
}

static HRESULT state_set(struct hal_context *context, uint32_t operation, uint32_t handle, uint32_t type)
{
    return operation == D3DHAL_STATESETEXECUTE
               ? execute_block(context, handle)
               : hal_state_block_operate(&context->state, &context->resources, operation, handle, type);
}

HRESULT hal_token_state_set(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *entry = command->body;

    for (unsigned i = 0; i < command->count; i++, entry += sizeof(D3DHAL_DP2STATESET)) {
        const HRESULT result =
            state_set(context, DP2_FIELD(entry, D3DHAL_DP2STATESET, dwOperation),
                      DP2_FIELD(entry, D3DHAL_DP2STATESET, dwParam), DP2_FIELD(entry, D3DHAL_DP2STATESET, sbType));

        if (result != DD_OK)
            return result;
    }
    return DD_OK;
}

/* --- calls ------------------------------------------------------------------------------------------- */

/* Inline vertices of the *_IMM tokens have the format of the call. */
static uint32_t inline_vertex_size(const struct hal_execute *execute)
{
    return execute->vertex_type ? dp2_fvf_size(execute->vertex_type) : 0;
}

static HRESULT execute_refuse(const struct dp2_command *command, enum dp2_status status, const uint8_t *commands,
                              uint32_t *error_offset)
{
    static const char *const reason[] = {
        [DP2_UNKNOWN_TOKEN] = "not a token",
        [DP2_TRUNCATED] = "runs past the end of the stream",
        [DP2_BAD_SIZE] = "has an impossible size",
    };

    log_warn("token %u at offset %zu: %s", commands[command->offset], command->offset, reason[status]);
    *error_offset = (uint32_t)command->offset;
    return D3DERR_COMMAND_UNPARSED;
}

/* Memory or budget ran short: that is the token's result, regardless of its handler's. */
static HRESULT shortage(struct hal_context *context, HRESULT result)
{
    if (hal_work_is_incomplete(&context->scene.work))
        result = DDERR_OUTOFMEMORY;
    return raster_spend(context->scene.raster, 0) ? result : HAL_TOO_MUCH_WORK;
}

static HRESULT execute_run(struct hal_context *context, const struct hal_execute *execute, uint32_t *error_offset)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;

    dp2_cursor_init(&cursor, execute->commands, execute->command_bytes, inline_vertex_size(execute));
    while ((status = dp2_next_of_many(&cursor, &command)) == DP2_OK) {
        HRESULT result = DD_OK;

        if (hal_state_block_record(&context->resources, &command))
            hal_orders_while_recording(context, &command);
        else
            result = execute_command(context, &command);
        if (context->scene.work.lacks_memory || raster_is_short(context->scene.raster))
            result = shortage(context, result);
        if (result == DD_OK && command.info->number == DP2OP_EXIT)
            return DD_OK;
        if (result != DD_OK) {
            log_warn("token %s at offset %zu failed: %#x", command.info->name, command.offset, (unsigned)result);
            *error_offset = (uint32_t)command.offset;
            return result;
        }
    }
    return status == DP2_END ? DD_OK : execute_refuse(&command, status, execute->commands, error_offset);
}

HRESULT hal_context_execute(struct hal_context *context, const struct hal_execute *execute, uint32_t *error_offset)
{
    bool locked;
    HRESULT result;

    *error_offset = 0;
    context->execute = execute;
    context->resources.user = (struct hal_user_vertices){execute->vertices, execute->vertex_bytes};
    context->driver->calls++;
    locked = hal_resources_look_at_locked(context->driver);
    hal_work_begin(&context->scene.work);
    result = execute_run(context, execute, error_offset);
    if (locked)
        hal_scene_flush(&context->scene, HAL_FLUSH_LOCKED);
    hal_work_end(&context->scene.work, "DrawPrimitives2");
    context->execute = NULL;
    context->resources.user = (struct hal_user_vertices){NULL, 0};
    return result;
}
