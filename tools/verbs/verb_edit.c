/* SPDX-License-Identifier: MIT */
/*
 * dp2 edit: a capture with other states or shaders.
 */
#include "tools/edit/stream.h"
#include "base/json/json.h"
#include "replay/picture.h"
#include "replay/player.h"
#include "tools/tool.h"

#include "base/base.h"
#include "base/output.h"
#include "bytecode/bytecode.h"
#include "client/umd/bridge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* As on the command line. */
struct given_shader {
    const char *text;
    bool pixel;
};

struct editing {
    struct edit edit;
    const char *path, *output, *picture;
    struct given_shader given[EDIT_MOST];
    unsigned given_count;
    long given_frame; /* below 0: that of --at, or 0 */
    uint32_t frame;   /* of the picture */
    bool as_json;
    struct capture_reader *reader;
    struct capture_writer *writer; /* NULL: none is written */
    struct output out;
    struct client_driver driver;
    struct player *player; /* NULL: nothing is drawn */
    struct player_picture shown;
    struct inspect_frame_index index; /* of the frame at hand */
    struct progress progress;
};

/* --- shaders ------------------------------------------------------------------------------------------ */

/* A file as text, to be freed; NULL: the error has been printed. */
static char *editing_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, read;
    char *text = malloc(65536 + 1);

    while (file && text && (read = fread(text + size, 1, 65536, file)) > 0) {
        char *bigger = realloc(text, size + read + 65536 + 1);

        size += read;
        if (!bigger || size > 16u << 20) {
            free(bigger ? bigger : text);
            fclose(file);
            tool_fail(&verb_edit, "%s: too long", path);
            return NULL;
        }
        text = bigger;
    }
    if (!file || !text || ferror(file)) {
        tool_fail(&verb_edit, "%s: %s", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    if (text)
        text[size] = 0;
    return text;
}

/* HANDLE=FILE, with --at FILE. */
static int editing_add_shader(struct editing *editing, const char *given, bool pixel)
{
    struct edit *edit = &editing->edit;
    const char *equals = strchr(given, '='), *path = given;
    struct shader_error error = {0};
    struct edit_shader *shader = &edit->shaders[edit->shader_count];
    unsigned long handle = 0;
    char *text, *end;
    size_t count;

    if (!edit->at) {
        errno = 0;
        handle = strtoul(given, &end, 0);
        if (!equals || end != equals || end == given || errno || handle > UINT32_MAX)
            return tool_usage(&verb_edit, "'%s' is not HANDLE=FILE", given);
        path = equals + 1;
    }
    for (unsigned i = 0; edit->at && i < edit->shader_count; i++)
        if (edit->shaders[i].pixel == pixel)
            return tool_usage(&verb_edit, "a draw has one %s shader", pixel ? "pixel" : "vertex");
    text = editing_text(path);
    if (!text)
        return TOOL_ERROR;
    const size_t capacity = strlen(text) + 16; /* an operand takes two letters and a blank at least */

    *shader = (struct edit_shader){.handle = (uint32_t)handle, .pixel = pixel};
    shader->code = mem_calloc(capacity, sizeof(*shader->code));
    edit->shader_count += shader->code != NULL;
    count = shader->code ? shader_assemble(text, shader->code, capacity, &error) : 0;
    shader->bytes = count * sizeof(*shader->code);
    free(text);
    if (shader->code && !count) {
        tool_say(&verb_edit, "%s:%u:%u: %s", path, (unsigned)error.offset, error.column, error.text);
        return TOOL_DAMAGED;
    }
    if (!shader->code)
        return tool_fail(&verb_edit, "out of memory");
    if ((shader->code[0] >> 16 == 0xffff) != pixel) {
        tool_say(&verb_edit, "%s: this is not a %s shader", path, pixel ? "pixel" : "vertex");
        return TOOL_DAMAGED;
    }
    return TOOL_OK;
}

/* --- events ------------------------------------------------------------------------------------------- */

static int editing_take(struct editing *editing, const struct capture_event *event)
{
    const struct capture_bytes piece = {event->data, event->size};
    struct capture_error error = {0};

    if (editing->writer && (!capture_write(editing->writer, event->type, &piece, 1) ||
                            (event->type == CAPTURE_FRAME && !capture_flush(editing->writer, true))))
        return tool_fail(&verb_edit, "%s: %s", tool_output_name(editing->output),
                         strerror(capture_write_error(editing->writer)));
    if (!editing->player || event->frame > editing->frame)
        return TOOL_OK;
    if (!player_play(editing->player, event, &error))
        return tool_unreadable(&verb_edit, editing->path, &error);
    if (event->type == CAPTURE_FRAME && event->frame == editing->frame &&
        !player_grab(editing->player, (const void *)event->data, &editing->shown, &error)) {
        tool_say(&verb_edit, "frame %" PRIu32 ": %s", editing->frame, error.text);
        return TOOL_DAMAGED;
    }
    return TOOL_OK;
}

static int editing_event(struct editing *editing, const struct capture_event *event)
{
    struct inspect_frame_index *index = &editing->index;
    const size_t first = index->count;
    const bool wanted = !editing->edit.at || event->frame == editing->edit.place.place.frame;
    struct capture_event *changed;
    int status;

    if (!inspect_index_add(index, event))
        return tool_fail(&verb_edit, "out of memory");
    if (event->type == CAPTURE_FRAME)
        inspect_index_free(index);
    if (event->type != CAPTURE_DRAW)
        return editing_take(editing, event);
    changed = edit_draw(&editing->edit, event, index->pieces + first, wanted ? index->count - first : 0, first);
    if (!changed)
        return tool_fail(&verb_edit, "%s", editing->edit.why);
    status = editing_take(editing, changed);
    free(changed);
    return status;
}

static int editing_all(struct editing *editing)
{
    struct capture_error error = {0};
    struct capture_event event;
    enum capture_status read;
    int status = TOOL_OK;

    while (status == TOOL_OK && (read = capture_next(editing->reader, &event, &error)) == CAPTURE_OK) {
        if (!editing->writer && event.frame > editing->frame)
            return TOOL_OK;
        status = editing_event(editing, &event);
        if (event.type == CAPTURE_FRAME)
            progress_show(&editing->progress, event.frame);
    }
    return status == TOOL_OK ? tool_read_result(&verb_edit, editing->path, read, &error) : status;
}

/* --- the work ----------------------------------------------------------------------------------------- */

static int editing_print(const struct editing *editing)
{
    struct json_writer json;
    uint64_t shaders = 0;

    for (unsigned i = 0; i < editing->edit.shader_count; i++)
        shaders += editing->edit.shaders[i].replaced;
    progress_clear();
    if (!editing->as_json) {
        const bool taken = (editing->output && strcmp(editing->output, "-") == 0) ||
                           (editing->picture && strcmp(editing->picture, "-") == 0);

        fprintf(taken ? stderr : stdout, "%" PRIu64 " draws and %" PRIu64 " shaders changed\n",
                editing->edit.command_count || editing->edit.at ? editing->edit.draws : 0, shaders);
        return TOOL_OK;
    }
    json_begin(&json, stdout, "dp2-edit", false);
    json_put_text(&json, "file", editing->path);
    if (editing->output)
        json_put_text(&json, "output", editing->output);
    if (editing->picture) {
        json_put_text(&json, "picture", editing->picture);
        json_put_number(&json, "frame", editing->frame);
    }
    json_put_number(&json, "draws", editing->edit.command_count || editing->edit.at ? editing->edit.draws : 0);
    json_put_number(&json, "shaders", shaders);
    return json_end(&json) ? TOOL_OK : tool_fail(&verb_edit, "out of memory");
}

/* Does the capture contain what should be changed? */
static int editing_check(const struct editing *editing)
{
    const struct edit *edit = &editing->edit;

    for (unsigned i = 0; i < edit->shader_count; i++)
        if (!edit->at && !edit->shaders[i].replaced)
            return tool_fail(&verb_edit, "there is no %s shader with handle %" PRIu32,
                             edit->shaders[i].pixel ? "pixel" : "vertex", edit->shaders[i].handle);
    if (edit->at && !edit->draws)
        return tool_fail(&verb_edit, "there is no such draw");
    if (editing->picture && !editing->shown.pixels)
        return tool_fail(&verb_edit, "%s: no such frame: %" PRIu32, tool_input_name(editing->path), editing->frame);
    return TOOL_OK;
}

static int editing_finish(struct editing *editing, int status)
{
    struct capture_error error = {0};
    char why[128];
    int checked = status == TOOL_ERROR ? TOOL_ERROR : editing_check(editing);

    if (editing->writer && !capture_finish(editing->writer, &error) && checked == TOOL_OK)
        checked = tool_fail(&verb_edit, "%s: %s", tool_output_name(editing->output), error.text);
    if (checked == TOOL_OK && editing->picture &&
        !picture_write_png(&editing->shown, editing->picture, why, sizeof(why)))
        checked = tool_fail(&verb_edit, "%s: %s", tool_output_name(editing->picture), why);
    if (checked == TOOL_OK && editing->writer && !output_commit(&editing->out))
        checked = tool_cannot_write(&verb_edit, editing->output);
    output_discard(&editing->out);
    if (checked == TOOL_OK)
        checked = editing_print(editing);
    return BASE_MAX(status, checked);
}

static int editing_open(struct editing *editing)
{
    struct capture_error error = {0};

    if (editing->output) {
        if (!output_open(&editing->out, editing->output, OUTPUT_REPLACE))
            return tool_cannot_write(&verb_edit, editing->output);
        editing->writer = capture_create(&editing->out, capture_info(editing->reader), &error);
        if (!editing->writer)
            return tool_fail(&verb_edit, "%s: %s", tool_output_name(editing->output), error.text);
    }
    if (!editing->picture)
        return TOOL_OK;
    if (FAILED(client_driver_init(&editing->driver, client_umd_or(HalcyonDriverInit, OpenAdapter))))
        return tool_fail(&verb_edit, "the driver does not start");
    editing->player = player_create(&editing->driver);
    if (!editing->player)
        client_driver_close(&editing->driver);
    return editing->player ? TOOL_OK : tool_fail(&verb_edit, "out of memory");
}

static int editing_run(struct editing *editing)
{
    int status = editing->output ? tool_check_output(&verb_edit, editing->output, editing->path) : TOOL_OK;

    if (status == TOOL_OK && editing->picture)
        status = tool_check_output(&verb_edit, editing->picture, editing->path);
    if (status == TOOL_OK && editing->picture)
        status = tool_check_picture(&verb_edit, editing->picture);
    if (status != TOOL_OK)
        return status;
    editing->reader = tool_open_capture(&verb_edit, editing->path, &status);
    if (!editing->reader)
        return status;
    progress_start(&editing->progress, "Editing", editing->reader, editing->output ? UINT32_MAX : editing->frame, 1);
    status = editing_open(editing);
    if (status == TOOL_OK)
        status = editing_all(editing);
    progress_end(&editing->progress);
    status = editing_finish(editing, status);
    inspect_index_free(&editing->index);
    free(editing->shown.pixels);
    if (editing->player) {
        player_destroy(editing->player);
        client_driver_close(&editing->driver);
    }
    return tool_close_capture(&verb_edit, editing->path, editing->reader, status);
}

/* Do the options fit together? */
static int editing_options(const struct editing *editing)
{
    const bool to_output = (editing->output && strcmp(editing->output, "-") == 0);
    const bool to_picture = (editing->picture && strcmp(editing->picture, "-") == 0);

    if (!editing->edit.command_count && !editing->edit.shader_count)
        return tool_usage(&verb_edit, "nothing to change: --set, --vertex-shader or --pixel-shader");
    if (!editing->output && !editing->picture)
        return tool_usage(&verb_edit, "-o OUT or --picture PNG is missing");
    if (editing->as_json + to_output + to_picture > 1)
        return tool_usage(&verb_edit, "only one of --json, --output - and --picture - can have standard output");
    return TOOL_OK;
}

static enum option_result take_command(void *settings, const struct option_row *row, const char *value,
                                       struct option_line *line)
{
    struct editing *editing = settings;

    (void)row;
    return edit_add_command(&editing->edit, value) ? OPTION_OK
                                                   : option_wrong(line, "'%s': %s", value, editing->edit.why);
}

/* The meaning of a shader depends on --at, which may follow. */
static enum option_result take_shader(void *settings, const struct option_row *row, const char *value,
                                      struct option_line *line)
{
    struct editing *editing = settings;

    if (editing->given_count == EDIT_MOST)
        return option_wrong(line, "too many shaders");
    editing->given[editing->given_count++] = (struct given_shader){value, row->number != 0};
    return OPTION_OK;
}

static enum option_result take_draw(void *settings, const struct option_row *row, const char *value,
                                    struct option_line *line)
{
    struct editing *editing = settings;

    (void)row;
    editing->edit.at = true;
    return inspect_parse_name(&editing->edit.place, value)
               ? OPTION_OK
               : option_wrong(line, "'%s' is not a draw: FRAME.DRAW, or FRAME:CALL:OFFSET", value);
}

static int edit_verb(void *settings, char **operands, int count)
{
    struct editing *editing = settings;
    int status = TOOL_OK;

    (void)count;
    for (unsigned i = 0; status == TOOL_OK && i < editing->given_count; i++)
        status = editing_add_shader(editing, editing->given[i].text, editing->given[i].pixel);
    if (status == TOOL_OK)
        status = editing_options(editing);
    if (status != TOOL_OK)
        return status;
    editing->path = operands[0];
    if (editing->given_frame >= 0)
        editing->frame = (uint32_t)editing->given_frame;
    else if (editing->edit.at)
        editing->frame = editing->edit.place.place.frame;
    return editing_run(editing);
}

static void edit_release(void *settings)
{
    edit_free(&((struct editing *)settings)->edit);
}

static const struct option_row options[] = {
    {"set", 's', OPTION_CALL, .take = take_command, .argument = "COMMAND", .repeats = true,
     .help = "put a command that sets states before each draw, written as 'dp2 dump FILE' prints it: 'RENDERSTATE "
             "{state=FILLMODE value=WIREFRAME}'; with --at only before that draw, after which the previous values are "
             "set again"},
    {"vertex-shader", 0, OPTION_CALL, .take = take_shader, .argument = "HANDLE=FILE", .value = VALUE_FILE,
     .repeats = true,
     .help = "replace the code of this vertex shader, wherever it is created, by the assembly text in FILE ('dp2 "
             "shader FILE'); with --at the value is FILE alone, and only that draw has this shader, also instead of "
             "the fixed function"},
    {"pixel-shader", 0, OPTION_CALL, .take = take_shader, .argument = "HANDLE=FILE", .value = VALUE_FILE,
     .repeats = true, .number = 1, .help = "replace the code of this pixel shader, in the same way"},
    {"at", 'a', OPTION_CALL, .take = take_draw, .argument = "DRAW",
     .help = "change only this draw: FRAME.DRAW as in 'dp2 draws FILE', or FRAME:CALL:OFFSET"},
    {"output", 'o', SETS_TEXT(struct editing, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write the changed capture to FILE; - is standard output"},
    {"picture", 'p', SETS_TEXT(struct editing, picture), .argument = "FILE", .value = VALUE_FILE,
     .help = "write the picture of a frame as PNG: the frame of --at, or that of --frame"},
    {"frame", 'f', SETS_NUMBER(struct editing, given_frame), .argument = "N", .high = CAPTURE_MAX_FRAMES,
     .wrong = "a frame", .help = "the frame of the picture (default: 0)"},
    {"json", 0, SETS_BOOL(struct editing, as_json),
     .help = "print JSON (docs/json.md) instead of text; excludes -o - and -p -"},
    {0},
};

static const struct editing defaults = {.given_frame = -1};

const struct tool_verb verb_edit = {
    .syntax =
        {
            .name = "edit",
            .summary = "change states or shaders of a capture",
            .usage = "FILE [--at FRAME.DRAW] CHANGE... [-o OUT] [--picture PNG]",
            .about =
                "Changes a capture: all draws, or with --at only one, are drawn with other states or shaders, or a "
                "shader gets other code. Writes the changed capture, or draws it and writes the picture of a frame.\n"
                "\n"
                "Prints how many draws and shaders were changed. A shader or a draw of --at that does not exist is an "
                "error.",
            .options = options,
            .examples = "dp2 edit game.capture --set 'RENDERSTATE {state=CULLMODE value=NONE}' \\\n"
                        "    --picture unculled.png\n"
                        "dp2 edit game.capture --at 2.1 --pixel-shader red.psa -p red.png\n"
                        "dp2 edit game.capture --set 'RENDERSTATE {state=FILLMODE value=WIREFRAME}' \\\n"
                        "    --output wires.capture",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct editing),
    .defaults = &defaults,
    .run = edit_verb,
    .release = edit_release,
};
