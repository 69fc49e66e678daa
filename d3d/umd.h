/* SPDX-License-Identifier: MIT */
/*
 * The WDDM 1.0 user-mode driver interface for Direct3D 9 and earlier, as of Windows Vista: the second face of the driver (umd/). No free
 * header has it, so this one was written from Microsoft's public reference pages: names, order, types and sizes are documented there
 * (windows-driver-docs-ddi, wdk-ddi-src/content/d3dumddi/; full syntax in its history up to February 2018).
 *
 * A runtime calls OpenAdapter, which the driver exports; the adapter's functions make devices; each device has the functions of
 * d3d/umd_functions.def and calls those of d3d/umd_callbacks.h.
 */
#ifndef HALCYON_D3D_UMD_H
#define HALCYON_D3D_UMD_H

#include "d3d/umd_args.h"
#include "d3d/umd_callbacks.h"

/* Numbers: documentation of the `windows` crate, Wdk::Graphics::Direct3D. */
#define D3D_UMD_INTERFACE_VERSION_VISTA 0x000C

/* Arguments of functions that this driver refuses are only named. */
struct _D3DDDIARG_UNUSED;
typedef struct _D3DDDIARG_UNUSED D3DDDIARG_CREATEDECODEDEVICE, D3DDDIARG_SETDECODERENDERTARGET,
    D3DDDIARG_DECODEBEGINFRAME, D3DDDIARG_DECODEENDFRAME, D3DDDIARG_DECODEEXECUTE, D3DDDIARG_DECODEEXTENSIONEXECUTE,
    D3DDDIARG_CREATEVIDEOPROCESSDEVICE, D3DDDIARG_VIDEOPROCESSENDFRAME, D3DDDIARG_SETVIDEOPROCESSRENDERTARGET,
    D3DDDIARG_VIDEOPROCESSBLT, D3DDDIARG_CREATEEXTENSIONDEVICE, D3DDDIARG_EXTENSIONEXECUTE, D3DDDIARG_CREATEOVERLAY,
    D3DDDIARG_UPDATEOVERLAY, D3DDDIARG_FLIPOVERLAY, D3DDDIARG_GETOVERLAYCOLORCONTROLS,
    D3DDDIARG_SETOVERLAYCOLORCONTROLS, D3DDDIARG_DESTROYOVERLAY;

/* Results: S_OK, E_FAIL, E_OUTOFMEMORY, E_NOTIMPL, or the code of a callback that failed; others where a page names them. */
#define FUNCTION(number, Name, NAME, HOW, through, parameters) typedef HRESULT(APIENTRY *PFND3DDDI_##NAME) parameters;
#include "d3d/umd_functions.def"

typedef struct _D3DDDI_DEVICEFUNCS {
#define FUNCTION(number, Name, NAME, HOW, through, parameters) PFND3DDDI_##NAME pfn##Name;
#include "d3d/umd_functions.def"
} D3DDDI_DEVICEFUNCS;

#define D3DDDI_DEVICE_FUNCTION_COUNT (sizeof(D3DDDI_DEVICEFUNCS) / sizeof(void (*)(void)))

typedef HRESULT(APIENTRY *PFND3DDDI_GETCAPS)(HANDLE hAdapter, const D3DDDIARG_GETCAPS *pData);
typedef HRESULT(APIENTRY *PFND3DDDI_CREATEDEVICE)(HANDLE hAdapter, D3DDDIARG_CREATEDEVICE *pData);
typedef HRESULT(APIENTRY *PFND3DDDI_CLOSEADAPTER)(HANDLE hAdapter);

typedef struct _D3DDDI_ADAPTERFUNCS {
    PFND3DDDI_GETCAPS pfnGetCaps;
    PFND3DDDI_CREATEDEVICE pfnCreateDevice;
    PFND3DDDI_CLOSEADAPTER pfnCloseAdapter;
} D3DDDI_ADAPTERFUNCS;

/* Exported by halcyon.dll and libhalcyon.so. S_OK, E_FAIL, E_OUTOFMEMORY; nothing is written if it fails. */
typedef HRESULT(APIENTRY *PFND3DDDI_OPENADAPTER)(D3DDDIARG_OPENADAPTER *pData);
HRESULT APIENTRY OpenAdapter(D3DDDIARG_OPENADAPTER *pData);

/* Private data that this driver gives to pfnAllocateCb with each allocation of memory that others show or share: where the pixels are. */
#define HALCYON_ALLOCATION_VERSION 1

typedef struct _HALCYON_ALLOCATION {
    UINT Version; /* HALCYON_ALLOCATION_VERSION */
    UINT Width, Height;
    D3DDDIFORMAT Format;
    UINT Pitch; /* bytes from one row to the next */
    UINT SubResourceIndex;
    ULONGLONG Address; /* in the process that made it */
} HALCYON_ALLOCATION;

#endif
