/* SPDX-License-Identifier: MIT */
/*
 * Resources of sizes near 2^31 and 2^32 bytes, for both versions: a size must be refused, or there is memory for all of it. What is
 * created is locked and written from its first byte to its last; allocations are watched (heap.h), so that a resource that has got
 * fewer bytes than it says is found at the first one too many. In 32 bits, where size_t wraps, above all.
 */
#ifndef TESTS_RUNTIME_HUGE_H
#define TESTS_RUNTIME_HUGE_H

#include "tests/runtime/resources.h"

/* What a version does with its device. */
struct huge_version {
    const char *dll;
    const struct resource_api *resources;
    void *(*open)(HWND window); /* a device; NULL: there is none */
    void (*close)(void *device, HWND window);
    /* Of vertices that are transformed positions, between `begin` and `end`. Indices have 32 or 16 bits. */
    void (*begin)(void *device);
    void (*end)(void *device);
    HRESULT (*draw)(void *device, DWORD type, UINT count, const void *vertices, UINT stride);
    HRESULT(*draw_indexed)
    (void *device, DWORD type, UINT vertex_count, UINT count, const void *indices, bool wide, const void *vertices);
    HRESULT (*set_private_data)(IUnknown *texture, const GUID *id, const void *data, DWORD bytes);
};

/* Before the first device: watches the heap of the driver and the dll. */
void huge_watch(const struct huge_version *version);
/* Resources of sizes by a table, then at random. */
void huge_resources(const struct huge_version *version);
/* Counts whose bytes are few in 32 bits: nothing may be drawn from the few that are there. */
void huge_draws(const struct huge_version *version);
void huge_private_data(const struct huge_version *version);

#endif
