/* SPDX-License-Identifier: MIT */
/*
 * Turns the state's arrays into a raster_draw_state with the program and values of the pixel stage (stage.h). Values
 * (constants, samplers) get a new binding whenever they change, because scenes that have not been drawn yet still refer
 * to the old ones. A draw reuses everything that the previous draw looked up and derived, except for the groups of
 * states that changed meanwhile (enum hal_dirty).
 */
#include "hal/pixel/pipeline.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "d3d/states.h"
#include "d3d/usages.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/pixel/draw_state.h"
#include "hal/pixel/extension_state.h"
#include "hal/pixel/stage.h"
#include "hal/renderer.h"
#include "hal/resource/color_key.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/targets.h"
#include "hal/resource/texture.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/extension.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/state/shaders.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

struct hal_pipeline {
    struct hal_pixel_stage stage;
    struct hal_pixel_producers producers;
    bool transformed;
    bool derived;      /* state and stage are up to date, except for the dirty bits */
    bool changed;      /* the rasterizer has not been given the state */
    bool leaves_alpha; /* the stage was made for outputs that read no alpha */
    unsigned flushes;
    struct hal_scene_hook hook;
    struct hal_shader_hook shader_hook;
    struct raster_draw_state state;
    /* found for this draw: */
    struct hal_pixel_textures textures;
    bool records;            /* one of them is a feedback map */
    uint64_t texture_shapes; /* the properties that the stage's code depends on */
    bool textures_stay;      /* the next draw finds the same while states, handles and contents stay */
    uint32_t handle_changes; /* of the table they were found in */
};

/* The scene has been drawn: memory of program values may be reused (hal_scene_hook). */
static void pipeline_flushed(void *user)
{
    struct hal_pipeline *p = user;

    hal_pixel_stage_flushed(&p->producers, &p->stage);
    p->flushes++;
}

/* A program is about to be destroyed (hal_shader_hook). */
static void pipeline_forget(void *user, const struct shader_program *program)
{
    struct hal_renderer *renderer = user;
    struct hal_pipeline *p = renderer->pipeline;

    if (program->stage != SHADER_PIXEL)
        return;
    hal_scene_flush(renderer->scene, HAL_FLUSH_SHADER); /* scenes refer to bindings, which refer to the program */
    if (p->stage.shader == program) {
        p->stage.shader = p->stage.program = NULL;
        p->derived = p->textures_stay = false;
    }
}

static struct hal_pipeline *pipeline_of(struct hal_renderer *renderer)
{
    if (!renderer->pipeline) {
        renderer->pipeline = mem_calloc(1, sizeof(*renderer->pipeline));
        if (!renderer->pipeline) {
            hal_work_lacks_memory(&renderer->scene->work, "the state of draws");
            return NULL;
        }
        renderer->pipeline->hook.drawn = pipeline_flushed;
        renderer->pipeline->hook.user = renderer->pipeline;
        hal_scene_watch(renderer->scene, &renderer->pipeline->hook);
        renderer->pipeline->shader_hook.forget = pipeline_forget;
        renderer->pipeline->shader_hook.user = renderer;
        hal_shaders_watch(&renderer->resources->shaders, &renderer->pipeline->shader_hook);
    }
    return renderer->pipeline;
}

const struct hal_pipeline_inputs *hal_pipeline_inputs(const struct hal_renderer *renderer)
{
    return &renderer->pipeline->stage.inputs;
}

void hal_pipeline_destroy(struct hal_renderer *renderer)
{
    struct hal_pipeline *p = renderer->pipeline;

    if (!p)
        return;
    pipeline_flushed(p);
    hal_pixel_producers_free(&p->producers);
    free(p);
    renderer->pipeline = NULL;
}

/* --- inputs --------------------------------------------------------------------------------------------- */

bool hal_pipeline_want(struct hal_renderer *renderer, uint32_t attributes)
{
    struct hal_pipeline *p = pipeline_of(renderer);

    if (!p)
        return false;
    memset(&p->stage.inputs, 0, sizeof(p->stage.inputs));
    p->derived = false;
    p->stage.inputs.coordinates = HAL_COORDINATES_KEPT;
    for (unsigned a = 0; a < HAL_ATTRIBUTE_COUNT; a++)
        if (attributes >> a & 1)
            hal_pixel_add_input(&p->stage.inputs, a, 15);
    return true;
}

/* The interpolation of the program's inputs, followed by fog. */
static void pipeline_finish_inputs(const struct hal_state *state, struct hal_pipeline *p)
{
    struct hal_pipeline_inputs *inputs = &p->stage.inputs;
    bool sprites = state->render_state[D3DRS_POINTSPRITEENABLE] != 0;

    if (p->state.fog_mode == RASTER_FOG_VERTEX && inputs->count < RASTER_MAX_INPUTS) {
        p->state.fog_input = inputs->count;
        hal_pixel_add_input(inputs, HAL_ATTRIBUTE_FOG, 1);
    }
    for (unsigned i = 0; i < inputs->count; i++) {
        bool flat = inputs->usage[i] == D3D_USAGE_COLOR && p->state.rasterizer.flatshade;

        p->state.interpolation[i] = flat ? RASTER_FLAT : RASTER_PERSPECTIVE;
        p->state.input_mask[i] = inputs->mask[i];
        if (sprites && inputs->usage[i] == D3D_USAGE_TEXCOORD)
            p->state.rasterizer.sprite_coord_enable |= 1u << i;
    }
    p->state.input_count = inputs->count;
}

/* --- the draw --------------------------------------------------------------------------------------------- */

struct hal_texture *hal_pipeline_texture(struct hal_renderer *renderer, unsigned row)
{
    struct hal_texture *texture = hal_texture_of(renderer->resources, renderer->state->stage_state[row][0]);

    return texture && hal_texture_view(texture, renderer->state, renderer->resources, renderer->scene) ? texture : NULL;
}

/* Would find_textures find the same textures? Their views must be up to date. */
static bool pipeline_textures_stay(const struct hal_renderer *renderer)
{
    const struct hal_pipeline *p = renderer->pipeline;

    if (!p->textures_stay || p->handle_changes != renderer->resources->handles->changes ||
        renderer->dirty & (HAL_DIRTY_TEXTURE | HAL_DIRTY_BOUND | HAL_DIRTY_STAGE | HAL_DIRTY_TARGET))
        return false;
    for (unsigned s = 0; s < p->textures.count; s++) {
        const struct hal_texture *texture = p->textures.texture[s];

        if (texture && texture->viewed_version != texture->version)
            return false;
    }
    return true;
}

static void pipeline_set_texture(struct hal_pixel_textures *textures, unsigned s, struct hal_texture *texture,
                                 struct hal_texture *map)
{
    textures->changed |= texture != textures->texture[s] || map != textures->map[s];
    textures->texture[s] = texture;
    textures->map[s] = map;
}

/* Finds the bound textures and brings their sampler views up to date. */
static void pipeline_find_textures(struct hal_renderer *renderer)
{
    struct hal_pipeline *p = renderer->pipeline;
    const uint32_t wanted = hal_pixel_stage_textures(renderer->state, p->stage.shader);
    const unsigned count = wanted ? 32 - (unsigned)__builtin_clz(wanted) : 0;

    /* runtimes change colour keys without notice */
    p->textures_stay = !hal_keys_textures(renderer->state);
    p->records = false;
    for (unsigned s = 0; s < count; s++) {
        const bool is_wanted = wanted >> s & 1;
        const uint32_t *t = renderer->state->stage_state[s];
        struct hal_texture *texture = NULL, *map = NULL;

        if (is_wanted) {
            texture = hal_feedback_mode(t) == DDI_FEEDBACK_WRITES ? NULL : hal_pipeline_texture(renderer, s);
            map = hal_feedback_of(renderer->state, renderer->resources, s, texture);
        }
        pipeline_set_texture(&p->textures, s, texture, map);
        p->records |= map != NULL;
        /* missing textures may exist next time; palettes and maps change without notice */
        p->textures_stay &=
            !is_wanted || (!t[D3D_TSS_FEEDBACK] && (texture ? hal_texture_stays(texture) : !t[D3DTSS_TEXTUREMAP]));
    }
    for (unsigned i = count; i < p->textures.count; i++)
        pipeline_set_texture(&p->textures, i, NULL, NULL);
    p->textures.count = count;
    const uint64_t shapes = hal_pixel_stage_shapes(renderer->state, p->stage.shader, &p->textures);

    p->derived &= shapes == p->texture_shapes;
    p->texture_shapes = shapes;
    p->handle_changes = renderer->resources->handles->changes;
}

static bool pipeline_bind(struct hal_renderer *renderer)
{
    struct hal_pipeline *p = renderer->pipeline;

    return hal_pixel_stage_bind(renderer, &p->producers, &p->textures, &p->stage);
}

static bool pipeline_update_values(struct hal_renderer *renderer)
{
    struct hal_pipeline *p = renderer->pipeline;

    if (!pipeline_bind(renderer)) {
        renderer->scene->driver->out_of_memory |= p->producers.pool.blocks < HAL_POOL_BLOCKS;
        hal_scene_flush_colors(renderer->scene, HAL_FLUSH_VALUES); /* the pool is full */
        if (!pipeline_bind(renderer)) {
            hal_work_lacks_memory(&renderer->scene->work, "values of a pixel program");
            return false;
        }
    }
    p->state.program = p->stage.binding;
    p->state.pass_through = p->stage.pass_through;
    p->state.program_records = p->records;
    p->textures.changed = false;
    return true;
}

/* Each colour that the program writes has a separate mask. */
static void pipeline_derive_masks(const struct hal_state *state, struct hal_pipeline *p)
{
    const uint32_t *r = state->render_state;

    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        const uint32_t mask = r[t ? D3D_RS_COLORWRITEENABLE1 + t - 1 : D3DRS_COLORWRITEENABLE];

        p->state.color_write_mask[t] = p->stage.outputs >> t & 1 ? (uint8_t)(mask & 15) : 0;
    }
}

static void pipeline_derive_program(const struct hal_state *state, struct hal_pipeline *p)
{
    p->state.program_reads_inputs_alone = p->stage.reads_inputs_alone;
    p->state.program_kills = p->stage.kills;
    p->state.program_writes_depth = p->stage.writes_depth;
    p->state.program_reads_position = p->stage.reads_position;
    pipeline_derive_masks(state, p);
}

/* Does either blend factor depend on source alpha? */
static bool factor_reads_alpha(unsigned factor)
{
    return factor == RASTER_BLEND_SRC_ALPHA || factor == RASTER_BLEND_INV_SRC_ALPHA ||
           factor == RASTER_BLEND_SRC_ALPHA_SAT || factor == RASTER_BLEND_BOTH_SRC_ALPHA ||
           factor == RASTER_BLEND_BOTH_INV_SRC_ALPHA;
}

/* Do tests and blending not read the alpha of colour 0, and has the target no alpha? Depends only on states of
 * HAL_DIRTY_OUTPUT. */
static bool alpha_is_unread(const struct hal_state *state, const struct hal_surface *target,
                            const struct raster_draw_state *s)
{
    const struct raster_blend *blend = &s->blend;

    if (s->alpha_test || !target || state->extension[HAL_EXTENSION_ALPHA_COVERAGE] ||
        state->extension[HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS])
        return false;
    if (s->color_write_mask[0] & 8 && raster_format_info(target->format)->bits[3])
        return false;
    return !blend->enable || !(factor_reads_alpha(blend->src_color) || factor_reads_alpha(blend->dst_color));
}

/* Everything except for the values of the program. */
static bool pipeline_derive(struct hal_renderer *renderer)
{
    struct hal_pipeline *p = renderer->pipeline;
    struct hal_pipeline_inputs *inputs = &p->stage.inputs;

    if (!hal_pixel_stage_make(renderer, &p->producers, p->texture_shapes, &p->stage))
        return false;
    hal_derive_draw_state(renderer->state, renderer->scene->target, p->transformed, p->stage.applies_fog, &p->state);
    p->leaves_alpha = alpha_is_unread(renderer->state, renderer->scene->target, &p->state);
    if (p->leaves_alpha)
        hal_pixel_stage_leave_alpha(&p->producers, &p->stage);
    pipeline_derive_program(renderer->state, p);
    pipeline_finish_inputs(renderer->state, p);
    hal_extension_derive(renderer->state, renderer->scene->target, inputs, &p->state);
    inputs->conservative = p->state.rasterizer.conservative_raster_mode != RASTER_CONSERVATIVE_OFF;
    inputs->beyond_view = inputs->conservative || p->state.forced_samples > 1 ||
                          (renderer->scene->target && renderer->scene->target->samples > 1);
    return true;
}

/* Derives what depends on states of HAL_DIRTY_OUTPUT. */
static void pipeline_derive_output(struct hal_renderer *renderer)
{
    struct hal_pipeline *p = renderer->pipeline;

    hal_derive_output_state(renderer->state, &p->state);
    pipeline_derive_masks(renderer->state, p);
    hal_extension_derive_output(renderer->state, renderer->scene->target, &p->state);
}

/* --- colours in 16 bits ------------------------------------------------------------------------------------ */

/* Has a texture no more than 8 bits a channel, none of them signed or made linear? */
static bool sampler_is_narrow(const struct raster_sampler *sampler)
{
    const struct raster_texture *texture = sampler->texture;

    return !texture || !(texture->is_wide || texture->is_signed || texture->depth || sampler->srgb);
}

static bool target_is_narrow(const struct hal_surface *target)
{
    const struct raster_format_info *info = target ? raster_format_info(target->format) : NULL;
    bool narrow = info && info->type != RASTER_FLOAT && info->block_bytes <= 4;

    for (unsigned c = 0; c < 4 && narrow; c++)
        narrow = info->bits[c] <= 8;
    return narrow;
}

/* Do colours have 8 bits from the textures to the target, and does the program need no more in between? */
static bool pipeline_is_narrow(const struct hal_surface *target, const struct hal_pipeline *p)
{
    const struct raster_draw_state *s = &p->state;
    const struct shader_program *program = p->stage.program;
    bool narrow = shader_has_narrow(program) && target_is_narrow(target) && !s->srgb_write &&
                  s->coverage == RASTER_COVERAGE_NONE &&
                  s->rasterizer.conservative_raster_mode == RASTER_CONSERVATIVE_OFF;

    for (uint32_t left = program->samplers; left && narrow; left &= left - 1)
        narrow = sampler_is_narrow(&p->stage.binding->sampler[__builtin_ctz(left)]);
    return narrow;
}

/* After everything else is derived: selects the form of the program (docs/narrow-colour.md). */
static void pipeline_choose_narrow(const struct hal_renderer *renderer, struct hal_pipeline *p)
{
    const struct shader_program *program = p->stage.program;
    const enum cpu_level level = renderer->scene->driver->cpu;

    p->state.narrow = pipeline_is_narrow(renderer->scene->target, p);
    p->state.narrow_inputs = 0;
    p->state.shade = p->state.narrow ? shader_narrow_executor(level) : shader_pixel_executor(level);
    p->state.shade_block = p->state.narrow && !p->state.alpha_test && p->state.fog_mode == RASTER_FOG_OFF
                               ? shader_narrow_block_executor(level)
                               : NULL;
    if (!p->state.narrow)
        return;
    if (p->state.shade_block)
        shader_note_narrow_use(program, &p->state.blend, renderer->scene->driver->jit);
    for (unsigned left = shader_narrow_colors(program); left; left &= left - 1) {
        const unsigned input = p->stage.binding->input[__builtin_ctz(left)];

        if (input < RASTER_MAX_INPUTS)
            p->state.narrow_inputs |= (uint16_t)(1u << input);
    }
}

/* The changed groups of states that the draw state is derived from. */
static uint32_t pipeline_stale_groups(uint32_t dirty, const struct hal_pipeline *p)
{
    uint32_t groups = (HAL_DIRTY_PIXEL & ~(uint32_t)HAL_DIRTY_FACTOR) | p->stage.constant_groups;

    if (p->state.fog_mode > RASTER_FOG_VERTEX)
        groups |= HAL_DIRTY_TRANSFORM; /* the projection chooses the fog coordinate */
    return dirty & groups;
}

/* Picoseconds per pixel that is shaded, or only stored; for fog; per sample: stored, tested, blended. */
#define SHADED_PRICE  600
#define COPIED_PRICE  150
#define FOG_PRICE     400
#define STORED_PRICE  300
#define TESTED_PRICE  500
#define BLENDED_PRICE 850

static void pipeline_set_price(struct hal_pipeline *p)
{
    struct raster_draw_state *s = &p->state;
    const bool tested = s->depth_test || s->depth_write || s->stencil.enable || s->depth_bounds;

    s->cost = s->pass_through.copied == 15
                  ? COPIED_PRICE
                  : (uint32_t)BASE_MIN(SHADED_PRICE + p->stage.price, (uint64_t)UINT32_MAX / 2);
    s->cost += s->fog_mode ? FOG_PRICE : 0;
    s->sample_cost = STORED_PRICE + (tested ? TESTED_PRICE : 0) + (s->blend.enable ? BLENDED_PRICE : 0);
}

/* Derives only what has changed. */
static bool pipeline_derive_stale(struct hal_renderer *renderer)
{
    const uint32_t values = HAL_DIRTY_VALUES | HAL_DIRTY_PIXEL_CONSTANTS;
    struct hal_pipeline *p = renderer->pipeline;
    const uint32_t stale = pipeline_stale_groups(renderer->dirty, p);
    bool whole = !p->derived || stale & ~(HAL_DIRTY_OUTPUT | values);
    const bool bound = p->stage.binding && !p->textures.changed;

    if (!whole && !stale && bound)
        return true;
    p->changed = true;
    p->derived = false;
    if (!whole && stale & HAL_DIRTY_OUTPUT) {
        pipeline_derive_output(renderer);
        whole = alpha_is_unread(renderer->state, renderer->scene->target, &p->state) != p->leaves_alpha;
    }
    if (whole && !pipeline_derive(renderer))
        return false;
    if ((whole || stale & values || !bound) && !pipeline_update_values(renderer))
        return false;
    pipeline_choose_narrow(renderer, p);
    pipeline_set_price(p);
    p->derived = true;
    return true;
}

static void pipeline_mark_textures_pending(struct hal_renderer *renderer, unsigned stage)
{
    struct hal_texture *texture = renderer->pipeline->textures.texture[stage],
                       *map = renderer->pipeline->textures.map[stage];

    if (texture)
        hal_scene_add(renderer->scene, texture->top, false);
    if (map) {
        hal_scene_add(renderer->scene, map->top, true);
        hal_surface_touch(map->top);
    }
}

/* One attempt; *flushed: a flush freed surfaces and values that it had just found. */
static bool pipeline_update(struct hal_renderer *renderer, const struct shader_program *shader, bool transformed,
                            bool *flushed)
{
    struct hal_pipeline *p = renderer->pipeline;
    unsigned flushes = p->flushes;

    if (renderer->dirty & HAL_DIRTY_BINDINGS)
        hal_pixel_stage_outdate(&p->producers);
    if (shader != p->stage.shader) {
        p->textures_stay = p->derived = false;
        p->textures.changed = true;
    }
    p->derived &= transformed == p->transformed;
    p->stage.shader = shader;
    p->transformed = transformed;
    if (!pipeline_textures_stay(renderer))
        pipeline_find_textures(renderer);
    if (!hal_targets_bind(renderer->scene, renderer->state) || !pipeline_derive_stale(renderer))
        return false;
    for (unsigned s = 0; s < p->textures.count; s++)
        if (p->stage.samplers >> s & 1)
            pipeline_mark_textures_pending(renderer, s);
    *flushed = flushes != p->flushes;
    return true;
}

bool hal_pipeline_update(struct hal_renderer *renderer, const struct shader_program *shader, bool transformed)
{
    bool flushed = true;

    if (!pipeline_of(renderer))
        return false;
    /* After a flush there is room for everything that one draw needs. */
    for (unsigned tries = 0; flushed && tries < 3; tries++)
        if (!pipeline_update(renderer, shader, transformed, &flushed))
            return false;
    renderer->dirty &= ~(uint32_t)(HAL_DIRTY_PIXEL | HAL_DIRTY_PIXEL_CONSTANTS);
    if (renderer->pipeline->changed)
        raster_set_state(renderer->scene->raster, &renderer->pipeline->state);
    renderer->pipeline->changed = false;
    return true;
}
