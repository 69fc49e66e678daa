/* SPDX-License-Identifier: MIT */
/*
 * The vtables of a face whose methods log their calls. The one file of the face that includes this one defines before:
 *
 *   RT_TRACE_TABLE          the name of the table of the face's methods
 *   RT_TRACE_INTERFACES(X)  X(kind, interface) for each kind of object: enum rt_kind, RT_TRACED_DEVICE, RT_TRACED_DIRECT3D
 *
 * and gets trace_vtable.
 */
#include "runtime/common/trace/trace.h"

/* Methods that call those of real_INTERFACE, the vtable that the face's objects have. */
#undef INTERFACE
#define INTERFACE(interface) static const interface##Vtbl *real_##interface;
#define METHOD               RT_TRACE_METHOD
#define PROCEDURE            RT_TRACE_PROCEDURE
#define END(interface)
#include RT_TRACE_TABLE
#undef INTERFACE
#undef METHOD
#undef PROCEDURE
#undef END

#define INTERFACE(interface)                   static const interface##Vtbl traced_##interface = {
#define METHOD(interface, result, method, ...) .method = trace_##interface##_##method,
#define PROCEDURE(interface, method, ...)      .method = trace_##interface##_##method,
#define END(interface) \
    }                  \
    ;
/* clang-format off */
#include RT_TRACE_TABLE
/* clang-format on */
#undef INTERFACE
#undef METHOD
#undef PROCEDURE
#undef END

#define RT_TRACED(kind, interface) [kind] = {&traced_##interface, (const void **)&real_##interface},
static const struct {
    const void *vtbl;
    const void **real; /* set when the first object of the kind is made */
} traced_interfaces[RT_TRACED_KINDS] = {RT_TRACE_INTERFACES(RT_TRACED)};

/* The vtable that logs the calls of the objects of a kind, whose own vtable is `vtbl`. */
static const void *trace_vtable(unsigned kind, const void *vtbl)
{
    *traced_interfaces[kind].real = vtbl;
    return traced_interfaces[kind].vtbl;
}
