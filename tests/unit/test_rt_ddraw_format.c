/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats and structures of DirectDraw (runtime/ddraw/rules/format.h and runtime/ddraw/rules/desc.h). Expected masks are those that DirectX
 * documents; sizes, flags and refusals are those that Wine's zbufferbitdepth_test, test_create_surface_pitch,
 * test_surface_desc_size, CreateSurfaceBadCapsSizeTest, CompressedTest and test_ddsd assert of Windows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "d3d/directdraw.h"
#include "d3d/formats.h"
#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/rules/format.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

/* --- formats ------------------------------------------------------------------------------- */

/* flags, FOURCC, bits, red or stencil bits, green or depth, blue or stencil, alpha */
#define PIXELS(flags, code, bits, r, g, b, a)                                                             \
    {                                                                                                     \
        .dwSize = sizeof(DDPIXELFORMAT), .dwFlags = (flags), .dwFourCC = (code), .dwRGBBitCount = (bits), \
        .dwRBitMask = (r), .dwGBitMask = (g), .dwBBitMask = (b), .dwRGBAlphaBitMask = (a)                 \
    }
#define CODE(a, b, c, d) PIXELS(DDPF_FOURCC, MAKEFOURCC(a, b, c, d), 0, 0, 0, 0, 0)

static const struct {
    uint32_t format;
    DDPIXELFORMAT pixels;
    unsigned bits;        /* 0: not pixels */
    unsigned bytes_of_17; /* of a row of 17 texels */
} known[] = {
    {D3D_FORMAT_X8R8G8B8, PIXELS(DDPF_RGB, 0, 32, 0xff0000, 0xff00, 0xff, 0), 32, 68},
    {D3D_FORMAT_A8R8G8B8, PIXELS(DDPF_RGB | DDPF_ALPHAPIXELS, 0, 32, 0xff0000, 0xff00, 0xff, 0xff000000), 32, 68},
    {D3D_FORMAT_R8G8B8, PIXELS(DDPF_RGB, 0, 24, 0xff0000, 0xff00, 0xff, 0), 24, 51},
    {D3D_FORMAT_R5G6B5, PIXELS(DDPF_RGB, 0, 16, 0xf800, 0x7e0, 0x1f, 0), 16, 34},
    {D3D_FORMAT_X1R5G5B5, PIXELS(DDPF_RGB, 0, 16, 0x7c00, 0x3e0, 0x1f, 0), 16, 34},
    {D3D_FORMAT_A1R5G5B5, PIXELS(DDPF_RGB | DDPF_ALPHAPIXELS, 0, 16, 0x7c00, 0x3e0, 0x1f, 0x8000), 16, 34},
    {D3D_FORMAT_A4R4G4B4, PIXELS(DDPF_RGB | DDPF_ALPHAPIXELS, 0, 16, 0xf00, 0xf0, 0xf, 0xf000), 16, 34},
    {D3D_FORMAT_X4R4G4B4, PIXELS(DDPF_RGB, 0, 16, 0xf00, 0xf0, 0xf, 0), 16, 34},
    {D3D_FORMAT_R3G3B2, PIXELS(DDPF_RGB, 0, 8, 0xe0, 0x1c, 0x3, 0), 8, 17},
    {D3D_FORMAT_A8R3G3B2, PIXELS(DDPF_RGB | DDPF_ALPHAPIXELS, 0, 16, 0xe0, 0x1c, 0x3, 0xff00), 16, 34},
    {D3D_FORMAT_P8, PIXELS(DDPF_RGB | DDPF_PALETTEINDEXED8, 0, 8, 0, 0, 0, 0), 8, 17},
    {D3D_FORMAT_L8, PIXELS(DDPF_LUMINANCE, 0, 8, 0xff, 0, 0, 0), 8, 17},
    {D3D_FORMAT_A8L8, PIXELS(DDPF_LUMINANCE | DDPF_ALPHAPIXELS, 0, 16, 0xff, 0, 0, 0xff00), 16, 34},
    {D3D_FORMAT_A4L4, PIXELS(DDPF_LUMINANCE | DDPF_ALPHAPIXELS, 0, 8, 0xf, 0, 0, 0xf0), 8, 17},
    {D3D_FORMAT_V8U8, PIXELS(DDPF_BUMPDUDV, 0, 16, 0xff, 0xff00, 0, 0), 16, 34},
    {D3D_FORMAT_L6V5U5, PIXELS(DDPF_BUMPDUDV | DDPF_BUMPLUMINANCE, 0, 16, 0x1f, 0x3e0, 0xfc00, 0), 16, 34},
    {D3D_FORMAT_X8L8V8U8, PIXELS(DDPF_BUMPDUDV | DDPF_BUMPLUMINANCE, 0, 32, 0xff, 0xff00, 0xff0000, 0), 32, 68},
    {D3D_FORMAT_DXT1, CODE('D', 'X', 'T', '1'), 0, 40},
    {D3D_FORMAT_DXT2, CODE('D', 'X', 'T', '2'), 0, 80},
    {D3D_FORMAT_DXT3, CODE('D', 'X', 'T', '3'), 0, 80},
    {D3D_FORMAT_DXT4, CODE('D', 'X', 'T', '4'), 0, 80},
    {D3D_FORMAT_DXT5, CODE('D', 'X', 'T', '5'), 0, 80},
    {D3D_CODE('U', 'Y', 'V', 'Y'), CODE('U', 'Y', 'V', 'Y'), 0, 36},
    {D3D_CODE('Y', 'U', 'Y', '2'), CODE('Y', 'U', 'Y', '2'), 0, 36},
    {D3D_CODE('Y', 'V', '1', '2'), CODE('Y', 'V', '1', '2'), 0, 18},
    {D3D_FORMAT_D16, PIXELS(DDPF_ZBUFFER, 0, 16, 0, 0xffff, 0, 0), 16, 34},
    {D3D_FORMAT_D24X8, PIXELS(DDPF_ZBUFFER, 0, 32, 0, 0xffffff00, 0, 0), 32, 68},
    {D3D_FORMAT_D24S8, PIXELS(DDPF_ZBUFFER | DDPF_STENCILBUFFER, 0, 32, 8, 0xffffff00, 0xff, 0), 32, 68},
    {D3D_FORMAT_D32, PIXELS(DDPF_ZBUFFER, 0, 32, 0, 0xffffffff, 0, 0), 32, 68},
};

static void test_known_formats(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(known); i++) {
        const bool depth = known[i].pixels.dwFlags & DDPF_ZBUFFER, code = known[i].pixels.dwFlags & DDPF_FOURCC;
        DDPIXELFORMAT pixels;

        assert_int_equal(ddraw_format_of(&known[i].pixels), known[i].format);
        assert_true(ddraw_format_describe(known[i].format, &pixels));
        assert_memory_equal(&pixels, &known[i].pixels, sizeof(pixels));
        assert_int_equal(ddraw_format_bits(known[i].format), known[i].bits);
        assert_int_equal(ddraw_row_bytes(known[i].format, 17), known[i].bytes_of_17);
        assert_int_equal(ddraw_format_is_depth(known[i].format), depth);
        assert_int_equal(ddraw_format_is_code(known[i].format), code);
        assert_int_equal(ddraw_format_is_blocks(known[i].format),
                         code && (pixels.dwFourCC & 0xffffff) == D3D_CODE('D', 'X', 'T', 0));
        assert_int_equal(ddraw_format_is_palette(known[i].format), known[i].format == D3D_FORMAT_P8);
    }
}

/* One bit more, fewer or elsewhere is another format, or none: no two formats differ by one bit of a mask. The place of the red mask is
 * that of dwStencilBitDepth, which counts with DDPF_STENCILBUFFER only (test_surface_attachment). */
static void test_masks_are_exact(void **state)
{
    (void)state;
    random_seed = 1;
    for (unsigned round = first_round(20000); round < end_round(20000); round++) {
        const unsigned i = random_below(ARRAY_COUNT(known));
        const uint32_t bit = 1u << random_below(32);
        DDPIXELFORMAT pixels = known[i].pixels;
        const bool palette = pixels.dwFlags & DDPF_PALETTEINDEXED8;
        const bool has_red = !(pixels.dwFlags & DDPF_ZBUFFER) || pixels.dwFlags & DDPF_STENCILBUFFER;
        uint32_t expected = palette ? D3D_FORMAT_P8 : D3D_FORMAT_UNKNOWN;

        if (pixels.dwFlags & DDPF_FOURCC) {
            pixels.dwFourCC ^= bit;
            for (unsigned k = 0; k < ARRAY_COUNT(known); k++)
                if (known[k].pixels.dwFlags & DDPF_FOURCC && known[k].pixels.dwFourCC == pixels.dwFourCC)
                    goto another;
        } else if (random_one_in(2)) {
            pixels.dwGBitMask ^= bit;
        } else {
            pixels.dwRBitMask ^= bit;
            expected = has_red ? expected : known[i].format;
        }
        assert_int_equal(ddraw_format_of(&pixels), expected);
    another:;
    }
}

static void test_odd_descriptions(void **state)
{
    DDPIXELFORMAT pixels = PIXELS(DDPF_PALETTEINDEXED8, 0, 8, 0, 0, 0, 0);

    (void)state;
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_P8); /* without DDPF_RGB */
    pixels.dwSize = 0;
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_P8);
    pixels = (DDPIXELFORMAT)PIXELS(DDPF_RGB, 0xdeadbeef, 32, 0xff0000, 0xff00, 0xff, 0x12345678);
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_X8R8G8B8); /* members without a flag */
    pixels = (DDPIXELFORMAT)PIXELS(0, 0, 32, 0xff0000, 0xff00, 0xff, 0);
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_UNKNOWN);
    /* Numbers of D3DFORMAT belong to DirectX 8. */
    pixels = (DDPIXELFORMAT)PIXELS(DDPF_D3DFORMAT, D3D_FORMAT_X8R8G8B8, 0, 0, 0, 0, 0);
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_UNKNOWN);
    /* Formats that later versions introduced */
    pixels = (DDPIXELFORMAT)PIXELS(DDPF_RGB | DDPF_ALPHAPIXELS, 0, 32, 0xff, 0xff00, 0xff0000, 0xff000000);
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_UNKNOWN);
    assert_false(ddraw_format_describe(D3D_FORMAT_A8B8G8R8, &pixels));
    assert_int_equal(pixels.dwFlags, 0);
    /* Palettes of fewer bits, and codes of other vendors */
    pixels = (DDPIXELFORMAT)PIXELS(DDPF_RGB | DDPF_PALETTEINDEXED4, 0, 4, 0, 0, 0, 0);
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_UNKNOWN);
    pixels = (DDPIXELFORMAT)CODE('P', 'V', 'R', '1');
    assert_int_equal(ddraw_format_of(&pixels), D3D_FORMAT_UNKNOWN);
}

static void test_depths_and_modes(void **state)
{
    static const struct {
        unsigned bits, format;
        uint32_t mask;
    } depths[] = {{16, D3D_FORMAT_D16, 0xffff}, {24, D3D_FORMAT_D24X8, 0xffffff}, {32, D3D_FORMAT_D32, 0xffffffff}};
    unsigned next = 0;

    (void)state;
    for (unsigned bits = 0; bits < 100; bits++) {
        const bool good = next < ARRAY_COUNT(depths) && depths[next].bits == bits;
        DDPIXELFORMAT pixels;

        assert_int_equal(ddraw_format_of_depth(bits, &pixels),
                         good ? depths[next].format : (unsigned)D3D_FORMAT_UNKNOWN);
        if (!good)
            continue;
        assert_int_equal(pixels.dwFlags, DDPF_ZBUFFER);
        assert_int_equal(pixels.dwZBufferBitDepth, bits);
        assert_int_equal(pixels.dwZBitMask, depths[next].mask);
        assert_int_equal(ddraw_format_of(&pixels), depths[next].format); /* what was answered can be asked for */
        next++;
    }
    assert_int_equal(next, ARRAY_COUNT(depths));
    assert_int_equal(ddraw_format_of_mode(8), D3D_FORMAT_P8);
    assert_int_equal(ddraw_format_of_mode(16), D3D_FORMAT_R5G6B5);
    assert_int_equal(ddraw_format_of_mode(24), D3D_FORMAT_R8G8B8);
    assert_int_equal(ddraw_format_of_mode(32), D3D_FORMAT_X8R8G8B8);
    for (unsigned bits = 0; bits < 100; bits++)
        if (bits != 8 && bits != 16 && bits != 24 && bits != 32)
            assert_int_equal(ddraw_format_of_mode(bits), D3D_FORMAT_UNKNOWN);
}

static void test_pitches(void **state)
{
    (void)state;
    assert_int_equal(ddraw_pitch(D3D_FORMAT_X8R8G8B8, 63, false, 4), 0x100);
    assert_int_equal(ddraw_pitch(D3D_FORMAT_X8R8G8B8, 63, false, 8), 0x100);
    assert_int_equal(ddraw_pitch(D3D_FORMAT_X8R8G8B8, 63, true, 4), 0x100);
    assert_int_equal(ddraw_pitch(D3D_FORMAT_X8R8G8B8, 63, true, 8), 0xfc);
    assert_int_equal(ddraw_linear_size(D3D_FORMAT_DXT1, 128, 128), 8192);
    assert_int_equal(ddraw_linear_size(D3D_FORMAT_DXT3, 128, 128), 16384);
    assert_int_equal(ddraw_linear_size(D3D_FORMAT_DXT5, 1, 1), 16);
    assert_int_equal(ddraw_row_bytes(0x12345678, 17), 0);
    for (unsigned i = 0; i < ARRAY_COUNT(known); i++)
        for (unsigned width = 1; width < 70; width++) {
            const uint64_t row = ddraw_row_bytes(known[i].format, width);
            const uint64_t pitch = ddraw_pitch(known[i].format, width, false, 8);
            const uint64_t system = ddraw_pitch(known[i].format, width, true, 8);

            assert_true(pitch % 8 == 0 && pitch >= row && pitch < row + 8);
            assert_true(system % 4 == 0 && system >= row && system < row + 4);
        }
    /* Widths that a multiplication in 32 bits would wrap */
    assert_true(ddraw_row_bytes(D3D_FORMAT_X8R8G8B8, UINT32_MAX) == 4ull * UINT32_MAX);
    assert_true(ddraw_pitch(D3D_FORMAT_X8R8G8B8, UINT32_MAX, false, 4) == 0x400000000 - 0);
}

/* --- descriptions ------------------------------------------------------------------------------ */

static void test_sizes(void **state)
{
    static const unsigned versions[] = {1, 2, 3, 4, 7};
    const DWORD one = sizeof(DDSURFACEDESC), two = sizeof(DDSURFACEDESC2);

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(versions); i++) {
        const unsigned v = versions[i];
        const DWORD own = v < 4 ? one : two;

        assert_int_equal(ddraw_desc_size(v), own);
        for (DWORD size = 0; size < 400; size++) {
            const bool either = size == one || size == two;

            assert_int_equal(ddraw_desc_accepts(DDRAW_DESC_CREATE, v, size), size == own);
            assert_int_equal(ddraw_desc_accepts(DDRAW_DESC_GET, v, size), size == own);
            assert_int_equal(ddraw_desc_accepts(DDRAW_DESC_MODE, v, size), either);
            assert_int_equal(ddraw_desc_accepts(DDRAW_DESC_LOCK, v, size), either);
            assert_true(ddraw_desc_accepts(DDRAW_DESC_LOCK_ANY, v, size));
        }
    }
}

/* A description whose every member has a value of its own. */
static DDSURFACEDESC2 random_desc(void)
{
    union {
        DDSURFACEDESC2 desc;
        uint32_t words[sizeof(DDSURFACEDESC2) / 4];
    } any;

    for (unsigned i = 0; i < ARRAY_COUNT(any.words); i++)
        any.words[i] = random_word();
    any.desc.dwSize = sizeof(any.desc);
    return any.desc;
}

static void expect_same(const DDSURFACEDESC *one, const DDSURFACEDESC2 *two)
{
    assert_int_equal(one->dwHeight, two->dwHeight);
    assert_int_equal(one->dwWidth, two->dwWidth);
    assert_int_equal(one->lPitch, two->lPitch);
    assert_int_equal(one->dwBackBufferCount, two->dwBackBufferCount);
    assert_int_equal(one->dwAlphaBitDepth, two->dwAlphaBitDepth);
    assert_ptr_equal(one->lpSurface, two->lpSurface);
    assert_memory_equal(&one->ddckCKDestOverlay, &two->ddckCKDestOverlay, 4 * sizeof(DDCOLORKEY));
    assert_memory_equal(&one->ddpfPixelFormat, &two->ddpfPixelFormat, sizeof(DDPIXELFORMAT));
    assert_int_equal(one->ddsCaps.dwCaps, two->ddsCaps.dwCaps);
}

static void test_conversions(void **state)
{
    (void)state;
    random_seed = 2;
    for (unsigned round = first_round(2000); round < end_round(2000); round++) {
        const DDSURFACEDESC2 desc = random_desc();
        DDSURFACEDESC2 back;
        DDSURFACEDESC old = {.dwSize = sizeof(old)};
        const bool depth = desc.ddsCaps.dwCaps & DDSCAPS_ZBUFFER && desc.dwFlags & DDSD_PIXELFORMAT;

        assert_int_equal(ddraw_desc_write(&old, &desc, DDRAW_DESC_GET, 1), sizeof(old));
        expect_same(&old, &desc);
        assert_int_equal(old.dwFlags,
                         depth ? (desc.dwFlags & ~(DWORD)DDSD_PIXELFORMAT) | DDSD_ZBUFFERBITDEPTH : desc.dwFlags);
        assert_int_equal(old.dwZBufferBitDepth, depth ? desc.ddpfPixelFormat.dwZBufferBitDepth : desc.dwMipMapCount);
        ddraw_desc_read(&back, &old, 2);
        expect_same(&old, &back);
        assert_int_equal(back.dwSize, sizeof(back));
        assert_int_equal(back.dwFlags, old.dwFlags);
        assert_int_equal(back.dwMipMapCount, old.dwZBufferBitDepth);
        assert_true(!back.ddsCaps.dwCaps2 && !back.ddsCaps.dwCaps3 && !back.ddsCaps.dwCaps4 && !back.dwTextureStage);
        ddraw_desc_read(&back, &desc, 7);
        assert_memory_equal(&back, &desc, sizeof(desc));
    }
}

/* Nothing is written behind the bytes that the method returns, and no more than it may write. */
static void test_room(void **state)
{
    static const DWORD sizes[] = {0,
                                  1,
                                  12,
                                  sizeof(DDSURFACEDESC) - 1,
                                  sizeof(DDSURFACEDESC),
                                  sizeof(DDSURFACEDESC) + 1,
                                  sizeof(DDSURFACEDESC2) - 1,
                                  sizeof(DDSURFACEDESC2),
                                  sizeof(DDSURFACEDESC2) + 1,
                                  900};
    union {
        DWORD size;
        DDSURFACEDESC2 desc;
        uint8_t bytes[1024];
    } to;

    (void)state;
    random_seed = 3;
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++)
        for (unsigned version = 1; version <= 7; version += 3) {
            const DDSURFACEDESC2 desc = random_desc();
            const DWORD most = sizes[i] >= sizeof(DDSURFACEDESC2) ? sizeof(DDSURFACEDESC2) : sizeof(DDSURFACEDESC);

            memset(&to, 0xcc, sizeof(to));
            to.size = sizes[i];
            assert_int_equal(ddraw_desc_write(&to, &desc, DDRAW_DESC_LOCK_ANY, version), most);
            assert_int_equal(to.size, sizes[i]);
            assert_int_equal(to.desc.dwWidth, desc.dwWidth);
            for (unsigned k = most; k < sizeof(to); k++)
                assert_int_equal(to.bytes[k], 0xcc);
            if (!ddraw_desc_accepts(DDRAW_DESC_MODE, version, sizes[i]))
                continue;
            memset(&to, 0xcc, sizeof(to));
            to.size = sizes[i];
            assert_int_equal(ddraw_desc_write(&to, &desc, DDRAW_DESC_MODE, version), sizes[i]);
            assert_int_equal(to.size, ddraw_desc_size(version));
            for (unsigned k = sizes[i]; k < sizeof(to); k++)
                assert_int_equal(to.bytes[k], 0xcc);
        }
}

static void test_driver_caps(void **state)
{
    union {
        DWORD size;
        DDCAPS caps;
        uint8_t bytes[512];
    } from, to;

    (void)state;
    for (unsigned i = 0; i < sizeof(from); i++)
        from.bytes[i] = (uint8_t)(i * 7 + 1);
    for (DWORD size = 0; size <= sizeof(to); size++) {
        const bool good = size == 316 || size == 364 || size == 380;

        memset(&to, 0xcc, sizeof(to));
        to.size = size;
        assert_int_equal(ddraw_driver_caps_write(&to, &from.caps), good);
        assert_int_equal(to.size, size);
        for (unsigned i = sizeof(size); i < sizeof(to); i++)
            assert_int_equal(to.bytes[i], good && i < size ? from.bytes[i] : 0xcc);
    }
    assert_int_equal(ddraw_caps2_of(&(DDSCAPS){0x12345678}).dwCaps, 0x12345678);
    assert_int_equal(ddraw_caps2_of(&(DDSCAPS){0x12345678}).dwCaps2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_formats),    cmocka_unit_test(test_masks_are_exact),
        cmocka_unit_test(test_odd_descriptions), cmocka_unit_test(test_depths_and_modes),
        cmocka_unit_test(test_pitches),          cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_conversions),      cmocka_unit_test(test_room),
        cmocka_unit_test(test_driver_caps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
