/* SPDX-License-Identifier: MIT */
/*
 * Blits of DirectDraw (runtime/ddraw/rules/blit.h and runtime/ddraw/rules/clip.h): errors and their order as Wine's tests assert
 * them of Windows; pieces of clipped, stretched and mirrored blits against the definition in rational numbers.
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
#include "runtime/ddraw/rules/blit.h"
#include "runtime/ddraw/rules/clip.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

static const unsigned versions[] = {1, 2, 3, 4, 7};

static struct ddraw_blit_side side(uint32_t format, unsigned width, unsigned height)
{
    return (struct ddraw_blit_side){.width = width, .height = height, .format = format};
}

static HRESULT blt(const struct ddraw_blit_side *to, const RECT *to_rect, const struct ddraw_blit_side *from,
                   const RECT *from_rect, DWORD flags, const DDBLTFX *fx, struct ddraw_blit_plan *plan)
{
    const struct ddraw_blit blit = {7, *to, from, to_rect, from_rect, flags, fx, DDRAW_CLIP_NONE};
    struct ddraw_blit_plan unused;

    return ddraw_plan_blit(&blit, plan ? plan : &unused);
}

static HRESULT fast(const struct ddraw_blit_side *to, LONG x, LONG y, const struct ddraw_blit_side *from,
                    const RECT *rect)
{
    const struct ddraw_blit blit = {.version = 1, .destination = *to, .source = from, .source_rect = rect};
    struct ddraw_blit_plan plan;

    return ddraw_plan_fast_blit(&blit, (DWORD)x, (DWORD)y, &plan);
}

/* BltParamTest */
static void test_rectangles(void **state)
{
    const struct ddraw_blit_side large = side(D3D_FORMAT_X8R8G8B8, 128, 128),
                                 little = side(D3D_FORMAT_X8R8G8B8, 64, 64);
    const RECT valid = {10, 10, 20, 20}, reversed = {20, 10, 10, 20}, empty = {20, 20, 20, 20},
               negative = {-1, -1, 20, 20}, outside = {60, 60, 70, 70}, huge = {INT32_MIN, 0, INT32_MAX, 5};
    const RECT *bad[] = {&reversed, &empty, &negative, &huge};
    const DDBLTFX fx = {.dwSize = sizeof(fx), .dwFillColor = 0xaabbccdd};

    (void)state;
    assert_int_equal(fast(&large, 0, 0, &little, NULL), DD_OK);
    assert_int_equal(fast(&little, 0, 0, &large, NULL), DDERR_INVALIDRECT);
    assert_int_equal(fast(&little, 0, 0, &large, &valid), DD_OK);
    assert_int_equal(fast(&little, 60, 60, &large, &valid), DDERR_INVALIDRECT);
    assert_int_equal(fast(&large, 90, 90, &little, NULL), DDERR_INVALIDRECT);
    assert_int_equal(fast(&large, -10, 0, &little, NULL), DDERR_INVALIDRECT);
    assert_int_equal(fast(&large, 0, -10, &little, NULL), DDERR_INVALIDRECT);
    assert_int_equal(fast(&large, INT32_MAX, 0, &little, NULL), DDERR_INVALIDRECT);
    assert_int_equal(fast(&little, 20, 20, &large, &valid), DD_OK);
    assert_int_equal(fast(&large, 0, 0, &little, &outside), DDERR_INVALIDRECT);
    assert_int_equal(fast(&large, 0, 0, &large, NULL), DD_OK);
    assert_int_equal(fast(&large, 0, 0, NULL, NULL), DDERR_INVALIDPARAMS);
    for (unsigned i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_int_equal(fast(&little, 0, 0, &large, bad[i]), DDERR_INVALIDRECT);
        assert_int_equal(blt(&little, bad[i], NULL, NULL, DDBLT_COLORFILL, &fx, NULL), DDERR_INVALIDRECT);
        assert_int_equal(blt(&little, bad[i], &large, NULL, 0, NULL, NULL), DDERR_INVALIDRECT);
        assert_int_equal(blt(&little, NULL, &large, bad[i], 0, NULL, NULL), DDERR_INVALIDRECT);
        assert_int_equal(blt(&large, &valid, NULL, bad[i], DDBLT_COLORFILL, &fx, NULL), DD_OK);
    }
    assert_int_equal(blt(&little, &outside, NULL, NULL, DDBLT_COLORFILL, &fx, NULL), DDERR_INVALIDRECT);
    assert_int_equal(blt(&large, &outside, NULL, NULL, DDBLT_COLORFILL, &fx, NULL), DD_OK);
    assert_int_equal(blt(&little, &outside, &large, NULL, 0, NULL, NULL), DDERR_INVALIDRECT);
    assert_int_equal(blt(&large, NULL, &little, &outside, 0, NULL, NULL), DDERR_INVALIDRECT);
    assert_int_equal(blt(&large, NULL, &little, NULL, 0, NULL, NULL), DD_OK); /* stretched */
    assert_int_equal(blt(&little, NULL, &large, NULL, 0, NULL, NULL), DD_OK);
}

/* test_blt: without a source the rectangles do not matter. */
static void test_no_source(void **state)
{
    static const RECT rects[] = {{0, 0, 480, 480}, {0, 480, 640, 0}, {160, 0, 640, 480}};
    const struct ddraw_blit_side to = side(D3D_FORMAT_X8R8G8B8, 640, 480);

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rects); i++) {
        assert_int_equal(blt(&to, &rects[i], NULL, &rects[i], DDBLT_WAIT, NULL, NULL), DDERR_INVALIDPARAMS);
        assert_int_equal(blt(&to, &rects[i], NULL, NULL, DDBLT_WAIT, NULL, NULL), DDERR_INVALIDPARAMS);
    }
}

/* test_color_fill: kinds of surfaces */
static void test_fills_by_format(void **state)
{
    static const struct {
        uint32_t format;
        HRESULT color, depth;
        bool rop;
    } rows[] = {
        {D3D_FORMAT_A8R8G8B8, DD_OK, DDERR_INVALIDPARAMS, true},
        {D3D_FORMAT_D16, DDERR_INVALIDPARAMS, DD_OK, true},
        {D3D_FORMAT_D24S8, DDERR_INVALIDPARAMS, DD_OK, true},
        {D3D_CODE('Y', 'U', 'Y', '2'), DD_OK, DDERR_INVALIDPARAMS, false},
        {D3D_CODE('U', 'Y', 'V', 'Y'), DD_OK, DDERR_INVALIDPARAMS, false},
        {D3D_FORMAT_DXT1, E_NOTIMPL, DDERR_INVALIDPARAMS, false},
        {D3D_FORMAT_P8, DD_OK, DDERR_INVALIDPARAMS, true},
    };
    const RECT rect = {5, 5, 7, 7};
    DDBLTFX fx = {.dwSize = sizeof(fx), .dwFillColor = 0xdeadbeef};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct ddraw_blit_side to = side(rows[i].format, 64, 64);
        struct ddraw_blit_plan plan;

        assert_int_equal(blt(&to, NULL, NULL, NULL, DDBLT_COLORFILL | DDBLT_WAIT, &fx, &plan), rows[i].color);
        if (SUCCEEDED(rows[i].color))
            assert_true(plan.kind == DDRAW_BLIT_FILL && plan.value == 0xdeadbeef && plan.destination.right == 64);
        assert_int_equal(blt(&to, &rect, NULL, NULL, DDBLT_DEPTHFILL | DDBLT_WAIT, &fx, &plan), rows[i].depth);
        if (SUCCEEDED(rows[i].depth))
            assert_true(plan.kind == DDRAW_BLIT_DEPTH && plan.value == 0xdeadbeef && plan.destination.left == 5);
        fx.dwROP = BLACKNESS;
        assert_int_equal(SUCCEEDED(blt(&to, NULL, NULL, NULL, DDBLT_ROP | DDBLT_WAIT, &fx, &plan)), rows[i].rop);
        if (rows[i].rop)
            assert_int_equal(plan.value, 0);
        fx.dwROP = WHITENESS;
        assert_int_equal(SUCCEEDED(blt(&to, NULL, NULL, NULL, DDBLT_ROP | DDBLT_WAIT, &fx, &plan)), rows[i].rop);
        if (rows[i].rop)
            assert_int_equal(plan.value, ~0u);
        fx.dwROP = 0;
    }
}

/* test_color_fill: parameters, of colours and of depth */
static void test_fill_parameters(void **state)
{
    static const RECT some = {5, 5, 7, 7}, reversed = {5, 7, 7, 5}, negative = {-1, -1, 5, 5}, outside = {0, 0, 65, 65};
    static const struct {
        uint32_t format;
        DWORD fill, both_hr;
    } kinds[] = {{D3D_FORMAT_X8R8G8B8, DDBLT_COLORFILL, DD_OK},
                 {D3D_FORMAT_D16, DDBLT_DEPTHFILL, (DWORD)DDERR_INVALIDPARAMS}};
    static const RECT *bad[] = {&reversed, &negative, &outside};
    DDBLTFX fx = {.dwSize = sizeof(fx), .dwFillColor = 0xdeadbeef, .dwROP = WHITENESS};

    (void)state;
    for (unsigned k = 0; k < ARRAY_COUNT(kinds); k++) {
        const struct ddraw_blit_side to = side(kinds[k].format, 64, 64), other = to;
        const DWORD fill = kinds[k].fill;

        assert_int_equal(blt(&to, NULL, NULL, &some, fill, NULL, NULL), DDERR_INVALIDPARAMS);
        assert_int_equal(blt(&to, NULL, NULL, &some, DDBLT_ROP, NULL, NULL), DDERR_INVALIDPARAMS);
        assert_int_equal(blt(&to, NULL, NULL, &some, fill, &fx, NULL), DD_OK);
        assert_int_equal(blt(&to, NULL, NULL, &some, DDBLT_ROP, &fx, NULL), DD_OK);
        assert_int_equal(blt(&to, NULL, &other, NULL, fill, &fx, NULL), DDERR_INVALIDPARAMS);
        assert_int_equal(blt(&to, NULL, &other, NULL, DDBLT_ROP, &fx, NULL), DD_OK);
        for (unsigned i = 0; i < ARRAY_COUNT(bad); i++) {
            assert_int_equal(blt(&to, bad[i], NULL, NULL, fill, &fx, NULL), DDERR_INVALIDRECT);
            assert_int_equal(blt(&to, NULL, NULL, bad[i], fill, &fx, NULL), DD_OK);
            assert_int_equal(blt(&to, bad[i], &other, NULL, fill, &fx, NULL), DDERR_INVALIDPARAMS);
            assert_int_equal(blt(&to, NULL, &other, bad[i], fill, &fx, NULL), DDERR_INVALIDPARAMS);
            assert_int_equal(blt(&to, NULL, &other, bad[i], DDBLT_ROP, &fx, NULL), DDERR_INVALIDRECT);
            assert_int_equal(blt(&to, bad[i], NULL, NULL, fill | DDBLT_ROP, &fx, NULL), DDERR_INVALIDPARAMS);
        }
        assert_int_equal(blt(&to, NULL, NULL, NULL, DDBLT_COLORFILL | DDBLT_DEPTHFILL, &fx, NULL),
                         (HRESULT)kinds[k].both_hr);
        fx.dwSize = 4;
        assert_int_equal(blt(&to, NULL, NULL, NULL, fill, &fx, NULL), DDERR_INVALIDPARAMS);
        fx.dwSize = sizeof(fx);
    }
}

/* All 256 operations by their codes of GDI: three are claimed, and these are those that work. */
static void test_raster_operations(void **state)
{
    const struct ddraw_blit_side to = side(D3D_FORMAT_X8R8G8B8, 64, 64), from = to;
    static const DWORD others[] = {SRCPAINT,   SRCAND,  SRCINVERT, SRCERASE,  NOTSRCCOPY, NOTSRCERASE, MERGECOPY,
                                   MERGEPAINT, PATCOPY, PATPAINT,  PATINVERT, DSTINVERT,  0xaa0029};
    DDBLTFX fx = {.dwSize = sizeof(fx)};
    DWORD rops[DD_ROP_SPACE];
    unsigned claimed = 0;

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(others); i++) {
        fx.dwROP = others[i];
        assert_int_equal(blt(&to, NULL, &from, NULL, DDBLT_ROP, &fx, NULL), DDERR_NORASTEROPHW);
        assert_int_equal(blt(&to, NULL, NULL, NULL, DDBLT_ROP, &fx, NULL), DDERR_INVALIDPARAMS);
    }
    memset(rops, 0xff, sizeof(rops));
    ddraw_claim_rops(rops);
    for (unsigned i = 0; i < 256; i++)
        claimed += rops[i / 32] >> i % 32 & 1;
    assert_int_equal(claimed, 3);
    assert_true(rops[0] & 1 && rops[0xcc / 32] >> 0xcc % 32 & 1 && rops[7] >> 31);
    fx.dwROP = SRCCOPY;
    assert_int_equal(blt(&to, NULL, &from, NULL, DDBLT_ROP, &fx, NULL), DD_OK);
    assert_true(ddraw_rop_is_supported(BLACKNESS) && !ddraw_rop_is_supported(0));
}

/* test_ck_operation */
static void test_keys(void **state)
{
    const DDCOLORKEY of_source = {0xff, 0xff}, in_source = {0xaa, 0xaa}, of_destination = {0xff0000, 0xff0000};
    const DDBLTFX fx = {
        .dwSize = sizeof(fx), .ddckSrcColorkey = {0x110000, 0x110000}, .ddckDestColorkey = {0x1100, 0x1100}};

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++) {
        struct ddraw_blit_side from = side(D3D_FORMAT_A8R8G8B8, 6, 1);
        struct ddraw_blit blit = {.version = versions[v], .destination = from, .source = &from, .fx = &fx};
        struct ddraw_blit_plan plan;

        from.source_key = &of_source;
        from.destination_key = &in_source;
        from.last_destination_key = 0xaa;
        blit.destination.destination_key = &of_destination;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
        assert_true(!plan.has_source_key && !plan.has_destination_key);
        blit.flags = DDBLT_KEYSRC;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
        assert_true(plan.has_source_key && plan.source_key == 0xff && !plan.has_destination_key);
        blit.flags = DDBLT_KEYSRCOVERRIDE;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
        assert_true(plan.has_source_key && plan.source_key == 0x110000);
        blit.flags = DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_INVALIDPARAMS);
        blit.flags = DDBLT_KEYDEST;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
        assert_true(plan.has_destination_key && plan.destination_key == (versions[v] < 4 ? 0xaa : 0xff0000));
        blit.flags = DDBLT_KEYDESTOVERRIDE;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
        assert_true(plan.has_destination_key && plan.destination_key == 0x1100);
        blit.flags = DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_INVALIDPARAMS);
        blit.fx = NULL;
        blit.flags = DDBLT_KEYDESTOVERRIDE;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_INVALIDPARAMS);
        blit.flags = DDBLT_KEYSRCOVERRIDE;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_INVALIDPARAMS);
        from.source_key = from.destination_key = NULL;
        blit.flags = DDBLT_KEYSRC;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_INVALIDPARAMS);
        blit.flags = DDBLT_KEYDEST; /* the destination still has its own */
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
        assert_true(plan.has_destination_key && plan.destination_key == (versions[v] < 4 ? 0xaa : 0xff0000));
        blit.destination.destination_key = NULL;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_INVALIDPARAMS);
        from.source_key = &of_source;
        blit.flags = DDBLTFAST_SRCCOLORKEY | DDBLTFAST_WAIT;
        assert_int_equal(ddraw_plan_fast_blit(&blit, 0, 0, &plan), DD_OK);
        assert_true(plan.has_source_key && plan.source_key == 0xff);
    }
}

/* test_blt_z_alpha; effects; states and clippers */
static void test_effects_and_states(void **state)
{
    struct ddraw_blit_side from = side(D3D_FORMAT_A8R8G8B8, 64, 64);
    struct ddraw_blit blit = {.version = 7, .destination = from, .source = &from};
    struct ddraw_blit_plan plan;
    DDBLTFX fx = {.dwSize = sizeof(fx)};
    static const struct {
        DWORD effects, mirror;
        HRESULT hr;
    } rows[] = {
        {DDBLTFX_MIRRORLEFTRIGHT, DDBLTFX_MIRRORLEFTRIGHT, DD_OK},
        {DDBLTFX_MIRRORUPDOWN | DDBLTFX_NOTEARING, DDBLTFX_MIRRORUPDOWN, DD_OK},
        {DDBLTFX_ROTATE180, DDBLTFX_MIRRORLEFTRIGHT | DDBLTFX_MIRRORUPDOWN, DD_OK},
        {DDBLTFX_ROTATE180 | DDBLTFX_MIRRORUPDOWN, DDBLTFX_MIRRORLEFTRIGHT, DD_OK},
        {DDBLTFX_ROTATE90, 0, DDERR_NOROTATIONHW},
        {DDBLTFX_ROTATE270, 0, DDERR_NOROTATIONHW},
    };

    (void)state;
    blit.fx = &fx;
    for (DWORD flag = DDBLT_ALPHADEST; flag <= DDBLT_ALPHASRCSURFACEOVERRIDE; flag <<= 1) {
        blit.flags = flag | DDBLT_WAIT;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
    }
    for (DWORD flag = DDBLT_ZBUFFER; flag <= DDBLT_ZBUFFERSRCOVERRIDE; flag <<= 1) {
        blit.flags = flag;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
    }
    blit.flags = DDBLT_DDFX;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        fx.dwDDFX = rows[i].effects;
        assert_int_equal(ddraw_plan_blit(&blit, &plan), rows[i].hr);
        if (SUCCEEDED(rows[i].hr))
            assert_int_equal(plan.mirror, rows[i].mirror);
    }
    blit.flags = DDBLT_ROTATIONANGLE;
    assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_NOROTATIONHW);
    blit.flags = DDBLT_DDROPS;
    assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_NODDROPSHW);
    blit.flags = 0;
    from.is_locked = true;
    assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_SURFACEBUSY);
    blit.destination.is_lost = true;
    assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_SURFACELOST);
    blit.destination.is_lost = from.is_locked = false;
    blit.clipping = DDRAW_CLIP_EMPTY; /* test_clipper_blt */
    assert_int_equal(ddraw_plan_blit(&blit, &plan), DDERR_NOCLIPLIST);
    blit.clipping = DDRAW_CLIP_LIST;
    assert_int_equal(ddraw_plan_blit(&blit, &plan), DD_OK);
    assert_int_equal(ddraw_plan_fast_blit(&blit, 0, 0, &plan), DDERR_BLTFASTCANTCLIP);
}

static void test_conversions(void **state)
{
    static const struct {
        uint32_t from, to;
        HRESULT hr;
    } rows[] = {
        {D3D_FORMAT_R5G6B5, D3D_FORMAT_A8R8G8B8, DD_OK},
        {D3D_FORMAT_P8, D3D_FORMAT_X8R8G8B8, DD_OK},
        {D3D_FORMAT_DXT1, D3D_FORMAT_A8R8G8B8, DD_OK},
        {D3D_FORMAT_A8R8G8B8, D3D_FORMAT_DXT1, DDERR_UNSUPPORTED},
        {D3D_FORMAT_D16, D3D_FORMAT_R5G6B5, DDERR_UNSUPPORTED},
        {D3D_FORMAT_D16, D3D_FORMAT_D24S8, DDERR_UNSUPPORTED},
        {D3D_FORMAT_D16, D3D_FORMAT_D16, DD_OK},
        {D3D_FORMAT_X8R8G8B8, D3D_FORMAT_P8, DDERR_UNSUPPORTED},
        {D3D_FORMAT_P8, D3D_FORMAT_P8, DD_OK},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct ddraw_blit_side to = side(rows[i].to, 16, 16), from = side(rows[i].from, 16, 16);
        struct ddraw_blit_plan plan;

        assert_int_equal(blt(&to, NULL, &from, NULL, 0, NULL, &plan), rows[i].hr);
        if (SUCCEEDED(rows[i].hr))
            assert_true(plan.kind == DDRAW_BLIT_COPY && plan.converts == (rows[i].from != rows[i].to) &&
                        !plan.stretches);
    }
}

/* --- clipping --------------------------------------------------------------------------------------- */

/* test_clipper_blt: four texels on 640x480 pixels, seen through two quarters. */
static void test_two_holes(void **state)
{
    static const uint32_t texels[] = {1, 1, 2, 3, 4, 4};
    static const RECT clips[] = {{0, 0, 320, 240}, {320, 240, 640, 480}};
    static const uint32_t expected[] = {1, 2, 0, 0, 1, 2, 0, 0, 0, 0, 3, 4, 0, 0, 3, 4};
    static uint32_t pixels[480][640];
    struct ddraw_blit_plan plan = {
        .kind = DDRAW_BLIT_COPY, .destination = {0, 0, 640, 480}, .source = {1, 0, 5, 1}, .stretches = true};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct ddraw_pixels to = {(uint8_t *)pixels, sizeof(pixels[0]), 4};
        const struct ddraw_pixels from = {(uint8_t *)texels, sizeof(texels), 4};
        struct ddraw_piece piece;

        assert_true(ddraw_clip(&plan, &clips[i], &piece));
        assert_memory_equal(&piece.destination, &clips[i], sizeof(RECT));
        ddraw_copy_pixels(&plan, &piece.destination, &to, &from);
    }
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(pixels[60 * (2 * (i / 4) + 1)][80 * (2 * (i % 4) + 1)], expected[i]);
}

/* The texel whose interval holds the centre of the pixel, found by trying all of them. */
static LONG find_texel(const struct ddraw_axis *axis, LONG at)
{
    const uint64_t centre = 2 * (uint64_t)(at - axis->begin) + 1;

    for (uint64_t k = 0; k < axis->count; k++)
        if (2 * k * axis->size <= centre * axis->count && centre * axis->count < 2 * (k + 1) * axis->size)
            return axis->first + (LONG)(axis->is_mirrored ? axis->count - 1 - k : k);
    fail();
    return 0;
}

static void test_axes(void **state)
{
    const unsigned rounds = end_round(4000) - first_round(4000);
    unsigned exact = 0, other = 0;

    (void)state;
    random_seed = 3;
    for (unsigned round = first_round(4000); round < end_round(4000); round++) {
        const struct ddraw_axis axis = {(LONG)random_below(50), (LONG)random_below(50), 1 + random_below(40),
                                        1 + random_below(40), random_one_in(2)};
        const LONG begin = axis.begin + (LONG)random_below(axis.size);
        const LONG end = begin + 1 + (LONG)random_below(axis.size - (ULONG)(begin - axis.begin));
        struct ddraw_axis piece;
        bool good = true;

        for (LONG at = axis.begin; at < axis.begin + (LONG)axis.size; at++)
            assert_int_equal(ddraw_axis_texel(&axis, at), find_texel(&axis, at));
        if (!ddraw_axis_piece(&axis, begin, end, &piece)) {
            other++;
            continue;
        }
        exact++;
        assert_true(piece.begin == begin && piece.begin + (LONG)piece.size == end);
        assert_true(piece.first >= axis.first && piece.first + piece.count <= axis.first + axis.count);
        for (LONG at = begin; at < end; at++)
            good = good && ddraw_axis_texel(&piece, at) == ddraw_axis_texel(&axis, at);
        assert_true(good);
    }
    assert_true(exact > rounds / 20 && other > rounds / 20);
    /* The largest sizes there are */
    const struct ddraw_axis large = {0, 0, INT32_MAX, INT32_MAX - 1, false};

    assert_int_equal(ddraw_axis_texel(&large, INT32_MAX - 1), INT32_MAX - 2);
}

#define SIZE_MOST 24

static RECT random_rect(unsigned width, unsigned height)
{
    const LONG left = (LONG)random_below(width), top = (LONG)random_below(height);

    return (RECT){left, top, left + 1 + (LONG)random_below(width - (unsigned)left),
                  top + 1 + (LONG)random_below(height - (unsigned)top)};
}

/* The pixel that the blit without clipping writes, by its definition. */
static void write_pixel(const struct ddraw_blit_plan *plan, uint8_t *to, const uint8_t *from, unsigned bytes, LONG x,
                        LONG y)
{
    const struct ddraw_axis axis_x = ddraw_axis_x(plan), axis_y = ddraw_axis_y(plan);
    const uint8_t *texel = from + (size_t)(find_texel(&axis_y, y) * SIZE_MOST + find_texel(&axis_x, x)) * bytes;
    uint8_t *pixel = to + (size_t)(y * SIZE_MOST + x) * bytes;

    if (plan->has_source_key && !memcmp(texel, &plan->source_key, bytes))
        return;
    if (plan->has_destination_key && memcmp(pixel, &plan->destination_key, bytes))
        return;
    memcpy(pixel, texel, bytes);
}

/* Pieces through random holes give the pixels of the whole blit inside the holes, and touch no others; exact pieces are blits. */
static void test_clipped_pixels(void **state)
{
    (void)state;
    for (unsigned round = first_round(1500); round < end_round(1500); round++) {
        uint8_t from[SIZE_MOST * SIZE_MOST * 4], to[sizeof(from)], expected[sizeof(from)];
        struct ddraw_blit_plan plan = {.kind = DDRAW_BLIT_COPY};
        RECT clip, inside;
        unsigned bytes;

        random_seed = round + 1;
        bytes = 1 + random_below(4);
        for (unsigned i = 0; i < sizeof(from); i++) {
            from[i] = (uint8_t)random_below(2);
            expected[i] = to[i] = (uint8_t)random_below(2);
        }
        plan.destination = random_rect(SIZE_MOST, SIZE_MOST);
        plan.source = random_rect(SIZE_MOST, SIZE_MOST);
        plan.mirror = random_below(4) << 1;
        plan.has_source_key = random_one_in(3);
        plan.has_destination_key = random_one_in(3);
        plan.source_key = random_below(2) | 0x100;
        plan.destination_key = random_below(2);
        clip = random_rect(SIZE_MOST + 10, SIZE_MOST + 10);
        clip.left -= 5;
        for (LONG y = plan.destination.top; y < plan.destination.bottom; y++)
            for (LONG x = plan.destination.left; x < plan.destination.right; x++)
                if (x >= clip.left && x < clip.right && y >= clip.top && y < clip.bottom)
                    write_pixel(&plan, expected, from, bytes, x, y);
        const struct ddraw_pixels target = {to, SIZE_MOST * bytes, bytes}, source = {from, SIZE_MOST * bytes, bytes};
        struct ddraw_piece piece;

        if (ddraw_clip(&plan, &clip, &piece)) {
            struct ddraw_blit_plan part = plan;

            inside = piece.destination;
            if (piece.is_exact) {
                part.destination = piece.destination;
                part.source = piece.source;
            }
            ddraw_copy_pixels(&part, &inside, &target, &source);
        }
        assert_memory_equal(to, expected, sizeof(to));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangles),         cmocka_unit_test(test_no_source),
        cmocka_unit_test(test_fills_by_format),    cmocka_unit_test(test_fill_parameters),
        cmocka_unit_test(test_raster_operations),  cmocka_unit_test(test_keys),
        cmocka_unit_test(test_effects_and_states), cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_two_holes),          cmocka_unit_test(test_axes),
        cmocka_unit_test(test_clipped_pixels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
