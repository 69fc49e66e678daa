/* SPDX-License-Identifier: MIT */
/* The handlers of tokens, by name; hal/execute.c is the table that names each. */
#ifndef HALCYON_HAL_TOKENS_H
#define HALCYON_HAL_TOKENS_H

#include "d3d/ddi.h"

struct hal_context;
struct dp2_command;

/* A handler executes one command. Errors are logged, and the wrong part is skipped. */
typedef void hal_token_fn(struct hal_context *context, const struct dp2_command *command);
/* The handler of a token that may fail the call: returns DD_OK, or the code for ddrval. */
typedef HRESULT hal_token_result_fn(struct hal_context *context, const struct dp2_command *command);

hal_token_result_fn hal_token_exit, hal_token_span;
hal_token_fn hal_token_render_state, hal_token_stage_state, hal_token_viewport, hal_token_z_range, hal_token_w_info,
    hal_token_set_transform, hal_token_multiply_transform, hal_token_material, hal_token_create_light,
    hal_token_set_light, hal_token_clip_plane, hal_token_set_vertex_shader, hal_token_delete_vertex_shader,
    hal_token_stream_source, hal_token_stream_source_um, hal_token_stream_source2, hal_token_stream_frequency,
    hal_token_indices;
hal_token_result_fn hal_token_create_vertex_shader, hal_token_state_set;
hal_token_fn hal_token_delete_pixel_shader, hal_token_set_pixel_shader, hal_token_delete_declaration,
    hal_token_set_declaration, hal_token_delete_vertex_function, hal_token_set_vertex_function;
hal_token_result_fn hal_token_create_pixel_shader, hal_token_create_declaration, hal_token_create_vertex_function,
    hal_token_shader_constants;
hal_token_fn hal_token_dirty_rect, hal_token_dirty_box, hal_token_scissor, hal_token_mip_sublevels,
    hal_token_compose_rects, hal_token_marker;
hal_token_result_fn hal_token_blt, hal_token_color_fill, hal_token_render_target2, hal_token_convolution_kernel;
hal_token_fn hal_token_delete_query, hal_token_issue_query;
hal_token_result_fn hal_token_create_query;
hal_token_fn hal_token_clear, hal_token_palette, hal_token_priority, hal_token_tex_lod;
hal_token_result_fn hal_token_render_target, hal_token_depth_stencil, hal_token_update_palette, hal_token_tex_blt,
    hal_token_volume_blt, hal_token_buffer_blt, hal_token_set_feedback;
hal_token_fn hal_token_draw, hal_token_draw_indexed, hal_token_draw2, hal_token_draw_indexed2, hal_token_clipped_fan;
hal_token_result_fn hal_token_rect_patch, hal_token_tri_patch;
hal_token_fn hal_token_points, hal_token_legacy_draw, hal_token_legacy_indexed, hal_token_legacy_inline;

#endif
