/* SPDX-License-Identifier: MIT */
/* Vertex programs: inputs by register or by meaning, outputs to attributes by meaning. */
#include "hal/vertex/vertex_shader.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "d3d/usages.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/pixel/pipeline.h"
#include "hal/pixel/sampler.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/state/dirty.h"
#include "hal/state/rasterizer_state.h"
#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/store.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex.h"
#include "hal/vertex/wrap.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"

#include <string.h>

/* --- inputs ------------------------------------------------------------------------------- */

/* A declaration of DirectX 8 names registers, one of DirectX 9 meanings. */
static unsigned component_of(const struct shader_semantic *input, bool by_meaning)
{
    const int component =
        by_meaning && input->usage != SHADER_USAGE_NONE ? hal_component_of(input->usage, input->index) : input->reg;

    return component < 0 || component >= HAL_COMPONENT_COUNT ? HAL_COMPONENT_COUNT : (unsigned)component;
}

static void link_inputs(struct hal_vertex_stage *stage, bool by_meaning)
{
    const struct shader_program *program = stage->program;
    uint32_t seen = 0;

    stage->input_count = 0;
    for (unsigned i = 0; i < program->input_count; i++) {
        const struct shader_semantic *input = &program->input[i];

        if (input->reg >= SHADER_MAX_INPUTS || seen & 1u << input->reg || !(program->inputs_read & 1u << input->reg))
            continue;
        seen |= 1u << input->reg;
        stage->input[stage->input_count].reg = input->reg;
        stage->input[stage->input_count++].component = (uint8_t)component_of(input, by_meaning);
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

/* Links an input to the value it has when nobody writes it: the first colour opaque white, the
 * second transparent black, others (0, 0, 0, 1), fog all fog. */
static void default_link(struct vertex_link *link, unsigned usage, unsigned index)
{
    const bool white = usage == D3D_USAGE_COLOR && index == 0;

    for (unsigned c = 0; c < 4; c++)
        link->from[c] = white || (c == 3 && usage == D3D_USAGE_TEXCOORD) ? VERTEX_FROM_ONE : VERTEX_FROM_ZERO;
}

static void link_attribute(struct hal_vertex_stage *stage, const struct hal_pipeline_inputs *inputs, unsigned slot)
{
    const struct shader_program *program = stage->program;
    const unsigned usage = inputs->usage[slot], index = inputs->usage_index[slot];
    const struct shader_semantic *output = find_output(program, usage, index);
    const bool cut = program->major < 3 || !inputs->unclamped_colors; /* not from model 3 to model 3 */
    struct vertex_link *link = &stage->link[stage->link_count++];

    link->slot = (uint8_t)slot;
    link->clamp = cut && (usage == D3D_USAGE_FOG || usage == D3D_USAGE_COLOR);
    default_link(link, usage, index);
    if (!output)
        return;
    if (usage == D3D_USAGE_FOG && cut) {
        link->from[0] = (uint8_t)(4 * output->reg + first_component(output));
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        /* registers of the old models are whole: what is not written has its default already */
        if (program->major < 3 || output->mask >> c & 1)
            link->from[c] = (uint8_t)(4 * output->reg + c);
    }
    if (inputs->divisor[slot])
        link->from[3] = link->from[inputs->divisor[slot] - 1];
}

static void link_outputs(struct hal_vertex_stage *stage, const struct hal_pipeline_inputs *inputs, bool points)
{
    const struct shader_semantic *position = find_output(stage->program, D3D_USAGE_POSITION, 0);
    const struct shader_semantic *size = find_output(stage->program, D3D_USAGE_PSIZE, 0);

    if (!position)
        position = find_output(stage->program, D3D_USAGE_POSITIONT, 0);
    stage->position = position ? position->reg : -1;
    stage->points = points;
    stage->point_size = points && size ? (int)(4 * size->reg + first_component(size)) : -1;
    stage->link_count = 0;
    for (unsigned i = 0; i < inputs->count && i < RASTER_MAX_INPUTS; i++)
        link_attribute(stage, inputs, i);
}

/* --- preparing ---------------------------------------------------------------------------- */

static bool update_binding(struct hal_context *context, struct hal_vertex_stage *stage)
{
    const struct hal_constants *c = &context->vertex_constants;
    const struct shader_constants constants = {
        .floats = (const float(*)[4])c->f,
        .float_count = HAL_VERTEX_CONSTANTS,
        .integers = (const int32_t(*)[4])c->i,
        .integer_count = HAL_OTHER_CONSTANTS,
        .booleans = c->b,
        .boolean_count = HAL_OTHER_CONSTANTS,
    };
    const size_t bytes = shader_binding_size(stage->program, constants.float_count);

    if (bytes > stage->binding_bytes) {
        mem_free_aligned(stage->binding);
        stage->binding = mem_alloc_aligned(bytes);
        stage->binding_bytes = stage->binding ? bytes : 0;
    }
    if (!stage->binding)
        return false;
    stage->binding = shader_bind(stage->binding, stage->program, &constants);
    return stage->binding != NULL;
}

void hal_vertex_stage_textures(struct hal_context *context, const struct shader_program *program)
{
    struct hal_vertex_stage *stage = &context->front->vertex_stage;
    const bool reads = program && program->samplers;

    if (!reads && !stage->has_textures)
        return;
    stage->has_textures = reads;
    for (unsigned s = 0; s < HAL_VERTEX_SAMPLERS; s++) {
        const bool read = program && program->samplers >> s & 1;
        const unsigned row = HAL_MAX_SAMPLERS + s;
        const bool written = hal_feedback_mode(context->stage_state[row]) == DDI_FEEDBACK_WRITES;

        stage->texture[s] = read && !written ? hal_pipeline_texture(context, row) : NULL;
        stage->map[s] = read ? hal_feedback_of(context, row, stage->texture[s]) : NULL;
        /* vertices are processed at once, not when the scene is drawn */
        if (stage->texture[s] && stage->texture[s]->pending && stage->texture[s]->pending_write)
            hal_surface_flush(stage->texture[s]);
    }
}

static void bind_textures(struct hal_vertex_stage *stage, const struct hal_context *context)
{
    stage->binding->sample = raster_sample_lod_kernel(context->driver->cpu);
    for (unsigned s = 0; s < BASE_MIN(shader_sampler_count(stage->program), HAL_VERTEX_SAMPLERS); s++) {
        memset(&stage->binding->sampler[s], 0, sizeof(stage->binding->sampler[s]));
        if (stage->texture[s] || stage->map[s]) {
            hal_pipeline_sampler(context, HAL_MAX_SAMPLERS + s, stage->texture[s], stage->map[s],
                                 &stage->binding->sampler[s]);
        }
        if (stage->map[s])
            hal_surface_touch(stage->map[s]);
    }
}

/* With a program the user's planes are in clip space. */
static void prepare_planes(struct hal_vertex_stage *stage, const struct hal_context *context)
{
    stage->user_planes = context->render_state[D3DRS_CLIPPLANEENABLE] & ((1u << HAL_MAX_CLIP_PLANES) - 1);
    memcpy(stage->user_plane, context->clip_plane, sizeof(stage->user_plane));
}

static void prepare_sizes(struct hal_vertex_stage *stage, const struct hal_context *context)
{
    stage->size = hal_render_state_float(context, D3DRS_POINTSIZE);
    stage->size_min = hal_render_state_float(context, D3DRS_POINTSIZE_MIN);
    stage->size_max = hal_render_state_float(context, D3DRS_POINTSIZE_MAX);
    if (!(stage->size_max <= HAL_MAX_POINT_SIZE))
        stage->size_max = HAL_MAX_POINT_SIZE;
}

bool hal_vertex_stage_records(const struct hal_vertex_stage *stage)
{
    bool records = false;

    for (unsigned s = 0; stage->has_textures && stage->program && s < HAL_VERTEX_SAMPLERS; s++)
        records |= stage->map[s] != NULL;
    return records;
}

/* Links, planes, sizes, projection: all but constants and textures. */
static void prepare_stage(struct hal_context *context, struct hal_vertex_stage *stage, const struct hal_layout *layout,
                          bool points)
{
    struct hal_front *front = context->front;
    const struct hal_pipeline_inputs *inputs = hal_pipeline_inputs(context);

    tnl_update_slots(&front->program, inputs); /* wrapping reads them */
    stage->layout = layout;
    stage->inputs = *inputs;
    stage->execute = shader_vertex_executor(context->driver->cpu);
    link_inputs(stage, layout->by_meaning);
    link_outputs(stage, inputs, points);
    prepare_planes(stage, context);
    prepare_sizes(stage, context);
    hal_wrap_prepare(&front->program, context, true);
    hal_projection_set(&front->projection, &context->viewport, false, true, stage->user_planes);
    hal_projection_depth_clip(&front->projection, hal_rasterizer_depth_clip(context));
    /* fixed function starts anew when its turn comes */
    front->program.layout = NULL;
}

static bool is_prepared(const struct hal_context *context, const struct hal_vertex_stage *stage,
                        const struct hal_layout *layout, bool points)
{
    return !(context->front->dirty & HAL_DIRTY_VERTEX) && stage->layout == layout && stage->points == points &&
           !memcmp(&stage->inputs, hal_pipeline_inputs(context), sizeof(stage->inputs));
}

bool hal_vertex_stage_prepare(struct hal_context *context, const struct hal_layout *layout,
                              const struct shader_program *program, bool points)
{
    struct hal_front *front = context->front;
    struct hal_vertex_stage *stage = &front->vertex_stage;

    if (stage->program != program)
        front->dirty |= HAL_DIRTY_ALL;
    stage->program = program;
    if (!program)
        return true;
    if (front->dirty & HAL_DIRTY_VERTEX_CONSTANTS && !update_binding(context, stage)) {
        hal_work_lacks_memory(context, "constants of a vertex program");
        return false;
    }
    if (program->samplers)
        bind_textures(stage, context);
    if (front->dirty & HAL_DIRTY_VERTEX_CONSTANTS || program->samplers)
        stage->price = hal_work_of_program(stage->binding) + HAL_WORK_VERTEX;
    if (!is_prepared(context, stage, layout, points))
        prepare_stage(context, stage, layout, points);
    front->dirty = 0; /* fixed function, when its turn comes, takes all for changed */
    return stage->position >= 0;
}

void hal_vertex_stage_unbind(struct hal_vertex_stage *stage, const struct shader_program *program)
{
    if (!program) {
        mem_free_aligned(stage->binding);
        stage->binding = NULL;
        stage->binding_bytes = 0;
    }
    if (!program || stage->program == program)
        stage->program = NULL;
}

/* --- running ------------------------------------------------------------------------------ */

static const float *lanes_of(const struct hal_vertex_stage *stage, unsigned from)
{
    static const _Alignas(64) hal_lanes constants[2] = {
        {0},
        {[0 ... HAL_BATCH - 1] = 1.0f},
    };

    return from >= VERTEX_FROM_ZERO ? constants[from - VERTEX_FROM_ZERO] : stage->batch.output[from >> 2][from & 3];
}

static void store_planes(const struct hal_vertex_stage *stage, unsigned count, struct hal_vertex *vertices)
{
    const float(*from)[SHADER_LANES] = stage->batch.output[stage->position];

    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++) {
        const float *plane = stage->user_plane[k];

        for (unsigned i = 0; stage->user_planes & 1u << k && i < count; i++) {
            vertices[i].plane[k] =
                plane[0] * from[0][i] + plane[1] * from[1][i] + plane[2] * from[2][i] + plane[3] * from[3][i];
        }
    }
}

static void store_link(const struct hal_vertex_stage *stage, const struct vertex_link *link, unsigned count,
                       struct raster_vertex *projected)
{
    const float *from[4];

    for (unsigned c = 0; c < 4; c++)
        from[c] = lanes_of(stage, link->from[c]);
    hal_store_attribute(from, link->clamp, link->slot, count, projected);
}

static void store_sizes(const struct hal_vertex_stage *stage, unsigned count, struct hal_vertex *vertices)
{
    for (unsigned i = 0; i < count; i++) {
        const float size = stage->point_size < 0 ? stage->size : lanes_of(stage, (unsigned)stage->point_size)[i];

        hal_store_size(size, stage->size_min, stage->size_max, &vertices[i]);
    }
}

void hal_vertex_stage_run(struct hal_vertex_stage *stage, const struct hal_span *span, const struct hal_source *source,
                          struct hal_vertex *vertices, struct raster_vertex *projected)
{
    const unsigned count = span->padded;

    hal_span_assert(span, source);
    for (unsigned i = 0; i < stage->input_count; i++)
        hal_fetch(source, stage->input[i].component, span, stage->batch.input[stage->input[i].reg]);
    stage->batch.count = count;
    stage->execute(stage->binding, &stage->batch);
    hal_store_positions(stage->batch.output[stage->position], count, vertices);
    if (stage->user_planes)
        store_planes(stage, count, vertices);
    for (unsigned i = 0; i < stage->link_count; i++)
        store_link(stage, &stage->link[i], count, projected);
    if (stage->points)
        store_sizes(stage, count, vertices);
}
