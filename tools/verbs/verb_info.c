/* SPDX-License-Identifier: MIT */
/*
 * dp2 info: the contents of a capture in numbers.
 */
#include "base/json/json.h"
#include "base/base.h"
#include "tools/tool.h"

#include "base/utf8.h"
#include "dp2/capture/capture.h"
#include "dp2/tokens.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct frame_counts {
    uint64_t events, draws, tokens, primitives, command_bytes, vertex_bytes, memory_bytes;
};

struct info {
    const char *path;
    bool json, frames;
    struct frame_counts total;
    struct frame_counts *by_frame;
    uint32_t frame_count, frame_capacity;
    uint64_t events[CAPTURE_EVENT_COUNT];
    uint64_t tokens[256];
    uint64_t damaged;       /* streams with an unreadable command */
    uint32_t width, height; /* of the first frame; 0: there is none */
    bool cut;
};

static struct frame_counts *counts_of(struct info *info, uint32_t frame)
{
    if (frame >= CAPTURE_MAX_FRAMES)
        return NULL;
    if (frame >= info->frame_capacity) {
        const uint32_t capacity = frame + frame / 2 + 64;
        struct frame_counts *bigger = mem_realloc(info->by_frame, capacity, sizeof(*bigger));
        if (!bigger)
            return NULL;
        memset(bigger + info->frame_capacity, 0, (capacity - info->frame_capacity) * sizeof(*bigger));
        info->by_frame = bigger;
        info->frame_capacity = capacity;
    }
    if (frame >= info->frame_count)
        info->frame_count = frame + 1;
    return &info->by_frame[frame];
}

static void count_draw(struct info *info, const struct capture_draw *head, struct frame_counts *frame)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while ((status = dp2_next(&cursor, &command)) == DP2_OK) {
        info->tokens[command.info->number]++;
        frame->tokens++;
        frame->primitives += dp2_primitive_count(&command);
    }
    info->damaged += status != DP2_END;
    frame->draws++;
    frame->command_bytes += head->command_bytes;
    frame->vertex_bytes += head->vertex_bytes;
}

static void note_size(struct info *info, const struct capture_frame *frame)
{
    const int64_t width = (int64_t)frame->rect.right - frame->rect.left;
    const int64_t height = (int64_t)frame->rect.bottom - frame->rect.top;

    if (width > 0 && height > 0 && width <= 65536 && height <= 65536) {
        info->width = (uint32_t)width;
        info->height = (uint32_t)height;
    }
}

static bool count_event(struct info *info, const struct capture_event *event)
{
    struct frame_counts *frame = counts_of(info, event->frame);

    if (!frame)
        return false;
    info->events[event->type]++;
    frame->events++;
    if (event->type == CAPTURE_MEMORY)
        frame->memory_bytes += event->size - sizeof(struct capture_memory);
    if (event->type == CAPTURE_FRAME && info->events[CAPTURE_FRAME] == 1)
        note_size(info, (const void *)event->data);
    if (event->type == CAPTURE_DRAW)
        count_draw(info, (const void *)event->data, frame);
    return true;
}

static void sum_up(struct info *info)
{
    for (uint32_t i = 0; i < info->frame_count; i++) {
        const struct frame_counts *frame = &info->by_frame[i];
        info->total.events += frame->events;
        info->total.draws += frame->draws;
        info->total.tokens += frame->tokens;
        info->total.primitives += frame->primitives;
        info->total.command_bytes += frame->command_bytes;
        info->total.vertex_bytes += frame->vertex_bytes;
        info->total.memory_bytes += frame->memory_bytes;
    }
}

/* --- the information chunk -------------------------------------------------------------------- */

#define MAX_VALUE 4096

/* The next line of the information chunk, whose text is untrusted. False: no more. A line without = has no key. */
static bool next_property(const char **text, char line[MAX_VALUE], const char **key, const char **value)
{
    const size_t length = strcspn(*text, "\n");
    char *equals;

    if (!**text)
        return false;
    snprintf(line, MAX_VALUE, "%.*s", (int)(length < MAX_VALUE ? length : MAX_VALUE - 1), *text);
    *text += length + ((*text)[length] != 0);
    equals = strchr(line, '=');
    if (equals)
        *equals = 0;
    *key = equals ? line : "";
    *value = equals ? equals + 1 : line;
    return true;
}

static void print_properties(const char *text)
{
    char line[MAX_VALUE];
    const char *key, *value;

    while (next_property(&text, line, &key, &value)) {
        utf8_print(stdout, key);
        printf("%*s ", strlen(key) < 10 ? (int)(10 - strlen(key)) : 0, "");
        utf8_print(stdout, value);
        putchar('\n');
    }
}

static void json_properties(struct json_writer *json, const char *text)
{
    char line[MAX_VALUE], clean_key[64], clean_value[MAX_VALUE];
    const char *key, *value;

    json_open_object(json, "info");
    while (next_property(&text, line, &key, &value)) {
        utf8_clean(clean_key, sizeof(clean_key), key);
        utf8_clean(clean_value, sizeof(clean_value), value);
        json_put_text(json, clean_key, clean_value);
    }
    json_close(json);
}

static void info_print_text(const struct info *info, const struct capture_reader *reader)
{
    const struct frame_counts *total = &info->total;

    utf8_print(stdout, tool_input_name(info->path));
    putchar('\n');
    print_properties(capture_info(reader));
    if (info->width)
        printf("size       %" PRIu32 "x%" PRIu32 "\n", info->width, info->height);
    printf("file       %" PRIu64 " bytes%s\n", capture_size(reader),
           info->cut                        ? ", cut short"
           : capture_indexed_frames(reader) ? ", indexed"
                                            : "");
    printf("frames     %" PRIu64 "\n", info->events[CAPTURE_FRAME]);
    printf("draws      %" PRIu64 " DrawPrimitives2 calls, %" PRIu64 " tokens, %" PRIu64 " primitives\n", total->draws,
           total->tokens, total->primitives);
    printf("bytes      %" PRIu64 " commands, %" PRIu64 " vertices, %" PRIu64 " memory\n", total->command_bytes,
           total->vertex_bytes, total->memory_bytes);
    if (info->damaged)
        printf("unreadable %" PRIu64 " command streams\n", info->damaged);
    printf("\nevents\n");
    for (unsigned i = 0; i < CAPTURE_EVENT_COUNT; i++)
        if (info->events[i])
            printf("  %-24s %10" PRIu64 "\n", capture_event_name(i), info->events[i]);
    printf("\ntokens\n");
    for (unsigned i = 0; i < 256; i++)
        if (info->tokens[i])
            printf("  %-24s %10" PRIu64 "\n", dp2_token_info((uint8_t)i)->name, info->tokens[i]);
    if (!info->frames)
        return;
    printf("\n   frame  events   draws  tokens primitives   commands   vertices     memory\n");
    for (uint32_t i = 0; i < info->frame_count; i++) {
        const struct frame_counts *f = &info->by_frame[i];
        printf("%8" PRIu32 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
               " %10" PRIu64 "\n",
               i, f->events, f->draws, f->tokens, f->primitives, f->command_bytes, f->vertex_bytes, f->memory_bytes);
    }
}

static void json_counts(struct json_writer *json, const struct frame_counts *f)
{
    json_put_number(json, "events", f->events);
    json_put_number(json, "draws", f->draws);
    json_put_number(json, "tokens", f->tokens);
    json_put_number(json, "primitives", f->primitives);
    json_put_number(json, "command_bytes", f->command_bytes);
    json_put_number(json, "vertex_bytes", f->vertex_bytes);
    json_put_number(json, "memory_bytes", f->memory_bytes);
}

static void json_by_name(struct json_writer *json, const struct info *info)
{
    json_open_object(json, "total");
    json_counts(json, &info->total);
    json_close(json);
    json_open_object(json, "events");
    for (unsigned i = 0; i < CAPTURE_EVENT_COUNT; i++)
        if (info->events[i])
            json_put_number(json, capture_event_name(i), info->events[i]);
    json_close(json);
    json_open_object(json, "tokens");
    for (unsigned i = 0; i < 256; i++)
        if (info->tokens[i])
            json_put_number(json, dp2_token_info((uint8_t)i)->name, info->tokens[i]);
    json_close(json);
}

static bool info_print_json(const struct info *info, const struct capture_reader *reader)
{
    struct json_writer json;

    json_begin(&json, stdout, "dp2-info", false);
    json_put_text(&json, "file", info->path);
    json_properties(&json, capture_info(reader));
    json_put_number(&json, "width", info->width);
    json_put_number(&json, "height", info->height);
    json_put_number(&json, "bytes", capture_size(reader));
    json_put_number(&json, "frames", info->events[CAPTURE_FRAME]);
    json_put_bool(&json, "indexed", capture_indexed_frames(reader) != 0);
    json_put_bool(&json, "cut_short", info->cut);
    json_put_number(&json, "unreadable_streams", info->damaged);
    json_by_name(&json, info);
    json_stream_list(&json, "by_frame");
    for (uint32_t i = 0; i < info->frame_count; i++) {
        json_open_object(&json, NULL);
        json_put_number(&json, "frame", i);
        json_counts(&json, &info->by_frame[i]);
        json_close(&json);
    }
    return json_end(&json);
}

static int info_read_all(struct info *info, struct capture_reader *reader)
{
    struct capture_error error = {0};
    struct capture_event event;
    enum capture_status status;

    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK)
        if (!count_event(info, &event))
            return tool_fail(&verb_info, "%s: out of memory in frame %" PRIu32, info->path, event.frame);
    sum_up(info);
    if (status == CAPTURE_BAD)
        return tool_unreadable(&verb_info, info->path, &error);
    info->cut = status == CAPTURE_CUT;
    return info->cut ? tool_cut_short(&verb_info, info->path, &error) : TOOL_OK;
}

static int info_file(struct info *info)
{
    int status;
    struct capture_reader *reader = tool_open_capture(&verb_info, info->path, &status);

    if (!reader)
        return status;
    status = info_read_all(info, reader);
    if ((status == TOOL_OK || info->cut) && info->json)
        status = info_print_json(info, reader) ? status : tool_fail(&verb_info, "out of memory");
    else if (status == TOOL_OK || info->cut)
        info_print_text(info, reader);
    status = tool_close_capture(&verb_info, info->path, reader, status);
    free(info->by_frame);
    return status;
}

static int info_verb(void *settings, char **operands, int count)
{
    struct info *info = settings;

    (void)count;
    info->path = operands[0];
    return info_file(info);
}

static const struct option_row options[] = {
    {"frames", 0, SETS_BOOL(struct info, frames), .help = "also print a line for each frame"},
    {"json", 0, SETS_BOOL(struct info, json), .help = "print JSON (docs/json.md) instead of text, with all frames"},
    {0},
};

const struct tool_verb verb_info = {
    .syntax =
        {
            .name = "info",
            .summary = "count what a capture holds",
            .about = "Prints which program a capture was recorded from, and how many frames, events, tokens and bytes "
                     "it has.",
            .options = options,
            .examples = "dp2 info game.capture\n"
                        "dp2 info game.capture --frames\n"
                        "dp2 info game.capture --json | jq .tokens",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct info),
    .run = info_verb,
};
