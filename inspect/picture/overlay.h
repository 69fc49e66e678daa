/* SPDX-License-Identifier: MIT */
/* Marks for the pixels of a target, set by pixel programs of the observer while draws are drawn. */
#ifndef HALCYON_INSPECT_OVERLAY_H
#define HALCYON_INSPECT_OVERLAY_H

#include "inspect/picture/shot.h"

/* Marks of a pixel, one byte or count each, row by row. */
struct inspect_marks {
    unsigned width, height;
    uint32_t *list;
};

enum {
    INSPECT_MARK_COVERED = 1, /* some fragment of the draw is here */
    INSPECT_MARK_ALIVE = 2,   /* some was not killed by the program */
    INSPECT_MARK_OTHER = 4,   /* WIREFRAME: of a culled side; COVERAGE: only touched */
};

/*
 * Plays actions first .. last of the loaded frame, with the observer of the picture for draws to `target`. The marks
 * are allocated with calloc for width x height. Afterwards the contents of surfaces are wrong: the next inspect_seek
 * goes back.
 */
bool inspect_overlay(struct inspect *session, enum inspect_show show, uint32_t target, size_t first, size_t last,
                     struct inspect_marks *marks, struct capture_error *error);
/*
 * Plays the action so that its fragments write one colour, black or white, if they pass all tests. Afterwards the
 * contents of surfaces are wrong.
 */
bool inspect_draw_solid(struct inspect *session, size_t action, bool white, struct capture_error *error);

#endif
