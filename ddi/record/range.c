/* SPDX-License-Identifier: MIT */
/*
 * Ranges of frames, HALCYON_CAPTURE_FRAMES=10,101-200, and captures that begin while the program runs. Outside of them
 * events are only tracked; when a range begins, the surfaces and contexts that exist then (dp2/capture/setup.h) are
 * written. The contents of a surface are written before the first event of the range that needs them
 * (dp2/capture/uses.h), and never if none does. When the range ends, its contexts are destroyed again in the file, so
 * that the next range can recreate them with their states at that time; its surfaces stay, and unchanged contents are
 * not written again.
 */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "base/frames.h"

#include <stdio.h>
#include <stdlib.h>

bool record_start_ranges(struct recorder *recorder, const char *text)
{
    recorder->named.count = 0;
    if (text && !frame_range_parse(&recorder->named, text))
        return false;
    recorder->setup = capture_setup_create();
    recorder->uses = capture_uses_create(record_use, recorder);
    if (!recorder->setup || !recorder->uses) {
        record_stop_ranges(recorder);
        return false;
    }
    capture_setup_read_with(recorder->setup, record_read_buffer, recorder);
    recorder->current = recorder->named.count && frame_range_has(&recorder->named, 0) ? &recorder->ranges : NULL;
    if (recorder->current) {
        recorder->range = 1;
        recorder->followed_file = recorder->current;
        capture_uses_begin(recorder->uses);
    }
    return true;
}

/* Ranges that the program did not reach. */
static void name_missing(struct recorder *recorder)
{
    for (unsigned i = 0; i < recorder->named.count; i++) {
        char last[16] = "";
        if (recorder->named.spans[i].first < recorder->frame)
            continue;
        if (recorder->named.spans[i].last == UINT32_MAX)
            snprintf(last, sizeof(last), "-");
        else if (recorder->named.spans[i].last != recorder->named.spans[i].first)
            snprintf(last, sizeof(last), "-%u", (unsigned)recorder->named.spans[i].last);
        log_warn("capture: frames %u%s never came; the program presented %u", (unsigned)recorder->named.spans[i].first,
                 last, (unsigned)recorder->frame);
        recorder->failed = recorder->failed || !recorder->files_finished;
    }
}

void record_stop_ranges(struct recorder *recorder)
{
    if (recorder->setup)
        name_missing(recorder);
    capture_setup_destroy(recorder->setup);
    recorder->setup = NULL;
    capture_uses_destroy(recorder->uses);
    recorder->uses = NULL;
    free(recorder->by_id);
    recorder->by_id = NULL;
    recorder->id_capacity = 0;
}

/* Where the events of a range's beginning and end go. */
struct range_target {
    struct recorder *recorder;
    struct record_file *file;
};

static bool range_write_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    const struct range_target *target = user;
    const struct capture_bytes piece = {data, size};

    return record_write(target->recorder, target->file, type, &piece, 1);
}

void record_begin_range(struct recorder *recorder, struct record_file *file)
{
    struct range_target target = {recorder, file};
    const bool goes_on = file->writer && file->written; /* it holds an earlier range */

    log_info("capture: frame %u: a range begins", (unsigned)recorder->frame);
    if (!capture_setup_has_patches(recorder->setup))
        log_warn("capture: patches of vertex shaders from before the range are not in the file");
    if (!record_open(recorder, file)) {
        record_give_up(recorder, "there is no file to write to");
        return;
    }
    if (!(goes_on ? capture_setup_write_changes : capture_setup_write)(recorder->setup, range_write_event, &target)) {
        record_give_up(recorder, "the surfaces and states cannot be written");
        return;
    }
    record_forget_contents(recorder, !goes_on || recorder->followed_file != file);
    recorder->followed_file = file;
    recorder->current = file;
    recorder->range++;
    capture_uses_begin(recorder->uses);
}

/* Ends a range: from now on events are tracked and not written. */
static void leave_range(struct recorder *recorder)
{
    recorder->current = NULL;
    if (recorder->uses)
        capture_uses_end(recorder->uses);
}

/* Another range will follow in the file. */
static void end_range(struct recorder *recorder, struct record_file *file)
{
    struct range_target target = {recorder, file};
    bool done = true;

    log_info("capture: frame %u: a range has ended", (unsigned)recorder->frame);
    for (const struct record_context *c = recorder->contexts; done && c; c = c->next)
        done = range_write_event(&target, CAPTURE_CONTEXT_GONE, &c->context, sizeof(c->context));
    capture_setup_mark(recorder->setup);
    record_leave_contents(recorder);
    leave_range(recorder);
}

bool record_ranges_are_over(const struct recorder *recorder)
{
    return recorder->named.count && recorder->frame > frame_range_end(&recorder->named);
}

bool record_has_ranges(const struct recorder *recorder)
{
    return recorder->named.count != 0;
}

void record_after_frame(struct recorder *recorder)
{
    recorder->poll = true;
    /* These files get no more events, so they are completed before the program continues. */
    if (recorder->current == &recorder->demand && --recorder->demanded == 0) {
        leave_range(recorder);
        record_finish(recorder, &recorder->demand);
    } else if (recorder->current == &recorder->ranges && recorder->setup && record_ranges_are_over(recorder)) {
        leave_range(recorder);
        record_finish(recorder, &recorder->ranges);
    }
}

void record_follow_ranges(struct recorder *recorder)
{
    const bool inside = recorder->named.count && frame_range_has(&recorder->named, recorder->frame);

    if (inside && recorder->current != &recorder->ranges) {
        if (recorder->current) { /* a capture on demand ends where a range begins */
            leave_range(recorder);
            record_finish(recorder, &recorder->demand);
        }
        record_begin_range(recorder, &recorder->ranges);
    } else if (!inside && recorder->current == &recorder->ranges) {
        end_range(recorder, &recorder->ranges);
    }
}
