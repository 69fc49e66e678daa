/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of DirectDraw after their creation (runtime/ddraw/rules/): colour keys, palettes, attachments, flips, locks, other memory. The
 * sequences of calls and their results are those of Wine's tests that Windows passes.
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
#include "runtime/ddraw/rules/attach.h"
#include "runtime/ddraw/rules/color_key.h"
#include "runtime/ddraw/rules/flip.h"
#include "runtime/ddraw/rules/lock.h"
#include "runtime/ddraw/rules/palette.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

static const unsigned versions[] = {1, 2, 3, 4, 7};

/* --- colour keys ---------------------------------------------------------------------------------- */

/* test_range_colorkey, test_ck_operation */
static void test_keys(void **state)
{
    static const struct {
        DWORD flags, low, high;
        HRESULT hr;
        DWORD key; /* afterwards */
    } rows[] = {
        {DDCKEY_SRCBLT, 0, 1, DD_OK, 0},
        {DDCKEY_SRCBLT, 1, 0, DD_OK, 1},
        {DDCKEY_SRCBLT, 0xff, 1, DD_OK, 0xff},
        {DDCKEY_SRCBLT, 0xfe, 0xfd, DD_OK, 0xfe},
        {DDCKEY_SRCBLT | DDCKEY_COLORSPACE, 0, 0, DD_OK, 0},
        {DDCKEY_SRCBLT | DDCKEY_COLORSPACE, 1, 0, DDERR_NOCOLORKEYHW, 0},
        {DDCKEY_SRCBLT | DDCKEY_COLORSPACE, 0, 1, DDERR_NOCOLORKEYHW, 0},
        {DDCKEY_DESTBLT | DDCKEY_COLORSPACE, 0, 1, DDERR_NOCOLORKEYHW, 0},
        {DDCKEY_SRCBLT | DDCKEY_COLORSPACE, 0, 0x01010101, DDERR_NOCOLORKEYHW, 0},
        {0, 5, 5, DDERR_INVALIDPARAMS, 0},
        {DDCKEY_SRCBLT | DDCKEY_DESTBLT, 5, 5, DDERR_INVALIDPARAMS, 0},
    };

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++) {
        struct ddraw_keys keys = {0};
        DDCOLORKEY key;

        assert_int_equal(ddraw_get_key(&keys, DDCKEY_SRCBLT, &key), DDERR_NOCOLORKEY);
        for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
            key = (DDCOLORKEY){rows[i].low, rows[i].high};
            assert_int_equal(ddraw_set_key(&keys, versions[v], false, rows[i].flags, &key), rows[i].hr);
            assert_int_equal(ddraw_get_key(&keys, DDCKEY_SRCBLT, &key), DD_OK);
            assert_true(key.dwColorSpaceLowValue == rows[i].key && key.dwColorSpaceHighValue == rows[i].key);
            assert_int_equal(ddraw_get_key(&keys, DDCKEY_DESTBLT, &key), DDERR_NOCOLORKEY);
        }
        key = (DDCOLORKEY){9, 9};
        assert_int_equal(ddraw_set_key(&keys, versions[v], true, DDCKEY_SRCBLT, &key),
                         versions[v] == 7 ? DDERR_NOTONMIPMAPSUBLEVEL : DD_OK);
        assert_int_equal(ddraw_set_key(&keys, versions[v], false, DDCKEY_SRCBLT, NULL), DD_OK);
        assert_int_equal(ddraw_get_key(&keys, DDCKEY_SRCBLT, &key), DDERR_NOCOLORKEY);
        assert_int_equal(ddraw_get_key(&keys, DDCKEY_SRCBLT, NULL), DDERR_INVALIDPARAMS);
    }
}

static void test_keys_in_descriptions(void **state)
{
    static const DWORD flags[] = {DDCKEY_SRCBLT, DDCKEY_DESTBLT, DDCKEY_SRCOVERLAY, DDCKEY_DESTOVERLAY};
    static const DWORD members[] = {DDSD_CKSRCBLT, DDSD_CKDESTBLT, DDSD_CKSRCOVERLAY, DDSD_CKDESTOVERLAY};

    (void)state;
    for (unsigned set = 0; set < 16; set++) {
        struct ddraw_keys keys = {0}, back;
        DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = ~0u};

        memset(&desc.ddckCKDestOverlay, 0xcc, 4 * sizeof(DDCOLORKEY));
        for (unsigned i = 0; i < 4; i++)
            if (set >> i & 1)
                ddraw_set_key(&keys, 7, false, flags[i], &(DDCOLORKEY){i + 1, i + 1});
        ddraw_keys_describe(&keys, &desc);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(!!(desc.dwFlags & members[i]), set >> i & 1);
        assert_int_equal(desc.ddckCKSrcBlt.dwColorSpaceHighValue, set & 1 ? 1 : 0);
        assert_int_equal(desc.ddckCKDestBlt.dwColorSpaceLowValue, set & 2 ? 2 : 0);
        assert_int_equal(desc.ddckCKSrcOverlay.dwColorSpaceLowValue, set & 4 ? 3 : 0);
        assert_int_equal(desc.ddckCKDestOverlay.dwColorSpaceLowValue, set & 8 ? 4 : 0);
        ddraw_keys_take(&back, &desc);
        assert_memory_equal(&back, &keys, sizeof(keys));
    }
}

/* --- palettes ---------------------------------------------------------------------------------------- */

/* PaletteTest, test_palette_alpha */
static void test_palette_entries(void **state)
{
    PALETTEENTRY red[256], entries[256];
    struct ddraw_palette palette;
    uint32_t words[256];

    (void)state;
    for (unsigned i = 0; i < 256; i++)
        red[i] = (PALETTEENTRY){255, 0, 0, (BYTE)i};
    for (unsigned all = 0; all < 2; all++) {
        const DWORD caps = DDPCAPS_8BIT | DDPCAPS_INITIALIZE | (all ? DDPCAPS_ALLOW256 : 0);

        assert_int_equal(ddraw_palette_init(&palette, caps, red), DD_OK);
        for (unsigned again = 0; again < 2; again++) {
            assert_int_equal(ddraw_palette_get(&palette, 0, 0, 256, entries), DD_OK);
            assert_memory_equal(entries + 1, red + 1, 254 * sizeof(red[0]));
            assert_true(entries[0].peRed == (all ? 255 : 0) && !entries[0].peGreen && !entries[0].peBlue);
            assert_true(entries[255].peRed == 255 && entries[255].peGreen == (all ? 0 : 255));
            assert_int_equal(ddraw_palette_set(&palette, 0, 0, 256, red), DD_OK);
        }
        ddraw_palette_words(&palette, words);
        assert_true(words[1] == 0xffff0000 && words[0] == (all ? 0xffff0000 : 0xff000000) &&
                    words[255] == (all ? 0xffff0000 : 0xffffffff));
        assert_int_equal(ddraw_palette_caps(&palette), caps);
        palette.primaries = 1;
        assert_int_equal(ddraw_palette_caps(&palette), caps | DDPCAPS_PRIMARYSURFACE);
    }
}

static void test_palette_kinds(void **state)
{
    static const DWORD bits[] = {DDPCAPS_1BIT, DDPCAPS_2BIT, DDPCAPS_4BIT, DDPCAPS_8BIT};
    static const unsigned counts[] = {2, 4, 16, 256};
    PALETTEENTRY entries[256] = {{1, 2, 3, 4}};
    struct ddraw_palette palette;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(ddraw_palette_init(&palette, bits[i], entries), DD_OK);
        assert_int_equal(palette.count, counts[i]);
        assert_int_equal(palette.entries[0].peRed, i == 3 ? 0 : 1); /* only 256 entries are Windows' */
        for (unsigned round = 0; round < 2000; round++) {
            const DWORD first = random_one_in(4) ? random_word() : random_below(300);
            const DWORD count = random_one_in(4) ? random_word() : random_below(300);
            const bool good = (uint64_t)first + count <= counts[i];

            assert_int_equal(ddraw_palette_get(&palette, 0, first, count, entries), good ? DD_OK : DDERR_INVALIDPARAMS);
            assert_int_equal(ddraw_palette_set(&palette, 0, first, count, entries), good ? DD_OK : DDERR_INVALIDPARAMS);
        }
        assert_int_equal(ddraw_palette_set(&palette, 1, 0, 1, entries), DDERR_INVALIDPARAMS);
        assert_int_equal(ddraw_palette_get(&palette, 0, 0, 1, NULL), DDERR_INVALIDPARAMS);
        assert_int_equal(ddraw_palette_init(&palette, bits[i], NULL), DDERR_INVALIDPARAMS);
        assert_int_equal(ddraw_palette_init(&palette, bits[i] | bits[(i + 1) % 4], entries), DDERR_INVALIDPARAMS);
        assert_int_equal(ddraw_palette_init(&palette, bits[i] | DDPCAPS_8BITENTRIES, entries), DDERR_INVALIDPARAMS);
    }
    assert_int_equal(ddraw_palette_init(&palette, DDPCAPS_ALLOW256, entries), DDERR_INVALIDPARAMS);
}

/* test_palette_alpha, test_palette_complex, PaletteTest */
static void test_palettes_on_surfaces(void **state)
{
    static const struct {
        DWORD palette_caps, surface_caps;
        uint32_t format;
        bool is_sublevel;
        HRESULT before_7, in_7;
    } rows[] = {
        {0, DDSCAPS_OFFSCREENPLAIN, D3D_FORMAT_P8, false, DD_OK, DD_OK},
        {0, DDSCAPS_OFFSCREENPLAIN, D3D_FORMAT_X8R8G8B8, false, DDERR_INVALIDPIXELFORMAT, DDERR_INVALIDPIXELFORMAT},
        {DDPCAPS_ALPHA, DDSCAPS_OFFSCREENPLAIN, D3D_FORMAT_P8, false, DDERR_INVALIDSURFACETYPE,
         DDERR_INVALIDSURFACETYPE},
        {DDPCAPS_ALPHA, DDSCAPS_TEXTURE, D3D_FORMAT_P8, false, DD_OK, DD_OK},
        {DDPCAPS_ALPHA, DDSCAPS_PRIMARYSURFACE, D3D_FORMAT_P8, false, DDERR_INVALIDSURFACETYPE,
         DDERR_INVALIDSURFACETYPE},
        {DDPCAPS_ALPHA, DDSCAPS_OFFSCREENPLAIN, D3D_FORMAT_X8R8G8B8, false, DDERR_INVALIDSURFACETYPE,
         DDERR_INVALIDSURFACETYPE},
        {0, DDSCAPS_TEXTURE, D3D_FORMAT_P8, true, DD_OK, DDERR_NOTONMIPMAPSUBLEVEL},
        {0, DDSCAPS_TEXTURE, D3D_FORMAT_X8R8G8B8, true, DDERR_INVALIDPIXELFORMAT, DDERR_NOTONMIPMAPSUBLEVEL},
    };
    const PALETTEENTRY entries[256] = {{0}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
        for (unsigned v = 0; v < ARRAY_COUNT(versions); v++) {
            struct ddraw_palette palette;

            assert_int_equal(ddraw_palette_init(&palette, DDPCAPS_8BIT | rows[i].palette_caps, entries), DD_OK);
            assert_int_equal(
                ddraw_palette_fits(&palette, versions[v], rows[i].format, rows[i].surface_caps, rows[i].is_sublevel),
                versions[v] < 7 ? rows[i].before_7 : rows[i].in_7);
        }
}

/* --- attachments ---------------------------------------------------------------------------------------- */

struct node {
    struct ddraw_attach_side side;
    struct ddraw_attachments list;
};

static struct node node(DWORD caps, unsigned width, uint32_t format)
{
    return (struct node){.side = {NULL, width, width, format, caps}};
}

static HRESULT attach(unsigned version, struct node *to, struct node *surface)
{
    to->side.surface = to;
    surface->side.surface = surface;
    return ddraw_attach(&to->list, &surface->list, version, &to->side, &surface->side, false, false);
}

static HRESULT detach(unsigned version, struct node *from, struct node *surface)
{
    return ddraw_detach(&from->list, &surface->list, version, from, surface, 0, false);
}

/* Two surfaces that hold each other would live as long as the process, whichever interfaces attached them. */
static void test_no_circle_of_versions(void **state)
{
    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned w = 0; w < ARRAY_COUNT(versions); w++) {
            struct node a = node(DDSCAPS_OFFSCREENPLAIN, 64, D3D_FORMAT_X8R8G8B8), b = a;

            if (versions[v] >= 7 || versions[w] >= 7)
                continue;
            assert_int_equal(attach(versions[v], &a, &b), DD_OK);
            assert_int_equal(attach(versions[w], &b, &a),
                             v == w ? DDERR_SURFACEALREADYATTACHED : DDERR_CANNOTATTACHSURFACE);
            assert_int_equal(b.list.count, 0);
        }
}

/* test_surface_attachment: chains by hand, before version 7 */
static void test_attached_chains(void **state)
{
    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++) {
        const bool old = versions[v] < 7;
        struct node primary = node(DDSCAPS_PRIMARYSURFACE, 640, D3D_FORMAT_X8R8G8B8);
        struct node plain = node(DDSCAPS_OFFSCREENPLAIN, 640, D3D_FORMAT_X8R8G8B8), other = plain;
        struct node little = node(DDSCAPS_OFFSCREENPLAIN, 128, D3D_FORMAT_X8R8G8B8);

        assert_int_equal(attach(versions[v], &primary, &plain), old ? DD_OK : DDERR_CANNOTATTACHSURFACE);
        if (old) {
            assert_int_equal(attach(versions[v], &plain, &primary), DDERR_SURFACEALREADYATTACHED);
            assert_int_equal(detach(versions[v], &primary, &plain), DD_OK);
        }
        assert_int_equal(attach(versions[v], &plain, &primary), old ? DD_OK : DDERR_CANNOTATTACHSURFACE);
        if (old) {
            assert_int_equal(detach(versions[v], &primary, &plain), DDERR_CANNOTDETACHSURFACE);
            assert_int_equal(detach(versions[v], &plain, &primary), DD_OK);
        }
        assert_int_equal(attach(versions[v], &plain, &other), old ? DD_OK : DDERR_CANNOTATTACHSURFACE);
        if (old)
            assert_int_equal(detach(versions[v], &plain, &other), DD_OK);
        assert_int_equal(attach(versions[v], &primary, &little), DDERR_CANNOTATTACHSURFACE);
        assert_int_equal(attach(versions[v], &little, &primary), DDERR_CANNOTATTACHSURFACE);
        assert_int_equal(detach(versions[v], &primary, &little), DDERR_SURFACENOTATTACHED);
        assert_int_equal(attach(versions[v], &plain, &plain), DDERR_CANNOTATTACHSURFACE);
    }
}

/* test_surface_attachment: textures, in no version */
static void test_textures_are_not_attached(void **state)
{
    struct node nodes[] = {node(DDSCAPS_TEXTURE | DDSCAPS_COMPLEX | DDSCAPS_MIPMAP, 128, D3D_FORMAT_X8R8G8B8),
                           node(DDSCAPS_TEXTURE | DDSCAPS_COMPLEX | DDSCAPS_MIPMAP, 16, D3D_FORMAT_X8R8G8B8),
                           node(DDSCAPS_TEXTURE, 16, D3D_FORMAT_X8R8G8B8),
                           node(DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY, 16, D3D_FORMAT_X8R8G8B8)};

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned a = 0; a < ARRAY_COUNT(nodes); a++)
            for (unsigned b = 0; b < ARRAY_COUNT(nodes); b++)
                assert_int_equal(attach(versions[v], &nodes[a], &nodes[b]), DDERR_CANNOTATTACHSURFACE);
}

/* test_surface_attachment: depth buffers */
static void test_attached_depth(void **state)
{
    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++) {
        struct node target = node(DDSCAPS_OFFSCREENPLAIN | DDSCAPS_3DDEVICE, 64, D3D_FORMAT_R5G6B5), second = target;
        struct node depth = node(DDSCAPS_ZBUFFER, 64, D3D_FORMAT_D16),
                    smaller = node(DDSCAPS_ZBUFFER, 32, D3D_FORMAT_D16),
                    larger = node(DDSCAPS_ZBUFFER, 128, D3D_FORMAT_D16);
        const unsigned version = versions[v], other = version == 7 ? 1 : 7;

        assert_int_equal(attach(version, &target, &smaller), DDERR_CANNOTATTACHSURFACE);
        assert_int_equal(attach(version, &target, &larger), DDERR_CANNOTATTACHSURFACE);
        assert_null(ddraw_attached_depth(&target.list));
        assert_int_equal(attach(version, &target, &depth), DD_OK);
        assert_ptr_equal(ddraw_attached_depth(&target.list), &depth);
        assert_int_equal(attach(version, &target, &depth), DDERR_SURFACEALREADYATTACHED);
        assert_int_equal(attach(other, &target, &depth), DDERR_CANNOTATTACHSURFACE);
        assert_int_equal(detach(other, &target, &depth), DDERR_SURFACENOTATTACHED);
        assert_int_equal(attach(version, &second, &depth), DD_OK); /* to two at a time */
        assert_int_equal(detach(version, &second, &depth), DD_OK);
        assert_int_equal(detach(version, &target, &depth), DD_OK);
        assert_int_equal(detach(version, &target, &depth), DDERR_SURFACENOTATTACHED);
        assert_int_equal(ddraw_detach(&target.list, &depth.list, version, &target, &depth, 1, false),
                         DDERR_INVALIDPARAMS);
        assert_int_equal(ddraw_detach(&target.list, &depth.list, version, &target, &depth, 0, true),
                         DDERR_CANNOTDETACHSURFACE);
    }
}

static void test_many_attachments(void **state)
{
    static struct node front, others[DDRAW_MOST_ATTACHED + 1];

    (void)state;
    front = node(DDSCAPS_PRIMARYSURFACE, 8, D3D_FORMAT_X8R8G8B8);
    for (unsigned i = 0; i < ARRAY_COUNT(others); i++) {
        others[i] = node(DDSCAPS_BACKBUFFER, 8, D3D_FORMAT_X8R8G8B8);
        assert_int_equal(attach(1, &front, &others[i]), i < DDRAW_MOST_ATTACHED ? DD_OK : DDERR_CANNOTATTACHSURFACE);
    }
    assert_int_equal(detach(1, &front, &others[5]), DD_OK);
    for (unsigned i = 0; i < DDRAW_MOST_ATTACHED; i++)
        assert_int_equal(detach(1, &front, &others[i]), i == 5 ? DDERR_SURFACENOTATTACHED : DD_OK);
    assert_int_equal(front.list.count, 0);
}

/* --- flips ----------------------------------------------------------------------------------------------- */

/* test_flip: colours are in the memories of three back buffers; `seen` is what the test finds behind two surfaces. */
static void test_flip_order(void **state)
{
    enum { NOTHING, RED, GREEN, BLUE };
    static const struct {
        unsigned target; /* of the flip */
        unsigned at[2];  /* surfaces that are looked at */
        unsigned seen[2];
        unsigned filled, with; /* afterwards */
    } steps[] = {
        {0, {1, 2}, {GREEN, BLUE}, 3, RED}, {0, {1, 2}, {BLUE, RED}, 3, GREEN}, {0, {1, 2}, {RED, GREEN}, 3, BLUE},
        {1, {2, 3}, {GREEN, BLUE}, 1, RED}, {2, {1, 3}, {RED, BLUE}, 2, GREEN}, {3, {1, 2}, {RED, GREEN}, 3, BLUE},
    };
    unsigned memory[4] = {NOTHING, RED, GREEN, BLUE};
    struct ddraw_flips flips;

    (void)state;
    ddraw_flips_init(&flips, 4);
    for (unsigned i = 0; i < ARRAY_COUNT(steps); i++) {
        ddraw_flip(&flips, steps[i].target);
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(memory[flips.memory[steps[i].at[k]]], steps[i].seen[k]);
        memory[flips.memory[steps[i].filled]] = steps[i].with;
    }
}

/* n flips of a chain of n surfaces are none, and no flip loses or doubles a memory. */
static void test_flips_permute(void **state)
{
    (void)state;
    for (unsigned count = 1; count <= DDRAW_MOST_BACK_BUFFERS + 1; count++) {
        struct ddraw_flips flips, first;

        ddraw_flips_init(&flips, count);
        first = flips;
        for (unsigned i = 0; i < count; i++) {
            assert_int_equal(flips.memory[0], i);
            ddraw_flip(&flips, 0);
        }
        assert_memory_equal(flips.memory, first.memory, count);
        for (unsigned i = 0; i < 100; i++) {
            uint32_t seen = 0;

            ddraw_flip(&flips, random_below(40));
            for (unsigned k = 0; k < count; k++)
                seen |= 1u << flips.memory[k];
            assert_true(seen == (count == 32 ? ~0u : (1u << count) - 1));
        }
    }
}

static void test_flip_errors(void **state)
{
    struct ddraw_flip_facts facts = {.is_primary = true, .is_exclusive = true};
    struct ddraw_flips flips, single;

    (void)state;
    ddraw_flips_init(&flips, 4);
    ddraw_flips_init(&single, 1);
    assert_int_equal(ddraw_check_flip(&flips, &facts), DD_OK);
    assert_int_equal(ddraw_check_flip(&single, &facts), DDERR_NOTFLIPPABLE);
    for (unsigned surface = 1; surface < 4; surface++) {
        facts.surface = surface;
        assert_int_equal(ddraw_check_flip(&flips, &facts), DDERR_NOTFLIPPABLE);
    }
    facts.surface = 0;
    facts.has_target = true;
    for (int target = -1; target < 6; target++) {
        facts.target = target;
        assert_int_equal(ddraw_check_flip(&flips, &facts), target >= 1 && target <= 3 ? DD_OK : DDERR_NOTFLIPPABLE);
    }
    facts.target = 1;
    facts.is_locked = true;
    assert_int_equal(ddraw_check_flip(&flips, &facts), DDERR_SURFACEBUSY);
    facts.is_lost = true;
    assert_int_equal(ddraw_check_flip(&flips, &facts), DDERR_SURFACELOST);
    facts.is_exclusive = false; /* a lost surface is reported before a level that is too low */
    assert_int_equal(ddraw_check_flip(&flips, &facts), DDERR_SURFACELOST);
    facts.is_lost = facts.is_locked = false;
    assert_int_equal(ddraw_check_flip(&flips, &facts), DDERR_NOEXCLUSIVEMODE);
    facts.is_primary = false; /* chains that are not shown flip in any level */
    assert_int_equal(ddraw_check_flip(&flips, &facts), DD_OK);
    assert_int_equal(ddraw_flip_interval(0), 1);
    assert_int_equal(ddraw_flip_interval(DDFLIP_WAIT | DDFLIP_NOVSYNC), 0);
    assert_int_equal(ddraw_flip_interval(DDFLIP_INTERVAL2), 2);
    assert_int_equal(ddraw_flip_interval(DDFLIP_INTERVAL3), 3);
    assert_int_equal(ddraw_flip_interval(DDFLIP_INTERVAL4), 4);
    assert_int_equal(ddraw_flip_interval(0x0f000000), 1);
    assert_true(ddraw_flip_waits(7, 0) && !ddraw_flip_waits(7, DDFLIP_DONOTWAIT));
    assert_true(ddraw_flip_waits(4, DDFLIP_WAIT) && !ddraw_flip_waits(4, 0));
}

/* --- locks ------------------------------------------------------------------------------------------------ */

/* test_lockrect_invalid */
static void test_lock_rectangles(void **state)
{
    static const RECT valid[] = {
        {60, 60, 68, 68}, {60, 60, 60, 68}, {60, 60, 68, 60}, {120, 60, 128, 68}, {60, 120, 68, 128}};
    static const RECT invalid[] = {{68, 60, 60, 68},
                                   {60, 68, 68, 60},
                                   {-8, 60, 0, 68},
                                   {60, -8, 68, 0},
                                   {-16, 60, -8, 68},
                                   {60, -16, 68, -8},
                                   {60, 60, 136, 68},
                                   {60, 60, 68, 136},
                                   {136, 60, 144, 68},
                                   {60, 136, 68, 144},
                                   {INT32_MIN, 0, INT32_MAX, 1}};
    static const DWORD kinds[] = {DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY,
                                  DDSCAPS_OFFSCREENPLAIN | DDSCAPS_VIDEOMEMORY, DDSCAPS_TEXTURE | DDSCAPS_SYSTEMMEMORY,
                                  DDSCAPS_TEXTURE | DDSCAPS_VIDEOMEMORY};

    (void)state;
    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        for (unsigned k = 0; k < ARRAY_COUNT(kinds); k++) {
            const struct ddraw_lock_facts facts = {versions[v],         versions[v], 128,  128,
                                                   D3D_FORMAT_X8R8G8B8, kinds[k],    false};
            const bool lenient = versions[v] == 7 && k == 2;
            struct ddraw_locks locks = {0};
            RECT rect;

            assert_int_equal(ddraw_lock_is_lenient(&facts), lenient);
            for (unsigned i = 0; i < ARRAY_COUNT(valid); i++) {
                assert_int_equal(ddraw_lock(&locks, &facts, &valid[i], &rect), DD_OK);
                assert_memory_equal(&rect, &valid[i], sizeof(rect));
                assert_int_equal(ddraw_unlock(&locks, NULL), DD_OK);
            }
            for (unsigned i = 0; i < ARRAY_COUNT(invalid); i++) {
                assert_int_equal(ddraw_lock(&locks, &facts, &invalid[i], &rect), lenient ? DD_OK : DDERR_INVALIDPARAMS);
                if (!lenient)
                    continue;
                assert_true(rect.left >= 0 && rect.top >= 0 && rect.left <= rect.right && rect.top <= rect.bottom &&
                            rect.right <= 128 && rect.bottom <= 128);
                assert_int_equal(ddraw_unlock(&locks, NULL), DD_OK);
            }
            assert_int_equal(ddraw_lock(&locks, &facts, NULL, &rect), DD_OK);
            assert_int_equal(ddraw_lock(&locks, &facts, NULL, &rect), DDERR_SURFACEBUSY);
            assert_int_equal(ddraw_unlock(&locks, NULL), DD_OK);
            assert_int_equal(ddraw_lock(&locks, &facts, &valid[0], &rect), DD_OK);
            assert_int_equal(ddraw_lock(&locks, &facts, &valid[0], &rect), DDERR_SURFACEBUSY);
            assert_int_equal(ddraw_lock(&locks, &facts, &valid[3], &rect), versions[v] < 4 ? DDERR_SURFACEBUSY : DD_OK);
            if (versions[v] >= 4) {
                assert_int_equal(ddraw_unlock(&locks, NULL), DDERR_INVALIDRECT);
                assert_int_equal(ddraw_unlock(&locks, &valid[4]), DDERR_INVALIDRECT);
                assert_int_equal(ddraw_unlock(&locks, &valid[0]), DD_OK);
                assert_memory_equal(&locks.rects[0], &valid[3], sizeof(RECT));
            }
            assert_int_equal(ddraw_unlock(&locks, &valid[3]), DD_OK);
            assert_int_equal(ddraw_unlock(&locks, NULL), DDERR_NOTLOCKED);
        }
}

/* partial_block_lock_test */
static void test_lock_blocks(void **state)
{
    static const struct {
        uint32_t format;
        LONG width, height;
    } formats[] = {{D3D_FORMAT_DXT1, 4, 4}, {D3D_FORMAT_DXT5, 4, 4}, {D3D_CODE('Y', 'U', 'Y', '2'), 2, 1}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++)
        for (unsigned video = 0; video < 2; video++) {
            const LONG w = formats[i].width, h = formats[i].height;
            const RECT partial[] = {{w / 2, 0, w, h}, {0, 0, w / 2, h}, {0, h / 2, w, h}, {0, 0, w, h / 2}},
                       whole = {0, 0, w, h};
            const struct ddraw_lock_facts facts = {
                7,
                7,
                128,
                128,
                formats[i].format,
                DDSCAPS_TEXTURE | (video ? DDSCAPS_VIDEOMEMORY : DDSCAPS_SYSTEMMEMORY),
                false};
            struct ddraw_locks locks = {0};
            RECT rect;

            for (unsigned k = 0; k < (h > 1 ? 4 : 2); k++) {
                assert_int_equal(ddraw_lock(&locks, &facts, &partial[k], &rect), video ? DDERR_INVALIDPARAMS : DD_OK);
                assert_int_equal(ddraw_unlock(&locks, NULL), video ? DDERR_NOTLOCKED : DD_OK);
            }
            assert_int_equal(ddraw_lock(&locks, &facts, &whole, &rect), DD_OK);
        }
}

/* test_getdc */
static void test_contexts(void **state)
{
    struct ddraw_lock_facts facts = {7,    7, 64, 64, D3D_FORMAT_X8R8G8B8, DDSCAPS_OFFSCREENPLAIN | DDSCAPS_VIDEOMEMORY,
                                     false};
    struct ddraw_locks locks = {0};
    RECT rect;

    (void)state;
    assert_int_equal(ddraw_get_dc(&locks), DD_OK);
    assert_int_equal(ddraw_get_dc(&locks), DDERR_DCALREADYCREATED);
    assert_int_equal(ddraw_release_dc(&locks), DD_OK);
    assert_int_equal(ddraw_release_dc(&locks), DDERR_NODC);
    assert_int_equal(ddraw_get_dc(&locks), DD_OK);
    assert_int_equal(ddraw_lock(&locks, &facts, NULL, &rect), DDERR_SURFACEBUSY);
    assert_int_equal(ddraw_unlock(&locks, NULL), DDERR_NOTLOCKED);
    assert_int_equal(ddraw_release_dc(&locks), DD_OK);
    assert_int_equal(ddraw_lock(&locks, &facts, NULL, &rect), DD_OK);
    assert_int_equal(ddraw_get_dc(&locks), DD_OK);
    assert_int_equal(ddraw_release_dc(&locks), DD_OK);
    assert_int_equal(ddraw_unlock(&locks, NULL), DD_OK);
    facts.is_lost = true;
    assert_int_equal(ddraw_lock(&locks, &facts, NULL, &rect), DDERR_SURFACELOST);
}

/* Random locks of versions 4 and 7: those that are held never overlap, and their number is bounded. */
static void test_random_locks(void **state)
{
    const struct ddraw_lock_facts facts = {
        7, 7, 64, 64, D3D_FORMAT_X8R8G8B8, DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY, false};
    struct ddraw_locks locks = {0};

    (void)state;
    random_seed = 5;
    for (unsigned round = first_round(20000); round < end_round(20000); round++) {
        const LONG x = (LONG)random_below(64), y = (LONG)random_below(64);
        const RECT some = {x, y, x + 1 + (LONG)random_below(16), y + 1 + (LONG)random_below(16)};
        uint8_t held[64][64] = {{0}};
        RECT rect;

        if (random_one_in(2))
            ddraw_lock(&locks, &facts, &some, &rect);
        else if (locks.count)
            assert_int_equal(ddraw_unlock(&locks, &(RECT){locks.rects[0].left, locks.rects[0].top, locks.rects[0].right,
                                                          locks.rects[0].bottom}),
                             DD_OK);
        assert_true(locks.count <= DDRAW_MOST_LOCKS);
        for (unsigned i = 0; i < locks.count; i++)
            for (LONG v = locks.rects[i].top; v < locks.rects[i].bottom; v++)
                for (LONG u = locks.rects[i].left; u < locks.rects[i].right; u++)
                    assert_int_equal(held[v][u]++, 0);
    }
}

/* test_set_surface_desc: rows of flags, with members that are good except where the row says otherwise. */
static void test_rebind(void **state)
{
    enum { M = DDSD_LPSURFACE, W = DDSD_WIDTH, H = DDSD_HEIGHT, P = DDSD_PITCH, F = DDSD_PIXELFORMAT, C = DDSD_CAPS };
    static uint8_t memory[1024];
    static const struct {
        DWORD flags, caps;
        unsigned width, height;
        LONG pitch;
        HRESULT hr;
    } rows[] = {
        {M, 0, 0, 0, 0, DD_OK},
        {C, 0, 0, 0, 0, DDERR_INVALIDPARAMS},
        {C | W | H | P | F, DDSCAPS_SYSTEMMEMORY, 8, 8, 32, DDERR_INVALIDPARAMS},
        {C | M, DDSCAPS_SYSTEMMEMORY, 0, 0, 0, DDERR_INVALIDCAPS},
        {C | M, 0, 0, 0, 0, DD_OK},
        {H, 0, 0, 16, 0, DDERR_INVALIDPARAMS},
        {H | M, 0, 0, 16, 0, DD_OK},
        {H | M, 0, 0, 0, 0, DDERR_INVALIDPARAMS},
        {P, 0, 0, 0, 32, DDERR_INVALIDPARAMS},
        {W, 0, 16, 0, 0, DDERR_INVALIDPARAMS},
        {P | M, 0, 0, 0, 32, DDERR_INVALIDPARAMS},
        {W | M, 0, 16, 0, 0, DDERR_INVALIDPARAMS},
        {W | P | M, 0, 16, 0, 64, DD_OK},
        {W | P | M, 0, 16, 0, 16, DD_OK},
        {W | P | M, 0, 16, 0, 4, DD_OK},
        {W | P | M, 0, 16, 0, 65, DDERR_INVALIDPARAMS},
        {W | P | M, 0, 16, 0, 67, DDERR_INVALIDPARAMS},
        {W | P | M, 0, 16, 0, -4, DDERR_INVALIDPARAMS},
        {W | P | M, 0, 16, 0, 0, DDERR_INVALIDPARAMS},
        {W | P | M, 0, 0, 0, 64, DDERR_INVALIDPARAMS},
        {F, 0, 0, 0, 0, DDERR_INVALIDPARAMS},
        {F | M, 0, 0, 0, 0, DD_OK},
        {DDSD_CKSRCBLT, 0, 0, 0, 0, DDERR_INVALIDPARAMS},
        {DDSD_CKSRCBLT | M, 0, 0, 0, 0, DDERR_INVALIDPARAMS},
    };
    struct ddraw_lock_facts facts = {7,    7, 8, 8, D3D_FORMAT_X8R8G8B8, DDSCAPS_SYSTEMMEMORY | DDSCAPS_OFFSCREENPLAIN,
                                     false};
    struct ddraw_locks locks = {0};
    struct ddraw_rebind rebind;
    DDSURFACEDESC2 desc;

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        desc = (DDSURFACEDESC2){.dwSize = sizeof(desc), .dwFlags = rows[i].flags};
        desc.lpSurface = memory;
        desc.dwWidth = rows[i].width;
        desc.dwHeight = rows[i].height;
        desc.lPitch = rows[i].pitch;
        desc.ddsCaps.dwCaps = rows[i].caps;
        desc.ddpfPixelFormat = (DDPIXELFORMAT){
            .dwFlags = DDPF_RGB, .dwRGBBitCount = 16, .dwRBitMask = 0xf800, .dwGBitMask = 0x7e0, .dwBBitMask = 0x1f};
        assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, &desc, 0, &rebind), rows[i].hr);
        if (FAILED(rows[i].hr))
            continue;
        assert_ptr_equal(rebind.memory, memory);
        assert_int_equal(rebind.width, rows[i].flags & W ? rows[i].width : 8);
        assert_int_equal(rebind.height, rows[i].flags & H ? rows[i].height : 8);
        assert_int_equal(rebind.pitch, rows[i].flags & P ? (unsigned)rows[i].pitch : 32);
        assert_int_equal(rebind.format, rows[i].flags & F ? D3D_FORMAT_R5G6B5 : D3D_FORMAT_X8R8G8B8);
    }
    desc = (DDSURFACEDESC2){.dwSize = sizeof(desc), .dwFlags = M, .lpSurface = memory};
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, &desc, 1, &rebind), DDERR_INVALIDPARAMS);
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, NULL, 0, &rebind), DDERR_INVALIDPARAMS);
    desc.dwFlags = W; /* the kind of surface counts before */
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, true, 32, &desc, 0, &rebind), DDERR_INVALIDSURFACETYPE);
    facts.caps |= DDSCAPS_PRIMARYSURFACE;
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, &desc, 0, &rebind), DDERR_INVALIDSURFACETYPE);
    facts.caps = DDSCAPS_VIDEOMEMORY;
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, &desc, 0, &rebind), DDERR_INVALIDSURFACETYPE);
    facts.caps = DDSCAPS_TEXTURE | DDSCAPS_SYSTEMMEMORY;
    desc.dwFlags = M;
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, &desc, 0, &rebind), DD_OK);
    desc.lpSurface = NULL;
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, &desc, 0, &rebind), DDERR_INVALIDPARAMS);
    desc.lpSurface = memory;
    locks.count = 1;
    assert_int_equal(ddraw_plan_rebind(&facts, &locks, false, 32, &desc, 0, &rebind), DDERR_SURFACEBUSY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_keys_in_descriptions),
        cmocka_unit_test(test_palette_entries),
        cmocka_unit_test(test_palette_kinds),
        cmocka_unit_test(test_palettes_on_surfaces),
        cmocka_unit_test(test_attached_chains),
        cmocka_unit_test(test_no_circle_of_versions),
        cmocka_unit_test(test_textures_are_not_attached),
        cmocka_unit_test(test_attached_depth),
        cmocka_unit_test(test_many_attachments),
        cmocka_unit_test(test_flip_order),
        cmocka_unit_test(test_flips_permute),
        cmocka_unit_test(test_flip_errors),
        cmocka_unit_test(test_lock_rectangles),
        cmocka_unit_test(test_lock_blocks),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_random_locks),
        cmocka_unit_test(test_rebind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
