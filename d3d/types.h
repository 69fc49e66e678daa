/* SPDX-License-Identifier: MIT */
/*
 * The only header of the project that includes those of Windows, DirectDraw and Direct3D. A file that includes <d3d9.h>
 * first, or <d3d9types.h> and <d3d9caps.h>, gets the types of Direct3D 9 instead of those of 8, which have the same
 * names with other contents. Light, material and viewport have the same layout in both. D3DCAPS8, which every version
 * of the interface uses, is declared here.
 */
#ifndef HALCYON_D3D_TYPES_H
#define HALCYON_D3D_TYPES_H

#include <windows.h>

#include <ddraw.h>
#include <ddrawi.h>

#ifdef __WINE_D3D9TYPES_H
/* keeps the headers of Direct3D 8 out of the file, even if another header includes them */
#define __WINE_D3D8TYPES_H
#define __WINE_D3D8CAPS_H
typedef D3DCLIPSTATUS9 D3DCLIPSTATUS8;
typedef D3DLIGHT9 D3DLIGHT8;
typedef D3DMATERIAL9 D3DMATERIAL8;
typedef D3DVIEWPORT9 D3DVIEWPORT8;
typedef struct _D3DCAPS8 {
    D3DDEVTYPE DeviceType;
    UINT AdapterOrdinal;
    DWORD Caps, Caps2, Caps3;
    DWORD PresentationIntervals;
    DWORD CursorCaps;
    DWORD DevCaps;
    DWORD PrimitiveMiscCaps;
    DWORD RasterCaps;
    DWORD ZCmpCaps;
    DWORD SrcBlendCaps, DestBlendCaps;
    DWORD AlphaCmpCaps;
    DWORD ShadeCaps;
    DWORD TextureCaps;
    DWORD TextureFilterCaps, CubeTextureFilterCaps, VolumeTextureFilterCaps;
    DWORD TextureAddressCaps, VolumeTextureAddressCaps;
    DWORD LineCaps;
    DWORD MaxTextureWidth, MaxTextureHeight, MaxVolumeExtent;
    DWORD MaxTextureRepeat;
    DWORD MaxTextureAspectRatio;
    DWORD MaxAnisotropy;
    float MaxVertexW;
    float GuardBandLeft, GuardBandTop, GuardBandRight, GuardBandBottom;
    float ExtentsAdjust;
    DWORD StencilCaps;
    DWORD FVFCaps;
    DWORD TextureOpCaps;
    DWORD MaxTextureBlendStages;
    DWORD MaxSimultaneousTextures;
    DWORD VertexProcessingCaps;
    DWORD MaxActiveLights;
    DWORD MaxUserClipPlanes;
    DWORD MaxVertexBlendMatrices;
    DWORD MaxVertexBlendMatrixIndex;
    float MaxPointSize;
    DWORD MaxPrimitiveCount;
    DWORD MaxVertexIndex;
    DWORD MaxStreams;
    DWORD MaxStreamStride;
    DWORD VertexShaderVersion;
    DWORD MaxVertexShaderConst;
    DWORD PixelShaderVersion;
    float MaxPixelShaderValue;
} D3DCAPS8;
#else
#include <d3d8types.h>

#include <d3d8caps.h>
#endif

#ifndef D3DTA_CONSTANT
#define D3DTA_CONSTANT 0x00000006
#endif

#ifndef D3DVALUE_DEFINED
typedef float D3DVALUE;
#define D3DVALUE_DEFINED
#endif

#endif
