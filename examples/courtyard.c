/* SPDX-License-Identifier: MIT */
/*
 * A courtyard in the manner of engines of about 2008, in Direct3D 9: about 220 objects of metal, stone, wood and glaze,
 * lit by the sun with three shadow cascades, by lamps and by the surroundings, in forward passes; four cameras at once,
 * each with its own shadows, or one of them:
 *
 *   courtyard.exe [--view 0|1|2|3] [--frames N] [--shot FILE]
 */
#include "examples/courtyard.h"

#include <stdlib.h>
#include <string.h>

/* Removes --view N from the command line; all examples share the remaining options. */
static int take_view(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--view"))
            continue;
        courtyard_show((unsigned)atoi(argv[i + 1]));
        memmove(argv + i, argv + i + 2, sizeof(*argv) * (unsigned)(argc - i - 2));
        return argc - 2;
    }
    return argc;
}

int main(int argc, char **argv)
{
    static const struct example example = {"Courtyard", courtyard_create, courtyard_draw, courtyard_destroy};

    return example_run(&example, take_view(argc, argv), argv);
}
