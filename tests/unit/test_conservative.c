/* SPDX-License-Identifier: MIT */
/*
 * Conservative rasterization by the tests of Microsoft's specification ("IHV-Bring-up Test", "Conformance Tests"), with the
 * numbers worked out in docs/reference/conservative-rules.md, section 6; section 7 says where the document contradicts itself;
 * pixel centres are half-integer, positions in pixels. Vertex order is the document's: several of its triangles are
 * counter-clockwise, so culling is off unless a test is about it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/unit/sample_planes.h"

#define SIDE 64

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    struct raster_targets targets;
    unsigned width, height, samples;
    _Alignas(64) uint32_t color_memory[RASTER_MAX_SAMPLES * SIDE * SIDE],
        depth_memory[RASTER_MAX_SAMPLES * SIDE * SIDE];
    uint32_t color[RASTER_MAX_SAMPLES][SIDE * SIDE], depth[RASTER_MAX_SAMPLES][SIDE * SIDE]; /* the results found by
                                                                                              * finish */
};

/* red: 1 where shaded; green: inner; blue: front-facing; alpha: input 0.x */
static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        batch->color[0][0][l] = 1.0f;
        batch->color[0][1][l] = batch->inner >> l & 1 ? 1.0f : 0.0f;
        batch->color[0][2][l] = batch->front_facing[l / RASTER_QUAD_LANES] ? 1.0f : 0.0f;
        batch->color[0][3][l] = batch->input[0][0][l];
    }
}

static struct canvas *canvas_create(unsigned width, unsigned height, unsigned samples)
{
    struct canvas *c = mem_alloc_aligned(sizeof(*c));

    c->width = width;
    c->height = height;
    c->samples = samples ? samples : 1;
    c->raster = raster_create(cpu_level_detected(), 1);
    c->targets.color[0] = sample_surface(c->color_memory, RASTER_FORMAT_A8R8G8B8, width, height, samples);
    c->targets.depth = sample_surface(c->depth_memory, RASTER_FORMAT_D24S8, width, height, samples);
    raster_set_targets(c->raster, &c->targets);
    c->state.viewport = (struct raster_rect){0, 0, (int)width, (int)height};
    c->state.depth_max = 1.0f;
    c->state.rasterizer.fill_front = c->state.rasterizer.fill_back = RASTER_FILL_SOLID;
    c->state.rasterizer.half_pixel_center = c->state.rasterizer.multisample = true;
    c->state.rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_PRE_SNAP;
    c->state.inner_coverage = true;
    c->state.sample_mask = 0xffff;
    c->state.color_write_mask[0] = 15;
    c->state.shade = shade;
    c->state.input_count = 1;
    c->state.input_mask[0] = 15;
    return c;
}

static void canvas_destroy(struct canvas *c)
{
    raster_destroy(c->raster);
    mem_free_aligned(c);
}

static void finish(struct canvas *c)
{
    raster_flush(c->raster);
    sample_planes(&c->targets.color[0], c->color, sizeof(c->color[0]), SIDE * 4);
    sample_planes(&c->targets.depth, c->depth, sizeof(c->depth[0]), SIDE * 4);
}

static void draw(struct canvas *c, const double p[3][2])
{
    struct raster_rect all = {0, 0, (int)c->width, (int)c->height};
    struct raster_vertex v[3];

    memset(v, 0, sizeof(v));
    for (unsigned i = 0; i < 3; i++) {
        v[i].x = (float)p[i][0];
        v[i].y = (float)p[i][1];
        v[i].z = 0.25f * (float)i;
        v[i].rhw = 1.0f;
        v[i].input[0][0] = 0.2f + 0.4f * (float)i;
    }
    raster_clear(c->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH, &all, 0, 1.0f, 0);
    raster_set_state(c->raster, &c->state);
    raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
    finish(c);
}

/* Rows of the map: '.' not covered, '#' covered, '@' inner too. */
static void expect_map(const char *name, const struct canvas *c, const char *const *rows)
{
    for (unsigned y = 0; y < c->height; y++)
        for (unsigned x = 0; x < c->width; x++) {
            uint32_t pixel = c->color[0][y * SIDE + x];
            char got = !(pixel & 0xff0000) ? '.' : pixel & 0xff00 ? '@' : '#';

            if (got != rows[y][x])
                fail_msg("%s: pixel (%u, %u) is '%c' instead of '%c'", name, x, y, got, rows[y][x]);
        }
}

/* clang-format off */
/* Coordinates in 1/256 px, except E's, F's and G's, which snapping changes. */
#define SP(x0, y0, x1, y1, x2, y2)                                                                                     \
    {                                                                                                                  \
        {(x0) / 256.0, (y0) / 256.0}, {(x1) / 256.0, (y1) / 256.0}, {(x2) / 256.0, (y2) / 256.0}                       \
    }
/* clang-format on */

static const struct {
    const char *name;
    unsigned width, height;
    double p[3][2];
    const char *standard[4], *conservative[4];
} conformance[] = {
    {"IHV bring-up", 2, 2, {{0, 1}, {2, 1}, {1, 0.5}}, {"..", ".."}, {"##", "##"}},
    {"half-pixel uncertainty (d = 1/512)",
     4,
     4,
     SP(385, 385, 385, 639, 639, 385),
     {"....", "....", "....", "...."},
     {"....", ".##.", ".##.", "...."}},
    {"half-pixel uncertainty (d = 0)",
     4,
     4,
     SP(384, 384, 384, 640, 640, 384),
     {"....", ".#..", "....", "...."},
     {"....", ".##.", ".##.", "...."}},
    {"1/256 uncertainty (d = 2/256 px)",
     3,
     3,
     SP(258, 258, 258, 510, 510, 258),
     {"...", "...", "..."},
     {"...", ".#.", "..."}},
    {"1/256 uncertainty (d = 1/256 px)",
     3,
     3,
     SP(257, 257, 257, 511, 511, 257),
     {"...", "...", "..."},
     {"...", ".#.", "..."}},
    {"top-left rule on the uncertainty region",
     4,
     4,
     SP(1, 768, 513, 256, 768, 768),
     {"....", "....", ".##.", "...."},
     {".##.", "###.", "####", "####"}},
    {"inner coverage",
     3,
     3,
     {{-3 / 512.0, 3}, {1539 / 512.0, 3}, {1.5, -3 / 256.0}},
     {".#.", ".#.", "###"},
     {"###", "#@#", "###"}},
    {"degenerate triangle", 3, 1, {{0, 0}, {3, 1 / 4096.0}, {3, 0}}, {"..."}, {"###"}},
    {"degenerate on a pixel boundary", 2, 1, {{1, 1}, {1, 0}, {1023 / 1024.0, 0}}, {".."}, {"##"}},
};

static void test_conformance(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(conformance); i++) {
        struct canvas *c = canvas_create(conformance[i].width, conformance[i].height, 0);

        draw(c, conformance[i].p);
        expect_map(conformance[i].name, c, conformance[i].conservative);
        c->state.rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_OFF;
        draw(c, conformance[i].p);
        expect_map(conformance[i].name, c, conformance[i].standard);
        canvas_destroy(c);
    }
}

/* vkd3d-proton's triangle: 180 pixels touched, 84 of them entirely inside. */
static void test_counts(void **state)
{
    static const double p[3][2] = {{24, 24}, {8, 24}, {16, 8}};
    struct canvas *c = canvas_create(32, 32, 0);
    unsigned covered = 0, inner = 0;

    (void)state;
    draw(c, p);
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        covered += (c->color[0][i] & 0xff0000) != 0;
        inner += (c->color[0][i] & 0xff00) != 0;
    }
    assert_int_equal(covered, 180);
    assert_int_equal(inner, 84);
    canvas_destroy(c);
}

static const double degenerate[3][2] = {{0, 0}, {3, 1 / 4096.0}, {3, 0}};

/* Back-facing whatever front_ccw says, with the values of vertex 0, and removed by back-face culling; tier 1 drops
 * it. */
static void test_degenerate_triangles(void **state)
{
    static const char *const all[] = {"###"}, *const none[] = {"..."};
    struct canvas *c = canvas_create(3, 1, 0);

    (void)state;
    for (unsigned ccw = 0; ccw < 2; ccw++) {
        c->state.rasterizer.front_ccw = ccw;
        draw(c, degenerate);
        for (unsigned x = 0; x < 3; x++) {
            assert_int_equal(c->color[0][x] & 0xff, 0);
            assert_int_equal(c->color[0][x] >> 24, 0x33);
        }
    }
    c->state.rasterizer.cull_mode = RASTER_CULL_FRONT;
    draw(c, degenerate);
    expect_map("cull front", c, all);
    c->state.rasterizer.cull_mode = RASTER_CULL_BACK;
    draw(c, degenerate);
    expect_map("cull back", c, none);
    c->state.rasterizer.cull_mode = RASTER_CULL_NONE;
    c->state.rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_POST_SNAP;
    draw(c, degenerate);
    expect_map("tier 1", c, none);
    canvas_destroy(c);
}

/* A point in the corner of four pixels belongs to all of them: contact of both axes is not enough, 1/512 is. */
static void test_degenerate_point(void **state)
{
    static const double corner[3][2] = {{2, 2}, {2, 2}, {2, 2}}, centre[3][2] = {{1.5, 1.5}, {1.5, 1.5}, {1.5, 1.5}};
    static const char *const four[] = {"....", ".##.", ".##.", "...."}, *const one[] = {"....", ".#..", "....", "...."};
    struct canvas *c = canvas_create(4, 4, 0);

    (void)state;
    draw(c, corner);
    expect_map("point on a corner", c, four);
    draw(c, centre);
    expect_map("point in a centre", c, one);
    canvas_destroy(c);
}

/* Every sample of a touched pixel is covered; the sample mask removes samples, but not inner coverage. */
static void test_multisampling(void **state)
{
    struct canvas *c = canvas_create(3, 3, 4);

    (void)state;
    draw(c, conformance[6].p);
    for (unsigned s = 0; s < 4; s++)
        for (unsigned i = 0; i < 9; i++)
            assert_int_equal(c->color[s][i / 3 * SIDE + i % 3] & 0xff0000, 0xff0000);
    c->state.sample_mask = 4;
    draw(c, conformance[6].p);
    for (unsigned s = 0; s < 4; s++)
        assert_int_equal(c->color[s][SIDE + 1] & 0xffff00, s == 2 ? 0xffff00 : 0);
    canvas_destroy(c);
}

/* Depth is extrapolated to the pixel's centre, then clamped to the viewport's range. */
static void test_depth_clamp(void **state)
{
    static const double sliver[3][2] = {{0.9, 0.1}, {1.0, 3.9}, {0.95, 2}};
    struct canvas *c = canvas_create(4, 4, 0);

    (void)state;
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_ALWAYS;
    c->state.depth_min = 0.125f;
    c->state.depth_max = 0.5f;
    draw(c, sliver);
    for (unsigned y = 0; y < 4; y++) {
        uint32_t depth = c->depth[0][y * SIDE] >> 8;

        assert_in_range(depth, 0x1fffff, 0x800000);
    }
    canvas_destroy(c);
}

/* Dilation by half a pixel reaches one pixel farther. */
static void test_dilate(void **state)
{
    static const double small[3][2] = {{2.4, 2.4}, {2.6, 2.4}, {2.5, 2.6}};
    static const char *const one[] = {".....", ".....", "..#..", ".....", "....."};
    static const char *const nine[] = {".....", ".###.", ".###.", ".###.", "....."};
    struct canvas *c = canvas_create(5, 5, 0);

    (void)state;
    draw(c, small);
    expect_map("no dilation", c, one);
    c->state.rasterizer.conservative_raster_dilate = 0.5f;
    draw(c, small);
    expect_map("dilated", c, nine);
    canvas_destroy(c);
}

/* It does not affect inner coverage, whose region is the document's 1/256 px, whatever the outer region is. */
static void test_dilation_keeps_inner(void **state)
{
    static const double large[3][2] = {{1, 1}, {15, 2}, {4, 15}};
    struct canvas *c = canvas_create(16, 16, 0);

    (void)state;
    for (unsigned quarters = 0; quarters <= 4; quarters++) {
        unsigned covered = 0, inner = 0;

        c->state.rasterizer.conservative_raster_dilate = 0.25f * (float)quarters;
        draw(c, large);
        for (unsigned i = 0; i < SIDE * SIDE; i++) {
            covered += (c->color[0][i] & 0xff0000) != 0;
            inner += (c->color[0][i] & 0xff00) != 0;
        }
        assert_int_equal(inner, 71);
        assert_true(covered > 110 + 4 * quarters);
    }
    canvas_destroy(c);
}

/* "The same way as if all samples are covered when Conservative Rasterization is not enabled": each sample has its own
 * depth. Inside a triangle that covers everything, depth is the same as in standard rasterization. */
static void test_depth_of_samples(void **state)
{
    const struct raster_rect all = {0, 0, 16, 16};
    struct canvas *c = canvas_create(16, 16, 4);
    uint32_t standard[RASTER_MAX_SAMPLES][SIDE * SIDE];

    (void)state;
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_ALWAYS;
    for (unsigned on = 0; on < 2; on++) {
        struct raster_vertex v[3];

        memset(v, 0, sizeof(v));
        v[0] = (struct raster_vertex){.x = -20, .y = -20, .z = 0.0f, .rhw = 1};
        v[1] = (struct raster_vertex){.x = 80, .y = -20, .z = 1.0f, .rhw = 1};
        v[2] = (struct raster_vertex){.x = -20, .y = 80, .z = 0.5f, .rhw = 1};
        c->state.rasterizer.conservative_raster_mode = on ? RASTER_CONSERVATIVE_PRE_SNAP : RASTER_CONSERVATIVE_OFF;
        raster_clear(c->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH, &all, 0, 1, 0);
        raster_set_state(c->raster, &c->state);
        raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
        finish(c);
        if (!on)
            memcpy(standard, c->depth, sizeof(standard));
        for (unsigned s = 0; s < 4; s++)
            for (unsigned y = 0; y < 16; y++)
                assert_memory_equal(&c->depth[s][y * SIDE], &standard[s][y * SIDE], 16 * sizeof(uint32_t));
    }
    assert_int_not_equal(standard[0][0], standard[1][0]);
    canvas_destroy(c);
}

/* --- interactions -------------------------------------------------------------------------------- */

static unsigned helpers_seen, helpers_wrong;

/* "Helper Pixel interaction": pixels that are shaded for their neighbours' derivatives have no coverage of either kind. */
static void shade_helpers(const void *program, struct raster_batch *batch)
{
    shade(program, batch);
    for (unsigned l = 0; l < batch->group_count * RASTER_GROUP_LANES; l++) {
        if (batch->covered >> l & 1)
            continue;
        helpers_seen++;
        helpers_wrong += (batch->inner >> l & 1) || batch->input[0][0][l] != 0.0f;
    }
}

static void test_helper_pixels(void **state)
{
    static const double slanted[3][2] = {{1.3, 1.2}, {14.1, 5.5}, {3.7, 13.9}};
    struct canvas *c = canvas_create(16, 16, 0);

    (void)state;
    c->state.shade = shade_helpers;
    c->state.coverage_input = 0;
    for (unsigned source = RASTER_COVERAGE_INPUT; source <= RASTER_COVERAGE_INNER; source++) {
        c->state.coverage = (uint8_t)source;
        helpers_seen = helpers_wrong = 0;
        draw(c, slanted);
        assert_true(helpers_seen > 20);
        assert_int_equal(helpers_wrong, 0);
    }
    canvas_destroy(c);
}

static float greatest_w;

/* As shade; alpha is the input's second component, and the program reads eye w. */
static void shade_w(const void *program, struct raster_batch *batch)
{
    shade(program, batch);
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        if (!(batch->covered >> l & 1))
            continue;
        batch->color[0][3][l] = batch->input[0][1][l];
        greatest_w = batch->w[l] > greatest_w ? batch->w[l] : greatest_w;
        if (!(batch->w[l] > 0.0f) || !(batch->input[0][2][l] >= 0.0f && batch->input[0][2][l] <= 1.0f))
            greatest_w = 1e30f;
    }
}

/* "Must never produce false negatives": pixels are drawn where 1/w is extrapolated to 0 or below. (The document asks for a
 * guard there of implementations that clip distances pixel by pixel, to which w matters; planes are clipped before here.)
 * 1/w falls from 1 to 0.02 along x and is below 0 a pixel further. Inputs stay finite there: one that is the same at all
 * corners is what it is, one that w alone makes slope stays between its corners, and w is at most twice the farthest one's. */
static void test_extrapolated_w(void **state)
{
    const struct raster_rect all = {0, 0, 8, 8};
    static const uint8_t orders[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    struct canvas *c = canvas_create(8, 8, 0);

    (void)state;
    c->state.shade = shade_w;
    c->state.fog_mode = RASTER_FOG_LINEAR;
    c->state.fog_from_w = true;
    c->state.fog_start = 1e20f;
    c->state.fog_end = 1e21f;
    for (unsigned order = 0; order < 3; order++) {
        const struct raster_vertex corner[3] = {
            {.x = 2.9f, .y = 2.1f, .rhw = 1.0f, .input = {{0, 0.4f, 0.5f, 0}}},
            {.x = 4.1f, .y = 2.5f, .rhw = 0.02f, .input = {{0, 0.4f, 0.5f, 0}}},
            {.x = 2.9f, .y = 2.9f, .rhw = 1.0f, .input = {{0, 0.4f, 0.5f, 0}}},
        };
        const struct raster_vertex *const v[3] = {&corner[orders[order][0]], &corner[orders[order][1]],
                                                  &corner[orders[order][2]]};

        greatest_w = 0.0f;
        raster_clear(c->raster, RASTER_CLEAR_COLOR, &all, 0, 1, 0);
        raster_set_state(c->raster, &c->state);
        raster_triangle(c->raster, v[0], v[1], v[2], v[0], 7);
        finish(c);
        for (unsigned x = 0; x < 8; x++)
            assert_int_equal(c->color[0][2 * SIDE + x] & 0xffff0000, x >= 2 && x <= 4 ? 0x66ff0000 : 0);
        assert_true(greatest_w > 50.0f && greatest_w < 100.001f);
    }
    canvas_destroy(c);
}

/* The same in blocks that are drawn whole: a floor to the horizon, whose last rows are extrapolated. */
static void test_extrapolated_w_of_blocks(void **state)
{
    const struct raster_rect all = {0, 0, 32, 32};
    struct raster_vertex v[3];
    struct canvas *c = canvas_create(32, 32, 0);

    (void)state;
    memset(v, 0, sizeof(v));
    v[0] = (struct raster_vertex){.x = -500, .y = 32, .rhw = 1.0f, .input = {{0, 0.4f, 0.5f, 0}}};
    v[1] = (struct raster_vertex){.x = 16, .y = 7.9f, .rhw = 0.0001f, .input = {{0, 0.4f, 0.5f, 0}}};
    v[2] = (struct raster_vertex){.x = 532, .y = 32, .rhw = 1.0f, .input = {{0, 0.4f, 0.5f, 0}}};
    c->state.shade = shade_w;
    c->state.fog_mode = RASTER_FOG_LINEAR;
    c->state.fog_from_w = true;
    c->state.fog_start = 1e20f;
    c->state.fog_end = 1e21f;
    greatest_w = 0.0f;
    raster_clear(c->raster, RASTER_CLEAR_COLOR, &all, 0, 1, 0);
    raster_set_state(c->raster, &c->state);
    raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
    finish(c);
    for (unsigned i = 0; i < 32 * 32; i++) {
        const uint32_t pixel = c->color[0][i / 32 * SIDE + i % 32];

        if (i / 32 == 7)
            assert_int_equal(pixel != 0, i % 32 >= 13 && i % 32 <= 18);
        if (i / 32 < 7)
            assert_int_equal(pixel, 0);
        if (pixel || i / 32 > 8)
            assert_int_equal(pixel & 0xffff0000, 0x66ff0000);
    }
    assert_true(greatest_w < 20000.1f);
    canvas_destroy(c);
}

/* "Query interaction": each rasterized pixel counts as fully covered. */
static void test_queries(void **state)
{
    static const double between[3][2] = {{0, 1}, {2, 1}, {1, 0.5}};
    struct canvas *c = canvas_create(2, 2, 0);
    struct raster_statistics before, after;

    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        c->state.rasterizer.conservative_raster_mode = on ? RASTER_CONSERVATIVE_PRE_SNAP : RASTER_CONSERVATIVE_OFF;
        raster_get_statistics(c->raster, &before);
        draw(c, between);
        raster_get_statistics(c->raster, &after);
        assert_int_equal(after.fragments - before.fragments, on ? 4 : 0);
    }
    canvas_destroy(c);
}

/* "Depth/Stencil Test interaction": depth that the program gives replaces the extrapolated one, so the test comes after
 * it: pixel 0 passes although the triangle lies behind everything. */
static void shade_near(const void *program, struct raster_batch *batch)
{
    shade(program, batch);
    for (unsigned l = 0; l < RASTER_LANES; l++)
        batch->z[l] = 0.125f;
}

static void test_output_depth(void **state)
{
    static const double whole[3][2] = {{-4, -4}, {12, -4}, {-4, 12}};
    const struct raster_rect all = {0, 0, 2, 2};
    struct canvas *c = canvas_create(2, 2, 0);
    struct raster_vertex v[3];

    (void)state;
    memset(v, 0, sizeof(v));
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_LESS;
    for (unsigned writes = 0; writes < 2; writes++) {
        c->state.shade = writes ? shade_near : shade;
        c->state.program_kills = writes; /* callers must say this for programs that write depth */
        raster_clear(c->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH, &all, 0, 0.25f, 0);
        raster_set_state(c->raster, &c->state);
        for (unsigned i = 0; i < 3; i++)
            v[i] = (struct raster_vertex){.x = (float)whole[i][0], .y = (float)whole[i][1], .z = 0.75f, .rhw = 1};
        raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
        finish(c);
        assert_int_equal((c->color[0][0] & 0xff0000) != 0, writes);
        assert_int_equal(c->depth[0][0] >> 8, writes ? 0x200000 : 0x400000);
    }
    canvas_destroy(c);
}

/* More bits an axis: a finer grid, and a smaller region around it. The triangle ends 1/1024 px before the pixels of
 * column 2, which the plain grid cannot distinguish from touching them. A triangle that is too large for the extra bits
 * does not use them. */
static void test_subpixel_precision(void **state)
{
    static const double corner[3][2] = {{1.25, 1.25}, {2 - 1.0 / 1024, 1.25}, {1.25, 2 - 1.0 / 1024}};
    static const double beyond[3][2] = {{-15000, 2 - 1.0 / 1024}, {15000, 2 - 1.0 / 1024}, {0, -15000}};
    static const struct {
        uint8_t x, y;
        const char *map[4];
    } cases[] = {
        {0, 0, {"....", ".##.", ".#..", "...."}},     {4, 0, {"....", ".#..", ".#..", "...."}},
        {0, 4, {"....", ".##.", "....", "...."}},     {4, 4, {"....", ".#..", "....", "...."}},
        {200, 200, {"....", ".#..", "....", "...."}},
    };
    struct canvas *c = canvas_create(4, 4, 0);

    (void)state;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        c->state.rasterizer.subpixel_precision_x = cases[i].x;
        c->state.rasterizer.subpixel_precision_y = cases[i].y;
        draw(c, corner);
        expect_map("precision", c, cases[i].map);
        draw(c, beyond); /* of any size: its lower edge is as exact as the small one's */
        assert_int_equal((c->color[0][2 * SIDE + 1] & 0xff0000) != 0, cases[i].y == 0);
    }
    canvas_destroy(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conformance),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_degenerate_triangles),
        cmocka_unit_test(test_degenerate_point),
        cmocka_unit_test(test_multisampling),
        cmocka_unit_test(test_depth_clamp),
        cmocka_unit_test(test_dilate),
        cmocka_unit_test(test_subpixel_precision),
        cmocka_unit_test(test_helper_pixels),
        cmocka_unit_test(test_extrapolated_w),
        cmocka_unit_test(test_extrapolated_w_of_blocks),
        cmocka_unit_test(test_depth_of_samples),
        cmocka_unit_test(test_dilation_keeps_inner),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_output_depth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
