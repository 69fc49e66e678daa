/* SPDX-License-Identifier: MIT */
/*
 * Objects that are created, used and released again and again, for both versions: afterwards the dlls have as much memory
 * allocated as before, to the byte, and the process has no more handles, GDI objects or windows. HALCYON_TEST_CYCLES: how
 * often.
 */
#ifndef TESTS_RUNTIME_GROWTH_H
#define TESTS_RUNTIME_GROWTH_H

#include "tests/runtime/devices.h"

struct growth_kind {
    const char *name;
    void (*use)(void);
    unsigned divisor; /* of the number of cycles, because a cycle takes long; 0: 1 */
};

struct growth {
    const struct device_api *version;
    void *device;
    const char *label; /* printed before each kind; NULL: nothing */
    unsigned *cycle;   /* the current cycle, from 0 on, for the kinds */
};

void growth_run(const struct growth *growth, const struct growth_kind *kinds, unsigned count);
/* Everything sent is done, and everything that waits to be freed is freed. */
void growth_finish(const struct device_api *version, void *device);

#endif
