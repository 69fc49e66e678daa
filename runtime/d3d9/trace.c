/* SPDX-License-Identifier: MIT */
/* The vtables of objects whose calls are logged (runtime/common/trace/trace.h). */
#include "runtime/d3d9/trace.h"

#include <d3d9.h>

#include "runtime/common/trace/trace.h"

#undef INTERFACE
#define INTERFACE(interface) static const interface##Vtbl *real_##interface;
#define METHOD               RT_TRACE_METHOD
#define PROCEDURE            RT_TRACE_PROCEDURE
#define END(interface)
#include "runtime/d3d9/trace.def"
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
#include "runtime/d3d9/trace.def"
/* clang-format on */

static const struct {
    const void *vtbl;
    const void **real; /* set when the first object of the kind is made */
} interfaces[RT_TRACED_KINDS] = {
#define TRACED(interface)                                     \
    {                                                         \
        &traced_##interface, (const void **)&real_##interface \
    }
    [RT_KIND_SURFACE] = TRACED(IDirect3DSurface9),
    [RT_KIND_VOLUME] = TRACED(IDirect3DVolume9),
    [RT_KIND_TEXTURE] = TRACED(IDirect3DTexture9),
    [RT_KIND_CUBE_TEXTURE] = TRACED(IDirect3DCubeTexture9),
    [RT_KIND_VOLUME_TEXTURE] = TRACED(IDirect3DVolumeTexture9),
    [RT_KIND_VERTEX_BUFFER] = TRACED(IDirect3DVertexBuffer9),
    [RT_KIND_INDEX_BUFFER] = TRACED(IDirect3DIndexBuffer9),
    [RT_KIND_SWAPCHAIN] = TRACED(IDirect3DSwapChain9Ex),
    [RT_KIND_DECLARATION] = TRACED(IDirect3DVertexDeclaration9),
    [RT_KIND_VERTEX_SHADER] = TRACED(IDirect3DVertexShader9),
    [RT_KIND_PIXEL_SHADER] = TRACED(IDirect3DPixelShader9),
    [RT_KIND_STATE_BLOCK] = TRACED(IDirect3DStateBlock9),
    [RT_KIND_QUERY] = TRACED(IDirect3DQuery9),
    [RT_TRACED_DEVICE] = TRACED(IDirect3DDevice9Ex),
    [RT_TRACED_DIRECT3D] = TRACED(IDirect3D9Ex),
};

const void *d3d9_traced(unsigned kind, const void *vtbl)
{
    *interfaces[kind].real = vtbl;
    return interfaces[kind].vtbl;
}
