/* SPDX-License-Identifier: MIT */
/*
 * From the context's arrays to what the rasterizer takes: a raster_draw_state, a pixel program and its values.
 * Programs are cached by key; values (constants, samplers) get a fresh instance whenever they change, because
 * scenes that have not been drawn yet still refer to the old ones.
 */
#include "hal/extension.h"
#include "hal/feedback.h"
#include "hal/pipeline_state.h"
#include "hal/pixel_shader.h"
#include "hal/state.h"
#include "shader/stages.h"

#include <stdlib.h>
#include <string.h>

enum { TSS_SRGBTEXTURE = 29 }; /* of DirectX 9, as a texture stage state */

#define INSTANCES_PER_BLOCK 64
#define MAX_BLOCKS 64  /* 4096 instances, then the scene is flushed */
#define MAX_PENDING 64 /* surfaces a scene may name before it is flushed */
#define MAX_PROGRAMS 256

struct program_entry {
    struct stages_key key;
    struct stages_program program;
};

struct hal_pipeline {
    struct program_entry *programs[MAX_PROGRAMS]; /* most recently used first */
    unsigned program_count;
    const struct stages_program *program;
    struct stages_instance *blocks[MAX_BLOCKS];
    unsigned instance_count;          /* in use by the scene */
    const struct stages_instance *instance; /* of the last draw; NULL: make a new one */
    struct hal_pixel_stage pixel;     /* with a pixel shader: takes the place of program and instance */
    bool transformed;
    unsigned flushes;
    struct raster_draw_state state;
    struct hal_pipeline_inputs inputs;
    struct hal_surface *pending[MAX_PENDING];
    unsigned pending_count;
    struct hal_surface *textures[HAL_MAX_SAMPLERS]; /* found for this draw */
    struct hal_surface *maps[HAL_STAGE_ROWS];       /* likewise: feedback; NULL: none */
};

static struct hal_pipeline *pipeline_of(struct hal_context *context)
{
    if (!context->pipeline)
        context->pipeline = mem_calloc(1, sizeof(*context->pipeline));
    return context->pipeline;
}

const struct hal_pipeline_inputs *hal_pipeline_inputs(const struct hal_context *context)
{
    return &context->pipeline->inputs;
}

static void forget_program(struct program_entry *entry)
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
        forget_program(p->programs[i]);
    for (unsigned i = 0; i < MAX_BLOCKS; i++)
        mem_free_aligned(p->blocks[i]);
    hal_pixel_stage_destroy(&p->pixel);
    free(p);
    context->pipeline = NULL;
}

/* --- surfaces in use --------------------------------------------------------------------- */

void hal_pipeline_flushed(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;

    if (!p)
        return;
    for (unsigned i = 0; i < p->pending_count; i++) {
        p->pending[i]->pending = NULL;
        p->pending[i]->pending_write = false;
    }
    p->pending_count = 0;
    hal_versions_drop(context);
    p->instance_count = 0;
    p->instance = NULL;
    hal_pixel_stage_flushed(&p->pixel);
    p->flushes++;
}

/* Remembers that the scene reads or draws a surface, so that whoever touches it next flushes first. */
static void mark_pending(struct hal_context *context, struct hal_surface *surface, bool write)
{
    struct hal_pipeline *p = context->pipeline;

    if (surface->presents_to)
        hal_present_wait(surface);
    if (surface->pending != context) {
        if (surface->pending)
            hal_context_flush(surface->pending);
        if (p->pending_count == MAX_PENDING)
            hal_context_flush(context);
        p->pending[p->pending_count++] = surface;
        surface->pending = context;
    }
    surface->pending_write |= write;
}

void hal_pipeline_unmark(struct hal_context *context, struct hal_surface *surface)
{
    struct hal_pipeline *p = context->pipeline;

    for (unsigned i = 0; i < p->pending_count; i++)
        if (p->pending[i] == surface) {
            p->pending[i] = p->pending[--p->pending_count];
            surface->pending = NULL;
            return;
        }
}

/* Targets 1..3 take part when they have the size and the samples of target 0. */
static void view_more_targets(struct hal_context *context, struct raster_targets *targets)
{
    const struct raster_surface *first = &targets->color[0];

    for (unsigned i = 1; i < RASTER_MAX_TARGETS; i++) {
        struct hal_surface *surface = context->more_targets[i - 1];
        struct raster_surface *view = &targets->color[i];

        if (!surface || !first->pixels)
            continue;
        if (!hal_surface_target(surface, view) || view->width != first->width || view->height != first->height ||
            view->samples != first->samples) {
            log_once(LOG_WARN, i, "render target %u does not go with target 0 and is left out", i);
            memset(view, 0, sizeof(*view));
        }
    }
}

bool hal_pipeline_bind_targets(struct hal_context *context)
{
    struct raster_targets targets;

    memset(&targets, 0, sizeof(targets));
    if (!pipeline_of(context))
        return false;
    if (context->target && !hal_surface_target(context->target, &targets.color[0]))
        log_once(LOG_WARN, context->target->d3d_format, "render target of format %u cannot be drawn to",
                 context->target->d3d_format);
    if (context->depth && !hal_surface_target(context->depth, &targets.depth))
        log_once(LOG_WARN, context->depth->d3d_format, "depth buffer of format %u cannot be used",
                 context->depth->d3d_format);
    if (!targets.color[0].pixels && !targets.depth.pixels)
        return false;
    view_more_targets(context, &targets);
    raster_set_targets(context->raster, &targets);
    if (targets.color[0].pixels) {
        mark_pending(context, context->target, true);
        hal_surface_touch(context->target);
    }
    if (targets.depth.pixels) {
        mark_pending(context, context->depth, true);
        hal_surface_touch(context->depth);
    }
    for (unsigned i = 1; i < RASTER_MAX_TARGETS; i++)
        if (targets.color[i].pixels) {
            mark_pending(context, context->more_targets[i - 1], true);
            hal_surface_touch(context->more_targets[i - 1]);
        }
    return true;
}

/* --- pixel program ---------------------------------------------------------------------------------- */

static void derive_key(const struct hal_context *context, const struct hal_pipeline *p, struct stages_key *key)
{
    memset(key, 0, sizeof(*key));
    for (unsigned s = 0; s < STAGES_MAX; s++) {
        const uint32_t *t = context->stage_state[s];
        struct stage_key *k = &key->stage[s];

        k->color_op = (uint8_t)BASE_MIN(t[D3DTSS_COLOROP], 255u);
        if (k->color_op <= D3DTOP_DISABLE)
            break;
        k->alpha_op = (uint8_t)BASE_MIN(t[D3DTSS_ALPHAOP], 255u);
        const uint32_t color[3] = {t[D3DTSS_COLORARG0], t[D3DTSS_COLORARG1], t[D3DTSS_COLORARG2]};
        const uint32_t alpha[3] = {t[D3DTSS_ALPHAARG0], t[D3DTSS_ALPHAARG1], t[D3DTSS_ALPHAARG2]};
        for (unsigned i = 0; i < 3; i++) {
            k->color_arg[i] = (uint8_t)color[i];
            k->alpha_arg[i] = (uint8_t)alpha[i];
        }
        k->result_temp = (t[D3DTSS_RESULTARG] & D3DTA_SELECTMASK) == D3DTA_TEMP;
        k->projected = (t[D3DTSS_TEXTURETRANSFORMFLAGS] & D3DTTFF_PROJECTED) != 0;
        if (p->textures[s]) {
            k->textured = 1;
            k->three_axes = raster_texture_axes(p->textures[s]->texture) == 3;
        }
    }
    key->specular_add = context->render_state[D3DRS_SPECULARENABLE] != 0;
}

/* Finds or compiles; the entry moves to the front. */
static const struct stages_program *find_program(struct hal_pipeline *p, const struct stages_key *key)
{
    struct program_entry *entry;
    unsigned i;

    for (i = 0; i < p->program_count; i++)
        if (!memcmp(&p->programs[i]->key, key, sizeof(*key)))
            break;
    if (i == p->program_count) {
        /* The oldest one goes when the cache is full; the caller has flushed who may refer to it. */
        if (p->program_count == MAX_PROGRAMS)
            forget_program(p->programs[--i]);
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
        p->program_count = i + 1;
    } else {
        entry = p->programs[i];
    }
    memmove(&p->programs[1], &p->programs[0], i * sizeof(p->programs[0]));
    p->programs[0] = entry;
    return &entry->program;
}

/* DX6/7 number mip filters from 1 = none. */
static uint8_t mip_filter(const struct hal_context *context, uint32_t value)
{
    if (context->level < 4)
        value = value ? value - 1 : 0;
    return (uint8_t)BASE_MIN(value, (uint32_t)D3DTEXF_LINEAR);
}

/* Higher-order filters are linear ones here; so are anisotropic ones where a texel covers many pixels. */
static uint8_t mag_filter(uint32_t value)
{
    return value <= D3DTEXF_POINT ? RASTER_FILTER_POINT : RASTER_FILTER_LINEAR;
}

static uint8_t min_filter(uint32_t value, uint32_t max_anisotropy)
{
    return value == D3DTEXF_ANISOTROPIC && max_anisotropy > 1 ? RASTER_FILTER_ANISOTROPIC : mag_filter(value);
}

/* ATI's switch of fetch4 takes the place of the bias. It works on one-channel textures that are not compared, with the
 * point filter. */
#define FETCH4_ON MAKEFOURCC('G', 'E', 'T', '4')

static void derive_bias(const uint32_t *t, const struct hal_surface *surface, struct raster_sampler *sampler)
{
    bool fetch4 = t[D3DTSS_MIPMAPLODBIAS] == FETCH4_ON;

    sampler->lod_bias = fetch4 ? 0.0f : raster_lod_bias(hal_state_float(t[D3DTSS_MIPMAPLODBIAS]));
    if (fetch4 && sampler->mag_filter == RASTER_FILTER_POINT && surface->texture->kind != RASTER_TEXTURE_CUBE &&
        surface->texture->depth != RASTER_DEPTH_COMPARED)
        sampler->fetch4 = raster_format_fetch4(surface->format);
}

void hal_pipeline_sampler(const struct hal_context *context, unsigned row, struct hal_surface *surface,
                          struct raster_sampler *sampler)
{
    const uint32_t *t = context->stage_state[row];

    sampler->texture = surface->texture;
    sampler->feedback = context->pipeline->maps[row] ? hal_feedback_map(context->pipeline->maps[row]) : NULL;
    sampler->address[0] = hal_state_from_one(t[D3DTSS_ADDRESSU], RASTER_MIRROR_ONCE, RASTER_WRAP);
    sampler->address[1] = hal_state_from_one(t[D3DTSS_ADDRESSV], RASTER_MIRROR_ONCE, RASTER_WRAP);
    sampler->address[2] = hal_state_from_one(t[D3DTSS_ADDRESSW], RASTER_MIRROR_ONCE, RASTER_WRAP);
    sampler->mag_filter = mag_filter(t[D3DTSS_MAGFILTER]);
    sampler->min_filter = min_filter(t[D3DTSS_MINFILTER], t[D3DTSS_MAXANISOTROPY]);
    sampler->mip_filter = mip_filter(context, t[D3DTSS_MIPFILTER]);
    sampler->max_anisotropy = (uint8_t)BASE_MIN(BASE_MAX(t[D3DTSS_MAXANISOTROPY], 1u), (uint32_t)RASTER_MAX_ANISOTROPY);
    uint32_t base = surface->lod;
    if (sampler->mip_filter != RASTER_FILTER_NONE)
        base = BASE_MAX(base, t[D3DTSS_MAXMIPLEVEL]);
    sampler->base_level = (uint8_t)BASE_MIN(base, RASTER_MAX_LEVELS - 1u);
    sampler->srgb = t[TSS_SRGBTEXTURE] & 1 && raster_format_has_srgb(surface->format);
    derive_bias(t, surface, sampler);
    hal_state_color(t[D3DTSS_BORDERCOLOR], sampler->border);
}

static void fill_instance(const struct hal_context *context, const struct hal_pipeline *p,
                          struct stages_instance *instance)
{
    stages_bind(instance, p->program, context->driver->cpu);
    hal_state_color(context->render_state[D3DRS_TEXTUREFACTOR], instance->constant[STAGES_CONSTANT_FACTOR]);
    for (unsigned s = 0; s < STAGES_MAX; s++) {
        const uint32_t *t = context->stage_state[s];
        float *bump = instance->constant[STAGES_CONSTANT_BUMP + s];
        float *luminance = instance->constant[STAGES_CONSTANT_LUMINANCE + s];

        if (!(p->program->samplers & (1u << s)))
            continue;
        for (unsigned i = 0; i < 4; i++)
            bump[i] = hal_state_float(t[D3DTSS_BUMPENVMAT00 + i]);
        luminance[0] = hal_state_float(t[D3DTSS_BUMPENVLSCALE]);
        luminance[1] = hal_state_float(t[D3DTSS_BUMPENVLOFFSET]);
        hal_pipeline_sampler(context, s, p->textures[s], &instance->binding.sampler[s]);
    }
}

static struct stages_instance *new_instance(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    unsigned block = p->instance_count / INSTANCES_PER_BLOCK;

    if (block == MAX_BLOCKS) {
        hal_context_flush(context);
        block = 0;
    }
    if (!p->blocks[block])
        p->blocks[block] = mem_alloc_aligned(INSTANCES_PER_BLOCK * sizeof(struct stages_instance));
    if (!p->blocks[block])
        return NULL;
    return &p->blocks[block][p->instance_count++ % INSTANCES_PER_BLOCK];
}

/* Instances are compared as bytes: draws that change nothing share one. */
static bool update_instance(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    struct stages_instance fresh;

    fill_instance(context, p, &fresh);
    if (p->instance)
        fresh.binding.floats = p->instance->binding.floats;
    if (p->instance && !memcmp(p->instance, &fresh, sizeof(fresh)))
        return true;
    struct stages_instance *instance = new_instance(context);
    if (!instance)
        return false;
    stages_copy(instance, &fresh);
    p->instance = instance;
    return true;
}

/* --- inputs --------------------------------------------------------------------------------------------- */

_Static_assert((int)HAL_ATTRIBUTE_DIFFUSE == (int)STAGES_DIFFUSE && (int)HAL_ATTRIBUTE_FOG == (int)STAGES_FOG &&
                   (int)HAL_ATTRIBUTE_TEXCOORD0 == (int)STAGES_TEXCOORD0,
               "vertex attributes and the cascade's inputs share their numbers");

enum { USAGE_TEXCOORD = 5, USAGE_COLOR = 10, USAGE_FOG = 11 }; /* D3DDECLUSAGE */

/* By meaning, as programs link: attributes are COLOR0, COLOR1, FOG, TEXCOORD0... */
static void add_attribute(struct hal_pipeline_inputs *inputs, unsigned attribute, unsigned mask)
{
    unsigned i = inputs->count++;

    inputs->attribute[i] = (uint8_t)attribute;
    inputs->mask[i] = (uint8_t)mask;
    if (attribute >= HAL_ATTRIBUTE_TEXCOORD0) {
        inputs->usage[i] = USAGE_TEXCOORD;
        inputs->usage_index[i] = (uint8_t)(attribute - HAL_ATTRIBUTE_TEXCOORD0);
    } else {
        inputs->usage[i] = attribute == HAL_ATTRIBUTE_FOG ? USAGE_FOG : USAGE_COLOR;
        inputs->usage_index[i] = attribute == HAL_ATTRIBUTE_SPECULAR;
    }
}

/* Which component a projected stage divides by: the last one of its coordinate count. */
static uint8_t divisor_of(const struct hal_context *context, unsigned stage)
{
    uint32_t flags = context->stage_state[stage][D3DTSS_TEXTURETRANSFORMFLAGS];
    uint32_t count = flags & ~(uint32_t)D3DTTFF_PROJECTED;

    if (!(flags & D3DTTFF_PROJECTED) || count > D3DTTFF_COUNT4)
        return 0;
    return (uint8_t)(count < D3DTTFF_COUNT2 ? 4 : count);
}

static void program_inputs(const struct stages_program *program, struct hal_pipeline_inputs *inputs)
{
    memset(inputs, 0, sizeof(*inputs));
    for (unsigned i = 0; i < program->input_count; i++)
        add_attribute(inputs, program->input[i], program->input_mask[i]);
}

bool hal_pipeline_want(struct hal_context *context, uint32_t attributes)
{
    struct hal_pipeline *p = pipeline_of(context);

    if (!p)
        return false;
    memset(&p->inputs, 0, sizeof(p->inputs));
    p->inputs.raw_coordinates = true;
    for (unsigned a = 0; a < HAL_ATTRIBUTE_COUNT; a++) {
        if (attributes >> a & 1)
            add_attribute(&p->inputs, a, 15);
    }
    return true;
}

/* How the rasterizer interpolates what the program reads, and fog behind it. */
static void finish_inputs(const struct hal_context *context, struct hal_pipeline *p)
{
    struct hal_pipeline_inputs *inputs = &p->inputs;
    bool sprites = context->render_state[D3DRS_POINTSPRITEENABLE] != 0;

    if (p->state.fog_mode == RASTER_FOG_VERTEX && inputs->count < RASTER_MAX_INPUTS) {
        p->state.fog_input = inputs->count;
        add_attribute(inputs, HAL_ATTRIBUTE_FOG, 1);
    }
    for (unsigned i = 0; i < inputs->count; i++) {
        bool flat = inputs->usage[i] == USAGE_COLOR && p->state.rasterizer.flatshade;
        bool stage = inputs->usage[i] == USAGE_TEXCOORD && inputs->usage_index[i] < HAL_MAX_STAGES;

        p->state.interpolation[i] = flat ? RASTER_FLAT : RASTER_PERSPECTIVE;
        p->state.input_mask[i] = inputs->mask[i];
        if (sprites && inputs->usage[i] == USAGE_TEXCOORD)
            p->state.rasterizer.sprite_coord_enable |= 1u << i;
        if (stage && !inputs->raw_coordinates)
            inputs->divisor[i] = divisor_of(context, inputs->usage_index[i]);
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

/* Finds the bound textures and brings their sampler views up to date. */
static void find_textures(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    const struct shader_program *shader = p->pixel.program;
    bool ended = false; /* a stage that is disabled ends the cascade */

    for (unsigned s = 0; s < HAL_MAX_SAMPLERS; s++) {
        ended |= s >= HAL_MAX_STAGES || context->stage_state[s][D3DTSS_COLOROP] <= D3DTOP_DISABLE;
        bool wanted = shader ? shader->samplers >> s & 1 : !ended;
        p->textures[s] = wanted ? hal_pipeline_texture(context, s) : NULL;
        p->maps[s] = p->textures[s] ? hal_feedback_of(context, s, p->textures[s]) : NULL;
    }
}

static void set_program(const struct hal_context *context, const struct shader_binding *binding,
                        struct raster_draw_state *state)
{
    struct shader_copies copies;

    state->shade = shader_pixel_executor(context->driver->cpu);
    state->program = binding;
    state->program_reads_inputs_alone = shader_reads_inputs_alone(binding->program);
    if (!shader_only_copies(binding, &copies))
        return;
    if (copies.components) {
        state->passed.input = binding->input[copies.input];
        state->passed.components = copies.components;
    }
    memcpy(state->passed.constant, copies.constant, sizeof(copies.constant));
    state->passed.enable = state->passed.input < RASTER_MAX_INPUTS;
}

static bool derive_stages(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    struct stages_key key;

    derive_key(context, p, &key);
    if (p->program_count == MAX_PROGRAMS)
        hal_context_flush(context);
    p->program = find_program(p, &key);
    if (!p->program || !update_instance(context))
        return false;
    program_inputs(p->program, &p->inputs);
    set_program(context, &p->instance->binding, &p->state);
    return true;
}

static bool derive_shader(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    const struct shader_program *program = p->pixel.program;
    const uint32_t *r = context->render_state;

    hal_pixel_stage_inputs(program, &p->inputs);
    const struct shader_binding *binding = hal_pixel_stage_bind(context, &p->pixel, p->textures, &p->inputs);
    if (!binding)
        return false;
    set_program(context, binding, &p->state);
    p->state.cost = 1 + shader_binding_cost(binding) / 8; /* what the stages' cascade does at its longest */
    /* depth the program gives is as late as what it kills */
    p->state.program_kills = program->kills || program->writes_depth;
    p->state.program_writes_depth = program->writes_depth;
    p->state.program_reads_position = program->reads_position;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        uint32_t mask = r[t ? RS_COLORWRITEENABLE1 + t - 1 : D3DRS_COLORWRITEENABLE];
        p->state.color_write_mask[t] = program->outputs_written >> t & 1 ? (uint8_t)(mask & 15) : 0;
    }
    return true;
}

/* True if somebody set what the state is derived from, or it was never derived since the last flush. */
static bool is_stale(const struct hal_context *context, const struct hal_pipeline *p)
{
    uint32_t derived = HAL_DIRTY_PIXEL;

    if (p->state.fog_mode > RASTER_FOG_VERTEX)
        derived |= HAL_DIRTY_TRANSFORM; /* the projection chooses the fog coordinate */
    if (p->pixel.program)
        return context->dirty & (derived | HAL_DIRTY_PIXEL_CONSTANTS) || !p->pixel.binding;
    return context->dirty & derived || !p->instance;
}

static bool derive(struct hal_context *context)
{
    struct hal_pipeline *p = context->pipeline;
    /* From model 3 on a pixel shader does its own fog. */
    const bool shader_fogs = p->pixel.program && p->pixel.program->major >= 3;

    hal_derive_draw_state(context, p->transformed, shader_fogs, &p->state);
    if (!(p->pixel.program ? derive_shader(context) : derive_stages(context)))
        return false;
    finish_inputs(context, p);
    hal_extension_derive(context, &p->inputs, &p->state);
    p->inputs.conservative = p->state.rasterizer.conservative_raster_mode != RASTER_CONSERVATIVE_OFF;
    p->inputs.beyond_view = p->inputs.conservative || p->state.forced_samples > 1 ||
                            (context->target && context->target->samples > 1);
    return true;
}

static void mark_textures_pending(struct hal_context *context, unsigned stage)
{
    struct hal_surface *map = context->pipeline->maps[stage];

    mark_pending(context, context->pipeline->textures[stage], false);
    if (map) {
        mark_pending(context, map, true);
        hal_surface_touch(map);
    }
}

/* One try; *flushed: a flush on the way freed surfaces and values it had just found. */
static bool update(struct hal_context *context, const struct shader_program *shader, bool transformed,
                   bool *flushed)
{
    struct hal_pipeline *p = context->pipeline;
    struct hal_surface *before[HAL_MAX_SAMPLERS], *maps_before[HAL_STAGE_ROWS];
    unsigned flushes = p->flushes;
    bool stale = shader != p->pixel.program || transformed != p->transformed ||
                 is_stale(context, p);

    p->pixel.program = shader;
    p->transformed = transformed;
    memcpy(before, p->textures, sizeof(before));
    memcpy(maps_before, p->maps, sizeof(maps_before));
    find_textures(context);
    if (!hal_pipeline_bind_targets(context))
        return false;
    stale |= memcmp(before, p->textures, sizeof(before)) || memcmp(maps_before, p->maps, sizeof(maps_before));
    if ((stale || is_stale(context, p)) && !derive(context))
        return false;
    unsigned samplers = shader ? shader->samplers : p->program->samplers;
    for (unsigned s = 0; s < HAL_MAX_SAMPLERS; s++)
        if (p->textures[s] && samplers >> s & 1)
            mark_textures_pending(context, s);
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
        if (!update(context, shader, transformed, &flushed))
            return false;
    context->dirty &= ~(uint32_t)(HAL_DIRTY_PIXEL | HAL_DIRTY_PIXEL_CONSTANTS);
    raster_set_state(context->raster, &context->pipeline->state);
    return true;
}

void hal_pipeline_forget(struct hal_context *context, const struct shader_program *program)
{
    struct hal_pipeline *p = context->pipeline;

    if (!p)
        return;
    hal_context_flush(context); /* scenes name bindings, which name the program */
    if (p->pixel.program == program)
        p->pixel.program = NULL;
}
