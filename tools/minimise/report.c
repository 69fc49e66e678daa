/* SPDX-License-Identifier: MIT */
/* The report of dp2 minimise, as a table or as JSON: counts before and after, and the actions that are left. */
#include "tools/minimise/report.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "base/base.h"
#include "base/json/json.h"
#include "inspect/frame.h"

static const struct {
    const char *name;
    size_t offset;
    bool wide; /* 64 bits */
} report_counted[] = {
    {"frames", offsetof(struct model_counts, frames), false},
    {"events", offsetof(struct model_counts, events), false},
    {"surfaces", offsetof(struct model_counts, surfaces), false},
    {"calls", offsetof(struct model_counts, calls), false},
    {"tokens", offsetof(struct model_counts, commands), true},
    {"entries", offsetof(struct model_counts, entries), true},
    {"primitives", offsetof(struct model_counts, primitives), true},
};

static uint64_t report_count(const struct model_counts *counts, size_t row)
{
    const uint8_t *at = (const uint8_t *)counts + report_counted[row].offset;

    return report_counted[row].wide ? *(const uint64_t *)(const void *)at : *(const uint32_t *)(const void *)at;
}

static void report_put_counts(struct json_writer *json, const char *name, const struct model_counts *counts,
                              uint64_t bytes)
{
    json_open_object(json, name);
    for (size_t i = 0; i < ARRAY_COUNT(report_counted); i++)
        json_put_number(json, report_counted[i].name, report_count(counts, i));
    json_put_number(json, "bytes", bytes);
    json_close(json);
}

static const char *report_ended(const struct minimise_report *report)
{
    return keep_signal() ? "interrupted" : report->keep->exhausted ? "tries" : NULL;
}

/* Is an action of a frame, whose events begin with event `first` of the model, still there? */
static bool report_is_left(const struct model *model, size_t first, const struct inspect_action *action)
{
    const struct model_event *event = &model->events[first + action->event];

    for (uint32_t i = 0; event->kept && i < event->command_count; i++) {
        const struct model_command *command = &model->commands[event->first_command + i];

        if (command->head.offset == action->offset)
            return command->kept &&
                   (action->entry >= command->entry_count || model->entries[command->first_entry + action->entry].kept);
    }
    return event->kept && event->event.type != CAPTURE_DRAW;
}

/* Gives the remaining actions of a frame, except for presents. Returns the number of the first event after it. */
static size_t report_frame_actions(const struct minimise_report *report, size_t first,
                                   void (*show)(void *user, uint32_t frame, uint32_t number,
                                                const struct inspect_action *action),
                                   void *user)
{
    const struct model *model = report->model;
    const uint32_t frame = model->events[first].event.frame;
    struct inspect_frame_index index = {0};
    bool done = true;
    size_t end = first;

    while (end < model->event_count && model->events[end].event.frame == frame)
        done = inspect_index_add(&index, &model->events[end++].event) && done;
    for (size_t i = 0; done && model->frames[frame] && i < index.count; i++)
        if (index.pieces[i].action.kind != INSPECT_PRESENT && report_is_left(model, first, &index.pieces[i].action))
            show(user, frame, (uint32_t)i, &index.pieces[i].action);
    inspect_index_free(&index);
    return end;
}

static void report_all_actions(const struct minimise_report *report,
                               void (*show)(void *user, uint32_t frame, uint32_t number,
                                            const struct inspect_action *action),
                               void *user)
{
    for (size_t i = 0; i < report->model->event_count;)
        i = report_frame_actions(report, i, show, user);
}

static void report_put_action(void *user, uint32_t frame, uint32_t number, const struct inspect_action *action)
{
    char name[32];

    snprintf(name, sizeof(name), "%" PRIu32 ".%" PRIu32, frame, number);
    json_open_object(user, NULL);
    json_put_text(user, "draw", name);
    json_put_text(user, "kind", inspect_kind_name(action->kind));
    json_put_text(user, "token", action->token);
    json_close(user);
}

static void report_print_action(void *user, uint32_t frame, uint32_t number, const struct inspect_action *action)
{
    fprintf(user, "%s %" PRIu32 ".%" PRIu32 " %s is left\n", inspect_kind_name(action->kind), frame, number,
            action->token);
}

bool minimise_report_json(const struct minimise_report *report)
{
    const struct keep *keep = report->keep;
    struct json_writer json;
    char color[16];

    json_begin(&json, stdout, "dp2-minimise", false);
    json_put_text(&json, "file", report->path);
    json_put_text(&json, "output", report->output);
    if (keep->command) {
        json_put_text(&json, "command", keep->command);
    } else {
        snprintf(color, sizeof(color), "#%08" PRIx32, keep->color);
        json_open_object(&json, "pixel");
        json_put_number(&json, "frame", report->frame);
        json_put_number(&json, "x", keep->x);
        json_put_number(&json, "y", keep->y);
        json_put_text(&json, "color", color);
        json_close(&json);
    }
    json_put_number(&json, "tries", keep->tries);
    json_put_bool(&json, "finished", !report_ended(report));
    report_put_counts(&json, "before", &report->before, report->bytes_before);
    report_put_counts(&json, "after", &report->after, report->bytes_after);
    json_stream_list(&json, "left");
    report_all_actions(report, report_put_action, &json);
    json_close(&json);
    return json_end(&json);
}

void minimise_report_text(const struct minimise_report *report, FILE *file)
{
    const char *ended = report_ended(report);

    fprintf(file, "%-10s %12s %12s\n", "", "before", "after");
    for (size_t i = 0; i < ARRAY_COUNT(report_counted); i++)
        fprintf(file, "%-10s %12" PRIu64 " %12" PRIu64 "\n", report_counted[i].name, report_count(&report->before, i),
                report_count(&report->after, i));
    fprintf(file, "%-10s %12" PRIu64 " %12" PRIu64 "\n", "bytes", report->bytes_before, report->bytes_after);
    report_all_actions(report, report_print_action, file);
    if (!report->keep->command)
        fprintf(file, "the pixel is #%08" PRIx32 "\n", report->keep->color);
    fprintf(file, "%" PRIu64 " tries", report->keep->tries);
    if (ended)
        fprintf(file, ", then %s: it may get smaller still", keep_signal() ? "an interrupt" : "their limit");
    fputc('\n', file);
}
