/* SPDX-License-Identifier: MIT */
/* An adapter's information about the driver, and its answers to both versions of IDirect3D
 * (runtime/common/driver/adapter.h). */
#include "rt_fixture.h"

#define CODE(a, b, c, d) MAKEFOURCC(a, b, c, d)

static struct rt_adapter *eight, *nine;

static int open_adapters(void **state)
{
    (void)state;
    eight = rt_open_adapter(&d3d8_driver_rules);
    nine = rt_open_adapter(&d3d9_driver_rules);
    return 0;
}

static int close_adapters(void **state)
{
    (void)state;
    rt_adapter_destroy(eight);
    rt_adapter_destroy(nine);
    return 0;
}

static void test_reports(void **state)
{
    const struct d3d_caps9 *caps = rt_adapter_caps9(nine);
    const uint8_t queries[] = {4, 6, 8, 9, 10, 11, 12};

    (void)state;
    assert_ptr_equal(rt_adapter_rules(eight), &d3d8_driver_rules);
    assert_ptr_equal(rt_adapter_rules(nine), &d3d9_driver_rules);
    assert_null(rt_adapter_caps9(eight));
    assert_int_equal(rt_adapter_caps(eight)->VertexShaderVersion, D3DVS_VERSION(1, 1));
    assert_int_equal(caps->d3d8.VertexShaderVersion, D3DVS_VERSION(3, 0));
    assert_ptr_equal(rt_adapter_caps(nine), &caps->d3d8);
    assert_int_equal(caps->NumSimultaneousRTs, 4);
    assert_int_equal(caps->MaxPixelShader30InstructionSlots, 32768); /* the last member */
    for (unsigned i = 0; i < sizeof(queries); i++) {
        assert_true(rt_adapter_has_query(nine, queries[i]));
        assert_false(rt_adapter_has_query(eight, queries[i]));
    }
    assert_false(rt_adapter_has_query(nine, 5));
    assert_int_equal(rt_adapter_next_frame(nine), 0);
    assert_int_equal(rt_adapter_next_frame(nine), 1);
}

static void test_formats(void **state)
{
    (void)state;
    assert_non_null(rt_adapter_format(eight, D3DFMT_W11V11U10));
    assert_null(rt_adapter_format(nine, D3DFMT_W11V11U10));
    assert_non_null(rt_adapter_format(nine, CODE('I', 'N', 'T', 'Z')));
    assert_null(rt_adapter_format(nine, 4711));
    /* version 9 reports samples that no mask reaches */
    assert_int_equal(rt_adapter_format(eight, D3DFMT_A8R8G8B8)->samples & 1, 0);
    assert_int_equal(rt_adapter_format(nine, D3DFMT_A8R8G8B8)->samples & 1, 1);
    assert_int_equal(rt_adapter_format(nine, D3DFMT_DXT1)->samples, 0);
}

/* A format belongs to the version whose header has it; some can be created but are offered in neither version, or in
 * one. */
static void test_versions(void **state)
{
    static const uint32_t later[] = {32, 33, 35, 36, 81, 110, 111, 113, 114, 116, 117};

    (void)state;
    for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
        assert_null(rt_adapter_format(eight, later[i]));
        assert_non_null(rt_adapter_format(nine, later[i]));
    }
    /* four-letter codes belong to the driver */
    assert_non_null(rt_adapter_format(eight, CODE('I', 'N', 'T', 'Z')));
    assert_non_null(rt_adapter_format(eight, CODE('N', 'U', 'L', 'L')));
    assert_true(rt_format_is_offered(eight, D3DFMT_P8));
    assert_false(rt_format_is_offered(nine, D3DFMT_P8));
    assert_non_null(rt_adapter_format(nine, D3DFMT_P8));
    assert_true(rt_format_is_offered(nine, D3DFMT_A8R8G8B8));
    assert_true(rt_format_is_offered(nine, CODE('N', 'V', 'D', 'B')));
    for (unsigned i = 0; i < 2; i++) {
        struct rt_adapter *adapter = i ? nine : eight;
        const uint32_t display = D3DFMT_X8R8G8B8, yuy2 = D3DFMT_YUY2;

        assert_int_equal(rt_check_format(adapter, display, 0, D3DRTYPE_TEXTURE, yuy2), D3DERR_NOTAVAILABLE);
        assert_int_equal(rt_check_format(adapter, display, 0, D3DRTYPE_SURFACE, yuy2), D3D_OK);
        assert_int_equal(
            rt_check_format(adapter, display, D3DUSAGE_RENDERTARGET, D3DRTYPE_VOLUMETEXTURE, D3DFMT_A8R8G8B8),
            D3DERR_NOTAVAILABLE);
    }
}

static HRESULT check9(uint32_t usage, uint32_t type, uint32_t format)
{
    return rt_check_format(nine, D3DFMT_X8R8G8B8, usage, type, format);
}

static void test_usages(void **state)
{
    const uint32_t texture = D3DRTYPE_TEXTURE, surface = D3DRTYPE_SURFACE;

    (void)state;
    assert_int_equal(check9(0, texture, D3DFMT_A8R8G8B8), D3D_OK);
    assert_int_equal(check9(D3DUSAGE_RENDERTARGET, texture, D3DFMT_DXT1), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(D3DUSAGE_DEPTHSTENCIL, texture, CODE('I', 'N', 'T', 'Z')), D3D_OK);
    assert_int_equal(check9(D3DUSAGE_DEPTHSTENCIL, surface, D3DFMT_D32), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_AUTOGENMIPMAP, texture, D3DFMT_A8R8G8B8), D3D_OK);
    assert_int_equal(check9(RT_USAGE_AUTOGENMIPMAP, texture, D3DFMT_DXT1), RT_OK_NOAUTOGEN);
    assert_true(SUCCEEDED(RT_OK_NOAUTOGEN));
    /* for a format that cannot be a texture, the answer is not "without levels" */
    assert_int_equal(check9(RT_USAGE_AUTOGENMIPMAP, texture, D3DFMT_D15S1), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBREAD, texture, D3DFMT_DXT5), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBREAD, texture, D3DFMT_A8), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBREAD, texture, D3DFMT_L8), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBWRITE | D3DUSAGE_RENDERTARGET, texture, D3DFMT_A8R8G8B8), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBWRITE | D3DUSAGE_RENDERTARGET, surface, D3DFMT_A8R8G8B8), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBWRITE, texture, D3DFMT_A8R8G8B8), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBWRITE, surface, D3DFMT_A8R8G8B8), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_QUERY_SRGBWRITE | D3DUSAGE_RENDERTARGET, texture, D3DFMT_R5G6B5),
                     D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_QUERY_FILTER, texture, 116 /* A32B32G32R32F */), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_POSTPIXELSHADER_BLENDING | D3DUSAGE_RENDERTARGET, texture, 113), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_POSTPIXELSHADER_BLENDING, texture, D3DFMT_DXT1), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_QUERY_VERTEXTEXTURE, texture, 114 /* R32F */), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_VERTEXTEXTURE, texture, CODE('A', 'T', 'I', '2')), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_QUERY_WRAPANDMIP, texture, D3DFMT_A8R8G8B8), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_LEGACYBUMPMAP, texture, D3DFMT_V8U8), D3D_OK);
    assert_int_equal(check9(RT_USAGE_QUERY_LEGACYBUMPMAP, texture, D3DFMT_A8R8G8B8), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(RT_USAGE_DMAP, texture, D3DFMT_L8), D3DERR_NOTAVAILABLE);
    assert_int_equal(check9(0, D3DRTYPE_VOLUMETEXTURE, CODE('A', 'T', 'I', '2')), D3DERR_NOTAVAILABLE);
    /* plain surfaces of formats that only textures have */
    assert_int_equal(check9(0, surface, D3DFMT_DXT1), D3D_OK);
    assert_int_equal(check9(0, texture, CODE('A', 'T', 'I', '2')), D3D_OK);
    assert_int_equal(check9(0, surface, CODE('A', 'T', 'I', '2')), D3DERR_NOTAVAILABLE);
    assert_int_equal(rt_check_format(eight, D3DFMT_X8R8G8B8, 0, surface, CODE('A', 'T', 'I', '2')), D3D_OK);
    /* names of features give answers, but are not formats */
    assert_int_equal(rt_check_operations(nine, D3DFMT_X8R8G8B8, 0, surface, CODE('N', 'V', 'D', 'B')), D3D_OK);
    assert_int_equal(check9(0, surface, CODE('N', 'V', 'D', 'B')), D3DERR_NOTAVAILABLE);
    /* the bits mean nothing in version 8 */
    assert_int_equal(rt_check_format(eight, D3DFMT_X8R8G8B8, RT_USAGE_QUERY_LEGACYBUMPMAP | RT_USAGE_AUTOGENMIPMAP,
                                     texture, D3DFMT_DXT1),
                     D3D_OK);
}

static void check_samples(struct rt_adapter *adapter, uint32_t format, uint32_t samples, HRESULT result, uint32_t want)
{
    uint32_t qualities = 4711;

    assert_int_equal(rt_check_multisample(adapter, format, samples, &qualities), result);
    assert_int_equal(qualities, want);
    assert_int_equal(rt_check_multisample(adapter, format, samples, NULL), result);
}

static void test_multisample(void **state)
{
    (void)state;
    check_samples(nine, D3DFMT_A8R8G8B8, 0, D3D_OK, 1);
    check_samples(nine, D3DFMT_A8R8G8B8, 1, D3D_OK, 4);
    check_samples(nine, D3DFMT_A8R8G8B8, 4, D3D_OK, 1);
    check_samples(nine, D3DFMT_A8R8G8B8, 3, D3DERR_NOTAVAILABLE, 1);
    check_samples(nine, D3DFMT_A8R8G8B8, 17, D3DERR_INVALIDCALL, 1);
    check_samples(nine, D3DFMT_A8R8G8B8, 0xffffffff, D3DERR_INVALIDCALL, 1);
    check_samples(nine, D3DFMT_D24S8, 16, D3D_OK, 1);
    check_samples(nine, CODE('I', 'N', 'T', 'Z'), 4, D3DERR_NOTAVAILABLE, 1);
    check_samples(nine, CODE('N', 'U', 'L', 'L'), 4, D3D_OK, 1);
    check_samples(nine, D3DFMT_UNKNOWN, 0, D3DERR_INVALIDCALL, 1);
    check_samples(nine, 65536, 0, D3D_OK, 1); /* Wine's test_checkdevicemultisampletype */
    check_samples(nine, 65536, 2, D3DERR_NOTAVAILABLE, 1);
    check_samples(nine, D3DFMT_DXT5, 2, D3DERR_NOTAVAILABLE, 1);
    check_samples(eight, D3DFMT_A8R8G8B8, 1, D3DERR_INVALIDCALL, 1);
    check_samples(eight, D3DFMT_A8R8G8B8, 4, D3D_OK, 1);
    check_samples(eight, D3DFMT_A8R8G8B8, 5, D3DERR_NOTAVAILABLE, 1);
}

static void test_depth_match(void **state)
{
    const uint32_t display = D3DFMT_X8R8G8B8;

    (void)state;
    assert_int_equal(rt_check_depth_match(nine, display, D3DFMT_R5G6B5, D3DFMT_D24S8), D3D_OK);
    assert_int_equal(rt_check_depth_match(nine, display, D3DFMT_A8R8G8B8, D3DFMT_D32), D3DERR_NOTAVAILABLE);
    assert_int_equal(rt_check_depth_match(nine, display, D3DFMT_DXT1, D3DFMT_D16), D3DERR_NOTAVAILABLE);
    assert_int_equal(rt_check_depth_match(nine, display, D3DFMT_UNKNOWN, D3DFMT_D16), D3DERR_INVALIDCALL);
    assert_int_equal(rt_check_depth_match(nine, display, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN), D3DERR_INVALIDCALL);
    assert_int_equal(rt_check_depth_match(eight, D3DFMT_UNKNOWN, D3DFMT_A8R8G8B8, D3DFMT_D16), D3DERR_INVALIDCALL);
}

static void test_conversion(void **state)
{
    (void)state;
    assert_int_equal(rt_check_conversion(nine, D3DFMT_R5G6B5, D3DFMT_X8R8G8B8), D3D_OK);
    assert_int_equal(rt_check_conversion(nine, D3DFMT_A1R5G5B5, 35 /* A2R10G10B10 */), D3D_OK);
    assert_int_equal(rt_check_conversion(nine, CODE('Y', 'U', 'Y', '2'), D3DFMT_X8R8G8B8), D3D_OK);
    assert_int_equal(rt_check_conversion(nine, D3DFMT_X8R8G8B8, CODE('Y', 'U', 'Y', '2')), D3DERR_NOTAVAILABLE);
    assert_int_equal(rt_check_conversion(nine, D3DFMT_DXT1, D3DFMT_X8R8G8B8), D3DERR_NOTAVAILABLE);
    assert_int_equal(rt_check_conversion(nine, D3DFMT_DXT1, D3DFMT_DXT1), D3D_OK);
    assert_int_equal(rt_check_conversion(nine, 4711, 4711), D3D_OK);
    assert_int_equal(rt_check_conversion(nine, 114 /* R32F */, 111 /* R16F */), D3DERR_NOTAVAILABLE);
    assert_int_equal(rt_check_conversion(nine, D3DFMT_X8R8G8B8, D3DFMT_L8), D3DERR_NOTAVAILABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports),    cmocka_unit_test(test_formats),     cmocka_unit_test(test_usages),
        cmocka_unit_test(test_versions),   cmocka_unit_test(test_multisample), cmocka_unit_test(test_depth_match),
        cmocka_unit_test(test_conversion),
    };

    return cmocka_run_group_tests(tests, open_adapters, close_adapters);
}
