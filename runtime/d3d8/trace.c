/* SPDX-License-Identifier: MIT */
/* The vtables of objects whose calls are logged (runtime/common/trace/trace.h). */
#include "runtime/d3d8/trace.h"

#include <d3d8.h>

#include "runtime/common/trace/trace.h"

#undef INTERFACE
#define INTERFACE(interface) static const interface##Vtbl *real_##interface;
#define METHOD               RT_TRACE_METHOD
#define PROCEDURE            RT_TRACE_PROCEDURE
#define END(interface)
#include "runtime/d3d8/trace.def"
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
#include "runtime/d3d8/trace.def"
/* clang-format on */

static const struct {
    const void *vtbl;
    const void **real; /* set when the first object of the kind is made */
} interfaces[RT_TRACED_KINDS] = {
#define TRACED(interface)                                     \
    {                                                         \
        &traced_##interface, (const void **)&real_##interface \
    }
    [RT_KIND_SURFACE] = TRACED(IDirect3DSurface8),
    [RT_KIND_VOLUME] = TRACED(IDirect3DVolume8),
    [RT_KIND_TEXTURE] = TRACED(IDirect3DTexture8),
    [RT_KIND_CUBE_TEXTURE] = TRACED(IDirect3DCubeTexture8),
    [RT_KIND_VOLUME_TEXTURE] = TRACED(IDirect3DVolumeTexture8),
    [RT_KIND_VERTEX_BUFFER] = TRACED(IDirect3DVertexBuffer8),
    [RT_KIND_INDEX_BUFFER] = TRACED(IDirect3DIndexBuffer8),
    [RT_KIND_SWAPCHAIN] = TRACED(IDirect3DSwapChain8),
    [RT_TRACED_DEVICE] = TRACED(IDirect3DDevice8),
    [RT_TRACED_DIRECT3D] = TRACED(IDirect3D8),
};

const void *d3d8_traced(unsigned kind, const void *vtbl)
{
    *interfaces[kind].real = vtbl;
    return interfaces[kind].vtbl;
}
