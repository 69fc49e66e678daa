/* SPDX-License-Identifier: MIT */
/*
 * Ranges of frames, HALCYON_CAPTURE_FRAMES=10,101-200. Outside of them events are only followed;
 * when a range begins, what they have left behind (dp2/capture_setup.h) is written. What is in a surface is written
 * before the first event of the range that wants it (dp2/capture_uses.h), and never if none does. When the range ends,
 * its contexts and surfaces are taken down again in the file, so that the next range can make them anew.
 */
#include "ddi/record_internal.h"

#include "base/base.h"
#include "base/frames.h"

#include <stdlib.h>

static struct frame_range range;

bool record_start_ranges(const char *text)
{
    if (!frame_range_parse(&range, text))
        return false;
    recorder.setup = capture_setup_create();
    recorder.uses = capture_uses_create(record_use, NULL);
    if (!recorder.setup || !recorder.uses) {
        record_stop_ranges();
        return false;
    }
    capture_setup_read_with(recorder.setup, record_read_buffer, NULL);
    recorder.outside = !frame_range_has(&range, 0);
    if (!recorder.outside) {
        recorder.range = 1;
        capture_uses_begin(recorder.uses);
    }
    return true;
}

void record_stop_ranges(void)
{
    capture_setup_destroy(recorder.setup);
    recorder.setup = NULL;
    capture_uses_destroy(recorder.uses);
    recorder.uses = NULL;
    free(recorder.by_id);
    recorder.by_id = NULL;
    recorder.id_capacity = 0;
}

void record_follow(enum capture_event_type type, const struct capture_bytes *pieces, unsigned count)
{
    struct capture_event event = {.type = (uint16_t)type};
    uint8_t *data, *at;
    size_t size = 0;

    if (type == CAPTURE_MEMORY || type == CAPTURE_FRAME)
        return;
    for (unsigned i = 0; i < count; i++)
        size += pieces[i].size;
    data = at = malloc(size + 1);
    for (unsigned i = 0; data && i < count; i++) {
        if (pieces[i].size)
            memcpy(at, pieces[i].data, pieces[i].size);
        at += pieces[i].size;
    }
    event.size = (uint32_t)size;
    event.data = data;
    if (!data || !capture_uses_follow(recorder.uses, &event) || !capture_setup_follow(recorder.setup, &event))
        record_give_up("out of memory");
    free(data);
}

static bool write_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_bytes piece = {data, size};

    (void)user;
    return capture_write(recorder.writer, type, &piece, 1);
}

static void begin_range(void)
{
    log_info("capture: frame %u: a range begins", (unsigned)recorder.frame);
    if (!capture_setup_has_patches(recorder.setup))
        log_warn("capture: patches of vertex shaders from before the range are not in the file");
    if (!capture_setup_write(recorder.setup, write_event, NULL)) {
        record_give_up("the file cannot be written");
        return;
    }
    recorder.outside = false;
    recorder.range++;
    record_forget_contents();
    capture_uses_begin(recorder.uses);
}

static void end_range(void)
{
    bool done = true;

    log_info("capture: frame %u: a range has ended", (unsigned)recorder.frame);
    for (const struct record_context *c = recorder.contexts; done && c; c = c->next)
        done = write_event(NULL, CAPTURE_CONTEXT_GONE, &c->context, sizeof(c->context));
    for (uint32_t id = 0; done && id < capture_setup_limit(recorder.setup); id++) {
        const struct capture_part *part = capture_setup_surface(recorder.setup, id);
        const struct capture_destroy gone = {
            id, capture_setup_system_memory(recorder.setup, id) ? CAPTURE_SYSTEM_MEMORY : 0};
        /* A chain in system memory goes with its first part. */
        if (part && (!gone.flags || capture_setup_is_first(recorder.setup, id)))
            done = write_event(NULL, CAPTURE_DESTROY, &gone, sizeof(gone));
    }
    if (!done)
        record_give_up("the file cannot be written");
    recorder.outside = true;
    capture_uses_end(recorder.uses);
}

void record_poll(void)
{
    if (!recorder.poll || !recorder.setup)
        return;
    recorder.poll = false;
    if (recorder.frame > frame_range_end(&range)) {
        record_stop();
        return;
    }
    if (frame_range_has(&range, recorder.frame) == !recorder.outside)
        return;
    if (recorder.outside)
        begin_range();
    else
        end_range();
}
