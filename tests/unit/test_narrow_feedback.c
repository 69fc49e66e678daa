/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback of narrow states: random samplers and coordinates (floats, integers, blocks of one primitive) at
 * each CPU level. Recording changes no pixel, and all reads lie in marked regions: with all other texels replaced, the
 * pixels are the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/kernels/kernels.h"
#include "raster/narrow.h"
#include "raster/sample/feedback.h"
#include "tests/random.h"

#define MOST_SIDE   64
#define MOST_LEVELS 4
#define REGION      4
#define ROUNDS      20000

/* Pairs and rows of texels are loaded at once, so there is room after each level. */
static uint32_t texels[MOST_LEVELS][MOST_SIDE * MOST_SIDE + 16], kept[MOST_LEVELS][MOST_SIDE * MOST_SIDE];
static struct raster_texture texture;
static _Alignas(64) float coordinate[2][RASTER_LANES];

static void random_texture(void)
{
    const unsigned width = 8u << random_below(4), height = 8u << random_below(4);

    texture = (struct raster_texture){
        .kind = RASTER_TEXTURE_2D, .level_count = 1 + random_below(MOST_LEVELS), .opaque = random_below(2)};
    for (unsigned l = 0; l < texture.level_count; l++) {
        const unsigned w = width >> l, h = height >> l;

        texture.level[l] = (struct raster_texture_level){texels[l], w, h, 1, w, w * h};
        for (unsigned n = 0; n < w * h; n++)
            texels[l][n] = random_word() << 8 ^ random_word();
    }
}

static struct raster_sampler random_sampler(void)
{
    const uint8_t u = (uint8_t)random_below(5), v = (uint8_t)random_below(5);

    return (struct raster_sampler){.texture = &texture,
                                   .address = {u, v, RASTER_WRAP},
                                   .border = {1.0f, 0.5f, 0.25f, 0.0f},
                                   .mag_filter = (uint8_t)(RASTER_FILTER_POINT + random_below(2)),
                                   .min_filter = (uint8_t)(RASTER_FILTER_POINT + random_below(3)),
                                   .mip_filter = (uint8_t)random_below(3),
                                   .base_level = (uint8_t)(random_below(4) ? 0 : random_below(MOST_LEVELS)),
                                   .lod_bias = random_below(2) ? 0.0f : random_unit() * 3.0f - 1.5f,
                                   .max_anisotropy = 4,
                                   .feedback_mode = RASTER_FEEDBACK_READS};
}

/* An 8x8 block of pixels, up to some hundred repetitions away from 0. */
static void random_coordinates(enum narrow_coordinates kind)
{
    const double far = random_below(3) ? 1.5 : 60.0, step = (random_below(2) ? 0.02 : 0.4) * random_unit();
    const bool upright = random_below(2);

    for (unsigned c = 0; c < 2; c++) {
        const double first = far * (2.0 * random_unit() - 1.0);
        const double right = upright && c == 1 ? 0.0 : step * (2.0 * random_unit() - 1.0);
        const double down = upright && c == 0 ? 0.0 : step * (2.0 * random_unit() - 1.0);
        const int32_t one = (int32_t)(first * RASTER_AFFINE_ONE), step_x = (int32_t)(right * RASTER_AFFINE_ONE),
                      step_y = (int32_t)(down * RASTER_AFFINE_ONE);

        for (unsigned l = 0; l < RASTER_LANES; l++) {
            const int32_t x = raster_lane_x[l % 16] + (int32_t)(l / 16 & 1) * 4,
                          y = raster_lane_y[l % 16] + (int32_t)(l / 32) * 4;
            const int32_t whole = one + x * step_x + y * step_y;
            const float real = (float)(first + x * right + y * down);

            memcpy(&coordinate[c][l], kind == NARROW_FLOATS ? (const void *)&real : &whole, sizeof(real));
        }
    }
}

static void sample(const struct raster_kernels *k, const struct raster_sampler *sampler, enum narrow_coordinates kind,
                   int16_t *result)
{
    const struct raster_narrow_reads reads = k->choose_narrow_reads(sampler);

    k->sample_narrow(sampler, &reads, 4, (const float(*)[RASTER_LANES])coordinate, kind, ~UINT64_C(0), result);
}

#define MOST_REGIONS (MOST_SIDE / REGION)

/* Inverts the texels of regions that are not marked. */
static void replace_unmarked(const struct raster_feedback *map)
{
    for (unsigned l = 0; l < texture.level_count; l++) {
        const struct raster_texture_level *level = &texture.level[l];
        uint8_t used[MOST_REGIONS * MOST_REGIONS] = {0};
        const struct feedback_pixels out = {used, MOST_REGIONS, MOST_REGIONS, MOST_REGIONS};

        raster_feedback_decode_used(map, 0, l, NULL, 0, 0, &out);
        memcpy(kept[l], texels[l], level->width * level->height * sizeof(uint32_t));
        for (unsigned y = 0; y < level->height; y++)
            for (unsigned x = 0; x < level->width; x++)
                if (!used[y / REGION * MOST_REGIONS + x / REGION])
                    texels[l][y * level->width + x] ^= 0xffffffffu;
    }
}

static void restore_texels(void)
{
    for (unsigned l = 0; l < texture.level_count; l++)
        memcpy(texels[l], kept[l], texture.level[l].width * texture.level[l].height * sizeof(uint32_t));
}

static void check_round(const struct raster_kernels *k, unsigned round, enum narrow_coordinates kind)
{
    _Alignas(64) int16_t plain[4 * RASTER_LANES], recorded[4 * RASTER_LANES], resident[4 * RASTER_LANES];
    const struct raster_feedback_desc desc = {FEEDBACK_MIP_REGION_USED,
                                              texture.level[0].width,
                                              texture.level[0].height,
                                              texture.level_count,
                                              1,
                                              REGION,
                                              REGION,
                                              0,
                                              0};
    struct raster_sampler sampler = random_sampler();
    struct raster_feedback *map = raster_feedback_create(&desc);

    assert_non_null(map);
    sample(k, &sampler, kind, plain);
    sampler.feedback = map;
    sample(k, &sampler, kind, recorded);
    if (memcmp(plain, recorded, sizeof(plain)))
        fail_msg("round %u, coordinates %u: recording changes pixels", round, (unsigned)kind);
    sampler.feedback = NULL;
    replace_unmarked(map);
    sample(k, &sampler, kind, resident);
    if (memcmp(plain, resident, sizeof(plain)))
        fail_msg("round %u, coordinates %u: a texel is read that is not marked; %ux%u, address %u %u, filters %u %u %u",
                 round, (unsigned)kind, desc.width, desc.height, sampler.address[0], sampler.address[1],
                 sampler.mag_filter, sampler.min_filter, sampler.mip_filter);
    restore_texels();
    raster_feedback_destroy(map);
}

static void test_feedback(void **state)
{
    (void)state;
    for (unsigned level = 0; level <= (unsigned)cpu_level_detected(); level++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            const enum narrow_coordinates kind = (enum narrow_coordinates)random_below(3);

            if (round % 16 == 0)
                random_texture();
            random_coordinates(kind);
            check_round(raster_kernels_for((enum cpu_level)level), round, kind);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_feedback)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
