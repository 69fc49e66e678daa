/* SPDX-License-Identifier: MIT */
/* The objects of the stream. */
#include "tools/import/player/player.h"

#include <stdlib.h>
#include <string.h>

/* The identifier of each class's interface. (No header of Direct3D declares those of both versions.) */
#undef INTERFACE
#define METHOD(...)
#define PROCEDURE(...)
#define END(name)
#define INTERFACE(name) extern const GUID IID_##name;
#include "d3d/methods8.def"
#include "d3d/methods9.def"
#undef INTERFACE
extern const GUID IID_IDirect3D9, IID_IDirect3DDevice9, IID_IDirect3DSwapChain9;

#define INTERFACE(name) [CLASS_##name] = &IID_##name,
static const GUID *const identifiers[CLASS_COUNT] = {
#include "d3d/methods8.def"
#include "d3d/methods9.def"
};

/* The interface that all objects of a class have: not the Ex form, which only those of Direct3D 9Ex have. */
static const GUID *identifier_of(enum import_class class)
{
    switch (class) {
    case CLASS_IDirect3D9Ex:
        return &IID_IDirect3D9;
    case CLASS_IDirect3DDevice9Ex:
        return &IID_IDirect3DDevice9;
    case CLASS_IDirect3DSwapChain9Ex:
        return &IID_IDirect3DSwapChain9;
    default:
        return class < CLASS_COUNT ? identifiers[class] : NULL;
    }
}

static bool is_of_class(IUnknown *iface, enum import_class class)
{
    const GUID *identifier = identifier_of(class);
    void *same;

    if (!identifier || FAILED(IUnknown_QueryInterface(iface, identifier, &same)))
        return false;
    IUnknown_Release((IUnknown *)same);
    return true;
}

struct player_object *player_object(struct player *player, uint32_t number)
{
    if (!number || number > STREAM_OBJECTS)
        return NULL;
    if (number >= player->capacity) {
        const size_t capacity = 2 * (size_t)number + 256;
        struct player_object *objects = realloc(player->objects, capacity * sizeof(*objects));

        if (!objects)
            return NULL;
        memset(objects + player->capacity, 0, (capacity - player->capacity) * sizeof(*objects));
        player->objects = objects;
        player->capacity = capacity;
    }
    return &player->objects[number];
}

struct player_object *player_object_of(struct player *player, uint32_t number, enum import_class class)
{
    struct player_object *object = number < player->capacity ? &player->objects[number] : NULL;

    return object && object->iface && (class == CLASS_NONE || object->class == class) ? object : NULL;
}

bool player_object_take(struct player *player, uint32_t number, enum import_class class, IUnknown *iface)
{
    struct player_object *object = number ? player_object(player, number) : NULL;

    if (!object) {
        IUnknown_Release(iface);
        return !number;
    }
    /* a number that is known already is that of the same object */
    if (object->iface ? object->iface != iface : !is_of_class(iface, class)) {
        IUnknown_Release(iface);
        return false;
    }
    object->iface = iface;
    object->class = class;
    object->references++;
    return true;
}

void player_object_drop(struct player *player, uint32_t number)
{
    struct player_object *object = &player->objects[number];

    if (!--object->references)
        *object = (struct player_object){0};
}
