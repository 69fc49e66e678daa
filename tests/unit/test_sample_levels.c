/* SPDX-License-Identifier: MIT */
/*
 * The sampler of every CPU level compared bit for bit with the scalar one, which is the definition: all kinds of
 * texels, extreme coordinates, levels that differ inside a batch. And cases that must give the same bits: halves and
 * the same values as floats, a texture with and without levels that are not read.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/kernels/kernels.h"
#include "tests/unit/rounds.h"
#include "tests/unit/sample_fixture.h"

/* The same with halves: most of them -4..4, some of all kinds. */
static void fixture_halve(struct fixture *f)
{
    f->texture.is_wide = f->texture.is_half = true;
    for (unsigned l = 0; l < f->texture.level_count; l++) {
        struct raster_texture_level *level = &f->texture.level[l];
        size_t count = (size_t)level->slice * level->depth * 4;
        uint16_t *halves = mem_calloc(count, 2);

        for (size_t i = 0; i < count; i++)
            halves[i] =
                (uint16_t)(random_word() % 16 ? (random_word() & 0x8000) | random_word() % 0x4400 : random_word());
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

/* One float per texel, as depth: mostly 0..1, some values that only float formats hold. */
static void fixture_deepen(struct fixture *f)
{
    static const uint32_t special[] = {0x7f800000, 0xff800000, 0xffc00000, 0xbf800000, 0x40000000, 0x80000000};

    f->texture.depth = RASTER_DEPTH_COMPARED;
    for (unsigned l = 0; l < f->texture.level_count; l++)
        for (unsigned i = 0; i < f->texture.level[l].slice * f->texture.level[l].depth; i++) {
            float depth = (float)(f->texels[l][i] >> 8) / 16777215.0f;

            memcpy(&f->texels[l][i], &depth, 4);
            if (random_word() % 32 == 0)
                f->texels[l][i] = special[random_word() % ARRAY_COUNT(special)];
        }
}

static float wild_float(void)
{
    static const float special[] = {0.0f,   -0.0f,       1.0f,         -1.0f,       1e30f,
                                    -1e30f, 1.0f / 0.0f, -1.0f / 0.0f, 0.0f / 0.0f, 0.5f};

    if (random_word() % 8 == 0)
        return special[random_word() % ARRAY_COUNT(special)];
    return (float)(int32_t)random_word() / 1073741824.0f * (float)(random_word() % 4);
}

/* Centres and edges of texels, some of them missed by the smallest step, and places in between; mostly inside. */
static float texel_float(unsigned size)
{
    float at = (float)((int32_t)(random_word() % (6 * size)) - (int32_t)size) / (float)(2 * size);

    if (random_word() % 2) /* where the weight changes */
        at += ((float)(random_word() % 256) + 0.5f) / (float)(256 * size);
    switch (random_word() % 4) {
    case 0:
        return nextafterf(at, 10.0f);
    case 1:
        return nextafterf(at, -10.0f);
    case 2:
        return at + (float)(random_word() % 256) / (float)(256 * size);
    default:
        return at;
    }
}

/* By rounds: anything, neighbouring pixels, texels' edges. */
static void set_coordinates(struct fixture *f, unsigned round)
{
    const struct raster_texture_level *top = &f->texture.level[0];
    const unsigned size[3] = {top->width, top->height, top->depth};

    for (unsigned k = 0; k < 3 * RASTER_LANES; k++)
        f->coordinate[k / RASTER_LANES][k % RASTER_LANES] = round % 3 == 0   ? wild_float()
                                                            : round % 3 == 1 ? (float)(k % 64) * 0.01f
                                                                             : texel_float(size[k / RASTER_LANES]);
}

/* Every level gives the scalar level's bits. */
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
        for (unsigned round = first_round(960); round < end_round(960); round++) {
            unsigned groups = 1 + round % 4;
            struct raster_sampler s = {
                .texture = &f->texture,
                .address = {(uint8_t)(random_word() % 5), (uint8_t)(random_word() % 5), (uint8_t)(random_word() % 5)},
                .mag_filter = (uint8_t)(1 + random_word() % 3),
                .min_filter = (uint8_t)(1 + random_word() % 3),
                .mip_filter = (uint8_t)(random_word() % 3),
                .max_anisotropy = (uint8_t)(random_word() % 18),
                .base_level = (uint8_t)(random_word() % 16),
                .lod_bias = wild_float(),
                .border = {0.1f, 0.9f, 2.0f, -1.0f},
            };

            f->texture.opaque = round % 3 == 0;
            f->texture.is_signed = texels == WORDS && round % 5 == 0;
            s.srgb = texels == WORDS && round % 5 > 2;
            if (round % 32 == 31)
                s.fetch4 = (uint8_t)(1 + random_word() % 2);
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

static void test_depth_kernels_agree(void **state)
{
    (void)state;
    kernels_agree(DEPTH);
}

/* Any address modes and filters for a texture without anisotropy, with at most two levels mixed. */
static struct raster_sampler flat_sampler(const struct fixture *f)
{
    return (struct raster_sampler){
        .texture = &f->texture,
        .address = {(uint8_t)(random_word() % 5), (uint8_t)(random_word() % 5)},
        .mag_filter = (uint8_t)(1 + random_word() % 2),
        .min_filter = (uint8_t)(1 + random_word() % 2),
        .mip_filter = (uint8_t)(random_word() % 3),
        .border = {0.1f, 0.9f, 0.4f, 0.7f},
    };
}

/* A receding surface: quads of a batch read two or three levels, some of them magnified. */
static void lean(struct fixture *f)
{
    float step = exp2f((float)(random_word() % 640) / 64.0f - 9.0f), growth = (float)(random_word() % 64) / 128.0f;
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

        for (unsigned round = first_round(4000); round < end_round(4000); round++) {
            struct raster_sampler s = flat_sampler(f);

            s.base_level = (uint8_t)(random_word() % 8 ? 0 : random_word() % 3);
            s.lod_bias = random_word() % 2 ? 0.0f : (float)(random_word() % 64) / 32.0f - 1.0f;
            f->texture.opaque = round % 3 == 0;
            f->texture.is_signed = round % 5 == 0;
            s.srgb = round % 5 > 2;
            lean(f);
            expect_agreement(f, &s, 1 + round % 4, i, round);
        }
        fixture_destroy(f);
    }
}

/* A texture that is not rotated, mirrored or not: each row of pixels reads its own rows of texels, up to five texels
 * per pixel. Sometimes one lane reads elsewhere. */
static void upright(struct fixture *f)
{
    const float texel[2] = {1.0f / (float)f->texture.level[0].width, 1.0f / (float)f->texture.level[0].height};
    float at[2], step[2];

    for (unsigned k = 0; k < 2; k++) {
        at[k] = (float)(random_word() % 4096) / 4096.0f;
        step[k] = texel[k] * ((float)(random_word() % 2560) / 256.0f - 5.0f);
    }
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        f->coordinate[0][l] = at[0] + (float)(raster_lane_x[l % 16] + 4 * (int32_t)(l / 16)) * step[0];
        f->coordinate[1][l] = at[1] + (float)raster_lane_y[l % 16] * step[1];
        f->coordinate[2][l] = (float)(random_word() >> 8) / 16777216.0f;
    }
    if (random_word() % 4 == 0) {
        const unsigned k = random_word() % 2, l = random_word() % RASTER_LANES;

        f->coordinate[k][l] += (float)((int32_t)(random_word() % 9) - 4) * texel[k];
    }
}

static void upright_pictures_agree(enum texels texels)
{
    static const unsigned sizes[][2] = {{64, 64}, {256, 8}, {32, 32}, {17, 9}, {16, 16},
                                        {15, 4},  {9, 2},   {8, 8},   {7, 7}};

    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct fixture *f = fixture_create(RASTER_TEXTURE_2D, sizes[i][0], sizes[i][1], 1);

        fixture_take(f, texels);
        for (unsigned round = first_round(2000); round < end_round(2000); round++) {
            struct raster_sampler s = flat_sampler(f);

            s.mag_filter = s.min_filter = RASTER_FILTER_LINEAR;
            s.srgb = texels == WORDS && round % 2;
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

/* Halves and floats with the same values give the same samples, to the bit. */
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
    for (unsigned round = first_round(4000); round < end_round(4000); round++) {
        const enum cpu_level level = (enum cpu_level)(round % ((unsigned)cpu_level_detected() + 1));
        struct raster_sampler s = flat_sampler(f);

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

/* Coordinates of texels that lie about 10 to 34 texels of level 0 apart. The shorter side of the footprint is at least 8, a
 * texel of level 3: below a texel of a texture's finest level, an anisotropic filter needs fewer probes. */
static void stride(struct fixture *f)
{
    float step[4], at[2] = {texel_float(64), texel_float(64)}, far = 1.0f / (float)f->texture.level[0].width;

    for (unsigned i = 0; i < 4; i++)
        step[i] =
            far * (i % 3 ? (float)(random_word() % 1024) / 512.0f : 10.0f + (float)(random_word() % 8192) / 341.0f);
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        float x = (float)raster_lane_x[l % 16] + 4.0f * (float)(l / 16), y = (float)raster_lane_y[l % 16];

        f->coordinate[0][l] = at[0] + x * step[0] + y * step[1];
        f->coordinate[1][l] = at[1] + x * step[2] + y * step[3];
    }
}

/* A texture without its finest levels, which are not read, gives the same picture: levels of detail decrease by
 * integers, exact to the last bit. */
static void test_without_finest_levels(void **state)
{
    struct fixture *f = fixture_create(RASTER_TEXTURE_2D, 128, 128, 1);

    (void)state;
    for (unsigned round = first_round(20000); round < end_round(20000); round++) {
        uint8_t first = (uint8_t)(1 + random_word() % 3), filter = (uint8_t)(1 + random_word() % 3);
        struct raster_texture rest = f->texture;
        struct raster_sampler s = {
            .texture = &f->texture,
            .mag_filter = BASE_MIN(filter, (uint8_t)RASTER_FILTER_LINEAR),
            .min_filter = filter,
            .mip_filter = (uint8_t)(1 + random_word() % 2),
            .max_anisotropy = 16,
            .base_level = first,
            .lod_bias = raster_lod_bias((float)(random_word() % 2000) / 1000.0f - 1.0f),
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_agree),      cmocka_unit_test(test_wide_kernels_agree),
        cmocka_unit_test(test_half_kernels_agree), cmocka_unit_test(test_depth_kernels_agree),
        cmocka_unit_test(test_mixed_levels_agree), cmocka_unit_test(test_upright_pictures_agree),
        cmocka_unit_test(test_halves_are_floats),  cmocka_unit_test(test_without_finest_levels),
    };

    random_seed = 9 + first_round(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
