/* SPDX-License-Identifier: MIT */
/*
 * D3DZB_USEW and the WINFO token through the driver interface: which vertices' w counts, which range, from which draw
 * on; and the range that the runtime derives from a projection. The depth buffer is read through a lock.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "runtime/common/state/w_range.h"
#include "tests/stage/stage.h"

#define SIDE 16 /* of the targets, pixels */

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
};
#define FVF_PIXELS (D3DFVF_XYZRHW | D3DFVF_DIFFUSE)
#define FVF_SPACE  (D3DFVF_XYZ | D3DFVF_DIFFUSE)

static struct stage stage;

static int set_up(void **state)
{
    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_X8R8G8B8, D3DFMT_D16));
    stage_state(&stage, D3DRS_ZENABLE, D3DZB_USEW);
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 1.0f, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_null(stage.failed);
    stage_close(&stage);
    return 0;
}

static void w_info(float nearest, float farthest)
{
    const float info[2] = {nearest, farthest};

    stage_command(&stage, D3DDP2OP_WINFO, 1, info, sizeof(info));
}

/* All of the target at eye distance w, transformed already. */
static void fill(float z, float w, uint32_t color)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){(float)(i & 1) * SIDE - 0.5f, (float)(i >> 1) * SIDE - 0.5f, z, 1 / w, color};
    stage_draw(&stage, D3DPT_TRIANGLESTRIP, 2, FVF_PIXELS, v, 4);
}

static uint32_t read_word(struct client_chain *chain, unsigned bytes)
{
    struct client_lock lock;
    uint32_t word = 0;

    stage_submit(&stage);
    assert_null(stage.failed);
    assert_int_equal(client_lock(client_part(chain, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&word, lock.bits + 7 * lock.pitch + 5 * bytes, bytes);
    client_unlock(client_part(chain, 0));
    return word;
}

static uint32_t depth(void)
{
    return read_word(stage.depth, 2);
}

static uint32_t color(void)
{
    return read_word(stage.target, 4) & 0xffffff;
}

/* A new range applies to later draws. Without a range it is 0 to 1. */
static void test_range(void **state)
{
    (void)state;
    fill(0.9f, 0.5f, 0xffffffff);
    assert_int_equal(depth(), 0x8000); /* half of 65535, rounded */
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    w_info(0, 64);
    fill(0.9f, 16, 0xffffffff);
    w_info(8, 40);
    assert_int_equal(depth(), 0x4000);
    fill(0.9f, 32, 0xffffffff);
    assert_int_equal(depth(), 0xbfff); /* 24 of 32: 49151.25 */
    stage_state(&stage, D3DRS_ZENABLE, D3DZB_TRUE);
    fill(0.25f, 32, 0xffffffff);
    assert_int_equal(depth(), 0x4000);
    stage_state(&stage, D3DRS_ZENABLE, D3DZB_USEW);
    fill(0.25f, 16, 0xffffffff);
    assert_int_equal(depth(), 0x4000); /* 8 of 32 */
}

/* Several in one token: the last one counts. */
static void test_count(void **state)
{
    const float info[4] = {3, 4, 0, 32};

    (void)state;
    stage_command(&stage, D3DDP2OP_WINFO, 2, info, sizeof(info));
    fill(0, 16, 0xffffffff);
    assert_int_equal(depth(), 0x8000);
}

/* The nearer triangle shows, whatever z says. */
static void test_order(void **state)
{
    (void)state;
    w_info(1, 100);
    fill(0.1f, 50, 0xffff0000);
    fill(0.9f, 20, 0xff00ff00);
    fill(0.0f, 30, 0xff0000ff);
    assert_int_equal(color(), 0x00ff00);
}

static const float perspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 100.0f / 99.0f, 1, 0, 0, -100.0f / 99.0f, 0};

static void fill_space(float distance, uint32_t argb)
{
    struct {
        float x, y, z;
        uint32_t color;
    } v[4];

    for (unsigned i = 0; i < 4; i++) {
        v[i].x = i & 1 ? 2 * distance : -2 * distance;
        v[i].y = i >> 1 ? -2 * distance : 2 * distance;
        v[i].z = distance;
        v[i].color = argb;
    }
    stage_draw(&stage, D3DPT_TRIANGLESTRIP, 2, FVF_SPACE, v, 4);
}

/* Processed vertices: w is that of clip space, and the viewport's depth range does not matter. */
static void test_processed_vertices(void **state)
{
    const D3DHAL_DP2ZRANGE range = {0.5f, 0.75f};
    float info[2] = {0, 1};

    (void)state;
    assert_true(rt_w_range((const float(*)[4])(const void *)perspective, info));
    assert_true(fabsf(info[0] - 1) < 1e-5f && fabsf(info[1] - 100) < 1e-2f);
    stage_command(&stage, D3DDP2OP_ZRANGE, 1, &range, sizeof(range));
    stage_transform(&stage, D3DTS_PROJECTION, perspective);
    w_info(0, 128);
    fill_space(32, 0xffff0000);
    assert_int_equal(depth(), 0x4000);
    fill_space(64, 0xff00ff00);
    assert_int_equal(color(), 0xff0000);
    fill_space(16, 0xff0000ff);
    assert_int_equal(depth(), 0x2000);
    assert_int_equal(color(), 0x0000ff);
}

/* Contexts of all levels support both. */
static void test_levels(void **state)
{
    static const uint32_t levels[] = {DDI_LEVEL_DX7, DDI_LEVEL_DX8, DDI_LEVEL_DX9};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(levels); i++) {
        assert_true(stage_set_level(&stage, levels[i]));
        stage_state(&stage, D3DRS_ZENABLE, D3DZB_USEW);
        stage_state(&stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
        w_info(0, 64);
        fill(0.9f, 16, 0xffffffff);
        assert_int_equal(depth(), 0x4000);
    }
}

/* Invalid ranges: drawing continues with the first one. A reversed range is valid. */
static void test_odd_ranges(void **state)
{
    static const float odd[][2] = {{5, 5},      {NAN, 1},       {0, INFINITY}, {-INFINITY, INFINITY},
                                   {0, 1e-38f}, {3e38f, -3e38f}};

    (void)state;
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    for (unsigned i = 0; i < ARRAY_COUNT(odd); i++) {
        stage_clear(&stage, D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
        w_info(odd[i][0], odd[i][1]);
        fill(0.9f, 0.25f, 0xffffffff);
        assert_int_equal(depth(), 0x4000);
    }
    w_info(64, 0);
    fill(0.9f, 16, 0xffffffff);
    assert_int_equal(depth(), 0xbfff);
}

/* A pure device's blocks hold the range. */
static void test_state_block(void **state)
{
    static const struct {
        uint32_t operation, handle, type;
    } begin = {0, 1, 0}, end = {1, 1, 0}, execute = {3, 1, 0};

    (void)state;
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    stage_command(&stage, D3DDP2OP_STATESET, 1, &begin, sizeof(begin));
    w_info(0, 64);
    stage_command(&stage, D3DDP2OP_STATESET, 1, &end, sizeof(end));
    w_info(0, 32);
    fill(0, 16, 0xffffffff);
    assert_int_equal(depth(), 0x8000);
    stage_command(&stage, D3DDP2OP_STATESET, 1, &execute, sizeof(execute));
    fill(0, 16, 0xffffffff);
    assert_int_equal(depth(), 0x4000);
}

/* Near and far of projections, from their definitions: where z' is 0, and where it is w'. */
static void test_projections(void **state)
{
    static const float affine[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0.01f, 0}, {0, 0, -0.01f, 1}};
    static const float endless[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, -1, 0}};
    static const float ranges[][2] = {{1, 100}, {0.5f, 3000}, {10, 20}};
    float range[2] = {7, 9};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(ranges); i++)
        for (int handed = -1; handed <= 1; handed += 2) /* right-handed ones look down -z */
            for (unsigned scale = 1; scale <= 4; scale *= 4) {
                const double n = ranges[i][0], f = ranges[i][1], q = f / (f - n);
                const float m[4][4] = {[2] = {0, 0, (float)(handed * q * scale), (float)(handed * (int)scale)},
                                       [3] = {0, 0, (float)(-n * q * scale), 0}};

                assert_true(rt_w_range(m, range));
                assert_true(fabs(range[0] - n * scale) < 1e-4 * n * scale);
                assert_true(fabs(range[1] - f * scale) < 1e-3 * f * scale);
            }
    range[0] = 7;
    range[1] = 9;
    assert_false(rt_w_range(affine, range));
    assert_false(rt_w_range(endless, range));
    assert_true(range[0] == 7 && range[1] == 9);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(test_range),  TEST(test_count),      TEST(test_order),       TEST(test_processed_vertices),
        TEST(test_levels), TEST(test_odd_ranges), TEST(test_state_block), cmocka_unit_test(test_projections),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
