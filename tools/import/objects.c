/* SPDX-License-Identifier: MIT */
/* Objects, handles, windows and locks of a trace. */
#include "tools/import/objects.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LOCKS 4096

void import_objects_free(struct import_objects *objects)
{
    free(objects->slots);
    free(objects->locks);
    *objects = (struct import_objects){0};
}

static size_t hash_of(enum import_space space, uint64_t key)
{
    uint64_t hash = (key ^ (uint64_t)space << 60) * 0x9e3779b97f4a7c15u;

    return (size_t)(hash ^ hash >> 32);
}

/* The slot of a key, or the free one where it belongs. The map has a free slot. */
static struct import_object *slot_of(const struct import_objects *objects, enum import_space space, uint64_t key)
{
    for (size_t i = hash_of(space, key);; i++) {
        struct import_object *slot = &objects->slots[i & (objects->capacity - 1)];

        if (!slot->number || (slot->key == key && slot->space == space))
            return slot;
    }
}

struct import_object *import_object_find(const struct import_objects *objects, enum import_space space, uint64_t key)
{
    struct import_object *slot = objects->capacity ? slot_of(objects, space, key) : NULL;

    return slot && slot->number ? slot : NULL;
}

/* Keeps a third of the slots free. */
static bool grow(struct import_objects *objects)
{
    struct import_objects larger = {.capacity = BASE_MAX(2 * objects->capacity, (size_t)256)};

    if (objects->count + 1 <= objects->capacity / 3 * 2)
        return true;
    larger.slots = mem_calloc(larger.capacity, sizeof(*larger.slots));
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < objects->capacity; i++)
        if (objects->slots[i].number)
            *slot_of(&larger, objects->slots[i].space, objects->slots[i].key) = objects->slots[i];
    free(objects->slots);
    objects->slots = larger.slots;
    objects->capacity = larger.capacity;
    return true;
}

struct import_object *import_object_make(struct import_objects *objects, enum import_space space, uint64_t key,
                                         enum import_class class)
{
    uint32_t *numbers = space == SPACE_WINDOW ? &objects->windows : &objects->numbers;
    struct import_object *slot;

    if (*numbers >= (space == SPACE_WINDOW ? STREAM_WINDOWS : STREAM_OBJECTS) || !grow(objects))
        return NULL;
    slot = slot_of(objects, space, key);
    objects->count += !slot->number;
    *slot = (struct import_object){.key = key, .space = space, .number = ++*numbers, .class = class};
    return slot;
}

/* --- locks ---------------------------------------------------------------------------------------- */

bool import_lock_add(struct import_objects *objects, const struct import_lock *lock)
{
    import_lock_remove(objects, lock->object, lock->key);
    if (objects->lock_count == objects->lock_capacity) {
        const size_t capacity = BASE_MAX(2 * objects->lock_capacity, (size_t)16);
        struct import_lock *locks =
            capacity <= MOST_LOCKS ? mem_realloc(objects->locks, capacity, sizeof(*locks)) : NULL;

        if (!locks)
            return false;
        objects->locks = locks;
        objects->lock_capacity = capacity;
    }
    objects->locks[objects->lock_count++] = *lock;
    return true;
}

void import_lock_remove(struct import_objects *objects, uint32_t object, uint32_t key)
{
    for (size_t i = 0; i < objects->lock_count; i++)
        if (objects->locks[i].object == object && objects->locks[i].key == key) {
            memmove(&objects->locks[i], &objects->locks[i + 1],
                    (objects->lock_count - i - 1) * sizeof(objects->locks[0]));
            objects->lock_count--;
            return;
        }
}

const struct import_lock *import_lock_find(const struct import_objects *objects, uint64_t address)
{
    const struct import_lock *best = NULL;

    for (size_t i = 0; i < objects->lock_count; i++)
        if (objects->locks[i].address <= address && (!best || objects->locks[i].address >= best->address))
            best = &objects->locks[i];
    return best;
}
