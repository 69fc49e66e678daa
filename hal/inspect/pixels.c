/* SPDX-License-Identifier: MIT */
/* The pixel side of a draw: targets, tests, and its programs. */
#include "base/base.h"
#include "hal/handles.h"
#include "hal/inspect.h"
#include "hal/inspect/internal.h"
#include "hal/vertex/front_end.h"
#include "shader/code.h"

#include <string.h>

_Static_assert(HAL_INSPECT_SAMPLERS == RASTER_MAX_SAMPLERS, "all samplers");
_Static_assert(HAL_INSPECT_INPUTS == RASTER_MAX_INPUTS, "all inputs");
_Static_assert(HAL_INSPECT_LANES == RASTER_LANES, "all lanes");

/* --- states -------------------------------------------------------------------------------------- */

static struct hal_rect rect_of(const struct raster_rect *rect)
{
    return (struct hal_rect){rect->left, rect->top, rect->right, rect->bottom};
}

static struct hal_inspect_stencil stencil_of(const struct raster_stencil *stencil)
{
    return (struct hal_inspect_stencil){stencil->enable, (uint8_t)(stencil->func + 1), stencil->ref, stencil->mask,
                                        stencil->write_mask};
}

static struct hal_inspect_target target_of(const struct raster_surface *surface)
{
    return (struct hal_inspect_target){surface->pixels != NULL, surface->format, surface->samples};
}

/* Numbers of raster/raster.h are those of Direct3D less 1. */
static void describe_state(const struct raster_draw_state *state, struct hal_inspect_pixels *out)
{
    *out = (struct hal_inspect_pixels){
        .viewport = rect_of(&state->viewport),
        .scissor = rect_of(&state->scissor),
        .scissor_test = state->rasterizer.scissor,
        .half_pixel_center = state->rasterizer.half_pixel_center,
        .is_solid =
            state->rasterizer.fill_front == RASTER_FILL_SOLID && state->rasterizer.fill_back == RASTER_FILL_SOLID,
        .line_width = state->rasterizer.line_width,
        .dilate = state->rasterizer.conservative_raster_dilate,
        .depth_test = state->depth_test,
        .depth_write = state->depth_write,
        .depth_bounds = state->depth_bounds,
        .depth_func = (uint8_t)(state->depth_func + 1),
        .two_sided_stencil = state->two_sided_stencil,
        .stencil = stencil_of(&state->stencil),
        .stencil_back = stencil_of(&state->stencil_back),
        .alpha_test = state->alpha_test,
        .alpha_func = (uint8_t)(state->alpha_func + 1),
        .alpha_ref = state->alpha_ref,
        .blend = state->blend.enable,
        .blend_source = (uint8_t)(state->blend.src_color + 1),
        .blend_destination = (uint8_t)(state->blend.dst_color + 1),
        .fog = state->fog_mode != RASTER_FOG_OFF,
        .narrow = state->narrow,
        .shades = state->program && state->pass_through.copied != 15,
        .may_kill = state->program_kills,
        .input_count = state->input_count,
    };
    memcpy(out->color_write_mask, state->color_write_mask, sizeof(out->color_write_mask));
}

/* --- programs ------------------------------------------------------------------------------------ */

uint8_t inspect_components_written(const struct shader_program *program, unsigned output)
{
    const struct shader_code *code = program->code;
    uint8_t mask = code->init_outputs >> output & 1 ? 15 : 0;

    for (unsigned i = 0; i < code->count; i++)
        if (code->code[i].op < IR_KILL && code->code[i].destination.file == IR_OUTPUT)
            mask |= code->code[i].destination.relative != IR_ABSOLUTE ? 15
                    : code->code[i].destination.index == output       ? code->code[i].destination.mask
                                                                      : 0;
    return mask;
}

static unsigned count_kills(const struct shader_code *code)
{
    unsigned kills = 0;

    for (unsigned i = 0; i < code->count; i++)
        kills += code->code[i].op == IR_KILL;
    return kills;
}

static void describe_program(const struct shader_program *program, struct hal_inspect_pixels *out)
{
    out->samplers = program->samplers;
    out->kill_count = count_kills(program->code);
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        out->output_mask[t] = inspect_components_written(program, t);
}

void hal_inspect_pixels(const struct hal_context *context, struct hal_inspect_pixels *out)
{
    const struct raster_draw_state *state = inspect_raster_state(context);
    const struct raster_targets *targets = &context->scene.raster->targets;
    const struct shader_binding *binding = state->program;

    describe_state(state, out);
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        out->color[t] = target_of(&targets->color[t]);
    out->depth = target_of(&targets->depth);
    if (binding)
        describe_program(binding->program, out);
    for (unsigned s = 0; s < HAL_INSPECT_SAMPLERS; s++)
        out->texture[s] = hal_resource_of(&context->resources, context->state.stage_state[s][0]);
}

uint8_t hal_inspect_channels(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);
    uint8_t channels = 0;

    for (unsigned c = 0; c < 4; c++)
        channels |= info->bits[c] ? (uint8_t)(1u << c) : 0;
    return channels;
}

static struct hal_inspect_steps steps_of(const struct shader_binding *binding)
{
    struct shader_steps steps;

    if (!binding)
        return (struct hal_inspect_steps){.all = 0};
    steps = shader_count_steps(binding->program);
    return (struct hal_inspect_steps){steps.all, steps.generated};
}

struct hal_inspect_steps hal_inspect_vertex_steps(const struct hal_context *context)
{
    return steps_of(context->renderer.front->vertex_stage.binding);
}

struct hal_inspect_steps hal_inspect_pixel_steps(const struct hal_context *context)
{
    return steps_of(inspect_raster_state(context)->program);
}
