/* SPDX-License-Identifier: MIT */
/* What pixels, the pixel program and its texture reads each cost of the tiles of a draw. */
#ifndef HALCYON_INSPECT_PROFILE_SPLIT_H
#define HALCYON_INSPECT_PROFILE_SPLIT_H

#include "inspect/inspect.h"

/* Shares of the tiles' time; together 1. */
struct inspect_split {
    double pixels, program, sampling;
};

/*
 * Plays the loaded frame from its beginning. Each draw is drawn again as it is, with texture reads that answer white without looking,
 * and with a program that gives one colour: what these save is what reads and programs cost. Before each the targets are put back.
 * runs: of each, of which the shortest counts. One split for each action goes to `splits`. `progress` as in inspect_profile.
 */
bool inspect_split_tiles(struct inspect *session, unsigned runs, struct inspect_split *splits,
                         void (*progress)(void *user, double share), void *user, struct capture_error *error);

#endif
