/* SPDX-License-Identifier: MIT */
/*
 * The common part of all objects that a program may hold a reference on, and of the device that owns them. Two
 * counters: `refs` are the program's COM references, `holds` are the runtime's own (bound to the device, part of a
 * state block, owned by a swap chain), plus one while refs > 0. A resource keeps a reference on its device only while
 * the program keeps one on the resource; it lives as long as anybody holds it.
 */
#ifndef HALCYON_RUNTIME_RESOURCE_H
#define HALCYON_RUNTIME_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

struct rt_resource;

/* The part of the device (device/device.h) that resources use. */
struct rt_device_base {
    LONG refs;
    void (*destroy)(struct rt_device_base *base);
    bool threaded; /* D3DCREATE_MULTITHREADED: methods take `lock` */
    CRITICAL_SECTION lock;
};

struct rt_private_data {
    struct rt_private_data *next;
    GUID id;
    bool is_interface;
    DWORD size;
    uint8_t bytes[];
};

struct rt_resource_ops {
    void (*destroy)(struct rt_resource *resource);
};

struct rt_resource {
    LONG refs, holds;
    struct rt_device_base *device;
    struct rt_resource *container; /* of a level: its texture's, which counts for it; NULL: none */
    const struct rt_resource_ops *ops;
    struct rt_private_data *private_data;
    DWORD priority;
};

void rt_device_base_init(struct rt_device_base *base, bool threaded, void (*destroy)(struct rt_device_base *));
ULONG rt_device_base_addref(struct rt_device_base *base);
ULONG rt_device_base_release(struct rt_device_base *base);

/* Created with one COM reference (refs = 1), or with none and one hold for its owner. */
void rt_resource_init(struct rt_resource *resource, struct rt_device_base *device, const struct rt_resource_ops *ops,
                      bool owned);
/* For a level of a texture, which lives as long as the texture. Only its private data is its own. */
void rt_resource_init_level(struct rt_resource *resource, struct rt_resource *container);
ULONG rt_resource_addref(struct rt_resource *resource);
ULONG rt_resource_release(struct rt_resource *resource);
void rt_resource_hold(struct rt_resource *resource);
void rt_resource_unhold(struct rt_resource *resource);

HRESULT rt_private_data_set(struct rt_private_data **list, const GUID *id, const void *data, DWORD size, DWORD flags);
HRESULT rt_private_data_get(struct rt_private_data *list, const GUID *id, void *data, DWORD *size);
HRESULT rt_private_data_free(struct rt_private_data **list, const GUID *id);
void rt_private_data_clear(struct rt_private_data **list);

/* `RT_LOCK(&device->base)` at the top of a method: the device's lock until the scope ends, if it is
 * threaded. */
static inline struct rt_device_base *rt_device_enter(struct rt_device_base *device)
{
    if (!device->threaded)
        return NULL;
    EnterCriticalSection(&device->lock);
    return device;
}
static inline void rt_device_leave(struct rt_device_base **device)
{
    if (*device)
        LeaveCriticalSection(&(*device)->lock);
}
#define RT_LOCK(device) \
    struct rt_device_base *rt_locked __attribute__((cleanup(rt_device_leave), unused)) = rt_device_enter(device)

#endif
