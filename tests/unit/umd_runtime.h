/* SPDX-License-Identifier: MIT */
/*
 * A runtime for tests of the WDDM interface: it opens the adapter, makes a device, and answers the driver's callbacks strictly. A test
 * fails when the driver passes a handle that is not the runtime's, frees what does not exist, leaves anything behind when the device is
 * destroyed, or writes beyond the table of functions.
 */
#ifndef HALCYON_TESTS_UMD_RUNTIME_H
#define HALCYON_TESTS_UMD_RUNTIME_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "d3d/umd.h"

#define UMD_RUNTIME_ADAPTER ((HANDLE)(uintptr_t)0x1111)
#define UMD_RUNTIME_DEVICE  ((HANDLE)(uintptr_t)0x2222)
#define UMD_RUNTIME_CONTEXT ((HANDLE)(uintptr_t)0x3333)
#define UMD_POISON          ((void *)(uintptr_t)0x0DDBA11)

struct umd_runtime {
    D3DDDI_ADAPTERFUNCS adapter_functions;
    HANDLE adapter, device;
    struct {
        D3DDDI_DEVICEFUNCS functions;
        void *poison[8];
    } table;
    /* what callbacks have seen */
    unsigned contexts, allocated, deallocated, presents, kernel_locks, priorities, modes;
    D3DKMT_HANDLE next_allocation;
    D3DDDICB_PRESENT last_present;
    HALCYON_ALLOCATION last_allocation;
    void *lock_memory;  /* for pfnLockCb */
    HRESULT answer;     /* of pfnAllocateCb, pfnPresentCb and pfnLockCb */
    bool reenter;       /* callbacks call the driver, which must refuse */
    unsigned reentered; /* how often */
};

static struct umd_runtime umd_rt;
#define umd_f umd_rt.table.functions

static inline void umd_rt_reenter(void)
{
    const D3DDDIARG_RENDERSTATE state = {7, 1};

    if (!umd_rt.reenter || !umd_rt.device)
        return;
    umd_rt.reentered++;
    assert_int_equal(umd_f.pfnSetRenderState(umd_rt.device, &state), E_FAIL);
    assert_int_equal(umd_f.pfnFlush(umd_rt.device), E_FAIL);
    assert_int_equal(umd_f.pfnDestroyDevice(umd_rt.device), E_FAIL);
    assert_int_equal(umd_rt.adapter_functions.pfnCloseAdapter(umd_rt.adapter), E_FAIL);
}

static inline HRESULT APIENTRY umd_rt_allocate(HANDLE device, D3DDDICB_ALLOCATE *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    assert_non_null(data->hResource);
    umd_rt_reenter();
    if (FAILED(umd_rt.answer))
        return umd_rt.answer;
    for (UINT i = 0; i < data->NumAllocations; i++) {
        D3DDDI_ALLOCATIONINFO *info = &data->pAllocationInfo[i];

        assert_int_equal(info->PrivateDriverDataSize, sizeof(HALCYON_ALLOCATION));
        memcpy(&umd_rt.last_allocation, info->pPrivateDriverData, sizeof(umd_rt.last_allocation));
        info->hAllocation = ++umd_rt.next_allocation;
    }
    umd_rt.allocated++;
    return S_OK;
}

static inline HRESULT APIENTRY umd_rt_deallocate(HANDLE device, const D3DDDICB_DEALLOCATE *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    assert_non_null(data->hResource);
    umd_rt_reenter();
    assert_true(umd_rt.deallocated < umd_rt.allocated);
    umd_rt.deallocated++;
    return S_OK;
}

static inline HRESULT APIENTRY umd_rt_set_priority(HANDLE device, const D3DDDICB_SETPRIORITY *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    for (UINT i = 0; i < data->NumAllocations; i++)
        assert_in_range(data->HandleList[i], 1, umd_rt.next_allocation);
    umd_rt.priorities++;
    return S_OK;
}

static inline HRESULT APIENTRY umd_rt_set_mode(HANDLE device, D3DDDICB_SETDISPLAYMODE *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    assert_in_range(data->hPrimaryAllocation, 1, umd_rt.next_allocation);
    umd_rt.modes++;
    return S_OK;
}

static inline HRESULT APIENTRY umd_rt_present(HANDLE device, const D3DDDICB_PRESENT *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    assert_ptr_equal(data->hContext, UMD_RUNTIME_CONTEXT);
    umd_rt_reenter();
    umd_rt.last_present = *data;
    umd_rt.presents++;
    return umd_rt.answer;
}

static inline HRESULT APIENTRY umd_rt_lock(HANDLE device, D3DDDICB_LOCK *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    umd_rt_reenter();
    if (FAILED(umd_rt.answer))
        return umd_rt.answer;
    data->pData = umd_rt.lock_memory;
    umd_rt.kernel_locks++;
    return S_OK;
}

static inline HRESULT APIENTRY umd_rt_unlock(HANDLE device, const D3DDDICB_UNLOCK *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    assert_int_equal(data->NumAllocations, 1);
    assert_true(umd_rt.kernel_locks > 0);
    umd_rt.kernel_locks--;
    return S_OK;
}

static inline HRESULT APIENTRY umd_rt_create_context(HANDLE device, D3DDDICB_CREATECONTEXT *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    data->hContext = UMD_RUNTIME_CONTEXT;
    umd_rt.contexts++;
    return S_OK;
}

static inline HRESULT APIENTRY umd_rt_destroy_context(HANDLE device, const D3DDDICB_DESTROYCONTEXT *data)
{
    assert_ptr_equal(device, UMD_RUNTIME_DEVICE);
    assert_ptr_equal(data->hContext, UMD_RUNTIME_CONTEXT);
    umd_rt_reenter();
    umd_rt.contexts--;
    return S_OK;
}

static const D3DDDI_DEVICECALLBACKS umd_rt_callbacks = {
    .pfnAllocateCb = umd_rt_allocate,
    .pfnDeallocateCb = umd_rt_deallocate,
    .pfnSetPriorityCb = umd_rt_set_priority,
    .pfnSetDisplayModeCb = umd_rt_set_mode,
    .pfnPresentCb = umd_rt_present,
    .pfnLockCb = umd_rt_lock,
    .pfnUnlockCb = umd_rt_unlock,
    .pfnCreateContextCb = umd_rt_create_context,
    .pfnDestroyContextCb = umd_rt_destroy_context,
};

static inline HANDLE umd_rt_open_adapter(D3DDDI_ADAPTERFUNCS *functions)
{
    static const D3DDDI_ADAPTERCALLBACKS callbacks;
    D3DDDIARG_OPENADAPTER open = {.hAdapter = UMD_RUNTIME_ADAPTER,
                                  .Interface = 9,
                                  .Version = D3D_UMD_INTERFACE_VERSION_VISTA,
                                  .pAdapterCallbacks = &callbacks,
                                  .pAdapterFuncs = functions};

    assert_int_equal(OpenAdapter(&open), S_OK);
    assert_int_equal(open.DriverVersion, D3D_UMD_INTERFACE_VERSION_VISTA);
    assert_ptr_not_equal(open.hAdapter, UMD_RUNTIME_ADAPTER);
    return open.hAdapter;
}

static inline HRESULT umd_rt_create_device(HANDLE adapter, const D3DDDI_DEVICECALLBACKS *callbacks, HANDLE *device)
{
    D3DDDIARG_CREATEDEVICE create = {.hDevice = UMD_RUNTIME_DEVICE,
                                     .Interface = 9,
                                     .Version = D3D_UMD_INTERFACE_VERSION_VISTA,
                                     .pCallbacks = callbacks,
                                     .pDeviceFuncs = &umd_f};
    const HRESULT hr = umd_rt.adapter_functions.pfnCreateDevice(adapter, &create);

    *device = create.hDevice;
    return hr;
}

static inline void umd_rt_open(void)
{
    memset(&umd_rt, 0, sizeof(umd_rt));
    for (unsigned i = 0; i < 8; i++)
        umd_rt.table.poison[i] = UMD_POISON;
    umd_rt.adapter = umd_rt_open_adapter(&umd_rt.adapter_functions);
    assert_int_equal(umd_rt_create_device(umd_rt.adapter, &umd_rt_callbacks, &umd_rt.device), S_OK);
    assert_int_equal(umd_rt.contexts, 1);
}

static inline void umd_rt_close(void)
{
    assert_int_equal(umd_f.pfnDestroyDevice(umd_rt.device), S_OK);
    assert_int_equal(umd_rt.adapter_functions.pfnCloseAdapter(umd_rt.adapter), S_OK);
    for (unsigned i = 0; i < 8; i++)
        assert_ptr_equal(umd_rt.table.poison[i], UMD_POISON);
    assert_int_equal(umd_rt.contexts, 0);
    assert_int_equal(umd_rt.allocated, umd_rt.deallocated);
    assert_int_equal(umd_rt.kernel_locks, 0);
}

static inline int umd_rt_set_up(void **state)
{
    (void)state;
    umd_rt_open();
    return 0;
}

static inline int umd_rt_tear_down(void **state)
{
    (void)state;
    umd_rt_close();
    return 0;
}

/* --- short ways ----------------------------------------------------------------------------------- */

/* A resource of video memory with the sizes of its levels; depth 0: not a volume. Returns its handle, or NULL. */
static inline HANDLE umd_rt_create(UINT format, D3DDDI_RESOURCEFLAGS flags, UINT width, UINT height, UINT depth,
                                   UINT levels)
{
    const UINT faces = flags.CubeMap ? 6 : 1;
    D3DDDI_SURFACEINFO surfaces[6 * 15] = {{.Width = 0}};
    D3DDDIARG_CREATERESOURCE create = {.Format = format,
                                       .Pool = D3DDDIPOOL_VIDEOMEMORY,
                                       .pSurfList = surfaces,
                                       .SurfCount = faces * levels,
                                       .MipLevels = levels,
                                       .hResource = (HANDLE)(uintptr_t)0x4444,
                                       .Rotation = D3DDDI_ROTATION_IDENTITY,
                                       .Flags = flags};

    for (UINT i = 0; i < faces * levels; i++) {
        const UINT level = i % levels;

        surfaces[i].Width = width >> level ? width >> level : 1;
        surfaces[i].Height = height >> level ? height >> level : 1;
        surfaces[i].Depth = depth >> level ? depth >> level : 1;
    }
    return SUCCEEDED(umd_f.pfnCreateResource(umd_rt.device, &create)) ? create.hResource : NULL;
}

static inline HANDLE umd_rt_buffer(bool indices, UINT bytes)
{
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};

    flags.VertexBuffer = !indices;
    flags.IndexBuffer = indices;
    return umd_rt_create(indices ? D3DDDIFMT_INDEX16 : D3DDDIFMT_VERTEXDATA, flags, bytes, 1, 0, 1);
}

/* The lock of a sub-resource, or a failed test. flags: of D3DDDI_LOCKFLAGS. */
static inline uint8_t *umd_rt_lock_part(HANDLE resource, UINT index, UINT flags, UINT *pitch, UINT *slice)
{
    D3DDDIARG_LOCK lock = {.hResource = resource, .SubResourceIndex = index};

    lock.Flags.Value = flags;
    assert_int_equal(umd_f.pfnLock(umd_rt.device, &lock), S_OK);
    if (pitch)
        *pitch = lock.Pitch;
    if (slice)
        *slice = lock.SlicePitch;
    return lock.pSurfData;
}

static inline void umd_rt_unlock_part(HANDLE resource, UINT index)
{
    const D3DDDIARG_UNLOCK unlock = {.hResource = resource, .SubResourceIndex = index};

    assert_int_equal(umd_f.pfnUnlock(umd_rt.device, &unlock), S_OK);
}

#endif
