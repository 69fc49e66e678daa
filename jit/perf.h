/* SPDX-License-Identifier: MIT */
/*
 * Names of generated functions for profilers: a line for each, address and size in hexadecimal and the name. perf looks for them in
 * /tmp/perf-PROCESS.map. Source: the documentation of perf in Linux, "Jit interface".
 */
#ifndef HALCYON_JIT_PERF_H
#define HALCYON_JIT_PERF_H

#include <stddef.h>

struct jit_perf;

/* Opens the file that the key jit_perf names. NULL: the key is not set, or the log says why there is none. */
struct jit_perf *jit_perf_open(void);
void jit_perf_close(struct jit_perf *);
/* Appends a line. Does nothing without a file or without a name. */
void jit_perf_add(struct jit_perf *, const void *address, size_t bytes, const char *name);

#endif
