/* SPDX-License-Identifier: MIT */
/* Shared by the files of the library. */
#ifndef HALCYON_INSPECT_INTERNAL_H
#define HALCYON_INSPECT_INTERNAL_H

#include "dp2/capture/setup.h"
#include "hal/inspect.h"
#include "inspect/contents.h"
#include "inspect/frame.h"
#include "inspect/inspect.h"
#include "inspect/moves.h"
#include "replay/internal.h"

struct inspect_checkpoint {
    size_t position;
    struct inspect_contents contents; /* that differ from the frame's beginning */
};

struct inspect {
    struct capture_reader *reader;
    struct inspect_options options;
    struct client_driver driver;
    bool has_driver;
    struct player *player;
    const struct hal_observer *observer; /* NULL: none */

    /* the capture, as far as it has been read */
    struct capture_setup *setup; /* state after the events before the loaded frame */
    struct inspect_events ahead; /* the event after the loaded frame, if it has been read */
    enum capture_status end;
    struct capture_error damage; /* if that is CAPTURE_CUT or CAPTURE_BAD */
    uint32_t frames_there;

    /* the loaded frame */
    bool loaded;
    bool has_start;   /* `start` and `base` are those of the frame `frame`, which is not loaded yet */
    bool replays_all; /* its beginning cannot be restored by a setup: the capture is played from the start */
    uint32_t frame;
    struct inspect_frame_index index;
    struct inspect_events start; /* surfaces, contexts, states at its beginning */
    struct inspect_events lead;  /* warms: the previous frame; `start` and `base` are of its beginning */
    struct inspect_contents base;
    struct inspect_moves moves;
    struct inspect_checkpoint *checkpoints; /* by ascending position */
    size_t checkpoint_count, checkpoint_capacity, checkpoint_bytes;
    size_t every;   /* actions between checkpoints; 0: by time */
    double spacing; /* then: least seconds of playing between them */
    double keeping; /* that the last one took */
    bool no_checkpoints;
    float *took;  /* by action: seconds of playing it; 0: not measured */
    double going; /* seconds that going to a checkpoint has taken */

    /* the position in it */
    size_t position;
    size_t next_event;                /* the first that is not played to its end */
    const struct inspect_piece *part; /* of next_event: the last one that has been played; NULL: none has */
    bool call_refused;                /* the driver refused a part of next_event */
    bool finished;                    /* all events of the frame have been played */
    bool spoiled;                     /* contents of surfaces are wrong: the next seek goes back */
    double began;                     /* at the last checkpoint: the clock */
    double stepped;                   /* after the last action */
};

bool inspect_fail(struct capture_error *error, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
/* The error is that memory ran out (inspect_lacks_memory). */
bool inspect_no_memory(struct capture_error *error);

/* session.c: a fresh player; the frame's beginning, as the session counts; false: the answer is no longer wanted. */
bool inspect_replace_player(struct inspect *session, struct capture_error *error);
void inspect_begin_frame(struct inspect *session);
/* Plays an event. False also if the driver did less than the event says, for lack of memory: the next seek goes back. */
bool inspect_play(struct inspect *session, const struct capture_event *event, struct capture_error *error);
/* Likewise, for work that the driver did between events. */
bool inspect_check_memory(struct inspect *session, struct capture_error *error);
bool inspect_go_on(const struct inspect *session, struct capture_error *error);

/* checkpoints.c: drops all; adds a checkpoint at the current position. */
void inspect_checkpoints_drop(struct inspect *session);
void inspect_checkpoint_keep(struct inspect *session);

/* Goes to the beginning of the loaded frame with newly created contexts and surfaces. */
bool inspect_restart(struct inspect *session, struct capture_error *error);
/* Called for an event that has been played, or whose rest has been played. */
typedef void (*inspect_played_fn)(void *user, const struct capture_event *event);
/* Plays the events before that of the next action. `played` (may be NULL) is called for each event. */
bool inspect_approach(struct inspect *session, inspect_played_fn played, void *user, struct capture_error *error);
/* inspect_finish, which calls `played` (may be NULL) for each event after the last action. */
bool inspect_finish_seen(struct inspect *session, inspect_played_fn played, void *user, struct capture_error *error);
/* Plays the loaded frame from its beginning, or from where inspect_approach stopped, event by event as recorded.
 * `played` (may be NULL) is called for each. */
bool inspect_play_whole(struct inspect *session, inspect_played_fn played, void *user, struct capture_error *error);
/* Sets the observer of draws for the following steps; NULL: none (states_alone: one that skips draws). */
void inspect_observe(struct inspect *session, const struct hal_observer *observer);
/* The context of an action; NULL: it has none. */
struct hal_context *inspect_context(const struct inspect *session, uint32_t recorded);
/* A corner of a primitive after vertex processing (picture/mesh.c). */
struct inspect_corner;
void inspect_fill_in_corner(struct inspect_corner *corner, const struct hal_inspect_corner *processed);
/* Flushes deferred drawing of all contexts; with depth: depth buffers too. */
void inspect_flush(struct inspect *session, bool depth);

#endif
