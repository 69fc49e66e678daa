/* SPDX-License-Identifier: MIT */
/*
 * The questions that a driver answers about itself: GetDriverInfo2 with formats, capabilities and queries, and the
 * statistics of GetDriverState. Source: docs/reference/driver-calls.md.
 */
#ifndef HALCYON_D3D_DRIVER_INFO_H
#define HALCYON_D3D_DRIVER_INFO_H

#include "d3d/types.h"

/* --- formats ------------------------------------------------------------------------------- */

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

/* --- GetDriverInfo2 --------------------------------------------------------------------------- */

#define D3DGDI2_MAGIC                            0xFFFFFFFFu

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

#define DX9_DDI_VERSION                          4

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

/* --- GetDriverState ------------------------------------------------------------------------ */

/* dwFlags of DDHAL_GETDRIVERSTATEDATA. The structures are in headers of DirectX 7 and 9, which conflict with those of
 * 8. */
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

#ifndef __WINE_D3D9TYPES_H
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
#endif

typedef struct _D3DDEVINFO_RESOURCEMANAGER {
    D3DRESOURCESTATS stats[D3DRTYPECOUNT];
} D3DDEVINFO_RESOURCEMANAGER;

#endif
