/* SPDX-License-Identifier: MIT */
/* Shared by the files of the library. */
#ifndef HALCYON_LIBRARY_INTERNAL_H
#define HALCYON_LIBRARY_INTERNAL_H

#include <halcyon.h>

#include "dp2/capture/capture.h"
#include "replay/player.h"

#include <stdbool.h>

/* Every function of the API except for those of results and verdicts runs between these two. library_enter clears the message of
 * the thread; library_leave returns `result`. */
void library_enter(void);
enum halcyon_result library_leave(enum halcyon_result result);

/* Sets the message of the thread, and returns `result`. */
enum halcyon_result library_fail(enum halcyon_result result, const char *format, ...)
    __attribute__((format(gnu_printf, 2, 3)));
enum halcyon_result library_no_memory(void);
/* The failure of a reader, player or session: out of memory, of the system, or else `otherwise`. */
enum halcyon_result library_fail_with(const struct capture_error *error, enum halcyon_result otherwise);

/* Starts the driver for an object. */
enum halcyon_result library_start_driver(struct client_driver *driver);

/* A picture whose pixels the object owns. */
struct library_picture {
    struct player_picture grabbed;
    uint64_t hash;
    bool valid;
};
void library_picture_drop(struct library_picture *picture);
/* Takes over the pixels of `grabbed`. */
void library_picture_set(struct library_picture *picture, const struct player_picture *grabbed);
void library_picture_give(const struct library_picture *picture, struct halcyon_picture *out);

/* --- captures: replayed by a player, or, once the history of a pixel was asked for, by the frame debugger. */

struct inspect;

struct halcyon_capture {
    uint8_t *bytes; /* the copy of a capture in memory; NULL: a file */
    struct capture_reader *reader;
    uint32_t frames;
    /* One of both, or none: the reader has one position. */
    struct player *player;
    struct inspect *session; /* the only one of the process */
    struct client_driver driver;
    bool has_driver;
    /* of the player */
    bool reached; /* it has reached the end of `frame`, which `shown` belongs to */
    bool spoiled; /* it must begin again */
    uint32_t frame;
    struct capture_frame shown;
    uint64_t refused;
    struct library_picture picture; /* of picture_frame */
    uint32_t picture_frame;
};

/* Ends the session, if it has one, and the player. */
void library_capture_stop(struct halcyon_capture *capture);
/* Checks the number of a frame. */
enum halcyon_result library_check_frame(const struct halcyon_capture *capture, uint32_t frame);
/* history.c: ends the session of the capture. */
void library_session_close(struct halcyon_capture *capture);
/* Has the capture a session? One that has lacked memory ends here. */
bool library_has_session(struct halcyon_capture *capture);
/* Did the driver or the session lack memory? Then answers would be wrong. */
bool library_session_lacks_memory(const struct halcyon_capture *capture, const struct capture_error *error);
/* The failure of a question to the session, which ends if memory ran out, so that the next question begins again. */
enum halcyon_result library_session_fail(struct halcyon_capture *capture, const struct capture_error *error);

#endif
