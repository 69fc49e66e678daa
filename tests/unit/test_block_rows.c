/* SPDX-License-Identifier: MIT */
/*
 * Testing, storing and rejecting whole rows of blocks (raster/tile/row.c) does not change pixels, depth, stencil and
 * the count of fragments: random layers of large shapes are drawn, and drawn again with a program that might kill
 * fragments, which forces tests of single groups after shading. Depth biases and bounds may be any floats, because
 * programs set them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define WIDTH  210 /* four tiles; blocks are cut by the border */
#define HEIGHT 83
#define ROUNDS 500
#define LAYERS 16

struct picture {
    _Alignas(64) uint32_t color[WIDTH * HEIGHT];
    _Alignas(64) uint32_t depth[WIDTH * HEIGHT];
    uint64_t fragments;
};

/* Saturates its colour if it has a program. */
static void shade(const void *program, struct raster_batch *batch)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            const float v = batch->input[0][c][l];

            batch->color[0][c][l] = program ? BASE_MIN(v > 0.0f ? v : 0.0f, 1.0f) : v;
        }
}

static struct raster_stencil any_stencil(void)
{
    return (struct raster_stencil){
        .enable = random_below(3) != 0,
        .func = (uint8_t)(random_below(2) ? RASTER_ALWAYS : random_below(8)),
        .fail = (uint8_t)(random_below(2) ? RASTER_KEEP : random_below(8)),
        .zfail = (uint8_t)(random_below(2) ? RASTER_KEEP : random_below(8)),
        .pass = (uint8_t)(random_below(2) ? RASTER_KEEP : random_below(8)),
        .ref = (uint8_t)random_below(4),
        .mask = random_below(4) ? 255 : 5,
        .write_mask = random_below(4) ? 255 : (uint8_t)(2 + random_below(2)),
    };
}

/* Sometimes a float that arithmetic cannot handle. */
static float any_float(float usual)
{
    static const float strange[] = {NAN, -NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 3.4e38f, -3.4e38f, 1e-40f, -0.0f};

    return random_below(6) ? usual : strange[random_below(ARRAY_COUNT(strange))];
}

/* `general`: fragments take the path that works for all states. */
static void any_state(struct raster_draw_state *s, bool general)
{
    static const uint8_t common[] = {RASTER_LESS, RASTER_LEQUAL, RASTER_LEQUAL, RASTER_GREATER, RASTER_ALWAYS};
    const uint8_t copied = random_below(3) ? 15 : 0;

    memset(s, 0, sizeof(*s));
    s->rasterizer.fill_front = s->rasterizer.fill_back = RASTER_FILL_SOLID;
    s->rasterizer.half_pixel_center = true;
    s->rasterizer.poly_stipple_enable = random_below(12) == 0;
    for (unsigned i = 0; i < 32; i++)
        s->poly_stipple[i] = i & 8 ? 0xffff00ff : 0x55ff00f0;
    s->rasterizer.offset_tri = random_below(4) == 0;
    s->rasterizer.offset_units = any_float(0.0f);
    s->rasterizer.offset_units_unscaled = random_below(2);
    s->rasterizer.offset_scale = any_float(0.5f);
    s->rasterizer.offset_clamp = any_float(0.0f);
    s->viewport = (struct raster_rect){(int)random_below(9), (int)random_below(9), WIDTH - (int)random_below(9),
                                       HEIGHT - (int)random_below(9)};
    s->depth_max = 1.0f;
    s->depth_test = random_below(4) != 0;
    s->depth_write = random_below(3) != 0;
    s->depth_func = random_below(3) ? common[random_below(ARRAY_COUNT(common))] : (uint8_t)random_below(8);
    s->depth_bounds = random_below(20) == 0;
    s->bounds_min = any_float(0.0f);
    s->bounds_max = any_float(random_unit());
    if (random_below(2)) {
        s->stencil = any_stencil();
        s->two_sided_stencil = random_below(3) == 0;
        s->stencil_back = any_stencil();
    }
    s->color_write_mask[0] = random_below(4) ? 15 : 0;
    s->blend.enable = random_below(4) == 0;
    s->blend.src_color = s->blend.src_alpha = RASTER_BLEND_SRC_ALPHA;
    s->blend.dst_color = s->blend.dst_alpha = RASTER_BLEND_INV_SRC_ALPHA;
    s->program = random_below(2) ? s : NULL;
    s->shade = shade;
    s->input_count = 1;
    s->interpolation[0] = RASTER_PERSPECTIVE;
    s->input_mask[0] = 15;
    s->program_reads_inputs_alone = !general;
    s->pass_through = (struct raster_pass_through){.copied = general ? 0 : copied, .components = 15};
    s->program_kills = general;
}

/* How the values vary over the screen. */
struct slopes {
    float z[3], rhw[3], color[4][3];
};

static float along(const float slope[3], float x, float y)
{
    return slope[0] + slope[1] * x / WIDTH + slope[2] * y / HEIGHT;
}

static void any_slopes(struct slopes *s)
{
    const bool level = random_below(2), one_w = random_below(2), one_color = random_below(3) == 0,
               in_range = random_below(2);

    memset(s, 0, sizeof(*s));
    s->z[0] = (float)random_below(6) / 4.0f - 0.1f;
    s->rhw[0] = random_below(2) ? 1.0f : 0.7f + random_unit();
    for (unsigned i = 1; i < 3; i++) {
        s->z[i] = level ? 0.0f : random_unit() - 0.5f;
        s->rhw[i] = one_w ? 0.0f : 0.3f * random_unit();
    }
    for (unsigned c = 0; c < 4; c++) {
        s->color[c][0] = in_range ? 0.3f + 0.3f * random_unit() : random_unit();
        for (unsigned i = 1; i < 3; i++)
            s->color[c][i] = one_color ? 0.0f : in_range ? 0.2f * random_unit() - 0.1f : 2.0f * random_unit() - 1.0f;
    }
}

static void place(struct raster_vertex *v, const struct slopes *s, float x, float y)
{
    *v = (struct raster_vertex){.x = x, .y = y, .z = along(s->z, x, y), .rhw = along(s->rhw, x, y)};
    for (unsigned c = 0; c < 4; c++)
        v->input[0][c] = along(s->color[c], x, y);
}

/* A rectangle, on the edges of blocks or not, or a triangle; larger than a tile or smaller. */
static void draw_shape(struct raster *raster)
{
    const float grid = random_below(2) ? 8.0f : random_below(2) ? 1.0f : 0.37f;
    const float left = (float)(int)(random_unit() * WIDTH / 2 / grid) * grid;
    const float top = (float)(int)(random_unit() * HEIGHT / 2 / grid) * grid;
    const float right = random_below(2) ? WIDTH : left + (float)(int)(random_unit() * WIDTH / grid) * grid;
    const float bottom = random_below(2) ? HEIGHT : top + (float)(int)(random_unit() * HEIGHT / grid) * grid;
    struct raster_vertex v[4];
    struct slopes slopes;

    any_slopes(&slopes);
    place(&v[0], &slopes, left, top);
    place(&v[1], &slopes, right, top);
    place(&v[2], &slopes, random_below(8) ? left : random_unit() * WIDTH, bottom);
    place(&v[3], &slopes, right, bottom);
    raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], RASTER_ALL_EDGES);
    if (random_below(4))
        raster_triangle(raster, &v[2], &v[1], &v[3], &v[2], RASTER_ALL_EDGES);
}

static void draw(struct raster *raster, enum raster_format format, uint32_t from, bool general, struct picture *out)
{
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    const unsigned bytes = raster_format_info(format)->block_bytes;
    const struct raster_targets targets = {
        .color[0] = {(uint8_t *)out->color, WIDTH * 4, WIDTH, HEIGHT,
                     from & 1 ? RASTER_FORMAT_A8R8G8B8 : RASTER_FORMAT_X8R8G8B8, 0},
        .depth = {(uint8_t *)out->depth, WIDTH * bytes, WIDTH, HEIGHT, format, 0},
    };
    struct raster_statistics before, after;

    memset(out, 0, sizeof(*out));
    random_seed = from;
    raster_get_statistics(raster, &before);
    raster_set_targets(raster, &targets);
    raster_clear(raster, RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0, random_below(4) ? 1.0f : 0.5f,
                 random_below(4));
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        struct raster_draw_state state;

        any_state(&state, general);
        raster_set_state(raster, &state);
        for (unsigned shapes = 1 + random_below(3); shapes > 0; shapes--)
            draw_shape(raster);
        raster_flush_colors(raster); /* the state's program is on the stack */
    }
    raster_flush(raster);
    raster_get_statistics(raster, &after);
    out->fragments = after.fragments - before.fragments;
}

static void test_rows_change_nothing(void **unused)
{
    struct picture *fast = mem_alloc_aligned(2 * sizeof(*fast)), *general = fast + 1;

    (void)unused;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        struct raster *raster = raster_create((enum cpu_level)level, 1);

        for (uint32_t round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
            static const enum raster_format formats[] = {RASTER_FORMAT_D24S8,   RASTER_FORMAT_D24S8,
                                                         RASTER_FORMAT_D24X4S4, RASTER_FORMAT_D16,
                                                         RASTER_FORMAT_D32F,    RASTER_FORMAT_D32};
            const enum raster_format format = formats[round % ARRAY_COUNT(formats)];

            draw(raster, format, round * 7919 + 1, false, fast);
            draw(raster, format, round * 7919 + 1, true, general);
            if (memcmp(fast, general, sizeof(*fast)))
                fail_msg("level %d, round %u: other pixels or fragments (%llu, not %llu)", level, (unsigned)round,
                         (unsigned long long)fast->fragments, (unsigned long long)general->fragments);
        }
        raster_destroy(raster);
    }
    mem_free_aligned(fast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
