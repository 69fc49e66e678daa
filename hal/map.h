/* SPDX-License-Identifier: MIT */
/*
 * Objects by numbers that the caller chose (light indices, state block and shader handles): any 32-bit key. The number
 * of entries, or their memory, is limited, because a stream may name as many as it likes.
 */
#ifndef HALCYON_HAL_MAP_H
#define HALCYON_HAL_MAP_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HAL_MAP_MAX (1u << 30) /* entries that a table can hold, for callers that limit memory in another way */

struct hal_map {
    struct hal_map_slot {
        uint32_t key;
        void *value; /* NULL: free */
    } * slots;
    uint32_t capacity; /* power of two, or 0 */
    uint32_t count, limit;
};

void hal_map_init(struct hal_map *map, uint32_t limit);
/* Frees the table and, with free(), every value. */
void hal_map_clear(struct hal_map *map);
void *hal_map_get(const struct hal_map *map, uint32_t key);
/* Is the limit reached? If not, and hal_map_make returned NULL, it was out of memory. */
static inline bool hal_map_is_full(const struct hal_map *map)
{
    return map->count >= map->limit;
}
/* The value of `key`, made with mem_calloc(1, size) if there is none. NULL: the limit is reached, or out of memory. */
void *hal_map_make(struct hal_map *map, uint32_t key, size_t size);
/* Removes the value and returns it; the caller frees it. NULL if there is none. */
void *hal_map_take(struct hal_map *map, uint32_t key);

#endif
