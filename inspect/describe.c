/* SPDX-License-Identifier: MIT */
/* Actions as one line of text. */
#include "inspect/describe.h"

#include "dp2/text/text.h"
#include "inspect/internal.h"

#include <stdlib.h>
#include <string.h>

struct line {
    char *text;
    size_t length, size;
    bool ended;
};

static void put_line(void *user, const char *text, size_t size)
{
    struct line *line = user;

    for (size_t i = 0; i < size && !line->ended; i++) {
        line->ended = text[i] == '\n' || line->length + 1 >= line->size;
        if (!line->ended && (text[i] != ' ' || (line->length && line->text[line->length - 1] != ' ')))
            line->text[line->length++] = text[i];
    }
    line->text[line->length] = 0;
}

void inspect_describe_event(const struct capture_event *event, char *text)
{
    const struct dp2_print_options options = {.style = DP2_TEXT_BRIEF, .lines = true};
    struct line line = {.text = text, .size = INSPECT_TEXT};
    const struct dp2_sink sink = {put_line, &line};

    text[0] = 0;
    dp2_print_event(&sink, event, &options);
    if (line.length > 2 && !strcmp(text + line.length - 2, " {")) /* a body follows */
        text[line.length - 2] = 0;
}

bool inspect_describe(const struct inspect *session, const struct inspect_piece *piece, char *text)
{
    const struct capture_event *event = &session->index.events.list[piece->action.event];
    struct line line = {.text = text, .size = INSPECT_TEXT};
    const struct dp2_sink sink = {put_line, &line};
    struct capture_event *part;
    struct dp2_cursor cursor;
    struct dp2_command command;

    if (event->type != CAPTURE_DRAW) {
        inspect_describe_event(event, text);
        return true;
    }
    text[0] = 0;
    part = inspect_part(event, NULL, piece);
    if (!part)
        return false;
    const struct capture_draw *head = (const void *)part->data;
    const uint32_t size = dp2_fvf_size(head->vertex_type);

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK)
        if (command.offset == piece->begin)
            dp2_print_command(&sink, &command, DP2_TEXT_BRIEF, true);
    free(part);
    return true;
}
