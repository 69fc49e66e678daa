/* SPDX-License-Identifier: MIT */
/* The states in which two draws differ, in words. */
#include "inspect/state/changes.h"

#include "base/base.h"
#include "dp2/names.h"
#include "hal/inspect.h"
#include "inspect/internal.h"
#include "inspect/state/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct inspect_changes *out, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
static void add(struct inspect_changes *out, const char *format, ...)
{
    va_list args;

    if (out->count < INSPECT_MOST_CHANGES) {
        va_start(args, format);
        vsnprintf(out->text[out->count], INSPECT_CHANGE_TEXT, format, args);
        va_end(args);
    }
    out->count++;
}

static void list_render_states(const struct hal_state *before, const struct hal_state *now, struct inspect_changes *out)
{
    char value[64];

    for (unsigned i = 0; i < HAL_MAX_RENDER_STATES; i++) {
        const struct dp2_state_name *name =
            before->render_state[i] != now->render_state[i] ? dp2_render_state_name(i) : NULL;

        if (!name)
            continue;
        inspect_write_value(name, now->render_state[i], value, sizeof(value));
        add(out, "%s=%s", name->name, value);
    }
}

static void list_stage_states(const struct hal_state *before, const struct hal_state *now, struct inspect_changes *out)
{
    char value[64], row_name[32];

    for (unsigned row = 0; row < HAL_STAGE_ROWS; row++)
        for (unsigned i = 1; i < HAL_MAX_STAGE_STATES; i++) {
            const struct dp2_state_name *name =
                before->stage_state[row][i] != now->stage_state[row][i] ? dp2_stage_state_name(i) : NULL;

            if (!name)
                continue;
            inspect_name_row(row, row_name);
            inspect_write_value(name, now->stage_state[row][i], value, sizeof(value));
            add(out, "%s %s=%s", row_name, name->name, value);
        }
}

static bool same_streams(const struct hal_state *a, const struct hal_state *b)
{
    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++)
        if (a->stream[i].handle != b->stream[i].handle || a->stream[i].offset != b->stream[i].offset ||
            a->stream[i].stride != b->stream[i].stride || a->stream[i].user_memory != b->stream[i].user_memory ||
            a->stream_frequency[i] != b->stream_frequency[i])
            return false;
    return true;
}

static void list_changes(const struct hal_state *before, const struct hal_state *now, struct inspect_changes *out)
{
    const struct {
        bool differs;
        const char *name;
    } others[] = {
        {memcmp(&before->viewport, &now->viewport, sizeof(now->viewport)) != 0, "viewport"},
        {memcmp(&before->scissor, &now->scissor, sizeof(now->scissor)) != 0, "scissor"},
        {memcmp(before->world, now->world, sizeof(now->world)) != 0, "world"},
        {memcmp(&before->view, &now->view, sizeof(now->view)) != 0, "view"},
        {memcmp(&before->projection, &now->projection, sizeof(now->projection)) != 0, "projection"},
        {memcmp(before->texture, now->texture, sizeof(now->texture)) != 0, "texture matrices"},
        {memcmp(&before->material, &now->material, sizeof(now->material)) != 0, "material"},
        {memcmp(before->clip_plane, now->clip_plane, sizeof(now->clip_plane)) != 0, "clip planes"},
        {!(before->vertex_shader & 1) && !(now->vertex_shader & 1) && before->vertex_shader != now->vertex_shader,
         "vertex format"},
        {!same_streams(before, now), "streams"},
        {before->index_handle != now->index_handle || before->index_stride != now->index_stride, "indices"},
    };

    out->count = 0;
    list_render_states(before, now, out);
    list_stage_states(before, now, out);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (others[i].differs)
            add(out, "%s", others[i].name);
}

struct inspect_tracker {
    uint32_t context;       /* of the last action, as the capture calls it; 0: none */
    struct hal_state state; /* its pointers mean nothing */
};

struct inspect_tracker *inspect_tracker_create(void)
{
    return mem_calloc(1, sizeof(struct inspect_tracker));
}

void inspect_tracker_destroy(struct inspect_tracker *tracker)
{
    free(tracker);
}

void inspect_tracker_forget(struct inspect_tracker *tracker)
{
    tracker->context = 0;
}

void inspect_track(struct inspect_tracker *tracker, const struct inspect *session, const struct inspect_action *action,
                   struct inspect_changes *out)
{
    const struct hal_context *context = action->context ? inspect_context(session, action->context) : NULL;
    const struct hal_state *now = context ? hal_inspect_settings(context) : NULL;

    out->count = 0;
    if (!now)
        return;
    if (tracker->context == action->context)
        list_changes(&tracker->state, now, out);
    tracker->state = *now;
    tracker->context = action->context;
}
