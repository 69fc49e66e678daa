/* SPDX-License-Identifier: MIT */
/*
 * Objects by numbers that the caller chose (light indices, state block and shader handles): any 32-bit key. The number
 * of entries, or their memory, is limited, because a stream may name as many as it likes. A zeroed map holds nothing,
 * and takes no entries until base_map_init.
 */
#ifndef HALCYON_BASE_MAP_H
#define HALCYON_BASE_MAP_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE_MAP_MAX (1u << 30) /* entries that a table can hold, for callers that limit memory in another way */

struct base_map {
    struct base_map_slot {
        uint32_t key;
        void *value; /* NULL: free */
    } * slots;
    uint32_t capacity; /* power of two, or 0 */
    uint32_t count, limit;
};

void base_map_init(struct base_map *map, uint32_t limit);
/* Frees the table and, with free(), every value. */
void base_map_clear(struct base_map *map);
void *base_map_get(const struct base_map *map, uint32_t key);
/* Is the limit reached? If not, and base_map_make returned NULL, it was out of memory. */
static inline bool base_map_is_full(const struct base_map *map)
{
    return map->count >= map->limit;
}
/* The value of `key`, made with mem_calloc(1, size) if there is none. NULL: the limit is reached, or out of memory. */
void *base_map_make(struct base_map *map, uint32_t key, size_t size);
/* Enters a value that the caller has allocated, for a key that has none. False: the limit is reached, or out of memory. */
bool base_map_put(struct base_map *map, uint32_t key, void *value);
/* Removes the value and returns it; the caller frees it. NULL if there is none. */
void *base_map_take(struct base_map *map, uint32_t key);
/* The next value from slot *at on (at first 0), which is advanced; NULL: no more. The map must not change meanwhile. */
void *base_map_next(const struct base_map *map, uint32_t *at);

#endif
