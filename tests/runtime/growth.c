/* SPDX-License-Identifier: MIT */
/* Repeats the use of objects and compares what is allocated before and after. */
#include "tests/runtime/growth.h"

#include "tests/runtime/heap.h"
#include "tests/runtime/usage.h"

#include <stdlib.h>

#define CYCLES  100
#define SETTLED 40 /* cycles after which nothing happens for the first time */
#define FRAME   16 /* cycles of a frame */

void growth_finish(const struct device_api *version, void *device)
{
    version->clear(device, 0);
    CHECK_HR(version->present(device, NULL), S_OK);
    free(version->read(device));
}

static void run_kind(const struct growth *growth, const struct growth_kind *kind, unsigned cycles)
{
    struct usage before = {0, 0, 0, 0}, after;
    struct heap_use heap = {0, 0}, now;
    unsigned long long since = 0;
    UINT memory = 0;

    for (unsigned cycle = 0; cycle < cycles + SETTLED; cycle++) {
        if (cycle == SETTLED) {
            growth_finish(growth->version, growth->device);
            before = measure();
            heap = heap_use();
            since = heap_serial();
            memory = growth->version->free_memory(growth->device);
        }
        *growth->cycle = cycle;
        kind->use();
        if (cycle % FRAME == FRAME - 1)
            growth_finish(growth->version, growth->device); /* the driver's memory for a scene grows with the scene */
    }
    growth_finish(growth->version, growth->device);
    now = heap_use();
    after = measure();
    if (growth->label)
        printf("# %s: ", growth->label);
    compare(kind->name, &before, &after);
    if (now.blocks > heap.blocks + 4 || now.bytes > heap.bytes + 4096) {
        failed(__FILE__, __LINE__, "%s: %zu blocks of %zu bytes were allocated, and after %u cycles %zu of %zu",
               kind->name, heap.blocks, heap.bytes, cycles, now.blocks, now.bytes);
        heap_list(since);
    }
    CHECK_EQUAL(growth->version->free_memory(growth->device), memory);
}

void growth_run(const struct growth *growth, const struct growth_kind *kinds, unsigned count)
{
    const unsigned cycles = cycles_or(CYCLES);

    for (unsigned i = 0; i < count; i++)
        run_kind(growth, &kinds[i], cycles / (kinds[i].divisor ? kinds[i].divisor : 1));
}
