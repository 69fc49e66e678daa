/* SPDX-License-Identifier: MIT */
/*
 * DrawPrimitives2: walks the stream and gives each token to what it means. Commands before one that
 * fails stay executed (docs/reference/command-stream.md, section 5).
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "dp2/tokens.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/resource/feedback.h"
#include "hal/state/stateset.h"
#include "hal/tokens.h"
#include "hal/work.h"
#include "raster/raster.h"

static hal_token_fn *const handlers[256] = {
    /* DirectX 6 */
    [D3DDP2OP_POINTS] = hal_token_points,
    [D3DDP2OP_INDEXEDLINELIST] = hal_token_legacy_indexed,
    [D3DDP2OP_INDEXEDTRIANGLELIST] = hal_token_legacy_indexed,
    [D3DDP2OP_RENDERSTATE] = hal_token_render_state,
    [DP2OP_EXIT] = hal_token_exit,
    [DP2OP_SPAN] = hal_token_span,
    [D3DDP2OP_LINELIST] = hal_token_legacy_draw,
    [D3DDP2OP_LINESTRIP] = hal_token_legacy_draw,
    [D3DDP2OP_INDEXEDLINESTRIP] = hal_token_legacy_indexed,
    [D3DDP2OP_TRIANGLELIST] = hal_token_legacy_draw,
    [D3DDP2OP_TRIANGLESTRIP] = hal_token_legacy_draw,
    [D3DDP2OP_INDEXEDTRIANGLESTRIP] = hal_token_legacy_indexed,
    [D3DDP2OP_TRIANGLEFAN] = hal_token_legacy_draw,
    [D3DDP2OP_INDEXEDTRIANGLEFAN] = hal_token_legacy_indexed,
    [D3DDP2OP_TRIANGLEFAN_IMM] = hal_token_legacy_inline,
    [D3DDP2OP_LINELIST_IMM] = hal_token_legacy_inline,
    [D3DDP2OP_TEXTURESTAGESTATE] = hal_token_stage_state,
    [D3DDP2OP_INDEXEDTRIANGLELIST2] = hal_token_legacy_indexed,
    [D3DDP2OP_INDEXEDLINELIST2] = hal_token_legacy_indexed,
    [D3DDP2OP_VIEWPORTINFO] = hal_token_viewport,
    [D3DDP2OP_WINFO] = hal_token_w_info,
    [D3DDP2OP_SETPALETTE] = hal_token_palette,
    [D3DDP2OP_UPDATEPALETTE] = hal_token_update_palette,
    [D3DDP2OP_SETRENDERTARGET] = hal_token_render_target,
    [D3DDP2OP_CLEAR] = hal_token_clear,
    /* DirectX 7 */
    [D3DDP2OP_ZRANGE] = hal_token_z_range,
    [D3DDP2OP_SETMATERIAL] = hal_token_material,
    [D3DDP2OP_SETLIGHT] = hal_token_set_light,
    [D3DDP2OP_CREATELIGHT] = hal_token_create_light,
    [D3DDP2OP_SETTRANSFORM] = hal_token_set_transform,
    [D3DDP2OP_TEXBLT] = hal_token_tex_blt,
    [D3DDP2OP_STATESET] = hal_token_state_set,
    [D3DDP2OP_SETPRIORITY] = hal_token_priority,
    [D3DDP2OP_SETTEXLOD] = hal_token_tex_lod,
    [D3DDP2OP_SETCLIPPLANE] = hal_token_clip_plane,
    /* DirectX 8 */
    [D3DDP2OP_CREATEVERTEXSHADER] = hal_token_create_vertex_shader,
    [D3DDP2OP_DELETEVERTEXSHADER] = hal_token_delete_vertex_shader,
    [D3DDP2OP_SETVERTEXSHADER] = hal_token_set_vertex_shader,
    [D3DDP2OP_SETVERTEXSHADERCONST] = hal_token_shader_constants,
    [D3DDP2OP_CREATEPIXELSHADER] = hal_token_create_pixel_shader,
    [D3DDP2OP_DELETEPIXELSHADER] = hal_token_delete_pixel_shader,
    [D3DDP2OP_SETPIXELSHADER] = hal_token_set_pixel_shader,
    [D3DDP2OP_SETPIXELSHADERCONST] = hal_token_shader_constants,
    [D3DDP2OP_SETSTREAMSOURCE] = hal_token_stream_source,
    [D3DDP2OP_SETSTREAMSOURCEUM] = hal_token_stream_source_um,
    [D3DDP2OP_SETINDICES] = hal_token_indices,
    [D3DDP2OP_DRAWPRIMITIVE] = hal_token_draw,
    [D3DDP2OP_DRAWINDEXEDPRIMITIVE] = hal_token_draw_indexed,
    [D3DDP2OP_CLIPPEDTRIANGLEFAN] = hal_token_clipped_fan,
    [D3DDP2OP_DRAWPRIMITIVE2] = hal_token_draw2,
    [D3DDP2OP_DRAWINDEXEDPRIMITIVE2] = hal_token_draw_indexed2,
    [D3DDP2OP_DRAWRECTPATCH] = hal_token_rect_patch,
    [D3DDP2OP_DRAWTRIPATCH] = hal_token_tri_patch,
    [D3DDP2OP_VOLUMEBLT] = hal_token_volume_blt,
    [D3DDP2OP_BUFFERBLT] = hal_token_buffer_blt,
    [D3DDP2OP_MULTIPLYTRANSFORM] = hal_token_multiply_transform,
    [D3DDP2OP_ADDDIRTYRECT] = hal_token_dirty_rect,
    [D3DDP2OP_ADDDIRTYBOX] = hal_token_dirty_box,
    /* DirectX 9 */
    [D3DDP2OP_CREATEVERTEXSHADERDECL] = hal_token_create_declaration,
    [D3DDP2OP_DELETEVERTEXSHADERDECL] = hal_token_delete_declaration,
    [D3DDP2OP_SETVERTEXSHADERDECL] = hal_token_set_declaration,
    [D3DDP2OP_CREATEVERTEXSHADERFUNC] = hal_token_create_vertex_function,
    [D3DDP2OP_DELETEVERTEXSHADERFUNC] = hal_token_delete_vertex_function,
    [D3DDP2OP_SETVERTEXSHADERFUNC] = hal_token_set_vertex_function,
    [D3DDP2OP_SETVERTEXSHADERCONSTI] = hal_token_shader_constants,
    [D3DDP2OP_SETVERTEXSHADERCONSTB] = hal_token_shader_constants,
    [D3DDP2OP_SETPIXELSHADERCONSTI] = hal_token_shader_constants,
    [D3DDP2OP_SETPIXELSHADERCONSTB] = hal_token_shader_constants,
    [D3DDP2OP_SETSCISSORRECT] = hal_token_scissor,
    [D3DDP2OP_SETSTREAMSOURCE2] = hal_token_stream_source2,
    [D3DDP2OP_SETSTREAMSOURCEFREQ] = hal_token_stream_frequency,
    [D3DDP2OP_BLT] = hal_token_blt,
    [D3DDP2OP_SURFACEBLT] = hal_token_blt,
    [D3DDP2OP_COLORFILL] = hal_token_color_fill,
    [D3DDP2OP_SETRENDERTARGET2] = hal_token_render_target2,
    [D3DDP2OP_SETDEPTHSTENCIL] = hal_token_depth_stencil,
    [D3DDP2OP_GENERATEMIPSUBLEVELS] = hal_token_mip_sublevels,
    [D3DDP2OP_CREATEQUERY] = hal_token_create_query,
    [D3DDP2OP_DELETEQUERY] = hal_token_delete_query,
    [D3DDP2OP_ISSUEQUERY] = hal_token_issue_query,
    [D3DDP2OP_SETCONVOLUTIONKERNELMONO] = hal_token_convolution_kernel,
    [D3DDP2OP_COMPOSERECTS] = hal_token_compose_rects,
    /* ours */
    [DP2OP_SETFEEDBACK] = hal_token_set_feedback,
};

HRESULT hal_execute_command(struct hal_context *context, const struct dp2_command *command)
{
    hal_token_fn *handler = handlers[command->info->number];

    if (!handler) {
        log_once(LOG_WARN, command->info->number,
                 "token %s at offset %zu: not executed yet, skipped", command->info->name,
                 command->offset);
        return DD_OK;
    }
    return handler(context, command);
}

/* Inline vertices of the *_IMM tokens have the format of the call. */
static uint32_t inline_vertex_size(const struct hal_execute *execute)
{
    return execute->vertex_type ? dp2_fvf_size(execute->vertex_type) : 0;
}

static HRESULT refuse(const struct dp2_command *command, enum dp2_status status,
                      const uint8_t *commands, uint32_t *error_offset)
{
    static const char *const reason[] = {
        [DP2_UNKNOWN_TOKEN] = "not a token",
        [DP2_TRUNCATED] = "runs past the end of the stream",
        [DP2_BAD_SIZE] = "has an impossible size",
    };

    log_warn("token %u at offset %zu: %s", commands[command->offset], command->offset,
             reason[status]);
    *error_offset = (uint32_t)command->offset;
    return D3DERR_COMMAND_UNPARSED;
}

/* Memory or budget have run short: that is the token's result, whatever its handler made of it. */
static HRESULT shortage(struct hal_context *context, HRESULT result)
{
    if (hal_work_is_incomplete(context)) {
        result = DDERR_OUTOFMEMORY;
    }
    return raster_spend(context->raster, 0) ? result : HAL_TOO_MUCH_WORK;
}

static HRESULT run(struct hal_context *context, const struct hal_execute *execute,
                   uint32_t *error_offset)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;

    dp2_cursor_init(&cursor, execute->commands, execute->command_bytes,
                    inline_vertex_size(execute));
    while ((status = dp2_next(&cursor, &command)) == DP2_OK) {
        HRESULT result = DD_OK;

        if (!hal_state_block_record(context, &command)) {
            result = hal_execute_command(context, &command);
        }
        if (context->lacks_memory || !raster_is_well(context->raster)) {
            result = shortage(context, result);
        }
        if (result == DD_OK && command.info->number == DP2OP_EXIT) {
            return DD_OK;
        }
        if (result != DD_OK) {
            log_warn("token %s at offset %zu failed: %#x", command.info->name, command.offset,
                     (unsigned)result);
            *error_offset = (uint32_t)command.offset;
            return result;
        }
    }
    return status == DP2_END ? DD_OK : refuse(&command, status, execute->commands, error_offset);
}

HRESULT hal_context_execute(struct hal_context *context, const struct hal_execute *execute,
                            uint32_t *error_offset)
{
    HRESULT result;

    *error_offset = 0;
    context->execute = execute;
    context->driver->calls++;
    hal_work_begin(context, execute->command_bytes, context->driver->work_layers);
    result = run(context, execute, error_offset);
    hal_work_end(context, "DrawPrimitives2");
    context->execute = NULL;
    return result;
}
