/* SPDX-License-Identifier: MIT */
/* The vertex stage: chooses the producer, adds the parts that do not depend on the producer, and runs stages. */
#include "hal/vertex/stage.h"

#include "base/base.h"
#include "base/simd/simd4.h"
#include "base/bytes.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/rasterizer_state.h"
#include "hal/state/state.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex_shader.h"
#include "hal/vertex/wrap.h"

#include <stddef.h>
#include <string.h>

/* --- preparing -------------------------------------------------------------------------------------- */

/* Everything except for fields that the vertex side does not link to. */
static bool is_linked_to(const struct hal_vertex_stage *stage, const struct hal_pipeline_inputs *inputs)
{
    return base_equal(&stage->inputs, inputs, offsetof(struct hal_pipeline_inputs, mask));
}

static void set_slots(struct hal_vertex_stage *stage)
{
    const struct hal_pipeline_inputs *inputs = &stage->inputs;

    memset(stage->slot, -1, sizeof(stage->slot));
    for (unsigned i = 0; i < inputs->count && i < RASTER_MAX_INPUTS; i++)
        if (inputs->attribute[i] < HAL_ATTRIBUTE_COUNT)
            stage->slot[inputs->attribute[i]] = (int8_t)i;
}

static void set_sizes(struct hal_vertex_stage *stage, const struct hal_state *state)
{
    stage->size = hal_render_state_float(state, D3DRS_POINTSIZE);
    stage->size_min = hal_render_state_float(state, D3DRS_POINTSIZE_MIN);
    stage->size_max = hal_render_state_float(state, D3DRS_POINTSIZE_MAX);
    if (!(stage->size_max <= HAL_MAX_POINT_SIZE))
        stage->size_max = HAL_MAX_POINT_SIZE;
}

/* Vertices in pixels are clipped to the depth range only if depth is used, and CLIPPING has no effect on this (Wine's
 * depth_clamp_test and zenable_test); elsewhere their depth is clamped. */
static bool clips_depth(const struct hal_vertex_stage *stage, const struct hal_state *state, bool has_depth)
{
    return !stage->transformed || (has_depth && state->render_state[D3DRS_ZENABLE] != D3DZB_FALSE);
}

static bool make_stage(struct hal_renderer *renderer, const struct hal_layout *layout, bool points)
{
    struct hal_front *front = renderer->front;
    struct hal_vertex_stage *stage = &front->vertex_stage;

    stage->layout = NULL; /* in case it fails */
    stage->inputs = *hal_pipeline_inputs(renderer);
    stage->points = points;
    set_slots(stage);
    set_sizes(stage, renderer->state);
    if (stage->shader)
        hal_vertex_shader_link(renderer->state, renderer->scene->driver->cpu, stage, layout);
    else if (!tnl_make_stage(renderer, stage, layout))
        return false;
    hal_wrap_prepare(stage, renderer->state);
    hal_projection_set(&front->projection, &renderer->state->viewport, stage->transformed,
                       clips_depth(stage, renderer->state, renderer->scene->depth != NULL), stage->user_planes);
    hal_projection_depth_clip(&front->projection, hal_rasterizer_depth_clip(renderer->state));
    stage->layout = layout;
    return true;
}

bool hal_vertex_stage_prepare(struct hal_renderer *renderer, const struct hal_layout *layout,
                              const struct shader_program *shader, bool points)
{
    struct hal_front *front = renderer->front;
    struct hal_vertex_stage *stage = &front->vertex_stage;

    if (stage->shader != shader)
        front->dirty |= HAL_DIRTY_ALL; /* the other producer, or program, has not seen the changes */
    stage->shader = shader;
    if (shader && !hal_vertex_shader_bind(renderer, stage))
        return false;
    const bool stays = !(front->dirty & HAL_DIRTY_VERTEX) && stage->layout == layout && stage->points == points &&
                       is_linked_to(stage, hal_pipeline_inputs(renderer));

    if (!stays && !make_stage(renderer, layout, points))
        return false;
    front->dirty = 0;
    if (stage->binding)
        shader_note_use(stage->binding->program, renderer->scene->driver->jit);
    return stage->transformed || stage->position >= 0;
}

void hal_vertex_stage_textures(struct hal_renderer *renderer, const struct shader_program *shader)
{
    renderer->front->vertex_stage.records = hal_vertex_shader_textures(renderer, shader);
}

/* A program is about to be destroyed (hal_shader_hook). */
static void vertex_stage_forget(void *user, const struct shader_program *shader)
{
    struct hal_renderer *renderer = user;
    struct hal_vertex_stage *stage = &renderer->front->vertex_stage;

    if (shader->stage == SHADER_PIXEL)
        return;
    renderer->front->dirty |= HAL_DIRTY_ALL; /* another program may get the same address */
    if (stage->shader == shader) {
        stage->shader = NULL;
        stage->layout = NULL;
        stage->binding = NULL;
    }
}

void hal_vertex_stage_init(struct hal_renderer *renderer)
{
    struct hal_shader_hook *hook = &renderer->front->vertex_stage.shader_hook;

    hook->forget = vertex_stage_forget;
    hook->user = renderer;
    hal_shaders_watch(&renderer->resources->shaders, hook);
}

/* --- inputs ------------------------------------------------------------------------------------------- */

/* The first `count` of four bytes, each a component; zeros if the vertices lack them. */
static void fetch_bytes(const struct hal_source *source, const struct vertex_input_link *link,
                        const struct hal_span *span, hal_lanes out[4])
{
    uint32_t bytes[HAL_BATCH];

    if (!hal_fetch_bytes(source, link->component, span, bytes))
        memset(bytes, 0, sizeof(bytes));
    for (unsigned k = 0; k < link->bytes; k++)
        for (unsigned i = 0; i < span->padded; i++)
            out[k][i] = (float)(int)(bytes[i] >> (8 * k) & 255);
}

static void fetch(const struct hal_vertex_stage *stage, struct shader_vertex_batch *batch, const struct hal_span *span,
                  const struct hal_source *source)
{
    for (unsigned i = 0; i < stage->input_count; i++) {
        const struct vertex_input_link *link = &stage->input[i];

        if (link->bytes)
            fetch_bytes(source, link, span, batch->input[link->reg]);
        else
            hal_fetch(source, link->component, span, batch->input[link->reg]);
    }
}

/* --- outputs ------------------------------------------------------------------------------------------ */

/* Four components into vectors that are `stride` bytes apart. Counts are rounded up to SIMD4_LANES, and so is the room. */
static inline __attribute__((always_inline)) void store_components(const float *const from[4], bool clamp,
                                                                   unsigned count, float *to, size_t stride)
{
    for (unsigned i = 0; i < count; i += SIMD4_LANES) {
        float4 v[4];

        SIMD4_EACH(c) {
            v[c] = float4_load(&from[c][i]);
            v[c] = clamp ? float4_saturate(v[c]) : v[c];
        }
        float4_transpose(v);
        SIMD4_EACH(l)
            float4_store((float *)((char *)to + (i + l) * stride), v[l]);
    }
}

static inline __attribute__((always_inline)) void store_register(const hal_lanes reg[4], unsigned count, float *to,
                                                                 size_t stride)
{
    const float *const from[4] = {reg[0], reg[1], reg[2], reg[3]};

    store_components(from, false, count, to, stride);
}

static void store_distances(const struct hal_vertex_stage *stage, const struct shader_vertex_batch *batch,
                            unsigned count, struct hal_vertex *vertices)
{
    for (unsigned left = stage->user_planes; left; left &= left - 1) {
        const unsigned k = (unsigned)__builtin_ctz(left);
        const float *distance = batch->output[(unsigned)stage->plane_distance + k / 4][k % 4];

        for (unsigned i = 0; i < count; i++)
            vertices[i].plane[k] = distance[i];
    }
}

static void compute_distances(const struct hal_vertex_stage *stage, const hal_lanes from[4], unsigned count,
                              struct hal_vertex *vertices)
{
    for (unsigned left = stage->user_planes; left; left &= left - 1) {
        const unsigned k = (unsigned)__builtin_ctz(left);
        const float *plane = stage->user_plane[k];

        for (unsigned i = 0; i < count; i++) {
            vertices[i].plane[k] =
                plane[0] * from[0][i] + plane[1] * from[1][i] + plane[2] * from[2][i] + plane[3] * from[3][i];
        }
    }
}

static const float *lanes_of(const struct shader_vertex_batch *batch, unsigned from)
{
    static const _Alignas(64) hal_lanes constants[2] = {
        {0},
        {[0 ... HAL_BATCH - 1] = 1.0f},
    };

    return from >= VERTEX_FROM_ZERO ? constants[from - VERTEX_FROM_ZERO] : batch->output[from >> 2][from & 3];
}

static bool is_register(const struct vertex_output_link *link)
{
    const unsigned first = link->from[0];

    return !link->clamp && first % 4 == 0 && first < VERTEX_FROM_ZERO && link->from[1] == first + 1 &&
           link->from[2] == first + 2 && link->from[3] == first + 3;
}

/* One number followed by zeros, as for fog. */
static bool is_number(const struct vertex_output_link *link)
{
    return link->from[1] == VERTEX_FROM_ZERO && link->from[2] == VERTEX_FROM_ZERO && link->from[3] == VERTEX_FROM_ZERO;
}

static void store_number(const float *from, bool clamp, unsigned count, float *to, size_t stride)
{
    for (unsigned i = 0; i < count; i++) {
        const float4 v = {from[i], 0, 0, 0};

        float4_store((float *)((char *)to + i * stride), clamp ? float4_saturate(v) : v);
    }
}

static void store_attribute(const struct vertex_output_link *link, const struct shader_vertex_batch *batch,
                            unsigned count, struct raster_vertex *projected)
{
    float *to = projected->input[link->slot];

    if (is_register(link)) {
        store_register(batch->output[link->from[0] / 4], count, to, sizeof(*projected));
        return;
    }
    if (is_number(link)) {
        store_number(lanes_of(batch, link->from[0]), link->clamp, count, to, sizeof(*projected));
        return;
    }
    const float *const from[4] = {lanes_of(batch, link->from[0]), lanes_of(batch, link->from[1]),
                                  lanes_of(batch, link->from[2]), lanes_of(batch, link->from[3])};

    if (link->clamp)
        store_components(from, true, count, to, sizeof(*projected));
    else
        store_components(from, false, count, to, sizeof(*projected));
}

/* In pixels; NaN becomes the least size. */
static void store_sizes(const struct hal_vertex_stage *stage, const struct shader_vertex_batch *batch, unsigned count,
                        struct hal_vertex *vertices)
{
    const float *given = stage->point_size < 0 ? NULL : lanes_of(batch, (unsigned)stage->point_size);

    for (unsigned i = 0; i < count; i++) {
        float size = given ? given[i] : stage->size;

        if (!(size >= stage->size_min))
            size = stage->size_min;
        vertices[i].point_size = BASE_MIN(size, stage->size_max);
    }
}

static void store(const struct hal_vertex_stage *stage, const struct shader_vertex_batch *batch, unsigned count,
                  struct hal_vertex *vertices, struct raster_vertex *projected)
{
    if (!stage->transformed)
        store_register(batch->output[stage->position], count, vertices->position, sizeof(*vertices));
    if (stage->user_planes && stage->plane_distance >= 0)
        store_distances(stage, batch, count, vertices);
    else if (stage->user_planes)
        compute_distances(stage, batch->output[stage->position], count, vertices);
    for (unsigned i = 0; i < stage->output_count; i++)
        store_attribute(&stage->output[i], batch, count, projected);
    if (stage->points)
        store_sizes(stage, batch, count, vertices);
}

/* --- running ------------------------------------------------------------------------------------------ */

void hal_vertex_stage_run(const struct hal_vertex_stage *stage, struct shader_vertex_batch *batch,
                          const struct hal_span *span, const struct hal_source *source, struct hal_vertex *vertices,
                          struct raster_vertex *projected)
{
    hal_span_assert(span, source);
    if (stage->execute) {
        fetch(stage, batch, span, source);
        batch->count = span->padded;
        if (stage->supply)
            stage->supply(stage->producer, batch);
        stage->execute(stage->binding, batch);
        store(stage, batch, span->padded, vertices, projected);
    }
    if (stage->transformed)
        hal_copy(source, HAL_POSITION, span, vertices->position, sizeof(*vertices));
    for (unsigned i = 0; i < stage->copy_count; i++)
        hal_copy(source, stage->copy[i].component, span, projected->input[stage->copy[i].slot], sizeof(*projected));
}
