/* SPDX-License-Identifier: MIT */
/*
 * The sampler compared with a brute-force sampler in double precision; address modes at their edges, levels of detail,
 * cubes and volumes. Rules: docs/reference/texture-sampling.md. All levels agree: test_sample_levels.c.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/sample_fixture.h"

/* --- the slow sampler ------------------------------------------------------------------------ */

static long wrap(unsigned mode, long i, long size)
{
    switch (mode) {
    case RASTER_WRAP:
        return ((i % size) + size) % size;
    case RASTER_MIRROR:
        i = ((i % (2 * size)) + 2 * size) % (2 * size);
        return i < size ? i : 2 * size - 1 - i;
    case RASTER_MIRROR_ONCE:
        i = i < 0 ? -i - 1 : i;
        return i < size ? i : size - 1;
    case RASTER_CLAMP:
        return i < 0 ? 0 : i >= size ? size - 1 : i;
    default:
        return i < 0 || i >= size ? -1 : i;
    }
}

static double texel_channel(const struct raster_sampler *s, unsigned level, long x, long y, unsigned c)
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    const struct raster_texture_level *l = &s->texture->level[level];

    x = wrap(s->address[0], x, l->width);
    y = wrap(s->address[1], y, l->height);
    if (s->texture->is_wide)
        return x < 0 || y < 0 ? (double)s->border[c] * 255.0
                              : 255.0 * (double)((const float *)l->texels)[((size_t)y * l->pitch + (size_t)x) * 4 + c];
    if (x < 0 || y < 0)
        return floor((double)s->border[c] * 255.0 + 0.5);
    return l->texels[(size_t)y * l->pitch + (size_t)x] >> shift[c] & 255;
}

static double brute_force(const struct raster_sampler *s, unsigned level, bool linear, double u, double v, unsigned c)
{
    const struct raster_texture_level *l = &s->texture->level[level];
    double x = u * l->width, y = v * l->height;

    if (!linear)
        return texel_channel(s, level, (long)floor(x), (long)floor(y), c) / 255.0;
    x = floor((x - 0.5) * 256.0 + 0.5) / 256.0;
    y = floor((y - 0.5) * 256.0 + 0.5) / 256.0;
    long ix = (long)floor(x), iy = (long)floor(y);
    double fx = x - (double)ix, fy = y - (double)iy;
    double top = texel_channel(s, level, ix, iy, c) * (1 - fx) + texel_channel(s, level, ix + 1, iy, c) * fx;
    double bottom = texel_channel(s, level, ix, iy + 1, c) * (1 - fx) + texel_channel(s, level, ix + 1, iy + 1, c) * fx;
    return (top * (1 - fy) + bottom * fy) / 255.0;
}

/* Coordinates on a lattice of 1/1024 texel: far enough from rounding decisions that doubles and floats agree. */
static void lattice_coordinates(struct fixture *f, float low, float high)
{
    for (unsigned l = 0; l < RASTER_LANES; l++)
        for (unsigned a = 0; a < 2; a++) {
            unsigned size = a ? f->texture.level[0].height : f->texture.level[0].width;
            double texel = ((double)(random_word() % 65536) / 65536.0 * (high - low) + low) * size;

            f->coordinate[a][l] = (float)((floor(texel * 64.0) + 0.25) / 64.0 / size);
        }
}

/* tolerance: of a channel */
static void compare_2d(bool wide, double tolerance)
{
    static const unsigned sizes[][2] = {{64, 64}, {16, 128}, {5, 7}, {1, 1}, {2, 2}, {17, 1}};

    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct fixture *f = fixture_create(RASTER_TEXTURE_2D, sizes[i][0], sizes[i][1], 1);

        if (wide)
            fixture_widen(f, false);
        for (unsigned mode = 0; mode < 25; mode++) {
            for (unsigned linear = 0; linear < 2; linear++) {
                unsigned filter = linear ? RASTER_FILTER_LINEAR : RASTER_FILTER_POINT;
                struct raster_sampler s = {.texture = &f->texture,
                                           .address = {(uint8_t)(mode % 5), (uint8_t)(mode / 5), 0},
                                           .mag_filter = (uint8_t)filter,
                                           .min_filter = (uint8_t)filter,
                                           .border = {1.0f, 0.5f, 0.25f, 0.0f}};

                lattice_coordinates(f, -1.4f, 2.4f);
                sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
                for (unsigned l = 0; l < RASTER_LANES; l++)
                    for (unsigned c = 0; c < 4; c++) {
                        double want = brute_force(&s, 0, linear, f->coordinate[0][l], f->coordinate[1][l], c);

                        if (fabs(want - f->result[c][l]) > tolerance)
                            fail_msg("%ux%u modes %u,%u linear %u at (%g, %g) channel %u: %g instead of %g",
                                     sizes[i][0], sizes[i][1], mode % 5, mode / 5, linear, (double)f->coordinate[0][l],
                                     (double)f->coordinate[1][l], c, (double)f->result[c][l], want);
                    }
            }
        }
        fixture_destroy(f);
    }
}

static void test_2d_against_brute_force(void **state)
{
    (void)state;
    compare_2d(false, 1.0 / 255.0);
}

static void test_2d_wide_against_brute_force(void **state)
{
    (void)state;
    compare_2d(true, 1e-6);
}

/* --- levels of detail --------------------------------------------------------------------------- */

/* Spreads the lanes of a group so that neighbours are `step` texels apart. */
static void spread(struct fixture *f, float step)
{
    static const unsigned lane_x[16] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
    static const unsigned lane_y[16] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

    for (unsigned l = 0; l < RASTER_LANES; l++) {
        f->coordinate[0][l] = (float)lane_x[l % 16] * step / (float)f->texture.level[0].width;
        f->coordinate[1][l] = (float)lane_y[l % 16] * step / (float)f->texture.level[0].height;
        f->coordinate[2][l] = 0.0f;
    }
}

/* Each level has its own colour: the result shows which levels were read. */
static void color_levels(struct fixture *f)
{
    for (unsigned l = 0; l < f->texture.level_count; l++)
        for (unsigned i = 0; i < f->texture.level[l].width * f->texture.level[l].height; i++)
            f->texels[l][i] = 0xff000000u | l * 20 << 16;
}

static void test_levels(void **state)
{
    static const struct {
        float step, bias;
        uint8_t mip, base;
        double level;
    } vector[] = {
        {0.25f, 0, RASTER_FILTER_POINT, 0, 0},
        {1, 0, RASTER_FILTER_POINT, 0, 0},
        {2, 0, RASTER_FILTER_POINT, 0, 1},
        {4, 0, RASTER_FILTER_POINT, 0, 2},
        {4, 1, RASTER_FILTER_POINT, 0, 3},
        {4, -1, RASTER_FILTER_POINT, 0, 1},
        {1, 0, RASTER_FILTER_POINT, 3, 3},
        {1000, 0, RASTER_FILTER_POINT, 0, 6},
        {2.828427f, 0, RASTER_FILTER_LINEAR, 0, 1.5},
        {4, 0, RASTER_FILTER_LINEAR, 0, 2},
        {4, 0, RASTER_FILTER_NONE, 0, 0},
        {4, 0, RASTER_FILTER_NONE, 2, 2},
    };
    struct fixture *f = fixture_create(RASTER_TEXTURE_2D, 64, 64, 1);

    (void)state;
    color_levels(f);
    assert_int_equal(f->texture.level_count, 7);
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        struct raster_sampler s = {.texture = &f->texture,
                                   .mag_filter = RASTER_FILTER_LINEAR,
                                   .min_filter = RASTER_FILTER_LINEAR,
                                   .mip_filter = vector[i].mip,
                                   .base_level = vector[i].base,
                                   .lod_bias = vector[i].bias};

        spread(f, vector[i].step);
        sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        if (fabs((double)f->result[0][5] * 255.0 / 20.0 - vector[i].level) > 0.02)
            fail_msg("vector %u: level %g instead of %g", i, (double)f->result[0][5] * 255.0 / 20.0, vector[i].level);
    }
    fixture_destroy(f);
}

/* --- cubes and volumes ------------------------------------------------------------------------------- */

static void test_cube_faces(void **state)
{
    static const float direction[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    struct fixture *f = fixture_create(RASTER_TEXTURE_CUBE, 8, 8, 1);
    struct raster_sampler s = {
        .texture = &f->texture, .mag_filter = RASTER_FILTER_LINEAR, .min_filter = RASTER_FILTER_LINEAR};

    (void)state;
    for (unsigned i = 0; i < 6 * 64; i++)
        f->texels[0][i] = 0xff000000u | (i / 64 * 40) << 16;
    for (unsigned face = 0; face < 6; face++) {
        for (unsigned l = 0; l < RASTER_LANES; l++)
            for (unsigned a = 0; a < 3; a++)
                f->coordinate[a][l] = direction[face][a] + 0.01f * (float)(l % 7);
        sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        for (unsigned l = 0; l < RASTER_LANES; l++)
            assert_int_equal(lrintf(f->result[0][l] * 255.0f), face * 40);
    }
    fixture_destroy(f);
}

/* Each lane reads the face that it points to, also in quads that point to several, and uses that face's level of
 * detail. */
static void test_cube_faces_of_lanes(void **state)
{
    static const float direction[4][3] = {{0.99f, 0, 1}, {1.01f, 0, 1}, {0.99f, 0.02f, 1}, {1.01f, 0.02f, 1}};
    const unsigned levels = (unsigned)cpu_level_detected() + 1;
    struct fixture *f = fixture_create(RASTER_TEXTURE_CUBE, 64, 64, 1);
    struct raster_sampler s = {.texture = &f->texture,
                               .mag_filter = RASTER_FILTER_LINEAR,
                               .min_filter = RASTER_FILTER_LINEAR,
                               .max_anisotropy = 4};

    (void)state;
    for (unsigned l = 0; l < f->texture.level_count; l++)
        for (unsigned i = 0, side = 64 >> l; i < 6 * side * side; i++)
            f->texels[l][i] = 0xff000000u | (i / (side * side) * 40) << 16 | l << 8;
    for (unsigned i = 0; i < 3 * levels; i++) {
        s.mip_filter = i % 3 ? RASTER_FILTER_LINEAR : RASTER_FILTER_NONE;
        s.min_filter = i % 3 == 2 ? RASTER_FILTER_ANISOTROPIC : RASTER_FILTER_LINEAR;
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            const bool straddles = l / 4 % 3 == 1; /* other quads see +Z alone */

            for (unsigned a = 0; a < 3; a++)
                f->coordinate[a][l] = direction[l % 4][a] * (a == 0 && !straddles ? 0.5f : 1.0f);
        }
        sample_computed((enum cpu_level)(i / 3), &s, RASTER_LANES / RASTER_GROUP_LANES,
                        (const float(*)[RASTER_LANES])f->coordinate, f->result);
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            assert_int_equal(lrintf(f->result[0][l] * 255.0f), l / 4 % 3 == 1 && l % 2 ? 0 : 160);
            assert_true(f->result[1][l] == 0.0f);
        }
    }
    fixture_destroy(f);
}

static void test_volume_slices(void **state)
{
    struct fixture *f = fixture_create(RASTER_TEXTURE_VOLUME, 4, 4, 4);
    struct raster_sampler s = {.texture = &f->texture,
                               .address = {RASTER_CLAMP, RASTER_CLAMP, RASTER_CLAMP},
                               .mag_filter = RASTER_FILTER_LINEAR,
                               .min_filter = RASTER_FILTER_LINEAR};

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        f->texels[0][i] = 0xff000000u | (i / 16 * 40) << 16;
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        f->coordinate[0][l] = f->coordinate[1][l] = 0.5f;
        f->coordinate[2][l] = (float)l / (RASTER_LANES - 1);
    }
    sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        double slice = (double)l / (RASTER_LANES - 1) * 4 - 0.5;
        double want = (slice < 0 ? 0 : slice > 3 ? 3 : slice) * 40;

        assert_true(fabs((double)f->result[0][l] * 255.0 - want) < 0.2);
    }
    fixture_destroy(f);
}

static double volume_texel(const struct raster_sampler *s, long x, long y, long z, unsigned c)
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    const struct raster_texture_level *l = &s->texture->level[0];

    x = wrap(s->address[0], x, l->width);
    y = wrap(s->address[1], y, l->height);
    z = wrap(s->address[2], z, l->depth);
    if (x < 0 || y < 0 || z < 0)
        return floor((double)s->border[c] * 255.0 + 0.5);
    return l->texels[(size_t)z * l->slice + (size_t)y * l->pitch + (size_t)x] >> shift[c] & 255;
}

/* Eight texels, weighted along each axis. */
static double brute_volume(const struct raster_sampler *s, bool linear, const double at[3], unsigned c)
{
    const struct raster_texture_level *l = &s->texture->level[0];
    const double size[3] = {l->width, l->height, l->depth};
    double fraction[3], sum = 0.0;
    long first[3];

    for (unsigned a = 0; a < 3; a++) {
        double q = linear ? floor((at[a] * size[a] - 0.5) * 256.0 + 0.5) / 256.0 : at[a] * size[a];

        first[a] = (long)floor(q);
        fraction[a] = q - floor(q);
    }
    if (!linear)
        return volume_texel(s, first[0], first[1], first[2], c) / 255.0;
    for (unsigned k = 0; k < 8; k++) {
        double weight = (k & 1 ? fraction[0] : 1 - fraction[0]) * (k & 2 ? fraction[1] : 1 - fraction[1]) *
                        (k & 4 ? fraction[2] : 1 - fraction[2]);

        sum += weight * volume_texel(s, first[0] + (k & 1), first[1] + (k >> 1 & 1), first[2] + (k >> 2), c);
    }
    return sum / 255.0;
}

/* All modes of all three axes, border colour included, with sizes that are not powers of two. */
static void test_volume_against_brute_force(void **state)
{
    static const unsigned sizes[][3] = {{8, 4, 4}, {5, 3, 7}, {1, 1, 1}, {2, 9, 1}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct fixture *f = fixture_create(RASTER_TEXTURE_VOLUME, sizes[i][0], sizes[i][1], sizes[i][2]);

        for (unsigned mode = 0; mode < 250; mode++) {
            bool linear = mode >= 125;
            unsigned filter = linear ? RASTER_FILTER_LINEAR : RASTER_FILTER_POINT;
            struct raster_sampler s = {
                .texture = &f->texture,
                .address = {(uint8_t)(mode % 5), (uint8_t)(mode / 5 % 5), (uint8_t)(mode / 25 % 5)},
                .mag_filter = (uint8_t)filter,
                .min_filter = (uint8_t)filter,
                .border = {1.0f, 0.5f, 0.25f, 0.0f}};

            lattice_coordinates(f, -1.4f, 2.4f);
            for (unsigned l = 0; l < RASTER_LANES; l++)
                f->coordinate[2][l] =
                    (float)((floor(((random_word() % 4096) / 1024.0 - 1.4) * sizes[i][2] * 64.0) + 0.25) / 64.0 /
                            sizes[i][2]);
            sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
            for (unsigned l = 0; l < RASTER_LANES; l++)
                for (unsigned c = 0; c < 4; c++) {
                    const double at[3] = {f->coordinate[0][l], f->coordinate[1][l], f->coordinate[2][l]};
                    double want = brute_volume(&s, linear, at, c);

                    if (fabs(want - (double)f->result[c][l]) > 1e-5)
                        fail_msg("%ux%ux%u modes %u %u %u linear %u at (%g, %g, %g) channel %u: %g instead of %g",
                                 sizes[i][0], sizes[i][1], sizes[i][2], mode % 5, mode / 5 % 5, mode / 25 % 5, linear,
                                 at[0], at[1], at[2], c, (double)f->result[c][l], want);
                }
        }
        fixture_destroy(f);
    }
}

/* At the edge of a face no other face is read, whatever the address modes are. */
static void test_cube_edges(void **state)
{
    struct fixture *f = fixture_create(RASTER_TEXTURE_CUBE, 4, 4, 1);

    (void)state;
    for (unsigned i = 0; i < 6 * 16; i++)
        f->texels[0][i] = 0xff000000u | (i / 16 * 40) << 16;
    for (unsigned mode = 0; mode < 5; mode++) {
        struct raster_sampler s = {.texture = &f->texture,
                                   .address = {(uint8_t)mode, (uint8_t)mode, (uint8_t)mode},
                                   .mag_filter = RASTER_FILTER_LINEAR,
                                   .min_filter = RASTER_FILTER_LINEAR};

        for (unsigned l = 0; l < RASTER_LANES; l++) {
            f->coordinate[0][l] = l / 4 % 2 ? 0.9999f : -0.9999f; /* towards +X and -X */
            f->coordinate[1][l] = l / 8 % 2 ? 0.9999f : -0.9999f;
            f->coordinate[2][l] = 1.0f; /* face 4 */
        }
        sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        for (unsigned l = 0; l < RASTER_LANES; l++)
            assert_true(f->result[0][l] == 160 * (1.0f / 255.0f));
    }
    fixture_destroy(f);
}

/* Each quad has one level of detail, from its own first lane's neighbours: a different fourth lane changes nothing. */
static void test_level_per_quad(void **state)
{
    struct fixture *f = fixture_create(RASTER_TEXTURE_2D, 64, 64, 1);
    struct raster_sampler s = {.texture = &f->texture,
                               .mag_filter = RASTER_FILTER_POINT,
                               .min_filter = RASTER_FILTER_POINT,
                               .mip_filter = RASTER_FILTER_POINT};

    (void)state;
    color_levels(f);
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        float step = (float)(1u << (l / 4 % 5)) / 64.0f; /* quad q: level q mod 5 */

        f->coordinate[0][l] = 0.3f + (l % 4 == 1 ? step : l % 4 == 3 ? 0.77f : 0.0f);
        f->coordinate[1][l] = 0.3f + (l % 4 == 2 ? step : l % 4 == 3 ? 0.11f : 0.0f);
    }
    sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
    for (unsigned l = 0; l < RASTER_LANES; l++)
        assert_int_equal(lrintf(f->result[0][l] * 255.0f), l / 4 % 5 * 20);
    fixture_destroy(f);
}

/* The border of a signed texture is 0..1 in its texels' scale. */
static void test_signed_border(void **state)
{
    struct fixture *f = fixture_create(RASTER_TEXTURE_2D, 4, 4, 1);
    struct raster_sampler s = {.texture = &f->texture,
                               .address = {RASTER_BORDER, RASTER_BORDER, 0},
                               .mag_filter = RASTER_FILTER_POINT,
                               .min_filter = RASTER_FILTER_POINT,
                               .border = {1.0f, 0.0f, 0.5f, 1.0f}};

    (void)state;
    f->texture.is_signed = true;
    for (unsigned l = 0; l < RASTER_LANES; l++)
        f->coordinate[0][l] = f->coordinate[1][l] = 1.5f;
    sample_computed(cpu_level_detected(), &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
    for (unsigned c = 0; c < 4; c++)
        assert_true(fabsf(f->result[c][7] - s.border[c]) < 0.005f);
    fixture_destroy(f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2d_against_brute_force),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_cube_faces),
        cmocka_unit_test(test_cube_faces_of_lanes),
        cmocka_unit_test(test_volume_slices),
        cmocka_unit_test(test_2d_wide_against_brute_force),
        cmocka_unit_test(test_volume_against_brute_force),
        cmocka_unit_test(test_cube_edges),
        cmocka_unit_test(test_level_per_quad),
        cmocka_unit_test(test_signed_border),
    };

    random_seed = 9;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
