/* SPDX-License-Identifier: MIT */
/*
 * The frame debugger: questions about a capture, answered by the player and the driver that draw it (replay/, hal/,
 * raster/).
 *
 *   session   inspect_open .. inspect_close: one capture, of which one frame is loaded
 *   action    something that changes pixels: a draw (an entry of a drawing token), clear, blit, fill or present; the actions of a
 *             frame are numbered from 0, and FRAME.DRAW names one ("2.17")
 *   position  the number of actions of the loaded frame that have been carried out, with nothing after them
 *
 * Going back within the loaded frame costs as much as restoring the changed surfaces and playing from the previous
 * checkpoint; going back to an earlier frame plays the capture from its beginning.
 *
 * A capture is hostile: the reader, the player and the driver check it. Functions that return false set the error. One
 * thread at a time; one session at a time in a process, since the driver has one root.
 */
#ifndef HALCYON_INSPECT_INSPECT_H
#define HALCYON_INSPECT_INSPECT_H

#include "dp2/capture/capture.h"
#include "replay/player.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FRAME.DRAW. */
struct inspect_place {
    uint32_t frame, draw;
};

/* Parses "2.17", or "2:5:0x1c": frame, DrawPrimitives2 call of the frame and offset in its commands, as in dp2 dump;
 * then draw is UINT32_MAX, and inspect_resolve finds the action. Returns false for other text. */
struct inspect_name {
    struct inspect_place place;
    bool by_offset;
    uint32_t call, offset; /* if by_offset */
};
bool inspect_parse_name(struct inspect_name *name, const char *text);

/* LOCK, PALETTE: not actions, but rows of histories between them: memory that the program wrote, and a change of a palette. */
enum inspect_kind {
    INSPECT_DRAW,
    INSPECT_CLEAR,
    INSPECT_BLIT,
    INSPECT_FILL,
    INSPECT_PRESENT,
    INSPECT_LOCK,
    INSPECT_PALETTE,
    INSPECT_KIND_COUNT
};
const char *inspect_kind_name(enum inspect_kind kind);

#define INSPECT_NO_CALL UINT32_MAX

struct inspect_action {
    enum inspect_kind kind;
    uint32_t event; /* of the frame, from 0 */
    uint32_t
        call; /* DrawPrimitives2 call of the frame, from 0; INSPECT_NO_CALL: a call of its own (Blt, Flip, Clear2) */
    uint32_t context;    /* as the capture calls it; 0: none */
    uint32_t offset;     /* of the command in the call, bytes */
    uint32_t entry;      /* of the command, from 0 */
    const char *token;   /* DRAWPRIMITIVE, CLEAR ..., or the kind of event: blt, flip, clear */
    uint32_t type;       /* D3DPRIMITIVETYPE of a draw; 0: unknown (patches) */
    uint32_t primitives; /* that it asks for */
};

struct inspect;

/* Called while the capture is played up to a frame; may be NULL. */
typedef void (*inspect_progress_fn)(void *user, const struct capture_reader *reader, uint32_t frame);

struct inspect_options {
    size_t memory; /* bytes that checkpoints of a frame may take besides its beginning; 0: 256 MiB */
    /* A checkpoint after every so many actions, and each seek that can begin at one does, so that nothing depends on the clock;
     * 0: as the setting checkpoint_every says, by default where playing is slow. */
    size_t every;
    /* Going back to the beginning of a frame plays the frame before it too, so that what the driver keeps from frame to frame
     * (programs, decoded textures) is there: for times. */
    bool warms;
    /* Nothing is drawn: for questions about states, which do not depend on pixels. A capture is played several times as fast, and
     * contents of surfaces are wrong; going back plays it from its beginning. */
    bool states_alone;
    inspect_progress_fn progress;
    /* Called between two events or actions; returns whether the answer is still wanted. If not, the question ends
     * with an error, and the session accepts the next one. NULL: always wanted. */
    bool (*may_go_on)(void *user);
    void *user;
};

/* The reader must outlive the session, which rewinds it. NULL: see the error. */
struct inspect *inspect_open(struct capture_reader *reader, const struct inspect_options *options,
                             struct capture_error *error);
void inspect_close(struct inspect *session);

/* Loads a frame; position 0. False: there is no such frame (error->text empty), or it cannot be read or played. */
bool inspect_load(struct inspect *session, uint32_t frame, struct capture_error *error);
/* The loaded frame, and its actions. */
uint32_t inspect_frame(const struct inspect *session);
size_t inspect_action_count(const struct inspect *session);
/* The picture that the loaded frame shows at its end; NULL: none, as after the last present of a capture. */
const struct capture_frame *inspect_shown(const struct inspect *session);
const struct inspect_action *inspect_action(const struct inspect *session, size_t number);
/* Number of frames read so far; once inspect_load has failed because a frame does not exist, the number of all
 * frames. */
uint32_t inspect_frames_there(const struct inspect *session);
/* How reading the capture ended; CAPTURE_OK: it has not ended yet. */
enum capture_status inspect_end(const struct inspect *session);

/* Finds the action of a name; loads its frame. False: no such frame or action, see the error. */
bool inspect_resolve(struct inspect *session, const struct inspect_name *name, struct inspect_place *place,
                     struct capture_error *error);

/* Goes to the position after `count` actions of the loaded frame, 0..inspect_action_count. */
bool inspect_seek(struct inspect *session, size_t count, struct capture_error *error);
/* Carries out the next action. *refused (may be NULL): the driver refused the call, or an earlier part of it, so the
 * action was not carried out. */
bool inspect_step(struct inspect *session, bool *refused, struct capture_error *error);
size_t inspect_position(const struct inspect *session);
/* Plays to the end of the frame, after its last action. */
bool inspect_finish(struct inspect *session, struct capture_error *error);

/* The picture that the loaded frame shows at its end, 0xAARRGGBB; the caller frees its pixels. Returns false if it
 * shows none (error->text empty), or cannot be read or played. */
bool inspect_grab_frame(struct inspect *session, struct player_picture *picture, struct capture_error *error);

/* The player at the position, for its pictures (player_grab_surface). */
struct player *inspect_player(struct inspect *session);
/* The surfaces that the context of the last action draws to; 0: none. */
void inspect_targets(struct inspect *session, uint32_t *target, uint32_t *depth);
/* Reads all bytes of a surface as a Lock shows them: *bytes of them, which the caller frees. Returns false if there
 * is no such surface, or out of memory. */
bool inspect_read_surface(struct inspect *session, uint32_t surface, uint8_t **data, size_t *bytes,
                          struct capture_error *error);
/* Did a question fail because memory ran out? Then the error says nothing about the capture. */
bool inspect_lacks_memory(const struct capture_error *error);

#endif
