/* SPDX-License-Identifier: MIT */
/*
 * The heap of dlls under watch: their imports of malloc and its kin lead here instead, as tests/fault/fail.c preloads them on
 * Linux. Counts what is allocated, lets allocations fail, and finds writes outside of them, uses of what is freed, and frees of
 * what is not allocated. From any thread.
 */
#ifndef TESTS_RUNTIME_HEAP_H
#define TESTS_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include <windows.h>

struct heap_use {
    size_t bytes, blocks; /* that are allocated now */
};

/* Of a dll that has been loaded and has allocated nothing yet, or nothing that it frees. False: it imports no allocator. */
bool heap_watch(HMODULE module);
struct heap_use heap_use(void);

/* The allocation `in` from now (from 1) fails, and with it `count` - 1 behind it; 0: none does. */
void heap_fail(unsigned in, unsigned count);
/* Has one failed since heap_fail? */
bool heap_has_failed(void);

/* Bytes that there may be at once; what is more fails, too. 0: as many as the system gives. */
void heap_limit(size_t bytes);

/* One of `one_in` allocations, and every large one, ends before a page that cannot be touched, and cannot be touched when it is
 * freed. All of them are filled when they come and when they go. 0: nothing of that. */
void heap_guard(unsigned one_in);
/* How many allocations have been damaged, each of which is named on a line that begins with "#". */
unsigned heap_damage(void);
/* Prints what has been allocated since (heap_serial) and is still there: bytes, and who has allocated it. */
unsigned long long heap_serial(void);
void heap_list(unsigned long long since);

/* Prints " MODULE+OFFSET". */
void heap_print_address(const void *address);

#endif
