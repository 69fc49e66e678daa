/* SPDX-License-Identifier: MIT */
/* References of objects and of their device, and private data. */
#include "runtime/common/object/resource.h"

#include <d3d8.h>

#include "base/base.h"
#include "base/behind.h"

void rt_device_base_init(struct rt_device_base *device, bool threaded, void (*destroy)(struct rt_device_base *))
{
    device->refs = 1;
    device->destroy = destroy;
    device->threaded = threaded;
    InitializeCriticalSection(&device->lock);
}

ULONG rt_device_base_addref(struct rt_device_base *device)
{
    return InterlockedIncrement(&device->refs);
}

ULONG rt_device_base_release(struct rt_device_base *device)
{
    LONG refs = InterlockedDecrement(&device->refs);
    if (!refs)
        device->destroy(device);
    return refs;
}

void rt_resource_init(struct rt_resource *resource, struct rt_device_base *device, const struct rt_resource_ops *ops,
                      bool owned)
{
    resource->device = device;
    resource->ops = ops;
    resource->holds = 1;
    resource->refs = owned ? 0 : 1;
    if (!owned)
        rt_device_base_addref(device);
}

void rt_resource_init_level(struct rt_resource *resource, struct rt_resource *container)
{
    resource->device = container->device;
    resource->container = container;
}

/* The resource whose counters decide its lifetime. */
static struct rt_resource *counted(struct rt_resource *resource)
{
    return resource->container ? resource->container : resource;
}

ULONG rt_resource_addref(struct rt_resource *resource)
{
    LONG refs;

    resource = counted(resource);
    refs = InterlockedIncrement(&resource->refs);
    if (refs == 1) {
        rt_device_base_addref(resource->device);
        rt_resource_hold(resource);
    }
    return refs;
}

ULONG rt_resource_release(struct rt_resource *resource)
{
    struct rt_device_base *device = resource->device;
    LONG refs;

    resource = counted(resource);
    /* Programs release implicit surfaces once too often; the count stays at zero. */
    if (resource->refs <= 0)
        return 0;
    refs = InterlockedDecrement(&resource->refs);
    if (!refs) {
        {
            RT_LOCK(device);
            rt_resource_unhold(resource);
        }
        rt_device_base_release(device);
    }
    return refs;
}

void rt_resource_hold(struct rt_resource *resource)
{
    InterlockedIncrement(&counted(resource)->holds);
}

void rt_resource_unhold(struct rt_resource *resource)
{
    resource = counted(resource);
    if (InterlockedDecrement(&resource->holds))
        return;
    rt_private_data_clear(&resource->private_data);
    resource->ops->destroy(resource);
}

static struct rt_private_data **find_private_data(struct rt_private_data **list, const GUID *id)
{
    while (*list && memcmp(&(*list)->id, id, sizeof(*id)))
        list = &(*list)->next;
    return list;
}

static void free_entry(struct rt_private_data *entry)
{
    IUnknown *object;

    if (entry->is_interface) {
        memcpy(&object, entry->bytes, sizeof(object));
        object->lpVtbl->Release(object);
    }
    free(entry);
}

HRESULT rt_private_data_set(struct rt_private_data **list, const GUID *id, const void *data, DWORD size, DWORD flags)
{
    bool is_interface = flags & D3DSPD_IUNKNOWN;
    struct rt_private_data *entry;

    if (is_interface && size != sizeof(IUnknown *))
        return D3DERR_INVALIDCALL;
    if (!data && size)
        return D3DERR_INVALIDCALL;
    entry = mem_calloc_behind(sizeof(*entry), size, 1);
    if (!entry)
        return E_OUTOFMEMORY;
    entry->id = *id;
    entry->is_interface = is_interface;
    entry->size = size;
    if (is_interface) {
        /* `data` is the interface itself, not a pointer to it. */
        IUnknown *object = (IUnknown *)(uintptr_t)data;
        memcpy(entry->bytes, &object, sizeof(object));
        object->lpVtbl->AddRef(object);
    } else if (size) {
        memcpy(entry->bytes, data, size);
    }
    /* Linked first: the program may end the list's owner in the Release of what was there before. */
    entry->next = *list;
    *list = entry;
    rt_private_data_free(&entry->next, id);
    return D3D_OK;
}

HRESULT rt_private_data_get(struct rt_private_data *list, const GUID *id, void *data, DWORD *size)
{
    struct rt_private_data *entry = *find_private_data(&list, id);
    DWORD available;

    if (!entry)
        return D3DERR_NOTFOUND;
    if (!size)
        return D3DERR_INVALIDCALL;
    available = *size;
    *size = entry->size;
    if (!data)
        return D3D_OK;
    if (available < entry->size)
        return D3DERR_MOREDATA;
    if (entry->is_interface) {
        IUnknown *object;
        memcpy(&object, entry->bytes, sizeof(object));
        object->lpVtbl->AddRef(object);
    }
    memcpy(data, entry->bytes, entry->size);
    return D3D_OK;
}

HRESULT rt_private_data_free(struct rt_private_data **list, const GUID *id)
{
    struct rt_private_data **place = find_private_data(list, id), *entry = *place;

    if (!entry)
        return D3DERR_NOTFOUND;
    *place = entry->next;
    free_entry(entry);
    return D3D_OK;
}

void rt_private_data_clear(struct rt_private_data **list)
{
    while (*list) {
        struct rt_private_data *entry = *list;
        *list = entry->next;
        free_entry(entry);
    }
}
