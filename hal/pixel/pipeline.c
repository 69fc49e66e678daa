/* SPDX-License-Identifier: MIT */
/*
 * From the context's arrays to what the rasterizer takes: a raster_draw_state, a pixel program and its values.
 * Programs are cached by key; values (constants, samplers) get a fresh binding whenever they change, because
 * scenes that have not been drawn yet still refer to the old ones. What one draw found and derived the next one
 * takes as it is, but for the groups of states that changed meanwhile (enum hal_dirty).
 */
#include "hal/pixel/pipeline.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "d3d/states.h"
#include "d3d/usages.h"
#include "hal/context.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/math.h"
#include "hal/pixel/draw_state.h"
#include "hal/pixel/pixel_shader.h"
#include "hal/pixel/sampler.h"
#include "hal/pool.h"
#include "hal/resource/color_key.h"
#include "hal/resource/feedback.h"
#include "hal/resource/hazard.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/state/dirty.h"
#include "hal/state/extension.h"
#include "hal/state/values.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "raster/sample/feedback.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"
#include "shader/stages.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PROGRAMS 256

struct program_entry {
    struct stages_key key;
    struct stages_program program;
};

struct hal_pipeline {
    struct program_entry *programs[MAX_PROGRAMS]; /* most recently used first */
    unsigned program_count;
    const struct stages_program *program;
    struct hal_pool pool;                 /* of programs' values */
    const struct shader_binding *binding; /* of the last draw; NULL: make a new one */
    struct hal_pixel_stage pixel;         /* with a pixel shader: takes the place of program and binding */
    bool transformed;
    bool derived;           /* but for what the dirty bits say, state and inputs are up to date */
    bool values_stale;      /* other textures than those in the binding are found */
    bool changed;           /* the rasterizer has not been given the state */
    uint64_t program_price; /* of a pixel, for hal/work.h */
    unsigned flushes;
    struct raster_draw_state state;
    struct hal_pipeline_inputs inputs;
    /* found for this draw: */
    struct hal_surface *textures[HAL_MAX_SAMPLERS];
    struct hal_surface *maps[HAL_MAX_SAMPLERS]; /* feedback; NULL: none. A map without a texture: what is written to */
    bool records;                               /* there is a map among them */
    unsigned texture_count;                     /* the others are NULL */
    uint64_t texture_shapes;                    /* what of them goes into the key */
    bool textures_stay;      /* the next draw finds the same while states, handles and contents stay */
    uint32_t handle_changes; /* of the table they were found in */
};

static struct hal_pipeline *pipeline_of(struct hal_context *context)
{
    if (!context->pipeline)
        context->pipeline = mem_calloc(1, sizeof(*context->pipeline));
    if (!context->pipeline)
        hal_work_lacks_memory(context, "the state of draws");
    return context->pipeline;
}

const struct hal_pipeline_inputs *hal_pipeline_inputs(const struct hal_context *context)
{
    return &context->pipeline->inputs;
}

static void pipeline_release_entry(struct program_entry *entry)
{
    stages_destroy(&entry->program);
    free(entry);
}

void hal_pipeline_destroy(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;

    if (!p)
        return;
    hal_pipeline_flushed(context);
    for (unsigned i = 0; i < p->program_count; i++)
        pipeline_release_entry(p->programs[i]);
    hal_pool_free(&p->pool);
    free(p);
    context->pipeline = NULL;
}

void hal_pipeline_flushed(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;

    if (!p)
        return;
    hal_pool_reset(&p->pool);
    p->binding = p->pixel.binding = NULL;
    p->flushes++;
}

/* --- pixel program ---------------------------------------------------------------------------------- */

/* D3DTBLEND_MODULATE of DirectX 5: a stage without a texture, or with one that has no alpha, keeps that of the vertex. */
static bool pipeline_takes_vertex_alpha(const struct hal_context *context, const struct hal_pipeline *p)
{
    return context->modulate_of_dx5 && !(p->textures[0] && hal_texture_has_alpha(p->textures[0]));
}

static void pipeline_derive_key(const struct hal_context *context, const struct hal_pipeline *p, struct stages_key *key)
{
    memset(key, 0, sizeof(*key));
    for (unsigned s = 0; s < STAGES_MAX; s++) {
        const uint32_t *t = context->stage_state[s];
        struct stage_key *k = &key->stage[s];

        k->color_op = (uint8_t)BASE_MIN(t[D3DTSS_COLOROP], 255u);
        if (k->color_op <= D3DTOP_DISABLE)
            break;
        k->alpha_op = (uint8_t)BASE_MIN(t[D3DTSS_ALPHAOP], 255u);
        if (s == 0 && pipeline_takes_vertex_alpha(context, p))
            k->alpha_op = D3DTOP_SELECTARG2;
        const uint32_t color[3] = {t[D3DTSS_COLORARG0], t[D3DTSS_COLORARG1], t[D3DTSS_COLORARG2]};
        const uint32_t alpha[3] = {t[D3DTSS_ALPHAARG0], t[D3DTSS_ALPHAARG1], t[D3DTSS_ALPHAARG2]};
        for (unsigned i = 0; i < 3; i++) {
            k->color_arg[i] = (uint8_t)color[i];
            k->alpha_arg[i] = (uint8_t)alpha[i];
        }
        k->result_temp = (t[D3DTSS_RESULTARG] & D3DTA_SELECTMASK) == D3DTA_TEMP;
        k->projected = (t[D3DTSS_TEXTURETRANSFORMFLAGS] & D3DTTFF_PROJECTED) != 0;
        if (p->texture_shapes >> s & 1) {
            k->textured = 1;
            k->three_axes = p->texture_shapes >> (16 + s) & 1;
            k->keyed = p->texture_shapes >> (32 + 2 * s) & 3;
        }
    }
    key->specular_add = context->render_state[D3DRS_SPECULARENABLE] != 0;
}

/* Finds or compiles; the entry moves to the front. */
static const struct stages_program *pipeline_find_program(const struct hal_context *context,
                                                          const struct stages_key *key)
{
    struct hal_pipeline *p = context->pipeline;
    struct program_entry *entry;
    unsigned i;

    for (i = 0; i < p->program_count; i++)
        if (!memcmp(&p->programs[i]->key, key, sizeof(*key)))
            break;
    if (i == p->program_count) {
        /* The oldest one goes when the cache is full; the caller has flushed all that may refer to it. */
        if (p->program_count == MAX_PROGRAMS)
            pipeline_release_entry(p->programs[--i]);
        entry = mem_calloc(1, sizeof(*entry));
        if (!entry) {
            p->program_count = i;
            return NULL;
        }
        entry->key = *key;
        stages_compile(key, &entry->program);
        if (!entry->program.shader) {
            free(entry);
            p->program_count = i;
            return NULL;
        }
        hal_work_spend(context, entry->program.shader->instruction_count, HAL_WORK_CODE_TOKEN);
        p->program_count = i + 1;
    } else {
        entry = p->programs[i];
    }
    memmove(&p->programs[1], &p->programs[0], i * sizeof(p->programs[0]));
    p->programs[0] = entry;
    return &entry->program;
}

static void pipeline_fill_stages(const struct hal_context *context, const struct hal_pipeline *p,
                                 struct shader_binding *binding)
{
    for (unsigned left = p->program->samplers; left; left &= left - 1) {
        const unsigned s = (unsigned)__builtin_ctz(left);
        const uint32_t *t = context->stage_state[s];
        float bump[4], luminance[4] = {hal_float_from_bits(t[D3DTSS_BUMPENVLSCALE]),
                                       hal_float_from_bits(t[D3DTSS_BUMPENVLOFFSET])};

        for (unsigned i = 0; i < 4; i++)
            bump[i] = hal_float_from_bits(t[D3DTSS_BUMPENVMAT00 + i]);
        stages_set_constant(binding, STAGES_CONSTANT_BUMP + s, bump);
        stages_set_constant(binding, STAGES_CONSTANT_LUMINANCE + s, luminance);
        hal_pipeline_sampler(context, s, p->textures[s], p->maps[s], &binding->sampler[s]);
    }
}

/* Draws that change nothing share a binding. */
static const struct shader_binding *pipeline_bind_stages(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    const struct shader_binding *last = p->binding;
    const size_t bytes = stages_binding_size(p->program);
    void *memory = hal_pool_take(&p->pool, bytes);
    float factor[4];

    if (!memory)
        return NULL;
    struct shader_binding *fresh = stages_bind(memory, p->program, context->driver->cpu);
    if (last && last->program != fresh->program)
        last = NULL;
    if (last && !p->values_stale && !(context->dirty & (HAL_DIRTY_PIXEL & ~HAL_DIRTY_FACTOR & ~HAL_DIRTY_OUTPUT)))
        stages_copy_values(fresh, last, p->program);
    else
        pipeline_fill_stages(context, p, fresh);
    hal_state_color(context->render_state[D3DRS_TEXTUREFACTOR], factor);
    stages_set_constant(fresh, STAGES_CONSTANT_FACTOR, factor);
    if (last && shader_same_values(last, fresh, bytes)) {
        hal_pool_give_back(&p->pool, bytes);
        return last;
    }
    return fresh;
}

/* --- inputs --------------------------------------------------------------------------------------------- */

_Static_assert((int)HAL_ATTRIBUTE_DIFFUSE == (int)STAGES_DIFFUSE && (int)HAL_ATTRIBUTE_FOG == (int)STAGES_FOG &&
                   (int)HAL_ATTRIBUTE_TEXCOORD0 == (int)STAGES_TEXCOORD0,
               "vertex attributes and the cascade's inputs share their numbers");

/* By meaning, as programs link: attributes are COLOR0, COLOR1, FOG, TEXCOORD0... */
static void pipeline_add_attribute(struct hal_pipeline_inputs *inputs, unsigned attribute, unsigned mask)
{
    unsigned i = inputs->count++;

    inputs->attribute[i] = (uint8_t)attribute;
    inputs->mask[i] = (uint8_t)mask;
    if (attribute >= HAL_ATTRIBUTE_TEXCOORD0) {
        inputs->usage[i] = D3D_USAGE_TEXCOORD;
        inputs->usage_index[i] = (uint8_t)(attribute - HAL_ATTRIBUTE_TEXCOORD0);
    } else {
        inputs->usage[i] = attribute == HAL_ATTRIBUTE_FOG ? D3D_USAGE_FOG : D3D_USAGE_COLOR;
        inputs->usage_index[i] = attribute == HAL_ATTRIBUTE_SPECULAR;
    }
}

/* Which component a projected stage divides by: the last one of its coordinate count. */
static uint8_t pipeline_divisor_of(const struct hal_context *context, unsigned stage)
{
    uint32_t flags = context->stage_state[stage][D3DTSS_TEXTURETRANSFORMFLAGS];
    uint32_t count = flags & ~(uint32_t)D3DTTFF_PROJECTED;

    if (!(flags & D3DTTFF_PROJECTED) || count > D3DTTFF_COUNT4)
        return 0;
    return (uint8_t)(count < D3DTTFF_COUNT2 ? 4 : count);
}

static void pipeline_program_inputs(const struct stages_program *program, struct hal_pipeline_inputs *inputs)
{
    memset(inputs, 0, sizeof(*inputs));
    for (unsigned i = 0; i < program->input_count; i++)
        pipeline_add_attribute(inputs, program->input[i], program->input_mask[i]);
}

bool hal_pipeline_want(struct hal_context *context, uint32_t attributes)
{
    struct hal_pipeline *p = pipeline_of(context);

    if (!p)
        return false;
    memset(&p->inputs, 0, sizeof(p->inputs));
    p->derived = false;
    p->inputs.raw_coordinates = true;
    for (unsigned a = 0; a < HAL_ATTRIBUTE_COUNT; a++)
        if (attributes >> a & 1)
            pipeline_add_attribute(&p->inputs, a, 15);
    return true;
}

/* How the rasterizer interpolates what the program reads, and fog behind it. */
static void pipeline_finish_inputs(const struct hal_context *context, struct hal_pipeline *p)
{
    struct hal_pipeline_inputs *inputs = &p->inputs;
    bool sprites = context->render_state[D3DRS_POINTSPRITEENABLE] != 0;

    if (p->state.fog_mode == RASTER_FOG_VERTEX && inputs->count < RASTER_MAX_INPUTS) {
        p->state.fog_input = inputs->count;
        pipeline_add_attribute(inputs, HAL_ATTRIBUTE_FOG, 1);
    }
    for (unsigned i = 0; i < inputs->count; i++) {
        bool flat = inputs->usage[i] == D3D_USAGE_COLOR && p->state.rasterizer.flatshade;
        bool stage = inputs->usage[i] == D3D_USAGE_TEXCOORD && inputs->usage_index[i] < HAL_MAX_STAGES;

        p->state.interpolation[i] = flat ? RASTER_FLAT : RASTER_PERSPECTIVE;
        p->state.input_mask[i] = inputs->mask[i];
        if (sprites && inputs->usage[i] == D3D_USAGE_TEXCOORD)
            p->state.rasterizer.sprite_coord_enable |= 1u << i;
        if (stage && !inputs->raw_coordinates)
            inputs->divisor[i] = pipeline_divisor_of(context, inputs->usage_index[i]);
    }
    p->state.input_count = inputs->count;
}

/* --- the draw --------------------------------------------------------------------------------------------- */

struct hal_surface *hal_pipeline_texture(struct hal_context *context, unsigned row)
{
    uint32_t handle = context->stage_state[row][0];
    struct hal_surface *surface = handle ? hal_handles_get(context->handles, handle) : NULL;

    if (surface)
        surface = surface->top ? surface->top : surface;
    return surface && hal_texture_view(surface, context) ? surface : NULL;
}

/* Are they what find_textures would find? Their views must be of what they hold now. */
static bool pipeline_textures_stay(const struct hal_context *context)
{
    const struct hal_pipeline *p = context->pipeline;

    if (!p->textures_stay || p->handle_changes != context->handles->changes ||
        context->dirty & (HAL_DIRTY_TEXTURE | HAL_DIRTY_STAGE | HAL_DIRTY_TARGET))
        return false;
    for (unsigned s = 0; s < p->texture_count; s++)
        if (p->textures[s] && p->textures[s]->viewed_version != p->textures[s]->chain_version)
            return false;
    return true;
}

static bool pipeline_wants_texture(const struct hal_context *context, const struct shader_program *shader, unsigned s)
{
    return shader ? shader->samplers >> s & 1 : context->stage_state[s][D3DTSS_COLOROP] > D3DTOP_DISABLE;
}

static void pipeline_set_texture(struct hal_pipeline *p, unsigned s, struct hal_surface *texture,
                                 struct hal_surface *map)
{
    p->values_stale |= texture != p->textures[s] || map != p->maps[s];
    p->textures[s] = texture;
    p->maps[s] = map;
}

/* Returns what of a stage's texture goes into the key. Bit 0: something is sampled, bit 16: with three coordinates;
 * key_shape_of: its colour key, two bits. */
static uint64_t pipeline_shape_of(const struct hal_surface *texture, struct hal_surface *map)
{
    const struct raster_texture *sampled = texture ? texture->texture
                                           : map   ? raster_feedback_shape(hal_feedback_map(map))
                                                   : NULL;

    return sampled ? 1u | (raster_texture_axes(sampled) == 3 ? 0x10000u : 0) : 0;
}

static uint64_t pipeline_key_shape_of(const struct hal_surface *texture)
{
    return texture ? (uint64_t)hal_key_kind(texture) << 32 : 0;
}

/* Finds the bound textures and brings their sampler views up to date. A stage that is disabled ends the cascade. */
static void pipeline_find_textures(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    const struct shader_program *shader = p->pixel.program;
    const unsigned most = shader ? shader_sampler_count(shader) : HAL_MAX_STAGES;
    uint64_t shapes = 0;
    unsigned s;

    /* runtimes change the keys of surfaces without a word */
    p->textures_stay = !hal_keys_textures(context);
    p->records = false;
    for (s = 0; s < most && (shader || pipeline_wants_texture(context, shader, s)); s++) {
        const bool wanted = pipeline_wants_texture(context, shader, s);
        const uint32_t *t = context->stage_state[s];
        struct hal_surface *texture = NULL, *map = NULL;

        if (wanted) {
            texture = hal_feedback_mode(t) == DDI_FEEDBACK_WRITES ? NULL : hal_pipeline_texture(context, s);
            map = hal_feedback_of(context, s, texture);
        }
        pipeline_set_texture(p, s, texture, map);
        p->records |= map != NULL;
        shapes |= pipeline_shape_of(texture, map) << s | pipeline_key_shape_of(texture) << 2 * s;
        /* what could not be found may be there next time; palettes and maps change without a word */
        p->textures_stay &=
            !wanted || (!t[D3D_TSS_FEEDBACK] && (texture ? hal_texture_stays(texture) : !t[D3DTSS_TEXTUREMAP]));
    }
    for (unsigned i = s; i < p->texture_count; i++)
        pipeline_set_texture(p, i, NULL, NULL);
    p->texture_count = s;
    if (!shader && pipeline_takes_vertex_alpha(context, p))
        shapes |= 1u << STAGES_MAX; /* a place that only samplers of shaders have */
    p->derived &= shapes == p->texture_shapes;
    p->texture_shapes = shapes;
    p->handle_changes = context->handles->changes;
}

/* The values of the program, as the state names them. */
static void pipeline_set_values(const struct shader_binding *binding, struct raster_draw_state *state)
{
    struct shader_copies copies;

    state->program = binding;
    state->pass_through = (struct raster_pass_through){.enable = false};
    if (!shader_only_copies(binding, &copies))
        return;
    if (copies.components) {
        state->pass_through.input = binding->input[copies.input];
        state->pass_through.components = copies.components;
    }
    memcpy(state->pass_through.constant, copies.constant, sizeof(copies.constant));
    state->pass_through.enable = state->pass_through.input < RASTER_MAX_INPUTS;
}

static const struct shader_binding *pipeline_bind_values(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;

    if (!p->pixel.program)
        return p->binding = pipeline_bind_stages(context);
    return hal_pixel_stage_bind(context, &p->pixel, &p->pool, p->textures, p->maps, &p->inputs);
}

static bool pipeline_update_values(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    const struct shader_binding *binding = pipeline_bind_values(context);

    if (!binding) {
        hal_context_flush_colors(context); /* the pool is full */
        binding = pipeline_bind_values(context);
    }
    if (!binding) {
        hal_work_lacks_memory(context, "values of a pixel program");
        return false;
    }
    pipeline_set_values(binding, &p->state);
    p->state.program_records = p->records;
    p->program_price = hal_work_of_program(binding);
    p->values_stale = false;
    return true;
}

static bool pipeline_derive_stages(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    struct stages_key key;

    pipeline_derive_key(context, p, &key);
    if (p->program_count == MAX_PROGRAMS)
        hal_context_flush_colors(context);
    p->program = pipeline_find_program(context, &key);
    if (!p->program) {
        hal_work_lacks_memory(context, "the program of texture stages");
        return false;
    }
    pipeline_program_inputs(p->program, &p->inputs);
    p->state.program_reads_inputs_alone = shader_reads_inputs_alone(p->program->shader);
    p->state.program_kills = p->program->shader->kills;
    return true;
}

/* Programs with several outputs have their own masks. */
static void pipeline_derive_masks(const struct hal_context *context, const struct shader_program *program,
                                  struct raster_draw_state *state)
{
    const uint32_t *r = context->render_state;

    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        uint32_t mask = r[t ? D3D_RS_COLORWRITEENABLE1 + t - 1 : D3DRS_COLORWRITEENABLE];
        state->color_write_mask[t] = program->outputs_written >> t & 1 ? (uint8_t)(mask & 15) : 0;
    }
}

static void pipeline_derive_shader(const struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    const struct shader_program *program = p->pixel.program;

    hal_pixel_stage_inputs(program, &p->inputs);
    p->state.program_reads_inputs_alone = shader_reads_inputs_alone(program);
    /* depth the program gives is as late as what it kills */
    p->state.program_kills = program->kills || program->writes_depth;
    p->state.program_writes_depth = program->writes_depth;
    p->state.program_reads_position = program->reads_position;
    pipeline_derive_masks(context, program, &p->state);
}

/* All but the values of the program. */
static bool pipeline_derive(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    const struct shader_program *shader = p->pixel.program;

    /* From model 3 on a pixel shader does its own fog. */
    hal_derive_draw_state(context, p->transformed, shader && shader->major >= 3, &p->state);
    if (shader)
        pipeline_derive_shader(context);
    else if (!pipeline_derive_stages(context))
        return false;
    p->state.shade = shader_pixel_executor(context->driver->cpu);
    pipeline_finish_inputs(context, p);
    hal_extension_derive(context, &p->inputs, &p->state);
    p->inputs.conservative = p->state.rasterizer.conservative_raster_mode != RASTER_CONSERVATIVE_OFF;
    p->inputs.beyond_view =
        p->inputs.conservative || p->state.forced_samples > 1 || (context->target && context->target->samples > 1);
    return true;
}

/* Derives what depends on states of HAL_DIRTY_OUTPUT. */
static void pipeline_derive_output(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;

    hal_derive_output_state(context, &p->state);
    if (p->pixel.program)
        pipeline_derive_masks(context, p->pixel.program, &p->state);
    hal_extension_derive_output(context, &p->state);
}

/* Groups of states that have changed, of those the state is derived from. */
static uint32_t pipeline_stale_groups(const struct hal_context *context, const struct hal_pipeline *p)
{
    uint32_t groups = HAL_DIRTY_PIXEL;

    if (p->state.fog_mode > RASTER_FOG_VERTEX)
        groups |= HAL_DIRTY_TRANSFORM; /* the projection chooses the fog coordinate */
    if (p->pixel.program)
        groups = (groups & ~(uint32_t)HAL_DIRTY_FACTOR) | HAL_DIRTY_PIXEL_CONSTANTS;
    return context->dirty & groups;
}

/* Picoseconds of a pixel that is shaded, or only stored; of fog; of each of its samples: stored, tested, blended. */
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

    s->cost = s->pass_through.enable ? COPIED_PRICE
                                     : (uint32_t)BASE_MIN(SHADED_PRICE + p->program_price, (uint64_t)UINT32_MAX / 2);
    s->cost += s->fog_mode ? FOG_PRICE : 0;
    s->sample_cost = STORED_PRICE + (tested ? TESTED_PRICE : 0) + (s->blend.enable ? BLENDED_PRICE : 0);
}

/* Derives what has changed, and no more. */
static bool pipeline_derive_stale(struct hal_context *context)
{
    const uint32_t values = HAL_DIRTY_VALUES | HAL_DIRTY_PIXEL_CONSTANTS;
    struct hal_pipeline *p = context->pipeline;
    const uint32_t stale = pipeline_stale_groups(context, p);
    const bool whole = !p->derived || stale & ~(HAL_DIRTY_OUTPUT | values);
    const bool bound = p->pixel.program ? p->pixel.binding != NULL : p->binding != NULL;

    if (!whole && !stale && bound && !p->values_stale)
        return true;
    p->changed = true;
    p->derived = false;
    if (whole && !pipeline_derive(context))
        return false;
    if (!whole && stale & HAL_DIRTY_OUTPUT)
        pipeline_derive_output(context);
    if ((whole || stale & values || !bound || p->values_stale) && !pipeline_update_values(context))
        return false;
    pipeline_set_price(p);
    p->derived = true;
    return true;
}

static void pipeline_mark_textures_pending(struct hal_context *context, unsigned stage)
{
    struct hal_surface *texture = context->pipeline->textures[stage], *map = context->pipeline->maps[stage];

    if (texture)
        hal_hazard_add(context, texture, false);
    if (map) {
        hal_hazard_add(context, map, true);
        hal_surface_touch(map);
    }
}

/* One try; *flushed: a flush on the way freed surfaces and values it had just found. */
static bool pipeline_update(struct hal_context *context, const struct shader_program *shader, bool transformed,
                            bool *flushed)
{
    struct hal_pipeline *p = context->pipeline;
    unsigned flushes = p->flushes;

    if (shader != p->pixel.program) {
        p->textures_stay = p->derived = false;
        p->values_stale = true;
    }
    p->derived &= transformed == p->transformed;
    p->pixel.program = shader;
    p->transformed = transformed;
    if (!pipeline_textures_stay(context))
        pipeline_find_textures(context);
    if (!hal_targets_bind(context) || !pipeline_derive_stale(context))
        return false;
    unsigned samplers = shader ? shader->samplers : p->program->samplers;
    for (unsigned s = 0; s < p->texture_count; s++)
        if (samplers >> s & 1)
            pipeline_mark_textures_pending(context, s);
    *flushed = flushes != p->flushes;
    return true;
}

bool hal_pipeline_update(struct hal_context *context, const struct shader_program *shader, bool transformed)
{
    bool flushed = true;

    if (!pipeline_of(context))
        return false;
    /* A flush leaves room for all that one draw needs. */
    for (unsigned tries = 0; flushed && tries < 3; tries++)
        if (!pipeline_update(context, shader, transformed, &flushed))
            return false;
    context->dirty &= ~(uint32_t)(HAL_DIRTY_PIXEL | HAL_DIRTY_PIXEL_CONSTANTS);
    if (context->pipeline->changed)
        raster_set_state(context->raster, &context->pipeline->state);
    context->pipeline->changed = false;
    return true;
}

void hal_pipeline_release_program(struct hal_context *context, const struct shader_program *program)
{
    struct hal_pipeline *p = context->pipeline;

    if (!p)
        return;
    hal_context_flush(context); /* scenes name bindings, which name the program */
    if (p->pixel.program == program) {
        p->pixel.program = NULL;
        p->derived = p->textures_stay = false;
    }
}
