/* SPDX-License-Identifier: MIT */
/*
 * Dirty blocks of depth, which raster_flush_colors leaves, are written back before the depth buffer is read, and the
 * cache is emptied when the buffer is written from outside.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hal/resource/surface.h"
#include "tests/stage/stage.h"

#define SIZE 96 /* of the target: tiles and half tiles */

struct corner {
    float x, y, z, rhw;
    uint32_t color;
};

static struct hal_surface *depth_of(const struct stage *stage)
{
    return hal_surface_from_lcl(&client_part(stage->depth, 0)->lcl);
}

static void draw_quad(struct stage *stage, float right, float z, uint32_t color)
{
    const struct corner v[4] = {
        {0, 0, z, 1, color}, {right, 0, z, 1, color}, {0, SIZE, z, 1, color}, {right, SIZE, z, 1, color}};

    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, 4);
}

static void open(struct stage *stage, uint32_t format)
{
    assert_true(stage_open(stage, SIZE, SIZE, D3DFMT_X8R8G8B8, format));
    stage_state(stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_state(stage, D3DRS_LIGHTING, FALSE);
    stage_state(stage, D3DRS_ZENABLE, D3DZB_TRUE);
    stage_state(stage, D3DRS_ZFUNC, D3DCMP_LESS);
}

/* Reads only the colours: left of x = 40, and the rest. */
static void expect_colors(struct stage *stage, uint32_t left, uint32_t right)
{
    static uint8_t rgb[SIZE * SIZE * 3];

    assert_true(stage_read_rgb(stage, rgb));
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        const uint8_t *p = rgb + i * 3;

        assert_int_equal((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2], i % SIZE < 40 ? left : right);
    }
}

static void expect_depth(struct stage *stage, uint32_t left, uint32_t right, unsigned bytes)
{
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(stage->depth, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++) {
            uint32_t word = 0;

            memcpy(&word, lock.bits + y * lock.pitch + x * bytes, bytes);
            if (word != (x < 40 ? left : right))
                fail_msg("depth at %u,%u is %08x", x, y, (unsigned)word);
        }
    client_unlock(client_part(stage->depth, 0));
    assert_null(depth_of(stage)->pending);
}

static void check_frames(uint32_t format, unsigned bytes, const uint32_t depth[3])
{
    struct stage stage;

    open(&stage, format);
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0x101010, 0.5f, 0);
    draw_quad(&stage, 40, 0.25f, 0x202020);
    expect_colors(&stage, 0x202020, 0x101010);
    assert_non_null(depth_of(&stage)->pending); /* it is still dirty */
    draw_quad(&stage, SIZE, 0.375f, 0x303030);  /* after the first one */
    expect_colors(&stage, 0x202020, 0x303030);
    expect_depth(&stage, depth[0], depth[1], bytes);
    stage_clear(&stage, D3DCLEAR_ZBUFFER, 0, 1, 0);
    expect_colors(&stage, 0x202020, 0x303030);
    expect_depth(&stage, depth[2], depth[2], bytes);
    stage_close(&stage);
}

static void test_frames(void **state)
{
    (void)state;
    check_frames(D3DFMT_D24S8, 4, (const uint32_t[3]){0x40000000, 0x60000000, 0xffffff00});
    check_frames(D3DFMT_D16, 2, (const uint32_t[3]){0x4000, 0x6000, 0xffff});
}

static void test_written_by_others(void **state)
{
    struct client_lock lock;
    struct stage stage;

    (void)state;
    open(&stage, D3DFMT_D24S8);
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0x101010, 1, 0);
    expect_colors(&stage, 0x101010, 0x101010);
    assert_int_equal(client_lock(client_part(stage.depth, 0), NULL, 0, &lock), DD_OK);
    for (unsigned y = 0; y < SIZE; y++)
        memset(lock.bits + y * lock.pitch, 0, 40 * 4); /* in front of everything */
    client_unlock(client_part(stage.depth, 0));
    draw_quad(&stage, SIZE, 0.5f, 0x202020);
    expect_colors(&stage, 0x101010, 0x202020);
    expect_depth(&stage, 0, 0x80000000, 4);
    stage_close(&stage);
}

/* The first draw of all: depth that was never cleared is not cached. */
static void test_never_cleared(void **state)
{
    struct client_lock lock;
    struct stage stage;

    (void)state;
    open(&stage, D3DFMT_D24S8);
    assert_int_equal(client_lock(client_part(stage.depth, 0), NULL, 0, &lock), DD_OK);
    for (unsigned y = 0; y < SIZE; y++)
        memset(lock.bits + y * lock.pitch, 0xff, SIZE * 4);
    client_unlock(client_part(stage.depth, 0));
    draw_quad(&stage, SIZE, 0.5f, 0x202020);
    expect_colors(&stage, 0x202020, 0x202020);
    stage_close(&stage);
}

/* Dirty depth of a destroyed surface must not be written. */
static void test_destroyed(void **state)
{
    struct stage stage;

    (void)state;
    open(&stage, D3DFMT_D24S8);
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0x101010, 1, 0);
    expect_colors(&stage, 0x101010, 0x101010);
    assert_non_null(depth_of(&stage)->pending);
    client_chain_destroy(stage.depth);
    stage.depth = NULL;
    stage_clear(&stage, D3DCLEAR_TARGET, 0x404040, 1, 0);
    expect_colors(&stage, 0x404040, 0x404040);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_written_by_others),
        cmocka_unit_test(test_never_cleared),
        cmocka_unit_test(test_destroyed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
