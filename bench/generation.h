/* SPDX-License-Identifier: MIT */
/* How long it takes to generate machine code for a program (docs/generated-code.md), compared with the marks. */
#ifndef BENCH_GENERATION_H
#define BENCH_GENERATION_H

#include "base/base.h"

extern const char *const bench_generations[];
extern const unsigned bench_generation_count;

/* Prints a table of the selected programs for a level; prints nothing if the level has no machine code. seconds: for
 * each row. */
void bench_print_generations(enum cpu_level level, double seconds);

#endif
