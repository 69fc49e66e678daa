/* SPDX-License-Identifier: MIT */
/* Allocation with the overflow checks for sizes from the other side of the driver interface.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <malloc.h>
#endif

#define SMALLEST  256 /* bytes of a buffer that grows */
#define ALIGNMENT 64  /* bytes: a cache line, and the widest SIMD register */

void *mem_calloc(size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return calloc(1, BASE_MAX(bytes, 1));
}

void *mem_alloc(size_t count, size_t size, size_t extra)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, extra, &bytes))
        return NULL;
    return malloc(BASE_MAX(bytes, 1));
}

void *mem_realloc(void *old, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return realloc(old, BASE_MAX(bytes, 1));
}

void *mem_grow(void *old, size_t *capacity, size_t length, size_t more)
{
    const size_t doubled = *capacity > SIZE_MAX / 4 ? SIZE_MAX / 2 : 2 * *capacity;
    size_t wanted;
    void *bigger;

    if (__builtin_add_overflow(length, more, &wanted))
        return NULL;
    if (old && wanted <= *capacity)
        return old;
    wanted = BASE_MAX(BASE_MAX(wanted, doubled), SMALLEST);
    bigger = realloc(old, wanted);
    if (bigger)
        *capacity = wanted;
    return bigger;
}

void *mem_alloc_aligned(size_t bytes)
{
    void *p;

    if (bytes > SIZE_MAX - ALIGNMENT)
        return NULL;
    bytes = BASE_MAX(bytes, 1);
#ifdef _WIN32
    p = _aligned_malloc(bytes, ALIGNMENT);
#else
    if (posix_memalign(&p, ALIGNMENT, bytes))
        p = NULL;
#endif
    if (p)
        memset(p, 0, bytes);
    return p;
}

void mem_free_aligned(void *p)
{
#ifdef _WIN32
    _aligned_free(p);
#else
    free(p);
#endif
}
