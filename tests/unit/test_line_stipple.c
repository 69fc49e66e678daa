/* SPDX-License-Identifier: MIT */
/*
 * The stipple pattern of lines: its counter is that of OpenGL (glLineStipple: it starts from 0 with each strip and each
 * line of a list, and advances by one for each pixel of a line), whichever part of the lines is visible. The pixels of
 * each line are found by drawing lines without a pattern, one at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"

#define SIDE   96
#define POINTS 6

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    _Alignas(64) uint32_t color[SIDE * SIDE];
};

static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < RASTER_LANES; l++)
            batch->color[0][c][l] = 1.0f;
}

static struct canvas *canvas_create(unsigned threads)
{
    struct canvas *c = mem_alloc_aligned(sizeof(*c));
    struct raster_targets targets = {0};

    memset(c, 0, sizeof(*c));
    c->raster = raster_create(cpu_level_detected(), threads);
    targets.color[0] = (struct raster_surface){(uint8_t *)c->color, SIDE * 4, SIDE, SIDE, RASTER_FORMAT_A8R8G8B8, 0};
    raster_set_targets(c->raster, &targets);
    c->state.rasterizer.fill_front = c->state.rasterizer.fill_back = RASTER_FILL_SOLID;
    c->state.rasterizer.line_width = 1.0f;
    c->state.viewport = (struct raster_rect){0, 0, SIDE, SIDE};
    c->state.depth_max = 1.0f;
    c->state.color_write_mask[0] = 15;
    c->state.shade = shade;
    return c;
}

static void canvas_destroy(struct canvas *c)
{
    raster_destroy(c->raster);
    mem_free_aligned(c);
}

static void start(struct canvas *c, bool stipple)
{
    struct raster_rect all = {0, 0, SIDE, SIDE};

    c->state.rasterizer.line_stipple_enable = stipple;
    raster_clear(c->raster, RASTER_CLEAR_COLOR, &all, 0, 1.0f, 0);
    raster_set_state(c->raster, &c->state);
}

struct place {
    float x, y;
};

static struct raster_vertex at(struct place p)
{
    return (struct raster_vertex){p.x, p.y, 0.5f, 1.0f, {{0}}};
}

static void segment(struct canvas *c, struct place from, struct place to)
{
    struct raster_vertex a = at(from), b = at(to);

    raster_line(c->raster, &a, &b, &a, false);
}

static void strip(struct canvas *c, const struct place *p, unsigned count)
{
    raster_begin_strip(c->raster);
    for (unsigned i = 0; i + 1 < count; i++)
        segment(c, p[i], p[i + 1]);
}

static bool is_y_major(struct place a, struct place b)
{
    return abs((int)(b.y * 256) - (int)(a.y * 256)) > abs((int)(b.x * 256) - (int)(a.x * 256));
}

/* The definition: pixels of each segment in the order the line takes them; `wanted`: those of them that the pattern draws. */
static void define(struct canvas *c, const struct place *p, unsigned count, bool *wanted)
{
    const struct raster_state *rs = &c->state.rasterizer;
    unsigned s = 0;

    memset(wanted, 0, SIDE * SIDE * sizeof(*wanted));
    for (unsigned i = 0; i + 1 < count; i++) {
        const bool y_major = is_y_major(p[i], p[i + 1]);
        const bool forward = y_major ? p[i + 1].y > p[i].y : p[i + 1].x > p[i].x;

        start(c, false);
        segment(c, p[i], p[i + 1]);
        raster_flush(c->raster);
        for (unsigned n = 0; n < SIDE; n++) {
            const unsigned major = forward ? n : SIDE - 1 - n;
            bool seen = false;

            for (unsigned minor = 0; minor < SIDE; minor++) {
                const unsigned place = y_major ? major * SIDE + minor : minor * SIDE + major;

                if (!c->color[place])
                    continue;
                seen = true;
                wanted[place] |= rs->line_stipple_pattern >> (s / (rs->line_stipple_factor + 1u) & 15) & 1;
            }
            s += seen;
        }
    }
}

static void check(const struct canvas *c, const bool *wanted)
{
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        assert_int_equal(c->color[i] != 0, wanted[i]);
}

static float random_place(bool on_grid)
{
    const uint32_t v = random_word();

    return on_grid ? (float)(4 + v % (SIDE - 8)) : 4.0f + (float)(v % ((SIDE - 8) * 256)) / 256.0f;
}

/* Corners on pixel centres, where one pixel is the end of a line and the start of the next, and anywhere. */
static void test_strips(void **state)
{
    static bool wanted[SIDE * SIDE];

    (void)state;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct canvas *c = canvas_create(threads);
        struct raster_state *rs = &c->state.rasterizer;

        random_seed = 1;
        for (unsigned round = 0; round < 300; round++) {
            struct place p[POINTS];

            rs->half_pixel_center = round & 1;
            rs->line_width = (float)(1 + round % 5);
            rs->line_stipple_pattern = (uint16_t)random_word();
            rs->line_stipple_factor = (uint16_t)random_below(4);
            for (unsigned i = 0; i < POINTS; i++) {
                const bool close = i > 0 && random_one_in(4); /* a segment of a pixel or none */

                p[i] = (struct place){random_place(round & 2), random_place(round & 2)};
                if (close)
                    p[i] = (struct place){p[i - 1].x + (float)random_below(256) / 256.0f, p[i - 1].y};
            }
            define(c, p, POINTS, wanted);
            for (unsigned again = 0; again < 2; again++) { /* nothing remains of the first line's pattern */
                start(c, true);
                strip(c, p, POINTS);
                raster_flush(c->raster);
                check(c, wanted);
            }
        }
        canvas_destroy(c);
    }
}

/* A period is 16 * 3 steps, which does not divide any power of two: strips of any length stay in step. */
static void test_long_strip(void **state)
{
    struct canvas *c = canvas_create(1);
    const struct place from = {0, 3}, to = {6000, 3}, row[2] = {{0, 3}, {90, 3}};
    static bool wanted[SIDE * SIDE];

    (void)state;
    c->state.rasterizer.line_stipple_pattern = 0x1234;
    c->state.rasterizer.line_stipple_factor = 2;
    define(c, row, 2, wanted);
    start(c, true);
    raster_begin_strip(c->raster);
    for (unsigned i = 0; i < 800000; i++) { /* 4.8e9 steps, 100000000 periods */
        const struct raster_line_span hidden = i & 1 ? (struct raster_line_span){to.x, to.y, from.x, from.y}
                                                     : (struct raster_line_span){from.x, from.y, to.x, to.y};

        raster_hidden_line(c->raster, &hidden);
    }
    segment(c, row[0], row[1]);
    raster_flush(c->raster);
    check(c, wanted);
    canvas_destroy(c);
}

/* A part of a line looks as in the whole line. */
static void test_clipped(void **state)
{
    struct canvas *c = canvas_create(1);
    struct raster_state *rs = &c->state.rasterizer;
    static uint32_t whole[SIDE * SIDE];

    (void)state;
    random_seed = 2;
    for (unsigned round = 0; round < 400; round++) {
        struct place p[3];
        struct raster_vertex v[2];

        rs->line_smooth = round % 4 == 3;
        rs->half_pixel_center = round & 1;
        rs->line_stipple_pattern = (uint16_t)random_word();
        rs->line_stipple_factor = (uint16_t)random_below(3);
        for (unsigned i = 0; i < 3; i++)
            p[i] = (struct place){(float)(int)(64 * random_place(false)) / 64,
                                  (float)(int)(64 * random_place(false)) / 64};
        if (round & 4) /* from far away, beyond the guard band */
            p[0] = (struct place){p[1].x - (p[1].x < 48 ? 40000.0f : -40000.0f), p[1].y};
        const struct raster_line_span span = {p[0].x, p[0].y, p[1].x, p[1].y};
        /* quarters of the line are exact enough; nothing checks where it was cut */
        const float t0 = round & 4 ? 1.0f - 1.0f / 1024.0f : 0.25f, t1 = round & 8 && !(round & 4) ? 0.75f : 1.0f;
        const struct place from = {p[0].x + t0 * (p[1].x - p[0].x), p[0].y + t0 * (p[1].y - p[0].y)};
        const struct place to = {p[0].x + t1 * (p[1].x - p[0].x), p[0].y + t1 * (p[1].y - p[0].y)};

        start(c, true);
        raster_begin_strip(c->raster);
        v[0] = at(from);
        v[1] = at(to);
        raster_clipped_line(c->raster, &v[0], &v[1], &v[0], false, &span);
        segment(c, p[1], p[2]);
        raster_flush(c->raster);
        memcpy(whole, c->color, sizeof(whole));
        /* the same with the first line whole; a distant line in 39 pieces of 1024 px that begin a whole number of
         * periods before it */
        start(c, true);
        raster_begin_strip(c->raster);
        if (round & 4) {
            const float piece = 16.0f * (float)(rs->line_stipple_factor + 1);
            const float step = p[1].x > p[0].x ? -piece : piece;

            for (int n = (int)(40000.0f / piece); n > 0; n--) {
                const struct raster_line_span hidden = {p[1].x + step * (float)n, p[1].y,
                                                        p[1].x + step * (float)(n - 1), p[1].y};
                const struct raster_line_span rest = {p[0].x, p[0].y, hidden.x0, hidden.y0};

                if (n == (int)(40000.0f / piece))
                    raster_hidden_line(c->raster, &rest);
                if (n <= 6)
                    segment(c, (struct place){hidden.x0, hidden.y0}, (struct place){hidden.x1, hidden.y1});
                else
                    raster_hidden_line(c->raster, &hidden);
            }
        } else {
            segment(c, p[0], p[1]);
        }
        segment(c, p[1], p[2]);
        raster_flush(c->raster);
        const float low_x = from.x < to.x ? from.x : to.x, high_x = from.x < to.x ? to.x : from.x;
        const float low_y = from.y < to.y ? from.y : to.y, high_y = from.y < to.y ? to.y : from.y;
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++) {
                const bool near_cut = (abs((int)x - (int)from.x) < 4 && abs((int)y - (int)from.y) < 4) ||
                                      (abs((int)x - (int)to.x) < 4 && abs((int)y - (int)to.y) < 4);
                const bool in_part = (float)x > low_x && (float)x < high_x && (float)y > low_y && (float)y < high_y;

                if (whole[y * SIDE + x] && !near_cut)
                    assert_int_not_equal(c->color[y * SIDE + x], 0);
                if (in_part && c->color[y * SIDE + x] && !near_cut)
                    assert_int_not_equal(whole[y * SIDE + x], 0);
            }
    }
    canvas_destroy(c);
}

/* The outline of a triangle is a strip: the pattern restarts for each and continues around its corners. */
static void test_outlines(void **state)
{
    struct canvas *c = canvas_create(1);
    struct raster_state *rs = &c->state.rasterizer;
    static bool wanted[SIDE * SIDE];
    static const struct place p[4] = {{10, 8}, {51, 13}, {22, 60}, {10, 8}};
    struct raster_vertex v[3];

    (void)state;
    rs->fill_front = rs->fill_back = RASTER_FILL_LINE;
    rs->line_stipple_pattern = 0x0c35;
    for (unsigned i = 0; i < 3; i++)
        v[i] = at(p[i]);
    define(c, p, 4, wanted);
    start(c, true);
    for (unsigned n = 0; n < 3; n++)
        raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], RASTER_ALL_EDGES);
    raster_flush(c->raster);
    check(c, wanted);
    /* in two parts, with the edge between them left out */
    const struct raster_vertex middle = at((struct place){36.5f, 36.5f}); /* of the second edge */
    start(c, true);
    raster_begin_strip(c->raster);
    raster_triangle(c->raster, &v[0], &v[1], &middle, &v[0], 3 | RASTER_OUTLINE_GOES_ON);
    raster_triangle(c->raster, &v[0], &middle, &v[2], &v[0], 6 | RASTER_OUTLINE_GOES_ON);
    raster_flush(c->raster);
    const struct place parts[5] = {p[0], p[1], {36.5f, 36.5f}, p[2], p[3]};
    uint32_t *seen = malloc(sizeof(c->color));
    memcpy(seen, c->color, sizeof(c->color));
    define(c, parts, 5, wanted);
    memcpy(c->color, seen, sizeof(c->color));
    free(seen);
    check(c, wanted);
    canvas_destroy(c);
}

/* Lines that draw no pixel take no step; invisible lines take theirs. */
static void test_unseen_lines(void **state)
{
    struct canvas *c = canvas_create(1);
    static bool wanted[SIDE * SIDE];
    static const struct place p[6] = {{40, 20}, {40, 20}, {60, 20}, {60, 20}, {20, 30}, {70, 31}};

    (void)state;
    c->state.rasterizer.line_stipple_pattern = 0x00ff;
    define(c, p, 6, wanted);
    c->state.viewport = (struct raster_rect){0, 25, SIDE, SIDE}; /* the first lines are not in view */
    start(c, true);
    strip(c, p, 6);
    raster_flush(c->raster);
    for (unsigned i = 0; i < 25 * SIDE; i++)
        wanted[i] = false;
    check(c, wanted);
    canvas_destroy(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strips),   cmocka_unit_test(test_long_strip),   cmocka_unit_test(test_clipped),
        cmocka_unit_test(test_outlines), cmocka_unit_test(test_unseen_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
