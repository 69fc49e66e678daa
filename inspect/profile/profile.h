/* SPDX-License-Identifier: MIT */
/*
 * Where the time of a frame goes.
 *
 * Drawing is deferred: triangles are collected, and all threads draw the tiles when the result is needed. So a frame
 * has a time, but a draw in the middle of it has none. Two things are measured, independently of each other:
 *
 *   the frame    as it was recorded, event by event, with as many threads as the driver has, until all of it has been drawn
 *   its actions  one by one on one thread, each drawn before the next: together they take longer than one thread takes for the frame, since
 *                tiles come into the cache again for each, and what later draws hide has been drawn
 *
 * Both begin with the event of the first action. At the start of a capture the events before it restore surfaces,
 * contexts and states, which would make the first action look expensive. The frame's time includes everything between
 * actions; an action's time includes the calls since the previous action, which set its states, but not the capture's
 * writes to surfaces.
 *
 * The session must have been opened with `warms`.
 */
#ifndef HALCYON_INSPECT_PROFILE_H
#define HALCYON_INSPECT_PROFILE_H

#include "hal/flush.h"
#include "inspect/draws.h"
#include "inspect/profile/spans.h"

/* X(NUMBER, name, help) */
#define INSPECT_PHASES(X)                                                                                          \
    X(INSPECT_PHASE_STATES, "states", "commands and states, until a draw is ready: programs, textures, constants") \
    X(INSPECT_PHASE_VERTICES, "vertices", "indices looked up, vertices fetched and processed")                     \
    X(INSPECT_PHASE_SETUP, "setup", "primitives assembled, clipped, culled, set up, put into bins")                \
    X(INSPECT_PHASE_PIXELS, "pixels", "coverage, depth, stencil, interpolation, blending, storing")                \
    X(INSPECT_PHASE_PROGRAM, "program", "the pixel program, without its texture reads")                            \
    X(INSPECT_PHASE_SAMPLING, "sampling", "texture reads")                                                         \
    X(INSPECT_PHASE_CLEARS, "clears", "clears")                                                                    \
    X(INSPECT_PHASE_COPIES, "copies", "blits, fills and presents")

enum inspect_phase {
#define INSPECT_PHASE_NUMBER(NUMBER, name, help) NUMBER,
    INSPECT_PHASES(INSPECT_PHASE_NUMBER) INSPECT_PHASE_COUNT
};
const char *inspect_phase_name(enum inspect_phase phase);

/* Seconds, over several runs. */
struct inspect_spread {
    double least, median, most;
};

struct inspect_profile_row {
    struct inspect_place place;
    struct inspect_action action;
    bool refused;
    char text[INSPECT_TEXT];  /* not of draws: as dp2 dump prints it */
    char state[INSPECT_TEXT]; /* of a draw: states that make pixels cheap or expensive, "z <=, blend ..., 2 textures" */
    struct inspect_spread seconds;        /* of the action by itself, on one thread */
    double phase[INSPECT_PHASE_COUNT];    /* seconds, of the run in the middle: their sum is its time */
    uint64_t vertices;                    /* that went through the vertex stage */
    uint64_t primitives;                  /* that came to the rasterizer, clipped */
    uint64_t pixels;                      /* that passed all tests */
    uint32_t target;                      /* surface; 0: none */
    uint32_t vertex_shader, pixel_shader; /* handles; 0: fixed function */
    unsigned parts;                       /* draws that the driver made from it */
    /* Steps of its programs, each as often as there were vertices or pixels, and those of them that were machine code. */
    uint64_t steps, generated_steps;
};

/* Machine code of programs (docs/generated-code.md), of the last run of the undisturbed frame. */
struct inspect_profile_code {
    uint32_t programs; /* that have some at the end of the frame */
    uint64_t bytes;    /* of it */
    uint32_t made;     /* programs that got it in the frame */
    double seconds;    /* that this took */
};

struct inspect_profile {
    struct inspect_spread frame; /* undisturbed */
    unsigned threads;            /* of the undisturbed frame */
    double actions;              /* the sum of the rows' medians */
    struct inspect_profile_code code;
    uint64_t scenes[HAL_FLUSH_COUNT]; /* that ended in the last run of the undisturbed frame, by reason (hal/flush.h) */
    struct inspect_profile_row *rows;
    size_t count;
};

struct inspect_profile_options {
    unsigned loops; /* runs of each kind, at least 1 */
    /* `share` of the work with the frame is done, 0..1. May be NULL. */
    void (*progress)(void *user, double share);
    void *user;
    struct inspect_spans *spans; /* timeline of the threads, in one more undisturbed run; NULL: not wanted */
    double (*clock)(void *user); /* the clock, monotonic; NULL: clock_seconds */
};

/* Profiles the loaded frame. Returns false on failure, see the error; there is then nothing to free. */
bool inspect_profile(struct inspect *session, const struct inspect_profile_options *options,
                     struct inspect_profile *profile, struct capture_error *error);
void inspect_profile_free(struct inspect_profile *profile);

#endif
