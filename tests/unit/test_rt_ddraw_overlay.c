/* SPDX-License-Identifier: MIT */
/*
 * Overlays: the answers of the methods (runtime/ddraw/rules/overlay.h) by the pages that it names and by test_overlay_rect and
 * test_offscreen_overlay, the order against a list that moves are made in, and composed pixels (runtime/ddraw/rules/compose.h) and drawn ones
 * (runtime/ddraw/rules/readback.h) against their definitions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "d3d/directdraw.h"
#include "d3d/formats.h"
#include "runtime/ddraw/rules/compose.h"
#include "runtime/ddraw/rules/overlay.h"
#include "runtime/ddraw/rules/readback.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define SHOW DDOVER_SHOW
#define HIDE DDOVER_HIDE

static const DDCOLORKEY magenta = {0xf81f, 0xf81f};

/* An overlay of 64x48 texels of a code, on a surface of 320x240 pixels. */
static struct ddraw_overlay_facts usual(void)
{
    return (struct ddraw_overlay_facts){.is_overlay = true,
                                        .is_code = true,
                                        .width = 64,
                                        .height = 48,
                                        .has_destination = true,
                                        .to_width = 320,
                                        .to_height = 240};
}

static HRESULT update(struct ddraw_overlay *overlay, const RECT *rect, DWORD flags)
{
    const struct ddraw_overlay_facts facts = usual();

    return ddraw_update_overlay(overlay, &facts, NULL, rect, flags, NULL);
}

static void expect_position(const struct ddraw_overlay *overlay, HRESULT hr, LONG x, LONG y)
{
    const struct ddraw_overlay_facts facts = usual();
    LONG got_x = -1, got_y = -1;

    assert_int_equal(ddraw_overlay_position(overlay, &facts, &got_x, &got_y), hr);
    assert_int_equal(got_x, x);
    assert_int_equal(got_y, y);
}

/* test_overlay_rect, call by call */
static void test_positions(void **state)
{
    struct ddraw_overlay overlay = {.has_destination = false};
    const struct ddraw_overlay_facts facts = usual();
    RECT rect = {0, 0, 64, 64};
    LONG x;

    (void)state;
    expect_position(&overlay, DDERR_NOOVERLAYDEST, 0, 0);
    assert_int_equal(ddraw_move_overlay(&overlay, &facts, 1, 1), DDERR_NOOVERLAYDEST);
    assert_int_equal(update(&overlay, &rect, SHOW), DD_OK);
    assert_int_equal(update(&overlay, NULL, HIDE), DD_OK);
    assert_int_equal(update(&overlay, NULL, SHOW), DD_OK);
    rect = (RECT){32, 16, 96, 80};
    assert_int_equal(update(&overlay, &rect, SHOW), DD_OK);
    expect_position(&overlay, DD_OK, 32, 16);
    assert_int_equal(update(&overlay, NULL, 0), DD_OK);
    expect_position(&overlay, DD_OK, 0, 0);
    assert_int_equal(overlay.destination.right, 320);
    assert_int_equal(update(&overlay, &rect, HIDE), DD_OK);
    expect_position(&overlay, DDERR_OVERLAYNOTVISIBLE, 0, 0);
    assert_int_equal(ddraw_move_overlay(&overlay, &facts, 1, 1), DDERR_OVERLAYNOTVISIBLE);
    /* moves keep the size and stay inside */
    assert_int_equal(update(&overlay, &rect, SHOW), DD_OK);
    assert_int_equal(ddraw_move_overlay(&overlay, &facts, 256, 176), DD_OK);
    assert_int_equal(overlay.destination.right, 320);
    assert_int_equal(overlay.destination.bottom, 240);
    assert_int_equal(ddraw_move_overlay(&overlay, &facts, 257, 0), DDERR_INVALIDPOSITION);
    assert_int_equal(ddraw_move_overlay(&overlay, &facts, 0, -1), DDERR_INVALIDPOSITION);
    assert_int_equal(ddraw_move_overlay(&overlay, &facts, INT32_MAX, 0), DDERR_INVALIDPOSITION);
    expect_position(&overlay, DD_OK, 256, 176);
    assert_int_equal(ddraw_overlay_position(&overlay, &facts, &x, NULL), DDERR_INVALIDPARAMS);
}

static void test_surfaces(void **state)
{
    static const struct {
        struct ddraw_overlay_facts facts;
        DWORD flags;
        HRESULT hr;
    } rows[] = {
        /* test_offscreen_overlay */
        {{.is_overlay = true}, SHOW, DDERR_INVALIDPARAMS},
        {{.is_overlay = true}, HIDE, DDERR_INVALIDPARAMS},
        {{.has_destination = true}, SHOW, DDERR_NOTAOVERLAYSURFACE},
        {{.has_destination = true}, HIDE, DDERR_NOTAOVERLAYSURFACE},
        {{.is_overlay = true, .has_destination = true}, SHOW, DD_OK},
        {{.is_overlay = true, .has_destination = true, .is_back_buffer = true}, SHOW, DDERR_INVALIDSURFACETYPE},
        {{.is_overlay = true, .has_destination = true, .is_destination_overlay = true}, SHOW, DDERR_INVALIDPARAMS},
        {{.is_overlay = true, .has_destination = true, .is_of_other_ddraw = true}, SHOW, DDERR_DEVICEDOESNTOWNSURFACE},
        {{.is_overlay = true, .has_destination = true, .is_lost = true}, SHOW, DDERR_SURFACELOST},
        {{.is_overlay = true, .has_destination = true, .is_lost = true}, HIDE, DD_OK},
        {{.is_overlay = true, .has_destination = true, .shown = DDRAW_MOST_OVERLAYS}, SHOW, DDERR_OUTOFCAPS},
        {{.is_overlay = true, .has_destination = true, .shown = DDRAW_MOST_OVERLAYS - 1}, SHOW, DD_OK},
        {{.is_overlay = true, .has_destination = true, .shown = DDRAW_MOST_OVERLAYS}, 0, DD_OK},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        struct ddraw_overlay overlay = {.has_destination = false};
        struct ddraw_overlay_facts facts = rows[i].facts;

        facts.width = facts.height = facts.to_width = facts.to_height = 8;
        assert_int_equal(ddraw_update_overlay(&overlay, &facts, NULL, NULL, rows[i].flags, NULL), rows[i].hr);
        assert_int_equal(overlay.is_shown, rows[i].hr == DD_OK && rows[i].flags == SHOW);
    }
}

static void test_rectangles(void **state)
{
    static const RECT bad[] = {{0, 0, 0, 10},   {0, 0, 10, 0},   {10, 0, 9, 10},  {-1, 0, 10, 10},
                               {0, -1, 10, 10}, {0, 0, 321, 10}, {0, 0, 10, 241}, {INT32_MIN, 0, INT32_MAX, 10}};
    const RECT corner = {2, 4, 6, 8}, too_wide = {0, 0, 65, 48};
    const struct ddraw_overlay_facts facts = usual();
    struct ddraw_overlay overlay = {.has_destination = false}, before;

    (void)state;
    assert_int_equal(ddraw_update_overlay(&overlay, &facts, &corner, &corner, SHOW, NULL), DD_OK);
    before = overlay;
    for (unsigned i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_int_equal(update(&overlay, &bad[i], SHOW), DDERR_INVALIDRECT);
        assert_int_equal(update(&overlay, &bad[i], 0), DDERR_INVALIDRECT);
    }
    assert_int_equal(ddraw_update_overlay(&overlay, &facts, &too_wide, &corner, SHOW, NULL), DDERR_INVALIDRECT);
    assert_memory_equal(&overlay, &before, sizeof(overlay)); /* after errors as before */
}

static void test_flags_and_keys(void **state)
{
    static const struct {
        DWORD flags;
        bool has_fx, has_keys, is_code;
        HRESULT hr;
    } rows[] = {
        {SHOW | HIDE, false, false, true, DDERR_INVALIDPARAMS},
        {SHOW | 0x40000, false, false, true, DDERR_INVALIDPARAMS},
        {SHOW | 0x80000000, false, false, true, DDERR_INVALIDPARAMS},
        {SHOW | DDOVER_ADDDIRTYRECT | DDOVER_REFRESHALL | DDOVER_REFRESHDIRTYRECTS, false, false, true, DD_OK},
        {SHOW | DDOVER_KEYDEST, false, false, true, DDERR_INVALIDPARAMS},
        {SHOW | DDOVER_KEYDEST, false, true, true, DD_OK},
        {SHOW | DDOVER_KEYDESTOVERRIDE, false, true, true, DDERR_INVALIDPARAMS},
        {SHOW | DDOVER_KEYDESTOVERRIDE, true, false, true, DD_OK},
        {SHOW | DDOVER_KEYDESTOVERRIDE | DDOVER_KEYDEST, true, true, true, DDERR_INVALIDPARAMS},
        {SHOW | DDOVER_KEYSRC, false, false, false, DDERR_INVALIDPARAMS},
        {SHOW | DDOVER_KEYSRC, false, true, false, DD_OK},
        {SHOW | DDOVER_KEYSRC, false, true, true, DDERR_NOCOLORKEYHW},
        {SHOW | DDOVER_KEYSRCOVERRIDE, true, false, false, DD_OK},
        {SHOW | DDOVER_KEYSRCOVERRIDE | DDOVER_KEYSRC, true, true, false, DDERR_INVALIDPARAMS},
        {SHOW | DDOVER_DDFX, false, false, true, DDERR_INVALIDPARAMS},
        {SHOW | DDOVER_DDFX, true, false, true, DD_OK},
        {SHOW | DDOVER_ALPHASRC, false, false, true, DDERR_NOALPHAHW},
        {SHOW | DDOVER_BOB | DDOVER_INTERLEAVED, false, false, true, DDERR_UNSUPPORTED},
        {SHOW | DDOVER_AUTOFLIP, false, false, true, DDERR_UNSUPPORTED},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        DDOVERLAYFX fx = {.dwSize = sizeof(fx), .dckDestColorkey = {7, 7}, .dckSrcColorkey = {9, 9}};
        struct ddraw_overlay_facts facts = usual();
        struct ddraw_overlay overlay = {.has_destination = false};
        const DWORD overrides = DDOVER_KEYDESTOVERRIDE | DDOVER_KEYSRCOVERRIDE;

        facts.is_code = rows[i].is_code;
        facts.source_key = facts.destination_key = rows[i].has_keys ? &magenta : NULL;
        fx.dwDDFX = DDOVERFX_MIRRORUPDOWN;
        assert_int_equal(ddraw_update_overlay(&overlay, &facts, NULL, NULL, rows[i].flags, rows[i].has_fx ? &fx : NULL),
                         rows[i].hr);
        if (FAILED(rows[i].hr)) {
            assert_false(overlay.is_shown);
            continue;
        }
        assert_int_equal(overlay.has_source_key, !!(rows[i].flags & (DDOVER_KEYSRC | DDOVER_KEYSRCOVERRIDE)));
        assert_int_equal(overlay.has_destination_key, !!(rows[i].flags & (DDOVER_KEYDEST | DDOVER_KEYDESTOVERRIDE)));
        if (overlay.has_destination_key)
            assert_int_equal(overlay.destination_key, rows[i].flags & overrides ? 7 : 0xf81f);
        if (overlay.has_source_key)
            assert_int_equal(overlay.source_key, rows[i].flags & overrides ? 9 : 0xf81f);
        assert_int_equal(overlay.mirror, rows[i].flags & DDOVER_DDFX ? DDBLTFX_MIRRORUPDOWN : 0);
        fx.dwSize--;
        if (rows[i].has_fx)
            assert_int_equal(ddraw_update_overlay(&overlay, &facts, NULL, NULL, rows[i].flags, &fx),
                             DDERR_INVALIDPARAMS);
    }
}

/* --- order --------------------------------------------------------------------------------------- */

/* Moves `at` to `place` in a list of names. */
static void move(char *list, unsigned at, unsigned place)
{
    const size_t count = strlen(list);
    const char name = list[at];

    assert_true(place < count);
    memmove(list + at, list + at + 1, count - at - 1);
    memmove(list + place + 1, list + place, count - place - 1);
    list[place] = name;
}

static void test_order(void **state)
{
    enum { NONE = 4 };
    static const struct {
        unsigned at, reference;
        DWORD flags;
        const char *after; /* "abcd" from the front; NULL: refused */
    } rows[] = {
        {2, NONE, DDRAW_SEND_TO_FRONT, "cabd"},
        {2, NONE, DDRAW_SEND_TO_BACK, "abdc"},
        {2, NONE, DDRAW_MOVE_FORWARD, "acbd"},
        {0, NONE, DDRAW_MOVE_FORWARD, "abcd"},
        {2, NONE, DDRAW_MOVE_BACKWARD, "abdc"},
        {3, NONE, DDRAW_MOVE_BACKWARD, "abcd"},
        {3, 1, DDRAW_INSERT_IN_FRONT_OF, "adbc"},
        {3, 1, DDRAW_INSERT_IN_BACK_OF, "abdc"},
        {0, 2, DDRAW_INSERT_IN_FRONT_OF, "bacd"},
        {0, 2, DDRAW_INSERT_IN_BACK_OF, "bcad"},
        {0, 3, DDRAW_INSERT_IN_BACK_OF, "bcda"},
        {0, NONE, DDRAW_INSERT_IN_BACK_OF, NULL},
        {0, 0, DDRAW_INSERT_IN_FRONT_OF, NULL},
        {0, 1, DDRAW_MOVE_COUNT, NULL},
        {0, 1, UINT32_MAX, NULL},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        char list[] = "abcd";
        unsigned place;
        HRESULT hr = ddraw_place_overlay(4, rows[i].at, rows[i].reference, rows[i].flags, &place);

        assert_int_equal(hr, rows[i].after ? DD_OK : DDERR_INVALIDPARAMS);
        if (!rows[i].after)
            continue;
        move(list, rows[i].at, place);
        assert_string_equal(list, rows[i].after);
    }
}

/* --- pixels ---------------------------------------------------------------------------------------- */

/* Random layers over random surfaces with few values, each pixel by its definition. */
static void test_composition(void **state)
{
    static const struct {
        uint32_t format, low, high; /* two pixels; one bit of `high` that does not count is set */
        unsigned bytes;
    } formats[] = {{D3D_FORMAT_P8, 3, 250, 1},
                   {D3D_FORMAT_R5G6B5, 0xf81f, 0x8000, 2},
                   {D3D_FORMAT_X1R5G5B5, 0x7c1f, 0x8001, 2},
                   {D3D_FORMAT_R8G8B8, 0x123456, 0xff00ff, 3},
                   {D3D_FORMAT_X8R8G8B8, 0x123456, 0xffff00ff, 4}};
    enum { W = 23, H = 11 };

    (void)state;
    for (unsigned round = first_round(400); round < end_round(400); round++) {
        const unsigned f = (random_seed = round + 1, random_below(ARRAY_COUNT(formats))), bytes = formats[f].bytes;
        uint32_t picture[W * H], texels[W * H], words[256];
        uint8_t surface[W * H * 4];
        struct ddraw_shown shown = {0};
        const struct ddraw_front front = {surface, (size_t)W * bytes, W, H, formats[f].format, words};
        const LONG left = (LONG)(random_below(W)), top = (LONG)(random_below(H));
        struct ddraw_layer layer = {.texels = (const uint8_t *)texels,
                                    .pitch = W * 4,
                                    .place = {left, top, left + 1 + (LONG)(random_below((unsigned)(W - left))),
                                              top + 1 + (LONG)(random_below((unsigned)(H - top)))},
                                    .has_source_key = random_one_in(2),
                                    .has_destination_key = random_one_in(2),
                                    .destination_key = formats[f].high};
        const RECT rect = {(LONG)(random_below(W)), (LONG)(random_below(H)), W, H};
        struct rt_picture out = {(uint8_t *)picture, W * 4, W, H, D3D_FORMAT_X8R8G8B8};
        unsigned first, end;

        memset(words, 0, sizeof(words));
        for (unsigned i = 0; i < W * H; i++) {
            const uint32_t pixel = random_one_in(2) ? formats[f].high : formats[f].low;

            memcpy(surface + (size_t)i * bytes, &pixel, bytes);
            texels[i] = random_word() & 0xffffff;
            texels[i] |= random_one_in(2) ? 0xff000000 : 0;
            picture[i] = 0xff112233;
        }
        assert_true(ddraw_shown_update(&shown, &front, NULL, &first, &end));
        ddraw_compose(&out, &shown, &layer, &rect);
        for (LONG y = 0; y < H; y++)
            for (LONG x = 0; x < W; x++) {
                const LONG in_x = x - left, in_y = y - top;
                const bool inside = x >= layer.place.left && x < layer.place.right && y >= layer.place.top &&
                                    y < layer.place.bottom && x >= rect.left && y >= rect.top;
                const uint32_t texel = inside ? texels[in_y * W + in_x] : 0;
                uint32_t below = 0, want = 0xff112233;

                memcpy(&below, surface + (size_t)(y * W + x) * bytes, bytes);
                if (inside && !(layer.has_source_key && !(texel >> 24)) &&
                    !(layer.has_destination_key && below != formats[f].high))
                    want = 0xff000000 | texel;
                assert_int_equal(picture[y * W + x], want);
            }
        /* bits without a channel do not count */
        assert_int_equal(ddraw_shown_pixel((const uint8_t *)&formats[f].high, 0, formats[f].format),
                         formats[f].high & (f == 2   ? 0x7fffu
                                            : f >= 3 ? 0xffffffu
                                                     : ~0u));
        ddraw_shown_free(&shown);
    }
}

/* A pixel that GDI has drawn is entered in the surface, unless the program has written there since. */
static void test_readback(void **state)
{
    enum { LEFT = 1, TOP = 1, WIDTH = 3, HEIGHT = 2 };
    const uint32_t black = 0xff000000, red = 0xffff0000, green = 0x0000ff00;
    const RECT rect = {LEFT, TOP, LEFT + 2, TOP + 1}, untouched = {0, 0, WIDTH, 1};
    uint16_t surface[WIDTH * HEIGHT] = {0};
    uint32_t displayed[WIDTH * HEIGHT], readback[2] = {red, red};
    const struct ddraw_front front = {(const uint8_t *)surface, WIDTH * 2, WIDTH, HEIGHT, D3D_FORMAT_R5G6B5, NULL};
    const struct ddraw_canvas canvas = {(uint8_t *)surface, WIDTH * 2};
    struct rt_picture before = {(uint8_t *)displayed, WIDTH * 4, WIDTH, HEIGHT, D3D_FORMAT_X8R8G8B8};
    struct rt_picture now = {(uint8_t *)readback, sizeof(readback), 2, 1, D3D_FORMAT_X8R8G8B8};
    const POINT still = {0, 0};
    struct ddraw_shown shown = {0};
    unsigned first, end;

    (void)state;
    assert_true(ddraw_readback_supports(D3D_FORMAT_R5G6B5) && ddraw_readback_supports(D3D_FORMAT_X8R8G8B8));
    assert_false(ddraw_readback_supports(D3D_FORMAT_P8) || ddraw_readback_supports(D3D_FORMAT_R8G8B8));
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        displayed[i] = black;
    assert_true(ddraw_shown_update(&shown, &front, NULL, &first, &end));
    assert_true(ddraw_readback_differs(&now, &before, &rect));
    surface[TOP * WIDTH + LEFT + 1] = 0x001f; /* the program has written this one */
    ddraw_readback_take(&canvas, &shown, &now, &before, &rect, still);
    assert_int_equal(surface[TOP * WIDTH + LEFT], 0xf800);
    assert_int_equal(surface[TOP * WIDTH + LEFT + 1], 0x001f);
    assert_int_equal(surface[0], 0);
    /* what an overlay showed there is not drawn, whatever the unused byte is */
    displayed[TOP * WIDTH + LEFT] = displayed[TOP * WIDTH + LEFT + 1] = green;
    readback[0] = readback[1] = green | 0xff000000;
    assert_false(ddraw_readback_differs(&now, &before, &rect));
    ddraw_readback_take(&canvas, &shown, &now, &before, &rect, still);
    assert_int_equal(surface[TOP * WIDTH + LEFT], 0xf800);
    now.bits = before.bits;
    now.pitch = before.pitch;
    assert_false(ddraw_readback_differs(&now, &before, &untouched));
    ddraw_shown_free(&shown);
}

/* A window that moves to the right by two pixels takes its key along below a film that stays in its pixels. */
static void test_moved(void **state)
{
    enum { WIDTH = 6, KEY = 0xff00ff, FILM = 0x00ff00, CONTROL = 0x0000ff };
    const uint32_t before[WIDTH] = {KEY, KEY, CONTROL, 0, 0, 0}, shown_before[WIDTH] = {FILM, FILM, CONTROL, 0, 0, 0};
    const uint32_t now[4] = {FILM, FILM, CONTROL,
                             0x123456}; /* from pixel 2 on; the last one has been drawn meanwhile */
    const uint32_t want[WIDTH] = {KEY, KEY, KEY, KEY, CONTROL, 0x123456};
    const RECT rect = {2, 0, WIDTH, 1};
    const POINT moved = {2, 0};
    uint32_t surface[WIDTH];
    const struct ddraw_front front = {(const uint8_t *)surface, sizeof(surface), WIDTH, 1, D3D_FORMAT_X8R8G8B8, NULL};
    const struct ddraw_canvas canvas = {(uint8_t *)surface, sizeof(surface)};
    struct rt_picture displayed = {(uint8_t *)(uintptr_t)shown_before, sizeof(shown_before), WIDTH, 1,
                                   D3D_FORMAT_X8R8G8B8};
    struct rt_picture readback = {(uint8_t *)(uintptr_t)now, sizeof(now), 4, 1, D3D_FORMAT_X8R8G8B8};
    struct ddraw_shown shown = {0};
    unsigned first, end;

    (void)state;
    memcpy(surface, before, sizeof(surface));
    assert_true(ddraw_shown_update(&shown, &front, NULL, &first, &end));
    ddraw_readback_take(&canvas, &shown, &readback, &displayed, &rect, moved);
    for (unsigned i = 0; i < WIDTH; i++)
        assert_int_equal(surface[i] & 0xffffff, want[i]);
    ddraw_shown_free(&shown);
}

/* A picture is shown in a window: of each pixel what it was before, what was shown, what is there now, and what counts as seen. */
static void test_settled(void **state)
{
    enum { WIDTH = 5 };
    static const struct {
        uint32_t before, shown, now, want;
    } cases[] = {
        {1, 2, 2, 2}, /* it got there */
        {1, 2, 1, 1}, /* the window is covered */
        {1, 2, 3, 2}, /* GDI has drawn since */
        {1, 1, 1, 1}, /* the same was shown */
        {1, 1, 3, 1}, /* and GDI has drawn */
    };
    uint32_t seen[2 * WIDTH], displayed[2 * WIDTH], now[WIDTH - 1];
    const struct rt_picture seen_picture = {(uint8_t *)seen, 4 * WIDTH, WIDTH, 2, D3D_FORMAT_X8R8G8B8};
    const struct rt_picture shown = {(uint8_t *)displayed, 4 * WIDTH, WIDTH, 2, D3D_FORMAT_X8R8G8B8};
    const struct rt_picture readback = {(uint8_t *)now, sizeof(now), WIDTH - 1, 1, D3D_FORMAT_X8R8G8B8};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(cases); i++)
        for (unsigned x = 1; x < WIDTH; x++) {
            const RECT rect = {(LONG)x, 1, WIDTH, 2};

            for (unsigned k = 0; k < 2 * WIDTH; k++) {
                seen[k] = cases[i].before;
                displayed[k] = cases[i].shown | 0xff000000;
            }
            for (unsigned k = 0; k < WIDTH - 1; k++)
                now[k] = cases[i].now | 0x77000000; /* the unused byte may be anything */
            ddraw_readback_settle(&seen_picture, &readback, &shown, &rect);
            for (unsigned k = 0; k < 2 * WIDTH; k++)
                assert_int_equal(seen[k] & 0xffffff, k < WIDTH + x ? cases[i].before : cases[i].want);
        }
}

/* dwMaxVisibleOverlays and the rest, in a structure of the driver's that has none of it. */
static void test_capabilities(void **state)
{
    DDCAPS caps = {.dwCaps = DDCAPS_BLT, .dwCKeyCaps = DDCKEYCAPS_SRCBLT};

    (void)state;
    ddraw_claim_overlays(&caps, 3);
    assert_true(caps.dwCaps & DDCAPS_BLT);
    assert_int_equal(caps.dwCaps & (DDCAPS_OVERLAY | DDCAPS_OVERLAYSTRETCH | DDCAPS_OVERLAYFOURCC),
                     DDCAPS_OVERLAY | DDCAPS_OVERLAYSTRETCH | DDCAPS_OVERLAYFOURCC);
    assert_false(caps.dwCaps & (DDCAPS_ALIGNBOUNDARYDEST | DDCAPS_ALIGNBOUNDARYSRC | DDCAPS_ALIGNSIZEDEST |
                                DDCAPS_ALIGNSIZESRC | DDCAPS_OVERLAYCANTCLIP));
    assert_true(caps.dwCKeyCaps & DDCKEYCAPS_SRCBLT && caps.dwCKeyCaps & DDCKEYCAPS_DESTOVERLAY);
    assert_int_equal(caps.dwCurrVisibleOverlays, 3);
    assert_int_equal(caps.dwMaxVisibleOverlays, DDRAW_MOST_OVERLAYS);
    /* players stretch their window if the factor must be above 1000 */
    assert_true(caps.dwMinOverlayStretch <= 1000 && caps.dwMaxOverlayStretch > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),      cmocka_unit_test(test_surfaces), cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_flags_and_keys), cmocka_unit_test(test_order),    cmocka_unit_test(test_composition),
        cmocka_unit_test(test_readback),       cmocka_unit_test(test_moved),    cmocka_unit_test(test_settled),
        cmocka_unit_test(test_capabilities),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
