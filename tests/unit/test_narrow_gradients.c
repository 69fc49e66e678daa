/* SPDX-License-Identifier: MIT */
/*
 * Gradients of narrow states: random triangles of odd sizes and slopes, affine and in perspective, drawn through the
 * rasterizer at each CPU level, against planes in real numbers. A pixel is the byte nearest to the exact value, except
 * near a tie, so there are neither bands nor steps; and no place in a block or group has larger errors than others.
 * With TEST_ERRORS=1 it prints the errors given in docs/narrow-colour.md.
 */
#include "tests/random.h"
#include "tests/unit/narrow_canvas.h"

#define TRIANGLES 1500

/* Half a byte, plus the possible loss by integer steps from the first pixel of a group (docs/narrow-colour.md). */
#define MOST_ERROR 0.57
#define COLORS     3 /* red, green, blue; alpha is 1 and marks the triangle */

struct triangle {
    struct raster_vertex v[3];
};

/* Errors by the place in a block. */
struct place_errors {
    double sum[8][8], largest, absolute;
    uint64_t count[8][8], others, pixels; /* others: not the nearest byte */
};

/* Corners on whole sixteenths: none is moved when it is snapped. */
static float corner(unsigned limit)
{
    return (float)random_below(limit * 16) / 16.0f;
}

/* Colours that differ much or hardly. */
static struct triangle random_triangle(bool perspective)
{
    static const float ranges[] = {1.0f, 1.0f, 0.2f, 0.02f};
    const float range = ranges[random_below(4)];
    const unsigned most = random_below(4) ? CANVAS_SIDE : 9;
    const float x = corner(CANVAS_SIDE - most + 1), y = corner(CANVAS_SIDE - most + 1);
    struct triangle t = {0};

    for (unsigned c = 0; c < COLORS; c++) {
        const float first = random_unit() * (1.0f - range);

        for (unsigned k = 0; k < 3; k++)
            t.v[k].input[0][c] = first + range * random_unit();
    }
    for (unsigned k = 0; k < 3; k++) {
        t.v[k].x = x + corner(most);
        t.v[k].y = y + corner(most);
        t.v[k].rhw = perspective ? 0.25f + random_unit() : 1.0f;
        t.v[k].input[0][3] = 1.0f;
    }
    return t;
}

static void draw(struct canvas *c, const struct triangle *t)
{
    memset(c->color, 0, sizeof(c->color));
    raster_set_state(c->raster, &c->state);
    raster_triangle(c->raster, &t->v[0], &t->v[1], &t->v[2], &t->v[0], 7);
    raster_flush(c->raster);
}

/* Colour c at the middle of a pixel, 0..255. */
static double exact_color(const struct triangle *t, unsigned c, unsigned x, unsigned y)
{
    const struct raster_vertex *v = t->v;
    const double px = x + 0.5, py = y + 0.5;
    double weight[3], sum = 0.0, color = 0.0;

    for (unsigned k = 0; k < 3; k++) {
        const struct raster_vertex *a = &v[(k + 1) % 3], *b = &v[(k + 2) % 3];

        weight[k] = ((b->x - a->x) * (py - a->y) - (b->y - a->y) * (px - a->x)) * v[k].rhw;
        sum += weight[k];
    }
    for (unsigned k = 0; k < 3; k++)
        color += weight[k] / sum * v[k].input[0][c];
    return 255.0 * color;
}

/* The byte of red, green or blue. */
static int drawn(const struct canvas *c, unsigned color, unsigned x, unsigned y)
{
    return canvas_byte(c->color[y * CANVAS_SIDE + x], 2 - color);
}

static bool is_covered(const struct canvas *c, unsigned x, unsigned y)
{
    return c->color[y * CANVAS_SIDE + x] >> 24;
}

static void check_pixel(const struct canvas *c, const struct triangle *t, unsigned x, unsigned y,
                        struct place_errors *e)
{
    for (unsigned color = 0; color < COLORS; color++) {
        const double exact = exact_color(t, color, x, y);
        const int got = drawn(c, color, x, y);

        if (fabs(got - exact) > MOST_ERROR)
            fail_msg("(%u, %u): color %u is %d, not %f", x, y, color, got, exact);
        e->sum[y % 8][x % 8] += got - exact;
        e->count[y % 8][x % 8]++;
        e->largest = fmax(e->largest, fabs(got - exact));
        e->absolute += fabs(got - exact);
        e->others += fabs(got - exact) > 0.5;
        e->pixels++;
    }
}

/* No place has larger errors than the others, which would show as a step at the borders of blocks. */
static void check_places(const struct place_errors *e, const char *what)
{
    double least = 1.0, most = -1.0;

    for (unsigned place = 0; place < 64; place++) {
        const double mean = e->sum[place / 8][place % 8] / (double)e->count[place / 8][place % 8];

        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    if (getenv("TEST_ERRORS"))
        printf(
            "errors gradients, %s: largest %.4f mean %.4f, means of places %.4f..%.4f, %.2f%% not the nearest byte\n",
            what, e->largest, e->absolute / (double)e->pixels, least, most,
            100.0 * (double)e->others / (double)e->pixels);
    assert_true(least > -0.02 && most < 0.02 && most - least < 0.01);
    assert_true(e->others < e->pixels / 20);
}

static void test_gradients(bool perspective, const char *what)
{
    static uint32_t scalar[CANVAS_SIDE * CANVAS_SIDE];
    struct canvas *c[CPU_LEVEL_COUNT];
    struct place_errors *e = mem_calloc(1, sizeof(*e));

    random_seed = perspective ? 2 : 1;
    for (unsigned level = 0; level <= (unsigned)cpu_level_detected(); level++)
        c[level] = canvas_create((enum cpu_level)level, 1 + level % 2);
    for (unsigned n = 0; n < TRIANGLES; n++) {
        const struct triangle t = random_triangle(perspective);

        draw(c[0], &t);
        memcpy(scalar, c[0]->color, sizeof(scalar));
        for (unsigned level = 1; level <= (unsigned)cpu_level_detected(); level++) {
            draw(c[level], &t);
            if (memcmp(c[level]->color, scalar, sizeof(scalar)))
                fail_msg("triangle %u: %s draws other pixels than scalar", n, cpu_level_name((enum cpu_level)level));
        }
        for (unsigned y = 0; y < CANVAS_SIDE; y++)
            for (unsigned x = 0; x < CANVAS_SIDE; x++)
                if (is_covered(c[0], x, y))
                    check_pixel(c[0], &t, x, y, e);
    }
    check_places(e, what);
    for (unsigned level = 0; level <= (unsigned)cpu_level_detected(); level++)
        canvas_destroy(c[level]);
    free(e);
}

static void test_affine_gradients(void **state)
{
    (void)state;
    test_gradients(false, "affine");
}

static void test_perspective_gradients(void **state)
{
    (void)state;
    test_gradients(true, "in perspective");
}

/* Ramps of 2 to 1/32 bytes per pixel: none decreases inside a group of pixels. Where another group begins, a slow ramp
 * may decrease by the one byte by which it has just increased, near the tie. */
static void test_ramps(void **state)
{
    struct canvas *c = canvas_create(cpu_level_detected(), 1);

    (void)state;
    for (unsigned slower = 1; slower <= 64; slower++) {
        struct raster_vertex v[3] = {{.x = 0.0f, .y = 0.0f, .rhw = 1.0f},
                                     {.x = 2 * CANVAS_SIDE, .y = 0.0f, .rhw = 1.0f},
                                     {.x = 0.0f, .y = 2 * CANVAS_SIDE, .rhw = 1.0f}};
        const float high = 510.0f / 255.0f / (float)slower;
        struct triangle t;

        for (unsigned k = 0; k < 3; k++)
            for (unsigned i = 0; i < 4; i++)
                v[k].input[0][i] = i == 3 ? 1.0f : k == 1 ? high : 0.0f;
        memcpy(t.v, v, sizeof(v));
        draw(c, &t);
        for (unsigned x = 0; x < CANVAS_SIDE; x++) {
            const int got = drawn(c, 0, x, 17);

            if (fabs(got - exact_color(&t, 0, x, 17)) > MOST_ERROR)
                fail_msg("a ramp %u times as slow: pixel %u is %d, not %f", slower, x, got, exact_color(&t, 0, x, 17));
            if (x && got < drawn(c, 0, x - 1, 17) && x % 4)
                fail_msg("a ramp %u times as slow falls at pixel %u", slower, x);
        }
    }
    canvas_destroy(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affine_gradients),
        cmocka_unit_test(test_perspective_gradients),
        cmocka_unit_test(test_ramps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
