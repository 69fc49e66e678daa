/* SPDX-License-Identifier: MIT */
/*
 * Events as text, and the vertices of a draw.
 */
#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/text/parts.h"
#include "dp2/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define add dp2_sink_printf

struct event_printer {
    const struct dp2_sink *sink;
    const struct dp2_print_options *options;
};

static void add_hex(const struct dp2_sink *sink, const uint8_t *data, size_t size)
{
    size_t i = 0;

    add(sink, "hex(");
    for (; i + 4 <= size; i += 4)
        add(sink, "%s%08" PRIx32, i % 32 ? " " : "\n        ", dp2_read_u32(data + i));
    for (; i < size; i++)
        add(sink, " %02x", data[i]);
    add(sink, ")");
}

static bool all_finite(const struct dp2_vertex_layout *layout, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4)
        if (layout->letters[i % layout->size / 4] == 'f' && !isfinite(dp2_read_f32(data + i)))
            return false;
    return true;
}

static void add_vertex(const struct dp2_sink *sink, const struct dp2_vertex_layout *layout, const uint8_t *data)
{
    for (unsigned i = 0; i < layout->size / 4; i++) {
        const uint8_t *at = data + 4 * i;

        add(sink, i == 0 ? "" : " ");
        if (layout->letters[i] == 'f')
            add(sink, "%.9g", (double)dp2_read_f32(at));
        else
            add(sink, "#%08" PRIx32, dp2_read_u32(at));
    }
}

/* Vertices of a flexible format as fvf(...), one a line; as hex(...) if that would lose information. */
static void dp2_print_vertices(const struct dp2_sink *sink, uint32_t fvf, const uint8_t *data, size_t size)
{
    struct dp2_vertex_layout layout;
    size_t at = 0;

    dp2_vertex_layout(fvf, &layout);
    if (layout.size == 0 || size < layout.size || !all_finite(&layout, data, size)) {
        add_hex(sink, data, size);
        return;
    }
    add(sink, "fvf(");
    dp2_print_value(sink, 'F', (const uint8_t *)&fvf);
    for (; at + layout.size <= size; at += layout.size) {
        add(sink, "\n        ");
        add_vertex(sink, &layout, data + at);
    }
    add(sink, ")");
    if (at < size) {
        add(sink, " ");
        add_hex(sink, data + at, size - at);
    }
}

/* --- arrays after structures -------------------------------------------------------------------
 */

static void open_body(const struct event_printer *p)
{
    add(p->sink, " {\n");
}

static void close_body(const struct event_printer *p)
{
    add(p->sink, "  }\n");
}

static void add_array(const struct event_printer *p, const struct dp2_event_array *array)
{
    const uint32_t size = dp2_fields_size(array->fields);

    for (uint32_t i = 0; i < array->count; i++) {
        add(p->sink, "    %s ", array->one);
        dp2_print_fields(p->sink, array->fields, array->at + (size_t)i * size, DP2_SKIP_ZERO);
        add(p->sink, "\n");
    }
}

/* An event of rectangles alone has a body only if there are any. */
static void add_arrays(const struct event_printer *p, const struct capture_event *event)
{
    struct dp2_event_array arrays[DP2_MAX_PARTS];
    const unsigned count = dp2_event_arrays(event, arrays);

    if (count == 0 || (count == 1 && arrays[0].count == 0)) {
        add(p->sink, "\n");
        return;
    }
    open_body(p);
    for (unsigned i = 0; i < count; i++)
        add_array(p, &arrays[i]);
    close_body(p);
}

#define SHOWN_ENTRIES 8 /* of a palette, in a line */

/* The first entries of a palette as colours. */
static void add_entries(const struct event_printer *p, const struct capture_event *event)
{
    const struct capture_palette *head = (const void *)event->data;
    const uint8_t *entry = (const uint8_t *)(head + 1);

    for (uint32_t i = 0; i < BASE_MIN(head->entry_count, (uint32_t)SHOWN_ENTRIES); i++, entry += 4)
        add(p->sink, "%s#%02x%02x%02x", i ? " " : ": ", entry[0], entry[1], entry[2]);
    add(p->sink, "%s", head->entry_count > SHOWN_ENTRIES ? " ..." : "");
}

/* The bytes after a structure. */
static void add_memory(const struct event_printer *p, const struct capture_event *event)
{
    const uint32_t head = capture_head_size(event->type);
    const uint8_t *data = event->data + head;
    const size_t size = event->size - head;

    if (p->options->style == DP2_TEXT_BRIEF && !p->options->vertices) {
        add(p->sink, " // %zu bytes", size);
        if (event->type == CAPTURE_PALETTE)
            add_entries(p, event);
        add(p->sink, "\n");
    } else {
        open_body(p);
        add(p->sink, "    ");
        add_hex(p->sink, data, size);
        add(p->sink, "\n");
        close_body(p);
    }
}

/* --- draws ---------------------------------------------------------------------------------------
 */

struct growing {
    char *text;
    size_t length, capacity;
    bool failed;
};

static void put_growing(void *user, const char *text, size_t size)
{
    struct growing *out = user;
    char *grown;

    if (out->failed)
        return;
    grown = mem_grow(out->text, &out->capacity, out->length, size);
    if (!grown) {
        out->failed = true;
        return;
    }
    out->text = grown;
    memcpy(out->text + out->length, text, size);
    out->length += size;
}

/* Prints a command as text, or as bytes if the assembler would make other bytes of the text: NaN, odd padding. */
static void add_exact_command(const struct event_printer *p, const struct dp2_command *command)
{
    const size_t size = 4 + command->body_size;
    struct growing out = {0};
    const struct dp2_sink sink = {put_growing, &out};
    struct dp2_asm_error ignored;
    uint8_t *bytes = mem_alloc(size, 1, 4);

    dp2_print_command(&sink, command, DP2_TEXT_FULL, p->options->lines);
    if (bytes && !out.failed &&
        dp2_assemble_command(out.text, out.length, bytes, command->offset, size, &ignored) == size &&
        memcmp(bytes, command->body - 4, size) == 0) {
        p->sink->put(p->sink->user, out.text, out.length);
    } else {
        add(p->sink, "raw ");
        add_hex(p->sink, command->body - 4, size);
        add(p->sink, " // %s", command->info->name);
    }
    free(bytes);
    free(out.text);
}

static void add_command(const struct event_printer *p, const struct dp2_command *command)
{
    add(p->sink, "    %06zx: ", command->offset);
    if (p->options->style == DP2_TEXT_FULL)
        add_exact_command(p, command);
    else
        dp2_print_command(p->sink, command, p->options->style, p->options->lines);
    add(p->sink, "\n");
    if (p->options->after_command)
        p->options->after_command(p->options->user, p->sink, command);
}

uint32_t dp2_user_vertex_format(const struct capture_draw *head, uint32_t set)
{
    if (dp2_fvf_size(head->vertex_type))
        return head->vertex_type;
    return set && dp2_fvf_size(set) == head->vertex_size ? set : 0;
}

static void add_user_vertices(const struct event_printer *p, const struct capture_draw *head, uint32_t format)
{
    const uint8_t *data = (const uint8_t *)(head + 1) + ((head->command_bytes + 3) & ~3u);

    if (head->vertex_bytes == 0)
        return;
    if (p->options->style == DP2_TEXT_BRIEF && !p->options->vertices) {
        add(p->sink, "    // %" PRIu32 " bytes of vertices\n", head->vertex_bytes);
    } else {
        add(p->sink, "    user_vertices {\n    ");
        dp2_print_vertices(p->sink, format, data, head->vertex_bytes);
        add(p->sink, "\n    }\n");
    }
}

void dp2_note_vertex_format(const struct dp2_command *command, uint32_t *set)
{
    struct dp2_entry entry = {0};

    while (command->info->number == DP2OP_SETVERTEXSHADER && dp2_next_entry(command, &entry))
        *set = DP2_U32(entry.head, entry_SETVERTEXSHADER, shader);
}

static void add_draw(const struct event_printer *p, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;
    uint32_t format = 0;

    open_body(p);
    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while ((status = dp2_next(&cursor, &command)) == DP2_OK) {
        add_command(p, &command);
        dp2_note_vertex_format(&command, &format);
    }
    if (status != DP2_END) {
        add(p->sink, "    %06zx: raw ", command.offset);
        add_hex(p->sink, cursor.base + command.offset, head->command_bytes - command.offset);
        add(p->sink, " // ! %s\n", dp2_status_text(status));
    }
    add_user_vertices(p, head, dp2_user_vertex_format(head, format));
    close_body(p);
}

/* Fields that the assembler does not take for 0 when they are left out. */
static bool has_defaults(unsigned type)
{
    return type == CAPTURE_CONTEXT || type == CAPTURE_MEMORY || type == CAPTURE_DRAW || type == CAPTURE_COLOR_KEY ||
           type == CAPTURE_SAMPLES || type == CAPTURE_PALETTE;
}

void dp2_print_event(const struct dp2_sink *sink, const struct capture_event *event,
                     const struct dp2_print_options *options)
{
    const struct event_printer p = {sink, options};
    const char *fields = dp2_event_fields(event->type);
    const void *head = event->data;

    if (!fields || (options->commands_only && event->type != CAPTURE_DRAW && event->type != CAPTURE_FRAME))
        return;
    add(sink, "  %s ", capture_event_name(event->type));
    dp2_print_fields(sink, fields, event->data, has_defaults(event->type) ? 0 : DP2_SKIP_ZERO);
    switch (event->type) {
    case CAPTURE_MEMORY:
    case CAPTURE_SAMPLES:
    case CAPTURE_PALETTE:
        add_memory(&p, event);
        break;
    case CAPTURE_DRAW:
        add_draw(&p, head);
        break;
    default:
        add_arrays(&p, event);
        break;
    }
}
