/* SPDX-License-Identifier: MIT */
/*
 * dp2 asm: text to capture.
 */
#include "base/base.h"
#include "base/json/json.h"
#include "tools/tool.h"

#include "base/output.h"
#include "bytecode/bytecode.h"
#include "dp2/text/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT   ((size_t)1 << 30) /* bytes */
#define READ_BYTES 65536             /* at a time */

struct assembly {
    char *info; /* lines; NULL: none */
    size_t info_size;
    struct capture_writer *writer;
    struct output output;
    struct capture_error error;
    bool write_failed;
    struct json_writer *json; /* NULL: none */
    unsigned line;            /* of the statement */
    struct place {
        uint32_t offset;
        unsigned line;
    } * commands; /* of the draw */
    size_t command_count, command_capacity;
    bool lost; /* without memory for a command */
};

/* --- lines of events and commands, for --json --------------------------------------------------------- */

static void note_line(void *user, uint32_t offset, unsigned line)
{
    struct assembly *assembly = user;

    if (offset == DP2_ASM_EVENT) {
        assembly->line = line;
        assembly->command_count = 0;
        return;
    }
    if (assembly->command_count == assembly->command_capacity) {
        const size_t capacity = 2 * assembly->command_capacity + 64;
        struct place *bigger = mem_realloc(assembly->commands, capacity, sizeof(*bigger));

        assembly->lost |= !bigger;
        if (!bigger)
            return;
        assembly->commands = bigger;
        assembly->command_capacity = capacity;
    }
    assembly->commands[assembly->command_count++] = (struct place){offset, line};
}

static void put_event(const struct assembly *assembly, enum capture_event_type type)
{
    struct json_writer *json = assembly->json;

    json_open_object(json, NULL);
    json_put_text(json, "event", capture_event_name(type));
    json_put_number(json, "line", assembly->line);
    if (type == CAPTURE_DRAW) {
        json_open_list(json, "commands");
        for (size_t i = 0; i < assembly->command_count; i++) {
            json_open_object(json, NULL);
            json_put_number(json, "offset", assembly->commands[i].offset);
            json_put_number(json, "line", assembly->commands[i].line);
            json_close(json);
        }
        json_close(json);
    }
    json_close(json);
}

/* --- events ------------------------------------------------------------------------------------------- */

static bool add_info(void *user, const char *line)
{
    struct assembly *assembly = user;
    const size_t length = strlen(line);
    char *bigger;

    if (assembly->writer)
        return true;
    bigger = realloc(assembly->info, assembly->info_size + length + 2);
    if (!bigger)
        return false;
    assembly->info = bigger;
    memcpy(bigger + assembly->info_size, line, length);
    memcpy(bigger + assembly->info_size + length, "\n", 2);
    assembly->info_size += length + 1;
    return true;
}

static bool add_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    struct assembly *assembly = user;
    const struct capture_bytes piece = {data, size};

    if (!assembly->writer)
        assembly->writer = capture_create(&assembly->output, assembly->info, &assembly->error);
    assembly->write_failed = !assembly->writer || !capture_write(assembly->writer, type, &piece, 1) ||
                             (type == CAPTURE_FRAME && !capture_flush(assembly->writer, true));
    if (assembly->json)
        put_event(assembly, type);
    return !assembly->write_failed;
}

static size_t assemble_shader(const char *text, uint32_t *tokens, size_t capacity, struct dp2_asm_error *error)
{
    struct shader_error found = {0};
    const size_t count = shader_assemble(text, tokens, capacity, &found);

    if (!count) {
        error->line = (unsigned)found.offset;
        error->column = found.column ? found.column : 1;
        snprintf(error->text, sizeof(error->text), "%s", found.text);
    }
    return count;
}

/* A whole file, or NULL with errno. */
static char *read_text(const char *path, size_t *size)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0, count = 1;

    *size = 0;
    while (file && count && *size < MAX_TEXT) {
        char *grown = mem_grow(text, &capacity, *size, READ_BYTES);

        if (!grown)
            break;
        text = grown;
        count = fread(text + *size, 1, capacity - *size, file);
        *size += count;
    }
    const bool done = file && !count && !ferror(file);
    if (file && file != stdin)
        fclose(file);
    if (done)
        return text;
    free(text);
    return NULL;
}

/* Returns false with the reason in *error, unless writing failed. */
static bool assemble_text(struct assembly *assembly, const char *path, const char *text, size_t size,
                          struct dp2_asm_error *error)
{
    const char *slash = strrchr(path, '/');
    char folder[1024] = ".";

    if (slash && (size_t)(slash - path) < sizeof(folder))
        snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
    const struct dp2_asm_output target = {.event = add_event,
                                          .info = add_info,
                                          .line = assembly->json ? note_line : NULL,
                                          .shader = assemble_shader,
                                          .user = assembly,
                                          .folder = folder};
    return dp2_assemble(text, size, &target, error);
}

/* Gives the capture its name, or keeps the existing file. */
static int asm_finish(struct assembly *assembly, bool done, const struct dp2_asm_error *error, const char *path,
                      const char *output)
{
    struct capture_error ignored;

    if (assembly->writer)
        done = capture_finish(assembly->writer, assembly->write_failed || done ? &assembly->error : &ignored) && done;
    if (done && assembly->writer)
        return output_commit(&assembly->output) ? TOOL_OK : tool_cannot_write(&verb_asm, output);
    output_discard(&assembly->output);
    if (assembly->error.text[0])
        return tool_fail(&verb_asm, "%s: %s", tool_output_name(output), assembly->error.text);
    if (done)
        tool_say(&verb_asm, "%s: there is no event in it", tool_input_name(path));
    else
        tool_say(&verb_asm, "%s:%u:%u: %s", tool_input_name(path), error->line, error->column, error->text);
    return TOOL_DAMAGED;
}

static int assemble(const char *path, const char *output, struct json_writer *json)
{
    struct assembly assembly = {.json = json};
    struct dp2_asm_error error = {0};
    size_t size;
    char *text;
    bool done;
    int status;

    if (tool_check_output(&verb_asm, output, path) != TOOL_OK)
        return TOOL_ERROR;
    errno = 0;
    text = read_text(path, &size);
    if (!text)
        return tool_fail(&verb_asm, "%s: %s", tool_input_name(path), strerror(errno ? errno : EFBIG));
    if (!output_open(&assembly.output, output, OUTPUT_REPLACE)) {
        free(text);
        return tool_cannot_write(&verb_asm, output);
    }
    if (json) {
        json_begin(json, stdout, "dp2-asm", false);
        json_put_text(json, "file", path);
        json_put_text(json, "output", output);
        json_stream_list(json, "events");
    }
    done = assemble_text(&assembly, path, text, size, &error);
    free(text);
    status = asm_finish(&assembly, done, &error, path, output);
    free(assembly.info);
    free(assembly.commands);
    if (json && (!json_end(json) || assembly.lost))
        status = tool_fail(&verb_asm, "out of memory");
    return status;
}

struct request {
    const char *output;
    bool as_json;
};

static int asm_verb(void *settings, char **operands, int count)
{
    const struct request *request = settings;
    struct json_writer json;

    (void)count;
    if (!request->output)
        return tool_usage(&verb_asm, "-o CAPTURE is missing");
    if (request->as_json && strcmp(request->output, "-") == 0)
        return tool_usage(&verb_asm, "--json and --output - both write to standard output");
    return assemble(operands[0], request->output, request->as_json ? &json : NULL);
}

static const struct option_row options[] = {
    {"output", 'o', SETS_TEXT(struct request, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write the capture to FILE; - is standard output"},
    {"json", 0, SETS_BOOL(struct request, as_json),
     .help = "print the lines of events and commands as JSON (docs/json.md); excludes -o -"},
    {0},
};

static const struct option_operand operands[] = {{"TEXT", .value = VALUE_FILE}, {0}};

const struct tool_verb verb_asm = {
    .syntax =
        {
            .name = "asm",
            .summary = "make a capture from text",
            .usage = "TEXT -o CAPTURE",
            .about = "Makes a capture from text that 'dp2 dump --asm' has printed, or that was written by hand. "
                     "docs/tutorial.md introduces the notation, and docs/dp2-text.md describes all of it. TEXT - is "
                     "standard input.",
            .options = options,
            .examples = "dp2 asm triangle.dp2s -o triangle.capture\n"
                        "dp2 dump game.capture --asm | dp2 asm - -o same.capture",
            .operands = operands,
            .missing = "a text",
        },
    .size = sizeof(struct request),
    .run = asm_verb,
};
