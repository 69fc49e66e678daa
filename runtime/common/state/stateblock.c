/* SPDX-License-Identifier: MIT */
/* State blocks that the runtime keeps: which states they hold, Capture and Apply. */
#include "runtime/common/state/stateblock.h"

#include "base/base.h"
#include "d3d/states.h"
#include "runtime/common/state/constants.h"
#include "runtime/common/state/state_send.h"

/* The states of predefined blocks (docs/reference/device-state.md, section 8), as the API's blocks have them. */
struct block_state {
    uint8_t state, blocks[RT_BLOCK_COLUMNS]; /* enum d3d_block */
};

static const struct block_state render_states[] = {
#define RENDER_STATE(number, name, level, value, kind, group, blocks, blocks9) \
    {number, {D3D_BLOCK_##blocks, D3D_BLOCK_##blocks9}},
#include "d3d/states.def"
};
static const struct block_state stage_states[] = {
#define STAGE_STATE(number, name, level, value, kind, group, blocks, blocks9) \
    {number, {D3D_BLOCK_##blocks, D3D_BLOCK_##blocks9}},
#include "d3d/states.def"
};

static void mask_states(struct rt_state_mask *mask, const struct rt_state_rules *rules, enum d3d_block block)
{
    const unsigned column = rules->block_column;
    uint64_t stage = 0, sampler = 0;

    for (size_t i = 0; i < ARRAY_COUNT(render_states); i++)
        if (render_states[i].blocks[column] & block)
            rt_mask_set(mask->render, render_states[i].state);
    for (size_t i = 0; i < ARRAY_COUNT(stage_states); i++)
        if (stage_states[i].blocks[column] & block)
            stage |= UINT64_C(1) << stage_states[i].state;
    for (unsigned i = 0; i < RT_STAGES; i++)
        mask->stage[i] |= stage;
    /* samplers beyond the stages have only sampler states */
    for (unsigned i = 1; rt_sampler_state(i); i++)
        sampler |= UINT64_C(1) << rt_sampler_state(i);
    for (unsigned i = RT_STAGES; i < rules->samplers; i++)
        mask->stage[i] |= stage & sampler;
}

static void mask_banks(struct rt_state_mask *mask, const struct rt_state_rules *rules, enum rt_bank floats)
{
    /* integers and booleans follow */
    for (enum rt_bank bank = floats; bank < floats + 3; bank++)
        for (unsigned i = 0; rules->banks >> bank & 1 && i < rt_mask_limit(bank); i++)
            rt_mask_set(rt_constant_mask(mask, bank), i);
}

static void mask_vertex(struct rt_state_mask *mask, const struct rt_state_rules *rules)
{
    mask_states(mask, rules, D3D_BLOCK_VERTEX);
    mask_banks(mask, rules, RT_VS_FLOAT);
    mask->vertex_shader = rules->shaders != RT_SHADERS_NONE;
    mask->declaration = rules->shaders == RT_SHADERS_OBJECTS;
    mask->frequencies = rules->has_frequencies ? (1u << rules->streams) - 1 : 0;
    mask->lights = true;
}

static void mask_pixel(struct rt_state_mask *mask, const struct rt_state_rules *rules)
{
    mask_states(mask, rules, D3D_BLOCK_PIXEL);
    mask_banks(mask, rules, RT_PS_FLOAT);
    mask->pixel_shader = rules->shaders != RT_SHADERS_NONE;
}

static void mask_all(struct rt_state_mask *mask, const struct rt_state_rules *rules)
{
    mask_vertex(mask, rules);
    mask_pixel(mask, rules);
    memset(mask->transform, 0xff, sizeof(mask->transform));
    mask->planes = (1u << RT_CLIP_PLANES) - 1;
    mask->textures = (1u << rules->samplers) - 1;
    mask->streams = (1u << rules->streams) - 1;
    mask->scissor = rules->has_scissor;
    mask->viewport = mask->material = mask->indices = mask->palette = true;
}

/* Room for as many registers as the device has. */
static bool init_block_state(struct rt_state *to, const struct rt_state *state)
{
    to->rules = state->rules;
    if (!state->vs_software)
        return true;
    to->vs_software = mem_calloc(RT_SOFTWARE_CONSTANTS - RT_VS_CONSTANTS, sizeof(*to->vs_software));
    return to->vs_software != NULL;
}

/* Stream offsets are captured only when a predefined block is made. */
static void capture_offsets(struct rt_state *to, const struct rt_state *state, uint32_t streams)
{
    for (unsigned i = 0; i < RT_STREAMS; i++)
        if (streams >> i & 1)
            to->stream[i].offset = state->stream[i].offset;
}

struct rt_block *rt_block_create(enum rt_block_type type, const struct rt_state *state)
{
    struct rt_block *block = mem_calloc(1, sizeof(*block));

    if (!block)
        return NULL;
    if (!init_block_state(&block->state, state))
        goto fail;
    if (type == RT_BLOCK_ALL)
        mask_all(&block->mask, state->rules);
    else if (type == RT_BLOCK_VERTEX)
        mask_vertex(&block->mask, state->rules);
    else if (type == RT_BLOCK_PIXEL)
        mask_pixel(&block->mask, state->rules);
    capture_offsets(&block->state, state, block->mask.streams);
    /* A predefined block holds the lights that exist when it is made. */
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

    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        if (mask->textures >> i & 1)
            rt_bind_resource(&block->state.texture[i], state->texture[i]);
    for (unsigned i = 0; i < RT_STREAMS; i++) {
        if (mask->frequencies >> i & 1)
            block->state.stream[i].frequency = state->stream[i].frequency;
        if (!(mask->streams >> i & 1))
            continue;
        rt_bind_resource(&block->state.stream[i].buffer, state->stream[i].buffer);
        block->state.stream[i].stride = state->stream[i].stride;
    }
    if (mask->indices) {
        rt_bind_resource(&block->state.indices, state->indices);
        block->state.base_vertex = state->base_vertex;
    }
    if (mask->declaration)
        rt_bind_resource(&block->state.declaration, state->declaration);
    if (mask->vertex_shader) {
        block->state.vertex_shader = state->vertex_shader;
        rt_bind_resource(&block->state.vertex_function, state->vertex_function);
    }
    if (mask->pixel_shader) {
        block->state.pixel_shader = state->pixel_shader;
        rt_bind_resource(&block->state.pixel_function, state->pixel_function);
    }
}

static void capture_stage_states(struct rt_block *block, const struct rt_state *state)
{
    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        for (unsigned k = 0; k < RT_STAGE_STATES && block->mask.stage[i] >> k; k++)
            if (block->mask.stage[i] >> k & 1)
                block->state.stage[i][k] = state->stage[i][k];
}

/* Registers that both states have: a block made after a Reset without memory lacks those of software processing, and
 * so does the device until the next Reset. */
static unsigned shared_limit(const struct rt_state *a, const struct rt_state *b, enum rt_bank bank)
{
    return BASE_MIN(rt_constant_limit(a, bank), rt_constant_limit(b, bank));
}

static void capture_constants(struct rt_block *block, const struct rt_state *state)
{
    for (enum rt_bank bank = 0; bank < RT_BANKS; bank++) {
        const uint32_t *mask = rt_constant_mask_of(&block->mask, bank);
        const unsigned limit = shared_limit(&block->state, state, bank);

        for (unsigned i = 0; i < limit; i++) {
            unsigned first = i;
            while (i < limit && rt_mask_test(mask, i))
                i++;
            if (i > first)
                rt_copy_constants(&block->state, state, bank, first, i - first);
        }
    }
}

bool rt_block_capture(struct rt_block *block, const struct rt_state *state)
{
    const struct rt_state_mask *mask = &block->mask;
    struct rt_state *to = &block->state;

    copy_masked(to->render, state->render, 4, mask->render, RT_RENDER_STATES);
    capture_stage_states(block, state);
    copy_masked(to->transform, state->transform, sizeof(D3DMATRIX), mask->transform, RT_TRANSFORMS);
    copy_masked(to->plane, state->plane, 16, &mask->planes, RT_CLIP_PLANES);
    capture_constants(block, state);
    if (mask->viewport)
        to->viewport = state->viewport;
    if (mask->scissor)
        to->scissor = state->scissor;
    if (mask->material)
        to->material = state->material;
    if (mask->palette)
        to->palette = state->palette;
    for (unsigned i = 0; i < to->light_count; i++) {
        const struct rt_light *light = rt_light_find(state, to->lights[i].index);
        if (light)
            to->lights[i] = *light;
        else
            rt_light_default(&to->lights[i], to->lights[i].index);
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
    for (unsigned i = 0; i < RT_SAMPLERS; i++) {
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

static void apply_shaders(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state *from = &block->state;

    if (block->mask.declaration && from->declaration)
        rt_set_declaration(pipe, from->declaration);
    if (block->mask.vertex_shader) {
        rt_set_vertex_shader(pipe, from->vertex_shader);
        rt_set_vertex_function(pipe, from->vertex_function);
    }
    if (block->mask.pixel_shader) {
        rt_set_pixel_shader(pipe, from->pixel_shader);
        rt_set_pixel_function(pipe, from->pixel_function);
    }
}

static void apply_bindings(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state_mask *mask = &block->mask;
    const struct rt_state *from = &block->state;

    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        if (mask->textures >> i & 1)
            rt_set_texture(pipe, i, from->texture[i]);
    for (unsigned i = 0; i < RT_STREAMS; i++) {
        const struct rt_stream *s = &from->stream[i];

        if (mask->streams >> i & 1)
            rt_set_stream_source(pipe, i, s->buffer, s->offset, s->stride);
        if (mask->frequencies >> i & 1)
            rt_set_stream_frequency(pipe, i, s->frequency);
    }
    if (mask->indices)
        rt_set_indices(pipe, from->indices, from->base_vertex);
    apply_shaders(block, pipe);
    if (mask->palette)
        pipe->state.palette = from->palette;
}

static bool differs(const struct rt_block *block, const struct rt_state *now, enum rt_bank bank, unsigned index)
{
    return memcmp(rt_constant(&block->state, bank, index), rt_constant(now, bank, index), rt_constant_bytes(bank)) != 0;
}

/* Consecutive registers go in one command where the API has many of them. */
static void apply_constants(const struct rt_block *block, struct rt_pipe *pipe)
{
    for (enum rt_bank bank = 0; bank < RT_BANKS; bank++) {
        const uint32_t *mask = rt_constant_mask_of(&block->mask, bank);
        const unsigned limit = shared_limit(&block->state, &pipe->state, bank);

        for (unsigned i = 0; i < limit;) {
            const unsigned most = pipe->state.rules->joins_registers ? limit : i + 1;
            unsigned end = i;

            if (!mask[i / 32]) {
                i = (i | 31) + 1;
                continue;
            }
            while (end < most && rt_mask_test(mask, end) && differs(block, &pipe->state, bank, end))
                end++;
            if (end > i)
                rt_set_constants_from(pipe, &block->state, bank, i, end - i);
            i = BASE_MAX(end, i + 1);
        }
    }
}

bool rt_block_apply(const struct rt_block *block, struct rt_pipe *pipe)
{
    bool ok = true;

    apply_values(block, pipe);
    if (block->mask.viewport)
        rt_set_viewport(pipe, &block->state.viewport);
    if (block->mask.scissor)
        rt_set_scissor(pipe, &block->state.scissor);
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

/* Consecutive registers go in one command. */
static void send_constants(const struct rt_block *block, struct rt_pipe *pipe, enum rt_bank bank)
{
    const uint32_t *mask = rt_constant_mask_of(&block->mask, bank);
    const unsigned limit = shared_limit(&block->state, &pipe->state, bank);

    for (unsigned i = 0; i < limit; i++) {
        unsigned first = i;
        while (i < limit && rt_mask_test(mask, i))
            i++;
        if (i > first)
            rt_set_constants_from(pipe, &block->state, bank, first, i - first);
    }
}

static void send_shaders(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state *from = &block->state;

    if (from->rules->shaders == RT_SHADERS_NONE)
        return;
    if (from->rules->shaders == RT_SHADERS_HANDLES) {
        if (block->mask.vertex_shader)
            rt_send_vertex_shader(pipe, from->vertex_shader);
        if (block->mask.pixel_shader)
            rt_send_pixel_shader(pipe, from->pixel_shader);
        return;
    }
    if (block->mask.declaration && from->declaration)
        rt_send_object(pipe, D3DDP2OP_SETVERTEXSHADERDECL, from->declaration);
    if (block->mask.vertex_shader)
        rt_send_object(pipe, D3DDP2OP_SETVERTEXSHADERFUNC, from->vertex_function);
    if (block->mask.pixel_shader)
        rt_send_object(pipe, D3DDP2OP_SETPIXELSHADER, from->pixel_function);
}

/* Shaders come before constants: setting a shader sets the constants that it defines. */
void rt_block_send(const struct rt_block *block, struct rt_pipe *pipe)
{
    const struct rt_state_mask *mask = &block->mask;
    const struct rt_state *from = &block->state;

    apply_values(block, pipe);
    if (mask->viewport)
        rt_send_viewport(pipe, &from->viewport);
    if (mask->scissor)
        rt_send_scissor(pipe, &from->scissor);
    send_shaders(block, pipe);
    for (enum rt_bank bank = 0; bank < RT_BANKS; bank++)
        send_constants(block, pipe, bank);
    for (unsigned i = 0; i < from->light_count; i++) {
        rt_set_light(pipe, from->lights[i].index, &from->lights[i].light);
        rt_enable_light(pipe, from->lights[i].index, from->lights[i].enabled);
    }
}
