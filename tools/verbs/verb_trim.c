/* SPDX-License-Identifier: MIT */
/*
 * dp2 trim: some frames of a capture, as a capture of their own. Plays everything before them to get the contents of
 * the surfaces, and plays the result to check that it shows the same.
 */
#include "base/json/json.h"
#include "base/base.h"
#include "replay/picture.h"
#include "tools/tool.h"
#include "tools/trim/trim.h"

#include "base/output.h"
#include "dp2/capture/setup.h"
#include "client/umd/bridge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct hashes {
    uint64_t *list;
    size_t count, capacity;
};

struct trim {
    const char *path, *output;
    struct frame_range range;
    uint32_t first, last;
    bool full, unchecked, as_json;
    const char *why_full; /* reason for a full copy that was not requested, or NULL */
    struct trim_uses uses;
    /* The file that is written, not yet under its name. */
    struct output out;
    bool in_memory; /* `out` is `memory`, as the output itself cannot be read back */
    char *memory;
    size_t memory_size;
    struct capture_reader *reader;
    struct capture_writer *writer;
    struct player *player;
    struct capture_setup *setup;
    struct hashes hashes;
    struct capture_error error;
    bool begun;
};

static bool trim_write_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    struct trim *trim = user;
    const struct capture_bytes piece = {data, size};

    return capture_write(trim->writer, type, &piece, 1);
}

static bool note_picture(struct hashes *hashes, struct player *player, const struct capture_frame *frame,
                         struct capture_error *error)
{
    struct player_picture picture;

    if (!player_grab(player, frame, &picture, error))
        return false;
    if (hashes->count == hashes->capacity) {
        const size_t capacity = 2 * hashes->capacity + 64;
        uint64_t *bigger = mem_realloc(hashes->list, capacity, sizeof(*bigger));
        if (!bigger) {
            free(picture.pixels);
            return false;
        }
        hashes->list = bigger;
        hashes->capacity = capacity;
    }
    hashes->list[hashes->count++] = picture_hash(&picture);
    free(picture.pixels);
    return true;
}

/* --- frames ---------------------------------------------------------------------------------- */

/* Writes the setup for the first frame that is kept. */
static bool trim_begin(struct trim *trim)
{
    trim->begun = true;
    if (trim->full)
        return true;
    capture_setup_keep_named(trim->setup, trim_is_named, &trim->uses);
    return capture_setup_write(trim->setup, trim_write_event, trim) &&
           trim_write_contents(&(struct trim_target){
               .writer = trim->writer, .player = trim->player, .setup = trim->setup, .uses = &trim->uses});
}

static bool trim_keep(struct trim *trim, const struct capture_event *event)
{
    struct capture_frame frame;

    if (event->type != CAPTURE_FRAME)
        return trim_write_event(trim, event->type, event->data, event->size);
    memcpy(&frame, event->data, sizeof(frame));
    frame.frame = event->frame - trim->first;
    return note_picture(&trim->hashes, trim->player, (const void *)event->data, &trim->error) &&
           trim_write_event(trim, CAPTURE_FRAME, &frame, sizeof(frame)) && capture_flush(trim->writer, true);
}

static bool take_event(struct trim *trim, const struct capture_event *event)
{
    const bool before = event->frame < trim->first;

    if (!before && !trim->begun && !trim_begin(trim))
        return false;
    if (!player_play(trim->player, event, &trim->error))
        return false;
    if (!before)
        return trim_keep(trim, event);
    if (trim->full)
        return event->type == CAPTURE_FRAME || trim_write_event(trim, event->type, event->data, event->size);
    return capture_setup_follow(trim->setup, event);
}

static enum capture_status copy_frames(struct trim *trim)
{
    struct capture_event event;
    enum capture_status status;

    while ((status = capture_next(trim->reader, &event, &trim->error)) == CAPTURE_OK) {
        if (event.frame > trim->last)
            return CAPTURE_OK;
        if (!take_event(trim, &event))
            return CAPTURE_BAD;
    }
    return status;
}

static void discard_output(struct trim *trim)
{
    output_discard(&trim->out);
    free(trim->memory);
    trim->memory = NULL;
}

static bool create_output(struct trim *trim)
{
    const size_t size = strlen(capture_info(trim->reader)) + 64;
    char *info = malloc(size);

    if (!info) {
        tool_fail(&verb_trim, "out of memory");
        return false;
    }
    snprintf(info, size, "%strimmed=%" PRIu32 "-%" PRIu32 "\n", capture_info(trim->reader), trim->first, trim->last);
    if (trim->in_memory)
        trim->out = (struct output){.file = open_memstream(&trim->memory, &trim->memory_size)};
    else
        output_open(&trim->out, trim->output, OUTPUT_REPLACE);
    if (!trim->out.file) {
        tool_cannot_write(&verb_trim, trim->output);
        free(info);
        return false;
    }
    trim->writer = capture_create(&trim->out, info, &trim->error);
    free(info);
    if (!trim->writer) {
        tool_fail(&verb_trim, "%s: %s", tool_output_name(trim->output), trim->error.text);
        discard_output(trim);
    }
    return trim->writer != NULL;
}

/* Gives the capture its name. */
static int commit_output(struct trim *trim)
{
    struct output device;
    bool done;

    if (!trim->in_memory)
        return output_commit(&trim->out) ? TOOL_OK : tool_cannot_write(&verb_trim, trim->output);
    if (!output_open(&device, trim->output, OUTPUT_REPLACE))
        return tool_cannot_write(&verb_trim, trim->output);
    fwrite(trim->memory, 1, trim->memory_size, device.file);
    done = output_commit(&device);
    return done ? TOOL_OK : tool_cannot_write(&verb_trim, trim->output);
}

/* Why the frames could not be copied. */
static int trim_fail(const struct trim *trim)
{
    if (!trim->error.text[0])
        return tool_fail(&verb_trim, "out of memory");
    return tool_unreadable(&verb_trim, trim->path, &trim->error);
}

/* Writes the capture; TOOL_DAMAGED: as far as the input goes. */
static int write_trimmed(struct trim *trim, const struct client_driver *driver)
{
    enum capture_status status = CAPTURE_BAD;
    struct capture_error why = {0};

    trim->begun = false;
    trim->hashes.count = 0;
    discard_output(trim);
    trim->error = (struct capture_error){0};
    capture_rewind(trim->reader);
    if (!create_output(trim))
        return TOOL_ERROR;
    trim->player = player_create(driver);
    trim->setup = capture_setup_create();
    if (trim->setup)
        capture_setup_read_with(trim->setup, trim_read_buffer, trim->player);
    if (trim->player && trim->setup)
        status = copy_frames(trim);
    if (!trim->full && trim->setup && !capture_setup_has_patches(trim->setup))
        trim->hashes.count = SIZE_MAX; /* again, in full */
    player_destroy(trim->player);
    capture_setup_destroy(trim->setup);
    if (!capture_finish(trim->writer, &why)) {
        discard_output(trim);
        return tool_fail(&verb_trim, "%s: %s", tool_output_name(trim->output), why.text);
    }
    if (status == CAPTURE_BAD) {
        discard_output(trim);
        return trim_fail(trim);
    }
    if (status == CAPTURE_CUT)
        tool_cut_short(&verb_trim, trim->path, &trim->error);
    if (trim->hashes.count == 0) {
        discard_output(trim);
        if (status == CAPTURE_CUT)
            return TOOL_DAMAGED;
        return tool_fail(&verb_trim, "%s: no such frames: %" PRIu32 "-%" PRIu32, tool_input_name(trim->path),
                         trim->first, trim->last);
    }
    return status == CAPTURE_CUT ? TOOL_DAMAGED : TOOL_OK;
}

/* Does the output show the same as the input? */
static bool shows_the_same(const struct trim *trim, const struct client_driver *driver)
{
    struct capture_error error = {0};
    struct capture_reader *reader = trim->in_memory ? capture_open_memory(trim->memory, trim->memory_size, &error)
                                                    : capture_open(trim->out.temporary, &error);
    struct player *player = player_create(driver);
    struct hashes seen = {0};
    struct capture_event event;
    bool same = reader && player && trim->hashes.count != SIZE_MAX;

    while (same && capture_next(reader, &event, &error) == CAPTURE_OK) {
        same = player_play(player, &event, &error);
        if (same && event.type == CAPTURE_FRAME)
            same = note_picture(&seen, player, (const void *)event.data, &error);
    }
    same = same && seen.count == trim->hashes.count &&
           memcmp(seen.list, trim->hashes.list, seen.count * sizeof(*seen.list)) == 0;
    free(seen.list);
    player_destroy(player);
    capture_close(reader);
    return same;
}

static uint64_t output_bytes(const struct trim *trim)
{
    struct stat file;

    if (trim->in_memory)
        return trim->memory_size;
    return stat(trim->out.temporary, &file) == 0 ? (uint64_t)file.st_size : 0;
}

static int trim_print_json(const struct trim *trim, uint64_t bytes)
{
    struct json_writer json;

    json_begin(&json, stdout, "dp2-trim", false);
    json_put_text(&json, "file", trim->path);
    json_put_text(&json, "output", trim->output);
    json_put_number(&json, "first", trim->first);
    json_put_number(&json, "frames", trim->hashes.count);
    json_put_number(&json, "bytes", bytes);
    json_put_number(&json, "file_bytes", capture_size(trim->reader));
    json_put_bool(&json, "replayed", !trim->unchecked);
    json_put_bool(&json, "full", trim->full);
    if (trim->why_full)
        json_put_text(&json, "why_full", trim->why_full);
    return json_end(&json) ? TOOL_OK : tool_fail(&verb_trim, "out of memory");
}

/* Prints the name and contents of the output; if the capture goes to standard output, to standard error. */
static int finish_output(struct trim *trim, int status)
{
    FILE *told = strcmp(trim->output, "-") == 0 ? stderr : stdout;
    const uint64_t bytes = output_bytes(trim);

    if (commit_output(trim) != TOOL_OK)
        return TOOL_ERROR;
    if (trim->as_json)
        return trim_print_json(trim, bytes) == TOOL_OK ? status : TOOL_ERROR;
    fprintf(told, "%zu %s, %" PRIu64 " of %" PRIu64 " bytes, %s\n", trim->hashes.count,
            trim->hashes.count == 1 ? "frame" : "frames", bytes, capture_size(trim->reader),
            trim->unchecked ? "not replayed" : "replayed: the same pixels");
    if (trim->why_full)
        fprintf(told, "all calls before the frames are kept: %s\n", trim->why_full);
    return status;
}

/* Again, with all calls of the earlier frames. */
static int write_in_full(struct trim *trim, const struct client_driver *driver)
{
    trim->full = true;
    return write_trimmed(trim, driver);
}

static int trim_with_driver(struct trim *trim)
{
    struct client_driver driver;
    const HRESULT hr = client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter));
    bool same = true;
    int status;

    if (FAILED(hr))
        return tool_fail(&verb_trim, "the driver does not start: %#x", (unsigned)hr);
    if (!trim->full)
        trim->full =
            !trim_uses_find(&trim->uses, trim->reader, trim->first, trim->last); /* a full copy needs no uses */
    status = write_trimmed(trim, &driver);
    if (trim->out.file && !trim->full && trim->hashes.count == SIZE_MAX) {
        trim->why_full = "the frames need more than surfaces and states";
        status = write_in_full(trim, &driver);
    } else if (trim->out.file && !trim->full && output_bytes(trim) > capture_size(trim->reader)) {
        trim->why_full = "contents of surfaces need more room";
        status = write_in_full(trim, &driver);
    }
    if (trim->out.file && !trim->unchecked)
        same = shows_the_same(trim, &driver);
    if (trim->out.file && !same && !trim->full) {
        trim->why_full = "surfaces and states do not show the same pixels";
        status = write_in_full(trim, &driver);
        same = trim->out.file && shows_the_same(trim, &driver);
    }
    if (trim->out.file && !same) {
        discard_output(trim);
        status = tool_fail(&verb_trim, "%s: the result would not show the same pixels", tool_input_name(trim->path));
    }
    if (trim->out.file)
        status = finish_output(trim, status);
    discard_output(trim);
    client_driver_close(&driver);
    return status;
}

static int run_trim(struct trim *trim)
{
    struct stat there;
    int status = tool_check_output(&verb_trim, trim->output, trim->path);

    if (status != TOOL_OK)
        return status;
    trim->in_memory = strcmp(trim->output, "-") == 0 || (stat(trim->output, &there) == 0 && !S_ISREG(there.st_mode));
    trim->reader = tool_open_capture(&verb_trim, trim->path, &status);
    if (!trim->reader)
        return status;
    status = trim_with_driver(trim);
    status = tool_close_capture(&verb_trim, trim->path, trim->reader, status);
    free(trim->hashes.list);
    trim_uses_free(&trim->uses);
    return status;
}

static int trim_verb(void *settings, char **operands, int count)
{
    struct trim *trim = settings;

    (void)count;
    if (!trim->output || trim->range.count == 0)
        return tool_usage(&verb_trim, "%s is missing", trim->output ? "--frame A-B" : "-o OUT");
    if (trim->range.count > 1)
        return tool_usage(&verb_trim, "--frame names a list; one range of frames can be kept");
    if (trim->as_json && strcmp(trim->output, "-") == 0)
        return tool_usage(&verb_trim, "--json and --output - both write to standard output");
    trim->path = operands[0];
    trim->first = trim->range.spans[0].first;
    trim->last = trim->range.spans[0].last;
    return run_trim(trim);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct trim, range), .argument = "N|A-B", .help = "keep these frames"},
    {"output", 'o', SETS_TEXT(struct trim, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write the capture to FILE; - is standard output"},
    {"check", 0, CLEARS_BOOL(struct trim, unchecked),
     .help = "replay the frames from both files and compare their pictures (default)"},
    {"no-check", 0, SETS_BOOL(struct trim, unchecked),
     .help = "do not compare pictures: the frames are drawn once, while they are copied"},
    {"full", 0, SETS_BOOL(struct trim, full),
     .help = "also keep all calls of earlier frames, but not their pictures; trim does so by itself where contents "
             "cannot be read back (patches of vertex shaders)"},
    {"json", 0, SETS_BOOL(struct trim, as_json), .help = "print JSON (docs/json.md) instead of text; excludes -o -"},
    {0},
};

const struct tool_verb verb_trim = {
    .syntax =
        {
            .name = "trim",
            .summary = "make a capture of some frames",
            .usage = "FILE --frame A-B -o OUT",
            .about = "Writes a capture of the frames A to B. It begins with the contexts and states that exist before "
                     "these frames, the surfaces that they use, and the contents of those surfaces that they read or "
                     "overwrite only in part. The frames follow, counted from 0. If this takes more space than the "
                     "whole capture, all calls of earlier frames are kept instead.\n"
                     "\n"
                     "Prints the number of frames, the sizes of both files, and whether both show the same pixels.",
            .options = options,
            .examples = "dp2 trim game.capture --frame 120-125 -o short.capture\n"
                        "dp2 trim game.capture --frame 120 -o frame.capture --json | jq .bytes",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct trim),
    .run = trim_verb,
};
