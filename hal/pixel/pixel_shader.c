/* SPDX-License-Identifier: MIT */
/* Pixel stages of shaders: inputs and bindings. Sources: docs/reference/shader-code.md, sections 6 and 8;
 * docs/reference/vertex-processing.md, section 4. */
#include "hal/pixel/pixel_shader.h"

#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/pixel/pipeline.h"
#include "hal/pixel/sampler.h"
#include "hal/pixel/stage.h"
#include "hal/pool.h"
#include "hal/renderer.h"
#include "hal/resource/surface.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"

#include "d3d/usages.h"

#include <string.h>

/* --- inputs ------------------------------------------------------------------------------- */

/* HAL_ATTRIBUTE_COUNT: the fixed function has no such value. */
static uint8_t attribute_of(unsigned usage, unsigned index)
{
    if (usage == D3D_USAGE_COLOR && index < 2)
        return (uint8_t)(HAL_ATTRIBUTE_DIFFUSE + index);
    if (usage == D3D_USAGE_TEXCOORD && index < HAL_MAX_STAGES)
        return (uint8_t)(HAL_ATTRIBUTE_TEXCOORD0 + index);
    return usage == D3D_USAGE_FOG && index == 0 ? HAL_ATTRIBUTE_FOG : HAL_ATTRIBUTE_COUNT;
}

/* D3DTTFF_PROJECTED. Coordinates of vertex shaders have four components, regardless of the count in D3DTTFF: the last
 * one divides. */
static bool honours_projection(const struct shader_program *program)
{
    return program->major == 1 && program->minor < 4;
}

static bool is_projected(const struct hal_state *state, unsigned stage)
{
    return stage < SHADER_MAX_STAGES && state->stage_state[stage][D3DTSS_TEXTURETRANSFORMFLAGS] & D3DTTFF_PROJECTED;
}

#define SHAPE_PROJECTED 16 /* the bits of projected stages are above those of samplers */

uint64_t hal_pixel_shader_shapes(const struct hal_state *state, const struct shader_program *program,
                                 const struct hal_pixel_textures *textures)
{
    uint64_t shapes = 0;

    for (unsigned left = program->third_samplers; left; left &= left - 1) {
        const unsigned s = (unsigned)__builtin_ctz(left);

        if (raster_texture_axes(hal_sampled_texture(textures->texture[s], textures->map[s])) == 3)
            shapes |= UINT64_C(1) << s;
    }
    for (unsigned left = program->divided_samplers; left; left &= left - 1) {
        const unsigned s = (unsigned)__builtin_ctz(left);

        if (is_projected(state, s))
            shapes |= UINT64_C(1) << (SHAPE_PROJECTED + s);
    }
    return shapes;
}

void hal_pixel_shader_make(uint64_t shapes, struct hal_pixel_stage *stage)
{
    const struct shader_program *program = stage->shader;
    struct hal_pipeline_inputs *inputs = &stage->inputs;

    stage->program = program;
    stage->constant_groups = HAL_DIRTY_PIXEL_CONSTANTS;
    stage->applies_fog = program->major >= 3;
    memset(inputs, 0, sizeof(*inputs));
    inputs->unclamped_colors = program->major >= 3;
    inputs->coordinates = honours_projection(program) ? HAL_COORDINATES_DIVIDED : HAL_COORDINATES_READ;
    for (unsigned k = 0; k < program->input_count && inputs->count < RASTER_MAX_INPUTS; k++) {
        const struct shader_semantic *input = &program->input[k];
        unsigned i = inputs->count++;

        inputs->attribute[i] = attribute_of(input->usage, input->index);
        inputs->usage[i] = input->usage;
        inputs->usage_index[i] = input->index;
        inputs->mask[i] = input->mask | (shapes & input->third_samplers ? input->third_mask : 0) |
                          (shapes >> SHAPE_PROJECTED & input->divided_samplers ? input->divisor_mask : 0);
        inputs->shows_w |= (uint32_t)(inputs->mask[i] >> 3) << i;
    }
}

/* --- bindings ------------------------------------------------------------------------------- */

static float pixel_shader_float(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

static void fill_stage(const struct hal_renderer *renderer, unsigned s, struct hal_texture *texture,
                       struct hal_texture *map, struct shader_binding *binding)
{
    const uint32_t *t = renderer->state->stage_state[s];

    if (texture || map)
        hal_pipeline_sampler(renderer->state, renderer->scene, s, texture, map, &binding->sampler[s]);
    if (s >= SHADER_MAX_STAGES) /* only ps_1_x has bump matrices and projected stages */
        return;
    for (unsigned i = 0; i < 4; i++)
        binding->registers->bump[s][i] = pixel_shader_float(t[D3DTSS_BUMPENVMAT00 + i]);
    binding->registers->luminance[s][0] = pixel_shader_float(t[D3DTSS_BUMPENVLSCALE]);
    binding->registers->luminance[s][1] = pixel_shader_float(t[D3DTSS_BUMPENVLOFFSET]);
    /* the fixed function puts the divisor into component 4 (hal/vertex/tnl/program.c), vertex shaders have it there */
    if (honours_projection(binding->program) && is_projected(renderer->state, s))
        binding->registers->projected[s] = 4;
}

static void pixel_shader_fill(const struct hal_renderer *renderer, const struct hal_pixel_textures *textures,
                              const struct hal_pipeline_inputs *inputs, struct shader_binding *binding)
{
    const struct shader_program *program = binding->program;

    binding->sample = raster_sample_lod_kernel(renderer->scene->driver->cpu);
    /* inputs are in the program's order, followed at most by fog */
    for (unsigned k = 0; k < program->input_count; k++)
        binding->input[k] = (uint8_t)(k < RASTER_MAX_INPUTS && k < inputs->count ? k : SHADER_NO_INPUT);
    for (unsigned s = 0; s < HAL_MAX_SAMPLERS; s++)
        if ((program->samplers | program->bump_stages) >> s & 1)
            fill_stage(renderer, s, textures->texture[s], textures->map[s], binding);
}

static struct shader_binding *make_binding(const struct hal_state *state, const struct shader_program *program,
                                           void *memory)
{
    const struct hal_constants *c = &state->pixel_constants;
    const struct shader_constants constants = {
        .floats = (const float(*)[4])c->f,
        .float_count = HAL_PIXEL_CONSTANTS,
        .integers = (const int32_t(*)[4])c->i,
        .integer_count = HAL_OTHER_CONSTANTS,
        .booleans = c->b,
        .boolean_count = HAL_OTHER_CONSTANTS,
    };

    return shader_bind(memory, program, &constants);
}

static bool pixel_shader_is_same(const struct hal_pixel_shader *shader, const struct shader_binding *fresh,
                                 size_t bytes)
{
    const struct shader_binding *last = shader->last;

    return last && last->program == fresh->program && bytes == shader->last_bytes &&
           shader_same_values(last, fresh, bytes);
}

/* Draws that change nothing share a binding. */
const struct shader_binding *hal_pixel_shader_bind(const struct hal_renderer *renderer, struct hal_pixel_shader *shader,
                                                   struct hal_pool *pool, const struct hal_pixel_textures *textures,
                                                   const struct hal_pixel_stage *stage)
{
    const size_t bytes = shader_binding_size(stage->program, HAL_PIXEL_CONSTANTS);
    void *memory = hal_pool_take(pool, bytes);

    if (!memory)
        return NULL;
    struct shader_binding *fresh = make_binding(renderer->state, stage->program, memory);
    pixel_shader_fill(renderer, textures, &stage->inputs, fresh);
    if (pixel_shader_is_same(shader, fresh, bytes)) {
        hal_pool_give_back(pool, bytes);
        return shader->last;
    }
    shader->last = fresh;
    shader->last_bytes = bytes;
    return fresh;
}
