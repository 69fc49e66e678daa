/* SPDX-License-Identifier: MIT */
/*
 * Captures requested while the program runs: by a key, which the runtime polls and reports to the driver
 * (HALCYON_DEVINFOID_CAPTURE), or by a file that appears (HALCYON_CAPTURE_TRIGGER). Each goes into a separate file.
 */
#include "ddi/record/internal.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Seconds between two checks for the trigger file. */
#define LOOK_EVERY 0.02

#define MAX_COUNT  1000000ul

void record_start_demand(struct recorder *recorder, const char *trigger)
{
    recorder->trigger = trigger[0] ? trigger : NULL;
    recorder->next_look = 0;
    recorder->poll = true; /* the file may already exist */
}

bool record_request(struct recorder *recorder, uint32_t count)
{
    if (!recorder || !recorder->active)
        return false;
    if (!recorder->setup || !recorder->on_demand) {
        log_warn("capture: the frame is not captured by itself: HALCYON_CAPTURE_FRAMES=none was not asked for");
        return false;
    }
    if (recorder->current) {
        log_info("capture: frame %u is being captured already", (unsigned)recorder->frame);
        return false;
    }
    recorder->demanded = count ? count : (uint32_t)config_int("capture_count"); /* begins with the next frame */
    return true;
}

struct record_status record_get_status(const struct recorder *recorder)
{
    if (!recorder)
        return (struct record_status){.frame = 0};
    return (struct record_status){.listening = recorder->active && recorder->setup && recorder->on_demand,
                                  .writing = recorder->active && recorder->current,
                                  .frame = recorder->frame};
}

/* The number in the file; 0: none. *empty: the number may not have been written yet. */
static uint32_t read_count(FILE *file, bool *empty)
{
    char text[32] = "", *end;
    unsigned long count;

    *empty = fread(text, 1, sizeof(text) - 1, file) == 0;
    count = strtoul(text, &end, 10);
    return end == text || count > MAX_COUNT ? 0 : (uint32_t)count;
}

void record_look_for_trigger(struct recorder *recorder)
{
    const double now = recorder->trigger ? clock_seconds() : 0;
    bool empty;
    uint32_t count;
    FILE *file;

    if (!recorder->trigger || now < recorder->next_look)
        return;
    recorder->next_look = now + LOOK_EVERY;
    file = fopen(recorder->trigger, "r");
    if (!file) {
        recorder->trigger_empty = false;
        return;
    }
    count = read_count(file, &empty);
    fclose(file);
    /* A shell creates the file before it writes the number: an empty file counts if it is still empty at the next
     * check. */
    if (empty && !recorder->trigger_empty) {
        recorder->trigger_empty = true;
        return;
    }
    recorder->trigger_empty = false;
    /* Several programs may poll one file: the one that removes it captures. */
    if (unlink(recorder->trigger) == 0)
        record_request(recorder, count);
    else
        log_once(LOG_ERROR, 0, "capture: %s cannot be removed: nothing is captured", recorder->trigger);
}
