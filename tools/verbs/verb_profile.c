/* SPDX-License-Identifier: MIT */
/* dp2 profile: where the time of frames goes. */
#include "tools/debug/profile_tables.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/json/json.h"
#include "tools/debug/inspection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS 3  /* by default */
#define TOP   10 /* rows of a table, by default */

struct request {
    struct inspection inspection;
    struct frame_range range;
    const char *path, *trace_path;
    long loops, top, threads; /* threads 0: as the driver is set */
    int by;                   /* enum profile_by; -1: several */
    bool as_json;
    struct json_writer json;
    struct profiled profiled;
    struct output output;
    struct profile_trace trace;
    struct inspect_spans spans;
    uint32_t frame; /* at hand */
};

/* --- progress ------------------------------------------------------------------------------------ */

/* A profiled frame is played this often, each time with the frame before it; other frames are played once. */
static double frame_weight(const struct request *r)
{
    return 2.0 * (2.0 * (double)r->loops + 4.0);
}

/* The share of all work that is done once the frames before `frame` and this share of `frame` are done. */
static void show_share(struct request *r, uint32_t frame, double part)
{
    struct progress *progress = &r->inspection.progress;
    const uint64_t size = capture_size(r->inspection.reader);
    double done = 0, all = 0;

    for (uint64_t i = 0; i < progress->frames; i++) {
        const double weight = frame_range_has(&r->range, (uint32_t)i) ? frame_weight(r) : 1;

        all += weight;
        done += i < frame ? weight : i == frame ? part * weight : 0;
    }
    if (!progress->frames && size) { /* without index */
        all = (double)size;
        done = (double)capture_position(r->inspection.reader);
    }
    progress_show_share(progress, all > 0 ? done / all : 0, "frame", frame);
}

static void show_loaded(void *user, const struct capture_reader *reader, uint32_t frame)
{
    (void)reader;
    show_share(user, frame, 1);
}

static void show_part(void *user, double part)
{
    struct request *r = user;

    show_share(r, r->frame, part);
}

/* --- JSON ---------------------------------------------------------------------------------------- */

static void put_spread(struct json_writer *json, const char *name, const struct inspect_spread *spread)
{
    json_open_object(json, name);
    json_put_real(json, "least", spread->least);
    json_put_real(json, "median", spread->median);
    json_put_real(json, "most", spread->most);
    json_close(json);
}

static void put_row(struct json_writer *json, const struct inspect_profile_row *row)
{
    const char *type = dp2_primitive_name(row->action.type);

    json_open_object(json, NULL);
    inspect_put_place(json, "draw", &row->place);
    inspect_put_action(json, &row->action);
    json_put_bool(json, "refused", row->refused);
    json_put_number(json, "target", row->target);
    if (row->action.kind == INSPECT_DRAW) {
        if (type)
            json_put_text(json, "type", type);
        json_put_number(json, "vertices", row->vertices);
        json_put_number(json, "primitives", row->primitives);
        json_put_number(json, "pixels", row->pixels);
        json_put_number(json, "vertex_shader", row->vertex_shader);
        json_put_number(json, "pixel_shader", row->pixel_shader);
        json_put_text(json, "state", row->state);
        json_put_number(json, "steps", row->steps);
        json_put_number(json, "generated_steps", row->generated_steps);
    } else {
        json_put_text(json, "text", row->text);
    }
    put_spread(json, "seconds", &row->seconds);
    json_open_object(json, "phases");
    for (unsigned p = 0; p < INSPECT_PHASE_COUNT; p++)
        json_put_real(json, inspect_phase_name(p), row->phase[p]);
    json_close(json);
    json_close(json);
}

static void put_code(struct json_writer *json, const struct inspect_profile_code *code)
{
    json_open_object(json, "code");
    json_put_number(json, "programs", code->programs);
    json_put_number(json, "bytes", code->bytes);
    json_put_number(json, "made", code->made);
    json_put_real(json, "seconds", code->seconds);
    json_close(json);
}

/* Why the frame's scenes were drawn. */
static void put_scenes(struct json_writer *json, const uint64_t scenes[HAL_FLUSH_COUNT])
{
    json_open_list(json, "scenes");
    for (unsigned why = 0; why < HAL_FLUSH_COUNT; why++) {
        if (!scenes[why])
            continue;
        json_open_object(json, NULL);
        json_put_text(json, "reason", hal_flush_name(why));
        json_put_number(json, "count", scenes[why]);
        json_close(json);
    }
    json_close(json);
}

static void put_frame(struct json_writer *json, uint32_t frame, const struct inspect_profile *profile)
{
    json_stream_object(json, NULL);
    json_put_number(json, "frame", frame);
    json_put_number(json, "threads", profile->threads);
    put_spread(json, "seconds", &profile->frame);
    json_put_real(json, "actions_seconds", profile->actions);
    put_code(json, &profile->code);
    put_scenes(json, profile->scenes);
    json_stream_list(json, "actions");
    for (size_t i = 0; i < profile->count; i++)
        put_row(json, &profile->rows[i]);
    json_close(json);
    json_close(json);
}

/* --- frames -------------------------------------------------------------------------------------- */

static bool keep_profile(struct profiled *profiled, uint32_t frame, const struct inspect_profile *profile)
{
    if (profiled->count == profiled->capacity) {
        const size_t capacity = 2 * profiled->capacity + 16;
        struct profiled_frame *bigger = mem_realloc(profiled->frames, capacity, sizeof(*bigger));

        if (!bigger)
            return false;
        profiled->frames = bigger;
        profiled->capacity = capacity;
    }
    profiled->frames[profiled->count++] = (struct profiled_frame){frame, *profile};
    profiled->actions += profile->actions;
    return true;
}

static int profile_one(struct request *r, uint32_t frame)
{
    const struct inspect_profile_options options = {
        .loops = (unsigned)r->loops,
        .progress = show_part,
        .user = r,
        .spans = r->trace_path ? &r->spans : NULL,
    };
    struct inspect_profile profile;
    struct capture_error error = {0};

    r->frame = frame;
    if (!inspect_profile(r->inspection.session, &options, &profile, &error))
        return inspection_fail(&r->inspection, &error);
    if (r->trace_path)
        profile_trace_add(&r->trace, &profile, &r->spans);
    if (r->as_json) {
        progress_clear();
        put_frame(&r->json, frame, &profile);
        inspect_profile_free(&profile);
    } else if (!keep_profile(&r->profiled, frame, &profile)) {
        inspect_profile_free(&profile);
        return tool_fail(&verb_profile, "out of memory");
    }
    return TOOL_OK;
}

/* All frames of the range, or up to the end of the capture. */
static int profile_frames(struct request *r)
{
    const uint32_t end = frame_range_end(&r->range);
    struct inspect *session = r->inspection.session;
    struct capture_error error = {0};

    uint64_t there = UINT64_MAX;

    for (uint32_t frame = 0; frame <= end && frame < CAPTURE_MAX_FRAMES; frame++) {
        if (!frame_range_has(&r->range, frame))
            continue;
        if (!inspect_load(session, frame, &error))
            break;
        if (!inspect_action_count(session) && !inspect_shown(session)) {
            there = frame; /* what programs do before they end is not a frame */
            break;
        }
        const int status = profile_one(r, frame);

        if (status != TOOL_OK)
            return status;
    }
    progress_end(&r->inspection.progress);
    if (error.text[0])
        return inspection_fail(&r->inspection, &error);
    if (inspect_end(session) == CAPTURE_OK)
        return TOOL_OK;
    return tool_check_frames(&verb_profile, r->path, &r->range,
                             BASE_MIN(there, (uint64_t)inspect_frames_there(session)));
}

static int print_tables(const struct request *r)
{
    const struct profiled *p = &r->profiled;
    bool done = true;

    profile_print_head(p, (unsigned)r->loops);
    if (r->by >= 0)
        done = profile_print_table(p, (enum profile_by)r->by, (size_t)r->top);
    for (unsigned by = 0; r->by < 0 && by < PROFILE_BY_COUNT && done; by++)
        if (by != PROFILE_BY_SCENE && (by != PROFILE_BY_FRAME || p->count > 1))
            done = profile_print_table(p, by, (size_t)r->top);
    return done ? TOOL_OK : tool_fail(&verb_profile, "out of memory");
}

static int profile_capture(struct request *r)
{
    int status, printed = TOOL_OK;

    if (r->as_json) {
        json_begin(&r->json, stdout, "dp2-profile", false);
        json_put_text(&r->json, "file", r->path);
        json_put_number(&r->json, "loops", (uint64_t)r->loops);
        json_stream_list(&r->json, "frames");
    }
    status = profile_frames(r);
    progress_clear();
    if (r->as_json)
        printed = json_end(&r->json) ? TOOL_OK : tool_fail(&verb_profile, "out of memory");
    else if (r->profiled.count)
        printed = print_tables(r);
    for (size_t i = 0; i < r->profiled.count; i++)
        inspect_profile_free(&r->profiled.frames[i].profile);
    free(r->profiled.frames);
    return BASE_MAX(status, printed);
}

/* With the file of --chrome-trace, which is written completely or not at all. */
static int profile_with_trace(struct request *r)
{
    int status;

    if (!r->trace_path)
        return profile_capture(r);
    if (!output_open(&r->output, r->trace_path, OUTPUT_REPLACE))
        return tool_cannot_write(&verb_profile, r->trace_path);
    inspect_spans_init(&r->spans);
    profile_trace_begin(&r->trace, r->output.file, r->path);
    status = profile_capture(r);
    if (!profile_trace_end(&r->trace) || r->spans.lost)
        status = tool_fail(&verb_profile, "out of memory");
    inspect_spans_free(&r->spans);
    if (status == TOOL_ERROR)
        output_discard(&r->output);
    else if (!output_commit(&r->output))
        status = tool_cannot_write(&verb_profile, r->trace_path);
    return status;
}

static int run_profile(struct request *r)
{
    const struct inspect_options options = {.progress = show_loaded, .user = r, .warms = true};
    int status = r->trace_path ? tool_check_output(&verb_profile, r->trace_path, r->path) : TOOL_OK;

    if (status == TOOL_OK)
        status = inspection_open_with(&r->inspection, &verb_profile, r->path, frame_range_end(&r->range), &options);
    if (status != TOOL_OK)
        return status;
    return inspection_close(&r->inspection, profile_with_trace(r));
}

/* --- the command line ---------------------------------------------------------------------------- */

static int profile_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;

    (void)count;
    tool_set_threads(r->threads);
    if (r->trace_path && !strcmp(r->trace_path, "-"))
        return tool_usage(&verb_profile, "--chrome-trace takes a file: tables and --json go to standard output");
    r->path = operands[0];
    return run_profile(r);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct request, range), .argument = "N|A-B",
     .help = "profile only these frames (default: all)"},
    {"loops", 'n', SETS_NUMBER(struct request, loops), .argument = "N", .low = 1, .high = 1000,
     .help = "measure N times (default 3), and print least, median and most"},
    TOOL_THREADS(struct request, threads),
    {"by", 0, SETS_CHOICE(struct request, by), .argument = "WHAT", .choices = "phase|draw|shader|state|frame|scene",
     .help = "print only this table: phase, draw, shader, state, frame or scene"},
    {"top", 0, SETS_NUMBER(struct request, top), .argument = "N", .low = 0, .high = 1000000,
     .help = "print N rows of a table (default 10; 0: all)"},
    {"chrome-trace", 0, SETS_TEXT(struct request, trace_path), .argument = "FILE", .value = VALUE_FILE,
     .help = "write a trace of all threads, for Perfetto or chrome://tracing"},
    {"json", 0, SETS_BOOL(struct request, as_json),
     .help = "print JSON (docs/json.md) instead of text, with all actions of all frames"},
    {0},
};

static const struct request defaults = {.loops = LOOPS, .top = TOP, .by = -1};

const struct tool_verb verb_profile = {
    .syntax =
        {
            .name = "profile",
            .summary = "show where the time of frames goes",
            .about = "Prints where the time of frames goes: by phase, draw, shader, state and frame, the most "
                     "expensive first.\n"
                     "\n"
                     "Each frame is drawn as it is by all threads, which gives its time. Then its actions are drawn "
                     "one by one on one thread, which separates them; together they take longer than the frame, in "
                     "which work overlaps and hidden pixels are skipped. The previous frame is played first, so that "
                     "the driver holds what it keeps from frame to frame.",
            .options = options,
            .notes = "Phases of a draw: states, vertices and setup come before its pixels. Program and sampling are "
                     "the time that the draw saves with a program that gives one color, and with texture reads that "
                     "read no texel; pixels is the rest of its tiles. docs/debugging.md has an example. Machine code: "
                     "the share of the steps of programs, over all vertices and pixels, that ran as machine code.",
            .examples = "dp2 profile game.capture --frame 12\n"
                        "dp2 profile game.capture --frame 10-20 --by shader --loops 9\n"
                        "dp2 profile game.capture --frame 12 --chrome-trace trace.json",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct request),
    .defaults = &defaults,
    .run = profile_verb,
};
