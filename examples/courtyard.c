/* SPDX-License-Identifier: MIT */
/*
 * A courtyard in the manner of engines of about 2008, in Direct3D 9: about 220 objects of metal, stone, wood and glaze, lit forward by the
 * sun through three cascades of shadows, by lamps and by what is around; four cameras at once, each with its own shadows, or one of them:
 *
 *   courtyard.exe [--view 0|1|2|3] [--frames N] [--shot FILE]
 */
#include "examples/courtyard.h"

#include <stdlib.h>
#include <string.h>

/* Takes --view N off the command line, whose rest is that of all examples. */
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
