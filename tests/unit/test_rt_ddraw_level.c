/* SPDX-License-Identifier: MIT */
/*
 * Display modes and cooperative levels of DirectDraw (runtime/ddraw/rules/modes.h and runtime/ddraw/rules/level.h): lists against their
 * definition, and the sequences of calls of Wine's tests with the results that Windows gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "d3d/directdraw.h"
#include "runtime/ddraw/rules/level.h"
#include "runtime/ddraw/rules/modes.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

/* --- modes -------------------------------------------------------------------------------------- */

static bool is_listed(const struct ddraw_mode *modes, unsigned count, unsigned width, unsigned height, unsigned bits)
{
    unsigned found = 0;

    for (unsigned i = 0; i < count; i++)
        found += modes[i].width == width && modes[i].height == height && modes[i].bits == bits;
    assert_true(found <= 1);
    return found;
}

static void test_lists(void **state)
{
    static const struct {
        unsigned width, height, sizes;
    } desktops[] = {{1920, 1080, 13}, {1024, 768, 12}, {1366, 768, 13}, {300, 100, 13},
                    {5120, 2880, 13}, {640, 350, 13},  {0, 0, 12}};
    static const unsigned classic[][2] = {{320, 200},  {320, 240},  {400, 300},   {512, 384},
                                          {640, 400},  {640, 480},  {800, 600},   {1024, 768},
                                          {1152, 864}, {1280, 960}, {1280, 1024}, {1600, 1200}};

    (void)state;
    for (unsigned d = 0; d < ARRAY_COUNT(desktops); d++)
        for (unsigned with_24 = 0; with_24 < 2; with_24++) {
            const struct ddraw_mode desktop = {desktops[d].width, desktops[d].height, 32, 75};
            struct ddraw_mode modes[DDRAW_MOST_MODES];
            const unsigned count = ddraw_list_modes(&desktop, with_24, modes);

            assert_int_equal(count, desktops[d].sizes * (with_24 ? 4 : 3));
            for (unsigned bits = 8; bits <= 32; bits += 8) {
                for (unsigned i = 0; i < ARRAY_COUNT(classic); i++)
                    assert_int_equal(is_listed(modes, count, classic[i][0], classic[i][1], bits),
                                     bits != 24 || with_24);
                if (desktop.width)
                    assert_int_equal(is_listed(modes, count, desktop.width, desktop.height, bits),
                                     bits != 24 || with_24);
            }
            for (unsigned i = 0; i < count; i++) {
                const struct ddraw_mode *a = &modes[i ? i - 1 : 0], *b = &modes[i];

                assert_int_equal(b->refresh, 75);
                assert_true(
                    !i || a->bits < b->bits ||
                    (a->bits == b->bits && (a->width < b->width || (a->width == b->width && a->height < b->height))));
            }
        }
}

/* enumdisplaymodes: whatever else a filter says, bits, size and refresh rate count. */
static void test_filters(void **state)
{
    static const struct {
        DWORD flags, format_flags, red, bits, refresh;
        bool nothing;
    } rows[] = {
        {DDSD_PIXELFORMAT, DDPF_RGB, 0xf800, 16, 0, false},
        {DDSD_PIXELFORMAT, DDPF_RGB, 0, 16, 0, false},
        {DDSD_PIXELFORMAT, DDPF_RGB, 0xf0f0, 16, 0, false},
        {DDSD_PIXELFORMAT, DDPF_YUV, 0xf0f0, 16, 0, false},
        {DDSD_PIXELFORMAT, DDPF_PALETTEINDEXED8, 0, 16, 0, false},
        {DDSD_PIXELFORMAT, 0, 0, 16, 0, false},
        {DDSD_PIXELFORMAT | DDSD_PITCH, DDPF_RGB, 0xf800, 16, 0, false},
        {DDSD_PIXELFORMAT | DDSD_REFRESHRATE, DDPF_RGB, 0xf800, 16, 2, true},
        {DDSD_PIXELFORMAT | DDSD_REFRESHRATE, DDPF_RGB, 0xf800, 16, 60, false},
        {DDSD_PIXELFORMAT | DDSD_REFRESHRATE, DDPF_RGB, 0xf800, 16, 0, false},
        {DDSD_PIXELFORMAT, DDPF_RGB, 0xf800, 15, 0, true},
        {DDSD_CAPS, 0, 0, 0, 0, false},
        {0, 0, 0, 99, 99, false},
    };
    const struct ddraw_mode desktop = {1920, 1080, 32, 60};
    struct ddraw_mode modes[DDRAW_MOST_MODES];
    const unsigned count = ddraw_list_modes(&desktop, false, modes);

    (void)state;
    for (unsigned r = 0; r < ARRAY_COUNT(rows); r++) {
        DDSURFACEDESC2 filter = {.dwSize = sizeof(filter), .dwFlags = rows[r].flags, .lPitch = 123};

        filter.ddpfPixelFormat.dwFlags = rows[r].format_flags;
        filter.ddpfPixelFormat.dwRGBBitCount = rows[r].bits;
        filter.ddpfPixelFormat.dwRBitMask = rows[r].red;
        filter.dwRefreshRate = rows[r].refresh;
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(ddraw_mode_matches(&modes[i], &filter),
                             !rows[r].nothing && (!(rows[r].flags & DDSD_PIXELFORMAT) || modes[i].bits == 16));
    }
    for (unsigned i = 0; i < count; i++) {
        DDSURFACEDESC2 desc;

        assert_true(ddraw_mode_matches(&modes[i], NULL));
        ddraw_describe_mode(&modes[i], DDEDM_REFRESHRATES, &desc);
        assert_int_equal(desc.dwRefreshRate, 60);
        for (unsigned k = 0; k < count; k++) /* the description of a mode is a filter for it */
            assert_int_equal(ddraw_mode_matches(&modes[k], &desc), i == k);
        assert_int_equal(desc.lPitch, (modes[i].width * modes[i].bits / 8 + 7) / 8 * 8);
        assert_int_equal(!!(desc.ddpfPixelFormat.dwFlags & DDPF_PALETTEINDEXED8), modes[i].bits == 8);
        ddraw_describe_mode(&modes[i], 0, &desc);
        assert_int_equal(desc.dwRefreshRate, 0);
    }
}

static void test_choices(void **state)
{
    static const struct {
        unsigned width, height, bits, refresh;
        bool with_24;
        HRESULT hr;
    } rows[] = {
        {640, 480, 8, 0, false, DD_OK},
        {1600, 1200, 32, 60, false, DD_OK},
        {1900, 1000, 16, 0, false, DD_OK},
        {1, 1, 32, 0, false, DD_OK},
        {1921, 1080, 32, 0, false, DDERR_INVALIDMODE},
        {1920, 1081, 32, 0, false, DDERR_INVALIDMODE},
        {640, 480, 24, 0, false, DDERR_INVALIDMODE},
        {640, 480, 24, 0, true, DD_OK},
        {640, 480, 15, 0, true, DDERR_INVALIDMODE},
        {640, 480, 32, 61, false, DDERR_INVALIDMODE},
        {0, 0, 32, 0, false, DDERR_INVALIDMODE},
        {0xffffffff, 0xffffffff, 32, 0, false, DDERR_INVALIDMODE},
    };
    const struct ddraw_mode desktop = {1920, 1080, 32, 60};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct ddraw_mode asked = {rows[i].width, rows[i].height, rows[i].bits, rows[i].refresh};
        struct ddraw_mode mode;

        assert_int_equal(ddraw_choose_mode(&desktop, rows[i].with_24, false, &asked, &mode), rows[i].hr);
        if (SUCCEEDED(rows[i].hr))
            assert_true(mode.width == asked.width && mode.height == asked.height && mode.bits == asked.bits &&
                        mode.refresh == 60);
        assert_int_equal(ddraw_choose_mode(&desktop, rows[i].with_24, true, &asked, &mode), DDERR_NOEXCLUSIVEMODE);
    }
}

/* --- levels ------------------------------------------------------------------------------------------- */

enum {
    N = DDSCL_NORMAL,
    E = DDSCL_EXCLUSIVE,
    F = DDSCL_FULLSCREEN,
    CREATE = DDSCL_CREATEDEVICEWINDOW,
    FOCUS = DDSCL_SETFOCUSWINDOW,
    DEVICE = DDSCL_SETDEVICEWINDOW
};

struct step {
    const char *window; /* NULL: none */
    DWORD flags;
    HRESULT hr;
    bool has_own_window, is_exclusive; /* afterwards */
};

static void play(const struct step *steps, unsigned count, unsigned version)
{
    struct ddraw_level level = {0};
    bool own = false, covers = false;

    for (unsigned i = 0; i < count; i++) {
        const struct ddraw_level_facts facts = {version, steps[i].flags, steps[i].window, false, false};
        unsigned actions;

        if (ddraw_set_level(&level, &facts, &actions) != steps[i].hr)
            fail_msg("step %u, version %u", i, version);
        /* The actions are those that a window system can do. */
        if (actions & DDRAW_LEVEL_LEAVE) {
            assert_true(covers);
            covers = false;
        }
        if (actions & DDRAW_LEVEL_DESTROY_WINDOW) {
            assert_true(own && !covers);
            own = false;
        }
        if (actions & DDRAW_LEVEL_CREATE_WINDOW) {
            assert_false(own);
            own = true;
        }
        if (actions & DDRAW_LEVEL_ENTER) {
            assert_false(covers);
            covers = true;
        }
        assert_int_equal(own, steps[i].has_own_window);
        assert_int_equal(covers, steps[i].is_exclusive);
        assert_int_equal(level.is_exclusive, steps[i].is_exclusive);
    }
}

static void play_all(const struct step *steps, unsigned count)
{
    static const unsigned versions[] = {1, 2, 4, 7};

    for (unsigned v = 0; v < ARRAY_COUNT(versions); v++)
        play(steps, count, versions[v]);
}

/* test_coop_level_create_device_window, the same in all versions */
static void test_device_windows(void **state)
{
    static const struct step steps[] = {
        {NULL, N, DD_OK, false, false},
        {NULL, CREATE, DDERR_INVALIDPARAMS, false, false},
        {NULL, CREATE | N, DDERR_INVALIDPARAMS, false, false},
        {NULL, CREATE | N | F, DDERR_INVALIDPARAMS, false, false},
        {NULL, CREATE | E | F, DDERR_NOFOCUSWINDOW, false, false},
        {NULL, N, DD_OK, false, false},
        {"focus", E | F, DD_OK, false, true},
        {NULL, N, DD_OK, false, false},
        {NULL, FOCUS | CREATE | E | F, DDERR_NOHWND, true, false},
        {NULL, N, DD_OK, false, false},
        {"focus", FOCUS | CREATE | E | F, DD_OK, true, true},
        {NULL, N, DD_OK, false, false},
        {NULL, CREATE | E | F, DDERR_NOFOCUSWINDOW, false, false},
        {"focus", FOCUS, DD_OK, false, false},
        {NULL, CREATE | E | F, DD_OK, true, true},
    };

    (void)state;
    play_all(steps, ARRAY_COUNT(steps));
}

/* testcooperativelevels_normal */
static void test_normal_levels(void **state)
{
    static const struct step steps[] = {
        {"window", FOCUS | CREATE, DDERR_INVALIDPARAMS, false, false},
        {NULL, F | E | N, DDERR_INVALIDPARAMS, false, false},
        {"window", F | E | N, DD_OK, false, true},
        {"window", E | N, DDERR_INVALIDPARAMS, false, true},
        {"window", F | N, DD_OK, false, false},
        {NULL, F | N, DD_OK, false, false},
        {"window", N, DD_OK, false, false},
        {NULL, N, DD_OK, false, false},
        {"window", N | F, DD_OK, false, false},
        {NULL, N | F, DD_OK, false, false},
        {"window", FOCUS | CREATE, DDERR_INVALIDPARAMS, false, false},
        {NULL, FOCUS, DD_OK, false, false},
        {"window", FOCUS, DD_OK, false, false},
        {"window", FOCUS, DD_OK, false, false},
        {"window", N | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {"window", E | F | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {"window", DDSCL_NOWINDOWCHANGES | FOCUS, DD_OK, false, false},
        {"window", DDSCL_MULTITHREADED | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {"window", DDSCL_FPUSETUP | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {"window", DDSCL_FPUPRESERVE | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {"window", DDSCL_ALLOWREBOOT | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {"window", DDSCL_ALLOWMODEX | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {"window", DEVICE, DDERR_INVALIDPARAMS, false, false},
        {"window", N | DEVICE, DD_OK, false, false},
        {"window", DDSCL_ALLOWMODEX | E | F | DEVICE | FOCUS, DDERR_INVALIDPARAMS, false, false},
        {NULL, 0, DDERR_INVALIDPARAMS, false, false},
    };

    (void)state;
    play_all(steps, ARRAY_COUNT(steps));
}

/* testcooperativelevels_exclusive; two windows in turn */
static void test_exclusive_levels(void **state)
{
    static const struct step steps[] = {
        {"window", E, DDERR_INVALIDPARAMS, false, false},
        {"window", F, DDERR_INVALIDPARAMS, false, false},
        {NULL, F | E, DDERR_INVALIDPARAMS, false, false},
        {"window", F | E, DD_OK, false, true},
        {"window", FOCUS, DDERR_HWNDALREADYSET, false, true},
        {NULL, FOCUS, DDERR_HWNDALREADYSET, false, true}, /* Wine's refcount suite */
        {"another", F | E, DD_OK, false, true},
        {"another", F | E, DD_OK, false, true},
        {"window", N, DD_OK, false, false},
    };

    (void)state;
    play_all(steps, ARRAY_COUNT(steps));
}

/* test_coop_level_versions: does exclusive mode of version 7 end with the mode restored? */
static bool restores(struct ddraw_level *level)
{
    const struct ddraw_level_facts enter = {7, E | F, "window", false, false}, leave = {7, N, "window", false, false};
    unsigned actions;

    assert_int_equal(ddraw_set_level(level, &enter, &actions), DD_OK);
    assert_int_equal(ddraw_set_level(level, &leave, &actions), DD_OK);
    return actions & DDRAW_LEVEL_RESTORE_MODE;
}

static void test_restored_modes(void **state)
{
    const struct ddraw_level_facts good = {1, N, NULL, false, false}, bad = {1, E | F, NULL, false, false},
                                   focus = {1, FOCUS, "window", false, false}, newer = {2, N, NULL, false, false};
    struct ddraw_level level = {0};
    unsigned actions;

    (void)state;
    assert_true(restores(&level));
    assert_true(FAILED(ddraw_set_level(&level, &bad, &actions)));
    assert_true(restores(&level));
    assert_int_equal(ddraw_set_level(&level, &newer, &actions), DD_OK);
    assert_true(restores(&level));
    assert_int_equal(ddraw_set_level(&level, &good, &actions), DD_OK);
    assert_false(restores(&level));
    assert_true(FAILED(ddraw_set_level(&level, &bad, &actions)));
    assert_false(restores(&level));
    level = (struct ddraw_level){0};
    assert_int_equal(ddraw_set_level(&level, &focus, &actions), DD_OK);
    assert_false(restores(&level));
}

static void test_other_objects(void **state)
{
    struct ddraw_level_facts facts = {7, E | F, "window", false, true};
    struct ddraw_level level = {0};
    unsigned actions;

    (void)state;
    assert_int_equal(ddraw_set_level(&level, &facts, &actions), DDERR_EXCLUSIVEMODEALREADYSET);
    facts.is_blocked = false;
    facts.is_taken = true;
    assert_int_equal(ddraw_set_level(&level, &facts, &actions), DDERR_HWNDALREADYSET);
    assert_true(!level.is_set && !actions);
    facts.is_taken = false;
    facts.flags |= DDSCL_FPUSETUP;
    assert_int_equal(ddraw_set_level(&level, &facts, &actions), DD_OK);
    assert_int_equal(actions, DDRAW_LEVEL_ENTER | DDRAW_LEVEL_LOSE | DDRAW_LEVEL_SETUP_FPU);
    facts.flags |= DDSCL_FPUPRESERVE;
    assert_int_equal(ddraw_set_level(&level, &facts, &actions), DD_OK);
    assert_int_equal(actions, 0); /* the same again changes nothing */
    facts.flags = E | F | DEVICE;
    assert_int_equal(ddraw_set_level(&level, &facts, &actions), DDERR_NOFOCUSWINDOW);
}

/* A step from exclusive mode, which loses video memory or does not (test_lost_device of versions 1 and 7). */
static void test_losses(void **state)
{
    static const struct {
        unsigned version;
        DWORD flags;
        const char *window;
        bool loses;
    } rows[] = {{7, N, "a", true},      {2, N, "b", true},      {1, N, "a", false},
                {7, N | F, "a", false}, {7, E | F, "a", false}, {7, E | F, "b", false}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct ddraw_level_facts enter = {rows[i].version, E | F, "a", false, false},
                                       step = {rows[i].version, rows[i].flags, rows[i].window, false, false};
        struct ddraw_level level = {0};
        unsigned actions;

        assert_int_equal(ddraw_set_level(&level, &enter, &actions), DD_OK);
        assert_true(actions & DDRAW_LEVEL_LOSE);
        assert_int_equal(ddraw_set_level(&level, &step, &actions), DD_OK);
        if (!(actions & DDRAW_LEVEL_LOSE) != !rows[i].loses)
            fail_msg("row %u", i);
    }
}

/* Any flags in any order: actions and level agree. */
static void test_random_levels(void **state)
{
    static const DWORD bits[] = {N,         E, F, E | F, CREATE, FOCUS, DEVICE, DDSCL_ALLOWMODEX, DDSCL_NOWINDOWCHANGES,
                                 0x80000000};
    struct ddraw_level level = {0};
    bool own = false, covers = false;

    (void)state;
    random_seed = 9;
    for (unsigned round = first_round(50000); round < end_round(50000); round++) {
        struct ddraw_level_facts facts = {random_one_in(4) ? 1 : 7, 0,
                                          random_one_in(3)   ? NULL
                                          : random_one_in(2) ? "a"
                                                             : "b",
                                          random_one_in(9), random_one_in(9)};
        const struct ddraw_level before = level;
        unsigned actions;
        HRESULT hr;

        for (unsigned i = random_below(4); i > 0; i--)
            facts.flags |= bits[random_below(ARRAY_COUNT(bits))];
        hr = ddraw_set_level(&level, &facts, &actions);
        assert_true(covers || !(actions & DDRAW_LEVEL_LEAVE));
        covers = covers && !(actions & DDRAW_LEVEL_LEAVE);
        assert_true(own || !(actions & DDRAW_LEVEL_DESTROY_WINDOW));
        own = own && !(actions & DDRAW_LEVEL_DESTROY_WINDOW);
        assert_true(!own || !(actions & DDRAW_LEVEL_CREATE_WINDOW));
        own = own || actions & DDRAW_LEVEL_CREATE_WINDOW;
        assert_true(!covers || !(actions & DDRAW_LEVEL_ENTER));
        covers = covers || actions & DDRAW_LEVEL_ENTER;
        assert_true(own == level.owns_window && covers == level.is_exclusive);
        if (FAILED(hr) && hr != DDERR_NOHWND)
            assert_memory_equal(&level, &before, sizeof(level));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses),           cmocka_unit_test(test_lists),
        cmocka_unit_test(test_filters),          cmocka_unit_test(test_choices),
        cmocka_unit_test(test_device_windows),   cmocka_unit_test(test_normal_levels),
        cmocka_unit_test(test_exclusive_levels), cmocka_unit_test(test_restored_modes),
        cmocka_unit_test(test_other_objects),    cmocka_unit_test(test_random_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
