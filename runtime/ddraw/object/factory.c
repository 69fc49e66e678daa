/* SPDX-License-Identifier: MIT */
/* IClassFactory for DirectDraw objects and clippers. The factories live as long as the dll. */
#include "runtime/ddraw/object/factory.h"

#include "runtime/ddraw/object/clipper.h"
#include "runtime/ddraw/object/ddraw.h"

struct factory {
    IClassFactory iface;
    const GUID *class;
};

static HRESULT WINAPI factory_QueryInterface(IClassFactory *iface, REFIID id, void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    if (!IsEqualGUID(id, &IID_IUnknown) && !IsEqualGUID(id, &IID_IClassFactory))
        return E_NOINTERFACE;
    *out = iface;
    return S_OK;
}

/* Nothing is counted, because nothing is freed. */
static ULONG WINAPI factory_AddRef(IClassFactory *iface)
{
    (void)iface;
    return 2;
}

static ULONG WINAPI factory_Release(IClassFactory *iface)
{
    (void)iface;
    return 1;
}

static HRESULT make_ddraw(const GUID *id, void **out)
{
    IUnknown *object;
    HRESULT hr = ddraw_create(NULL, false, 1, (void **)&object);

    if (FAILED(hr))
        return hr;
    hr = object->lpVtbl->QueryInterface(object, id, out);
    object->lpVtbl->Release(object);
    return hr;
}

static HRESULT make_clipper(const GUID *id, void **out)
{
    IUnknown *object = clipper_create_unready();
    HRESULT hr;

    if (!object)
        return E_OUTOFMEMORY;
    hr = object->lpVtbl->QueryInterface(object, id, out);
    object->lpVtbl->Release(object);
    return hr;
}

static HRESULT WINAPI factory_CreateInstance(IClassFactory *iface, IUnknown *outer, REFIID id, void **out)
{
    if (outer)
        return CLASS_E_NOAGGREGATION;
    if (!out)
        return E_POINTER;
    *out = NULL;
    return IsEqualGUID(((struct factory *)iface)->class, &CLSID_DirectDrawClipper) ? make_clipper(id, out)
                                                                                   : make_ddraw(id, out);
}

static HRESULT WINAPI factory_LockServer(IClassFactory *iface, BOOL lock)
{
    (void)iface;
    (void)lock;
    return S_OK;
}

static IClassFactoryVtbl factory_vtbl = {factory_QueryInterface, factory_AddRef, factory_Release,
                                         factory_CreateInstance, factory_LockServer};

static struct factory factories[] = {
    {{&factory_vtbl}, &CLSID_DirectDraw},
    {{&factory_vtbl}, &CLSID_DirectDraw7},
    {{&factory_vtbl}, &CLSID_DirectDrawClipper},
};

HRESULT dd_class_object(const GUID *class, const GUID *id, void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    for (unsigned i = 0; i < ARRAY_COUNT(factories); i++)
        if (IsEqualGUID(class, factories[i].class))
            return factory_QueryInterface(&factories[i].iface, id, out);
    return CLASS_E_CLASSNOTAVAILABLE;
}
