/* SPDX-License-Identifier: MIT */
/*
 * The program for the state of fixed-function vertex processing: its key, the cache of programs by
 * key, the constants that hold the state's values, and the links of the vertex stage.
 */
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/math.h"
#include "hal/scene.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/point.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/lower.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"
#include "shader/shader.h"

#include <string.h>

static const float minus_log2_e = -1.44269504f;

/* --- key -------------------------------------------------------------------------------- */

static uint8_t key_fog(const struct tnl_program *p)
{
    if (p->stage->slot[HAL_ATTRIBUTE_FOG] < 0)
        return TNL_FOG_NONE;
    /* start = end: fully fogged */
    return p->fog == TNL_FOG_LINEAR && p->fog_end == p->fog_start ? TNL_FOG_FULL : (uint8_t)p->fog;
}

static void key_lights(const struct tnl_program *p, struct tnl_key *key)
{
    key->lighting = p->lighting;
    if (!p->lighting)
        return;
    key->specular = p->specular;
    key->local_viewer = p->local_viewer;
    key->source_diffuse = p->source_diffuse;
    key->source_specular = p->source_specular;
    key->source_ambient = p->source_ambient;
    key->source_emissive = p->source_emissive;
    for (unsigned i = 0; i < p->light_count; i++) {
        key->light[i] = p->light[i].type == D3DLIGHT_DIRECTIONAL || p->light[i].type == D3DLIGHT_SPOT
                            ? (uint8_t)p->light[i].type
                            : D3DLIGHT_POINT;
        key->falloff[i] = p->light[i].type == D3DLIGHT_SPOT && p->light[i].falloff != 1.0f;
    }
}

/* tnl_key.texcoord.divisor of transformed vertices. Programs get their coordinates unchanged. Stages divide by the
 * component that the flags count, or by the last one of three or four; Wine's test_texture_transform_flags omits this
 * case, because its results on Windows made no sense. */
static unsigned divisor_of_transformed(const struct tnl_texcoord *t, unsigned coordinates, unsigned components)
{
    const unsigned last = t->count ? t->count : components < 3 ? 0 : components;

    if (!t->projected || coordinates != HAL_COORDINATES_DIVIDED)
        return 3;
    return last && last <= components ? last - 1 : 4;
}

/* And of other vertices, which have as many components as the flags count, or as the vertex has. For every reader, the
 * last one is copied to w of a projected stage, and a missing w is 0 (Wine's test_texture_transform_flags). A missing set
 * is (0, 0, 0, 1) ("Supplying Default Values for Texture Coordinates in Vertex Declaration"). */
static unsigned divisor_of_vertices(const struct tnl_texcoord *t, const struct hal_pipeline_inputs *inputs,
                                    unsigned slot, unsigned components)
{
    const unsigned count = t->columns ? t->columns : components;

    if (inputs->coordinates == HAL_COORDINATES_KEPT || count == 0 || count == 4)
        return 3;
    if (t->projected)
        return count - 1;
    return inputs->shows_w >> slot & 1 ? 5 : 3;
}

static void key_texcoord(const struct tnl_program *p, unsigned stage, struct tnl_key *key)
{
    const struct tnl_texcoord *t = &p->texcoord[stage];
    const unsigned type = t->set < 8 ? p->layout->component[HAL_TEXCOORD0 + t->set].type : 0;
    const unsigned components = t->generate ? 3 : hal_element_components(type);
    const struct hal_pipeline_inputs *inputs = &p->stage->inputs;
    const int slot = p->stage->slot[HAL_ATTRIBUTE_TEXCOORD0 + stage];

    key->texcoord[stage].wanted = 1;
    key->texcoord[stage].generate = (uint8_t)t->generate;
    key->texcoord[stage].set = t->generate ? 8 : t->set;
    key->texcoord[stage].components = (uint8_t)components;
    key->texcoord[stage].columns = t->columns;
    key->texcoord[stage].divisor =
        (uint8_t)(p->transformed ? divisor_of_transformed(t, inputs->coordinates, components)
                                 : divisor_of_vertices(t, inputs, (unsigned)slot, components));
}

static void make_key(const struct tnl_program *p, struct tnl_key *key)
{
    const struct hal_layout *layout = p->layout;

    memset(key, 0, sizeof(*key));
    key->transformed = p->transformed;
    key->has_color1 = layout->component[HAL_DIFFUSE].type != 0;
    key->has_color2 = layout->component[HAL_SPECULAR].type != 0;
    key->wants_diffuse = p->stage->slot[HAL_ATTRIBUTE_DIFFUSE] >= 0;
    key->wants_specular = p->stage->slot[HAL_ATTRIBUTE_SPECULAR] >= 0;
    /* Pixel shaders of model 3 are given 0 (DXVK's tests on Windows, commits 0bc20a25 and 5f769e69). */
    key->opaque_color2 = key->wants_specular && !key->has_color2 && !p->stage->inputs.unclamped_colors &&
                         p->stage->inputs.coordinates != HAL_COORDINATES_KEPT;
    key->wants_size = p->stage->points;
    key->has_size = layout->component[HAL_POINT_SIZE].type != 0;
    key->scales_size = p->stage->points && p->point_scale;
    key->fog = key_fog(p);
    key->fog_range = key->fog >= TNL_FOG_LINEAR && p->fog_range;
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++)
        if (p->stage->slot[HAL_ATTRIBUTE_TEXCOORD0 + i] >= 0)
            key_texcoord(p, i, key);
    if (p->transformed)
        return;
    key->has_w = hal_element_components(layout->component[HAL_POSITION].type) == 4;
    key->has_normal = layout->component[HAL_NORMAL].type != 0;
    key->tween = p->tween;
    key->has_normal2 = p->tween && layout->component[HAL_NORMAL2].type;
    key->normalize = p->normalize;
    key->matrices = (uint8_t)(p->blend ? p->weights + 1 : 0);
    key->indexed = p->blend_indexed;
    key->planes = p->user_planes ? (uint8_t)(32 - __builtin_clz(p->user_planes)) : 0;
    key_lights(p, key);
}

/* Finds or lowers; the entry moves to the front. */
static struct shader_program *find_program(const struct hal_work *work, struct tnl_cache *cache,
                                           const struct tnl_key *key)
{
    struct tnl_cached entry;
    unsigned i;

    for (i = 0; i < cache->count; i++)
        if (!memcmp(&cache->entry[i].key, key, sizeof(*key)))
            break;
    if (i < cache->count) {
        entry = cache->entry[i];
    } else {
        entry = (struct tnl_cached){*key, tnl_lower(key)};
        if (!entry.program)
            return NULL;
        hal_work_spend(work, entry.program->instruction_count, HAL_WORK_CODE_TOKEN);
        if (cache->count == TNL_CACHED)
            shader_destroy(cache->entry[--i].program);
        else
            cache->count++;
    }
    memmove(&cache->entry[1], &cache->entry[0], i * sizeof(cache->entry[0]));
    cache->entry[0] = entry;
    return entry.program;
}

void tnl_cache_clear(struct tnl_cache *cache)
{
    for (unsigned i = 0; i < cache->count; i++)
        shader_destroy(cache->entry[i].program);
    cache->count = 0;
}

/* --- constants ---------------------------------------------------------------------------- */

static void set(float c[4], float x, float y, float z, float w)
{
    c[0] = x;
    c[1] = y;
    c[2] = z;
    c[3] = w;
}

static void set_columns(float (*c)[4], const struct hal_matrix *m)
{
    for (unsigned column = 0; column < 4; column++)
        set(c[column], m->m[0][column], m->m[1][column], m->m[2][column], m->m[3][column]);
}

static void set_light(float (*c)[4], const struct tnl_light *light)
{
    const bool directional = light->type == D3DLIGHT_DIRECTIONAL;
    const float *place = directional ? light->direction : light->position, *axis = light->direction;

    set(c[TNL_L_DIFFUSE], light->diffuse[0], light->diffuse[1], light->diffuse[2], 0);
    set(c[TNL_L_SPECULAR], light->specular[0], light->specular[1], light->specular[2], 0);
    set(c[TNL_L_AMBIENT], light->ambient[0], light->ambient[1], light->ambient[2], 0);
    set(c[TNL_L_PLACE], place[0], place[1], place[2], 0);
    set(c[TNL_L_AXIS], -axis[0], -axis[1], -axis[2], light->falloff);
    set(c[TNL_L_SHAPE], light->attenuation[0], light->attenuation[1], light->attenuation[2], light->range);
    set(c[TNL_L_CONE], light->cos_inner, light->cos_outer, light->cos_inner - light->cos_outer, 0);
}

static void set_lighting(const struct tnl_program *p, float (*c)[4])
{
    const struct hal_material *m = &p->material;
    const float *const colors[4] = {m->diffuse, m->ambient, m->specular, m->emissive};

    for (unsigned i = 0; i < 4; i++)
        memcpy(c[TNL_C_MATERIAL + i], colors[i], sizeof(c[0]));
    set(c[TNL_C_POWER], m->power, 0, 0, 0);
    set(c[TNL_C_AMBIENT], p->ambient[0], p->ambient[1], p->ambient[2], 0);
    for (unsigned i = 0; i < p->light_count; i++)
        set_light(&c[TNL_C_LIGHT + TNL_LIGHT_STRIDE * i], &p->light[i]);
}

static void set_matrices(const struct tnl_program *p, float (*c)[4])
{
    set_columns(&c[TNL_C_CLIP], &p->clip);
    set_columns(&c[TNL_C_EYE], &p->world_view);
    set_columns(&c[TNL_C_PROJECTION], &p->projection);
    for (unsigned i = 0; i < 3; i++)
        set(c[TNL_C_NORMAL + i], p->normal[0][i], p->normal[1][i], p->normal[2][i], 0);
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++)
        if (p->texcoord[i].columns)
            set_columns(&c[TNL_C_TEXTURE + 4 * i], &p->texture_matrix[i]);
    for (unsigned i = 0; i < HAL_MAX_CLIP_PLANES; i++)
        memcpy(c[TNL_C_PLANE + i], p->user_plane[i], sizeof(c[0]));
}

static void set_constants(const struct tnl_program *p, float (*c)[4])
{
    set(c[TNL_C_LITERAL], 0, 1, 0.5f, 2);
    set(c[TNL_C_LITERAL2], 4, -1, 0, 0);
    set(c[TNL_C_TWEEN], 1 - p->tween_factor, p->tween_factor, 0, 0);
    set(c[TNL_C_FOG], p->fog_end, p->fog_end - p->fog_start, p->fog_density, minus_log2_e);
    set(c[TNL_C_POINT], p->stage->size, p->viewport_height, 0, 0);
    set(c[TNL_C_POINT_SCALE], p->point_a, p->point_b, p->point_c, 0);
    if (!p->transformed)
        set_matrices(p, c);
    if (p->lighting)
        set_lighting(p, c);
}

/* Adds world matrix `index` to the constants, until matrices change. */
static void use_matrix(struct tnl_program *p, unsigned index)
{
    struct hal_matrix m;

    if (p->blend_ready[index])
        return;
    hal_matrix_multiply(&m, &p->state->world[index], &p->state->view);
    set_columns(&p->constant[TNL_C_BLEND + 4 * index], &m);
    p->blend_ready[index] = true;
}

/* hal_vertex_stage.supply: the matrices that indexed blending addresses. */
static void use_indexed_matrices(void *producer, const struct shader_vertex_batch *batch)
{
    struct tnl_program *p = producer;

    for (unsigned k = 0; k <= p->weights; k++)
        for (unsigned i = 0; i < batch->count; i++)
            use_matrix(p, (unsigned)(int)batch->input[TNL_V_INDEX][k][i]);
}

/* --- links ------------------------------------------------------------------------------------ */

static uint8_t component_of(const struct tnl_program *p, unsigned reg)
{
    if (reg == TNL_V_POSITION2)
        return HAL_POSITION2;
    return reg == TNL_V_NORMAL2 && p->tween ? HAL_NORMAL2 : (uint8_t)reg;
}

static void link_inputs(struct tnl_program *p, struct hal_vertex_stage *stage)
{
    stage->input_count = 0;
    stage->supply = NULL;
    stage->producer = p;
    for (uint32_t left = p->binding.program->inputs_read; left; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctz(left);
        const bool indices = reg == TNL_V_INDEX && p->blend_indexed;

        if (indices)
            stage->supply = use_indexed_matrices;
        stage->input[stage->input_count++] = (struct vertex_input_link){
            .reg = (uint8_t)reg,
            .component = indices ? HAL_BLEND_INDEX : component_of(p, reg),
            .bytes = indices ? (uint8_t)(p->weights + 1) : 0,
        };
    }
}

/* A whole register. */
static void add_output(struct hal_vertex_stage *stage, unsigned output, unsigned slot)
{
    struct vertex_output_link *link = &stage->output[stage->output_count++];

    *link = (struct vertex_output_link){.slot = (uint8_t)slot};
    for (unsigned c = 0; c < 4; c++)
        link->from[c] = (uint8_t)(4 * output + c);
}

/* One number. */
static void add_fog(struct hal_vertex_stage *stage, unsigned slot)
{
    stage->output[stage->output_count++] = (struct vertex_output_link){
        .slot = (uint8_t)slot, .from = {4 * TNL_O_FOG, VERTEX_FROM_ZERO, VERTEX_FROM_ZERO, VERTEX_FROM_ZERO}};
}

static void link_attribute(struct hal_vertex_stage *stage, const struct tnl_key *key, unsigned attribute, unsigned slot)
{
    const unsigned output = attribute >= HAL_ATTRIBUTE_TEXCOORD0  ? TNL_O_TEXCOORD + attribute - HAL_ATTRIBUTE_TEXCOORD0
                            : attribute == HAL_ATTRIBUTE_SPECULAR ? TNL_O_SPECULAR
                                                                  : TNL_O_DIFFUSE;
    const int component = tnl_copied_component(key, output);

    if (attribute == HAL_ATTRIBUTE_FOG)
        add_fog(stage, slot);
    else if (component < 0)
        add_output(stage, output, slot);
    else
        stage->copy[stage->copy_count++] = (struct vertex_copy_link){(uint8_t)component, (uint8_t)slot};
}

/* The element of transformed vertices that a program of model 3 reads by its meaning, or the fog factor of a vertex; -1: what the
 * input gets is an attribute. Fog is one unless the vertices bring their own. */
static int copied_element(const struct tnl_program *p, const struct hal_pipeline_inputs *inputs, unsigned slot)
{
    const bool is_fog = inputs->attribute[slot] == HAL_ATTRIBUTE_FOG;
    unsigned element = HAL_COMPONENT_COUNT;

    const bool copies_fog = is_fog && p->fog_is_copied;

    if (inputs->attribute[slot] != HAL_ATTRIBUTE_COUNT && !(is_fog && inputs->unclamped_colors) && !copies_fog)
        return -1;
    if (p->transformed || copies_fog)
        element = hal_layout_find(p->layout, inputs->usage[slot], inputs->usage_index[slot]);
    return is_fog && element == HAL_COMPONENT_COUNT ? -1 : (int)element;
}

static void link_outputs(const struct tnl_program *p, const struct tnl_key *key, struct hal_vertex_stage *stage)
{
    const struct hal_pipeline_inputs *inputs = &stage->inputs;

    stage->transformed = p->transformed;
    stage->position = TNL_O_POSITION;
    stage->point_size = stage->points ? 4 * TNL_O_SIZE : -1;
    stage->output_count = stage->copy_count = 0;
    for (unsigned i = 0; i < inputs->count && i < RASTER_MAX_INPUTS; i++) {
        const int element = copied_element(p, inputs, i);

        if (element < 0)
            link_attribute(stage, key, inputs->attribute[i], i);
        else
            stage->copy[stage->copy_count++] = (struct vertex_copy_link){(uint8_t)element, (uint8_t)i};
    }
    stage->user_planes = p->user_planes;
    stage->plane_distance = TNL_O_PLANES;
    if (stage->points && p->user_planes)
        tnl_set_plane_slopes(p, stage);
}

bool tnl_prepare_program(struct tnl_program *p, struct tnl_cache *cache, const struct hal_scene *scene,
                         struct hal_vertex_stage *stage)
{
    struct shader_binding *binding = &p->binding;
    struct tnl_key key;

    make_key(p, &key);
    memset(binding, 0, sizeof(*binding));
    binding->program = find_program(&scene->work, cache, &key);
    if (!binding->program)
        return false;
    binding->floats = (const float(*)[4])p->constant;
    binding->float_count = TNL_CONSTANTS_BLENDING;
    set_constants(p, p->constant);
    for (unsigned i = 0; i < key.matrices && !key.indexed; i++)
        use_matrix(p, i);
    link_inputs(p, stage);
    link_outputs(p, &key, stage);
    stage->binding = binding;
    stage->execute = binding->program->outputs_written ? shader_vertex_executor(scene->driver->cpu) : NULL;
    stage->price = HAL_WORK_VERTEX + (stage->execute ? hal_work_of_program(binding) : 0);
    return true;
}
