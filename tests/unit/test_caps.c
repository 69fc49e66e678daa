/* SPDX-License-Identifier: MIT */
/*
 * The driver's report apart from the bits of D3DCAPS8 and D3DCAPS9 (tests/unit/test_caps_bits.c): numbers, limits, the
 * words of older structures, the types of GetDriverInfo2, formats, and the levels of HALCYON_CAPS.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "tests/stage/stage.h"
#include "client/umd/bridge.h"

#define SIDE 16 /* of the target, pixels */

static struct stage stage;

/* A program checks the bit before it uses the feature, so everything that works must be reported: here are the bits
 * that were once forgotten, by value, and those that DirectX 9 has removed or renamed. */
static void test_what_works_is_told(void **state)
{
    const D3DCAPS8 *caps8 = caps_d3d8();
    struct d3d_caps9 caps9;

    (void)state;
    caps_d3d9(&caps9);
    assert_int_equal(caps8->RasterCaps & 0x1009, 0x1009);       /* DITHER, PAT, ANTIALIASEDGES */
    assert_int_equal(caps8->PrimitiveMiscCaps & 0x4, 0x4);      /* LINEPATTERNREP */
    assert_int_equal(caps8->VertexProcessingCaps & 0x40, 0x40); /* TWEENING */
    assert_int_equal(caps8->LineCaps & 0x20, 0);
    assert_int_equal(caps9.d3d8.RasterCaps & 0x1009, 0x1);
    assert_int_equal(caps9.d3d8.PrimitiveMiscCaps & 0x4, 0);
    assert_int_equal(caps9.d3d8.VertexProcessingCaps & 0x40, 0x40);
    assert_int_equal(caps9.d3d8.LineCaps & 0x20, 0x20);
    assert_int_equal(caps8->Caps2 & 0x40000000, 0);
    assert_int_equal(caps9.d3d8.Caps2 & 0x40000000, 0x40000000); /* CANAUTOGENMIPMAP */
    /* FOGVERTEXCLAMPED, and not POSTBLENDSRGBCONVERT: colours become sRGB before they are blended */
    assert_int_equal(caps9.d3d8.PrimitiveMiscCaps & 0x300000, 0x100000);
}

/* Fields without bits: values that the driver leaves to the runtime, and numbers, each with its use. */
static void test_numbers(void **state)
{
    const D3DCAPS8 *caps = caps_d3d8();

    (void)state;
    assert_int_equal(caps->DeviceType, 0);
    assert_int_equal(caps->AdapterOrdinal, 0);
    assert_int_equal(caps->PresentationIntervals, 0);
    assert_int_equal(caps->CursorCaps, 0); /* none in hardware */
    assert_int_equal(caps->MaxStreams, 16);
    assert_int_equal(caps->MaxStreamStride, CAPS_MAX_STRIDE);
    assert_int_equal(caps->MaxVolumeExtent, CAPS_MAX_VOLUME_SIZE);
    assert_int_equal(caps->TextureCaps & 0xa000, 0xa000); /* VOLUMEMAP, MIPVOLUMEMAP */
    assert_true(caps->VolumeTextureFilterCaps && caps->VolumeTextureAddressCaps);
    assert_int_equal(caps->VertexShaderVersion, 0xfffe0101);
    assert_int_equal(caps->MaxVertexShaderConst, 256);
    assert_int_equal(caps->PixelShaderVersion, 0xffff0104);
    assert_true(caps->MaxPixelShaderValue >= 1.0f);
    assert_true(caps->DevCaps & D3DDEVCAPS_PUREDEVICE);
    assert_true(caps->MaxVertexIndex > 0xffff);
    assert_int_equal(caps->MaxTextureBlendStages, 8);
}

/* DirectDraw's capabilities: nothing without a callback, and consistent with the other structures. */
static void test_words_of_directdraw(void **state)
{
    DDCORECAPS caps;

    (void)state;
    caps_ddraw(&caps);
    /* CreatePalette makes palettes of 256 entries and no others */
    assert_int_equal(caps.dwPalCaps, DDPCAPS_8BIT | DDPCAPS_ALLOW256 | DDPCAPS_PRIMARYSURFACE | DDPCAPS_ALPHA);
    assert_int_equal(caps.ddsCaps.dwCaps & (DDSCAPS_SYSTEMMEMORY | DDSCAPS_PALETTE), 0);
    assert_int_equal(caps.dwZBufferBitDepths & DDBD_32, 0);
    assert_int_equal(caps.dwVidMemTotal, 1024u << 20); /* HALCYON_VIDEO_MEMORY */
    /* CANMANAGETEXTURE, CANMANAGERESOURCE, CANAUTOGENMIPMAP */
    assert_int_equal(caps.dwCaps2 & 0x50800000, 0x50800000);
}

/* Surfaces of the largest size can be created, larger ones cannot. */
static void test_limits(void **state)
{
    struct client_chain_desc flat = {
        .usage = CLIENT_TEXTURE, .format = D3DFMT_L8, .width = CAPS_MAX_TEXTURE_SIZE, .height = 1};
    struct client_chain_desc volume = {.usage = CLIENT_TEXTURE | CLIENT_VOLUME,
                                       .format = D3DFMT_L8,
                                       .width = 1,
                                       .height = 1,
                                       .depth = CAPS_MAX_VOLUME_SIZE};
    struct client_chain *chain;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(client_chain_create(stage.client, i ? &volume : &flat, &chain), DD_OK);
        client_chain_destroy(chain);
        flat.width++;
        volume.depth++;
        assert_true(FAILED(client_chain_create(stage.client, i ? &volume : &flat, &chain)));
        flat.width = CAPS_MAX_TEXTURE_SIZE;
        volume.depth = CAPS_MAX_VOLUME_SIZE;
    }
}

/* The older structures say the same as D3DCAPS8. */
static void test_levels_agree(void **state)
{
    const D3DHAL_D3DEXTENDEDCAPS *extended = caps_extended();
    const D3DCAPS8 *caps = caps_d3d8();
    D3DDEVICEDESC_V1 desc;

    (void)state;
    caps_device_desc(&desc);
    assert_int_equal(extended->dwMaxTextureWidth, caps->MaxTextureWidth);
    assert_int_equal(extended->dwStencilCaps, caps->StencilCaps);
    assert_int_equal(extended->dwTextureOpCaps, caps->TextureOpCaps);
    assert_int_equal(extended->dwMaxActiveLights, caps->MaxActiveLights);
    assert_int_equal(desc.dpcTriCaps.dwZCmpCaps, caps->ZCmpCaps);
    assert_int_equal(desc.dpcTriCaps.dwSrcBlendCaps, caps->SrcBlendCaps);
    assert_true(desc.dpcTriCaps.dwRasterCaps & D3DPRASTERCAPS_WBUFFER);
}

/* D3DDEVICEDESC_V1 in terms of DirectX 5 to 7: separate bits for flat shading, no later bits, and the bits that
 * Microsoft's page of the structure requires of drivers. */
static void test_words_of_dx7(void **state)
{
    D3DDEVICEDESC_V1 desc;

    (void)state;
    caps_device_desc(&desc);
    for (unsigned i = 0; i < 2; i++) {
        const D3DPRIMCAPS *caps = i ? &desc.dpcLineCaps : &desc.dpcTriCaps;

        assert_int_equal(caps->dwShadeCaps, 0x2 | 0x8 | 0x80 | 0x200 | 0x1000 | 0x4000 | 0x40000 | 0x80000);
        assert_int_equal(caps->dwRasterCaps & 0x1069, 0x1069); /* DITHER, PAT, SUBPIXEL, SUBPIXELX, ANTIALIASEDGES */
        assert_int_equal(caps->dwRasterCaps & ~0x3fffffu, 0);
        assert_int_equal(caps->dwMiscCaps, 0x76);           /* MASKZ, LINEPATTERNREP, CULL* */
        assert_int_equal(caps->dwTextureCaps & 0x10, 0x10); /* BORDER */
        assert_int_equal(caps->dwTextureCaps & ~0x1fffu, 0);
        assert_int_equal(caps->dwTextureFilterCaps & 0xff, 0x3f);
        assert_int_equal(caps->dwTextureAddressCaps, 0x1f);
        assert_int_equal(caps->dwTextureBlendCaps & 0xcf, 0xcf);
    }
    assert_int_equal(desc.dwDevCaps & 0x451,
                     0x451);                    /* FLOATTLVERTEX, EXECUTE-, TLVERTEXSYSTEMMEMORY, DRAWPRIMTLVERTEX */
    assert_int_equal(desc.dwDevCaps & 0xa0, 0); /* EXECUTE-, TLVERTEXVIDEOMEMORY */
    assert_int_equal(desc.dtcTransformCaps.dwCaps, 0);
    assert_int_equal(
        desc.dlcLightingCaps.dwCaps | desc.dlcLightingCaps.dwLightingModel | desc.dlcLightingCaps.dwNumLights, 0);
    assert_int_equal(desc.dwMaxBufferSize, 0);
    assert_int_equal(desc.dwMaxVertexCount, 0);
}

/* --- GetDriverInfo2
 * ---------------------------------------------------------------------------------------- */

static void test_types_of_dx9(void **state)
{
    DD_GETD3DQUERYCOUNTDATA count = {0};
    DD_GETEXTENDEDMODECOUNTDATA modes = {0};
    DD_GETEXTENDEDMODEDATA mode = {0};
    DD_GETADAPTERGROUPDATA group = {0};
    DD_GETDDIVERSIONDATA version = {.dwDXVersion = 9};
    struct {
        struct d3d_caps9 caps;
        uint32_t behind;
    } caps9 = {.behind = 0x5a5a5a5a};
    struct d3d_caps9 want;

    (void)state;
    caps_d3d9(&want);
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETD3DCAPS9, &caps9, sizeof(want)), DD_OK);
    assert_memory_equal(&caps9.caps, &want, sizeof(want));
    assert_int_equal(caps9.behind, 0x5a5a5a5a);
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETDDIVERSION, &version, sizeof(version)), DD_OK);
    assert_int_equal(version.dwDDIVersion, DX9_DDI_VERSION);
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETEXTENDEDMODECOUNT, &modes, sizeof(modes)),
                     DD_OK);
    mode.dwModeIndex = modes.dwModeCount;
    assert_true(FAILED(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETEXTENDEDMODE, &mode, sizeof(mode))));
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETADAPTERGROUP, &group, sizeof(group)), DD_OK);
    assert_true(group.ulUniqueAdapterGroupId != 0);
    assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETD3DQUERYCOUNT, &count, sizeof(count)), DD_OK);
    for (unsigned i = 0; i <= count.dwNumQueries; i++) {
        DD_GETD3DQUERYDATA query = {.dwQueryIndex = i};
        D3DHAL_DP2CREATEQUERY create = {1, 0};
        uint32_t id = 1;
        HRESULT hr = client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETD3DQUERY, &query, sizeof(query));

        if (i == count.dwNumQueries) {
            assert_true(FAILED(hr));
            break;
        }
        assert_int_equal(hr, DD_OK);
        create.QueryType = query.QueryType;
        dp2_put(&stage.builder, D3DDP2OP_CREATEQUERY, 1, &create, sizeof(create));
        dp2_put(&stage.builder, D3DDP2OP_DELETEQUERY, 1, &id, sizeof(id));
        stage_submit(&stage);
        assert_null(stage.failed); /* everything that is reported can be created */
    }
}

/* Every reported type and quality can be created; others cannot. */
static void test_sample_types(void **state)
{
    (void)state;
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const struct caps_format *format = caps_format(i);
        DD_GETFORMATDATA told = {.dwFormatIndex = i};

        told.format.dwSize = 0x902; /* the runtime's version */
        assert_int_equal(client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETFORMAT, &told, sizeof(told)), DD_OK);
        for (unsigned type = 1; type <= 16; type++) {
            DD_MULTISAMPLEQUALITYLEVELSDATA levels = {.Format = format->d3d_format, .MSType = type};
            bool listed = told.format.MultiSampleCaps.wBltMSTypes >> (type - 1) & 1;
            struct client_chain_desc desc = {.usage = format->operations & D3DFORMAT_OP_ZSTENCIL ? CLIENT_DEPTH
                                                                                                 : CLIENT_TARGET,
                                             .format = format->d3d_format,
                                             .width = 4,
                                             .height = 4,
                                             .samples = type};
            struct client_chain *chain = NULL;

            assert_int_equal(
                client_driver_info2(&stage.driver, D3DGDI2_TYPE_GETMULTISAMPLEQUALITYLEVELS, &levels, sizeof(levels)),
                DD_OK);
            assert_int_equal(levels.QualityLevels > 0, listed);
            HRESULT hr = client_chain_create(stage.client, &desc, &chain);
            if (SUCCEEDED(hr) != listed)
                fail_msg("format %#x, type %u: %#x", format->d3d_format, type, (unsigned)hr);
            client_chain_destroy(chain);
        }
    }
}

/* --- the list
 * ---------------------------------------------------------------------------------------------------
 */

static void test_rules_of_operations(void **state)
{
    (void)state;
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const struct caps_format *format = caps_format(i);
        const struct raster_format_info *info = raster_format_info(format->format);
        uint32_t operations = format->operations;

        assert_true(!(operations & D3DFORMAT_OP_3DACCELERATION) || operations & D3DFORMAT_OP_DISPLAYMODE);
        assert_true(!(operations & D3DFORMAT_OP_DISPLAYMODE) || !info->has_alpha);
        assert_true(!(operations & D3DFORMAT_OP_ZSTENCIL) ||
                    operations & D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH);
        if (operations & D3DFORMAT_MEMBEROFGROUP_ARGB)
            assert_true(info->bits[0] >= 5 && info->bits[1] >= 5 && info->bits[2] >= 5);
        for (unsigned k = 0; k < i; k++)
            assert_int_not_equal(caps_format(k)->d3d_format, format->d3d_format);
    }
}

/* Masks lead back to the format they describe. */
static void test_legacy_formats(void **state)
{
    DDSURFACEDESC descs[64];
    DDPIXELFORMAT depth[16];
    unsigned count = caps_texture_descs(descs, ARRAY_COUNT(descs)),
             depths = caps_depth_formats(depth, ARRAY_COUNT(depth));

    (void)state;
    assert_in_range(count, 10, ARRAY_COUNT(descs));
    assert_in_range(depths, 3, ARRAY_COUNT(depth));
    for (unsigned i = 0; i < caps_format_count(); i++)
        if (caps_format(i)->legacy.dwFlags)
            assert_int_equal(caps_match_format(&caps_format(i)->legacy)->d3d_format, caps_format(i)->d3d_format);
    for (unsigned i = 0; i < count; i++)
        assert_true(caps_match_format(&descs[i].ddpfPixelFormat)->operations & D3DFORMAT_OP_TEXTURE);
    for (unsigned i = 0; i < depths; i++)
        assert_true(caps_match_format(&depth[i])->operations & D3DFORMAT_OP_ZSTENCIL);
}

/* A caller's use of the report: never more than the driver has; targets, depth and modes exist. */
static bool caller_can_work(bool dx8)
{
    const D3DCAPS8 *all = caps_d3d8();
    struct client_driver driver;
    bool works;

    if (FAILED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter))))
        return false;
    works = !(driver.caps.TextureOpCaps & ~all->TextureOpCaps) && !(driver.caps.TextureCaps & ~all->TextureCaps) &&
            !(driver.caps.RasterCaps & ~all->RasterCaps) &&
            !(driver.caps.DevCaps & ~(all->DevCaps | 1 /* FLOATTLVERTEX */)) &&
            driver.caps.MaxTextureWidth == all->MaxTextureWidth &&
            driver.caps.MaxStreams == (dx8 ? all->MaxStreams : 1) &&
            driver.caps.VertexShaderVersion == (dx8 ? all->VertexShaderVersion : 0);
    for (unsigned i = 0; i < driver.format_count; i++) {
        const struct caps_format *format = caps_find_format(driver.formats[i].dwFourCC);

        works = works && (format ? !(driver.formats[i].dwOperations & ~format->operations)
                                 : caps_has_extension(driver.formats[i].dwFourCC));
    }
    const DDPIXELFORMAT *mode = client_driver_format(&driver, D3DFMT_X8R8G8B8);
    const DDPIXELFORMAT *depth = client_driver_format(&driver, D3DFMT_D24S8);

    works = works && mode && mode->dwOperations & D3DFORMAT_OP_DISPLAYMODE && depth &&
            depth->dwOperations & D3DFORMAT_OP_ZSTENCIL;
    client_driver_close(&driver);
    return works;
}

/* The configuration is read once, so each level needs a separate run of this program. */
static int report_level(void)
{
    DDHALINFO info = {.dwSize = sizeof(info)};
    struct client_driver driver = {0};
    DD_GETFORMATCOUNTDATA count = {0};
    DD_GETDDIVERSIONDATA version = {0};
    bool dx8, dx9;

    if (FAILED(HalcyonDriverInit(HALCYON_DDI_VERSION, &info)))
        return 99;
    driver.info = info;
    dx8 = SUCCEEDED(client_driver_info2(&driver, D3DGDI2_TYPE_GETFORMATCOUNT, &count, sizeof(count)));
    dx9 = SUCCEEDED(client_driver_info2(&driver, D3DGDI2_TYPE_GETDDIVERSION, &version, sizeof(version)));
    if (dx8 != !!(info.dwFlags & DDHALINFO_GETDRIVERINFO2))
        return 98;
    if (dx8 && count.dwFormatCount != caps_format_count() + caps_extension_count())
        return 96;
    for (unsigned i = 0; dx8 && !dx9 && i < caps_format_count(); i++)
        if (caps_format(i)->level > 8 || caps_operations(caps_format(i)) & D3DFORMAT_MEMBEROFGROUP_ARGB)
            return 97;
    return caller_can_work(dx8) ? dx9 ? 9 : dx8 ? 8 : 7 : 96;
}

static const char *own_path;

static void test_reported_level(void **state)
{
    static const char *const levels[] = {"dx7", "dx8", "dx9"};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(levels); i++) {
        char command[512];

        snprintf(command, sizeof(command), "HALCYON_CAPS=%s '%s' --report-level", levels[i], own_path);
        assert_int_equal(WEXITSTATUS(system(command)), 7 + i);
    }
}

static int set_up(void **state)
{
    (void)state;
    return stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, D3DFMT_D24S8) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    stage_close(&stage);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_works_is_told),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_words_of_directdraw),
        cmocka_unit_test(test_levels_agree),
        cmocka_unit_test(test_words_of_dx7),
        cmocka_unit_test(test_types_of_dx9),
        cmocka_unit_test(test_sample_types),
        cmocka_unit_test(test_rules_of_operations),
        cmocka_unit_test(test_legacy_formats),
        cmocka_unit_test(test_reported_level),
    };

    own_path = argv[0];
    if (argc > 1 && !strcmp(argv[1], "--report-level"))
        return report_level();

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
