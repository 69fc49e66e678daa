/* SPDX-License-Identifier: MIT */
/* The log of calls of version 9 (runtime/common/trace/trace.h). */
#ifndef HALCYON_D3D9_TRACE_H
#define HALCYON_D3D9_TRACE_H

/* The vtable that logs the calls of objects whose own vtable is `vtbl`. kind: enum rt_kind, RT_TRACED_DEVICE, RT_TRACED_DIRECT3D. All
 * objects of a kind have the same vtable. */
const void *d3d9_traced(unsigned kind, const void *vtbl);

#endif
