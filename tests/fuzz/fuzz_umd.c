/* SPDX-License-Identifier: MIT */
/*
 * One input is the life of a device of the WDDM interface: calls of its functions with arguments that the bytes choose
 * (tests/unit/umd_calls.h), with a runtime whose callbacks fail, give handles that exist already or none, and call the device
 * again. Nothing that does not exist may be touched (the sanitizers watch), a call from a callback is refused, and device and
 * adapter can be destroyed whatever has happened.
 *
 * Input: byte 0: which callbacks there are; then calls.
 */
#include "grammar.h"
#define CALLS_WIDTHS 0x1FFFFu /* libFuzzer limits the memory of an input */
#include "tests/unit/umd_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CALLS 200 /* of one input */

static struct input bytes;

static unsigned pick(unsigned count)
{
    return (count > 256 ? take_byte(&bytes) | (unsigned)take_byte(&bytes) << 8 : take_byte(&bytes)) % count;
}

static uint32_t any_word(void)
{
    return take_word(&bytes);
}

static void require(bool truth)
{
    if (!truth)
        abort();
}

/* --- callbacks ------------------------------------------------------------------------------------ */

static HANDLE device;

/* The device is in use. */
static void call_again(void)
{
    const D3DDDIARG_RENDERSTATE state = {7, 1};

    if (!device || pick(4))
        return;
    require(calls_functions->pfnSetRenderState(device, &state) == E_FAIL);
    require(calls_functions->pfnDestroyDevice(device) == E_FAIL);
}

static HRESULT any_answer(void)
{
    static const HRESULT answers[] = {E_OUTOFMEMORY, E_INVALIDARG, E_FAIL, S_FALSE};

    call_again();
    return pick(4) ? S_OK : answers[pick(ARRAY_COUNT(answers))];
}

static HRESULT APIENTRY allocate(HANDLE runtime, D3DDDICB_ALLOCATE *data)
{
    (void)runtime;
    for (UINT i = 0; i < data->NumAllocations; i++)
        data->pAllocationInfo[i].hAllocation = pick(8);
    return any_answer();
}

static HRESULT APIENTRY deallocate(HANDLE runtime, const D3DDDICB_DEALLOCATE *data)
{
    (void)runtime;
    (void)data;
    return any_answer();
}

static HRESULT APIENTRY set_priority(HANDLE runtime, const D3DDDICB_SETPRIORITY *data)
{
    (void)runtime;
    (void)data;
    return any_answer();
}

static HRESULT APIENTRY set_mode(HANDLE runtime, D3DDDICB_SETDISPLAYMODE *data)
{
    (void)runtime;
    (void)data;
    return any_answer();
}

static HRESULT APIENTRY present(HANDLE runtime, const D3DDDICB_PRESENT *data)
{
    (void)runtime;
    (void)data;
    return any_answer();
}

static HRESULT APIENTRY lock(HANDLE runtime, D3DDDICB_LOCK *data)
{
    (void)runtime;
    data->pData = pick(8) ? memory + MEMORY / 2 : NULL;
    return any_answer();
}

static HRESULT APIENTRY unlock(HANDLE runtime, const D3DDDICB_UNLOCK *data)
{
    (void)runtime;
    (void)data;
    return any_answer();
}

static HRESULT APIENTRY create_context(HANDLE runtime, D3DDDICB_CREATECONTEXT *data)
{
    (void)runtime;
    data->hContext = (HANDLE)(uintptr_t)pick(3);
    return any_answer();
}

static HRESULT APIENTRY destroy_context(HANDLE runtime, const D3DDDICB_DESTROYCONTEXT *data)
{
    (void)runtime;
    (void)data;
    return any_answer();
}

/* --- calls that no other test makes at random ------------------------------------------------------ */

/* The memory of an allocation has as many bytes as it says, at most half of the caller's memory. */
static void open_resource(void)
{
    HALCYON_ALLOCATION told[3];
    D3DDDI_OPENALLOCATIONINFO info[3];
    D3DDDIARG_OPENRESOURCE args = {
        .NumAllocations = pick(4), .pOpenAllocationInfo = info, .hResource = (HANDLE)(uintptr_t)0x77};

    for (unsigned i = 0; i < ARRAY_COUNT(told); i++) {
        told[i] = (HALCYON_ALLOCATION){.Version = pick(16) ? HALCYON_ALLOCATION_VERSION : any_word(),
                                       .Width = pick(70),
                                       .Height = pick(70),
                                       .Format = (D3DDDIFORMAT)(pick(4) ? 21 : any_word()),
                                       .Pitch = pick(1200),
                                       .SubResourceIndex = pick(3),
                                       .Address = any_word()};
        info[i] = (D3DDDI_OPENALLOCATIONINFO){pick(4), pick(16) ? &told[i] : NULL,
                                              pick(8) ? (UINT)sizeof(told[i]) : pick(sizeof(told[i]))};
    }
    if (calls_functions->pfnOpenResource(device, &args) == S_OK)
        keep_handle(args.hResource);
}

static void set_display_mode(void)
{
    const D3DDDIARG_SETDISPLAYMODE args = {random_handle(), pick(3)};

    calls_functions->pfnSetDisplayMode(device, &args);
}

/* --- life --------------------------------------------------------------------------------------------- */

static HRESULT open_device(const D3DDDI_ADAPTERFUNCS *adapter, HANDLE handle, uint8_t which, D3DDDI_DEVICEFUNCS *table)
{
    const D3DDDI_DEVICECALLBACKS callbacks = {
        .pfnAllocateCb = which & 1 ? NULL : allocate,
        .pfnDeallocateCb = which & 1 ? NULL : deallocate,
        .pfnSetPriorityCb = which & 2 ? NULL : set_priority,
        .pfnSetDisplayModeCb = which & 4 ? NULL : set_mode,
        .pfnPresentCb = which & 8 ? NULL : present,
        .pfnLockCb = which & 16 ? NULL : lock,
        .pfnUnlockCb = which & 16 ? NULL : unlock,
        .pfnCreateContextCb = which & 32 ? NULL : create_context,
        .pfnDestroyContextCb = which & 32 ? NULL : destroy_context,
    };
    D3DDDIARG_CREATEDEVICE args = {.hDevice = (HANDLE)(uintptr_t)0x2222,
                                   .Interface = 9,
                                   .Version = D3D_UMD_INTERFACE_VERSION_VISTA,
                                   .pCallbacks = &callbacks,
                                   .pDeviceFuncs = table};
    const HRESULT hr = adapter->pfnCreateDevice(handle, &args);

    device = SUCCEEDED(hr) ? args.hDevice : NULL;
    return hr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const D3DDDI_ADAPTERCALLBACKS callbacks;
    static D3DDDI_DEVICEFUNCS table;
    D3DDDI_ADAPTERFUNCS adapter;
    D3DDDIARG_OPENADAPTER open = {.hAdapter = (HANDLE)(uintptr_t)0x1111,
                                  .Interface = 9,
                                  .Version = D3D_UMD_INTERFACE_VERSION_VISTA,
                                  .pAdapterCallbacks = &callbacks,
                                  .pAdapterFuncs = &adapter};

    setenv("HALCYON_CPU", "sse2", 1);
    setenv("HALCYON_THREADS", "2", 1);
    setenv("HALCYON_LOG_LEVEL", "none", 1);
    setenv("HALCYON_CAPTURE", "", 1);
    bytes = (struct input){.data = data, .size = size};
    device = NULL;
    require(OpenAdapter(&open) == S_OK);
    if (SUCCEEDED(open_device(&adapter, open.hAdapter, take_byte(&bytes), &table)) && calls_begin(&table, device)) {
        for (unsigned i = 0; i < CALLS && bytes.at < bytes.size; i++) {
            const unsigned step = pick(16);

            if (step == 0)
                open_resource();
            else if (step == 1)
                set_display_mode();
            else if (step < 4)
                random_resource();
            else
                calls_step();
        }
        require(table.pfnDestroyDevice(device) == S_OK);
    }
    device = NULL;
    require(adapter.pfnCloseAdapter(open.hAdapter) == S_OK);
    calls_end();
    return 0;
}
