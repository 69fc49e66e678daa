/* SPDX-License-Identifier: MIT */
/* The objects of the stream. */
#include "tools/import/player/player.h"

#include <stdlib.h>
#include <string.h>

/* Each class with the interface that its objects answer to: one without Ex, which other devices deny. */
#define CLASSES(X)                                                                                                  \
    X(IDirect3D8, IDirect3D8)                                                                                       \
    X(IDirect3DDevice8, IDirect3DDevice8)                                                                           \
    X(IDirect3DSwapChain8, IDirect3DSwapChain8)                                                                     \
    X(IDirect3DTexture8, IDirect3DTexture8)                                                                         \
    X(IDirect3DCubeTexture8, IDirect3DCubeTexture8)                                                                 \
    X(IDirect3DVolumeTexture8, IDirect3DVolumeTexture8)                                                             \
    X(IDirect3DSurface8, IDirect3DSurface8)                                                                         \
    X(IDirect3DVolume8, IDirect3DVolume8)                                                                           \
    X(IDirect3DVertexBuffer8, IDirect3DVertexBuffer8) X(IDirect3DIndexBuffer8, IDirect3DIndexBuffer8)               \
        X(IDirect3D9Ex, IDirect3D9) X(IDirect3DDevice9Ex, IDirect3DDevice9)                                         \
            X(IDirect3DSwapChain9Ex, IDirect3DSwapChain9) X(IDirect3DTexture9, IDirect3DTexture9)                   \
                X(IDirect3DCubeTexture9, IDirect3DCubeTexture9) X(IDirect3DVolumeTexture9, IDirect3DVolumeTexture9) \
                    X(IDirect3DSurface9, IDirect3DSurface9) X(IDirect3DVolume9, IDirect3DVolume9)                   \
                        X(IDirect3DVertexBuffer9, IDirect3DVertexBuffer9)                                           \
                            X(IDirect3DIndexBuffer9, IDirect3DIndexBuffer9)                                         \
                                X(IDirect3DVertexDeclaration9, IDirect3DVertexDeclaration9)                         \
                                    X(IDirect3DVertexShader9, IDirect3DVertexShader9)                               \
                                        X(IDirect3DPixelShader9, IDirect3DPixelShader9)                             \
                                            X(IDirect3DStateBlock9, IDirect3DStateBlock9)                           \
                                                X(IDirect3DQuery9, IDirect3DQuery9)

/* (no header of Direct3D declares those of both versions) */
#define DECLARE(class, interface) extern const GUID IID_##interface;
CLASSES(DECLARE)

#define ROW(class, interface) [CLASS_##class] = &IID_##interface,
static const GUID *const identifiers[CLASS_COUNT] = {CLASSES(ROW)};

static bool is_of_class(IUnknown *iface, enum import_class class)
{
    void *same;

    if (class >= CLASS_COUNT || !identifiers[class] ||
        FAILED(IUnknown_QueryInterface(iface, identifiers[class], &same)))
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
