/* SPDX-License-Identifier: MIT */
/* The identity of the adapter: what GetAdapterIdentifier of both versions returns, by the settings adapter and
 * adapter_*. */
#ifndef HALCYON_RUNTIME_IDENTITY_H
#define HALCYON_RUNTIME_IDENTITY_H

#include <stdint.h>

#include <windows.h>

struct rt_identity {
    const char *driver, *description; /* of less than 512 bytes each */
    uint32_t vendor, device;          /* PCI numbers; 0, 0: none */
    LARGE_INTEGER version;            /* product, version, subversion, build; 16 bits each */
    GUID guid;                        /* another for another vendor, device or version, as documented */
};

/* product, version: the first two numbers of the version of a driver that no row of d3d/vendors.def describes. */
void rt_identity(unsigned product, unsigned version, struct rt_identity *identity);

#endif
