/* SPDX-License-Identifier: MIT */
/*
 * The sampler against a brute-force one in double precision, address modes at their edges, levels of detail, cubes and
 * volumes, and every CPU level against the scalar one. Rules: docs/reference/texture-sampling.md.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/kernels/kernels.h"
#include "raster/sample/sample.h"
#include "tests/unit/sample_computed.h"
#include "tests/unit/random_words.h"

struct fixture {
    struct raster_texture texture;
    uint32_t *texels[RASTER_MAX_LEVELS];
    _Alignas(64) float coordinate[3][RASTER_LANES];
    _Alignas(64) float result[4][RASTER_LANES];
};

static struct fixture *fixture_create(enum raster_texture_kind kind, unsigned width, unsigned height, unsigned depth)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));
    unsigned slices = kind == RASTER_TEXTURE_CUBE ? 6 : depth;

    f->texture.kind = kind;
    for (unsigned l = 0; l < RASTER_MAX_LEVELS; l++) {
        unsigned w = BASE_MAX(width >> l, 1u), h = BASE_MAX(height >> l, 1u);
        unsigned d = kind == RASTER_TEXTURE_VOLUME ? BASE_MAX(depth >> l, 1u) : slices;

        f->texels[l] = mem_calloc((size_t)w * h * d, 4);
        for (unsigned i = 0; i < w * h * d; i++)
            f->texels[l][i] = random_u32();
        f->texture.level[l] = (struct raster_texture_level){f->texels[l], w, h, d, w, w * h};
        f->texture.level_count = l + 1;
        if (w == 1 && h == 1 && d <= (kind == RASTER_TEXTURE_VOLUME ? 1u : 6u))
            break;
    }
    return f;
}

/* The same texture with floats for texels: mostly 0..1, some of them wild. */
static void fixture_widen(struct fixture *f, bool wild)
{
    static const uint32_t special[] = {0x7f800000, 0xff800000, 0xffc00000, 0x7f7fffff, 0x00000001,
                                       0x80000000, 0x7fc00000, 0x7f812345, 0xffffffff};

    f->texture.is_wide = true;
    for (unsigned l = 0; l < f->texture.level_count; l++) {
        struct raster_texture_level *level = &f->texture.level[l];
        size_t count = (size_t)level->slice * level->depth * 4;
        uint32_t *words = mem_calloc(count, 4);

        for (size_t i = 0; i < count; i++) {
            float v = (float)(random_u32() >> 8) / 16777216.0f * (wild ? 100.0f : 1.0f) - (wild ? 50.0f : 0.0f);

            memcpy(&words[i], &v, 4);
            if (wild && random_u32() % 16 == 0)
                words[i] = special[random_u32() % ARRAY_COUNT(special)];
        }
        free(f->texels[l]);
        level->texels = f->texels[l] = words;
    }
}

/* The same with halves: most of them -4..4, some of all kinds. */
static void fixture_halve(struct fixture *f)
{
    f->texture.is_wide = f->texture.is_half = true;
    for (unsigned l = 0; l < f->texture.level_count; l++) {
        struct raster_texture_level *level = &f->texture.level[l];
        size_t count = (size_t)level->slice * level->depth * 4;
        uint16_t *halves = mem_calloc(count, 2);

        for (size_t i = 0; i < count; i++)
            halves[i] = (uint16_t)(random_u32() % 16 ? (random_u32() & 0x8000) | random_u32() % 0x4400 : random_u32());
        free(f->texels[l]);
        level->texels = f->texels[l] = (uint32_t *)(void *)halves;
    }
}

/* A half by its definition (IEEE 754): a sign, five bits of exponent, ten of fraction. */
static float half_value(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float sign = half >> 15 ? -1.0f : 1.0f;

    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    return sign * ldexpf((float)(exponent ? fraction + 1024 : fraction), (exponent ? exponent : 1) - 25);
}

static void fixture_destroy(struct fixture *f)
{
    for (unsigned l = 0; l < RASTER_MAX_LEVELS; l++)
        free(f->texels[l]);
    mem_free_aligned(f);
}

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

/* Coordinates on a lattice of 1/1024 texel centres: far enough from decisions that doubles and floats agree. */
static void lattice_coordinates(struct fixture *f, float low, float high)
{
    for (unsigned l = 0; l < RASTER_LANES; l++)
        for (unsigned a = 0; a < 2; a++) {
            unsigned size = a ? f->texture.level[0].height : f->texture.level[0].width;
            double texel = ((double)(random_u32() % 65536) / 65536.0 * (high - low) + low) * size;

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

/* Lanes of a group spread so that neighbours are `step` texels apart. */
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

/* Each level one colour: what comes out tells which levels were read. */
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

/* Each lane reads the face that it sees, also in quads that see several, and has the level of detail of it. */
static void test_cube_faces_of_lanes(void **state)
{
    static const float direction[4][3] = {{0.99f, 0, 1}, {1.01f, 0, 1}, {0.99f, 0.02f, 1}, {1.01f, 0.02f, 1}};
    static const enum cpu_level levels[] = {CPU_SCALAR, CPU_SSE2, CPU_AVX2, CPU_AVX512};
    struct fixture *f = fixture_create(RASTER_TEXTURE_CUBE, 64, 64, 1);
    struct raster_sampler s = {.texture = &f->texture,
                               .mag_filter = RASTER_FILTER_LINEAR,
                               .min_filter = RASTER_FILTER_LINEAR,
                               .max_anisotropy = 4};

    (void)state;
    for (unsigned l = 0; l < f->texture.level_count; l++)
        for (unsigned i = 0, side = 64 >> l; i < 6 * side * side; i++)
            f->texels[l][i] = 0xff000000u | (i / (side * side) * 40) << 16 | l << 8;
    for (unsigned i = 0; i < 3 * ARRAY_COUNT(levels) && levels[i / 3] <= cpu_level_detected(); i++) {
        s.mip_filter = i % 3 ? RASTER_FILTER_LINEAR : RASTER_FILTER_NONE;
        s.min_filter = i % 3 == 2 ? RASTER_FILTER_ANISOTROPIC : RASTER_FILTER_LINEAR;
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            const bool straddles = l / 4 % 3 == 1; /* other quads see +Z alone */

            for (unsigned a = 0; a < 3; a++)
                f->coordinate[a][l] = direction[l % 4][a] * (a == 0 && !straddles ? 0.5f : 1.0f);
        }
        sample_computed(levels[i / 3], &s, RASTER_LANES / RASTER_GROUP_LANES,
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

/* Eight texels weighted by what is left of each axis. */
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

/* All modes of all three axes, border colour included, sizes that are no powers of two. */
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
                    (float)((floor(((random_u32() % 4096) / 1024.0 - 1.4) * sizes[i][2] * 64.0) + 0.25) / 64.0 /
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

/* Each quad has one level of detail, of its own first lane's neighbours: odd fourth lanes change nothing. */
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

/* --- all levels, wild coordinates --------------------------------------------------------------------------- */

static float wild_float(void)
{
    static const float special[] = {0.0f,   -0.0f,       1.0f,         -1.0f,       1e30f,
                                    -1e30f, 1.0f / 0.0f, -1.0f / 0.0f, 0.0f / 0.0f, 0.5f};

    if (random_u32() % 8 == 0)
        return special[random_u32() % ARRAY_COUNT(special)];
    return (float)(int32_t)random_u32() / 1073741824.0f * (float)(random_u32() % 4);
}

/* One float a texel, of depth: mostly 0..1, some as formats of floats also hold them. */
static void fixture_deepen(struct fixture *f)
{
    static const uint32_t special[] = {0x7f800000, 0xff800000, 0xffc00000, 0xbf800000, 0x40000000, 0x80000000};

    f->texture.depth = RASTER_DEPTH_COMPARED;
    for (unsigned l = 0; l < f->texture.level_count; l++)
        for (unsigned i = 0; i < f->texture.level[l].slice * f->texture.level[l].depth; i++) {
            float depth = (float)(f->texels[l][i] >> 8) / 16777215.0f;

            memcpy(&f->texels[l][i], &depth, 4);
            if (random_u32() % 32 == 0)
                f->texels[l][i] = special[random_u32() % ARRAY_COUNT(special)];
        }
}

/* Centres and edges of texels, some of them by the least step missed, and what lies between; mostly inside. */
static float texel_float(unsigned size)
{
    float at = (float)((int32_t)(random_u32() % (6 * size)) - (int32_t)size) / (float)(2 * size);

    if (random_u32() % 2) /* where the weight changes */
        at += ((float)(random_u32() % 256) + 0.5f) / (float)(256 * size);
    switch (random_u32() % 4) {
    case 0:
        return nextafterf(at, 10.0f);
    case 1:
        return nextafterf(at, -10.0f);
    case 2:
        return at + (float)(random_u32() % 256) / (float)(256 * size);
    default:
        return at;
    }
}

/* By rounds: anything, pixels beside each other, texels' edges. */
static void set_coordinates(struct fixture *f, unsigned round)
{
    const struct raster_texture_level *top = &f->texture.level[0];
    const unsigned size[3] = {top->width, top->height, top->depth};

    for (unsigned k = 0; k < 3 * RASTER_LANES; k++)
        f->coordinate[k / RASTER_LANES][k % RASTER_LANES] = round % 3 == 0   ? wild_float()
                                                            : round % 3 == 1 ? (float)(k % 64) * 0.01f
                                                                             : texel_float(size[k / RASTER_LANES]);
}

/* Every level gives the scalar one's bits. */
static void expect_agreement(struct fixture *f, const struct raster_sampler *s, unsigned groups, unsigned i,
                             unsigned round)
{
    static float want[4][RASTER_LANES];

    for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++) {
        sample_computed((enum cpu_level)level, s, groups, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        for (unsigned c = 0; c < 4; c++) {
            if (level == CPU_SCALAR)
                memcpy(want[c], f->result[c], sizeof(want[c]));
            else if (memcmp(want[c], f->result[c], groups * RASTER_GROUP_LANES * sizeof(float)))
                fail_msg("texture %u round %u: %s differs in channel %u", i, round,
                         cpu_level_name((enum cpu_level)level), c);
        }
    }
}

enum texels { WORDS, FLOATS, HALVES, DEPTH };

static void fixture_take(struct fixture *f, enum texels texels)
{
    if (texels == FLOATS)
        fixture_widen(f, true);
    if (texels == HALVES)
        fixture_halve(f);
    if (texels == DEPTH)
        fixture_deepen(f);
}

static void kernels_agree(enum texels texels)
{
    static const unsigned sizes[][3] = {{64, 32, 1}, {13, 9, 1}, {1, 1, 1}, {1, 5, 1}, {6, 1, 1},
                                        {2, 2, 1},   {3, 2, 1},  {8, 8, 1}, {1, 1, 1}, {8, 4, 4}};
    static const enum raster_texture_kind kinds[] = {
        RASTER_TEXTURE_2D, RASTER_TEXTURE_2D, RASTER_TEXTURE_2D,   RASTER_TEXTURE_2D,   RASTER_TEXTURE_2D,
        RASTER_TEXTURE_2D, RASTER_TEXTURE_2D, RASTER_TEXTURE_CUBE, RASTER_TEXTURE_CUBE, RASTER_TEXTURE_VOLUME};

    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct fixture *f = fixture_create(kinds[i], sizes[i][0], sizes[i][1], sizes[i][2]);

        fixture_take(f, texels);
        for (unsigned round = 0; round < 960; round++) {
            unsigned groups = 1 + round % 4;
            struct raster_sampler s = {
                .texture = &f->texture,
                .address = {(uint8_t)(random_u32() % 5), (uint8_t)(random_u32() % 5), (uint8_t)(random_u32() % 5)},
                .mag_filter = (uint8_t)(1 + random_u32() % 3),
                .min_filter = (uint8_t)(1 + random_u32() % 3),
                .mip_filter = (uint8_t)(random_u32() % 3),
                .max_anisotropy = (uint8_t)(random_u32() % 18),
                .base_level = (uint8_t)(random_u32() % 16),
                .lod_bias = wild_float(),
                .border = {0.1f, 0.9f, 2.0f, -1.0f},
            };

            f->texture.opaque = round % 3 == 0;
            f->texture.is_signed = texels == WORDS && round % 5 == 0;
            s.srgb = texels == WORDS && round % 5 > 2;
            if (round % 32 == 31)
                s.fetch4 = (uint8_t)(1 + random_u32() % 2);
            if (texels == DEPTH)
                f->texture.depth = (uint8_t)(RASTER_DEPTH_ALL + round % 3);
            set_coordinates(f, round / 4);
            expect_agreement(f, &s, groups, i, round);
        }
        fixture_destroy(f);
    }
}

static void test_kernels_agree(void **state)
{
    (void)state;
    kernels_agree(WORDS);
}

/* A surface that leans away: quads of a batch read two or three levels, magnified ones among them. */
static void lean(struct fixture *f)
{
    float step = exp2f((float)(random_u32() % 640) / 64.0f - 9.0f), growth = (float)(random_u32() % 64) / 128.0f;
    float u = texel_float(f->texture.level[0].width), v = texel_float(f->texture.level[0].height);

    for (unsigned l = 0; l < RASTER_LANES; l++) {
        unsigned group = l / 16, lane = l % 16;
        float x = (float)(raster_lane_x[lane] + 4 * (int32_t)(group & 1));
        float y = (float)(raster_lane_y[lane] + 4 * (int32_t)(group >> 1));

        f->coordinate[0][l] = u + x * step * (1.0f + y * growth);
        f->coordinate[1][l] = v + y * step * (1.0f + x * growth);
    }
}

static void test_mixed_levels_agree(void **state)
{
    static const unsigned sizes[][2] = {{64, 64}, {64, 4}, {13, 9}, {1, 32}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct fixture *f = fixture_create(RASTER_TEXTURE_2D, sizes[i][0], sizes[i][1], 1);

        for (unsigned round = 0; round < 4000; round++) {
            struct raster_sampler s = {
                .texture = &f->texture,
                .address = {(uint8_t)(random_u32() % 5), (uint8_t)(random_u32() % 5)},
                .mag_filter = (uint8_t)(1 + random_u32() % 2),
                .min_filter = (uint8_t)(1 + random_u32() % 2),
                .mip_filter = (uint8_t)(random_u32() % 3),
                .base_level = (uint8_t)(random_u32() % 8 ? 0 : random_u32() % 3),
                .lod_bias = random_u32() % 2 ? 0.0f : (float)(random_u32() % 64) / 32.0f - 1.0f,
                .border = {0.1f, 0.9f, 0.4f, 0.7f},
            };

            f->texture.opaque = round % 3 == 0;
            f->texture.is_signed = round % 5 == 0;
            s.srgb = round % 5 > 2;
            lean(f);
            expect_agreement(f, &s, 1 + round % 4, i, round);
        }
        fixture_destroy(f);
    }
}

/* A picture that is not turned, mirrored or not: each row of pixels reads rows of texels of its own, up to five texels a pixel.
 * Now and then one lane reads elsewhere. */
static void upright(struct fixture *f)
{
    const float texel[2] = {1.0f / (float)f->texture.level[0].width, 1.0f / (float)f->texture.level[0].height};
    float at[2], step[2];

    for (unsigned k = 0; k < 2; k++) {
        at[k] = (float)(random_u32() % 4096) / 4096.0f;
        step[k] = texel[k] * ((float)(random_u32() % 2560) / 256.0f - 5.0f);
    }
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        f->coordinate[0][l] = at[0] + (float)(raster_lane_x[l % 16] + 4 * (int32_t)(l / 16)) * step[0];
        f->coordinate[1][l] = at[1] + (float)raster_lane_y[l % 16] * step[1];
        f->coordinate[2][l] = (float)(random_u32() >> 8) / 16777216.0f;
    }
    if (random_u32() % 4 == 0) {
        const unsigned k = random_u32() % 2, l = random_u32() % RASTER_LANES;

        f->coordinate[k][l] += (float)((int32_t)(random_u32() % 9) - 4) * texel[k];
    }
}

static void upright_pictures_agree(enum texels texels)
{
    static const unsigned sizes[][2] = {{64, 64}, {256, 8}, {32, 32}, {17, 9}, {16, 16},
                                        {15, 4},  {9, 2},   {8, 8},   {7, 7}};

    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct fixture *f = fixture_create(RASTER_TEXTURE_2D, sizes[i][0], sizes[i][1], 1);

        fixture_take(f, texels);
        for (unsigned round = 0; round < 2000; round++) {
            struct raster_sampler s = {
                .texture = &f->texture,
                .address = {(uint8_t)(random_u32() % 5), (uint8_t)(random_u32() % 5)},
                .mag_filter = RASTER_FILTER_LINEAR,
                .min_filter = RASTER_FILTER_LINEAR,
                .mip_filter = (uint8_t)(random_u32() % 3),
                .srgb = texels == WORDS && round % 2,
                .border = {0.1f, 0.9f, 0.4f, 0.7f},
            };

            if (texels == DEPTH)
                f->texture.depth = (uint8_t)(RASTER_DEPTH_ALL + round % 3);
            upright(f);
            expect_agreement(f, &s, 1 + round % 4, i, round);
        }
        fixture_destroy(f);
    }
}

static void test_upright_pictures_agree(void **state)
{
    (void)state;
    upright_pictures_agree(WORDS);
    upright_pictures_agree(FLOATS);
    upright_pictures_agree(HALVES);
    upright_pictures_agree(DEPTH);
}

/* Coordinates of texels that lie some 8 to 32 texels of level 0 apart. */
static void stride(struct fixture *f)
{
    float step[4], at[2] = {texel_float(64), texel_float(64)}, far = 1.0f / (float)f->texture.level[0].width;

    for (unsigned i = 0; i < 4; i++)
        step[i] = far * (i % 3 ? (float)(random_u32() % 1024) / 512.0f : 8.0f + (float)(random_u32() % 8192) / 341.0f);
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        float x = (float)raster_lane_x[l % 16] + 4.0f * (float)(l / 16), y = (float)raster_lane_y[l % 16];

        f->coordinate[0][l] = at[0] + x * step[0] + y * step[1];
        f->coordinate[1][l] = at[1] + x * step[2] + y * step[3];
    }
}

/* Who drops the finest levels of a texture, because nobody reads them, sees the same picture: levels of detail become
 * whole numbers less, to the last bit. */
static void test_without_finest_levels(void **state)
{
    struct fixture *f = fixture_create(RASTER_TEXTURE_2D, 128, 128, 1);

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t first = (uint8_t)(1 + random_u32() % 3), filter = (uint8_t)(1 + random_u32() % 3);
        struct raster_texture rest = f->texture;
        struct raster_sampler s = {
            .texture = &f->texture,
            .mag_filter = BASE_MIN(filter, (uint8_t)RASTER_FILTER_LINEAR),
            .min_filter = filter,
            .mip_filter = (uint8_t)(1 + random_u32() % 2),
            .max_anisotropy = 16,
            .base_level = first,
            .lod_bias = raster_lod_bias((float)(random_u32() % 2000) / 1000.0f - 1.0f),
        };
        const enum cpu_level level = (enum cpu_level)(round % ((unsigned)cpu_level_detected() + 1));
        _Alignas(64) float whole[4][RASTER_LANES];

        memcpy(rest.level, f->texture.level + first, (f->texture.level_count - first) * sizeof(rest.level[0]));
        rest.level_count -= first;
        filter == RASTER_FILTER_ANISOTROPIC || round % 2 ? stride(f) : lean(f);
        sample_computed(level, &s, 4, (const float(*)[RASTER_LANES])f->coordinate, whole);
        s.texture = &rest;
        s.base_level = 0;
        sample_computed(level, &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        if (memcmp(whole, f->result, sizeof(whole)))
            fail_msg("round %u: without %u levels other texels are read", round, first);
    }
    fixture_destroy(f);
}

static void test_wide_kernels_agree(void **state)
{
    (void)state;
    kernels_agree(FLOATS);
}

static void test_half_kernels_agree(void **state)
{
    (void)state;
    kernels_agree(HALVES);
}

/* Floats of the halves' values are sampled as the halves are, to the bit. */
static void test_halves_are_floats(void **state)
{
    struct fixture *f = fixture_create(RASTER_TEXTURE_2D, 19, 11, 1);
    struct raster_texture floats;
    float *texels[RASTER_MAX_LEVELS] = {NULL};
    _Alignas(64) float expected[4][RASTER_LANES];

    (void)state;
    fixture_halve(f);
    floats = f->texture;
    floats.is_half = false;
    for (unsigned l = 0; l < floats.level_count; l++) {
        const size_t count = (size_t)floats.level[l].slice * 4;

        texels[l] = mem_calloc(count, sizeof(float));
        for (size_t i = 0; i < count; i++)
            texels[l][i] = half_value(((const uint16_t *)f->texture.level[l].texels)[i]);
        floats.level[l].texels = (const uint32_t *)texels[l];
    }
    for (unsigned round = 0; round < 4000; round++) {
        const enum cpu_level level = (enum cpu_level)(round % ((unsigned)cpu_level_detected() + 1));
        struct raster_sampler s = {
            .texture = &f->texture,
            .address = {(uint8_t)(random_u32() % 5), (uint8_t)(random_u32() % 5)},
            .mag_filter = (uint8_t)(1 + random_u32() % 2),
            .min_filter = (uint8_t)(1 + random_u32() % 2),
            .mip_filter = (uint8_t)(random_u32() % 3),
            .border = {0.1f, 0.9f, 0.4f, 0.7f},
        };

        set_coordinates(f, round / 4);
        sample_computed(level, &s, 4, (const float(*)[RASTER_LANES])f->coordinate, f->result);
        s.texture = &floats;
        sample_computed(level, &s, 4, (const float(*)[RASTER_LANES])f->coordinate, expected);
        if (memcmp(expected, f->result, sizeof(expected)))
            fail_msg("round %u: halves are not sampled as floats are", round);
    }
    for (unsigned l = 0; l < RASTER_MAX_LEVELS; l++)
        free(texels[l]);
    fixture_destroy(f);
}

static void test_depth_kernels_agree(void **state)
{
    (void)state;
    kernels_agree(DEPTH);
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
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_wide_kernels_agree),
        cmocka_unit_test(test_half_kernels_agree),
        cmocka_unit_test(test_halves_are_floats),
        cmocka_unit_test(test_depth_kernels_agree),
        cmocka_unit_test(test_mixed_levels_agree),
        cmocka_unit_test(test_upright_pictures_agree),
        cmocka_unit_test(test_volume_against_brute_force),
        cmocka_unit_test(test_cube_edges),
        cmocka_unit_test(test_without_finest_levels),
        cmocka_unit_test(test_level_per_quad),
        cmocka_unit_test(test_signed_border),
    };

    random_state = 9;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
