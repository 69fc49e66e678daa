/* SPDX-License-Identifier: MIT */
/*
 * W buffering in the rasterizer: the contents of the depth buffer are compared with eye w computed here in double
 * precision, in each format, at each sample, with bias; which of two intersecting triangles is in front; fog with a W
 * buffer; and that neither the number of threads, the SIMD width nor the tiles' bounds of depth change a bit.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"
#include "tests/unit/sample_planes.h"

#define WIDTH  72
#define HEIGHT 70
#define PIXELS (WIDTH * HEIGHT)
#define ROOM   (WIDTH * (HEIGHT + 2)) /* whole groups */

static const struct raster_rect all = {0, 0, WIDTH, HEIGHT};

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    struct raster_targets targets;
    _Alignas(64) uint32_t color[RASTER_MAX_SAMPLES][ROOM], depth[RASTER_MAX_SAMPLES][ROOM];
};

static void shade(const void *program, struct raster_batch *batch)
{
    (void)program;
    memcpy(batch->color[0], batch->input[0], sizeof(batch->color[0]));
}

static void open_canvas(struct canvas *c, enum raster_format format, unsigned samples, enum cpu_level level,
                        unsigned threads)
{
    memset(c, 0, sizeof(*c));
    c->raster = raster_create(level, threads);
    c->targets.color[0] = sample_surface(c->color, RASTER_FORMAT_A8R8G8B8, WIDTH, HEIGHT, samples);
    c->targets.depth = sample_surface(c->depth, format, WIDTH, HEIGHT, samples);
    raster_set_targets(c->raster, &c->targets);
    c->state.viewport = all;
    c->state.rasterizer.fill_front = c->state.rasterizer.fill_back = RASTER_FILL_SOLID;
    c->state.rasterizer.multisample = true;
    c->state.sample_mask = 0xffff;
    c->state.color_write_mask[0] = 15;
    c->state.shade = shade;
    c->state.input_count = 1;
    c->state.input_mask[0] = 15;
    c->state.depth_max = 1.0f;
    c->state.depth_test = c->state.depth_write = true;
    c->state.depth_func = RASTER_LEQUAL;
    c->state.depth_from_w = true;
    c->state.w_scale = 1.0f;
    raster_clear(c->raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0, 1.0f, 0);
}

static void close_canvas(struct canvas *c)
{
    raster_destroy(c->raster);
}

static void set_range(struct canvas *c, float near, float far)
{
    c->state.w_near = near;
    c->state.w_scale = 1.0f / (far - near);
}

/* A corner of a triangle: its place, its distance, its window z. */
struct corner {
    float x, y, w, z;
};

static void triangle(struct canvas *c, const struct corner corner[3], const float color[4])
{
    struct raster_vertex v[3];

    memset(v, 0, sizeof(v));
    for (unsigned i = 0; i < 3; i++) {
        v[i].x = corner[i].x;
        v[i].y = corner[i].y;
        v[i].z = corner[i].z;
        v[i].rhw = 1.0f / corner[i].w;
        memcpy(v[i].input[0], color, sizeof(v[i].input[0]));
    }
    raster_set_state(c->raster, &c->state);
    raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
}

static const float white[4] = {1, 1, 1, 1}, red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};

static uint32_t depth_word(const struct canvas *c, unsigned sample, unsigned x, unsigned y)
{
    const struct raster_surface *s = &c->targets.depth;
    const unsigned bytes = raster_format_info(s->format)->block_bytes;
    const uint8_t *p =
        s->samples > 1 ? raster_sample_texel(s, sample, x, y) : s->pixels + y * s->pitch + (size_t)x * bytes;
    uint32_t word = 0;

    memcpy(&word, p, bytes);
    return word;
}

/* For sample 0. */
static uint32_t color_word(const struct canvas *c, unsigned x, unsigned y)
{
    const struct raster_surface *s = &c->targets.color[0];
    uint32_t word;

    memcpy(&word, s->samples > 1 ? raster_sample_texel(s, 0, x, y) : s->pixels + y * s->pitch + (size_t)x * 4, 4);
    return word;
}

/* Depth 0..1 of the word. */
static double depth_value(enum raster_format format, uint32_t word)
{
    float f;

    switch (format) {
    case RASTER_FORMAT_D16:
        return word / 65535.0;
    case RASTER_FORMAT_D15S1:
        return (word >> 1) / 32767.0;
    case RASTER_FORMAT_D32:
        return word / 4294967295.0;
    case RASTER_FORMAT_D32F:
        memcpy(&f, &word, 4);
        return f;
    default:
        return (word >> 8) / 16777215.0;
    }
}

/* Eye w of the plane through three corners at (x, y): 1/w is linear on the screen. */
static double true_w(const struct corner k[3], double x, double y)
{
    const double ax = (double)k[1].x - k[0].x, ay = (double)k[1].y - k[0].y;
    const double bx = (double)k[2].x - k[0].x, by = (double)k[2].y - k[0].y;
    const double px = x - k[0].x, py = y - k[0].y, area = ax * by - ay * bx;
    const double s = (px * by - py * bx) / area, t = (ax * py - ay * px) / area;

    return 1.0 / (1.0 / k[0].w + s * (1.0 / k[1].w - 1.0 / k[0].w) + t * (1.0 / k[2].w - 1.0 / k[0].w));
}

/* The whole target, tilted: w 2 to 6. Its z says the opposite. */
static const struct corner slope[3] = {{-16, -16, 2, 1}, {240, -16, 150, 0}, {-16, 240, 6, 1}};

static const enum raster_format formats[] = {RASTER_FORMAT_D16,   RASTER_FORMAT_D15S1, RASTER_FORMAT_D24S8,
                                             RASTER_FORMAT_D24X8, RASTER_FORMAT_D32,   RASTER_FORMAT_D32F};

/* --- values ------------------------------------------------------------------------------------- */

static void test_depth_is_w(void **state)
{
    static struct canvas c;
    const float near = 1.5f, far = 50.0f;

    (void)state;
    for (unsigned f = 0; f < ARRAY_COUNT(formats); f++) {
        const unsigned bits = BASE_MIN(raster_format_info(formats[f])->depth_bits, 22u);
        const double step =
            1.0 / (double)((1u << bits) - 1); /* floats have some 22 bits for what is computed in them */

        open_canvas(&c, formats[f], 1, CPU_SCALAR, 1);
        set_range(&c, near, far);
        triangle(&c, slope, white);
        raster_flush(c.raster);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                const double wanted = fmin(fmax((true_w(slope, x, y) - near) / (far - near), 0.0), 1.0);
                const double got = depth_value(formats[f], depth_word(&c, 0, x, y));

                if (fabs(got - wanted) > step)
                    fail_msg("%s (%u, %u): %.9f, not %.9f", raster_format_info(formats[f])->name, x, y, got, wanted);
            }
        close_canvas(&c);
    }
}

/* If w is the same everywhere and a power of two, only the format rounds. Range 0 to 64: w 16 is a quarter; 1/4 of 2^n
 * - 1, to the nearest. */
static void test_exact_words(void **state)
{
    static const struct {
        enum raster_format format;
        uint32_t word;
    } wanted[] = {
        {RASTER_FORMAT_D16, 0x4000},       {RASTER_FORMAT_D15S1, 0x2000 << 1}, {RASTER_FORMAT_D24S8, 0x40000000},
        {RASTER_FORMAT_D24X8, 0x40000000}, {RASTER_FORMAT_D32, 0x40000000},    {RASTER_FORMAT_D32F, 0x3e800000},
    };
    static const struct corner flat[3] = {{-8, -8, 16, 0.9f}, {200, -8, 16, 0.9f}, {-8, 200, 16, 0.9f}};
    static struct canvas c;

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(wanted); i++) {
        open_canvas(&c, wanted[i].format, 1, cpu_level_detected(), 1);
        set_range(&c, 0.0f, 64.0f);
        triangle(&c, flat, white);
        raster_flush(c.raster);
        for (unsigned p = 0; p < PIXELS; p++)
            assert_int_equal(depth_word(&c, 0, p % WIDTH, p / WIDTH), wanted[i].word);
        close_canvas(&c);
    }
}

/* Beyond the range depth is clamped. */
static void test_range_is_clamped(void **state)
{
    static struct canvas c;

    (void)state;
    open_canvas(&c, RASTER_FORMAT_D16, 1, cpu_level_detected(), 1);
    set_range(&c, 8.0f, 12.0f);
    triangle(&c, slope, white);
    raster_flush(c.raster);
    for (unsigned p = 0; p < PIXELS; p++) {
        const double w = true_w(slope, p % WIDTH, p / WIDTH);

        if (w < 7.999)
            assert_int_equal(depth_word(&c, 0, p % WIDTH, p / WIDTH), 0);
        if (w > 12.001)
            assert_int_equal(depth_word(&c, 0, p % WIDTH, p / WIDTH), 0xffff);
    }
    close_canvas(&c);
}

/* Each sample has the w of its own place. */
static void test_samples(void **state)
{
    static struct canvas c;

    (void)state;
    for (unsigned samples = 2; samples <= 16; samples *= 2) {
        const struct raster_sample_position *at = raster_sample_positions(samples);

        for (unsigned late = 0; late < 2; late++) {
            open_canvas(&c, RASTER_FORMAT_D24S8, samples, cpu_level_detected(), 2);
            set_range(&c, 0.0f, 64.0f);
            c.state.alpha_test = late;
            c.state.alpha_func = RASTER_GREATER;
            triangle(&c, slope, white);
            raster_flush(c.raster);
            for (unsigned s = 0; s < samples; s++)
                for (unsigned p = 0; p < PIXELS; p++) {
                    const double x = p % WIDTH + at[s].x / 16.0, y = p / WIDTH + at[s].y / 16.0;
                    const double got = depth_value(RASTER_FORMAT_D24S8, depth_word(&c, s, p % WIDTH, p / WIDTH));

                    assert_true(fabs(got - true_w(slope, x, y) / 64.0) < 1e-6);
                }
            close_canvas(&c);
        }
    }
}

/* --- order --------------------------------------------------------------------------------------- */

static double magnitude(double v)
{
    return v < 0 ? -v : v;
}

/* Two intersecting planes: the one with the smaller w shows, whatever z says; with the test before and after
 * shading. */
static void test_crossing_triangles(void **state)
{
    static const struct corner other[3] = {{-16, -16, 3.5f, 0}, {240, -16, 2, 1}, {-16, 240, 2.2f, 0}};
    static struct canvas c;
    unsigned in_front[2] = {0, 0};

    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        open_canvas(&c, RASTER_FORMAT_D24X8, 1, cpu_level_detected(), 2);
        set_range(&c, 1.0f, 200.0f);
        c.state.alpha_test = late;
        c.state.alpha_func = RASTER_GREATER;
        triangle(&c, slope, red);
        triangle(&c, other, green);
        raster_flush(c.raster);
        for (unsigned p = 0; p < PIXELS; p++) {
            const double a = true_w(slope, p % WIDTH, p / WIDTH), b = true_w(other, p % WIDTH, p / WIDTH);

            if (magnitude(a - b) < 1e-3)
                continue;
            assert_int_equal(c.color[0][p], a < b ? 0xffff0000 : 0xff00ff00);
            in_front[a < b]++;
        }
        close_canvas(&c);
    }
    assert_true(in_front[0] > 1000 && in_front[1] > 1000);
}

/* Two distant walls, one unit apart, with 16 bits from 1 to 10000: z has one value for both, so the last drawn shows; w
 * distinguishes them. */
static void test_precision(void **state)
{
    static struct canvas c;
    const double scale = 10000.0 / 9999.0;
    struct corner wall[2][3];

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 3; k++) {
            const float w = i ? 9001.0f : 9000.0f;

            wall[i][k] = (struct corner){k == 1 ? 200 : -8, k == 2 ? 200 : -8, w, (float)(scale - scale / w)};
        }
    for (unsigned from_w = 0; from_w < 2; from_w++) {
        open_canvas(&c, RASTER_FORMAT_D16, 1, cpu_level_detected(), 1);
        set_range(&c, 1.0f, 10000.0f);
        c.state.depth_from_w = from_w;
        triangle(&c, wall[0], red);
        triangle(&c, wall[1], green);
        raster_flush(c.raster);
        assert_int_equal(c.color[0][5000 % PIXELS], from_w ? 0xffff0000 : 0xff00ff00);
        close_canvas(&c);
    }
}

/* Clears use the range: anything nearer than the cleared depth passes, and shows again when depth increases. */
static void test_clear_and_functions(void **state)
{
    static const struct corner flat[3] = {{-8, -8, 32, 0.1f}, {200, -8, 32, 0.1f}, {-8, 200, 32, 0.1f}};
    static struct canvas c;

    (void)state;
    for (unsigned func = 0; func < 8; func++)
        for (unsigned i = 0; i < 3; i++) {
            const float cleared = 0.25f * (float)(i + 1); /* depth is 0.5 */
            const bool passes = func >> (i == 2 ? 0 : i == 1 ? 1 : 2) & 1;

            open_canvas(&c, RASTER_FORMAT_D24S8, 1, cpu_level_detected(), 1);
            set_range(&c, 0.0f, 64.0f);
            c.state.depth_func = (uint8_t)func;
            c.state.stencil = (struct raster_stencil){.enable = true,
                                                      .func = RASTER_ALWAYS,
                                                      .zfail = RASTER_REPLACE,
                                                      .ref = 7,
                                                      .mask = 255,
                                                      .write_mask = 255};
            raster_clear(c.raster, RASTER_CLEAR_DEPTH, &all, 0, cleared, 0);
            triangle(&c, flat, red);
            raster_flush(c.raster);
            assert_int_equal(c.color[0][77], passes ? 0xffff0000 : 0);
            assert_int_equal(c.depth[0][77] & 255, passes ? 0 : 7);
            close_canvas(&c);
        }
}

/* --- bias ------------------------------------------------------------------------------------------ */

/* The slope of w at (x, y): the change to the pixel on the right or below, whichever is larger. */
static double true_slope(const struct corner k[3], double x, double y)
{
    const double h = 1e-3;
    const double dx = (true_w(k, x + h, y) - true_w(k, x - h, y)) / (2 * h);
    const double dy = (true_w(k, x, y + h) - true_w(k, x, y - h)) / (2 * h);

    return fmax(magnitude(dx), magnitude(dy));
}

static void test_bias(void **state)
{
    static struct canvas c;
    const float far = 256.0f;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const double units = i == 1 ? -400.0 : i == 3 ? 12.0 : 0.0, slopes = i >= 2 ? 0.75 : 0.0;

        open_canvas(&c, RASTER_FORMAT_D24S8, 1, cpu_level_detected(), 1);
        set_range(&c, 0.0f, far);
        c.state.rasterizer.offset_tri = true;
        c.state.rasterizer.offset_units = (float)units;
        c.state.rasterizer.offset_scale = (float)slopes;
        triangle(&c, slope, white);
        raster_flush(c.raster);
        for (unsigned p = 0; p < PIXELS; p++) {
            const unsigned x = p % WIDTH, y = p / WIDTH;
            const double wanted =
                true_w(slope, x, y) / far + units / 16777215.0 + slopes * true_slope(slope, x, y) / far;
            const double got = depth_value(RASTER_FORMAT_D24S8, depth_word(&c, 0, x, y));

            if (fabs(got - wanted) > 3e-7)
                fail_msg("bias %u at (%u, %u): %.9f, not %.9f", i, x, y, got, wanted);
        }
        close_canvas(&c);
    }
}

/* A triangle drawn as lines also has the bias of its slope. */
static void test_bias_of_outlines(void **state)
{
    static struct canvas c;
    const struct corner k[3] = {{4, 4, 4, 0}, {60, 4, 4, 0}, {4, 60, 16, 0}};
    double along;

    (void)state;
    open_canvas(&c, RASTER_FORMAT_D24S8, 1, cpu_level_detected(), 1);
    set_range(&c, 0.0f, 64.0f);
    c.state.rasterizer.fill_front = c.state.rasterizer.fill_back = RASTER_FILL_LINE;
    c.state.rasterizer.offset_line = true;
    c.state.rasterizer.offset_scale = 1.0f;
    triangle(&c, k, white);
    triangle(&c, k, white); /* nothing of the first one's bias is left */
    raster_flush(c.raster);
    along = true_slope(k, 30, 4); /* down, for w is the same along the edge at y 4 */
    assert_true(fabs(depth_value(RASTER_FORMAT_D24S8, depth_word(&c, 0, 30, 4)) - (4.0 + along) / 64.0) < 3e-7);
    assert_true(along > 0.01);
    close_canvas(&c);
}

/* --- lines, points, whole pixels -------------------------------------------------------------------- */

static void test_lines_and_points(void **state)
{
    static struct canvas c;
    struct raster_vertex a = {.x = 2, .y = 10, .z = 0.5f, .rhw = 0.5f},
                         b = {.x = 66, .y = 10, .z = 0.5f, .rhw = 0.125f};

    (void)state;
    open_canvas(&c, RASTER_FORMAT_D24S8, 1, cpu_level_detected(), 1);
    set_range(&c, 0.0f, 16.0f);
    raster_set_state(c.raster, &c.state);
    raster_line(c.raster, &a, &b, &a, true);
    a.y = 40;
    raster_point(c.raster, &a, 9.0f);
    raster_flush(c.raster);
    for (unsigned x = 3; x < 66; x++) {
        const double w = 1.0 / (0.5 - (x - 2) * 0.375 / 64.0);

        assert_true(fabs(depth_value(RASTER_FORMAT_D24S8, depth_word(&c, 0, x, 10)) - w / 16.0) < 2e-7);
    }
    assert_int_equal(depth_word(&c, 0, 3, 42) >> 8, 0x200000); /* w 2 of 16: an eighth of 2^24 - 1, rounded */
    assert_int_equal(depth_word(&c, 0, 3, 50) >> 8, 0xffffff);
    close_canvas(&c);
}

/* Pixels that are only touched get the plane's depth there, within the range. */
static void test_conservative(void **state)
{
    static struct canvas c;

    (void)state;
    open_canvas(&c, RASTER_FORMAT_D24S8, 1, cpu_level_detected(), 1);
    set_range(&c, 0.0f, 64.0f);
    c.state.rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_POST_SNAP;
    triangle(&c, slope, white);
    raster_flush(c.raster);
    for (unsigned p = 0; p < PIXELS; p++)
        assert_true(fabs(depth_value(RASTER_FORMAT_D24S8, depth_word(&c, 0, p % WIDTH, p / WIDTH)) -
                         true_w(slope, p % WIDTH, p / WIDTH) / 64.0) < 1e-6);
    close_canvas(&c);
}

/*
 * 1/w falls from 1 to 0.02 along x and is below 0 a pixel further. As for inputs, it is at least half of the farthest corner's: w
 * is 100 there, in the centre and at every sample. (docs/conservative.md, "Values")
 */
static void test_conservative_horizon(void **state)
{
    static const struct corner k[3] = {{2.875f, 2.125f, 1, 0}, {4.125f, 2.5f, 50, 0}, {2.875f, 2.875f, 1, 0}};
    static struct canvas c;

    (void)state;
    for (unsigned samples = 1; samples <= 4; samples += 3)
        for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++) {
            static const struct raster_sample_position centre[1];
            const struct raster_sample_position *position = samples > 1 ? raster_sample_positions(samples) : centre;

            open_canvas(&c, RASTER_FORMAT_D32F, samples, (enum cpu_level)level, 1);
            set_range(&c, 0.0f, 256.0f);
            c.state.rasterizer.half_pixel_center = true;
            c.state.rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_PRE_SNAP;
            triangle(&c, k, white);
            raster_flush(c.raster);
            for (unsigned x = 0; x < 8; x++) {
                assert_int_equal(color_word(&c, x, 2), x >= 2 && x <= 4 ? 0xffffffff : 0);
                for (unsigned s = 0; s < samples && x >= 2 && x <= 4; s++) {
                    const double w = true_w(k, x + 0.5 + position[s].x / 16.0, 2.5 + position[s].y / 16.0);
                    const double wanted = w > 0.0 ? fmin(w, 100.0) : 100.0;
                    const double got = 256.0 * depth_value(RASTER_FORMAT_D32F, depth_word(&c, s, x, 2));

                    if (fabs(got - wanted) > 1e-3)
                        fail_msg("%u samples, level %u, (%u, 2), sample %u: w %f, not %f", samples, level, x, s, got,
                                 wanted);
                }
            }
            close_canvas(&c);
        }
}

/* --- fog and z --------------------------------------------------------------------------------------- */

/* Fog uses z or w as its own state says: colours are those of a picture without any depth. */
static void test_fog_is_its_own(void **state)
{
    static struct canvas with, without;

    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        struct canvas *both[] = {&with, &without};

        for (unsigned k = 0; k < 2; k++) {
            struct canvas *c = both[k];

            open_canvas(c, RASTER_FORMAT_D24S8, 1, cpu_level_detected(), 1);
            set_range(c, 0.0f, 256.0f);
            c->state.depth_test = c->state.depth_from_w = k == 0;
            c->state.fog_mode = (uint8_t)(RASTER_FOG_LINEAR + i % 3);
            c->state.fog_from_w = i / 3 % 2;
            c->state.alpha_test = i / 6;
            c->state.alpha_func = RASTER_GREATER;
            c->state.fog_end = c->state.fog_from_w ? 64.0f : 1.0f;
            c->state.fog_density = c->state.fog_from_w ? 0.05f : 0.9f;
            c->state.fog_color[2] = 1.0f;
            triangle(c, slope, red);
            raster_flush(c->raster);
        }
        assert_memory_equal(with.color[0], without.color[0], sizeof(with.color[0]));
        assert_int_not_equal(with.color[0][0], with.color[0][WIDTH - 1]);
        close_canvas(&with);
        close_canvas(&without);
    }
}

/* States with z and with w alternate over the same depth buffer; flush: one scene each. */
static void draw_mixture(struct canvas *c, uint32_t from, bool flush)
{
    random_seed = from;
    for (unsigned n = 0; n < 40; n++) {
        struct corner k[3];

        c->state.depth_from_w = random_word() % 3 != 0;
        set_range(c, random_unit(), 2.0f + 8.0f * random_unit());
        c->state.depth_func = (uint8_t)(random_word() % 4 ? RASTER_LEQUAL : random_word() % 8);
        c->state.depth_write = random_word() % 8 != 0;
        c->state.alpha_test = random_word() % 8 == 0;
        c->state.alpha_func = RASTER_GREATER;
        c->state.stencil = (struct raster_stencil){random_word() % 4 == 0,
                                                   (uint8_t)(random_word() % 8),
                                                   (uint8_t)(random_word() % 8),
                                                   (uint8_t)(random_word() % 8),
                                                   (uint8_t)(random_word() % 8),
                                                   1,
                                                   255,
                                                   255};
        c->state.rasterizer.conservative_raster_mode =
            random_word() % 8 ? RASTER_CONSERVATIVE_OFF : RASTER_CONSERVATIVE_POST_SNAP;
        c->state.rasterizer.offset_tri = random_word() % 2;
        c->state.rasterizer.offset_scale = random_unit();
        c->state.rasterizer.offset_units = random_unit() * 100;
        c->state.depth_bounds = random_word() % 16 == 0;
        c->state.bounds_max = 0.7f;
        c->state.fog_mode = random_word() % 4 ? RASTER_FOG_OFF : RASTER_FOG_EXP;
        c->state.fog_density = 0.5f;
        c->state.fog_from_w = random_word() % 2;
        c->state.interpolation[0] = random_word() % 2 ? RASTER_FLAT : RASTER_PERSPECTIVE;
        for (unsigned i = 0; i < 3; i++)
            k[i] = (struct corner){random_unit() * 160 - 40, random_unit() * 160 - 40, 0.2f + 8 * random_unit(),
                                   random_unit()};
        if (random_word() % 8 == 0)
            raster_clear(c->raster, RASTER_CLEAR_DEPTH, &all, 0, random_unit(), 0);
        triangle(c, k, (const float[4]){random_unit(), random_unit(), random_unit(), random_unit()});
        if (flush)
            raster_flush(c->raster);
    }
    raster_flush(c->raster);
}

/* Compared with each triangle in its own scene, with one thread and scalar code. */
static void test_same_bits_everywhere(void **state)
{
    static const enum raster_format kinds[] = {RASTER_FORMAT_D24S8, RASTER_FORMAT_D16, RASTER_FORMAT_D32F,
                                               RASTER_FORMAT_D32};
    static struct canvas plain, other;

    (void)state;
    for (unsigned i = 0; i < 24; i++) {
        const unsigned samples = i % 6 == 5 ? 4 : 1;

        open_canvas(&plain, kinds[i % 4], samples, CPU_SCALAR, 1);
        draw_mixture(&plain, 1000 + i, true);
        for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++)
            for (unsigned threads = 1; threads <= 3; threads += 2) {
                open_canvas(&other, kinds[i % 4], samples, (enum cpu_level)level, threads);
                draw_mixture(&other, 1000 + i, false);
                if (memcmp(plain.color, other.color, sizeof(plain.color)) ||
                    memcmp(plain.depth, other.depth, sizeof(plain.depth)))
                    fail_msg("scene %u, level %u, %u threads", i, level, threads);
                close_canvas(&other);
            }
        close_canvas(&plain);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_is_w),          cmocka_unit_test(test_exact_words),
        cmocka_unit_test(test_range_is_clamped),    cmocka_unit_test(test_samples),
        cmocka_unit_test(test_crossing_triangles),  cmocka_unit_test(test_precision),
        cmocka_unit_test(test_clear_and_functions), cmocka_unit_test(test_bias),
        cmocka_unit_test(test_bias_of_outlines),    cmocka_unit_test(test_lines_and_points),
        cmocka_unit_test(test_conservative),        cmocka_unit_test(test_conservative_horizon),
        cmocka_unit_test(test_fog_is_its_own),      cmocka_unit_test(test_same_bits_everywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
