/* SPDX-License-Identifier: MIT */
/*
 * Trace events: complete events ("ph": "X") with times in microseconds, and names of processes and threads ("ph": "M"). Process 1 has
 * the frames as they are, a thread for each of the driver's; process 2 the actions one by one, with their phases end to end.
 */
#include "tools/debug/profile_tables.h"

#include "base/base.h"
#include "dp2/capture/capture.h"
#include "dp2/names.h"

#include <inttypes.h>
#include <string.h>

enum { PROCESS_FRAMES = 1, PROCESS_ACTIONS = 2 };

#define GAP 100.0 /* microseconds between two frames */

static void begin_event(struct profile_trace *trace, const char *phase, const char *name, unsigned process,
                        unsigned thread)
{
    json_open_object(&trace->json, NULL);
    json_put_text(&trace->json, "ph", phase);
    json_put_text(&trace->json, "name", name);
    json_put_number(&trace->json, "pid", process);
    json_put_number(&trace->json, "tid", thread);
}

/* "process_name", "thread_name" */
static void put_name(struct profile_trace *trace, const char *what, unsigned process, unsigned thread, const char *name)
{
    begin_event(trace, "M", what, process, thread);
    json_open_object(&trace->json, "args");
    json_put_text(&trace->json, "name", name);
    json_close(&trace->json);
    json_close(&trace->json);
}

/* The members of a complete event; its arguments may follow. */
static void begin_span(struct profile_trace *trace, const char *name, const char *category, unsigned process,
                       unsigned thread, double start, double length)
{
    begin_event(trace, "X", name, process, thread);
    json_put_text(&trace->json, "cat", category);
    json_put_real(&trace->json, "ts", start);
    json_put_real(&trace->json, "dur", BASE_MAX(length, 0.0));
}

static void put_arguments(struct profile_trace *trace, const struct inspect_profile_row *row)
{
    struct json_writer *json = &trace->json;
    const char *type = dp2_primitive_name(row->action.type);

    json_open_object(json, "args");
    json_put_text(json, "kind", inspect_kind_name(row->action.kind));
    if (row->action.kind == INSPECT_DRAW) {
        json_put_text(json, "type", type ? type : row->action.token);
        json_put_number(json, "vertices", row->vertices);
        json_put_number(json, "primitives", row->primitives);
        json_put_number(json, "pixels", row->pixels);
        json_put_number(json, "vertex_shader", row->vertex_shader);
        json_put_number(json, "pixel_shader", row->pixel_shader);
        json_put_text(json, "state", row->state);
    } else {
        json_put_text(json, "text", row->text);
    }
    json_close(json);
}

static void row_name(const struct inspect_profile_row *row, char name[32])
{
    snprintf(name, 32, "%" PRIu32 ".%" PRIu32, row->place.frame, row->place.draw);
}

/* --- process 1 ----------------------------------------------------------------------------------- */

static void span_name(const struct inspect_span *span, const struct inspect_profile_row *row, char name[32])
{
    switch (span->kind) {
    case INSPECT_SPAN_EVENT:
        snprintf(name, 32, "%s", capture_event_name((uint16_t)span->number));
        break;
    case INSPECT_SPAN_DRAW:
        if (row)
            row_name(row, name);
        else
            snprintf(name, 32, "draw");
        break;
    case INSPECT_SPAN_FLUSH:
        snprintf(name, 32, "flush");
        break;
    default:
        snprintf(name, 32, "%s %" PRIu32, inspect_span_name(span->kind), span->number);
        break;
    }
}

static void put_span(struct profile_trace *trace, const struct inspect_profile *profile,
                     const struct inspect_span *span, double from)
{
    const struct inspect_profile_row *row =
        span->kind == INSPECT_SPAN_DRAW && span->number < profile->count ? &profile->rows[span->number] : NULL;
    char name[32];

    span_name(span, row, name);
    begin_span(trace, name, inspect_span_name(span->kind), PROCESS_FRAMES, span->lane,
               trace->frames + 1e6 * (span->begin - from), 1e6 * (span->end - span->begin));
    if (row) {
        put_arguments(trace, row);
    } else if (span->kind == INSPECT_SPAN_TILE) {
        json_open_object(&trace->json, "args");
        json_put_number(&trace->json, "commands", span->count);
        json_close(&trace->json);
    }
    json_close(&trace->json);
}

static void name_lanes(struct profile_trace *trace, unsigned lanes)
{
    for (; trace->lanes < lanes; trace->lanes++) {
        char name[32] = "caller";

        if (trace->lanes)
            snprintf(name, sizeof(name), "worker %u", trace->lanes);
        put_name(trace, "thread_name", PROCESS_FRAMES, trace->lanes, name);
    }
}

static void put_spans(struct profile_trace *trace, const struct inspect_profile *profile,
                      const struct inspect_spans *spans)
{
    double from = 0, to = 0;

    for (size_t i = 0; i < spans->count; i++)
        if (spans->list[i].kind == INSPECT_SPAN_FRAME) {
            from = spans->list[i].begin;
            to = spans->list[i].end;
        }
    name_lanes(trace, spans->lane_count);
    for (size_t i = 0; i < spans->count; i++)
        put_span(trace, profile, &spans->list[i], from);
    trace->frames += 1e6 * (to - from) + GAP;
}

/* --- process 2 ----------------------------------------------------------------------------------- */

static void put_action(struct profile_trace *trace, const struct inspect_profile_row *row)
{
    double at = trace->actions;
    char name[32];

    row_name(row, name);
    begin_span(trace, name, inspect_kind_name(row->action.kind), PROCESS_ACTIONS, 0, at, 1e6 * row->seconds.median);
    put_arguments(trace, row);
    json_close(&trace->json);
    for (unsigned p = 0; p < INSPECT_PHASE_COUNT; p++) {
        if (row->phase[p] <= 0)
            continue;
        begin_span(trace, inspect_phase_name(p), "phase", PROCESS_ACTIONS, 0, at, 1e6 * row->phase[p]);
        json_close(&trace->json);
        at += 1e6 * row->phase[p];
    }
    trace->actions += 1e6 * row->seconds.median;
}

/* --- all of it ----------------------------------------------------------------------------------- */

void profile_trace_begin(struct profile_trace *trace, FILE *file, const char *capture)
{
    *trace = (struct profile_trace){0};
    json_begin(&trace->json, file, "dp2-profile-trace", false);
    json_put_text(&trace->json, "displayTimeUnit", "ms");
    json_put_text(&trace->json, "file", capture);
    json_stream_list(&trace->json, "traceEvents");
    put_name(trace, "process_name", PROCESS_FRAMES, 0, "frames as they are");
    put_name(trace, "process_name", PROCESS_ACTIONS, 0, "actions one by one");
}

void profile_trace_add(struct profile_trace *trace, const struct inspect_profile *profile,
                       const struct inspect_spans *spans)
{
    put_spans(trace, profile, spans);
    for (size_t i = 0; i < profile->count; i++)
        put_action(trace, &profile->rows[i]);
    trace->actions += GAP;
}

bool profile_trace_end(struct profile_trace *trace)
{
    return json_end(&trace->json);
}
