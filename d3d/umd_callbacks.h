/* SPDX-License-Identifier: MIT */
/*
 * The runtime's side of the WDDM 1.0 user-mode interface (d3d/umd.h): functions that a driver calls, in the order of their tables as of
 * Windows Vista. Structures of callbacks that a driver without hardware never calls are only named. umd/layout.c asserts sizes and
 * offsets. Source of each: its page in Microsoft's windows-driver-docs-ddi, wdk-ddi-src/content/d3dumddi/.
 */
#ifndef HALCYON_D3D_UMD_CALLBACKS_H
#define HALCYON_D3D_UMD_CALLBACKS_H

#include "d3d/umd_types.h"

typedef struct _D3DDDICB_QUERYADAPTERINFO {
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} D3DDDICB_QUERYADAPTERINFO;

typedef struct _D3DDDI_ALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation; /* out */
    const VOID *pSystemMem;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    UINT VidPnSourceId;
    D3DDDI_ALLOCATIONINFOFLAGS Flags;
} D3DDDI_ALLOCATIONINFO;

typedef struct _D3DDDICB_ALLOCATE {
    const VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hResource;          /* the runtime's; NULL: memory of the device */
    D3DKMT_HANDLE hKMResource; /* out */
    UINT NumAllocations;
    D3DDDI_ALLOCATIONINFO *pAllocationInfo;
} D3DDDICB_ALLOCATE;

typedef struct _D3DDDICB_DEALLOCATE {
    HANDLE hResource; /* the runtime's: all of its allocations; NULL: those of the list */
    UINT NumAllocations;
    const D3DKMT_HANDLE *HandleList;
} D3DDDICB_DEALLOCATE;

typedef struct _D3DDDICB_SETPRIORITY {
    HANDLE hResource;
    UINT NumAllocations;
    const D3DKMT_HANDLE *HandleList;
    const UINT *pPriorities;
} D3DDDICB_SETPRIORITY;

typedef struct _D3DDDICB_QUERYRESIDENCY {
    HANDLE hResource;
    UINT NumAllocations;
    const D3DKMT_HANDLE *HandleList;
    UINT *pResidencyStatus; /* D3DDDI_RESIDENCYSTATUS, whose numbers are not public */
} D3DDDICB_QUERYRESIDENCY;

typedef struct _D3DDDICB_SETDISPLAYMODE {
    D3DKMT_HANDLE hPrimaryAllocation;
    UINT PrivateDriverFormatAttribute;
} D3DDDICB_SETDISPLAYMODE;

#define D3DDDI_MAX_BROADCAST_CONTEXT 64

typedef struct _D3DDDICB_PRESENT {
    D3DKMT_HANDLE hSrcAllocation;
    D3DKMT_HANDLE hDstAllocation;
    HANDLE hContext; /* from pfnCreateContextCb */
    UINT BroadcastContextCount;
    HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
} D3DDDICB_PRESENT;

struct _D3DDDI_ALLOCATIONLIST;
struct _D3DDDI_PATCHLOCATIONLIST;

typedef struct _D3DDDICB_RENDER {
    UINT CommandLength, CommandOffset;
    UINT NumAllocations, NumPatchLocations;
    VOID *pNewCommandBuffer;
    UINT NewCommandBufferSize;
    struct _D3DDDI_ALLOCATIONLIST *pNewAllocationList;
    UINT NewAllocationListSize;
    struct _D3DDDI_PATCHLOCATIONLIST *pNewPatchLocationList;
    UINT NewPatchLocationListSize;
    D3DDDICB_RENDERFLAGS Flags;
    HANDLE hContext;
    UINT BroadcastContextCount;
    HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
    ULONG QueuedBufferCount;
} D3DDDICB_RENDER;

typedef struct _D3DDDICB_LOCK {
    D3DKMT_HANDLE hAllocation;
    UINT PrivateDriverData;
    UINT NumPages;
    const UINT *pPages;
    VOID *pData; /* out */
    D3DDDICB_LOCKFLAGS Flags;
} D3DDDICB_LOCK;

typedef struct _D3DDDICB_UNLOCK {
    UINT NumAllocations;
    const D3DKMT_HANDLE *phAllocations;
} D3DDDICB_UNLOCK;

typedef struct _D3DDDICB_ESCAPE {
    HANDLE hDevice;
    D3DDDI_ESCAPEFLAGS Flags;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hContext;
} D3DDDICB_ESCAPE;

typedef struct _D3DDDICB_CREATECONTEXT {
    UINT NodeOrdinal, EngineAffinity;
    D3DDDI_CREATECONTEXTFLAGS Flags;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hContext; /* out; this and the rest */
    VOID *pCommandBuffer;
    UINT CommandBufferSize;
    struct _D3DDDI_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    struct _D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
} D3DDDICB_CREATECONTEXT;

typedef struct _D3DDDICB_DESTROYCONTEXT {
    HANDLE hContext;
} D3DDDICB_DESTROYCONTEXT;

/* --- tables ----------------------------------------------------------------------------------- */

struct _DDIMULTISAMPLEMETHODLIST;
struct _D3DDDICB_CREATEOVERLAY;
struct _D3DDDICB_UPDATEOVERLAY;
struct _D3DDDICB_FLIPOVERLAY;
struct _D3DDDICB_DESTROYOVERLAY;
struct _D3DDDICB_CREATESYNCHRONIZATIONOBJECT;
struct _D3DDDICB_DESTROYSYNCHRONIZATIONOBJECT;
struct _D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT;
struct _D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT;
struct _D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT;

/* The first argument is the runtime's handle of the adapter or the device. */
typedef struct _D3DDDI_ADAPTERCALLBACKS {
    HRESULT(APIENTRY *pfnQueryAdapterInfoCb)(HANDLE hAdapter, const D3DDDICB_QUERYADAPTERINFO *pData);
    HRESULT(APIENTRY *pfnGetMultisampleMethodListCb)(HANDLE hAdapter, const struct _DDIMULTISAMPLEMETHODLIST *pData);
} D3DDDI_ADAPTERCALLBACKS;

typedef struct _D3DDDI_DEVICECALLBACKS {
    HRESULT(APIENTRY *pfnAllocateCb)(HANDLE hDevice, D3DDDICB_ALLOCATE *pData);
    HRESULT(APIENTRY *pfnDeallocateCb)(HANDLE hDevice, const D3DDDICB_DEALLOCATE *pData);
    HRESULT(APIENTRY *pfnSetPriorityCb)(HANDLE hDevice, const D3DDDICB_SETPRIORITY *pData);
    HRESULT(APIENTRY *pfnQueryResidencyCb)(HANDLE hDevice, const D3DDDICB_QUERYRESIDENCY *pData);
    HRESULT(APIENTRY *pfnSetDisplayModeCb)(HANDLE hDevice, D3DDDICB_SETDISPLAYMODE *pData);
    HRESULT(APIENTRY *pfnPresentCb)(HANDLE hDevice, const D3DDDICB_PRESENT *pData);
    HRESULT(APIENTRY *pfnRenderCb)(HANDLE hDevice, D3DDDICB_RENDER *pData);
    HRESULT(APIENTRY *pfnLockCb)(HANDLE hDevice, D3DDDICB_LOCK *pData);
    HRESULT(APIENTRY *pfnUnlockCb)(HANDLE hDevice, const D3DDDICB_UNLOCK *pData);
    HRESULT(APIENTRY *pfnEscapeCb)(HANDLE hAdapter, const D3DDDICB_ESCAPE *pData);
    HRESULT(APIENTRY *pfnCreateOverlayCb)(HANDLE hDevice, struct _D3DDDICB_CREATEOVERLAY *pData);
    HRESULT(APIENTRY *pfnUpdateOverlayCb)(HANDLE hDevice, const struct _D3DDDICB_UPDATEOVERLAY *pData);
    HRESULT(APIENTRY *pfnFlipOverlayCb)(HANDLE hDevice, const struct _D3DDDICB_FLIPOVERLAY *pData);
    HRESULT(APIENTRY *pfnDestroyOverlayCb)(HANDLE hDevice, const struct _D3DDDICB_DESTROYOVERLAY *pData);
    HRESULT(APIENTRY *pfnCreateContextCb)(HANDLE hDevice, D3DDDICB_CREATECONTEXT *pData);
    HRESULT(APIENTRY *pfnDestroyContextCb)(HANDLE hDevice, const D3DDDICB_DESTROYCONTEXT *pData);
    HRESULT(APIENTRY *pfnCreateSynchronizationObjectCb)
    (HANDLE hDevice, struct _D3DDDICB_CREATESYNCHRONIZATIONOBJECT *pData);
    HRESULT(APIENTRY *pfnDestroySynchronizationObjectCb)
    (HANDLE hDevice, const struct _D3DDDICB_DESTROYSYNCHRONIZATIONOBJECT *pData);
    HRESULT(APIENTRY *pfnWaitForSynchronizationObjectCb)
    (HANDLE hDevice, const struct _D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT *pData);
    HRESULT(APIENTRY *pfnSignalSynchronizationObjectCb)
    (HANDLE hDevice, const struct _D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT *pData);
    HRESULT(APIENTRY *pfnSetAsyncCallbacksCb)(HANDLE hDevice, BOOL Enable);
    HRESULT(APIENTRY *pfnSetDisplayPrivateDriverFormatCb)
    (HANDLE hDevice, struct _D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT *pData);
} D3DDDI_DEVICECALLBACKS;

#endif
