/* SPDX-License-Identifier: MIT */
/*
 * Copies of a target with a pending clear: they give the result of the clear, whether or not it has been drawn, and do
 * not affect later draws or the budget.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "raster/raster.h"
#include "tests/stage/stage.h"

#define SIDE  80 /* more than a tile */
#define RED   0x00ff0000u
#define GREEN 0x0000ff00u

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
};

struct board {
    struct stage stage;
    struct client_chain *copy; /* in system memory */
};

static void open_board(struct board *board, unsigned samples)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_SYSTEM_MEMORY, .format = D3DFMT_X8R8G8B8, .width = SIDE, .height = SIDE};

    assert_true(stage_open_samples(&board->stage, SIDE, SIDE, D3DFMT_X8R8G8B8, D3DFMT_D24S8, samples));
    assert_int_equal(client_chain_create(board->stage.client, &desc, &board->copy), DD_OK);
}

static void close_board(struct board *board)
{
    client_chain_destroy(board->copy);
    assert_null(board->stage.failed);
    stage_close(&board->stage);
}

static void clear(struct board *board, uint32_t color)
{
    stage_clear(&board->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, color, 1, 0);
}

/* The lower right half of the target. */
static void draw_half(struct board *board, uint32_t color)
{
    const struct vertex v[3] = {{SIDE, 0, 0.5f, 1, color}, {SIDE, SIDE, 0.5f, 1, color}, {0, SIDE, 0.5f, 1, color}};

    stage_draw(&board->stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, 3);
}

static void copy(struct board *board, const RECT *to, const RECT *from)
{
    stage_submit(&board->stage);
    assert_int_equal(client_blt(client_part(board->copy, 0), to, client_part(board->stage.target, 0), from, 0), DD_OK);
}

static uint32_t pixel_of(struct client_chain *chain, unsigned x, unsigned y)
{
    struct client_lock lock;
    uint32_t pixel;

    assert_int_equal(client_lock(client_part(chain, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&pixel, lock.bits + y * lock.pitch + 4 * x, 4);
    client_unlock(client_part(chain, 0));
    return pixel & 0xffffff;
}

static void expect_all(struct client_chain *chain, uint32_t color)
{
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            assert_int_equal(pixel_of(chain, x, y), color);
}

static void test_whole(void **state)
{
    struct board board;

    (void)state;
    open_board(&board, 0);
    clear(&board, RED);
    copy(&board, NULL, NULL);
    expect_all(board.copy, RED);
    clear(&board, GREEN);
    copy(&board, NULL, NULL);
    expect_all(board.copy, GREEN);
    expect_all(board.stage.target, GREEN);
    close_board(&board);
}

static void test_part(void **state)
{
    const RECT from = {0, 0, 10, 20}, to = {30, 40, 40, 60};
    struct board board;

    (void)state;
    open_board(&board, 0);
    clear(&board, GREEN);
    copy(&board, NULL, NULL);
    clear(&board, RED);
    copy(&board, &to, &from);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            assert_int_equal(pixel_of(board.copy, x, y), x >= 30 && x < 40 && y >= 40 && y < 60 ? RED : GREEN);
    close_board(&board);
}

/* Draws after the copy lie on the clear; their copy no longer has a single colour, nor has a copy after a partial
 * clear. */
static void test_draws_behind(void **state)
{
    struct board board;

    (void)state;
    open_board(&board, 0);
    clear(&board, RED);
    copy(&board, NULL, NULL);
    draw_half(&board, 0xff000000 | GREEN);
    expect_all(board.copy, RED);
    copy(&board, NULL, NULL);
    assert_int_equal(pixel_of(board.copy, 2, 2), RED);
    assert_int_equal(pixel_of(board.copy, SIDE - 3, SIDE - 3), GREEN);
    assert_int_equal(pixel_of(board.stage.target, 2, 2), RED);
    close_board(&board);
}

static void test_draws_before(void **state)
{
    struct board board;

    (void)state;
    open_board(&board, 0);
    draw_half(&board, 0xff000000 | GREEN);
    clear(&board, RED);
    copy(&board, NULL, NULL);
    expect_all(board.copy, RED);
    expect_all(board.stage.target, RED);
    close_board(&board);
}

/* A clear of depth alone does not affect colours. */
static void test_depth_alone(void **state)
{
    struct board board;

    (void)state;
    open_board(&board, 0);
    clear(&board, RED);
    draw_half(&board, 0xff000000 | GREEN);
    stage_finish(&board.stage);
    stage_clear(&board.stage, D3DCLEAR_ZBUFFER, 0x123456, 1, 0);
    copy(&board, NULL, NULL);
    assert_int_equal(pixel_of(board.copy, 2, 2), RED);
    assert_int_equal(pixel_of(board.copy, SIDE - 3, SIDE - 3), GREEN);
    close_board(&board);
}

static void test_samples(void **state)
{
    struct board board;

    (void)state;
    open_board(&board, 4);
    clear(&board, RED);
    copy(&board, NULL, NULL);
    expect_all(board.copy, RED);
    close_board(&board);
}

/* The rasterizer alone: the rest of a budget after `copies` questions and a flush, `clears` times. */
static uint64_t budget_left(unsigned clears, unsigned copies, bool asks)
{
    static _Alignas(64) uint32_t color[SIDE * SIDE];
    const struct raster_rect all = {0, 0, SIDE, SIDE};
    struct raster_targets targets;
    uint8_t texel[RASTER_TEXEL_BYTES];
    struct raster *raster = raster_create(CPU_SCALAR, 1);
    uint64_t left;

    assert_non_null(raster);
    memset(&targets, 0, sizeof(targets));
    targets.color[0] = (struct raster_surface){(uint8_t *)color, SIDE * 4, SIDE, SIDE, RASTER_FORMAT_A8R8G8B8, 1};
    assert_true(raster_set_targets(raster, &targets));
    raster_set_budget(raster, UINT64_C(1) << 40);
    for (unsigned i = 0; i < clears; i++) {
        raster_clear(raster, RASTER_CLEAR_COLOR, &all, RED + i, 1, 0);
        for (unsigned k = 0; k < copies; k++) {
            if (!asks) { /* the first copy draws the clear, the others find nothing to wait for */
                if (k == 0)
                    raster_flush_colors(raster);
                continue;
            }
            assert_true(raster_copy_clear(raster, (uint8_t *)color, SIDE, SIDE, texel));
            assert_memory_equal(texel, &(uint32_t){RED + i}, 4);
        }
    }
    if (asks)
        raster_flush_colors(raster);
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        assert_int_equal(color[i], RED + clears - 1);
    left = raster_get_budget(raster);
    raster_destroy(raster);
    return left;
}

static void test_budget(void **state)
{
    (void)state;
    assert_int_equal(budget_left(1, 1, true), budget_left(1, 1, false));
    assert_int_equal(budget_left(1, 3, true), budget_left(1, 3, false));
    assert_int_equal(budget_left(4, 1, true), budget_left(4, 1, false));
    assert_int_equal(budget_left(4, 2, true), budget_left(4, 2, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),        cmocka_unit_test(test_part),        cmocka_unit_test(test_draws_behind),
        cmocka_unit_test(test_draws_before), cmocka_unit_test(test_depth_alone), cmocka_unit_test(test_samples),
        cmocka_unit_test(test_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
