/* SPDX-License-Identifier: MIT */
/* The functions that ddraw.dll exports. */
#include <initguid.h>
#include "runtime/ddraw/object/ddraw.h"

#include "runtime/ddraw/object/clipper.h"
#include "runtime/ddraw/object/drivers.h"
#include "runtime/ddraw/object/factory.h"
#include "runtime/ddraw/surface/surface.h"

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved)
{
    if (reason == DLL_PROCESS_ATTACH) {
        DisableThreadLibraryCalls(instance);
        dd_objects_open();
    } else if (reason == DLL_PROCESS_DETACH && !reserved) {
        dd_objects_close();
    }
    return TRUE;
}

/* --- objects --------------------------------------------------------------------------- */

HRESULT WINAPI DirectDrawCreate(GUID *driver, IDirectDraw **ddraw, IUnknown *outer)
{
    base_init("ddraw.dll");
    if (outer)
        return CLASS_E_NOAGGREGATION;
    if (!ddraw)
        return DDERR_INVALIDPARAMS;
    *ddraw = NULL;
    return ddraw_create(driver, true, 1, (void **)ddraw);
}

HRESULT WINAPI DirectDrawCreateEx(GUID *driver, void **ddraw, REFIID id, IUnknown *outer)
{
    base_init("ddraw.dll");
    if (outer)
        return CLASS_E_NOAGGREGATION;
    if (!ddraw)
        return DDERR_INVALIDPARAMS;
    *ddraw = NULL;
    if (!id || !IsEqualGUID(id, &IID_IDirectDraw7))
        return DDERR_INVALIDPARAMS;
    return ddraw_create(driver, true, 7, ddraw);
}

HRESULT WINAPI DirectDrawCreateClipper(DWORD flags, IDirectDrawClipper **clipper, IUnknown *outer)
{
    base_init("ddraw.dll");
    return clipper_create(flags, clipper, outer);
}

HRESULT WINAPI DllGetClassObject(REFCLSID class, REFIID id, void **out)
{
    base_init("ddraw.dll");
    return dd_class_object(class, id, out);
}

HRESULT WINAPI DllCanUnloadNow(void)
{
    return S_FALSE;
}

/* --- enumeration ----------------------------------------------------------------------- */

HRESULT WINAPI DirectDrawEnumerateA(LPDDENUMCALLBACKA callback, void *context)
{
    base_init("ddraw.dll");
    return dd_enumerate(callback, context);
}

HRESULT WINAPI DirectDrawEnumerateExA(LPDDENUMCALLBACKEXA callback, void *context, DWORD flags)
{
    base_init("ddraw.dll");
    return dd_enumerate_ex(callback, context, flags);
}

/* The original runtime has never had these two. */
HRESULT WINAPI DirectDrawEnumerateW(LPDDENUMCALLBACKW callback, void *context)
{
    (void)context;
    return callback ? DDERR_UNSUPPORTED : DDERR_INVALIDPARAMS;
}

HRESULT WINAPI DirectDrawEnumerateExW(LPDDENUMCALLBACKEXW callback, void *context, DWORD flags)
{
    (void)callback;
    (void)context;
    (void)flags;
    return DDERR_UNSUPPORTED;
}

/* --- the rest -------------------------------------------------------------------------- */

HRESULT WINAPI GetSurfaceFromDC(HDC dc, IDirectDrawSurface **surface, HDC *device_dc)
{
    return surface_from_dc(dc, surface, device_dc);
}

void WINAPI AcquireDDThreadLock(void)
{
    dd_lock();
}

void WINAPI ReleaseDDThreadLock(void)
{
    dd_leave();
}
