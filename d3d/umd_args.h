/* SPDX-License-Identifier: MIT */
/*
 * Arguments of the functions of the WDDM 1.0 user-mode interface (d3d/umd.h), members as of Windows Vista. umd/layout.c asserts sizes and
 * offsets for 32 and 64 bits. Source of each: its page in Microsoft's windows-driver-docs-ddi, wdk-ddi-src/content/d3dumddi/, or
 * .../d3dukmdt/ for D3DDDI_SURFACEINFO and D3DDDI_ALLOCATIONINFO.
 */
#ifndef HALCYON_D3D_UMD_ARGS_H
#define HALCYON_D3D_UMD_ARGS_H

#include "d3d/umd_types.h"

struct _D3DDDI_ADAPTERCALLBACKS;
struct _D3DDDI_ADAPTERFUNCS;
struct _D3DDDI_DEVICECALLBACKS;
struct _D3DDDI_DEVICEFUNCS;
struct _D3DDDI_ALLOCATIONLIST;
struct _D3DDDI_PATCHLOCATIONLIST;

/* --- adapters and devices -------------------------------------------------------------------- */

typedef struct _D3DDDIARG_OPENADAPTER {
    HANDLE hAdapter; /* in: the runtime's; out: the driver's */
    UINT Interface;  /* 7, 8 or 9: the version of Direct3D */
    UINT Version;    /* D3D_UMD_INTERFACE_VERSION_* that the runtime was built with */
    const struct _D3DDDI_ADAPTERCALLBACKS *pAdapterCallbacks;
    struct _D3DDDI_ADAPTERFUNCS *pAdapterFuncs; /* out */
    UINT DriverVersion;                         /* out */
} D3DDDIARG_OPENADAPTER;

typedef struct _D3DDDIARG_GETCAPS {
    D3DDDICAPS_TYPE Type;
    VOID *pInfo; /* what some types need to know */
    VOID *pData;
    UINT DataSize; /* bytes at pData */
} D3DDDIARG_GETCAPS;

typedef struct _D3DDDIARG_CREATEDEVICE {
    HANDLE hDevice; /* in: the runtime's; out: the driver's */
    UINT Interface, Version;
    const struct _D3DDDI_DEVICECALLBACKS *pCallbacks;
    VOID *pCommandBuffer; /* this and the next five: those of contexts replaced them */
    UINT CommandBufferSize;
    struct _D3DDDI_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    struct _D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    struct _D3DDDI_DEVICEFUNCS *pDeviceFuncs; /* out */
    D3DDDI_CREATEDEVICEFLAGS Flags;
} D3DDDIARG_CREATEDEVICE;

/* --- resources -------------------------------------------------------------------------------- */

typedef struct _D3DDDI_SURFACEINFO {
    UINT Width, Height, Depth; /* texels; buffers: Width in bytes */
    const VOID *pSysMem;       /* D3DDDIPOOL_SYSTEMMEM alone */
    UINT SysMemPitch, SysMemSlicePitch;
} D3DDDI_SURFACEINFO;

typedef struct _D3DDDIARG_CREATERESOURCE {
    D3DDDIFORMAT Format;
    D3DDDI_POOL Pool;
    D3DDDIMULTISAMPLE_TYPE MultisampleType;
    UINT MultisampleQuality;
    const D3DDDI_SURFACEINFO *pSurfList; /* [face * MipLevels + level] */
    UINT SurfCount;
    UINT MipLevels;
    UINT Fvf;
    UINT VidPnSourceId;
    D3DDDI_RATIONAL RefreshRate;
    HANDLE hResource; /* in: the runtime's; out: the driver's */
    D3DDDI_RESOURCEFLAGS Flags;
    D3DDDI_ROTATION Rotation;
} D3DDDIARG_CREATERESOURCE;

typedef struct _D3DDDI_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    const VOID *pPrivateDriverData; /* of the driver that made the allocation */
    UINT PrivateDriverDataSize;
} D3DDDI_OPENALLOCATIONINFO;

typedef struct _D3DDDIARG_OPENRESOURCE {
    UINT NumAllocations;
    const D3DDDI_OPENALLOCATIONINFO *pOpenAllocationInfo;
    D3DKMT_HANDLE hKMResource;
    const VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hResource; /* in: the runtime's; out: the driver's */
    D3DDDI_ROTATION Rotation;
    D3DDDI_OPENRESOURCEFLAGS Flags;
} D3DDDIARG_OPENRESOURCE;

typedef struct _D3DDDIARG_LOCK {
    HANDLE hResource;
    UINT SubResourceIndex;
    union {
        D3DDDIRANGE Range;
        RECT Area;
        D3DDDIBOX Box;
    };
    VOID *pSurfData; /* out: where the part that was asked for begins */
    UINT Pitch, SlicePitch;
    D3DDDI_LOCKFLAGS Flags;
} D3DDDIARG_LOCK;

typedef struct _D3DDDIARG_UNLOCK {
    HANDLE hResource;
    UINT SubResourceIndex;
    D3DDDI_UNLOCKFLAGS Flags;
} D3DDDIARG_UNLOCK;

typedef struct _D3DDDIARG_LOCKASYNC {
    HANDLE hResource;
    UINT SubResourceIndex;
    D3DDDI_LOCKASYNCFLAGS Flags;
    union {
        D3DDDIRANGE Range;
        RECT Area;
        D3DDDIBOX Box;
    };
    HANDLE hCookie;
    VOID *pSurfData;
    UINT Pitch, SlicePitch;
} D3DDDIARG_LOCKASYNC;

typedef struct _D3DDDIARG_UNLOCKASYNC {
    HANDLE hResource;
    UINT SubResourceIndex;
    D3DDDI_UNLOCKASYNCFLAGS Flags;
} D3DDDIARG_UNLOCKASYNC;

typedef struct _D3DDDIARG_RENAME {
    HANDLE hResource;
    UINT SubResourceIndex;
    HANDLE hCookie;
} D3DDDIARG_RENAME;

typedef struct _D3DDDIARG_SETPRIORITY {
    HANDLE hResource;
    UINT Priority;
} D3DDDIARG_SETPRIORITY;

typedef struct _D3DDDIARG_QUERYRESOURCERESIDENCY {
    const HANDLE *pHandleList;
    UINT NumResources;
} D3DDDIARG_QUERYRESOURCERESIDENCY;

typedef struct _D3DDDIARG_SETDISPLAYMODE {
    HANDLE hResource;
    UINT SubResourceIndex;
} D3DDDIARG_SETDISPLAYMODE;

typedef struct _D3DDDIARG_PRESENT {
    HANDLE hSrcResource;
    UINT SrcSubResourceIndex;
    HANDLE hDstResource;
    UINT DstSubResourceIndex;
    D3DDDI_PRESENTFLAGS Flags;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
} D3DDDIARG_PRESENT;

typedef struct _D3DDDIARG_GETCAPTUREALLOCATIONHANDLE {
    HANDLE hResource;
    D3DKMT_HANDLE hAllocation;
} D3DDDIARG_GETCAPTUREALLOCATIONHANDLE;

typedef struct _D3DDDIARG_CAPTURETOSYSMEM {
    HANDLE hSrcResource;
    RECT SrcRect;
    HANDLE hDstResource;
    UINT DstSubResourceIndex;
    RECT DstRect;
} D3DDDIARG_CAPTURETOSYSMEM;

/* --- state -------------------------------------------------------------------------------------- */

typedef struct _D3DDDIARG_RENDERSTATE {
    D3DDDIRENDERSTATETYPE State;
    UINT Value;
} D3DDDIARG_RENDERSTATE;

typedef struct _D3DDDIARG_WINFO {
    FLOAT WNear, WFar;
} D3DDDIARG_WINFO;

typedef struct _D3DDDIARG_VALIDATETEXTURESTAGESTATE {
    UINT NumPasses; /* out */
} D3DDDIARG_VALIDATETEXTURESTAGESTATE;

typedef struct _D3DDDIARG_TEXTURESTAGESTATE {
    UINT Stage; /* 0 to 15; 256: displacement; 257 to 260: vertex textures */
    D3DDDITEXTURESTAGESTATETYPE State;
    UINT Value;
} D3DDDIARG_TEXTURESTAGESTATE;

typedef struct _D3DDDIARG_STATESET {
    D3DHAL_STATESETOP Operation;
    UINT StateBlockType; /* CREATE: D3DSTATEBLOCKTYPE; 0: a recorded block */
    HANDLE hStateSet;    /* out: BEGIN, CREATE; in: the others */
} D3DDDIARG_STATESET;

typedef struct _D3DDDIARG_UPDATEPALETTE {
    UINT PaletteHandle; /* a number of the runtime's choice */
    UINT StartIndex, NumEntries;
} D3DDDIARG_UPDATEPALETTE;

typedef struct _D3DDDIARG_SETPALETTE {
    UINT PaletteHandle;
    UINT PaletteFlags; /* DDRAWIPAL_* */
    HANDLE hResource;
} D3DDDIARG_SETPALETTE;

typedef struct _D3DDDIARG_SETTRANSFORM {
    UINT TransformType; /* D3DTRANSFORMSTATETYPE */
    FLOAT Matrix[16];
} D3DDDIARG_SETTRANSFORM, D3DDDIARG_MULTIPLYTRANSFORM;

typedef struct _D3DDDIARG_VIEWPORTINFO {
    UINT X, Y, Width, Height;
} D3DDDIARG_VIEWPORTINFO;

typedef struct _D3DDDIARG_ZRANGE {
    FLOAT MinZ, MaxZ;
} D3DDDIARG_ZRANGE;

typedef struct _D3DDDIARG_SETMATERIAL {
    D3DCOLORVALUE Diffuse, Ambient, Specular, Emissive;
    FLOAT Power;
} D3DDDIARG_SETMATERIAL;

typedef struct _D3DDDIARG_SETLIGHT {
    UINT Index;
    D3DDDI_SETLIGHT_TYPE DataType;
} D3DDDIARG_SETLIGHT;

typedef struct _D3DDDIARG_CREATELIGHT {
    UINT Index;
} D3DDDIARG_CREATELIGHT, D3DDDIARG_DESTROYLIGHT;

typedef struct _D3DDDIARG_SETCLIPPLANE {
    UINT Index;
    FLOAT Plane[4];
} D3DDDIARG_SETCLIPPLANE;

typedef struct _D3DDDIARG_SETRENDERTARGET {
    UINT RenderTargetIndex;
    HANDLE hRenderTarget; /* NULL: none */
    UINT SubResourceIndex;
} D3DDDIARG_SETRENDERTARGET;

typedef struct _D3DDDIARG_SETDEPTHSTENCIL {
    HANDLE hZBuffer; /* NULL: none */
} D3DDDIARG_SETDEPTHSTENCIL;

/* --- shaders ------------------------------------------------------------------------------------- */

typedef struct _D3DDDIARG_SETVERTEXSHADERCONST {
    UINT Register, Count; /* of vectors; of B: of values */
} D3DDDIARG_SETVERTEXSHADERCONST, D3DDDIARG_SETVERTEXSHADERCONSTI, D3DDDIARG_SETVERTEXSHADERCONSTB,
    D3DDDIARG_SETPIXELSHADERCONST, D3DDDIARG_SETPIXELSHADERCONSTI, D3DDDIARG_SETPIXELSHADERCONSTB;

typedef struct _D3DDDIARG_CREATEVERTEXSHADERFUNC {
    UINT Size;           /* bytes of code, with its end token */
    HANDLE ShaderHandle; /* out */
} D3DDDIARG_CREATEVERTEXSHADERFUNC;

typedef struct _D3DDDIARG_CREATEVERTEXSHADERDECL {
    UINT NumVertexElements; /* without an end */
    HANDLE ShaderHandle;    /* out */
} D3DDDIARG_CREATEVERTEXSHADERDECL;

typedef struct _D3DDDIARG_CREATEPIXELSHADER {
    UINT CodeSize;       /* bytes, with the end token */
    HANDLE ShaderHandle; /* out */
} D3DDDIARG_CREATEPIXELSHADER;

/* --- streams and draws ----------------------------------------------------------------------------- */

typedef struct _D3DDDIARG_SETSTREAMSOURCE {
    UINT Stream;
    HANDLE hVertexBuffer; /* NULL: none */
    UINT Offset, Stride;  /* bytes; stride 0: all vertices are the first */
} D3DDDIARG_SETSTREAMSOURCE;

typedef struct _D3DDDIARG_SETSTREAMSOURCEUM {
    UINT Stream, Stride;
} D3DDDIARG_SETSTREAMSOURCEUM;

typedef struct _D3DDDIARG_SETSTREAMSOURCEFREQ {
    UINT Stream, Divider;
} D3DDDIARG_SETSTREAMSOURCEFREQ;

typedef struct _D3DDDIARG_SETINDICES {
    HANDLE hIndexBuffer; /* NULL: none */
    UINT Stride;         /* 2 or 4 */
} D3DDDIARG_SETINDICES;

typedef struct _D3DDDIARG_DRAWPRIMITIVE {
    UINT PrimitiveType; /* D3DPRIMITIVETYPE */
    UINT VStart, PrimitiveCount;
} D3DDDIARG_DRAWPRIMITIVE;

typedef struct _D3DDDIARG_DRAWINDEXEDPRIMITIVE {
    UINT PrimitiveType;
    INT BaseVertexIndex;
    UINT MinIndex, NumVertices;
    UINT StartIndex, PrimitiveCount;
} D3DDDIARG_DRAWINDEXEDPRIMITIVE;

typedef struct _D3DDDIARG_DRAWPRIMITIVE2 {
    UINT PrimitiveType;
    UINT FirstVertexOffset; /* bytes */
    UINT PrimitiveCount;
} D3DDDIARG_DRAWPRIMITIVE2;

typedef struct _D3DDDIARG_DRAWINDEXEDPRIMITIVE2 {
    UINT PrimitiveType;
    INT BaseVertexOffset; /* bytes */
    UINT MinIndex, NumVertices;
    UINT StartIndexOffset; /* bytes */
    UINT PrimitiveCount;
} D3DDDIARG_DRAWINDEXEDPRIMITIVE2;

typedef struct _D3DDDIARG_DRAWRECTPATCH {
    UINT Handle; /* 0: not kept */
} D3DDDIARG_DRAWRECTPATCH, D3DDDIARG_DRAWTRIPATCH;

typedef struct _D3DDDIARG_CLEAR {
    UINT Flags; /* D3DCLEAR_*; 8: COMPUTERECTS */
    UINT FillColor;
    FLOAT FillDepth;
    UINT FillStencil;
} D3DDDIARG_CLEAR;

/* --- copies ------------------------------------------------------------------------------------------ */

typedef struct _D3DDDIARG_VOLUMEBLT {
    HANDLE hDstResource, hSrcResource;
    UINT DstX, DstY, DstZ;
    D3DDDIBOX SrcBox;
} D3DDDIARG_VOLUMEBLT;

typedef struct _D3DDDIARG_BUFFERBLT {
    HANDLE hDstResource, hSrcResource;
    UINT Offset; /* bytes, of the destination */
    D3DDDIRANGE SrcRange;
} D3DDDIARG_BUFFERBLT;

typedef struct _D3DDDIARG_TEXBLT {
    HANDLE hDstResource, hSrcResource;
    UINT CubeMapFace; /* 0xFFFFFFFF: all */
    POINT DstPoint;
    RECT SrcRect;
} D3DDDIARG_TEXBLT;

typedef struct _D3DDDIARG_BLT {
    HANDLE hSrcResource;
    UINT SrcSubResourceIndex;
    RECT SrcRect;
    HANDLE hDstResource;
    UINT DstSubResourceIndex;
    RECT DstRect;
    UINT ColorKey; /* in the format of the surface that has the key */
    D3DDDI_BLTFLAGS Flags;
} D3DDDIARG_BLT;

typedef struct _D3DDDIARG_COLORFILL {
    HANDLE hResource;
    UINT SubResourceIndex;
    RECT DstRect;
    D3DCOLOR Color;
    D3DDDI_COLORFILLFLAGS Flags;
} D3DDDIARG_COLORFILL;

typedef struct _D3DDDIARG_DEPTHFILL {
    HANDLE hResource;
    UINT SubResourceIndex;
    RECT DstRect;
    UINT Depth; /* in the bits of the format */
} D3DDDIARG_DEPTHFILL;

typedef struct _D3DDDIARG_GENERATEMIPSUBLEVELS {
    HANDLE hResource;
    D3DDDITEXTUREFILTERTYPE Filter;
} D3DDDIARG_GENERATEMIPSUBLEVELS;

typedef struct _D3DDDIARG_SETCONVOLUTIONKERNELMONO {
    UINT Width, Height;
    FLOAT *pKernelRow, *pKernelCol; /* Width and Height weights; NULL: equal ones */
} D3DDDIARG_SETCONVOLUTIONKERNELMONO;

typedef struct _D3DDDIARG_COMPOSERECTS {
    HANDLE hSrcResource;
    UINT SrcSubResourceIndex;
    HANDLE hDstResource;
    UINT DstSubResourceIndex;
    HANDLE hSrcRectDescsVB;
    UINT NumRects;
    HANDLE hDstRectDescsVB;
    D3DDDICOMPOSERECTSOP Operation;
    INT XOffset, YOffset;
} D3DDDIARG_COMPOSERECTS;

/* --- queries ------------------------------------------------------------------------------------------ */

typedef struct _D3DDDIARG_CREATEQUERY {
    D3DDDIQUERYTYPE QueryType;
    HANDLE hQuery; /* out */
} D3DDDIARG_CREATEQUERY;

typedef struct _D3DDDIARG_ISSUEQUERY {
    HANDLE hQuery;
    D3DDDI_ISSUEQUERYFLAGS Flags;
} D3DDDIARG_ISSUEQUERY;

typedef struct _D3DDDIARG_GETQUERYDATA {
    HANDLE hQuery;
    VOID *pData; /* out: as many bytes as the type has; NULL: a question alone */
} D3DDDIARG_GETQUERYDATA;

#endif
