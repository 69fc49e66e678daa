/* SPDX-License-Identifier: MIT */
/*
 * Each function of the WDDM interface that stands for a token appends that token, with the entry that the stream has for it, and the driver
 * accepts it. The batch is read before it is sent.
 */
#include "tests/unit/umd_runtime.h"

#include "d3d/ddi.h"
#include "umd/device.h"

#define CALL(Name, ...) assert_int_equal(umd_f.pfn##Name(umd_rt.device, __VA_ARGS__), S_OK)

/* The batch holds this one command: the entry, then data. Sends it. */
static void expect_data(uint8_t token, const void *entry, size_t size, const void *data, size_t bytes)
{
    const struct umd_device *device = umd_handle_get(umd_rt.device, UMD_DEVICE, NULL);
    const uint8_t *command = device->batch.builder.base;

    assert_true(device->batch.building);
    assert_int_equal(device->batch.builder.length, 4 + size + bytes);
    assert_int_equal(command[0], token);
    assert_int_equal(command[2] | command[3] << 8, 1);
    assert_memory_equal(command + 4, entry, size);
    if (bytes)
        assert_memory_equal(command + 4 + size, data, bytes);
    assert_int_equal(umd_f.pfnFlush(umd_rt.device), S_OK);
}

#define EXPECT(token, ...)                                             \
    do {                                                               \
        const __VA_ARGS__;                                             \
        expect_data(D3DDP2OP_##token, &entry, sizeof(entry), NULL, 0); \
    } while (0)

static uint32_t number_of(HANDLE resource, unsigned part)
{
    const struct umd_device *device = umd_handle_get(umd_rt.device, UMD_DEVICE, NULL);

    return client_handle(umd_find_part(device, resource, part)->surface);
}

static HANDLE texture(UINT flags, unsigned levels)
{
    D3DDDI_RESOURCEFLAGS all = {.Value = flags};

    all.Texture = TRUE;
    return umd_rt_create(D3DFMT_A8R8G8B8, all, 16, 16, all.Volume ? 4 : 0, levels);
}

static void test_states(void **state)
{
    const D3DDDIARG_RENDERSTATE render = {D3DRS_ZENABLE, 1};
    const D3DDDIARG_WINFO w = {0.5f, 100};
    const D3DDDIARG_TEXTURESTAGESTATE stage = {3, D3DTSS_COLOROP, 4};
    const D3DDDIARG_VIEWPORTINFO viewport = {1, 2, 3, 4};
    const D3DDDIARG_ZRANGE range = {0.25f, 0.75f};
    const D3DDDIARG_SETCLIPPLANE plane = {2, {1, 2, 3, 4}};
    const RECT scissor = {1, 2, 3, 4};
    D3DDDIARG_SETTRANSFORM transform = {.TransformType = D3DTS_VIEW};
    const HANDLE bound = texture(0, 1);

    (void)state;
    transform.Matrix[0] = transform.Matrix[5] = 2;
    CALL(SetRenderState, &render);
    expect_data(D3DDP2OP_RENDERSTATE, &render, sizeof(render), NULL, 0);
    CALL(UpdateWInfo, &w);
    expect_data(D3DDP2OP_WINFO, &w, sizeof(w), NULL, 0);
    CALL(SetTextureStageState, &stage);
    EXPECT(TEXTURESTAGESTATE, D3DHAL_DP2TEXTURESTAGESTATE entry = {3, D3DTSS_COLOROP, 4});
    CALL(SetTexture, 258, bound);
    EXPECT(TEXTURESTAGESTATE, D3DHAL_DP2TEXTURESTAGESTATE entry = {258, 0, number_of(bound, 0)});
    CALL(SetTexture, 15, NULL);
    EXPECT(TEXTURESTAGESTATE, D3DHAL_DP2TEXTURESTAGESTATE entry = {15, 0, 0});
    CALL(SetViewport, &viewport);
    expect_data(D3DDP2OP_VIEWPORTINFO, &viewport, sizeof(viewport), NULL, 0);
    CALL(SetZRange, &range);
    expect_data(D3DDP2OP_ZRANGE, &range, sizeof(range), NULL, 0);
    CALL(SetClipPlane, &plane);
    expect_data(D3DDP2OP_SETCLIPPLANE, &plane, sizeof(plane), NULL, 0);
    CALL(SetScissorRect, &scissor);
    expect_data(D3DDP2OP_SETSCISSORRECT, &scissor, sizeof(scissor), NULL, 0);
    CALL(SetTransform, &transform);
    expect_data(D3DDP2OP_SETTRANSFORM, &transform, sizeof(transform), NULL, 0);
    CALL(MultiplyTransform, &transform);
    expect_data(D3DDP2OP_MULTIPLYTRANSFORM, &transform, sizeof(transform), NULL, 0);
}

static void test_lights(void **state)
{
    const D3DDDIARG_SETMATERIAL material = {.Diffuse = {1, 2, 3, 4}, .Power = 5};
    const D3DDDIARG_CREATELIGHT create = {7};
    const D3DDDIARG_SETLIGHT data = {7, D3DDDI_SETLIGHT_DATA}, enable = {7, D3DDDI_SETLIGHT_ENABLE};
    const D3DDDIARG_DESTROYLIGHT destroy = {7};
    const D3DDDI_LIGHT light = {.Type = 3, .Range = 2};

    (void)state;
    CALL(SetMaterial, &material);
    expect_data(D3DDP2OP_SETMATERIAL, &material, sizeof(material), NULL, 0);
    CALL(CreateLight, &create);
    expect_data(D3DDP2OP_CREATELIGHT, &create, sizeof(create), NULL, 0);
    CALL(SetLight, &data, &light);
    expect_data(D3DDP2OP_SETLIGHT, &data, sizeof(data), &light, sizeof(light));
    CALL(SetLight, &enable, NULL);
    expect_data(D3DDP2OP_SETLIGHT, &enable, sizeof(enable), NULL, 0);
    CALL(DestroyLight, &destroy);
    EXPECT(SETLIGHT, D3DHAL_DP2SETLIGHT entry = {7, D3DHAL_SETLIGHT_DISABLE});
    assert_int_equal(umd_f.pfnSetLight(umd_rt.device, &data, NULL), E_FAIL);
}

static void test_constants(void **state)
{
    const D3DDDIARG_SETVERTEXSHADERCONST args = {2, 2};
    const uint32_t values[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    (void)state;
#define CONSTANTS(Name, TOKEN, bytes)        \
    CALL(Name, &args, (const void *)values); \
    expect_data(D3DDP2OP_##TOKEN, &args, sizeof(args), values, bytes)
    CONSTANTS(SetVertexShaderConst, SETVERTEXSHADERCONST, 32);
    CONSTANTS(SetVertexShaderConstI, SETVERTEXSHADERCONSTI, 32);
    CONSTANTS(SetVertexShaderConstB, SETVERTEXSHADERCONSTB, 8);
    CONSTANTS(SetPixelShaderConst, SETPIXELSHADERCONST, 32);
    CONSTANTS(SetPixelShaderConstI, SETPIXELSHADERCONSTI, 32);
    CONSTANTS(SetPixelShaderConstB, SETPIXELSHADERCONSTB, 8);
}

/* Created with a number of their own, which the other functions name. */
static void test_shaders(void **state)
{
    static const uint32_t vertex_code[] = {0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000,
                                           0x02000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
    static const uint32_t pixel_code[] = {0xffff0200, 0x02000001, 0x800f0800, 0xa0e40000, 0x0000ffff};
    const D3DDDIVERTEXELEMENT element = {0, 0, 3, 0, 0, 0};
    D3DDDIARG_CREATEVERTEXSHADERFUNC vertex = {.Size = sizeof(vertex_code)};
    D3DDDIARG_CREATEPIXELSHADER pixel = {.CodeSize = sizeof(pixel_code)};
    D3DDDIARG_CREATEVERTEXSHADERDECL declaration = {.NumVertexElements = 1};

    (void)state;
    CALL(CreateVertexShaderFunc, &vertex, (const UINT *)vertex_code);
    CALL(CreatePixelShader, &pixel, (const UINT *)pixel_code);
    CALL(CreateVertexShaderDecl, &declaration, &element);
#define NAMED(Name, TOKEN, handle) \
    CALL(Name, handle);            \
    EXPECT(TOKEN, uint32_t entry = 2 * umd_handle_number(handle) + 1)
    NAMED(SetVertexShaderFunc, SETVERTEXSHADERFUNC, vertex.ShaderHandle);
    NAMED(SetPixelShader, SETPIXELSHADER, pixel.ShaderHandle);
    NAMED(SetVertexShaderDecl, SETVERTEXSHADERDECL, declaration.ShaderHandle);
    NAMED(DeleteVertexShaderFunc, DELETEVERTEXSHADERFUNC, vertex.ShaderHandle);
    NAMED(DeletePixelShader, DELETEPIXELSHADER, pixel.ShaderHandle);
    NAMED(DeleteVertexShaderDecl, DELETEVERTEXSHADERDECL, declaration.ShaderHandle);
    CALL(SetVertexShaderFunc, NULL);
    EXPECT(SETVERTEXSHADERFUNC, uint32_t entry = 0);
    vertex.Size = 8; /* no end */
    assert_int_equal(umd_f.pfnCreateVertexShaderFunc(umd_rt.device, &vertex, (const UINT *)vertex_code), E_FAIL);
    assert_int_equal(umd_f.pfnFlush(umd_rt.device), S_OK); /* a refusal is the function's own result */
}

static void test_streams_and_patches(void **state)
{
    const HANDLE buffer = umd_rt_buffer(false, 1024), index_buffer = umd_rt_buffer(true, 64);
    const D3DDDIARG_SETSTREAMSOURCE stream = {1, buffer, 32, 16};
    const D3DDDIARG_SETSTREAMSOURCEFREQ frequency = {1, 0x80000001};
    const D3DDDIARG_SETINDICES indices = {index_buffer, 2};
    const D3DDDIARG_DRAWRECTPATCH patch = {0};
    const D3DDDIRECTPATCH_INFO rect = {0, 0, 4, 4, 4, 0, 3};
    const D3DDDITRIPATCH_INFO tri = {0, 10, 0, 3};
    const FLOAT segments[4] = {1, 2, 3, 4};
    const D3DHAL_DP2DRAWRECTPATCH both = {0, RTPATCHFLAG_HASSEGS | RTPATCHFLAG_HASINFO};
    uint8_t data[64];

    (void)state;
    CALL(SetStreamSource, &stream);
    EXPECT(SETSTREAMSOURCE2, D3DHAL_DP2SETSTREAMSOURCE2 entry = {1, number_of(buffer, 0), 32, 16});
    CALL(SetStreamSourceFreq, &frequency);
    expect_data(D3DDP2OP_SETSTREAMSOURCEFREQ, &frequency, sizeof(frequency), NULL, 0);
    CALL(SetIndices, &indices);
    EXPECT(SETINDICES, D3DHAL_DP2SETINDICES entry = {number_of(index_buffer, 0), 2});
    memcpy(data, segments, 16);
    memcpy(data + 16, &rect, sizeof(rect));
    CALL(DrawRectPatch, &patch, &rect, segments);
    expect_data(D3DDP2OP_DRAWRECTPATCH, &both, sizeof(both), data, 16 + sizeof(rect));
    memcpy(data + 12, &tri, sizeof(tri));
    CALL(DrawTriPatch, &patch, &tri, segments);
    expect_data(D3DDP2OP_DRAWTRIPATCH, &both, sizeof(both), data, 12 + sizeof(tri));
    CALL(DrawRectPatch, &patch, NULL, NULL);
    EXPECT(DRAWRECTPATCH, D3DHAL_DP2DRAWRECTPATCH entry = {0, 0});
}

static void test_targets(void **state)
{
    D3DDDI_RESOURCEFLAGS depth_flags = {.Value = 0};
    const HANDLE target = texture(1 /* RenderTarget */, 3);
    const D3DDDIARG_SETRENDERTARGET level = {3, target, 2}, none = {1, NULL, 0}, first = {0, NULL, 0};
    const struct umd_device *device = umd_handle_get(umd_rt.device, UMD_DEVICE, NULL);

    (void)state;
    depth_flags.ZBuffer = TRUE;
    const D3DDDIARG_SETDEPTHSTENCIL depth = {umd_rt_create(D3DFMT_D16, depth_flags, 8, 8, 0, 1)}, no_depth = {NULL};

    CALL(SetRenderTarget, &level);
    EXPECT(SETRENDERTARGET2, D3DHAL_DP2SETRENDERTARGET2 entry = {3, number_of(target, 2)});
    CALL(SetRenderTarget, &none);
    EXPECT(SETRENDERTARGET2, D3DHAL_DP2SETRENDERTARGET2 entry = {1, 0});
    CALL(SetRenderTarget, &first); /* a context always has a first target */
    EXPECT(SETRENDERTARGET2, D3DHAL_DP2SETRENDERTARGET2 entry = {0, client_handle(client_part(device->nowhere, 0))});
    CALL(SetDepthStencil, &depth);
    EXPECT(SETDEPTHSTENCIL, D3DHAL_DP2SETDEPTHSTENCIL entry = {number_of(depth.hZBuffer, 0)});
    CALL(SetDepthStencil, &no_depth);
    EXPECT(SETDEPTHSTENCIL, D3DHAL_DP2SETDEPTHSTENCIL entry = {0});
}

static void test_palettes_and_priorities(void **state)
{
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};
    const D3DDDIARG_UPDATEPALETTE update = {9, 250, 6};
    const D3DHAL_DP2UPDATEPALETTE head = {9, 250, 6};
    const PALETTEENTRY entries[6] = {{1, 2, 3, 4}};

    (void)state;
    flags.Texture = TRUE;
    const HANDLE palettized = umd_rt_create(D3DFMT_P8, flags, 8, 8, 0, 1);
    const D3DDDIARG_SETPALETTE set = {9, 0x2000, palettized};
    const D3DDDIARG_SETPRIORITY priority = {palettized, 3};
    const D3DDDIARG_QUERYRESOURCERESIDENCY residency = {&palettized, 1};

    CALL(UpdatePalette, &update, entries);
    expect_data(D3DDP2OP_UPDATEPALETTE, &head, sizeof(head), entries, sizeof(entries));
    CALL(SetPalette, &set);
    EXPECT(SETPALETTE, D3DHAL_DP2SETPALETTE entry = {9, 0x2000, number_of(palettized, 0)});
    CALL(SetPriority, &priority);
    EXPECT(SETPRIORITY, D3DHAL_DP2SETPRIORITY entry = {number_of(palettized, 0), 3});
    CALL(QueryResourceResidency, &residency);
    assert_int_equal(umd_rt.priorities, 0); /* it has no allocation */
}

/* The interface has them for surfaces of one bit a texel, which the driver does not offer: the stream checks and skips them. */
static void test_glyphs(void **state)
{
    const HANDLE surface = texture(0, 1), rects = umd_rt_buffer(false, 64);
    FLOAT row[3] = {1, 2, 1}, column[2] = {3, 4};
    D3DDDIARG_SETCONVOLUTIONKERNELMONO kernel = {3, 2, row, column};
    const D3DHAL_DP2SETCONVOLUTIONKERNELMONO head = {3, 2, 3};
    const FLOAT weights[5] = {1, 2, 1, 3, 4};
    const D3DDDIARG_COMPOSERECTS compose = {surface, 0, surface, 0, rects, 5, NULL, 2, -1, 7};

    (void)state;
    CALL(SetConvolutionKernelMono, &kernel);
    expect_data(D3DDP2OP_SETCONVOLUTIONKERNELMONO, &head, sizeof(head), weights, sizeof(weights));
    kernel.Width = 8;
    assert_int_equal(umd_f.pfnSetConvolutionKernelMono(umd_rt.device, &kernel), E_FAIL);
    CALL(ComposeRects, &compose);
    EXPECT(COMPOSERECTS, D3DHAL_DP2COMPOSERECTS entry = {number_of(surface, 0), number_of(surface, 0),
                                                         number_of(rects, 0), 5, 0, 2, -1, 7});
}

/* BEGIN and END have each other's bit. */
static void test_queries(void **state)
{
    D3DDDIARG_CREATEQUERY create = {.QueryType = 9};
    D3DDDIARG_ISSUEQUERY issue = {.hQuery = NULL};

    (void)state;
    CALL(CreateQuery, &create);
    issue.hQuery = create.hQuery;
    issue.Flags.Begin = TRUE;
    CALL(IssueQuery, &issue);
    EXPECT(ISSUEQUERY, D3DHAL_DP2ISSUEQUERY entry = {umd_handle_number(create.hQuery), 2});
    issue.Flags.Begin = FALSE;
    issue.Flags.End = TRUE;
    CALL(IssueQuery, &issue);
    EXPECT(ISSUEQUERY, D3DHAL_DP2ISSUEQUERY entry = {umd_handle_number(create.hQuery), 1});
    CALL(DestroyQuery, create.hQuery);
    EXPECT(DELETEQUERY, D3DHAL_DP2DELETEQUERY entry = {umd_handle_number(create.hQuery)});
}

static void test_state_blocks(void **state)
{
    D3DDDIARG_STATESET block = {.Operation = D3DHAL_STATESETBEGIN};
    uint32_t number;

    (void)state;
    CALL(StateSet, &block);
    number = umd_handle_number(block.hStateSet);
    EXPECT(STATESET, D3DHAL_DP2STATESET entry = {D3DHAL_STATESETBEGIN, number, 0});
    for (unsigned i = 0; i < 4; i++) {
        static const uint32_t operations[] = {D3DHAL_STATESETEND, D3DHAL_STATESETCAPTURE, D3DHAL_STATESETEXECUTE,
                                              D3DHAL_STATESETDELETE};

        block.Operation = operations[i];
        CALL(StateSet, &block);
        EXPECT(STATESET, D3DHAL_DP2STATESET entry = {operations[i], number, 0});
    }
    assert_int_equal(umd_f.pfnStateSet(umd_rt.device, &block), E_FAIL);
    block = (D3DDDIARG_STATESET){.Operation = D3DHAL_STATESETCREATE, .StateBlockType = 3};
    CALL(StateSet, &block);
    EXPECT(STATESET, D3DHAL_DP2STATESET entry = {D3DHAL_STATESETCREATE, umd_handle_number(block.hStateSet), 3});
}

/* Queries are calls, and send the pending batch first. */
static void test_questions(void **state)
{
    D3DDDIARG_VALIDATETEXTURESTAGESTATE passes = {77};
    uint32_t cache[4] = {0};

    (void)state;
    CALL(ValidateDevice, &passes);
    assert_int_equal(passes.NumPasses, 1);
    CALL(GetInfo, D3DDEVINFOID_VCACHE, cache, sizeof(cache));
    assert_int_equal(cache[0], 0x48434143);
    assert_int_equal(umd_f.pfnGetInfo(umd_rt.device, D3DDEVINFOID_VCACHE, cache, 3), E_FAIL);
    assert_int_equal(umd_f.pfnGetInfo(umd_rt.device, 99, cache, sizeof(cache)), E_NOTIMPL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, umd_rt_set_up, umd_rt_tear_down)
        TEST(test_states),
        TEST(test_lights),
        TEST(test_constants),
        TEST(test_shaders),
        TEST(test_streams_and_patches),
        TEST(test_targets),
        TEST(test_palettes_and_priorities),
        TEST(test_glyphs),
        TEST(test_queries),
        TEST(test_state_blocks),
        TEST(test_questions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
