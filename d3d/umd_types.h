/* SPDX-License-Identifier: MIT */
/*
 * Enumerations, flag words and small structures of the WDDM 1.0 user-mode interface (d3d/umd.h), members as of Windows Vista.
 *
 * Source of each: its page in Microsoft's windows-driver-docs-ddi, wdk-ddi-src/content/d3dumddi/ or .../d3dukmdt/, found by its name. The
 * numbers of flags and of D3DDDICAPS_TYPE, D3DDDI_POOL, D3DDDI_ROTATION and D3DDDI_FLIPINTERVAL_TYPE are on the pages. Other
 * enumerations have only names there and the remark that they agree with Direct3D: their members are UINTs here, with the numbers of
 * D3DFORMAT, D3DRENDERSTATETYPE, D3DTEXTURESTAGESTATETYPE, D3DQUERYTYPE and D3DTEXTUREFILTERTYPE.
 */
#ifndef HALCYON_D3D_UMD_TYPES_H
#define HALCYON_D3D_UMD_TYPES_H

#include "d3d/dp2_tokens.h"
#include "d3d/types.h"

typedef UINT D3DKMT_HANDLE; /* 32 bits in 64-bit processes, too */

/* Numbers of D3DFORMAT as drivers know them (d3d/driver_info.h), and those of buffers. */
typedef UINT D3DDDIFORMAT;
#define D3DDDIFMT_UNKNOWN    0
#define D3DDDIFMT_VERTEXDATA 100
#define D3DDDIFMT_INDEX16    101
#define D3DDDIFMT_INDEX32    102

typedef UINT D3DDDIMULTISAMPLE_TYPE;      /* D3DMULTISAMPLE_TYPE */
typedef UINT D3DDDIRENDERSTATETYPE;       /* D3DRENDERSTATETYPE, also states of older versions: SCENECAPTURE */
typedef UINT D3DDDITEXTURESTAGESTATETYPE; /* D3DTEXTURESTAGESTATETYPE, with sampler states, and the following two */
#define D3DDDITSS_DISABLETEXTURECOLORKEY 33
#define D3DDDITSS_TEXTURECOLORKEYVAL     34
typedef UINT D3DDDITEXTUREFILTERTYPE; /* D3DTEXTUREFILTERTYPE */
typedef UINT D3DDDIQUERYTYPE;         /* D3DQUERYTYPE */
typedef UINT D3DDDICOMPOSERECTSOP;    /* D3DCOMPOSERECTSOP */

typedef enum _D3DDDI_POOL {
    D3DDDIPOOL_SYSTEMMEM = 1, /* the runtime's memory */
    D3DDDIPOOL_VIDEOMEMORY = 2,
    D3DDDIPOOL_LOCALVIDMEM = 3,
    D3DDDIPOOL_NONLOCALVIDMEM = 4,
} D3DDDI_POOL;

typedef enum _D3DDDI_ROTATION {
    D3DDDI_ROTATION_IDENTITY = 1,
    D3DDDI_ROTATION_90 = 2,
    D3DDDI_ROTATION_180 = 3,
    D3DDDI_ROTATION_270 = 4,
} D3DDDI_ROTATION;

typedef enum _D3DDDI_FLIPINTERVAL_TYPE {
    D3DDDI_FLIPINTERVAL_IMMEDIATE = 0,
    D3DDDI_FLIPINTERVAL_ONE = 1,
    D3DDDI_FLIPINTERVAL_TWO = 2,
    D3DDDI_FLIPINTERVAL_THREE = 3,
    D3DDDI_FLIPINTERVAL_FOUR = 4,
} D3DDDI_FLIPINTERVAL_TYPE;

/* In the order of the page; the values of D3DHAL_SETLIGHT_*. */
typedef enum _D3DDDI_SETLIGHT_TYPE {
    D3DDDI_SETLIGHT_ENABLE = 0,
    D3DDDI_SETLIGHT_DISABLE = 1,
    D3DDDI_SETLIGHT_DATA = 2,
} D3DDDI_SETLIGHT_TYPE;

/* The numbers of D3DHAL_STATESET*. */
typedef UINT D3DHAL_STATESETOP;

/* --- questions to the adapter --------------------------------------------------------------- */

typedef enum _D3DDDICAPS_TYPE {
    D3DDDICAPS_DDRAW = 1,                       /* DDRAW_CAPS */
    D3DDDICAPS_DDRAW_MODE_SPECIFIC = 2,         /* DDRAW_MODE_SPECIFIC_CAPS */
    D3DDDICAPS_GETFORMATCOUNT = 3,              /* UINT */
    D3DDDICAPS_GETFORMATDATA = 4,               /* FORMATOP[] */
    D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS = 5, /* DDIMULTISAMPLEQUALITYLEVELSDATA */
    D3DDDICAPS_GETD3DQUERYCOUNT = 6,            /* UINT */
    D3DDDICAPS_GETD3DQUERYDATA = 7,             /* D3DDDIQUERYTYPE[] */
    D3DDDICAPS_GETD3D3CAPS = 8,                 /* D3DHAL_GLOBALDRIVERDATA */
    D3DDDICAPS_GETD3D5CAPS = 9,                 /* not used */
    D3DDDICAPS_GETD3D6CAPS = 10,                /* not used */
    D3DDDICAPS_GETD3D7CAPS = 11,                /* D3DHAL_D3DEXTENDEDCAPS */
    D3DDDICAPS_GETD3D8CAPS = 12,                /* D3DCAPS8 */
    D3DDDICAPS_GETD3D9CAPS = 13,                /* D3DCAPS9 */
    D3DDDICAPS_GETDECODEGUIDCOUNT = 14,         /* UINT */
    D3DDDICAPS_GETDECODEGUIDS = 15,
    D3DDDICAPS_GETDECODERTFORMATCOUNT = 16, /* UINT */
    D3DDDICAPS_GETDECODERTFORMATS = 17,
    D3DDDICAPS_GETDECODECOMPRESSEDBUFFERINFOCOUNT = 18, /* UINT */
    D3DDDICAPS_GETDECODECOMPRESSEDBUFFERINFO = 19,
    D3DDDICAPS_GETDECODECONFIGURATIONCOUNT = 20, /* UINT */
    D3DDDICAPS_GETDECODECONFIGURATIONS = 21,
    D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDCOUNT = 22, /* UINT */
    D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDS = 23,
    D3DDDICAPS_GETVIDEOPROCESSORRTFORMATCOUNT = 24, /* UINT */
    D3DDDICAPS_GETVIDEOPROCESSORRTFORMATS = 25,
    D3DDDICAPS_GETVIDEOPROCESSORRTSUBSTREAMFORMATCOUNT = 26, /* UINT */
    D3DDDICAPS_GETVIDEOPROCESSORRTSUBSTREAMFORMATS = 27,
    D3DDDICAPS_GETVIDEOPROCESSORCAPS = 28,
    D3DDDICAPS_GETPROCAMPRANGE = 29,
    D3DDDICAPS_FILTERPROPERTYRANGE = 30,
    D3DDDICAPS_GETEXTENSIONGUIDCOUNT = 31, /* UINT */
    D3DDDICAPS_GETEXTENSIONGUIDS = 32,
    D3DDDICAPS_GETEXTENSIONCAPS = 33,
    D3DDDICAPS_GETGAMMARAMPCAPS = 34, /* DDIGAMMACAPS */
} D3DDDICAPS_TYPE;

/* The numbers of the bits are not public. */
typedef struct _DDRAW_CAPS {
    UINT Caps, Caps2, CKeyCaps, FxCaps;
    UINT MaxVideoPorts;
} DDRAW_CAPS;

typedef struct _DDRAW_MODE_SPECIFIC_CAPS {
    UINT Head; /* in */
    UINT Caps, CKeyCaps, FxCaps;
    UINT MaxVisibleOverlays, MinOverlayStretch, MaxOverlayStretch;
} DDRAW_MODE_SPECIFIC_CAPS;

typedef struct _FORMATOP {
    D3DDDIFORMAT Format;
    UINT Operations;              /* D3DFORMAT_OP_* of d3d/driver_info.h */
    UINT FlipMsTypes, BltMsTypes; /* bit n - 1: D3DMULTISAMPLE_TYPE n */
    UINT PrivateFormatBitCount;
} FORMATOP;

typedef struct _DDIMULTISAMPLEQUALITYLEVELSDATA {
    D3DDDIFORMAT Format;
    UINT Flip : 1; /* for a chain that is flipped */
    UINT MsType : 31;
    UINT QualityLevels; /* out */
    UINT Reserved;
} DDIMULTISAMPLEQUALITYLEVELSDATA;

typedef struct _DDIGAMMACAPS {
    UINT GammaCaps; /* bit 0: ramps of 256 entries of 16 bits */
} DDIGAMMACAPS;

/* --- flag words ----------------------------------------------------------------------------- */

/* A word that is read bit by bit or as a whole. Words whose bits are printed have a list of them, D3DDDI_*_BITS. */
#define D3DDDI_FLAGS(...)     \
    union {                   \
        struct {              \
            UINT __VA_ARGS__; \
        };                    \
        UINT Value;           \
    }

typedef struct _D3DDDI_CREATEDEVICEFLAGS {
    D3DDDI_FLAGS(AllowMultithreading : 1, AllowFlipBatching : 1, Reserved : 30);
} D3DDDI_CREATEDEVICEFLAGS;

#define D3DDDI_RESOURCEFLAGS_BITS                                                                                \
    RenderTarget:                                                                                                \
    1, ZBuffer : 1, Dynamic : 1, HintStatic : 1, AutogenMipmap : 1, DMap : 1, WriteOnly : 1, NotLockable : 1,    \
        Points : 1, RtPatches : 1, NPatches : 1, SharedResource : 1, DiscardRenderTarget : 1, Video : 1,         \
        CaptureBuffer : 1, Primary : 1, Texture : 1, CubeMap : 1, Volume : 1, VertexBuffer : 1, IndexBuffer : 1, \
        DecodeRenderTarget : 1, DecodeCompressedBuffer : 1, VideoProcessRenderTarget : 1, CpuOptimized : 1,      \
        MightDrawFromLocked : 1, Overlay : 1, MatchGdiPrimary : 1, InterlacedRefresh : 1, TextApi : 1, Reserved : 2
typedef struct _D3DDDI_RESOURCEFLAGS {
    D3DDDI_FLAGS(D3DDDI_RESOURCEFLAGS_BITS);
} D3DDDI_RESOURCEFLAGS;

#define D3DDDI_LOCKFLAGS_BITS                                                                                    \
    ReadOnly:                                                                                                    \
    1, WriteOnly : 1, NoOverwrite : 1, Discard : 1, RangeValid : 1, AreaValid : 1, BoxValid : 1, NotifyOnly : 1, \
        MightDrawFromLocked : 1, DoNotWait : 1, Reserved : 22
typedef struct _D3DDDI_LOCKFLAGS {
    D3DDDI_FLAGS(D3DDDI_LOCKFLAGS_BITS);
} D3DDDI_LOCKFLAGS;

#define D3DDDI_UNLOCKFLAGS_BITS \
    NotifyOnly:                 \
    1, Reserved : 31
typedef struct _D3DDDI_UNLOCKFLAGS {
    D3DDDI_FLAGS(D3DDDI_UNLOCKFLAGS_BITS);
} D3DDDI_UNLOCKFLAGS;

/* Bits other than those of D3DDDI_LOCKFLAGS. */
typedef struct _D3DDDI_LOCKASYNCFLAGS {
    D3DDDI_FLAGS(NoOverwrite : 1, Discard : 1, RangeValid : 1, AreaValid : 1, BoxValid : 1, NoExistingReferences : 1,
                 NotifyOnly : 1, Reserved : 25);
} D3DDDI_LOCKASYNCFLAGS;

typedef struct _D3DDDI_UNLOCKASYNCFLAGS {
    D3DDDI_FLAGS(NotifyOnly : 1, Reserved : 31);
} D3DDDI_UNLOCKASYNCFLAGS;

#define D3DDDI_BLTFLAGS_BITS                                                                                  \
    Point:                                                                                                    \
    1, Linear : 1, SrcColorKey : 1, DstColorKey : 1, MirrorLeftRight : 1, MirrorUpDown : 1, LinearToSrgb : 1, \
        Rotate : 1, BeginPresentToDwm : 1, ContinuePresentToDwm : 1, EndPresentToDwm : 1, Reserved : 21
typedef struct _D3DDDI_BLTFLAGS {
    D3DDDI_FLAGS(D3DDDI_BLTFLAGS_BITS);
} D3DDDI_BLTFLAGS;

#define D3DDDI_COLORFILLFLAGS_BITS \
    PresentToDwm:                  \
    1, Reserved : 31
typedef struct _D3DDDI_COLORFILLFLAGS {
    D3DDDI_FLAGS(D3DDDI_COLORFILLFLAGS_BITS);
} D3DDDI_COLORFILLFLAGS;

/* D3DISSUE_BEGIN and D3DISSUE_END have each other's bit. */
#define D3DDDI_ISSUEQUERYFLAGS_BITS \
    Begin:                          \
    1, End : 1, Reserved : 30
typedef struct _D3DDDI_ISSUEQUERYFLAGS {
    D3DDDI_FLAGS(D3DDDI_ISSUEQUERYFLAGS_BITS);
} D3DDDI_ISSUEQUERYFLAGS;

#define D3DDDI_PRESENTFLAGS_BITS \
    Blt:                         \
    1, ColorFill : 1, Flip : 1, Reserved : 29
typedef struct _D3DDDI_PRESENTFLAGS {
    D3DDDI_FLAGS(D3DDDI_PRESENTFLAGS_BITS);
} D3DDDI_PRESENTFLAGS;

typedef struct _D3DDDI_OPENRESOURCEFLAGS {
    D3DDDI_FLAGS(Fullscreen : 1, AlphaOverride : 1, Reserved : 30);
} D3DDDI_OPENRESOURCEFLAGS;

/* For pfnLockCb; bits other than those of D3DDDI_LOCKFLAGS. */
typedef struct _D3DDDICB_LOCKFLAGS {
    D3DDDI_FLAGS(ReadOnly : 1, WriteOnly : 1, DonotWait : 1, IgnoreSync : 1, LockEntire : 1, DonotEvict : 1,
                 AcquireAperture : 1, Discard : 1, NoExistingReference : 1, Reserved : 23);
} D3DDDICB_LOCKFLAGS;

typedef struct _D3DDDICB_RENDERFLAGS {
    D3DDDI_FLAGS(ResizeCommandBuffer : 1, ResizeAllocationList : 1, ResizePatchLocationList : 1, NullRendering : 1,
                 Reserved : 28);
} D3DDDICB_RENDERFLAGS;

typedef struct _D3DDDI_CREATECONTEXTFLAGS {
    D3DDDI_FLAGS(NullRendering : 1, Reserved : 31);
} D3DDDI_CREATECONTEXTFLAGS;

typedef struct _D3DDDI_ESCAPEFLAGS {
    D3DDDI_FLAGS(HardwareAccess : 1, Reserved : 31);
} D3DDDI_ESCAPEFLAGS;

typedef struct _D3DDDI_ALLOCATIONINFOFLAGS {
    D3DDDI_FLAGS(Primary : 1, Stereo : 1, Reserved : 30);
} D3DDDI_ALLOCATIONINFOFLAGS;

/* --- small structures ------------------------------------------------------------------------ */

typedef struct _D3DDDI_RATIONAL {
    UINT Numerator, Denominator;
} D3DDDI_RATIONAL;

typedef struct _D3DDDIRANGE {
    UINT Offset, Size; /* bytes */
} D3DDDIRANGE;

typedef struct _D3DDDIBOX {
    UINT Left, Top, Right, Bottom, Front, Back;
} D3DDDIBOX;

typedef struct _D3DDDIRECTPATCH_INFO {
    UINT StartVertexOffsetWidth, StartVertexOffsetHeight;
    UINT Width, Height, Stride;
    UINT Basis, Degree; /* D3DBASISTYPE, D3DDEGREETYPE */
} D3DDDIRECTPATCH_INFO;

typedef struct _D3DDDITRIPATCH_INFO {
    UINT StartVertexOffset, NumVertices;
    UINT Basis, Degree;
} D3DDDITRIPATCH_INFO;

/* D3DLIGHT7. */
typedef struct _D3DDDI_LIGHT {
    UINT Type; /* D3DLIGHTTYPE */
    D3DCOLORVALUE Diffuse, Specular, Ambient;
    FLOAT Position[3], Direction[3];
    FLOAT Range, Falloff;
    FLOAT Attenuation0, Attenuation1, Attenuation2;
    FLOAT Theta, Phi;
} D3DDDI_LIGHT;

#endif
