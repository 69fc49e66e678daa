/* SPDX-License-Identifier: MIT */
/*
 * Memory between two inaccessible pages, for the data of generated code, whose accesses sanitizers do not see. The data
 * begin right after the first page, or end right before the second.
 */
#ifndef HALCYON_TESTS_FUZZ_GUARDED_H
#define HALCYON_TESTS_FUZZ_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <sys/mman.h>
#include <unistd.h>

struct guarded {
    uint8_t *first; /* after the first page */
    size_t room;    /* bytes up to the second page: whole pages */
};

/* Aborts if the system has no memory. */
static inline struct guarded guarded_create(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    uint8_t *map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED || mprotect(map + page, room, PROT_READ | PROT_WRITE))
        abort();
    return (struct guarded){map + page, room};
}

/* Where `bytes`, rounded up to a multiple of 64, begin if they are placed at one of the ends. */
static inline void *guarded_place(const struct guarded *g, size_t bytes, bool at_end)
{
    bytes = (bytes + 63) & ~(size_t)63;
    if (bytes > g->room)
        abort();
    return at_end ? g->first + g->room - bytes : g->first;
}

#endif
