/* SPDX-License-Identifier: MIT */
/* hal/resource/copy/scale.c: stretched and converted rectangles compared with the definition, texel by texel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "hal/resource/copy/scale.h"
#include "tests/random.h"

#define MAX_SIZE 40

/* The channels of a texel, separated. */
struct color {
    unsigned channel[4];
};

static struct color read_texel(const struct hal_scale *scale, uint32_t x, uint32_t y)
{
    const size_t bytes = raster_format_info(scale->source_format)->block_bytes;
    struct color color;
    uint32_t word = 0;

    raster_decode(scale->source_format, scale->source + y * scale->source_pitch + x * bytes, scale->source_pitch, &word,
                  4, 1, 1, NULL);
    for (unsigned c = 0; c < 4; c++)
        color.channel[c] = word >> 8 * c & 255;
    return color;
}

/* Rounds halves up. */
static struct color between(struct color a, struct color b, unsigned weight)
{
    for (unsigned c = 0; c < 4; c++)
        a.channel[c] = (a.channel[c] * (256 - weight) + b.channel[c] * weight + 128) / 256;
    return a;
}

/* The texel at (x, y) of the destination's rectangle, in the destination's format. */
static unsigned expected_texel(const struct hal_scale *scale, uint32_t x, uint32_t y, uint8_t texel[16])
{
    struct hal_tap c =
        hal_make_tap(x, (uint32_t)(scale->to.right - scale->to.left), scale->source_width, scale->linear);
    struct hal_tap l =
        hal_make_tap(y, (uint32_t)(scale->to.bottom - scale->to.top), scale->source_height, scale->linear);
    struct color upper = between(read_texel(scale, c.first, l.first), read_texel(scale, c.second, l.first), c.weight);
    struct color lower = between(read_texel(scale, c.first, l.second), read_texel(scale, c.second, l.second), c.weight);
    struct color mean = between(upper, lower, l.weight);
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++)
        word |= mean.channel[i] << 8 * i;
    assert_true(raster_encode(scale->format, &word, 4, texel, 16, 1, 1));
    return raster_format_info(scale->format)->block_bytes;
}

/* Everything outside of the rectangle stays. */
static void compare(const struct hal_scale *scale, const uint8_t *before)
{
    for (uint32_t y = 0; y < MAX_SIZE; y++) {
        for (uint32_t x = 0; x < MAX_SIZE; x++) {
            const size_t bytes = raster_format_info(scale->format)->block_bytes, at = y * scale->pitch + x * bytes;
            uint8_t texel[16];

            if ((LONG)x < scale->to.left || (LONG)x >= scale->to.right || (LONG)y < scale->to.top ||
                (LONG)y >= scale->to.bottom) {
                assert_memory_equal(scale->memory + at, before + at, bytes);
                continue;
            }
            expected_texel(scale, x - (uint32_t)scale->to.left, y - (uint32_t)scale->to.top, texel);
            if (memcmp(scale->memory + at, texel, bytes))
                fail_msg("%ux%u to %ldx%ld, formats %u to %u, linear %u: texel (%u, %u) differs", scale->source_width,
                         scale->source_height, (long)(scale->to.right - scale->to.left),
                         (long)(scale->to.bottom - scale->to.top), scale->source_format, scale->format, scale->linear,
                         x, y);
        }
    }
}

static LONG random_length(LONG limit)
{
    return (LONG)random_below((uint32_t)limit);
}

static void test_random_rectangles(void **state)
{
    static const enum raster_format formats[] = {RASTER_FORMAT_A8R8G8B8, RASTER_FORMAT_X8R8G8B8, RASTER_FORMAT_R5G6B5,
                                                 RASTER_FORMAT_A4R4G4B4, RASTER_FORMAT_A8B8G8R8, RASTER_FORMAT_R8G8B8,
                                                 RASTER_FORMAT_L8,       RASTER_FORMAT_A8L8};
    enum { PITCH = MAX_SIZE * 4, BYTES = PITCH * MAX_SIZE };
    uint8_t *source = malloc(BYTES), *destination = malloc(BYTES), *before = malloc(BYTES);

    (void)state;
    assert_true(source && destination && before);
    for (unsigned round = 0; round < 600; round++) {
        LONG left = random_length(MAX_SIZE), top = random_length(MAX_SIZE);
        struct hal_scale scale = {.source = source,
                                  .source_pitch = PITCH,
                                  .source_format = formats[random_word() % ARRAY_COUNT(formats)],
                                  .source_width = 1 + (uint32_t)random_length(MAX_SIZE),
                                  .source_height = 1 + (uint32_t)random_length(MAX_SIZE),
                                  .linear = random_word() & 1,
                                  .memory = destination,
                                  .pitch = PITCH,
                                  .format = formats[random_word() % ARRAY_COUNT(formats)]};

        scale.to =
            (RECT){left, top, left + 1 + random_length(MAX_SIZE - left), top + 1 + random_length(MAX_SIZE - top)};
        if (round % 5 == 0) { /* of one size */
            scale.source_width = (uint32_t)(scale.to.right - scale.to.left);
            scale.source_height = (uint32_t)(scale.to.bottom - scale.to.top);
        }
        for (unsigned i = 0; i < BYTES; i++) {
            source[i] = (uint8_t)random_word();
            before[i] = (uint8_t)random_word();
        }
        memcpy(destination, before, BYTES);
        assert_int_equal(hal_scale_colors(&scale), DD_OK);
        compare(&scale, before);
    }
    free(before);
    free(destination);
    free(source);
}

/* Ends are clamped, halves lie between texels, and a linear filter without scaling changes nothing. */
static void test_taps(void **state)
{
    struct hal_tap tap = hal_make_tap(0, 4, 2, true);

    (void)state;
    assert_int_equal(tap.first, 0);
    assert_int_equal(tap.weight, 0);
    tap = hal_make_tap(1, 4, 2, true);
    assert_int_equal(tap.first, 0);
    assert_int_equal(tap.second, 1);
    assert_int_equal(tap.weight, 64);
    tap = hal_make_tap(3, 4, 2, true);
    assert_int_equal(tap.first, 1);
    assert_int_equal(tap.second, 1);
    tap = hal_make_tap(1, 2, 4, true);
    assert_int_equal(tap.first, 2);
    assert_int_equal(tap.weight, 128);
    tap = hal_make_tap(5, 8, 8, true);
    assert_int_equal(tap.first, 5);
    assert_int_equal(tap.weight, 0);
    tap = hal_make_tap(5, 8, 4, false);
    assert_int_equal(tap.first, 2);
    assert_int_equal(tap.weight, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_rectangles),
        cmocka_unit_test(test_taps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
