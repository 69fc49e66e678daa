/* SPDX-License-Identifier: MIT */
/* Whole frames of the catalogue's scenes (bench/catalogue/), in two sizes, and whether their cost grows as their work does. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <stdbool.h>

#include "base/base.h"

/* Measures the scenes selected by the command line, with one thread and with all processors, `seconds` each, and prints
 * the tables. once: draws a frame of each instead, to see whether everything runs. Returns false if a mark is missed, or
 * something failed. */
bool bench_frames(enum cpu_level level, double seconds, bool once);

/* Runs one scene in this process, whose environment configures the driver: for profiles and pictures. `shot`: a PPM
 * file for frame 5, or NULL. Returns the exit status. */
int bench_one_scene(const char *name, unsigned width, unsigned height, double seconds, const char *shot);

#endif
