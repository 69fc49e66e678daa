/* SPDX-License-Identifier: MIT */
/* Objects by the numbers that streams give them: a table with open addresses. Number 0 is a number like any other. */
#ifndef HALCYON_CLIENT_UMD_MAP_H
#define HALCYON_CLIENT_UMD_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct bridge_map {
    struct bridge_place {
        uint32_t number;
        bool used;   /* has been; keeps searches going if its value is NULL */
        void *value; /* NULL: removed */
    } * places;
    uint32_t capacity, used; /* capacity: 0, or a power of two */
};

/* NULL: none. */
void *bridge_map_get(const struct bridge_map *map, uint32_t number);
/* There is none yet. False: out of memory. */
bool bridge_map_put(struct bridge_map *map, uint32_t number, void *value);
/* Removes it. NULL: there was none. */
void *bridge_map_take(struct bridge_map *map, uint32_t number);
/* The next value from place *at on (first 0), which is moved; NULL: no more. */
void *bridge_map_next(const struct bridge_map *map, uint32_t *at);
/* Values stay. */
void bridge_map_clear(struct bridge_map *map);

#endif
