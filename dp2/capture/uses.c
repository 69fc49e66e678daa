/* SPDX-License-Identifier: MIT */
/*
 * Surfaces with their sizes and handles, and the events that name them. How streams use them: uses_stream.c.
 */
#include "dp2/capture/uses_internal.h"

#include "base/base.h"
#include "d3d/formats.h"
#include "d3d/states.h"
#include "dp2/text/text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ID         (1u << 22)
#define MAX_HANDLES    (1u << 22) /* larger handles are not tracked */

#define FORMAT_Z       0x400u  /* DDPF_ZBUFFER */
#define FORMAT_STENCIL 0x4000u /* DDPF_STENCILBUFFER */

#define BLT_COLOR_FILL 0x400u /* DDBLT_* */
#define BLT_DEPTH_FILL 0x2000000u
#define BLT_KEYS       0x1e000u /* KEYDEST, KEYDESTOVERRIDE, KEYSRC, KEYSRCOVERRIDE */
#define BLT_ROP        0x20000u
#define ROP_COPY       0xcc0020u

struct capture_uses *capture_uses_create(void (*use)(void *user, uint32_t id, enum capture_use use), void *user)
{
    struct capture_uses *uses = mem_calloc(1, sizeof(*uses));

    if (uses) {
        uses->use = use;
        uses->user = user;
    }
    return uses;
}

void capture_uses_destroy(struct capture_uses *uses)
{
    if (!uses)
        return;
    uses_free_contexts(uses);
    while (uses->locals) {
        struct uses_local *next = uses->locals->next;

        free(uses->locals->ids);
        free(uses->locals);
        uses->locals = next;
    }
    free(uses->surfaces);
    free(uses);
}

/* --- surfaces ---------------------------------------------------------------------------- */

struct uses_surface *uses_surface_of(const struct capture_uses *uses, uint32_t id)
{
    return id && id < uses->limit && uses->surfaces[id].alive ? &uses->surfaces[id] : NULL;
}

struct uses_local *uses_find_local(const struct capture_uses *uses, uint32_t number)
{
    struct uses_local *local = uses->locals;

    while (local && local->number != number)
        local = local->next;
    return local;
}

static bool name_surface(struct capture_uses *uses, uint32_t number, uint32_t id, uint32_t handle)
{
    struct uses_surface *surface = uses_surface_of(uses, id);
    struct uses_local *local = uses_find_local(uses, number);

    if (!surface || !handle || handle >= MAX_HANDLES)
        return true;
    if (!local) {
        local = mem_calloc(1, sizeof(*local));
        if (!local)
            return false;
        local->number = number;
        local->next = uses->locals;
        uses->locals = local;
    }
    if (handle >= local->capacity) {
        const uint32_t capacity = handle + handle / 2 + 64;
        uint32_t *bigger = mem_realloc(local->ids, capacity, sizeof(*bigger));

        if (!bigger)
            return false;
        memset(bigger + local->capacity, 0, (capacity - local->capacity) * sizeof(*bigger));
        local->ids = bigger;
        local->capacity = capacity;
    }
    surface->local = number;
    surface->handle = handle;
    local->ids[handle] = id;
    uses_surfaces_changed(uses);
    return true;
}

static bool uses_reserve(struct capture_uses *uses, uint32_t id)
{
    const uint32_t limit = id + id / 2 + 64;
    struct uses_surface *bigger;

    if (id < uses->limit)
        return true;
    bigger = mem_realloc(uses->surfaces, limit, sizeof(*bigger));
    if (!bigger)
        return false;
    memset(bigger + uses->limit, 0, (limit - uses->limit) * sizeof(*bigger));
    uses->surfaces = bigger;
    uses->limit = limit;
    return true;
}

/* Depth formats; 0: a row of the table that is none, or has stencil. */
static const uint32_t without_stencil[] = {
#define FORMAT(number, name, layout, ...)  D3D_DEPTH_##layout != 0 && D3D_STENCIL_##layout == 0 ? (number) : 0,
#define VARIANT(number, name, layout, ...) D3D_DEPTH_##layout != 0 && D3D_STENCIL_##layout == 0 ? (number) : 0,
#include "d3d/formats.def"
};

/* format: DDPIXELFORMAT, of DirectDraw's own kind or with a D3DFORMAT as its FOURCC. */
static bool may_have_stencil(const uint32_t format[8])
{
    if (format[1] & FORMAT_Z)
        return format[1] & FORMAT_STENCIL;
    for (size_t i = 0; i < sizeof(without_stencil) / sizeof(without_stencil[0]); i++)
        if (format[2] && without_stencil[i] == format[2])
            return false;
    return true;
}

static void drop_surface(struct capture_uses *uses, uint32_t id)
{
    struct uses_surface *surface = uses_surface_of(uses, id);

    if (!surface)
        return;
    uint32_t before = id;

    while (uses->surfaces[before].next != id)
        before = uses->surfaces[before].next;
    uses->surfaces[before].next = surface->next;
    surface->alive = false;
    uses_surfaces_changed(uses);
}

static bool uses_make_surfaces(struct capture_uses *uses, const struct capture_surfaces *head)
{
    const struct capture_part *parts = (const void *)(head + 1);

    for (uint32_t i = 0; i < head->part_count; i++) {
        if (parts[i].id == 0 || parts[i].id >= MAX_ID || !uses_reserve(uses, parts[i].id))
            return false;
        drop_surface(uses, parts[i].id);
        uses->surfaces[parts[i].id] = (struct uses_surface){
            .alive = true,
            .system_memory = head->flags & CAPTURE_SYSTEM_MEMORY,
            .buffer = parts[i].caps & USES_CAPS_BUFFER,
            .has_stencil = may_have_stencil(parts[i].format),
            .made = parts[0].id,
            .next = parts[i].id,
            .parts = head->part_count,
            .levels = parts[i].caps3 & USES_CAPS3_LIGHT && parts[i].mip_count ? parts[i].mip_count : 1,
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
        if (!name_surface(uses, head->local, parts[i].id, parts[i].handle))
            return false;
    }
    return true;
}

/* Levels of a texture may have been made one by one. */
static void uses_join(struct capture_uses *uses, uint32_t a, uint32_t b)
{
    const uint32_t after = uses->surfaces[a].next;

    for (uint32_t id = after; id != a; id = uses->surfaces[id].next)
        if (id == b)
            return;
    uses->surfaces[a].next = uses->surfaces[b].next;
    uses->surfaces[b].next = after;
}

void uses_tell(struct capture_uses *uses, uint32_t id, enum capture_use use)
{
    if (uses->telling && uses_surface_of(uses, id))
        uses->use(uses->user, id, use);
}

void uses_tell_all(struct capture_uses *uses, uint32_t id, enum capture_use use)
{
    if (!uses->telling || !uses_surface_of(uses, id))
        return;
    uint32_t part = id;

    do {
        uses->use(uses->user, part, use);
        part = uses->surfaces[part].next;
    } while (part != id);
}

static bool uses_announce(struct capture_uses *uses, const struct capture_announce *head)
{
    const struct capture_name *names = (const void *)(head + 1);
    uint32_t texture = 0;

    uses_tell_all(uses, head->root, CAPTURE_USE_NAMED);
    for (uint32_t i = 0; i < head->name_count; i++) {
        const struct uses_surface *surface = uses_surface_of(uses, names[i].id);

        if (!name_surface(uses, head->local, names[i].id, names[i].handle))
            return false;
        uses_tell_all(uses, names[i].id, CAPTURE_USE_NAMED);
        if (surface && surface->caps & USES_CAPS_TEXTURE) {
            if (texture && texture != names[i].id)
                uses_join(uses, texture, names[i].id);
            texture = names[i].id;
        }
    }
    return true;
}

static void uses_unmake(struct capture_uses *uses, const struct capture_destroy *head)
{
    const struct uses_surface *surface = uses_surface_of(uses, head->id);

    if (!surface)
        return;
    uses_tell_all(uses, head->id, CAPTURE_USE_NAMED);
    const uint32_t made = surface->made;

    for (uint32_t id = surface->next; head->flags & CAPTURE_SYSTEM_MEMORY && id != head->id;) {
        const uint32_t next = uses->surfaces[id].next;

        if (uses->surfaces[id].made == made)
            drop_surface(uses, id);
        id = next;
    }
    drop_surface(uses, head->id);
}

/* --- blits and memory ---------------------------------------------------------------------- */

bool uses_covers(const struct capture_rect *rect, const struct uses_surface *surface)
{
    return rect->left <= 0 && rect->top <= 0 && rect->right >= 0 && rect->bottom >= 0 &&
           (uint32_t)rect->right >= surface->width && (uint32_t)rect->bottom >= surface->height;
}

bool uses_is_plain(const struct uses_surface *surface)
{
    uint32_t rows;

    return surface && (surface->format == 0 || dp2_row_bytes(surface->format, 1, 1, &rows) > 0);
}

static void note_blt(struct capture_uses *uses, const struct capture_blt *head)
{
    const struct uses_surface *to = uses_surface_of(uses, head->destination);
    const bool copies = uses_is_plain(uses_surface_of(uses, head->source)) && !(head->flags & BLT_KEYS) &&
                        !head->rect_count && (!(head->flags & BLT_ROP) || head->rop == ROP_COPY);
    const bool fills = !head->source && !head->rect_count &&
                       (head->flags & BLT_COLOR_FILL || (head->flags & BLT_DEPTH_FILL && to && !to->has_stencil));

    /* Decoding a level of a feedback map reads the other levels, and encoding may write them. */
    (uses_is_plain(uses_surface_of(uses, head->source)) ? uses_tell : uses_tell_all)(uses, head->source,
                                                                                     CAPTURE_USE_NEEDED);
    if (!uses_is_plain(to)) {
        uses_tell_all(uses, head->destination, CAPTURE_USE_NEEDED);
        return;
    }
    uses_tell(uses, head->destination,
              (copies || fills) && !(to->caps2 & USES_CAPS2_VOLUME) && to->levels == 1 &&
                      uses_covers(&head->destination_rect, to)
                  ? CAPTURE_USE_OVERWRITTEN
                  : CAPTURE_USE_NEEDED);
}

static void note_memory(struct capture_uses *uses, const struct capture_memory *head)
{
    const struct uses_surface *surface = uses_surface_of(uses, head->id);
    uint32_t rows = 1, row_bytes = 0;

    if (surface && (surface->buffer || surface->levels > 1))
        row_bytes = surface->bytes;
    else if (surface && !(surface->caps2 & USES_CAPS2_VOLUME))
        row_bytes = dp2_row_bytes(surface->format, surface->width, surface->height, &rows);
    const bool whole = row_bytes && rows && head->first_row == 0 && head->row_offset == 0 && head->first_slice == 0 &&
                       head->row_count >= rows && head->row_bytes >= row_bytes && head->slice_count;

    uses_tell(uses, head->id, whole ? CAPTURE_USE_OVERWRITTEN : CAPTURE_USE_NEEDED);
}

/* --- events ------------------------------------------------------------------------------- */

bool capture_uses_follow(struct capture_uses *uses, const struct capture_event *event)
{
    const void *head = event->data;
    const uint32_t *numbers = head;

    switch (event->type) {
    case CAPTURE_SURFACES:
        return uses_make_surfaces(uses, head);
    case CAPTURE_ANNOUNCE:
        return uses_announce(uses, head);
    case CAPTURE_DESTROY:
        uses_unmake(uses, head);
        return true;
    case CAPTURE_MEMORY:
        note_memory(uses, head);
        return true;
    case CAPTURE_SAMPLES:
        uses_tell(uses, numbers[0], CAPTURE_USE_NEEDED);
        return true;
    case CAPTURE_BLT:
        note_blt(uses, head);
        return true;
    case CAPTURE_FLIP:
        uses_tell(uses, numbers[0], CAPTURE_USE_NAMED);
        uses_tell(uses, numbers[1], CAPTURE_USE_NAMED);
        uses_surfaces_changed(uses);
        return true;
    case CAPTURE_CONTEXT:
        return uses_add_context(uses, head);
    case CAPTURE_CONTEXT_GONE:
    case CAPTURE_PROCESS_GONE:
        uses_forget_contexts(uses, numbers[0], event->type == CAPTURE_PROCESS_GONE);
        return true;
    case CAPTURE_TARGET:
        uses_set_target(uses, head);
        return true;
    case CAPTURE_CLEAR:
        uses_clear(uses, head);
        return true;
    case CAPTURE_DRAW:
        return uses_follow_draw(uses, head);
    case CAPTURE_FRAME:
        uses_tell(uses, ((const struct capture_frame *)head)->surface, CAPTURE_USE_NEEDED);
        return true;
    case CAPTURE_COLOR_KEY:
    case CAPTURE_SET_PALETTE:
        uses_tell(uses, numbers[0], CAPTURE_USE_NAMED);
        return true;
    default:
        return true;
    }
}

void capture_uses_begin(struct capture_uses *uses)
{
    uses->telling = true;
    uses_surfaces_changed(uses);
    uses_name_bound(uses);
}

void capture_uses_end(struct capture_uses *uses)
{
    uses->telling = false;
}
