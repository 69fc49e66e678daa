/* SPDX-License-Identifier: MIT */
/* Flips of a frame: they move memory between surfaces, which keep their numbers. */
#ifndef HALCYON_INSPECT_MOVES_H
#define HALCYON_INSPECT_MOVES_H

#include "dp2/capture/capture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inspect;

/* After the action, `surface` has the memory that `from` had before it. */
struct inspect_move {
    uint32_t action; /* of the frame, from 0: a flip */
    uint32_t surface, from;
};

struct inspect_moves {
    struct inspect_move *list; /* by ascending action */
    size_t count, capacity;
    bool known;
};

/* The moves of the loaded frame, as the driver made them; the session owns the list. The first time a frame that flips
 * is played to its end, without its draws; the next seek then goes back. NULL: see the error. */
const struct inspect_moves *inspect_moves(struct inspect *session, struct capture_error *error);
void inspect_moves_free(struct inspect_moves *moves);

#endif
