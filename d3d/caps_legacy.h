/* SPDX-License-Identifier: MIT */
/*
 * The device description of DirectX 2 to 7. <d3dcaps.h> and <d3dhal.h> declare it, but conflict with the Direct3D 8
 * headers.
 */
#ifndef HALCYON_D3D_CAPS_LEGACY_H
#define HALCYON_D3D_CAPS_LEGACY_H

#include "d3d/types.h"

/* Capability bits that the headers of Direct3D 8 leave out. */
#ifndef D3DDEVCAPS_HWVERTEXBUFFER
#define D3DDEVCAPS_HWVERTEXBUFFER 0x02000000
#define D3DDEVCAPS_HWINDEXBUFFER  0x04000000
#define D3DDEVCAPS_SUBVOLUMELOCK  0x08000000
#endif
#ifndef D3DPMISCCAPS_FOGINFVF
#define D3DPMISCCAPS_FOGINFVF 0x00002000
#endif
#ifndef D3DFVF_FOG
#define D3DFVF_FOG 0x00002000
#endif
#ifndef D3DDEVCAPS_DRAWPRIMITIVES2EX
#define D3DDEVCAPS_DRAWPRIMITIVES2EX 0x00008000
#endif
#ifndef D3DDEVCAPS_DRAWPRIMITIVES2
#define D3DDEVCAPS_DRAWPRIMITIVES2 0x00002000
#endif

typedef struct _D3DTRANSFORMCAPS {
    DWORD dwSize;
    DWORD dwCaps;
} D3DTRANSFORMCAPS;

typedef struct _D3DLIGHTINGCAPS {
    DWORD dwSize;
    DWORD dwCaps;
    DWORD dwLightingModel;
    DWORD dwNumLights;
} D3DLIGHTINGCAPS;

typedef struct _D3DPrimCaps {
    DWORD dwSize;
    DWORD dwMiscCaps;
    DWORD dwRasterCaps;
    DWORD dwZCmpCaps;
    DWORD dwSrcBlendCaps;
    DWORD dwDestBlendCaps;
    DWORD dwAlphaCmpCaps;
    DWORD dwShadeCaps;
    DWORD dwTextureCaps;
    DWORD dwTextureFilterCaps;
    DWORD dwTextureBlendCaps;
    DWORD dwTextureAddressCaps;
    DWORD dwStippleWidth;
    DWORD dwStippleHeight;
} D3DPRIMCAPS;

typedef struct _D3DDeviceDesc_V1 {
    DWORD dwSize;
    DWORD dwFlags;
    DWORD dcmColorModel;
    DWORD dwDevCaps;
    D3DTRANSFORMCAPS dtcTransformCaps;
    BOOL bClipping;
    D3DLIGHTINGCAPS dlcLightingCaps;
    D3DPRIMCAPS dpcLineCaps;
    D3DPRIMCAPS dpcTriCaps;
    DWORD dwDeviceRenderBitDepth;
    DWORD dwDeviceZBufferBitDepth;
    DWORD dwMaxBufferSize;
    DWORD dwMaxVertexCount;
} D3DDEVICEDESC_V1;

typedef struct _D3DHAL_GLOBALDRIVERDATA {
    DWORD dwSize;
    D3DDEVICEDESC_V1 hwCaps;
    DWORD dwNumVertices;
    DWORD dwNumClipVertices;
    DWORD dwNumTextureFormats;
    DDSURFACEDESC *lpTextureFormats;
} D3DHAL_GLOBALDRIVERDATA;

typedef struct _D3DHAL_D3DEXTENDEDCAPS {
    DWORD dwSize;
    /* DirectX 5 */
    DWORD dwMinTextureWidth, dwMaxTextureWidth;
    DWORD dwMinTextureHeight, dwMaxTextureHeight;
    DWORD dwMinStippleWidth, dwMaxStippleWidth;
    DWORD dwMinStippleHeight, dwMaxStippleHeight;
    /* DirectX 6 */
    DWORD dwMaxTextureRepeat;
    DWORD dwMaxTextureAspectRatio;
    DWORD dwMaxAnisotropy;
    D3DVALUE dvGuardBandLeft;
    D3DVALUE dvGuardBandTop;
    D3DVALUE dvGuardBandRight;
    D3DVALUE dvGuardBandBottom;
    D3DVALUE dvExtentsAdjust;
    DWORD dwStencilCaps;
    DWORD dwFVFCaps;
    DWORD dwTextureOpCaps;
    WORD wMaxTextureBlendStages;
    WORD wMaxSimultaneousTextures;
    /* DirectX 7 */
    DWORD dwMaxActiveLights;
    D3DVALUE dvMaxVertexW;
    WORD wMaxUserClipPlanes;
    WORD wMaxVertexBlendMatrices;
    DWORD dwVertexProcessingCaps;
    DWORD dwReserved1;
    DWORD dwReserved2;
    DWORD dwReserved3;
    DWORD dwReserved4;
} D3DHAL_D3DEXTENDEDCAPS;

#endif
