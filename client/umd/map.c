/* SPDX-License-Identifier: MIT */
/* A table with open addresses. */
#include "client/umd/map.h"

#include "base/base.h"

#include <stdlib.h>

/* The place of the number, or the first one that was never used. The map has room. */
static struct bridge_place *find(const struct bridge_map *map, uint32_t number)
{
    const uint32_t mask = map->capacity - 1;
    uint32_t at = number * 2654435761u & mask;

    while (map->places[at].used && map->places[at].number != number)
        at = (at + 1) & mask;
    return &map->places[at];
}

void *bridge_map_get(const struct bridge_map *map, uint32_t number)
{
    return map->capacity ? find(map, number)->value : NULL;
}

/* A third of the places stays free, so that searches end. */
static bool make_room(struct bridge_map *map)
{
    struct bridge_map grown = {.capacity = map->capacity ? map->capacity * 2 : 64};

    if (map->capacity && map->used < map->capacity / 3 * 2)
        return true;
    grown.places = mem_calloc(grown.capacity, sizeof(*grown.places));
    if (!grown.places)
        return false;
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->places[i].value) {
            *find(&grown, map->places[i].number) = map->places[i];
            grown.used++;
        }
    free(map->places);
    *map = grown;
    return true;
}

bool bridge_map_put(struct bridge_map *map, uint32_t number, void *value)
{
    struct bridge_place *place;

    if (!make_room(map))
        return false;
    place = find(map, number);
    map->used += !place->used;
    *place = (struct bridge_place){number, true, value};
    return true;
}

void *bridge_map_take(struct bridge_map *map, uint32_t number)
{
    struct bridge_place *place = map->capacity ? find(map, number) : NULL;
    void *value = place ? place->value : NULL;

    if (place)
        place->value = NULL;
    return value;
}

void *bridge_map_next(const struct bridge_map *map, uint32_t *at)
{
    while (*at < map->capacity) {
        void *value = map->places[(*at)++].value;

        if (value)
            return value;
    }
    return NULL;
}

void bridge_map_clear(struct bridge_map *map)
{
    free(map->places);
    *map = (struct bridge_map){.capacity = 0};
}
