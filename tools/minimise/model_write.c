/* SPDX-License-Identifier: MIT */
/* Writes the rest of a capture as events, with recomputed counts, lengths and names. */
#include "tools/minimise/model.h"

#include "base/base.h"
#include "dp2/fields.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { LINE_LIST = 2, LINE_STRIP, TRIANGLE_LIST, TRIANGLE_STRIP }; /* D3DPRIMITIVETYPE; 1: points */

struct model_writing {
    struct model *model;
    uint8_t *bytes; /* one event */
    size_t length, capacity;
    bool failed, prunes; /* prunes: items that are not written count as removed from now on */
    struct model_counts counts;
    uint32_t frame;
};

static bool model_has(const struct model *model, const struct model_needs *needs)
{
    for (uint32_t i = 0; i < needs->count; i++)
        if (!model->present[model->needs[needs->first + i]])
            return false;
    return true;
}

static bool model_has_surface(const struct model *model, uint32_t id)
{
    return id >= model->surface_limit || model->made_by_surface[id] == MODEL_NONE ||
           model->present[model->made_by_surface[id]];
}

/* Room for some more bytes; NULL: no memory. */
static uint8_t *model_room(struct model_writing *writing, size_t size)
{
    uint8_t *grown = mem_grow(writing->bytes, &writing->capacity, writing->length, size);

    if (!grown) {
        writing->failed = true;
        return NULL;
    }
    writing->bytes = grown;
    writing->length += size;
    return writing->bytes + writing->length - size;
}

static void model_put(struct model_writing *writing, const void *data, size_t size)
{
    uint8_t *room = model_room(writing, size);

    if (room && size)
        memcpy(room, data, size);
}

/* Zeros up to a multiple of four. */
static void model_pad(struct model_writing *writing)
{
    static const uint8_t zeros[4];

    model_put(writing, zeros, (0 - writing->length) & 3);
}

/* --- commands ------------------------------------------------------------------------------------ */

/* Vertices, or indices, from a primitive to the next; 0: the front of such a draw cannot be removed. */
static uint32_t model_stride(uint32_t type)
{
    switch (type) {
    case LINE_LIST:
        return 2;
    case TRIANGLE_LIST:
        return 3;
    case 1:
    case LINE_STRIP:
    case TRIANGLE_STRIP:
        return 1;
    default:
        return 0;
    }
}

static uint32_t model_header_type(uint8_t token)
{
    return token == DP2OP_LINELIST        ? LINE_LIST
           : token == DP2OP_LINESTRIP     ? LINE_STRIP
           : token == DP2OP_TRIANGLELIST  ? TRIANGLE_LIST
           : token == DP2OP_TRIANGLESTRIP ? TRIANGLE_STRIP
                                          : 0;
}

/* The field with the start of a draw, if it counts vertices or indices. */
static bool model_start_field(const struct dp2_token_info *info, uint32_t *offset)
{
    return info->number == DP2OP_DRAWPRIMITIVE
               ? dp2_field_offset(info, "start", offset)
               : info->number == DP2OP_DRAWINDEXEDPRIMITIVE && dp2_field_offset(info, "start_index", offset);
}

uint32_t model_front_step(const struct dp2_command *command, const uint8_t *head)
{
    uint32_t type = model_header_type(command->info->number), offset, start;

    if (head && (!model_start_field(command->info, &start) || !dp2_field_offset(command->info, "type", &offset)))
        return 0;
    if (head)
        type = dp2_read_u32(head + offset);
    return type == TRIANGLE_STRIP ? 2 : model_stride(type) != 0;
}

static void model_add_u32(uint8_t *at, uint32_t more)
{
    const uint32_t value = dp2_read_u32(at) + more;

    memcpy(at, &value, sizeof(value));
}

/* Narrows a draw that has its numbers in an entry. */
static void model_narrow_entry(uint8_t *head, const struct dp2_token_info *info, const struct model_range *range)
{
    uint32_t primitives, type, start;
    const uint32_t count = range->end - range->begin;

    if (!range->all || !dp2_field_offset(info, "primitives", &primitives))
        return;
    memcpy(head + primitives, &count, sizeof(count));
    if (range->begin && model_start_field(info, &start) && dp2_field_offset(info, "type", &type))
        model_add_u32(head + start, range->begin * model_stride(dp2_read_u32(head + type)));
}

/* The header and the fixed part before entries. */
static void model_put_header(struct model_writing *writing, const struct model_command *command, uint16_t count,
                             size_t fixed)
{
    const struct model_range *range = &command->primitives;
    const uint8_t *header = command->head.body - DP2_HEADER_BYTES;
    uint8_t *out = model_room(writing, DP2_HEADER_BYTES + fixed);
    uint16_t start;

    if (!out)
        return;
    memcpy(out, header, DP2_HEADER_BYTES + fixed);
    if (range->all && range->end - range->begin < range->all) {
        count = (uint16_t)(range->end - range->begin);
        memcpy(&start, out + DP2_HEADER_BYTES, sizeof(start)); /* all tokens of this kind begin with a WORD `start` */
        start = (uint16_t)(start + range->begin * model_stride(model_header_type(command->head.info->number)));
        if (range->begin)
            memcpy(out + DP2_HEADER_BYTES, &start, sizeof(start));
    }
    memcpy(out + 2, &count, sizeof(count));
}

static bool model_keeps_entry(const struct model *model, const struct model_entry *entry)
{
    return entry->kept && model_has(model, &entry->needs);
}

/* Writes nothing if nothing is left. */
static void model_put_entries(struct model_writing *writing, struct model_command *command)
{
    struct model *model = writing->model;
    struct model_entry *entries = &model->entries[command->first_entry];
    uint32_t count = 0;

    for (uint32_t i = 0; i < command->entry_count; i++)
        count += model_keeps_entry(model, &entries[i]);
    command->kept &= count || !writing->prunes;
    if (count == 0)
        return;
    model_put_header(writing, command, (uint16_t)count, command->head.info->fixed_size);
    for (uint32_t i = 0; i < command->entry_count; i++) {
        const bool kept = model_keeps_entry(model, &entries[i]);
        uint8_t *out = kept ? model_room(writing, entries[i].size) : NULL;

        entries[i].kept &= kept || !writing->prunes;
        if (!out)
            continue;
        memcpy(out, command->head.body + entries[i].offset, entries[i].size);
        model_narrow_entry(out, command->head.info, &entries[i].primitives);
        writing->counts.primitives += entries[i].primitives.end - entries[i].primitives.begin;
        if (entries[i].makes != MODEL_NONE)
            model->present[entries[i].makes] = 1;
    }
    writing->counts.entries += count;
    writing->counts.primitives += command->head.info->draws == DP2_DRAWS_COUNT ? count : 0;
    writing->counts.commands++;
}

static void model_put_command(struct model_writing *writing, struct model_command *command)
{
    const struct dp2_command *head = &command->head;

    if (!head->info) {
        model_put(writing, head->body, command->size);
        writing->counts.commands++;
    } else if (command->entry_count) {
        model_put_entries(writing, command);
    } else {
        const size_t fixed = head->vertices ? head->info->fixed_size : command->size;

        model_put_header(writing, command, head->count, fixed);
        if (head->vertices) { /* after the padding that it needs at this offset */
            model_pad(writing);
            model_put(writing, head->vertices, (size_t)(head->body + command->size - head->vertices));
        }
        writing->counts.commands++;
        writing->counts.primitives +=
            command->primitives.all ? command->primitives.end - command->primitives.begin : dp2_primitive_count(head);
    }
}

/* --- events --------------------------------------------------------------------------------------- */

static bool model_put_draw(struct model_writing *writing, const struct model_event *event)
{
    const struct capture_draw *old = (const void *)event->event.data;
    const uint8_t *vertices = (const uint8_t *)(old + 1) + ((old->command_bytes + 3) & ~3u);
    const uint64_t commands = writing->counts.commands;
    struct capture_draw head = *old;

    model_put(writing, &head, sizeof(head));
    for (uint32_t i = 0; i < event->command_count; i++) {
        struct model_command *command = &writing->model->commands[event->first_command + i];

        if (command->kept)
            model_put_command(writing, command);
    }
    if (writing->failed || (event->command_count && writing->counts.commands == commands))
        return false; /* an empty call */
    head.command_bytes = (uint32_t)(writing->length - sizeof(head));
    if (event->vertices.all) {
        head.vertex_bytes = head.vertex_bytes / head.vertex_count * event->vertices.end;
        head.vertex_count = event->vertices.end;
    }
    model_pad(writing);
    model_put(writing, vertices, head.vertex_bytes);
    if (!writing->failed)
        memcpy(writing->bytes, &head, sizeof(head));
    writing->counts.calls++;
    return true;
}

static void model_put_memory(struct model_writing *writing, const struct model_event *event)
{
    const struct capture_memory *old = (const void *)event->event.data;
    const struct model_range *range = &event->memory;
    const uint8_t *data = (const uint8_t *)(old + 1);
    const uint32_t count = range->end - range->begin;
    struct capture_memory head = *old;

    if (count < range->all && old->slice_count > 1) {
        head.first_slice += range->begin;
        head.slice_count = count;
        data += (size_t)old->row_bytes * old->row_count * range->begin;
    } else if (count < range->all && old->row_count > 1) {
        head.first_row += range->begin;
        head.row_count = count;
        data += (size_t)old->row_bytes * range->begin;
    } else if (count < range->all) {
        head.row_offset += 4 * range->begin;
        head.row_bytes = range->end == range->all ? old->row_bytes - 4 * range->begin : 4 * count;
        data += 4 * (size_t)range->begin;
    }
    model_put(writing, &head, sizeof(head));
    model_put(writing, data, (size_t)head.row_bytes * head.row_count * head.slice_count);
}

/* The links whose surfaces both exist. Returns their number. */
static uint32_t model_put_links(struct model_writing *writing, const struct capture_link *links, uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!model_has_surface(writing->model, links[i].from) || !model_has_surface(writing->model, links[i].to))
            continue;
        model_put(writing, &links[i], sizeof(links[i]));
        kept++;
    }
    return kept;
}

static void model_put_surfaces(struct model_writing *writing, const struct model_event *event)
{
    struct capture_surfaces head;
    const struct capture_part *parts = (const void *)(event->event.data + sizeof(head));

    memcpy(&head, event->event.data, sizeof(head));
    model_put(writing, &head, sizeof(head));
    model_put(writing, parts, head.part_count * sizeof(*parts));
    head.link_count = model_put_links(writing, (const void *)(parts + head.part_count), head.link_count);
    if (!writing->failed)
        memcpy(writing->bytes, &head, sizeof(head));
    writing->counts.surfaces += head.part_count;
}

static void model_put_announce(struct model_writing *writing, const struct model_event *event)
{
    struct capture_announce head;
    const struct capture_name *names = (const void *)(event->event.data + sizeof(head));
    uint32_t kept = 0;

    memcpy(&head, event->event.data, sizeof(head));
    model_put(writing, &head, sizeof(head));
    for (uint32_t i = 0; i < head.name_count; i++) {
        if (!model_has_surface(writing->model, names[i].id))
            continue;
        model_put(writing, &names[i], sizeof(names[i]));
        kept++;
    }
    head.link_count = model_put_links(writing, (const void *)(names + head.name_count), head.link_count);
    head.name_count = kept;
    if (!writing->failed)
        memcpy(writing->bytes, &head, sizeof(head));
}

/* Events that stay unchanged except for a removed depth buffer, and the number of a frame. */
static void model_put_other(struct model_writing *writing, const struct model_event *event)
{
    struct capture_context *context;
    struct capture_target *target;

    model_put(writing, event->event.data, event->event.size);
    if (writing->failed)
        return;
    context = (void *)writing->bytes;
    target = (void *)writing->bytes;
    if (event->event.type == CAPTURE_CONTEXT && !model_has_surface(writing->model, context->depth))
        context->depth = 0;
    if (event->event.type == CAPTURE_TARGET && !model_has_surface(writing->model, target->depth))
        target->depth = 0;
    if (event->event.type == CAPTURE_FRAME)
        ((struct capture_frame *)(void *)writing->bytes)->frame = writing->frame;
}

static bool model_put_event(struct model_writing *writing, const struct model_event *event)
{
    if (event->makes != MODEL_NONE)
        writing->model->present[event->makes] = 1;
    switch (event->event.type) {
    case CAPTURE_SURFACES:
        model_put_surfaces(writing, event);
        return true;
    case CAPTURE_ANNOUNCE:
        model_put_announce(writing, event);
        return true;
    case CAPTURE_MEMORY:
        model_put_memory(writing, event);
        return true;
    case CAPTURE_DRAW:
        return model_put_draw(writing, event);
    default:
        model_put_other(writing, event);
        return true;
    }
}

static bool model_walk(struct model_writing *writing, bool (*write)(void *user, const struct capture_event *event),
                       void *user)
{
    struct model *model = writing->model;
    bool pinned = !model->pinned, done = true;

    memset(model->present, 0, model->thing_count);
    for (size_t i = 0; done && i < model->event_count; i++) {
        struct model_event *item = &model->events[i];
        struct capture_event event = item->event;

        writing->length = 0;
        if (!item->kept || !model->frames[event.frame] || !model_has(model, &item->needs) ||
            !model_put_event(writing, item)) {
            item->kept &= !writing->prunes || writing->failed;
            continue;
        }
        event.data = writing->bytes;
        event.size = (uint32_t)writing->length;
        event.frame = writing->frame;
        writing->counts.events++;
        writing->counts.bytes += writing->length;
        done = !writing->failed && (!write || write(user, &event));
        pinned |= item == model->pinned;
        writing->frame += event.type == CAPTURE_FRAME;
    }
    free(writing->bytes);
    writing->counts.frames = writing->frame;
    return done && !writing->failed && pinned;
}

bool model_write(struct model *model, bool (*write)(void *user, const struct capture_event *event), void *user)
{
    struct model_writing writing = {.model = model};

    return model_walk(&writing, write, user);
}

void model_prune(struct model *model)
{
    struct model_writing writing = {.model = model, .prunes = true};

    model_walk(&writing, NULL, NULL);
}

bool model_count(struct model *model, struct model_counts *counts)
{
    struct model_writing writing = {.model = model};
    const bool done = model_walk(&writing, NULL, NULL);

    *counts = writing.counts;
    return done;
}

/* --- the key --------------------------------------------------------------------------------------- */

static uint64_t model_mix(uint64_t key, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t words[4] = {a, b, c, d};

    return XXH3_64bits_withSeed(words, sizeof(words), key);
}

uint64_t model_key(const struct model *model)
{
    uint64_t key = XXH3_64bits(model->frames, model->frame_count);

    for (size_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];

        key = model_mix(key, event->kept, event->memory.begin, event->memory.end, event->vertices.end);
    }
    for (size_t i = 0; i < model->command_count; i++) {
        const struct model_command *command = &model->commands[i];

        key = model_mix(key, command->kept, command->primitives.begin, command->primitives.end, 0);
    }
    for (size_t i = 0; i < model->entry_count; i++) {
        const struct model_entry *entry = &model->entries[i];

        key = model_mix(key, entry->kept, entry->primitives.begin, entry->primitives.end, 0);
    }
    return key;
}
