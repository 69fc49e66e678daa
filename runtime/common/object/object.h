/* SPDX-License-Identifier: MIT */
/*
 * The head of every COM object of the runtime, and the methods that all objects have. An interface pointer is the
 * object: its first member is the vtable of the API's version, which api->interfaces names for each kind of object.
 * Functions whose names end like a method's (rt_object_AddRef) are methods, the same for both versions; `iface` is the
 * object.
 */
#ifndef HALCYON_RUNTIME_OBJECT_H
#define HALCYON_RUNTIME_OBJECT_H

#include "runtime/common/object/resource.h"

struct rt_device;

enum rt_kind {
    RT_KIND_SURFACE,
    RT_KIND_VOLUME,
    RT_KIND_TEXTURE,
    RT_KIND_CUBE_TEXTURE,
    RT_KIND_VOLUME_TEXTURE,
    RT_KIND_VERTEX_BUFFER,
    RT_KIND_INDEX_BUFFER,
    RT_KIND_SWAPCHAIN,
    /* objects of version 9 only */
    RT_KIND_DECLARATION,
    RT_KIND_VERTEX_SHADER,
    RT_KIND_PIXEL_SHADER,
    RT_KIND_STATE_BLOCK,
    RT_KIND_QUERY,
    RT_KINDS,
};

/* How a version shows a kind of object. */
struct rt_interface {
    const void *vtbl;
    const GUID *const *ids; /* interfaces that QueryInterface finds; ends with NULL */
};

/* Members of every object, in this order: `RT_OBJECT;` begins its structure. */
#define RT_OBJECT                        \
    struct {                             \
        const void *vtbl;                \
        struct rt_resource res;          \
        struct rt_device *device;        \
        uint8_t kind; /* enum rt_kind */ \
    }

struct rt_object {
    RT_OBJECT;
};

/* The object of type `struct type` whose resource this is. */
#define RT_FROM_RES(type, resource) ((struct type *)((char *)(resource)-offsetof(struct type, res)))

/* Like rt_resource_init; the vtable is that of the device's version. `object` is one that begins with RT_OBJECT. */
void rt_object_init(void *object, struct rt_device *device, enum rt_kind kind, const struct rt_resource_ops *ops,
                    bool owned);
/* A level of the texture `container`. */
void rt_object_init_level(void *object, struct rt_device *device, enum rt_kind kind, struct rt_resource *container);

/* Gives *out a reference on `object` if riid is among `ids`, which end with NULL; E_NOINTERFACE and NULL otherwise,
 * E_POINTER without `out`, E_INVALIDARG without `riid`. */
HRESULT rt_query(void *object, const GUID *riid, const GUID *const *ids, void **out);

HRESULT WINAPI rt_object_QueryInterface(void *iface, const GUID *riid, void **out);
ULONG WINAPI rt_object_AddRef(void *iface);
ULONG WINAPI rt_object_Release(void *iface);
/* D3DERR_INVALIDCALL without `out`. */
HRESULT WINAPI rt_object_GetDevice(void *iface, void **out);
HRESULT WINAPI rt_object_SetPrivateData(void *iface, const GUID *id, const void *data, DWORD size, DWORD flags);
HRESULT WINAPI rt_object_GetPrivateData(void *iface, const GUID *id, void *data, DWORD *size);
HRESULT WINAPI rt_object_FreePrivateData(void *iface, const GUID *id);
/* For objects without a priority (surfaces): sets nothing, returns 0. */
DWORD WINAPI rt_object_SetNoPriority(void *iface, DWORD priority);
DWORD WINAPI rt_object_GetPriority(void *iface);
/* For objects that have nothing to load. */
void WINAPI rt_object_PreLoad(void *iface);

#endif
