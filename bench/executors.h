/* SPDX-License-Identifier: MIT */
/*
 * The cost of the executors of the shader IR alone: batches of 64 lanes through one program, without a rasterizer
 * around it.
 */
#ifndef BENCH_EXECUTORS_H
#define BENCH_EXECUTORS_H

#include "base/base.h"

/* vs_1_1 of 20 instructions: v0 position, v3 normal, v7 coordinates; c0..c14. */
extern const uint32_t bench_vs_lit[];

extern const char *const bench_programs[];
extern const unsigned bench_program_count;

/* Lanes (pixels or vertices) per second of program `index` on one core; the best of three runs. */
double bench_program(unsigned index, enum cpu_level level, double seconds);

#endif
