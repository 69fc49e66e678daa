/* SPDX-License-Identifier: MIT */
/* The only path of events to its files: below the code that decides what to record. */
#include "ddi/record/internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

void record_give_up(struct recorder *recorder, const char *why)
{
    if (!recorder->active)
        return;
    recorder->active = false;
    recorder->failed = true;
    log_error("capture: %s; recording ends in frame %u", why, (unsigned)recorder->frame);
    /* The file is finished at exit; pointers of the recorder may be in use by our callers. */
}

/* --- files ------------------------------------------------------------------------------------ */

bool record_open(struct recorder *recorder, struct record_file *file)
{
    const bool open = record_file_open(file, recorder->frame, recorder->interfaces);

    recorder->failed = recorder->failed || !open;
    return open;
}

bool record_write(struct recorder *recorder, struct record_file *file, enum capture_event_type type,
                  const struct capture_bytes *pieces, unsigned count)
{
    const char *why;

    if (!record_open(recorder, file)) {
        record_give_up(recorder, "there is no file to write to");
        return false;
    }
    why = record_file_write(file, type, pieces, count);
    if (why)
        record_give_up(recorder, why);
    return !why;
}

void record_finish(struct recorder *recorder, struct record_file *file)
{
    switch (record_file_finish(file, recorder->setup != NULL)) {
    case RECORD_FILE_NONE:
        return;
    case RECORD_FILE_BROKEN:
        recorder->failed = true;
        break;
    case RECORD_FILE_WHOLE:
        break;
    }
    recorder->files_finished++;
}

/* --- events ----------------------------------------------------------------------------------- */

/* Tracks an event that may not be written, for a range that begins later. */
static void follow(struct recorder *recorder, enum capture_event_type type, const struct capture_bytes *pieces,
                   unsigned count)
{
    struct capture_event event = {.type = (uint16_t)type};
    uint8_t *data, *at;
    size_t size = 0;

    if (type == CAPTURE_MEMORY || type == CAPTURE_SAMPLES || type == CAPTURE_FRAME)
        return;
    for (unsigned i = 0; i < count; i++)
        size += pieces[i].size;
    data = at = mem_alloc(size, 1, 1);
    for (unsigned i = 0; data && i < count; i++) {
        if (pieces[i].size)
            memcpy(at, pieces[i].data, pieces[i].size);
        at += pieces[i].size;
    }
    event.size = (uint32_t)size;
    event.data = data;
    if (!data || !capture_uses_follow(recorder->uses, &event) || !capture_setup_follow(recorder->setup, &event))
        record_give_up(recorder, "out of memory");
    free(data);
}

void record_event(struct recorder *recorder, enum capture_event_type type, const struct capture_bytes *pieces,
                  unsigned count)
{
    if (recorder->active && recorder->setup)
        follow(recorder, type, pieces, count);
    if (recorder->active && recorder->current)
        record_write(recorder, recorder->current, type, pieces, count);
}

void record_event_simple(struct recorder *recorder, enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_bytes piece = {data, size};

    record_event(recorder, type, &piece, 1);
}
