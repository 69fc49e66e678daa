/* SPDX-License-Identifier: MIT */
/*
 * Resources with sizes near 2^31 and 2^32 bytes, for both versions: a size must be refused, or there must be memory for
 * all of it. Created resources are locked and written from the first byte to the last. Allocations are watched
 * (heap.h), so that a resource with fewer bytes than it claims is found at the first byte too many. Mainly for 32 bits,
 * where size_t wraps.
 */
#ifndef TESTS_RUNTIME_HUGE_H
#define TESTS_RUNTIME_HUGE_H

#include "tests/runtime/devices.h"
#include "tests/runtime/resources.h"

/* The functions of a version for its device. */
struct huge_version {
    const char *dll;
    const struct device_api *devices;
    const struct resource_api *resources;
    /* Vertices of draws are transformed positions. Indices have 32 or 16 bits. */
    HRESULT (*set_positions)(void *device);
    HRESULT (*draw)(void *device, DWORD type, UINT count, const void *vertices, UINT stride);
    HRESULT(*draw_indexed)
    (void *device, DWORD type, UINT vertex_count, UINT count, const void *indices, bool wide, const void *vertices);
    HRESULT (*set_private_data)(IUnknown *texture, const GUID *id, const void *data, DWORD bytes);
};

/* Before the first device: watches the heap of the driver and the dll. */
void huge_watch(const struct huge_version *version);
/* Resources with sizes from a table, then with random sizes. */
void huge_resources(const struct huge_version *version);
/* Counts whose byte sizes are small modulo 2^32: nothing may be drawn from the few bytes that are there. */
void huge_draws(const struct huge_version *version);
void huge_private_data(const struct huge_version *version);

#endif
