/* SPDX-License-Identifier: MIT */
/* The vtables of objects whose calls are logged (runtime/common/trace/vtables.h). */
#include "runtime/d3d8/trace.h"

#include <d3d8.h>

#define RT_TRACE_TABLE "d3d/methods8.def"
/* clang-format off */
#define RT_TRACE_INTERFACES(X) \
    X(RT_KIND_SURFACE, IDirect3DSurface8) \
    X(RT_KIND_VOLUME, IDirect3DVolume8) \
    X(RT_KIND_TEXTURE, IDirect3DTexture8) \
    X(RT_KIND_CUBE_TEXTURE, IDirect3DCubeTexture8) \
    X(RT_KIND_VOLUME_TEXTURE, IDirect3DVolumeTexture8) \
    X(RT_KIND_VERTEX_BUFFER, IDirect3DVertexBuffer8) \
    X(RT_KIND_INDEX_BUFFER, IDirect3DIndexBuffer8) \
    X(RT_KIND_SWAPCHAIN, IDirect3DSwapChain8) \
    X(RT_TRACED_DEVICE, IDirect3DDevice8) \
    X(RT_TRACED_DIRECT3D, IDirect3D8)
/* clang-format on */
#include "runtime/common/trace/vtables.h"

const void *d3d8_traced(unsigned kind, const void *vtbl)
{
    return trace_vtable(kind, vtbl);
}
