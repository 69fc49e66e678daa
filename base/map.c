/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing, at most half full. */
#include "base/map.h"

#include "base/assert.h"
#include "base/base.h"

#include <stdlib.h>

void base_map_init(struct base_map *map, uint32_t limit)
{
    *map = (struct base_map){.limit = limit};
}

void base_map_clear(struct base_map *map)
{
    for (uint32_t i = 0; i < map->capacity; i++)
        free(map->slots[i].value);
    free(map->slots);
    base_map_init(map, map->limit);
}

static uint32_t home(const struct base_map *map, uint32_t key)
{
    return (key * 2654435769u >> 7) & (map->capacity - 1);
}

static struct base_map_slot *map_find(const struct base_map *map, uint32_t key)
{
    uint32_t i = home(map, key);

    while (map->slots[i].value && map->slots[i].key != key)
        i = (i + 1) & (map->capacity - 1);
    return &map->slots[i];
}

void *base_map_get(const struct base_map *map, uint32_t key)
{
    return map->capacity ? map_find(map, key)->value : NULL;
}

static bool map_grow(struct base_map *map)
{
    struct base_map bigger = *map;

    bigger.capacity = map->capacity ? map->capacity * 2 : 16;
    BASE_ASSERT((bigger.capacity & (bigger.capacity - 1)) == 0);
    bigger.slots = mem_calloc(bigger.capacity, sizeof(*bigger.slots));
    if (!bigger.slots)
        return false;
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->slots[i].value)
            *map_find(&bigger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = bigger;
    return true;
}

bool base_map_put(struct base_map *map, uint32_t key, void *value)
{
    if (map->count >= map->limit || (map->count * 2 >= map->capacity && !map_grow(map)))
        return false;
    BASE_ASSERT(!map_find(map, key)->value);
    *map_find(map, key) = (struct base_map_slot){key, value};
    map->count++;
    BASE_ASSERT(2 * map->count <= map->capacity && map->count <= map->limit);
    return true;
}

void *base_map_make(struct base_map *map, uint32_t key, size_t size)
{
    void *value = base_map_get(map, key);

    if (value)
        return value;
    value = base_map_is_full(map) ? NULL : mem_calloc(1, size);
    if (value && !base_map_put(map, key, value)) {
        free(value);
        value = NULL;
    }
    return value;
}

void *base_map_next(const struct base_map *map, uint32_t *at)
{
    while (*at < map->capacity) {
        void *value = map->slots[(*at)++].value;

        if (value)
            return value;
    }
    return NULL;
}

void *base_map_take(struct base_map *map, uint32_t key)
{
    struct base_map_slot *slot = map->capacity ? map_find(map, key) : NULL;
    void *value = slot ? slot->value : NULL;

    if (!value)
        return NULL;
    BASE_ASSERT(map->count > 0);
    slot->value = NULL;
    map->count--;
    /* Entries after the hole may have probed past it: place them again. */
    for (uint32_t i = (uint32_t)(slot - map->slots + 1) & (map->capacity - 1); map->slots[i].value;
         i = (i + 1) & (map->capacity - 1)) {
        const struct base_map_slot moved = map->slots[i];

        map->slots[i].value = NULL;
        *map_find(map, moved.key) = moved;
    }
    return value;
}
