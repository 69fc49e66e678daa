/* SPDX-License-Identifier: MIT */
/*
 * Filtered texels of narrow states, compared with exact arithmetic on the texels and weights of docs/texturing.md: a
 * texture of one colour gives that colour wherever it is read and however it is filtered; other results differ by at
 * most 1 of 255 from the exact ones, for float and for integer coordinates. This tests the scalar level;
 * tests/unit/test_raster_kernels.c compares the other levels with it. With TEST_ERRORS=1 it prints the errors given in
 * docs/narrow-colour.md.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/kernels/kernels.h"
#include "raster/narrow.h"
#include "tests/random.h"

#define SIDE   16
#define ROUNDS 2000

static uint32_t texels[2][SIDE * SIDE + 4]; /* pairs are loaded at once */
static struct raster_texture texture = {
    .kind = RASTER_TEXTURE_2D,
    .level_count = 2,
    .level = {{texels[0], SIDE, SIDE, 1, SIDE, SIDE *SIDE},
              {texels[1], SIDE / 2, SIDE / 2, 1, SIDE / 2, SIDE *SIDE / 4}},
};
static _Alignas(64) float coordinate[2][RASTER_LANES];
static _Alignas(64) int16_t result[RASTER_LANES][4];

static int byte_of(int16_t n)
{
    return (n * 255 + 0x4000) >> 15;
}

/* A quad of lanes whose footprint is `scale` texels, somewhere. */
static void random_coordinates(double scale, bool affine)
{
    for (unsigned l = 0; l < RASTER_LANES; l++)
        for (unsigned c = 0; c < 2; c++) {
            static double first;
            const unsigned at = c ? l >> 1 & 1 : l & 1;

            first = l % 4 == 0 && c == 0 ? random_unit() * 2.0 - 0.5 : first;
            const double v = first + at * scale / SIDE;
            const float as_float = (float)v;
            const int32_t whole = (int32_t)(v * RASTER_AFFINE_ONE);

            memcpy(&coordinate[c][l], affine ? (const void *)&whole : &as_float, sizeof(as_float));
        }
}

static double coordinate_of(unsigned c, unsigned l, bool affine)
{
    int32_t whole;

    memcpy(&whole, &coordinate[c][l], sizeof(whole));
    return affine ? (double)whole / RASTER_AFFINE_ONE : (double)coordinate[c][l];
}

static unsigned texel_index(int i, unsigned mode)
{
    return (unsigned)(mode == RASTER_WRAP ? (i + 4 * SIDE) % SIDE : i < 0 ? 0 : i >= SIDE ? SIDE - 1 : i);
}

/* Number i of the linear filter of level 0, 0..255. */
static double exact_linear(unsigned l, bool affine, unsigned mode, unsigned i)
{
    int first[2];
    double weight[2], sum = 0.0;

    for (unsigned c = 0; c < 2; c++) {
        const double q = floor((coordinate_of(c, l, affine) * SIDE - 0.5) * 256.0 + 0.5) / 256.0;

        first[c] = (int)floor(q);
        weight[c] = q - first[c];
    }
    for (unsigned k = 0; k < 4; k++) {
        const unsigned x = texel_index(first[0] + (int)(k & 1), mode), y = texel_index(first[1] + (int)(k >> 1), mode);

        sum += (texels[0][y * SIDE + x] >> 8 * i & 255) * (k & 1 ? weight[0] : 1.0 - weight[0]) *
               (k & 2 ? weight[1] : 1.0 - weight[1]);
    }
    return sum;
}

static struct raster_sampler random_sampler(void)
{
    const uint8_t mode = (uint8_t)(random_below(2) ? RASTER_WRAP : RASTER_CLAMP);

    return (struct raster_sampler){.texture = &texture,
                                   .address = {mode, mode, RASTER_WRAP},
                                   .mag_filter = (uint8_t)(RASTER_FILTER_POINT + random_below(2)),
                                   .min_filter = (uint8_t)(RASTER_FILTER_POINT + random_below(3)),
                                   .mip_filter = (uint8_t)random_below(3),
                                   .max_anisotropy = 4};
}

static void read_texture(const struct raster_sampler *sampler, bool affine)
{
    const struct raster_kernels *k = &raster_kernels_scalar;
    const struct raster_narrow_reads reads = k->choose_narrow_reads(sampler);

    k->sample_narrow(sampler, &reads, 4, (const float(*)[RASTER_LANES])coordinate,
                     affine ? NARROW_AFFINE : NARROW_FLOATS, 0, result[0]);
}

/* All bytes, read in any way. */
static void test_one_color(void **state)
{
    (void)state;
    random_seed = 3;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned byte = round % 256;
        const bool affine = random_below(2);
        const struct raster_sampler sampler = random_sampler();

        for (unsigned n = 0; n < SIDE * SIDE; n++)
            texels[0][n] = texels[1][n] = byte * 0x01010101u;
        random_coordinates(3.0 * random_unit(), affine);
        read_texture(&sampler, affine);
        for (unsigned l = 0; l < RASTER_LANES; l++)
            for (unsigned i = 0; i < 4; i++)
                if (byte_of(result[l][i]) != (int)byte)
                    fail_msg("a texture of %u reads %d (%d); filters %u %u %u", byte, byte_of(result[l][i]),
                             result[l][i], sampler.mag_filter, sampler.min_filter, sampler.mip_filter);
    }
}

static void test_linear(void **state)
{
    double largest = 0.0, sum = 0.0;

    (void)state;
    random_seed = 4;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const bool affine = random_below(2);
        struct raster_sampler sampler = random_sampler();

        sampler.mag_filter = sampler.min_filter = RASTER_FILTER_LINEAR;
        sampler.mip_filter = 0;
        for (unsigned n = 0; n < SIDE * SIDE; n++)
            texels[0][n] = round % 2 ? (random_below(2) ? 0xffffffff : 0) : random_word() << 8 ^ random_word();
        random_coordinates(0.7 * random_unit(), affine);
        read_texture(&sampler, affine);
        for (unsigned l = 0; l < RASTER_LANES; l++)
            for (unsigned i = 0; i < 4; i++) {
                const double error = fabs(byte_of(result[l][i]) - exact_linear(l, affine, sampler.address[0], i));

                if (error > 1.0)
                    fail_msg("(%f, %f) is %d, not %f", coordinate_of(0, l, affine), coordinate_of(1, l, affine),
                             byte_of(result[l][i]), exact_linear(l, affine, sampler.address[0], i));
                largest = fmax(largest, error);
                sum += error;
            }
    }
    if (getenv("TEST_ERRORS"))
        printf("errors linear filter: largest %.4f mean %.4f\n", largest, sum / (ROUNDS * RASTER_LANES * 4.0));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_color),
        cmocka_unit_test(test_linear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
