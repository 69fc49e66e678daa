/* SPDX-License-Identifier: MIT */
/*
 * The rasterizer through its own interface (raster/raster.h): fill rule, lines, points, meshes without cracks, depth and
 * stencil, order, and the same bits for every thread count and CPU level. Vectors: docs/reference/rasterization.md, sections 5
 * to 7.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"

#define MAX_WIDTH  256
#define MAX_HEIGHT 256

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    unsigned width, height;
    _Alignas(64) uint32_t color[MAX_WIDTH * MAX_HEIGHT];
    _Alignas(64) uint32_t depth[MAX_WIDTH * MAX_HEIGHT];
};

/* Input 0 is the colour. */
static void shade_input(const void *program, struct raster_batch *batch)
{
    (void)program;
    memcpy(batch->color[0], batch->input[0], sizeof(batch->color[0]));
}

static struct canvas *canvas_create(unsigned width, unsigned height, enum cpu_level level, unsigned threads)
{
    struct canvas *c = mem_alloc_aligned(sizeof(*c));
    struct raster_targets targets;

    memset(&targets, 0, sizeof(targets));
    c->width = width;
    c->height = height;
    c->raster = raster_create(level, threads);
    assert_non_null(c->raster);
    targets.color[0] =
        (struct raster_surface){(uint8_t *)c->color, MAX_WIDTH * 4, width, height, RASTER_FORMAT_A8R8G8B8, 1};
    targets.depth = (struct raster_surface){(uint8_t *)c->depth, MAX_WIDTH * 4, width, height, RASTER_FORMAT_D24S8, 1};
    raster_set_targets(c->raster, &targets);
    c->state.viewport = (struct raster_rect){0, 0, (int)width, (int)height};
    c->state.rasterizer.fill_front = c->state.rasterizer.fill_back = RASTER_FILL_SOLID;
    c->state.rasterizer.line_last_pixel = true;
    c->state.rasterizer.point_quad_rasterization = c->state.rasterizer.point_tri_clip = true;
    c->state.color_write_mask[0] = 15;
    c->state.shade = shade_input;
    c->state.input_count = 1;
    c->state.input_mask[0] = 15;
    return c;
}

static void canvas_destroy(struct canvas *c)
{
    raster_destroy(c->raster);
    mem_free_aligned(c);
}

static struct raster_vertex vertex(float x, float y, uint32_t argb)
{
    struct raster_vertex v;

    memset(&v, 0, sizeof(v));
    v.x = x;
    v.y = y;
    v.z = 0.5f;
    v.rhw = 1.0f;
    v.input[0][0] = (float)(argb >> 16 & 255) / 255.0f;
    v.input[0][1] = (float)(argb >> 8 & 255) / 255.0f;
    v.input[0][2] = (float)(argb & 255) / 255.0f;
    v.input[0][3] = (float)(argb >> 24) / 255.0f;
    return v;
}

static void triangle(struct canvas *c, const float p[3][2], float dx, float dy, uint32_t argb)
{
    struct raster_vertex v[3];

    for (unsigned i = 0; i < 3; i++)
        v[i] = vertex(p[i][0] + dx, p[i][1] + dy, argb);
    raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
}

static void start(struct canvas *c)
{
    struct raster_rect all = {0, 0, (int)c->width, (int)c->height};

    raster_clear(c->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0, 1.0f, 0);
    raster_set_state(c->raster, &c->state);
}

static uint32_t pixel(const struct canvas *c, unsigned x, unsigned y)
{
    return c->color[y * MAX_WIDTH + x];
}

/* --- fill rule ---------------------------------------------------------------------------- */

static const float fill_triangle[4][3][2] = {
    {{2, 1}, {3, 3}, {2, 5}}, /* L */
    {{2, 1}, {4, 1}, {3, 3}}, /* T */
    {{4, 1}, {4, 5}, {3, 3}}, /* R */
    {{3, 3}, {4, 5}, {2, 5}}, /* B */
};
static const char fill_letter[] = "LTRB";

/* Rows 1 to 5 as the test_filling_convention of Wine's d3d8 tests has them; columns from `column`. */
static const struct {
    float dx, dy;
    unsigned column;
    const char *rows[5];
} fill_vector[] = {
    {0, 0, 2, {"TT", "LT", "LR", "LB", "  "}},           {-0.5f, 0.5f, 2, {"  ", "TT", "LR", "LR", "BB"}},
    {2 / 256.0f, 0, 3, {"TT", "TR", "LR", "BR", "  "}},  {-2 / 256.0f, 0, 2, {"TT", "LT", "LR", "LB", "  "}},
    {0, -2 / 256.0f, 2, {"LT", "LT", "LB", "LB", "  "}}, {0, 2 / 256.0f, 2, {"  ", "LT", "LT", "LB", "LB"}},
};

static void test_fill_convention(void **state)
{
    struct canvas *c = canvas_create(8, 8, cpu_level_detected(), 1);

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(fill_vector); i++) {
        start(c);
        for (unsigned t = 0; t < 4; t++)
            triangle(c, fill_triangle[t], fill_vector[i].dx, fill_vector[i].dy, 0xff000000u | (uint32_t)fill_letter[t]);
        raster_flush(c->raster);
        for (unsigned y = 0; y < 8; y++) {
            for (unsigned x = 0; x < 8; x++) {
                unsigned column = x - fill_vector[i].column;
                bool inside = y >= 1 && y <= 5 && column < 2;
                char want = inside ? fill_vector[i].rows[y - 1][column] : ' ';
                char got = pixel(c, x, y) ? (char)(pixel(c, x, y) & 255) : ' ';

                if (got != want)
                    fail_msg("shift %u, pixel (%u, %u): %c instead of %c", i, x, y, got, want);
            }
        }
    }
    canvas_destroy(c);
}

static unsigned count_pixels(const struct canvas *c)
{
    unsigned count = 0;

    for (unsigned y = 0; y < c->height; y++)
        for (unsigned x = 0; x < c->width; x++)
            count += pixel(c, x, y) != 0;
    return count;
}

static void test_top_left_pair(void **state)
{
    static const float upper[3][2] = {{0, 0}, {5, 0}, {5, 5}}, lower[3][2] = {{0, 5}, {0, 0}, {5, 5}};
    struct canvas *c = canvas_create(8, 8, CPU_SCALAR, 1);

    (void)state;
    start(c);
    triangle(c, upper, 0, 0, 0xffffffff);
    raster_flush(c->raster);
    assert_int_equal(count_pixels(c), 15);
    start(c);
    triangle(c, lower, 0, 0, 0xffffffff);
    raster_flush(c->raster);
    assert_int_equal(count_pixels(c), 10);
    canvas_destroy(c);
}

/* Clockwise on the screen is front; CULL_FRONT is D3DCULL_CW. */
static void test_culling(void **state)
{
    static const float clockwise[3][2] = {{0, 0}, {5, 0}, {5, 5}}, counter[3][2] = {{0, 0}, {5, 5}, {5, 0}};
    static const unsigned drawn[4][2] = {{15, 15}, {0, 15}, {15, 0}, {0, 0}};
    struct canvas *c = canvas_create(8, 8, CPU_SCALAR, 1);

    (void)state;
    for (unsigned mode = RASTER_CULL_NONE; mode <= RASTER_CULL_BOTH; mode++) {
        c->state.rasterizer.cull_mode = (enum raster_cull)mode;
        for (unsigned i = 0; i < 2; i++) {
            start(c);
            triangle(c, i ? counter : clockwise, 0, 0, 0xffffffff);
            raster_flush(c->raster);
            assert_int_equal(count_pixels(c), drawn[mode][i]);
        }
    }
    canvas_destroy(c);
}

/* Does a clockwise triangle (in half pixels) cover the centre of pixel (x, y)? By the definition of the fill rule. */
static bool covers_centre(const int p[3][2], int x, int y, bool bottom_edge_rule)
{
    for (unsigned i = 0; i < 3; i++) {
        const int *a = p[i], *b = p[(i + 1) % 3], dx = b[0] - a[0], dy = b[1] - a[1];
        const int e = dx * (2 * y - a[1]) - dy * (2 * x - a[0]);
        const bool owned = dy < 0 || (dy == 0 && (bottom_edge_rule ? dx < 0 : dx > 0));

        if (e < 0 || (e == 0 && !owned))
            return false;
    }
    return true;
}

static void check_coverage(const struct canvas *c, const int p[3][2], enum cpu_level level)
{
    for (unsigned y = 0; y < c->height; y++)
        for (unsigned x = 0; x < c->width; x++)
            if ((pixel(c, x, y) != 0) != covers_centre(p, (int)x, (int)y, c->state.rasterizer.bottom_edge_rule))
                fail_msg("level %d: (%d, %d) (%d, %d) (%d, %d) halves: pixel (%u, %u)", level, p[0][0], p[0][1],
                         p[1][0], p[1][1], p[2][0], p[2][1], x, y);
}

/* Halves of rectangles and other triangles whose corners and borders lie on centres of pixels, from less than a pixel to more
 * than a tile. */
static void test_corners_on_centres(void **state)
{
    (void)state;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        struct canvas *c = canvas_create(150, 140, (enum cpu_level)level, 1);

        for (unsigned n = 0; n < 1500; n++) {
            const int sizes[] = {4, 16, 18, 24, 126, 128, 130, 132};
            const int size = sizes[random_word() % ARRAY_COUNT(sizes)];
            const int left = (int)(random_word() % 170), top = (int)(random_word() % 160);
            const int right = left + size + (int)(random_word() % 3) - 1;
            const int bottom = top + size + (int)(random_word() % 3) - 1, middle = left + (int)(random_word() % 20);
            const int shapes[3][3][2] = {{{left, top}, {right, top}, {left, bottom}},
                                         {{right, top}, {right, bottom}, {left, bottom}},
                                         {{middle, top}, {right, bottom}, {left, bottom}}};
            const int(*p)[2] = shapes[n % 3];
            float corners[3][2];

            for (unsigned i = 0; i < 6; i++)
                corners[i / 2][i % 2] = (float)p[i / 2][i % 2] / 2;
            c->state.rasterizer.bottom_edge_rule = n / 3 % 4 == 0;
            start(c);
            triangle(c, (const float(*)[2])corners, 0, 0, 0xffffffff);
            raster_flush(c->raster);
            check_coverage(c, p, (enum cpu_level)level);
        }
        canvas_destroy(c);
    }
}

/* --- meshes -------------------------------------------------------------------------------------- */

/* A grid of random inner points over the whole canvas: every pixel belongs to exactly one triangle. */
static void test_mesh_is_watertight(void **state)
{
    enum { CELLS = 24 };
    struct canvas *c = canvas_create(200, 150, cpu_level_detected(), 2);

    (void)state;
    c->state.blend = (struct raster_blend){.enable = true,
                                           .src_color = RASTER_BLEND_ONE,
                                           .dst_color = RASTER_BLEND_ONE,
                                           .src_alpha = RASTER_BLEND_ONE,
                                           .dst_alpha = RASTER_BLEND_ONE};
    for (unsigned round = 0; round < 40; round++) {
        float p[CELLS + 1][CELLS + 1][2];

        for (unsigned j = 0; j <= CELLS; j++) {
            for (unsigned i = 0; i <= CELLS; i++) {
                bool edge = !i || !j || i == CELLS || j == CELLS;
                float cell_x = 204.0f / CELLS, cell_y = 154.0f / CELLS, wander = edge ? 0.0f : 0.24f;

                p[j][i][0] = -2.0f + cell_x * ((float)i + random_between(-wander, wander));
                p[j][i][1] = -2.0f + cell_y * ((float)j + random_between(-wander, wander));
            }
        }
        start(c);
        for (unsigned j = 0; j < CELLS; j++) {
            for (unsigned i = 0; i < CELLS; i++) {
                const float *a = p[j][i], *b = p[j][i + 1], *d = p[j + 1][i], *e = p[j + 1][i + 1];
                const float t0[3][2] = {{a[0], a[1]}, {b[0], b[1]}, {e[0], e[1]}};
                const float t1[3][2] = {{e[0], e[1]}, {d[0], d[1]}, {a[0], a[1]}};

                triangle(c, t0, 0, 0, 0x01010101);
                triangle(c, t1, 0, 0, 0x01010101);
            }
        }
        raster_flush(c->raster);
        for (unsigned y = 0; y < c->height; y++)
            for (unsigned x = 0; x < c->width; x++)
                if (pixel(c, x, y) != 0x01010101)
                    fail_msg("round %u: pixel (%u, %u) is %08x", round, x, y, pixel(c, x, y));
    }
    canvas_destroy(c);
}

/* --- lines ------------------------------------------------------------------------------------------ */

static void line(struct canvas *c, float x0, float y0, float x1, float y1, bool last)
{
    struct raster_vertex a = vertex(x0, y0, 0xffffffff), b = vertex(x1, y1, 0xffffffff);

    raster_line(c->raster, &a, &b, &a, last);
}

static void test_lines(void **state)
{
    struct canvas *c = canvas_create(16, 16, CPU_SCALAR, 1);

    (void)state;
    c->state.rasterizer.half_pixel_center = true;
    start(c);
    line(c, 0.5f, 0.5f, 5.5f, 0.5f, false); /* sp (128,128) to (1408,128): columns 0 to 4 */
    raster_flush(c->raster);
    assert_int_equal(count_pixels(c), 5);
    for (unsigned x = 0; x < 5; x++)
        assert_int_equal(pixel(c, x, 0), 0xffffffff);
    start(c);
    line(c, 0, 0, 4, 4, false); /* the diagonal (0,0) to (3,3) */
    raster_flush(c->raster);
    assert_int_equal(count_pixels(c), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pixel(c, i, i), 0xffffffff);
    start(c);
    line(c, 0.5f, 0.5f, 5.5f, 0.5f, true); /* LASTPIXEL draws the end */
    raster_flush(c->raster);
    assert_int_equal(count_pixels(c), 6);
    start(c);
    line(c, 3, 3, 3, 3, true);
    raster_flush(c->raster);
    assert_int_equal(count_pixels(c), 0);
    canvas_destroy(c);
}

/* A polyline of half-open segments draws each of its pixels once, whatever its directions. */
static void test_polyline_pixels_once(void **state)
{
    struct canvas *c = canvas_create(200, 200, cpu_level_detected(), 1);

    (void)state;
    c->state.blend = (struct raster_blend){.enable = true,
                                           .src_color = RASTER_BLEND_ONE,
                                           .dst_color = RASTER_BLEND_ONE,
                                           .src_alpha = RASTER_BLEND_ONE,
                                           .dst_alpha = RASTER_BLEND_ONE};
    start(c);
    for (unsigned i = 0; i < 3; i++)
        line(c, 10.0f, 20.0f + 40.0f * (float)i, 180.0f, 20.0f + 40.0f * (float)i + 13.3f * (float)i, false);
    raster_flush(c->raster);
    for (unsigned x = 10; x < 180; x++) {
        unsigned hits = 0;

        for (unsigned y = 0; y < 200; y++)
            hits += pixel(c, x, y) != 0;
        assert_int_equal(hits, 3);
    }
    canvas_destroy(c);
}

/* ceil(n / d) - 1, which is the position of a line's pixels across the line */
static int below_position(int64_t n, int64_t d)
{
    int64_t q = (n - 1) / d;

    return (int)(q - ((n - 1) % d < 0));
}

/* Between their ends, lines draw the pixels of their exact positions, in every tile and block. Wide lines are moved by
 * half of their excess width, and draw that many pixels from there on. Source: OpenGL 2.1 specification, 3.4.2. */
static void test_line_positions(void **state)
{
    enum { SIZE = 200 };
    struct canvas *c = canvas_create(SIZE, SIZE, cpu_level_detected(), 1);

    (void)state;
    c->state.rasterizer.half_pixel_center = true;
    for (unsigned round = 0; round < 400; round++) {
        const int grid = round % 2 ? 1 : 128; /* on the coarse one positions lie between pixels */
        int p[2][2];                          /* 1/256 px */

        for (unsigned i = 0; i < 4; i++)
            p[i / 2][i % 2] = ((int)(random_word() % ((SIZE + 100) * 256)) - 50 * 256) / grid * grid;
        const int dx = abs(p[1][0] - p[0][0]), dy = abs(p[1][1] - p[0][1]);
        const unsigned major = dy > dx, minor = !major;
        const int64_t d = major ? dy : dx, sign = p[1][major] > p[0][major] ? 1 : -1;
        const int width = round % 3 ? 1 : 1 + (int)(random_word() % 9);

        if (!d)
            continue;
        c->state.rasterizer.line_width = (float)width;
        start(c);
        line(c, (float)p[0][0] / 256, (float)p[0][1] / 256, (float)p[1][0] / 256, (float)p[1][1] / 256, false);
        raster_flush(c->raster);
        for (int m = 0; m < SIZE; m++) {
            const bool between = (m - 1) * 256 > BASE_MIN(p[0][major], p[1][major]) &&
                                 (m + 2) * 256 < BASE_MAX(p[0][major], p[1][major]);
            const int64_t along = sign * (256 * m + 128 - p[0][major]);
            const int64_t first = p[0][minor] - 128 * (width - 1);
            const int at = below_position(first * d + along * (p[1][minor] - p[0][minor]), 256 * d);

            for (int n = 0; n < SIZE && between; n++) {
                const bool want = n >= at && n < at + width;
                const uint32_t is = major ? pixel(c, (unsigned)n, (unsigned)m) : pixel(c, (unsigned)m, (unsigned)n);

                if ((is != 0) != want)
                    fail_msg("round %u: pixel %d of column %d", round, n, m);
            }
        }
    }
    canvas_destroy(c);
}

/* --- points ------------------------------------------------------------------------------------------- */

static void test_point_extent(void **state)
{
    static const struct {
        float size;
        unsigned first, last;
    } vector[] = {{15, 57, 71}, {32, 48, 79}, {1, 64, 64}};
    struct canvas *c = canvas_create(128, 128, CPU_SCALAR, 1);

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        struct raster_vertex v = vertex(64, 64, 0xffffffff);
        unsigned side = vector[i].last - vector[i].first + 1;

        start(c);
        raster_point(c->raster, &v, vector[i].size);
        raster_flush(c->raster);
        assert_int_equal(count_pixels(c), side * side);
        assert_int_equal(pixel(c, vector[i].first, vector[i].first), 0xffffffff);
        assert_int_equal(pixel(c, vector[i].last, vector[i].last), 0xffffffff);
    }
    canvas_destroy(c);
}

/* A whole point is one primitive, a clipped point becomes triangles: the whole point drawn as triangles covers the same
 * pixels with the same sprite coordinates, whichever sides the fill rule includes. */
static void test_point_is_its_triangles(void **state)
{
    (void)state;
    static const float corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static uint32_t whole[MAX_WIDTH * MAX_HEIGHT];
    struct canvas *c = canvas_create(200, 100, CPU_SCALAR, 1);

    random_seed = 7;
    for (unsigned round = 0; round < 200; round++) {
        struct raster_vertex v = vertex((float)(random_below(60000)) / 256.0f - 17.0f,
                                        (float)(random_below(33000)) / 256.0f - 13.0f, 0xff8040c0);
        float size = (float)(random_below(6000)) / 128.0f;

        c->state.rasterizer.bottom_edge_rule = round & 1;
        c->state.rasterizer.sprite_coord_mode = round & 2 ? RASTER_SPRITE_LOWER_LEFT : RASTER_SPRITE_UPPER_LEFT;
        c->state.rasterizer.sprite_coord_enable = round & 4 ? 1 : 0;
        start(c);
        raster_point(c->raster, &v, size);
        raster_flush(c->raster);
        memcpy(whole, c->color, sizeof(whole));
        start(c);
        raster_point_part(c->raster, &v, size, corners, 4);
        raster_flush(c->raster);
        for (unsigned i = 0; i < MAX_WIDTH * MAX_HEIGHT; i++) {
            assert_int_equal(whole[i] != 0, c->color[i] != 0);
            for (unsigned shift = 0; shift < 32; shift += 8) /* the planes of two triangles are rounded separately */
                assert_in_range((whole[i] >> shift & 255) + 1 - (c->color[i] >> shift & 255), 0, 2);
        }
    }
    canvas_destroy(c);
}

/* --- depth and stencil ---------------------------------------------------------------------------------- */

static void test_depth_functions(void **state)
{
    static const float quad[3][2] = {{0, 0}, {20, 0}, {0, 20}};
    static const float stored[3] = {0.25f, 0.5f, 0.75f};
    struct canvas *c = canvas_create(8, 8, cpu_level_detected(), 1);

    (void)state;
    c->state.depth_test = true;
    for (unsigned func = RASTER_NEVER; func <= RASTER_ALWAYS; func++) {
        for (unsigned i = 0; i < 3; i++) {
            struct raster_rect all = {0, 0, 8, 8};
            /* the fragment at 0.5 is greater than, equal to, less than the stored depth */
            bool pass = func & (i == 0 ? 4 : i == 1 ? 2 : 1);

            c->state.depth_func = (uint8_t)func;
            start(c);
            raster_clear(c->raster, RASTER_CLEAR_DEPTH, &all, 0, stored[i], 0);
            raster_set_state(c->raster, &c->state);
            triangle(c, quad, 0, 0, 0xffffffff);
            raster_flush(c->raster);
            assert_int_equal(pixel(c, 2, 2) != 0, pass);
        }
    }
    canvas_destroy(c);
}

static void test_stencil_operations(void **state)
{
    static const struct {
        uint8_t op, before, after;
    } vector[] = {
        {RASTER_KEEP, 7, 7},         {RASTER_ZERO, 7, 0},     {RASTER_REPLACE, 7, 0x5a},
        {RASTER_INCR_SAT, 255, 255}, {RASTER_INCR_SAT, 7, 8}, {RASTER_DECR_SAT, 0, 0},
        {RASTER_INVERT, 0x0f, 0xf0}, {RASTER_INCR, 255, 0},   {RASTER_DECR, 0, 255},
    };
    static const float quad[3][2] = {{0, 0}, {20, 0}, {0, 20}};
    struct canvas *c = canvas_create(8, 8, cpu_level_detected(), 1);

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        struct raster_rect all = {0, 0, 8, 8};

        c->state.stencil = (struct raster_stencil){
            .enable = true, .func = RASTER_ALWAYS, .pass = vector[i].op, .ref = 0x5a, .mask = 255, .write_mask = 255};
        start(c);
        raster_clear(c->raster, RASTER_CLEAR_STENCIL, &all, 0, 0, vector[i].before);
        raster_set_state(c->raster, &c->state);
        triangle(c, quad, 0, 0, 0xffffffff);
        raster_flush(c->raster);
        assert_int_equal(c->depth[2 * MAX_WIDTH + 2] & 255, vector[i].after);
        assert_int_equal(c->depth[2 * MAX_WIDTH + 2] >> 8, 0xffffff);
    }
    canvas_destroy(c);
}

/* --- the same bits ------------------------------------------------------------------------------------------ */

static uint64_t hash_canvas(const struct canvas *c)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (unsigned y = 0; y < c->height; y++)
        for (unsigned x = 0; x < c->width; x++)
            h = ((h ^ c->color[y * MAX_WIDTH + x]) * UINT64_C(1099511628211) ^ c->depth[y * MAX_WIDTH + x]) *
                UINT64_C(1099511628211);
    return h;
}

static uint64_t draw_soup(enum cpu_level level, unsigned threads)
{
    struct canvas *c = canvas_create(251, 203, level, threads);

    random_seed = 77;
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_LEQUAL;
    start(c);
    for (unsigned i = 0; i < 3000; i++) {
        struct raster_vertex v[3];
        float x = random_between(-20, 270), y = random_between(-20, 220), size = i % 10 ? 9.0f : 200.0f;

        for (unsigned k = 0; k < 3; k++) {
            v[k] = vertex(x + random_between(-size, size), y + random_between(-size, size), random_word());
            v[k].z = random_between(0, 1);
            v[k].rhw = random_between(0.01f, 2.0f);
        }
        c->state.blend.enable = i % 3 == 0;
        c->state.blend.src_color = (uint8_t)(i % 11);
        c->state.blend.dst_color = (uint8_t)(i / 3 % 11);
        c->state.blend.op_color = (uint8_t)(i / 7 % 5);
        c->state.alpha_test = i % 5 == 0;
        c->state.alpha_func = RASTER_GREATER;
        c->state.alpha_ref = 100;
        c->state.fog_mode = i % 4 == 0 ? RASTER_FOG_EXP2 : i % 4 == 1 ? RASTER_FOG_LINEAR : RASTER_FOG_OFF;
        c->state.fog_end = 1.0f;
        c->state.fog_density = 1.5f;
        c->state.fog_color[1] = 0.7f;
        raster_set_state(c->raster, &c->state);
        if (i % 50 == 0)
            raster_line(c->raster, &v[0], &v[1], &v[0], true);
        else if (i % 50 == 1)
            raster_point(c->raster, &v[0], 7.5f);
        else
            raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
    }
    raster_flush(c->raster);
    uint64_t hash = hash_canvas(c);
    assert_true(count_pixels(c) > 10000);
    canvas_destroy(c);
    return hash;
}

static void test_same_bits(void **state)
{
    static const unsigned threads[] = {1, 2, 4};
    uint64_t want = draw_soup(CPU_SCALAR, 1);

    (void)state;
    for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++)
        for (unsigned t = 0; t < ARRAY_COUNT(threads); t++)
            if (draw_soup((enum cpu_level)level, threads[t]) != want)
                fail_msg("%s with %u threads draws other bits", cpu_level_name((enum cpu_level)level), threads[t]);
}

/* Coordinates that no program should send are drawn or dropped in bounded time, without other harm. */
static void test_wild_coordinates(void **state)
{
    static const float wild[] = {0.0f,      -0.0f,       1e30f,        -1e30f,      1e-40f, 16376.0f,
                                 -16376.0f, 1.0f / 0.0f, -1.0f / 0.0f, 0.0f / 0.0f, 100.5f};
    struct canvas *c = canvas_create(64, 64, cpu_level_detected(), 1);

    (void)state;
    start(c);
    for (unsigned i = 0; i < 20000; i++) {
        struct raster_vertex v[3];

        for (unsigned k = 0; k < 3; k++) {
            v[k] =
                vertex(wild[random_word() % ARRAY_COUNT(wild)], wild[random_word() % ARRAY_COUNT(wild)], random_word());
            v[k].z = wild[random_word() % ARRAY_COUNT(wild)];
            v[k].rhw = wild[random_word() % ARRAY_COUNT(wild)];
        }
        raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
        raster_line(c->raster, &v[0], &v[1], &v[0], true);
        raster_point(c->raster, &v[0], v[1].x);
    }
    static const float after[3][2] = {{0, 0}, {5, 0}, {5, 5}};
    start(c);
    triangle(c, after, 0, 0, 0xffffffff);
    raster_flush(c->raster);
    assert_int_equal(count_pixels(c), 15);
    canvas_destroy(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_convention),
        cmocka_unit_test(test_top_left_pair),
        cmocka_unit_test(test_culling),
        cmocka_unit_test(test_corners_on_centres),
        cmocka_unit_test(test_mesh_is_watertight),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_polyline_pixels_once),
        cmocka_unit_test(test_line_positions),
        cmocka_unit_test(test_point_extent),
        cmocka_unit_test(test_point_is_its_triangles),
        cmocka_unit_test(test_depth_functions),
        cmocka_unit_test(test_stencil_operations),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_wild_coordinates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
