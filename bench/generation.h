/* SPDX-License-Identifier: MIT */
/* How long it takes to make machine code of a program (docs/generated-code.md), beside the marks for it. */
#ifndef BENCH_GENERATION_H
#define BENCH_GENERATION_H

#include "base/base.h"

extern const char *const bench_generations[];
extern const unsigned bench_generation_count;

/* Prints a table of those that are wanted, for a level; nothing if it has no machine code. seconds: for each row. */
void bench_print_generations(enum cpu_level level, double seconds);

#endif
