/* SPDX-License-Identifier: MIT */
/*
 * dp2 compare: how much two pictures or two captures differ, and from which draw on.
 */
#include "inspect/json/json.h"
#include "tools/compare/captures.h"
#include "base/json/json.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct report {
    struct compare compare;
    long tolerance;
    const char *output;
    FILE *file; /* standard output, or standard error if the picture is written there */
    bool as_json;
    struct json_writer json;
};

/* --- output ------------------------------------------------------------------------------------------ */

static void report_put_numbers(struct json_writer *json, const struct picture_numbers *numbers)
{
    json_put_number(json, "pixels", numbers->pixels);
    json_put_number(json, "different", numbers->different);
    json_put_number(json, "largest", numbers->largest);
    json_put_real(json, "mean", numbers->mean);
    json_put_real(json, "rms", numbers->rms);
    if (!numbers->different)
        return;
    json_open_list(json, "box");
    json_put_number(json, NULL, numbers->left);
    json_put_number(json, NULL, numbers->top);
    json_put_number(json, NULL, numbers->right);
    json_put_number(json, NULL, numbers->bottom);
    json_close(json);
}

static void report_print_numbers(FILE *file, const struct picture_numbers *numbers)
{
    fprintf(file, "%" PRIu64 " of %" PRIu64 " pixels differ, by at most %u of 255, mean %.4f, RMS %.4f",
            numbers->different, numbers->pixels, numbers->largest, numbers->mean, numbers->rms);
    if (numbers->different)
        fprintf(file, ", in (%u %u %u %u)", numbers->left, numbers->top, numbers->right, numbers->bottom);
    fputc('\n', file);
}

static void report_put_size(struct json_writer *json, const char *name, const struct player_picture *picture)
{
    json_open_object(json, name);
    json_put_number(json, "width", picture->width);
    json_put_number(json, "height", picture->height);
    json_close(json);
}

static void report_name(char text[48], size_t frame, size_t action)
{
    snprintf(text, 48, "%zu.%zu", frame, action);
}

/* Actions of a frame that the other does not have: those of [begin, end). */
static void report_only(struct report *report, const char *name, const struct compare_side *side, size_t frame,
                        const bool *matched, size_t begin, size_t end)
{
    const struct compare_frame *of = &side->frames[frame];
    char text[48];

    if (report->as_json)
        json_open_list(&report->json, name);
    for (size_t i = begin; i < end && i < of->count; i++) {
        if (matched[i])
            continue;
        report_name(text, frame, i);
        if (report->as_json)
            json_put_text(&report->json, NULL, text);
        else
            fprintf(report->file, "only in %s: %s %s\n", side->path, inspect_kind_name(side->kinds[of->first + i]),
                    text);
    }
    if (report->as_json)
        json_close(&report->json);
}

/* The actions that only one frame of a pair has: those since actions since[0] and since[1], up to end[0] and end[1]. */
static void report_actions(struct report *report, const struct compare_pair *pair, const size_t since[2],
                           const size_t end[2])
{
    const struct compare *compare = &report->compare;
    const size_t a_count = compare->a.frames[pair->a].count, b_count = compare->b.frames[pair->b].count;
    size_t *match = compare_actions(compare, pair);
    bool *a = mem_calloc(a_count + b_count + 1, sizeof(*a)), *b = a + a_count;

    if (match && a) {
        for (size_t i = 0; i < a_count; i++) {
            a[i] = match[i] != ALIGN_NONE;
            if (a[i])
                b[match[i]] = true;
        }
        report_only(report, "only_in_a", &compare->a, pair->a, a, since[0], end[0]);
        report_only(report, "only_in_b", &compare->b, pair->b, b, since[1], end[1]);
    }
    free(a);
    free(match);
}

static void report_put_pair(struct report *report, const struct compare_pair *pair)
{
    const size_t since[2] = {0, 0}, end[2] = {SIZE_MAX, SIZE_MAX};
    struct json_writer *json = &report->json;

    json_open_object(json, NULL);
    if (pair->a != ALIGN_NONE)
        json_put_number(json, "a", pair->a);
    if (pair->b != ALIGN_NONE)
        json_put_number(json, "b", pair->b);
    if (pair->a != ALIGN_NONE && pair->b != ALIGN_NONE) {
        if (pair->sizes_differ) {
            report_put_size(json, "size_a", &pair->size[0]);
            report_put_size(json, "size_b", &pair->size[1]);
        } else if (!pair->not_shown) {
            report_put_numbers(json, &pair->numbers);
        }
        report_actions(report, pair, since, end);
    }
    json_close(json);
}

static void report_print_pair(struct report *report, const struct compare_pair *pair)
{
    const struct compare *compare = &report->compare;
    const size_t since[2] = {0, 0}, end[2] = {SIZE_MAX, SIZE_MAX};

    if (pair->a == ALIGN_NONE || pair->b == ALIGN_NONE) {
        fprintf(report->file, "frame %zu: only in %s\n", pair->a == ALIGN_NONE ? pair->b : pair->a,
                pair->a == ALIGN_NONE ? compare->b.path : compare->a.path);
        return;
    }
    if (pair->sizes_differ || pair->numbers.different) {
        fprintf(report->file, pair->a == pair->b ? "frame %zu: " : "frames %zu and %zu: ", pair->a, pair->b);
        if (pair->sizes_differ)
            fprintf(report->file, "%ux%u and %ux%u pixels\n", pair->size[0].width, pair->size[0].height,
                    pair->size[1].width, pair->size[1].height);
        else
            report_print_numbers(report->file, &pair->numbers);
    }
    report_actions(report, pair, since, end);
}

static void report_text_of(const struct inspect_value *value, char *text, size_t size)
{
    size_t length = 0;

    if (!value || value->kind == INSPECT_LINES || value->text) {
        snprintf(text, size, "%.*s", value && value->text ? (int)strcspn(value->text, "\n") : 0,
                 value && value->text ? value->text : "");
        return;
    }
    text[0] = 0;
    for (unsigned i = 0; i < value->count && length + 16 < size; i++) {
        float number;

        memcpy(&number, &value->bits[i], sizeof(number));
        if (value->kind == INSPECT_FLOATS)
            length += (size_t)snprintf(text + length, size - length, "%s%.9g", i ? " " : "", (double)number);
        else
            length +=
                (size_t)snprintf(text + length, size - length, "%s%" PRId32, i ? " " : "", (int32_t)value->bits[i]);
    }
}

static void report_put_state(struct report *report, const struct inspect_value *there, const struct inspect_value *a,
                             const struct inspect_value *b)
{
    char left[256], right[256];

    if (report->as_json) {
        json_open_object(&report->json, NULL);
        json_put_text(&report->json, "group", there->group);
        json_put_text(&report->json, "name", there->name);
        json_open_object(&report->json, "a");
        if (a)
            inspect_put_value(&report->json, a);
        json_close(&report->json);
        json_open_object(&report->json, "b");
        if (b)
            inspect_put_value(&report->json, b);
        json_close(&report->json);
        json_close(&report->json);
        return;
    }
    report_text_of(a, left, sizeof(left));
    report_text_of(b, right, sizeof(right));
    fprintf(report->file, "  %s, %s: %s | %s\n", there->group, there->name, left, right);
}

/* The difference between the states of the first two draws. */
static void report_states(struct report *report)
{
    const struct inspect_state *a = &report->compare.state_a, *b = &report->compare.state_b;

    for (size_t i = 0; i < a->count; i++) {
        const struct inspect_value *other = inspect_state_find(b, &a->values[i], i);

        if (!inspect_same_value(&a->values[i], other))
            report_put_state(report, &a->values[i], &a->values[i], other);
    }
    for (size_t i = 0; i < b->count; i++)
        if (!inspect_state_find(a, &b->values[i], i) && !b->values[i].is_default)
            report_put_state(report, &b->values[i], NULL, &b->values[i]);
}

static void report_first(struct report *report)
{
    const struct compare *compare = &report->compare;
    const struct compare_pair *pair = &compare->pairs[compare->first_pair];
    const size_t since[2] = {compare->since_a, compare->since_b}, end[2] = {compare->first_a, compare->first_b};
    const enum inspect_kind kind = compare->a.kinds[compare->a.frames[pair->a].first + compare->first_a];
    char a[48], b[48];

    report_name(a, pair->a, compare->first_a);
    report_name(b, pair->b, compare->first_b);
    if (!report->as_json) {
        fprintf(report->file, "the difference begins with %s %s (%s of B): ", inspect_kind_name(kind), a, b);
        report_print_numbers(report->file, &compare->first_numbers);
        report_states(report);
        return;
    }
    json_stream_object(&report->json, "first");
    json_put_text(&report->json, "kind", inspect_kind_name(kind));
    json_put_text(&report->json, "a", a);
    json_put_text(&report->json, "b", b);
    report_put_numbers(&report->json, &compare->first_numbers);
    report_actions(report, pair, since, end);
    if (compare->has_states) {
        json_stream_list(&report->json, "states");
        report_states(report);
        json_close(&report->json);
    }
    json_close(&report->json);
}

/* --- the work ----------------------------------------------------------------------------------------- */

static int report_write(struct report *report, const struct player_picture *picture)
{
    char why[128];

    if (!report->output || !picture->pixels || picture_write_png(picture, report->output, why, sizeof(why)))
        return TOOL_OK;
    return tool_fail(&verb_compare, "%s: %s", tool_output_name(report->output), why);
}

static void report_begin(struct report *report)
{
    json_begin(&report->json, report->file, "dp2-compare", false);
    json_put_text(&report->json, "a", report->compare.a.path);
    json_put_text(&report->json, "b", report->compare.b.path);
    json_put_number(&report->json, "tolerance", report->compare.tolerance);
}

static int report_pictures(struct report *report, struct player_picture *a, const struct player_picture *b)
{
    const bool same_size = a->width == b->width && a->height == b->height;
    struct picture_numbers numbers = {0};
    int status = TOOL_OK;

    if (same_size) {
        numbers = picture_compare(a, b, report->compare.tolerance);
        picture_difference(a, b, report->compare.tolerance);
        status = report_write(report, a);
    }
    if (report->as_json) {
        report_begin(report);
        json_put_bool(&report->json, "equal", same_size && !numbers.different);
        json_open_object(&report->json, "pictures");
        if (same_size) {
            report_put_numbers(&report->json, &numbers);
        } else {
            report_put_size(&report->json, "size_a", a);
            report_put_size(&report->json, "size_b", b);
        }
        if (!json_end(&report->json))
            return tool_fail(&verb_compare, "out of memory");
    } else if (!same_size) {
        fprintf(report->file, "%ux%u and %ux%u pixels\n", a->width, a->height, b->width, b->height);
    } else if (numbers.largest) {
        report_print_numbers(report->file, &numbers);
    }
    return BASE_MAX(status, !same_size || numbers.different ? TOOL_DIFFERENT : TOOL_OK);
}

static int report_read_png(const char *path, struct player_picture *picture)
{
    char why[128];
    bool missing;

    if (picture_read_png(path, picture, why, sizeof(why), &missing))
        return TOOL_OK;
    tool_say(&verb_compare, "%s: %s", tool_input_name(path), why);
    return missing ? TOOL_ERROR : TOOL_DAMAGED;
}

static int report_of_pictures(struct report *report)
{
    struct player_picture a = {0}, b = {0};
    int status = report_read_png(report->compare.a.path, &a);
    const int other = report_read_png(report->compare.b.path, &b);

    status = BASE_MAX(status, other);
    if (status == TOOL_OK)
        status = report_pictures(report, &a, &b);
    free(a.pixels);
    free(b.pixels);
    return status;
}

static int report_captures(struct report *report)
{
    struct compare *compare = &report->compare;
    int aligned, pictures, found, written;

    progress_start(&compare->progress, "Comparing", compare->a.reader, UINT32_MAX, 1);
    aligned = compare_align(compare);
    if (aligned == TOOL_ERROR)
        return aligned;
    pictures = compare_pictures(compare);
    if (pictures == TOOL_ERROR)
        return pictures;
    found = compare_find_draw(compare);
    progress_end(&compare->progress);
    if (found == TOOL_ERROR)
        return found;
    written = report_write(report, &compare->difference);
    if (report->as_json) {
        report_begin(report);
        json_put_bool(&report->json, "equal", pictures == TOOL_OK);
        json_stream_list(&report->json, "frames");
    }
    for (size_t i = 0; i < compare->pair_count; i++)
        if (report->as_json)
            report_put_pair(report, &compare->pairs[i]);
        else
            report_print_pair(report, &compare->pairs[i]);
    if (report->as_json)
        json_close(&report->json);
    if (compare->has_first)
        report_first(report);
    if (report->as_json && !json_end(&report->json))
        return tool_fail(&verb_compare, "out of memory");
    return BASE_MAX(BASE_MAX(aligned, pictures), BASE_MAX(found, written));
}

static int report_of_captures(struct report *report)
{
    struct compare *compare = &report->compare;
    int a = TOOL_OK, b = TOOL_OK, status = TOOL_OK;

    compare->a.reader = tool_open_capture(&verb_compare, compare->a.path, &a);
    compare->b.reader = tool_open_capture(&verb_compare, compare->b.path, &b);
    if (compare->a.reader && compare->b.reader)
        status = report_captures(report);
    progress_clear();
    if (compare->a.reader)
        a = tool_close_capture(&verb_compare, compare->a.path, compare->a.reader, a);
    if (compare->b.reader)
        b = tool_close_capture(&verb_compare, compare->b.path, compare->b.reader, b);
    compare_free(compare);
    return BASE_MAX(status, BASE_MAX(a, b));
}

/* Detected by its first bytes; "-" is a capture. */
static bool report_is_png(const char *path)
{
    static const char magic[4] = {'\x89', 'P', 'N', 'G'};
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    char bytes[4];
    const bool is = file && fread(bytes, 1, 4, file) == 4 && memcmp(bytes, magic, 4) == 0;

    if (file)
        fclose(file);
    return is;
}

static int report_run(struct report *report)
{
    const char *a = report->compare.a.path, *b = report->compare.b.path;
    const bool a_is_png = report_is_png(a), b_is_png = report_is_png(b);

    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        return tool_usage(&verb_compare, "only one of the captures can be standard input");
    if (report->output && (tool_check_output(&verb_compare, report->output, a) != TOOL_OK ||
                           tool_check_output(&verb_compare, report->output, b) != TOOL_OK ||
                           tool_check_picture(&verb_compare, report->output) != TOOL_OK))
        return TOOL_ERROR;
    if (report->output && strcmp(report->output, "-") == 0)
        report->file = stderr;
    if (report->as_json && report->file != stdout)
        return tool_usage(&verb_compare, "--json and --output - both write to standard output");
    if (a_is_png != b_is_png)
        return tool_usage(&verb_compare, "%s is a picture, but %s is not: compare two pictures or two captures",
                          a_is_png ? a : b, a_is_png ? b : a);
    return a_is_png && b_is_png ? report_of_pictures(report) : report_of_captures(report);
}

static int compare_verb(void *settings, char **operands, int count)
{
    struct report *report = settings;

    (void)count;
    report->file = stdout;
    report->compare.verb = &verb_compare;
    report->compare.tolerance = (unsigned)report->tolerance;
    report->compare.a.path = operands[0];
    report->compare.b.path = operands[1];
    return report_run(report);
}

static const struct option_row options[] = {
    {"tolerance", 't', SETS_NUMBER(struct report, tolerance), .argument = "N", .high = 255,
     .wrong = "a tolerance from 0 to 255",
     .help = "difference of two channels that still counts as equal, of 255 (default: 0)"},
    {"output", 'o', SETS_TEXT(struct report, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write a picture of the difference of the pictures, or of the first frame that differs: dark grey where "
             "both are equal, elsewhere the amplified difference of the colours; - is standard output"},
    {"json", 0, SETS_BOOL(struct report, as_json), .help = "print JSON (docs/json.md) instead of text; excludes -o -"},
    {0},
};

static const struct option_operand operands[] = {{"A", .value = VALUE_FILE}, {"B", .value = VALUE_FILE}, {0}};

const struct tool_verb verb_compare = {
    .syntax =
        {
            .name = "compare",
            .summary = "say how much two captures or pictures differ, and from which draw on",
            .about = "Prints how much two pictures (PNG) or two captures differ.\n"
                     "\n"
                     "In captures, matching frames and draws are found first, as diff(1) finds matching lines, so an "
                     "additional frame or draw in one of them does not disturb the rest. Then the pictures of frames "
                     "are compared, and in the first frame that differs the targets after each draw. The first draw "
                     "with another result is named FRAME.DRAW in both captures, with the differences in its state.\n"
                     "\n"
                     "Use compare to learn how much pictures differ, and from which draw on; use 'dp2 diff' to check "
                     "that two captures are the same, byte by byte.",
            .options = options,
            .notes =
                "The mean and the root mean square (RMS) are those of red, green and blue over all pixels, of 255.\n"
                "\n"
                "Exit status: 0 all pictures are the same within the tolerance, 1 different or damaged, 2 missing or "
                "cannot be written.",
            .examples = "dp2 compare before.capture after.capture -o difference.png\n"
                        "dp2 compare a.capture b.capture --tolerance 2 --json | jq .first\n"
                        "dp2 compare before.png after.png",
            .operands = operands,
            .missing = "two pictures or two captures",
        },
    .size = sizeof(struct report),
    .run = compare_verb,
};
