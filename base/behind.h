/* SPDX-License-Identifier: MIT */
/* Memory for a structure and what lies behind it. */
#ifndef HALCYON_BEHIND_H
#define HALCYON_BEHIND_H

#include "base/base.h"

/* A structure of `head` bytes with `count` elements of `size` bytes behind it, all 0. NULL: no memory, or the sum or product does not
 * fit into a size_t. Release with free(). */
static inline void *mem_calloc_behind(size_t head, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(head, bytes, &bytes))
        return NULL;
    return mem_calloc(1, bytes);
}

#endif
