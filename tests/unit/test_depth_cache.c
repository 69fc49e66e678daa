/* SPDX-License-Identifier: MIT */
/*
 * The depth block cache (raster/tile/depth_cache.c) does not change pixels: random layers are drawn in one scene, and
 * again with a flush after each, which empties the cache. The same in frames: with flushes of colours only, after which
 * blocks are still compressed and dirty, some by several threads, with alternating colour targets. Builds with
 * BASE_ASSERT check the cache's invariants meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define WIDTH  150 /* three tiles; blocks are cut by the border */
#define HEIGHT 77
#define ROUNDS 800
#define LAYERS 24

struct picture {
    _Alignas(64) uint32_t color[2][WIDTH * HEIGHT];
    _Alignas(64) uint32_t depth[WIDTH * HEIGHT];
};

/* Colours, and kills some if asked to. */
static void shade(const void *program, struct raster_batch *batch)
{
    memcpy(batch->color[0], batch->input[0], sizeof(batch->color[0]));
    for (unsigned l = 0; l < batch->group_count * RASTER_GROUP_LANES && program; l++)
        if (((unsigned)batch->x[l] + (unsigned)batch->y[l]) % 3 == 0)
            batch->covered &= ~(UINT64_C(1) << l);
}

static struct raster_stencil any_stencil(void)
{
    if (random_below(3) == 0) /* a read that changes nothing */
        return (struct raster_stencil){
            true, RASTER_EQUAL, RASTER_KEEP, RASTER_KEEP, RASTER_KEEP, (uint8_t)random_below(3), 255, 255};
    return (struct raster_stencil){
        .enable = random_below(3) != 0,
        .func = (uint8_t)(random_below(2) ? RASTER_ALWAYS : random_below(8)),
        .fail = (uint8_t)random_below(8),
        .zfail = (uint8_t)random_below(8),
        .pass = (uint8_t)random_below(8),
        .ref = (uint8_t)random_below(4),
        .mask = random_below(4) ? 255 : 5,
        .write_mask = random_below(4) ? 255 : (uint8_t)(2 + random_below(2)),
    };
}

static void any_state(struct raster_draw_state *s)
{
    static const uint8_t common[] = {RASTER_LESS, RASTER_LEQUAL, RASTER_LEQUAL, RASTER_GREATER, RASTER_ALWAYS};

    memset(s, 0, sizeof(*s));
    s->rasterizer.fill_front = s->rasterizer.fill_back = RASTER_FILL_SOLID;
    s->rasterizer.half_pixel_center = true;
    s->rasterizer.depth_clamp = random_below(16) == 0;
    s->rasterizer.point_quad_rasterization = s->rasterizer.point_tri_clip = true;
    s->rasterizer.line_width = random_below(3) ? 1.0f : 12.0f * random_unit();
    s->viewport = (struct raster_rect){0, 0, WIDTH, HEIGHT};
    s->depth_max = 1.0f;
    s->depth_test = random_below(4) != 0;
    s->depth_write = random_below(4) != 0;
    s->depth_func = random_below(3) ? common[random_below(ARRAY_COUNT(common))] : (uint8_t)random_below(8);
    s->depth_bounds = random_below(16) == 0;
    s->bounds_max = random_unit();
    if (random_below(2)) {
        s->stencil = any_stencil();
        s->two_sided_stencil = random_below(3) == 0;
        s->stencil_back = any_stencil();
    }
    s->color_write_mask[0] = random_below(2) ? 15 : 0;
    s->program_kills = random_below(8) == 0;
    s->program_reads_position = s->program_kills;
    s->program = s->program_kills ? s : NULL;
    s->shade = shade;
    s->input_count = 1;
    s->interpolation[0] = RASTER_FLAT;
    s->input_mask[0] = 15;
}

static void place(struct raster_vertex *v, float x, float y, float z, float color)
{
    *v = (struct raster_vertex){.x = x, .y = y, .z = z, .rhw = 1.0f};
    for (unsigned c = 0; c < 4; c++)
        v->input[0][c] = color;
}

/* A rectangle, often on the edges of blocks, level or sloping; or a triangle. */
static void draw_shape(struct raster *raster)
{
    const bool on_blocks = random_below(4) != 0, level = random_below(2);
    const float grid = on_blocks ? 8.0f : 1.0f, color = random_unit();
    const float left = (float)random_below(WIDTH / 2 / (unsigned)grid) * grid;
    const float top = (float)random_below(HEIGHT / 2 / (unsigned)grid) * grid;
    const float right = random_below(2) ? WIDTH : left + (float)(1 + random_below(WIDTH / 2 / (unsigned)grid)) * grid;
    const float bottom = random_below(2) ? HEIGHT : top + (float)(1 + random_below(HEIGHT / 2 / (unsigned)grid)) * grid;
    const float z = (float)random_below(6) / 4.0f - 0.1f, slope_x = level ? 0.0f : random_unit() - 0.5f;
    const float slope_y = level ? 0.0f : random_unit() - 0.5f;
    struct raster_vertex v[4];

    place(&v[0], left, top, z, color);
    place(&v[1], right, top, z + slope_x, color);
    place(&v[2], left, bottom, z + slope_y, color);
    place(&v[3], right, bottom, z + slope_x + slope_y, color);
    raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
    if (random_below(8))
        raster_triangle(raster, &v[2], &v[1], &v[3], &v[2], 7);
}

/* Fans, which cover blocks together; lines and points of all widths; anywhere, near and far. */
static void draw_pieces(struct raster *raster)
{
    const float z = (float)random_below(6) / 4.0f - 0.1f, x = random_unit() * WIDTH, y = random_unit() * HEIGHT,
                size = 4.0f + 60.0f * random_unit();
    const unsigned kind = random_below(3), count = 8 + random_below(8);
    struct raster_vertex v[3];

    place(&v[0], x, y, z, random_unit());
    place(&v[1], x + size, y, z, random_unit());
    for (unsigned i = 0; i < count; i++) {
        /* around a square */
        const float side = 4.0f * (float)(i + 1) / (float)count, part = side - (float)(int)side;
        const float around[2] = {side < 1   ? 1
                                 : side < 2 ? 1 - 2 * part
                                 : side < 3 ? -1
                                            : 2 * part - 1,
                                 side < 1   ? 2 * part - 1
                                 : side < 2 ? 1
                                 : side < 3 ? 1 - 2 * part
                                            : -1};

        place(&v[2], x + size * around[0], y + size * around[1], z, random_unit());
        if (kind == 0)
            raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
        else if (kind == 1)
            raster_line(raster, &v[1], &v[2], &v[1], random_below(2));
        else
            raster_point(raster, &v[2], 1.0f + (random_below(2) ? 3.0f : 14.0f) * random_unit());
        v[1] = v[2];
    }
}

static void draw_layer(struct raster *raster)
{
    struct raster_draw_state state;

    if (random_below(8) == 0) {
        const struct raster_rect rect = {(int)random_below(3) * 8, (int)random_below(20),
                                         WIDTH - (int)random_below(3) * 8, HEIGHT};

        raster_clear(raster, (1 + random_below(3)) * RASTER_CLEAR_DEPTH, &rect, 0, (float)random_below(5) / 4.0f,
                     random_below(3));
        return;
    }
    any_state(&state);
    raster_set_state(raster, &state);
    if (random_below(2))
        draw_shape(raster);
    else
        draw_pieces(raster);
}

enum flushes { AFTER_EACH, AT_THE_END, OF_COLORS };

static void draw(struct raster *raster, enum raster_format format, uint32_t from, enum flushes flushes,
                 struct picture *out)
{
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    const unsigned bytes = raster_format_info(format)->block_bytes;
    struct raster_targets targets = {
        .color[0] = {(uint8_t *)out->color[0], WIDTH * 4, WIDTH, HEIGHT, RASTER_FORMAT_A8R8G8B8, 0},
        .depth = {(uint8_t *)out->depth, WIDTH * bytes, WIDTH, HEIGHT, format, 0},
    };

    memset(out, 0, sizeof(*out));
    random_seed = from;
    raster_set_targets(raster, &targets);
    if (random_below(4))
        raster_clear(raster, RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0, random_below(2) ? 1.0f : 0.5f,
                     random_below(4));
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        draw_layer(raster);
        if (flushes == AFTER_EACH)
            raster_flush(raster);
        else if (flushes == OF_COLORS && (from + layer) % 3)
            raster_flush_colors(raster);
        if (layer % 5 == 4) {
            targets.color[0].pixels = (uint8_t *)out->color[layer & 1];
            raster_set_targets(raster, &targets);
        }
    }
    raster_flush(raster);
}

static void test_cache_changes_nothing(void **unused)
{
    struct picture *flushed = mem_alloc_aligned(3 * sizeof(*flushed)), *fast = flushed + 1, *frames = flushed + 2;

    (void)unused;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        struct raster *raster = raster_create((enum cpu_level)level, 1),
                      *more = raster_create((enum cpu_level)level, 3);

        for (uint32_t round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
            static const enum raster_format formats[] = {RASTER_FORMAT_D24S8, RASTER_FORMAT_D24X4S4, RASTER_FORMAT_D16,
                                                         RASTER_FORMAT_D24S8, RASTER_FORMAT_D15S1,   RASTER_FORMAT_D32F,
                                                         RASTER_FORMAT_D24S8, RASTER_FORMAT_D24FS8,  RASTER_FORMAT_D32};
            const enum raster_format format = formats[round % ARRAY_COUNT(formats)];

            draw(raster, format, round * 7919 + 1, AFTER_EACH, flushed);
            draw(raster, format, round * 7919 + 1, AT_THE_END, fast);
            draw(round % 4 ? raster : more, format, round * 7919 + 1, OF_COLORS, frames);
            if (memcmp(flushed, fast, sizeof(*flushed)) || memcmp(flushed, frames, sizeof(*flushed)))
                fail_msg("level %d, round %u: other pixels", level, (unsigned)round);
        }
        raster_destroy(raster);
        raster_destroy(more);
    }
    mem_free_aligned(flushed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
