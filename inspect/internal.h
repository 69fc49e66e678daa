/* SPDX-License-Identifier: MIT */
/* What the files of the library share. */
#ifndef HALCYON_INSPECT_INTERNAL_H
#define HALCYON_INSPECT_INTERNAL_H

#include "dp2/capture/setup.h"
#include "hal/observer.h"
#include "inspect/contents.h"
#include "inspect/frame.h"
#include "inspect/inspect.h"
#include "tools/player/internal.h"

struct hal_context;
struct hal_driver;

struct inspect_checkpoint {
    size_t position;
    struct inspect_contents contents; /* that are not as at the frame's beginning */
};

struct inspect {
    struct capture_reader *reader;
    struct inspect_options options;
    struct client_driver driver;
    bool has_driver;
    struct player *player;
    const struct hal_observer *observer; /* NULL: none */

    /* the capture, as far as it has been read */
    struct capture_setup *setup; /* what the events before the loaded frame have left behind */
    struct inspect_events ahead; /* the event behind the loaded frame, if it has been read */
    enum capture_status end;
    struct capture_error damage; /* if that is CAPTURE_CUT or CAPTURE_BAD */
    uint32_t frames_there;

    /* the loaded frame */
    bool loaded;
    bool replays_all; /* its beginning cannot be told by a few events: the capture is played from its own beginning */
    uint32_t frame;
    struct inspect_frame_index index;
    struct inspect_events start; /* surfaces, contexts, states at its beginning */
    struct inspect_contents base;
    struct inspect_checkpoint *checkpoints; /* by ascending position */
    size_t checkpoint_count, checkpoint_capacity, checkpoint_bytes;
    double spacing; /* seconds from checkpoint to checkpoint */
    bool no_checkpoints;

    /* the position in it */
    size_t position;
    size_t next_event;                /* that has not been played, or not to its end */
    const struct inspect_piece *part; /* of next_event: the last one that has been played; NULL: none has */
    bool call_refused;                /* the driver refused a part of next_event */
    bool finished;                    /* all events of the frame have been played */
    bool spoiled;                     /* surfaces do not hold what they should: the next seek goes back */
    double began;                     /* at the last checkpoint: the clock */
};

bool inspect_fail(struct capture_error *error, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));

/* The driver's root; NULL: no surface has been made yet. */
struct hal_driver *inspect_driver(const struct inspect *session);
/* Watches draws of the steps that follow until the next call; NULL: not any more. */
void inspect_observe(struct inspect *session, const struct hal_observer *observer);
/* The context of an action; NULL: it has none. */
struct hal_context *inspect_context(const struct inspect *session, uint32_t recorded);
/* Draws what waits to be drawn in all contexts; with depth: depth buffers too. */
void inspect_flush(struct inspect *session, bool depth);

#endif
