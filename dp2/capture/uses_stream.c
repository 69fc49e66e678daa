/* SPDX-License-Identifier: MIT */
/*
 * Tracks each context's bindings and which of them its clears, copies and draws read. State blocks are not parsed: a
 * handle that any of them may hold counts as bound once one was executed.
 */
#include "dp2/capture/uses_internal.h"

#include "base/base.h"
#include "d3d/bindings.h"
#include "d3d/states.h"

#include "dp2/fields.h"
#include "dp2/order.h"
#include "dp2/tokens.h"

#include <stdlib.h>
#include <string.h>

#define CLEAR_TARGET  1u /* D3DCLEAR_* */
#define CLEAR_DEPTH   2u
#define CLEAR_STENCIL 4u
#define CLEAR_COMPUTE 8u /* rectangles are clipped to the viewport */

enum { BLOCK_BEGIN, BLOCK_END, BLOCK_DELETE, BLOCK_EXECUTE, BLOCK_CAPTURE, BLOCK_CREATE };

#define TARGETS 4u

struct list {
    uint32_t *handles;
    size_t count, capacity;
};

struct uses_context {
    struct uses_context *next;
    uint32_t number, process, local;
    uint32_t targets[TARGETS], depth; /* handles; of the first target and depth surfaces if `by_id` */
    bool target_by_id, depth_by_id;
    uint32_t streams[D3D_STREAMS], stages[D3D_SAMPLER_PLACES], indices;
    struct list blocks; /* that some state block may bind */
    struct list maps;   /* of sampler feedback */
    bool recording, blocks_executed, blocks_give_orders;
    bool scissor; /* was ever switched on */
    bool changed; /* something was bound since the last draw */
};

/* --- what is bound -------------------------------------------------------------------------- */

static uint32_t id_of(const struct capture_uses *uses, const struct uses_context *context, uint32_t handle)
{
    const struct uses_local *local = handle ? uses_find_local(uses, context->local) : NULL;
    const uint32_t id = local && handle < local->capacity ? local->ids[handle] : 0;

    return uses_surface_of(uses, id) ? id : 0;
}

void uses_surfaces_changed(struct capture_uses *uses)
{
    for (struct uses_context *context = uses->contexts; context; context = context->next)
        context->changed = true;
}

static bool list_add(struct list *list, uint32_t handle)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->handles[i] == handle)
            return true;
    if (handle == 0)
        return true;
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 16;
        uint32_t *bigger = mem_realloc(list->handles, capacity, sizeof(*bigger));

        if (!bigger)
            return false;
        list->handles = bigger;
        list->capacity = capacity;
    }
    list->handles[list->count++] = handle;
    return true;
}

static void uses_free_context(struct uses_context *context)
{
    free(context->blocks.handles);
    free(context->maps.handles);
    free(context);
}

void uses_free_contexts(struct capture_uses *uses)
{
    while (uses->contexts) {
        struct uses_context *next = uses->contexts->next;

        uses_free_context(uses->contexts);
        uses->contexts = next;
    }
}

static struct uses_context *uses_find_context(const struct capture_uses *uses, uint32_t number)
{
    struct uses_context *context = uses->contexts;

    while (context && context->number != number)
        context = context->next;
    return context;
}

bool uses_add_context(struct capture_uses *uses, const struct capture_context *head)
{
    struct uses_context *context = mem_calloc(1, sizeof(*context));

    if (!context)
        return false;
    *context = (struct uses_context){.next = uses->contexts,
                                     .number = head->context,
                                     .process = head->process,
                                     .local = head->local,
                                     .targets = {head->target},
                                     .depth = head->depth,
                                     .target_by_id = true,
                                     .depth_by_id = true,
                                     .changed = true};
    uses->contexts = context;
    uses_tell(uses, head->target, CAPTURE_USE_NAMED);
    uses_tell(uses, head->depth, CAPTURE_USE_NAMED);
    return true;
}

void uses_forget_contexts(struct capture_uses *uses, uint32_t number, bool by_process)
{
    struct uses_context **at = &uses->contexts;

    while (*at) {
        struct uses_context *context = *at;

        if ((by_process ? context->process : context->number) != number) {
            at = &context->next;
            continue;
        }
        *at = context->next;
        uses_free_context(context);
    }
}

static uint32_t target_of(const struct capture_uses *uses, const struct uses_context *context, unsigned index)
{
    if (index == 0 && context->target_by_id)
        return uses_surface_of(uses, context->targets[0]) ? context->targets[0] : 0;
    return id_of(uses, context, context->targets[index]);
}

static uint32_t uses_depth(const struct capture_uses *uses, const struct uses_context *context)
{
    if (context->depth_by_id)
        return uses_surface_of(uses, context->depth) ? context->depth : 0;
    return id_of(uses, context, context->depth);
}

static void tell_bound(struct capture_uses *uses, const struct uses_context *context, enum capture_use use)
{
    for (unsigned i = 0; i < TARGETS; i++)
        uses_tell(uses, target_of(uses, context, i), use);
    uses_tell(uses, uses_depth(uses, context), use);
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        uses_tell(uses, id_of(uses, context, context->streams[i]), use);
    uses_tell(uses, id_of(uses, context, context->indices), use);
    for (unsigned i = 0; i < D3D_SAMPLER_PLACES; i++)
        uses_tell_all(uses, id_of(uses, context, context->stages[i]), use);
    for (size_t i = 0; (context->blocks_executed || use == CAPTURE_USE_NAMED) && i < context->blocks.count; i++)
        uses_tell_all(uses, id_of(uses, context, context->blocks.handles[i]), use);
    for (size_t i = 0; i < context->maps.count; i++)
        uses_tell_all(uses, id_of(uses, context, context->maps.handles[i]), use);
}

void uses_name_bound(struct capture_uses *uses)
{
    for (const struct uses_context *context = uses->contexts; context; context = context->next)
        tell_bound(uses, context, CAPTURE_USE_NAMED);
}

static void note_draw(struct capture_uses *uses, struct uses_context *context)
{
    if (uses->telling && context->changed) {
        tell_bound(uses, context, CAPTURE_USE_NEEDED);
        context->changed = false;
    }
}

/* Adds a place for a handle: a binding, or a binding in the block being recorded. */
static bool bind(struct capture_uses *uses, struct uses_context *context, uint32_t *place, uint32_t handle)
{
    uses_tell_all(uses, id_of(uses, context, handle), CAPTURE_USE_NAMED);
    if (context->recording)
        return list_add(&context->blocks, handle);
    if (place && *place != handle) {
        *place = handle;
        context->changed = true;
    }
    return true;
}

static bool bind_stage(struct capture_uses *uses, struct uses_context *context, uint32_t stage, uint32_t handle)
{
    const uint32_t slot = d3d_sampler_place(stage);

    return bind(uses, context, slot < D3D_SAMPLER_PLACES ? &context->stages[slot] : NULL, handle);
}

static bool uses_bind_stream(struct capture_uses *uses, struct uses_context *context, uint32_t stream, uint32_t handle)
{
    return bind(uses, context, stream < D3D_STREAMS ? &context->streams[stream] : NULL, handle);
}

static void bind_target(struct capture_uses *uses, struct uses_context *context, uint32_t index, uint32_t handle)
{
    uses_tell(uses, id_of(uses, context, handle), CAPTURE_USE_NAMED);
    context->changed = true;
    if (index < TARGETS) {
        context->targets[index] = handle;
        context->target_by_id &= index != 0;
    }
}

static void bind_depth(struct capture_uses *uses, struct uses_context *context, uint32_t handle)
{
    uses_tell(uses, id_of(uses, context, handle), CAPTURE_USE_NAMED);
    context->changed = true;
    context->depth = handle;
    context->depth_by_id = false;
}

static bool uses_follow_render_state(struct capture_uses *uses, struct uses_context *context, uint32_t state,
                                     uint32_t value)
{
    const struct dp2_order order = dp2_order_of(state, value);
    const uint32_t slot = d3d_sampler_place(order.stage);

    context->scissor |= state == D3D_RS_SCISSORTESTENABLE && value;
    if (order.kind == DP2_ORDER_COPIES) {
        context->blocks_give_orders |= context->recording;
        note_draw(uses, context);
    }
    if (order.kind == DP2_ORDER_BIND_MAP && slot < D3D_SAMPLER_PLACES) {
        context->changed = true;
        if (!list_add(&context->maps, context->stages[slot]))
            return false;
    }
    return state != D3D_RS_TEXTUREHANDLE || bind_stage(uses, context, 0, value);
}

static bool follow_block(struct capture_uses *uses, struct uses_context *context, uint32_t operation)
{
    bool done = true;

    context->recording = operation == BLOCK_BEGIN || (context->recording && operation != BLOCK_END);
    if (operation == BLOCK_EXECUTE) {
        context->changed |= !context->blocks_executed;
        context->blocks_executed = true;
        if (context->blocks_give_orders)
            note_draw(uses, context);
    }
    if (operation != BLOCK_CAPTURE && operation != BLOCK_CREATE)
        return true;
    for (unsigned i = 0; i < D3D_SAMPLER_PLACES; i++)
        done = done && list_add(&context->blocks, context->stages[i]);
    for (unsigned i = 0; i < D3D_STREAMS; i++)
        done = done && list_add(&context->blocks, context->streams[i]);
    context->changed = true;
    return done && list_add(&context->blocks, context->indices);
}

/* --- clears and copies ---------------------------------------------------------------------- */

/* rect NULL: all of the first target. */
static void note_clear(struct capture_uses *uses, const struct uses_context *context, uint32_t flags,
                       const struct capture_rect *rect)
{
    const uint32_t target = target_of(uses, context, 0), depth = uses_depth(uses, context);
    const struct uses_surface *first = uses_surface_of(uses, target ? target : depth);
    const bool cut = flags & CLEAR_COMPUTE || context->scissor;

    if (!first || !uses->telling)
        return;
    const struct capture_rect whole = {0, 0, (int32_t)first->width, (int32_t)first->height};
    const struct capture_rect area = rect && !uses_covers(rect, first) ? *rect : whole;
    const struct uses_surface *z = uses_surface_of(uses, depth);

    if (flags & CLEAR_TARGET) {
        uses_tell(uses, target, !cut && uses_covers(&area, first) ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
        for (unsigned i = 1; i < TARGETS; i++)
            uses_tell(uses, target_of(uses, context, i), CAPTURE_USE_NEEDED);
    }
    if (z && flags & (CLEAR_DEPTH | CLEAR_STENCIL)) {
        const bool all = flags & CLEAR_DEPTH && (flags & CLEAR_STENCIL || !z->has_stencil);

        uses_tell(uses, depth, !cut && all && uses_covers(&area, z) ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
    }
}

static void note_clears(struct capture_uses *uses, const struct uses_context *context, uint32_t flags,
                        const void *rects, uint32_t count)
{
    if (count == 0)
        note_clear(uses, context, flags, NULL);
    for (uint32_t i = 0; i < count; i++) {
        struct capture_rect rect;

        memcpy(&rect, (const uint8_t *)rects + i * sizeof(rect), sizeof(rect));
        note_clear(uses, context, flags, &rect);
    }
}

/* A copy of all levels of one texture to another of the same shape. */
static bool replaces(const struct uses_surface *to, const struct uses_surface *from, const uint8_t *p)
{
    struct capture_rect rect;
    int32_t point[2];

    memcpy(&rect, p + DP2_OFFSET(entry_TEXBLT, rect), sizeof(rect));
    memcpy(point, p + DP2_OFFSET(entry_TEXBLT, point), sizeof(point));
    return uses_is_plain(to) && uses_is_plain(from) && to->parts == from->parts && to->levels == from->levels &&
           to->width == from->width && to->height == from->height &&
           !((to->caps2 | from->caps2) & (USES_CAPS2_CUBEMAP | USES_CAPS2_VOLUME)) && point[0] == 0 && point[1] == 0 &&
           uses_covers(&rect, to);
}

static void note_texture_blt(struct capture_uses *uses, const struct uses_context *context, const uint8_t *p)
{
    const uint32_t to = id_of(uses, context, DP2_U32(p, entry_TEXBLT, dst));
    const uint32_t from = id_of(uses, context, DP2_U32(p, entry_TEXBLT, src));
    const struct uses_surface *surface = uses_surface_of(uses, to);

    uses_tell_all(uses, from, to ? CAPTURE_USE_NEEDED : CAPTURE_USE_NAMED);
    uses_tell_all(uses, to,
                  replaces(surface, uses_surface_of(uses, from), p) && surface->made == to ? CAPTURE_USE_OVERWRITTEN
                                                                                           : CAPTURE_USE_NEEDED);
}

static void note_buffer_blt(struct capture_uses *uses, const struct uses_context *context, const uint8_t *p)
{
    const uint32_t to = id_of(uses, context, DP2_U32(p, entry_BUFFERBLT, dst));
    const uint32_t from = id_of(uses, context, DP2_U32(p, entry_BUFFERBLT, src));
    const struct uses_surface *surface = uses_surface_of(uses, to);
    const bool whole =
        surface && DP2_U32(p, entry_BUFFERBLT, dst_offset) == 0 && DP2_U32(p, entry_BUFFERBLT, bytes) >= surface->bytes;

    uses_tell(uses, from, CAPTURE_USE_NEEDED);
    uses_tell(uses, to, whole ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
}

/* --- streams ---------------------------------------------------------------------------------- */

static void note_handle(struct capture_uses *uses, const struct uses_context *context, uint32_t handle,
                        enum capture_use use)
{
    uses_tell_all(uses, id_of(uses, context, handle), use);
}

/* Notes the surfaces of a token without rules of its own. */
static void note_handles(struct capture_uses *uses, const struct uses_context *context, const char *surfaces,
                         const uint8_t *p)
{
    for (size_t i = 0; surfaces[i]; i++)
        if (surfaces[i] == DP2_SURFACE_COPIED || surfaces[i] == DP2_SURFACE_FILLED)
            note_handle(uses, context, dp2_read_dword(p, (unsigned)i), CAPTURE_USE_NEEDED);
        else if (surfaces[i] == DP2_SURFACE_NAMED)
            note_handle(uses, context, dp2_read_dword(p, (unsigned)i), CAPTURE_USE_NAMED);
}

static bool follow_stage_state(struct capture_uses *uses, struct uses_context *context, uint32_t stage, uint32_t state,
                               uint32_t value)
{
    if (state == D3D_TSS_FEEDBACK) {
        context->changed = true;
        return list_add(&context->maps, value);
    }
    return state != D3D_TSS_TEXTUREMAP || bind_stage(uses, context, stage, value);
}

static bool uses_follow_entry(struct capture_uses *uses, struct uses_context *context, uint8_t token, const uint8_t *p)
{
    switch (token) {
    case DP2OP_RENDERSTATE:
        return uses_follow_render_state(uses, context, DP2_U32(p, entry_RENDERSTATE, state),
                                        DP2_U32(p, entry_RENDERSTATE, value));
    case DP2OP_TEXTURESTAGESTATE:
        return follow_stage_state(uses, context, DP2_U16(p, entry_TEXTURESTAGESTATE, stage),
                                  DP2_U16(p, entry_TEXTURESTAGESTATE, state),
                                  DP2_U32(p, entry_TEXTURESTAGESTATE, value));
    case DP2OP_SETSTREAMSOURCE:
    case DP2OP_SETSTREAMSOURCE2:
        return uses_bind_stream(uses, context, DP2_U32(p, entry_SETSTREAMSOURCE, stream),
                                DP2_U32(p, entry_SETSTREAMSOURCE, buffer));
    case DP2OP_SETSTREAMSOURCEUM:
        return uses_bind_stream(uses, context, DP2_U32(p, entry_SETSTREAMSOURCEUM, stream), 0);
    case DP2OP_SETINDICES:
        return bind(uses, context, &context->indices, DP2_U32(p, entry_SETINDICES, buffer));
    case DP2OP_SETRENDERTARGET:
        bind_target(uses, context, 0, DP2_U32(p, entry_SETRENDERTARGET, target));
        bind_depth(uses, context, DP2_U32(p, entry_SETRENDERTARGET, depth));
        return true;
    case DP2OP_SETRENDERTARGET2:
        bind_target(uses, context, DP2_U32(p, entry_SETRENDERTARGET2, index),
                    DP2_U32(p, entry_SETRENDERTARGET2, target));
        return true;
    case DP2OP_SETDEPTHSTENCIL:
        bind_depth(uses, context, DP2_U32(p, entry_SETDEPTHSTENCIL, depth));
        return true;
    case DP2OP_STATESET:
        return follow_block(uses, context, DP2_U32(p, entry_STATESET, op));
    case DP2OP_TEXBLT:
        note_texture_blt(uses, context, p);
        return true;
    case DP2OP_BUFFERBLT:
        note_buffer_blt(uses, context, p);
        return true;
    case DP2OP_SETFEEDBACK:
        note_handle(uses, context, DP2_U32(p, entry_SETFEEDBACK, texture), CAPTURE_USE_NAMED);
        context->changed = true;
        return list_add(&context->maps, DP2_U32(p, entry_SETFEEDBACK, map));
    default:
        note_handles(uses, context, dp2_token_info(token)->surfaces, p);
        return true;
    }
}

bool uses_follow_draw(struct capture_uses *uses, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct uses_context *context = uses_find_context(uses, head->context);
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (context && dp2_next(&cursor, &command) == DP2_OK) {
        const uint8_t token = command.info->number;
        struct dp2_entry entry = {0};

        if (command.info->draws != DP2_DRAWS_NOTHING) {
            note_draw(uses, context);
            continue;
        }
        if (token == DP2OP_CLEAR) {
            note_clears(uses, context, DP2_U32(command.body, fixed_CLEAR, flags),
                        command.body + sizeof(struct dp2_fixed_CLEAR), command.count);
            continue;
        }
        while (dp2_next_entry(&command, &entry))
            if (!uses_follow_entry(uses, context, token, entry.head))
                return false;
    }
    return true;
}

/* --- calls without a stream ------------------------------------------------------------------- */

void uses_set_target(struct capture_uses *uses, const struct capture_target *head)
{
    struct uses_context *context = uses_find_context(uses, head->context);

    uses_tell(uses, head->target, CAPTURE_USE_NAMED);
    uses_tell(uses, head->depth, CAPTURE_USE_NAMED);
    if (context) {
        context->targets[0] = head->target;
        context->depth = head->depth;
        context->target_by_id = context->depth_by_id = context->changed = true;
    }
}

void uses_clear(struct capture_uses *uses, const struct capture_clear *head)
{
    const struct uses_context *context = uses_find_context(uses, head->context);

    if (context)
        note_clears(uses, context, head->flags, head + 1, head->rect_count);
}
