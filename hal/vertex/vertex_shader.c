/* SPDX-License-Identifier: MIT */
/* Vertex stages of shaders: inputs by register or by usage, outputs to attributes by usage. */
#include "hal/vertex/vertex_shader.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "d3d/usages.h"
#include "hal/driver.h"
#include "hal/pixel/pipeline.h"
#include "hal/pixel/sampler.h"
#include "hal/renderer.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/stream.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"

#include <string.h>

/* --- inputs ------------------------------------------------------------------------------- */

/* Declarations of DirectX 8 name registers, those of DirectX 9 usages. */
static unsigned component_of(const struct shader_semantic *input, const struct hal_layout *layout)
{
    if (layout->by_meaning && input->usage != SHADER_USAGE_NONE)
        return hal_layout_find(layout, input->usage, input->index);
    return BASE_MIN((unsigned)input->reg, (unsigned)HAL_COMPONENT_COUNT);
}

static void link_inputs(struct hal_vertex_stage *stage, const struct hal_layout *layout)
{
    const struct shader_program *program = stage->shader;
    uint32_t seen = 0;

    stage->input_count = 0;
    for (unsigned i = 0; i < program->input_count; i++) {
        const struct shader_semantic *input = &program->input[i];

        if (input->reg >= SHADER_MAX_INPUTS || seen & 1u << input->reg || !(program->inputs_read & 1u << input->reg))
            continue;
        seen |= 1u << input->reg;
        stage->input[stage->input_count++] =
            (struct vertex_input_link){.reg = input->reg, .component = (uint8_t)component_of(input, layout)};
    }
}

/* --- outputs ------------------------------------------------------------------------------ */

static const struct shader_semantic *find_output(const struct shader_program *program, unsigned usage, unsigned index)
{
    for (unsigned i = 0; i < program->output_count; i++)
        if (program->output[i].usage == usage && program->output[i].index == index)
            return &program->output[i];
    return NULL;
}

/* The first component that is written; fog and point size of the old models may use any. */
static unsigned first_component(const struct shader_semantic *output)
{
    return output->mask & 15 ? (unsigned)__builtin_ctz(output->mask & 15) : 0;
}

/* If a program writes no fog, fog is the alpha of its second colour; full fog if it does not write that either (Wine's
 * test_fog and fog_with_shader_test). */
static void link_missing_fog(const struct shader_program *program, struct vertex_output_link *link)
{
    const struct shader_semantic *specular = find_output(program, D3D_USAGE_COLOR, 1);

    if (specular && (program->major < 3 || specular->mask & 8))
        link->from[0] = (uint8_t)(4 * specular->reg + 3);
}

/* Links an input to the value it has when the program does not write it: the first colour white, the second opaque black (0 for
 * pixel shaders of model 3 and what is kept, as in hal/vertex/tnl/program.c), coordinates (0, 0, 0, 1), fog all fog, others 0. */
static void default_link(struct vertex_output_link *link, const struct hal_pipeline_inputs *inputs, unsigned usage,
                         unsigned index)
{
    const bool white = usage == D3D_USAGE_COLOR && index == 0;
    const bool black = usage == D3D_USAGE_COLOR && index == 1 && !inputs->unclamped_colors &&
                       inputs->coordinates != HAL_COORDINATES_KEPT;

    for (unsigned c = 0; c < 4; c++)
        link->from[c] =
            white || (c == 3 && (black || usage == D3D_USAGE_TEXCOORD)) ? VERTEX_FROM_ONE : VERTEX_FROM_ZERO;
}

static void link_attribute(struct hal_vertex_stage *stage, unsigned slot)
{
    const struct shader_program *program = stage->shader;
    const struct hal_pipeline_inputs *inputs = &stage->inputs;
    const unsigned usage = inputs->usage[slot], index = inputs->usage_index[slot];
    const struct shader_semantic *output = find_output(program, usage, index);
    const bool cut = program->major < 3 || !inputs->unclamped_colors; /* not from model 3 to model 3 */
    struct vertex_output_link *link = &stage->output[stage->output_count++];

    link->slot = (uint8_t)slot;
    link->clamp = cut && (usage == D3D_USAGE_FOG || usage == D3D_USAGE_COLOR);
    default_link(link, inputs, usage, index);
    if (!output) {
        if (usage == D3D_USAGE_FOG && !inputs->unclamped_colors)
            link_missing_fog(program, link);
        return;
    }
    if (usage == D3D_USAGE_FOG && cut) {
        link->from[0] = (uint8_t)(4 * output->reg + first_component(output));
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        /* registers of the old models are complete: components that are not written already have their defaults */
        if (program->major < 3 || output->mask >> c & 1)
            link->from[c] = (uint8_t)(4 * output->reg + c);
    }
}

static void link_outputs(struct hal_vertex_stage *stage)
{
    const struct shader_semantic *position = find_output(stage->shader, D3D_USAGE_POSITION, 0);
    const struct shader_semantic *size = find_output(stage->shader, D3D_USAGE_PSIZE, 0);

    if (!position)
        position = find_output(stage->shader, D3D_USAGE_POSITIONT, 0);
    stage->transformed = false;
    stage->position = position ? position->reg : -1;
    stage->point_size = stage->points && size ? (int)(4 * size->reg + first_component(size)) : -1;
    stage->output_count = stage->copy_count = 0;
    for (unsigned i = 0; i < stage->inputs.count && i < RASTER_MAX_INPUTS; i++)
        link_attribute(stage, i);
}

/* With a shader the user's planes are in clip space. */
static void set_planes(struct hal_vertex_stage *stage, const struct hal_state *state)
{
    stage->user_planes = state->render_state[D3DRS_CLIPPLANEENABLE] & ((1u << HAL_MAX_CLIP_PLANES) - 1);
    stage->plane_distance = -1;
    memcpy(stage->user_plane, state->clip_plane, sizeof(stage->user_plane));
    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++)
        memcpy(stage->plane_slope[k], state->clip_plane[k], sizeof(stage->plane_slope[k]));
}

void hal_vertex_shader_link(const struct hal_state *state, enum cpu_level cpu, struct hal_vertex_stage *stage,
                            const struct hal_layout *layout)
{
    stage->execute = shader_vertex_executor(cpu);
    stage->supply = NULL;
    link_inputs(stage, layout);
    link_outputs(stage);
    set_planes(stage, state);
}

/* --- constants and textures ------------------------------------------------------------------- */

static bool bind_constants(const struct hal_renderer *renderer, struct hal_vertex_stage *stage)
{
    struct hal_vertex_shader *values = &renderer->front->vertex_shader;
    const struct hal_constants *c = &renderer->state->vertex_constants;
    const struct shader_constants constants = {
        .floats = (const float(*)[4])c->f,
        .float_count = c->float_count,
        .integers = (const int32_t(*)[4])c->i,
        .integer_count = HAL_OTHER_CONSTANTS,
        .booleans = c->b,
        .boolean_count = HAL_OTHER_CONSTANTS,
    };
    const size_t bytes = shader_binding_size(stage->shader, constants.float_count);

    if (bytes > values->binding_bytes) {
        mem_free_aligned(values->binding);
        values->binding = mem_alloc_aligned(bytes);
        values->binding_bytes = values->binding ? bytes : 0;
    }
    if (values->binding)
        values->binding = shader_bind(values->binding, stage->shader, &constants);
    stage->binding = values->binding;
    return stage->binding != NULL;
}

bool hal_vertex_shader_textures(struct hal_renderer *renderer, const struct shader_program *shader)
{
    struct hal_vertex_shader *values = &renderer->front->vertex_shader;
    const bool reads = shader && shader->samplers;
    bool records = false;

    if (!reads && !values->has_textures)
        return false;
    values->has_textures = reads;
    for (unsigned s = 0; s < HAL_VERTEX_SAMPLERS; s++) {
        const bool read = shader && shader->samplers >> s & 1;
        const unsigned row = HAL_MAX_SAMPLERS + s;
        const bool written = hal_feedback_mode(renderer->state->stage_state[row]) == DDI_FEEDBACK_WRITES;

        values->texture[s] = read && !written ? hal_pipeline_texture(renderer, row) : NULL;
        values->map[s] = read ? hal_feedback_of(renderer->state, renderer->resources, row, values->texture[s]) : NULL;
        records |= values->map[s] != NULL;
        /* vertices are processed at once, not when the scene is drawn */
        if (values->texture[s] && values->texture[s]->top->pending && values->texture[s]->top->pending_write)
            hal_scene_flush_surface(values->texture[s]->top, HAL_FLUSH_TEXTURE);
    }
    return records;
}

static void bind_textures(const struct hal_renderer *renderer, const struct hal_vertex_stage *stage)
{
    const struct hal_vertex_shader *values = &renderer->front->vertex_shader;
    struct shader_binding *binding = values->binding;

    binding->sample = raster_sample_lod_kernel(renderer->scene->driver->cpu);
    for (unsigned s = 0; s < BASE_MIN(shader_sampler_count(stage->shader), HAL_VERTEX_SAMPLERS); s++) {
        memset(&binding->sampler[s], 0, sizeof(binding->sampler[s]));
        if (values->texture[s] || values->map[s]) {
            hal_pipeline_sampler(renderer->state, renderer->scene, HAL_MAX_SAMPLERS + s, values->texture[s],
                                 values->map[s], &binding->sampler[s]);
        }
        if (values->map[s])
            hal_surface_touch(values->map[s]->top);
    }
}

bool hal_vertex_shader_bind(struct hal_renderer *renderer, struct hal_vertex_stage *stage)
{
    const bool stale = renderer->front->dirty & HAL_DIRTY_VERTEX_CONSTANTS;

    if (stale && !bind_constants(renderer, stage)) {
        hal_work_lacks_memory(&renderer->scene->work, "constants of a vertex program");
        return false;
    }
    if (stage->shader->samplers)
        bind_textures(renderer, stage);
    if (stale || stage->shader->samplers)
        stage->price = hal_work_of_program(stage->binding) + HAL_WORK_VERTEX;
    return true;
}

void hal_vertex_shader_free(struct hal_vertex_shader *values)
{
    mem_free_aligned(values->binding);
    values->binding = NULL;
    values->binding_bytes = 0;
}
