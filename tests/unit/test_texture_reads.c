/* SPDX-License-Identifier: MIT */
/*
 * Reads of textures other than plain colours: linearized sRGB, depth, compared depth, one channel of four texels. The
 * numbers follow from the definitions (docs/texturing.md); those of fetch4 are the results of ATI's hardware.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "raster/format/format.h"
#include "raster/sample/sample.h"
#include "raster/sample/srgb.h"
#include "tests/unit/sample_computed.h"

static _Alignas(64) float coordinate[3][RASTER_LANES], result[4][RASTER_LANES];

static void sample(const struct raster_sampler *s)
{
    sample_computed(cpu_level_detected(), s, 4, (const float(*)[RASTER_LANES])coordinate, result);
}

static void place_all(float u, float v, float w)
{
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        coordinate[0][l] = u;
        coordinate[1][l] = v;
        coordinate[2][l] = w;
    }
}

static struct raster_texture flat_texture(const void *texels, unsigned width, unsigned height)
{
    return (struct raster_texture){
        .level_count = 1,
        .level[0] = {texels, width, height, 1, width, width * height},
    };
}

static struct raster_sampler sampler_of(const struct raster_texture *texture, enum raster_filter filter,
                                        enum raster_address mode)
{
    return (struct raster_sampler){
        .texture = texture,
        .address = {(uint8_t)mode, (uint8_t)mode, (uint8_t)mode},
        .mag_filter = (uint8_t)filter,
        .min_filter = (uint8_t)filter,
        .border = {0.25f, 0.0f, 0.0f, 1.0f},
    };
}

static void expect_result(const char *what, double r, double g, double b, double a, double tolerance)
{
    const double want[4] = {r, g, b, a};

    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < RASTER_LANES; l++)
            if (!(fabs((double)result[c][l] - want[c]) <= tolerance))
                fail_msg("%s: channel %u of lane %u is %.9g instead of %.9g", what, c, l, (double)result[c][l],
                         want[c]);
}

/* --- sRGB ---------------------------------------------------------------------------------- */

static double srgb_to_linear(unsigned byte)
{
    double v = byte / 255.0;

    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Half of the last bit, of floats at 255. */
static void test_srgb_table(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        double want = srgb_to_linear(i) * 255.0, ulp = ldexp(1.0, ilogb(want ? want : 1.0) - 23);

        if (fabs((double)raster_srgb_to_linear[i] - want) > 0.5001 * ulp)
            fail_msg("%u: %.9g instead of %.9g", i, (double)raster_srgb_to_linear[i], want);
    }
    assert_true(raster_srgb_to_linear[0] == 0.0f && raster_srgb_to_linear[255] == 255.0f);
}

/* First linearized, then filtered: the middle between 00 and ff is 1/2, not the value of 80. Alpha is not converted. */
static void test_srgb_before_filter(void **state)
{
    static const uint32_t texels[2] = {0x40003f7f, 0xc0ff7f3f};
    struct raster_texture texture = flat_texture(texels, 2, 1);
    struct raster_sampler s = sampler_of(&texture, RASTER_FILTER_LINEAR, RASTER_CLAMP);

    (void)state;
    s.srgb = true;
    place_all(0.5f, 0.5f, 0);
    sample(&s);
    double middle = (srgb_to_linear(0x3f) + srgb_to_linear(0x7f)) / 2;
    expect_result("middle", 0.5, middle, middle, 0x80 / 255.0, 1e-6);
    place_all(0.25f + 0.125f, 0.5f, 0); /* a quarter of the way */
    sample(&s);
    expect_result("quarter", 0.25, srgb_to_linear(0x3f) * 0.75 + srgb_to_linear(0x7f) * 0.25,
                  srgb_to_linear(0x7f) * 0.75 + srgb_to_linear(0x3f) * 0.25, 0x60 / 255.0, 1e-6);
    s.mag_filter = s.min_filter = RASTER_FILTER_POINT;
    sample(&s);
    expect_result("point", 0, 0x0d / 255.0, 0x36 / 255.0, 0x40 / 255.0, 0.5 / 255);
}

/* --- depth ----------------------------------------------------------------------------------- */

static const float depths[4] = {0.2f, 0.4f, 0.6f, 0.8f};

static void test_depth_itself(void **state)
{
    struct raster_texture texture = flat_texture(depths, 2, 2);
    struct raster_sampler s = sampler_of(&texture, RASTER_FILTER_LINEAR, RASTER_CLAMP);

    (void)state;
    place_all(0.5f, 0.25f, 0); /* between the upper two */
    texture.depth = RASTER_DEPTH_ALL;
    sample(&s);
    expect_result("all channels", 0.3, 0.3, 0.3, 0.3, 1e-6);
    texture.depth = RASTER_DEPTH_RED;
    sample(&s);
    expect_result("red", 0.3, 0, 0, 1, 1e-6);
    s.address[0] = RASTER_BORDER;
    place_all(-1.0f, 0.25f, 0);
    sample(&s);
    expect_result("border", 0.25, 0, 0, 1, 0);
}

static void compare_at(const struct raster_sampler *s, float u, float v, float w, double want)
{
    place_all(u, v, w);
    sample(s);
    expect_result("compared", want, want, want, want, 0);
}

static void test_depth_compared(void **state)
{
    struct raster_texture texture = flat_texture(depths, 2, 2);
    struct raster_sampler point = sampler_of(&texture, RASTER_FILTER_POINT, RASTER_CLAMP);
    struct raster_sampler linear = sampler_of(&texture, RASTER_FILTER_LINEAR, RASTER_CLAMP);
    static const float one[1] = {1.0f};
    const float nan = 0.0f / 0.0f;

    (void)state;
    texture.depth = RASTER_DEPTH_COMPARED;
    compare_at(&point, 0.75f, 0.25f, 0.39f, 1); /* nearer than 0.4: lit */
    compare_at(&point, 0.75f, 0.25f, 0.4f, 1);  /* equal: lit */
    compare_at(&point, 0.75f, 0.25f, 0.41f, 0);
    compare_at(&point, 0.25f, 0.25f, -5.0f, 1);
    compare_at(&point, 0.25f, 0.25f, nan, 1); /* clamped to 0 */
    /* the four comparison results are filtered: 0.2 no, 0.4 no, 0.6 yes, 0.8 yes */
    compare_at(&linear, 0.5f, 0.5f, 0.5f, 0.5);
    compare_at(&linear, 0.5f, 0.5f, 0.7f, 0.25);
    compare_at(&linear, 0.5f, 0.5f, 0.3f, 0.75);
    compare_at(&linear, 0.375f, 0.625f, 0.7f, 0.25 * 0.75); /* weight of the last: 1/4 * 3/4 */
    texture = flat_texture(one, 1, 1);
    texture.depth = RASTER_DEPTH_COMPARED;
    compare_at(&linear, 0.5f, 0.5f, 7.0f, 1); /* clamped to 1, which a cleared map holds */
}

/* --- fetch4 ---------------------------------------------------------------------------------- */

static uint32_t result_word(unsigned lane)
{
    uint32_t word = 0;

    for (unsigned c = 0; c < 4; c++)
        word |= (uint32_t)lrintf(result[c][lane] * 255.0f) << (c == 3 ? 24 : 16 - 8 * c);
    return word;
}

static void test_fetch4(void **state)
{
    static const uint8_t bytes[16] = {0x13, 0x12, 0x11, 0x10, 0x02, 0xf2, 0xf1, 0x01,
                                      0x04, 0xf4, 0xf3, 0x03, 0x23, 0x22, 0x21, 0x20};
    static const uint32_t want[16] = {0x131202f2, 0x1211f2f1, 0x1110f101, 0x10100101, 0x02f204f4, 0xf2f1f4f3,
                                      0xf101f303, 0x01010303, 0x04f42322, 0xf4f32221, 0xf3032120, 0x03032020,
                                      0x23222322, 0x22212221, 0x21202120, 0x20202020};
    uint32_t texels[16];
    struct raster_texture texture = flat_texture(texels, 4, 4);
    struct raster_sampler s = sampler_of(&texture, RASTER_FILTER_POINT, RASTER_CLAMP);

    (void)state;
    /* one channel of block formats is read like any texture (Wine, test_fetch4) */
    assert_int_equal(raster_format_fetch4(RASTER_FORMAT_L8), RASTER_FETCH4_RED);
    assert_int_equal(raster_format_fetch4(RASTER_FORMAT_ATI1), RASTER_FETCH4_OFF);
    for (unsigned alpha = 0; alpha < 2; alpha++) {
        for (unsigned i = 0; i < 16; i++)
            texels[i] = alpha ? (uint32_t)bytes[i] << 24 : bytes[i] * 0x010101u | 0xff000000u;
        texture.opaque = !alpha;
        s.fetch4 = alpha ? RASTER_FETCH4_ALPHA : RASTER_FETCH4_RED;
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            coordinate[0][l] = ((float)(l % 4) + 0.25f) / 4;
            coordinate[1][l] = ((float)(l / 4 % 4) + 0.25f) / 4;
        }
        sample(&s);
        for (unsigned l = 0; l < RASTER_LANES; l++)
            assert_int_equal(result_word(l), want[l % 16]);
    }
    s.address[0] = s.address[1] = RASTER_WRAP; /* the last texel's neighbours are the first ones */
    place_all(0.9f, 0.9f, 0);
    sample(&s);
    assert_int_equal(result_word(0), 0x20231013);
    s.address[0] = s.address[1] = RASTER_BORDER;
    s.border[3] = 0.2f;
    sample(&s);
    assert_int_equal(result_word(0), 0x20333333);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_srgb_table),   cmocka_unit_test(test_srgb_before_filter),
        cmocka_unit_test(test_depth_itself), cmocka_unit_test(test_depth_compared),
        cmocka_unit_test(test_fetch4),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
