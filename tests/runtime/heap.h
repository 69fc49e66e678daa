/* SPDX-License-Identifier: MIT */
/*
 * The heap of watched dlls: their imports of malloc and related functions lead here, as tests/fault/fail.c preloads
 * them on Linux. Counts allocations, makes them fail, and finds writes outside of blocks, uses of freed blocks, and
 * frees of blocks that are not allocated. From any thread.
 */
#ifndef TESTS_RUNTIME_HEAP_H
#define TESTS_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include <windows.h>

struct heap_use {
    size_t bytes, blocks; /* that are allocated now */
};

/* Watches a dll that has been loaded and has allocated nothing yet, or nothing that it frees. Returns false if it
 * imports no allocator. */
bool heap_watch(HMODULE module);
struct heap_use heap_use(void);

/* Allocation number `in` from now (from 1) fails, and the `count` - 1 allocations after it; 0: none fails. */
void heap_fail(unsigned in, unsigned count);
/* Has an allocation failed since heap_fail? */
bool heap_has_failed(void);

/* The limit on allocated bytes; allocations beyond it fail. 0: no limit except for the system's. */
void heap_limit(size_t bytes);

/* One in `one_in` allocations, and every large one, ends before an inaccessible page, and becomes inaccessible when it
 * is freed. All of them are filled when they are allocated and when they are freed. 0: none of this. */
void heap_guard(unsigned one_in);
/* The number of damaged allocations, each of which is reported on a line that begins with "#". */
unsigned heap_damage(void);
/* Prints the blocks that have been allocated since (heap_serial) and still are: their size, and the caller that
 * allocated them. */
unsigned long long heap_serial(void);
void heap_list(unsigned long long since);

/* Prints " MODULE+OFFSET". */
void heap_print_address(const void *address);

#endif
