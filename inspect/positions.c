/* SPDX-License-Identifier: MIT */
/* Positions in the loaded frame: steps from action to action, and seeks by its beginning or a checkpoint. */
#include "inspect/internal.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- positions ----------------------------------------------------------------------------------- */

/* Plays a part of the event at hand, which is a call. */
static bool play_part(struct inspect *session, const struct inspect_piece *to, struct capture_error *error)
{
    const struct capture_event *event = &session->index.events.list[session->next_event];
    const uint64_t refused = player_get_stats(session->player)->refused;
    struct capture_event *part;
    bool done = true;

    if (session->call_refused)
        return true;
    part = inspect_part(event, session->part, to);
    if (!part)
        return inspect_no_memory(error);
    if (to || ((const struct capture_draw *)(const void *)part->data)->command_bytes)
        done = inspect_play(session, part, error);
    free(part);
    session->call_refused = player_get_stats(session->player)->refused > refused;
    return done;
}

/* Plays all events before the one with this number to their ends. */
static bool play_events_before(struct inspect *session, size_t event, inspect_played_fn played, void *user,
                               struct capture_error *error)
{
    while (session->next_event < event) {
        const struct capture_event *next = &session->index.events.list[session->next_event];

        if (!inspect_go_on(session, error))
            return false;
        if (session->part && !play_part(session, NULL, error))
            return false;
        if (!session->part && !inspect_play(session, next, error))
            return false;
        if (played)
            played(user, next);
        session->part = NULL;
        session->call_refused = false;
        session->next_event++;
    }
    return true;
}

bool inspect_approach(struct inspect *session, inspect_played_fn played, void *user, struct capture_error *error)
{
    if (!session->loaded || session->position >= session->index.count)
        return inspect_fail(error, "the frame is at its end");
    return play_events_before(session, session->index.pieces[session->position].action.event, played, user, error);
}

bool inspect_step(struct inspect *session, bool *refused, struct capture_error *error)
{
    const struct inspect_piece *piece;
    const struct capture_event *event;
    uint64_t before;
    bool done;

    if (!inspect_approach(session, NULL, NULL, error) || !inspect_go_on(session, error))
        return false;
    piece = &session->index.pieces[session->position];
    event = &session->index.events.list[piece->action.event];
    if (session->observer) /* the first surface, by which the driver is found, may have been made just now */
        inspect_observe(session, session->observer);
    if (event->type == CAPTURE_DRAW) {
        done = play_part(session, piece, error);
        session->part = piece;
        if (refused)
            *refused = session->call_refused;
    } else {
        before = player_get_stats(session->player)->refused;
        done = inspect_play(session, event, error);
        session->next_event++;
        if (refused)
            *refused = player_get_stats(session->player)->refused > before;
    }
    session->position++;
    return done;
}

bool inspect_finish_seen(struct inspect *session, inspect_played_fn played, void *user, struct capture_error *error)
{
    if (session->finished)
        return true;
    if (!inspect_seek(session, session->index.count, error) ||
        !play_events_before(session, session->index.events.count, played, user, error))
        return false;
    session->finished = true;
    return true;
}

bool inspect_finish(struct inspect *session, struct capture_error *error)
{
    return inspect_finish_seen(session, NULL, NULL, error);
}

bool inspect_grab_frame(struct inspect *session, struct player_picture *picture, struct capture_error *error)
{
    *error = (struct capture_error){0};
    *picture = (struct player_picture){0};
    if (!inspect_finish(session, error))
        return false;
    for (size_t i = session->index.events.count; i-- > 0;) {
        const struct capture_event *event = &session->index.events.list[i];

        if (event->type == CAPTURE_FRAME)
            return player_grab(session->player, (const void *)event->data, picture, error);
    }
    return false;
}

/* --- checkpoints --------------------------------------------------------------------------------- */

/* Is it time for another checkpoint? Drawing is deferred, so it must be flushed before the clock is read.
 * Checkpoints take no more than half of the time, unless they come every few actions. */
static void consider_checkpoint(struct inspect *session)
{
    const struct inspect_checkpoint *last =
        session->checkpoint_count ? &session->checkpoints[session->checkpoint_count - 1] : NULL;
    double now;

    if (session->replays_all || session->no_checkpoints || (last && last->position >= session->position))
        return;
    inspect_flush(session, true);
    now = clock_seconds();
    session->took[session->position - 1] = (float)(now - session->stepped);
    session->stepped = now;
    if (session->every ? session->position % session->every != 0
                       : now - session->began < BASE_MAX(session->spacing, session->keeping))
        return;
    inspect_checkpoint_keep(session);
    session->began = session->stepped = clock_seconds();
    session->keeping = session->began - now;
}

static const struct hal_observer skipping = {.skips = true};

/* Plays the frame up to a checkpoint without the draws, and restores the surfaces. */
static bool skip_to(struct inspect *session, const struct inspect_checkpoint *checkpoint, struct capture_error *error)
{
    bool done = true;

    inspect_observe(session, &skipping);
    while (done && session->position < checkpoint->position)
        done = inspect_step(session, NULL, error);
    inspect_observe(session, NULL);
    session->spoiled = !done;
    if (!done)
        return false;
    /* Clears and copies have been carried out, so surfaces may differ from the beginning. */
    inspect_contents_restore(&session->base, session->player, &checkpoint->contents);
    inspect_contents_restore(&checkpoint->contents, session->player, NULL);
    return true;
}

/* Goes to the frame's beginning, or to the checkpoint. */
static bool go_to(struct inspect *session, const struct inspect_checkpoint *checkpoint, struct capture_error *error)
{
    const double start = clock_seconds();

    session->spoiled = true; /* until all of it is done */
    if (!inspect_replace_player(session, error))
        return false;
    for (size_t i = 0; i < session->start.count; i++)
        if (!inspect_play(session, &session->start.list[i], error))
            return false;
    inspect_contents_restore(&session->base, session->player, checkpoint ? &checkpoint->contents : NULL);
    for (size_t i = 0; i < session->lead.count; i++)
        if (!inspect_play(session, &session->lead.list[i], error))
            return false;
    inspect_begin_frame(session);
    if (checkpoint && !skip_to(session, checkpoint, error))
        return false;
    session->began = clock_seconds();
    session->going = session->began - start;
    return true;
}

/* Events are read again up to the loaded frame, and played. */
static bool play_all_before(struct inspect *session, struct capture_error *error)
{
    struct capture_event event;
    enum capture_status status;
    size_t skipped = 0;

    session->spoiled = true; /* until all of it is done */
    if (!inspect_replace_player(session, error))
        return false;
    capture_rewind(session->reader);
    while ((status = capture_next(session->reader, &event, error)) == CAPTURE_OK && event.frame < session->frame) {
        if (!inspect_go_on(session, error) || !inspect_play(session, &event, error))
            return false;
        if (event.type == CAPTURE_FRAME && session->options.progress)
            session->options.progress(session->options.user, session->reader, event.frame);
    }
    /* The reader continues after the frame, whose events are kept. */
    for (; status == CAPTURE_OK && skipped + 1 < session->index.events.count + session->ahead.count; skipped++)
        status = capture_next(session->reader, &event, error);
    inspect_begin_frame(session);
    return true;
}

/* Is the checkpoint to be restored instead of playing on, because it lies ahead and that is faster? */
static bool is_shortcut(const struct inspect *session, const struct inspect_checkpoint *checkpoint)
{
    double playing = 0.0;

    if (session->every)
        return session->position < checkpoint->position;
    for (size_t i = session->position; i < checkpoint->position; i++)
        playing += (double)session->took[i];
    return playing > session->going;
}

bool inspect_seek(struct inspect *session, size_t count, struct capture_error *error)
{
    const struct inspect_checkpoint *checkpoint = NULL;
    const bool ends = session->finished || session->spoiled; /* playing cannot continue from the position */

    if (!session->loaded || count > session->index.count)
        return inspect_fail(error, "the frame has %zu draws", session->index.count);
    for (size_t i = 0; i < session->checkpoint_count && session->checkpoints[i].position <= count; i++)
        checkpoint = &session->checkpoints[i];
    if ((count < session->position || ends || (checkpoint && is_shortcut(session, checkpoint))) &&
        !(session->replays_all ? play_all_before(session, error) : go_to(session, checkpoint, error)))
        return false;
    session->stepped = clock_seconds();
    while (session->position < count) {
        if (!inspect_step(session, NULL, error))
            return false;
        consider_checkpoint(session);
    }
    return true;
}

bool inspect_restart(struct inspect *session, struct capture_error *error)
{
    session->spoiled = true;
    return inspect_seek(session, 0, error);
}

bool inspect_play_whole(struct inspect *session, inspect_played_fn played, void *user, struct capture_error *error)
{
    const struct inspect_events *events = &session->index.events;

    if (!inspect_seek(session, 0, error))
        return false;
    for (; session->next_event < events->count; session->next_event++) {
        if (session->observer) /* as in inspect_step */
            inspect_observe(session, session->observer);
        if (!inspect_play(session, &events->list[session->next_event], error)) {
            session->spoiled = true;
            return false;
        }
        if (played)
            played(user, &events->list[session->next_event]);
    }
    session->position = session->index.count;
    session->finished = true;
    return true;
}
