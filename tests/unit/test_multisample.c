/* SPDX-License-Identifier: MIT */
/*
 * Multisampling in the rasterizer: coverage of every sample against exact arithmetic, meshes without cracks, the mask,
 * antialiasing off, depth per sample, resolving, and the same bits everywhere. Rules: docs/reference/rasterization.md,
 * section 11.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"
#include "tests/unit/sample_planes.h"

#define WIDTH  96
#define HEIGHT 80
#define PLANE  (WIDTH * HEIGHT)

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    struct raster_targets targets;
    _Alignas(64) uint32_t color_memory[RASTER_MAX_SAMPLES * PLANE], depth_memory[RASTER_MAX_SAMPLES * PLANE];
    uint32_t color[RASTER_MAX_SAMPLES][PLANE], depth[RASTER_MAX_SAMPLES][PLANE]; /* the results found by finish */
};

static const unsigned counts[] = {2, 4, 8, 16};

static void shade_input(const void *program, struct raster_batch *batch)
{
    (void)program;
    memcpy(batch->color[0], batch->input[0], sizeof(batch->color[0]));
}

static struct canvas *canvas_create(unsigned samples, enum cpu_level level, unsigned threads)
{
    struct canvas *c = mem_alloc_aligned(sizeof(*c));

    c->raster = raster_create(level, threads);
    c->targets.color[0] = sample_surface(c->color_memory, RASTER_FORMAT_A8R8G8B8, WIDTH, HEIGHT, samples);
    c->targets.depth = sample_surface(c->depth_memory, RASTER_FORMAT_D24S8, WIDTH, HEIGHT, samples);
    raster_set_targets(c->raster, &c->targets);
    c->state.viewport = (struct raster_rect){0, 0, WIDTH, HEIGHT};
    c->state.rasterizer.fill_front = c->state.rasterizer.fill_back = RASTER_FILL_SOLID;
    c->state.rasterizer.multisample = c->state.rasterizer.half_pixel_center = true;
    c->state.sample_mask = 0xffff;
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

static void start(struct canvas *c)
{
    struct raster_rect all = {0, 0, WIDTH, HEIGHT};

    raster_clear(c->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0, 1.0f, 0);
    raster_set_state(c->raster, &c->state);
}

static void finish(struct canvas *c)
{
    raster_flush(c->raster);
    sample_planes(&c->targets.color[0], c->color, sizeof(c->color[0]), WIDTH * 4);
    sample_planes(&c->targets.depth, c->depth, sizeof(c->depth[0]), WIDTH * 4);
}

static void triangle(struct canvas *c, const float p[3][2], const float z[3], float shade)
{
    struct raster_vertex v[3];

    memset(v, 0, sizeof(v));
    for (unsigned i = 0; i < 3; i++) {
        v[i].x = p[i][0];
        v[i].y = p[i][1];
        v[i].z = z ? z[i] : 0.5f;
        v[i].rhw = 1.0f;
        for (unsigned k = 0; k < 4; k++)
            v[i].input[0][k] = shade;
    }
    raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
}

/* Multiples of 1/256 px, so that snapping loses nothing. */
static float random_coordinate(int low, int high)
{
    return (float)(low * 256 + (int)(random_word() % (unsigned)((high - low) * 256))) / 256.0f;
}

/* --- coverage ------------------------------------------------------------------------------ */

static bool covers(const int64_t p[3][2], int64_t x, int64_t y)
{
    int64_t area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);

    if (!area)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t *a = p[area > 0 ? i : (3 - i) % 3], *b = p[area > 0 ? (i + 1) % 3 : (5 - i) % 3];
        int64_t dx = b[0] - a[0], dy = b[1] - a[1], e = dx * (y - a[1]) - dy * (x - a[0]);
        bool top_left = dy < 0 || (dy == 0 && dx > 0);

        if (e < 0 || (e == 0 && !top_left))
            return false;
    }
    return true;
}

static void test_sample_coverage(void **state)
{
    (void)state;
    for (unsigned n = 0; n < ARRAY_COUNT(counts); n++) {
        struct canvas *c = canvas_create(counts[n], cpu_level_detected(), 1);
        const struct raster_sample_position *position = raster_sample_positions(counts[n]);

        for (unsigned round = 0; round < 60; round++) {
            float p[3][2];
            int64_t exact[3][2];

            for (unsigned i = 0; i < 3; i++)
                for (unsigned k = 0; k < 2; k++) {
                    p[i][k] = random_coordinate(-20, k ? HEIGHT + 20 : WIDTH + 20);
                    exact[i][k] = (int64_t)(p[i][k] * 256.0f);
                }
            start(c);
            triangle(c, p, NULL, 1.0f);
            finish(c);
            for (unsigned s = 0; s < counts[n]; s++)
                for (int y = 0; y < HEIGHT; y++)
                    for (int x = 0; x < WIDTH; x++) {
                        bool want =
                            covers(exact, 256 * x + 128 + 16 * position[s].x, 256 * y + 128 + 16 * position[s].y);

                        if ((c->color[s][y * WIDTH + x] != 0) != want)
                            fail_msg("%u samples, round %u: sample %u of (%d, %d) is %d", counts[n], round, s, x, y,
                                     !want);
                    }
        }
        canvas_destroy(c);
    }
}

static void test_mesh_is_watertight(void **state)
{
    enum { CELLS = 12 };
    struct canvas *c = canvas_create(8, cpu_level_detected(), 2);
    static float p[CELLS + 1][CELLS + 1][2];

    (void)state;
    c->state.blend = (struct raster_blend){.enable = true,
                                           .src_color = RASTER_BLEND_ONE,
                                           .dst_color = RASTER_BLEND_ONE,
                                           .src_alpha = RASTER_BLEND_ONE,
                                           .dst_alpha = RASTER_BLEND_ONE};
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned j = 0; j <= CELLS; j++)
            for (unsigned i = 0; i <= CELLS; i++) {
                bool edge = !i || !j || i == CELLS || j == CELLS;
                float wander_x = edge ? 0.0f : random_coordinate(-2, 2),
                      wander_y = edge ? 0.0f : random_coordinate(-1, 1);

                p[j][i][0] = -2.0f + (WIDTH + 4.0f) / CELLS * (float)i + wander_x * 0.9f;
                p[j][i][1] = -2.0f + (HEIGHT + 4.0f) / CELLS * (float)j + wander_y * 1.5f;
            }
        start(c);
        for (unsigned j = 0; j < CELLS; j++)
            for (unsigned i = 0; i < CELLS; i++) {
                const float *a = p[j][i], *b = p[j][i + 1], *d = p[j + 1][i], *e = p[j + 1][i + 1];
                const float t0[3][2] = {{a[0], a[1]}, {b[0], b[1]}, {e[0], e[1]}};
                const float t1[3][2] = {{e[0], e[1]}, {d[0], d[1]}, {a[0], a[1]}};

                triangle(c, t0, NULL, 1.0f / 255.0f);
                triangle(c, t1, NULL, 1.0f / 255.0f);
            }
        finish(c);
        for (unsigned s = 0; s < 8; s++)
            for (unsigned i = 0; i < PLANE; i++)
                if (c->color[s][i] != 0x01010101)
                    fail_msg("round %u: sample %u of pixel %u is %08x", round, s, i, c->color[s][i]);
    }
    canvas_destroy(c);
}

/* --- states ----------------------------------------------------------------------------------- */

static const float whole[3][2] = {{-10, -10}, {400, -10}, {-10, 400}};

static void test_mask_and_resolve(void **state)
{
    struct canvas *c = canvas_create(2, cpu_level_detected(), 1);
    static uint32_t pixels[PLANE];
    struct raster_rect all = {0, 0, WIDTH, HEIGHT};

    (void)state;
    raster_clear(c->raster, RASTER_CLEAR_COLOR, &all, 0xffffffff, 1.0f, 0);
    c->state.sample_mask = 5; /* bit 2 belongs to no sample */
    raster_set_state(c->raster, &c->state);
    triangle(c, whole, NULL, 0.0f);
    finish(c);
    assert_int_equal(c->color[0][100], 0);
    assert_int_equal(c->color[1][100], 0xffffffff);
    raster_resolve(&c->targets.color[0], (uint8_t *)pixels, WIDTH * 4);
    assert_int_equal(pixels[100], 0x80808080);
    raster_splat_samples(&c->targets.color[0], (const uint8_t *)pixels, WIDTH * 4);
    finish(c);
    assert_int_equal(c->color[0][100], 0x80808080);
    assert_int_equal(c->color[1][PLANE - 1], 0x80808080);
    canvas_destroy(c);
}

/* Every width and several heights, so that groups are cut: the mean of each channel, halves up. */
static void test_resolve_is_the_mean(void **state)
{
    static const enum raster_format formats[] = {RASTER_FORMAT_A8R8G8B8, RASTER_FORMAT_X8R8G8B8};
    static uint32_t memory[16 * WIDTH * 8], pixels[WIDTH * 8];

    (void)state;
    random_seed = 3;
    for (unsigned round = 0; round < 400; round++) {
        const unsigned samples = 2u << (round & 3), width = 1 + random_below(WIDTH), height = 1 + random_below(8);
        const enum raster_format format = formats[round >> 2 & 1];
        const struct raster_surface surface = sample_surface(memory, format, width, height, samples);

        for (unsigned i = 0; i < ARRAY_COUNT(memory); i++)
            memory[i] = round < 8 ? 0xffffffff - (i / 16 & 1) : random_word();
        memset(pixels, 0x11, sizeof(pixels));
        raster_resolve(&surface, (uint8_t *)pixels, WIDTH * 4);
        for (unsigned i = 0; i < WIDTH * 8; i++) {
            const unsigned x = i % WIDTH, y = i / WIDTH;
            uint32_t mean = format == RASTER_FORMAT_X8R8G8B8 ? 0xff000000 : 0;

            for (unsigned shift = 0; shift < 32 && x < width && y < height; shift += 8) {
                unsigned sum = samples / 2;

                for (unsigned s = 0; s < samples; s++)
                    sum += raster_sample_texel(&surface, s, x, y)[shift / 8];
                mean |= sum / samples << shift;
            }
            assert_int_equal(pixels[i], x < width && y < height ? mean : 0x11111111);
        }
    }
}

/* Rows of samples are read back as written, and no two texels share a place. */
static void test_layout(void **state)
{
    static const enum raster_format formats[] = {RASTER_FORMAT_A8R8G8B8, RASTER_FORMAT_R5G6B5,
                                                 RASTER_FORMAT_A32B32G32R32F};
    static uint8_t memory[16 * 20 * 16 * 16];

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        const unsigned samples = 2u << (round & 3), width = 1 + random_word() % 17, height = 1 + random_word() % 15;
        const enum raster_format format = formats[round % ARRAY_COUNT(formats)];
        const struct raster_surface surface = sample_surface(memory, format, width, height, samples);
        const unsigned bytes = raster_format_info(format)->block_bytes;
        uint8_t row[17 * 16], got[17 * 16];

        assert_true(raster_samples_bytes(format, width, height, samples) <= sizeof(memory));
        for (unsigned again = 0; again < 2; again++)
            for (unsigned s = 0; s < samples; s++)
                for (unsigned y = 0; y < height; y++) {
                    for (unsigned i = 0; i < width * bytes; i++)
                        row[i] = (uint8_t)(i * 7 + s * 31 + y * 57 + i / 250);
                    if (!again) {
                        raster_write_samples(&surface, s, y, row);
                        continue;
                    }
                    raster_read_samples(&surface, s, y, got);
                    assert_memory_equal(got, row, width * bytes);
                    for (unsigned x = 0; x < width; x++)
                        assert_memory_equal(raster_sample_texel(&surface, s, x, y), row + x * bytes, bytes);
                }
    }
}

/* MULTISAMPLEANTIALIAS off: the centre decides for all samples. */
static void test_antialiasing_off(void **state)
{
    static const float slanted[3][2] = {{3.25f, 2.5f}, {80.75f, 30.0f}, {10.0f, 70.5f}};
    struct canvas *c = canvas_create(4, cpu_level_detected(), 1);
    const int64_t exact[3][2] = {{832, 640}, {20672, 7680}, {2560, 18048}};

    (void)state;
    c->state.rasterizer.multisample = false;
    start(c);
    triangle(c, slanted, NULL, 1.0f);
    finish(c);
    for (unsigned s = 0; s < 4; s++)
        for (int i = 0; i < PLANE; i++)
            assert_int_equal(c->color[s][i] != 0, covers(exact, 256 * (i % WIDTH) + 128, 256 * (i / WIDTH) + 128));
    canvas_destroy(c);
}

/* Two steep planes that cross inside a pixel: at each sample the nearer one wins. */
static void test_depth_per_sample(void **state)
{
    static const float falling[3] = {1.0f, -40.0f, 1.0f}, level[3] = {0.5f, 0.5f, 0.5f};
    static const float wide[3][2] = {{0, 0}, {82, 0}, {0, 82}};
    struct canvas *c = canvas_create(4, cpu_level_detected(), 1);
    const struct raster_sample_position *position = raster_sample_positions(4);

    (void)state;
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_LESS;
    start(c);
    triangle(c, wide, level, 0.25f);
    triangle(c, wide, falling, 1.0f); /* z = 1 - x / 2: below 0.5 right of x = 1 */
    finish(c);
    for (unsigned s = 0; s < 4; s++) {
        assert_int_equal(c->color[s][WIDTH * 4 + 0] >> 24, 0x40);
        assert_int_equal(c->color[s][WIDTH * 4 + 1] >> 24, 0xff);
        (void)position;
    }
    /* moved by half a pixel, the crossing lies at the centre of pixel 1 */
    static const float shifted[3][2] = {{0.5f, 0}, {82.5f, 0}, {0.5f, 82}};
    start(c);
    triangle(c, wide, level, 0.25f);
    triangle(c, shifted, falling, 1.0f);
    finish(c);
    for (unsigned s = 0; s < 4; s++)
        assert_int_equal(c->color[s][WIDTH * 4 + 1] >> 24, position[s].x > 0 ? 0xff : 0x40);
    canvas_destroy(c);
}

/* --- the same bits --------------------------------------------------------------------------------- */

static uint64_t draw_soup(enum cpu_level level, unsigned threads)
{
    struct canvas *c = canvas_create(4, level, threads);
    uint64_t hash = UINT64_C(14695981039346656037);

    random_seed = 4;
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_LEQUAL;
    start(c);
    for (unsigned i = 0; i < 400; i++) {
        float p[3][2], z[3];

        for (unsigned k = 0; k < 3; k++) {
            p[k][0] = random_coordinate(-10, WIDTH + 10);
            p[k][1] = random_coordinate(-10, HEIGHT + 10);
            z[k] = (float)(random_word() % 1000) / 1000.0f;
        }
        c->state.blend.enable = i % 3 == 0;
        c->state.blend.src_color = c->state.blend.dst_color = RASTER_BLEND_SRC_ALPHA;
        c->state.alpha_test = i % 5 == 0;
        c->state.alpha_func = RASTER_GREATER;
        c->state.alpha_ref = 90;
        c->state.sample_mask = i % 7 ? 0xffff : 6;
        c->state.stencil.enable = i % 4 == 0;
        c->state.stencil.func = RASTER_ALWAYS;
        c->state.stencil.pass = RASTER_INCR;
        c->state.stencil.mask = c->state.stencil.write_mask = 255;
        raster_set_state(c->raster, &c->state);
        triangle(c, p, z, (float)(i % 100) / 100.0f);
    }
    finish(c);
    for (unsigned s = 0; s < 4; s++)
        for (unsigned i = 0; i < PLANE; i++)
            hash = ((hash ^ c->color[s][i]) * UINT64_C(1099511628211) ^ c->depth[s][i]) * UINT64_C(1099511628211);
    canvas_destroy(c);
    return hash;
}

static void test_same_bits(void **state)
{
    uint64_t want = draw_soup(CPU_SCALAR, 1);

    (void)state;
    for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++)
        for (unsigned threads = 1; threads <= 4; threads *= 2)
            assert_true(draw_soup((enum cpu_level)level, threads) == want);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_coverage),  cmocka_unit_test(test_mesh_is_watertight),
        cmocka_unit_test(test_mask_and_resolve), cmocka_unit_test(test_resolve_is_the_mean),
        cmocka_unit_test(test_layout),           cmocka_unit_test(test_antialiasing_off),
        cmocka_unit_test(test_depth_per_sample), cmocka_unit_test(test_same_bits),
    };

    random_seed = 21;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
