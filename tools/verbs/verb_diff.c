/* SPDX-License-Identifier: MIT */
/*
 * dp2 diff: the first difference of two captures, in their tokens and in their pictures.
 */
#include "inspect/json/event.h"
#include "replay/picture.h"
#include "tools/tool.h"

#include "base/base.h"
#include "dp2/text/text.h"
#include "client/umd/bridge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct side {
    const char *path;
    struct capture_reader *reader;
    struct player *player;
    struct capture_event event;
    enum capture_status status;
    bool said_cut; /* that it is cut short */
};

struct diff {
    struct side a, b;
    const char *output;
    FILE *results; /* standard output, or standard error if the picture is written there */
    bool tokens, pixels, only_tokens, only_pixels, as_json;
    struct json_writer json;
};

static void diff_put(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
}

static int side_failed(const struct side *side, const struct capture_error *error)
{
    return tool_unreadable(&verb_diff, side->path, error);
}

/* The next event; reports once that a capture is cut short. */
static void diff_next_event(struct side *side, struct capture_error *error)
{
    side->status = capture_next(side->reader, &side->event, error);
    if (side->status == CAPTURE_CUT && !side->said_cut) {
        tool_cut_short(&verb_diff, side->path, error);
        side->said_cut = true;
    }
}

/* --- tokens ----------------------------------------------------------------------------------- */

static void start_stream(const struct side *side, struct dp2_cursor *cursor)
{
    const struct capture_draw *head = (const void *)side->event.data;
    const uint32_t size = dp2_fvf_size(head->vertex_type);

    dp2_cursor_init(cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
}

static void print_token(FILE *file, char mark, enum dp2_status status, const struct dp2_command *command)
{
    const struct dp2_sink out = {diff_put, file};

    fprintf(file, "%c %06zx: ", mark, command->offset);
    if (status == DP2_OK)
        dp2_print_command(&out, command, DP2_TEXT_BRIEF, false);
    else
        fputs(dp2_status_text(status), file);
    fputc('\n', file);
}

static void print_side(FILE *file, char mark, const struct side *side)
{
    const struct dp2_print_options options = {.style = DP2_TEXT_BRIEF};
    const struct dp2_sink out = {diff_put, file};

    fputc(mark, file);
    if (side->status == CAPTURE_OK)
        dp2_print_event(&out, &side->event, &options);
    else
        fputs(" (the end)\n", file);
}

/* --- the same as JSON ------------------------------------------------------------------------- */

static void put_token(struct json_writer *json, const char *name, enum dp2_status status,
                      const struct dp2_command *command)
{
    json_open_object(json, name);
    if (status == DP2_OK) {
        json_put_command(json, "command", command);
    } else if (status != DP2_END) {
        json_open_object(json, "unreadable");
        json_put_number(json, "offset", command->offset);
        json_put_text(json, "why", dp2_status_text(status));
        json_close(json);
    }
    json_close(json);
}

static void put_side(struct json_writer *json, const char *name, const struct side *side)
{
    json_open_object(json, name);
    if (side->status == CAPTURE_OK)
        json_put_event(json, "event", &side->event, false);
    json_close(json);
}

static void put_equal(struct diff *diff, const char *name)
{
    if (!diff->as_json)
        return;
    json_open_object(&diff->json, name);
    json_put_bool(&diff->json, "equal", true);
    json_close(&diff->json);
}

/* Opens an object about a difference in the frame. */
static void open_difference(struct diff *diff, const char *name, uint64_t frame)
{
    json_open_object(&diff->json, name);
    json_put_bool(&diff->json, "equal", false);
    json_put_number(&diff->json, "frame", frame);
}

/* --- the first event that differs --------------------------------------------------------------- */

/* Finds the token in which two draws differ. Returns false if they differ only in fields or vertices. */
static bool show_first_token(struct diff *diff)
{
    struct dp2_cursor a, b;
    struct dp2_command left, right;
    enum dp2_status status_a, status_b;

    start_stream(&diff->a, &a);
    start_stream(&diff->b, &b);
    do {
        status_a = dp2_next(&a, &left);
        status_b = dp2_next(&b, &right);
        if (status_a != DP2_OK && status_a == status_b)
            return false;
    } while (status_a == DP2_OK && status_b == DP2_OK && left.body_size == right.body_size &&
             memcmp(left.body - 4, right.body - 4, left.body_size + 4) == 0);
    if (diff->as_json) {
        put_token(&diff->json, "a", status_a, &left);
        put_token(&diff->json, "b", status_b, &right);
    } else {
        print_token(diff->results, '-', status_a, &left);
        print_token(diff->results, '+', status_b, &right);
    }
    return true;
}

static bool both_draw(const struct diff *diff)
{
    return diff->a.status == CAPTURE_OK && diff->b.status == CAPTURE_OK && diff->a.event.type == CAPTURE_DRAW &&
           diff->b.event.type == CAPTURE_DRAW;
}

/* number: of the event, from 0. */
static void show_first_event(struct diff *diff, uint64_t number)
{
    const struct side *there = diff->a.status == CAPTURE_OK ? &diff->a : &diff->b;
    const char *name = capture_event_name(there->event.type);

    if (diff->as_json) {
        open_difference(diff, "tokens", there->event.frame);
        json_put_number(&diff->json, "event", number);
        json_put_text(&diff->json, "type", name);
    } else {
        fprintf(diff->results, "event %" PRIu64 ", frame %" PRIu32 ": %s\n", number, there->event.frame, name);
    }
    if (!both_draw(diff) || !show_first_token(diff)) {
        if (diff->as_json) {
            put_side(&diff->json, "a", &diff->a);
            put_side(&diff->json, "b", &diff->b);
        } else {
            print_side(diff->results, '-', &diff->a);
            print_side(diff->results, '+', &diff->b);
        }
    }
    if (diff->as_json)
        json_close(&diff->json);
}

static bool same_event(const struct diff *diff)
{
    const struct capture_event *a = &diff->a.event, *b = &diff->b.event;

    return a->type == b->type && a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static bool ended(enum capture_status status)
{
    return status == CAPTURE_END || status == CAPTURE_CUT;
}

static int compare_tokens(struct diff *diff)
{
    struct capture_error error = {0};
    uint64_t number = 0;

    capture_rewind(diff->a.reader);
    capture_rewind(diff->b.reader);
    for (;; number++) {
        diff_next_event(&diff->a, &error);
        if (diff->a.status == CAPTURE_BAD)
            return side_failed(&diff->a, &error);
        diff_next_event(&diff->b, &error);
        if (diff->b.status == CAPTURE_BAD)
            return side_failed(&diff->b, &error);
        if (ended(diff->a.status) && ended(diff->b.status)) {
            put_equal(diff, "tokens");
            return TOOL_OK;
        }
        if (ended(diff->a.status) || ended(diff->b.status) || !same_event(diff))
            break;
    }
    show_first_event(diff, number);
    return TOOL_DIFFERENT;
}

/* --- pictures ----------------------------------------------------------------------------------
 */

/* Plays up to the next frame. */
static int next_frame(struct side *side, struct player_picture *picture)
{
    struct capture_error error = {0};

    for (diff_next_event(side, &error); side->status == CAPTURE_OK; diff_next_event(side, &error)) {
        if (!player_play(side->player, &side->event, &error))
            return side_failed(side, &error);
        if (side->event.type != CAPTURE_FRAME)
            continue;
        if (!player_grab(side->player, (const void *)side->event.data, picture, &error)) {
            tool_say(&verb_diff, "%s: frame %" PRIu32 ": %s", tool_input_name(side->path), side->event.frame,
                     error.text);
            return TOOL_DAMAGED;
        }
        return TOOL_OK;
    }
    return ended(side->status) ? TOOL_OK : side_failed(side, &error);
}

static int write_difference(const struct diff *diff, const struct player_picture *picture)
{
    char why[128];

    if (!diff->output || picture_write_png(picture, diff->output, why, sizeof(why)))
        return TOOL_DIFFERENT;
    return tool_fail(&verb_diff, "%s: %s", tool_output_name(diff->output), why);
}

static void put_size(struct json_writer *json, const char *name, const struct player_picture *picture)
{
    json_open_object(json, name);
    json_put_number(json, "width", picture->width);
    json_put_number(json, "height", picture->height);
    json_close(json);
}

static void show_sizes(struct diff *diff, const struct player_picture *a, const struct player_picture *b,
                       uint64_t frame)
{
    if (!diff->as_json) {
        fprintf(diff->results, "frame %" PRIu64 ": %ux%u and %ux%u pixels\n", frame, a->width, a->height, b->width,
                b->height);
        return;
    }
    open_difference(diff, "pixels", frame);
    put_size(&diff->json, "a", a);
    put_size(&diff->json, "b", b);
    json_close(&diff->json);
}

static void show_missing(struct diff *diff, bool in_a, uint64_t frame)
{
    if (!diff->as_json) {
        fprintf(diff->results, "frame %" PRIu64 ": only in %s\n", frame, in_a ? diff->a.path : diff->b.path);
        return;
    }
    open_difference(diff, "pixels", frame);
    json_put_text(&diff->json, "only_in", in_a ? "a" : "b");
    json_close(&diff->json);
}

/* different: how many of `count` pixels; largest: by how much, of 255. */
static void show_pixels(struct diff *diff, uint64_t frame, uint64_t different, size_t count, unsigned largest)
{
    if (!diff->as_json) {
        fprintf(diff->results, "frame %" PRIu64 ": %" PRIu64 " of %zu pixels differ, by at most %u of 255\n", frame,
                different, count, largest);
        return;
    }
    open_difference(diff, "pixels", frame);
    json_put_number(&diff->json, "different", different);
    json_put_number(&diff->json, "pixels", count);
    json_put_number(&diff->json, "largest", largest);
    json_close(&diff->json);
}

static int compare_pictures(struct diff *diff, struct player_picture *a, const struct player_picture *b, uint64_t frame)
{
    const size_t count = (size_t)a->width * a->height;
    struct picture_numbers numbers;

    if (a->width != b->width || a->height != b->height) {
        show_sizes(diff, a, b, frame);
        return TOOL_DIFFERENT;
    }
    if (memcmp(a->pixels, b->pixels, count * 4) == 0)
        return TOOL_OK;
    numbers = picture_compare(a, b, 0);
    picture_difference(a, b, 0);
    show_pixels(diff, frame, numbers.different, count, numbers.largest);
    return write_difference(diff, a);
}

static int compare_frames(struct diff *diff)
{
    int status = TOOL_OK;

    capture_rewind(diff->a.reader);
    capture_rewind(diff->b.reader);
    for (uint64_t frame = 0; status == TOOL_OK; frame++) {
        struct player_picture a = {0}, b = {0};
        status = next_frame(&diff->a, &a);
        if (status == TOOL_OK)
            status = next_frame(&diff->b, &b);
        if (status == TOOL_OK && !a.pixels && !b.pixels) {
            put_equal(diff, "pixels");
            return TOOL_OK;
        }
        if (status == TOOL_OK && (!a.pixels || !b.pixels)) {
            show_missing(diff, a.pixels != NULL, frame);
            status = TOOL_DIFFERENT;
        } else if (status == TOOL_OK) {
            status = compare_pictures(diff, &a, &b, frame);
        }
        free(a.pixels);
        free(b.pixels);
    }
    return status;
}

static int play_both(struct diff *diff)
{
    struct client_driver driver;
    int status = TOOL_ERROR;
    const HRESULT hr = client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter));

    if (FAILED(hr))
        return tool_fail(&verb_diff, "the driver does not start: %#x", (unsigned)hr);
    diff->a.player = player_create(&driver);
    diff->b.player = player_create(&driver);
    if (diff->a.player && diff->b.player)
        status = compare_frames(diff);
    else
        tool_fail(&verb_diff, "out of memory");
    player_destroy(diff->a.player);
    player_destroy(diff->b.player);
    client_driver_close(&driver);
    return status;
}

static int open_side(struct side *side)
{
    int status = TOOL_OK;

    side->reader = tool_open_capture(&verb_diff, side->path, &status);
    return status;
}

static int close_side(struct side *side)
{
    return side->reader ? tool_close_capture(&verb_diff, side->path, side->reader, TOOL_OK) : TOOL_OK;
}

static void diff_begin_json(struct diff *diff)
{
    json_begin(&diff->json, diff->results, "dp2-diff", false);
    json_put_text(&diff->json, "a", diff->a.path);
    json_put_text(&diff->json, "b", diff->b.path);
}

static int compare(struct diff *diff)
{
    int tokens = open_side(&diff->a), pixels = open_side(&diff->b);

    if (diff->a.reader && diff->b.reader) {
        if (diff->as_json)
            diff_begin_json(diff);
        if (diff->tokens)
            tokens = compare_tokens(diff);
        if (diff->pixels && tokens != TOOL_ERROR)
            pixels = play_both(diff);
        if (diff->as_json && !json_end(&diff->json))
            tokens = tool_fail(&verb_diff, "out of memory");
    }
    const int skipped_a = close_side(&diff->a), skipped_b = close_side(&diff->b);

    if (tokens == TOOL_DIFFERENT && diff->pixels && pixels == TOOL_OK && diff->a.player && !diff->as_json)
        fputs("pictures are the same\n", diff->results);
    if (diff->a.said_cut || diff->b.said_cut)
        tokens = BASE_MAX(tokens, TOOL_DAMAGED);
    return BASE_MAX(BASE_MAX(skipped_a, skipped_b), BASE_MAX(tokens, pixels));
}

static int diff_verb(void *settings, char **operands, int count)
{
    struct diff *diff = settings;

    (void)count;
    if (diff->only_tokens && diff->only_pixels)
        return tool_usage(&verb_diff, "--tokens and --pixels exclude each other; without them both are compared");
    diff->results = stdout;
    diff->tokens = !diff->only_pixels;
    diff->pixels = !diff->only_tokens;
    diff->a.path = operands[0];
    diff->b.path = operands[1];
    if (strcmp(diff->a.path, "-") == 0 && strcmp(diff->b.path, "-") == 0)
        return tool_usage(&verb_diff, "only one of the captures can be standard input");
    if (diff->output && (tool_check_output(&verb_diff, diff->output, diff->a.path) != TOOL_OK ||
                         tool_check_output(&verb_diff, diff->output, diff->b.path) != TOOL_OK ||
                         tool_check_picture(&verb_diff, diff->output) != TOOL_OK))
        return TOOL_ERROR;
    if (diff->output && strcmp(diff->output, "-") == 0)
        diff->results = stderr;
    if (diff->as_json && diff->results != stdout)
        return tool_usage(&verb_diff, "--json and --output - both write to standard output");
    return compare(diff);
}

static const struct option_row options[] = {
    {"output", 'o', SETS_TEXT(struct diff, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write a picture of the difference: dark grey where both pictures are equal, elsewhere the amplified "
             "difference of their colours; - is standard output"},
    {"tokens", 0, SETS_BOOL(struct diff, only_tokens), .help = "compare only events and tokens"},
    {"pixels", 0, SETS_BOOL(struct diff, only_pixels), .help = "compare only pictures"},
    {"json", 0, SETS_BOOL(struct diff, as_json), .help = "print JSON (docs/json.md) instead of text; excludes -o -"},
    {0},
};

static const struct option_operand operands[] = {{"A", .value = VALUE_FILE}, {"B", .value = VALUE_FILE}, {0}};

const struct tool_verb verb_diff = {
    .syntax =
        {
            .name = "diff",
            .summary = "find where two captures differ: tokens, pictures",
            .about = "Finds the first event and token in which two captures differ, and the first frame whose picture "
                     "differs when both are played. One of the captures may be -, standard input.\n"
                     "\n"
                     "Use diff to check that two captures are the same, byte by byte; use 'dp2 compare' to learn how "
                     "much their pictures differ, and from which draw on.",
            .options = options,
            .notes = "Exit status: 0 equal, 1 different or damaged, 2 missing or cannot be written.",
            .examples = "dp2 diff before.capture after.capture -o difference.png\n"
                        "dp2 diff a.capture b.capture --pixels && echo same pictures",
            .operands = operands,
            .missing = "two captures",
        },
    .size = sizeof(struct diff),
    .run = diff_verb,
};
