/* SPDX-License-Identifier: MIT */
/* Measurements in separate processes, because the driver reads its configuration once; and the clocks. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Calls `measure` in a child process whose driver has that level and number of threads, and copies the `size` bytes at
 * `result` from the child. Returns false if the child failed. */
bool bench_in_child(enum cpu_level level, unsigned threads, void (*measure)(void *result), void *result, size_t size);

/* For one thread this is processor time, so that other load on the machine hardly counts; otherwise it is the
 * clock's. */
double bench_seconds(unsigned threads);

/* Does the command line select the row, by the beginning of its name, or select no rows at all? */
bool bench_is_wanted(const char *name);

#endif
