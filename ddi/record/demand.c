/* SPDX-License-Identifier: MIT */
/*
 * Captures requested while the program runs: by a key, which the runtime polls and reports to the driver
 * (HALCYON_DEVINFOID_CAPTURE), or by a file that appears (HALCYON_CAPTURE_TRIGGER). Each goes into a separate file.
 * The file may also ask that the program waits after its capture, which is how a debugger goes from frame to frame.
 */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "base/sleep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Milliseconds between two checks for the trigger file. */
#define LOOK_EVERY 20u

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

/* The text of a trigger file: "[COUNT] [hold]", or "continue". */
struct request {
    bool empty;     /* the text may not have been written yet */
    uint32_t count; /* of frames; 0: as the settings have it */
    bool holds;     /* the program waits afterwards */
    bool continues; /* nothing is captured; the program waits no longer */
};

static struct request read_request(FILE *file)
{
    char text[32] = "", *end;
    struct request request = {.empty = fread(text, 1, sizeof(text) - 1, file) == 0};
    const unsigned long count = strtoul(text, &end, 10);

    end[strcspn(end, "\r\n")] = 0;
    end += strspn(end, " ");
    request.count = count > MAX_COUNT ? 0 : (uint32_t)count;
    request.holds = !strcmp(end, "hold");
    request.continues = !strcmp(end, "continue");
    return request;
}

void record_look_for_trigger(struct recorder *recorder)
{
    const double now = recorder->trigger ? clock_seconds() : 0;
    struct request request;
    FILE *file;

    if (!recorder->trigger || now < recorder->next_look)
        return;
    recorder->next_look = now + LOOK_EVERY * 1e-3;
    file = fopen(recorder->trigger, "r");
    if (!file) {
        recorder->trigger_empty = false;
        return;
    }
    request = read_request(file);
    fclose(file);
    /* A shell creates the file before it writes the number: an empty file counts if it is still empty at the next
     * check. */
    if (request.empty && !recorder->trigger_empty) {
        recorder->trigger_empty = true;
        return;
    }
    recorder->trigger_empty = false;
    /* Several programs may poll one file: the one that removes it captures. */
    if (unlink(recorder->trigger)) {
        log_once(LOG_ERROR, 0, "capture: %s cannot be removed: nothing is captured", recorder->trigger);
        recorder->holds = false;
        return;
    }
    recorder->holds = !request.continues && record_request(recorder, request.count) && request.holds;
}

/* The folder of the trigger file. Without one nobody could end the wait. */
static bool has_folder(const char *trigger)
{
    const char *slash = strrchr(trigger, '/'), *backslash = strrchr(trigger, '\\');
    const char *end = !slash || (backslash && backslash > slash) ? backslash : slash;
    char *folder = end ? strdup(trigger) : NULL;
    bool has = !end;

    if (folder) {
        folder[BASE_MAX(end - trigger, 1)] = 0;
        has = access(folder, F_OK) == 0;
    }
    free(folder);
    return has;
}

void record_hold(struct recorder *recorder)
{
    if (!recorder->trigger || !recorder->holds || recorder->demanded)
        return;
    log_info("capture: the program waits for the next request in %s", recorder->trigger);
    while (recorder->holds && !recorder->demanded) {
        sleep_milliseconds(LOOK_EVERY);
        if (!has_folder(recorder->trigger))
            recorder->holds = false;
        recorder->next_look = 0;
        record_look_for_trigger(recorder);
    }
    log_info("capture: the program continues");
}
