/* SPDX-License-Identifier: MIT */
/*
 * The display-driver interface: the only header of the project that includes the Windows,
 * DirectDraw and Direct3D 8 headers, and all that those of Wine and mingw-w64 lack. Names are the
 * documented ones; sizes and offsets are asserted in ddi/layout.c for 32 and 64 bit. <d3d.h> and
 * <d3dhal.h> clash with the Direct3D 8 headers, so the D3DHAL_* structures they hold are declared
 * here.
 */
#ifndef HALCYON_DDI_DDI_H
#define HALCYON_DDI_DDI_H

#include <windows.h>

#include <ddraw.h>
#include <ddrawi.h>

#include <d3d8types.h>

#include <d3d8caps.h>

#include "ddi/dp2_tokens.h"

/* --- the door ------------------------------------------------------------------------ */

/* Exported by halcyon.dll and libhalcyon.so. Fills all of *info (dwSize: bytes the caller has room
 * for). version: HALCYON_DDI_VERSION the caller was built with. */
#define HALCYON_DDI_VERSION 1
typedef HRESULT(WINAPI *HALCYONDRIVERINIT)(DWORD version, DDHALINFO *info);
HRESULT WINAPI HalcyonDriverInit(DWORD version, DDHALINFO *info);

/* --- flags and macros ---------------------------------------------------------------- */

#define D3DHAL_CONTEXT_BAD           ((HRESULT)0x00000200)
#define D3DHAL_OUTOFCONTEXTS         ((HRESULT)0x00000201)
#define D3DHAL_MAX_RSTATES           256
#define D3DHAL_TSS_RENDERSTATEBASE   256
#define D3DHAL_TSS_MAXSTAGES         8
#define D3DHAL_TSS_STATESPERSTAGE    64
#define D3DHAL_MAX_TEXTURESTATES     13
#define D3DHAL_SAMPLER_MAXSAMP       16
#define D3DHAL_SAMPLER_MAXVERTEXSAMP 4
#define D3DHAL_NUMCLIPVERTICES       20
#define D3DHAL_ROW_WEIGHTS           1
#define D3DHAL_COL_WEIGHTS           2

#ifndef D3DERR_COMMAND_UNPARSED
#define D3DERR_COMMAND_UNPARSED ((HRESULT)0x88760BB8)
#endif
#ifndef D3DTSS_TEXTUREMAP
#define D3DTSS_TEXTUREMAP 0
#endif
#define D3DCLEAR_COMPUTERECTS 0x00000008

#define D3DTRIFLAG_EDGEENABLE1 0x0100
#define D3DTRIFLAG_EDGEENABLE2 0x0200
#define D3DTRIFLAG_EDGEENABLE3 0x0400

#define D3DHALSTATE_GET_TRANSFORM 1
#define D3DHALSTATE_GET_LIGHT     2
#define D3DHALSTATE_GET_RENDER    4

/* dwFlags of D3DHAL_DRAWPRIMITIVES2DATA; the last two are set by the driver. */
#define D3DHALDP2_USERMEMVERTICES   0x00000001
#define D3DHALDP2_EXECUTEBUFFER     0x00000002
#define D3DHALDP2_SWAPVERTEXBUFFER  0x00000004
#define D3DHALDP2_SWAPCOMMANDBUFFER 0x00000008
#define D3DHALDP2_REQVERTEXBUFSIZE  0x00000010
#define D3DHALDP2_REQCOMMANDBUFSIZE 0x00000020
#define D3DHALDP2_VIDMEMVERTEXBUF   0x00000040
#define D3DHALDP2_VIDMEMCOMMANDBUF  0x00000080

#define D3DHAL_SCENE_CAPTURE_START 0
#define D3DHAL_SCENE_CAPTURE_END   1

/* dwFlags of the callback tables: bit k = k-th callback after dwFlags. */
#define D3DHAL2_CB32_SETRENDERTARGET           0x00000001
#define D3DHAL2_CB32_CLEAR                     0x00000002
#define D3DHAL2_CB32_DRAWONEPRIMITIVE          0x00000004
#define D3DHAL2_CB32_DRAWONEINDEXEDPRIMITIVE   0x00000008
#define D3DHAL2_CB32_DRAWPRIMITIVES            0x00000010
#define D3DHAL3_CB32_CLEAR2                    0x00000001
#define D3DHAL3_CB32_RESERVED                  0x00000002
#define D3DHAL3_CB32_VALIDATETEXTURESTAGESTATE 0x00000004
#define D3DHAL3_CB32_DRAWPRIMITIVES2           0x00000008
#define DDHAL_CB32_DESTROYDRIVER               0x00000001
#define DDHAL_CB32_CREATESURFACE               0x00000002
#define DDHAL_CB32_SETCOLORKEY                 0x00000004
#define DDHAL_CB32_SETMODE                     0x00000008
#define DDHAL_CB32_WAITFORVERTICALBLANK        0x00000010
#define DDHAL_CB32_CANCREATESURFACE            0x00000020
#define DDHAL_CB32_CREATEPALETTE               0x00000040
#define DDHAL_CB32_GETSCANLINE                 0x00000080
#define DDHAL_CB32_SETEXCLUSIVEMODE            0x00000100
#define DDHAL_CB32_FLIPTOGDISURFACE            0x00000200
#define DDHAL_SURFCB32_DESTROYSURFACE          0x00000001
#define DDHAL_SURFCB32_FLIP                    0x00000002
#define DDHAL_SURFCB32_SETCLIPLIST             0x00000004
#define DDHAL_SURFCB32_LOCK                    0x00000008
#define DDHAL_SURFCB32_UNLOCK                  0x00000010
#define DDHAL_SURFCB32_BLT                     0x00000020
#define DDHAL_SURFCB32_SETCOLORKEY             0x00000040
#define DDHAL_SURFCB32_ADDATTACHEDSURFACE      0x00000080
#define DDHAL_SURFCB32_GETBLTSTATUS            0x00000100
#define DDHAL_SURFCB32_GETFLIPSTATUS           0x00000200
#define DDHAL_SURFCB32_UPDATEOVERLAY           0x00000400
#define DDHAL_SURFCB32_SETOVERLAYPOSITION      0x00000800
#define DDHAL_SURFCB32_SETPALETTE              0x00002000
#define DDHAL_EXEBUFCB32_CANCREATEEXEBUF       0x00000001
#define DDHAL_EXEBUFCB32_CREATEEXEBUF          0x00000002
#define DDHAL_EXEBUFCB32_DESTROYEXEBUF         0x00000004
#define DDHAL_EXEBUFCB32_LOCKEXEBUF            0x00000008
#define DDHAL_EXEBUFCB32_UNLOCKEXEBUF          0x00000010
#define DDHAL_MISCCB32_GETAVAILDRIVERMEMORY    0x00000001
#define DDHAL_MISCCB32_UPDATENONLOCALHEAP      0x00000002
#define DDHAL_MISCCB32_GETHEAPALIGNMENT        0x00000004
#define DDHAL_MISCCB32_GETSYSMEMBLTSTATUS      0x00000008
#define DDHAL_MISC2CB32_ALPHABLT               0x00000001
#define DDHAL_MISC2CB32_CREATESURFACEEX        0x00000002
#define DDHAL_MISC2CB32_GETDRIVERSTATE         0x00000004
#define DDHAL_MISC2CB32_DESTROYDDLOCAL         0x00000008

#ifndef DDHAL_DRIVER_NOTHANDLED
#define DDHAL_DRIVER_NOTHANDLED 0
#define DDHAL_DRIVER_HANDLED    1
#endif
#ifndef DDHAL_DRIVER_NOCKEYHW
#define DDHAL_DRIVER_NOCKEYHW 2
#endif

#ifndef DDHAL_PLEASEALLOC_BLOCKSIZE
#define DDHAL_PLEASEALLOC_BLOCKSIZE 2
#endif
#define DDHAL_PLEASEALLOC_LINEARSIZE 3
#define DDHAL_PLEASEALLOC_USERMEM    4

#define DDHALINFO_GETDRIVERINFO2          0x00000008
#define DDHAL_CREATESURFACEEX_SWAPHANDLES 0x00000001
#define DDRAWISURFGBL_DX8SURFACE          0x00080000
#define DDRAWILCL_DX8DRIVER               0x00100000
#define DDRAWILCL_DIRECTDRAW8             0x00200000
#define DDRAWISURF_DRIVERMANAGED          0x40000000
#define DDRAWI_DRIVERINFO2                0x20000000

/* DDSCAPS of buffers (they share bits with picture surfaces). */
#ifndef DDSCAPS_EXECUTEBUFFER
#define DDSCAPS_EXECUTEBUFFER 0x00800000
#endif
#define DDSCAPS_COMMANDBUFFER 0x00000400
#ifndef DDSCAPS2_VERTEXBUFFER
#define DDSCAPS2_VERTEXBUFFER 0x00000020
#endif
#ifndef DDSCAPS2_COMMANDBUFFER
#define DDSCAPS2_COMMANDBUFFER 0x00000040
#endif
#define DDSCAPS2_INDEXBUFFER 0x04000000
#define DDSCAPS3_VIDEO       0x00000200

#ifndef DDPF_NOVEL_TEXTURE_FORMAT
#define DDPF_NOVEL_TEXTURE_FORMAT 0x00100000
#endif
#ifndef DDPF_D3DFORMAT
#define DDPF_D3DFORMAT 0x00200000
#endif

#define DDCAPS2_CANMANAGERESOURCE 0x10000000
#define DDCAPS2_DYNAMICTEXTURES   0x20000000
#define DDCAPS2_CANAUTOGENMIPMAP  0x40000000
#define DDCAPS2_CANSHARERESOURCE  0x80000000
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

/* Device capabilities and surface bits of newer DirectX versions that d3d8 headers leave to d3d.h.
 */
#ifndef D3DDEVCAPS_DRAWPRIMITIVES2EX
#define D3DDEVCAPS_DRAWPRIMITIVES2EX 0x00008000
#endif
#ifndef D3DDEVCAPS_DRAWPRIMITIVES2
#define D3DDEVCAPS_DRAWPRIMITIVES2 0x00002000
#endif

/* Render states that only the interface knows. */
#define D3DRENDERSTATE_EVICTMANAGEDTEXTURES 61
#define D3DRENDERSTATE_SCENECAPTURE         62
#define D3DRS_DELETERTPATCH                 169

/* D3DFORMAT numbers inside the driver: public 73, 75, 77 with the fields in the other order. */
#define D3DFMT_S1D15   72
#define D3DFMT_S8D24   74
#define D3DFMT_X8D24   76
#define D3DFMT_S4X4D24 78

/* dwOperations of a format entry. */
#define D3DFORMAT_OP_TEXTURE                              0x00000001
#define D3DFORMAT_OP_VOLUMETEXTURE                        0x00000002
#define D3DFORMAT_OP_CUBETEXTURE                          0x00000004
#define D3DFORMAT_OP_OFFSCREEN_RENDERTARGET               0x00000008
#define D3DFORMAT_OP_SAME_FORMAT_RENDERTARGET             0x00000010
#define D3DFORMAT_OP_ZSTENCIL                             0x00000040
#define D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH  0x00000080
#define D3DFORMAT_OP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET 0x00000100
#define D3DFORMAT_OP_DISPLAYMODE                          0x00000400
#define D3DFORMAT_OP_3DACCELERATION                       0x00000800
#define D3DFORMAT_OP_PIXELSIZE                            0x00001000
#define D3DFORMAT_OP_CONVERT_TO_ARGB                      0x00002000
#define D3DFORMAT_OP_OFFSCREENPLAIN                       0x00004000
#define D3DFORMAT_OP_SRGBREAD                             0x00008000
#define D3DFORMAT_OP_BUMPMAP                              0x00010000
#define D3DFORMAT_OP_DMAP                                 0x00020000
#define D3DFORMAT_OP_NOFILTER                             0x00040000
#define D3DFORMAT_MEMBEROFGROUP_ARGB                      0x00080000
#define D3DFORMAT_OP_SRGBWRITE                            0x00100000
#define D3DFORMAT_OP_NOALPHABLEND                         0x00200000
#define D3DFORMAT_OP_AUTOGENMIPMAP                        0x00400000
#define D3DFORMAT_OP_VERTEXTEXTURE                        0x00800000
#define D3DFORMAT_OP_NOTEXCOORDWRAPNORMIP                 0x01000000

/* --- GUIDs of GetDriverInfo ------------------------------------------------------------ */

/* Defines a GUID as data of each file that uses it, so that neither side of the interface needs a GUID library. The values
 * are those of the GUID_* names in the comments. */
#define DDI_GUID(name, a, b, c, d0, d1, d2, d3, d4, d5, d6, d7)                                    \
    static const GUID name __attribute__((unused)) = {a, b, c, {d0, d1, d2, d3, d4, d5, d6, d7}}

/* GUID_D3DCallbacks, GUID_D3DCaps: DDHALINFO carries these two */
DDI_GUID(DDI_GUID_D3D_CALLBACKS, 0x7BF06990, 0x8794, 0x11D0, 0x91, 0x39, 0x08, 0x00, 0x36, 0xD2,
         0xEF, 0x02);
DDI_GUID(DDI_GUID_D3D_CAPS, 0x7BF06991, 0x8794, 0x11D0, 0x91, 0x39, 0x08, 0x00, 0x36, 0xD2, 0xEF,
         0x02);
/* GUID_D3DCallbacks2, GUID_D3DCallbacks3 */
DDI_GUID(DDI_GUID_D3D_CALLBACKS2, 0x0BA584E1, 0x70B6, 0x11D0, 0x88, 0x9D, 0x00, 0xAA, 0x00, 0xBB,
         0xB7, 0x6A);
DDI_GUID(DDI_GUID_D3D_CALLBACKS3, 0xDDF41230, 0xEC0A, 0x11D0, 0xA9, 0xB6, 0x00, 0xAA, 0x00, 0xC0,
         0x99, 0x3E);
/* GUID_D3DExtendedCaps */
DDI_GUID(DDI_GUID_D3D_EXTENDED_CAPS, 0x7DE41F80, 0x9D93, 0x11D0, 0x89, 0xAB, 0x00, 0xA0, 0xC9, 0x05,
         0x41, 0x29);
/* GUID_ZPixelFormats */
DDI_GUID(DDI_GUID_Z_PIXEL_FORMATS, 0x93869880, 0x36CF, 0x11D1, 0x9B, 0x1B, 0x00, 0xAA, 0x00, 0xBB,
         0xB8, 0xAE);
/* GUID_D3DParseUnknownCommandCallback */
DDI_GUID(DDI_GUID_D3D_PARSE_UNKNOWN, 0x2E04FFA0, 0x98E4, 0x11D1, 0x8C, 0xE1, 0x00, 0xA0, 0xC9, 0x06,
         0x29, 0xA8);
/* GUID_MiscellaneousCallbacks, GUID_Miscellaneous2Callbacks */
DDI_GUID(DDI_GUID_MISCELLANEOUS, 0xEFD60CC0, 0x49E7, 0x11D0, 0x88, 0x9D, 0x00, 0xAA, 0x00, 0xBB,
         0xB7, 0x6A);
DDI_GUID(DDI_GUID_MISCELLANEOUS2, 0x406B2F00, 0x3E5A, 0x11D1, 0xB6, 0x40, 0x00, 0xAA, 0x00, 0xA1,
         0xF9, 0x6A);
/* GUID_NonLocalVidMemCaps */
DDI_GUID(DDI_GUID_NONLOCAL_CAPS, 0x86C4FA80, 0x8D84, 0x11D0, 0x94, 0xE8, 0x00, 0xC0, 0x4F, 0xC3,
         0x41, 0x37);
/* GUID_UpdateNonLocalHeap, GUID_GetHeapAlignment */
DDI_GUID(DDI_GUID_UPDATE_NONLOCAL_HEAP, 0x42E02F17, 0x7B41, 0x11D2, 0x8B, 0xFF, 0x00, 0xA0, 0xC9,
         0x83, 0xEA, 0xF6);
DDI_GUID(DDI_GUID_GET_HEAP_ALIGNMENT, 0x42E02F16, 0x7B41, 0x11D2, 0x8B, 0xFF, 0x00, 0xA0, 0xC9,
         0x83, 0xEA, 0xF6);
/* GUID_DDMoreSurfaceCaps */
DDI_GUID(DDI_GUID_MORE_SURFACE_CAPS, 0x3B8A0466, 0xF269, 0x11D1, 0x88, 0x0B, 0x00, 0xC0, 0x4F, 0xD9,
         0x30, 0xC5);
/* GUID_DDStereoMode = GUID_GetDriverInfo2: told apart by D3DGDI2_MAGIC */
DDI_GUID(DDI_GUID_GET_DRIVER_INFO2, 0xF828169C, 0xA8E8, 0x11D2, 0xA1, 0xF2, 0x00, 0xA0, 0xC9, 0x83,
         0xEA, 0xF6);
/* GUID_NTCallbacks */
DDI_GUID(DDI_GUID_NT_CALLBACKS, 0x6FE9ECDE, 0xDF89, 0x11D1, 0x9D, 0xB0, 0x00, 0x60, 0x08, 0x27,
         0x71, 0xBA);

/* Halcyon's own (HALCYON_VERTEXCALLBACKS) */
DDI_GUID(DDI_GUID_HALCYON_VERTICES, 0x5C1B7E50, 0x2D0F, 0x4A83, 0x9E, 0x61, 0x48, 0x41, 0x4C, 0x43,
         0x59, 0x4E);
/* Halcyon's own (HALCYON_SAMPLECALLBACKS) */
DDI_GUID(DDI_GUID_HALCYON_SAMPLES, 0x2E77B0C4, 0x91D3, 0x4F0B, 0xA6, 0x5C, 0x48, 0x41, 0x4C, 0x43,
         0x59, 0x4E);

/* --- device description of DirectX 2 to 7 ------------------------------------------------ */

#ifndef D3DVALUE_DEFINED
typedef float D3DVALUE;
#define D3DVALUE_DEFINED
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

/* --- Direct3D callbacks -------------------------------------------------------------------- */

typedef struct _D3DHAL_CONTEXTCREATEDATA {
    union {
        LPDDRAWI_DIRECTDRAW_GBL lpDDGbl; /* before DirectX 7 */
        LPDDRAWI_DIRECTDRAW_LCL lpDDLcl;
    };
    union {
        LPVOID lpDDS; /* before DirectX 7: interface */
        LPDDRAWI_DDRAWSURFACE_LCL lpDDSLcl;
    };
    union {
        LPVOID lpDDSZ;
        LPDDRAWI_DDRAWSURFACE_LCL lpDDSZLcl;
    };
    union {
        DWORD dwPID;
        ULONG_PTR dwrstates;
    };
    ULONG_PTR dwhContext; /* in: level of the runtime, see DDI_LEVEL_*; out: handle */
    HRESULT ddrval;
} D3DHAL_CONTEXTCREATEDATA, *LPD3DHAL_CONTEXTCREATEDATA;

/* dwhContext on the way into ContextCreate. */
#define DDI_LEVEL_DX3 0
#define DDI_LEVEL_DX5 1
#define DDI_LEVEL_DX6 2
#define DDI_LEVEL_DX7 3
#define DDI_LEVEL_DX8 4
#define DDI_LEVEL_DX9 5

typedef struct _D3DHAL_CONTEXTDESTROYDATA {
    ULONG_PTR dwhContext;
    HRESULT ddrval;
} D3DHAL_CONTEXTDESTROYDATA, *LPD3DHAL_CONTEXTDESTROYDATA;

typedef struct _D3DHAL_CONTEXTDESTROYALLDATA {
    DWORD dwPID;
    HRESULT ddrval;
} D3DHAL_CONTEXTDESTROYALLDATA, *LPD3DHAL_CONTEXTDESTROYALLDATA;

typedef struct _D3DHAL_SCENECAPTUREDATA {
    ULONG_PTR dwhContext;
    DWORD dwFlag; /* D3DHAL_SCENE_CAPTURE_* */
    HRESULT ddrval;
} D3DHAL_SCENECAPTUREDATA, *LPD3DHAL_SCENECAPTUREDATA;

typedef struct _D3DHAL_RENDERSTATEDATA {
    ULONG_PTR dwhContext;
    DWORD dwOffset;
    DWORD dwCount;
    LPVOID lpExeBuf;
    HRESULT ddrval;
} D3DHAL_RENDERSTATEDATA, *LPD3DHAL_RENDERSTATEDATA;

typedef struct _D3DINSTRUCTION {
    BYTE bOpcode;
    BYTE bSize;
    WORD wCount;
} D3DINSTRUCTION;

typedef struct _D3DHAL_RENDERPRIMITIVEDATA {
    ULONG_PTR dwhContext;
    DWORD dwOffset;
    DWORD dwStatus;
    LPVOID lpExeBuf;
    DWORD dwTLOffset;
    LPVOID lpTLBuf;
    D3DINSTRUCTION diInstruction;
    HRESULT ddrval;
} D3DHAL_RENDERPRIMITIVEDATA, *LPD3DHAL_RENDERPRIMITIVEDATA;

typedef struct _D3DHAL_TEXTURECREATEDATA {
    ULONG_PTR dwhContext;
    LPVOID lpDDS;
    ULONG_PTR dwHandle;
    HRESULT ddrval;
} D3DHAL_TEXTURECREATEDATA, *LPD3DHAL_TEXTURECREATEDATA;

typedef struct _D3DHAL_TEXTUREDESTROYDATA {
    ULONG_PTR dwhContext;
    ULONG_PTR dwHandle;
    HRESULT ddrval;
} D3DHAL_TEXTUREDESTROYDATA, *LPD3DHAL_TEXTUREDESTROYDATA;

typedef struct _D3DHAL_TEXTURESWAPDATA {
    ULONG_PTR dwhContext;
    ULONG_PTR dwHandle1;
    ULONG_PTR dwHandle2;
    HRESULT ddrval;
} D3DHAL_TEXTURESWAPDATA, *LPD3DHAL_TEXTURESWAPDATA;

typedef struct _D3DHAL_TEXTUREGETSURFDATA {
    ULONG_PTR dwhContext;
    ULONG_PTR lpDDS;
    ULONG_PTR dwHandle;
    HRESULT ddrval;
} D3DHAL_TEXTUREGETSURFDATA, *LPD3DHAL_TEXTUREGETSURFDATA;

typedef struct _D3DHAL_GETSTATEDATA {
    ULONG_PTR dwhContext;
    DWORD dwWhich; /* D3DHALSTATE_GET_* */
    struct {
        DWORD state;
        union {
            DWORD dwArg[1];
            D3DVALUE dvArg[1];
        };
    } ddState;
    HRESULT ddrval;
} D3DHAL_GETSTATEDATA, *LPD3DHAL_GETSTATEDATA;

typedef struct _D3DHAL_SETRENDERTARGETDATA {
    ULONG_PTR dwhContext;
    union {
        LPVOID lpDDS;
        LPDDRAWI_DDRAWSURFACE_LCL lpDDSLcl;
    };
    union {
        LPVOID lpDDSZ;
        LPDDRAWI_DDRAWSURFACE_LCL lpDDSZLcl;
    };
    HRESULT ddrval;
} D3DHAL_SETRENDERTARGETDATA, *LPD3DHAL_SETRENDERTARGETDATA;

typedef struct _D3DHAL_CLEARDATA {
    ULONG_PTR dwhContext;
    DWORD dwFlags;
    DWORD dwFillColor;
    DWORD dwFillDepth;
    D3DRECT *lpRects;
    DWORD dwNumRects;
    HRESULT ddrval;
} D3DHAL_CLEARDATA, *LPD3DHAL_CLEARDATA;

typedef struct _D3DHAL_DRAWONEPRIMITIVEDATA {
    ULONG_PTR dwhContext;
    DWORD dwFlags;
    D3DPRIMITIVETYPE PrimitiveType;
    union {
        DWORD VertexType;
        DWORD dwFVFControl;
    };
    LPVOID lpvVertices;
    DWORD dwNumVertices;
    DWORD dwReserved;
    HRESULT ddrval;
} D3DHAL_DRAWONEPRIMITIVEDATA, *LPD3DHAL_DRAWONEPRIMITIVEDATA;

typedef struct _D3DHAL_DRAWONEINDEXEDPRIMITIVEDATA {
    ULONG_PTR dwhContext;
    DWORD dwFlags;
    D3DPRIMITIVETYPE PrimitiveType;
    union {
        DWORD VertexType;
        DWORD dwFVFControl;
    };
    LPVOID lpvVertices;
    DWORD dwNumVertices;
    LPWORD lpwIndices;
    DWORD dwNumIndices;
    DWORD dwReserved;
    HRESULT ddrval;
} D3DHAL_DRAWONEINDEXEDPRIMITIVEDATA, *LPD3DHAL_DRAWONEINDEXEDPRIMITIVEDATA;

typedef struct _D3DHAL_DRAWPRIMCOUNTS {
    WORD wNumStateChanges;
    WORD wPrimitiveType;
    WORD wVertexType;
    WORD wNumVertices;
} D3DHAL_DRAWPRIMCOUNTS;

typedef struct _D3DHAL_DRAWPRIMITIVESDATA {
    ULONG_PTR dwhContext;
    DWORD dwFlags;
    LPVOID lpvData; /* blocks of D3DHAL_DRAWPRIMCOUNTS, states, vertices */
    DWORD dwFVFControl;
    HRESULT ddrval;
} D3DHAL_DRAWPRIMITIVESDATA, *LPD3DHAL_DRAWPRIMITIVESDATA;

typedef struct _D3DHAL_CLEAR2DATA {
    ULONG_PTR dwhContext;
    DWORD dwFlags;
    DWORD dwFillColor;
    D3DVALUE dvFillDepth;
    DWORD dwFillStencil;
    D3DRECT *lpRects;
    DWORD dwNumRects;
    HRESULT ddrval;
} D3DHAL_CLEAR2DATA, *LPD3DHAL_CLEAR2DATA;

typedef struct _D3DHAL_VALIDATETEXTURESTAGESTATEDATA {
    ULONG_PTR dwhContext;
    DWORD dwFlags;
    ULONG_PTR dwReserved;
    DWORD dwNumPasses;
    HRESULT ddrval;
} D3DHAL_VALIDATETEXTURESTAGESTATEDATA, *LPD3DHAL_VALIDATETEXTURESTAGESTATEDATA;

typedef struct _D3DHAL_DRAWPRIMITIVES2DATA {
    ULONG_PTR dwhContext;
    DWORD dwFlags;      /* D3DHALDP2_* */
    DWORD dwVertexType; /* FVF of the DirectX 6/7 drawing tokens */
    LPDDRAWI_DDRAWSURFACE_LCL lpDDCommands;
    DWORD dwCommandOffset; /* bytes */
    DWORD dwCommandLength; /* bytes */
    union {
        LPDDRAWI_DDRAWSURFACE_LCL lpDDVertex;
        LPVOID lpVertices; /* if USERMEMVERTICES */
    };
    DWORD dwVertexOffset; /* bytes */
    DWORD dwVertexLength; /* vertices */
    DWORD dwReqVertexBufSize;
    DWORD dwReqCommandBufSize;
    LPDWORD lpdwRStates;
    union {
        DWORD dwVertexSize; /* in, bytes */
        HRESULT ddrval;     /* out */
    };
    DWORD dwErrorOffset;
} D3DHAL_DRAWPRIMITIVES2DATA, *LPD3DHAL_DRAWPRIMITIVES2DATA;

typedef DWORD(PASCAL *LPD3DHAL_CONTEXTCREATECB)(LPD3DHAL_CONTEXTCREATEDATA);
typedef DWORD(PASCAL *LPD3DHAL_CONTEXTDESTROYCB)(LPD3DHAL_CONTEXTDESTROYDATA);
typedef DWORD(PASCAL *LPD3DHAL_CONTEXTDESTROYALLCB)(LPD3DHAL_CONTEXTDESTROYALLDATA);
typedef DWORD(PASCAL *LPD3DHAL_SCENECAPTURECB)(LPD3DHAL_SCENECAPTUREDATA);
typedef DWORD(PASCAL *LPD3DHAL_RENDERSTATECB)(LPD3DHAL_RENDERSTATEDATA);
typedef DWORD(PASCAL *LPD3DHAL_RENDERPRIMITIVECB)(LPD3DHAL_RENDERPRIMITIVEDATA);
typedef DWORD(PASCAL *LPD3DHAL_TEXTURECREATECB)(LPD3DHAL_TEXTURECREATEDATA);
typedef DWORD(PASCAL *LPD3DHAL_TEXTUREDESTROYCB)(LPD3DHAL_TEXTUREDESTROYDATA);
typedef DWORD(PASCAL *LPD3DHAL_TEXTURESWAPCB)(LPD3DHAL_TEXTURESWAPDATA);
typedef DWORD(PASCAL *LPD3DHAL_TEXTUREGETSURFCB)(LPD3DHAL_TEXTUREGETSURFDATA);
typedef DWORD(PASCAL *LPD3DHAL_GETSTATECB)(LPD3DHAL_GETSTATEDATA);
typedef DWORD(PASCAL *LPD3DHAL_SETRENDERTARGETCB)(LPD3DHAL_SETRENDERTARGETDATA);
typedef DWORD(PASCAL *LPD3DHAL_CLEARCB)(LPD3DHAL_CLEARDATA);
typedef DWORD(PASCAL *LPD3DHAL_DRAWONEPRIMITIVECB)(LPD3DHAL_DRAWONEPRIMITIVEDATA);
typedef DWORD(PASCAL *LPD3DHAL_DRAWONEINDEXEDPRIMITIVECB)(LPD3DHAL_DRAWONEINDEXEDPRIMITIVEDATA);
typedef DWORD(PASCAL *LPD3DHAL_DRAWPRIMITIVESCB)(LPD3DHAL_DRAWPRIMITIVESDATA);
typedef DWORD(PASCAL *LPD3DHAL_CLEAR2CB)(LPD3DHAL_CLEAR2DATA);
typedef DWORD(PASCAL *LPD3DHAL_VALIDATETEXTURESTAGESTATECB)(LPD3DHAL_VALIDATETEXTURESTAGESTATEDATA);
typedef DWORD(PASCAL *LPD3DHAL_DRAWPRIMITIVES2CB)(LPD3DHAL_DRAWPRIMITIVES2DATA);

/* The driver's own: what IDirect3DDevice8::ProcessVertices asks of vertex processing. A runtime of the time did it
 * with a copy of its own; here the one that draws is asked, so that results are the same. */
#define HALCYON_PROCESS_DONOTCOPYDATA 0x00000001 /* D3DPV_DONOTCOPYDATA */

typedef struct _HALCYON_PROCESSVERTICESDATA {
    ULONG_PTR dwhContext;
    LPVOID lpVertices;  /* out */
    DWORD dwBytes;      /* room there */
    DWORD dwFlags;      /* HALCYON_PROCESS_* */
    DWORD dwFirst;      /* vertex of the streams */
    DWORD dwCount;
    DWORD dwVertexType; /* FVF of the result: D3DFVF_XYZRHW, size, colours, coordinates */
    DWORD dwVertexSize; /* bytes from one to the next */
    HRESULT ddrval;
} HALCYON_PROCESSVERTICESDATA, *LPHALCYON_PROCESSVERTICESDATA;
typedef DWORD(PASCAL *LPHALCYON_PROCESSVERTICESCB)(LPHALCYON_PROCESSVERTICESDATA);

/* The answer to DDI_GUID_HALCYON_VERTICES. */
typedef struct _HALCYON_VERTEXCALLBACKS {
    DWORD dwSize;
    DWORD dwFlags; /* 0 */
    LPHALCYON_PROCESSVERTICESCB ProcessVertices;
} HALCYON_VERTEXCALLBACKS;

/* The driver's own: rows of one sample of all pixels of a multisampled surface, which Lock does not show, for tools that keep
 * and bring back what is in surfaces. Answers in ddRVal: DDERR_INVALIDOBJECT (no surface of the driver), DDERR_INVALIDPARAMS
 * (no such sample or rows, or rows of another size). */
#define HALCYON_SAMPLES_ASK   0 /* fills in dwSamples, dwRows, dwRowBytes and dwDiffer alone */
#define HALCYON_SAMPLES_READ  1
#define HALCYON_SAMPLES_WRITE 2 /* the surface's pixels are those that the samples give from then on */

typedef struct _HALCYON_SAMPLESDATA {
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
    LPVOID lpMemory;  /* the first row */
    DWORD dwFlags;    /* HALCYON_SAMPLES_* */
    DWORD dwSample;   /* from 0 */
    DWORD dwFirstRow;
    DWORD dwRows;     /* ASK: out, of the surface */
    DWORD dwRowBytes; /* of a whole row, as it must be; they follow each other without a gap. ASK: out */
    DWORD dwSamples;  /* ASK: out, of a pixel; 0: the surface is not multisampled */
    DWORD dwDiffer;   /* ASK: out, 0: in every pixel all samples are what Lock shows */
    HRESULT ddRVal;
} HALCYON_SAMPLESDATA, *LPHALCYON_SAMPLESDATA;
typedef DWORD(PASCAL *LPHALCYON_SAMPLESCB)(LPHALCYON_SAMPLESDATA);

/* The answer to DDI_GUID_HALCYON_SAMPLES. */
typedef struct _HALCYON_SAMPLECALLBACKS {
    DWORD dwSize;
    DWORD dwFlags; /* 0 */
    LPHALCYON_SAMPLESCB AccessSamples;
} HALCYON_SAMPLECALLBACKS;

typedef struct _D3DHAL_CALLBACKS {
    DWORD dwSize;
    LPD3DHAL_CONTEXTCREATECB ContextCreate;
    LPD3DHAL_CONTEXTDESTROYCB ContextDestroy;
    LPD3DHAL_CONTEXTDESTROYALLCB ContextDestroyAll;
    LPD3DHAL_SCENECAPTURECB SceneCapture;
    LPVOID lpReserved10;
    LPVOID lpReserved11;
    LPD3DHAL_RENDERSTATECB RenderState;
    LPD3DHAL_RENDERPRIMITIVECB RenderPrimitive;
    DWORD dwReserved;
    LPD3DHAL_TEXTURECREATECB TextureCreate;
    LPD3DHAL_TEXTUREDESTROYCB TextureDestroy;
    LPD3DHAL_TEXTURESWAPCB TextureSwap;
    LPD3DHAL_TEXTUREGETSURFCB TextureGetSurf;
    LPVOID lpReserved12[10];
    LPD3DHAL_GETSTATECB GetState;
    DWORD dwReserved0[10];
} D3DHAL_CALLBACKS;

typedef struct _D3DHAL_CALLBACKS2 {
    DWORD dwSize;
    DWORD dwFlags; /* D3DHAL2_CB32_* */
    LPD3DHAL_SETRENDERTARGETCB SetRenderTarget;
    LPD3DHAL_CLEARCB Clear;
    LPD3DHAL_DRAWONEPRIMITIVECB DrawOnePrimitive;
    LPD3DHAL_DRAWONEINDEXEDPRIMITIVECB DrawOneIndexedPrimitive;
    LPD3DHAL_DRAWPRIMITIVESCB DrawPrimitives;
} D3DHAL_CALLBACKS2;

typedef struct _D3DHAL_CALLBACKS3 {
    DWORD dwSize;
    DWORD dwFlags; /* D3DHAL3_CB32_* */
    LPD3DHAL_CLEAR2CB Clear2;
    LPVOID lpvReserved;
    LPD3DHAL_VALIDATETEXTURESTAGESTATECB ValidateTextureStageState;
    LPD3DHAL_DRAWPRIMITIVES2CB DrawPrimitives2;
} D3DHAL_CALLBACKS3;

/* In: what to do with commands the driver does not know (GUID_D3DParseUnknownCommandCallback). */
typedef HRESULT(CALLBACK *PFND3DPARSEUNKNOWNCOMMAND)(LPVOID lpvCommands,
                                                     LPVOID *lplpvReturnedCommand);

/* --- DirectDraw callback arguments that ddrawi.h only names ------------------------------------
 */

typedef struct _DDHAL_CREATESURFACEEXDATA {
    DWORD dwFlags; /* DDHAL_CREATESURFACEEX_* */
    LPDDRAWI_DIRECTDRAW_LCL lpDDLcl;
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSLcl;
    HRESULT ddRVal;
} DDHAL_CREATESURFACEEXDATA;

typedef struct _DDHAL_GETDRIVERSTATEDATA {
    DWORD dwFlags; /* D3DDEVINFOID_* */
    union {
        LPDDRAWI_DIRECTDRAW_GBL lpDD;
        ULONG_PTR dwhContext;
    };
    LPDWORD lpdwStates;
    DWORD dwLength;
    HRESULT ddRVal;
} DDHAL_GETDRIVERSTATEDATA;

/* dwFlags. The structures stand in headers of DirectX 7 and 9, which clash with those of 8. */
#define D3DDEVINFOID_TEXTUREMANAGER    1 /* D3DDEVINFO_TEXTUREMANAGER: the driver's */
#define D3DDEVINFOID_D3DTEXTUREMANAGER 2 /* D3DDEVINFO_TEXTUREMANAGER: the runtime's */
#define D3DDEVINFOID_TEXTURING         3 /* D3DDEVINFO_TEXTURING */
#define D3DDEVINFOID_VCACHE            4
#define D3DDEVINFOID_RESOURCEMANAGER   5 /* D3DDEVINFO_RESOURCEMANAGER, DirectX 8 */

typedef struct _D3DDEVINFO_TEXTUREMANAGER {
    BOOL bThrashing;
    DWORD dwApproxBytesDownloaded;
    DWORD dwNumEvicts;
    DWORD dwNumVidCreates;
    DWORD dwNumTexturesUsed;
    DWORD dwNumUsedTexInVid;
    DWORD dwWorkingSet;
    DWORD dwWorkingSetBytes;
    DWORD dwTotalManaged;
    DWORD dwTotalBytes;
    DWORD dwLastPri;
} D3DDEVINFO_TEXTUREMANAGER;

typedef struct _D3DDEVINFO_TEXTURING {
    DWORD dwNumLoads;
    DWORD dwApproxBytesLoaded;
    DWORD dwNumPreLoads;
    DWORD dwNumSet;
    DWORD dwNumCreates;
    DWORD dwNumDestroys;
    DWORD dwNumSetPriorities;
    DWORD dwNumSetLODs;
    DWORD dwNumLocks;
    DWORD dwNumGetDCs;
} D3DDEVINFO_TEXTURING;

#define D3DRTYPECOUNT 8 /* D3DRESOURCETYPE */

typedef struct _D3DRESOURCESTATS {
    BOOL bThrashing;
    DWORD ApproxBytesDownloaded;
    DWORD NumEvicts;
    DWORD NumVidCreates;
    DWORD LastPri;
    DWORD NumUsed;
    DWORD NumUsedInVidMem;
    DWORD WorkingSet;
    DWORD WorkingSetBytes;
    DWORD TotalManaged;
    DWORD TotalBytes;
} D3DRESOURCESTATS;

typedef struct _D3DDEVINFO_RESOURCEMANAGER {
    D3DRESOURCESTATS stats[D3DRTYPECOUNT];
} D3DDEVINFO_RESOURCEMANAGER;

/* The driver's own id: what a context has done since it was created, a HALCYON_WORK. */
#define HALCYON_DEVINFOID_WORK 0x48414C01

typedef struct _HALCYON_WORK {
    ULONGLONG pixels; /* that passed all tests, of scenes already drawn */
    ULONGLONG busy;   /* nanoseconds in which threads drew, taken together */
    DWORD threads;    /* that may draw at once */
    DWORD reserved;
} HALCYON_WORK;

/* The driver's own id: captures while the program runs (ddi/record.h), a HALCYON_CAPTURE. Any context. */
#define HALCYON_DEVINFOID_CAPTURE 0x48414C02

typedef struct _HALCYON_CAPTURE {
    DWORD frames; /* in: capture so many, from behind the next present on; 0: only ask */
    DWORD state;  /* out: HALCYON_CAPTURE_* */
    DWORD frame;  /* out: presented so far, while captures are followed or written */
    DWORD reserved;
} HALCYON_CAPTURE;

#define HALCYON_CAPTURE_OFF     0 /* a request is not heard */
#define HALCYON_CAPTURE_WAITING 1 /* for a request */
#define HALCYON_CAPTURE_WRITING 2 /* this frame goes into a file */

typedef struct _DDHAL_DESTROYDDLOCALDATA {
    DWORD dwFlags;
    LPDDRAWI_DIRECTDRAW_LCL pDDLcl;
    HRESULT ddRVal;
} DDHAL_DESTROYDDLOCALDATA;

typedef struct _DDHAL_GETBLTSTATUSDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
    DWORD dwFlags; /* DDGBS_CANBLT 1, DDGBS_ISBLTDONE 2 */
    HRESULT ddRVal;
    LPDDHALSURFCB_GETBLTSTATUS GetBltStatus;
} DDHAL_GETBLTSTATUSDATA;

typedef struct _DDHAL_GETFLIPSTATUSDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
    DWORD dwFlags; /* DDGFS_CANFLIP 1, DDGFS_ISFLIPDONE 2 */
    HRESULT ddRVal;
    LPDDHALSURFCB_GETFLIPSTATUS GetFlipStatus;
} DDHAL_GETFLIPSTATUSDATA;

typedef struct _DDHAL_ADDATTACHEDSURFACEDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
    LPDDRAWI_DDRAWSURFACE_LCL lpSurfAttached;
    HRESULT ddRVal;
    LPDDHALSURFCB_ADDATTACHEDSURFACE AddAttachedSurface;
} DDHAL_ADDATTACHEDSURFACEDATA;

typedef struct _DDHAL_SETCOLORKEYDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
    DWORD dwFlags;
    DDCOLORKEY ckNew;
    HRESULT ddRVal;
    LPDDHALSURFCB_SETCOLORKEY SetColorKey;
} DDHAL_SETCOLORKEYDATA;

typedef struct _DDHAL_WAITFORVERTICALBLANKDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    DWORD dwFlags;
    DWORD bIsInVB;
    ULONG_PTR hEvent;
    HRESULT ddRVal;
    LPDDHAL_WAITFORVERTICALBLANK WaitForVerticalBlank;
} DDHAL_WAITFORVERTICALBLANKDATA;

typedef struct _DDHAL_GETSCANLINEDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    DWORD dwScanLine;
    HRESULT ddRVal;
    LPDDHAL_GETSCANLINE GetScanLine;
} DDHAL_GETSCANLINEDATA;

typedef struct _DDHAL_FLIPTOGDISURFACEDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    DWORD dwToGDI;
    DWORD dwReserved;
    HRESULT ddRVal;
    LPDDHAL_FLIPTOGDISURFACE FlipToGDISurface;
} DDHAL_FLIPTOGDISURFACEDATA;

typedef struct _DDHAL_GETAVAILDRIVERMEMORYDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    DDSCAPS DDSCaps;
    DWORD dwTotal; /* bytes */
    DWORD dwFree;
    HRESULT ddRVal;
    LPDDHAL_GETAVAILDRIVERMEMORY GetAvailDriverMemory;
    DDSCAPSEX ddsCapsEx;
} DDHAL_GETAVAILDRIVERMEMORYDATA;

typedef struct _DDHAL_UPDATENONLOCALHEAPDATA {
    LPDDRAWI_DIRECTDRAW_GBL lpDD;
    DWORD dwHeap;
    FLATPTR fpGARTLin;
    FLATPTR fpGARTDev;
    ULONG_PTR ulPolicyMaxBytes;
    HRESULT ddRVal;
    LPDDHAL_UPDATENONLOCALHEAP UpdateNonLocalHeap;
} DDHAL_UPDATENONLOCALHEAPDATA;

typedef struct _DDMORESURFACECAPS {
    DWORD dwSize;
    DDSCAPSEX ddsCapsMore;
    /* one pair for each heap of vmiData (none here) */
} DDMORESURFACECAPS;

/* --- GetDriverInfo2 --------------------------------------------------------------------------- */

#define D3DGDI2_MAGIC 0xFFFFFFFFu

#define D3DGDI2_TYPE_GETD3DCAPS8                 0x00000001
#define D3DGDI2_TYPE_GETFORMATCOUNT              0x00000002
#define D3DGDI2_TYPE_GETFORMAT                   0x00000003
#define D3DGDI2_TYPE_DXVERSION                   0x00000004
#define D3DGDI2_TYPE_GETD3DCAPS9                 0x00000010
#define D3DGDI2_TYPE_GETEXTENDEDMODECOUNT        0x00000011
#define D3DGDI2_TYPE_GETEXTENDEDMODE             0x00000012
#define D3DGDI2_TYPE_GETADAPTERGROUP             0x00000013
#define D3DGDI2_TYPE_GETMULTISAMPLEQUALITYLEVELS 0x00000016
#define D3DGDI2_TYPE_DEFERRED_AGP_AWARE          0x00000018
#define D3DGDI2_TYPE_FREE_DEFERRED_AGP           0x00000019
#define D3DGDI2_TYPE_DEFER_AGP_FREES             0x00000020
#define D3DGDI2_TYPE_GETD3DQUERYCOUNT            0x00000021
#define D3DGDI2_TYPE_GETD3DQUERY                 0x00000022
#define D3DGDI2_TYPE_GETDDIVERSION               0x00000023

#define DX9_DDI_VERSION 4

typedef struct _DD_GETDRIVERINFO2DATA {
    DWORD dwReserved;
    DWORD dwMagic; /* D3DGDI2_MAGIC; anything else: a DD_STEREOMODE */
    DWORD dwType;  /* D3DGDI2_TYPE_* */
    DWORD dwExpectedSize;
} DD_GETDRIVERINFO2DATA;

typedef struct _DD_GETFORMATCOUNTDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwFormatCount;
    DWORD dwReserved;
} DD_GETFORMATCOUNTDATA;

typedef struct _DD_GETFORMATDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwFormatIndex;
    DDPIXELFORMAT format;
} DD_GETFORMATDATA;

typedef struct _DD_DXVERSION {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwDXVersion; /* 0x700, 0x800, 0x802, 0x900, 0x902 */
    DWORD dwReserved;
} DD_DXVERSION;

typedef struct _DD_GETEXTENDEDMODECOUNTDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwModeCount;
    DWORD dwReserved;
} DD_GETEXTENDEDMODECOUNTDATA;

typedef struct _DD_GETEXTENDEDMODEDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwModeIndex;
    D3DDISPLAYMODE mode;
} DD_GETEXTENDEDMODEDATA;

typedef struct _DD_GETADAPTERGROUPDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    ULONG_PTR ulUniqueAdapterGroupId;
    DWORD dwReserved1;
    DWORD dwReserved2;
} DD_GETADAPTERGROUPDATA;

typedef struct _DD_MULTISAMPLEQUALITYLEVELSDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD Format;      /* D3DFORMAT */
    DWORD bFlip : 1;   /* for a flipping chain */
    DWORD MSType : 31; /* D3DMULTISAMPLE_TYPE */
    DWORD QualityLevels;
} DD_MULTISAMPLEQUALITYLEVELSDATA;

typedef struct _DD_DEFERRED_AGP_AWARE_DATA {
    DD_GETDRIVERINFO2DATA gdi2;
} DD_DEFERRED_AGP_AWARE_DATA;

typedef struct _DD_FREE_DEFERRED_AGP_DATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwProcessId;
} DD_FREE_DEFERRED_AGP_DATA;

typedef struct _DD_GETD3DQUERYCOUNTDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwNumQueries;
} DD_GETD3DQUERYCOUNTDATA;

typedef struct _DD_GETD3DQUERYDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    union {
        DWORD dwQueryIndex;
        DWORD QueryType;
    };
} DD_GETD3DQUERYDATA;

typedef struct _DD_GETDDIVERSIONDATA {
    DD_GETDRIVERINFO2DATA gdi2;
    DWORD dwDXVersion;
    DWORD dwDDIVersion;
} DD_GETDDIVERSIONDATA;

#endif
