/* SPDX-License-Identifier: MIT */
/* The vtables of objects whose calls are logged (runtime/common/trace/vtables.h). */
#include "runtime/d3d9/trace.h"

#include <d3d9.h>

#define RT_TRACE_TABLE "d3d/methods9.def"
/* clang-format off */
#define RT_TRACE_INTERFACES(X) \
    X(RT_KIND_SURFACE, IDirect3DSurface9) \
    X(RT_KIND_VOLUME, IDirect3DVolume9) \
    X(RT_KIND_TEXTURE, IDirect3DTexture9) \
    X(RT_KIND_CUBE_TEXTURE, IDirect3DCubeTexture9) \
    X(RT_KIND_VOLUME_TEXTURE, IDirect3DVolumeTexture9) \
    X(RT_KIND_VERTEX_BUFFER, IDirect3DVertexBuffer9) \
    X(RT_KIND_INDEX_BUFFER, IDirect3DIndexBuffer9) \
    X(RT_KIND_SWAPCHAIN, IDirect3DSwapChain9Ex) \
    X(RT_KIND_DECLARATION, IDirect3DVertexDeclaration9) \
    X(RT_KIND_VERTEX_SHADER, IDirect3DVertexShader9) \
    X(RT_KIND_PIXEL_SHADER, IDirect3DPixelShader9) \
    X(RT_KIND_STATE_BLOCK, IDirect3DStateBlock9) \
    X(RT_KIND_QUERY, IDirect3DQuery9) \
    X(RT_TRACED_DEVICE, IDirect3DDevice9Ex) \
    X(RT_TRACED_DIRECT3D, IDirect3D9Ex)
/* clang-format on */
#include "runtime/common/trace/vtables.h"

const void *d3d9_traced(unsigned kind, const void *vtbl)
{
    return trace_vtable(kind, vtbl);
}
