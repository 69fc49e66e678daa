/* SPDX-License-Identifier: MIT */
/*
 * Callers of the WDDM interface that do everything wrong: handles that are released, foreign, of another kind or invented, no arguments,
 * impossible sizes, calls from inside callbacks, and random arguments for every function. Nothing crashes, and nothing is taken for right.
 */
#include "tests/random.h"
#include "tests/unit/umd_runtime.h"

#include <pthread.h>

#include "base/base.h"
#include "d3d/ddi.h"
#include "tests/unit/rounds.h"

enum number {
#define FUNCTION(number, Name, NAME, HOW, through, parameters) NUMBER_##Name = (number),
#include "d3d/umd_functions.def"
};

static bool called[D3DDDI_DEVICE_FUNCTION_COUNT];

/* Calls a function, and remembers that it has been called. */
#define CALL(Name, ...) (called[NUMBER_##Name] = true, umd_f.pfn##Name(__VA_ARGS__))

static unsigned pick(unsigned count)
{
    return random_below(count);
}

/* --- every function, called with nothing ------------------------------------------------------------ */

/* Result of each function with this device and no arguments; the ones that have no arguments to check get NULL handles. */
static unsigned call_all(HANDLE device, HRESULT results[D3DDDI_DEVICE_FUNCTION_COUNT])
{
#define NOTHING(Name, ...) results[NUMBER_##Name] = CALL(Name, device, __VA_ARGS__)
    memset(called, 0, sizeof(called));
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
#undef NOTHING
    unsigned count = 0;

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

/* All functions are called, but that which ends the device, and those that the table does not have. */
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
static void test_calls_from_callbacks(void **state)
{
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};
    HALCYON_ALLOCATION description = {1, 4, 4, D3DFMT_X8R8G8B8, 16, 0, 0};
    const D3DDDI_OPENALLOCATIONINFO info = {9, &description, sizeof(description)};
    D3DDDIARG_OPENRESOURCE open = {.NumAllocations = 1, .pOpenAllocationInfo = &info};
    D3DDDIARG_PRESENT present = {.SrcSubResourceIndex = 0};
    uint8_t memory[64];

    (void)state;
    flags.RenderTarget = TRUE;
    umd_rt.reenter = true;
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

/* --- random calls ---------------------------------------------------------------------------------------------------- */

#define POOL   48
#define MEMORY (2u << 20)

static HANDLE pool[POOL]; /* of all kinds, living and dead */
static uint8_t *memory;   /* whose middle is the caller's data */

static HANDLE random_handle(void)
{
    const HANDLE handle = pool[pick(POOL)];

    switch (pick(16)) {
    case 0:
        return NULL;
    case 1:
        return (HANDLE)(uintptr_t)random_word();
    case 2:
        return (HANDLE)((uintptr_t)handle + 1);
    default:
        return handle;
    }
}

static void keep_handle(HANDLE handle)
{
    pool[pick(POOL)] = handle;
}

/* Mostly small, sometimes at an edge. */
static uint32_t random_number(void)
{
    static const uint32_t edges[] = {0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x10000, 0xFFFF, 256, 0xFFFFFF00};

    return pick(8) ? pick(20) : edges[pick(7)];
}

/* Counts of vertices and indices, which may be in the caller's memory: the driver trusts the caller with those. */
static uint32_t few(void)
{
    return pick(100);
}

static RECT random_rect(void)
{
    return (RECT){(LONG)random_number(), (LONG)random_number(), (LONG)random_number(), (LONG)random_number()};
}

static const void *middle(void)
{
    return pick(10) ? memory + MEMORY / 2 : NULL;
}

static void random_resource(void)
{
    static const UINT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_DXT3, D3DFMT_D24S8, D3DFMT_P8, 0, 111, 100};
    static const UINT flags[] = {0,       1,       2,        0x10000, 0x10001, 0x30000,
                                 0x50000, 0x80000, 0x100000, 0x8001,  0x10010, 0x80004};
    const UINT side = 1u << pick(7), levels = 1 + pick(3);
    D3DDDI_SURFACEINFO surfaces[18];
    D3DDDIARG_CREATERESOURCE args = {.Format = formats[pick(8)],
                                     .Pool = (D3DDDI_POOL)(pick(20) ? 1 + pick(4) : random_number()),
                                     .MultisampleType = pick(4) ? 0 : random_number(),
                                     .MultisampleQuality = random_number(),
                                     .pSurfList = surfaces,
                                     .MipLevels = levels,
                                     .hResource = (HANDLE)(uintptr_t)0x99};

    args.Flags.Value = flags[pick(12)] | (pick(8) ? 0 : 1u << pick(32));
    args.SurfCount = pick(10) ? levels * (args.Flags.CubeMap ? 6 : 1) : pick(19);
    for (unsigned i = 0; i < 18; i++) {
        const UINT level = i % levels;

        surfaces[i] = (D3DDDI_SURFACEINFO){BASE_MAX(side >> level, 1u), BASE_MAX(side >> level, 1u),
                                           BASE_MAX(side >> level, 1u), memory,
                                           side * 4 + pick(2) * 4,      0};
        if (!pick(200))
            surfaces[i].Width = random_number();
    }
    if (SUCCEEDED(umd_f.pfnCreateResource(umd_rt.device, &args)))
        keep_handle(args.hResource);
}

static void random_object(void)
{
    static const uint32_t code[] = {0xffff0200, 0x02000001, 0x800f0800, 0xa0e40000, 0x0000ffff};
    D3DDDIVERTEXELEMENT elements[4];
    D3DDDIARG_CREATEVERTEXSHADERDECL declaration = {.NumVertexElements = pick(5)};
    D3DDDIARG_CREATEPIXELSHADER pixel = {.CodeSize = pick(4) ? sizeof(code) : pick(sizeof(code))};
    D3DDDIARG_CREATEVERTEXSHADERFUNC vertex = {.Size = 4 * pick(5)};
    D3DDDIARG_CREATEQUERY query = {.QueryType = random_number()};

    for (unsigned i = 0; i < sizeof(elements); i++)
        ((uint8_t *)elements)[i] = (uint8_t)pick(20);
    if (umd_f.pfnCreateVertexShaderDecl(umd_rt.device, &declaration, elements) == S_OK)
        keep_handle(declaration.ShaderHandle);
    if (umd_f.pfnCreatePixelShader(umd_rt.device, &pixel, code) == S_OK)
        keep_handle(pixel.ShaderHandle);
    if (umd_f.pfnCreateVertexShaderFunc(umd_rt.device, &vertex, code) == S_OK)
        keep_handle(vertex.ShaderHandle);
    if (umd_f.pfnCreateQuery(umd_rt.device, &query) == S_OK)
        keep_handle(query.hQuery);
}

static void random_end(void)
{
    const HANDLE handle = random_handle();

    umd_f.pfnDestroyResource(umd_rt.device, handle);
    umd_f.pfnDeletePixelShader(umd_rt.device, handle);
    umd_f.pfnDeleteVertexShaderFunc(umd_rt.device, handle);
    umd_f.pfnDeleteVertexShaderDecl(umd_rt.device, handle);
    umd_f.pfnDestroyQuery(umd_rt.device, handle);
}

static void random_binding(void)
{
    const D3DDDIARG_SETSTREAMSOURCE stream = {random_number(), random_handle(), random_number(), random_number()};
    const D3DDDIARG_SETSTREAMSOURCEUM user = {pick(3), pick(40)};
    const D3DDDIARG_SETINDICES indices = {random_handle(), 2 + 2 * pick(3)};
    const D3DDDIARG_SETRENDERTARGET target = {pick(6), random_handle(), random_number()};
    const D3DDDIARG_SETDEPTHSTENCIL depth = {random_handle()};
    const D3DDDIARG_SETSTREAMSOURCEFREQ frequency = {random_number(), random_number() | (pick(2) ? 0x40000000 : 0)};

    umd_f.pfnSetTexture(umd_rt.device, random_number(), random_handle());
    umd_f.pfnSetPixelShader(umd_rt.device, random_handle());
    umd_f.pfnSetVertexShaderFunc(umd_rt.device, random_handle());
    umd_f.pfnSetVertexShaderDecl(umd_rt.device, random_handle());
    umd_f.pfnSetStreamSource(umd_rt.device, &stream);
    if (!pick(3))
        umd_f.pfnSetStreamSourceUm(umd_rt.device, &user, middle());
    umd_f.pfnSetIndices(umd_rt.device, &indices);
    if (!pick(3))
        umd_f.pfnSetIndicesUm(umd_rt.device, pick(6), middle());
    umd_f.pfnSetRenderTarget(umd_rt.device, &target);
    umd_f.pfnSetDepthStencil(umd_rt.device, &depth);
    umd_f.pfnSetStreamSourceFreq(umd_rt.device, &frequency);
}

static void random_state(void)
{
    const D3DDDIARG_RENDERSTATE render = {pick(4) ? pick(260) : random_number(), random_number()};
    const D3DDDIARG_TEXTURESTAGESTATE stage = {random_number(), pick(36), random_number()};
    const D3DDDIARG_VIEWPORTINFO viewport = {random_number(), random_number(), random_number(), random_number()};
    const D3DDDIARG_SETVERTEXSHADERCONST constants = {random_number(), pick(9000)};
    const D3DDDIARG_SETLIGHT light = {random_number(), (D3DDDI_SETLIGHT_TYPE)pick(4)};
    const D3DDDIARG_CREATELIGHT number = {random_number()};
    const D3DDDIARG_SETTRANSFORM transform = {.TransformType = random_number()};
    const D3DDDIARG_SETCLIPPLANE plane = {.Index = random_number()};
    const D3DDDIARG_UPDATEPALETTE palette = {random_number(), pick(300), pick(300)};
    const D3DDDIARG_SETPALETTE set = {random_number(), random_number(), random_handle()};
    const D3DDDIARG_SETCONVOLUTIONKERNELMONO kernel = {pick(9), pick(9), (FLOAT *)middle(), (FLOAT *)middle()};
    D3DDDIARG_STATESET block = {pick(8), pick(5), random_handle()};
    const RECT rect = random_rect();

    umd_f.pfnSetRenderState(umd_rt.device, &render);
    umd_f.pfnSetTextureStageState(umd_rt.device, &stage);
    umd_f.pfnSetViewport(umd_rt.device, &viewport);
    umd_f.pfnSetVertexShaderConst(umd_rt.device, &constants, middle());
    umd_f.pfnSetPixelShaderConst(umd_rt.device, &constants, middle());
    umd_f.pfnSetVertexShaderConstI(umd_rt.device, &constants, middle());
    umd_f.pfnSetPixelShaderConstB(umd_rt.device, &constants, middle());
    umd_f.pfnSetLight(umd_rt.device, &light, middle());
    umd_f.pfnCreateLight(umd_rt.device, &number);
    umd_f.pfnDestroyLight(umd_rt.device, &number);
    umd_f.pfnSetTransform(umd_rt.device, &transform);
    umd_f.pfnMultiplyTransform(umd_rt.device, &transform);
    umd_f.pfnSetClipPlane(umd_rt.device, &plane);
    umd_f.pfnSetScissorRect(umd_rt.device, &rect);
    umd_f.pfnUpdatePalette(umd_rt.device, &palette, middle());
    umd_f.pfnSetPalette(umd_rt.device, &set);
    umd_f.pfnSetConvolutionKernelMono(umd_rt.device, &kernel);
    if (umd_f.pfnStateSet(umd_rt.device, &block) == S_OK)
        keep_handle(block.hStateSet);
}

static void random_draw(void)
{
    const D3DDDIARG_DRAWPRIMITIVE draw = {pick(8), few(), few()};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE indexed = {pick(8), (INT)few() - 50, few(), few(), few(), few()};
    const D3DDDIARG_DRAWPRIMITIVE2 draw2 = {pick(8), few(), few()};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 indexed2 = {pick(8), (INT)few() - 50, few(), few(), few(), few()};
    const D3DDDIARG_DRAWRECTPATCH patch = {pick(3)};
    const D3DDDIRECTPATCH_INFO info = {few(), few(), pick(8), pick(8), pick(8), pick(5), pick(6)};
    const D3DDDITRIPATCH_INFO tri_info = {few(), pick(20), pick(5), pick(6)};
    const UINT edges = random_word();
    const FLOAT segments[4] = {2, 2, 2, 2};

    umd_f.pfnDrawPrimitive(umd_rt.device, &draw, pick(2) ? &edges : NULL);
    umd_f.pfnDrawIndexedPrimitive(umd_rt.device, &indexed);
    umd_f.pfnDrawPrimitive2(umd_rt.device, &draw2);
    umd_f.pfnDrawIndexedPrimitive2(umd_rt.device, &indexed2, 2 * pick(4), middle(), pick(8) ? NULL : &edges);
    umd_f.pfnDrawRectPatch(umd_rt.device, &patch, pick(2) ? &info : NULL, pick(2) ? segments : NULL);
    umd_f.pfnDrawTriPatch(umd_rt.device, &patch, pick(2) ? &tri_info : NULL, pick(2) ? segments : NULL);
}

static void random_copy(void)
{
    D3DDDIARG_BLT blt = {random_handle(), random_number(), random_rect(), random_handle(),
                         random_number(), random_rect(),   random_word(), {{.Value = pick(2) ? 0 : 1u << pick(12)}}};
    const D3DDDIARG_TEXBLT texture = {
        random_handle(), random_handle(), random_number(), {pick(9), pick(9)}, random_rect()};
    const D3DDDIARG_VOLUMEBLT volume = {
        random_handle(),
        random_handle(),
        random_number(),
        random_number(),
        random_number(),
        {random_number(), random_number(), random_number(), random_number(), random_number(), random_number()}};
    const D3DDDIARG_BUFFERBLT buffer = {
        random_handle(), random_handle(), random_number(), {random_number(), random_number()}};
    const D3DDDIARG_COLORFILL fill = {random_handle(), random_number(), random_rect(), random_word(), {{.Value = 0}}};
    const D3DDDIARG_DEPTHFILL depth = {random_handle(), random_number(), random_rect(), random_word()};
    const D3DDDIARG_GENERATEMIPSUBLEVELS levels = {random_handle(), random_number()};
    const D3DDDIARG_COMPOSERECTS compose = {random_handle(),
                                            random_number(),
                                            random_handle(),
                                            random_number(),
                                            random_handle(),
                                            random_number(),
                                            random_handle(),
                                            random_number(),
                                            0,
                                            0};
    const D3DDDIARG_CLEAR clear = {random_number(), random_word(), 0.5f, random_number()};
    RECT rects[4] = {random_rect(), random_rect(), random_rect(), random_rect()};

    umd_f.pfnBlt(umd_rt.device, &blt);
    umd_f.pfnTexBlt(umd_rt.device, &texture);
    umd_f.pfnVolBlt(umd_rt.device, &volume);
    umd_f.pfnBufBlt(umd_rt.device, &buffer);
    umd_f.pfnColorFill(umd_rt.device, &fill);
    umd_f.pfnDepthFill(umd_rt.device, &depth);
    umd_f.pfnGenerateMipSubLevels(umd_rt.device, &levels);
    umd_f.pfnComposeRects(umd_rt.device, &compose);
    umd_f.pfnClear(umd_rt.device, &clear, pick(5), pick(9) ? rects : NULL);
}

/* Locks write to what they get. */
static void random_access(void)
{
    D3DDDIARG_LOCK lock = {.hResource = random_handle(), .SubResourceIndex = pick(3)};
    const D3DDDIARG_UNLOCK unlock = {.hResource = pick(2) ? lock.hResource : random_handle(),
                                     .SubResourceIndex = pick(3)};
    const HANDLE list[3] = {random_handle(), random_handle(), random_handle()};
    const D3DDDIARG_QUERYRESOURCERESIDENCY residency = {list, pick(4)};
    const D3DDDIARG_SETPRIORITY priority = {random_handle(), random_number()};
    const D3DDDIARG_ISSUEQUERY issue = {random_handle(), {{.Value = pick(4)}}};
    uint8_t answer[16];
    const D3DDDIARG_GETQUERYDATA get = {issue.hQuery, pick(2) ? answer : NULL};
    const D3DDDIARG_PRESENT present = {
        random_handle(), pick(3), random_handle(), pick(3), {{.Value = pick(8)}}, (D3DDDI_FLIPINTERVAL_TYPE)pick(6)};
    D3DDDIARG_VALIDATETEXTURESTAGESTATE passes;

    lock.Box = (D3DDDIBOX){random_number(), random_number(), random_number(),
                           random_number(), random_number(), random_number()};
    lock.Flags.Value = random_word() & 0x3FF;
    if (umd_f.pfnLock(umd_rt.device, &lock) == S_OK && !lock.Flags.NotifyOnly)
        *(uint8_t *)lock.pSurfData = 1;
    umd_f.pfnUnlock(umd_rt.device, &unlock);
    umd_f.pfnQueryResourceResidency(umd_rt.device, &residency);
    umd_f.pfnSetPriority(umd_rt.device, &priority);
    umd_f.pfnIssueQuery(umd_rt.device, &issue);
    umd_f.pfnGetQueryData(umd_rt.device, &get);
    umd_f.pfnGetInfo(umd_rt.device, pick(8), answer, pick(17));
    if (!pick(4))
        umd_f.pfnPresent(umd_rt.device, &present);
    if (!pick(8))
        umd_f.pfnValidateDevice(umd_rt.device, &passes);
    if (!pick(4))
        umd_f.pfnFlush(umd_rt.device);
}

static void test_random_calls(void **state)
{
    static void (*const steps[])(void) = {random_resource, random_object, random_end,  random_binding,
                                          random_state,    random_draw,   random_copy, random_access};

    (void)state;
    memory = calloc(1, MEMORY);
    for (uint32_t round = first_round(40); round < end_round(40); round++) {
        random_seed = round + 1;
        umd_rt_open();
        memset(pool, 0, sizeof(pool));
        for (unsigned i = 0; i < 12; i++)
            random_resource();
        for (unsigned i = 0; i < 200; i++)
            steps[pick(8)]();
        umd_rt_close();
    }
    free(memory);
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
        TEST(test_many_objects),
        cmocka_unit_test(test_random_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
