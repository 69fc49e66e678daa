/* SPDX-License-Identifier: MIT */
/* The history of a pixel, as the frame debugger finds it, in the structures of the API. */
#include "library/internal.h"

#include "base/base.h"
#include "ddi/root.h"
#include "hal/inspect.h"
#include "inspect/pixel/pixel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of the API never change; those of the debugger are the order of the driver's tests. */
#define SAME_VERDICT(name) \
    _Static_assert((int)HALCYON_##name == (int)INSPECT_##name, "verdict " #name " has the same number")
SAME_VERDICT(OUTSIDE);
SAME_VERDICT(MISSING);
SAME_VERDICT(NO_DATA);
SAME_VERDICT(NO_AREA);
SAME_VERDICT(CLIPPED);
SAME_VERDICT(CULLED);
SAME_VERDICT(OFF_VIEWPORT);
SAME_VERDICT(SCISSORED);
SAME_VERDICT(UNCOVERED);
SAME_VERDICT(SAMPLE_MASKED);
SAME_VERDICT(KILLED);
SAME_VERDICT(ALPHA_FAILED);
SAME_VERDICT(BOUNDS_FAILED);
SAME_VERDICT(STENCIL_FAILED);
SAME_VERDICT(DEPTH_FAILED);
SAME_VERDICT(WRITE_MASKED);
SAME_VERDICT(BLENDED);
SAME_VERDICT(WRITTEN);
SAME_VERDICT(VERDICT_COUNT);
_Static_assert((int)HALCYON_DRAW == (int)INSPECT_DRAW && (int)HALCYON_CLEAR == (int)INSPECT_CLEAR &&
                   (int)HALCYON_BLIT == (int)INSPECT_BLIT && (int)HALCYON_FILL == (int)INSPECT_FILL &&
                   (int)HALCYON_PRESENT == (int)INSPECT_PRESENT && (int)HALCYON_LOCK == (int)INSPECT_LOCK &&
                   (int)HALCYON_PALETTE == (int)INSPECT_PALETTE && (int)HALCYON_ACTION_COUNT == (int)INSPECT_KIND_COUNT,
               "actions have the same numbers");

/* The capture whose session is open: a process can have only one. */
static struct halcyon_capture *asked;

void library_session_close(struct halcyon_capture *capture)
{
    inspect_close(capture->session);
    capture->session = NULL;
    if (asked == capture)
        asked = NULL;
}

bool library_session_lacks_memory(const struct halcyon_capture *capture, const struct capture_error *error)
{
    const struct player *player = inspect_player(capture->session);

    return !player || inspect_lacks_memory(error) || player_get_stats(player)->no_memory;
}

bool library_has_session(struct halcyon_capture *capture)
{
    const struct capture_error none = {0};

    if (capture->session && library_session_lacks_memory(capture, &none))
        library_session_close(capture);
    /* Other objects may have lacked memory before: the driver has one note for all. */
    if (ddi_driver())
        hal_inspect_take_out_of_memory(ddi_driver());
    return capture->session;
}

static enum halcyon_result open_session(struct halcyon_capture *capture)
{
    struct capture_error error = {0};

    if (library_has_session(capture))
        return HALCYON_OK;
    if (asked)
        library_session_close(asked);
    library_capture_stop(capture);
    capture->session = inspect_open(capture->reader, NULL, &error);
    if (!capture->session)
        return inspect_lacks_memory(&error) ? library_no_memory() : library_fail_with(&error, HALCYON_NO_DRIVER);
    asked = capture;
    return HALCYON_OK;
}

/* --- steps --------------------------------------------------------------------------------------- */

/* A history that grows. The first member is what the caller sees. */
struct growing {
    struct halcyon_history history;
    struct halcyon_step *steps;
    size_t capacity; /* bytes */
    bool no_memory;
};

/* NULL: the list is full, or out of memory. */
static struct halcyon_step *add_step(struct growing *growing)
{
    struct halcyon_history *history = &growing->history;
    struct halcyon_step *bigger;

    if (history->count == HALCYON_MOST_STEPS) {
        history->omitted++;
        return NULL;
    }
    bigger = mem_grow(growing->steps, &growing->capacity, history->count * sizeof(*bigger), sizeof(*bigger));
    growing->no_memory |= !bigger;
    if (!bigger)
        return NULL;
    growing->steps = bigger;
    history->steps = bigger;
    bigger += history->count++;
    memset(bigger, 0, sizeof(*bigger));
    return bigger;
}

static void put_contents(struct halcyon_step *step, const struct inspect_pixel *before,
                         const struct inspect_pixel *after)
{
    if (before->has_color && after->has_color) {
        step->flags |= HALCYON_STEP_HAS_COLOR;
        memcpy(step->before, before->color[0], sizeof(step->before));
        memcpy(step->after, after->color[0], sizeof(step->after));
    }
    if (before->has_depth && after->has_depth) {
        step->flags |= HALCYON_STEP_HAS_DEPTH;
        step->depth_before = before->depth[0];
        step->depth_after = after->depth[0];
        step->stencil_before = before->stencil[0];
        step->stencil_after = after->stencil[0];
    }
    if (memcmp(step->before, step->after, sizeof(step->before)) || step->stencil_before != step->stencil_after ||
        memcmp(&step->depth_before, &step->depth_after, sizeof(float)))
        step->flags |= HALCYON_STEP_CHANGED;
}

static void put_row(struct halcyon_step *step, const struct inspect_pixel_row *row)
{
    step->action = row->place.draw;
    step->kind = (uint32_t)row->action.kind;
    step->flags |= row->refused ? HALCYON_STEP_REFUSED : 0;
}

static void put_fragment(struct halcyon_step *step, const struct inspect_pixel_row *row,
                         const struct inspect_fragment *fragment)
{
    put_row(step, row);
    step->flags |= HALCYON_STEP_HAS_PRIMITIVE | (fragment->has_depth ? HALCYON_STEP_HAS_FRAGMENT : 0);
    step->primitive = fragment->primitive;
    step->verdict = (uint32_t)fragment->verdict;
    step->output_mask = fragment->has_output ? fragment->output_mask : 0;
    step->samples = fragment->samples;
    for (unsigned c = 0; c < 4; c++)
        step->output[c] = step->output_mask >> c & 1 ? fragment->output[c] : 0.0f;
    step->depth = fragment->has_depth ? fragment->depth[0] : 0.0f;
    put_contents(step, &fragment->before, &fragment->after);
    snprintf(step->text, sizeof(step->text), "%s, primitive %u: %s", row->action.token, (unsigned)fragment->primitive,
             inspect_verdict_text(fragment->verdict));
}

static bool take_row(void *user, const struct inspect_pixel_row *row)
{
    struct growing *growing = user;
    const size_t kept = BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS);
    struct halcyon_step *step;

    growing->history.omitted += row->fragment_count - kept;
    for (size_t i = 0; i < kept; i++)
        if ((step = add_step(growing)))
            put_fragment(step, row, &row->fragments[i]);
    /* A draw without a fragment that changed the pixel all the same is a step, too. */
    if (!kept && (step = add_step(growing))) {
        put_row(step, row);
        put_contents(step, &row->before, &row->after);
        if (row->between != INSPECT_NO_CHANGE)
            snprintf(step->text, sizeof(step->text), "%s", inspect_change_between_text(row->between));
        else
            snprintf(step->text, sizeof(step->text), "%s", row->text[0] ? row->text : row->action.token);
    }
    return !growing->no_memory;
}

/* --- the question ---------------------------------------------------------------------------------- */

enum halcyon_result library_session_fail(struct halcyon_capture *capture, const struct capture_error *error)
{
    const struct player *player = inspect_player(capture->session);
    const enum capture_status end = inspect_end(capture->session);

    if (library_session_lacks_memory(capture, error)) {
        library_session_close(capture);
        return library_no_memory();
    }
    if (player_get_stats(player)->too_much_work)
        return library_fail_with(error, HALCYON_TOO_MUCH_WORK);
    if (!error->text[0])
        return library_fail(HALCYON_NO_PICTURE, "the frame does not show a picture");
    return library_fail_with(error, end == CAPTURE_CUT || end == CAPTURE_BAD || error->offset ? HALCYON_DAMAGED
                                                                                              : HALCYON_INVALID);
}

static enum halcyon_result ask(struct halcyon_capture *capture, uint32_t frame, uint32_t x, uint32_t y,
                               struct halcyon_history **out)
{
    struct growing *growing;
    struct capture_error error = {0};
    enum halcyon_result result = library_check_frame(capture, frame);

    if (result == HALCYON_OK)
        result = open_session(capture);
    if (result != HALCYON_OK)
        return result;
    if (!inspect_load(capture->session, frame, &error) || !inspect_shown(capture->session))
        return library_session_fail(capture, &error);
    growing = mem_calloc(1, sizeof(*growing));
    if (!growing)
        return library_no_memory();
    growing->history.step_size = sizeof(struct halcyon_step);
    if (!inspect_pixel(capture->session, 0, x, y, UINT32_MAX, take_row, growing, NULL, NULL, &error) ||
        library_session_lacks_memory(capture, &error))
        result = library_session_fail(capture, &error);
    else if (growing->no_memory)
        result = library_no_memory();
    if (result == HALCYON_OK) {
        *out = &growing->history;
    } else {
        free(growing->steps);
        free(growing);
    }
    return result;
}

enum halcyon_result halcyon_capture_pixel(struct halcyon_capture *capture, uint32_t frame, uint32_t x, uint32_t y,
                                          struct halcyon_history **history)
{
    enum halcyon_result result = HALCYON_INVALID;

    library_enter();
    if (!capture || !history)
        library_fail(result, "a capture and a place for the history are needed");
    else
        result = ask(capture, frame, x, y, history);
    return library_leave(result);
}

void halcyon_history_free(struct halcyon_history *history)
{
    struct growing *growing = (void *)history;

    if (!growing)
        return;
    free(growing->steps);
    free(growing);
}

/* --- names ----------------------------------------------------------------------------------------- */

const char *halcyon_verdict_name(int verdict)
{
    return verdict >= 0 && verdict < HALCYON_VERDICT_COUNT ? inspect_verdict_name((enum inspect_verdict)verdict)
                                                           : "unknown";
}

const char *halcyon_verdict_text(int verdict)
{
    return verdict >= 0 && verdict < HALCYON_VERDICT_COUNT ? inspect_verdict_text((enum inspect_verdict)verdict)
                                                           : "unknown";
}
