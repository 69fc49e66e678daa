/* SPDX-License-Identifier: MIT */
/* Blits of DirectDraw: how many sprites a second, and what a colour key costs. */
#ifndef BENCH_BLITS_H
#define BENCH_BLITS_H

#include <stdbool.h>

#include "base/base.h"

/* Measures the rows that the command line selects, `seconds` each, with one thread, and prints their table. Returns false
 * if a mark is missed, or a blit failed. */
bool bench_blits(enum cpu_level level, double seconds);

#endif
