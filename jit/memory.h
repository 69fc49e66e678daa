/* SPDX-License-Identifier: MIT */
/*
 * Memory for generated functions, up to a limit. A pool belongs to one thread at a time. Functions that were placed may run on any
 * thread meanwhile: they are neither moved nor written until they are released.
 */
#ifndef HALCYON_JIT_MEMORY_H
#define HALCYON_JIT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "jit/section.h"

#define JIT_MEMORY_LIMIT   (4u << 20)  /* bytes that a device needs at most, docs/limits.md */
#define JIT_MEMORY_REGION  (64u << 10) /* bytes that are requested from the system at once */
#define JIT_MEMORY_LARGEST (60u << 10) /* bytes of a function */

struct jit_memory_pool;

/* Uses two views, or one if the system refuses two or profilers need names. NULL: out of memory, a limit below one
 * region, or the system does not allow running written memory. */
struct jit_memory_pool *jit_memory_create(size_t limit);
/* Likewise, for tests of one of the two ways. */
struct jit_memory_pool *jit_memory_create_of_kind(size_t limit, enum jit_section_kind);
/* No thread may be running functions of the pool. NULL: does nothing. */
void jit_memory_destroy(struct jit_memory_pool *);

/* Copies a function's `count` bytes to where it runs and returns the place, which is a multiple of 64. The code must not depend on
 * its place. `name`: what profilers call it (the key jit_perf of halcyon.conf), or NULL. Returns NULL if the pool is full, or
 * `count` is 0 or more than JIT_MEMORY_LARGEST. */
const void *jit_memory_place(struct jit_memory_pool *, const void *bytes, size_t count, const char *name);
/* Are names needed, for a profiler? */
bool jit_memory_names(const struct jit_memory_pool *);
/* Releases the function at this address, which jit_memory_place returned. No thread may run it now or later. */
void jit_memory_release(struct jit_memory_pool *, const void *address);

/* Bytes that functions take, each rounded up to a multiple of 64 (or, where the system allows one view only, of a page). */
size_t jit_memory_used(const struct jit_memory_pool *);

#endif
