/* SPDX-License-Identifier: MIT */
/* Names of handles: a table with open addresses. Handles are the driver's, so they may be anything. */
#include "tools/calls/internal.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KINDS 8

struct place {
    HANDLE handle;    /* NULL: never used */
    const char *kind; /* NULL: forgotten */
    unsigned number;
};

static struct place *places;
static size_t capacity, used; /* capacity: 0, or a power of two */
static struct {
    const char *kind;
    unsigned count;
} kinds[MOST_KINDS];

static struct place *place_of(struct place *list, size_t size, HANDLE handle)
{
    size_t at = (size_t)(((uint64_t)(uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (size - 1);

    while (list[at].handle && list[at].handle != handle)
        at = (at + 1) & (size - 1);
    return &list[at];
}

/* Room for another handle; those that are forgotten are left behind. */
static bool grow(void)
{
    size_t live = 0, size = 64;
    struct place *bigger;

    if (2 * (used + 1) <= capacity)
        return true;
    for (size_t i = 0; i < capacity; i++)
        live += places[i].kind != NULL;
    while (size < 4 * (live + 1))
        size *= 2;
    bigger = mem_calloc(size, sizeof(*bigger));
    if (!bigger)
        return false;
    for (size_t i = 0; i < capacity; i++)
        if (places[i].kind)
            *place_of(bigger, size, places[i].handle) = places[i];
    free(places);
    places = bigger;
    capacity = size;
    used = live;
    return true;
}

static unsigned next_number(const char *kind)
{
    unsigned i = 0;

    while (i < MOST_KINDS - 1 && kinds[i].kind && strcmp(kinds[i].kind, kind))
        i++;
    kinds[i].kind = kind;
    return ++kinds[i].count;
}

void calls_name(HANDLE handle, const char *kind)
{
    struct place *place;

    if (!handle || !grow())
        return;
    place = place_of(places, capacity, handle);
    used += !place->handle;
    *place = (struct place){handle, kind, next_number(kind)};
}

void calls_forget(HANDLE handle)
{
    if (handle && capacity)
        place_of(places, capacity, handle)->kind = NULL;
}

void calls_forget_all(void)
{
    free(places);
    places = NULL;
    capacity = used = 0;
    memset(kinds, 0, sizeof(kinds));
}

const char *calls_name_of(HANDLE handle, char text[CALLS_NAME])
{
    const struct place *place = handle && capacity ? place_of(places, capacity, handle) : NULL;

    if (!handle)
        return "NULL";
    if (place && place->kind)
        snprintf(text, CALLS_NAME, "%s %u", place->kind, place->number);
    else
        snprintf(text, CALLS_NAME, "0x%" PRIxPTR, (uintptr_t)handle);
    return text;
}
