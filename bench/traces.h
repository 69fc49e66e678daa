/* SPDX-License-Identifier: MIT */
/* Traces of the catalogue's scenes (bench/catalogue/): what each part of their frames costs, for bench/simulate. */
#ifndef BENCH_TRACES_H
#define BENCH_TRACES_H

#include <stdbool.h>

/* Draws some frames of each scene that the command line wants, 640x480, with a driver that records them into FOLDER/SCENE.trace
 * (raster/trace.h). A file of that name is replaced. False: a file cannot be written, or drawing failed. */
bool bench_traces(const char *folder);

#endif
