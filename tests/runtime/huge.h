/* SPDX-License-Identifier: MIT */
/*
 * Resources of sizes near 2^31 and 2^32 bytes, for both versions: a size must be refused, or there is memory for all of it. What is
 * created is locked and written from its first byte to its last; allocations are watched (heap.h), so that a resource that has got
 * fewer bytes than it says is found at the first one too many. In 32 bits, where size_t wraps, above all.
 */
#ifndef TESTS_RUNTIME_HUGE_H
#define TESTS_RUNTIME_HUGE_H

#ifndef COBJMACROS
#define COBJMACROS
#endif
#include "tests/runtime/check.h"

#include <unknwn.h>

enum huge_kind { HUGE_VERTICES, HUGE_INDICES, HUGE_TEXTURE, HUGE_CUBE, HUGE_VOLUME, HUGE_SURFACE, HUGE_KINDS };

struct huge_size {
    enum huge_kind kind;
    DWORD format, usage, pool;
    UINT width, height, depth, levels; /* buffers: width bytes */
};

/* What a lock gave; a buffer is a row. */
struct huge_lock {
    uint8_t *bits;
    INT pitch, slice_pitch;
};

/* What a version does with its device. */
struct huge_version {
    const char *dll;
    HRESULT (*create)(const struct huge_size *size, void **object);
    /* The last face, level 0; everything of it. */
    HRESULT (*lock)(const struct huge_size *size, void *object, struct huge_lock *lock);
    void (*unlock)(const struct huge_size *size, void *object);
};

/* Before the first device: watches the heap of the driver and the dll. */
void huge_watch(const struct huge_version *version);
/* Sizes by a table, then at random. */
void huge_try(const struct huge_version *version);

#endif
