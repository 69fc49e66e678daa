/* SPDX-License-Identifier: MIT */
/* Splits a capture into items, and finds references from items to things that others create. */
#include "tools/minimise/model.h"

#include "base/base.h"
#include "d3d/states.h"
#include "dp2/fields.h"

#include <stdlib.h>
#include <string.h>

/* The meaning of numbers while the capture is read: maps (kind, owner, number) to a thing or a number. */
enum model_kind {
    KIND_NONE,
    KIND_HANDLE,  /* DirectDraw object, handle: a surface */
    KIND_CONTEXT, /* context: a thing */
    KIND_LOCAL,   /* context: its DirectDraw object */
    KIND_TOKEN,   /* and the token that creates it above; context, handle: a thing */
};

struct model_slot {
    uint32_t kind, owner, number, value;
};

struct model_reading {
    struct model *model;
    struct model_slot *slots; /* open addressing, a power of two */
    size_t slot_count, slots_used;
    size_t event_capacity, command_capacity, entry_capacity, need_capacity, surface_capacity, frame_capacity;
    bool failed; /* no memory */
};

/* Room for one more; false: no memory. */
static bool model_grow(struct model_reading *reading, void *list, size_t count, size_t *capacity, size_t size)
{
    void **place = list;
    void *bigger;

    if (count < *capacity)
        return true;
    bigger = mem_realloc(*place, 2 * *capacity + 64, size);
    if (!bigger) {
        reading->failed = true;
        return false;
    }
    *place = bigger;
    *capacity = 2 * *capacity + 64;
    return true;
}

/* --- names -------------------------------------------------------------------------------------- */

static struct model_slot *model_slot_of(const struct model_reading *reading, uint32_t kind, uint32_t owner,
                                        uint32_t number)
{
    const uint64_t mixed = (number + ((uint64_t)owner << 32)) * 0x9e3779b97f4a7c15u + kind * 0xc2b2ae3d27d4eb4fu;
    size_t at = (size_t)(mixed >> 20) & (reading->slot_count - 1);

    while (
        reading->slots[at].kind != KIND_NONE &&
        (reading->slots[at].kind != kind || reading->slots[at].owner != owner || reading->slots[at].number != number))
        at = (at + 1) & (reading->slot_count - 1);
    return &reading->slots[at];
}

static bool model_grow_slots(struct model_reading *reading)
{
    struct model_slot *old = reading->slots;
    const size_t old_count = reading->slot_count;

    if (2 * reading->slots_used < old_count)
        return true;
    reading->slots = mem_calloc(old_count ? 2 * old_count : 256, sizeof(*old));
    if (!reading->slots) {
        reading->slots = old;
        reading->failed = true;
        return false;
    }
    reading->slot_count = old_count ? 2 * old_count : 256;
    for (size_t i = 0; i < old_count; i++)
        if (old[i].kind != KIND_NONE)
            *model_slot_of(reading, old[i].kind, old[i].owner, old[i].number) = old[i];
    free(old);
    return true;
}

static void model_name(struct model_reading *reading, uint32_t kind, uint32_t owner, uint32_t number, uint32_t value)
{
    struct model_slot *slot;

    if (!model_grow_slots(reading))
        return;
    slot = model_slot_of(reading, kind, owner, number);
    reading->slots_used += slot->kind == KIND_NONE;
    *slot = (struct model_slot){kind, owner, number, value};
}

/* MODEL_NONE: nothing has that name. */
static uint32_t model_named(const struct model_reading *reading, uint32_t kind, uint32_t owner, uint32_t number)
{
    const struct model_slot *slot = reading->slots ? model_slot_of(reading, kind, owner, number) : NULL;

    return slot && slot->kind != KIND_NONE ? slot->value : MODEL_NONE;
}

static void model_need(struct model_reading *reading, struct model_needs *needs, uint32_t thing)
{
    struct model *model = reading->model;

    if (thing == MODEL_NONE ||
        !model_grow(reading, &model->needs, model->need_count, &reading->need_capacity, sizeof(*model->needs)))
        return;
    needs->first = needs->count ? needs->first : (uint32_t)model->need_count;
    model->needs[model->need_count++] = thing;
    needs->count++;
}

static void model_need_surface(struct model_reading *reading, struct model_needs *needs, uint32_t id)
{
    const struct model *model = reading->model;

    if (id && id < model->surface_limit)
        model_need(reading, needs, model->made_by_surface[id]);
}

/* --- entries of commands --------------------------------------------------------------------------- */

static const struct {
    uint8_t token, made_by;
} model_setters[] = {
    {DP2OP_SETVERTEXSHADER, DP2OP_CREATEVERTEXSHADER},
    {DP2OP_SETPIXELSHADER, DP2OP_CREATEPIXELSHADER},
    {DP2OP_SETVERTEXSHADERDECL, DP2OP_CREATEVERTEXSHADERDECL},
    {DP2OP_SETVERTEXSHADERFUNC, DP2OP_CREATEVERTEXSHADERFUNC},
    {DP2OP_ISSUEQUERY, DP2OP_CREATEQUERY},
};

/* The token that creates the thing that an entry of this token names first; 0: it does not name any. */
static uint8_t model_made_by(const struct dp2_token_info *info)
{
    if (info->key == DP2_KEY_DELETE)
        return info->key_token;
    for (size_t i = 0; i < sizeof(model_setters) / sizeof(model_setters[0]); i++)
        if (model_setters[i].token == info->number)
            return model_setters[i].made_by;
    return 0;
}

/* Is DWORD n of an entry the handle of a surface? */
static bool model_is_surface(const struct dp2_token_info *info, const uint8_t *head, unsigned n)
{
    if (info->surfaces[n] != DP2_SURFACE_DEPENDS)
        return info->surfaces[n] != DP2_SURFACE_NONE;
    if (info->number == DP2OP_RENDERSTATE)
        return DP2_U32(head, entry_RENDERSTATE, state) == D3D_RS_TEXTUREHANDLE;
    if (info->number == DP2OP_TEXTURESTAGESTATE)
        return DP2_U16(head, entry_TEXTURESTAGESTATE, state) == D3D_TSS_TEXTUREMAP;
    return true;
}

static void model_entry_names(struct model_reading *reading, const struct dp2_token_info *info,
                              struct model_entry *entry, const uint8_t *head, uint32_t context)
{
    struct model *model = reading->model;
    const uint32_t local = model_named(reading, KIND_LOCAL, 0, context);
    const uint8_t made_by = model_made_by(info);

    for (unsigned n = 0; info->surfaces[n] && 4 * (n + 1) <= info->entry_size; n++)
        if (model_is_surface(info, head, n))
            model_need_surface(reading, &entry->needs,
                               model_named(reading, KIND_HANDLE, local, dp2_read_dword(head, n)));
    if (made_by)
        model_need(reading, &entry->needs,
                   model_named(reading, KIND_TOKEN + made_by, context, dp2_read_dword(head, 0)));
    if (info->key == DP2_KEY_CREATE) {
        entry->makes = (uint32_t)model->thing_count++;
        model_name(reading, KIND_TOKEN + info->number, context, dp2_read_dword(head, 0), entry->makes);
    }
}

static void model_read_entries(struct model_reading *reading, struct model_command *command, uint32_t context)
{
    struct model *model = reading->model;
    const struct dp2_token_info *info = command->head.info;
    struct dp2_entry entry = {0};
    uint32_t primitives;

    /* (rules that take exactly one entry, and those that have as many as the header says and some more) */
    if (info->size_rule != DP2_SIZE_ARRAY && (info->size_rule < DP2_SIZE_LIGHT || info->entry_size == 0))
        return;
    while (dp2_next_entry(&command->head, &entry)) {
        if (!model_grow(reading, &model->entries, model->entry_count, &reading->entry_capacity,
                        sizeof(*model->entries)))
            return;
        struct model_entry *next = &model->entries[model->entry_count++];
        *next = (struct model_entry){.offset = (uint32_t)(entry.head - command->head.body),
                                     .size = (uint32_t)(entry.head_size + entry.data_size),
                                     .makes = MODEL_NONE,
                                     .kept = 1};
        command->entry_count++;
        model_entry_names(reading, info, next, entry.head, context);
        if (info->draws == DP2_DRAWS_FIELD && dp2_field_offset(info, "primitives", &primitives))
            next->primitives.all = next->primitives.end = dp2_read_u32(entry.head + primitives);
    }
}

/* --- events ------------------------------------------------------------------------------------- */

static void model_read_commands(struct model_reading *reading, struct model_event *event)
{
    struct model *model = reading->model;
    const struct capture_draw *head = (const void *)event->event.data;
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct model_command command;
    enum dp2_status status = DP2_OK;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    event->first_command = (uint32_t)model->command_count;
    while (status == DP2_OK) {
        const size_t at = cursor.offset;

        command = (struct model_command){.first_entry = (uint32_t)model->entry_count, .kept = 1};
        status = dp2_next(&cursor, &command.head);
        if (status == DP2_END || !model_grow(reading, &model->commands, model->command_count,
                                             &reading->command_capacity, sizeof(*model->commands)))
            return;
        command.size = (uint32_t)command.head.body_size;
        if (status != DP2_OK) {
            command.head = (struct dp2_command){.offset = at, .body = cursor.base + at};
            command.size = (uint32_t)(cursor.length - at);
        } else {
            model_read_entries(reading, &command, head->context);
            if (command.head.info->draws == DP2_DRAWS_COUNT && command.head.info->size_rule == DP2_SIZE_FIXED)
                command.primitives = (struct model_range){0, command.head.count, command.head.count};
        }
        model->commands[model->command_count++] = command;
        event->command_count++;
    }
}

static void model_make_surfaces(struct model_reading *reading, struct model_event *event)
{
    struct model *model = reading->model;
    const struct capture_surfaces *head = (const void *)event->event.data;
    const struct capture_part *parts = (const void *)(head + 1);

    event->makes = (uint32_t)model->thing_count++;
    for (uint32_t i = 0; i < head->part_count; i++) {
        while (model->surface_limit <= parts[i].id && parts[i].id < 1u << 22) {
            if (!model_grow(reading, &model->made_by_surface, model->surface_limit, &reading->surface_capacity,
                            sizeof(*model->made_by_surface)))
                return;
            model->made_by_surface[model->surface_limit++] = MODEL_NONE;
        }
        if (parts[i].id >= model->surface_limit)
            continue; /* a number that the player refuses */
        model->made_by_surface[parts[i].id] = event->makes;
        if (parts[i].handle)
            model_name(reading, KIND_HANDLE, head->local, parts[i].handle, parts[i].id);
    }
}

static void model_announce(struct model_reading *reading, struct model_event *event)
{
    const struct capture_announce *head = (const void *)event->event.data;
    const struct capture_name *names = (const void *)(head + 1);

    model_need_surface(reading, &event->needs, head->root);
    for (uint32_t i = 0; i < head->name_count; i++)
        if (names[i].handle)
            model_name(reading, KIND_HANDLE, head->local, names[i].handle, names[i].id);
}

static void model_make_context(struct model_reading *reading, struct model_event *event)
{
    const struct capture_context *head = (const void *)event->event.data;

    model_need_surface(reading, &event->needs, head->target);
    event->makes = (uint32_t)reading->model->thing_count++;
    model_name(reading, KIND_CONTEXT, 0, head->context, event->makes);
    model_name(reading, KIND_LOCAL, 0, head->context, head->local);
}

static void model_measure(struct model_event *event)
{
    const struct capture_memory *memory = (const void *)event->event.data;
    const struct capture_draw *draw = (const void *)event->event.data;

    if (event->event.type == CAPTURE_MEMORY) {
        const uint32_t all = memory->slice_count > 1 ? memory->slice_count
                             : memory->row_count > 1 ? memory->row_count
                                                     : memory->row_bytes / 4;
        event->memory = (struct model_range){0, all, all};
    }
    if (event->event.type == CAPTURE_DRAW && draw->vertex_count && draw->vertex_bytes % draw->vertex_count == 0)
        event->vertices = (struct model_range){0, draw->vertex_count, draw->vertex_count};
}

static void model_read_event(struct model_reading *reading, struct model_event *event)
{
    const uint32_t *head = (const void *)event->event.data;
    const struct capture_blt *blt = (const void *)head;
    const struct capture_flip *flip = (const void *)head;

    model_measure(event);
    switch (event->event.type) {
    case CAPTURE_SURFACES:
        model_make_surfaces(reading, event);
        break;
    case CAPTURE_ANNOUNCE:
        model_announce(reading, event);
        break;
    case CAPTURE_CONTEXT:
        model_make_context(reading, event);
        break;
    case CAPTURE_DESTROY:
    case CAPTURE_MEMORY:
    case CAPTURE_SAMPLES:
    case CAPTURE_COLOR_KEY:
    case CAPTURE_SET_PALETTE:
        model_need_surface(reading, &event->needs, head[0]);
        break;
    case CAPTURE_BLT:
        model_need_surface(reading, &event->needs, blt->destination);
        model_need_surface(reading, &event->needs, blt->source);
        break;
    case CAPTURE_FLIP:
        model_need_surface(reading, &event->needs, flip->current);
        model_need_surface(reading, &event->needs, flip->target);
        break;
    case CAPTURE_TARGET:
        model_need(reading, &event->needs, model_named(reading, KIND_CONTEXT, 0, head[0]));
        model_need_surface(reading, &event->needs, ((const struct capture_target *)(const void *)head)->target);
        break;
    case CAPTURE_DRAW:
        model_read_commands(reading, event);
        /* fall through */
    case CAPTURE_CONTEXT_GONE:
    case CAPTURE_SCENE:
    case CAPTURE_CLEAR:
        model_need(reading, &event->needs, model_named(reading, KIND_CONTEXT, 0, head[0]));
        break;
    case CAPTURE_FRAME:
        model_need_surface(reading, &event->needs, ((const struct capture_frame *)(const void *)head)->surface);
        break;
    default:
        break;
    }
}

static bool model_add(struct model_reading *reading, const struct capture_event *event)
{
    struct model *model = reading->model;
    struct model_event *next;
    uint8_t *data;

    if (!model_grow(reading, &model->events, model->event_count, &reading->event_capacity, sizeof(*model->events)))
        return false;
    while (model->frame_count <= event->frame) {
        if (!model_grow(reading, &model->frames, model->frame_count, &reading->frame_capacity, 1))
            return false;
        model->frames[model->frame_count++] = 1;
    }
    data = mem_alloc(event->size, 1, 1);
    if (!data) {
        reading->failed = true;
        return false;
    }
    memcpy(data, event->data, event->size);
    next = &model->events[model->event_count++];
    *next = (struct model_event){.event = *event, .makes = MODEL_NONE, .kept = 1};
    next->event.data = data;
    model->bytes += event->size;
    model_read_event(reading, next);
    return !reading->failed;
}

enum model_status model_read(struct model *model, struct capture_reader *reader, uint32_t last,
                             struct capture_error *error)
{
    struct model_reading reading = {.model = model};
    enum model_status result = MODEL_OK;
    enum capture_status status = CAPTURE_OK;
    struct capture_event event;

    *model = (struct model){0};
    while (result == MODEL_OK && (status = capture_next(reader, &event, error)) == CAPTURE_OK) {
        if (event.frame > last)
            break;
        if (model->bytes + event.size > CAPTURE_MAX_STREAM || model->thing_count >= MODEL_NONE - 1 ||
            model->entry_count + event.size >= MODEL_NONE)
            result = MODEL_TOO_LARGE;
        else if (!model_add(&reading, &event))
            result = MODEL_NO_MEMORY;
    }
    free(reading.slots);
    if (result == MODEL_OK) {
        model->present = mem_calloc(model->thing_count + 1, 1);
        result = !model->present ? MODEL_NO_MEMORY : status == CAPTURE_CUT ? MODEL_CUT : MODEL_OK;
        if (result == MODEL_OK && status == CAPTURE_BAD)
            result = MODEL_BAD;
    }
    return result;
}

void model_free(struct model *model)
{
    for (size_t i = 0; i < model->event_count; i++)
        free((void *)model->events[i].event.data);
    free(model->events);
    free(model->commands);
    free(model->entries);
    free(model->needs);
    free(model->present);
    free(model->made_by_surface);
    free(model->frames);
    *model = (struct model){0};
}
