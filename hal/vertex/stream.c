/* SPDX-License-Identifier: MIT */
/* The streams of a draw: their layout, and which vertices lie inside the untrusted memory. */
#include "hal/vertex/stream.h"

#include "base/base.h"
#include "hal/handles.h"
#include "base/map.h"
#include "hal/resource/buffer.h"
#include "hal/resources.h"
#include "hal/state/dirty.h"
#include "hal/state/shaders.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/front_end.h"
#include "shader/shader.h"

/* --- binding ------------------------------------------------------------------------ */

/* The vertices that one stream has. */
struct stream_range {
    int64_t first, end; /* vertices that are completely inside */
    int64_t count;      /* vertices from here on have no byte in it */
};

/* bytes: read of one vertex. */
static struct stream_range readable_range(const struct hal_stream_memory *buffer, uint32_t bytes)
{
    const int64_t stride = buffer->stride;
    const int64_t room = (int64_t)buffer->bytes - bytes; /* last start that fits */
    struct stream_range range = {0, 0, 0};

    if (stride == 0 || buffer->period) {
        const int64_t last = buffer->period ? (buffer->period - 1) * stride : 0;

        if (buffer->offset >= 0 && buffer->offset + last <= room)
            range.end = HAL_MAX_SOURCE_VERTICES;
        range.count = buffer->period ? HAL_MAX_SOURCE_VERTICES : 0;
        return range; /* dividers change nothing */
    }
    if (buffer->offset < 0)
        range.first = (-buffer->offset + stride - 1) / stride;
    if (buffer->offset <= room)
        range.end = (room - buffer->offset) / stride + 1;
    range.count = range.end + bytes; /* enough, because each vertex begins at least a byte after the one before */
    if (buffer->divider > 1) {
        range.first *= buffer->divider;
        range.end *= buffer->divider;
        range.count *= buffer->divider;
    }
    return range;
}

/* Unbound streams read as endless zeros. */
static void bind_range(struct hal_source *source, const struct hal_layout *layout,
                       const struct hal_stream_memory *buffers)
{
    int64_t first = 0, end = HAL_MAX_SOURCE_VERTICES, count = 0;

    source->period = 0;
    for (uint32_t left = layout->streams; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);

        if (buffers[i].data) {
            const struct stream_range range = readable_range(&buffers[i], layout->stream_bytes[i]);

            source->period |= buffers[i].period; /* all have the same */
            first = BASE_MAX(first, range.first);
            end = BASE_MIN(end, range.end);
            count = BASE_MAX(count, range.count);
        }
    }
    source->count = (uint32_t)BASE_MIN(count + 1, (int64_t)HAL_MAX_SOURCE_VERTICES);
    source->whole_first = (uint32_t)BASE_MIN(first, end);
    source->whole_end = (uint32_t)end;
}

static struct hal_source_element bind_element(const struct hal_stream_memory *buffer, unsigned type, uint32_t offset)
{
    static const uint8_t zeros[16];
    struct hal_source_element element = {.data = zeros, .type = (uint8_t)type, .memory = zeros, .bytes = sizeof(zeros)};

    if (!buffer->data)
        return element;
    element.stride = buffer->stride;
    element.divider = buffer->period ? 1 : buffer->divider;
    element.period = buffer->period;
    element.memory = buffer->data;
    element.bytes = buffer->bytes;
    element.at = buffer->offset + offset;
    /* A number, not a pointer, because it may lie outside the memory. */
    element.data = (const uint8_t *)((uintptr_t)buffer->data + (uintptr_t)element.at);
    return element;
}

void hal_source_bind(struct hal_source *source, const struct hal_layout *layout,
                     const struct hal_stream_memory buffers[HAL_MAX_STREAMS])
{
    bind_range(source, layout, buffers);
    source->components = layout->components;
    source->named = layout->named_count;
    for (uint32_t left = layout->components; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);

        source->element[i] =
            bind_element(&buffers[layout->component[i].stream], layout->component[i].type, layout->component[i].offset);
    }
    for (unsigned i = 0; i < layout->named_count; i++) {
        const struct hal_named_element *named = &layout->named[i];

        source->element[HAL_FIRST_NAMED + i] = bind_element(&buffers[named->stream], named->type, named->offset);
    }
}

uint64_t hal_layout_reach(const struct hal_layout *layout, const struct hal_stream_memory buffers[HAL_MAX_STREAMS])
{
    uint64_t end = 0;
    bool ends = false;

    for (uint32_t left = layout->streams; left; left &= left - 1) {
        const struct hal_stream_memory *buffer = &buffers[__builtin_ctz(left)];
        const int64_t room = (int64_t)buffer->bytes - buffer->offset;

        if (!buffer->data || buffer->stride == 0)
            continue;
        ends = true;
        if (room > 0)
            end = BASE_MAX(end, ((uint64_t)room + buffer->stride - 1) / buffer->stride * BASE_MAX(buffer->divider, 1u));
    }
    return ends ? end : UINT64_MAX;
}

void hal_stream_find_memory(const struct hal_state *state, const struct hal_resources *resources, unsigned stream,
                            struct hal_stream_memory *buffer)
{
    const struct hal_stream *s = &state->stream[stream];

    *buffer = (struct hal_stream_memory){.stride = s->stride, .offset = s->offset};
    if (state->stream[0].user_memory) {
        if (stream == 0 && resources->user.memory) {
            buffer->data = resources->user.memory;
            buffer->bytes = resources->user.bytes;
            buffer->offset = 0;
        }
        return;
    }
    const struct hal_buffer *named = hal_buffer_of(resources, s->handle);

    if (named && named->base.memory) {
        buffer->data = named->base.memory;
        buffer->bytes = named->base.bytes;
    }
}

static void find_named(struct hal_named_shaders *named, const struct hal_state *state,
                       const struct hal_shaders *shaders)
{
    const bool is_handle = state->vertex_shader & 1;

    *named = (struct hal_named_shaders){.changes = shaders->changes,
                                        .shader = state->vertex_shader,
                                        .function = state->vertex_function,
                                        .is_declaration = state->is_declaration};
    if (is_handle)
        named->declaration = hal_current_declaration(state, shaders);
    if (state->vertex_function && (state->is_declaration || !is_handle))
        named->program = base_map_get(&shaders->vertex_functions, state->vertex_function);
    else
        named->program = named->declaration;
}

static inline const struct hal_named_shaders *named_shaders(struct hal_front *front, const struct hal_state *state,
                                                            const struct hal_shaders *shaders)
{
    struct hal_named_shaders *named = &front->named;

    if (named->changes != shaders->changes || named->shader != state->vertex_shader ||
        named->function != state->vertex_function || named->is_declaration != state->is_declaration)
        find_named(named, state, shaders);
    return named;
}

const struct hal_layout *hal_stream_layout(struct hal_front *front, const struct hal_state *state,
                                           const struct hal_shaders *shaders)
{
    const uint32_t shader = state->vertex_shader;

    if (shader & 1) {
        const struct hal_shader *s = named_shaders(front, state, shaders)->declaration;

        return s ? &s->layout : NULL;
    }
    if (shader != front->fvf_of_layout) {
        front->fvf_of_layout = shader;
        front->fvf_is_valid = hal_layout_from_fvf(&front->fvf_layout, shader, false);
        front->dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
    return front->fvf_is_valid ? &front->fvf_layout : NULL;
}

const struct shader_program *hal_stream_program(struct hal_front *front, const struct hal_state *state,
                                                const struct hal_shaders *shaders, const struct hal_layout *layout)
{
    const struct hal_shader *shader = layout->transformed ? NULL : named_shaders(front, state, shaders)->program;

    return shader ? shader->program : NULL;
}
