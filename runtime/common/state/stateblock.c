/* SPDX-License-Identifier: MIT */
#include "runtime/common/state/stateblock.h"

#include "base/base.h"
#include "d3d/states.h"

/* The states of predefined blocks (docs/reference/device-state.md, section 8), as the API's blocks have them. */
struct block_state {
    uint8_t state, blocks; /* enum d3d_block */
};

static const struct block_state render_states[] = {
#define RENDER_STATE(number, name, level, value, kind, group, blocks) {number, D3D_BLOCK_##blocks},
#include "d3d/states.def"
};
static const struct block_state stage_states[] = {
#define STAGE_STATE(number, name, level, value, kind, group, blocks) {number, D3D_BLOCK_##blocks},
#include "d3d/states.def"
};

static void mask_states(struct rt_state_mask *mask, enum d3d_block block)
{
    uint32_t stage = 0;

    for (size_t i = 0; i < ARRAY_COUNT(render_states); i++)
        if (render_states[i].blocks & block)
            rt_mask_set(mask->render, render_states[i].state);
    for (size_t i = 0; i < ARRAY_COUNT(stage_states); i++)
        if (stage_states[i].blocks & block)
            stage |= 1u << stage_states[i].state;
    for (unsigned i = 0; i < RT_STAGES; i++)
        mask->stage[i] |= stage;
}

static void mask_vertex(struct rt_state_mask *mask)
{
    mask_states(mask, D3D_BLOCK_VERTEX);
    memset(mask->vs_constant, 0xff, sizeof(mask->vs_constant));
    mask->vertex_shader = true;
    mask->lights = true;
}

static void mask_pixel(struct rt_state_mask *mask)
{
    mask_states(mask, D3D_BLOCK_PIXEL);
    memset(mask->ps_constant, 0xff, sizeof(mask->ps_constant));
    mask->pixel_shader = true;
}

static void mask_all(struct rt_state_mask *mask)
{
    mask_vertex(mask);
    mask_pixel(mask);
    memset(mask->transform, 0xff, sizeof(mask->transform));
    mask->planes = (1u << RT_CLIP_PLANES) - 1;
    mask->textures = (1u << RT_STAGES) - 1;
    mask->streams = (1u << RT_STREAMS) - 1;
    mask->viewport = mask->material = mask->indices = mask->palette = true;
}

struct rt_block *rt_block_create(enum rt_block_type type, const struct rt_state *state)
{
    struct rt_block *block = mem_calloc(1, sizeof(*block));

    if (!block)
        return NULL;
    if (type == RT_BLOCK_ALL)
        mask_all(&block->mask);
    else if (type == RT_BLOCK_VERTEX)
        mask_vertex(&block->mask);
    else if (type == RT_BLOCK_PIXEL)
        mask_pixel(&block->mask);
    /* A predefined block knows the lights that exist when it is made. */
    if (block->mask.lights) {
        for (unsigned i = 0; i < state->light_count; i++)
            if (!rt_light_make(&block->state, state->lights[i].index))
                goto fail;
    }
    if (type != RT_BLOCK_RECORDED && !rt_block_capture(block, state))
        goto fail;
    return block;
fail:
    rt_block_destroy(block);
    return NULL;
}

void rt_block_destroy(struct rt_block *block)
{
    rt_state_release(&block->state);
    free(block);
}

static void copy_masked(void *to, const void *from, size_t size, const uint32_t *mask, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!mask[i / 32]) {
            i |= 31;
            continue;
        }
        if (rt_mask_test(mask, i))
            memcpy((uint8_t *)to + i * size, (const uint8_t *)from + i * size, size);
    }
}

static void capture_bindings(struct rt_block *block, const struct rt_state *state)
{
    const struct rt_state_mask *mask = &block->mask;

    for (unsigned i = 0; i < RT_STAGES; i++)
        if (mask->textures >> i & 1)
            rt_bind_resource(&block->state.texture[i], state->texture[i]);
    for (unsigned i = 0; i < RT_STREAMS; i++) {
        if (!(mask->streams >> i & 1))
            continue;
        rt_bind_resource(&block->state.stream[i].buffer, state->stream[i].buffer);
        block->state.stream[i].stride = state->stream[i].stride;
    }
    if (mask->indices) {
        rt_bind_resource(&block->state.indices, state->indices);
        block->state.base_vertex = state->base_vertex;
    }
}

bool rt_block_capture(struct rt_block *block, const struct rt_state *state)
{
    const struct rt_state_mask *mask = &block->mask;
    struct rt_state *to = &block->state;

    copy_masked(to->render, state->render, 4, mask->render, RT_RENDER_STATES);
    for (unsigned i = 0; i < RT_STAGES; i++)
        copy_masked(to->stage[i], state->stage[i], 4, &mask->stage[i], RT_STAGE_STATES);
    copy_masked(to->transform, state->transform, sizeof(D3DMATRIX), mask->transform, RT_TRANSFORMS);
    copy_masked(to->plane, state->plane, 16, &mask->planes, RT_CLIP_PLANES);
    copy_masked(to->vs_constant, state->vs_constant, 16, mask->vs_constant, RT_VS_CONSTANTS);
    copy_masked(to->ps_constant, state->ps_constant, 16, mask->ps_constant, RT_PS_CONSTANTS);
    if (mask->viewport)
        to->viewport = state->viewport;
    if (mask->material)
        to->material = state->material;
    if (mask->vertex_shader)
        to->vertex_shader = state->vertex_shader;
    if (mask->pixel_shader)
        to->pixel_shader = state->pixel_shader;
    if (mask->palette)
        to->palette = state->palette;
    for (unsigned i = 0; i < to->light_count; i++) {
        const struct rt_light *light = rt_light_find(state, to->lights[i].index);
        if (light)
            to->lights[i] = *light;
    }
    capture_bindings(block, state);
    return true;
}

static void apply_values(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state_mask *mask = &block->mask;
    const struct rt_state *from = &block->state;

    for (unsigned i = 0; i < RT_RENDER_STATES; i++)
        if (rt_mask_test(mask->render, i))
            rt_set_render_state(pipe, i, from->render[i]);
    for (unsigned i = 0; i < RT_STAGES; i++) {
        for (unsigned k = 0; k < RT_STAGE_STATES && mask->stage[i] >> k; k++)
            if (mask->stage[i] >> k & 1)
                rt_set_stage_state(pipe, i, k, from->stage[i][k]);
    }
    for (unsigned i = 0; i < RT_TRANSFORMS; i++)
        if (rt_mask_test(mask->transform, i))
            rt_set_transform(pipe, (int)i, &from->transform[i]);
    for (unsigned i = 0; i < RT_CLIP_PLANES; i++)
        if (mask->planes >> i & 1)
            rt_set_clip_plane(pipe, i, from->plane[i]);
    if (mask->material)
        rt_set_material(pipe, &from->material);
}

static void apply_bindings(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state_mask *mask = &block->mask;
    const struct rt_state *from = &block->state;

    for (unsigned i = 0; i < RT_STAGES; i++)
        if (mask->textures >> i & 1)
            rt_set_texture(pipe, i, from->texture[i]);
    for (unsigned i = 0; i < RT_STREAMS; i++)
        if (mask->streams >> i & 1)
            rt_set_stream(pipe, i, from->stream[i].buffer, from->stream[i].stride);
    if (mask->indices)
        rt_set_indices(pipe, from->indices, from->base_vertex);
    if (mask->vertex_shader)
        rt_set_vertex_shader(pipe, from->vertex_shader);
    if (mask->pixel_shader)
        rt_set_pixel_shader(pipe, from->pixel_shader);
    if (mask->palette)
        pipe->state.palette = from->palette;
}

static void apply_constants(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state *from = &block->state;

    for (unsigned i = 0; i < RT_VS_CONSTANTS; i++)
        if (rt_mask_test(block->mask.vs_constant, i) && memcmp(from->vs_constant[i], pipe->state.vs_constant[i], 16))
            rt_set_vs_constants(pipe, i, 1, from->vs_constant[i]);
    for (unsigned i = 0; i < RT_PS_CONSTANTS; i++)
        if (rt_mask_test(block->mask.ps_constant, i) && memcmp(from->ps_constant[i], pipe->state.ps_constant[i], 16))
            rt_set_ps_constants(pipe, i, 1, from->ps_constant[i]);
}

bool rt_block_apply(const struct rt_block *block, struct rt_pipe *pipe)
{
    bool ok = true;

    apply_values(block, pipe);
    if (block->mask.viewport)
        rt_set_viewport(pipe, &block->state.viewport);
    apply_bindings(block, pipe);
    apply_constants(block, pipe);
    for (unsigned i = 0; i < block->state.light_count; i++) {
        const struct rt_light *light = &block->state.lights[i];
        ok &= rt_set_light(pipe, light->index, &light->light);
        ok &= rt_enable_light(pipe, light->index, light->enabled);
    }
    return ok;
}

/* --- for the driver to keep ------------------------------------------------------------- */

/* Registers that stand beside each other go together. */
static void send_constants(struct rt_pipe *pipe, const uint32_t *mask, unsigned limit, const float (*values)[4],
                           void (*set)(struct rt_pipe *, unsigned, unsigned, const float *))
{
    for (unsigned i = 0; i < limit; i++) {
        unsigned first = i;
        while (i < limit && rt_mask_test(mask, i))
            i++;
        if (i > first)
            set(pipe, first, i - first, values[first]);
    }
}

/* The shaders come before the constants: setting one sets those that it defines. */
void rt_block_send(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state_mask *mask = &block->mask;
    const struct rt_state *from = &block->state;

    apply_values(block, pipe);
    if (mask->viewport)
        rt_send_viewport(pipe, &from->viewport);
    if (mask->vertex_shader)
        rt_send_vertex_shader(pipe, from->vertex_shader);
    if (mask->pixel_shader)
        rt_send_pixel_shader(pipe, from->pixel_shader);
    send_constants(pipe, mask->vs_constant, RT_VS_CONSTANTS, from->vs_constant, rt_set_vs_constants);
    send_constants(pipe, mask->ps_constant, RT_PS_CONSTANTS, from->ps_constant, rt_set_ps_constants);
    for (unsigned i = 0; i < from->light_count; i++) {
        rt_set_light(pipe, from->lights[i].index, &from->lights[i].light);
        rt_enable_light(pipe, from->lights[i].index, from->lights[i].enabled);
    }
}
