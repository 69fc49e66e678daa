/* SPDX-License-Identifier: MIT */
/* Goes to frames and draws, and gets their pictures. */
#include "tools/play/view.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/describe.h"
#include "inspect/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames by the index; 0: there is none. Events after a program's last present are not a frame if they draw nothing. */
static uint32_t count_frames(struct capture_reader *reader)
{
    const uint32_t frames = capture_indexed_frames(reader);
    struct capture_event event;
    struct capture_error error;
    bool draws = false;

    if (!frames || !capture_seek_frame(reader, frames - 1))
        return frames;
    while (!draws && capture_next(reader, &event, &error) == CAPTURE_OK)
        draws = event.type == CAPTURE_FRAME || event.type == CAPTURE_DRAW || event.type == CAPTURE_CLEAR ||
                event.type == CAPTURE_BLT;
    capture_rewind(reader);
    return draws ? frames : frames - 1;
}

void play_view_init(struct play_view *view, struct inspection *inspection)
{
    *view = (struct play_view){.inspection = inspection, .draw = PLAY_WHOLE, .seconds = -1, .frame_seconds = -1};
    view->frames = count_frames(inspection->reader);
    view->has_end = view->frames > 0;
    view->limit = UINT32_MAX;
}

void play_view_free(struct play_view *view)
{
    free(view->picture.pixels);
    view->picture.pixels = NULL;
}

/* --- the frame ----------------------------------------------------------------------------------- */

static uint32_t actions(const struct play_view *view)
{
    return (uint32_t)inspect_action_count(view->inspection->session);
}

static void note_frames(struct play_view *view)
{
    struct inspect *session = view->inspection->session;

    if (inspect_end(session) != CAPTURE_OK)
        view->has_end = true;
    if (!capture_indexed_frames(view->inspection->reader))
        view->frames = BASE_MIN(inspect_frames_there(session), view->limit);
}

static bool load_frame(struct play_view *view, uint32_t frame, struct capture_error *error)
{
    struct inspect *session = view->inspection->session;

    if (view->loaded && inspect_frame(session) == frame)
        return true;
    view->frame_seconds = -1;
    view->loaded = inspect_load(session, frame, error);
    note_frames(view);
    if (view->loaded && !inspect_shown(session) && !actions(view)) {
        view->limit = view->frames = frame; /* what programs do before they end */
        view->has_end = true;
        view->loaded = false;
    }
    return view->loaded;
}

/* Plays to the end of the frame, and measures the time if it has not been played before. */
static bool play_to_end_of_frame(struct play_view *view, struct capture_error *error)
{
    struct inspect *session = view->inspection->session;

    if (view->frame_seconds >= 0)
        return inspect_finish(session, error);
    if (!inspect_seek(session, 0, error))
        return false;
    inspect_flush(session, false);
    const double start = clock_seconds();

    if (!inspect_play_whole(session, NULL, NULL, error))
        return false;
    inspect_flush(session, false);
    view->frame_seconds = clock_seconds() - start;
    return true;
}

/* --- pictures ------------------------------------------------------------------------------------ */

static void keep_picture(struct play_view *view, const struct player_picture *picture, uint32_t surface, uint32_t draw)
{
    free(view->picture.pixels);
    view->picture = *picture;
    view->surface = surface;
    view->shown_draw = draw;
}

/* As dp2 replay shows it. */
static bool grab_frame(struct play_view *view, struct capture_error *error)
{
    struct inspect *session = view->inspection->session;
    const struct capture_frame *event;
    struct player_picture picture = {0};

    if (!play_to_end_of_frame(view, error))
        return false;
    event = inspect_shown(session);
    if (event && !player_grab(session->player, event, &picture, error))
        picture.pixels = NULL;
    snprintf(view->text, sizeof(view->text), "%s",
             !event           ? "the frame has no end: nothing is shown"
             : picture.pixels ? ""
                              : error->text);
    *error = (struct capture_error){0};
    keep_picture(view, &picture, 0, PLAY_WHOLE);
    view->seconds = view->frame_seconds;
    return true;
}

static void describe_action(struct play_view *view, uint32_t draw)
{
    const struct inspect *session = view->inspection->session;
    const struct inspect_piece *piece = &session->index.pieces[draw];
    const char *type = dp2_primitive_name(piece->action.type);
    char text[INSPECT_TEXT];

    if (piece->action.kind == INSPECT_DRAW) {
        snprintf(view->text, sizeof(view->text), "%s %s %" PRIu32, piece->action.token, type ? type : "",
                 piece->action.primitives);
    } else {
        snprintf(view->text, sizeof(view->text), "%s", inspect_describe(session, piece, text) ? text : "out of memory");
    }
}

/* The draw by itself. */
static bool time_draw(struct play_view *view, uint32_t draw, struct capture_error *error)
{
    struct inspect *session = view->inspection->session;

    if (!inspect_seek(session, draw, error))
        return false;
    inspect_flush(session, false);
    const double start = clock_seconds();

    if (!inspect_step(session, NULL, error))
        return false;
    inspect_flush(session, false);
    view->seconds = clock_seconds() - start;
    return true;
}

/* As dp2 shot shows it. */
static bool shoot_draw(struct play_view *view, uint32_t draw, struct capture_error *error)
{
    struct inspect_shot shot = {0};

    if (!time_draw(view, draw, error))
        return false;
    describe_action(view, draw);
    if (!inspect_shoot(view->inspection->session, draw, view->show, NULL, &shot, error)) {
        snprintf(view->text, sizeof(view->text), "%s", error->text);
        *error = (struct capture_error){0};
    }
    keep_picture(view, &shot.picture, shot.surface, draw);
    return true;
}

/* The last draw of the frame; else its last action. UINT32_MAX: it has none. */
static uint32_t last_draw(const struct play_view *view)
{
    const struct inspect *session = view->inspection->session;

    for (uint32_t i = actions(view); i-- > 0;)
        if (inspect_action(session, i)->kind == INSPECT_DRAW)
            return i;
    return actions(view) ? actions(view) - 1 : UINT32_MAX;
}

static bool make_picture(struct play_view *view, uint32_t draw, struct capture_error *error)
{
    if (draw != PLAY_WHOLE)
        return shoot_draw(view, draw, error);
    draw = last_draw(view);
    if (view->show == INSPECT_SHOW_COLOR || draw == UINT32_MAX)
        return grab_frame(view, error);
    return shoot_draw(view, draw, error);
}

/* --- places -------------------------------------------------------------------------------------- */

/* The place may exist. */
static bool has_frame(const struct play_view *view, uint32_t frame)
{
    return !view->has_end || frame < view->frames;
}

bool play_view_go(struct play_view *view, uint32_t frame, uint32_t draw, struct capture_error *error)
{
    *error = (struct capture_error){0};
    if (!has_frame(view, frame) || !load_frame(view, frame, error))
        return false;
    if (draw != PLAY_WHOLE && draw >= actions(view))
        return inspect_fail(error, "frame %" PRIu32 " has %" PRIu32 " actions", frame, actions(view));
    if (!make_picture(view, draw, error)) {
        view->loaded = false;
        return false;
    }
    view->frame = frame;
    view->draw = draw;
    view->actions = actions(view);
    return true;
}

bool play_view_step_draw(struct play_view *view, bool back, struct capture_error *error)
{
    const uint32_t draw = view->draw;

    *error = (struct capture_error){0};
    if (!load_frame(view, view->frame, error))
        return false;
    if (!back && draw != PLAY_WHOLE && draw + 1 < view->actions)
        return play_view_go(view, view->frame, draw + 1, error);
    if (back && draw != PLAY_WHOLE && draw > 0)
        return play_view_go(view, view->frame, draw - 1, error);
    if (back && draw == PLAY_WHOLE && view->actions)
        return play_view_go(view, view->frame, view->actions - 1, error);
    if (!back && draw != PLAY_WHOLE)
        return play_view_go(view, view->frame, PLAY_WHOLE, error);
    if (back)
        return view->frame > 0 && play_view_go(view, view->frame - 1, PLAY_WHOLE, error);
    if (has_frame(view, view->frame + 1) && load_frame(view, view->frame + 1, error))
        return play_view_go(view, view->frame + 1, actions(view) ? 0 : PLAY_WHOLE, error);
    return false;
}

bool play_view_show(struct play_view *view, enum inspect_show show, struct capture_error *error)
{
    view->show = show;
    return play_view_go(view, view->frame, view->draw, error);
}

/* --- words --------------------------------------------------------------------------------------- */

void play_view_describe(const struct play_view *view, char *text)
{
    size_t used;

    if (view->draw == PLAY_WHOLE)
        snprintf(text, PLAY_TEXT, "frame %" PRIu32, view->frame);
    else
        snprintf(text, PLAY_TEXT, "draw %" PRIu32 ".%" PRIu32, view->frame, view->draw);
    used = strlen(text);
    snprintf(text + used, PLAY_TEXT - used, " (%" PRIu32 "%s frames, %" PRIu32 " actions)", view->frames,
             view->has_end ? "" : "+", view->actions);
    used = strlen(text);
    if (view->show != INSPECT_SHOW_COLOR)
        snprintf(text + used, PLAY_TEXT - used, "  %s", inspect_show_name(view->show));
    used = strlen(text);
    if (view->seconds >= 0)
        snprintf(text + used, PLAY_TEXT - used, "  %.2f ms", 1e3 * view->seconds);
}

void play_view_file_name(const struct play_view *view, const char *capture, char *name, size_t size)
{
    const char *slash = strrchr(capture, '/'), *base = slash ? slash + 1 : capture;
    const char *dot = strrchr(base, '.');
    const int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    char draw[16] = "", show[32] = "";

    if (view->draw != PLAY_WHOLE)
        snprintf(draw, sizeof(draw), ".%" PRIu32, view->draw);
    if (view->show != INSPECT_SHOW_COLOR)
        snprintf(show, sizeof(show), "-%s", inspect_show_name(view->show));
    snprintf(name, size, "%.*s-%" PRIu32 "%s%s.png", strcmp(capture, "-") == 0 ? 7 : length,
             strcmp(capture, "-") == 0 ? "capture" : base, view->frame, draw, show);
}
