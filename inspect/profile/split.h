/* SPDX-License-Identifier: MIT */
/* The cost of pixels, the pixel program and its texture reads in the tiles of a draw. */
#ifndef HALCYON_INSPECT_PROFILE_SPLIT_H
#define HALCYON_INSPECT_PROFILE_SPLIT_H

#include "inspect/inspect.h"

/* Shares of the tiles' time; together 1. */
struct inspect_split {
    double pixels, program, sampling;
};

/*
 * Plays the loaded frame from its beginning. Each draw is repeated unchanged, with texture reads that return white
 * without a lookup, and with a program that gives one colour: the time that these save is the cost of reads and
 * programs. The targets are restored before each. runs: of each, of which the shortest counts. One split for each
 * action goes to `splits`. `progress` as in inspect_profile.
 */
bool inspect_split_tiles(struct inspect *session, unsigned runs, struct inspect_split *splits,
                         void (*progress)(void *user, double share), void *user, struct capture_error *error);

#endif
