/* SPDX-License-Identifier: MIT */
/*
 * Regions, each of which is divided into units of 64 bytes or a page. A function takes a row of free units: the first that is long
 * enough, so that old regions fill up before a new one is made.
 */
#include "jit/memory.h"
#include "base/assert.h"
#include "base/base.h"
#include "jit/perf.h"

#include <stdlib.h>

#define MAX_UNITS (JIT_MEMORY_REGION / 64)

struct region {
    struct region *next;
    struct jit_section section;
    unsigned longest;           /* no row of free units is longer */
    unsigned fresh;             /* units from this one on never had code */
    uint16_t length[MAX_UNITS]; /* of the function that begins with the unit, in units; 0: no function does */
};

struct jit_memory_pool {
    enum jit_section_kind kind;
    size_t unit, used;
    size_t regions_left; /* that the limit allows */
    struct region *regions;
    struct jit_perf *perf; /* NULL: names are not needed */
};

static unsigned units_of(const struct jit_memory_pool *pool, size_t bytes)
{
    return (unsigned)((bytes + pool->unit - 1) / pool->unit);
}

static unsigned region_units(const struct jit_memory_pool *pool)
{
    return (unsigned)(JIT_MEMORY_REGION / pool->unit);
}

static unsigned first_unit(const struct jit_memory_pool *pool)
{
    return units_of(pool, JIT_SECTION_HEAD);
}

/* NULL: the limit is reached, or the system is out of memory. */
static struct region *add_region(struct jit_memory_pool *pool)
{
    struct region *region = pool->regions_left ? mem_calloc(1, sizeof(*region)) : NULL, **last = &pool->regions;

    if (!region)
        return NULL;
    if (!jit_section_open(&region->section, JIT_MEMORY_REGION, pool->kind)) {
        free(region);
        return NULL;
    }
    region->fresh = first_unit(pool);
    region->longest = region_units(pool) - region->fresh;
    while (*last)
        last = &(*last)->next;
    *last = region;
    pool->regions_left--;
    return region;
}

struct jit_memory_pool *jit_memory_create_of_kind(size_t limit, enum jit_section_kind kind)
{
    struct jit_memory_pool *pool = mem_calloc(1, sizeof(*pool));

    if (!pool)
        return NULL;
    pool->kind = kind;
    pool->unit = jit_section_unit(kind);
    pool->regions_left = limit / JIT_MEMORY_REGION;
    if (!add_region(pool)) {
        free(pool);
        return NULL;
    }
    pool->perf = jit_perf_open();
    return pool;
}

struct jit_memory_pool *jit_memory_create(size_t limit)
{
    struct jit_memory_pool *pool = jit_memory_create_of_kind(limit, JIT_TWO_VIEWS);

    /* perf only looks up names in memory without a file; two views share a file. */
    if (pool && jit_memory_names(pool)) {
        jit_memory_destroy(pool);
        pool = NULL;
    }
    return pool ? pool : jit_memory_create_of_kind(limit, JIT_ONE_VIEW);
}

void jit_memory_destroy(struct jit_memory_pool *pool)
{
    if (!pool)
        return;
    while (pool->regions) {
        struct region *region = pool->regions;

        pool->regions = region->next;
        jit_section_close(&region->section);
        free(region);
    }
    jit_perf_close(pool->perf);
    free(pool);
}

/* The first of `count` free units in a row; 0, which is the head's: there are none. */
static unsigned find(const struct jit_memory_pool *pool, struct region *region, unsigned count)
{
    unsigned free_units = 0, longest = 0;

    if (count > region->longest)
        return 0;
    for (unsigned unit = first_unit(pool); unit < region_units(pool);) {
        const unsigned taken = region->length[unit];

        free_units = taken ? 0 : free_units + 1;
        longest = BASE_MAX(longest, free_units);
        unit += taken ? taken : 1;
        if (free_units == count)
            return unit - count;
    }
    region->longest = longest;
    return 0;
}

static const void *place_in(struct jit_memory_pool *pool, struct region *region, const void *bytes, size_t count)
{
    const unsigned units = units_of(pool, count), unit = find(pool, region, units);

    if (!unit || !jit_section_write(&region->section, unit * pool->unit, bytes, count, unit < region->fresh))
        return NULL;
    region->length[unit] = (uint16_t)units;
    region->fresh = BASE_MAX(region->fresh, unit + units);
    pool->used += units * pool->unit;
    return region->section.run + unit * pool->unit;
}

const void *jit_memory_place(struct jit_memory_pool *pool, const void *bytes, size_t count, const char *name)
{
    const void *address = NULL;
    struct region *region;

    if (!count || count > JIT_MEMORY_LARGEST)
        return NULL;
    for (region = pool->regions; region && !address; region = region->next)
        address = place_in(pool, region, bytes, count);
    if (!address && (region = add_region(pool)))
        address = place_in(pool, region, bytes, count);
    if (address)
        jit_perf_add(pool->perf, address, count, name);
    return address;
}

bool jit_memory_names(const struct jit_memory_pool *pool)
{
    return pool->perf;
}

void jit_memory_release(struct jit_memory_pool *pool, const void *address)
{
    for (struct region *region = pool->regions; region; region = region->next) {
        /* Beyond the region's end if the address lies before it. */
        const size_t offset = (size_t)((uintptr_t)address - (uintptr_t)region->section.run);
        const size_t unit = offset / pool->unit;

        if (offset >= JIT_MEMORY_REGION)
            continue;
        BASE_ASSERT(offset % pool->unit == 0 && region->length[unit]);
        jit_section_erase(&region->section, offset, region->length[unit] * pool->unit);
        pool->used -= region->length[unit] * pool->unit;
        region->length[unit] = 0;
        region->longest = region_units(pool);
        return;
    }
    BASE_ASSERT(!"the pool has this function");
}

size_t jit_memory_used(const struct jit_memory_pool *pool)
{
    return pool->used;
}
