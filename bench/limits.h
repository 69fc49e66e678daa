/* SPDX-License-Identifier: MIT */
/* What the machine allows at most, beside what the rasterizer reaches. */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include "base/base.h"

/* Prints them; flat_fill: pixels per second of the flat fill on one thread at this level, 0: not measured. */
void bench_print_limits(enum cpu_level level, double flat_fill);

#endif
