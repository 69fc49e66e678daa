/* SPDX-License-Identifier: MIT */
/*
 * Anisotropic filtering compared with the integral that it approximates: the mean of the texture over the parallelogram
 * that a pixel covers, by brute force in double precision. Also the counts and places of probes, and levels of detail,
 * from the formulas of docs/reference/texture-sampling.md, section 2.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/sample/lod.h"
#include "raster/sample/sample.h"
#include "tests/random.h"
#include "tests/unit/sample_computed.h"

#define SIZE   256
#define LEVELS 9

struct fixture {
    struct raster_texture texture;
    uint32_t *texels[LEVELS];
    _Alignas(64) float coordinate[3][RASTER_LANES];
    _Alignas(64) float result[4][RASTER_LANES];
};

static double random_place(void)
{
    return random_word() / 4294967296.0;
}

/* --- textures ------------------------------------------------------------------------------------ */

enum pattern { CHECKER, NOISE, STRIPES };

static unsigned pattern_texel(enum pattern pattern, unsigned x, unsigned y)
{
    switch (pattern) {
    case CHECKER:
        return (x / 16 + y / 16) % 2 * 255;
    case NOISE:
        return random_word() % 256;
    default:
        return x / 4 % 2 * 255; /* across u only */
    }
}

/* Each level is the mean of 2x2 texels of the previous one. */
static void fill(struct fixture *f, enum pattern pattern)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        f->texels[0][i] = pattern_texel(pattern, i % SIZE, i / SIZE) * 0x010101u | 0xff000000u;
    for (unsigned l = 1; l < LEVELS; l++) {
        unsigned size = SIZE >> l;
        const uint32_t *from = f->texels[l - 1];

        for (unsigned y = 0; y < size; y++)
            for (unsigned x = 0; x < size; x++) {
                const uint32_t *p = from + 4 * y * size + 2 * x;
                unsigned sum = (p[0] & 255) + (p[1] & 255) + (p[2 * size] & 255) + (p[2 * size + 1] & 255);

                f->texels[l][y * size + x] = (sum + 2) / 4 * 0x010101u | 0xff000000u;
            }
    }
}

static struct fixture *fixture_create(void)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));

    memset(f, 0, sizeof(*f));
    f->texture.kind = RASTER_TEXTURE_2D;
    f->texture.level_count = LEVELS;
    for (unsigned l = 0; l < LEVELS; l++) {
        unsigned size = SIZE >> l;

        f->texels[l] = mem_calloc((size_t)size * size, 4);
        f->texture.level[l] = (struct raster_texture_level){f->texels[l], size, size, 1, size, size * size};
    }
    return f;
}

static void fixture_destroy(struct fixture *f)
{
    for (unsigned l = 0; l < LEVELS; l++)
        free(f->texels[l]);
    mem_free_aligned(f);
}

static struct raster_sampler anisotropic_sampler(const struct fixture *f, unsigned max)
{
    return (struct raster_sampler){
        .texture = &f->texture,
        .mag_filter = RASTER_FILTER_LINEAR,
        .min_filter = max > 1 ? RASTER_FILTER_ANISOTROPIC : RASTER_FILTER_LINEAR,
        .mip_filter = RASTER_FILTER_LINEAR,
        .max_anisotropy = (uint8_t)max,
    };
}

/* --- footprints ---------------------------------------------------------------------------------- */

/* Changes of (u, v) per pixel, in texels. */
struct gradient {
    double x[2], y[2];
};

/* The longer side is `longer` texels at `angle`; the shorter side is perpendicular. */
static struct gradient rectangle(double longer, double shorter, double angle)
{
    double c = cos(angle), s = sin(angle);

    return (struct gradient){{longer * c, longer * s}, {-shorter * s, shorter * c}};
}

/* Every lane is the first of some quad, which is the only lane that counts. */
static void place_quads(struct fixture *f, const struct gradient *g)
{
    for (unsigned l = 0; l < RASTER_LANES; l += 4) {
        double u = random_place() * SIZE, v = random_place() * SIZE;

        for (unsigned k = 0; k < 4; k++) {
            f->coordinate[0][l + k] = (float)((u + (k & 1) * g->x[0] + (k >> 1) * g->y[0]) / SIZE);
            f->coordinate[1][l + k] = (float)((v + (k & 1) * g->x[1] + (k >> 1) * g->y[1]) / SIZE);
        }
    }
}

/* Mean over the parallelogram around (u, v), in 64x64 points; 0..1. */
static double integral(const struct fixture *f, const struct gradient *g, double u, double v)
{
    double sum = 0.0;

    for (unsigned i = 0; i < 64; i++)
        for (unsigned j = 0; j < 64; j++) {
            double a = (i + 0.5) / 64 - 0.5, b = (j + 0.5) / 64 - 0.5;
            long x = lrint(floor(u + a * g->x[0] + b * g->y[0])), y = lrint(floor(v + a * g->x[1] + b * g->y[1]));

            sum += f->texels[0][(unsigned long)(y & (SIZE - 1)) * SIZE + (unsigned long)(x & (SIZE - 1))] & 255;
        }
    return sum / (64 * 64 * 255.0);
}

/* The root mean square error compared with the integral, over 16 angles with 64 places each. */
static double error_of(struct fixture *f, unsigned max, double longer, double shorter)
{
    enum { ANGLES = 16, TIMES = 4 };
    struct raster_sampler s = anisotropic_sampler(f, max);
    double sum = 0.0;

    random_seed = 77; /* all samplers see the same places */
    for (unsigned n = 0; n < ANGLES * TIMES; n++) {
        struct gradient g = rectangle(longer, shorter, n % ANGLES * 0.3926990817);

        place_quads(f, &g);
        sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        for (unsigned l = 0; l < RASTER_LANES; l += 4) {
            double want = integral(f, &g, (double)f->coordinate[0][l] * SIZE, (double)f->coordinate[1][l] * SIZE);
            double off = (double)f->result[0][l] - want;

            sum += off * off;
        }
    }
    return sqrt(sum / (ANGLES * TIMES * RASTER_LANES / 4));
}

/* The bounds are those of docs/texturing.md: measured errors, rounded up to the next 0.005. */
static void test_anisotropy_against_integral(void **state)
{
    static const struct {
        enum pattern pattern;
        double longer, shorter, trilinear, anisotropic; /* least and largest error */
    } row[] = {
        {CHECKER, 1, 1, 0, 0.01},      {CHECKER, 4, 2, 0.05, 0.01},   {CHECKER, 4, 1, 0.07, 0.005},
        {CHECKER, 8, 1, 0.12, 0.005},  {CHECKER, 16, 1, 0.16, 0.005}, {CHECKER, 32, 2, 0.18, 0.005},
        {CHECKER, 32, 4, 0.17, 0.005}, {NOISE, 2, 1, 0.09, 0.01},     {NOISE, 4, 1, 0.09, 0.01},
        {NOISE, 8, 1, 0.06, 0.005},    {NOISE, 16, 1, 0.05, 0.005},   {NOISE, 8, 0.5, 0.07, 0.025},
        {STRIPES, 8, 1, 0.2, 0.01},    {STRIPES, 16, 1, 0.15, 0.005},
    };
    struct fixture *f = fixture_create();

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(row); i++) {
        random_seed = 5;
        fill(f, row[i].pattern);
        double plain = error_of(f, 1, row[i].longer, row[i].shorter);
        double filtered = error_of(f, 16, row[i].longer, row[i].shorter);

        if (plain < row[i].trilinear || filtered > row[i].anisotropic)
            fail_msg("pattern %u, %g x %g texels: error %.4f (trilinear %.4f)", row[i].pattern, row[i].longer,
                     row[i].shorter, filtered, plain);
    }
    fixture_destroy(f);
}

/* --- probes -------------------------------------------------------------------------------------- */

static void test_probe_counts(void **state)
{
    static const struct {
        double x[2], y[2];
        float max;
        int probes;
        double lod;
    } row[] = {
        {{1, 0}, {0, 1}, 16, 1, 0},        {{4, 0}, {0, 1}, 16, 4, 0},     {{0, 4}, {1, 0}, 16, 4, 0},
        {{1, 0}, {0, 8}, 16, 8, 0},        {{16, 0}, {0, 1}, 16, 16, 0},   {{32, 0}, {0, 1}, 16, 16, 1},
        {{4.5, 0}, {0, 1}, 16, 5, 0},      {{4.001, 0}, {0, 1}, 16, 4, 0}, {{8, 0}, {0, 2}, 16, 4, 1},
        {{8, 0}, {0, 2}, 2, 2, 2},         {{8, 0}, {0, 0}, 16, 8, -1},    {{4, 0}, {0, 0.5}, 16, 4, -1},
        {{0.5, 0}, {0, 0.125}, 16, 1, -3}, {{4, 4}, {-1, 1}, 16, 4, 0.5},  {{2, 0}, {2, 1}, 16, 3, -0.160964},
        {{0, 0}, {0, 0}, 16, 1, -127},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(row); i++) {
        struct raster_footprint f =
            raster_footprint_of((float)row[i].x[0], (float)row[i].x[1], (float)row[i].y[0], (float)row[i].y[1]);
        float lod;
        int probes = raster_anisotropy(f, row[i].max, &lod);

        if (probes != row[i].probes || fabs((double)lod - row[i].lod) > 0.001)
            fail_msg("row %u: %d probes at level %g", i, probes, (double)lod);
    }
    assert_true(raster_probe_offset(0, 1) == 0.0f);
    assert_true(raster_probe_offset(0, 2) == -0.25f && raster_probe_offset(1, 2) == 0.25f);
    assert_true(raster_probe_offset(0, 4) == -0.375f && raster_probe_offset(3, 4) == 0.375f);
}

/* One white texel in black: of four probes, a texel apart from each other, at most one reads it. */
static void test_probe_places(void **state)
{
    struct fixture *f = fixture_create();
    struct raster_sampler s = anisotropic_sampler(f, 4);
    struct gradient g = {{32, 0}, {0, 1}}; /* ratio limited to 4: level 3, where the sides are 4 and 1/8 texels */

    (void)state;
    memset(f->texels[3], 0, (SIZE >> 3) * (SIZE >> 3) * 4);
    f->texels[3][10 * (SIZE >> 3) + 10] = 0xffffffff;
    for (unsigned x = 0; x < 32; x++) {
        place_quads(f, &g);
        f->coordinate[0][0] = ((float)x + 0.5f + 0.5f) / (SIZE >> 3); /* probes at texel centres x - 1 .. x + 2 */
        f->coordinate[1][0] = 10.5f / (SIZE >> 3);
        f->coordinate[0][1] = f->coordinate[0][0] + 32.0f / SIZE;
        f->coordinate[1][1] = f->coordinate[1][2] = f->coordinate[1][0];
        f->coordinate[0][2] = f->coordinate[0][0];
        f->coordinate[1][2] = f->coordinate[1][0] + 1.0f / SIZE;
        sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        double want = x >= 8 && x <= 11 ? 0.25 : 0.0;
        if (fabs((double)f->result[0][0] - want) > 1e-6)
            fail_msg("at %u: %g instead of %g", x, (double)f->result[0][0], want);
    }
    fixture_destroy(f);
}

/* Cubes have probes on their faces: a footprint of 4x1 texels reads level 0, not level 2. */
static void test_cube_has_probes(void **state)
{
    struct fixture *f = fixture_create();
    struct raster_sampler s = anisotropic_sampler(f, 16);
    uint32_t *faces = mem_calloc((size_t)6 * SIZE * SIZE, 4);

    (void)state;
    for (unsigned i = 0; i < 6 * SIZE * SIZE; i++)
        faces[i] = 0xffffffff;
    for (unsigned l = 1; l < LEVELS; l++) {
        memset(f->texels[l], 0, (size_t)(SIZE >> l) * (SIZE >> l) * 4);
        f->texture.level[l].slice = 0;
    }
    f->texture.kind = RASTER_TEXTURE_CUBE;
    f->texture.level[0].texels = faces;
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        f->coordinate[0][l] = 0.1f + (float)(l & 1) * 8.0f / SIZE; /* 2 of a face's length are SIZE texels */
        f->coordinate[1][l] = 0.2f + (float)(l >> 1 & 1) * 2.0f / SIZE;
        f->coordinate[2][l] = 1.0f;
    }
    for (unsigned anisotropic = 0; anisotropic < 2; anisotropic++) {
        s.max_anisotropy = anisotropic ? 16 : 1;
        sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        assert_true(f->result[0][0] == (anisotropic ? 1.0f : 0.0f));
    }
    free(faces);
    fixture_destroy(f);
}

/* A texture of one colour comes out as that colour, to the bit, for any number of probes. */
static void test_constant_stays(void **state)
{
    struct fixture *f = fixture_create();

    (void)state;
    for (unsigned l = 0; l < LEVELS; l++)
        for (unsigned i = 0; i < (unsigned)(SIZE >> l) * (SIZE >> l); i++)
            f->texels[l][i] = 0x12345678;
    for (unsigned max = 1; max <= 16; max++) {
        struct raster_sampler s = anisotropic_sampler(f, max);
        struct gradient g = rectangle(20.0 * random_place() + 1, 1.5, random_place());

        place_quads(f, &g);
        sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            assert_true(f->result[0][l] == 0x34 * (1.0f / 255.0f));
            assert_true(f->result[3][l] == 0x12 * (1.0f / 255.0f));
        }
    }
    fixture_destroy(f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anisotropy_against_integral),
        cmocka_unit_test(test_probe_counts),
        cmocka_unit_test(test_probe_places),
        cmocka_unit_test(test_cube_has_probes),
        cmocka_unit_test(test_constant_stays),
    };

    random_seed = 5;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
