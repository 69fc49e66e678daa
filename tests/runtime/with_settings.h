/* SPDX-License-Identifier: MIT */
/*
 * Tests of settings that a program must not notice, for either version of Direct3D: pictures that are drawn in processes with different
 * values of a setting, and compared as the program reads them.
 */
#ifndef TESTS_RUNTIME_WITH_SETTINGS_H
#define TESTS_RUNTIME_WITH_SETTINGS_H

#include "tests/runtime/check.h"

#define SETTINGS_NUMBERS 64

/* The results of a process: the pixels of the back buffer, and numbers that it has read. */
struct settings_view {
    uint32_t pixels[WIDTH * HEIGHT]; /* 0x00RRGGBB */
    float numbers[SETTINGS_NUMBERS];
    uint32_t complete; /* the process has come to its end */
};

struct settings_picture {
    const char *name;
    /* Draws, reads back, and fills *view except for `complete`. */
    void (*draw)(struct settings_view *view);
    /* Pixels whose channels may differ by more than `step`: such as those along edges that cross pixels, or whose details are finer in an
     * enlarged picture. */
    unsigned pixels, step;
    float number; /* by which numbers may differ */
};

#define MOST_VALUES 4

/* An environment variable, and its values; unset is one more, with which the others are compared. */
struct setting {
    const char *variable, *values[MOST_VALUES];
};

/* Draws each picture without the setting and with each of its values, and compares. argv[1] of the processes that it starts is
 * "draw NAME"; the exit status of the process. */
int settings_run(const struct setting *setting, const struct settings_picture *pictures, unsigned count, int argc,
                 char **argv);

#endif
