/* SPDX-License-Identifier: MIT */
/*
 * Extensions as programs reach them: names in the format list, magic values of render states, coverage as a colour, all
 * through the driver interface. Triangles are those of docs/reference/conservative-rules.md, section 6; pixel centres
 * are on integers, so positions are half a pixel less than there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "d3d/extension.h"
#include "tests/stage/stage.h"

#define SIZE  4
#define TIER3 EXTENSION_CONSERVATIVE(3, 0)

static struct stage stage;

static int open_stage(void **state)
{
    (void)state;
    return stage_open(&stage, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DFMT_D24S8) ? 0 : -1;
}

static int close_stage(void **state)
{
    (void)state;
    stage_close(&stage);
    return 0;
}

#define stage_test(name) cmocka_unit_test_setup_teardown(name, open_stage, close_stage)

struct vertex {
    float x, y, z, rhw;
    uint32_t diffuse, specular;
};
#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR)

/* Corners in pixels with centres at halves. */
static void draw(const float corner[3][2])
{
    struct vertex v[3];

    for (unsigned i = 0; i < 3; i++)
        v[i] = (struct vertex){corner[i][0] - 0.5f, corner[i][1] - 0.5f, 0.5f, 1, 0xffffffff, 0xff336699};
    stage_draw(&stage, D3DPT_TRIANGLELIST, 1, FVF, v, 3);
}

static uint32_t pixel(struct client_chain *target, unsigned x, unsigned y)
{
    struct client_lock lock;
    uint32_t value;

    stage_submit(&stage);
    assert_int_equal(client_lock(client_part(target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&value, lock.bits + y * lock.pitch + 4 * x, 4);
    client_unlock(client_part(target, 0));
    assert_null(stage.failed);
    return value;
}

/* rows: '#' white, '.' black, anything else is ignored */
static void expect(const char *const rows[SIZE])
{
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++)
            if (rows[y][x] == '#' || rows[y][x] == '.')
                if ((pixel(stage.target, x, y) & 0xffffff) != (rows[y][x] == '#' ? 0xffffffu : 0))
                    fail_msg("pixel (%u, %u) is %08x", x, y, pixel(stage.target, x, y));
}

static void clear(void)
{
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 1, 0);
}

static const float bring_up[3][2] = {{0, 1}, {2, 1}, {1, 0.5f}};
static const float inner_test[3][2] = {{-3 / 512.0f, 3}, {1539 / 512.0f, 3}, {1.5f, -3 / 256.0f}};
static const float post_snap[3][2] = {{0, 0}, {3, 1 / 4096.0f}, {3, 0}};
static const char *const nothing[] = {"....", "....", "....", "...."};
/* the touched pixel at (2, 1) counts: here there are pixels beyond the document's 2x2 */
static const char *const touched[] = {"###.", "###.", "....", "...."};
static const char *const nine[] = {"###?", "###?", "###?", "????"};

/* --- names ---------------------------------------------------------------------------- */

/* CheckDeviceFormat searches the driver's list; an entry that is only a name is not a format of surfaces. */
static void test_names_are_listed(void **state)
{
    static const uint32_t names[] = {EXTENSION_CONSERVATIVE(1, 0), EXTENSION_CONSERVATIVE(2, 3), TIER3,
                                     EXTENSION_INPUT_COVERAGE,     EXTENSION_INNER_COVERAGE,     EXTENSION_INSTANCING};

    (void)state;
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct client_chain_desc desc = {.usage = CLIENT_TARGET, .format = names[i], .width = 4, .height = 4};
        const DDPIXELFORMAT *entry = client_driver_format(&stage.driver, names[i]);
        struct client_chain *chain = NULL;

        assert_non_null(entry);
        assert_true(entry->dwOperations & D3DFORMAT_OP_OFFSCREENPLAIN);
        assert_false(entry->dwOperations & (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_OFFSCREEN_RENDERTARGET));
        assert_true(FAILED(client_chain_create(stage.client, &desc, &chain)));
    }
    assert_null(client_driver_format(&stage.driver, EXTENSION_CONSERVATIVE(4, 0)));
    assert_null(client_driver_format(&stage.driver, EXTENSION_CONSERVATIVE(0, 0)));
}

/* --- the mode -------------------------------------------------------------------------- */

/* "IHV-Bring-up Test"; other values end the mode. */
static void test_mode(void **state)
{
    (void)state;
    clear();
    draw(bring_up);
    expect(nothing);
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, TIER3);
    draw(bring_up);
    expect(touched);
    clear();
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, TRUE);
    draw(bring_up);
    expect(nothing);
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(4, 0));
    draw(bring_up);
    expect(nothing);
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(1, 0));
    draw(bring_up);
    expect(touched);
}

/* "Post-snap degenerate culling": tier 1 drops, tier 2 draws, back-facing and with the values of vertex 0. */
static void test_tiers_differ_in_degenerates(void **state)
{
    static const char *const row[] = {"####", "....", "....", "...."};

    (void)state;
    clear();
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(1, 0));
    draw(post_snap);
    expect(nothing);
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(2, 0));
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_CCW);
    draw(post_snap);
    expect(nothing);
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_CW);
    draw(post_snap);
    expect(row);
}

/* The last letter moves edges out by quarters of a pixel. */
static void test_dilation(void **state)
{
    static const float tiny[3][2] = {{1.3f, 1.3f}, {1.4f, 1.3f}, {1.3f, 1.4f}};
    static const char *const pictures[EXTENSION_DILATED_STEPS][SIZE] = {
        {"....", ".#..", "....", "...."},
        {"....", ".#..", "....", "...."}, /* 1.05 .. 1.65 */
        {"##..", "##..", "....", "...."}, /* 0.8 .. 1.9 */
        {"###.", "###.", "###.", "...."}, /* 0.55 .. 2.15 */
    };

    (void)state;
    for (unsigned quarters = 0; quarters < EXTENSION_DILATED_STEPS; quarters++) {
        clear();
        stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(3, quarters));
        draw(tiny);
        expect(pictures[quarters]);
    }
}

/* "Fill Modes interaction": solid only; points and lines are not affected by the mode. */
static void test_fill_points_and_lines(void **state)
{
    const struct vertex v[2] = {{0.2f, 0.9f, 0.5f, 1, ~0u, 0}, {2.6f, 0.9f, 0.5f, 1, ~0u, 0}};
    uint32_t without[2][SIZE * SIZE];

    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        clear();
        stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, on ? TIER3 : TRUE);
        stage_draw(&stage, D3DPT_LINELIST, 1, FVF, v, 2);
        stage_draw(&stage, D3DPT_POINTLIST, 1, FVF, v, 1);
        stage_state(&stage, D3DRS_FILLMODE, D3DFILL_WIREFRAME);
        draw(inner_test);
        stage_state(&stage, D3DRS_FILLMODE, D3DFILL_SOLID);
        for (unsigned i = 0; i < SIZE * SIZE; i++)
            without[on][i] = pixel(stage.target, i % SIZE, i / SIZE);
    }
    assert_memory_equal(without[0], without[1], sizeof(without[0]));
    clear();
    draw(inner_test);
    expect(nine);
}

/* The mode is a value of a state, so state blocks keep it. */
static void test_state_blocks(void **state)
{
    const uint32_t begin[3] = {D3DHAL_STATESETBEGIN, 1, 0}, end[3] = {D3DHAL_STATESETEND, 1, 0};
    const uint32_t execute[3] = {D3DHAL_STATESETEXECUTE, 1, 0};
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 2, 1}, apply[3] = {D3DHAL_STATESETEXECUTE, 2, 0};

    (void)state;
    stage_command(&stage, D3DDP2OP_STATESET, 1, begin, sizeof(begin));
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, TIER3);
    stage_command(&stage, D3DDP2OP_STATESET, 1, end, sizeof(end));
    clear();
    draw(bring_up);
    expect(nothing);
    stage_command(&stage, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    draw(bring_up);
    expect(touched);
    stage_command(&stage, D3DDP2OP_STATESET, 1, create, sizeof(create));
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, TRUE);
    stage_command(&stage, D3DDP2OP_STATESET, 1, apply, sizeof(apply));
    clear();
    draw(bring_up);
    expect(touched);
}

/* --- coverage as a colour ----------------------------------------------------------------- */

enum reader { STAGES, SHADER };

/* The pixel shows the specular colour, of the stages or of a pixel shader. */
static void show_specular(enum reader reader)
{
    static const uint32_t mov_r0_v1[] = {0xffff0101, 0x00000001, 0x800f0000, 0x90e40001, 0x0000ffff};

    stage_texture_state(&stage, 0, D3DTSS_COLORARG2, D3DTA_SPECULAR);
    stage_texture_state(&stage, 0, D3DTSS_ALPHAARG2, D3DTA_SPECULAR);
    if (reader == SHADER)
        stage_pixel_shader(&stage, 1, mov_r0_v1);
}

/* "Inner Coverage": only the pixel in the middle. */
static void test_inner_coverage(void **state)
{
    static const char *const middle[] = {"...?", ".#.?", "...?", "????"};

    (void)state;
    for (enum reader reader = STAGES; reader <= SHADER; reader++) {
        show_specular(reader);
        stage_clear(&stage, D3DCLEAR_TARGET, 0x80808080, 1, 0);
        stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, TIER3);
        stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INNER_COVERAGE);
        draw(inner_test);
        expect(middle);
        assert_int_equal(pixel(stage.target, 1, 1), 0xffffffff);
        assert_int_equal(pixel(stage.target, 0, 2), 0);
        stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, D3DMCS_COLOR2);
        draw(inner_test);
        assert_int_equal(pixel(stage.target, 1, 1), 0xff336699);
        /* without the mode, or below tier 3, it is undefined: here it is 0 */
        stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INNER_COVERAGE);
        stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(2, 0));
        draw(inner_test);
        assert_int_equal(pixel(stage.target, 1, 1), 0);
    }
}

/* "MSAA": the low bits of InputCoverage; SampleMask applies to it and not to InnerCoverage. */
static void test_input_coverage(void **state)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE, .samples = 4};
    struct client_chain *target;

    (void)state;
    show_specular(STAGES);
    stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INPUT_COVERAGE);
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, TIER3);
    draw(bring_up);
    assert_int_equal(pixel(stage.target, 0, 0), 0xff010000); /* one sample */
    assert_int_equal(client_chain_create(stage.client, &desc, &target), DD_OK);
    assert_int_equal(client_set_target(stage.client, stage.context, client_part(target, 0), NULL), DD_OK);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    draw(bring_up);
    assert_int_equal(pixel(target, 0, 0), 0xff0f0000);
    stage_state(&stage, D3DRS_MULTISAMPLEMASK, 5);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    draw(bring_up);
    assert_int_equal(pixel(target, 1, 0), 0x40030000); /* the average of two samples with 0x80050000 and two cleared */
    stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INNER_COVERAGE);
    draw(inner_test);
    assert_int_equal(pixel(target, 1, 1), 0x80808080); /* 1 in two samples of four */
    client_set_target(stage.client, stage.context, client_part(stage.target, 0), client_part(stage.depth, 0));
    client_chain_destroy(target);
}

/* Without the mode InputCoverage says which samples the triangle covers. */
static void test_input_coverage_of_samples(void **state)
{
    static const float left_half[3][2] = {{-4, -4}, {0.5f, -4}, {0.5f, 40}};
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE, .samples = 2};
    struct client_chain *target;

    (void)state;
    show_specular(SHADER);
    assert_int_equal(client_chain_create(stage.client, &desc, &target), DD_OK);
    assert_int_equal(client_set_target(stage.client, stage.context, client_part(target, 0), NULL), DD_OK);
    stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INPUT_COVERAGE);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    /* samples at (0.75, 0.75) and (0.25, 0.25) */
    draw(left_half);
    assert_int_equal(pixel(target, 0, 0), 0x40010000); /* (0x80020000 + 0) / 2: sample 1 alone */
    client_set_target(stage.client, stage.context, client_part(stage.target, 0), client_part(stage.depth, 0));
    client_chain_destroy(target);
}

/* Blocks of 8x8 pixels that are covered completely, and blocks cut by an edge from the lower left to the upper
 * right. */
#define LARGE 32

static struct client_chain *large_target(unsigned samples)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = LARGE, .height = LARGE, .samples = samples};
    const D3DHAL_DP2VIEWPORTINFO view = {0, 0, LARGE, LARGE};
    struct client_chain *target;

    assert_int_equal(client_chain_create(stage.client, &desc, &target), DD_OK);
    assert_int_equal(client_set_target(stage.client, stage.context, client_part(target, 0), NULL), DD_OK);
    stage_command(&stage, D3DDP2OP_VIEWPORTINFO, 1, &view, sizeof(view));
    stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INPUT_COVERAGE);
    show_specular(STAGES);
    return target;
}

static void drop_large_target(struct client_chain *target)
{
    stage_submit(&stage);
    client_set_target(stage.client, stage.context, client_part(stage.target, 0), client_part(stage.depth, 0));
    client_chain_destroy(target);
}

/* Pixels left of the diagonal are `inside`, pixels on it `cut`, the others `outside`. */
static void expect_half(struct client_chain *target, uint32_t inside, uint32_t cut, uint32_t outside)
{
    for (unsigned y = 0; y < LARGE; y++)
        for (unsigned x = 0; x < LARGE; x++) {
            const uint32_t expected = x + y < LARGE - 2 ? inside : x + y == LARGE - 2 ? cut : outside;

            if (pixel(target, x, y) != expected)
                fail_msg("pixel (%u, %u) is %08x, not %08x", x, y, pixel(target, x, y), expected);
        }
}

/* Three of the four samples of a pixel on the diagonal lie inside, the last one lies on the edge. */
static const float large_half[3][2] = {{0, 0}, {LARGE - 0.5f, 0}, {0, LARGE - 0.5f}};

static void test_input_coverage_of_blocks(void **state)
{
    struct client_chain *target = large_target(4);

    (void)state;
    for (unsigned again = 0; again < 2; again++) { /* the second time after blocks with other samples */
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        draw(large_half);
        /* three of four samples are 0xbf070000 */
        expect_half(target, 0xff0f0000, (0xbfu * 3 + 2) / 4 << 24 | (7u * 3 + 2) / 4 << 16, 0);
    }
    stage_state(&stage, D3DRS_MULTISAMPLEMASK, 5);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    draw(large_half);
    expect_half(target, 0x40030000, 0x40030000, 0);
    drop_large_target(target);
}

/* On a target with one sample, whose coverage is that of four. */
static void test_input_coverage_of_forced_samples(void **state)
{
    static const uint32_t bound[][2] = {{EXTENSION_RS_BOUND, 1},       {EXTENSION_RS_FILL, 3},
                                        {EXTENSION_RS_CULL, 1},        {EXTENSION_RS_DEPTH_CLIP, 1},
                                        {EXTENSION_RS_MULTISAMPLE, 1}, {EXTENSION_RS_FORCED_SAMPLES, 4}};
    struct client_chain *target = large_target(0);

    (void)state;
    for (unsigned i = 0; i < sizeof(bound) / sizeof(bound[0]); i++)
        stage_state(&stage, bound[i][0], bound[i][1]);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    draw(large_half);
    expect_half(target, 0xff0f0000, 0xbf070000, 0);
    stage_state(&stage, D3DRS_MULTISAMPLEMASK, 5);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    draw(large_half);
    expect_half(target, 0x80050000, 0x80050000, 0);
    stage_state(&stage, D3DRS_MULTISAMPLEMASK, 0xfff0);
    stage_clear(&stage, D3DCLEAR_TARGET, 0x12345678, 1, 0);
    draw(large_half);
    expect_half(target, 0x12345678, 0x12345678, 0x12345678);
    drop_large_target(target);
}

/* --- HALCYON_CONSERVATIVE_TIER ---------------------------------------------------------------- */

/* In a process whose configuration allows tier 1: higher tiers are neither listed nor do they work. */
static void test_configured_tier(void **state)
{
    (void)state;
    assert_non_null(client_driver_format(&stage.driver, EXTENSION_CONSERVATIVE(1, 0)));
    assert_null(client_driver_format(&stage.driver, EXTENSION_CONSERVATIVE(2, 0)));
    assert_null(client_driver_format(&stage.driver, EXTENSION_INNER_COVERAGE));
    clear();
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, TIER3);
    draw(bring_up);
    expect(nothing);
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(1, 0));
    draw(bring_up);
    expect(touched);
}

static int run_with_tier_1(void)
{
    const struct CMUnitTest tests[] = {stage_test(test_configured_tier)};
    const pid_t child = fork();
    int status = 1;

    if (child == 0) {
        setenv("HALCYON_CONSERVATIVE_TIER", "1", 1);
        exit(cmocka_run_group_tests_name("tier 1", tests, NULL, NULL));
    }
    waitpid(child, &status, 0);
    return status != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        stage_test(test_names_are_listed),
        stage_test(test_mode),
        stage_test(test_tiers_differ_in_degenerates),
        stage_test(test_dilation),
        stage_test(test_fill_points_and_lines),
        stage_test(test_state_blocks),
        stage_test(test_inner_coverage),
        stage_test(test_input_coverage),
        stage_test(test_input_coverage_of_samples),
        stage_test(test_input_coverage_of_blocks),
        stage_test(test_input_coverage_of_forced_samples),
    };

    const int failed = run_with_tier_1();
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
