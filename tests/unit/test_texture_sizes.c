/* SPDX-License-Identifier: MIT */
/*
 * Textures of the largest sizes: every texel along the long axis is read at its place, with point and linear filters,
 * in any repetition; all levels of a full chain; slices of the deepest and the widest volume. Targets are as large.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/states.h"
#include "tests/stage/stage.h"

#define LONG_SIDE  CAPS_MAX_TEXTURE_SIZE
#define SHORT_SIDE 4
#define DEPTH      CAPS_MAX_VOLUME_SIZE

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
    float u, v, w;
};
#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0))

/* The whole target; coordinates from `repeat` on, one texture long. */
static void quad(struct stage *stage, float repeat, float w)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++) {
        const float across = (float)(i & 1), down = (float)(i >> 1);

        v[i] = (struct vertex){across * (float)stage->width - 0.5f,
                               down * (float)stage->height - 0.5f,
                               0.5f,
                               1,
                               0xffffffff,
                               repeat + across,
                               repeat + down,
                               w};
    }
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
}

static void use_texture(struct stage *stage, uint32_t texture, uint32_t filter)
{
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, filter);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, filter);
}

/* Neighbours differ in every channel. */
static uint32_t color_at(unsigned x, unsigned y)
{
    const uint32_t n = (x * SHORT_SIDE + y) * 2654435761u;

    return 0xff000000u | n >> 8;
}

static void fill_words(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const uint32_t color = color_at(x, y);

            memcpy(lock->bits + y * lock->pitch + x * sizeof(color), &color, sizeof(color));
        }
}

/* A16B16G16R16 of the same colours: each channel is its byte twice. */
static void fill_wide(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const uint32_t color = color_at(x, y);
            const uint16_t texel[4] = {(uint16_t)((color >> 16 & 255) * 257), (uint16_t)((color >> 8 & 255) * 257),
                                       (uint16_t)((color & 255) * 257), 0xffff};

            memcpy(lock->bits + y * lock->pitch + x * sizeof(texel), texel, sizeof(texel));
        }
}

static void check_picture(struct stage *stage)
{
    struct client_lock lock;

    stage_finish(stage);
    assert_null(stage->failed);
    assert_int_equal(client_lock(client_part(stage->target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < stage->height; y++)
        for (unsigned x = 0; x < stage->width; x++) {
            uint32_t got;

            memcpy(&got, lock.bits + y * lock.pitch + x * sizeof(got), sizeof(got));
            if ((got & 0xffffff) != (color_at(x, y) & 0xffffff))
                fail_msg("(%u, %u) of %u x %u: %06x, not %06x", x, y, stage->width, stage->height,
                         (unsigned)(got & 0xffffff), (unsigned)(color_at(x, y) & 0xffffff));
        }
    client_unlock(client_part(stage->target, 0));
}

static void check_shape(unsigned width, unsigned height, uint32_t format, stage_fill fill)
{
    static const uint32_t filters[] = {D3DTEXF_POINT, D3DTEXF_LINEAR};
    struct stage stage;
    uint32_t texture;

    assert_true(stage_open(&stage, width, height, D3DFMT_A8R8G8B8, 0));
    texture = stage_texture(&stage, format, width, height, 1, fill);
    for (unsigned i = 0; i < ARRAY_COUNT(filters); i++)
        for (unsigned repeat = 0; repeat < 3; repeat++) {
            stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
            use_texture(&stage, texture, filters[i]);
            quad(&stage, (float)repeat, 0);
            check_picture(&stage);
        }
    stage_close(&stage);
}

static void test_long_textures(void **state)
{
    (void)state;
    check_shape(LONG_SIDE, SHORT_SIDE, D3DFMT_A8R8G8B8, fill_words);
    check_shape(SHORT_SIDE, LONG_SIDE, D3DFMT_A8R8G8B8, fill_words);
    check_shape(LONG_SIDE, SHORT_SIDE, 36 /* A16B16G16R16 */, fill_wide);
    check_shape(SHORT_SIDE, LONG_SIDE, 36, fill_wide);
}

static void fill_level(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++)
        memset(lock->bits + y * lock->pitch, (int)(level * 16), (size_t)width * 4);
}

/* As many levels as the largest size has. */
static void test_all_levels(void **state)
{
    const unsigned levels = 14;
    struct stage stage;
    uint32_t texture;

    (void)state;
    assert_int_equal(1u << (levels - 1), LONG_SIDE);
    assert_true(stage_open(&stage, 8, 8, D3DFMT_A8R8G8B8, 0));
    texture = stage_texture(&stage, D3DFMT_A8R8G8B8, LONG_SIDE, SHORT_SIDE, levels, fill_level);
    use_texture(&stage, texture, D3DTEXF_POINT);
    stage_texture_state(&stage, 0, D3DTSS_MIPFILTER, D3DTEXF_POINT);
    for (unsigned level = 0; level < levels; level++) {
        struct client_lock lock;

        stage_texture_state(&stage, 0, D3DTSS_MAXMIPLEVEL, level);
        stage_clear(&stage, D3DCLEAR_TARGET, 0xffffffff, 1, 0);
        /* 8 pixels for 8192 texels: level 10, or the first that is allowed */
        quad(&stage, 0, 0);
        stage_finish(&stage);
        assert_null(stage.failed);
        assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        assert_int_equal(lock.bits[0], 16 * BASE_MAX(level, 10u));
        client_unlock(client_part(stage.target, 0));
    }
    stage_close(&stage);
}

/* Slices of the deepest volume, and of the widest. */
static void check_volume(unsigned width, unsigned depth)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | CLIENT_VOLUME,
                                           .format = D3DFMT_X8R8G8B8,
                                           .width = width,
                                           .height = SHORT_SIDE,
                                           .depth = depth,
                                           .levels = 1};
    struct client_chain *volume;
    struct client_lock lock;
    struct stage stage;

    assert_true(stage_open(&stage, width, SHORT_SIDE, D3DFMT_A8R8G8B8, 0));
    assert_int_equal(client_chain_create(stage.client, &desc, &volume), DD_OK);
    assert_int_equal(client_lock(client_part(volume, 0), NULL, 0, &lock), DD_OK);
    for (unsigned z = 0; z < depth; z++)
        for (unsigned y = 0; y < SHORT_SIDE; y++)
            for (unsigned x = 0; x < width; x++) {
                const uint32_t color = color_at(z + x, y);

                memcpy(lock.bits + z * lock.slice_pitch + y * lock.pitch + x * sizeof(color), &color, sizeof(color));
            }
    client_unlock(client_part(volume, 0));
    use_texture(&stage, client_handle(client_part(volume, 0)), D3DTEXF_POINT);
    for (unsigned z = 0; z<depth; z += depth> 64 ? 61 : 1) {
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        quad(&stage, 0, ((float)z + 0.5f) / (float)depth);
        stage_finish(&stage);
        assert_null(stage.failed);
        assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (unsigned x = 0; x < width; x += 7) {
            uint32_t got;

            memcpy(&got, lock.bits + x * sizeof(got), sizeof(got));
            if ((got & 0xffffff) != (color_at(z + x, 0) & 0xffffff))
                fail_msg("slice %u, column %u: %06x", z, x, (unsigned)(got & 0xffffff));
        }
        client_unlock(client_part(stage.target, 0));
    }
    client_chain_destroy(volume);
    stage_close(&stage);
}

static void test_large_volumes(void **state)
{
    (void)state;
    check_volume(SHORT_SIDE, DEPTH);
    check_volume(DEPTH, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_textures),
        cmocka_unit_test(test_all_levels),
        cmocka_unit_test(test_large_volumes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
