/* SPDX-License-Identifier: MIT */
/*
 * Rasterizer state objects in the manner of WDDM 2.0, as Microsoft's DirectX-Specs have them ("Conservative
 * Rasterization", chapter "DDI Design"; docs/reference/conservative-rules.md), in addition to the interface of DirectX
 * 8. GetDriverInfo with DDI_GUID_WDDM2 answers a WDDM2_CALLBACKS. A device is opened on a context of the old interface;
 * a bound rasterizer state takes the place of the context's own states for what it describes, until NULL is bound.
 * Names, values and order of members are those of d3d10umddi.h. The caller provides the memory of devices and states,
 * in the size that the driver asks for. Errors of functions that return nothing go to pfnSetErrorCb.
 */
#ifndef HALCYON_D3D_WDDM2_H
#define HALCYON_D3D_WDDM2_H

#include "d3d/ddi.h"

DDI_GUID(DDI_GUID_WDDM2, 0x6b1d27a4, 0x0f5e, 0x4c83, 0x9a, 0x3e, 0x52, 0xc8, 0x14, 0x7f, 0xe0, 0x96);

/* --- capabilities ------------------------------------------------------------------------ */

typedef enum D3D10_2DDICAPS_TYPE {
    D3DWDDM2_0DDICAPS_D3D11_OPTIONS2 = 140,
} D3D10_2DDICAPS_TYPE;

typedef enum D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER {
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_NOT_SUPPORTED = 0,
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER_1 = 1,
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER_2 = 2,
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER_3 = 3,
} D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER;

typedef struct D3DWDDM2_0DDICAPS_D3D11_OPTIONS2_DATA {
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER ConservativeRasterizationTier;
} D3DWDDM2_0DDICAPS_D3D11_OPTIONS2_DATA;

typedef struct D3D10_2DDIARG_GETCAPS {
    D3D10_2DDICAPS_TYPE Type;
    VOID *pInfo; /* ignored */
    VOID *pData;
    UINT DataSize; /* bytes at pData */
} D3D10_2DDIARG_GETCAPS;

/* --- rasterizer state ---------------------------------------------------------------------- */

typedef enum D3D10_DDI_FILL_MODE { D3D10_DDI_FILL_WIREFRAME = 2, D3D10_DDI_FILL_SOLID = 3 } D3D10_DDI_FILL_MODE;
typedef enum D3D10_DDI_CULL_MODE {
    D3D10_DDI_CULL_NONE = 1,
    D3D10_DDI_CULL_FRONT = 2,
    D3D10_DDI_CULL_BACK = 3
} D3D10_DDI_CULL_MODE;
typedef enum D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_MODE {
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_OFF = 0,
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_ON = 1,
} D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_MODE;

typedef struct D3DWDDM2_0DDI_RASTERIZER_DESC {
    D3D10_DDI_FILL_MODE FillMode;
    D3D10_DDI_CULL_MODE CullMode;
    BOOL FrontCounterClockwise;
    INT DepthBias;              /* in steps of the depth format */
    FLOAT DepthBiasClamp;       /* above 0: at most, below: at least */
    FLOAT SlopeScaledDepthBias; /* times the steepest slope */
    BOOL DepthClipEnable;
    BOOL ScissorEnable;
    BOOL MultisampleEnable;
    BOOL AntialiasedLineEnable;
    UINT ForcedSampleCount; /* 0, 1: none; 2, 4, 8, 16: the number of samples for coverage on targets with one sample */
    D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_MODE ConservativeRasterizationMode;
} D3DWDDM2_0DDI_RASTERIZER_DESC;

/* --- handles and functions ------------------------------------------------------------------- */

typedef struct D3D10DDI_HDEVICE {
    VOID *pDrvPrivate;
} D3D10DDI_HDEVICE;
typedef struct D3D10DDI_HRASTERIZERSTATE {
    VOID *pDrvPrivate;
} D3D10DDI_HRASTERIZERSTATE;
typedef struct D3D10DDI_HRTRASTERIZERSTATE {
    VOID *handle;
} D3D10DDI_HRTRASTERIZERSTATE;
typedef struct D3D10DDI_HRTCORELAYER {
    VOID *handle;
} D3D10DDI_HRTCORELAYER;

typedef VOID(APIENTRY *PFND3D10DDI_SETERROR_CB)(D3D10DDI_HRTCORELAYER, HRESULT);

typedef struct WDDM2_CREATEDEVICE {
    ULONG_PTR dwhContext; /* in: the context it draws through */
    D3D10DDI_HRTCORELAYER hRTCoreLayer;
    PFND3D10DDI_SETERROR_CB pfnSetErrorCb; /* may be NULL */
    D3D10DDI_HDEVICE hDevice;              /* pDrvPrivate: memory of the caller, of pfnCalcPrivateDeviceSize bytes */
} WDDM2_CREATEDEVICE;

typedef struct WDDM2_CALLBACKS {
    DWORD dwSize;
    /* S_OK; E_INVALIDARG: unknown type, or no room for the answer */
    HRESULT(APIENTRY *pfnGetCaps)(const D3D10_2DDIARG_GETCAPS *);
    SIZE_T(APIENTRY *pfnCalcPrivateDeviceSize)(void);
    /* S_OK, or E_INVALIDARG: no such context */
    HRESULT(APIENTRY *pfnCreateDevice)(const WDDM2_CREATEDEVICE *);
    VOID(APIENTRY *pfnDestroyDevice)(D3D10DDI_HDEVICE);
    SIZE_T(APIENTRY *pfnCalcPrivateRasterizerStateSize)(D3D10DDI_HDEVICE, const D3DWDDM2_0DDI_RASTERIZER_DESC *);
    /* Errors: E_INVALIDARG for descriptions with values outside their enumerations, conservative mode where the driver
     * has none (HALCYON_CONSERVATIVE_TIER 0), and with a fill mode that is not solid. */
    VOID(APIENTRY *pfnCreateRasterizerState)
    (D3D10DDI_HDEVICE, const D3DWDDM2_0DDI_RASTERIZER_DESC *, D3D10DDI_HRASTERIZERSTATE, D3D10DDI_HRTRASTERIZERSTATE);
    VOID(APIENTRY *pfnDestroyRasterizerState)(D3D10DDI_HDEVICE, D3D10DDI_HRASTERIZERSTATE);
    /* pDrvPrivate NULL: back to the context's own states. E_INVALIDARG: not a state that was created. */
    VOID(APIENTRY *pfnSetRasterizerState)(D3D10DDI_HDEVICE, D3D10DDI_HRASTERIZERSTATE);
} WDDM2_CALLBACKS;

#endif
