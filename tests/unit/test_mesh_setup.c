/* SPDX-License-Identifier: MIT */
/*
 * Drawing as meshes (raster/setup/solid.c), where triangles are set up four at a time and two triangles that form a
 * rectangle become one (raster/setup/rectangle.c), does not change pixels, depth, stencil, counters and the budget:
 * random pairs of triangles, most of them rectangles, and triangles of all sizes, most of them hardly larger than a
 * pixel, are drawn as a mesh, and again one by one. Colours show where quads start.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define WIDTH     201 /* odd, so that the last quads of the target are cut */
#define HEIGHT    134
#define ROUNDS    700
#define QUADS     12
#define TRIANGLES 61 /* the last batch of four is not full */
#define INPUTS    3

struct picture {
    _Alignas(64) uint32_t color[4 * (WIDTH + 3) * (HEIGHT + 3)];
    _Alignas(64) uint32_t depth[4 * (WIDTH + 3) * (HEIGHT + 3)];
    uint64_t fragments, binned, triangles, budget;
};

static unsigned shaded; /* groups that the program was run for */

/* Red and green: the differences of the first input within its quad; blue and alpha: the other inputs. */
static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    shaded += batch->group_count;
    for (unsigned l = 0; l < batch->group_count * RASTER_GROUP_LANES; l++) {
        batch->color[0][0][l] =
            8.0f * (batch->input[0][0][l | 1] - batch->input[0][0][l & ~1u]) + batch->input[0][2][l];
        batch->color[0][1][l] =
            8.0f * (batch->input[0][1][l | 2] - batch->input[0][1][l & ~2u]) + batch->input[0][3][l];
        batch->color[0][2][l] = 3.7f * batch->input[1][0][l] + batch->input[2][0][l];
        batch->color[0][3][l] = batch->input[1][1][l];
    }
}

static void any_state(struct raster_draw_state *s)
{
    struct raster_state *rs = &s->rasterizer;

    memset(s, 0, sizeof(*s));
    rs->fill_front = rs->fill_back = RASTER_FILL_SOLID;
    rs->half_pixel_center = random_below(2);
    rs->bottom_edge_rule = random_below(4) == 0;
    rs->front_ccw = random_below(2);
    rs->cull_mode = random_below(4) ? RASTER_CULL_NONE : RASTER_CULL_FRONT;
    rs->poly_stipple_enable = random_below(12) == 0;
    rs->depth_clamp = random_below(12) == 0;
    rs->multisample = true;
    rs->offset_tri = random_below(4) == 0;
    rs->offset_units = 100.0f;
    rs->offset_scale = 1.0f;
    for (unsigned i = 0; i < 32; i++)
        s->poly_stipple[i] = i & 8 ? 0xffff00ff : 0x55ff00f0;
    s->viewport = (struct raster_rect){(int)random_below(20), (int)random_below(20), WIDTH - (int)random_below(20),
                                       HEIGHT - (int)random_below(20)};
    s->depth_max = 1.0f;
    s->depth_test = random_below(2);
    s->depth_write = random_below(2);
    s->depth_func = random_below(2) ? RASTER_LEQUAL : (uint8_t)random_below(8);
    s->stencil = (struct raster_stencil){.enable = random_below(4) == 0,
                                         .func = RASTER_ALWAYS,
                                         .pass = RASTER_INCR,
                                         .zfail = RASTER_INVERT,
                                         .mask = 255,
                                         .write_mask = 255};
    s->two_sided_stencil = random_below(2);
    s->color_write_mask[0] = 15;
    s->sample_mask = 0xffff;
    s->dither = random_below(8) == 0;
    s->blend.enable = random_below(2);
    s->blend.src_color = s->blend.src_alpha = RASTER_BLEND_SRC_ALPHA;
    s->blend.dst_color = s->blend.dst_alpha = random_below(2) ? RASTER_BLEND_INV_SRC_ALPHA : RASTER_BLEND_ONE;
    s->shade = shade;
    s->program_reads_inputs_alone = random_below(4) == 0;
    s->input_count = INPUTS;
    for (unsigned i = 0; i < INPUTS; i++) {
        s->interpolation[i] = i == 2 ? RASTER_FLAT : RASTER_PERSPECTIVE;
        s->input_mask[i] = 15;
    }
    if (random_below(4) == 0) /* only copies, so that stores are direct */
        s->pass_through = (struct raster_pass_through){.copied = 15, .input = 1, .components = 15};
}

/* A rectangle, an approximate one or none, in one of the orders in which programs give its corners. */
static void any_quad(struct raster_vertex v[4], uint32_t corners[6])
{
    static const uint8_t orders[][6] = {{0, 1, 2, 2, 1, 3}, {0, 1, 3, 0, 3, 2}, {0, 1, 2, 1, 3, 2},
                                        {1, 3, 2, 1, 2, 0}, {2, 1, 0, 3, 1, 2}, {0, 1, 2, 0, 1, 3}};
    static const float sizes[] = {64.0f, 32.0f, 16.0f, 8.0f, 128.0f, 12.0f, 100.0f, 9.0f, 37.5f, 3.0f};
    const uint8_t *order = orders[random_below(ARRAY_COUNT(orders))];
    const float grid = random_below(2) ? 1.0f : 256.0f, shift = random_below(2) ? 0.5f : 0.0f;
    const float x = (float)(int)(random_unit() * WIDTH * grid) / grid - 20.0f - shift;
    const float y = (float)(int)(random_unit() * HEIGHT * grid) / grid - 20.0f - shift;
    const float width = sizes[random_below(ARRAY_COUNT(sizes))], height = sizes[random_below(ARRAY_COUNT(sizes))];
    const float z = random_below(4) ? 0.25f * (float)random_below(5) : random_unit(),
                rhw = random_below(2) ? 1.0f : 0.3f + random_unit();
    const unsigned colors = random_below(4); /* 0: one; 1: along y; 2: of a plane; 3: any */
    const bool sloped = random_below(8) == 0;
    float slope[INPUTS][4][2];

    for (unsigned i = 0; i < INPUTS * 8; i++)
        slope[i / 8][i / 2 % 4][i % 2] = colors == 0 || (colors == 1 && i % 2 == 0) ? 0.0f : random_unit() - 0.5f;
    for (unsigned n = 0; n < 4; n++) {
        const float s = (float)(n & 1), t = (float)(n >> 1);

        v[n] = (struct raster_vertex){.x = x + s * width, .y = y + t * height, .z = z, .rhw = rhw};
        v[n].input[0][0] = s;
        v[n].input[0][1] = t;
        for (unsigned i = 1; i < INPUTS; i++)
            for (unsigned c = 0; c < 4; c++)
                v[n].input[i][c] =
                    0.3f + s * slope[i][c][0] + t * slope[i][c][1] + (colors == 3 ? 0.3f * random_unit() : 0.0f);
        if (sloped)
            v[n].z = random_unit();
    }
    if (random_below(8) == 0) /* a corner that is moved, by little or much */
        v[random_below(4)].x += random_below(2) ? 1.0f / 256.0f : 7.0f;
    if (random_below(2)) /* flat values that agree */
        for (unsigned n = 1; n < 4; n++)
            memcpy(v[n].input[2], v[0].input[2], sizeof(v[n].input[2]));
    for (unsigned i = 0; i < 6; i++)
        corners[i] += order[i];
}

/* Draws triangles together or one by one. */
static void draw_triangles(struct raster *raster, const struct raster_vertex *v, unsigned vertices,
                           const uint32_t *corners, unsigned count, bool mesh)
{
    struct raster_snapped snapped[3 * TRIANGLES];

    raster_snap(raster, v, vertices, snapped);
    if (mesh)
        raster_triangles(raster, v, snapped, corners, count);
    for (unsigned i = 0; i < 3 * count && !mesh; i += 3)
        raster_triangle(raster, &v[corners[i]], &v[corners[i + 1]], &v[corners[i + 2]], &v[corners[i]],
                        RASTER_ALL_EDGES);
}

static void draw_quads(struct raster *raster, bool mesh)
{
    struct raster_vertex v[4 * QUADS];
    uint32_t corners[6 * QUADS];

    memset(v, 0, sizeof(v));
    for (unsigned q = 0; q < QUADS; q++) {
        for (unsigned i = 0; i < 6; i++)
            corners[6 * q + i] = 4 * q;
        any_quad(&v[4 * q], &corners[6 * q]);
    }
    draw_triangles(raster, v, 4 * QUADS, corners, 2 * QUADS, mesh);
}

/* Separate triangles; corners often lie on pixel centres, and sides on rows or columns of them. */
static void draw_soup(struct raster *raster, bool mesh)
{
    static const float sizes[] = {0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 8.0f, 64.0f, 150.0f};
    static struct raster_vertex v[3 * TRIANGLES];
    const unsigned count = 1 + random_below(TRIANGLES);
    uint32_t corners[3 * TRIANGLES];

    for (unsigned t = 0; t < count; t++) {
        const float size = sizes[random_below(random_below(3) ? 5 : ARRAY_COUNT(sizes))],
                    grid = random_below(2) ? 2.0f : 256.0f;
        const float x = (float)(int)(random_unit() * WIDTH * grid) / grid,
                    y = (float)(int)(random_unit() * HEIGHT * grid) / grid;

        for (unsigned c = 0; c < 3; c++) {
            struct raster_vertex *at = &v[3 * t + c];

            *at = (struct raster_vertex){.x = x + (float)(int)(random_unit() * size * grid) / grid,
                                         .y = y + (float)(int)(random_unit() * size * grid) / grid,
                                         .z = random_unit(),
                                         .rhw = 0.3f + random_unit()};
            for (unsigned i = 0; i < INPUTS * 4; i++)
                at->input[i / 4][i % 4] = random_unit();
            corners[3 * t + c] = 3 * t + c;
        }
    }
    draw_triangles(raster, v, 3 * count, corners, count, mesh);
}

typedef void (*draw_fn)(struct raster *raster, bool mesh);

static void draw(struct raster *raster, uint32_t from, draw_fn shapes, bool mesh, struct picture *out)
{
    const unsigned samples = from % 16 == 1 ? 4 : 1, width = WIDTH - from % 3, height = HEIGHT - from % 2;
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    const size_t pitch = samples > 1 ? raster_samples_pitch(RASTER_FORMAT_A8R8G8B8, width, samples) : WIDTH * 4;
    const struct raster_targets targets = {
        .color[0] = {(uint8_t *)out->color, pitch, width, height, RASTER_FORMAT_A8R8G8B8, samples},
        .depth = {(uint8_t *)out->depth, pitch, width, height, RASTER_FORMAT_D24S8, samples},
    };
    struct raster_draw_state states[3];
    struct raster_statistics before, after;

    memset(out, 0, sizeof(*out));
    random_seed = from;
    raster_get_statistics(raster, &before);
    raster_set_targets(raster, &targets);
    raster_set_budget(raster, UINT64_MAX);
    raster_clear(raster, RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0, random_below(2) ? 1.0f : 0.5f, 0);
    raster_set_budget(raster, random_below(4) ? UINT64_MAX : 1 + random_below(150000));
    for (unsigned layer = 0; layer < ARRAY_COUNT(states); layer++) {
        any_state(&states[layer]);
        raster_set_state(raster, &states[layer]);
        shapes(raster, mesh);
    }
    out->budget = raster_get_budget(raster);
    raster_flush(raster);
    raster_get_statistics(raster, &after);
    out->fragments = after.fragments - before.fragments;
    out->binned = after.binned - before.binned;
    out->triangles = after.triangles - before.triangles;
}

/* Draws all rounds in both ways; returns how many groups were shaded, *general: for triangles one by one. */
static unsigned compare(enum cpu_level level, draw_fn shapes, unsigned *general)
{
    struct picture *fast = mem_alloc_aligned(2 * sizeof(*fast)), *slow = fast + 1;
    struct raster *raster = raster_create(level, 1);
    unsigned groups[2] = {0, 0};

    for (uint32_t round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
        shaded = 0;
        draw(raster, round * 7919 + 1, shapes, true, fast);
        groups[0] += shaded;
        shaded = 0;
        draw(raster, round * 7919 + 1, shapes, false, slow);
        groups[1] += shaded;
        if (memcmp(fast, slow, sizeof(*fast)))
            fail_msg("level %d, round %u: other pixels or counters", (int)level, (unsigned)round);
    }
    raster_destroy(raster);
    mem_free_aligned(fast);
    *general = groups[1];
    return groups[0];
}

static void test_rectangles_change_nothing(void **unused)
{
    (void)unused;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        unsigned general;
        const unsigned groups = compare((enum cpu_level)level, draw_quads, &general);

        assert_true(groups < general); /* pixels on diagonals are shaded once */
    }
}

static void test_batches_change_nothing(void **unused)
{
    (void)unused;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        unsigned general;
        const unsigned groups = compare((enum cpu_level)level, draw_soup, &general);

        assert_int_equal(groups, general);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangles_change_nothing),
        cmocka_unit_test(test_batches_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
