/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical Z (raster/tile/hierarchical_z.c) compared with drawing without it: random triangles under random states,
 * drawn once together and once in a scene per triangle, where tiles begin without bounds. With several threads, the
 * first triangles are drawn while the last are still being added.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/tile/worker.h"
#include "tests/random.h"

#define SIDE      136 /* pixels; not a multiple of a tile */
#define SCENES    400
#define TRIANGLES 60

struct canvas {
    uint32_t color[SIDE * SIDE];
    uint8_t depth[SIDE * SIDE * 4];
    struct raster *raster;
};

static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    for (unsigned c = 0; c < 4; c++)
        memcpy(batch->color[0][c], batch->input[0][c], sizeof(batch->color[0][c]));
}

static void open_canvas(struct canvas *c, enum raster_format format, unsigned threads)
{
    const size_t bytes = raster_format_info(format)->block_bytes;
    const struct raster_targets targets = {
        .color[0] = {.pixels = (uint8_t *)c->color,
                     .pitch = SIDE * 4,
                     .width = SIDE,
                     .height = SIDE,
                     .format = RASTER_FORMAT_A8R8G8B8},
        .depth = {.pixels = c->depth, .pitch = SIDE * bytes, .width = SIDE, .height = SIDE, .format = format},
    };

    memset(c->color, 0, sizeof(c->color));
    memset(c->depth, 0x55, sizeof(c->depth));
    c->raster = raster_create(cpu_level_detected(), threads);
    raster_set_targets(c->raster, &targets);
}

/* Mostly common states; sometimes any comparison and stencil. */
static void random_draw_state(struct raster_draw_state *state)
{
    memset(state, 0, sizeof(*state));
    state->rasterizer.fill_front = state->rasterizer.fill_back = RASTER_FILL_SOLID;
    state->viewport = (struct raster_rect){0, 0, SIDE, SIDE};
    state->depth_max = 1.0f;
    state->rasterizer.depth_clamp = random_word() % 16 == 0;
    state->depth_test = true;
    state->depth_write = random_word() % 8 != 0;
    state->depth_from_w = random_word() % 8 == 0;
    state->w_scale = 0.25f;
    state->depth_func = (uint8_t)(random_word() % 6 ? RASTER_LESS + random_word() % 2 * 2 : random_word() % 8);
    if (random_word() % 6 == 0) {
        state->stencil = (struct raster_stencil){.enable = true,
                                                 .func = (uint8_t)(random_word() % 8),
                                                 .fail = (uint8_t)(random_word() % 8),
                                                 .zfail = (uint8_t)(random_word() % 8),
                                                 .pass = (uint8_t)(random_word() % 8),
                                                 .mask = 0xff,
                                                 .write_mask = random_word() % 2 ? 0xff : 0};
        state->two_sided_stencil = random_word() % 2;
        state->stencil_back = state->stencil;
        state->stencil_back.zfail = (uint8_t)(random_word() % 8);
    }
    state->alpha_test = random_word() % 6 == 0;
    state->alpha_func = RASTER_GREATER;
    state->alpha_ref = 128;
    state->color_write_mask[0] = random_word() % 8 ? 0xf : 0;
    state->shade = shade;
    state->input_count = 1;
    state->interpolation[0] = RASTER_PERSPECTIVE;
    state->input_mask[0] = 0xf;
}

struct draw {
    struct raster_draw_state state;
    struct raster_vertex v[3];
    bool clears;
    float depth;
};

static void random_draw(struct draw *draw)
{
    const float size = random_word() % 2 ? 300.0f : 40.0f, x = random_unit() * SIDE, y = random_unit() * SIDE;
    const bool level = random_word() % 2; /* depth */
    const float z = random_unit();

    random_draw_state(&draw->state);
    draw->clears = random_word() % 32 == 0;
    draw->depth = random_word() % 2 ? 1.0f : random_unit();
    for (unsigned i = 0; i < 3; i++) {
        struct raster_vertex *v = &draw->v[i];

        memset(v, 0, sizeof(*v));
        v->x = x + (random_unit() - 0.5f) * size;
        v->y = y + (random_unit() - 0.5f) * size;
        v->z = level ? z : random_unit() * 1.2f - 0.1f;
        v->rhw = 0.2f + random_unit();
        for (unsigned c = 0; c < 4; c++)
            v->input[0][c] = random_unit();
    }
}

static void play(struct canvas *c, const struct draw *draw, bool apart)
{
    const struct raster_rect rect = {8, 3, 121, 130};

    if (draw->clears)
        raster_clear(c->raster, RASTER_CLEAR_DEPTH, &rect, 0, draw->depth, 0);
    if (apart)
        raster_flush(c->raster);
    raster_set_state(c->raster, &draw->state);
    if (draw->clears) /* also without a change of state in between */
        raster_triangle(c->raster, &draw->v[2], &draw->v[1], &draw->v[0], &draw->v[0], 7);
    if (draw->clears)
        raster_clear(c->raster, RASTER_CLEAR_DEPTH, &rect, 0, 1.0f - draw->depth, 0);
    raster_triangle(c->raster, &draw->v[0], &draw->v[1], &draw->v[2], &draw->v[0], 7);
    if (apart)
        raster_flush(c->raster);
}

static void test_bounds_change_nothing(void **state)
{
    static const enum raster_format formats[] = {RASTER_FORMAT_D24S8, RASTER_FORMAT_D16,   RASTER_FORMAT_D24X8,
                                                 RASTER_FORMAT_D32F,  RASTER_FORMAT_D15S1, RASTER_FORMAT_D24FS8};
    static struct canvas together, apart;
    static struct draw draw[TRIANGLES];

    (void)state;
    for (unsigned scene = 0; scene < SCENES; scene++) {
        const struct raster_rect all = {0, 0, SIDE, SIDE};
        const unsigned clear = RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL;
        const enum raster_format format = formats[scene % ARRAY_COUNT(formats)];

        open_canvas(&together, format, 1 + scene % 3);
        open_canvas(&apart, format, 1);
        raster_clear(together.raster, clear, &all, 0, 1.0f, 0);
        raster_clear(apart.raster, clear, &all, 0, 1.0f, 0);
        raster_flush(apart.raster);
        for (unsigned i = 0; i < TRIANGLES; i++) {
            random_draw(&draw[i]);
            play(&together, &draw[i], false);
            play(&apart, &draw[i], true);
        }
        raster_flush(together.raster);
        if (memcmp(together.color, apart.color, sizeof(apart.color)) ||
            memcmp(together.depth, apart.depth, sizeof(apart.depth)))
            fail_msg("scene %u (%s) differs from its triangles one by one", scene, raster_format_info(format)->name);
        raster_destroy(together.raster);
        raster_destroy(apart.raster);
    }
}

/* Primitives that cover a block together hide everything behind them, but not before the last one. */
static void test_a_mesh_hides(void **state)
{
    static const uint64_t part[] = {UINT64_C(0x00ff00ff00ff00ff), UINT64_C(0xff00000000000000),
                                    UINT64_C(0x00000000ff00ff00), UINT64_C(0x0000ff0000000000)};
    struct scene_primitive near = {.depth.a = {0.25f}}, far = {.depth.a = {0.75f}};
    struct hierarchical_z_use use = {.rejects = true, .step = 0.001f};
    static struct hierarchical_z h;

    (void)state;
    hierarchical_z_reset(&h);
    for (unsigned i = 0; i < ARRAY_COUNT(part); i++) {
        use.lowers = false;
        assert_false(hierarchical_z_rejects(&h, &use, &far, 8, 16, 1));
        use.lowers = true;
        assert_false(hierarchical_z_rejects(&h, &use, &near, 8, 16, part[i]));
    }
    assert_true(hierarchical_z_rejects(&h, &use, &far, 8, 16, ~UINT64_C(0)));
    assert_false(hierarchical_z_rejects(&h, &use, &far, 16, 16, 1)); /* another block */
    near.depth.a[0] = 0.2f;
    assert_false(hierarchical_z_rejects(&h, &use, &near, 8, 16, 1));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_change_nothing),
        cmocka_unit_test(test_a_mesh_hides),
    };

    random_seed = 11;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
