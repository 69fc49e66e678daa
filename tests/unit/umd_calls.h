/* SPDX-License-Identifier: MIT */
/*
 * Calls of the WDDM interface with any arguments: handles of all kinds, living, dead and invented, sizes, flags and memory. The
 * file that includes this one chooses: pick(count) gives 0 to count - 1, any_word() 32 bits.
 */
#ifndef HALCYON_TESTS_UMD_CALLS_H
#define HALCYON_TESTS_UMD_CALLS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/umd.h"
#include "d3d/umd_private.h"

/* Bits that strange widths may have: a buffer may have 2 GB. */
#ifndef CALLS_WIDTHS
#define CALLS_WIDTHS 0xFFFFFFFFu
#endif

static unsigned pick(unsigned count);
static uint32_t any_word(void);

static const D3DDDI_DEVICEFUNCS *calls_functions;
static HANDLE calls_device;

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
        return (HANDLE)(uintptr_t)any_word();
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
            surfaces[i].Width = random_number() & CALLS_WIDTHS;
    }
    if (SUCCEEDED(calls_functions->pfnCreateResource(calls_device, &args)))
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
    if (calls_functions->pfnCreateVertexShaderDecl(calls_device, &declaration, elements) == S_OK)
        keep_handle(declaration.ShaderHandle);
    if (calls_functions->pfnCreatePixelShader(calls_device, &pixel, code) == S_OK)
        keep_handle(pixel.ShaderHandle);
    if (calls_functions->pfnCreateVertexShaderFunc(calls_device, &vertex, code) == S_OK)
        keep_handle(vertex.ShaderHandle);
    if (calls_functions->pfnCreateQuery(calls_device, &query) == S_OK)
        keep_handle(query.hQuery);
}

static void random_end(void)
{
    const HANDLE handle = random_handle();

    calls_functions->pfnDestroyResource(calls_device, handle);
    calls_functions->pfnDeletePixelShader(calls_device, handle);
    calls_functions->pfnDeleteVertexShaderFunc(calls_device, handle);
    calls_functions->pfnDeleteVertexShaderDecl(calls_device, handle);
    calls_functions->pfnDestroyQuery(calls_device, handle);
}

static void random_binding(void)
{
    const D3DDDIARG_SETSTREAMSOURCE stream = {random_number(), random_handle(), random_number(), random_number()};
    const D3DDDIARG_SETSTREAMSOURCEUM user = {pick(3), pick(40)};
    const D3DDDIARG_SETINDICES indices = {random_handle(), 2 + 2 * pick(3)};
    const D3DDDIARG_SETRENDERTARGET target = {pick(6), random_handle(), random_number()};
    const D3DDDIARG_SETDEPTHSTENCIL depth = {random_handle()};
    const D3DDDIARG_SETSTREAMSOURCEFREQ frequency = {random_number(), random_number() | (pick(2) ? 0x40000000 : 0)};

    calls_functions->pfnSetTexture(calls_device, random_number(), random_handle());
    calls_functions->pfnSetPixelShader(calls_device, random_handle());
    calls_functions->pfnSetVertexShaderFunc(calls_device, random_handle());
    calls_functions->pfnSetVertexShaderDecl(calls_device, random_handle());
    calls_functions->pfnSetStreamSource(calls_device, &stream);
    if (!pick(3))
        calls_functions->pfnSetStreamSourceUm(calls_device, &user, middle());
    calls_functions->pfnSetIndices(calls_device, &indices);
    if (!pick(3))
        calls_functions->pfnSetIndicesUm(calls_device, pick(6), middle());
    calls_functions->pfnSetRenderTarget(calls_device, &target);
    calls_functions->pfnSetDepthStencil(calls_device, &depth);
    calls_functions->pfnSetStreamSourceFreq(calls_device, &frequency);
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

    calls_functions->pfnSetRenderState(calls_device, &render);
    calls_functions->pfnSetTextureStageState(calls_device, &stage);
    calls_functions->pfnSetViewport(calls_device, &viewport);
    calls_functions->pfnSetVertexShaderConst(calls_device, &constants, middle());
    calls_functions->pfnSetPixelShaderConst(calls_device, &constants, middle());
    calls_functions->pfnSetVertexShaderConstI(calls_device, &constants, middle());
    calls_functions->pfnSetPixelShaderConstB(calls_device, &constants, middle());
    calls_functions->pfnSetLight(calls_device, &light, middle());
    calls_functions->pfnCreateLight(calls_device, &number);
    calls_functions->pfnDestroyLight(calls_device, &number);
    calls_functions->pfnSetTransform(calls_device, &transform);
    calls_functions->pfnMultiplyTransform(calls_device, &transform);
    calls_functions->pfnSetClipPlane(calls_device, &plane);
    calls_functions->pfnSetScissorRect(calls_device, &rect);
    calls_functions->pfnUpdatePalette(calls_device, &palette, middle());
    calls_functions->pfnSetPalette(calls_device, &set);
    calls_functions->pfnSetConvolutionKernelMono(calls_device, &kernel);
    if (calls_functions->pfnStateSet(calls_device, &block) == S_OK)
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
    const UINT edges = any_word();
    const FLOAT segments[4] = {2, 2, 2, 2};

    calls_functions->pfnDrawPrimitive(calls_device, &draw, pick(2) ? &edges : NULL);
    calls_functions->pfnDrawIndexedPrimitive(calls_device, &indexed);
    calls_functions->pfnDrawPrimitive2(calls_device, &draw2);
    calls_functions->pfnDrawIndexedPrimitive2(calls_device, &indexed2, 2 * pick(4), middle(), pick(8) ? NULL : &edges);
    calls_functions->pfnDrawRectPatch(calls_device, &patch, pick(2) ? &info : NULL, pick(2) ? segments : NULL);
    calls_functions->pfnDrawTriPatch(calls_device, &patch, pick(2) ? &tri_info : NULL, pick(2) ? segments : NULL);
}

static void random_copy(void)
{
    D3DDDIARG_BLT blt = {random_handle(), random_number(), random_rect(), random_handle(),
                         random_number(), random_rect(),   any_word(),    {{.Value = pick(2) ? 0 : 1u << pick(12)}}};
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
    const D3DDDIARG_COLORFILL fill = {random_handle(), random_number(), random_rect(), any_word(), {{.Value = 0}}};
    const D3DDDIARG_DEPTHFILL depth = {random_handle(), random_number(), random_rect(), any_word()};
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
    const D3DDDIARG_CLEAR clear = {random_number(), any_word(), 0.5f, random_number()};
    RECT rects[4] = {random_rect(), random_rect(), random_rect(), random_rect()};

    calls_functions->pfnBlt(calls_device, &blt);
    calls_functions->pfnTexBlt(calls_device, &texture);
    calls_functions->pfnVolBlt(calls_device, &volume);
    calls_functions->pfnBufBlt(calls_device, &buffer);
    calls_functions->pfnColorFill(calls_device, &fill);
    calls_functions->pfnDepthFill(calls_device, &depth);
    calls_functions->pfnGenerateMipSubLevels(calls_device, &levels);
    calls_functions->pfnComposeRects(calls_device, &compose);
    calls_functions->pfnClear(calls_device, &clear, pick(5), pick(9) ? rects : NULL);
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
    HALCYON_UMD_HOLD hold = {pick(2)};

    lock.Box = (D3DDDIBOX){random_number(), random_number(), random_number(),
                           random_number(), random_number(), random_number()};
    lock.Flags.Value = any_word() & 0x3FF;
    if (calls_functions->pfnLock(calls_device, &lock) == S_OK && !lock.Flags.NotifyOnly)
        *(uint8_t *)lock.pSurfData = 1;
    calls_functions->pfnUnlock(calls_device, &unlock);
    calls_functions->pfnQueryResourceResidency(calls_device, &residency);
    calls_functions->pfnSetPriority(calls_device, &priority);
    calls_functions->pfnIssueQuery(calls_device, &issue);
    calls_functions->pfnGetQueryData(calls_device, &get);
    calls_functions->pfnGetInfo(calls_device, pick(8), answer, pick(17));
    calls_functions->pfnGetInfo(calls_device, HALCYON_DEVINFOID_HOLD, &hold, sizeof(hold));
    if (!pick(4))
        calls_functions->pfnPresent(calls_device, &present);
    if (!pick(8))
        calls_functions->pfnValidateDevice(calls_device, &passes);
    if (!pick(4))
        calls_functions->pfnFlush(calls_device);
}

static void (*const calls_steps[])(void) = {random_resource, random_object, random_end,  random_binding,
                                            random_state,    random_draw,   random_copy, random_access};

/* Before the first step with a new device. False: out of memory. */
static bool calls_begin(const D3DDDI_DEVICEFUNCS *functions, HANDLE device)
{
    calls_functions = functions;
    calls_device = device;
    memset(pool, 0, sizeof(pool));
    if (!memory)
        memory = calloc(1, MEMORY);
    return memory;
}

static void calls_step(void)
{
    calls_steps[pick(ARRAY_COUNT(calls_steps))]();
}

static void calls_end(void)
{
    free(memory);
    memory = NULL;
}

#endif
