/* SPDX-License-Identifier: MIT */
/*
 * Tests of the internal resolution for either version: pictures that are drawn in processes with different settings, and compared as
 * the program reads them (docs/internal-resolution.md).
 */
#ifndef TESTS_RUNTIME_RESOLUTION_H
#define TESTS_RUNTIME_RESOLUTION_H

#include "tests/runtime/check.h"

#define RESOLUTION_NUMBERS 64

/* The results of a process: the pixels of the back buffer, and numbers that it has read. */
struct resolution_view {
    uint32_t pixels[WIDTH * HEIGHT]; /* 0x00RRGGBB */
    float numbers[RESOLUTION_NUMBERS];
    uint32_t complete; /* the process has come to its end */
};

struct resolution_picture {
    const char *name;
    /* Draws, reads back, and fills *view except for `complete`. */
    void (*draw)(struct resolution_view *view);
    /* Pixels whose channels may differ by more than `step`: those along edges that cross pixels, and those whose details are finer in the
     * enlarged picture. */
    unsigned pixels, step;
    float number; /* by which numbers may differ */
};

/* Draws each picture with no setting, twice and three times as large, and compares. argv[1] of the processes that it starts is
 * "draw NAME"; the exit status of the process. */
int resolution_run(const struct resolution_picture *pictures, unsigned count, int argc, char **argv);

#endif
