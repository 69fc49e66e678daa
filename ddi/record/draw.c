/* SPDX-License-Identifier: MIT */
/*
 * Recording of contexts and their draws. The handles that a context binds are tracked, token by token, to know which
 * memory a DrawPrimitives2 call may read.
 */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "d3d/states.h"
#include "dp2/tokens.h"
#include "hal/dp2_fields.h"

#include <stdlib.h>

static struct record_context *record_find_context(const struct recorder *recorder, uint32_t handle)
{
    struct record_context *context = recorder->contexts;

    while (context && context->context != handle)
        context = context->next;
    return context;
}

void record_context_create(struct recorder *recorder, const D3DHAL_CONTEXTCREATEDATA *data, uint32_t level,
                           DDRAWI_DDRAWSURFACE_LCL *target, DDRAWI_DDRAWSURFACE_LCL *depth, uint32_t handle)
{
    struct record_context *context = mem_calloc(1, sizeof(*context));
    struct capture_context event = {.context = handle,
                                    .level = level,
                                    .process = data->dwPID,
                                    .target = record_id_of(recorder, target),
                                    .depth = record_id_of(recorder, depth)};

    if (!context) {
        record_give_up(recorder, "out of memory");
        return;
    }
    context->context = handle;
    context->process = data->dwPID;
    context->local = record_local_of(recorder, data->lpDDLcl);
    context->next = recorder->contexts;
    recorder->contexts = context;
    event.local = context->local ? context->local->id : 0;
    record_event_simple(recorder, CAPTURE_CONTEXT, &event, sizeof(event));
}

/* Forgets one context, or those of a process. */
static void record_forget_contexts(struct recorder *recorder, uint32_t handle, bool by_process, uint32_t process)
{
    struct record_context **at = &recorder->contexts;

    while (*at) {
        struct record_context *context = *at;
        if (by_process ? context->process != process : context->context != handle) {
            at = &context->next;
            continue;
        }
        *at = context->next;
        free(context);
    }
}

void record_context_destroy(struct recorder *recorder, uint32_t context)
{
    record_event_simple(recorder, CAPTURE_CONTEXT_GONE, &context, sizeof(context));
    record_forget_contexts(recorder, context, false, 0);
}

void record_context_destroy_all(struct recorder *recorder, uint32_t process)
{
    record_event_simple(recorder, CAPTURE_PROCESS_GONE, &process, sizeof(process));
    record_forget_contexts(recorder, 0, true, process);
}

void record_set_render_target(struct recorder *recorder, uint32_t context, DDRAWI_DDRAWSURFACE_LCL *target,
                              DDRAWI_DDRAWSURFACE_LCL *depth)
{
    const struct capture_target event = {context, record_id_of(recorder, target), record_id_of(recorder, depth)};

    record_event_simple(recorder, CAPTURE_TARGET, &event, sizeof(event));
}

void record_scene(struct recorder *recorder, uint32_t context, uint32_t flag)
{
    const uint32_t event[2] = {context, flag};

    record_event_simple(recorder, CAPTURE_SCENE, event, sizeof(event));
}

void record_clear(struct recorder *recorder, uint32_t context, uint32_t flags, uint32_t color, float depth,
                  uint32_t stencil, const D3DRECT *rects, uint32_t count)
{
    struct capture_clear event = {
        .context = context, .flags = flags, .color = color, .stencil = stencil, .rect_count = rects ? count : 0};
    const struct capture_bytes pieces[2] = {{&event, sizeof(event)}, {rects, event.rect_count * sizeof(*rects)}};

    memcpy(&event.depth, &depth, sizeof(event.depth));
    record_locked_targets(recorder);
    record_event(recorder, CAPTURE_CLEAR, pieces, 2);
}

/* --- surfaces that a stream reads --------------------------------------------------------------------- */

static void touch(struct recorder *recorder, const struct record_context *context, uint32_t handle)
{
    struct record_surface *surface = record_by_handle(context->local, handle);

    if (surface) {
        record_before_use(recorder, surface);
        record_changed_keys(recorder, surface);
    }
}

static void bind_texture(struct recorder *recorder, struct record_context *context, uint32_t sampler, uint32_t handle)
{
    const unsigned place = d3d_sampler_place(sampler);

    touch(recorder, context, handle);
    if (place < D3D_SAMPLER_PLACES)
        context->samplers[place] = handle;
}

static void record_bind_stream(struct record_context *context, uint32_t stream, uint32_t handle)
{
    if (stream < D3D_STREAMS)
        context->streams[stream] = handle;
}

/* One entry: notes bindings, and checks the sources and targets of copies and draws. */
static void look_at_entry(struct recorder *recorder, struct record_context *context, const struct dp2_token_info *info,
                          const uint8_t *p)
{
    for (size_t i = 0; info->surfaces[i]; i++)
        if (info->surfaces[i] == DP2_SURFACE_BOUND || info->surfaces[i] == DP2_SURFACE_COPIED)
            touch(recorder, context, dp2_read_u32(p + 4 * i));
    switch (info->number) {
    case DP2OP_SETSTREAMSOURCE:
    case DP2OP_SETSTREAMSOURCE2:
        record_bind_stream(context, DP2_FIELD(p, D3DHAL_DP2SETSTREAMSOURCE, dwStream),
                           DP2_FIELD(p, D3DHAL_DP2SETSTREAMSOURCE, dwVBHandle));
        break;
    case DP2OP_SETINDICES:
        context->indices = DP2_FIELD(p, D3DHAL_DP2SETINDICES, dwVBHandle);
        break;
    case DP2OP_SETSTREAMSOURCEUM:
        context->user_stride = DP2_FIELD(p, D3DHAL_DP2SETSTREAMSOURCEUM, dwStride);
        break;
    case DP2OP_TEXTURESTAGESTATE:
        if (DP2_WORD_FIELD(p, D3DHAL_DP2TEXTURESTAGESTATE, TSState) == D3D_TSS_TEXTUREMAP)
            bind_texture(recorder, context, DP2_WORD_FIELD(p, D3DHAL_DP2TEXTURESTAGESTATE, wStage),
                         DP2_FIELD(p, D3DHAL_DP2TEXTURESTAGESTATE, dwValue));
        break;
    case DP2OP_RENDERSTATE:
        if (DP2_FIELD(p, D3DHAL_DP2RENDERSTATE, RenderState) == D3D_RS_TEXTUREHANDLE)
            bind_texture(recorder, context, 0, DP2_FIELD(p, D3DHAL_DP2RENDERSTATE, dwState));
        break;
    default:
        break;
    }
}

/* Once for all draws with the same buffers. */
static void look_at_drawn(struct recorder *recorder, const struct record_context *context, bool indexed)
{
    for (unsigned i = 0; i < D3D_STREAMS + indexed; i++) {
        const uint32_t handle = i < D3D_STREAMS ? context->streams[i] : context->indices;
        struct record_surface *buffer = record_by_handle(context->local, handle);

        if (buffer)
            record_before_draw(recorder, buffer);
    }
}

static bool reads_index_buffer(const struct dp2_command *command)
{
    return command->info->number == DP2OP_DRAWINDEXEDPRIMITIVE || command->info->number == DP2OP_DRAWINDEXEDPRIMITIVE2;
}

static void look_at_stream(struct recorder *recorder, struct record_context *context,
                           const struct record_draw_call *call)
{
    const uint32_t inline_size = dp2_fvf_size(call->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;
    bool drawn = false, drawn_indexed = false; /* with what is bound now */

    dp2_cursor_init(&cursor, call->commands, call->command_bytes, inline_size ? inline_size : call->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        struct dp2_entry entry = {0};
        const bool indexed = reads_index_buffer(&command);
        if (command.info->draws != DP2_DRAWS_NOTHING && (!drawn || (indexed && !drawn_indexed))) {
            look_at_drawn(recorder, context, indexed);
            drawn = true;
            drawn_indexed |= indexed;
        } else if (command.info->surfaces[0]) {
            drawn = drawn_indexed = false;
        }
        if (!command.info->surfaces[0] && command.info->number != DP2OP_SETSTREAMSOURCEUM)
            continue;
        while (dp2_next_entry(&command, &entry))
            look_at_entry(recorder, context, command.info, entry.head);
    }
}

static void look_at_bound(struct recorder *recorder, const struct record_context *context)
{
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        touch(recorder, context, context->streams[i]);
    for (unsigned i = 0; i < D3D_SAMPLER_PLACES; i++)
        touch(recorder, context, context->samplers[i]);
    touch(recorder, context, context->indices);
}

/* The driver's limit is for bytes that it may read; it uses at most `vertex_count` vertices. */
static uint32_t used_vertex_bytes(const struct record_context *context, const struct record_draw_call *call)
{
    uint64_t size = call->vertex_size ? call->vertex_size : dp2_fvf_size(call->vertex_type);

    if (!size && context)
        size = context->user_stride;
    size *= call->vertex_count;
    return call->vertices ? (uint32_t)BASE_MIN(size, call->vertex_bytes) : 0;
}

void record_draw(struct recorder *recorder, const struct record_draw_call *call)
{
    static const uint8_t padding[4];
    struct record_context *context = record_find_context(recorder, call->context);

    record_locked_targets(recorder);
    if (context) {
        look_at_bound(recorder, context);
        look_at_stream(recorder, context, call);
    }
    const struct capture_draw event = {.context = call->context,
                                       .flags = call->flags,
                                       .vertex_type = call->vertex_type,
                                       .vertex_size = call->vertex_size,
                                       .vertex_count = call->vertex_count,
                                       .command_bytes = (uint32_t)call->command_bytes,
                                       .vertex_bytes = used_vertex_bytes(context, call)};
    const struct capture_bytes pieces[4] = {{&event, sizeof(event)},
                                            {call->commands, event.command_bytes},
                                            {padding, (4 - event.command_bytes % 4) % 4},
                                            {call->vertices, event.vertex_bytes}};

    record_event(recorder, CAPTURE_DRAW, pieces, 4);
}
