/* SPDX-License-Identifier: MIT */
/*
 * dp2 minimise: the smallest capture that still does something.
 */
#include "tools/minimise/keep.h"
#include "tools/minimise/report.h"
#include "tools/tool.h"

#include "base/base.h"
#include "base/output.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct minimise {
    const char *path, *output;
    bool as_json, has_pixel;
    long timeout, tries; /* timeout: seconds */
    uint32_t frame;
    struct model model;
    struct keep keep;
    struct minimise_report report;
    struct progress progress;
    double base, span; /* of the progress: range of the current step */
    uint8_t **items;
    size_t item_count;
};

static enum ddmin_answer minimise_test(void *user)
{
    struct minimise *minimise = user;

    return keep_test(&minimise->keep);
}

static void minimise_show(void *user, double share)
{
    struct minimise *minimise = user;

    progress_show_share(&minimise->progress, minimise->base + share * minimise->span, "tries", minimise->keep.tries);
}

/* --- levels ---------------------------------------------------------------------------------------- */

static void minimise_add(struct minimise *minimise, uint8_t *kept)
{
    if (*kept)
        minimise->items[minimise->item_count++] = kept;
}

static void minimise_add_frames(struct minimise *minimise)
{
    const struct model *model = &minimise->model;

    for (uint32_t i = 0; i < model->frame_count; i++)
        if (!model->pinned || i != model->pinned->event.frame)
            minimise_add(minimise, &model->frames[i]);
}

static void minimise_add_events(struct minimise *minimise)
{
    const struct model *model = &minimise->model;

    for (size_t i = 0; i < model->event_count; i++)
        if (&model->events[i] != model->pinned)
            minimise_add(minimise, &model->events[i].kept);
}

/* Adds the commands of the remaining calls. */
static void minimise_add_commands(struct minimise *minimise)
{
    const struct model *model = &minimise->model;

    for (size_t i = 0; i < model->event_count; i++)
        for (uint32_t c = 0; model->events[i].kept && c < model->events[i].command_count; c++)
            minimise_add(minimise, &model->commands[model->events[i].first_command + c].kept);
}

/* A single entry is the same as its command, which has been tried. */
static void minimise_add_entries(struct minimise *minimise)
{
    const struct model *model = &minimise->model;

    for (size_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];

        for (uint32_t c = 0; event->kept && c < event->command_count; c++) {
            const struct model_command *command = &model->commands[event->first_command + c];

            for (uint32_t e = 0; command->kept && command->entry_count > 1 && e < command->entry_count; e++)
                minimise_add(minimise, &model->entries[command->first_entry + e].kept);
        }
    }
}

/* A range of at least `least`; false: the work ends. */
static bool minimise_range(struct minimise *minimise, struct model_range *range, uint32_t least, uint32_t step)
{
    const struct ddmin ddmin = {minimise_test, NULL, minimise};

    return range->end - range->begin <= least || ddmin_range(&ddmin, &range->begin, &range->end, least, step);
}

static bool minimise_command(struct minimise *minimise, struct model_command *command)
{
    struct model_entry *entries = &minimise->model.entries[command->first_entry];

    if (!command->kept || !command->head.info)
        return true;
    if (!minimise_range(minimise, &command->primitives, 1, model_front_step(&command->head, NULL)))
        return false;
    for (uint32_t i = 0; i < command->entry_count; i++)
        if (entries[i].kept &&
            !minimise_range(minimise, &entries[i].primitives, 1,
                            model_front_step(&command->head, command->head.body + entries[i].offset)))
            return false;
    return true;
}

/* Primitives, then vertices and rows. */
static bool minimise_ranges(struct minimise *minimise)
{
    struct model *model = &minimise->model;

    for (size_t i = 0; i < model->event_count; i++) {
        struct model_event *event = &model->events[i];

        for (uint32_t c = 0; event->kept && c < event->command_count; c++)
            if (!minimise_command(minimise, &model->commands[event->first_command + c]))
                return false;
        if (event->kept &&
            (!minimise_range(minimise, &event->vertices, 0, 0) || !minimise_range(minimise, &event->memory, 1, 1)))
            return false;
        minimise_show(minimise, (double)(i + 1) / (double)model->event_count);
    }
    return true;
}

static const struct {
    void (*add)(struct minimise *minimise); /* NULL: ranges */
    double share;                           /* rough share of the work of a round */
} levels[] = {
    {minimise_add_frames, 0.05},
    {minimise_add_events, 0.3},
    {minimise_add_commands, 0.3},
    {minimise_add_entries, 0.2},
    {NULL, 0.15},
};

/* All levels, from the largest items to the smallest. False: the work ends. */
static bool minimise_round(struct minimise *minimise, double base, double span)
{
    const struct ddmin ddmin = {minimise_test, minimise_show, minimise};
    bool going = true;

    for (size_t i = 0; going && i < ARRAY_COUNT(levels); i++) {
        model_prune(&minimise->model);
        minimise->base = base;
        minimise->span = span * levels[i].share;
        minimise->item_count = 0;
        if (levels[i].add) {
            levels[i].add(minimise);
            going = ddmin_list(&ddmin, minimise->items, &minimise->item_count);
        } else {
            going = minimise_ranges(minimise);
        }
        base += minimise->span;
    }
    model_prune(&minimise->model);
    return going;
}

/* Repeats until a round removes nothing: removing one item can make another removable. */
static void minimise_all(struct minimise *minimise)
{
    double base = 0, span = 0.6;
    uint64_t successes;

    do {
        successes = minimise->keep.successes;
        if (!minimise_round(minimise, base, span))
            return;
        base += span;
        span = (1 - base) * 0.6;
    } while (minimise->keep.successes > successes);
}

/* --- the work ----------------------------------------------------------------------------------------- */

/* Writes the rest, completely or not at all. */
static int minimise_write(struct minimise *minimise)
{
    char *memory = NULL;
    size_t size = 0;
    struct output copy = {.file = open_memstream(&memory, &size)}, output;
    bool done = copy.file && keep_write(&minimise->keep, &copy);

    if (copy.file)
        done = fclose(copy.file) == 0 && done;
    minimise->report.bytes_after = size;
    if (!done) {
        free(memory);
        return tool_fail(&verb_minimise, "%s: out of memory", tool_output_name(minimise->output));
    }
    if (output_open(&output, minimise->output, OUTPUT_REPLACE)) {
        fwrite(memory, 1, size, output.file);
        done = output_commit(&output);
    } else {
        done = false;
    }
    free(memory);
    return done ? TOOL_OK : tool_cannot_write(&verb_minimise, minimise->output);
}

/* Why there is nothing to minimise. */
static int minimise_first_fails(const struct minimise *minimise)
{
    const struct keep *keep = &minimise->keep;

    if (keep->why[0])
        return tool_fail(&verb_minimise, "%s: %s", tool_input_name(minimise->path), keep->why);
    if (!keep->command)
        return tool_fail(&verb_minimise, "%s: frame %" PRIu32 " cannot be drawn", tool_input_name(minimise->path),
                         minimise->frame);
    if (keep->status < 0)
        return tool_fail(&verb_minimise, "the command takes longer than %g seconds on the whole capture",
                         keep->timeout);
    if (WIFSIGNALED(keep->status))
        return tool_fail(&verb_minimise, "the command was ended by signal %d on the whole capture",
                         WTERMSIG(keep->status));
    return tool_fail(&verb_minimise, "the command fails on the whole capture: status %d", WEXITSTATUS(keep->status));
}

static int minimise_run(struct minimise *minimise)
{
    struct model *model = &minimise->model;
    enum ddmin_answer answer;
    int status;

    minimise->items =
        mem_calloc(model->frame_count + model->event_count + model->command_count + model->entry_count + 1,
                   sizeof(*minimise->items));
    if (!minimise->items || !model_count(model, &minimise->report.before))
        return tool_fail(&verb_minimise, "out of memory");
    keep_catch_signals();
    if (!keep_begin(&minimise->keep))
        return tool_fail(&verb_minimise, "%s", minimise->keep.why);
    answer = keep_first(&minimise->keep);
    if (answer != DDMIN_YES && !keep_signal())
        return minimise_first_fails(minimise);
    if (answer == DDMIN_YES)
        minimise_all(minimise);
    progress_end(&minimise->progress);
    if (minimise->keep.why[0])
        return tool_fail(&verb_minimise, "%s", minimise->keep.why);
    if (answer != DDMIN_YES) /* interrupted before anything was known */
        return TOOL_ERROR;
    if (!model_count(model, &minimise->report.after))
        return tool_fail(&verb_minimise, "out of memory");
    status = minimise_write(minimise);
    if (status != TOOL_OK)
        return status;
    minimise->report.path = minimise->path;
    minimise->report.output = minimise->output;
    minimise->report.frame = minimise->frame;
    minimise->report.model = &minimise->model;
    minimise->report.keep = &minimise->keep;
    if (minimise->as_json)
        return minimise_report_json(&minimise->report) ? TOOL_OK : tool_fail(&verb_minimise, "out of memory");
    minimise_report_text(&minimise->report, strcmp(minimise->output, "-") == 0 ? stderr : stdout);
    return TOOL_OK;
}

/* The frame event that shows the pixel. */
static int minimise_pin(struct minimise *minimise, enum model_status read)
{
    struct model *model = &minimise->model;

    for (size_t i = 0; i < model->event_count && !model->pinned; i++)
        if (model->events[i].event.type == CAPTURE_FRAME && model->events[i].event.frame == minimise->frame)
            model->pinned = &model->events[i];
    if (model->pinned)
        return TOOL_OK;
    if (read != MODEL_OK)
        return TOOL_DAMAGED; /* it may have been after the damage */
    return tool_fail(&verb_minimise, "%s: no such frame: %" PRIu32, tool_input_name(minimise->path), minimise->frame);
}

static int minimise_load(struct minimise *minimise, struct capture_reader *reader, int *damage)
{
    struct capture_error error = {0};
    const enum model_status read =
        model_read(&minimise->model, reader, minimise->keep.command ? UINT32_MAX : minimise->frame, &error);

    *damage = TOOL_OK;
    switch (read) {
    case MODEL_CUT:
        *damage = tool_cut_short(&verb_minimise, minimise->path, &error);
        break;
    case MODEL_BAD:
        *damage = tool_unreadable(&verb_minimise, minimise->path, &error);
        return *damage;
    case MODEL_TOO_LARGE:
        return tool_fail(&verb_minimise, "%s: too large; 'dp2 trim' makes a capture of some frames of it",
                         tool_input_name(minimise->path));
    case MODEL_NO_MEMORY:
        return tool_fail(&verb_minimise, "out of memory");
    case MODEL_OK:
        break;
    }
    return minimise->keep.command ? TOOL_OK : minimise_pin(minimise, read);
}

static int minimise_capture(struct minimise *minimise)
{
    struct capture_reader *reader;
    size_t size;
    char *info;
    int damage = TOOL_OK, status = tool_check_output(&verb_minimise, minimise->output, minimise->path);

    if (status != TOOL_OK)
        return status;
    reader = tool_open_capture(&verb_minimise, minimise->path, &status);
    if (!reader)
        return status;
    progress_start(&minimise->progress, "Minimising", reader, UINT32_MAX, 1);
    minimise->report.bytes_before = capture_size(reader);
    size = strlen(capture_info(reader)) + 80;
    info = malloc(size);
    if (!info) {
        capture_close(reader);
        return tool_fail(&verb_minimise, "out of memory");
    }
    if (minimise->keep.command)
        snprintf(info, size, "%sminimised=command\n", capture_info(reader));
    else
        snprintf(info, size, "%sminimised=%" PRIu32 " %u,%u\n", capture_info(reader), minimise->frame, minimise->keep.x,
                 minimise->keep.y);
    minimise->keep.info = info;
    minimise->keep.model = &minimise->model;
    status = minimise_load(minimise, reader, &damage);
    if (status == TOOL_OK)
        status = minimise_run(minimise);
    status = BASE_MAX(status, damage);
    progress_clear();
    keep_end(&minimise->keep);
    model_free(&minimise->model);
    free(minimise->items);
    free(info);
    return tool_close_capture(&verb_minimise, minimise->path, reader, status);
}

/* "32,24" */
static bool minimise_parse_pixel(struct keep *keep, const char *text)
{
    char first[16];
    const char *comma = text ? strchr(text, ',') : NULL;
    long x, y;

    if (!comma || (size_t)(comma - text) >= sizeof(first))
        return false;
    memcpy(first, text, (size_t)(comma - text));
    first[comma - text] = 0;
    if (!parse_number(first, 0, 65535, &x) || !parse_number(comma + 1, 0, 65535, &y))
        return false;
    keep->x = (unsigned)x;
    keep->y = (unsigned)y;
    return true;
}

/* The frame, and the pixel in the next word. */
static enum option_result take_pixel(void *settings, const struct option_row *row, const char *value,
                                     struct option_line *line)
{
    struct minimise *minimise = settings;
    long number;

    if (!parse_number(value, 0, CAPTURE_MAX_FRAMES, &number))
        return option_wrong(line, "'%s' is not a frame", value);
    if (!minimise_parse_pixel(&minimise->keep, option_next(line)))
        return option_wrong(line, "a pixel is missing after --%s %s, as in 32,24", row->name, value);
    minimise->frame = (uint32_t)number;
    minimise->has_pixel = true;
    return OPTION_OK;
}

static int minimise_verb(void *settings, char **operands, int count)
{
    struct minimise *minimise = settings;
    int status;

    (void)count;
    if (minimise->has_pixel == (minimise->keep.command != NULL))
        return tool_usage(&verb_minimise, "%s",
                          minimise->has_pixel ? "--keep and --keep-pixel exclude each other"
                                              : "--keep COMMAND or --keep-pixel FRAME X,Y is missing");
    if (!minimise->output)
        return tool_usage(&verb_minimise, "-o OUT is missing");
    if (minimise->as_json && strcmp(minimise->output, "-") == 0)
        return tool_usage(&verb_minimise, "--json and --output - both write to standard output");
    if (minimise->has_pixel)
        setenv("HALCYON_LOG_LEVEL", "none", 0); /* messages about candidates are not wanted */
    minimise->keep.timeout = (double)minimise->timeout;
    minimise->keep.limit = (uint64_t)minimise->tries;
    minimise->path = operands[0];
    status = minimise_capture(minimise);
    if (keep_signal()) { /* the result has been written; end like an interrupted command */
        fflush(stdout);
        signal(keep_signal(), SIG_DFL);
        raise(keep_signal());
    }
    return status;
}

static const struct option_row options[] = {
    {"keep", 'k', SETS_TEXT(struct minimise, keep.command), .argument = "COMMAND", .value = VALUE_COMMAND,
     .help = "the command for sh that must succeed (status 0): it gets the name of a capture as its last argument, or "
             "wherever it contains {}. For the same capture it must always give the same answer"},
    {"keep-pixel", 'p', OPTION_CALL, .take = take_pixel, .argument = "FRAME X,Y",
     .help = "the pixel of the picture of FRAME that must keep its colour; this frame becomes the last one. The driver "
             "must not refuse more calls than before"},
    {"output", 'o', SETS_TEXT(struct minimise, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write the capture to FILE; - is standard output"},
    {"timeout", 0, SETS_NUMBER(struct minimise, timeout), .argument = "SECS", .low = 1, .high = 1000000,
     .wrong = "a number of seconds", .help = "how long COMMAND may take (default: 60); longer counts as a failure"},
    {"tries", 0, SETS_NUMBER(struct minimise, tries), .argument = "N", .low = 1, .high = 1000000000,
     .wrong = "a number of tries", .help = "stop after N tries (default: 100000)"},
    {"json", 0, SETS_BOOL(struct minimise, as_json),
     .help = "print JSON (docs/json.md) instead of text; excludes -o -"},
    {0},
};

static const struct minimise defaults = {.timeout = 60, .tries = 100000};

const struct tool_verb verb_minimise = {
    .syntax =
        {
            .name = "minimise",
            .summary = "make the smallest capture that still does something",
            .usage = "FILE --keep COMMAND -o OUT\n"
                     "FILE --keep-pixel FRAME X,Y -o OUT",
            .about = "Removes from a capture what does not matter, as long as COMMAND still succeeds or a pixel keeps "
                     "its colour: frames, then events, tokens, entries of tokens, primitives, vertices and rows of "
                     "surfaces, until nothing more can be removed. Whatever names a removed surface, context or shader "
                     "is removed with it. The remaining frames are counted from 0.\n"
                     "\n"
                     "Prints what the capture had before and what is left; draws have the names of 'dp2 draws FILE'. "
                     "An interrupt (Ctrl-C) ends the work early, and the smallest capture found so far is written.",
            .options = options,
            .examples = "dp2 minimise game.capture --keep-pixel 12 32,24 -o pixel.capture\n"
                        "dp2 minimise game.capture -k 'dp2 dump {} | grep -q CULLMODE' -o culls.capture",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct minimise),
    .defaults = &defaults,
    .run = minimise_verb,
};
