/* SPDX-License-Identifier: MIT */
/*
 * Lanes with explicit levels (texldl): each lane gets, to the bit, the same as if all lanes of its quad had the same
 * level; and if all lanes agree on level and place, the result does not depend on that. All CPU levels, kinds of
 * textures, texels and filters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/kernels/kernels.h"
#include "tests/unit/rounds.h"
#include "tests/unit/sample_fixture.h"

#define ROUNDS 400

enum texels { WORDS, FLOATS };

struct kind {
    enum raster_texture_kind kind;
    unsigned width, height, depth;
};
static const struct kind kinds[] = {
    {RASTER_TEXTURE_2D, 64, 32, 1}, {RASTER_TEXTURE_2D, 13, 9, 1},    {RASTER_TEXTURE_2D, 1, 1, 1},
    {RASTER_TEXTURE_CUBE, 8, 8, 1}, {RASTER_TEXTURE_CUBE, 32, 32, 1}, {RASTER_TEXTURE_VOLUME, 8, 4, 4},
};

static _Alignas(64) float lod[4][RASTER_LANES], all_say[4][RASTER_LANES], want[4][RASTER_LANES];

/* Around 2 levels, or any; sometimes an invalid level. */
static float random_lod(float from)
{
    static const float special[] = {0.0f, -1e30f, 1e30f, 1.0f / 0.0f, -1.0f / 0.0f, 0.0f / 0.0f};

    if (random_word() % 32 == 0)
        return special[random_word() % ARRAY_COUNT(special)];
    return from + (float)(random_word() % 512) / 256.0f;
}

static struct raster_sampler random_sampler(const struct fixture *f)
{
    return (struct raster_sampler){
        .texture = &f->texture,
        .address = {(uint8_t)(random_word() % 5), (uint8_t)(random_word() % 5), (uint8_t)(random_word() % 5)},
        .mag_filter = (uint8_t)(1 + random_word() % 3),
        .min_filter = (uint8_t)(1 + random_word() % 3),
        .mip_filter = (uint8_t)(random_word() % 3),
        .max_anisotropy = (uint8_t)(random_word() % 9),
        .base_level = (uint8_t)(random_word() % 4 ? 0 : random_word() % 3),
        .lod_bias = random_word() % 2 ? 0.0f : (float)(random_word() % 64) / 32.0f - 1.0f,
        .border = {0.1f, 0.9f, 0.4f, 0.7f},
    };
}

static void random_batch(struct fixture *f)
{
    const float from = (float)(random_word() % 2048) / 256.0f - 2.0f;

    for (unsigned l = 0; l < RASTER_LANES; l++) {
        for (unsigned c = 0; c < 3; c++)
            f->coordinate[c][l] = (float)(int32_t)random_word() / 1073741824.0f;
        lod[0][l] = random_lod(from);
    }
}

/* The result for each lane, if its whole quad agrees with it. */
static void sample_quads(const struct raster_kernels *k, const struct raster_sampler *s, unsigned groups,
                         const struct fixture *f)
{
    static _Alignas(64) float result[4][RASTER_LANES];

    for (unsigned lane = 0; lane < 4; lane++) {
        for (unsigned l = 0; l < RASTER_LANES; l++)
            all_say[0][l] = lod[0][(l & ~3u) + lane];
        k->sample_lod(s, groups, (const float(*)[RASTER_LANES])f->coordinate, RASTER_LOD_GIVEN,
                      (const float(*)[RASTER_LANES])all_say, result);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = lane; l < RASTER_LANES; l += 4)
                want[c][l] = result[c][l];
    }
}

static void check(const struct fixture *f, const struct raster_sampler *s, unsigned groups, unsigned kind)
{
    static _Alignas(64) float result[4][RASTER_LANES];

    for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++) {
        const struct raster_kernels *k = raster_kernels_for((enum cpu_level)level);

        sample_quads(k, s, groups, f);
        k->sample_lod(s, groups, (const float(*)[RASTER_LANES])f->coordinate, RASTER_LOD_GIVEN,
                      (const float(*)[RASTER_LANES])lod, result);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < groups * RASTER_GROUP_LANES; l++)
                if (memcmp(&result[c][l], &want[c][l], sizeof(float)))
                    fail_msg("kind %u, %s: channel %u of lane %u is %g, not %g, at level %g", kind,
                             cpu_level_name((enum cpu_level)level), c, l, result[c][l], want[c][l], lod[0][l]);
    }
}

/* A batch in which all lanes read one place, and one whose last quad reads another. */
static void check_one_place(struct fixture *f, const struct raster_sampler *s, unsigned groups, unsigned kind)
{
    static _Alignas(64) float one[4][RASTER_LANES], other[4][RASTER_LANES];
    const unsigned n = groups * RASTER_GROUP_LANES;

    for (unsigned l = 0; l < RASTER_LANES; l++) {
        for (unsigned c = 0; c < 3; c++)
            f->coordinate[c][l] = f->coordinate[c][0];
        lod[0][l] = lod[0][0];
    }
    for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++) {
        const struct raster_kernels *k = raster_kernels_for((enum cpu_level)level);

        k->sample_lod(s, groups, (const float(*)[RASTER_LANES])f->coordinate, RASTER_LOD_GIVEN,
                      (const float(*)[RASTER_LANES])lod, one);
        lod[0][n - 1] += 1.0f;
        k->sample_lod(s, groups, (const float(*)[RASTER_LANES])f->coordinate, RASTER_LOD_GIVEN,
                      (const float(*)[RASTER_LANES])lod, other);
        lod[0][n - 1] = lod[0][0];
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < n; l++)
                if (memcmp(&one[c][l], &other[c][l < n - 4 ? l : 0], sizeof(float)))
                    fail_msg("kind %u, %s: channel %u of lane %u is %g, not %g", kind,
                             cpu_level_name((enum cpu_level)level), c, l, one[c][l], other[c][l]);
    }
}

static void check_kinds(enum texels texels)
{
    for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++) {
        struct fixture *f = fixture_create(kinds[i].kind, kinds[i].width, kinds[i].height, kinds[i].depth);

        if (texels == FLOATS)
            fixture_widen(f, true);
        for (unsigned round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
            struct raster_sampler s = random_sampler(f);

            f->texture.opaque = round % 3 == 0;
            f->texture.is_signed = texels == WORDS && round % 5 == 0;
            s.srgb = texels == WORDS && round % 5 > 2;
            random_batch(f);
            check(f, &s, 1 + round % 4, i);
            check_one_place(f, &s, 1 + round % 4, i);
        }
        fixture_destroy(f);
    }
}

static void test_words(void **state)
{
    (void)state;
    check_kinds(WORDS);
}

static void test_floats(void **state)
{
    (void)state;
    check_kinds(FLOATS);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_floats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
