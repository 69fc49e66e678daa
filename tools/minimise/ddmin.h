/* SPDX-License-Identifier: MIT */
/*
 * Delta debugging: removes items of a list while a test still succeeds (Zeller and Hildebrandt, "Simplifying and
 * Isolating Failure-Inducing Input", 2002). Only complements are tried, from the end of the list backwards, in runs of
 * half of the items, a quarter and so on down to one: later items matter least to the rest.
 */
#ifndef HALCYON_TOOLS_MINIMISE_DDMIN_H
#define HALCYON_TOOLS_MINIMISE_DDMIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ddmin_answer {
    DDMIN_NO,   /* the test fails: the removed items are restored */
    DDMIN_YES,  /* it holds */
    DDMIN_STOP, /* likewise, and the work ends */
};

struct ddmin {
    /* Called with some of the kept items removed. The initial list has been tested already. */
    enum ddmin_answer (*test)(void *user);
    /* Progress from 0 to 1; never decreases. May be NULL. */
    void (*progress)(void *user, double share);
    void *user;
};

/* Items are pointers to flags: 1 kept, as all are at the beginning, 0 removed. At the end the *count kept items are
 * at the front of the list, and no single one can be removed. Returns false if a test has answered DDMIN_STOP. */
bool ddmin_list(const struct ddmin *ddmin, uint8_t **items, size_t *count);

/* Shortens the range [*begin, *end), which has no holes, from both sides; it keeps at least `least` members, and *begin moves in
 * multiples of `step` (0: not at all). Returns false if a test has answered DDMIN_STOP. */
bool ddmin_range(const struct ddmin *ddmin, uint32_t *begin, uint32_t *end, uint32_t least, uint32_t step);

#endif
