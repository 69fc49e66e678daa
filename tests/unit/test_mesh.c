/* SPDX-License-Identifier: MIT */
/*
 * Meshes of small triangles: raster_triangles against exact edges in 64 bits and planes in doubles, pixel by pixel, at
 * every CPU level. Sizes go beyond the limit of small triangles in raster/; places include the ends of tiles, of the
 * viewport and of the target.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"

#define SIDE   192
#define MESHES 150
#define COUNT  8 /* triangles of a mesh */

struct mesh {
    struct raster_vertex vertex[3 * COUNT];
    uint32_t corner[3 * COUNT];
    struct raster_draw_state state;
};

static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    memcpy(batch->color[0], batch->input[0], sizeof(batch->color[0]));
}

static void random_draw_state(struct raster_draw_state *state)
{
    struct raster_state *rs = &state->rasterizer;

    memset(state, 0, sizeof(*state));
    rs->fill_front = rs->fill_back = RASTER_FILL_SOLID;
    rs->half_pixel_center = random_word() & 1;
    rs->bottom_edge_rule = random_word() & 1;
    rs->front_ccw = random_word() & 1;
    rs->cull_mode = (enum raster_cull)(random_word() % 3);
    state->viewport = (struct raster_rect){0, 0, SIDE, SIDE};
    if (random_word() % 2)
        state->viewport = (struct raster_rect){13, 50, 141, 133};
    state->color_write_mask[0] = 15;
    state->shade = shade;
    state->input_count = 1;
    state->input_mask[0] = 15;
    state->interpolation[0] = (uint8_t)(random_word() % 2);
}

/* Some corners lie on pixel centres, half way between them, or on another triangle's corner. */
static void random_mesh(struct mesh *m)
{
    random_draw_state(&m->state);
    for (unsigned i = 0; i < COUNT; i++) {
        const float size = (float[]){1.0f, 3.0f, 9.0f, 40.0f, 63.0f, 66.0f, 300.0f}[random_word() % 7];
        const float x = random_between(-70, SIDE + 10), y = random_between(-70, SIDE + 10);

        for (unsigned k = 0; k < 3; k++) {
            struct raster_vertex *v = &m->vertex[3 * i + k];

            v->x = x + random_between(0, size);
            v->y = y + random_between(0, size);
            if (i % 3 == 0) {
                v->x = floorf(v->x * 2.0f) * 0.5f;
                v->y = floorf(v->y * 2.0f) * 0.5f;
            }
            v->z = random_between(0, 1);
            v->rhw = random_between(0.5f, 2.0f);
            for (unsigned c = 0; c < 4; c++)
                v->input[0][c] = random_between(0, 1);
            m->corner[3 * i + k] = i % 4 == 3 && k ? random_word() % (3 * i) : 3 * i + k;
        }
    }
}

/* --- expected results --------------------------------------------------------------------------- */

struct point {
    int64_t x, y; /* subpixels, pixel centres at 256 i + 128 */
};

static struct point snap(const struct raster_draw_state *state, const struct raster_vertex *v)
{
    const int64_t shift = state->rasterizer.half_pixel_center ? 0 : 128;

    return (struct point){lrint((double)v->x * 256.0) + shift, lrint((double)v->y * 256.0) + shift};
}

static int64_t edge(struct point a, struct point b, struct point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool inside(const struct point c[3], bool clockwise, bool bottom_edge_rule, struct point p)
{
    for (unsigned e = 0; e < 3; e++) {
        struct point a = c[clockwise ? e : (e + 1) % 3], b = c[clockwise ? (e + 1) % 3 : e];
        int64_t value = edge(a, b, p);
        bool top_left = b.y < a.y || (b.y == a.y && (bottom_edge_rule ? b.x < a.x : b.x > a.x));

        if (value < 0 || (value == 0 && !top_left))
            return false;
    }
    return true;
}

/* Red at a pixel centre. */
static double red(const struct raster_draw_state *state, const struct raster_vertex *const v[3],
                  const struct point c[3], struct point p)
{
    const double area = (double)edge(c[0], c[1], c[2]);
    const double w1 = (double)edge(c[2], c[0], p) / area, w2 = (double)edge(c[0], c[1], p) / area, w0 = 1.0 - w1 - w2;
    const double r0 = v[0]->rhw, r1 = v[1]->rhw, r2 = v[2]->rhw;

    if (state->interpolation[0] == RASTER_FLAT)
        return v[0]->input[0][0];
    return (w0 * v[0]->input[0][0] * r0 + w1 * v[1]->input[0][0] * r1 + w2 * v[2]->input[0][0] * r2) /
           (w0 * r0 + w1 * r1 + w2 * r2);
}

static void expect(const struct mesh *m, double want[SIDE][SIDE])
{
    const struct raster_state *rs = &m->state.rasterizer;
    const struct raster_rect *r = &m->state.viewport;

    for (unsigned i = 0; i < SIDE * SIDE; i++)
        want[i / SIDE][i % SIDE] = -1;
    for (unsigned i = 0; i < COUNT; i++) {
        const struct raster_vertex *v[3];
        struct point c[3];

        for (unsigned k = 0; k < 3; k++) {
            v[k] = &m->vertex[m->corner[3 * i + k]];
            c[k] = snap(&m->state, v[k]);
        }
        const int64_t area = edge(c[0], c[1], c[2]);
        const bool front = (area < 0) == rs->front_ccw;
        if (!area || rs->cull_mode == (front ? RASTER_CULL_FRONT : RASTER_CULL_BACK))
            continue;
        for (int y = r->top; y < r->bottom; y++)
            for (int x = r->left; x < r->right; x++) {
                const struct point p = {256 * x + 128, 256 * y + 128};

                if (inside(c, area > 0, rs->bottom_edge_rule, p))
                    want[y][x] = red(&m->state, v, c, p);
            }
    }
}

/* --- drawn results ------------------------------------------------------------------------------- */

static void draw(struct raster *raster, const struct mesh *m, bool one_by_one, uint32_t *pixels)
{
    struct raster_targets targets = {.color[0] = {(uint8_t *)pixels, SIDE * 4, SIDE, SIDE, RASTER_FORMAT_A8R8G8B8, 0}};

    memset(pixels, 0, SIDE * SIDE * 4);
    raster_set_targets(raster, &targets);
    raster_set_state(raster, &m->state);
    for (unsigned i = 0; i < COUNT && one_by_one; i++) {
        const struct raster_vertex *v[3];

        for (unsigned k = 0; k < 3; k++)
            v[k] = &m->vertex[m->corner[3 * i + k]];
        raster_triangle(raster, v[0], v[1], v[2], v[0], 7);
    }
    if (!one_by_one) {
        struct raster_snapped snapped[3 * COUNT];

        raster_snap(raster, m->vertex, 3 * COUNT, snapped);
        raster_triangles(raster, m->vertex, snapped, m->corner, COUNT);
    }
    raster_flush(raster);
}

static void test_meshes(void **state)
{
    static _Alignas(64) uint32_t pixels[SIDE * SIDE], again[SIDE * SIDE];
    static double want[SIDE][SIDE];
    static struct mesh mesh;
    unsigned covered = 0;

    (void)state;
    for (unsigned n = 0; n < MESHES; n++) {
        random_mesh(&mesh);
        for (unsigned i = 0; i < 3 * COUNT; i++)
            mesh.vertex[i].input[0][3] = 1.0f; /* alpha marks what is covered */
        expect(&mesh, want);
        for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++) {
            struct raster *raster = raster_create((enum cpu_level)level, 1);

            draw(raster, &mesh, level & 1, level ? again : pixels);
            if (level)
                assert_memory_equal(pixels, again, sizeof(pixels));
            raster_destroy(raster);
        }
        for (unsigned i = 0; i < SIDE * SIDE; i++) {
            const double expected = want[i / SIDE][i % SIDE];

            covered += expected >= 0;
            if (((pixels[i] >> 24) != 0) != (expected >= 0))
                fail_msg("mesh %u: coverage of pixel %u, %u", n, i % SIDE, i / SIDE);
            if (expected >= 0 && fabs((double)(pixels[i] >> 16 & 255) / 255.0 - expected) > 0.01)
                fail_msg("mesh %u: %f at pixel %u, %u is not %f", n, (double)(pixels[i] >> 16 & 255) / 255.0, i % SIDE,
                         i / SIDE, expected);
        }
    }
    assert_true(covered > 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_meshes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
