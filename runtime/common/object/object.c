/* SPDX-License-Identifier: MIT */
/* Methods that all objects have: IUnknown, GetDevice, private data, priorities. */
#include "runtime/common/object/object.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/trace/trace.h"

static struct rt_object *object_of(void *iface)
{
    return iface;
}

static void set_kind(struct rt_object *object, struct rt_device *device, enum rt_kind kind)
{
    object->vtbl = rt_traced(device->api->traced, kind, device->api->interfaces[kind].vtbl);
    object->device = device;
    object->kind = (uint8_t)kind;
}

void rt_object_init(void *object, struct rt_device *device, enum rt_kind kind, const struct rt_resource_ops *ops,
                    bool owned)
{
    set_kind(object, device, kind);
    rt_resource_init(&object_of(object)->res, &device->base, ops, owned);
}

void rt_object_init_level(void *object, struct rt_device *device, enum rt_kind kind, struct rt_resource *container)
{
    set_kind(object, device, kind);
    rt_resource_init_level(&object_of(object)->res, container);
}

HRESULT rt_query(void *object, const GUID *riid, const GUID *const *ids, void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    if (!riid)
        return E_INVALIDARG;
    for (; *ids; ids++) {
        if (IsEqualGUID(riid, *ids)) {
            IUnknown *unknown = object;
            unknown->lpVtbl->AddRef(unknown);
            *out = object;
            return S_OK;
        }
    }
    return E_NOINTERFACE;
}

HRESULT WINAPI rt_object_QueryInterface(void *iface, const GUID *riid, void **out)
{
    const struct rt_object *object = object_of(iface);

    return rt_query(iface, riid, object->device->api->interfaces[object->kind].ids, out);
}

ULONG WINAPI rt_object_AddRef(void *iface)
{
    return rt_resource_addref(&object_of(iface)->res);
}

ULONG WINAPI rt_object_Release(void *iface)
{
    return rt_resource_release(&object_of(iface)->res);
}

HRESULT WINAPI rt_object_GetDevice(void *iface, void **out)
{
    struct rt_device *device = object_of(iface)->device;

    if (!out)
        return D3DERR_INVALIDCALL;
    rt_device_base_addref(&device->base);
    *out = device;
    return D3D_OK;
}

HRESULT WINAPI rt_object_SetPrivateData(void *iface, const GUID *id, const void *data, DWORD size, DWORD flags)
{
    struct rt_object *object = object_of(iface);
    RT_LOCK(&object->device->base);

    return rt_private_data_set(&object->res.private_data, id, data, size, flags);
}

HRESULT WINAPI rt_object_GetPrivateData(void *iface, const GUID *id, void *data, DWORD *size)
{
    struct rt_object *object = object_of(iface);
    RT_LOCK(&object->device->base);

    return rt_private_data_get(object->res.private_data, id, data, size);
}

HRESULT WINAPI rt_object_FreePrivateData(void *iface, const GUID *id)
{
    struct rt_object *object = object_of(iface);
    RT_LOCK(&object->device->base);

    return rt_private_data_free(&object->res.private_data, id);
}

DWORD WINAPI rt_object_SetNoPriority(void *iface, DWORD priority)
{
    (void)iface;
    (void)priority;
    return 0;
}

DWORD WINAPI rt_object_GetPriority(void *iface)
{
    return object_of(iface)->res.priority;
}

void WINAPI rt_object_PreLoad(void *iface)
{
    (void)iface;
}
