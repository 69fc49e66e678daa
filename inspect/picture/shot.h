/* SPDX-License-Identifier: MIT */
/* Pictures of a draw: targets after it, and its effects on them. */
#ifndef HALCYON_INSPECT_SHOT_H
#define HALCYON_INSPECT_SHOT_H

#include "inspect/inspect.h"

/* X(NUMBER, name, help) */
#define INSPECT_SHOWS(X)                                                                                           \
    X(INSPECT_SHOW_COLOR, "color", "the color target after the draw")                                              \
    X(INSPECT_SHOW_BEFORE, "before", "the color target before it")                                                 \
    X(INSPECT_SHOW_ALPHA, "alpha", "its alpha, as grey")                                                           \
    X(INSPECT_SHOW_DEPTH, "depth", "the depth buffer, least black, greatest white")                                \
    X(INSPECT_SHOW_STENCIL, "stencil", "the stencil buffer, 0 black, greatest white")                              \
    X(INSPECT_SHOW_TOUCHED, "touched", "what the draw changed; the rest is dark, covered but unchanged red")       \
    X(INSPECT_SHOW_OVERDRAW, "overdraw", "how many fragments were tested, from the frame's first draw to it")      \
    X(INSPECT_SHOW_QUADS, "quad-overdraw", "how many quads were shaded, helper pixels included")                   \
    X(INSPECT_SHOW_WIREFRAME, "wireframe", "the edges of its primitives: visible side white, culled red")          \
    X(INSPECT_SHOW_TESTS, "depth-fail", "green passed, red failed stencil, depth or alpha test, yellow killed")    \
    X(INSPECT_SHOW_MIP, "mip", "the level of detail of the first texture read: 0 blue, 1 green ...")               \
    X(INSPECT_SHOW_SIZE, "triangle-size", "pixels of the triangle on top: up to 1 red, 4, 16, 64, 256, more blue") \
    X(INSPECT_SHOW_COVERAGE, "coverage", "pixels whose center is covered white, those only touched orange")

enum inspect_show {
#define INSPECT_SHOW_NUMBER(NUMBER, name, help) NUMBER,
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

#endif
