/* SPDX-License-Identifier: MIT */
/*
 * Pictures of visible surfaces (runtime/ddraw/rules/shown.h): each format against its definition, rows that changed against the
 * changes that were made, and the picture in other sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "d3d/directdraw.h"
#include "d3d/formats.h"
#include "runtime/ddraw/rules/shown.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define MOST 40

static const struct {
    uint32_t format;
    unsigned bytes;
} formats[] = {{D3D_FORMAT_P8, 1},     {D3D_FORMAT_R5G6B5, 2},   {D3D_FORMAT_X1R5G5B5, 2}, {D3D_FORMAT_A1R5G5B5, 2},
               {D3D_FORMAT_R8G8B8, 3}, {D3D_FORMAT_X8R8G8B8, 4}, {D3D_FORMAT_A8R8G8B8, 4}};

/* A field of n bits, repeated until it has more than 8. */
static uint32_t widen(uint32_t value, unsigned bits)
{
    return (value << bits | value) >> (2 * bits - 8);
}

static uint32_t expected_pixel(const uint8_t *p, uint32_t format, const uint32_t *words)
{
    const uint32_t v = (uint32_t)p[0] | (format == D3D_FORMAT_P8 ? 0 : (uint32_t)p[1] << 8);

    switch (format) {
    case D3D_FORMAT_P8:
        return words[v];
    case D3D_FORMAT_R5G6B5:
        return 0xff000000 | widen(v >> 11, 5) << 16 | widen(v >> 5 & 63, 6) << 8 | widen(v & 31, 5);
    case D3D_FORMAT_X1R5G5B5:
    case D3D_FORMAT_A1R5G5B5:
        return 0xff000000 | widen(v >> 10 & 31, 5) << 16 | widen(v >> 5 & 31, 5) << 8 | widen(v & 31, 5);
    default:
        return 0xff000000 | (uint32_t)p[2] << 16 | v;
    }
}

static void random_words(uint32_t words[256])
{
    for (unsigned i = 0; i < 256; i++)
        words[i] = 0xff000000 | random_word();
}

/* All values of 16 bits, and all indices */
static void test_rows(void **state)
{
    static uint8_t row[65536 * 4];
    static uint32_t out[65536];
    uint32_t words[256];

    (void)state;
    random_words(words);
    for (unsigned f = 0; f < ARRAY_COUNT(formats); f++) {
        for (unsigned i = 0; i < sizeof(row); i++)
            row[i] = (uint8_t)random_word();
        if (formats[f].bytes == 2)
            for (unsigned i = 0; i < 65536; i++) {
                row[2 * i] = (uint8_t)i;
                row[2 * i + 1] = (uint8_t)(i >> 8);
            }
        ddraw_show_row(out, row, 65536, formats[f].format, words);
        for (unsigned i = 0; i < 65536; i++)
            assert_int_equal(out[i], expected_pixel(row + i * formats[f].bytes, formats[f].format, words));
        assert_true(ddraw_can_show(formats[f].format));
    }
    assert_false(ddraw_can_show(D3D_FORMAT_D16));
    assert_false(ddraw_can_show(D3D_FORMAT_DXT1));
    assert_false(ddraw_can_show(0));
}

static void expect_picture(const struct ddraw_shown *shown, const struct ddraw_front *front, const uint32_t *words,
                           unsigned bytes)
{
    const struct rt_picture picture = ddraw_shown_picture(shown);

    assert_true(picture.width == front->width && picture.height == front->height &&
                picture.format == D3D_FORMAT_X8R8G8B8);
    for (unsigned y = 0; y < front->height; y++)
        for (unsigned x = 0; x < front->width; x++) {
            uint32_t pixel;

            memcpy(&pixel, picture.bits + y * picture.pitch + x * 4, 4);
            assert_int_equal(pixel, expected_pixel(front->bits + y * front->pitch + x * bytes, front->format, words));
        }
}

/* One surface, over which others write now and then; changes outside of the given rectangle's rows are not looked for. */
static void test_changes(void **state)
{
    static uint8_t bits[MOST * (MOST * 4 + 16)];
    struct ddraw_shown shown = {0};

    (void)state;
    for (unsigned round = first_round(300); round < end_round(300); round++) {
        const unsigned f = (random_seed = round + 1, random_below(ARRAY_COUNT(formats)));
        const unsigned bytes = formats[f].bytes;
        struct ddraw_front front = {bits, 0, 1 + random_below(MOST), 1 + random_below(MOST), formats[f].format, NULL};
        uint32_t words[256];
        unsigned first, end;

        front.pitch = front.width * bytes + random_below(17);
        random_words(words);
        front.words = words;
        for (unsigned i = 0; i < sizeof(bits); i++)
            bits[i] = (uint8_t)random_word();
        assert_true(ddraw_shown_update(&shown, &front, NULL, &first, &end));
        expect_picture(&shown, &front, words, bytes);
        for (unsigned i = 0; i < 20; i++) {
            const unsigned x = random_below(front.width), y = random_below(front.height);
            const unsigned kind = random_below(3);
            const RECT rect = {(LONG)x, (LONG)y, (LONG)x + 1, (LONG)y + 1}, huge = {0, INT32_MIN, 1, INT32_MAX};

            if (kind == 0) { /* a pixel, announced with its rectangle or without */
                bits[y * front.pitch + x * bytes] ^= 1;
                assert_true(ddraw_shown_update(&shown, &front,
                                               random_one_in(3)   ? NULL
                                               : random_one_in(2) ? &rect
                                                                  : &huge,
                                               &first, &end));
                assert_true(first == y && end == y + 1);
            } else if (kind == 1) { /* nothing, and bytes behind the rows */
                if (front.pitch > front.width * bytes)
                    bits[y * front.pitch + front.width * bytes] ^= 1;
                assert_true(ddraw_shown_update(&shown, &front, NULL, &first, &end));
                assert_true(!first && !end);
            } else { /* the palette */
                words[random_below(256)] ^= 0x10000;
                assert_true(ddraw_shown_update(&shown, &front, &rect, &first, &end));
                assert_true(front.format == D3D_FORMAT_P8 ? !first && end == front.height : !first && !end);
            }
            expect_picture(&shown, &front, words, bytes);
        }
    }
    ddraw_shown_free(&shown);
}

static void test_no_palette_and_no_picture(void **state)
{
    const uint8_t bits[4] = {1, 2, 3, 4};
    struct ddraw_front front = {bits, 2, 2, 2, D3D_FORMAT_P8, NULL};
    const RECT area = {0, 0, 10, 10};
    struct ddraw_shown shown = {0};
    struct rt_scaler scaler = {0};
    struct rt_picture scaled;
    unsigned first, end;
    RECT place;

    (void)state;
    assert_false(ddraw_shown_scaled(&shown, &scaler, &area, &place, &scaled));
    assert_true(ddraw_shown_update(&shown, &front, NULL, &first, &end));
    assert_int_equal(shown.pixels[3], 0xff000000);
    front.format = D3D_FORMAT_D16;
    assert_false(ddraw_shown_update(&shown, &front, NULL, &first, &end));
    front.format = D3D_FORMAT_P8;
    front.width = 0;
    assert_false(ddraw_shown_update(&shown, &front, NULL, &first, &end));
    front.width = front.height = 0xffffffff;
    assert_false(ddraw_shown_update(&shown, &front, NULL, &first, &end));
    assert_null(ddraw_shown_picture(&shown).bits);
}

/* The default settings: stretched to the area, the nearest pixel. */
static void test_scaled(void **state)
{
    static uint8_t bits[MOST * MOST];
    struct rt_scaler scaler = {0};
    struct ddraw_shown shown = {0};
    uint32_t words[256];

    (void)state;
    random_seed = 4;
    random_words(words);
    for (unsigned i = 0; i < sizeof(bits); i++)
        bits[i] = (uint8_t)random_word();
    for (unsigned round = 0; round < 100; round++) {
        const struct ddraw_front front = {bits,          MOST, 1 + random_below(MOST), 1 + random_below(MOST),
                                          D3D_FORMAT_P8, words};
        const unsigned width = random_one_in(4) ? front.width : 1 + random_below(90);
        const unsigned height = width == front.width ? front.height : 1 + random_below(90);
        const RECT area = {7, -3, 7 + (LONG)width, -3 + (LONG)height};
        struct rt_picture scaled;
        unsigned first, end;
        RECT place;

        assert_true(ddraw_shown_update(&shown, &front, NULL, &first, &end));
        assert_true(ddraw_shown_scaled(&shown, &scaler, &area, &place, &scaled));
        assert_memory_equal(&place, &area, sizeof(area));
        assert_true(scaled.width == width && scaled.height == height);
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < width; x++) {
                const unsigned from_x = (2 * x + 1) * front.width / (2 * width);
                const unsigned from_y = (2 * y + 1) * front.height / (2 * height);
                uint32_t pixel;

                memcpy(&pixel, scaled.bits + y * scaled.pitch + x * 4, 4);
                assert_int_equal(pixel & 0xffffff, words[bits[from_y * MOST + from_x]] & 0xffffff);
            }
    }
    ddraw_shown_free(&shown);
    rt_scaler_free(&scaler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_no_palette_and_no_picture),
        cmocka_unit_test(test_scaled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
