/* SPDX-License-Identifier: MIT */
/* Finds the actions of a frame, and cuts DrawPrimitives2 calls between them. */
#include "inspect/frame.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/tokens.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ACTIONS 4000000 /* of a frame; later ones are played at its end */

/* --- events -------------------------------------------------------------------------------------- */

bool inspect_events_add(struct inspect_events *events, const struct capture_event *event)
{
    uint8_t *data = mem_alloc(event->size, 1, 4);

    if (data && events->count == events->capacity) {
        const size_t capacity = 2 * events->capacity + 64;
        struct capture_event *bigger = mem_realloc(events->list, capacity, sizeof(*bigger));

        if (bigger) {
            events->list = bigger;
            events->capacity = capacity;
        }
    }
    if (!data || events->count == events->capacity) {
        free(data);
        return false;
    }
    memcpy(data, event->data, event->size);
    events->list[events->count] = *event;
    events->list[events->count++].data = data;
    events->bytes += event->size;
    return true;
}

void inspect_events_free(struct inspect_events *events)
{
    for (size_t i = 0; i < events->count; i++)
        free((void *)events->list[i].data);
    free(events->list);
    *events = (struct inspect_events){0};
}

/* --- actions ------------------------------------------------------------------------------------- */

const char *inspect_kind_name(enum inspect_kind kind)
{
    static const char *const names[INSPECT_KIND_COUNT] = {
        [INSPECT_DRAW] = "draw",       [INSPECT_CLEAR] = "clear",     [INSPECT_BLIT] = "blit",
        [INSPECT_FILL] = "fill",       [INSPECT_PRESENT] = "present", [INSPECT_LOCK] = "lock",
        [INSPECT_PALETTE] = "palette",
    };

    return (unsigned)kind < INSPECT_KIND_COUNT ? names[kind] : "?";
}

static bool add_piece(struct inspect_frame_index *index, const struct inspect_piece *piece)
{
    if (index->count == index->capacity) {
        const size_t capacity = 2 * index->capacity + 64;
        struct inspect_piece *bigger = mem_realloc(index->pieces, capacity, sizeof(*bigger));

        if (!bigger)
            return false;
        index->pieces = bigger;
        index->capacity = capacity;
    }
    index->pieces[index->count++] = *piece;
    return true;
}

bool inspect_token_kind(const struct dp2_token_info *info, enum inspect_kind *kind)
{
    if (info->draws != DP2_DRAWS_NOTHING)
        *kind = INSPECT_DRAW;
    else if (info->number == DP2OP_CLEAR)
        *kind = INSPECT_CLEAR;
    else if (info->number == DP2OP_COLORFILL)
        *kind = INSPECT_FILL;
    else if (strchr(info->surfaces, DP2_SURFACE_COPIED) || strchr(info->surfaces, DP2_SURFACE_FILLED))
        *kind = INSPECT_BLIT;
    else
        return false;
    return true;
}

/* Can the command be split into commands of one entry each? */
static bool is_divisible(const struct dp2_command *command)
{
    const uint8_t rule = command->info->size_rule;
    const bool counts_entries = rule == DP2_SIZE_ARRAY || rule == DP2_SIZE_RECTPATCH || rule == DP2_SIZE_TRIPATCH;

    if (!counts_entries || command->count < 2)
        return false;
    /* The entries of the oldest tokens are corners and indices. */
    return command->info->draws != DP2_DRAWS_COUNT || command->info->number == DP2OP_POINTS;
}

static uint32_t legacy_type(uint8_t token)
{
    switch (token) {
    case DP2OP_POINTS:
        return 1;
    case DP2OP_LINELIST:
    case DP2OP_INDEXEDLINELIST:
    case DP2OP_INDEXEDLINELIST2:
    case DP2OP_LINELIST_IMM:
        return 2;
    case DP2OP_LINESTRIP:
    case DP2OP_INDEXEDLINESTRIP:
        return 3;
    case DP2OP_TRIANGLESTRIP:
    case DP2OP_INDEXEDTRIANGLESTRIP:
        return 5;
    case DP2OP_TRIANGLEFAN:
    case DP2OP_INDEXEDTRIANGLEFAN:
    case DP2OP_TRIANGLEFAN_IMM:
    case DP2OP_CLIPPEDTRIANGLEFAN:
        return 6;
    case DP2OP_TRIANGLELIST:
    case DP2OP_INDEXEDTRIANGLELIST:
    case DP2OP_INDEXEDTRIANGLELIST2:
        return 4;
    default:
        return 0;
    }
}

/* Notes the primitives that the entry of a draw asks for; `entry` NULL: the command is one action. */
static void note_primitives(struct inspect_action *action, const struct dp2_command *command,
                            const struct dp2_entry *entry)
{
    const uint8_t *head = entry ? entry->head : command->body + command->info->fixed_size;
    uint32_t at;

    if (action->kind != INSPECT_DRAW)
        return;
    action->type = legacy_type(command->info->number);
    action->primitives = command->info->number == DP2OP_POINTS && command->count ? dp2_read_u16(head) : command->count;
    if (command->info->draws == DP2_DRAWS_UNKNOWN)
        action->primitives = 0;
    if (command->info->draws != DP2_DRAWS_FIELD || command->count == 0)
        return;
    action->primitives = dp2_field_offset(command->info, "primitives", &at) ? dp2_read_u32(head + at) : 0;
    if (dp2_field_offset(command->info, "type", &at))
        action->type = dp2_read_u32(head + at);
}

static bool add_entries(struct inspect_frame_index *index, struct inspect_piece *piece,
                        const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    piece->whole = false;
    for (uint32_t i = 0; dp2_next_entry(command, &entry); i++) {
        piece->action.entry = i;
        piece->first = (uint32_t)(entry.head - command->body);
        piece->last = piece->first + (uint32_t)(entry.head_size + entry.data_size);
        note_primitives(&piece->action, command, &entry);
        if (!add_piece(index, piece))
            return false;
    }
    return true;
}

static bool add_commands(struct inspect_frame_index *index, const struct capture_event *event)
{
    const struct capture_draw *head = (const void *)event->data;
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK && command.info->number != DP2OP_EXIT) {
        struct inspect_piece piece = {
            .begin = (uint32_t)command.offset,
            .end = (uint32_t)cursor.offset,
            .fixed = command.info->fixed_size,
            .whole = true,
            .action = {.event = (uint32_t)index->events.count - 1,
                       .call = index->calls,
                       .context = head->context,
                       .offset = (uint32_t)command.offset,
                       .token = command.info->name},
        };

        if (!inspect_token_kind(command.info, &piece.action.kind))
            continue;
        if (index->count >= MOST_ACTIONS)
            break;
        if (is_divisible(&command)) {
            if (!add_entries(index, &piece, &command))
                return false;
            continue;
        }
        note_primitives(&piece.action, &command, NULL);
        if (!add_piece(index, &piece))
            return false;
    }
    index->calls++;
    return true;
}

bool inspect_index_add(struct inspect_frame_index *index, const struct capture_event *event)
{
    struct inspect_piece piece = {.whole = true, .action = {.call = INSPECT_NO_CALL}};

    if (!inspect_events_add(&index->events, event))
        return false;
    piece.action.event = (uint32_t)index->events.count - 1;
    piece.action.token = capture_event_name(event->type);
    switch (event->type) {
    case CAPTURE_DRAW:
        return add_commands(index, event);
    case CAPTURE_CLEAR:
        piece.action.kind = INSPECT_CLEAR;
        piece.action.context = ((const struct capture_clear *)(const void *)event->data)->context;
        return add_piece(index, &piece);
    case CAPTURE_FLIP:
        piece.action.kind = INSPECT_PRESENT;
        return add_piece(index, &piece);
    case CAPTURE_BLT: {
        const struct capture_blt *blt = (const void *)event->data;

        piece.action.kind = blt->flags & DDBLT_LAST_PRESENTATION ? INSPECT_PRESENT
                            : blt->source                        ? INSPECT_BLIT
                                                                 : INSPECT_FILL;
        return add_piece(index, &piece);
    }
    default:
        return true;
    }
}

void inspect_index_free(struct inspect_frame_index *index)
{
    inspect_events_free(&index->events);
    free(index->pieces);
    *index = (struct inspect_frame_index){0};
}

/* --- parts of calls ------------------------------------------------------------------------------ */

/* A command that draws nothing and takes six bytes: it restores the offset modulo 4 of the commands after it.
 * Vertices in the stream are aligned by their offset. */
static size_t put_alignment(uint8_t *out, uint32_t begin)
{
    const uint8_t nothing[6] = {DP2OP_INDEXEDTRIANGLELIST2};

    if (begin % 4 != 2)
        return 0;
    memcpy(out, nothing, sizeof(nothing));
    return sizeof(nothing);
}

/* One entry as a command. */
static size_t put_entry(uint8_t *out, const uint8_t *commands, const struct inspect_piece *piece)
{
    const uint8_t *command = commands + piece->begin;
    const uint16_t one = 1;

    memcpy(out, command, DP2_HEADER_BYTES);
    memcpy(out + 2, &one, sizeof(one));
    memcpy(out + DP2_HEADER_BYTES, command + DP2_HEADER_BYTES, piece->fixed);
    memcpy(out + DP2_HEADER_BYTES + piece->fixed, command + DP2_HEADER_BYTES + piece->first,
           piece->last - piece->first);
    return DP2_HEADER_BYTES + piece->fixed + piece->last - piece->first;
}

struct capture_event *inspect_part(const struct capture_event *event, const struct inspect_piece *from,
                                   const struct inspect_piece *to)
{
    const struct capture_draw *head = (const void *)event->data;
    const uint8_t *commands = (const uint8_t *)(head + 1);
    const bool same = from && to && from->begin == to->begin && from->end == to->end;
    const uint32_t begin = from ? from->end : 0, end = !to ? head->command_bytes : to->whole ? to->end : to->begin;
    struct capture_event *part = mem_calloc(1, sizeof(*part) + (size_t)event->size + 16);
    struct capture_draw *copy = (void *)(part + 1);
    uint8_t *out = (uint8_t *)(copy + 1);
    size_t size = 0;

    if (!part)
        return NULL;
    *part = *event;
    *copy = *head;
    if (!same && end > begin) {
        size = put_alignment(out, begin);
        memcpy(out + size, commands + begin, end - begin);
        size += end - begin;
    }
    if (to && !to->whole)
        size += put_entry(out + size, commands, to);
    copy->command_bytes = (uint32_t)size;
    size = (size + 3) & ~(size_t)3;
    memcpy(out + size, commands + ((head->command_bytes + 3) & ~3u), head->vertex_bytes);
    part->size = (uint32_t)(sizeof(*copy) + size) + head->vertex_bytes;
    part->data = (const uint8_t *)copy;
    return part;
}
