/* SPDX-License-Identifier: MIT */
/* Allocates a structure together with the array that follows it. */
#ifndef HALCYON_BEHIND_H
#define HALCYON_BEHIND_H

#include "base/base.h"

/* A zeroed structure of `head` bytes followed by `count` elements of `size` bytes. NULL: out of memory, or the size
 * overflows. Release with free(). */
static inline void *mem_calloc_behind(size_t head, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(head, bytes, &bytes))
        return NULL;
    return mem_calloc(1, bytes);
}

#endif
