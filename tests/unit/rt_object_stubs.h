/* SPDX-License-Identifier: MIT */
/* Methods that every object of the runtime has, and the locks of Windows, for tests of files of runtime/d3d9 that are
 * included without runtime/common/object. */
#ifndef HALCYON_TESTS_RT_OBJECT_STUBS_H
#define HALCYON_TESTS_RT_OBJECT_STUBS_H

#include "runtime/common/object/object.h"

HRESULT WINAPI rt_object_QueryInterface(void *iface, const GUID *riid, void **out)
{
    (void)iface;
    (void)riid;
    (void)out;
    return E_NOTIMPL;
}

ULONG WINAPI rt_object_AddRef(void *iface)
{
    return rt_resource_addref(&((struct rt_object *)iface)->res);
}

ULONG WINAPI rt_object_Release(void *iface)
{
    return rt_resource_release(&((struct rt_object *)iface)->res);
}

HRESULT WINAPI rt_object_GetDevice(void *iface, void **out)
{
    (void)iface;
    (void)out;
    return E_NOTIMPL;
}

void WINAPI EnterCriticalSection(CRITICAL_SECTION *section)
{
    (void)section;
}

void WINAPI LeaveCriticalSection(CRITICAL_SECTION *section)
{
    (void)section;
}

#endif
