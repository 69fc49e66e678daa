/* SPDX-License-Identifier: MIT */
/*
 * dp2 dump: a capture as text, event by event and token by token.
 */
#include "inspect/json/event.h"
#include "tools/tool.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/text/text.h"
#include "bytecode/bytecode.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dp2 dump FILE [OPTION...]\n"
    "\n"
    "Prints what crossed the driver interface: all events in order, and the tokens of each\n"
    "DrawPrimitives2 call with their offsets in the command buffer.\n"
    "\n"
    "  -f, --frame N|A-B   only these frames\n"
    "  -v, --verbose       every entry of every token on a line of its own\n"
    "      --vertices      vertices of user memory, and bytes written to surfaces\n"
    "      --shaders       shader code as assembly, in comments\n"
    "      --tokens-only   print DrawPrimitives2 calls only\n"
    "      --asm           print everything, so that 'dp2 asm' makes the same capture from it (with\n"
    "                      --frame, one that lacks what earlier frames created: see dp2 trim)\n"
    "      --json          all of it as JSON (docs/json.md): frames, each with its events\n"
    "      --bytes         with --json: also the bytes of each token\n"
    "\n"
    "examples:\n"
    "  dp2 dump game.capture | less\n"
    "  dp2 dump game.capture --frame 12 --verbose --shaders\n"
    "  dp2 dump game.capture --asm > game.dp2s && dp2 asm game.dp2s -o same.capture\n"
    "  dp2 dump game.capture --json | jq '.frames[0].events[].event'\n";

struct dump {
    struct frame_range range;
    struct dp2_print_options options;
    bool as_json, bytes;
    struct json_writer json;
    uint64_t frames_there; /* of the capture, as far as it was read */
};

static void put_stdout(void *user, const char *text, size_t size)
{
    (void)user;
    fwrite(text, 1, size, stdout);
}

static const struct dp2_sink out = {put_stdout, NULL};

static void print_shader(const uint8_t *code, size_t size)
{
    const size_t count = size / 4;
    uint32_t *tokens = calloc(count + 1, 4);
    char *text = malloc(65536);

    if (tokens && text && count && count < 65536) {
        memcpy(tokens, code, count * 4);
        shader_disassemble(tokens, count, text, 65536);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            printf("        // %s\n", line);
    }
    free(tokens);
    free(text);
}

static void print_shaders(void *user, const struct dp2_sink *sink, const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

    (void)user;
    (void)sink;
    while (dp2_next_entry(command, &entry)) {
        switch (command->info->number) {
        case DP2OP_CREATEVERTEXSHADER: {
            const uint32_t declaration = DP2_U32(entry.head, entry_CREATEVERTEXSHADER, decl_bytes);
            print_shader(entry.data + declaration, entry.data_size - declaration);
            break;
        }
        case DP2OP_CREATEPIXELSHADER:
        case DP2OP_CREATEVERTEXSHADERFUNC:
            print_shader(entry.data, entry.data_size);
            break;
        default:
            return;
        }
    }
}

static void dump_print_info(const struct capture_reader *reader)
{
    const char *line = capture_info(reader);

    while (*line) {
        const size_t length = strcspn(line, "\n");
        fputs("info ", stdout);
        dp2_print_string(&out, line, length);
        fputc('\n', stdout);
        line += length + (line[length] != 0);
    }
}

static void begin_frame(struct dump *dump, const struct capture_event *event, bool first)
{
    struct json_writer *json = &dump->json;

    if (!dump->as_json) {
        printf("// frame %" PRIu32 " @%" PRIu64 "\n", event->frame, event->offset);
        return;
    }
    if (!first) { /* the events, and the frame before */
        json_close(json);
        json_close(json);
    }
    json_stream_object(json, NULL);
    json_put_number(json, "frame", event->frame);
    json_put_number(json, "offset", event->offset);
    json_stream_list(json, "events");
}

static void show_event(struct dump *dump, const struct capture_event *event)
{
    if (!dump->as_json)
        dp2_print_event(&out, event, &dump->options);
    else if (!dump->options.commands_only || event->type == CAPTURE_DRAW || event->type == CAPTURE_FRAME)
        json_put_event(&dump->json, NULL, event, dump->bytes);
}

static enum capture_status dump_events(struct dump *dump, struct capture_reader *reader, struct capture_error *error)
{
    const uint32_t end = frame_range_end(&dump->range);
    struct capture_event event;
    enum capture_status status;
    uint32_t frame = 0;
    bool first = true;

    while ((status = capture_next(reader, &event, error)) == CAPTURE_OK && event.frame <= end) {
        dump->frames_there = BASE_MAX(dump->frames_there, (uint64_t)event.frame + 1);
        if (!frame_range_has(&dump->range, event.frame))
            continue;
        if (first || event.frame != frame)
            begin_frame(dump, &event, first);
        first = false;
        frame = event.frame;
        show_event(dump, &event);
    }
    return status;
}

static int dump_file(struct dump *dump, const char *path)
{
    struct capture_error error = {0};
    enum capture_status status;
    int result = TOOL_OK, read;
    struct capture_reader *reader = tool_open_capture(&verb_dump, path, &result);

    if (!reader)
        return result;
    if (dump->range.count == 1)
        capture_seek_frame(reader, dump->range.spans[0].first);
    if (dump->options.style == DP2_TEXT_FULL)
        dump_print_info(reader);
    if (dump->as_json) {
        json_begin(&dump->json, stdout, "dp2-dump", false);
        json_put_text(&dump->json, "file", path);
        json_stream_list(&dump->json, "frames");
    }
    status = dump_events(dump, reader, &error);
    if (dump->as_json && !json_end(&dump->json))
        result = tool_fail(&verb_dump, "out of memory");
    read = tool_read_result(&verb_dump, path, status, &error);
    result = BASE_MAX(result, read);
    result = tool_close_capture(&verb_dump, path, reader, result);
    return result == TOOL_OK ? tool_check_frames(&verb_dump, path, &dump->range, dump->frames_there) : result;
}

static int dump_verb(int argc, char **argv)
{
    enum { OPT_TOKENS = 256, OPT_VERTICES, OPT_SHADERS, OPT_ASM, OPT_JSON, OPT_BYTES };
    static const struct option options[] = {
        {"frame", required_argument, NULL, 'f'},
        {"verbose", no_argument, NULL, 'v'},
        {"vertices", no_argument, NULL, OPT_VERTICES},
        {"shaders", no_argument, NULL, OPT_SHADERS},
        {"tokens-only", no_argument, NULL, OPT_TOKENS},
        {"asm", no_argument, NULL, OPT_ASM},
        {"json", no_argument, NULL, OPT_JSON},
        {"bytes", no_argument, NULL, OPT_BYTES},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct dump dump = {0};
    bool assembly = false;
    int option;

    while ((option = tool_option(&verb_dump, argc, argv, "f:vh", options, NULL)) != -1) {
        switch (option) {
        case 'f':
            if (!frame_range_parse(&dump.range, optarg))
                return tool_usage(&verb_dump, "'%s' is not a range of frames", optarg);
            break;
        case 'v':
            dump.options.lines = true;
            break;
        case OPT_VERTICES:
            dump.options.vertices = true;
            break;
        case OPT_SHADERS:
            dump.options.after_command = print_shaders;
            break;
        case OPT_TOKENS:
            dump.options.commands_only = true;
            break;
        case OPT_ASM:
            assembly = true;
            break;
        case OPT_JSON:
            dump.as_json = true;
            break;
        case OPT_BYTES:
            dump.bytes = true;
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_bad_option(&verb_dump);
        }
    }
    if (tool_operands(&verb_dump, argc, argv, 1, "a capture") != TOOL_OK)
        return TOOL_ERROR;
    if (dump.as_json && assembly)
        return tool_usage(&verb_dump, "--asm and --json exclude each other");
    if (dump.bytes && !dump.as_json)
        return tool_usage(&verb_dump, "--bytes needs --json");
    dump.options.style = assembly ? DP2_TEXT_FULL : DP2_TEXT_BRIEF;
    dump.options.lines |= assembly;
    return dump_file(&dump, argv[optind]);
}

const struct tool_verb verb_dump = {"dump", "print events and tokens as text or JSON", help, dump_verb};
