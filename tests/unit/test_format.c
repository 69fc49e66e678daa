/* SPDX-License-Identifier: MIT */
/* raster/format/format.c: decoding, packing, DXT, signed and packed YUV texels. Vectors:
 * docs/reference/texture-sampling.md, sections 5 to 7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "raster/format/format.h"
#include "tests/random.h"
#include "tests/unit/pack_word.h"

static uint32_t decode_one(enum raster_format format, const void *texel, const uint32_t *palette)
{
    uint32_t result = 0;
    raster_decode(format, texel, 16, &result, 4, 1, 1, palette);
    return result;
}

static uint32_t decode16(enum raster_format format, uint16_t texel)
{
    return decode_one(format, &texel, NULL);
}

static void test_packed_formats(void **state)
{
    static const uint8_t rgb24[3] = {0x33, 0x22, 0x11};
    (void)state;
    assert_int_equal(decode_one(RASTER_FORMAT_A8R8G8B8, &(uint32_t){0x12345678}, NULL), 0x12345678);
    assert_int_equal(decode_one(RASTER_FORMAT_X8R8G8B8, &(uint32_t){0x12345678}, NULL), 0xFF345678);
    assert_int_equal(decode_one(RASTER_FORMAT_R8G8B8, rgb24, NULL), 0xFF112233);
    assert_int_equal(decode16(RASTER_FORMAT_R5G6B5, 0xF800), 0xFFFF0000);
    assert_int_equal(decode16(RASTER_FORMAT_R5G6B5, 0x07E0), 0xFF00FF00);
    assert_int_equal(decode16(RASTER_FORMAT_A1R5G5B5, 0x801F), 0xFF0000FF);
    assert_int_equal(decode16(RASTER_FORMAT_A1R5G5B5, 0x7C00), 0x00FF0000);
    assert_int_equal(decode16(RASTER_FORMAT_X1R5G5B5, 0x7C00), 0xFFFF0000);
    assert_int_equal(decode16(RASTER_FORMAT_A4R4G4B4, 0x8421), 0x88442211);
    assert_int_equal(decode16(RASTER_FORMAT_A8R3G3B2, 0x40E3), 0x40FF00FF);
    assert_int_equal(decode16(RASTER_FORMAT_A8L8, 0x8040), 0x80404040);
    assert_int_equal(decode_one(RASTER_FORMAT_L8, &(uint8_t){0x7F}, NULL), 0xFF7F7F7F);
    assert_int_equal(decode_one(RASTER_FORMAT_A8, &(uint8_t){0x7F}, NULL), 0x7F000000);
    assert_int_equal(decode_one(RASTER_FORMAT_A4L4, &(uint8_t){0x8F}, NULL), 0x88FFFFFF);
}

static void test_palette(void **state)
{
    uint32_t palette[256] = {[7] = 0x80112233};
    (void)state;
    assert_int_equal(decode_one(RASTER_FORMAT_P8, &(uint8_t){7}, palette), 0x80112233);
    assert_int_equal(decode16(RASTER_FORMAT_A8P8, 0) & 0xFFFFFF, 0);
    assert_int_equal(decode_one(RASTER_FORMAT_A8P8, &(uint16_t){0x5507}, palette), 0x55112233);
    assert_int_equal(decode_one(RASTER_FORMAT_P8, &(uint8_t){7}, NULL), 0);
}

/* Every value of every packed format survives decoding and encoding. */
static void test_round_trip(void **state)
{
    (void)state;
    for (int f = 0; f < RASTER_FORMAT_COUNT; f++) {
        const struct raster_format_info *info = raster_format_info(f);
        uint32_t used = 0, limit = info->block_bytes == 1 ? 0x100 : 0x10000;

        if (info->kind != RASTER_KIND_PACKED)
            continue;
        for (unsigned c = 0; c < 4; c++)
            used |= ((1u << info->bits[c]) - 1) << info->shift[c];
        for (uint32_t i = 0; i < limit; i++) {
            uint32_t texel = info->block_bytes > 2 ? i * 0x10001u : i, color, back = 0;
            color = decode_one(f, &texel, NULL);
            assert_true(raster_encode(f, &color, 4, (uint8_t *)&back, 4, 1, 1));
            assert_int_equal(back & used, texel & used);
        }
    }
}

static void test_pack_rounds(void **state)
{
    (void)state;
    assert_int_equal(pack_word(RASTER_FORMAT_R5G6B5, 0xFFFFFFFF), 0xFFFF);
    /* 4/255 of 31 is 0.486, 5/255 is 0.608 */
    assert_int_equal(pack_word(RASTER_FORMAT_R5G6B5, 0x00000004), 0);
    assert_int_equal(pack_word(RASTER_FORMAT_R5G6B5, 0x00000005), 1);
    assert_int_equal(pack_word(RASTER_FORMAT_A1R5G5B5, 0x7F000000), 0);
    assert_int_equal(pack_word(RASTER_FORMAT_A1R5G5B5, 0x80000000), 0x8000);
    assert_false(raster_encode(RASTER_FORMAT_DXT1, &(uint32_t){0}, 4, (uint8_t[8]){0}, 8, 1, 1));
}

static void test_pack_depth(void **state)
{
    (void)state;
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D16, 1.0f, 0), 0xFFFF);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D16, 0.5f, 0), 0x8000);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D24S8, 1.0f, 0x1AA), 0xFFFFFFAA);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D15S1, 1.0f, 0), 0xFFFE);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D24X4S4, 0.0f, 0xFF), 0xF);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D32, 1.0f, 0), 0xFFFFFFFF);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D16, -1.0f, 0), 0);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D16, 0.0f / 0.0f, 0), 0);
}

static void decode_block(enum raster_format format, const uint8_t *block, uint32_t texels[16])
{
    raster_decode(format, block, 16, texels, 16, 4, 4, NULL);
}

static void test_dxt1(void **state)
{
    static const uint8_t punch_through[8] = {0x00, 0xF8, 0x00, 0xF8, 0xF0, 0xF0, 0xF0, 0xF0};
    static const uint8_t four_colors[8] = {0xFF, 0xFF, 0x00, 0x00, 0xE4, 0xE4, 0xE4, 0xE4};
    uint32_t texels[16];
    (void)state;
    decode_block(RASTER_FORMAT_DXT1, punch_through, texels);
    assert_int_equal(texels[0], 0xFFFF0000);
    assert_int_equal(texels[1], 0xFFFF0000);
    assert_int_equal(texels[2], 0);
    assert_int_equal(texels[3], 0);
    decode_block(RASTER_FORMAT_DXT1, four_colors, texels);
    assert_int_equal(texels[0], 0xFFFFFFFF);
    assert_int_equal(texels[1], 0xFF000000);
    assert_int_equal(texels[2], 0xFFAAAAAA);
    assert_int_equal(texels[3], 0xFF555555);
}

static void test_dxt_alpha(void **state)
{
    uint8_t explicit_alpha[16] = {0x10, 0x32}, interpolated[16] = {255, 0};
    uint32_t texels[16];
    (void)state;
    decode_block(RASTER_FORMAT_DXT3, explicit_alpha, texels);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(texels[i] >> 24, i * 17);
    /* codes 0..7 in order: 3 bits each */
    for (unsigned i = 0; i < 8; i++)
        for (unsigned b = 0; b < 3; b++)
            if (i >> b & 1)
                interpolated[2 + (3 * i + b) / 8] |= (uint8_t)(1u << (3 * i + b) % 8);
    decode_block(RASTER_FORMAT_DXT5, interpolated, texels);
    assert_int_equal(texels[0] >> 24, 255);
    assert_int_equal(texels[1] >> 24, 0);
    assert_int_equal(texels[2] >> 24, 219); /* 6/7 */
    assert_int_equal(texels[7] >> 24, 36);  /* 1/7 */
    interpolated[0] = 0;
    interpolated[1] = 255;
    decode_block(RASTER_FORMAT_DXT5, interpolated, texels);
    assert_int_equal(texels[2] >> 24, 51);
    assert_int_equal(texels[6] >> 24, 0);
    assert_int_equal(texels[7] >> 24, 255);
}

/* A part of a block: nothing is written beyond the requested part. */
static void test_dxt_edge(void **state)
{
    static const uint8_t blocks[16] = {0xFF, 0xFF, 0xFF, 0xFF, [8] = 0xFF, 0xFF, 0xFF, 0xFF};
    uint32_t texels[3 * 8];
    (void)state;
    memset(texels, 0x5A, sizeof(texels));
    raster_decode(RASTER_FORMAT_DXT1, blocks, 16, texels, 8 * 4, 5, 2, NULL);
    assert_int_equal(texels[4], 0xFFFFFFFF);
    assert_int_equal(texels[5], 0x5A5A5A5A);
    assert_int_equal(texels[8 + 4], 0xFFFFFFFF);
    assert_int_equal(texels[16], 0x5A5A5A5A);
}

static void test_signed(void **state)
{
    (void)state;
    /* U is the low byte: biased 128 + v */
    assert_int_equal(decode16(RASTER_FORMAT_V8U8, 0x817F), 0xFFFF01FF);
    assert_int_equal(decode16(RASTER_FORMAT_V8U8, 0x0000), 0xFF8080FF);
    assert_int_equal(decode_one(RASTER_FORMAT_Q8W8V8U8, &(uint32_t){0x7F80007F}, NULL), 0xFFFF8000);
    assert_int_equal(decode_one(RASTER_FORMAT_X8L8V8U8, &(uint32_t){0x00FF0000}, NULL), 0xFF8080FF);
    /* U = 15, V = -15, L = 63 */
    assert_int_equal(decode16(RASTER_FORMAT_L6V5U5, 63 << 10 | 17 << 5 | 15), 0xFFFF01FF);
    assert_int_equal(decode16(RASTER_FORMAT_L6V5U5, 0), 0xFF808080);
}

static void test_yuv(void **state)
{
    static const uint8_t red[4] = {0x54, 0x4C, 0xFF, 0x4C}, same[4] = {0x4C, 0x54, 0x4C, 0xFF};
    uint32_t a[2], b[2];
    (void)state;
    raster_decode(RASTER_FORMAT_UYVY, red, 4, a, 8, 2, 1, NULL);
    raster_decode(RASTER_FORMAT_YUY2, same, 4, b, 8, 2, 1, NULL);
    assert_memory_equal(a, b, sizeof(a));
    assert_in_range(a[0] >> 16 & 0xFF, 0xED, 0xFF);
    assert_in_range(a[0] >> 8 & 0xFF, 0, 18);
    assert_in_range(a[0] & 0xFF, 0, 18);
}

/* Rows of all lengths, whose texels are decoded several at once, equal the rows' pairs decoded one at a time. */
static void test_yuv_rows(void **state)
{
    enum { LONGEST = 37 };
    static const enum raster_format formats[] = {RASTER_FORMAT_UYVY, RASTER_FORMAT_YUY2};
    uint8_t pairs[(LONGEST + 1) * 2];
    uint32_t row[LONGEST + 1], pair[2], random = 1;
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        const unsigned width = 1 + round % LONGEST;

        for (size_t i = 0; i < sizeof(pairs); i++)
            pairs[i] = (uint8_t)(random_next(&random) >> 24);
        row[width] = 0x5A5A5A5A;
        raster_decode(formats[round & 1], pairs, sizeof(pairs), row, sizeof(row), width, 1, NULL);
        for (unsigned x = 0; x < width; x++) {
            raster_decode(formats[round & 1], pairs + x / 2 * 4, 4, pair, 8, 2, 1, NULL);
            assert_int_equal(row[x], pair[x & 1]);
        }
        assert_int_equal(row[width], 0x5A5A5A5A);
    }
}

/* ATI1 reads like luminance; ATI2 has green in the first half of the block. */
static void test_ati(void **state)
{
    static const uint8_t one[8] = {0x7F, 0x7F}, two[16] = {0x7F, 0x7F, [8] = 0xFF, 0x00, 0x08};
    uint32_t texels[16];
    (void)state;
    decode_block(RASTER_FORMAT_ATI1, one, texels);
    assert_int_equal(texels[15], 0xFF7F7F7F);
    decode_block(RASTER_FORMAT_ATI2, two, texels);
    assert_int_equal(texels[0], 0xFFFF7FFF);
    assert_int_equal(texels[1], 0xFF007FFF);
}

static void test_rgb_pairs(void **state)
{
    static const uint8_t rgbg[4] = {0x11, 0x22, 0x33, 0x44}, grgb[4] = {0x22, 0x11, 0x44, 0x33};
    uint32_t a[2], b[2];
    (void)state;
    raster_decode(RASTER_FORMAT_R8G8_B8G8, rgbg, 4, a, 8, 2, 1, NULL);
    raster_decode(RASTER_FORMAT_G8R8_G8B8, grgb, 4, b, 8, 2, 1, NULL);
    assert_int_equal(a[0], 0xFF112233);
    assert_int_equal(a[1], 0xFF114433);
    assert_memory_equal(a, b, sizeof(a));
}

/* Blue completes red and green to a unit vector. */
static void test_unit_vector(void **state)
{
    (void)state;
    assert_int_equal(decode16(RASTER_FORMAT_CXV8U8, 0x0000), 0xFF8080FF);
    assert_int_equal(decode16(RASTER_FORMAT_CXV8U8, 0x007F), 0xFFFF8080);
    assert_int_equal(decode16(RASTER_FORMAT_CXV8U8, 0x8181), 0xFF010180);
    /* 127 * sqrt(1 - .25 - .25) = 89.8 of 64 and 64, which is 0.504 */
    assert_in_range(decode16(RASTER_FORMAT_CXV8U8, 0x4040) & 0xFF, 128 + 88, 128 + 90);
}

/* Clears build their patterns with it (raster/tile/clear.c). */
static void test_target_sizes(void **state)
{
    (void)state;
    for (int f = 0; f < RASTER_FORMAT_COUNT; f++) {
        const struct raster_format_info *info = raster_format_info((enum raster_format)f);
        const unsigned bytes = info->block_bytes;

        if (info->is_target && (bytes == 0 || bytes > RASTER_TEXEL_BYTES || (bytes & (bytes - 1))))
            fail_msg("%s is a target with texels of %u bytes", info->name, bytes);
    }
}

/* Every value of 24 bits, in rows whose length is not a multiple of anything: the quotient, rounded once. */
static void test_depth_of_24_bits(void **state)
{
    enum { WIDTH = 1021 };
    uint32_t words[WIDTH];
    float texels[WIDTH];

    (void)state;
    for (uint32_t first = 0; first < 1u << 24; first += WIDTH) {
        for (uint32_t i = 0; i < WIDTH; i++)
            words[i] = (first + i) << 8 | (i & 255);
        raster_decode_depth(RASTER_FORMAT_D24S8, (const uint8_t *)words, sizeof(words), texels, sizeof(texels), WIDTH,
                            1);
        for (uint32_t i = 0; i < WIDTH && first + i < 1u << 24; i++) {
            const float wanted = (float)((double)(first + i) / 16777215.0);

            if (memcmp(&texels[i], &wanted, sizeof(wanted)))
                fail_msg("%u is %a instead of %a", first + i, (double)texels[i], (double)wanted);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_of_24_bits),
        cmocka_unit_test(test_packed_formats),
        cmocka_unit_test(test_palette),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_pack_rounds),
        cmocka_unit_test(test_pack_depth),
        cmocka_unit_test(test_dxt1),
        cmocka_unit_test(test_dxt_alpha),
        cmocka_unit_test(test_dxt_edge),
        cmocka_unit_test(test_signed),
        cmocka_unit_test(test_yuv),
        cmocka_unit_test(test_yuv_rows),
        cmocka_unit_test(test_ati),
        cmocka_unit_test(test_rgb_pairs),
        cmocka_unit_test(test_unit_vector),
        cmocka_unit_test(test_target_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
