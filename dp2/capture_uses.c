/* SPDX-License-Identifier: MIT */
/*
 * Surfaces with their sizes and handles, and what each context has bound. State blocks are not taken apart: a handle that
 * any of them may hold counts as bound once one was executed.
 */
#include "dp2/capture_uses.h"

#include "dp2/order.h"
#include "dp2/text.h"
#include "dp2/tokens.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ID      (1u << 22)
#define MAX_HANDLES (1u << 22) /* larger handles are nobody's here */

#define CAPS_TEXTURE  0x1000u   /* DDSCAPS_TEXTURE */
#define CAPS_BUFFER   0x800000u /* DDSCAPS_EXECUTEBUFFER */
#define CAPS2_CUBEMAP 0x200u
#define CAPS2_VOLUME  0x200000u

#define FORMAT_Z        0x400u    /* DDPF_ZBUFFER */
#define FORMAT_STENCIL  0x4000u   /* DDPF_STENCILBUFFER */

#define BLT_COLOR_FILL 0x400u   /* DDBLT_* */
#define BLT_DEPTH_FILL 0x2000000u
#define BLT_KEYS       0x1e000u /* KEYDEST, KEYDESTOVERRIDE, KEYSRC, KEYSRCOVERRIDE */
#define BLT_ROP        0x20000u
#define ROP_COPY       0xcc0020u

#define CLEAR_TARGET  1u /* D3DCLEAR_* */
#define CLEAR_DEPTH   2u
#define CLEAR_STENCIL 4u
#define CLEAR_COMPUTE 8u /* rectangles are cut by the viewport */

#define STATE_TEXTURE 1u   /* D3DRENDERSTATE_TEXTUREHANDLE */
#define STATE_SCISSOR 174u /* D3DRS_SCISSORTESTENABLE */
#define STAGE_FEEDBACK 33u /* DDI_TSS_FEEDBACK, a map's handle (ddi/feedback.h) */

enum { BLOCK_BEGIN, BLOCK_END, BLOCK_DELETE, BLOCK_EXECUTE, BLOCK_CAPTURE, BLOCK_CREATE };

#define TARGETS 4u
#define STREAMS 16u
#define STAGES  24u /* samplers 0-15, then 256 (displacement), 257-260 (vertices) */

struct surface {
    bool alive, system_memory, buffer, has_stencil;
    uint32_t local, handle;
    uint32_t made; /* first part of the event that made it */
    uint32_t next; /* of the surfaces that belong together (levels, faces, buffers of a flip chain), in a circle */
    uint32_t parts; /* of its event */
    uint32_t width, height, bytes, caps, caps2;
    uint32_t format; /* D3DFORMAT, 0 where DirectDraw describes it */
};

struct local {
    struct local *next;
    uint32_t number;
    uint32_t *ids; /* by handle */
    uint32_t capacity;
};

struct list {
    uint32_t *handles;
    size_t count, capacity;
};

struct context {
    struct context *next;
    uint32_t number, process, local;
    uint32_t targets[TARGETS], depth; /* handles; of the first target and depth surfaces if `by_id` */
    bool target_by_id, depth_by_id;
    uint32_t streams[STREAMS], stages[STAGES], indices;
    struct list blocks; /* that some state block may bind */
    struct list maps;   /* of sampler feedback */
    bool recording, blocks_executed, blocks_give_orders;
    bool scissor; /* was ever switched on */
    bool changed; /* something was bound since the last draw */
};

struct capture_uses {
    void (*use)(void *user, uint32_t id, enum capture_use use);
    void *user;
    bool telling;
    struct surface *surfaces;
    uint32_t limit;
    struct local *locals;
    struct context *contexts;
};

struct capture_uses *capture_uses_create(void (*use)(void *user, uint32_t id, enum capture_use use), void *user)
{
    struct capture_uses *uses = calloc(1, sizeof(*uses));

    if (uses) {
        uses->use = use;
        uses->user = user;
    }
    return uses;
}

static void free_context(struct context *context)
{
    free(context->blocks.handles);
    free(context->maps.handles);
    free(context);
}

void capture_uses_destroy(struct capture_uses *uses)
{
    if (!uses) {
        return;
    }
    while (uses->contexts) {
        struct context *next = uses->contexts->next;

        free_context(uses->contexts);
        uses->contexts = next;
    }
    while (uses->locals) {
        struct local *next = uses->locals->next;

        free(uses->locals->ids);
        free(uses->locals);
        uses->locals = next;
    }
    free(uses->surfaces);
    free(uses);
}

/* --- surfaces ---------------------------------------------------------------------------- */

static struct surface *surface_of(const struct capture_uses *uses, uint32_t id)
{
    return id && id < uses->limit && uses->surfaces[id].alive ? &uses->surfaces[id] : NULL;
}

static struct local *find_local(const struct capture_uses *uses, uint32_t number)
{
    struct local *local = uses->locals;

    while (local && local->number != number) {
        local = local->next;
    }
    return local;
}

static uint32_t id_of(const struct capture_uses *uses, const struct context *context, uint32_t handle)
{
    const struct local *local = handle ? find_local(uses, context->local) : NULL;
    const uint32_t id = local && handle < local->capacity ? local->ids[handle] : 0;

    return surface_of(uses, id) ? id : 0;
}

static void everything_changed(struct capture_uses *uses)
{
    for (struct context *context = uses->contexts; context; context = context->next) {
        context->changed = true;
    }
}

static bool name_surface(struct capture_uses *uses, uint32_t number, uint32_t id, uint32_t handle)
{
    struct surface *surface = surface_of(uses, id);
    struct local *local = find_local(uses, number);

    if (!surface || !handle || handle >= MAX_HANDLES) {
        return true;
    }
    if (!local) {
        local = calloc(1, sizeof(*local));
        if (!local) {
            return false;
        }
        local->number = number;
        local->next = uses->locals;
        uses->locals = local;
    }
    if (handle >= local->capacity) {
        const uint32_t capacity = handle + handle / 2 + 64;
        uint32_t *bigger = realloc(local->ids, capacity * sizeof(*bigger));

        if (!bigger) {
            return false;
        }
        memset(bigger + local->capacity, 0, (capacity - local->capacity) * sizeof(*bigger));
        local->ids = bigger;
        local->capacity = capacity;
    }
    surface->local = number;
    surface->handle = handle;
    local->ids[handle] = id;
    everything_changed(uses);
    return true;
}

static bool reserve(struct capture_uses *uses, uint32_t id)
{
    const uint32_t limit = id + id / 2 + 64;
    struct surface *bigger;

    if (id < uses->limit) {
        return true;
    }
    bigger = realloc(uses->surfaces, limit * sizeof(*bigger));
    if (!bigger) {
        return false;
    }
    memset(bigger + uses->limit, 0, (limit - uses->limit) * sizeof(*bigger));
    uses->surfaces = bigger;
    uses->limit = limit;
    return true;
}

/* format: DDPIXELFORMAT, of DirectDraw's own kind or with a D3DFORMAT as its FOURCC. */
static bool may_have_stencil(const uint32_t format[8])
{
    if (format[1] & FORMAT_Z) {
        return format[1] & FORMAT_STENCIL;
    }
    switch (format[2]) {
    case 70: /* D16_LOCKABLE */
    case 71: /* D32 */
    case 77: /* D24X8 */
    case 80: /* D16 */
    case 82: /* D32F_LOCKABLE */
        return false;
    default:
        return true;
    }
}

static void drop_surface(struct capture_uses *uses, uint32_t id)
{
    struct surface *surface = surface_of(uses, id);

    if (!surface) {
        return;
    }
    uint32_t before = id;

    while (uses->surfaces[before].next != id) {
        before = uses->surfaces[before].next;
    }
    uses->surfaces[before].next = surface->next;
    surface->alive = false;
    everything_changed(uses);
}

static bool make_surfaces(struct capture_uses *uses, const struct capture_surfaces *head)
{
    const struct capture_part *parts = (const void *)(head + 1);

    for (uint32_t i = 0; i < head->part_count; i++) {
        if (parts[i].id == 0 || parts[i].id >= MAX_ID || !reserve(uses, parts[i].id)) {
            return false;
        }
        drop_surface(uses, parts[i].id);
        uses->surfaces[parts[i].id] = (struct surface){
            .alive = true,
            .system_memory = head->flags & CAPTURE_SYSTEM_MEMORY,
            .buffer = parts[i].caps & CAPS_BUFFER,
            .has_stencil = may_have_stencil(parts[i].format),
            .made = parts[0].id,
            .next = parts[i].id,
            .parts = head->part_count,
            .width = parts[i].width,
            .height = parts[i].height,
            .bytes = parts[i].bytes,
            .caps = parts[i].caps,
            .caps2 = parts[i].caps2,
            .format = parts[i].format[2],
        };
        if (i && parts[0].id != parts[i].id) {
            uses->surfaces[parts[i].id].next = uses->surfaces[parts[0].id].next;
            uses->surfaces[parts[0].id].next = parts[i].id;
        }
        if (!name_surface(uses, head->local, parts[i].id, parts[i].handle)) {
            return false;
        }
    }
    return true;
}

/* Levels of a texture may have been made one by one. */
static void join(struct capture_uses *uses, uint32_t a, uint32_t b)
{
    const uint32_t after = uses->surfaces[a].next;

    for (uint32_t id = after; id != a; id = uses->surfaces[id].next) {
        if (id == b) {
            return;
        }
    }
    uses->surfaces[a].next = uses->surfaces[b].next;
    uses->surfaces[b].next = after;
}

static void tell(struct capture_uses *uses, uint32_t id, enum capture_use use)
{
    if (uses->telling && surface_of(uses, id)) {
        uses->use(uses->user, id, use);
    }
}

static void tell_all(struct capture_uses *uses, uint32_t id, enum capture_use use)
{
    if (!uses->telling || !surface_of(uses, id)) {
        return;
    }
    uint32_t part = id;

    do {
        uses->use(uses->user, part, use);
        part = uses->surfaces[part].next;
    } while (part != id);
}

static bool announce(struct capture_uses *uses, const struct capture_announce *head)
{
    const struct capture_name *names = (const void *)(head + 1);
    uint32_t texture = 0;

    tell_all(uses, head->root, CAPTURE_USE_NAMED);
    for (uint32_t i = 0; i < head->name_count; i++) {
        const struct surface *surface = surface_of(uses, names[i].id);

        if (!name_surface(uses, head->local, names[i].id, names[i].handle)) {
            return false;
        }
        tell_all(uses, names[i].id, CAPTURE_USE_NAMED);
        if (surface && surface->caps & CAPS_TEXTURE) {
            if (texture && texture != names[i].id) {
                join(uses, texture, names[i].id);
            }
            texture = names[i].id;
        }
    }
    return true;
}

static void unmake(struct capture_uses *uses, const struct capture_destroy *head)
{
    const struct surface *surface = surface_of(uses, head->id);

    if (!surface) {
        return;
    }
    tell_all(uses, head->id, CAPTURE_USE_NAMED);
    const uint32_t made = surface->made;

    for (uint32_t id = surface->next; head->flags & CAPTURE_SYSTEM_MEMORY && id != head->id;) {
        const uint32_t next = uses->surfaces[id].next;

        if (uses->surfaces[id].made == made) {
            drop_surface(uses, id);
        }
        id = next;
    }
    drop_surface(uses, head->id);
}

/* --- what is bound ------------------------------------------------------------------------ */

static bool add(struct list *list, uint32_t handle)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->handles[i] == handle) {
            return true;
        }
    }
    if (handle == 0) {
        return true;
    }
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 16;
        uint32_t *bigger = realloc(list->handles, capacity * sizeof(*bigger));

        if (!bigger) {
            return false;
        }
        list->handles = bigger;
        list->capacity = capacity;
    }
    list->handles[list->count++] = handle;
    return true;
}

static struct context *find_context(const struct capture_uses *uses, uint32_t number)
{
    struct context *context = uses->contexts;

    while (context && context->number != number) {
        context = context->next;
    }
    return context;
}

static bool add_context(struct capture_uses *uses, const struct capture_context *head)
{
    struct context *context = calloc(1, sizeof(*context));

    if (!context) {
        return false;
    }
    *context = (struct context){.next = uses->contexts,
                                .number = head->context,
                                .process = head->process,
                                .local = head->local,
                                .targets = {head->target},
                                .depth = head->depth,
                                .target_by_id = true,
                                .depth_by_id = true,
                                .changed = true};
    uses->contexts = context;
    tell(uses, head->target, CAPTURE_USE_NAMED);
    tell(uses, head->depth, CAPTURE_USE_NAMED);
    return true;
}

static void forget_contexts(struct capture_uses *uses, uint32_t number, bool by_process)
{
    struct context **at = &uses->contexts;

    while (*at) {
        struct context *context = *at;

        if ((by_process ? context->process : context->number) != number) {
            at = &context->next;
            continue;
        }
        *at = context->next;
        free_context(context);
    }
}

static uint32_t target_of(const struct capture_uses *uses, const struct context *context, unsigned index)
{
    if (index == 0 && context->target_by_id) {
        return surface_of(uses, context->targets[0]) ? context->targets[0] : 0;
    }
    return id_of(uses, context, context->targets[index]);
}

static uint32_t depth_of(const struct capture_uses *uses, const struct context *context)
{
    if (context->depth_by_id) {
        return surface_of(uses, context->depth) ? context->depth : 0;
    }
    return id_of(uses, context, context->depth);
}

static void tell_bound(struct capture_uses *uses, const struct context *context, enum capture_use use)
{
    for (unsigned i = 0; i < TARGETS; i++) {
        tell(uses, target_of(uses, context, i), use);
    }
    tell(uses, depth_of(uses, context), use);
    for (unsigned i = 0; i < STREAMS; i++) {
        tell(uses, id_of(uses, context, context->streams[i]), use);
    }
    tell(uses, id_of(uses, context, context->indices), use);
    for (unsigned i = 0; i < STAGES; i++) {
        tell_all(uses, id_of(uses, context, context->stages[i]), use);
    }
    for (size_t i = 0; (context->blocks_executed || use == CAPTURE_USE_NAMED) && i < context->blocks.count; i++) {
        tell_all(uses, id_of(uses, context, context->blocks.handles[i]), use);
    }
    for (size_t i = 0; i < context->maps.count; i++) {
        tell_all(uses, id_of(uses, context, context->maps.handles[i]), use);
    }
}

static void note_draw(struct capture_uses *uses, struct context *context)
{
    if (uses->telling && context->changed) {
        tell_bound(uses, context, CAPTURE_USE_NEEDED);
        context->changed = false;
    }
}

/* One more place for a handle: what is bound, or what the block that is recorded will bind. */
static bool bind(struct capture_uses *uses, struct context *context, uint32_t *place, uint32_t handle)
{
    tell_all(uses, id_of(uses, context, handle), CAPTURE_USE_NAMED);
    if (context->recording) {
        return add(&context->blocks, handle);
    }
    if (place && *place != handle) {
        *place = handle;
        context->changed = true;
    }
    return true;
}

static uint32_t stage_slot(uint32_t stage)
{
    return stage >= 256 ? stage - 256 + 16 : stage;
}

static bool bind_stage(struct capture_uses *uses, struct context *context, uint32_t stage, uint32_t handle)
{
    const uint32_t slot = stage_slot(stage);

    return bind(uses, context, slot < STAGES ? &context->stages[slot] : NULL, handle);
}

static bool bind_stream(struct capture_uses *uses, struct context *context, uint32_t stream, uint32_t handle)
{
    return bind(uses, context, stream < STREAMS ? &context->streams[stream] : NULL, handle);
}

static void bind_target(struct capture_uses *uses, struct context *context, uint32_t index, uint32_t handle)
{
    tell(uses, id_of(uses, context, handle), CAPTURE_USE_NAMED);
    context->changed = true;
    if (index < TARGETS) {
        context->targets[index] = handle;
        context->target_by_id &= index != 0;
    }
}

static void bind_depth(struct capture_uses *uses, struct context *context, uint32_t handle)
{
    tell(uses, id_of(uses, context, handle), CAPTURE_USE_NAMED);
    context->changed = true;
    context->depth = handle;
    context->depth_by_id = false;
}

static bool follow_render_state(struct capture_uses *uses, struct context *context, uint32_t state, uint32_t value)
{
    const struct dp2_order order = dp2_order_of(state, value);
    const uint32_t slot = stage_slot(order.stage);

    context->scissor |= state == STATE_SCISSOR && value;
    if (order.kind == DP2_ORDER_COPIES) {
        context->blocks_give_orders |= context->recording;
        note_draw(uses, context);
    }
    if (order.kind == DP2_ORDER_BIND_MAP && slot < STAGES) {
        context->changed = true;
        if (!add(&context->maps, context->stages[slot])) {
            return false;
        }
    }
    return state != STATE_TEXTURE || bind_stage(uses, context, 0, value);
}

static bool follow_block(struct capture_uses *uses, struct context *context, uint32_t operation)
{
    bool done = true;

    context->recording = operation == BLOCK_BEGIN || (context->recording && operation != BLOCK_END);
    if (operation == BLOCK_EXECUTE) {
        context->changed |= !context->blocks_executed;
        context->blocks_executed = true;
        if (context->blocks_give_orders) {
            note_draw(uses, context);
        }
    }
    if (operation != BLOCK_CAPTURE && operation != BLOCK_CREATE) {
        return true;
    }
    for (unsigned i = 0; i < STAGES; i++) {
        done = done && add(&context->blocks, context->stages[i]);
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        done = done && add(&context->blocks, context->streams[i]);
    }
    context->changed = true;
    return done && add(&context->blocks, context->indices);
}

/* --- writing without reading -------------------------------------------------------------- */

static bool covers(const struct capture_rect *rect, const struct surface *surface)
{
    return rect->left <= 0 && rect->top <= 0 && rect->right >= 0 && rect->bottom >= 0 &&
           (uint32_t)rect->right >= surface->width && (uint32_t)rect->bottom >= surface->height;
}

/* rect NULL: all of the first target. */
static void note_clear(struct capture_uses *uses, const struct context *context, uint32_t flags,
                       const struct capture_rect *rect)
{
    const uint32_t target = target_of(uses, context, 0), depth = depth_of(uses, context);
    const struct surface *first = surface_of(uses, target ? target : depth);
    const bool cut = flags & CLEAR_COMPUTE || context->scissor;

    if (!first || !uses->telling) {
        return;
    }
    const struct capture_rect whole = {0, 0, (int32_t)first->width, (int32_t)first->height};
    const struct capture_rect area = rect && !covers(rect, first) ? *rect : whole;
    const struct surface *z = surface_of(uses, depth);

    if (flags & CLEAR_TARGET) {
        tell(uses, target, !cut && covers(&area, first) ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
        for (unsigned i = 1; i < TARGETS; i++) {
            tell(uses, target_of(uses, context, i), CAPTURE_USE_NEEDED);
        }
    }
    if (z && flags & (CLEAR_DEPTH | CLEAR_STENCIL)) {
        const bool all = flags & CLEAR_DEPTH && (flags & CLEAR_STENCIL || !z->has_stencil);

        tell(uses, depth, !cut && all && covers(&area, z) ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
    }
}

static void note_clears(struct capture_uses *uses, const struct context *context, uint32_t flags, const void *rects,
                        uint32_t count)
{
    if (count == 0) {
        note_clear(uses, context, flags, NULL);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct capture_rect rect;

        memcpy(&rect, (const uint8_t *)rects + i * sizeof(rect), sizeof(rect));
        note_clear(uses, context, flags, &rect);
    }
}

/* Blits to and from formats of the driver's own, such as feedback maps, write what they like. */
static bool is_plain(const struct surface *surface)
{
    uint32_t rows;

    return surface && (surface->format == 0 || dp2_row_bytes(surface->format, 1, 1, &rows) > 0);
}

static void note_blt(struct capture_uses *uses, const struct capture_blt *head)
{
    const struct surface *to = surface_of(uses, head->destination);
    const bool copies = is_plain(surface_of(uses, head->source)) && !(head->flags & BLT_KEYS) && !head->rect_count &&
                        (!(head->flags & BLT_ROP) || head->rop == ROP_COPY);
    const bool fills = !head->source && !head->rect_count &&
                       (head->flags & BLT_COLOR_FILL || (head->flags & BLT_DEPTH_FILL && to && !to->has_stencil));

    tell(uses, head->source, CAPTURE_USE_NEEDED);
    tell(uses, head->destination,
         is_plain(to) && (copies || fills) && !(to->caps2 & CAPS2_VOLUME) && covers(&head->destination_rect, to)
             ? CAPTURE_USE_OVERWRITTEN
             : CAPTURE_USE_NEEDED);
}

static void note_memory(struct capture_uses *uses, const struct capture_memory *head)
{
    const struct surface *surface = surface_of(uses, head->id);
    uint32_t rows = 1, row_bytes = 0;

    if (surface && surface->buffer) {
        row_bytes = surface->bytes;
    } else if (surface && !(surface->caps2 & CAPS2_VOLUME)) {
        row_bytes = dp2_row_bytes(surface->format, surface->width, surface->height, &rows);
    }
    const bool whole = row_bytes && rows && head->first_row == 0 && head->row_offset == 0 && head->first_slice == 0 &&
                       head->row_count >= rows && head->row_bytes >= row_bytes && head->slice_count;

    tell(uses, head->id, whole ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
}

/* A copy of all levels of one texture to another of the same shape. */
static bool replaces(const struct surface *to, const struct surface *from, const uint8_t *p)
{
    struct capture_rect rect;

    memcpy(&rect, p + 16, sizeof(rect));
    return is_plain(to) && is_plain(from) && to->parts == from->parts && to->width == from->width && to->height == from->height &&
           !((to->caps2 | from->caps2) & (CAPS2_CUBEMAP | CAPS2_VOLUME)) && dp2_read_u32(p + 8) == 0 &&
           dp2_read_u32(p + 12) == 0 && covers(&rect, to);
}

static void note_texture_blt(struct capture_uses *uses, const struct context *context, const uint8_t *p)
{
    const uint32_t to = id_of(uses, context, dp2_read_u32(p)), from = id_of(uses, context, dp2_read_u32(p + 4));
    const struct surface *surface = surface_of(uses, to);

    tell_all(uses, from, to ? CAPTURE_USE_NEEDED : CAPTURE_USE_NAMED);
    tell_all(uses, to,
             replaces(surface, surface_of(uses, from), p) && surface->made == to ? CAPTURE_USE_OVERWRITTEN
                                                                                 : CAPTURE_USE_NEEDED);
}

static void note_buffer_blt(struct capture_uses *uses, const struct context *context, const uint8_t *p)
{
    const uint32_t to = id_of(uses, context, dp2_read_u32(p)), from = id_of(uses, context, dp2_read_u32(p + 4));
    const struct surface *surface = surface_of(uses, to);
    const bool whole = surface && dp2_read_u32(p + 8) == 0 && dp2_read_u32(p + 16) >= surface->bytes;

    tell(uses, from, CAPTURE_USE_NEEDED);
    tell(uses, to, whole ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
}

/* --- streams ---------------------------------------------------------------------------------- */

static void note_handle(struct capture_uses *uses, const struct context *context, uint32_t handle, enum capture_use use)
{
    tell_all(uses, id_of(uses, context, handle), use);
}

static bool draws(uint8_t token)
{
    switch (token) {
    case DP2OP_POINTS:
    case DP2OP_INDEXEDLINELIST:
    case DP2OP_INDEXEDTRIANGLELIST:
    case DP2OP_LINELIST:
    case DP2OP_LINESTRIP:
    case DP2OP_INDEXEDLINESTRIP:
    case DP2OP_TRIANGLELIST:
    case DP2OP_TRIANGLESTRIP:
    case DP2OP_INDEXEDTRIANGLESTRIP:
    case DP2OP_TRIANGLEFAN:
    case DP2OP_INDEXEDTRIANGLEFAN:
    case DP2OP_TRIANGLEFAN_IMM:
    case DP2OP_LINELIST_IMM:
    case DP2OP_INDEXEDTRIANGLELIST2:
    case DP2OP_INDEXEDLINELIST2:
    case DP2OP_DRAWPRIMITIVE:
    case DP2OP_DRAWINDEXEDPRIMITIVE:
    case DP2OP_CLIPPEDTRIANGLEFAN:
    case DP2OP_DRAWPRIMITIVE2:
    case DP2OP_DRAWINDEXEDPRIMITIVE2:
    case DP2OP_DRAWRECTPATCH:
    case DP2OP_DRAWTRIPATCH:
    case DP2OP_SPAN:
        return true;
    default:
        return false;
    }
}

static bool follow_entry(struct capture_uses *uses, struct context *context, uint8_t token, const uint8_t *p)
{
    switch (token) {
    case DP2OP_RENDERSTATE:
        return follow_render_state(uses, context, dp2_read_u32(p), dp2_read_u32(p + 4));
    case DP2OP_TEXTURESTAGESTATE:
        if (dp2_read_u16(p + 2) == STAGE_FEEDBACK) {
            context->changed = true;
            return add(&context->maps, dp2_read_u32(p + 4));
        }
        return dp2_read_u16(p + 2) != 0 || bind_stage(uses, context, dp2_read_u16(p), dp2_read_u32(p + 4));
    case DP2OP_SETSTREAMSOURCE:
    case DP2OP_SETSTREAMSOURCE2:
        return bind_stream(uses, context, dp2_read_u32(p), dp2_read_u32(p + 4));
    case DP2OP_SETSTREAMSOURCEUM:
        return bind_stream(uses, context, dp2_read_u32(p), 0);
    case DP2OP_SETINDICES:
        return bind(uses, context, &context->indices, dp2_read_u32(p));
    case DP2OP_SETRENDERTARGET:
        bind_target(uses, context, 0, dp2_read_u32(p));
        bind_depth(uses, context, dp2_read_u32(p + 4));
        return true;
    case DP2OP_SETRENDERTARGET2:
        bind_target(uses, context, dp2_read_u32(p), dp2_read_u32(p + 4));
        return true;
    case DP2OP_SETDEPTHSTENCIL:
        bind_depth(uses, context, dp2_read_u32(p));
        return true;
    case DP2OP_STATESET:
        return follow_block(uses, context, dp2_read_u32(p));
    case DP2OP_TEXBLT:
        note_texture_blt(uses, context, p);
        return true;
    case DP2OP_BUFFERBLT:
        note_buffer_blt(uses, context, p);
        return true;
    case DP2OP_VOLUMEBLT:
        note_handle(uses, context, dp2_read_u32(p), CAPTURE_USE_NEEDED);
        note_handle(uses, context, dp2_read_u32(p + 4), CAPTURE_USE_NEEDED);
        return true;
    case DP2OP_BLT:
    case DP2OP_SURFACEBLT:
        note_handle(uses, context, dp2_read_u32(p), CAPTURE_USE_NEEDED);
        note_handle(uses, context, dp2_read_u32(p + 24), CAPTURE_USE_NEEDED);
        return true;
    case DP2OP_COMPOSERECTS:
        note_handle(uses, context, dp2_read_u32(p), CAPTURE_USE_NEEDED);
        note_handle(uses, context, dp2_read_u32(p + 4), CAPTURE_USE_NEEDED);
        note_handle(uses, context, dp2_read_u32(p + 8), CAPTURE_USE_NEEDED);
        note_handle(uses, context, dp2_read_u32(p + 16), CAPTURE_USE_NEEDED);
        return true;
    case DP2OP_COLORFILL:
    case DP2OP_GENERATEMIPSUBLEVELS:
        note_handle(uses, context, dp2_read_u32(p), CAPTURE_USE_NEEDED);
        return true;
    case DP2OP_SETPRIORITY:
    case DP2OP_SETTEXLOD:
    case DP2OP_ADDDIRTYRECT:
    case DP2OP_ADDDIRTYBOX:
        note_handle(uses, context, dp2_read_u32(p), CAPTURE_USE_NAMED);
        return true;
    case DP2OP_SETPALETTE:
        note_handle(uses, context, dp2_read_u32(p + 8), CAPTURE_USE_NAMED);
        return true;
    case DP2OP_SETFEEDBACK:
        note_handle(uses, context, dp2_read_u32(p), CAPTURE_USE_NAMED);
        context->changed = true;
        return add(&context->maps, dp2_read_u32(p + 4));
    default:
        return true;
    }
}

static bool follow_draw(struct capture_uses *uses, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct context *context = find_context(uses, head->context);
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (context && dp2_next(&cursor, &command) == DP2_OK) {
        const uint8_t token = command.info->number;
        struct dp2_entry entry = {0};

        if (draws(token)) {
            note_draw(uses, context);
            continue;
        }
        if (token == DP2OP_CLEAR) {
            note_clears(uses, context, dp2_read_u32(command.body), command.body + 16, command.count);
            continue;
        }
        while (dp2_next_entry(&command, &entry)) {
            if (!follow_entry(uses, context, token, entry.head)) {
                return false;
            }
        }
    }
    return true;
}

/* --- events ------------------------------------------------------------------------------- */

static void set_target(struct capture_uses *uses, const struct capture_target *head)
{
    struct context *context = find_context(uses, head->context);

    tell(uses, head->target, CAPTURE_USE_NAMED);
    tell(uses, head->depth, CAPTURE_USE_NAMED);
    if (context) {
        context->targets[0] = head->target;
        context->depth = head->depth;
        context->target_by_id = context->depth_by_id = context->changed = true;
    }
}

static void clear(struct capture_uses *uses, const struct capture_clear *head)
{
    const struct context *context = find_context(uses, head->context);

    if (context) {
        note_clears(uses, context, head->flags, head + 1, head->rect_count);
    }
}

bool capture_uses_follow(struct capture_uses *uses, const struct capture_event *event)
{
    const void *head = event->data;
    const uint32_t *numbers = head;

    switch (event->type) {
    case CAPTURE_SURFACES:
        return make_surfaces(uses, head);
    case CAPTURE_ANNOUNCE:
        return announce(uses, head);
    case CAPTURE_DESTROY:
        unmake(uses, head);
        return true;
    case CAPTURE_MEMORY:
        note_memory(uses, head);
        return true;
    case CAPTURE_BLT:
        note_blt(uses, head);
        return true;
    case CAPTURE_FLIP:
        tell(uses, numbers[0], CAPTURE_USE_NAMED);
        tell(uses, numbers[1], CAPTURE_USE_NAMED);
        everything_changed(uses);
        return true;
    case CAPTURE_CONTEXT:
        return add_context(uses, head);
    case CAPTURE_CONTEXT_GONE:
    case CAPTURE_PROCESS_GONE:
        forget_contexts(uses, numbers[0], event->type == CAPTURE_PROCESS_GONE);
        return true;
    case CAPTURE_TARGET:
        set_target(uses, head);
        return true;
    case CAPTURE_CLEAR:
        clear(uses, head);
        return true;
    case CAPTURE_DRAW:
        return follow_draw(uses, head);
    case CAPTURE_FRAME:
        tell(uses, ((const struct capture_frame *)head)->surface, CAPTURE_USE_NEEDED);
        return true;
    case CAPTURE_COLOR_KEY:
        tell(uses, numbers[0], CAPTURE_USE_NAMED);
        return true;
    default:
        return true;
    }
}

void capture_uses_begin(struct capture_uses *uses)
{
    uses->telling = true;
    everything_changed(uses);
    for (const struct context *context = uses->contexts; context; context = context->next) {
        tell_bound(uses, context, CAPTURE_USE_NAMED);
    }
}

void capture_uses_end(struct capture_uses *uses)
{
    uses->telling = false;
}
