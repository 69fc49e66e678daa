/* SPDX-License-Identifier: MIT */
#include "runtime/d3d8/d3d8_objects.h"

HRESULT d3d8_query(void *object, REFIID riid, const IID *const *ids, void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    if (!riid)
        return E_INVALIDARG;
    for (; *ids; ids++) {
        if (IsEqualGUID(riid, *ids)) {
            IUnknown_AddRef((IUnknown *)object);
            *out = object;
            return S_OK;
        }
    }
    return E_NOINTERFACE;
}

ULONG WINAPI d3d8_object_add_ref(void *iface)
{
    struct d3d8_object *object = iface;

    return rt_resource_addref(&object->res);
}

ULONG WINAPI d3d8_object_release(void *iface)
{
    struct d3d8_object *object = iface;

    return rt_resource_release(&object->res);
}

HRESULT d3d8_get_device(struct d3d8_device *device, IDirect3DDevice8 **out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    *out = &device->iface;
    IDirect3DDevice8_AddRef(*out);
    return D3D_OK;
}

HRESULT WINAPI d3d8_object_get_device(void *iface, IDirect3DDevice8 **device)
{
    struct d3d8_object *object = iface;

    return d3d8_get_device(object->device, device);
}

HRESULT WINAPI d3d8_object_set_private_data(void *iface, REFGUID id, const void *data, DWORD size, DWORD flags)
{
    struct d3d8_object *object = iface;
    RT_LOCK(&object->device->base);

    return rt_private_data_set(&object->res.private_data, id, data, size, flags);
}

HRESULT WINAPI d3d8_object_get_private_data(void *iface, REFGUID id, void *data, DWORD *size)
{
    struct d3d8_object *object = iface;
    RT_LOCK(&object->device->base);

    return rt_private_data_get(object->res.private_data, id, data, size);
}

HRESULT WINAPI d3d8_object_free_private_data(void *iface, REFGUID id)
{
    struct d3d8_object *object = iface;
    RT_LOCK(&object->device->base);

    return rt_private_data_free(&object->res.private_data, id);
}

DWORD WINAPI d3d8_object_set_priority(void *iface, DWORD priority)
{
    struct d3d8_object *object = iface;
    DWORD old = object->res.priority;

    object->res.priority = priority;
    return old;
}

DWORD WINAPI d3d8_object_get_priority(void *iface)
{
    struct d3d8_object *object = iface;

    return object->res.priority;
}
