/* SPDX-License-Identifier: MIT */
/* How much of everything the process has, for tests that do one thing many times. */
#ifndef TESTS_RUNTIME_USAGE_H
#define TESTS_RUNTIME_USAGE_H

#include <stddef.h>

/* Handles, GDI objects and windows: the highest places that new ones get, which are given out from the lowest free one on. */
struct usage {
    size_t memory;
    unsigned handles, gdi, windows;
};

/* HALCYON_TEST_CYCLES, or `otherwise`. */
unsigned cycles_or(unsigned otherwise);
struct usage measure(void);
/* A failure if there is more than before, except for what comes and goes by itself; says what there was and is. */
void compare(const char *what, const struct usage *before, const struct usage *after);

#endif
