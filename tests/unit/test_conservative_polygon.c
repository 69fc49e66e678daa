/* SPDX-License-Identifier: MIT */
/*
 * A clipped conservative triangle is treated as one shape: coverage and inner coverage of random convex polygons are
 * compared with the definition in integers, each pixel once; triangles are clipped by the near plane and the guard band
 * through the driver interface; and values of degenerate triangles are tested. Source:
 * docs/reference/conservative-rules.md, section 4.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "d3d/extension.h"
#include "raster/raster.h"
#include "tests/random.h"
#include "tests/stage/stage.h"

#define SIDE 24

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    struct raster_targets targets;
    _Alignas(64) uint32_t color[SIDE * SIDE];
};

/* Each visit adds one to red; green counts inner visits; blue marks the back face. */
static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        batch->color[0][0][l] = 1.0f / 255.0f;
        batch->color[0][1][l] = (float)(batch->inner >> l & 1) / 255.0f;
        batch->color[0][2][l] = batch->front_facing[l / RASTER_QUAD_LANES] ? 0.0f : 1.0f;
        batch->color[0][3][l] = batch->input[0][0][l];
    }
}

static struct canvas *canvas_create(void)
{
    struct canvas *c = mem_alloc_aligned(sizeof(*c));

    c->raster = raster_create(cpu_level_detected(), 1);
    c->targets.color[0] = (struct raster_surface){(uint8_t *)c->color, SIDE * 4, SIDE, SIDE, RASTER_FORMAT_A8R8G8B8, 1};
    raster_set_targets(c->raster, &c->targets);
    c->state.viewport = (struct raster_rect){0, 0, SIDE, SIDE};
    c->state.depth_max = 1.0f;
    c->state.rasterizer.fill_front = c->state.rasterizer.fill_back = RASTER_FILL_SOLID;
    c->state.rasterizer.half_pixel_center = true;
    c->state.rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_PRE_SNAP;
    c->state.inner_coverage = true;
    c->state.blend = (struct raster_blend){.enable = true,
                                           .src_color = RASTER_BLEND_ONE,
                                           .dst_color = RASTER_BLEND_ONE,
                                           .src_alpha = RASTER_BLEND_ONE,
                                           .dst_alpha = RASTER_BLEND_ZERO};
    c->state.color_write_mask[0] = 15;
    c->state.shade = shade;
    c->state.input_count = 1;
    c->state.input_mask[0] = 1;
    raster_set_state(c->raster, &c->state);
    return c;
}

static void canvas_destroy(struct canvas *c)
{
    raster_destroy(c->raster);
    mem_free_aligned(c);
}

/* --- polygons on the grid ----------------------------------------------------------------- */

struct point {
    int64_t x, y; /* 1/256 px */
};

struct polygon {
    struct point p[RASTER_MAX_CORNERS];
    unsigned count;
};

/* A large triangle cut by lines may lose its convexity when the crossings are snapped to the grid, so the corners are
 * chosen on the grid: points of a circle, in order of angle, some of them doubled, squeezed. */
static void random_polygon(struct polygon *polygon)
{
    static const int8_t circle[16][2] = {{16, 0},   {15, 6},  {11, 11},  {6, 15},   {0, 16},    {-6, 15},
                                         {-11, 11}, {-15, 6}, {-16, 0},  {-15, -6}, {-11, -11}, {-6, -15},
                                         {0, -16},  {6, -15}, {11, -11}, {15, -6}};
    const int a = random_below(200) - 30, b = random_below(200) - 100, c = random_below(200) - 100;
    const int d = random_below(5) ? random_below(200) - 100 : 0;
    const int x = random_below(SIDE * 256), y = random_below(SIDE * 256);
    const unsigned first = (unsigned)random_below(16);

    polygon->count = 0;
    for (unsigned i = 0; i < 16; i++) {
        const int8_t *at = circle[(first + i) % 16];

        if (random_below(3) == 0)
            continue;
        polygon->p[polygon->count++] = (struct point){x + a * at[0] + b * at[1], y + c * at[0] + d * at[1]};
        if (random_below(8) == 0 && polygon->count < RASTER_MAX_CORNERS) {
            polygon->p[polygon->count] = polygon->p[polygon->count - 1];
            polygon->count++;
        }
    }
}

static int64_t twice_area(const struct polygon *s)
{
    int64_t sum = 0;

    for (unsigned i = 0; i < s->count; i++) {
        const struct point *p = &s->p[i], *q = &s->p[(i + 1) % s->count];

        sum += p->x * q->y - p->y * q->x;
    }
    return sum;
}

/* By the definition, in units of 1/512 px: -1 outside, 0 touched, 1 inner. h: half the side of the swept square. */
static int classify(const struct polygon *s, int64_t area, int px, int py)
{
    const int64_t cx = 512 * px + 256, cy = 512 * py + 256, h = 257;
    int64_t low_x = INT64_MAX, high_x = INT64_MIN, low_y = INT64_MAX, high_y = INT64_MIN;
    bool inner = true;

    for (unsigned i = 0; i < s->count; i++) {
        const struct point *p = &s->p[area > 0 ? i : s->count - 1 - i];
        const struct point *q = &s->p[area > 0 ? (i + 1) % s->count : (2 * s->count - 2 - i) % s->count];
        const int64_t dx = q->x - p->x, dy = q->y - p->y, reach = h * (llabs(dx) + llabs(dy));
        const int64_t e = dx * (cy - 2 * p->y) - dy * (cx - 2 * p->x);
        const bool top_left = dy < 0 || (dy == 0 && dx > 0);

        low_x = BASE_MIN(low_x, 2 * p->x);
        high_x = BASE_MAX(high_x, 2 * p->x);
        low_y = BASE_MIN(low_y, 2 * p->y);
        high_y = BASE_MAX(high_y, 2 * p->y);
        if (!dx && !dy)
            continue;
        if (e + reach < 0 || (e + reach == 0 && !top_left))
            return -1;
        inner = inner && (e - reach > 0 || (e - reach == 0 && top_left));
    }
    if (cx + h < low_x || cx - h > high_x || cy + h < low_y || cy - h > high_y)
        return -1;
    return inner;
}

static void draw_polygon(struct canvas *c, const struct polygon *s)
{
    const struct raster_rect all = {0, 0, SIDE, SIDE};
    struct raster_vertex v[RASTER_MAX_CORNERS];
    struct raster_polygon polygon = {.count = s->count, .whole = true, .provoking = &v[0]};

    memset(v, 0, sizeof(v));
    for (unsigned i = 0; i < s->count; i++) {
        polygon.x[i] = (double)s->p[i].x / 256.0;
        polygon.y[i] = (double)s->p[i].y / 256.0;
        v[i].rhw = 1.0f;
        v[i].input[0][0] = (float)polygon.x[i] / 64.0f;
        polygon.vertex[i] = &v[i];
    }
    raster_clear(c->raster, RASTER_CLEAR_COLOR, &all, 0, 1, 0);
    raster_polygon(c->raster, &polygon);
    raster_flush(c->raster);
}

static void test_random_polygons(void **state)
{
    struct canvas *c = canvas_create();
    unsigned inner = 0;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct polygon s;

        random_polygon(&s);
        const int64_t area = s.count >= 3 ? twice_area(&s) : 0;
        if (!area)
            continue;
        draw_polygon(c, &s);
        for (int i = 0; i < SIDE * SIDE; i++) {
            const int want = classify(&s, area, i % SIDE, i / SIDE);
            const uint32_t pixel = c->color[i];

            if ((pixel >> 16 & 255) != (want >= 0) || (pixel >> 8 & 255) != (want > 0) ||
                (want >= 0 && (pixel & 255) != (area > 0 ? 0 : 255)))
                fail_msg("round %u, pixel (%d, %d): %08x, expected %d", round, i % SIDE, i / SIDE, pixel, want);
            inner += want > 0;
        }
    }
    assert_true(inner > 100000);
    canvas_destroy(c);
}

/* All corners on one line, or in one point: back-facing, values of the provoking vertex even if it was cut off. */
static void test_degenerate(void **state)
{
    static const struct polygon line = {{{256, 256}, {1024, 640}, {1792, 1024}, {256 + 384, 256 + 192}}, 4};
    static const struct polygon point = {{{2000, 2000}, {2000, 2000}, {2000, 2000}, {2000, 2000}}, 4};
    const struct raster_rect all = {0, 0, SIDE, SIDE};
    struct canvas *c = canvas_create();

    (void)state;
    for (unsigned kind = 0; kind < 2; kind++) {
        const struct polygon *s = kind ? &point : &line;
        struct raster_vertex v[5];
        struct raster_polygon polygon = {.count = 4, .provoking = &v[4]};
        unsigned covered = 0;

        memset(v, 0, sizeof(v));
        for (unsigned i = 0; i < 4; i++) {
            v[i] = (struct raster_vertex){.rhw = 1, .input = {{0.9f}}};
            polygon.x[i] = (double)s->p[i].x / 256.0;
            polygon.y[i] = (double)s->p[i].y / 256.0;
            polygon.vertex[i] = &v[i];
        }
        v[4].input[0][0] = 0.2f;
        raster_clear(c->raster, RASTER_CLEAR_COLOR, &all, 0, 1, 0);
        raster_polygon(c->raster, &polygon);
        raster_flush(c->raster);
        for (unsigned i = 0; i < SIDE * SIDE; i++) {
            covered += c->color[i] != 0;
            assert_true(c->color[i] == 0 || c->color[i] == 0x330100ff);
        }
        assert_int_equal(covered, kind ? 1 : 16); /* the line goes through four corners of pixels */
    }
    canvas_destroy(c);
}

/* --- through the clipper ---------------------------------------------------------------------- */

struct vertex {
    float x, y, z;
    uint32_t diffuse;
};

static uint32_t red(const struct client_lock *lock, unsigned x, unsigned y)
{
    uint32_t value;

    memcpy(&value, lock->bits + y * lock->pitch + 4 * x, 4);
    return value >> 16 & 255;
}

/* Random triangles that near, far, the guard band and a user plane cut: additive blending gives exactly one layer where
 * anything is drawn, and in pixels far from the cut, InnerCoverage is the same as without it. */
static void test_clipped_triangles_are_whole(void **state)
{
    static const float perspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.25f, 1, 0, 0, -0.5f, 0};
    static const float plane[4] = {0.6f, 0.3f, 0.1f, -0.05f};
    uint32_t body[5] = {0};
    struct stage stage;
    unsigned drawn = 0;

    (void)state;
    assert_true(stage_open(&stage, 64, 64, D3DFMT_A8R8G8B8, 0));
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(3, 0));
    stage_transform(&stage, D3DTS_PROJECTION, perspective);
    memcpy(&body[1], plane, sizeof(plane));
    stage_command(&stage, D3DDP2OP_SETCLIPPLANE, 1, body, sizeof(body));
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(&stage, D3DRS_SRCBLEND, D3DBLEND_ONE);
    stage_state(&stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
    for (unsigned round = 0; round < 400; round++) {
        struct vertex v[3];
        struct client_lock lock;
        float reach = round % 3 == 0 ? 900.0f : 3.0f;

        for (unsigned i = 0; i < 3; i++)
            v[i] = (struct vertex){reach * ((float)random_below(2001) / 1000.0f - 1),
                                   reach * ((float)random_below(2001) / 1000.0f - 1),
                                   (float)random_below(3500) / 1000.0f - 0.5f, 0xff010000};
        stage_state(&stage, D3DRS_CLIPPLANEENABLE, round & 1);
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, 3);
        stage_submit(&stage);
        assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (unsigned i = 0; i < 64 * 64; i++) {
            assert_true(red(&lock, i % 64, i / 64) <= 1);
            drawn += red(&lock, i % 64, i / 64);
        }
        client_unlock(client_part(stage.target, 0));
    }
    assert_null(stage.failed);
    assert_true(drawn > 50000);
    stage_close(&stage);
}

/* A triangle that covers everything, clipped by the near plane far outside of the view: every pixel is inner, also on
 * the fan's diagonals. */
static void test_inner_of_clipped(void **state)
{
    static const struct vertex v[3] = {{-9, -9, 0.6f, ~0u}, {-9, 400, 0.6f, ~0u}, {400, -9, -1.0f, ~0u}};
    struct client_lock lock;
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, 32, 32, D3DFMT_A8R8G8B8, 0));
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(3, 0));
    stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INNER_COVERAGE);
    stage_texture_state(&stage, 0, D3DTSS_COLORARG2, D3DTA_SPECULAR);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, 3);
    stage_submit(&stage);
    assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned i = 0; i < 32 * 32; i++)
        assert_int_equal(red(&lock, i % 32, i / 32), 255);
    client_unlock(client_part(stage.target, 0));
    stage_close(&stage);
}

/* Returns how many pixels of the target are not black; *color: the last one's colour. */
static unsigned lit(struct stage *stage, uint32_t *color)
{
    struct client_lock lock;
    unsigned count = 0;

    stage_submit(stage);
    assert_int_equal(client_lock(client_part(stage->target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned i = 0; i < stage->width * stage->height; i++) {
        uint32_t value;

        memcpy(&value, lock.bits + i / stage->width * lock.pitch + 4 * (i % stage->width), 4);
        if (value & 0xffffff) {
            *color = value & 0xffffff;
            count++;
        }
    }
    client_unlock(client_part(stage->target, 0));
    return count;
}

/* The near plane leaves a tip that snaps to a point. The triangle has an area all the same: it faces front, no tier
 * drops it, and the tip has the colour of vertex 2, which is the colour there. A triangle without area faces back and
 * takes the colour of vertex 0. */
static void test_facing_is_the_triangle_s(void **state)
{
    static const struct vertex tip[3] = {
        {-0.5f, 0.5f, -1, 0xffff0000}, {0.5f, 0.5f, -1, 0xff00ff00}, {0.03f, -0.53f, 0.0001f, 0xff0000ff}};
    static const struct vertex line[3] = {
        {-0.5f, 0.5f, -1, 0xffff0000}, {-0.25f, 0.25f, -0.5f, 0xff00ff00}, {0.5f, -0.5f, 1, 0xff0000ff}};
    static const struct {
        const struct vertex *v;
        uint32_t tier, cull;
        bool drawn;
        uint32_t color;
    } cases[] = {
        {tip, 3, D3DCULL_NONE, true, 0x0000ff},  {tip, 3, D3DCULL_CCW, true, 0x0000ff},
        {tip, 3, D3DCULL_CW, false, 0},          {tip, 1, D3DCULL_CCW, true, 0x0000ff},
        {line, 3, D3DCULL_NONE, true, 0xff0000}, {line, 3, D3DCULL_CCW, false, 0},
        {line, 3, D3DCULL_CW, true, 0xff0000},   {line, 1, D3DCULL_NONE, false, 0},
    };
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, 8, 8, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < ARRAY_COUNT(cases); i++) {
        uint32_t color = 0;

        stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(cases[i].tier, 0));
        stage_state(&stage, D3DRS_CULLMODE, cases[i].cull);
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ | D3DFVF_DIFFUSE, cases[i].v, 3);
        if ((lit(&stage, &color) > 0) != cases[i].drawn || color != cases[i].color)
            fail_msg("case %u: colour %06x", i, (unsigned)color);
    }
    assert_null(stage.failed);
    stage_close(&stage);
}

/* A floor to the horizon: the row in which it ends is drawn. */
static void test_horizon(void **state)
{
    static const float perspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -0.1f, 0};
    static const struct vertex floor[3] = {{-3, -1, 1, ~0u}, {3, -1, 1, ~0u}, {0, -1, 40, ~0u}};
    struct stage stage;
    struct client_lock lock;

    (void)state;
    assert_true(stage_open(&stage, 8, 8, D3DFMT_A8R8G8B8, 0));
    stage_state(&stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(3, 0));
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_transform(&stage, D3DTS_PROJECTION, perspective);
    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ | D3DFVF_DIFFUSE, floor, 3);
    stage_submit(&stage);
    assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    /* It ends at y = 4.1, and pixel centres are on integers: in the sampled part of row 4, 1/w is 0. */
    assert_int_equal(red(&lock, 4, 4), 255);
    assert_int_equal(red(&lock, 4, 3), 0);
    client_unlock(client_part(stage.target, 0));
    stage_close(&stage);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_polygons),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_clipped_triangles_are_whole),
        cmocka_unit_test(test_inner_of_clipped),
        cmocka_unit_test(test_facing_is_the_triangle_s),
        cmocka_unit_test(test_horizon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
