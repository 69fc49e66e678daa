/* SPDX-License-Identifier: MIT */
/*
 * Callers of the WDDM interface that do everything wrong: handles that are released, foreign, of another kind or invented, no arguments,
 * impossible sizes, and calls from inside callbacks. Nothing crashes, and nothing is taken for right.
 */
#include "tests/random.h"
#include "tests/unit/umd_runtime.h"

#include <pthread.h>
#include <sched.h>

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/umd_private.h"
#include "tests/unit/rounds.h"

enum number {
#define FUNCTION(number, Name, NAME, HOW, through, parameters) NUMBER_##Name = (number),
#include "d3d/umd_functions.def"
};

static bool called[D3DDDI_DEVICE_FUNCTION_COUNT];

/* Calls a function, and remembers that it has been called. */
#define CALL(Name, ...) (called[NUMBER_##Name] = true, umd_f.pfn##Name(__VA_ARGS__))

/* --- every function, called with nothing ------------------------------------------------------------ */

/* The functions in the order of the table, with no arguments; those that have no arguments to check get NULL handles. */
#define NOTHING(Name, ...) results[NUMBER_##Name] = CALL(Name, device, __VA_ARGS__)

static void call_states_and_draws(HANDLE device, HRESULT *results)
{
    NOTHING(SetRenderState, NULL);
    NOTHING(UpdateWInfo, NULL);
    NOTHING(ValidateDevice, NULL);
    NOTHING(SetTextureStageState, NULL);
    NOTHING(SetTexture, 0, NULL);
    NOTHING(SetPixelShader, NULL);
    NOTHING(SetPixelShaderConst, NULL, NULL);
    NOTHING(SetStreamSourceUm, NULL, NULL);
    NOTHING(SetIndices, NULL);
    NOTHING(SetIndicesUm, 2, NULL);
    NOTHING(DrawPrimitive, NULL, NULL);
    NOTHING(DrawIndexedPrimitive, NULL);
    NOTHING(DrawRectPatch, NULL, NULL, NULL);
    NOTHING(DrawTriPatch, NULL, NULL, NULL);
    NOTHING(DrawPrimitive2, NULL);
    NOTHING(DrawIndexedPrimitive2, NULL, 2, NULL, NULL);
    NOTHING(VolBlt, NULL);
    NOTHING(BufBlt, NULL);
    NOTHING(TexBlt, NULL);
    NOTHING(StateSet, NULL);
    NOTHING(SetPriority, NULL);
    NOTHING(Clear, NULL, 0, NULL);
    NOTHING(UpdatePalette, NULL, NULL);
    NOTHING(SetPalette, NULL);
    NOTHING(SetVertexShaderConst, NULL, NULL);
    NOTHING(MultiplyTransform, NULL);
    NOTHING(SetTransform, NULL);
    NOTHING(SetViewport, NULL);
    NOTHING(SetZRange, NULL);
    NOTHING(SetMaterial, NULL);
    NOTHING(SetLight, NULL, NULL);
    NOTHING(CreateLight, NULL);
    NOTHING(DestroyLight, NULL);
    NOTHING(SetClipPlane, NULL);
}

static void call_resources_and_shaders(HANDLE device, HRESULT *results)
{
    NOTHING(GetInfo, 4, NULL, 0);
    NOTHING(Lock, NULL);
    NOTHING(Unlock, NULL);
    NOTHING(CreateResource, NULL);
    NOTHING(DestroyResource, NULL);
    NOTHING(SetDisplayMode, NULL);
    NOTHING(Present, NULL);
    results[NUMBER_Flush] = CALL(Flush, device);
    NOTHING(CreateVertexShaderFunc, NULL, NULL);
    NOTHING(DeleteVertexShaderFunc, NULL);
    NOTHING(SetVertexShaderFunc, NULL);
    NOTHING(CreateVertexShaderDecl, NULL, NULL);
    NOTHING(DeleteVertexShaderDecl, NULL);
    NOTHING(SetVertexShaderDecl, NULL);
    NOTHING(SetVertexShaderConstI, NULL, NULL);
    NOTHING(SetVertexShaderConstB, NULL, NULL);
    NOTHING(SetScissorRect, NULL);
    NOTHING(SetStreamSource, NULL);
    NOTHING(SetStreamSourceFreq, NULL);
    NOTHING(SetConvolutionKernelMono, NULL);
    NOTHING(ComposeRects, NULL);
    NOTHING(Blt, NULL);
    NOTHING(ColorFill, NULL);
    NOTHING(DepthFill, NULL);
    NOTHING(CreateQuery, NULL);
    NOTHING(DestroyQuery, NULL);
    NOTHING(IssueQuery, NULL);
    NOTHING(GetQueryData, NULL);
    NOTHING(SetRenderTarget, NULL);
    NOTHING(SetDepthStencil, NULL);
    NOTHING(GenerateMipSubLevels, NULL);
    NOTHING(SetPixelShaderConstI, NULL, NULL);
    NOTHING(SetPixelShaderConstB, NULL, NULL);
    NOTHING(CreatePixelShader, NULL, NULL);
    NOTHING(DeletePixelShader, NULL);
}

static void call_video_and_the_rest(HANDLE device, HRESULT *results)
{
    NOTHING(CreateDecodeDevice, NULL);
    NOTHING(DestroyDecodeDevice, NULL);
    NOTHING(SetDecodeRenderTarget, NULL);
    NOTHING(DecodeBeginFrame, NULL);
    NOTHING(DecodeEndFrame, NULL);
    NOTHING(DecodeExecute, NULL);
    NOTHING(DecodeExtensionExecute, NULL);
    NOTHING(CreateVideoProcessDevice, NULL);
    NOTHING(DestroyVideoProcessDevice, NULL);
    NOTHING(VideoProcessBeginFrame, NULL);
    NOTHING(VideoProcessEndFrame, NULL);
    NOTHING(SetVideoProcessRenderTarget, NULL);
    NOTHING(VideoProcessBlt, NULL);
    NOTHING(CreateExtensionDevice, NULL);
    NOTHING(DestroyExtensionDevice, NULL);
    NOTHING(ExtensionExecute, NULL);
    NOTHING(CreateOverlay, NULL);
    NOTHING(UpdateOverlay, NULL);
    NOTHING(FlipOverlay, NULL);
    NOTHING(GetOverlayColorControls, NULL);
    NOTHING(SetOverlayColorControls, NULL);
    NOTHING(DestroyOverlay, NULL);
    NOTHING(QueryResourceResidency, NULL);
    NOTHING(OpenResource, NULL);
    NOTHING(GetCaptureAllocationHandle, NULL);
    NOTHING(CaptureToSysMem, NULL);
}

#undef NOTHING

/* The result of each function with this device; returns how many were called. */
static unsigned call_all(HANDLE device, HRESULT results[D3DDDI_DEVICE_FUNCTION_COUNT])
{
    unsigned count = 0;

    memset(called, 0, sizeof(called));
    call_states_and_draws(device, results);
    call_resources_and_shaders(device, results);
    call_video_and_the_rest(device, results);
    for (unsigned i = 0; i < D3DDDI_DEVICE_FUNCTION_COUNT; i++)
        count += called[i];
    return count;
}

static bool is_refused(unsigned number)
{
    static const bool refused[] = {
#define REFUSED_TOKEN                                          false
#define REFUSED_CALL                                           false
#define REFUSED_OWN                                            false
#define REFUSED_ABSENT                                         false
#define REFUSED_REFUSED                                        true
#define FUNCTION(number, Name, NAME, HOW, through, parameters) [number] = REFUSED_##HOW,
#include "d3d/umd_functions.def"
    };

    return refused[number];
}

static bool is_absent(unsigned number)
{
    return number >= NUMBER_LockAsync;
}

/* Calls all functions except for DestroyDevice and those whose entries are NULL. */
static void test_no_device(void **state)
{
    HRESULT results[D3DDDI_DEVICE_FUNCTION_COUNT];
    const uintptr_t device = (uintptr_t)umd_rt.device;
    const HANDLE wrong[] = {NULL,
                            umd_rt.adapter,
                            UMD_RUNTIME_DEVICE,
                            (HANDLE)(device + 1),
                            (HANDLE)(device ^ ((uintptr_t)1 << 21)),
                            (HANDLE)(device | 0xFFFFF),
                            (HANDLE)(uintptr_t)-1,
                            &results};

    (void)state;
    assert_null(umd_f.pfnLockAsync);
    assert_null(umd_f.pfnUnlockAsync);
    assert_null(umd_f.pfnRename);
    for (unsigned w = 0; w < sizeof(wrong) / sizeof(wrong[0]); w++) {
        assert_int_equal(call_all(wrong[w], results), D3DDDI_DEVICE_FUNCTION_COUNT - 4);
        assert_int_equal(umd_f.pfnDestroyDevice(wrong[w]), E_FAIL);
        for (unsigned i = 0; i < D3DDDI_DEVICE_FUNCTION_COUNT; i++)
            if (!is_absent(i) && i != NUMBER_DestroyDevice)
                assert_int_equal(results[i], is_refused(i) ? E_NOTIMPL : E_FAIL);
    }
}

static void test_no_arguments(void **state)
{
    HRESULT results[D3DDDI_DEVICE_FUNCTION_COUNT];

    (void)state;
    call_all(umd_rt.device, results);
    for (unsigned i = 0; i < D3DDDI_DEVICE_FUNCTION_COUNT; i++) {
        const bool fine = i == NUMBER_SetTexture || i == NUMBER_SetPixelShader || i == NUMBER_SetVertexShaderFunc ||
                          i == NUMBER_Flush;

        if (!is_absent(i) && i != NUMBER_DestroyDevice)
            assert_int_equal(results[i], is_refused(i) ? E_NOTIMPL : fine ? S_OK : E_FAIL);
    }
}

/* --- adapters --------------------------------------------------------------------------------------------- */

static void test_adapters(void **state)
{
    D3DDDI_ADAPTERFUNCS functions;
    D3DDDIARG_OPENADAPTER open = {.Interface = 9, .Version = D3D_UMD_INTERFACE_VERSION_VISTA, .pAdapterFuncs = NULL};
    HANDLE adapter, device;

    (void)state;
    assert_int_equal(OpenAdapter(NULL), E_FAIL);
    assert_int_equal(OpenAdapter(&open), E_FAIL);
    open.pAdapterFuncs = &functions;
    open.Interface = 10;
    assert_int_equal(OpenAdapter(&open), E_FAIL);
    open.Interface = 6;
    assert_int_equal(OpenAdapter(&open), E_FAIL);
    open.Interface = 9;
    open.Version = D3D_UMD_INTERFACE_VERSION_VISTA - 1;
    assert_int_equal(OpenAdapter(&open), E_FAIL);
    assert_int_equal(open.DriverVersion, 0);
    /* an adapter with a device stays */
    assert_int_equal(umd_rt.adapter_functions.pfnCloseAdapter(umd_rt.adapter), E_FAIL);
    adapter = umd_rt_open_adapter(&functions);
    assert_ptr_not_equal(adapter, umd_rt.adapter);
    assert_int_equal(functions.pfnCreateDevice(adapter, NULL), E_FAIL);
    assert_int_equal(umd_rt_create_device(adapter, NULL, &device), E_FAIL);
    assert_int_equal(functions.pfnCloseAdapter(adapter), S_OK);
    assert_int_equal(functions.pfnCloseAdapter(adapter), E_FAIL);
    assert_int_equal(umd_rt_create_device(adapter, &umd_rt_callbacks, &device), E_FAIL);
}

/* --- handles ------------------------------------------------------------------------------------------------ */

static D3DDDI_RESOURCEFLAGS texture_flags(void)
{
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};

    flags.Texture = TRUE;
    return flags;
}

/* Objects of one device mean nothing to another, nor after they are released, nor as objects of another kind. */
static void test_wrong_objects(void **state)
{
    const D3DDDIVERTEXELEMENT element = {0, 0, 3, 0, 9, 0};
    const HANDLE texture = umd_rt_create(D3DFMT_A8R8G8B8, texture_flags(), 8, 8, 0, 1), first = umd_rt.device;
    const HANDLE buffer = umd_rt_buffer(true, 64);
    D3DDDIARG_CREATEVERTEXSHADERDECL declaration = {.NumVertexElements = 1};
    D3DDDIARG_SETSTREAMSOURCE stream = {.hVertexBuffer = texture, .Stride = 4};
    D3DDDIARG_SETINDICES indices = {texture, 2};
    const D3DDDIARG_SETRENDERTARGET target = {0, texture, 0};
    const D3DDDIARG_SETDEPTHSTENCIL depth = {texture};
    HANDLE second;

    (void)state;
    assert_int_equal(umd_f.pfnCreateVertexShaderDecl(first, &declaration, &element), S_OK);
    assert_int_equal(umd_rt_create_device(umd_rt.adapter, &umd_rt_callbacks, &second), S_OK);
    assert_int_equal(umd_f.pfnSetTexture(first, 0, texture), S_OK);
    assert_int_equal(umd_f.pfnSetTexture(second, 0, texture), E_FAIL);
    assert_int_equal(umd_f.pfnSetTexture(first, 0, buffer), E_FAIL);
    assert_int_equal(umd_f.pfnSetTexture(first, 0, declaration.ShaderHandle), E_FAIL);
    assert_int_equal(umd_f.pfnSetTexture(first, 16, texture), E_FAIL);
    assert_int_equal(umd_f.pfnSetTexture(first, 0, (HANDLE)((uintptr_t)texture + 1)), E_FAIL);
    assert_int_equal(umd_f.pfnSetVertexShaderDecl(second, declaration.ShaderHandle), E_FAIL);
    assert_int_equal(umd_f.pfnSetVertexShaderFunc(first, declaration.ShaderHandle), E_FAIL);
    assert_int_equal(umd_f.pfnSetPixelShader(first, declaration.ShaderHandle), E_FAIL);
    assert_int_equal(umd_f.pfnSetStreamSource(first, &stream), E_FAIL);
    assert_int_equal(umd_f.pfnSetIndices(first, &indices), E_FAIL);
    assert_int_equal(umd_f.pfnSetRenderTarget(first, &target), E_FAIL);
    assert_int_equal(umd_f.pfnSetDepthStencil(first, &depth), E_FAIL);
    assert_int_equal(umd_f.pfnDeletePixelShader(first, declaration.ShaderHandle), E_FAIL);
    assert_int_equal(umd_f.pfnDeleteVertexShaderDecl(second, declaration.ShaderHandle), E_FAIL);
    assert_int_equal(umd_f.pfnDestroyResource(second, texture), E_FAIL);
    assert_int_equal(umd_f.pfnDestroyResource(first, texture), S_OK);
    assert_int_equal(umd_f.pfnSetTexture(first, 0, texture), E_FAIL);
    assert_int_equal(umd_f.pfnDeleteVertexShaderDecl(first, declaration.ShaderHandle), S_OK);
    assert_int_equal(umd_f.pfnSetVertexShaderDecl(first, declaration.ShaderHandle), E_FAIL);
    /* the same place in the table, another handle */
    assert_ptr_not_equal(umd_rt_create(D3DFMT_A8R8G8B8, texture_flags(), 8, 8, 0, 1), texture);
    assert_int_equal(umd_f.pfnSetTexture(first, 0, texture), E_FAIL);
    assert_int_equal(umd_f.pfnDestroyDevice(second), S_OK);
    assert_int_equal(umd_f.pfnFlush(second), E_FAIL);
}

/* Numbers of surfaces are not states. */
static void test_states_that_name_surfaces(void **state)
{
    const D3DDDIARG_RENDERSTATE handle = {1, 5}, none = {256, 0}, last = {255, 0};
    D3DDDIARG_TEXTURESTAGESTATE stage = {0, 0, 5};

    (void)state;
    assert_int_equal(umd_f.pfnSetRenderState(umd_rt.device, &handle), E_FAIL);
    assert_int_equal(umd_f.pfnSetRenderState(umd_rt.device, &none), E_FAIL);
    assert_int_equal(umd_f.pfnSetRenderState(umd_rt.device, &last), S_OK);
    assert_int_equal(umd_f.pfnSetTextureStageState(umd_rt.device, &stage), E_FAIL);
    for (stage.State = 33; stage.State < 80; stage.State++)
        assert_int_equal(umd_f.pfnSetTextureStageState(umd_rt.device, &stage), stage.State < 35 ? E_NOTIMPL : E_FAIL);
    stage = (D3DDDIARG_TEXTURESTAGESTATE){0x10000, 1, 1};
    assert_int_equal(umd_f.pfnSetTextureStageState(umd_rt.device, &stage), E_FAIL);
}

/* --- resources ------------------------------------------------------------------------------------------------ */

static HRESULT create(D3DDDIARG_CREATERESOURCE *args)
{
    const HRESULT hr = umd_f.pfnCreateResource(umd_rt.device, args);

    if (SUCCEEDED(hr))
        assert_int_equal(umd_f.pfnDestroyResource(umd_rt.device, args->hResource), S_OK);
    args->hResource = (HANDLE)(uintptr_t)1;
    return hr;
}

static void test_impossible_resources(void **state)
{
    D3DDDI_SURFACEINFO surfaces[6] = {{8, 8, 1, NULL, 0, 0}, {4, 4, 1, NULL, 0, 0}, {2, 2, 1, NULL, 0, 0}};
    const D3DDDIARG_CREATERESOURCE good = {.Format = D3DFMT_A8R8G8B8,
                                           .Pool = D3DDDIPOOL_LOCALVIDMEM,
                                           .pSurfList = surfaces,
                                           .SurfCount = 3,
                                           .MipLevels = 3,
                                           .hResource = (HANDLE)(uintptr_t)1,
                                           .Flags.Texture = TRUE};
    D3DDDIARG_CREATERESOURCE args = good;

    (void)state;
    assert_int_equal(create(&args), S_OK);
#define WRONG(change)                            \
    do {                                         \
        args = good;                             \
        change;                                  \
        assert_int_equal(create(&args), E_FAIL); \
    } while (0)
    WRONG(args.pSurfList = NULL);
    WRONG(args.SurfCount = 0);
    WRONG(args.SurfCount = 2);
    WRONG(args.SurfCount = 0xFFFFFFFF);
    WRONG(args.MipLevels = 0xFFFFFFFF);
    WRONG(args.MipLevels = 0x55555556); /* times 6 is 4 */
    WRONG(args.Format = 0);
    WRONG(args.Format = 0x12345678);
    WRONG(args.Pool = (D3DDDI_POOL)0);
    WRONG(args.Pool = (D3DDDI_POOL)5);
    WRONG(args.Pool = D3DDDIPOOL_SYSTEMMEM); /* no memory */
    WRONG(args.Flags.CubeMap = TRUE);
    WRONG(args.Flags.VertexBuffer = TRUE);
    WRONG(args.Flags.ZBuffer = TRUE);
    WRONG((args.Flags.CubeMap = TRUE, args.Flags.Volume = TRUE));
    WRONG((args.Flags.Value = 0, args.Flags.VertexBuffer = TRUE));
    WRONG((args.Flags.Value = 0, args.Flags.VertexBuffer = TRUE, args.Flags.IndexBuffer = TRUE, args.SurfCount = 1));
    args = good;
    args.Flags.Overlay = TRUE;
    assert_int_equal(create(&args), E_NOTIMPL);
    for (unsigned i = 0; i < 3; i++) {
        const D3DDDI_SURFACEINFO kept = surfaces[i];

        surfaces[i].Width = 0;
        WRONG((void)0);
        surfaces[i].Width = 0xFFFFFFFF;
        WRONG((void)0);
        surfaces[i] = kept;
        surfaces[i].Height += 2;
        WRONG((void)0);
        surfaces[i] = kept;
    }
    /* members of no meaning */
    args = good;
    args.MultisampleType = 77;
    args.MultisampleQuality = args.Fvf = args.VidPnSourceId = 0xFFFFFFFF;
    args.Rotation = (D3DDDI_ROTATION)99;
    assert_int_equal(create(&args), S_OK);
    surfaces[0].Width = 0xFFFFFFFF;
    WRONG((args.Flags.Value = 0, args.Flags.IndexBuffer = TRUE, args.SurfCount = 1));
}

/* --- callbacks --------------------------------------------------------------------------------------------------- */

/* The driver's functions, called by the callbacks of the runtime, refuse; the outer call is not disturbed. */
static void call_from_callbacks(void)
{
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};
    HALCYON_ALLOCATION description = {1, 4, 4, D3DFMT_X8R8G8B8, 16, 0, 0};
    const D3DDDI_OPENALLOCATIONINFO info = {9, &description, sizeof(description)};
    D3DDDIARG_OPENRESOURCE open = {.NumAllocations = 1, .pOpenAllocationInfo = &info};
    D3DDDIARG_PRESENT present = {.SrcSubResourceIndex = 0};
    uint8_t memory[64];

    flags.RenderTarget = TRUE;
    umd_rt.reenter = true;
    umd_rt.reentered = 0;
    umd_rt.lock_memory = memory;
    present.hSrcResource = umd_rt_create(D3DFMT_X8R8G8B8, flags, 8, 8, 0, 1);
    assert_non_null(present.hSrcResource);
    assert_int_equal(umd_f.pfnPresent(umd_rt.device, &present), S_OK);
    assert_int_equal(umd_f.pfnOpenResource(umd_rt.device, &open), S_OK);
    assert_int_equal(umd_f.pfnDestroyResource(umd_rt.device, present.hSrcResource), S_OK);
    assert_int_equal(umd_rt.reentered, 4);
    umd_rt.answer = E_OUTOFMEMORY;
    assert_null(umd_rt_create(D3DFMT_X8R8G8B8, flags, 8, 8, 0, 1));
    assert_int_equal(umd_f.pfnOpenResource(umd_rt.device, &open), E_OUTOFMEMORY);
    umd_rt.answer = S_OK;
}

static HRESULT hold(HANDLE device, bool hold)
{
    HALCYON_UMD_HOLD args = {hold};

    return umd_f.pfnGetInfo(device, HALCYON_DEVINFOID_HOLD, &args, sizeof(args));
}

static void test_calls_from_callbacks(void **state)
{
    (void)state;
    call_from_callbacks();
    assert_int_equal(hold(umd_rt.device, true), S_OK);
    call_from_callbacks();
    assert_int_equal(hold(umd_rt.device, false), S_OK);
    call_from_callbacks();
}

/* A runtime without callbacks can draw, but not learn of memory. */
static void test_no_callbacks(void **state)
{
    static const D3DDDI_DEVICECALLBACKS none;
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};
    const HANDLE first = umd_rt.device;
    D3DDDIARG_PRESENT present = {.SrcSubResourceIndex = 0};
    D3DDDIARG_SETPRIORITY priority = {.Priority = 1};

    (void)state;
    flags.RenderTarget = flags.Primary = TRUE;
    assert_int_equal(umd_rt_create_device(umd_rt.adapter, &none, &umd_rt.device), S_OK);
    present.hSrcResource = priority.hResource = umd_rt_create(D3DFMT_X8R8G8B8, flags, 8, 8, 0, 1);
    assert_non_null(present.hSrcResource);
    assert_int_equal(umd_f.pfnPresent(umd_rt.device, &present), S_OK);
    assert_int_equal(umd_f.pfnSetPriority(umd_rt.device, &priority), S_OK);
    assert_int_equal(umd_f.pfnDestroyDevice(umd_rt.device), S_OK);
    umd_rt.device = first;
}

/* --- threads ------------------------------------------------------------------------------------------------------- */

struct worker {
    HANDLE device, other; /* the other thread's */
    unsigned wrong;
};

/* Uses its own device and the other thread's, which is in use or not: then the call is refused or obeyed. */
static void *work(void *data)
{
    struct worker *worker = data;
    D3DDDI_SURFACEINFO surface = {8, 8, 1, NULL, 0, 0};

    for (unsigned i = 0; i < 300; i++) {
        D3DDDIARG_CREATERESOURCE args = {.Format = D3DFMT_A8R8G8B8,
                                         .Pool = D3DDDIPOOL_VIDEOMEMORY,
                                         .pSurfList = &surface,
                                         .SurfCount = 1,
                                         .MipLevels = 1,
                                         .Flags.Texture = TRUE};
        const D3DDDIARG_RENDERSTATE state = {7, i & 1};

        worker->wrong += umd_f.pfnCreateResource(worker->device, &args) == S_OK &&
                         umd_f.pfnSetTexture(worker->other, 0, args.hResource) == S_OK;
        umd_f.pfnSetTexture(worker->device, 0, args.hResource);
        umd_f.pfnSetRenderState(worker->other, &state);
        umd_f.pfnFlush(worker->device);
        umd_f.pfnDestroyResource(worker->other, args.hResource);
        while (umd_f.pfnDestroyResource(worker->device, args.hResource) == S_OK)
            ;
    }
    return NULL;
}

static void test_two_threads(void **state)
{
    static const D3DDDI_DEVICECALLBACKS none;
    struct worker workers[2] = {{.wrong = 0}};
    pthread_t threads[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(umd_rt_create_device(umd_rt.adapter, &none, &workers[i].device), S_OK);
    for (unsigned i = 0; i < 2; i++) {
        workers[i].other = workers[1 - i].device;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(workers[i].wrong, 0); /* a texture of the other device was never taken */
        assert_int_equal(umd_f.pfnDestroyDevice(workers[i].device), S_OK);
    }
}

/* Holds its own device now and then, and calls the other's: such a call never succeeds while the other thread holds it. */
struct holder {
    HANDLE device;
    unsigned spans, held; /* how often the thread has begun to hold, and whether it does */
    struct holder *other;
    unsigned wrong;
};

static void *hold_and_call(void *data)
{
    const D3DDDIARG_RENDERSTATE state = {7, 1};
    struct holder *self = data, *other = self->other;

    for (unsigned i = 0; i < 2000; i++) {
        const unsigned span = __atomic_load_n(&other->spans, __ATOMIC_SEQ_CST);
        const bool before = __atomic_load_n(&other->held, __ATOMIC_SEQ_CST);
        const HRESULT hr = umd_f.pfnSetRenderState(other->device, &state);
        const bool after = __atomic_load_n(&other->held, __ATOMIC_SEQ_CST);

        if (before && after && span == __atomic_load_n(&other->spans, __ATOMIC_SEQ_CST))
            self->wrong += hr != E_FAIL;
        if (hold(self->device, true) != S_OK) /* the other one is inside */
            continue;
        __atomic_add_fetch(&self->spans, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&self->held, 1, __ATOMIC_SEQ_CST);
        for (unsigned k = 0; k < 8; k++) {
            self->wrong += umd_f.pfnSetRenderState(self->device, &state) != S_OK;
            sched_yield(); /* the other one tries */
        }
        self->wrong += hold(self->device, true) != S_OK;
        __atomic_store_n(&self->held, 0, __ATOMIC_SEQ_CST);
        self->wrong += hold(self->device, false) != S_OK;
    }
    return NULL;
}

static void test_hold(void **state)
{
    static const D3DDDI_DEVICECALLBACKS none;
    struct holder holders[2] = {{.other = &holders[1]}, {.other = &holders[0]}};
    HALCYON_UMD_HOLD args = {1};
    pthread_t threads[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(umd_rt_create_device(umd_rt.adapter, &none, &holders[i].device), S_OK);
    assert_int_equal(umd_f.pfnGetInfo(holders[0].device, HALCYON_DEVINFOID_HOLD, &args, sizeof(args) - 1), E_FAIL);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hold_and_call, &holders[i]), 0);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(holders[i].wrong, 0);
        assert_int_equal(hold(holders[i].device, true), S_OK); /* the end of a device that is held */
        assert_int_equal(umd_f.pfnDestroyDevice(holders[i].device), S_OK);
        assert_int_equal(hold(holders[i].device, false), E_FAIL);
    }
}

/* Streams have the caller's vertices as stream 0 only. */
static void test_stream_of_caller(void **state)
{
    static const float vertices[64];

    (void)state;
    for (UINT stream = 0; stream < 20; stream++) {
        const D3DDDIARG_SETSTREAMSOURCEUM args = {stream, 16};

        assert_int_equal(umd_f.pfnSetStreamSourceUm(umd_rt.device, &args, vertices), stream ? E_FAIL : S_OK);
    }
}

/* --- many objects -------------------------------------------------------------------------------------------------- */

static void test_many_objects(void **state)
{
    enum { COUNT = 10000 };
    const D3DDDIVERTEXELEMENT element = {0, 0, 3, 0, 9, 0};
    static HANDLE handles[COUNT];
    unsigned queries = 0, blocks = 0;

    (void)state;
    for (unsigned i = 0; i < COUNT; i++) {
        D3DDDIARG_CREATEVERTEXSHADERDECL args = {.NumVertexElements = 1};

        assert_int_equal(umd_f.pfnCreateVertexShaderDecl(umd_rt.device, &args, &element), S_OK);
        handles[i] = args.ShaderHandle;
    }
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(umd_f.pfnDeleteVertexShaderDecl(umd_rt.device, handles[i]), S_OK);
    for (unsigned i = 0; i < COUNT; i++) {
        handles[i] = umd_rt_buffer(i % 2, 16);
        assert_non_null(handles[i]);
    }
    for (unsigned i = 0; i < COUNT; i += 2)
        assert_int_equal(umd_f.pfnDestroyResource(umd_rt.device, handles[i]), S_OK);
    for (unsigned i = 0; i < 5000; i++) { /* streams have 4096 of each (docs/limits.md) */
        D3DDDIARG_CREATEQUERY query = {.QueryType = 8};
        D3DDDIARG_STATESET block = {.Operation = D3DHAL_STATESETCREATE, .StateBlockType = 2};
        const HRESULT hr = umd_f.pfnCreateQuery(umd_rt.device, &query);

        queries += hr == S_OK;
        assert_true(hr == S_OK || hr == E_OUTOFMEMORY);
        blocks += umd_f.pfnStateSet(umd_rt.device, &block) == S_OK;
    }
    assert_int_equal(queries, 4096);
    assert_int_equal(blocks, 5000); /* a stream reports it later */
    assert_int_equal(umd_f.pfnFlush(umd_rt.device), E_OUTOFMEMORY);
    assert_int_equal(umd_f.pfnFlush(umd_rt.device), S_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, umd_rt_set_up, umd_rt_tear_down)
        TEST(test_no_device),
        TEST(test_no_arguments),
        TEST(test_adapters),
        TEST(test_wrong_objects),
        TEST(test_states_that_name_surfaces),
        TEST(test_impossible_resources),
        TEST(test_calls_from_callbacks),
        TEST(test_no_callbacks),
        TEST(test_two_threads),
        TEST(test_hold),
        TEST(test_stream_of_caller),
        TEST(test_many_objects),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
