/* SPDX-License-Identifier: MIT */
/*
 * Textures that are rewritten between draws: a lock that discards, or a blit over the whole texture, does not wait for
 * the scene that reads the old texels, and the scene still gets the old texels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hal/resource/surface.h"
#include "tests/stage/stage.h"

#define SIZE 64 /* of the target, in pixels */
#define CELL 16 /* of a quad */

struct corner {
    float x, y, z, rhw, u, v;
};

static struct hal_surface *hal_of(struct client_chain *chain)
{
    return hal_surface_from_lcl(&client_part(chain, 0)->lcl);
}

static bool scene_waits(const struct stage *stage)
{
    return hal_of(stage->target)->pending != NULL;
}

static void fill_black(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    (void)width;
    for (unsigned y = 0; y < height; y++)
        memset(lock->bits + y * lock->pitch, 0, width * 2);
}

/* 16-bit texels are decoded for the sampler, 32-bit texels read in place. */
static void write_all(struct stage *stage, unsigned texture, uint32_t flags, unsigned bytes, uint32_t texel)
{
    struct client_surface *surface = client_part(stage->textures[texture], 0);
    struct client_lock lock;

    stage_submit(stage);
    assert_int_equal(client_lock(surface, NULL, flags, &lock), DD_OK);
    for (unsigned y = 0; y < surface->gbl.wHeight; y++)
        for (unsigned x = 0; x < surface->gbl.wWidth; x++)
            memcpy(lock.bits + y * lock.pitch + x * bytes, &texel, bytes);
    client_unlock(surface);
}

static void draw_cell(struct stage *stage, uint32_t texture, unsigned cell)
{
    float left = (float)(cell * CELL % SIZE), top = (float)(cell * CELL / SIZE * CELL);
    const struct corner v[4] = {{left, top, 0, 1, 0, 0},
                                {left + CELL, top, 0, 1, 1, 0},
                                {left, top + CELL, 0, 1, 0, 1},
                                {left + CELL, top + CELL, 0, 1, 1, 1}};

    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZRHW | D3DFVF_TEX1, v, 4);
    stage_submit(stage);
}

static void expect_cells(struct stage *stage, const uint32_t *colors, unsigned count)
{
    static uint8_t rgb[SIZE * SIZE * 3];

    assert_true(stage_read_rgb(stage, rgb));
    assert_null(stage->failed);
    for (unsigned i = 0; i < count; i++)
        for (unsigned corner = 0; corner < 4; corner++) {
            unsigned x = i * CELL % SIZE + corner % 2 * (CELL - 1),
                     y = i * CELL / SIZE * CELL + corner / 2 * (CELL - 1);
            const uint8_t *p = rgb + (y * SIZE + x) * 3;
            uint32_t found = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];

            if (found != colors[i])
                fail_msg("cell %u, pixel %u,%u: %06x instead of %06x", i, x, y, (unsigned)found, (unsigned)colors[i]);
        }
}

static void open(struct stage *stage)
{
    assert_true(stage_open(stage, SIZE, SIZE, D3DFMT_X8R8G8B8, 0));
    stage_state(stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_clear(stage, D3DCLEAR_TARGET, 0, 1, 0);
}

static void check_discard(uint32_t format, unsigned bytes, const uint32_t texels[4], const uint32_t colors[4])
{
    struct stage stage;
    uint32_t texture;

    open(&stage);
    texture = stage_texture(&stage, format, 8, 8, 1, fill_black);
    for (unsigned i = 0; i < 4; i++) {
        write_all(&stage, 0, DDLOCK_DISCARDCONTENTS, bytes, texels[i]);
        assert_true(i == 0 || scene_waits(&stage));
        draw_cell(&stage, texture, i);
        draw_cell(&stage, texture, i + 4); /* twice of one version */
    }
    assert_true(scene_waits(&stage));
    expect_cells(&stage, colors, 4);
    assert_false(scene_waits(&stage));
    stage_close(&stage);
}

static void test_discard_in_place(void **state)
{
    static const uint32_t texels[4] = {0xff112233, 0xff445566, 0xff778899, 0xffaabbcc};
    static const uint32_t colors[4] = {0x112233, 0x445566, 0x778899, 0xaabbcc};

    (void)state;
    check_discard(D3DFMT_A8R8G8B8, 4, texels, colors);
}

static void test_discard_decoded(void **state)
{
    static const uint32_t texels[4] = {0xf800, 0x07e0, 0x001f, 0xffff};
    static const uint32_t colors[4] = {0xff0000, 0x00ff00, 0x0000ff, 0xffffff};

    (void)state;
    check_discard(D3DFMT_R5G6B5, 2, texels, colors);
}

/* Without the flag, or with a rectangle, unwritten texels must stay: the scene is drawn first. */
static void test_plain_lock(void **state)
{
    static const uint32_t colors[2] = {0x102030, 0x405060};
    const RECT part = {0, 0, 4, 8};
    struct client_lock lock;
    struct stage stage;
    uint32_t texture;

    (void)state;
    open(&stage);
    texture = stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 1, NULL);
    write_all(&stage, 0, 0, 4, 0xff102030);
    draw_cell(&stage, texture, 0);
    assert_true(scene_waits(&stage));
    write_all(&stage, 0, 0, 4, 0xff405060);
    assert_false(scene_waits(&stage));
    draw_cell(&stage, texture, 1);
    assert_int_equal(client_lock(client_part(stage.textures[0], 0), &part, DDLOCK_DISCARDCONTENTS, &lock), DD_OK);
    client_unlock(client_part(stage.textures[0], 0));
    assert_false(scene_waits(&stage));
    expect_cells(&stage, colors, 2);
    stage_close(&stage);
}

/* Texels that a program does not write after a discarding lock keep their values, whether a scene waited or not. */
static void test_partly_written(void **state)
{
    static const uint32_t colors[2] = {0x102030, 0x102030};
    struct client_lock lock;
    struct stage stage;
    uint32_t texture;

    (void)state;
    open(&stage);
    texture = stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 1, NULL);
    write_all(&stage, 0, 0, 4, 0xff102030);
    draw_cell(&stage, texture, 0);
    assert_int_equal(client_lock(client_part(stage.textures[0], 0), NULL, DDLOCK_DISCARDCONTENTS, &lock), DD_OK);
    client_unlock(client_part(stage.textures[0], 0));
    assert_true(scene_waits(&stage));
    draw_cell(&stage, texture, 1);
    expect_cells(&stage, colors, 2);
    stage_close(&stage);
}

/* Levels of a chain, and textures that need too much memory, are still waited for. */
static void test_limits(void **state)
{
    uint32_t colors[8];
    struct stage stage;
    uint32_t chain, large;
    bool waited = false;

    (void)state;
    open(&stage);
    chain = stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 2, NULL);
    large = stage_texture(&stage, D3DFMT_A8R8G8B8, 1024, 1024, 1, NULL);
    write_all(&stage, 0, 0, 4, 0xff000000);
    draw_cell(&stage, chain, 0);
    write_all(&stage, 0, DDLOCK_DISCARDCONTENTS, 4, 0xff000000);
    assert_false(scene_waits(&stage));
    for (unsigned i = 0; i < 8; i++) { /* 4 MiB each */
        colors[i] = 0x10101 * (i + 1);
        write_all(&stage, 1, DDLOCK_DISCARDCONTENTS, 4, 0xff000000 | colors[i]);
        waited |= i > 0 && !scene_waits(&stage);
        draw_cell(&stage, large, i);
    }
    assert_true(waited);
    expect_cells(&stage, colors, 8);
    stage_close(&stage);
}

/* A blit over the whole texture, and over a part, which waits. */
static void test_blit(void **state)
{
    static const uint32_t colors[3] = {0x102030, 0x405060, 0x708090};
    const RECT part = {0, 0, 4, 8};
    struct client_surface *to, *from;
    struct stage stage;
    uint32_t texture;

    (void)state;
    open(&stage);
    texture = stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 1, NULL);
    stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 1, NULL);
    to = client_part(stage.textures[0], 0);
    from = client_part(stage.textures[1], 0);
    write_all(&stage, 0, 0, 4, 0xff102030);
    draw_cell(&stage, texture, 0);
    write_all(&stage, 1, 0, 4, 0xff405060);
    assert_int_equal(client_blt(to, NULL, from, NULL, 0), DD_OK);
    assert_true(scene_waits(&stage));
    draw_cell(&stage, texture, 1);
    write_all(&stage, 1, 0, 4, 0xff708090);
    assert_true(scene_waits(&stage));
    assert_int_equal(client_blt(to, &part, from, &part, 0), DD_OK);
    assert_false(scene_waits(&stage));
    assert_int_equal(client_blt(to, NULL, from, NULL, 0), DD_OK);
    draw_cell(&stage, texture, 2);
    expect_cells(&stage, colors, 3);
    stage_close(&stage);
}

/* The texture may be destroyed, and its handle reused, before the scene is drawn. */
static void test_destroyed(void **state)
{
    static const uint32_t colors[2] = {0x102030, 0x405060};
    struct stage stage;
    uint32_t texture;

    (void)state;
    open(&stage);
    texture = stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 1, NULL);
    write_all(&stage, 0, 0, 4, 0xff102030);
    draw_cell(&stage, texture, 0);
    write_all(&stage, 0, DDLOCK_DISCARDCONTENTS, 4, 0xff000000);
    client_chain_destroy(stage.textures[--stage.texture_count]);
    assert_true(scene_waits(&stage));
    texture = stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 1, NULL);
    write_all(&stage, 0, 0, 4, 0xff405060);
    draw_cell(&stage, texture, 1);
    expect_cells(&stage, colors, 2);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discard_in_place), cmocka_unit_test(test_discard_decoded),
        cmocka_unit_test(test_plain_lock),       cmocka_unit_test(test_partly_written),
        cmocka_unit_test(test_limits),           cmocka_unit_test(test_blit),
        cmocka_unit_test(test_destroyed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
