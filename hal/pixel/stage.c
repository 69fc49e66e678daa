/* SPDX-License-Identifier: MIT */
/* The pixel stage: chooses the producer, and derives the properties that do not depend on the producer. */
#include "hal/pixel/stage.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/usages.h"
#include "hal/driver.h"
#include "hal/renderer.h"
#include "hal/scene.h"
#include "hal/state/state.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"

#include <string.h>

/* --- links ------------------------------------------------------------------------------------------ */

/* By usage, as programs link: attributes are COLOR0, COLOR1, FOG, TEXCOORD0... */
void hal_pixel_add_input(struct hal_pipeline_inputs *inputs, unsigned attribute, unsigned mask)
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

/* --- making ------------------------------------------------------------------------------------------ */

uint32_t hal_pixel_stage_textures(const struct hal_state *state, const struct shader_program *shader)
{
    return shader ? shader->samplers : hal_texture_stages_enabled(state);
}

uint64_t hal_pixel_stage_shapes(const struct hal_state *state, const struct shader_program *shader,
                                const struct hal_pixel_textures *textures)
{
    return shader ? hal_pixel_shader_shapes(state, shader, textures) : hal_texture_stages_shapes(state, textures);
}

bool hal_pixel_stage_make(struct hal_renderer *renderer, struct hal_pixel_producers *producers, uint64_t shapes,
                          struct hal_pixel_stage *stage)
{
    const struct shader_program *program;

    if (stage->shader)
        hal_pixel_shader_make(shapes, stage);
    else if (!hal_texture_stages_make(renderer, &producers->stages, shapes, stage))
        return false;
    program = stage->program;
    stage->samplers = program->samplers;
    stage->outputs = program->outputs_written;
    stage->kills = program->kills || program->writes_depth;
    stage->writes_depth = program->writes_depth;
    stage->reads_position = program->reads_position;
    stage->reads_inputs_alone = shader_reads_inputs_alone(program);
    return true;
}

void hal_pixel_stage_leave_alpha(struct hal_pixel_producers *producers, struct hal_pixel_stage *stage)
{
    if (!stage->shader)
        hal_texture_stages_leave_alpha(&producers->stages, stage);
}

/* --- binding ------------------------------------------------------------------------------------------ */

static void set_pass_through(struct hal_pixel_stage *stage)
{
    struct raster_pass_through *pass_through = &stage->pass_through;
    struct shader_copies copies;

    *pass_through = (struct raster_pass_through){.copied = 0};
    if (stage->samplers) /* a sampled colour is not a plain copy */
        return;
    pass_through->copied = (uint8_t)shader_copied_components(stage->binding, &copies);
    if (!pass_through->copied)
        return;
    if (copies.components) {
        pass_through->input = stage->binding->input[copies.input];
        pass_through->components = copies.components;
        if (pass_through->input >= RASTER_MAX_INPUTS)
            pass_through->copied = 0;
    }
    memcpy(pass_through->constant, copies.constant, sizeof(copies.constant));
}

/* The key of the stage's binding. False: the binding is not kept. */
static bool binding_key(const struct hal_state *state, const struct hal_pixel_producers *producers,
                        const struct hal_pixel_textures *textures, const struct hal_pixel_stage *stage,
                        struct hal_recent_binding *key)
{
    *key = (struct hal_recent_binding){
        .program = stage->program,
        .factor = stage->shader ? 0 : state->render_state[D3DRS_TEXTUREFACTOR],
        .generation = producers->generation,
    };
    for (unsigned s = 0; s < textures->count; s++) {
        if (s == HAL_RECENT_TEXTURES || textures->map[s])
            return false;
        key->texture[s] = textures->texture[s];
    }
    return true;
}

static bool is_same_key(const struct hal_recent_binding *a, const struct hal_recent_binding *b)
{
    bool same = a->program == b->program && a->factor == b->factor && a->generation == b->generation;

    for (unsigned s = 0; s < HAL_RECENT_TEXTURES; s++)
        same &= a->texture[s] == b->texture[s];
    return same;
}

static uint64_t key_hash(const struct hal_recent_binding *key)
{
    uint64_t hash = (uintptr_t)key->program ^ key->factor;

    for (unsigned s = 0; s < HAL_RECENT_TEXTURES; s++)
        hash = hash * 31 + (uintptr_t)key->texture[s];
    /* Factors and addresses in regular steps would fall into few sets after one multiplication. */
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
    return hash * UINT64_C(0x9e3779b97f4a7c15);
}

/* The recent binding with this key, or the one to be replaced by it: .binding is NULL. */
static struct hal_recent_binding *recent_binding(struct hal_pixel_producers *producers,
                                                 const struct hal_recent_binding *key)
{
    const uint64_t hash = key_hash(key);
    const size_t set = hash >> (64 - HAL_RECENT_BITS);
    const uint32_t tag = (uint32_t)hash | 1;
    struct hal_recent_binding *bindings = producers->recent.bindings[set];
    uint32_t *tags = producers->recent.tags[set];

    for (unsigned i = 0; i < HAL_RECENT_WAYS; i++)
        if (tags[i] == tag && is_same_key(&bindings[i], key))
            return &bindings[i];
    const unsigned way = producers->replaced++ & (HAL_RECENT_WAYS - 1);

    tags[way] = tag;
    bindings[way].binding = NULL;
    return &bindings[way];
}

static const struct shader_binding *make_binding(const struct hal_renderer *renderer,
                                                 struct hal_pixel_producers *producers,
                                                 const struct hal_pixel_textures *textures,
                                                 const struct hal_pixel_stage *stage)
{
    return stage->shader ? hal_pixel_shader_bind(renderer, &producers->shader, &producers->pool, textures, stage)
                         : hal_texture_stages_bind(renderer, &producers->stages, &producers->pool, textures);
}

bool hal_pixel_stage_bind(const struct hal_renderer *renderer, struct hal_pixel_producers *producers,
                          const struct hal_pixel_textures *textures, struct hal_pixel_stage *stage)
{
    struct hal_recent_binding key;
    const bool is_kept = binding_key(renderer->state, producers, textures, stage, &key);
    struct hal_recent_binding *recent = is_kept ? recent_binding(producers, &key) : &key;

    if (recent->binding) {
        if (!stage->shader)
            producers->stages.last = recent->binding;
    } else {
        key.binding = make_binding(renderer, producers, textures, stage);
        if (!key.binding)
            return false;
        key.price = hal_work_of_program(key.binding);
        *recent = key;
    }
    stage->binding = recent->binding;
    stage->price = recent->price;
    shader_note_use(stage->binding->program, renderer->scene->driver->jit);
    set_pass_through(stage);
    return true;
}

void hal_pixel_stage_outdate(struct hal_pixel_producers *producers)
{
    if (++producers->generation == 0) /* after so many, old ones would seem up to date */
        memset(&producers->recent, 0, sizeof(producers->recent));
}

void hal_pixel_stage_flushed(struct hal_pixel_producers *producers, struct hal_pixel_stage *stage)
{
    hal_pool_reset(&producers->pool);
    hal_pixel_stage_outdate(producers);
    producers->stages.last = producers->shader.last = stage->binding = NULL;
}

void hal_pixel_producers_free(struct hal_pixel_producers *producers)
{
    hal_texture_stages_free(&producers->stages);
    hal_pool_free(&producers->pool);
}
