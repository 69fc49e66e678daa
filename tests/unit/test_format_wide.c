/* SPDX-License-Identifier: MIT */
/*
 * raster/format/wide.c and raster/format/texel.h: half floats over all 65536 values and their
 * neighbourhoods, 20e4, 16-bit and 10-bit channels, depth words. Vectors:
 * docs/reference/texture-sampling.md, section 6.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "raster/format/format.h"
#include "raster/format/texel.h"
#include "tests/random.h"
#include "tests/unit/pack_word.h"

/* --- half floats -------------------------------------------------------------------------- */

/* By the definition; NAN for NaNs. */
static double half_value(unsigned half)
{
    double sign = half & 0x8000 ? -1.0 : 1.0;
    int exponent = (int)(half >> 10 & 31), mantissa = (int)(half & 1023);

    if (exponent == 31)
        return mantissa ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

static void test_half_to_float(void **state)
{
    (void)state;
    for (unsigned half = 0; half < 65536; half++) {
        uint32_t bits = texel_from_half(half);
        double want = half_value(half);

        if (isnan(want)) {
            assert_int_equal(bits, RASTER_NAN);
            continue;
        }
        assert_true((double)texel_float(bits) == want);
        assert_int_equal(bits >> 31, half >> 15);
    }
}

static void test_half_round_trip(void **state)
{
    (void)state;
    for (unsigned half = 0; half < 65536; half++) {
        unsigned back = texel_to_half(texel_float(texel_from_half(half)));

        assert_int_equal(back, isnan(half_value(half)) ? RASTER_HALF_NAN : half);
    }
}

/* Between each half and the next: the middle goes to the even one, a slightly smaller or larger float to the nearer
 * one. */
static void test_half_rounds_to_even(void **state)
{
    (void)state;
    for (unsigned half = 0; half < 0x7c00; half++) {
        double low = half_value(half), high = half == 0x7bff ? 65536.0 : half_value(half + 1);
        float middle = (float)((low + high) / 2);
        unsigned even = half & 1 ? half + 1 : half;

        assert_int_equal(texel_to_half(middle), even);
        assert_int_equal(texel_to_half(nextafterf(middle, 0.0f)), half);
        assert_int_equal(texel_to_half(nextafterf(middle, INFINITY)), half + 1);
        assert_int_equal(texel_to_half(-middle), even | 0x8000);
    }
    assert_int_equal(texel_to_half(1e30f), 0x7c00);
    assert_int_equal(texel_to_half(-INFINITY), 0xfc00);
    assert_int_equal(texel_to_half(1e-40f), 0);
}

/* --- 20e4 --------------------------------------------------------------------------------- */

static void test_20e4(void **state)
{
    float last = -1.0f;

    (void)state;
    assert_int_equal(texel_to_20e4(0.0f), 0);
    assert_int_equal(texel_to_20e4(1.0f), 0xf00000);
    assert_int_equal(texel_to_20e4(0.5f), 0xe00000);
    for (unsigned v = 0; v <= 0xf00000; v++) {
        float z = texel_from_20e4(v);

        if (!(z > last) || texel_to_20e4(z) != v)
            fail_msg("20e4 %#x: %.9g after %.9g, back as %#x", v, (double)z, (double)last, texel_to_20e4(z));
        if (v % 17 == 0 && v < 0xf00000) {
            double middle = ((double)z + (double)texel_from_20e4(v + 1)) / 2;
            unsigned even = v & 1 ? v + 1 : v;

            assert_int_equal(texel_to_20e4((float)middle), even);
        }
        last = z;
    }
}

/* --- texels ------------------------------------------------------------------------------------
 */

static void expect(enum raster_format format, const void *texel, float r, float g, float b, float a)
{
    float want[4] = {r, g, b, a}, got[4];

    raster_decode_wide(format, texel, 16, got, 16, 1, 1, NULL);
    for (unsigned c = 0; c < 4; c++)
        if (got[c] != want[c])
            fail_msg("%s channel %u: %.9g instead of %.9g", raster_format_info(format)->name, c, (double)got[c],
                     (double)want[c]);
}

static void test_unsigned_channels(void **state)
{
    (void)state;
    expect(RASTER_FORMAT_A2R10G10B10, &(uint32_t){0x40000000 | 1023 << 20 | 1 << 10}, 1.0f, 1.0f / 1023, 0.0f,
           1.0f / 3);
    expect(RASTER_FORMAT_A2B10G10R10, &(uint32_t){0xc0000000 | 1023 << 20 | 1 << 10}, 0.0f, 1.0f / 1023, 1.0f, 1.0f);
    expect(RASTER_FORMAT_G16R16, &(uint32_t){0xffff0001}, 1.0f / 65535, 1.0f, 1.0f, 1.0f);
    expect(RASTER_FORMAT_L16, &(uint16_t){0x8000}, 32768.0f / 65535, 32768.0f / 65535, 32768.0f / 65535, 1.0f);
    expect(RASTER_FORMAT_A16B16G16R16, (uint16_t[4]){1, 2, 3, 65535}, 1.0f / 65535, 2.0f / 65535, 3.0f / 65535, 1.0f);
}

static void test_signed_channels(void **state)
{
    (void)state;
    expect(RASTER_FORMAT_V16U16, (uint16_t[2]){0x7fff, 0x8000}, 1.0f, -1.0f, 1.0f, 1.0f);
    expect(RASTER_FORMAT_V16U16, (uint16_t[2]){0x8001, 0x0001}, -1.0f, 1.0f / 32767, 1.0f, 1.0f);
    expect(RASTER_FORMAT_Q16W16V16U16, (uint16_t[4]){0, 0x7fff, 0x8000, 0xffff}, 0.0f, 1.0f, -1.0f, -1.0f / 32767);
    /* U 511, V -512, W -1, A 2 */
    expect(RASTER_FORMAT_A2W10V10U10, &(uint32_t){0x1ff | 0x200u << 10 | 0x3ffu << 20 | 2u << 30}, 1.0f, -1.0f,
           -1.0f / 511, 2.0f / 3);
    /* U -512, V 1023, W -1024 */
    expect(RASTER_FORMAT_W11V11U10, &(uint32_t){0x200 | 0x3ffu << 10 | 0x400u << 21}, -1.0f, 1.0f, -1.0f, 1.0f);
}

static void test_float_channels(void **state)
{
    (void)state;
    expect(RASTER_FORMAT_R16F, &(uint16_t){0xc000}, -2.0f, 1.0f, 1.0f, 1.0f);
    expect(RASTER_FORMAT_G16R16F, (uint16_t[2]){0x3c00, 0x7bff}, 1.0f, 65504.0f, 1.0f, 1.0f);
    expect(RASTER_FORMAT_A16B16G16R16F, (uint16_t[4]){0x3800, 0, 0x4000, 0x7c00}, 0.5f, 0.0f, 2.0f, INFINITY);
    expect(RASTER_FORMAT_R32F, (float[1]){-1e30f}, -1e30f, 1.0f, 1.0f, 1.0f);
    expect(RASTER_FORMAT_G32R32F, (float[2]){3.25f, 1e-40f}, 3.25f, 1e-40f, 1.0f, 1.0f);
    expect(RASTER_FORMAT_A32B32G32R32F, (float[4]){1, 2, 3, 4}, 1, 2, 3, 4);
}

/* Every value of every 16-bit channel, and all of a 10-bit one, comes back. */
static void test_round_trip(void **state)
{
    static const enum raster_format formats[] = {
        RASTER_FORMAT_A2R10G10B10, RASTER_FORMAT_A2B10G10R10, RASTER_FORMAT_G16R16,       RASTER_FORMAT_A16B16G16R16,
        RASTER_FORMAT_L16,         RASTER_FORMAT_R16F,        RASTER_FORMAT_G16R16F,      RASTER_FORMAT_A16B16G16R16F,
        RASTER_FORMAT_R32F,        RASTER_FORMAT_G32R32F,     RASTER_FORMAT_A32B32G32R32F};

    (void)state;
    for (unsigned f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        const struct raster_format_info *info = raster_format_info(formats[f]);

        for (uint32_t i = 0; i < 65536; i++) {
            uint32_t texel[4] = {i * 0x10001u, ~i * 0x10001u, i * 0x10001u, i << 16}, back[4] = {0};
            float wide[4];

            if (info->type == RASTER_FLOAT && ((i & 0x7c00) == 0x7c00 || (~i & 0x7c00) == 0x7c00 ||
                                               (i & 0x7f80) == 0x7f80 || (~i & 0x7f80) == 0x7f80))
                continue; /* NaNs become one; infinities have been tested */
            raster_decode_wide(formats[f], (uint8_t *)texel, 16, wide, 16, 1, 1, NULL);
            assert_true(raster_encode_wide(formats[f], wide, 16, (uint8_t *)back, 16, 1, 1));
            if (memcmp(texel, back, info->block_bytes))
                fail_msg("%s: %#x comes back as %#x", info->name, texel[0], back[0]);
        }
    }
}

/* Words and floats describe the same value of a format. */
static void test_words_and_floats_agree(void **state)
{
    uint8_t texels[64 * 16];
    uint32_t words[9];
    float wide[9 * 4];

    (void)state;
    for (unsigned i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)(i * 167 + (i >> 5));
    for (int f = 0; f < RASTER_FORMAT_COUNT; f++) {
        const unsigned kind = raster_format_info(f)->kind;
        const bool is_signed = kind == RASTER_KIND_SIGNED;

        if (kind == RASTER_KIND_NONE || kind == RASTER_KIND_NULL || kind == RASTER_KIND_DEPTH)
            continue;
        raster_decode(f, texels, 64, words, 12, 3, 3, NULL);
        raster_decode_wide(f, texels, 64, wide, 48, 3, 3, NULL);
        for (unsigned i = 0; i < 36; i++) {
            static const unsigned shift[4] = {16, 8, 0, 24};
            int byte = (int)(words[i / 4] >> shift[i % 4] & 255);
            float v = is_signed ? (float)(byte - 128) / 127.0f : (float)byte / 255.0f;
            float w = wide[i] > 0.0f || is_signed ? wide[i] : 0.0f;

            w = w < 1.0f ? w : 1.0f;
            v = v > -1.0f ? v : -1.0f;
            if (fabsf(v - w) > 0.502f / 255.0f)
                fail_msg("%s: %g as a word, %g as a float", raster_format_info(f)->name, (double)v, (double)w);
        }
    }
}

/* A field of a channel as a float, from the definitions of the types: computed in double, rounded once. */
static float field_value(const struct raster_format_info *info, unsigned c, uint32_t field, unsigned bits)
{
    const bool is_signed = info->type == RASTER_SNORM || (info->type == RASTER_SNORM_UNORM_ALPHA && c < 3);

    if (info->type == RASTER_FLOAT && bits == 32)
        return texel_float((field & 0x7fffffff) > 0x7f800000 ? RASTER_NAN : field);
    if (info->type == RASTER_FLOAT && bits == 24)
        return (float)(field >> 20 ? ldexp((double)(1 << 20 | (field & 0xfffff)), (int)(field >> 20) - 15 - 20)
                                   : ldexp((double)field, -14 - 20));
    if (info->type == RASTER_FLOAT)
        return isnan(half_value(field)) ? texel_float(RASTER_NAN) : (float)half_value(field);
    if (is_signed) {
        const double value = field >> (bits - 1) ? (double)field - ldexp(1, (int)bits) : (double)field;
        return (float)fmax(-1, value / (ldexp(1, (int)bits - 1) - 1));
    }
    return (float)((double)field / (ldexp(1, (int)bits) - 1));
}

static uint32_t field_at(const uint8_t *texel, unsigned shift, unsigned bits)
{
    uint32_t field = 0;

    for (unsigned b = 0; b < bits; b++)
        field |= (uint32_t)(texel[(shift + b) / 8] >> (shift + b) % 8 & 1) << b;
    return field;
}

static float channel_value(const struct raster_format_info *info, unsigned c, const uint8_t *texel)
{
    const unsigned above = 8u * info->block_bytes - info->depth_bits;

    if (info->kind == RASTER_KIND_DEPTH)
        return field_value(info, c, field_at(texel, above, info->depth_bits), info->depth_bits);
    return info->bits[c] ? field_value(info, c, field_at(texel, info->shift[c], info->bits[c]), info->bits[c]) : 1.0f;
}

/* Random rows of every length up to 21 texels in every wide and depth format, which end where their memory ends. */
static void test_rows(void **state)
{
    enum { LONGEST = 21, ROUNDS = 200 };
    uint32_t random = 1;

    (void)state;
    for (int f = 0; f < RASTER_FORMAT_COUNT; f++) {
        const struct raster_format_info *info = raster_format_info(f);
        if (!raster_format_is_wide(f))
            continue;
        for (unsigned round = 0; round < ROUNDS; round++) {
            const unsigned width = 1 + round % LONGEST, bytes = width * info->block_bytes;
            uint8_t *row = malloc(bytes);
            float *wide = malloc(width * 4 * sizeof(float)), *depth = malloc(width * sizeof(float));

            for (unsigned i = 0; i < bytes; i++)
                row[i] = (uint8_t)(random_next(&random) >> 24);
            raster_decode_wide(f, row, bytes, wide, width * 4 * sizeof(float), width, 1, NULL);
            if (info->kind == RASTER_KIND_DEPTH)
                raster_decode_depth(f, row, bytes, depth, width * sizeof(float), width, 1);
            for (unsigned i = 0; i < width * 4; i++) {
                const float want = channel_value(info, i % 4, row + (size_t)(i / 4) * info->block_bytes);
                if (texel_bits(wide[i]) != texel_bits(want))
                    fail_msg("%s channel %u: %a instead of %a", info->name, i % 4, (double)wide[i], (double)want);
                if (info->kind == RASTER_KIND_DEPTH && texel_bits(depth[i / 4]) != texel_bits(want))
                    fail_msg("%s: depth %a instead of %a", info->name, (double)depth[i / 4], (double)want);
            }
            free(row);
            free(wide);
            free(depth);
        }
    }
}

static void test_pack_texel(void **state)
{
    uint8_t texel[RASTER_TEXEL_BYTES];
    uint16_t half[4];
    float wide[4];

    (void)state;
    assert_int_equal(raster_pack_texel(RASTER_FORMAT_A16B16G16R16F, 0xff0080ff, texel), 8);
    memcpy(half, texel, sizeof(half));
    assert_int_equal(half[0], 0);
    assert_int_equal(half[2], 0x3c00);
    assert_int_equal(half[3], 0x3c00);
    assert_int_equal(raster_pack_texel(RASTER_FORMAT_A32B32G32R32F, 0x00ff00ff, texel), 16);
    memcpy(wide, texel, sizeof(wide));
    assert_true(wide[0] == 1.0f && wide[1] == 0.0f && wide[2] == 1.0f && wide[3] == 0.0f);
    assert_int_equal(pack_word(RASTER_FORMAT_A2R10G10B10, 0xffff0000), 0xfff00000);
    assert_int_equal(pack_word(RASTER_FORMAT_G16R16, 0xffff0080), 0x0000ffff);
    assert_int_equal(pack_word(RASTER_FORMAT_YUY2, 0xff102030), 0x30102010);
    assert_int_equal(pack_word(RASTER_FORMAT_UYVY, 0xff102030), 0x10301020);
    /* numbers are used as they are, from the lowest bit on */
    assert_int_equal(pack_word(RASTER_FORMAT_V16U16, 0x80402010), 0x80402010);
    assert_int_equal(raster_pack_texel(RASTER_FORMAT_P8, 0x80402010, texel), 1);
    assert_int_equal(texel[0], 0x10);
    assert_int_equal(raster_pack_texel(RASTER_FORMAT_V8U8, 0x80402010, texel), 2);
    assert_true(texel[0] == 0x10 && texel[1] == 0x20);
    assert_int_equal(raster_pack_texel(RASTER_FORMAT_Q16W16V16U16, 0x80402010, texel), 8);
    assert_true(texel[3] == 0x80 && texel[4] == 0 && texel[7] == 0);
    assert_int_equal(raster_pack_texel(RASTER_FORMAT_D24S8, 0, texel), 0);
}

/* All texels of a block have its colour, in as many bits as the end points of its line have. */
static void test_pack_blocks(void **state)
{
    static const enum raster_format formats[] = {RASTER_FORMAT_DXT1, RASTER_FORMAT_DXT3, RASTER_FORMAT_DXT5,
                                                 RASTER_FORMAT_ATI1, RASTER_FORMAT_ATI2};
    /* exact in 5, 6 and 4 bits; ATI1 shows red in all colours, ATI2 red and green */
    static const uint32_t want[] = {0xff5200ff, 0xbb5200ff, 0xbb5200ff, 0xff525252, 0};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
        uint32_t texels[16];
        uint8_t block[RASTER_TEXEL_BYTES];

        assert_int_equal(raster_pack_texel(formats[i], 0xbb5200ff, block), raster_format_info(formats[i])->block_bytes);
        raster_decode(formats[i], block, sizeof(block), texels, 16, 4, 4, NULL);
        for (unsigned k = 0; k < 16; k++) {
            assert_int_equal(texels[k], texels[0]);
            if (want[i])
                assert_int_equal(texels[k], want[i]);
            else
                assert_int_equal(texels[k] & 0xffff00, 0x520000);
        }
    }
    uint8_t block[RASTER_TEXEL_BYTES];
    uint32_t texel[16];

    raster_pack_texel(RASTER_FORMAT_DXT1, 0x7fffffff, block);
    raster_decode(RASTER_FORMAT_DXT1, block, sizeof(block), texel, 16, 4, 4, NULL);
    assert_int_equal(texel[5], 0); /* more transparent than not */
}

/* --- depth
 * ------------------------------------------------------------------------------------------ */

static void test_depth_words(void **state)
{
    uint32_t word;

    (void)state;
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D32F, 0.25f, 0), 0x3e800000);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D32F, 7.0f, 0), 0x3f800000);
    assert_int_equal(raster_pack_depth(RASTER_FORMAT_D24FS8, 1.0f, 0x42), 0xf0000042);
    for (int f = RASTER_FORMAT_D16; f < RASTER_FORMAT_COUNT; f++) {
        const struct raster_format_info *info = raster_format_info(f);
        uint32_t all = info->block_bytes == 2 ? 0xffff : ~0u;

        assert_int_equal(raster_depth_mask(f) & raster_stencil_mask(f), 0);
        assert_int_equal(raster_pack_depth(f, 1.0f, 0) & ~raster_depth_mask(f), 0);
        assert_int_equal(raster_pack_depth(f, 0.0f, 0xff), raster_stencil_mask(f));
        assert_int_equal((raster_depth_mask(f) | raster_stencil_mask(f)) & ~all, 0);
        /* as a texture: depth in all channels */
        for (unsigned i = 0; i <= 4; i++) {
            float got[4], want = (float)i / 4;

            word = raster_pack_depth(f, want, 0x5a);
            raster_decode_wide(f, (uint8_t *)&word, 4, got, 16, 1, 1, NULL);
            for (unsigned c = 0; c < 4; c++)
                assert_true(fabsf(got[c] - want) < 1.0f / 65535);
        }
    }
    word = raster_pack_depth(RASTER_FORMAT_D24S8, 0.75f, 0xff);
    expect(RASTER_FORMAT_D24S8, &word, 12582911 / 16777215.0f, 12582911 / 16777215.0f, 12582911 / 16777215.0f,
           12582911 / 16777215.0f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_to_float),
        cmocka_unit_test(test_half_round_trip),
        cmocka_unit_test(test_half_rounds_to_even),
        cmocka_unit_test(test_20e4),
        cmocka_unit_test(test_unsigned_channels),
        cmocka_unit_test(test_signed_channels),
        cmocka_unit_test(test_float_channels),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_words_and_floats_agree),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_pack_texel),
        cmocka_unit_test(test_pack_blocks),
        cmocka_unit_test(test_depth_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
