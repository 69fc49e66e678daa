/* SPDX-License-Identifier: MIT */
/* State blocks of a pure device, which the driver keeps, with the references that they hold. */
#include "runtime/common/state/pure_block.h"

#include "base/base.h"

struct rt_pure_block {
    uint32_t handle;
    uint32_t textures, streams, frequencies; /* the ones it holds */
    bool indices, palette, viewport, scissor, declaration, vertex_shader, pixel_shader;
    struct rt_resource *texture[RT_SAMPLERS];
    struct rt_stream stream[RT_STREAMS];
    struct rt_resource *index_buffer;
    uint32_t base_vertex, palette_number;
    uint32_t vertex_handle, pixel_handle;                                      /* the API's; RT_SHADERS_HANDLES */
    struct rt_resource *declaration_object, *vertex_function, *pixel_function; /* RT_SHADERS_OBJECTS */
    D3DVIEWPORT8 viewport_value;
    RECT scissor_value;
};

/* Shaders that wait for the next draw are sent first: the driver must know them when it captures, and may not get them after
 * the block has set others. */
static void put_state_set(struct rt_pipe *pipe, uint32_t operation, uint32_t handle, uint32_t type)
{
    D3DHAL_DP2STATESET body = {operation, handle, type};

    rt_pipe_bind_shaders(pipe);
    rt_put(pipe->link, D3DDP2OP_STATESET, 1, &body, sizeof(body));
}

/* --- what the runtime keeps ------------------------------------------------------------------ */

static void keep_recorded(struct rt_pure_block *block, const struct rt_state *state)
{
    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        if (block->textures >> i & 1)
            rt_bind_resource(&block->texture[i], state->texture[i]);
    for (unsigned i = 0; i < RT_STREAMS; i++) {
        if (block->frequencies >> i & 1)
            block->stream[i].frequency = state->stream[i].frequency;
        if (!(block->streams >> i & 1))
            continue;
        rt_bind_resource(&block->stream[i].buffer, state->stream[i].buffer);
        block->stream[i].stride = state->stream[i].stride;
    }
    if (block->indices) {
        rt_bind_resource(&block->index_buffer, state->indices);
        block->base_vertex = state->base_vertex;
    }
    if (block->palette)
        block->palette_number = state->palette;
    if (block->viewport)
        block->viewport_value = state->viewport;
    if (block->scissor)
        block->scissor_value = state->scissor;
    if (block->declaration)
        rt_bind_resource(&block->declaration_object, state->declaration);
    if (block->vertex_shader) {
        block->vertex_handle = state->vertex_shader;
        rt_bind_resource(&block->vertex_function, state->vertex_function);
    }
    if (block->pixel_shader) {
        block->pixel_handle = state->pixel_shader;
        rt_bind_resource(&block->pixel_function, state->pixel_function);
    }
}

/* Capturing leaves the offsets (stateblock.h). */
static void keep_offsets(struct rt_pure_block *block, const struct rt_state *state)
{
    for (unsigned i = 0; i < RT_STREAMS; i++)
        if (block->streams >> i & 1)
            block->stream[i].offset = state->stream[i].offset;
}

static void restore_shader_handles(const struct rt_pure_block *block, struct rt_pipe *pipe)
{
    if (block->pixel_shader)
        pipe->state.pixel_shader = block->pixel_handle;
    if (block->vertex_shader) {
        pipe->state.vertex_shader = block->vertex_handle;
        /* "No shader" unbinds the streams (docs/reference/device-state.md, section 3). */
        if (!pipe->ops->vertex_shader(pipe->user, block->vertex_handle)) {
            pipe->dirty_streams |= (1u << RT_STREAMS) - 1;
            pipe->um_stride = 0;
        }
    }
}

/* Sends the driver's current shaders once more: an invalid declaration must not stay. */
static void restore_shader_objects(const struct rt_pure_block *block, struct rt_pipe *pipe)
{
    if (block->declaration) {
        if (block->declaration_object)
            rt_bind_resource(&pipe->state.declaration, block->declaration_object);
        pipe->dirty_declaration = true;
    }
    if (block->vertex_shader) {
        rt_bind_resource(&pipe->state.vertex_function, block->vertex_function);
        pipe->dirty_vertex_shader = true;
    }
    if (block->pixel_shader) {
        rt_bind_resource(&pipe->state.pixel_function, block->pixel_function);
        pipe->dirty_pixel_shader = true;
    }
}

/* The driver has applied its part already. */
static void restore_kept(const struct rt_pure_block *block, struct rt_pipe *pipe)
{
    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        if (block->textures >> i & 1)
            rt_set_texture(pipe, i, block->texture[i]);
    for (unsigned i = 0; i < RT_STREAMS; i++) {
        const struct rt_stream *stream = &block->stream[i];

        if (block->streams >> i & 1)
            rt_set_stream_source(pipe, i, stream->buffer, stream->offset, stream->stride);
        if (block->frequencies >> i & 1)
            rt_set_stream_frequency(pipe, i, stream->frequency);
    }
    /* The driver's own block may hold what a draw from user memory needed. */
    pipe->dirty_frequencies |= block->frequencies;
    if (block->indices)
        rt_set_indices(pipe, block->index_buffer, block->base_vertex);
    if (block->palette)
        pipe->state.palette = block->palette_number;
    if (block->viewport)
        pipe->state.viewport = block->viewport_value;
    if (block->scissor)
        pipe->state.scissor = block->scissor_value;
    if (pipe->state.rules->shaders == RT_SHADERS_HANDLES)
        restore_shader_handles(block, pipe);
    else if (pipe->state.rules->shaders == RT_SHADERS_OBJECTS)
        restore_shader_objects(block, pipe);
}

/* --- life -------------------------------------------------------------------------------------- */

/* A driver may refuse another block: the refusal must not drop later commands of the batch. */
static struct rt_pure_block *check_created(struct rt_pipe *pipe, struct rt_pure_block *block)
{
    if (SUCCEEDED(rt_flush(pipe->link)))
        return block;
    rt_pure_block_destroy(block, pipe);
    return NULL;
}

static struct rt_pure_block *allocate(uint32_t handle)
{
    struct rt_pure_block *block = mem_calloc(1, sizeof(*block));

    if (block)
        block->handle = handle;
    return block;
}

struct rt_pure_block *rt_pure_block_create(struct rt_pipe *pipe, uint32_t handle, enum rt_block_type type)
{
    static const uint32_t types[] = {
        [RT_BLOCK_ALL] = D3DSBT_ALL, [RT_BLOCK_PIXEL] = D3DSBT_PIXELSTATE, [RT_BLOCK_VERTEX] = D3DSBT_VERTEXSTATE};
    const struct rt_state_rules *rules = pipe->state.rules;
    struct rt_pure_block *block = allocate(handle);

    if (!block)
        return NULL;
    if (type == RT_BLOCK_ALL) {
        block->textures = (1u << rules->samplers) - 1;
        block->streams = (1u << rules->streams) - 1;
        block->scissor = rules->has_scissor;
        block->indices = block->palette = block->viewport = true;
    }
    block->vertex_shader = rules->shaders != RT_SHADERS_NONE && type != RT_BLOCK_PIXEL;
    block->declaration = rules->shaders == RT_SHADERS_OBJECTS && type != RT_BLOCK_PIXEL;
    block->frequencies = rules->has_frequencies && type != RT_BLOCK_PIXEL ? (1u << rules->streams) - 1 : 0;
    block->pixel_shader = rules->shaders != RT_SHADERS_NONE && type != RT_BLOCK_VERTEX;
    keep_recorded(block, &pipe->state);
    keep_offsets(block, &pipe->state);
    rt_flush(pipe->link);
    put_state_set(pipe, D3DHAL_STATESETCREATE, handle, types[type]);
    return check_created(pipe, block);
}

struct rt_pure_block *rt_pure_block_record(struct rt_pipe *pipe, uint32_t handle, const struct rt_block *recorded)
{
    const struct rt_state_mask *mask = &recorded->mask;
    struct rt_pure_block *block = allocate(handle);

    if (!block)
        return NULL;
    block->textures = mask->textures;
    block->streams = mask->streams;
    block->frequencies = mask->frequencies;
    block->scissor = mask->scissor;
    block->declaration = mask->declaration;
    block->indices = mask->indices;
    block->palette = mask->palette;
    block->viewport = mask->viewport;
    block->vertex_shader = mask->vertex_shader;
    block->pixel_shader = mask->pixel_shader;
    keep_recorded(block, &recorded->state);
    keep_offsets(block, &recorded->state);
    /* Everything sent between BEGIN and END belongs to the block: pending bindings and the creation of lights must
     * not get in there. */
    if (pipe->dirty_textures)
        rt_pipe_bind_textures(pipe);
    for (unsigned i = 0; i < recorded->state.light_count; i++)
        if (!rt_create_light(pipe, recorded->state.lights[i].index))
            goto fail;
    rt_flush(pipe->link);
    put_state_set(pipe, D3DHAL_STATESETBEGIN, handle, 0);
    rt_block_send(recorded, pipe);
    put_state_set(pipe, D3DHAL_STATESETEND, handle, 0);
    return check_created(pipe, block);
fail:
    rt_pure_block_destroy(block, NULL);
    return NULL;
}

void rt_pure_block_capture(struct rt_pure_block *block, struct rt_pipe *pipe)
{
    put_state_set(pipe, D3DHAL_STATESETCAPTURE, block->handle, 0);
    keep_recorded(block, &pipe->state);
}

void rt_pure_block_apply(const struct rt_pure_block *block, struct rt_pipe *pipe)
{
    put_state_set(pipe, D3DHAL_STATESETEXECUTE, block->handle, 0);
    restore_kept(block, pipe);
}

uint32_t rt_pure_block_vertex_shader(const struct rt_pure_block *block)
{
    return block->vertex_shader ? block->vertex_handle : 0;
}

void rt_pure_block_destroy(struct rt_pure_block *block, struct rt_pipe *pipe)
{
    if (pipe)
        put_state_set(pipe, D3DHAL_STATESETDELETE, block->handle, 0);
    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        rt_bind_resource(&block->texture[i], NULL);
    for (unsigned i = 0; i < RT_STREAMS; i++)
        rt_bind_resource(&block->stream[i].buffer, NULL);
    rt_bind_resource(&block->index_buffer, NULL);
    rt_bind_resource(&block->declaration_object, NULL);
    rt_bind_resource(&block->vertex_function, NULL);
    rt_bind_resource(&block->pixel_function, NULL);
    free(block);
}
