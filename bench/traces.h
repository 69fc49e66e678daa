/* SPDX-License-Identifier: MIT */
/* Traces of the catalogue's scenes (bench/catalogue/): the cost of each part of their frames, for bench/simulate. */
#ifndef BENCH_TRACES_H
#define BENCH_TRACES_H

#include <stdbool.h>

/* Draws some frames of each scene that the command line wants, 640x480, with a driver that records them into
 * FOLDER/SCENE.trace (raster/trace.h). An existing file is replaced. Returns false if a file cannot be written, or
 * drawing failed. */
bool bench_traces(const char *folder);

#endif
