/* SPDX-License-Identifier: MIT */
/* Whole frames of the catalogue's scenes (bench/catalogue/), in two sizes, and whether their cost grows as their work does. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <stdbool.h>

#include "base/base.h"

/* Measures what the command line wants, with one thread and with all processors, `seconds` each, and prints the tables. once:
 * a frame of each instead, to see whether everything runs. False: a mark is missed, or something failed. */
bool bench_frames(enum cpu_level level, double seconds, bool once);

/* One scene alone in this process, whose environment sets the driver up: for profiles and pictures. `shot`: a PPM file of its
 * frame 5, NULL for none. Returns the exit status. */
int bench_one_scene(const char *name, unsigned width, unsigned height, double seconds, const char *shot);

#endif
