/* SPDX-License-Identifier: MIT */
/*
 * The recorder's life, and the events that are calls with a few numbers. Surfaces and their memory:
 * record_surface.c; DrawPrimitives2 and contexts: record_draw.c.
 */
#include "ddi/record_internal.h"

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef HALCYON_VERSION
#define HALCYON_VERSION "unknown"
#endif

bool record_active;
struct recorder recorder;

static bool started; /* once a process: a second driver load must not overwrite the file */

static const char *exact_path; /* record_to_file */
static bool failed;

void record_to_file(const char *path)
{
    exact_path = path;
}

bool record_has_failed(void)
{
    return failed;
}

void record_start(void)
{
    const char *path = exact_path ? exact_path : config_string("capture");
    struct capture_error error = {0};
    char info[256];

    if (started || !path[0])
        return;
    started = true;
    snprintf(info, sizeof(info), "driver=halcyon %s\nbits=%u\n", HALCYON_VERSION,
             (unsigned)sizeof(void *) * 8);
    if (!output_open(&recorder.output, path, OUTPUT_REPLACE)) {
        log_error("capture: %s: %s", path, strerror(errno));
        failed = true;
        return;
    }
    recorder.writer = capture_create(&recorder.output, info, &error);
    if (!recorder.writer) {
        log_error("capture: %s %s", path, error.text);
        output_discard(&recorder.output);
        failed = true;
        return;
    }
    recorder.next_surface = recorder.next_local = 1;
    if (config_string("capture_frames")[0] && !record_start_ranges(config_string("capture_frames")))
        log_warn(
            "capture: capture_frames=%s is no list of frames like 10,101-200; all are recorded",
            config_string("capture_frames"));
    record_active = true;
    atexit(record_stop);
    log_info("capture: recording to %s", path);
}

static void free_contexts(void)
{
    while (recorder.contexts) {
        struct record_context *context = recorder.contexts;
        recorder.contexts = context->next;
        free(context);
    }
}

static void free_locals(void)
{
    while (recorder.locals) {
        struct record_local *local = recorder.locals;
        recorder.locals = local->next;
        free(local->by_handle);
        free(local);
    }
}

void record_stop(void)
{
    struct capture_error error = {0};

    record_active = false;
    if (!recorder.writer)
        return;
    if (!capture_finish(recorder.writer, &error)) {
        log_error("capture: %s", error.text);
        output_discard(&recorder.output);
        failed = true;
    } else if (!output_commit(&recorder.output)) {
        log_error("capture: %s", strerror(errno));
        failed = true;
    } else {
        log_info("capture: %u frames recorded", (unsigned)recorder.frames_written);
    }
    recorder.writer = NULL;
    record_stop_ranges();
    free_contexts();
    record_free_surfaces(NULL);
    free_locals();
}

void record_give_up(const char *why)
{
    if (!record_active)
        return;
    record_active = false;
    failed = true;
    log_error("capture: %s; recording ends in frame %u", why, (unsigned)recorder.frame);
    /* The file is finished at exit; pointers of the recorder may be in use by our callers. */
}

void record_event(enum capture_event_type type, const struct capture_bytes *pieces, unsigned count)
{
    if (record_active && recorder.setup)
        record_follow(type, pieces, count);
    if (record_active && !recorder.outside && !capture_write(recorder.writer, type, pieces, count))
        record_give_up("the file cannot be written");
}

void record_event_simple(enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_bytes piece = {data, size};

    record_event(type, &piece, 1);
}

void record_end_frame(uint32_t surface, const struct capture_rect *rect)
{
    const struct capture_frame event = {recorder.frames_written, surface, *rect};

    record_event_simple(CAPTURE_FRAME, &event, sizeof(event));
    recorder.frame++;
    recorder.poll = true;
    if (recorder.outside)
        return;
    recorder.frames_written++;
    if (record_active && !capture_flush(recorder.writer, true))
        record_give_up("the file cannot be written");
}

static struct capture_rect rect_of(const RECTL *rect)
{
    return (struct capture_rect){rect->left, rect->top, rect->right, rect->bottom};
}

void record_blt(const DDHAL_BLTDATA *data)
{
    struct record_surface *source = record_surface_of(data->lpDDSrcSurface);
    struct record_surface *destination = record_surface_of(data->lpDDDestSurface);
    struct capture_blt event = {
        .destination_rect = rect_of(&data->rDest),
        .source_rect = rect_of(&data->rSrc),
        .flags = data->dwFlags,
        .rop = data->bltFX.dwROP,
        .effects = data->bltFX.dwDDFX,
        .fill = data->bltFX.dwFillColor,
        .key_low = data->bltFX.ddckSrcColorkey.dwColorSpaceLowValue,
        .key_high = data->bltFX.ddckSrcColorkey.dwColorSpaceHighValue,
        .rect_count = data->IsClipped && data->prDestRects ? data->dwRectCnt : 0,
    };
    struct capture_bytes pieces[2] = {{&event, sizeof(event)},
                                      {data->prDestRects, event.rect_count * sizeof(RECT)}};

    if (!destination)
        return;
    record_system_memory(destination);
    record_changed_keys(destination);
    event.destination = destination->id;
    if (source) {
        record_system_memory(source);
        record_changed_keys(source);
        event.source = source->id;
    }
    /* The event has no place for a destination key of the effects: it becomes the surface's, until that is used. */
    if (event.flags & DDBLT_KEYDESTOVERRIDE) {
        event.flags = (event.flags & ~(uint32_t)DDBLT_KEYDESTOVERRIDE) | DDBLT_KEYDEST;
        record_color_key(destination, CAPTURE_KEY_DESTINATION, true, &data->bltFX.ddckDestColorkey);
    }
    record_event(CAPTURE_BLT, pieces, event.rect_count ? 2 : 1);
    if (data->dwFlags & DDBLT_LAST_PRESENTATION && source)
        record_end_frame(source->id, &event.source_rect);
}

void record_flip(const DDHAL_FLIPDATA *data)
{
    const struct capture_flip event = {record_id_of(data->lpSurfCurr),
                                       record_id_of(data->lpSurfTarg), data->dwFlags};
    struct capture_rect all = {0};

    if (!event.current)
        return;
    all.right = data->lpSurfCurr->lpGbl->wWidth;
    all.bottom = data->lpSurfCurr->lpGbl->wHeight;
    record_event_simple(CAPTURE_FLIP, &event, sizeof(event));
    if (recorder.setup)
        record_exchange(data->lpSurfCurr, data->lpSurfTarg);
    record_end_frame(event.current, &all);
}

void record_destroy_local(const DDRAWI_DIRECTDRAW_LCL *lcl)
{
    for (struct record_local **at = &recorder.locals; *at; at = &(*at)->next) {
        struct record_local *local = *at;
        if (local->lcl != lcl)
            continue;
        record_event_simple(CAPTURE_LOCAL_GONE, &local->id, sizeof(local->id));
        for (struct record_context *c = recorder.contexts; c; c = c->next) {
            if (c->local == local)
                c->local = NULL;
        }
        record_free_surfaces(local);
        *at = local->next;
        free(local->by_handle);
        free(local);
        return;
    }
}
