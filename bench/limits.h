/* SPDX-License-Identifier: MIT */
/* The limits of the machine, compared with the speed of the rasterizer. */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include "base/base.h"

/* Prints the limits; flat_fill: pixels per second of the flat fill on one thread at this level, 0: not measured. */
void bench_print_limits(enum cpu_level level, double flat_fill);

#endif
