/* SPDX-License-Identifier: MIT */
/*
 * Textures on triangles that clipping cuts: a floor that continues behind the viewer shows at each pixel the texel of the point
 * that the pixel's ray meets, computed in doubles.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"
#include "tests/stage/stage.h"

#define WIDTH  640
#define HEIGHT 480
#define TEXELS 256
#define SCALE  128.0f /* length of the texture on the floor */

static const float projection[16] = {1.03228641f, 0, 0, 0, 0, 1.37638187f, 0, 0, 0, 0, 1.0003f, 1, 0, 0, -1.0003f, 0};

struct vertex {
    float x, y, z, u, v;
};

static struct stage stage;

static void fill(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const uint32_t texel = 0xff0000ffu | x << 16 | y << 8;

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
}

static int set_up(void **state)
{
    (void)state;
    if (!stage_open(&stage, WIDTH, HEIGHT, D3DFMT_A8R8G8B8, D3DFMT_D24S8))
        return -1;
    stage_texture_state(&stage, 0, D3DTSS_TEXTUREMAP, stage_texture(&stage, D3DFMT_A8R8G8B8, TEXELS, TEXELS, 1, fill));
    stage_texture_state(&stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(&stage, 0, D3DTSS_MAGFILTER, D3DTEXF_POINT);
    stage_texture_state(&stage, 0, D3DTSS_MINFILTER, D3DTEXF_POINT);
    stage_state(&stage, D3DRS_LIGHTING, FALSE);
    stage_state(&stage, D3DRS_ZENABLE, FALSE);
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_transform(&stage, D3DTS_PROJECTION, projection);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stage_close(&stage);
    return 0;
}

/* Texels between what was read, 0 to 255, and the exact place, modulo the texture; negative: before the texel. */
static double texels_off(unsigned read, double place)
{
    const double ahead = place - read - TEXELS * floor((place - read) / TEXELS);

    if (ahead < 1)
        return 0;
    return ahead < TEXELS / 2 ? ahead - 1 : TEXELS - ahead;
}

/* The furthest that a pixel of the floor at this height is off, in texels; *pixels: how many were drawn. */
static double furthest_off(float height, unsigned *pixels)
{
    double most = 0;
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = HEIGHT / 2 + 1; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t read;
            const double z = (double)height / ((HEIGHT / 2.0 - y) / (HEIGHT / 2.0) / (double)projection[5]);
            const double place_x = z * ((x - WIDTH / 2.0) / (WIDTH / 2.0) / (double)projection[0]);

            memcpy(&read, lock.bits + y * lock.pitch + 4 * x, 4);
            if (!(read & 255))
                continue;
            ++*pixels;
            most = fmax(most, texels_off(read >> 16 & 255, place_x * TEXELS / (double)SCALE));
            most = fmax(most, texels_off(read >> 8 & 255, z * TEXELS / (double)SCALE));
        }
    client_unlock(client_part(stage.target, 0));
    return most;
}

static double draw_floor(struct vertex v[3], unsigned *pixels)
{
    for (unsigned i = 0; i < 3; i++) {
        v[i].u = v[i].x / SCALE;
        v[i].v = v[i].z / SCALE;
    }
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ | D3DFVF_TEX1, v, 3);
    stage_submit(&stage);
    assert_null(stage.failed);
    return furthest_off(v[0].y, pixels);
}

/* Two corners before the viewer, one behind, as in the map of Irrlicht's example Quake3Map. */
static void test_floor_of_a_map(void **state)
{
    struct vertex v[3] = {{-84, -80, -97, 0, 0}, {-148, -80, 287, 0, 0}, {-84, -80, 287, 0, 0}};
    unsigned pixels = 0;
    const double off = draw_floor(v, &pixels);

    (void)state;
    assert_true(pixels > 5000);
    if (off > 0.0625)
        fail_msg("a texture is moved by %.3f texels", off);
}

static void test_random_floors(void **state)
{
    unsigned pixels = 0;
    double most = 0;

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        struct vertex v[3];
        const float height = -random_between(20, 200);
        const unsigned behind = random_word() % 3;

        for (unsigned i = 0; i < 3; i++) {
            v[i].x = random_between(-300, 300);
            v[i].y = height;
            v[i].z = i == behind ? random_between(-300, 0) : random_between(50, 400);
        }
        most = fmax(most, draw_floor(v, &pixels));
    }
    assert_true(pixels > 1000000);
    if (most > 0.0625)
        fail_msg("a texture is moved by %.3f texels", most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floor_of_a_map),
        cmocka_unit_test(test_random_floors),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
