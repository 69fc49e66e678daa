/* SPDX-License-Identifier: MIT */
/*
 * The log of a program's calls: with HALCYON_LOG_LEVEL=trace every object gets a vtable whose methods call the real ones, then log the
 * call with its arguments and its result. Other levels cost nothing: the objects have their own vtables.
 *
 * A face makes these vtables from the table of its methods (d3d/methods8.def, d3d/methods9.def) by trace/vtables.h, which uses
 * the macros below.
 */
#ifndef HALCYON_RUNTIME_TRACE_H
#define HALCYON_RUNTIME_TRACE_H

#include "base/base.h"
#include "runtime/common/object/method.h"
#include "runtime/common/object/object.h"

#include <windows.h>

/* One call. Text that does not fit is cut off. */
struct rt_trace {
    char text[900];
    size_t length;
    bool failed; /* the result is an error, so what pointers point to may be anything */
};

/* Kinds of objects with vtables of their own: enum rt_kind, and these. */
enum { RT_TRACED_DEVICE = RT_KINDS, RT_TRACED_DIRECT3D, RT_TRACED_KINDS };

/* The vtable for objects of a kind: their own, or if calls are logged the one that the face's `traced` makes of it. */
static inline const void *rt_traced(const void *(*traced)(unsigned kind, const void *vtbl), unsigned kind,
                                    const void *vtbl)
{
    return traced && log_enabled(LOG_TRACE) ? traced(kind, vtbl) : vtbl;
}

/* Begins the text of a call of an object's method. failed: its result is an error. */
void rt_trace_begin(struct rt_trace *call, const char *type, const char *method, const void *object, bool failed);
/* Add an argument: its name and its value; of pointers the address, of identifiers and rectangles also what they point to. */
void rt_trace_signed(struct rt_trace *call, const char *name, long value);
void rt_trace_unsigned(struct rt_trace *call, const char *name, unsigned long value);
void rt_trace_float(struct rt_trace *call, const char *name, float value);
void rt_trace_pointer(struct rt_trace *call, const char *name, const void *value);
void rt_trace_guid(struct rt_trace *call, const char *name, const GUID *value);
void rt_trace_rect(struct rt_trace *call, const char *name, const RECT *value);
/* The interface pointer that the method has stored. */
void rt_trace_object(struct rt_trace *call, const char *name, const void *const *value);
/* Write the call to the log, with its result. */
void rt_trace_end(struct rt_trace *call);
void rt_trace_end_signed(struct rt_trace *call, long result);
void rt_trace_end_unsigned(struct rt_trace *call, unsigned long result);
void rt_trace_end_float(struct rt_trace *call, float result);
void rt_trace_end_pointer(struct rt_trace *call, const void *result);

/* clang-format off */
#define RT_TRACE_PASSED(type, name, how)    , name
#define RT_TRACE_ARGUMENT(type, name, how)  RT_TRACE_##how(name)
#define RT_TRACE_OBJECT(name)               rt_trace_object(&call, #name, (const void *const *)name);
#define RT_TRACE_VALUE(name)                                                                                                 \
    _Generic((name), int: rt_trace_signed, long: rt_trace_signed, unsigned: rt_trace_unsigned,                               \
             unsigned long: rt_trace_unsigned, float: rt_trace_float, const GUID *: rt_trace_guid, const RECT *: rt_trace_rect, \
             default: rt_trace_pointer)(&call, #name, name);
#define RT_TRACE_RESULT(value)                                                                                               \
    _Generic((value), int: rt_trace_end_signed, long: rt_trace_end_signed, unsigned: rt_trace_end_unsigned,                  \
             unsigned long: rt_trace_end_unsigned, float: rt_trace_end_float, default: rt_trace_end_pointer)(&call, value)

/* The methods of a face: `real` is the vtable that the face's objects have. */
#define RT_TRACE_METHOD(interface, result, method, ...)                                                                      \
    static result WINAPI trace_##interface##_##method(interface *object BASE_EACH(RT_PARAMETER, __VA_ARGS__))              \
    {                                                                                                                        \
        result returned = real_##interface->method(object BASE_EACH(RT_TRACE_PASSED, __VA_ARGS__));                      \
        struct rt_trace call;                                                                                                \
                                                                                                                             \
        rt_trace_begin(&call, #interface, #method, object, (long)(intptr_t)returned < 0);                                    \
        BASE_EACH(RT_TRACE_ARGUMENT, __VA_ARGS__)                                                                        \
        RT_TRACE_RESULT(returned);                                                                                           \
        return returned;                                                                                                     \
    }
#define RT_TRACE_PROCEDURE(interface, method, ...)                                                                           \
    static void WINAPI trace_##interface##_##method(interface *object BASE_EACH(RT_PARAMETER, __VA_ARGS__))                \
    {                                                                                                                        \
        struct rt_trace call;                                                                                                \
                                                                                                                             \
        real_##interface->method(object BASE_EACH(RT_TRACE_PASSED, __VA_ARGS__));                                        \
        rt_trace_begin(&call, #interface, #method, object, false);                                                           \
        BASE_EACH(RT_TRACE_ARGUMENT, __VA_ARGS__)                                                                        \
        rt_trace_end(&call);                                                                                                 \
    }
/* clang-format on */

#endif
