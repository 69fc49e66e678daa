/* SPDX-License-Identifier: MIT */
/*
 * Vtables from tables of methods. A table (object/ddraw.def, object/small.def, surface/surface.def) has a line for each method of a class, with its
 * arguments as (type, name, how):
 *
 *   how     VALUE: of the same type in all versions; OF_VERSION: a pointer whose type depends on the version, `void *` to the
 *           implementation, which knows the version from its dd_call; FUNCTION: likewise a function, `dd_callback`
 *
 * For each version there is a function with the types of the header, which finds the object, takes the lock, and calls the
 * implementation CLASS_METHOD(struct dd_call *, ...), which all versions share. A file that makes a vtable defines DD_INTERFACE and DD_CLASS
 * (and DD_STATIC_CLASS, the dd_class) and the types that depend on the version.
 */
#ifndef HALCYON_DDRAW_THUNK_H
#define HALCYON_DDRAW_THUNK_H

#include "base/base.h"
#include "runtime/common/object/method.h"
#include "runtime/ddraw/object/interface.h"

typedef void (*dd_callback)(void);

/* clang-format off */
#define DD_JOIN_(a, b, c) a##b##c
#define DD_JOIN(a, b, c)  DD_JOIN_(a, b, c)
#define DD_TEXT_(a)       #a
#define DD_TEXT(a)        DD_TEXT_(a)

/* The arguments of a method: of the thunk, passed by it, and of the implementation */
#define DD_PARAMETER(type, name, how)   , type name
#define DD_PASS_VALUE(name)             name
#define DD_PASS_OF_VERSION(name)        (void *)name
#define DD_PASS_FUNCTION(name)          (dd_callback)name
#define DD_PASS(type, name, how)        , DD_PASS_##how(name)
#define DD_TYPE_VALUE(type)             type
#define DD_TYPE_OF_VERSION(type)        void *
#define DD_TYPE_FUNCTION(type)          dd_callback
#define DD_SHARED(type, name, how)      , DD_TYPE_##how(type) name

#define DD_IMPLEMENTATION(class, method, ...) HRESULT class##_##method(struct dd_call *call BASE_EACH(DD_SHARED, __VA_ARGS__));

#define DD_THUNK(interface, class, table, method, function, ready, ...)                                              \
    static HRESULT WINAPI DD_JOIN(interface, _thunk_, method)(interface *iface BASE_EACH(DD_PARAMETER, __VA_ARGS__))         \
    {                                                                                                                \
        struct dd_call call;                                                                                         \
        HRESULT hr = dd_enter(&call, iface, &table, ready);                                                          \
                                                                                                                     \
        if (SUCCEEDED(hr)) {                                                                                         \
            hr = DD_JOIN(class, _, function)(&call BASE_EACH(DD_PASS, __VA_ARGS__));                                   \
            dd_leave();                                                                                              \
        }                                                                                                            \
        if (log_enabled(LOG_TRACE))                                                                                  \
            log_write(LOG_TRACE, "%s(%p): %08lx", DD_TEXT(interface) "::" #method, (void *)iface, (unsigned long)hr); \
        return hr;                                                                                                   \
    }

/* IUnknown's three */
#define DD_UNKNOWN(interface, table)                                                                                 \
    static HRESULT WINAPI DD_JOIN(interface, _thunk_, QueryInterface)(interface *iface, REFIID id, void **out)             \
    {                                                                                                                \
        return dd_query(iface, &table, id, out);                                                                     \
    }                                                                                                                \
    static ULONG WINAPI DD_JOIN(interface, _thunk_, AddRef)(interface *iface)                                              \
    {                                                                                                                \
        return dd_method_addref(iface, &table);                                                                      \
    }                                                                                                                \
    static ULONG WINAPI DD_JOIN(interface, _thunk_, Release)(interface *iface)                                             \
    {                                                                                                                \
        return dd_method_release(iface, &table);                                                                     \
    }

#define DD_ENTRY(interface, method)  .method = DD_JOIN(interface, _thunk_, method),
#define DD_UNKNOWN_ENTRIES(interface) \
    DD_ENTRY(interface, QueryInterface) DD_ENTRY(interface, AddRef) DD_ENTRY(interface, Release)
/* clang-format on */

#endif
