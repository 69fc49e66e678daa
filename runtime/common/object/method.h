/* SPDX-License-Identifier: MIT */
/*
 * Functions for vtables over the functions that the versions share. A shared method is a function over a `void *iface`
 * (rt_texture_LockRect), which no member of a vtable can take without a cast. So a version's file makes a function with its own types,
 * which the vtable's member and the shared function check:
 *
 *   RT_METHOD(IDirect3DTexture8, HRESULT, UnlockRect, rt_texture_UnlockRect, (UINT, level, VALUE))   the function
 *   RT_ENTRY(IDirect3DTexture8, HRESULT, UnlockRect, ...)                                            its line in the vtable
 *
 * Lists of methods (runtime/common/object/methods.h, runtime/common/device/methods.h) take either as X, so a list is written once before
 * the vtable and once in it. An argument is (type, name, how):
 *
 *   how     VALUE: of the same type in all versions; OBJECT: the address of an interface pointer, `void **` to the shared function
 */
#ifndef HALCYON_RUNTIME_METHOD_H
#define HALCYON_RUNTIME_METHOD_H

#include "base/each.h"
#include <windows.h>

/* clang-format off */
#define RT_PARAMETER(type, name, how) , type name
#define RT_SHARED_VALUE(name)         name
#define RT_SHARED_OBJECT(name)        (void **)name
#define RT_SHARED(type, name, how)    , RT_SHARED_##how(name)

#define RT_METHOD(interface, result, method, function, ...)                                                          \
    static result WINAPI shared_##interface##_##method(interface *object BASE_EACH(RT_PARAMETER, __VA_ARGS__))         \
    {                                                                                                                \
        return function(object BASE_EACH(RT_SHARED, __VA_ARGS__));                                                     \
    }
#define RT_ENTRY(interface, result, method, function, ...) .method = shared_##interface##_##method,
/* clang-format on */

#endif
