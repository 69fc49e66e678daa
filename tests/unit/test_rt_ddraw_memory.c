/* SPDX-License-Identifier: MIT */
/* CreateSurface (runtime/ddraw/rules/creation.h): formats, memory and pitches, as Wine's tests assert of Windows. */
#include "ddraw_fixture.h"

#include "base/base.h"
#include "d3d/driver_info.h"
#include "runtime/common/driver/layout.h"

/* --- formats and memory ------------------------------------------------------------------------------- */

/* zbufferbitdepth_test, pixelformat_flag_test, test_d32_support */
static void test_depth(void **state)
{
    static const struct {
        unsigned bits;
        HRESULT hr;
        uint32_t format;
        bool system;
    } rows[] = {
        {0, DDERR_INVALIDPARAMS, 0, false},       {15, DDERR_INVALIDPIXELFORMAT, 0, false},
        {16, DD_OK, D3D_FORMAT_D16, false},       {24, DD_OK, D3D_FORMAT_D24X8, false},
        {28, DDERR_INVALIDPIXELFORMAT, 0, false}, {32, DD_OK, D3D_FORMAT_D32, true},
        {40, DDERR_INVALIDPIXELFORMAT, 0, false}, {0xffffffff, DDERR_INVALIDPIXELFORMAT, 0, false},
    };
    struct ddraw_plan plan;
    DDSURFACEDESC2 desc;

    (void)state;
    for (unsigned version = 1; version < 3; version++)
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            desc = request(DDSCAPS_ZBUFFER, 0, DDSD_ZBUFFERBITDEPTH, 256, 256);
            desc.dwMipMapCount = rows[i].bits;
            assert_int_equal(plan_for(&desc, version, &plan), rows[i].hr);
            if (FAILED(rows[i].hr))
                continue;
            assert_int_equal(plan.chain.format, rows[i].format);
            assert_int_equal(plan.chain.kind, RT_CHAIN_DEPTH);
            desc = ddraw_plan_describe(&plan, 0);
            assert_int_equal(desc.ddpfPixelFormat.dwZBufferBitDepth, rows[i].bits);
            assert_int_equal(!!(desc.ddsCaps.dwCaps & DDSCAPS_SYSTEMMEMORY), rows[i].system);
            assert_int_equal(desc.dwMipMapCount, 0);
        }
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++) {
        /* The pixel format counts, whatever the depth says. */
        desc = request(DDSCAPS_ZBUFFER, 0, DDSD_ZBUFFERBITDEPTH, 256, 256);
        set_format(&desc, D3D_FORMAT_D16);
        desc.dwMipMapCount = 40;
        assert_int_equal(plan_for(&desc, versions[v], &plan), DD_OK);
        assert_int_equal(plan.chain.format, D3D_FORMAT_D16);
        set_format(&desc, D3D_FORMAT_R5G6B5);
        assert_int_equal(plan_for(&desc, versions[v], NULL), DDERR_INVALIDPIXELFORMAT);
        desc = request(DDSCAPS_OFFSCREENPLAIN, 0, 0, 256, 256);
        set_format(&desc, D3D_FORMAT_D16);
        assert_int_equal(plan_for(&desc, versions[v], NULL), DDERR_INVALIDPIXELFORMAT);
        /* D32 is for those who ask for it by name, and in the driver's memory only if they say so. */
        desc = request(DDSCAPS_ZBUFFER, 0, 0, 64, 64);
        set_format(&desc, D3D_FORMAT_D32);
        assert_int_equal(plan_for(&desc, versions[v], &plan), DD_OK);
        assert_int_equal(plan.chain.memory, RT_MEMORY_SYSTEM);
        desc.ddsCaps.dwCaps |= DDSCAPS_VIDEOMEMORY;
        assert_int_equal(plan_for(&desc, versions[v], &plan), DD_OK);
        assert_int_equal(plan.chain.memory, RT_MEMORY_VIDEO);
    }
}

/* test_rt_caps: CreateSurface succeeds for each of these, and says where the surface lies. */
static void test_targets(void **state)
{
    enum { PLAIN = DDSCAPS_OFFSCREENPLAIN, RT = DDSCAPS_3DDEVICE, SYSTEM = DDSCAPS_SYSTEMMEMORY, Z = DDSCAPS_ZBUFFER };
    static const struct {
        uint32_t format;
        DWORD caps, caps2;
    } rows[] = {
        {0, PLAIN | RT | DDSCAPS_VIDEOMEMORY, 0},
        {0, PLAIN | RT, 0},
        {0, PLAIN, 0},
        {0, PLAIN | SYSTEM | RT, 0},
        {0, PLAIN | SYSTEM, 0},
        {0, RT | DDSCAPS_VIDEOMEMORY, 0},
        {0, RT, 0},
        {0, 0, 0},
        {0, SYSTEM | RT, 0},
        {0, SYSTEM, 0},
        {0, DDSCAPS_TEXTURE | RT, DDSCAPS2_TEXTUREMANAGE},
        {0, DDSCAPS_TEXTURE | RT, DDSCAPS2_D3DTEXTUREMANAGE},
        {D3D_FORMAT_P8, 0, 0},
        {D3D_FORMAT_P8, PLAIN | RT, 0},
        {D3D_FORMAT_P8, PLAIN, 0},
        {D3D_FORMAT_P8, PLAIN | SYSTEM | RT, 0},
        {D3D_FORMAT_P8, PLAIN | SYSTEM, 0},
        {D3D_FORMAT_D24S8, RT | DDSCAPS_VIDEOMEMORY | Z, 0},
        {D3D_FORMAT_D24S8, RT | Z, 0},
        {D3D_FORMAT_D24S8, Z, 0},
        {D3D_FORMAT_D24S8, SYSTEM | RT | Z, 0},
        {D3D_FORMAT_D24S8, SYSTEM | Z, 0},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        const bool p8_target = rows[i].format == D3D_FORMAT_P8 && rows[i].caps & RT;
        const bool system = rows[i].caps & SYSTEM || rows[i].caps2 || p8_target;
        DDSURFACEDESC2 desc = request(rows[i].caps, rows[i].caps2, 0, 640, 480);
        struct ddraw_plan plan;

        if (rows[i].format)
            set_format(&desc, rows[i].format);
        assert_int_equal(plan_for(&desc, 7, &plan), DD_OK);
        desc = ddraw_plan_describe(&plan, 0);
        assert_int_equal(desc.ddsCaps.dwCaps, rows[i].caps | (system ? (DWORD)SYSTEM : VIDEO));
        assert_int_equal(desc.ddsCaps.dwCaps2, rows[i].caps2);
        assert_int_equal(plan.is_managed, !!rows[i].caps2);
        assert_int_equal(plan.chain.is_target, rows[i].caps & RT && !(rows[i].caps & Z) && !p8_target);
    }
}

/* test_unsupported_formats, for every format: textures that the driver does not have lie in system memory, unless the driver's is
 * asked for. Codes that nobody knows are refused at once. */
static void test_texture_memory(void **state)
{
    (void)state;
    for (uint32_t format = 20; format < 64; format++) {
        DDPIXELFORMAT pixels;
        struct ddraw_plan plan;

        if (!ddraw_format_describe(format, &pixels) || ddraw_format_is_depth(format))
            continue;
        const bool offered = operations(&formats_of, format) & D3DFORMAT_OP_TEXTURE;
        DDSURFACEDESC2 desc = request(DDSCAPS_TEXTURE, 0, DDSD_PIXELFORMAT, 4, 4);

        desc.ddpfPixelFormat = pixels;
        assert_int_equal(plan_for(&desc, 7, &plan), DD_OK);
        assert_int_equal(plan.chain.memory, offered ? RT_MEMORY_VIDEO : RT_MEMORY_SYSTEM);
        desc.ddsCaps.dwCaps = DDSCAPS_TEXTURE | DDSCAPS_SYSTEMMEMORY;
        assert_int_equal(plan_for(&desc, 7, &plan), DD_OK);
        assert_int_equal(plan.chain.memory, RT_MEMORY_SYSTEM);
        desc.ddsCaps.dwCaps = DDSCAPS_TEXTURE | DDSCAPS_VIDEOMEMORY;
        assert_int_equal(SUCCEEDED(plan_for(&desc, 7, &plan)), offered);
    }
    DDSURFACEDESC2 desc = request(DDSCAPS_TEXTURE, 0, DDSD_PIXELFORMAT, 4, 4);

    desc.ddpfPixelFormat = (DDPIXELFORMAT){.dwFlags = DDPF_FOURCC, .dwFourCC = 0xdeadbeef};
    assert_int_equal(plan_for(&desc, 7, NULL), DDERR_INVALIDPIXELFORMAT);
}

/* test_block_formats_creation, CompressedTest */
static void test_blocks(void **state)
{
    enum { ZERO, ROW, SIZE_OF_ALL };
    static const uint32_t codes[] = {D3D_FORMAT_DXT1, D3D_FORMAT_DXT2, D3D_FORMAT_DXT3, D3D_FORMAT_DXT4,
                                     D3D_FORMAT_DXT5};
    static const struct {
        DWORD flags;
        int size, more;
        HRESULT hr;
    } rows[] = {
        {DDSD_LINEARSIZE, ZERO, 0, DD_OK},
        {DDSD_LINEARSIZE, SIZE_OF_ALL, 0, DD_OK},
        {DDSD_PITCH, ZERO, 0, DD_OK},
        {DDSD_PITCH, ROW, 0, DD_OK},
        {DDSD_LPSURFACE, ZERO, 0, DDERR_INVALIDPARAMS},
        {DDSD_LPSURFACE | DDSD_LINEARSIZE, ZERO, 0, DDERR_INVALIDPARAMS},
        {DDSD_LPSURFACE | DDSD_LINEARSIZE, ROW, 0, DDERR_INVALIDPARAMS},
        {DDSD_LPSURFACE | DDSD_LINEARSIZE, SIZE_OF_ALL, 0, DD_OK},
        {DDSD_LPSURFACE | DDSD_LINEARSIZE, SIZE_OF_ALL, 1, DD_OK},
        {DDSD_LPSURFACE | DDSD_LINEARSIZE, SIZE_OF_ALL, -1, DDERR_INVALIDPARAMS},
        {DDSD_LPSURFACE | DDSD_PITCH, ZERO, 0, DDERR_INVALIDPARAMS},
        {DDSD_LPSURFACE | DDSD_PITCH, ROW, 0, DDERR_INVALIDPARAMS},
        {DDSD_LPSURFACE | DDSD_PITCH, SIZE_OF_ALL, 0, DDERR_INVALIDPARAMS},
        {DDSD_LPSURFACE | DDSD_PITCH | DDSD_LINEARSIZE, SIZE_OF_ALL, 0, DDERR_INVALIDPARAMS},
    };
    static uint8_t memory[65];

    (void)state;
    for (unsigned c = 0; c < ARRAY_COUNT(codes); c++) {
        const unsigned block = codes[c] == D3D_FORMAT_DXT1 ? 8 : 16;
        struct ddraw_plan plan;

        for (unsigned w = 1; w <= 8; w++)
            for (unsigned h = 1; h <= 8; h++)
                for (unsigned kind = 0; kind < 3; kind++) {
                    DDSURFACEDESC2 desc = request(DDSCAPS_TEXTURE | (kind == 1   ? DDSCAPS_VIDEOMEMORY
                                                                     : kind == 2 ? DDSCAPS_SYSTEMMEMORY
                                                                                 : 0),
                                                  kind ? 0 : DDSCAPS2_TEXTUREMANAGE, 0, w, h);

                    set_format(&desc, codes[c]);
                    assert_int_equal(plan_for(&desc, 7, NULL), w % 4 || h % 4 ? DDERR_INVALIDPARAMS : DD_OK);
                }
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            DDSURFACEDESC2 desc = request(DDSCAPS_SYSTEMMEMORY | DDSCAPS_TEXTURE, 0, rows[i].flags, 8, 8);

            set_format(&desc, codes[c]);
            desc.dwLinearSize = (DWORD)((int)(rows[i].size == ZERO  ? 0
                                              : rows[i].size == ROW ? 2 * block
                                                                    : 4 * block) +
                                        rows[i].more);
            desc.lpSurface = memory;
            assert_int_equal(plan_for(&desc, 7, &plan), rows[i].hr);
            if (FAILED(rows[i].hr))
                continue;
            desc = ddraw_plan_describe(&plan, 0);
            assert_int_equal(desc.dwFlags, DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT | DDSD_LINEARSIZE);
            assert_int_equal(desc.dwLinearSize, rows[i].flags & DDSD_LPSURFACE ? ~0u : 4 * block);
        }
        DDSURFACEDESC2 desc = request(DDSCAPS_SYSTEMMEMORY | DDSCAPS_OFFSCREENPLAIN, 0, 0, 8, 8);

        set_format(&desc, codes[c]);
        assert_int_equal(plan_for(&desc, 7, NULL), DDERR_INVALIDPIXELFORMAT);
    }
}

/* test_create_surface_pitch, in processes of both word sizes; versions 1 and 2 take no memory of programs. */
static void test_pitches(void **state)
{
    enum {
        V = DDSCAPS_VIDEOMEMORY,
        S = DDSCAPS_SYSTEMMEMORY,
        O = DDSCAPS_OFFSCREENPLAIN,
        T = DDSCAPS_TEXTURE,
        A = DDSCAPS_ALLOCONLOAD
    };
    enum { MEMORY = DDSD_LPSURFACE, PITCH = DDSD_PITCH, LINEAR = DDSD_LINEARSIZE };
    static const struct {
        DWORD caps, flags, pitch;
        HRESULT hr, old_hr;
        unsigned in_32, in_64; /* 0: the implementation's choice */
    } rows[] = {
        {V | O, 0, 0, DD_OK, DD_OK, 0x100, 0x100},
        {V | O, PITCH, 0x104, DD_OK, DD_OK, 0x100, 0x100},
        {V | O, PITCH, 0x0f8, DD_OK, DD_OK, 0x100, 0x100},
        {V | O, MEMORY | PITCH, 0x100, DDERR_INVALIDCAPS, DDERR_INVALIDCAPS, 0, 0},
        {S | O, 0, 0, DD_OK, DD_OK, 0x100, 0xfc},
        {S | O, PITCH, 0x104, DD_OK, DD_OK, 0x100, 0xfc},
        {S | O, PITCH, 0x0f8, DD_OK, DD_OK, 0x100, 0xfc},
        {S | O, PITCH | LINEAR, 0, DD_OK, DD_OK, 0x100, 0xfc},
        {S | O, MEMORY, 0, DDERR_INVALIDPARAMS, DDERR_INVALIDPARAMS, 0, 0},
        {S | O, MEMORY | PITCH, 0x100, DD_OK, DDERR_INVALIDPARAMS, 0x100, 0x100},
        {S | O, MEMORY | PITCH, 0x0fe, DDERR_INVALIDPARAMS, DDERR_INVALIDPARAMS, 0, 0},
        {S | O, MEMORY | PITCH, 0x0fc, DD_OK, DDERR_INVALIDPARAMS, 0xfc, 0xfc},
        {S | O, MEMORY | PITCH, 0x0f8, DDERR_INVALIDPARAMS, DDERR_INVALIDPARAMS, 0, 0},
        {S | O, MEMORY | LINEAR, 0x100, DDERR_INVALIDPARAMS, DDERR_INVALIDPARAMS, 0, 0},
        {S | O, MEMORY | LINEAR, 0x3f00, DDERR_INVALIDPARAMS, DDERR_INVALIDPARAMS, 0, 0},
        {S | O, MEMORY | PITCH | LINEAR, 0x100, DD_OK, DDERR_INVALIDPARAMS, 0x100, 0x100},
        {V | O | A, 0, 0, DDERR_INVALIDCAPS, DDERR_INVALIDCAPS, 0, 0},
        {V | T | A, 0, 0, DD_OK, DD_OK, 0, 0},
        {V | T, 0, 0, DD_OK, DD_OK, 0, 0},
        {V | T | A, MEMORY | PITCH, 0x100, DDERR_INVALIDCAPS, DDERR_INVALIDCAPS, 0, 0},
        {S | O | A, 0, 0, DDERR_INVALIDCAPS, DDERR_INVALIDCAPS, 0, 0},
        {S | T | A, 0, 0, DD_OK, DD_OK, 0, 0},
        {S | T | A, MEMORY | PITCH, 0x100, DD_OK, DDERR_INVALIDPARAMS, 0x100, 0x100},
        {S | O, MEMORY | PITCH, (DWORD)-256, DDERR_INVALIDPARAMS, DDERR_INVALIDPARAMS, 0, 0},
    };
    static uint8_t memory[(63 * 4 + 8) * 63];

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned pointer = 4; pointer <= 8; pointer += 4)
            for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
                const HRESULT hr = versions[v] < 4 ? rows[i].old_hr : rows[i].hr;
                struct ddraw_screen screen = screen_of(true);
                DDSURFACEDESC2 desc = request(rows[i].caps, 0, rows[i].flags, 63, 63);
                struct ddraw_plan plan;

                screen.pointer = pointer;
                set_format(&desc, D3D_FORMAT_X8R8G8B8);
                desc.lPitch = (LONG)rows[i].pitch;
                if (rows[i].flags & MEMORY) {
                    assert_int_equal(plan_on(&screen, &desc, versions[v], NULL), FAILED(hr) ? hr : DDERR_INVALIDPARAMS);
                    desc.lpSurface = memory;
                }
                assert_int_equal(plan_on(&screen, &desc, versions[v], &plan), hr);
                if (FAILED(hr))
                    continue;
                assert_ptr_equal(plan.chain.user_memory, rows[i].flags & MEMORY ? memory : NULL);
                desc = ddraw_plan_describe(&plan, 0);
                assert_int_equal(desc.dwFlags & (MEMORY | PITCH | LINEAR), PITCH);
                assert_null(desc.lpSurface);
                assert_int_equal(plan.chain.row_alignment, pointer == 4 ? 8 : 4);
                if (rows[i].in_32)
                    assert_int_equal(desc.lPitch, pointer == 4 ? rows[i].in_32 : rows[i].in_64);
            }
}

/* test_range_colorkey */
static void test_keys(void **state)
{
    static const DWORD kinds[] = {DDSCAPS_TEXTURE, DDSCAPS_OFFSCREENPLAIN};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++) {
        DDSURFACEDESC2 desc = request(kinds[i], 0, DDSD_CKSRCBLT, 1, 1);
        struct ddraw_plan plan;

        desc.ddckCKSrcBlt = (DDCOLORKEY){0, 1};
        assert_int_equal(plan_for(&desc, 7, NULL), DDERR_NOCOLORKEYHW);
        desc.ddckCKSrcBlt = (DDCOLORKEY){1, 0};
        assert_int_equal(plan_for(&desc, 7, NULL), DDERR_NOCOLORKEYHW);
        desc.ddckCKSrcBlt = (DDCOLORKEY){7, 7};
        desc.ddckCKDestBlt = (DDCOLORKEY){1, 2}; /* without its flag */
        assert_int_equal(plan_for(&desc, 7, &plan), DD_OK);
        desc = ddraw_plan_describe(&plan, 0);
        assert_true(desc.dwFlags & DDSD_CKSRCBLT && !(desc.dwFlags & DDSD_CKDESTBLT));
        assert_int_equal(desc.ddckCKSrcBlt.dwColorSpaceLowValue, 7);
        assert_int_equal(desc.ddckCKDestBlt.dwColorSpaceHighValue, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),  cmocka_unit_test(test_targets), cmocka_unit_test(test_texture_memory),
        cmocka_unit_test(test_blocks), cmocka_unit_test(test_pitches), cmocka_unit_test(test_keys),
    };

    return cmocka_run_group_tests(tests, open_driver, close_driver);
}
