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

static struct frame_range range;

bool record_start_ranges(const char *text)
{
    range.count = 0;
    if (text && !frame_range_parse(&range, text))
        return false;
    recorder.setup = capture_setup_create();
    recorder.uses = capture_uses_create(record_use, NULL);
    if (!recorder.setup || !recorder.uses) {
        record_stop_ranges();
        return false;
    }
    capture_setup_read_with(recorder.setup, record_read_buffer, NULL);
    recorder.current = range.count && frame_range_has(&range, 0) ? &recorder.ranges : NULL;
    if (recorder.current) {
        recorder.range = 1;
        recorder.followed_file = recorder.current;
        capture_uses_begin(recorder.uses);
    }
    return true;
}

/* Ranges that the program did not reach. */
static void name_missing(void)
{
    for (unsigned i = 0; i < range.count; i++) {
        char last[16] = "";
        if (range.spans[i].first < recorder.frame)
            continue;
        if (range.spans[i].last == UINT32_MAX)
            snprintf(last, sizeof(last), "-");
        else if (range.spans[i].last != range.spans[i].first)
            snprintf(last, sizeof(last), "-%u", (unsigned)range.spans[i].last);
        log_warn("capture: frames %u%s never came; the program presented %u", (unsigned)range.spans[i].first, last,
                 (unsigned)recorder.frame);
        recorder.failed = recorder.failed || !recorder.files_finished;
    }
}

void record_stop_ranges(void)
{
    if (recorder.setup)
        name_missing();
    capture_setup_destroy(recorder.setup);
    recorder.setup = NULL;
    capture_uses_destroy(recorder.uses);
    recorder.uses = NULL;
    free(recorder.by_id);
    recorder.by_id = NULL;
    recorder.id_capacity = 0;
}

static bool range_write_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_bytes piece = {data, size};

    return record_write(user, type, &piece, 1);
}

void record_begin_range(struct record_file *file)
{
    const bool goes_on = file->writer && file->written; /* it holds an earlier range */

    log_info("capture: frame %u: a range begins", (unsigned)recorder.frame);
    if (!capture_setup_has_patches(recorder.setup))
        log_warn("capture: patches of vertex shaders from before the range are not in the file");
    if (!record_open(file)) {
        record_give_up("there is no file to write to");
        return;
    }
    if (!(goes_on ? capture_setup_write_changes : capture_setup_write)(recorder.setup, range_write_event, file)) {
        record_give_up("the surfaces and states cannot be written");
        return;
    }
    record_forget_contents(!goes_on || recorder.followed_file != file);
    recorder.followed_file = file;
    recorder.current = file;
    recorder.range++;
    capture_uses_begin(recorder.uses);
}

/* Ends a range: from now on events are tracked and not written. */
static void leave_range(void)
{
    recorder.current = NULL;
    if (recorder.uses)
        capture_uses_end(recorder.uses);
}

/* Another range will follow in the file. */
static void end_range(struct record_file *file)
{
    bool done = true;

    log_info("capture: frame %u: a range has ended", (unsigned)recorder.frame);
    for (const struct record_context *c = recorder.contexts; done && c; c = c->next)
        done = range_write_event(file, CAPTURE_CONTEXT_GONE, &c->context, sizeof(c->context));
    capture_setup_mark(recorder.setup);
    record_leave_contents();
    leave_range();
}

bool record_ranges_are_over(void)
{
    return range.count && recorder.frame > frame_range_end(&range);
}

bool record_has_ranges(void)
{
    return range.count != 0;
}

void record_after_frame(void)
{
    recorder.poll = true;
    /* These files get no more events, so they are completed before the program continues. */
    if (recorder.current == &recorder.demand && --recorder.demanded == 0) {
        leave_range();
        record_finish(&recorder.demand);
    } else if (recorder.current == &recorder.ranges && recorder.setup && record_ranges_are_over()) {
        leave_range();
        record_finish(&recorder.ranges);
    }
}

void record_follow_ranges(void)
{
    const bool inside = range.count && frame_range_has(&range, recorder.frame);

    if (inside && recorder.current != &recorder.ranges) {
        if (recorder.current) { /* a capture on demand ends where a range begins */
            leave_range();
            record_finish(&recorder.demand);
        }
        record_begin_range(&recorder.ranges);
    } else if (!inside && recorder.current == &recorder.ranges) {
        end_range(&recorder.ranges);
    }
}
