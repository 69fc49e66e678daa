/* SPDX-License-Identifier: MIT */
/*
 * Conservative triangles between clip space and pixels: positions and their error, facing by the exact determinant,
 * vertices in the eye, any finite coordinates; and primitives at scales that floats cannot divide by, in all modes.
 * tests/coverage/clip_oracle.py tests that no pixel is lost. Sources: docs/reference/conservative-rules.md;
 * docs/reference/rasterization.md, section 2.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "d3d/extension.h"
#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/outline.h"
#include "hal/vertex/vertex.h"
#include "tests/random.h"
#include "tests/stage/stage.h"

struct work {
    struct hal_projection projection;
    struct hal_vertex vertex[4];
    struct raster_vertex projected[4];
    struct hal_outline outline;
};

static void begin(struct work *w)
{
    const struct hal_viewport viewport = {.x = 5, .y = 7, .width = 640, .height = 480, .min_z = 0.0f, .max_z = 1.0f};

    memset(w, 0, sizeof(*w));
    hal_projection_set(&w->projection, &viewport, false, true, 0);
}

static bool make_outline(struct work *w)
{
    const struct hal_vertex *const v[3] = {&w->vertex[0], &w->vertex[1], &w->vertex[2]};
    const struct raster_vertex *const p[3] = {&w->projected[0], &w->projected[1], &w->projected[2]};

    w->vertex[3] = w->vertex[0];
    hal_project(&w->projection, w->vertex, w->projected, 3);
    return hal_outline_triangle(&w->projection, v, p, 1, 1.0f, &w->outline);
}

static void set_position(struct work *w, unsigned i, float x, float y, float z, float v)
{
    const float position[4] = {x, y, z, v};

    memcpy(w->vertex[i].position, position, sizeof(position));
}

/* A triangle that is not clipped keeps its vertices, at positions more precise than floats. */
static void test_whole_triangles(void **state)
{
    static struct work w;

    (void)state;
    begin(&w);
    for (unsigned round = 0; round < 1000; round++) {
        for (unsigned i = 0; i < 3; i++) {
            const float v = random_between(0.01f, 100.0f);

            set_position(&w, i, random_between(-1, 1) * v, random_between(-1, 1) * v, 0.5f * v, v);
        }
        assert_true(make_outline(&w));
        assert_int_equal(w.outline.polygon.count, 3);
        assert_true(w.outline.polygon.whole);
        assert_true(w.outline.polygon.error < 1e-11);
        for (unsigned i = 0; i < 3; i++) {
            const float *c = w.vertex[i].position;

            assert_ptr_equal(w.outline.polygon.vertex[i], &w.projected[i]);
            assert_true(fabs(w.outline.polygon.x[i] - (5 + 320 * (1 + (double)c[0] / c[3]))) <=
                        w.outline.polygon.error);
            assert_true(fabs(w.outline.polygon.y[i] - (7 + 240 * (1 - (double)c[1] / c[3]))) <=
                        w.outline.polygon.error);
        }
    }
}

/* A clipped corner has the values of its place on the edge, in perspective. */
static void test_cut_corners(void **state)
{
    static struct work w;
    unsigned made = 0;

    (void)state;
    begin(&w);
    set_position(&w, 0, 0, 0.5f, 0.5f, 1);
    set_position(&w, 1, 1.5f, -1.5f, 1.5f, 3);
    set_position(&w, 2, -0.5f, -0.5f, -0.5f,
                 1); /* half of the edges to it are before the near plane, a quarter of one */
    for (unsigned i = 0; i < 3; i++)
        w.projected[i].input[0][i] = 1.0f;
    assert_true(make_outline(&w));
    assert_int_equal(w.outline.polygon.count, 4);
    assert_false(w.outline.polygon.whole);
    assert_int_equal(w.outline.polygon.turn, 1);
    for (unsigned i = 0; i < 4; i++) {
        const struct raster_vertex *v = w.outline.polygon.vertex[i];

        if (v >= w.outline.made && v < w.outline.made + CLIP_MAX_CORNERS) {
            const double a = v->input[0][0], b = v->input[0][1], c = v->input[0][2], eye_w = a + 3 * b + c;

            assert_true(v->z == 0.0f);
            assert_true(fabs(a + b + c - 1) < 1e-6 && (a == 0.0 || b == 0.0));
            assert_true(fabs(v->rhw * eye_w - 1) < 1e-6);
            assert_true(fabs(w.outline.polygon.x[i] - (325 + 320 * (1.5 * b - 0.5 * c) / eye_w)) < 1e-4);
            made++;
        }
    }
    assert_int_equal(made, 2);
}

/* The sign of the determinant of x, y, w as integers. */
static int exact_turn(const int64_t p[3][3])
{
    const int64_t d = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
                      p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
                      p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);

    return (d < 0) - (d > 0); /* y goes up */
}

/* Triangles through the eye plane whose vertices lie nearly or exactly on one line of the screen: doubles cannot
 * distinguish the two. */
static void test_turn_is_exact(void **state)
{
    static struct work w;
    unsigned seen[3] = {0, 0, 0};

    (void)state;
    begin(&w);
    for (unsigned round = 0; round < 20000; round++) {
        int64_t p[3][3];

        for (unsigned c = 0; c < 3; c++) {
            p[0][c] = (int64_t)(random_word() % 1000000) - (c == 2 ? 0 : 500000);
            p[1][c] = (int64_t)(random_word() % 1000000) - (c == 2 ? 1000000 : 500000);
            p[2][c] = p[0][c] + p[1][c];
        }
        p[2][random_word() % 3] += (int64_t)(random_word() % 3) - 1;
        for (unsigned i = 0; i < 3; i++) {
            const float scale = 1.0f / (float)(1u << (random_word() % 20)); /* each vertex at its own */

            set_position(&w, i, (float)p[i][0] * scale, (float)p[i][1] * scale, 0, (float)p[i][2] * scale);
        }
        hal_projection_depth_clip(&w.projection, false);
        if (make_outline(&w)) {
            assert_false(w.outline.polygon.whole);
            assert_int_equal(w.outline.polygon.turn, exact_turn(p));
            seen[w.outline.polygon.turn + 1]++;
        }
    }
    assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
}

/* (0, 0, 0, 0) is not a point: only the line between the other two vertices remains. */
static void test_vertex_in_the_eye(void **state)
{
    static struct work w;

    (void)state;
    begin(&w);
    set_position(&w, 0, 0.5f, 0.25f, 0.5f, 1);
    set_position(&w, 1, 0, 0, 0, 0);
    set_position(&w, 2, -0.5f, 0.25f, 0.5f, 1);
    assert_true(make_outline(&w));
    assert_int_equal(w.outline.polygon.turn, 0);
    for (unsigned i = 0; i < w.outline.polygon.count; i++) {
        assert_true(w.outline.polygon.y[i] == 187.0);
        assert_true(w.outline.polygon.x[i] == 165.0 || w.outline.polygon.x[i] == 485.0);
    }
}

/* --- scale --------------------------------------------------------------------------------- */

static void test_rescale(void **state)
{
    static struct work w;
    static struct hal_rescaled rescaled;
    const struct hal_vertex *const v[3] = {&w.vertex[0], &w.vertex[1], &w.vertex[2]};
    const struct raster_vertex *const p[3] = {&w.projected[0], &w.projected[1], &w.projected[2]};

    (void)state;
    for (int scale = -120; scale <= 125; scale++) {
        const bool off_scale = scale < -30 || scale > 122;

        begin(&w);
        for (unsigned i = 0; i < 3; i++) {
            set_position(&w, i, ldexpf(i == 1 ? 0.5f : -0.5f, scale), ldexpf(i == 2 ? 0.5f : -0.5f, scale),
                         ldexpf(0.25f, scale), ldexpf(i == 0 ? 3.0f : 1.0f, scale));
        }
        w.vertex[3] = w.vertex[0];
        hal_project(&w.projection, w.vertex, w.projected, 3);
        assert_int_equal(hal_vertex_is_off_scale(&w.vertex[1]) || hal_vertex_is_off_scale(&w.vertex[0]), off_scale);
        assert_int_equal(hal_rescale(&w.projection, v, p, &rescaled), off_scale);
        for (unsigned i = 0; off_scale && i < 3; i++) {
            assert_int_equal(rescaled.vertex[i].outcode, 0);
            assert_true(rescaled.projected[i].x == (i == 1 ? 485.0f : i == 0 ? 5 + 320 * (1 - 0.5f / 3) : 165.0f));
            /* fog uses the given w, as far as floats allow */
            if (scale < 0 && scale >= -64)
                assert_true(rescaled.projected[i].rhw == 1.0f / w.vertex[i].position[3]);
            assert_true(rescaled.projected[i].rhw > 0x1p-100f && rescaled.projected[i].rhw < 0x1p100f);
        }
    }
    set_position(&w, 1, NAN, 0, 0, 0x1p-40f);
    assert_false(hal_rescale(&w.projection, v, p, &rescaled));
    set_position(&w, 1, INFINITY, 0, 0, 1);
    assert_false(hal_rescale(&w.projection, v, p, &rescaled));
}

struct vertex {
    float x, y, z;
    uint32_t diffuse;
};

/* Pictures of triangles in the view, clipped by near and far, by the guard band and through the eye plane, are the same
 * at every scale of clip space, in standard and conservative mode. */
static void test_scaled_pictures(void **state)
{
    static const struct vertex v[12] = {
        {-0.9f, -0.9f, 0.4f, 0xffff0000}, {-0.8f, 0.9f, 0.9f, 0xff00ff00}, {0.1f, 0.3f, 0.5f, 0xff0000ff},
        {0.0f, -0.9f, 0.5f, 0xffff0000},  {0.2f, 0.9f, -0.4f, 0xff00ff00}, {0.9f, 0.3f, 1.2f, 0xff0000ff},
        {-0.3f, -0.9f, 0.3f, 0xffff0000}, {0.4f, -0.4f, 0.5f, 0xff00ff00}, {0.9f, -0.9f, 0.7f, 0xff0000ff},
        {-9e3f, 0.2f, 0.3f, 0xffff0000},  {9e3f, 0.4f, 0.3f, 0xff00ff00},  {0.3f, -0.2f, 0.6f, 0xff0000ff},
    };
    static const int scales[] = {0,   -31, -60, -100, 31,
                                 100, 0,   124, 125}; /* 9000 * 2^124 does not fit into a float: from the second 0 on,
                                                       * without */
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, 64, 64, D3DFMT_A8R8G8B8, D3DFMT_D24S8));
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_state(&stage, D3DRS_ZENABLE, TRUE);
    for (unsigned conservative = 0; conservative < 2; conservative++) {
        uint64_t first[2] = {0, 0};

        stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, conservative ? EXTENSION_CONSERVATIVE(3, 0) : TRUE);
        for (unsigned i = 0; i < ARRAY_COUNT(scales); i++) {
            const float s = ldexpf(1.0f, scales[i]);
            const unsigned part = i >= 6;
            const float perspective[16] = {s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0.5f * s, 0, 0, -0.1f * s, s};

            stage_transform(&stage, D3DTS_PROJECTION, perspective);
            stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0);
            stage_draw(&stage, D3DPT_TRIANGLELIST, 4 - part, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, 12);
            const uint64_t hash = stage_hash(&stage);

            first[part] = scales[i] ? first[part] : hash;
            if (hash != first[part])
                fail_msg("mode %u, scale 2^%d", conservative, scales[i]);
        }
    }
    assert_null(stage.failed);
    stage_close(&stage);
}

/* A vertex beyond its stream, which reads as 0, is scaled like an existing one. */
static void test_vertices_beyond_the_stream(void **state)
{
    static const float tiny[16] = {0x1p-40f, 0, 0, 0, 0, 0x1p-40f, 0, 0, 0, 0, 0x1p-40f, 0, 0, 0, 0, 0x1p-40f};
    static const struct vertex v[4] = {{-0.5f, -0.5f, 0.5f, ~0u}, {-0.5f, 0.5f, 0.5f, ~0u}, {0.5f, 0.5f, 0.5f, ~0u}};
    static const uint16_t indices[2][3] = {{0, 1, 3}, {0, 1, 60000}};
    uint64_t hash[2], empty = 0;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct stage stage;

        assert_true(stage_open(&stage, 16, 16, D3DFMT_A8R8G8B8, 0));
        stage_transform(&stage, D3DTS_PROJECTION, tiny);
        const uint32_t vertices =
            stage_buffer(&stage, false, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, (i ? 3 : 4) * sizeof(v[0]));
        const uint32_t list = stage_buffer(&stage, true, 0, indices[i], sizeof(indices[i]));

        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_submit(&stage);
        empty = stage_hash(&stage);
        stage_draw_buffer(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ | D3DFVF_DIFFUSE, vertices, list, 3);
        stage_submit(&stage);
        hash[i] = stage_hash(&stage);
        assert_null(stage.failed);
        stage_close(&stage);
    }
    assert_true(hash[0] != empty);
    assert_true(hash[1] == hash[0]);
}

/* --- anything ----------------------------------------------------------------------------------- */

static float any_float(void)
{
    const uint32_t bits = random_word();
    float v;

    if (random_word() % 4 == 0)
        return (float[]){0, 1, -1, FLT_MAX, FLT_MIN, 1e-45f, 1e30f, -1e-30f}[random_word() % 8];
    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* The rasterizer's input is finite and ordered, whatever the coordinates are. */
static void test_any_coordinates(void **state)
{
    static struct work w;

    (void)state;
    begin(&w);
    for (unsigned round = 0; round < 100000; round++) {
        for (unsigned i = 0; i < 3; i++)
            set_position(&w, i, any_float(), any_float(), any_float(), any_float());
        hal_projection_depth_clip(&w.projection, round & 1);
        w.vertex[3] = w.vertex[0];
        if (hal_project(&w.projection, w.vertex, w.projected, 3) & HAL_OUT_BAD || !make_outline(&w))
            continue;
        const struct raster_polygon *polygon = &w.outline.polygon;

        assert_in_range(polygon->count, 1, RASTER_MAX_CORNERS);
        assert_true(polygon->error >= 0.0);
        for (unsigned i = 0; i < polygon->count; i++) {
            const struct raster_vertex *v = polygon->vertex[i];

            assert_true(v->rhw > 0.0f && v->rhw <= FLT_MAX && fabsf(v->z) <= FLT_MAX);
            if (!isinf(polygon->error))
                assert_true(fabs(polygon->x[i]) < RASTER_POLYGON_BAND && fabs(polygon->y[i]) < RASTER_POLYGON_BAND);
        }
    }
}

/* And drawing it does no harm. */
static void test_any_drawing(void **state)
{
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, 64, 64, D3DFMT_A8R8G8B8, D3DFMT_D24S8));
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_state(&stage, D3DRS_ZENABLE, TRUE);
    for (unsigned round = 0; round < 400; round++) {
        float matrix[16];
        struct vertex v[48];

        for (unsigned i = 0; i < 16; i++)
            matrix[i] = random_word() % 3 ? random_between(-2, 2) : any_float();
        for (unsigned i = 0; i < ARRAY_COUNT(v); i++)
            v[i] = (struct vertex){any_float(), any_float(), any_float(), random_word()};
        stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(1 + round % 3, round % 4));
        stage_transform(&stage, D3DTS_PROJECTION, matrix);
        stage_draw(&stage, D3DPT_TRIANGLELIST, 16, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, 48);
        stage_submit(&stage);
    }
    stage_finish(&stage);
    assert_null(stage.failed);
    stage_close(&stage);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_triangles),
        cmocka_unit_test(test_cut_corners),
        cmocka_unit_test(test_turn_is_exact),
        cmocka_unit_test(test_vertex_in_the_eye),
        cmocka_unit_test(test_rescale),
        cmocka_unit_test(test_scaled_pictures),
        cmocka_unit_test(test_vertices_beyond_the_stream),
        cmocka_unit_test(test_any_coordinates),
        cmocka_unit_test(test_any_drawing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
