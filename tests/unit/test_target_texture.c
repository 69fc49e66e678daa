/* SPDX-License-Identifier: MIT */
/* Draws that read the texture to which they draw: they see its previous contents, whichever pixels are drawn first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/stage/stage.h"

#define WIDTH  256 /* pixels: four of the rasterizer's tiles */
#define HEIGHT 64
#define SHIFT  80 /* pixels */

struct vertex {
    float x, y, z, rhw, u, v;
};
#define FVF (D3DFVF_XYZRHW | D3DFVF_TEX1)

struct scene {
    struct stage stage;
    struct client_chain *texture;
};

static uint32_t texel_at(unsigned x, unsigned y)
{
    return 0xff000000 | x << 16 | y << 8 | ((x ^ y) & 255);
}

static void write_texels(struct scene *s)
{
    struct client_lock lock;

    stage_submit(&s->stage);
    assert_int_equal(client_lock(client_part(s->texture, 0), NULL, 0, &lock), DD_OK);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            const uint32_t texel = texel_at(x, y);

            memcpy(lock.bits + y * lock.pitch + 4 * x, &texel, 4);
        }
    client_unlock(client_part(s->texture, 0));
}

static void open_scene(struct scene *s)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TARGET | CLIENT_TEXTURE,
                                           .format = D3DFMT_A8R8G8B8,
                                           .width = WIDTH,
                                           .height = HEIGHT,
                                           .levels = 1};

    assert_true(stage_open(&s->stage, WIDTH, HEIGHT, D3DFMT_A8R8G8B8, 0));
    assert_int_equal(client_chain_create(s->stage.client, &desc, &s->texture), DD_OK);
    write_texels(s);
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, client_handle(client_part(s->texture, 0)));
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
    stage_texture_state(&s->stage, 0, D3DTSS_ADDRESSU, D3DTADDRESS_WRAP);
}

static void close_scene(struct scene *s)
{
    stage_finish(&s->stage);
    assert_null(s->stage.failed);
    client_set_target(s->stage.client, s->stage.context, client_part(s->stage.target, 0), NULL);
    client_chain_destroy(s->texture);
    stage_close(&s->stage);
}

static void draw_to(struct scene *s, struct client_chain *target)
{
    const D3DHAL_DP2SETRENDERTARGET body = {client_handle(client_part(target, 0)), 0};

    stage_command(&s->stage, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
}

/* The whole target, from SHIFT texels farther left, wrapped around the edge: pixels that are drawn early are read
 * late. */
static void draw_shifted(struct scene *s)
{
    const float u = -(float)SHIFT / WIDTH;
    const struct vertex v[4] = {{-0.5f, -0.5f, 0, 1, u, 0},
                                {WIDTH - 0.5f, -0.5f, 0, 1, u + 1, 0},
                                {-0.5f, HEIGHT - 0.5f, 0, 1, u, 1},
                                {WIDTH - 0.5f, HEIGHT - 0.5f, 0, 1, u + 1, 1}};

    stage_draw(&s->stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
}

static void expect_shifted(struct scene *s, unsigned times)
{
    struct client_lock lock;

    stage_submit(&s->stage);
    assert_int_equal(client_lock(client_part(s->texture, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t got;

            memcpy(&got, lock.bits + y * lock.pitch + 4 * x, 4);
            assert_int_equal(got, texel_at((x + times * (WIDTH - SHIFT)) % WIDTH, y));
        }
    client_unlock(client_part(s->texture, 0));
}

/* Each draw sees the result of the previous one. */
static void test_draws_see_the_past(void **state)
{
    static struct scene s;

    (void)state;
    memset(&s, 0, sizeof(s));
    open_scene(&s);
    draw_to(&s, s.texture);
    draw_shifted(&s);
    expect_shifted(&s, 1);
    draw_shifted(&s);
    draw_shifted(&s);
    expect_shifted(&s, 3);
    close_scene(&s);
}

/* Only read in place at first; then it becomes the target, and again after another target. */
static void test_texture_becomes_target(void **state)
{
    static struct scene s;

    (void)state;
    memset(&s, 0, sizeof(s));
    open_scene(&s);
    for (unsigned n = 1; n <= 2; n++) {
        draw_to(&s, s.stage.target);
        draw_shifted(&s);
        draw_to(&s, s.texture);
        draw_shifted(&s);
    }
    expect_shifted(&s, 2);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws_see_the_past),
        cmocka_unit_test(test_texture_becomes_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
