/* SPDX-License-Identifier: MIT */
/* Bindings of a pipe: textures, streams, indices, shaders and targets, which are sent before a draw. */
#include "runtime/common/state/state_send.h"

#include "base/base.h"

#define STAGE_TEXTUREMAP 0 /* TSS number of the texture handle (DDI) */

void rt_pipe_bind_textures(struct rt_pipe *pipe)
{
    for (unsigned i = 0; i < RT_SAMPLERS && pipe->dirty_textures >> i; i++) {
        struct rt_resource *texture = pipe->state.texture[i];
        if (!(pipe->dirty_textures >> i & 1))
            continue;
        rt_send_stage_state(pipe, i, STAGE_TEXTUREMAP, texture ? pipe->ops->texture_handle(texture) : 0);
    }
    pipe->dirty_textures = 0;
}

void rt_set_texture(struct rt_pipe *pipe, unsigned stage, struct rt_resource *texture)
{
    if (pipe->state.texture[stage] == texture)
        return;
    rt_bind_resource(&pipe->state.texture[stage], texture);
    pipe->dirty_textures |= 1u << stage;
}

void rt_set_stream_source(struct rt_pipe *pipe, unsigned stream, struct rt_resource *buffer, uint32_t offset,
                          uint32_t stride)
{
    struct rt_stream *s = &pipe->state.stream[stream];

    if (s->buffer == buffer && s->stride == stride && s->offset == offset)
        return;
    rt_bind_resource(&s->buffer, buffer);
    s->stride = stride;
    s->offset = offset;
    pipe->dirty_streams |= 1u << stream;
}

void rt_set_stream(struct rt_pipe *pipe, unsigned stream, struct rt_resource *buffer, uint32_t stride)
{
    rt_set_stream_source(pipe, stream, buffer, 0, stride);
}

void rt_set_stream_frequency(struct rt_pipe *pipe, unsigned stream, uint32_t frequency)
{
    if (pipe->state.stream[stream].frequency == frequency)
        return;
    pipe->state.stream[stream].frequency = frequency;
    pipe->dirty_frequencies |= 1u << stream;
}

void rt_set_indices(struct rt_pipe *pipe, struct rt_resource *buffer, uint32_t base_vertex)
{
    pipe->state.base_vertex = base_vertex;
    if (pipe->state.indices == buffer)
        return;
    rt_bind_resource(&pipe->state.indices, buffer);
    pipe->dirty_indices = true;
}

void rt_set_vertex_shader(struct rt_pipe *pipe, uint32_t handle)
{
    if (pipe->state.vertex_shader == handle)
        return;
    pipe->state.vertex_shader = handle;
    pipe->dirty_vertex_shader = true;
}

void rt_set_pixel_shader(struct rt_pipe *pipe, uint32_t handle)
{
    if (pipe->state.pixel_shader == handle)
        return;
    pipe->state.pixel_shader = handle;
    pipe->dirty_pixel_shader = true;
}

void rt_set_declaration(struct rt_pipe *pipe, struct rt_resource *declaration)
{
    if (pipe->state.declaration == declaration)
        return;
    rt_bind_resource(&pipe->state.declaration, declaration);
    pipe->dirty_declaration = true;
}

void rt_set_vertex_function(struct rt_pipe *pipe, struct rt_resource *shader)
{
    if (pipe->state.vertex_function == shader)
        return;
    rt_bind_resource(&pipe->state.vertex_function, shader);
    pipe->dirty_vertex_shader = true;
}

void rt_set_pixel_function(struct rt_pipe *pipe, struct rt_resource *shader)
{
    if (pipe->state.pixel_function == shader)
        return;
    rt_bind_resource(&pipe->state.pixel_function, shader);
    pipe->dirty_pixel_shader = true;
}

static void set_target(struct rt_pipe *pipe, struct rt_target *target, unsigned bit, struct rt_chain *chain,
                       unsigned part)
{
    if (target->chain == chain && target->part == part)
        return;
    *target = (struct rt_target){chain, part};
    pipe->dirty_targets |= 1u << bit;
}

void rt_set_target(struct rt_pipe *pipe, unsigned index, struct rt_chain *chain, unsigned part)
{
    set_target(pipe, &pipe->state.target[index], index, chain, part);
}

void rt_set_depth(struct rt_pipe *pipe, struct rt_chain *chain, unsigned part)
{
    set_target(pipe, &pipe->state.depth, RT_TARGETS, chain, part);
}

static uint32_t target_handle(const struct rt_target *target)
{
    return target->chain ? rt_chain_handle(target->chain, target->part) : 0;
}

static void send_targets_together(struct rt_pipe *pipe)
{
    D3DHAL_DP2SETRENDERTARGET body = {target_handle(&pipe->state.target[0]), target_handle(&pipe->state.depth)};

    if (body.hRenderTarget)
        rt_put(pipe->link, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
}

static void send_targets_singly(struct rt_pipe *pipe)
{
    for (unsigned i = 0; i < RT_TARGETS; i++) {
        D3DHAL_DP2SETRENDERTARGET2 body = {i, target_handle(&pipe->state.target[i])};

        if (pipe->dirty_targets >> i & 1)
            rt_put(pipe->link, D3DDP2OP_SETRENDERTARGET2, 1, &body, sizeof(body));
    }
    if (pipe->dirty_targets >> RT_TARGETS & 1) {
        D3DHAL_DP2SETDEPTHSTENCIL body = {target_handle(&pipe->state.depth)};
        rt_put(pipe->link, D3DDP2OP_SETDEPTHSTENCIL, 1, &body, sizeof(body));
    }
}

void rt_pipe_bind_targets(struct rt_pipe *pipe)
{
    if (!pipe->dirty_targets)
        return;
    if (pipe->state.rules->sets_targets_singly)
        send_targets_singly(pipe);
    else
        send_targets_together(pipe);
    pipe->dirty_targets = 0;
}

static void send_stream(struct rt_pipe *pipe, unsigned index, const struct rt_stream *s, uint32_t handle)
{
    D3DHAL_DP2SETSTREAMSOURCE body = {index, handle, s->stride};

    rt_put(pipe->link, D3DDP2OP_SETSTREAMSOURCE, 1, &body, sizeof(body));
}

static void send_stream_with_offset(struct rt_pipe *pipe, unsigned index, const struct rt_stream *s, uint32_t handle)
{
    D3DHAL_DP2SETSTREAMSOURCE2 body = {index, handle, s->offset, s->stride};

    rt_put(pipe->link, D3DDP2OP_SETSTREAMSOURCE2, 1, &body, sizeof(body));
}

static void bind_streams(struct rt_pipe *pipe, uint32_t um_stride)
{
    if (um_stride) {
        D3DHAL_DP2SETSTREAMSOURCEUM um = {0, um_stride};
        if (pipe->um_stride != um_stride)
            rt_put(pipe->link, D3DDP2OP_SETSTREAMSOURCEUM, 1, &um, sizeof(um));
        pipe->um_stride = um_stride;
        pipe->dirty_streams |= 1;
    } else {
        pipe->um_stride = 0;
    }
    for (unsigned i = um_stride ? 1 : 0; i < RT_STREAMS && pipe->dirty_streams >> i; i++) {
        const struct rt_stream *s = &pipe->state.stream[i];
        uint32_t handle;

        if (!(pipe->dirty_streams >> i & 1))
            continue;
        handle = s->buffer ? pipe->ops->buffer_handle(s->buffer) : 0;
        if (pipe->state.rules->has_stream_offsets)
            send_stream_with_offset(pipe, i, s, handle);
        else
            send_stream(pipe, i, s, handle);
    }
    pipe->dirty_streams &= um_stride ? 1u : 0u;
}

static void send_frequency(struct rt_pipe *pipe, unsigned stream, uint32_t frequency)
{
    D3DHAL_DP2SETSTREAMSOURCEFREQ body = {stream, frequency};

    rt_put(pipe->link, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, &body, sizeof(body));
}

/* Draws from user memory ignore stream frequencies, so these are set again before the next draw from buffers. */
static void bind_frequencies(struct rt_pipe *pipe, bool user_memory)
{
    uint32_t special = 0;

    if (user_memory == pipe->plain_frequencies && !pipe->dirty_frequencies)
        return;
    for (unsigned i = 0; i < RT_STREAMS; i++)
        special |= pipe->state.stream[i].frequency != 1 ? 1u << i : 0;
    if (user_memory != pipe->plain_frequencies)
        pipe->dirty_frequencies |= special;
    for (unsigned i = 0; i < RT_STREAMS && pipe->dirty_frequencies >> i; i++)
        if (pipe->dirty_frequencies >> i & 1)
            send_frequency(pipe, i, user_memory ? 1 : pipe->state.stream[i].frequency);
    pipe->dirty_frequencies = 0;
    pipe->plain_frequencies = user_memory;
}

uint32_t rt_send_vertex_shader(struct rt_pipe *pipe, uint32_t handle)
{
    D3DHAL_DP2VERTEXSHADER body = {pipe->ops->vertex_shader(pipe->user, handle)};

    rt_put(pipe->link, D3DDP2OP_SETVERTEXSHADER, 1, &body, sizeof(body));
    pipe->sent_vertex_shader = body.dwHandle;
    return body.dwHandle;
}

uint32_t rt_send_pixel_shader(struct rt_pipe *pipe, uint32_t handle)
{
    D3DHAL_DP2PIXELSHADER body = {pipe->ops->pixel_shader(pipe->user, handle)};

    rt_put(pipe->link, D3DDP2OP_SETPIXELSHADER, 1, &body, sizeof(body));
    return body.dwHandle;
}

static void bind_shader_handles(struct rt_pipe *pipe)
{
    if (pipe->dirty_vertex_shader) {
        pipe->dirty_vertex_shader = false;
        /* Handle 0 unbinds the streams (docs/reference/device-state.md, section 3); send them again. */
        if (!rt_send_vertex_shader(pipe, pipe->state.vertex_shader)) {
            pipe->dirty_streams |= (1u << RT_STREAMS) - 1;
            pipe->um_stride = 0;
        }
    }
    if (pipe->dirty_pixel_shader) {
        pipe->dirty_pixel_shader = false;
        rt_send_pixel_shader(pipe, pipe->state.pixel_shader);
    }
}

void rt_send_object(struct rt_pipe *pipe, uint8_t token, struct rt_resource *object)
{
    D3DHAL_DP2VERTEXSHADER body = {object ? pipe->ops->object(object) : 0};

    rt_put(pipe->link, token, 1, &body, sizeof(body));
}

static void bind_shader_objects(struct rt_pipe *pipe)
{
    const struct rt_state *s = &pipe->state;

    if (pipe->dirty_declaration)
        rt_send_object(pipe, D3DDP2OP_SETVERTEXSHADERDECL, s->declaration);
    if (pipe->dirty_vertex_shader)
        rt_send_object(pipe, D3DDP2OP_SETVERTEXSHADERFUNC, s->vertex_function);
    if (pipe->dirty_pixel_shader)
        rt_send_object(pipe, D3DDP2OP_SETPIXELSHADER, s->pixel_function);
    pipe->dirty_declaration = pipe->dirty_vertex_shader = pipe->dirty_pixel_shader = false;
}

void rt_pipe_bind_shaders(struct rt_pipe *pipe)
{
    if (pipe->state.rules->shaders == RT_SHADERS_HANDLES)
        bind_shader_handles(pipe);
    else if (pipe->state.rules->shaders == RT_SHADERS_OBJECTS)
        bind_shader_objects(pipe);
}

void rt_pipe_bind(struct rt_pipe *pipe, uint32_t um_stride, uint32_t index_handle, uint32_t index_stride)
{
    if (pipe->dirty_targets)
        rt_pipe_bind_targets(pipe);
    if (pipe->dirty_declaration | pipe->dirty_vertex_shader | pipe->dirty_pixel_shader)
        rt_pipe_bind_shaders(pipe);
    if (pipe->dirty_textures)
        rt_pipe_bind_textures(pipe);
    if (pipe->dirty_streams || um_stride || pipe->um_stride)
        bind_streams(pipe, um_stride);
    if (pipe->state.rules->has_frequencies)
        bind_frequencies(pipe, um_stride != 0);
    if (index_handle) {
        D3DHAL_DP2SETINDICES body = {index_handle, index_stride};
        rt_put(pipe->link, D3DDP2OP_SETINDICES, 1, &body, sizeof(body));
        pipe->dirty_indices = true;
    }
}

/* --- all of them -------------------------------------------------------------------------- */

void rt_pipe_resend_textures(struct rt_pipe *pipe)
{
    pipe->dirty_textures = (1u << pipe->state.rules->samplers) - 1;
}

void rt_pipe_resend_bindings(struct rt_pipe *pipe)
{
    const struct rt_state_rules *rules = pipe->state.rules;

    rt_pipe_resend_textures(pipe);
    pipe->dirty_streams = (1u << rules->streams) - 1;
    pipe->dirty_indices = true;
    pipe->dirty_vertex_shader = pipe->dirty_pixel_shader = rules->shaders != RT_SHADERS_NONE;
    pipe->dirty_declaration = rules->shaders == RT_SHADERS_OBJECTS;
    pipe->um_stride = 0;
    if (rules->has_frequencies) {
        pipe->dirty_frequencies = (1u << rules->streams) - 1;
        pipe->plain_frequencies = false;
    }
    /* those that are set together are given to the context when it is made */
    if (rules->sets_targets_singly)
        pipe->dirty_targets = (1u << (RT_TARGETS + 1)) - 1;
}

void rt_pipe_unbind(struct rt_pipe *pipe)
{
    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        rt_set_texture(pipe, i, NULL);
    for (unsigned i = 0; i < RT_STREAMS; i++)
        rt_set_stream(pipe, i, NULL, 0);
    rt_set_indices(pipe, NULL, 0);
    rt_set_declaration(pipe, NULL);
    rt_set_vertex_function(pipe, NULL);
    rt_set_pixel_function(pipe, NULL);
    for (unsigned i = 0; i < RT_TARGETS; i++)
        rt_set_target(pipe, i, NULL, 0);
    rt_set_depth(pipe, NULL, 0);
}
