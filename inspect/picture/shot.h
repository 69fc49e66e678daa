/* SPDX-License-Identifier: MIT */
/* Pictures of a draw: targets after it, and its effects on them. */
#ifndef HALCYON_INSPECT_SHOT_H
#define HALCYON_INSPECT_SHOT_H

#include "inspect/inspect.h"

/* X(NUMBER, name, meaning of its colours) */
#define INSPECT_SHOWS(X)                                                                                        \
    X(INSPECT_SHOW_COLOR, "color", "the target after the draw")                                                 \
    X(INSPECT_SHOW_BEFORE, "before", "the target before the draw")                                              \
    X(INSPECT_SHOW_ALPHA, "alpha", "alpha of the target as grey")                                               \
    X(INSPECT_SHOW_DEPTH, "depth", "least depth black, greatest white")                                         \
    X(INSPECT_SHOW_STENCIL, "stencil", "0 black, the greatest value white")                                     \
    X(INSPECT_SHOW_TOUCHED, "touched", "what the draw changed keeps its color; red: covered, but unchanged")    \
    X(INSPECT_SHOW_OVERDRAW, "overdraw", "fragments up to this draw: black none, blue one, red the most")       \
    X(INSPECT_SHOW_QUADS, "quad-overdraw", "quads shaded, helper pixels included: blue one, red the most")      \
    X(INSPECT_SHOW_WIREFRAME, "wireframe", "edges of the primitives; red: culled")                              \
    X(INSPECT_SHOW_TESTS, "depth-fail", "green passed; red failed stencil, depth or alpha test; yellow killed") \
    X(INSPECT_SHOW_MIP, "mip", "level of the first texture: 0 blue, green, yellow, orange, red")                \
    X(INSPECT_SHOW_SIZE, "triangle-size", "up to 1 pixel red, 4 orange, 16 yellow, 64 green, more blue")        \
    X(INSPECT_SHOW_COVERAGE, "coverage", "white: the center is covered; orange: only touched")

enum inspect_show {
#define INSPECT_SHOW_NUMBER(NUMBER, name, legend) NUMBER,
    INSPECT_SHOWS(INSPECT_SHOW_NUMBER) INSPECT_SHOW_COUNT
};
const char *inspect_show_name(enum inspect_show show);

struct inspect_shot {
    struct player_picture picture; /* free() its pixels */
    uint32_t surface;              /* that it is of */
    struct player_depths depths;   /* DEPTH: black and white */
    uint32_t most; /* STENCIL: the greatest value; OVERDRAW, QUADS: the greatest count; MIP: the least detailed level */
    uint64_t marked; /* pixels that the draw touched, failed ..., of the pictures that mark some */
    double mean;     /* OVERDRAW, QUADS: over the pixels with any */
};

/*
 * The picture of an action of the loaded frame. depths: the depths shown as black and white; NULL: the least and the
 * greatest. Returns false if there is no such target, or out of memory, see the error.
 */
bool inspect_shoot(struct inspect *session, uint32_t action, enum inspect_show show, const struct player_depths *depths,
                   struct inspect_shot *shot, struct capture_error *error);

/* The surface and the time of a picture; all 0: colour 0 (for depth and stencil the depth buffer) after the action. */
struct inspect_shot_of {
    unsigned target;                    /* of colour, 0 .. HAL_INSPECT_TARGETS - 1 */
    uint32_t surface;                   /* this one, whatever the action draws to; 0: the target */
    bool before;                        /* before the action: COLOR, ALPHA, DEPTH, STENCIL */
    const struct player_depths *depths; /* as above */
};
/* The same of another surface or time. What a draw did is shown for its own targets alone. */
bool inspect_shoot_of(struct inspect *session, uint32_t action, enum inspect_show show,
                      const struct inspect_shot_of *of, struct inspect_shot *shot, struct capture_error *error);

#endif
