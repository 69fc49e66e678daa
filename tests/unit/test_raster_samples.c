/* SPDX-License-Identifier: MIT */
/*
 * Multisampled targets: testing and storing all samples of blocks and groups at once gives the same as sample by
 * sample. Random triangles are drawn unchanged, sometimes without running the program, which only copies; and again
 * with a depth clamp that changes nothing and a blend that replaces, neither of which has a fast path.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"
#include "tests/unit/sample_planes.h"

#define WIDTH  90 /* blocks and groups are cut by the border */
#define HEIGHT 77
#define ROUNDS 300
#define SHAPES 12

#define GROUPS (((WIDTH + 3) / 4) * ((HEIGHT + 3) / 4))

/* Planes of samples, and the memory that they come from. */
struct picture {
    uint32_t color[RASTER_MAX_SAMPLES][WIDTH * HEIGHT];
    uint32_t depth[RASTER_MAX_SAMPLES][WIDTH * HEIGHT];
    uint64_t fragments, counted; /* statistics: of pixels, of samples */
};
static _Alignas(64) uint32_t color_memory[RASTER_MAX_SAMPLES * GROUPS * 16],
    depth_memory[RASTER_MAX_SAMPLES * GROUPS * 16];

static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    memcpy(batch->color[0], batch->input[0], sizeof(batch->color[0]));
}

static struct raster_stencil any_stencil(void)
{
    return (struct raster_stencil){.enable = random_below(3) == 0,
                                   .func = (uint8_t)random_below(8),
                                   .fail = (uint8_t)random_below(8),
                                   .zfail = (uint8_t)random_below(8),
                                   .pass = (uint8_t)random_below(8),
                                   .ref = (uint8_t)random_below(4),
                                   .mask = 255,
                                   .write_mask = 255};
}

static void any_state(struct raster_draw_state *s, bool plain)
{
    memset(s, 0, sizeof(*s));
    s->rasterizer.fill_front = s->rasterizer.fill_back = RASTER_FILL_SOLID;
    s->rasterizer.half_pixel_center = true;
    s->rasterizer.multisample = random_below(4) != 0;
    s->rasterizer.depth_clamp = plain;
    s->viewport = (struct raster_rect){0, 0, WIDTH, HEIGHT};
    s->depth_max = 1.0f;
    s->depth_test = random_below(4) != 0;
    s->depth_write = random_below(4) != 0;
    s->depth_func = (uint8_t)(random_below(2) ? RASTER_LEQUAL : random_below(8));
    s->depth_bounds = random_below(16) == 0;
    s->bounds_max = random_unit();
    s->stencil = any_stencil();
    s->blend = (struct raster_blend){.enable = plain,
                                     .src_color = RASTER_BLEND_ONE,
                                     .dst_color = RASTER_BLEND_ZERO,
                                     .src_alpha = RASTER_BLEND_ONE,
                                     .dst_alpha = RASTER_BLEND_ZERO};
    s->color_write_mask[0] = random_below(4) ? 15 : (uint8_t)random_below(16);
    s->sample_mask = random_below(4) ? 0xffff : (uint16_t)random_below(0x10000);
    s->alpha_test = random_below(6) == 0;
    s->alpha_func = RASTER_GEQUAL;
    s->alpha_ref = 128;
    s->alpha_to_coverage = random_below(8) == 0;
    s->fog_mode = random_below(6) ? RASTER_FOG_OFF : RASTER_FOG_LINEAR;
    s->fog_end = 1.0f;
    s->shade = shade;
    s->pass_through = (struct raster_pass_through){.copied = random_below(2) && !plain ? 15 : 0, .components = 15};
    s->input_count = 1;
    s->interpolation[0] = RASTER_PERSPECTIVE;
    s->input_mask[0] = 15;
}

static void draw_shape(struct raster *raster)
{
    const bool small = random_below(3) == 0;
    const float x = random_unit() * WIDTH, y = random_unit() * HEIGHT;
    struct raster_vertex v[3] = {0};

    for (unsigned k = 0; k < 3; k++) {
        v[k].x = small ? x + random_unit() * 14 : random_unit() * 3 * WIDTH - WIDTH;
        v[k].y = small ? y + random_unit() * 14 : random_unit() * 3 * HEIGHT - HEIGHT;
        v[k].z = random_unit();
        v[k].rhw = 1.0f;
        for (unsigned c = 0; c < 4; c++)
            v[k].input[0][c] = random_unit();
    }
    raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
}

static void draw(struct raster *raster, uint32_t from, unsigned samples, enum raster_format color,
                 enum raster_format depth, bool plain, struct picture *out)
{
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    const struct raster_targets targets = {
        .color[0] = sample_surface(color_memory, color, WIDTH, HEIGHT, samples),
        .depth = sample_surface(depth_memory, depth, WIDTH, HEIGHT, samples),
    };

    struct raster_statistics before, after;

    memset(out, 0, sizeof(*out));
    random_seed = from;
    raster_get_statistics(raster, &before);
    raster_set_targets(raster, &targets);
    raster_clear(raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0x80402010, 0.7f, 1);
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        struct raster_draw_state state;

        any_state(&state, plain);
        raster_set_state(raster, &state);
        draw_shape(raster);
    }
    raster_flush(raster);
    raster_get_statistics(raster, &after);
    out->fragments = after.fragments - before.fragments;
    out->counted = after.samples - before.samples;
    sample_planes(&targets.color[0], out->color, sizeof(out->color[0]), WIDTH * 4);
    sample_planes(&targets.depth, out->depth, sizeof(out->depth[0]), WIDTH * 4);
}

static void test_samples(void **unused)
{
    struct picture *plain = mem_alloc_aligned(2 * sizeof(*plain)), *fast = plain + 1;

    (void)unused;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        struct raster *raster = raster_create((enum cpu_level)level, 1);

        for (uint32_t round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
            const enum raster_format color = round / 4 % 2 ? RASTER_FORMAT_R5G6B5 : RASTER_FORMAT_A8R8G8B8;
            const enum raster_format depth = round % 3 ? RASTER_FORMAT_D24S8 : RASTER_FORMAT_D16;
            const unsigned samples = 2u << round % 4;

            draw(raster, round * 7919 + 1, samples, color, depth, true, plain);
            draw(raster, round * 7919 + 1, samples, color, depth, false, fast);
            if (memcmp(plain, fast, sizeof(*plain)))
                fail_msg("level %d, round %u: other samples", level, (unsigned)round);
        }
        raster_destroy(raster);
    }
    mem_free_aligned(plain);
}

/* --- narrow states ------------------------------------------------------------------------------------ */

static void shade_narrow(const void *program, struct raster_batch *batch)
{
    (void)program;
    memcpy(batch->color[0], batch->input[0], RASTER_LANES * 4 * sizeof(int16_t));
}

/* Small triangles of a narrow state, whose colours come only from input 0. mixed: the coordinates of every second
 * triangle are floats. */
static void draw_narrow(struct raster *raster, uint32_t from, unsigned samples, bool mixed, struct picture *out)
{
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    const struct raster_targets targets = {
        .color[0] = sample_surface(color_memory, RASTER_FORMAT_A8R8G8B8, WIDTH, HEIGHT, samples),
        .depth = sample_surface(depth_memory, RASTER_FORMAT_D24S8, WIDTH, HEIGHT, samples),
    };
    struct raster_draw_state state;

    random_seed = from;
    any_state(&state, true);
    state.shade = shade_narrow;
    state.narrow = true;
    state.rasterizer.poly_smooth = random_below(3) == 0;
    state.narrow_inputs = 1;
    state.input_count = 2;
    state.input_mask[1] = 3;
    raster_set_targets(raster, &targets);
    raster_clear(raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0x80402010, 0.7f, 1);
    raster_set_state(raster, &state);
    for (unsigned n = 0; n < 4 * SHAPES; n++) {
        const float x = random_unit() * WIDTH, y = random_unit() * HEIGHT;
        struct raster_vertex v[3] = {0};

        for (unsigned k = 0; k < 3; k++) {
            v[k].x = x + random_unit() * 9;
            v[k].y = y + random_unit() * 9;
            v[k].z = random_unit();
            v[k].rhw = 1.0f;
            for (unsigned c = 0; c < 4; c++)
                v[k].input[0][c] = random_unit();
            v[k].input[1][0] = mixed && n % 2 ? 1000.0f : 0.5f;
        }
        raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
    }
    raster_flush(raster);
    memset(out, 0, sizeof(*out));
    sample_planes(&targets.color[0], out->color, sizeof(out->color[0]), WIDTH * 4);
    sample_planes(&targets.depth, out->depth, sizeof(out->depth[0]), WIDTH * 4);
}

/* A batch has coordinates of one kind, and ends at a primitive with the other kind: no sample of the next group may be
 * included. */
static void test_narrow_batches(void **unused)
{
    struct picture *same = mem_alloc_aligned(2 * sizeof(*same)), *mixed = same + 1;
    struct raster *raster = raster_create(cpu_level_detected(), 1);

    (void)unused;
    for (uint32_t round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
        const unsigned samples = 1u << round % 5;

        draw_narrow(raster, round * 7919 + 1, samples, false, same);
        draw_narrow(raster, round * 7919 + 1, samples, true, mixed);
        if (memcmp(same, mixed, sizeof(*same)))
            fail_msg("round %u, %u samples: other samples", (unsigned)round, samples);
    }
    raster_destroy(raster);
    mem_free_aligned(same);
}

/* --- counts -------------------------------------------------------------------------------------- */

#define CELLS 12 /* of the finest mesh, a side */

/* A mesh over the whole target, of cells x cells quads whose inner corners wobble; its triangles overlap nowhere. */
static void draw_mesh(struct raster *raster, unsigned cells)
{
    struct raster_vertex v[CELLS + 1][CELLS + 1];

    memset(v, 0, sizeof(v));
    for (unsigned y = 0; y <= cells; y++)
        for (unsigned x = 0; x <= cells; x++) {
            const bool inner_x = x > 0 && x<cells, inner_y = y> 0 && y < cells;

            v[y][x].x = WIDTH * ((float)x + (inner_x ? 0.4f * random_unit() - 0.2f : 0.0f)) / (float)cells;
            v[y][x].y = HEIGHT * ((float)y + (inner_y ? 0.4f * random_unit() - 0.2f : 0.0f)) / (float)cells;
            v[y][x].z = 0.5f;
            v[y][x].rhw = 1.0f;
            for (unsigned c = 0; c < 4; c++)
                v[y][x].input[0][c] = 1.0f;
        }
    for (unsigned y = 0; y < cells; y++)
        for (unsigned x = 0; x < cells; x++) {
            raster_triangle(raster, &v[y][x], &v[y][x + 1], &v[y + 1][x], &v[y][x], 7);
            raster_triangle(raster, &v[y + 1][x], &v[y][x + 1], &v[y + 1][x + 1], &v[y + 1][x], 7);
        }
}

/* However fine a mesh is, each sample that it covers and that passes the tests counts once, on every path. */
static void test_each_sample_counts_once(void **unused)
{
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    struct raster *raster = raster_create(cpu_level_detected(), 2);

    (void)unused;
    random_seed = 77 + first_round(400);
    for (unsigned round = first_round(400); round < end_round(400); round++) {
        const unsigned samples = 1u << round % 5, cells = 1 + random_below(CELLS),
                       drawn = random_below(4) ? 0xffff : random_below(0x10000);
        const struct raster_targets targets = {
            .color[0] = sample_surface(color_memory, RASTER_FORMAT_A8R8G8B8, WIDTH, HEIGHT, samples),
            .depth = sample_surface(depth_memory, RASTER_FORMAT_D24S8, WIDTH, HEIGHT, samples),
        };
        const bool fails = random_below(4) == 0, tests = fails || random_below(2), late = random_below(3) == 0;
        struct raster_statistics before, after;
        struct raster_draw_state state;

        any_state(&state, random_below(4) == 0);
        state.stencil.enable = state.depth_bounds = state.alpha_to_coverage = false;
        state.rasterizer.multisample = true;
        state.depth_test = tests;
        state.depth_write = random_below(2);
        state.depth_func = fails ? RASTER_GREATER : RASTER_LESS;
        state.color_write_mask[0] = random_below(3) ? 15 : 0;
        state.alpha_test = late;
        state.sample_mask = (uint16_t)drawn;
        raster_set_targets(raster, &targets);
        raster_clear(raster, RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0, 0.7f, 1);
        raster_flush(raster);
        raster_get_statistics(raster, &before);
        raster_set_state(raster, &state);
        draw_mesh(raster, cells);
        raster_flush(raster);
        raster_get_statistics(raster, &after);
        const unsigned each = samples == 1 ? 1 : (unsigned)__builtin_popcount(drawn & ((1u << samples) - 1));
        const uint64_t expected = fails ? 0 : (uint64_t)WIDTH * HEIGHT * each;
        if (after.samples - before.samples != expected)
            fail_msg("round %u, %u samples, %u cells: %llu counted, not %llu", round, samples, cells,
                     (unsigned long long)(after.samples - before.samples), (unsigned long long)expected);
    }
    raster_destroy(raster);
}

/* --- coverage ----------------------------------------------------------------------------------- */

/* Is a point inside the triangle p, or on a top or left edge of it? Subpixels; p is clockwise on the screen. */
static bool covers(const int64_t p[3][2], int64_t x, int64_t y)
{
    for (unsigned e = 0; e < 3; e++) {
        const int64_t *a = p[e], *b = p[(e + 1) % 3], dx = b[0] - a[0], dy = b[1] - a[1];
        const int64_t side = dx * (y - a[1]) - dy * (x - a[0]);

        if (side < 0 || (side == 0 && !(dy < 0 || (dy == 0 && dx > 0))))
            return false;
    }
    return true;
}

static void white(const void *program, struct raster_batch *batch)
{
    (void)program;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < batch->group_count * RASTER_GROUP_LANES; l++)
            batch->color[0][c][l] = 1.0f;
}

/* Compares each sample of a triangle with exact integers. Returns the number of covered samples. */
static unsigned check_coverage(struct raster *raster, unsigned samples, bool multisample, float size,
                               struct picture *out)
{
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    const struct raster_sample_position *position = raster_sample_positions(samples);
    const struct raster_targets targets = {
        .color[0] = sample_surface(color_memory, RASTER_FORMAT_A8R8G8B8, WIDTH, HEIGHT, samples),
    };
    struct raster_draw_state state = {.shade = white, .sample_mask = 0xffff, .viewport = all};
    struct raster_vertex v[3] = {0};
    int64_t p[3][2];
    unsigned covered = 0;

    state.rasterizer.multisample = multisample;
    state.rasterizer.cull_mode = RASTER_CULL_NONE;
    state.rasterizer.fill_front = state.rasterizer.fill_back = RASTER_FILL_SOLID;
    state.rasterizer.half_pixel_center = true;
    state.color_write_mask[0] = 15;
    memset(color_memory, 0, sizeof(color_memory));
    const float x = random_unit() * WIDTH, y = random_unit() * HEIGHT;

    for (unsigned k = 0; k < 3; k++) {
        p[k][0] = (int64_t)((x + random_unit() * size) * 256.0f);
        p[k][1] = (int64_t)((y + random_unit() * size) * 256.0f);
        v[k].x = (float)p[k][0] / 256.0f;
        v[k].y = (float)p[k][1] / 256.0f;
        v[k].rhw = 1.0f;
    }
    const int64_t area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);

    if (area < 0)
        for (unsigned i = 0; i < 2; i++) {
            const int64_t swapped = p[1][i];

            p[1][i] = p[2][i];
            p[2][i] = swapped;
        }
    raster_set_targets(raster, &targets);
    raster_set_state(raster, &state);
    raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
    raster_flush(raster);
    sample_planes(&targets.color[0], out->color, sizeof(out->color[0]), WIDTH * 4);
    for (unsigned s = 0; s < samples; s++)
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const int64_t at_x = i % WIDTH * 256 + 128 + (multisample ? position[s].x * 16 : 0);
            const int64_t at_y = i / WIDTH * 256 + 128 + (multisample ? position[s].y * 16 : 0);
            const bool want = area && covers((const int64_t(*)[2])p, at_x, at_y);

            if (want != (out->color[s][i] != 0))
                fail_msg("%u samples, size %g: sample %u of (%d, %d)", samples, (double)size, s, i % WIDTH, i / WIDTH);
            covered += want;
        }
    return covered;
}

/* Small triangles and large ones, within the target, beyond its edges and across tiles. */
static void test_coverage(void **unused)
{
    static const float sizes[] = {1.0f, 2.0f, 4.0f, 20.0f, 62.0f, 90.0f};
    struct picture *out = mem_alloc_aligned(sizeof(*out));
    unsigned covered = 0;

    (void)unused;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        struct raster *raster = raster_create((enum cpu_level)level, 1);

        for (unsigned round = first_round(1500); round < end_round(1500); round++)
            covered += check_coverage(raster, 2u << round % 4, round % 16 < 13, sizes[round % ARRAY_COUNT(sizes)], out);
        raster_destroy(raster);
    }
    assert_in_range(covered, 100000 / fewer_rounds(), UINT32_MAX);
    mem_free_aligned(out);
}

/* --- hierarchical Z ------------------------------------------------------------------------------- */

static unsigned shaded; /* fragments that the program was run for */

static void count_shaded(const void *program, struct raster_batch *batch)
{
    white(program, batch);
    shaded += (unsigned)__builtin_popcountll(batch->covered);
}

static void flat_triangle(struct raster *raster, const float p[3][2], float z)
{
    struct raster_vertex v[3] = {0};

    for (unsigned k = 0; k < 3; k++) {
        v[k].x = p[k][0];
        v[k].y = p[k][1];
        v[k].z = z;
        v[k].rhw = 1.0f;
    }
    raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
}

/* Behind a triangle that covers everything, nothing of other triangles is drawn, whether they are tested early or late;
 * triangles in front of it are drawn. A sloping triangle is drawn wherever at least one of its samples needs it. */
static void test_hidden_samples(void **unused)
{
    static const float over_all[3][2] = {{-10, -10}, {400, -10}, {-10, 400}};
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    struct raster *raster = raster_create(cpu_level_detected(), 1);

    (void)unused;
    for (unsigned round = 0; round < 64; round++) {
        const unsigned samples = 2u << round % 4;
        const bool late = round / 4 % 2, small = round / 8 % 2;
        const struct raster_targets targets = {
            .color[0] = sample_surface(color_memory, RASTER_FORMAT_A8R8G8B8, WIDTH, HEIGHT, samples),
            .depth = sample_surface(depth_memory, RASTER_FORMAT_D24S8, WIDTH, HEIGHT, samples),
        };
        struct raster_draw_state state = {.shade = white, .sample_mask = 0xffff, .viewport = all};
        /* away from the border, which cuts blocks */
        const float x = random_unit() * (WIDTH - 24), y = random_unit() * (HEIGHT - 26), size = small ? 5.0f : 20.0f;
        const float p[3][2] = {{x, y}, {x + size, y}, {x, y + size}};

        state.rasterizer.multisample = round / 16 % 2;
        state.rasterizer.fill_front = state.rasterizer.fill_back = RASTER_FILL_SOLID;
        state.color_write_mask[0] = 15;
        state.depth_test = state.depth_write = true;
        state.depth_func = RASTER_LESS;
        raster_set_targets(raster, &targets);
        raster_clear(raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH, &all, 0, 1.0f, 0);
        raster_set_state(raster, &state);
        flat_triangle(raster, over_all, 0.5f);
        state.shade = count_shaded;
        state.program_kills = late;
        raster_set_state(raster, &state);
        shaded = 0;
        flat_triangle(raster, p, 0.6f);
        raster_flush_colors(raster);
        assert_int_equal(shaded, 0);
        flat_triangle(raster, p, 0.4f);
        raster_flush(raster);
        assert_true(shaded >= (unsigned)(size * size / 2.0f - size)); /* centres, at least */
    }
    raster_destroy(raster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),       cmocka_unit_test(test_samples),
        cmocka_unit_test(test_narrow_batches), cmocka_unit_test(test_each_sample_counts_once),
        cmocka_unit_test(test_hidden_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
