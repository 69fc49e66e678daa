/* SPDX-License-Identifier: MIT */
/*
 * Random calls of the WDDM interface with random arguments: handles of all kinds, living, dead and invented, sizes, flags
 * and memory. Nothing crashes; run under the sanitizers, nothing is read or written that is not the caller's.
 */
#include "tests/random.h"
#include "tests/unit/umd_runtime.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "tests/unit/rounds.h"

static unsigned pick(unsigned count)
{
    return random_below(count);
}

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
        cmocka_unit_test(test_random_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
