/* SPDX-License-Identifier: MIT */
/*
 * Each field of raster_state that the other tests of raster/ do not cover: one test per field, which fails if the field
 * is ignored. Meanings: docs/reference/rasterization.md, section 12; numbers: sections 5 to 10 there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"

#define SIDE 16

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    struct raster_targets targets;
    _Alignas(64) uint32_t color[SIDE * SIDE], depth[SIDE * SIDE];
};

static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    memcpy(batch->color[0], batch->input[0], sizeof(batch->color[0]));
}

static struct canvas *canvas_create(void)
{
    struct canvas *c = mem_alloc_aligned(sizeof(*c));
    struct raster_state *rs = &c->state.rasterizer;

    memset(c, 0, sizeof(*c));
    c->raster = raster_create(cpu_level_detected(), 1);
    c->targets.color[0] = (struct raster_surface){(uint8_t *)c->color, SIDE * 4, SIDE, SIDE, RASTER_FORMAT_A8R8G8B8, 0};
    c->targets.depth = (struct raster_surface){(uint8_t *)c->depth, SIDE * 4, SIDE, SIDE, RASTER_FORMAT_D24S8, 0};
    raster_set_targets(c->raster, &c->targets);
    rs->fill_front = rs->fill_back = RASTER_FILL_SOLID;
    rs->half_pixel_center = rs->point_quad_rasterization = rs->point_tri_clip = true;
    rs->line_width = 1.0f;
    c->state.viewport = (struct raster_rect){0, 0, SIDE, SIDE};
    c->state.depth_max = 1.0f;
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_ALWAYS;
    c->state.color_write_mask[0] = 15;
    c->state.shade = shade;
    c->state.input_count = 3;
    c->state.input_mask[0] = c->state.input_mask[1] = c->state.input_mask[2] = 15;
    return c;
}

static void canvas_destroy(struct canvas *c)
{
    raster_destroy(c->raster);
    mem_free_aligned(c);
}

static void start(struct canvas *c)
{
    struct raster_rect all = {0, 0, SIDE, SIDE};

    raster_clear(c->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH, &all, 0, 1.0f, 0);
    raster_set_state(c->raster, &c->state);
}

static struct raster_vertex vertex(float x, float y, float z)
{
    return (struct raster_vertex){x, y, z, 1.0f, {{1, 1, 1, 1}, {0, 0, 1, 1}}};
}

static void triangle(struct canvas *c, struct raster_vertex a, struct raster_vertex b, struct raster_vertex d)
{
    start(c);
    raster_triangle(c->raster, &a, &b, &d, &a, 7);
    raster_flush(c->raster);
}

/* Clockwise, over the upper left half of the target. */
static void big_triangle(struct canvas *c, float z0, float z1, float z2)
{
    triangle(c, vertex(0, 0, z0), vertex(16, 0, z1), vertex(0, 16, z2));
}

static void line(struct canvas *c, float x0, float y0, float x1, float y1)
{
    struct raster_vertex a = vertex(x0, y0, 0.5f), b = vertex(x1, y1, 0.5f);

    start(c);
    raster_begin_strip(c->raster);
    raster_line(c->raster, &a, &b, &a, true);
    raster_flush(c->raster);
}

static void point(struct canvas *c, float x, float y, float size)
{
    struct raster_vertex a = vertex(x, y, 0.5f);

    start(c);
    raster_point(c->raster, &a, size);
    raster_flush(c->raster);
}

static uint32_t at(const struct canvas *c, unsigned x, unsigned y)
{
    return c->color[y * SIDE + x];
}

static unsigned drawn(const struct canvas *c)
{
    unsigned n = 0;

    for (unsigned i = 0; i < SIDE * SIDE; i++)
        n += c->color[i] != 0;
    return n;
}

/* --- polygons --------------------------------------------------------------------------------- */

static void test_poly_stipple(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    for (unsigned i = 0; i < 32; i++)
        c->state.poly_stipple[i] = i & 1 ? 0 : 0x55555555;
    big_triangle(c, 0, 0, 0);
    assert_int_equal(drawn(c), 120);
    c->state.rasterizer.poly_stipple_enable = true;
    big_triangle(c, 0, 0, 0);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x + y < 15; x++)
            assert_int_equal(at(c, x, y) != 0, !(x & 1) && !(y & 1));
    canvas_destroy(c);
}

/* Half-covered pixels along the diagonal get half of alpha; conservative mode ignores smoothing. */
static void test_poly_smooth(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    c->state.rasterizer.poly_smooth = true;
    big_triangle(c, 0, 0, 0);
    assert_int_equal(at(c, 3, 3) >> 24, 255);
    assert_in_range(at(c, 8, 7) >> 24, 90, 170);
    assert_int_equal(at(c, 9, 8), 0);
    c->state.rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_PRE_SNAP;
    big_triangle(c, 0, 0, 0);
    assert_int_equal(at(c, 8, 7) >> 24, 255);
    canvas_destroy(c);
}

static uint32_t first_depth(const struct canvas *c)
{
    return c->depth[0] >> 8;
}

/* The first or the last corner, with the exceptions of the gallium document. */
static void test_flatshade_first(void **state)
{
    (void)state;
    assert_int_equal(raster_provoking_corner(RASTER_POINTS_AND_LISTS, 3, true), 0);
    assert_int_equal(raster_provoking_corner(RASTER_POINTS_AND_LISTS, 3, false), 2);
    assert_int_equal(raster_provoking_corner(RASTER_POINTS_AND_LISTS, 2, false), 1);
    assert_int_equal(raster_provoking_corner(RASTER_TRIANGLE_FAN, 3, true), 1);
    assert_int_equal(raster_provoking_corner(RASTER_TRIANGLE_FAN, 3, false), 2);
    for (unsigned first = 0; first < 2; first++) {
        assert_int_equal(raster_provoking_corner(RASTER_QUADS, 4, first), 3);
        assert_int_equal(raster_provoking_corner(RASTER_POLYGON, 5, first), 0);
    }
}

/* z rises by 1/32 a pixel in x; bias of solid triangles only with offset_tri. */
static void test_offset(void **state)
{
    struct canvas *c = canvas_create();
    struct raster_state *rs = &c->state.rasterizer;

    (void)state;
    big_triangle(c, 0, 0.5f, 0);
    uint32_t plain = first_depth(c);
    rs->offset_line = rs->offset_point = true;
    rs->offset_units_unscaled = true;
    rs->offset_units = 0.25f;
    big_triangle(c, 0, 0.5f, 0);
    assert_int_equal(first_depth(c), plain);
    rs->offset_tri = true;
    big_triangle(c, 0, 0.5f, 0);
    assert_in_range(first_depth(c), plain + 0x3ffffe, plain + 0x400001);
    rs->offset_units_unscaled = false; /* multiples of 1 / (2^24 - 1) */
    rs->offset_units = 16.0f;
    big_triangle(c, 0, 0.5f, 0);
    assert_in_range(first_depth(c), plain + 15, plain + 17);
    rs->offset_units = 0.0f;
    rs->offset_scale = 4.0f; /* times the slope: 1/8 */
    big_triangle(c, 0, 0.5f, 0);
    assert_in_range(first_depth(c), plain + 0x1ffffe, plain + 0x200001);
    rs->offset_clamp = 1 / 16.0f;
    big_triangle(c, 0, 0.5f, 0);
    assert_in_range(first_depth(c), plain + 0x0ffffe, plain + 0x100001);
    rs->offset_clamp = -1 / 16.0f; /* a lower bound: no effect here */
    big_triangle(c, 0, 0.5f, 0);
    assert_in_range(first_depth(c), plain + 0x1ffffe, plain + 0x200001);
    canvas_destroy(c);
}

/* The unit of floating-point depth is the last bit of the triangle's greatest depth. */
static void test_offset_of_float_depth(void **state)
{
    static const struct {
        float z, moved;
    } cases[] = {{0.75f, 0.75f + 64 * 0x1p-24f}, {0.25f, 0.25f + 64 * 0x1p-25f}, {0.001f, 0.001f + 64 * 0x1p-33f}};
    struct canvas *c = canvas_create();
    float got;

    (void)state;
    c->targets.depth.format = RASTER_FORMAT_D32F;
    raster_set_targets(c->raster, &c->targets);
    c->state.rasterizer.offset_tri = true;
    c->state.rasterizer.offset_units = 64.0f;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        big_triangle(c, cases[i].z, cases[i].z, cases[i].z);
        memcpy(&got, &c->depth[0], sizeof(got));
        assert_memory_equal(&got, &cases[i].moved, sizeof(got));
    }
    canvas_destroy(c);
}

/* Triangles drawn as points or lines need their own bits. */
static void test_offset_of_outlines(void **state)
{
    struct canvas *c = canvas_create();
    struct raster_state *rs = &c->state.rasterizer;

    (void)state;
    rs->offset_units_unscaled = true;
    rs->offset_units = 0.25f;
    rs->point_size = 2.0f;
    for (unsigned fill = RASTER_FILL_POINT; fill <= RASTER_FILL_LINE; fill++) {
        rs->fill_front = (enum raster_fill)fill;
        rs->offset_point = rs->offset_line = false;
        triangle(c, vertex(0.5f, 0.5f, 0.5f), vertex(8.5f, 0.5f, 0.5f), vertex(0.5f, 8.5f, 0.5f));
        assert_in_range(first_depth(c), 0x7ffffe, 0x800001);
        rs->offset_point = fill == RASTER_FILL_POINT;
        rs->offset_line = fill == RASTER_FILL_LINE;
        triangle(c, vertex(0.5f, 0.5f, 0.5f), vertex(8.5f, 0.5f, 0.5f), vertex(0.5f, 8.5f, 0.5f));
        assert_in_range(first_depth(c), 0xbffffd, 0xc00001);
    }
    canvas_destroy(c);
}

/* Pixel depths are clamped to the viewport's range after the bias. */
static void test_depth_clamp(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    c->state.depth_min = 0.25f;
    c->state.depth_max = 0.5f;
    big_triangle(c, 0.75f, 0.75f, 0.75f);
    assert_in_range(first_depth(c), 0xbffffe, 0xc00000);
    c->state.rasterizer.depth_clamp = true;
    big_triangle(c, 0.75f, 0.75f, 0.75f);
    assert_in_range(first_depth(c), 0x7ffffe, 0x800000);
    big_triangle(c, 0.0f, 0.0f, 0.0f);
    assert_in_range(first_depth(c), 0x3ffffe, 0x400000);
    canvas_destroy(c);
}

/* An edge exactly through pixel centres: Direct3D draws the top one, the other rule draws the bottom one. */
static void test_bottom_edge_rule(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    for (unsigned bottom = 0; bottom < 2; bottom++) {
        c->state.rasterizer.bottom_edge_rule = bottom;
        triangle(c, vertex(2, 2.5f, 0), vertex(12, 2.5f, 0), vertex(2, 12.5f, 0)); /* a top edge on row 2 */
        assert_int_equal(at(c, 3, 2) != 0, !bottom);
        triangle(c, vertex(2, 12.5f, 0), vertex(2, 2.5f, 0), vertex(12, 12.5f, 0)); /* a bottom edge on row 12 */
        assert_int_equal(at(c, 3, 12) != 0, bottom);
    }
    canvas_destroy(c);
}

static void test_half_pixel_center(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    triangle(c, vertex(0.25f, 0, 0), vertex(16, 0, 0), vertex(0.25f, 16, 0));
    assert_int_not_equal(at(c, 0, 0), 0);
    c->state.rasterizer.half_pixel_center = false;
    triangle(c, vertex(0.25f, 0, 0), vertex(16, 0, 0), vertex(0.25f, 16, 0));
    assert_int_equal(at(c, 0, 0), 0);
    canvas_destroy(c);
}

/* --- colours ------------------------------------------------------------------------------------ */

static void test_light_twoside(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    c->state.color_inputs = 1;
    c->state.back_input[0] = 1; /* blue */
    for (unsigned two = 0; two < 2; two++) {
        c->state.rasterizer.light_twoside = two;
        big_triangle(c, 0, 0, 0);
        assert_int_equal(at(c, 1, 1), 0xffffffff);
        triangle(c, vertex(0, 0, 0), vertex(0, 16, 0), vertex(16, 0, 0)); /* counter-clockwise */
        assert_int_equal(at(c, 1, 1), two ? 0xff0000ff : 0xffffffff);
    }
    canvas_destroy(c);
}

/* Colours of 3 and -1 meet at 1 in the middle if nothing is clamped, at 1/2 if vertices are clamped. */
static void test_clamp_vertex_color(void **state)
{
    struct canvas *c = canvas_create();
    struct raster_vertex a = vertex(0, 0, 0), b = vertex(16, 0, 0), d = vertex(0, 16, 0);

    (void)state;
    a.input[0][0] = d.input[0][0] = 3.0f;
    b.input[0][0] = -1.0f;
    c->state.color_inputs = 1;
    triangle(c, a, b, d);
    assert_int_equal(at(c, 7, 0) >> 16 & 255, 255);
    c->state.rasterizer.clamp_vertex_color = true;
    triangle(c, a, b, d);
    assert_in_range(at(c, 7, 0) >> 16 & 255, 130, 140);
    canvas_destroy(c);
}

static void test_clamp_fragment_color(void **state)
{
    struct canvas *c = canvas_create();
    static _Alignas(64) float wide[SIDE * SIDE * 4];
    struct raster_vertex a = vertex(0, 0, 0), b = vertex(16, 0, 0), d = vertex(0, 16, 0);

    (void)state;
    c->targets.color[0] =
        (struct raster_surface){(uint8_t *)wide, SIDE * 16, SIDE, SIDE, RASTER_FORMAT_A32B32G32R32F, 0};
    raster_set_targets(c->raster, &c->targets);
    a.input[0][0] = b.input[0][0] = d.input[0][0] = 2.0f;
    triangle(c, a, b, d);
    assert_true(wide[0] == 2.0f);
    c->state.rasterizer.clamp_fragment_color = true;
    triangle(c, a, b, d);
    assert_true(wide[0] == 1.0f);
    canvas_destroy(c);
}

/* --- lines ---------------------------------------------------------------------------------------- */

static void test_line_width(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    line(c, 2, 8.5f, 12, 8.5f);
    assert_int_equal(drawn(c), 10);
    c->state.rasterizer.line_width = 3.0f;
    line(c, 2, 8.5f, 12, 8.5f);
    assert_int_equal(drawn(c), 30);
    assert_int_not_equal(at(c, 5, 7), 0);
    assert_int_not_equal(at(c, 5, 9), 0);
    line(c, 8.5f, 12, 8.5f, 2); /* y-major lines get wider horizontally */
    assert_int_equal(drawn(c), 30);
    assert_int_not_equal(at(c, 7, 5), 0);
    canvas_destroy(c);
}

static void test_line_smooth(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    c->state.rasterizer.line_smooth = true;
    line(c, 2, 8, 12, 8); /* half in row 7, half in row 8 */
    for (unsigned x = 2; x < 12; x++) {
        assert_in_range(at(c, x, 7) >> 24, 120, 136);
        assert_in_range(at(c, x, 8) >> 24, 120, 136);
    }
    assert_int_equal(drawn(c), 20);
    canvas_destroy(c);
}

/* Bits of the pattern from the lowest, each factor + 1 times, from the line's start in either direction. */
static void test_line_stipple(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    c->state.rasterizer.line_stipple_pattern = 0x0005;
    line(c, 0, 2.5f, 12, 2.5f);
    assert_int_equal(drawn(c), 12);
    c->state.rasterizer.line_stipple_enable = true;
    line(c, 0, 2.5f, 12, 2.5f);
    for (unsigned x = 0; x < 12; x++)
        assert_int_equal(at(c, x, 2) != 0, x == 0 || x == 2);
    c->state.rasterizer.line_stipple_factor = 1;
    line(c, 0, 2.5f, 12, 2.5f);
    for (unsigned x = 0; x < 12; x++)
        assert_int_equal(at(c, x, 2) != 0, x < 2 || x == 4 || x == 5);
    line(c, 12, 2.5f, 0, 2.5f);
    for (unsigned x = 0; x < 12; x++)
        assert_int_equal(at(c, x, 2) != 0, x > 9 || x == 7 || x == 6);
    canvas_destroy(c);
}

/* The pattern continues through a strip and restarts after it. */
static void test_line_stipple_strip(void **state)
{
    struct canvas *c = canvas_create();
    struct raster_vertex a = vertex(0, 2.5f, 0), b = vertex(3, 2.5f, 0), d = vertex(8, 2.5f, 0);

    (void)state;
    c->state.rasterizer.line_stipple_enable = true;
    c->state.rasterizer.line_stipple_pattern = 0x0011;
    for (unsigned i = 0; i < 2; i++) {
        start(c);
        raster_begin_strip(c->raster);
        raster_line(c->raster, &a, &b, &a, false);
        raster_line(c->raster, &b, &d, &b, true);
        raster_flush(c->raster);
        for (unsigned x = 0; x < 8; x++)
            assert_int_equal(at(c, x, 2) != 0, x == 0 || x == 4);
    }
    canvas_destroy(c);
}

/* --- points --------------------------------------------------------------------------------------- */

/* Round with alpha by coverage, unless points are quads. */
static void test_point_smooth(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    c->state.rasterizer.point_smooth = true;
    point(c, 8, 8, 8);
    assert_int_equal(drawn(c), 64);
    c->state.rasterizer.point_quad_rasterization = false;
    point(c, 8, 8, 8);
    assert_int_equal(at(c, 4, 4), 0);
    assert_int_equal(at(c, 8, 8) >> 24, 255);
    assert_in_range(at(c, 5, 5) >> 24, 1, 254);
    canvas_destroy(c);
}

/* Legacy points have whole sizes and are snapped to the grid; quads stay where they are. */
static void test_point_quad_rasterization(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    point(c, 8.9f, 8.9f, 0.25f); /* reaches no centre */
    assert_int_equal(drawn(c), 0);
    c->state.rasterizer.point_quad_rasterization = false;
    point(c, 8.9f, 8.9f, 0.25f);
    assert_int_equal(drawn(c), 1);
    assert_int_not_equal(at(c, 8, 8), 0);
    canvas_destroy(c);
}

static void test_point_tri_clip(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    point(c, -1, 8, 6);
    assert_int_equal(drawn(c), 12);
    c->state.rasterizer.point_tri_clip = false;
    point(c, -1, 8, 6);
    assert_int_equal(drawn(c), 0);
    canvas_destroy(c);
}

/* Input 0 shows the coordinates: t grows downwards, or upwards. */
static void test_sprite_coord_mode(void **state)
{
    struct canvas *c = canvas_create();

    (void)state;
    point(c, 8, 8, 8);
    assert_int_equal(at(c, 4, 4), 0xffffffff);
    c->state.rasterizer.sprite_coord_enable = 1;
    point(c, 8, 8, 8);
    assert_int_equal(at(c, 4, 4), 0xff101000);
    assert_int_equal(at(c, 4, 11), 0xff10ef00);
    c->state.rasterizer.sprite_coord_mode = RASTER_SPRITE_LOWER_LEFT;
    point(c, 8, 8, 8);
    assert_int_equal(at(c, 4, 4), 0xff10ef00);
    canvas_destroy(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poly_stipple),
        cmocka_unit_test(test_poly_smooth),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_offset_of_outlines),
        cmocka_unit_test(test_offset_of_float_depth),
        cmocka_unit_test(test_flatshade_first),
        cmocka_unit_test(test_depth_clamp),
        cmocka_unit_test(test_bottom_edge_rule),
        cmocka_unit_test(test_half_pixel_center),
        cmocka_unit_test(test_light_twoside),
        cmocka_unit_test(test_clamp_vertex_color),
        cmocka_unit_test(test_clamp_fragment_color),
        cmocka_unit_test(test_line_width),
        cmocka_unit_test(test_line_smooth),
        cmocka_unit_test(test_line_stipple),
        cmocka_unit_test(test_line_stipple_strip),
        cmocka_unit_test(test_point_smooth),
        cmocka_unit_test(test_point_quad_rasterization),
        cmocka_unit_test(test_point_tri_clip),
        cmocka_unit_test(test_sprite_coord_mode),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
