/* SPDX-License-Identifier: MIT */
/*
 * The data after the structures of commands and events.
 */
#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/text/parts.h"
#include "dp2/text/text.h"

/* --- entries of commands ------------------------------------------------------------------------ */

static struct dp2_part one_structure(const char *fields, const uint8_t *at)
{
    return (struct dp2_part){
        .kind = DP2_PART_FIELDS, .fields = fields, .at = at, .count = 1, .size = dp2_fields_size(fields)};
}

static struct dp2_part some_bytes(const char *name, const uint8_t *at, size_t size)
{
    return (struct dp2_part){.kind = DP2_PART_BYTES, .name = name, .at = at, .count = 1, .size = size};
}

static struct dp2_part rows_of(enum dp2_part_kind kind, unsigned columns, const struct dp2_entry *entry)
{
    const size_t size = 4 * (size_t)columns;

    return (struct dp2_part){
        .kind = kind, .columns = columns, .at = entry->data, .count = entry->data_size / size, .size = size};
}

static unsigned patch_parts(const struct dp2_entry *entry, enum dp2_size_rule rule, struct dp2_part *parts)
{
    const uint32_t flags = DP2_U32(entry->head, entry_DRAWRECTPATCH, flags);
    const uint8_t *at = entry->data;
    unsigned count = 0;

    if (flags & DP2_PATCH_HASSEGS) {
        parts[count] = one_structure(dp2_patch_segment_fields(rule), at);
        at += parts[count++].size;
    }
    if (flags & DP2_PATCH_HASINFO)
        parts[count++] = one_structure(dp2_patch_info_fields(rule), at);
    return count;
}

/* A name of the program's; its padding, if not all of it is 0. */
static unsigned text_parts(const struct dp2_entry *entry, struct dp2_part *parts)
{
    const size_t size = BASE_MIN(DP2_U32(entry->head, entry_MARKER, text_bytes), entry->data_size),
                 rest = entry->data_size - size;

    parts[0] = some_bytes("text", entry->data, size);
    parts[0].kind = DP2_PART_TEXT;
    if (dp2_is_zero(entry->data + size, rest))
        return 1;
    parts[1] = some_bytes("padding", entry->data + size, rest);
    return 2;
}

unsigned dp2_entry_parts(const struct dp2_entry *entry, enum dp2_size_rule rule, struct dp2_part parts[DP2_MAX_PARTS])
{
    if (entry->data_size == 0)
        return 0;
    switch (rule) {
    case DP2_SIZE_LIGHT:
        parts[0] = one_structure(dp2_fields_of_LIGHT, entry->data);
        return 1;
    case DP2_SIZE_RECTPATCH:
    case DP2_SIZE_TRIPATCH:
        return patch_parts(entry, rule, parts);
    case DP2_SIZE_TEXT:
        return text_parts(entry, parts);
    case DP2_SIZE_VECTORS:
        parts[0] = rows_of(DP2_PART_FLOATS, 4, entry);
        return 1;
    case DP2_SIZE_IVECTORS:
        parts[0] = rows_of(DP2_PART_INTS, 4, entry);
        return 1;
    case DP2_SIZE_BOOLS:
        parts[0] = rows_of(DP2_PART_INTS, 1, entry);
        return 1;
    case DP2_SIZE_KERNEL:
        parts[0] = rows_of(DP2_PART_FLOATS, 1, entry);
        return 1;
    case DP2_SIZE_ELEMENTS:
        parts[0] = one_structure(dp2_fields_of_ELEMENT, entry->data);
        parts[0].kind = DP2_PART_RECORDS;
        parts[0].count = entry->data_size / parts[0].size;
        return 1;
    case DP2_SIZE_SHADER: {
        const uint32_t declaration = DP2_U32(entry->head, entry_CREATEVERTEXSHADER, decl_bytes);
        parts[0] = some_bytes("decl", entry->data, declaration);
        parts[1] = some_bytes("code", entry->data + declaration, entry->data_size - declaration);
        return 2;
    }
    default:
        parts[0] = some_bytes(rule == DP2_SIZE_BYTES ? "code" : "data", entry->data, entry->data_size);
        return 1;
    }
}

/* --- inline vertices ------------------------------------------------------------------------------ */

bool dp2_is_zero(const uint8_t *at, size_t size)
{
    while (size && *at == 0) {
        at++;
        size--;
    }
    return size == 0;
}

unsigned dp2_vertex_parts(const struct dp2_command *command, struct dp2_part parts[DP2_MAX_PARTS])
{
    const uint8_t *padding = command->body + command->info->fixed_size;
    const size_t before = (size_t)(command->vertices - padding);
    unsigned count = 0;

    if (!dp2_is_zero(padding, before))
        parts[count++] = some_bytes("padding", padding, before);
    parts[count++] =
        some_bytes("vertices", command->vertices, command->body_size - (size_t)(command->vertices - command->body));
    return count;
}

/* --- events --------------------------------------------------------------------------------------- */

static struct dp2_event_array rects_behind(const void *head, size_t head_size, uint32_t count)
{
    return (struct dp2_event_array){"rect", "rects", dp2_rect_fields, (const uint8_t *)head + head_size, count};
}

static void add_links(struct dp2_event_array arrays[DP2_MAX_PARTS], uint32_t count)
{
    const uint8_t *at = arrays[0].at + (size_t)arrays[0].count * dp2_fields_size(arrays[0].fields);

    arrays[1] = (struct dp2_event_array){"link", "links", dp2_link_fields, at, count};
}

unsigned dp2_event_arrays(const struct capture_event *event, struct dp2_event_array arrays[DP2_MAX_PARTS])
{
    const void *head = event->data;

    switch (event->type) {
    case CAPTURE_SURFACES: {
        const struct capture_surfaces *surfaces = head;
        arrays[0] = (struct dp2_event_array){"part", "parts", dp2_part_fields, (const uint8_t *)(surfaces + 1),
                                             surfaces->part_count};
        add_links(arrays, surfaces->link_count);
        return 2;
    }
    case CAPTURE_ANNOUNCE: {
        const struct capture_announce *announce = head;
        arrays[0] = (struct dp2_event_array){"name", "names", dp2_name_fields, (const uint8_t *)(announce + 1),
                                             announce->name_count};
        add_links(arrays, announce->link_count);
        return 2;
    }
    case CAPTURE_BLT:
        arrays[0] = rects_behind(head, sizeof(struct capture_blt), ((const struct capture_blt *)head)->rect_count);
        return 1;
    case CAPTURE_CLEAR:
        arrays[0] = rects_behind(head, sizeof(struct capture_clear), ((const struct capture_clear *)head)->rect_count);
        return 1;
    default:
        return 0;
    }
}
