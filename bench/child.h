/* SPDX-License-Identifier: MIT */
/* Measurements in processes of their own, because the driver reads its configuration once; and the clocks. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Calls `measure` in a child whose driver has that level and so many threads, and takes over the `size` bytes at `result` that it
 * leaves. False: the child failed. */
bool bench_in_child(enum cpu_level level, unsigned threads, void (*measure)(void *result), void *result, size_t size);

/* Of one thread the processor's time is taken, so that what else the machine does hardly counts; else the clock's. */
double bench_seconds(unsigned threads);

/* Whether the command line names the row, by the beginning of its name, or none at all. */
bool bench_is_wanted(const char *name);

#endif
