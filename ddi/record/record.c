/* SPDX-License-Identifier: MIT */
/*
 * The recorder's life, and the events that are calls with a few numbers. Surfaces: surface.c; their contents:
 * contents.c; DrawPrimitives2 and contexts: draw.c.
 */
#include "ddi/record/internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

bool record_has_failed(const struct recorder *recorder)
{
    return recorder->failed;
}

/* Chooses which frames are recorded: all, ranges, or frames on demand. False: none can be recorded. */
static bool choose_frames(struct recorder *recorder)
{
    const char *frames = config_string("capture_frames"), *trigger = config_string("capture_trigger");
    const bool key = !config_is_default("capture_key") && strcmp(config_string("capture_key"), "none") != 0;
    const bool none = strcmp(frames, "none") == 0;

    recorder->on_demand = !recorder->ranges.exact_path && (none || key || trigger[0]);
    recorder->exit_when_done = config_bool("capture_exit");
    if (none || (!frames[0] && recorder->on_demand)) {
        if (!record_start_ranges(recorder, NULL))
            return false;
    } else if (!frames[0]) {
        recorder->current = &recorder->ranges;
    } else if (!record_start_ranges(recorder, frames)) {
        log_warn("capture: capture_frames=%s is not a list of frames like 10,101-200; all are recorded", frames);
        recorder->current = &recorder->ranges;
    }
    if (recorder->on_demand)
        record_start_demand(recorder, trigger);
    return true;
}

void record_caller(struct recorder *recorder, enum record_interface caller)
{
    if (recorder)
        recorder->interfaces |= caller;
}

struct recorder *record_start(const char *exact_path, enum record_interface caller)
{
    struct recorder *recorder;

    if (!exact_path && !config_string("capture")[0])
        return NULL;
    recorder = mem_calloc(1, sizeof(*recorder));
    if (!recorder) {
        log_error("capture: out of memory; nothing is recorded");
        return NULL;
    }
    recorder->ranges.exact_path = exact_path;
    record_caller(recorder, caller);
    recorder->next_surface = recorder->next_local = 1;
    if (!choose_frames(recorder) || (exact_path && !record_open(recorder, &recorder->ranges)))
        return recorder;
    recorder->active = true;
    if (!recorder->current)
        log_info("capture: waiting for %s", recorder->on_demand ? "the key or the trigger file" : "the first range");
    return recorder;
}

static void free_contexts(struct recorder *recorder)
{
    while (recorder->contexts) {
        struct record_context *context = recorder->contexts;
        recorder->contexts = context->next;
        free(context);
    }
}

static void free_locals(struct recorder *recorder)
{
    while (recorder->locals) {
        struct record_local *local = recorder->locals;
        recorder->locals = local->next;
        free(local->by_handle);
        free(local);
    }
}

void record_stop(struct recorder *recorder)
{
    recorder->active = false;
    if (recorder->stopped)
        return;
    recorder->stopped = true;
    recorder->current = NULL;
    record_finish(recorder, &recorder->ranges);
    record_finish(recorder, &recorder->demand);
    record_stop_ranges(recorder);
    free_contexts(recorder);
    record_free_surfaces(recorder, NULL);
    free_locals(recorder);
}

/* All requested frames have been captured. */
static void end_program(struct recorder *recorder)
{
    log_info("capture: the program is ended, as HALCYON_CAPTURE_EXIT asks for");
    record_stop(recorder);
    exit(EXIT_SUCCESS);
}

/* Begins and ends ranges: recorder->poll is set, and there may be ranges. */
static void poll_ranges(struct recorder *recorder)
{
    recorder->poll = false;
    if (recorder->exit_when_done && recorder->files_finished && !recorder->current &&
        (!record_has_ranges(recorder) || record_ranges_are_over(recorder))) {
        recorder->ending = true;
        return;
    }
    if (record_ranges_are_over(recorder) && !recorder->on_demand) {
        record_stop(recorder);
        return;
    }
    record_follow_ranges(recorder);
    if (!recorder->on_demand || !recorder->active || recorder->current)
        return;
    record_look_for_trigger(recorder);
    record_hold(recorder);
    if (recorder->demanded)
        record_begin_range(recorder, &recorder->demand);
}

bool record_poll(struct recorder *recorder, bool may_end)
{
    if (recorder->active && recorder->poll && recorder->setup)
        poll_ranges(recorder);
    if (recorder->ending && may_end)
        end_program(recorder);
    return recorder->active;
}

static void end_frame(struct recorder *recorder, uint32_t surface, const struct capture_rect *rect)
{
    const struct capture_frame event = {recorder->current ? recorder->current->frames : 0, surface, *rect};

    record_event_simple(recorder, CAPTURE_FRAME, &event, sizeof(event));
    recorder->frame++;
    if (recorder->active && recorder->current) {
        const char *why = record_file_end_frame(recorder->current);

        if (why)
            record_give_up(recorder, why);
    }
    if (recorder->active)
        record_after_frame(recorder);
}

static struct capture_rect record_rect(const RECTL *rect)
{
    return (struct capture_rect){rect->left, rect->top, rect->right, rect->bottom};
}

void record_blt(struct recorder *recorder, const DDHAL_BLTDATA *data)
{
    struct record_surface *source = record_surface_of(recorder, data->lpDDSrcSurface);
    struct record_surface *destination = record_surface_of(recorder, data->lpDDDestSurface);
    struct capture_blt event = {
        .destination_rect = record_rect(&data->rDest),
        .source_rect = record_rect(&data->rSrc),
        .flags = data->dwFlags,
        .rop = data->bltFX.dwROP,
        .effects = data->bltFX.dwDDFX,
        .fill = data->bltFX.dwFillColor,
        .key_low = data->bltFX.ddckSrcColorkey.dwColorSpaceLowValue,
        .key_high = data->bltFX.ddckSrcColorkey.dwColorSpaceHighValue,
        .rect_count = data->IsClipped && data->prDestRects ? data->dwRectCnt : 0,
    };
    struct capture_bytes pieces[2] = {{&event, sizeof(event)}, {data->prDestRects, event.rect_count * sizeof(RECT)}};

    if (!destination)
        return;
    record_before_use(recorder, destination);
    record_changed_keys(recorder, destination);
    event.destination = destination->id;
    if (source) {
        record_before_use(recorder, source);
        record_changed_keys(recorder, source);
        event.source = source->id;
    }
    /* The event has no field for a destination key in the effects: it is recorded as the surface's key, until that is
     * used. */
    if (event.flags & DDBLT_KEYDESTOVERRIDE) {
        event.flags = (event.flags & ~(uint32_t)DDBLT_KEYDESTOVERRIDE) | DDBLT_KEYDEST;
        record_color_key(recorder, destination, CAPTURE_KEY_DESTINATION, true, &data->bltFX.ddckDestColorkey);
    }
    record_event(recorder, CAPTURE_BLT, pieces, event.rect_count ? 2 : 1);
    if (data->dwFlags & DDBLT_LAST_PRESENTATION && source)
        end_frame(recorder, source->id, &event.source_rect);
}

void record_flip(struct recorder *recorder, const DDHAL_FLIPDATA *data)
{
    const struct capture_flip event = {record_id_of(recorder, data->lpSurfCurr),
                                       record_id_of(recorder, data->lpSurfTarg), data->dwFlags};
    struct capture_rect all = {0};

    if (!event.current)
        return;
    all.right = data->lpSurfCurr->lpGbl->wWidth;
    all.bottom = data->lpSurfCurr->lpGbl->wHeight;
    record_event_simple(recorder, CAPTURE_FLIP, &event, sizeof(event));
    if (recorder->setup)
        record_exchange(recorder, data);
    if (data->lpSurfCurr->ddsCaps.dwCaps & DDSCAPS_PRIMARYSURFACE) /* others flip without being shown */
        end_frame(recorder, event.current, &all);
}

void record_destroy_local(struct recorder *recorder, const DDRAWI_DIRECTDRAW_LCL *lcl)
{
    for (struct record_local **at = &recorder->locals; *at; at = &(*at)->next) {
        struct record_local *local = *at;
        if (local->lcl != lcl)
            continue;
        record_event_simple(recorder, CAPTURE_LOCAL_GONE, &local->id, sizeof(local->id));
        for (struct record_context *c = recorder->contexts; c; c = c->next)
            if (c->local == local)
                c->local = NULL;
        record_free_surfaces(recorder, local);
        *at = local->next;
        free(local->by_handle);
        free(local);
        return;
    }
}
