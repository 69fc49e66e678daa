/* SPDX-License-Identifier: MIT */
/*
 * dp2 dump: a capture as text, event by event and token by token.
 */
#include "inspect/json/event.h"
#include "tools/calls/dump.h"
#include "tools/tool.h"

#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/text/text.h"
#include "bytecode/bytecode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct dump {
    struct frame_range range;
    struct dp2_print_options options;
    bool as_json, bytes, shaders, assembly;
    struct json_writer json;
    uint64_t frames_there;    /* of the capture, as far as it was read */
    int ddi;                  /* 1: with calls of the WDDM interface; -1: not given */
    struct calls_dump *calls; /* NULL: without */
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
    uint32_t *tokens = mem_calloc(count + 1, 4);
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

static void print_shaders(const struct dp2_command *command)
{
    struct dp2_entry entry = {0};

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

/* After each command: its code, its calls. */
static void print_more(void *user, const struct dp2_sink *sink, const struct dp2_command *command)
{
    const struct dump *dump = user;

    if (dump->shaders)
        print_shaders(command);
    if (dump->calls)
        calls_dump_command(dump->calls, sink, command);
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

struct put {
    struct dump *dump;
    const struct capture_event *event;
    struct capture_error *error;
    bool done;
};

static void put_calls(void *user, struct json_writer *json)
{
    struct put *put = user;

    put->done = calls_dump_put(put->dump->calls, put->event, json, put->error);
}

/* False: the event cannot be played; see the error. */
static bool show_event(struct dump *dump, const struct capture_event *event, struct capture_error *error)
{
    const bool shown = !dump->options.commands_only || event->type == CAPTURE_DRAW || event->type == CAPTURE_FRAME;
    struct put put = {dump, event, error, true};
    bool done = true;

    if (dump->as_json && shown && dump->calls) {
        json_put_event_and(&dump->json, NULL, event, dump->bytes, put_calls, &put);
        return put.done;
    }
    if (dump->calls)
        done = calls_dump_play(dump->calls, event, shown, error);
    if (dump->as_json) {
        if (shown)
            json_put_event(&dump->json, NULL, event, dump->bytes);
        return done;
    }
    dp2_print_event(&out, event, &dump->options);
    if (dump->calls && shown)
        calls_dump_rest(dump->calls, &out);
    return done;
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
        if (!frame_range_has(&dump->range, event.frame)) {
            if (dump->calls && !calls_dump_play(dump->calls, &event, false, error))
                return CAPTURE_BAD;
            continue;
        }
        if (first || event.frame != frame)
            begin_frame(dump, &event, first);
        first = false;
        frame = event.frame;
        if (!show_event(dump, &event, error))
            return CAPTURE_BAD;
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
    if (dump->range.count == 1 && !dump->calls) /* what is played begins at the beginning */
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

static int dump_verb(void *settings, char **operands, int count)
{
    struct dump *dump = settings;
    HRESULT hr;
    int status;

    (void)count;
    if (dump->as_json && dump->assembly)
        return tool_usage(&verb_dump, "--asm and --json exclude each other");
    if (dump->bytes && !dump->as_json)
        return tool_usage(&verb_dump, "--bytes needs --json");
    dump->options.style = dump->assembly ? DP2_TEXT_FULL : DP2_TEXT_BRIEF;
    dump->options.lines |= dump->assembly;
    if (dump->ddi == 1 && dump->assembly)
        return tool_usage(&verb_dump, "--asm and --ddi umd exclude each other");
    if (dump->shaders || dump->ddi == 1)
        dump->options.after_command = print_more;
    dump->options.user = dump;
    if (dump->ddi == 1) {
        dump->calls = calls_dump_open(dump->options.lines, &hr);
        if (!dump->calls)
            return tool_fail(&verb_dump, "the driver does not start: %#x", (unsigned)hr);
    }
    status = dump_file(dump, operands[0]);
    calls_dump_close(dump->calls);
    return status;
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct dump, range), .argument = "N|A-B", .help = "print only these frames"},
    {"verbose", 'v', SETS_BOOL(struct dump, options.lines), .help = "print every entry of every token on its own line"},
    {"vertices", 0, SETS_BOOL(struct dump, options.vertices),
     .help = "print vertices from user memory, and bytes that are written to surfaces"},
    {"shaders", 0, SETS_BOOL(struct dump, shaders), .help = "print the code of shaders as assembly, in comments"},
    {"tokens-only", 0, SETS_BOOL(struct dump, options.commands_only), .help = "print only DrawPrimitives2 calls"},
    {"asm", 0, SETS_BOOL(struct dump, assembly),
     .help = "print everything, so that 'dp2 asm' makes the same capture from it; with --frame the result lacks what "
             "earlier frames created (see dp2 trim)"},
    {"json", 0, SETS_BOOL(struct dump, as_json),
     .help = "print everything as JSON (docs/json.md): frames with their events"},
    {"ddi", 0, SETS_CHOICE(struct dump, ddi), .argument = "INTERFACE", .choices = "dx9|umd",
     .help =
         "umd: play the capture through the WDDM interface of the driver, and print the calls of that interface under "
         "each event and token (docs/umd.md); dx9, the default: nothing more"},
    {"bytes", 0, SETS_BOOL(struct dump, bytes), .help = "print the bytes of each token too (needs --json)"},
    {0},
};

static const struct dump defaults = {.ddi = -1};

const struct tool_verb verb_dump = {
    .syntax =
        {
            .name = "dump",
            .summary = "print events and tokens as text or JSON",
            .about = "Prints what crossed the driver interface: all events in order, and the tokens of each "
                     "DrawPrimitives2 call with their offsets in the command buffer.",
            .options = options,
            .examples = "dp2 dump game.capture | less\n"
                        "dp2 dump game.capture --frame 12 --verbose --shaders\n"
                        "dp2 dump game.capture --frame 12 --ddi umd\n"
                        "dp2 dump game.capture --asm > game.dp2s && dp2 asm game.dp2s -o same.capture\n"
                        "dp2 dump game.capture --json | jq '.frames[0].events[].event'",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct dump),
    .defaults = &defaults,
    .run = dump_verb,
};
