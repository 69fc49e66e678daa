/* SPDX-License-Identifier: MIT */
/*
 * Events, with the commands and vertices of a draw, as named values.
 */
#include "dp2/text/parts.h"
#include "dp2/text/text.h"
#include "dp2/text/visit.h"

/* --- arrays after structures ------------------------------------------------------------------- */

static void visit_arrays(const struct dp2_visitor *v, const struct capture_event *event)
{
    struct dp2_event_array arrays[DP2_MAX_PARTS];
    const unsigned count = dp2_event_arrays(event, arrays);

    for (unsigned k = 0; k < count; k++) {
        const uint32_t size = dp2_fields_size(arrays[k].fields);

        v->open(v->user, arrays[k].all, DP2_LIST);
        for (uint32_t i = 0; i < arrays[k].count; i++) {
            v->open(v->user, NULL, DP2_RECORD);
            dp2_visit_fields(v, arrays[k].fields, arrays[k].at + (size_t)i * size);
            v->close(v->user);
        }
        v->close(v->user);
    }
}

/* --- draws --------------------------------------------------------------------------------------- */

/* A list of vertices, each of them a list of its DWORDs; bytes where the format is not known. */
static void visit_vertices(const struct dp2_visitor *v, uint32_t format, const uint8_t *data, size_t size)
{
    struct dp2_vertex_layout layout;
    size_t at = 0;

    if (size == 0)
        return;
    dp2_vertex_layout(format, &layout);
    if (layout.size == 0 || size < layout.size) {
        dp2_visit_bytes(v, "user_vertices", data, size);
        return;
    }
    v->open(v->user, "user_vertices", DP2_LIST);
    for (; at + layout.size <= size; at += layout.size) {
        v->open(v->user, NULL, DP2_LIST);
        for (unsigned i = 0; i < layout.size / 4; i++) {
            const uint8_t *word = data + at + 4 * (size_t)i;
            const struct dp2_value number = {.kind = DP2_VALUE_FLOAT, .at = word, .count = 1};
            const struct dp2_value color = {.kind = DP2_VALUE_COLOR, .number = dp2_read_u32(word)};

            v->value(v->user, NULL, layout.letters[i] == 'f' ? &number : &color);
        }
        v->close(v->user);
    }
    v->close(v->user);
    if (at < size)
        dp2_visit_bytes(v, "user_vertices_rest", data + at, size - at);
}

static void visit_unreadable(const struct dp2_visitor *v, const struct dp2_command *command, enum dp2_status status)
{
    v->open(v->user, "unreadable", DP2_RECORD);
    dp2_visit_number(v, "offset", (uint32_t)command->offset);
    dp2_visit_name(v, "why", dp2_status_text(status));
    v->close(v->user);
}

static void visit_draw(const struct dp2_visitor *v, const struct capture_draw *head)
{
    const uint8_t *vertices = (const uint8_t *)(head + 1) + ((head->command_bytes + 3) & ~3u);
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;
    uint32_t format = 0;

    v->open(v->user, "commands", DP2_LIST);
    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while ((status = dp2_next(&cursor, &command)) == DP2_OK) {
        dp2_visit_command(v, NULL, &command);
        dp2_note_vertex_format(&command, &format);
    }
    v->close(v->user);
    if (status != DP2_END)
        visit_unreadable(v, &command, status);
    visit_vertices(v, dp2_user_vertex_format(head, format), vertices, head->vertex_bytes);
}

/* The entries of a palette as colours, in whose highest byte are their flags or alpha. */
static void visit_palette(const struct dp2_visitor *v, const struct capture_palette *head)
{
    const uint8_t *entry = (const uint8_t *)(head + 1);

    v->open(v->user, "colors", DP2_LIST);
    for (uint32_t i = 0; i < head->entry_count; i++, entry += 4) {
        const uint32_t color =
            (uint32_t)entry[3] << 24 | (uint32_t)entry[0] << 16 | (uint32_t)entry[1] << 8 | (uint32_t)entry[2];

        v->value(v->user, NULL, &(struct dp2_value){.kind = DP2_VALUE_COLOR, .number = color});
    }
    v->close(v->user);
}

void dp2_visit_event(const struct dp2_visitor *v, const char *name, const struct capture_event *event)
{
    const char *fields = dp2_event_fields(event->type);
    const void *head = event->data;

    v->open(v->user, name, DP2_RECORD);
    dp2_visit_name(v, "event", capture_event_name(event->type));
    if (fields)
        dp2_visit_fields(v, fields, head);
    visit_arrays(v, event);
    if (event->type == CAPTURE_MEMORY || event->type == CAPTURE_SAMPLES || event->type == CAPTURE_PALETTE)
        dp2_visit_bytes(v, "data", event->data + capture_head_size(event->type),
                        event->size - capture_head_size(event->type));
    if (event->type == CAPTURE_PALETTE)
        visit_palette(v, head);
    if (event->type == CAPTURE_DRAW)
        visit_draw(v, head);
    v->close(v->user);
}
