/* SPDX-License-Identifier: MIT */
/* The resources that the process uses, for tests that repeat something many times. */
#ifndef TESTS_RUNTIME_USAGE_H
#define TESTS_RUNTIME_USAGE_H

#include <stddef.h>

/* Handles, GDI objects and windows: the highest slots that new ones get; the system gives out the lowest free slot. */
struct usage {
    size_t memory;
    unsigned handles, gdi, windows;
};

/* HALCYON_TEST_CYCLES, or `otherwise`. */
unsigned cycles_or(unsigned otherwise);
struct usage measure(void);
/* Notes a failure if more is in use than before, except for things that come and go by themselves; prints both
 * numbers. */
void compare(const char *what, const struct usage *before, const struct usage *after);

#endif
