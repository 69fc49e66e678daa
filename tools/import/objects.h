/* SPDX-License-Identifier: MIT */
/*
 * The numbers that objects, handles, windows and locks of a trace have in the stream. A trace names objects by their addresses, which
 * programs get again for new objects once the old ones are gone.
 */
#ifndef HALCYON_TOOLS_IMPORT_OBJECTS_H
#define HALCYON_TOOLS_IMPORT_OBJECTS_H

#include "tools/import/classes.h"
#include "tools/import/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key of the map is an address, or a number that Direct3D 8 gives out. */
enum import_space { SPACE_OBJECT, SPACE_VERTEX_SHADER, SPACE_PIXEL_SHADER, SPACE_STATE_BLOCK, SPACE_WINDOW };

struct import_object {
    uint64_t key;
    enum import_space space;
    uint32_t number; /* 0: the slot of the map is free */
    enum import_class class;
    bool dead;              /* released; the class is still known */
    uint32_t window;        /* of a device: the number of the window it was made for */
    uint32_t width, height; /* of a window */
};

/* A part of a resource that the program has locked. */
struct import_lock {
    uint64_t address;
    uint32_t object, key, pitch, slice;
};

struct import_objects {
    struct import_object *slots;
    size_t capacity, count;
    uint32_t numbers, windows; /* given out */
    struct import_lock *locks; /* in the order in which they were made */
    size_t lock_count, lock_capacity;
};

void import_objects_free(struct import_objects *objects);
/* NULL: there is none. */
struct import_object *import_object_find(const struct import_objects *objects, enum import_space space, uint64_t key);
/* A new number for a key, which may have been that of an older object. NULL: out of memory, or of numbers. The pointer is valid until
 * the next one is made. */
struct import_object *import_object_make(struct import_objects *objects, enum import_space space, uint64_t key,
                                         enum import_class class);

/* False: out of memory, or too many locks. */
bool import_lock_add(struct import_objects *objects, const struct import_lock *lock);
void import_lock_remove(struct import_objects *objects, uint32_t object, uint32_t key);
/* The lock whose memory holds `address`, the one that begins most closely before it. NULL: none begins before it. */
const struct import_lock *import_lock_find(const struct import_objects *objects, uint64_t address);

#endif
