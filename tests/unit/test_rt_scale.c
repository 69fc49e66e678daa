/* SPDX-License-Identifier: MIT */
/*
 * Scaling of presented pictures (runtime/common/window/scale.h): places in areas of any size, and pictures of any size,
 * format and part, compared with the filters' definitions in doubles.
 */
#include "rt_fixture.h"

#include <math.h>

#include "base/base.h"
#include "runtime/common/window/scale.h"
#include "tests/random.h"

#define ROUNDS 3000
#define MOST   70 /* pixels a side */

/* --- places ---------------------------------------------------------------------------------------------- */

static void test_places(void **state)
{
    (void)state;
    random_seed = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned width = 1 + random_below(2000), height = 1 + random_below(2000);
        const RECT area = {(LONG)random_below(100) - 50, (LONG)random_below(100) - 50, 51 + (LONG)random_below(4000),
                           51 + (LONG)random_below(4000)};
        const enum rt_scale_fit fit = (enum rt_scale_fit)random_below(3);
        const RECT place = rt_scale_place(fit, width, height, &area);
        const LONG w = place.right - place.left, h = place.bottom - place.top;
        const LONG room_x = area.right - area.left, room_y = area.bottom - area.top;

        assert_true(place.left >= area.left && place.top >= area.top && place.right <= area.right &&
                    place.bottom <= area.bottom && w > 0 && h > 0);
        assert_true(labs((long)(place.left - area.left) - (area.right - place.right)) <= 1);
        assert_true(labs((long)(place.top - area.top) - (area.bottom - place.bottom)) <= 1);
        if (fit == RT_SCALE_STRETCH) {
            assert_true(w == room_x && h == room_y);
        } else if (fit == RT_SCALE_INTEGER && (LONG)width <= room_x && (LONG)height <= room_y) {
            assert_true(w % (LONG)width == 0 && w / (LONG)width == h / (LONG)height);
            assert_true(w + (LONG)width > room_x || h + (LONG)height > room_y); /* the largest */
        } else {
            assert_true(w == room_x || h == room_y);
            assert_true(fabs((double)w * height / width - h) <= 0.5 || fabs((double)h * width / height - w) <= 0.5 ||
                        w == 1 || h == 1);
        }
    }
}

/* Every pixel of the picture is under some position of its place, in order. */
static void test_positions(void **state)
{
    const RECT place = {100, 50, 100 + 640 * 3 / 2, 50 + 480 * 2};
    LONG last = 0;

    (void)state;
    for (LONG x = 0; x < 1200; x++) {
        const POINT at = rt_scale_pixel(&place, 640, 480, (POINT){x, 50 + 959});

        assert_int_equal(at.y, 479);
        assert_true(at.x == last || at.x == last + 1);
        last = at.x;
    }
    assert_int_equal(last, 639);
    assert_int_equal(rt_scale_pixel(&place, 640, 480, (POINT){-30000, -30000}).x, 0);
}

/* --- pictures --------------------------------------------------------------------------------------------- */

static const uint32_t formats[] = {D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_X1R5G5B5};

struct sample {
    double at[2];
    unsigned texel[2];
};

/* The definition along one axis: two neighbours and their shares. */
static struct sample sample_axis(enum rt_scale_filter filter, unsigned i, unsigned size, unsigned count)
{
    const double times = filter == RT_SCALE_SHARP && size > count ? floor((double)size / count) : 1;
    const double centre = (i + 0.5) * count * times / size;
    struct sample s = {{1, 0}, {0, 0}};

    if (filter == RT_SCALE_NEAREST) {
        s.texel[0] = s.texel[1] = (unsigned)floor(centre);
        return s;
    }
    const double first = fmax(floor(centre - 0.5), 0), share = fmax(centre - 0.5, 0) - first;

    s.texel[0] = (unsigned)floor(first / times);
    s.texel[1] = (unsigned)floor(fmin(first + 1, count * times - 1) / times);
    s.at[0] = 1 - share;
    s.at[1] = share;
    return s;
}

static double channel(const struct rt_picture *p, unsigned x, unsigned y, unsigned shift)
{
    return rt_pixel_rgb(p->bits + y * p->pitch + x * rt_picture_bytes(p->format), p->format) >> shift & 255;
}

static void expect_scaled(const struct rt_picture *picture, const RECT *part, enum rt_scale_filter filter,
                          const struct rt_picture *scaled)
{
    /* Weights are multiples of 1/256, and each axis rounds once. */
    const double tolerance = filter == RT_SCALE_NEAREST ? 0 : 3;

    for (unsigned y = 0; y < scaled->height; y++) {
        const struct sample v = sample_axis(filter, y, scaled->height, (unsigned)(part->bottom - part->top));

        for (unsigned x = 0; x < scaled->width; x++) {
            const struct sample u = sample_axis(filter, x, scaled->width, (unsigned)(part->right - part->left));

            for (unsigned shift = 0; shift < 24; shift += 8) {
                double want = 0;

                for (unsigned k = 0; k < 4; k++)
                    want += u.at[k & 1] * v.at[k >> 1] *
                            channel(picture, (unsigned)part->left + u.texel[k & 1],
                                    (unsigned)part->top + v.texel[k >> 1], shift);
                if (!(fabs(channel(scaled, x, y, shift) - want) <= tolerance))
                    fail_msg("filter %d, %ldx%ld to %ux%u, pixel (%u, %u): %g instead of %g", (int)filter,
                             (long)(part->right - part->left), (long)(part->bottom - part->top), scaled->width,
                             scaled->height, x, y, channel(scaled, x, y, shift), want);
            }
        }
    }
}

static void test_pictures(void **state)
{
    static uint8_t bits[MOST * MOST * 4 + 16];
    struct rt_scaler scaler = {0};

    (void)state;
    random_seed = 2;
    for (unsigned round = 0; round < ROUNDS / 10; round++) {
        const uint32_t format = formats[random_below(ARRAY_COUNT(formats))];
        struct rt_picture picture = {bits, 0, 1 + random_below(MOST), 1 + random_below(MOST), format}, scaled;
        const enum rt_scale_filter filter = (enum rt_scale_filter)random_below(3);
        const bool multiple = random_below(4) == 0;
        RECT part;

        picture.pitch = picture.width * rt_picture_bytes(format);
        for (size_t i = 0; i < sizeof(bits); i++)
            bits[i] = (uint8_t)random_below(256);
        part.left = (LONG)random_below(picture.width);
        part.top = (LONG)random_below(picture.height);
        part.right = part.left + 1 + (LONG)random_below(picture.width - (unsigned)part.left);
        part.bottom = part.top + 1 + (LONG)random_below(picture.height - (unsigned)part.top);
        const unsigned width = multiple ? 3 * (unsigned)(part.right - part.left) : 1 + random_below(2 * MOST);
        const unsigned height = multiple ? 2 * (unsigned)(part.bottom - part.top) : 1 + random_below(2 * MOST);

        assert_true(rt_scale_picture(&scaler, filter, &picture, &part, width, height, &scaled));
        assert_true(scaled.width == width && scaled.height == height && scaled.pitch == 4 * (size_t)width);
        expect_scaled(&picture, &part, filter, &scaled);
        if (multiple && filter == RT_SCALE_SHARP) /* whole multiples show whole pixels */
            for (unsigned y = 0; y < height; y++)
                for (unsigned x = 0; x < width; x++)
                    for (unsigned shift = 0; shift < 24; shift += 8)
                        assert_true(channel(&scaled, x, y, shift) ==
                                    channel(&picture, (unsigned)part.left + x / 3, (unsigned)part.top + y / 2, shift));
    }
    rt_scaler_free(&scaler);
}

/* White stays white, and so does every other colour that fills the picture. */
static void test_plain_colors(void **state)
{
    uint32_t texels[7 * 5];
    struct rt_picture picture = {(uint8_t *)texels, 28, 7, 5, D3DFMT_X8R8G8B8}, scaled;
    const RECT all = {0, 0, 7, 5};
    struct rt_scaler scaler = {0};

    (void)state;
    for (uint32_t gray = 0; gray < 256; gray++) {
        const uint32_t color = gray << 16 | (255 - gray) << 8 | 0xff;

        for (unsigned i = 0; i < ARRAY_COUNT(texels); i++)
            texels[i] = color;
        assert_true(
            rt_scale_picture(&scaler, gray & 1 ? RT_SCALE_LINEAR : RT_SCALE_SHARP, &picture, &all, 33, 19, &scaled));
        for (unsigned i = 0; i < 33 * 19; i++)
            assert_int_equal(((const uint32_t *)scaled.bits)[i], color);
    }
    assert_false(rt_scale_picture(&scaler, RT_SCALE_LINEAR, &picture, &all, 0, 19, &scaled));
    rt_scaler_free(&scaler);
}

/* From a pixel to its place and back; sizes as text. */
static void test_places_of_pixels(void **state)
{
    const RECT place = {100, 50, 740, 530}; /* 320x240 twice as large */
    SIZE size;
    POINT at;

    (void)state;
    at = rt_scale_position(&place, 320, 240, (POINT){0, 0});
    assert_int_equal(at.x, 101);
    assert_int_equal(at.y, 51);
    for (LONG x = 0; x < 320; x++) {
        at = rt_scale_pixel(&place, 320, 240, rt_scale_position(&place, 320, 240, (POINT){x, x % 240}));
        assert_int_equal(at.x, x);
        assert_int_equal(at.y, x % 240);
    }
    at = rt_scale_position(&place, 320, 240, (POINT){-1, 320});
    assert_int_equal(at.x, 99);
    assert_int_equal(at.y, 691);
    at = rt_scale_position(&(RECT){0, 0, 0, 0}, 0, 0, (POINT){5, 5});
    assert_int_equal(at.x, 0);
    assert_true(rt_scale_parse_size("2x", 320, 240, &size) && size.cx == 640 && size.cy == 480);
    assert_true(rt_scale_parse_size("1280x960", 320, 240, &size) && size.cx == 1280 && size.cy == 960);
    assert_true(rt_scale_parse_size("", 320, 240, &size) && size.cx == 320 && size.cy == 240);
    assert_false(rt_scale_parse_size("x2", 320, 240, &size) || rt_scale_parse_size("0x", 320, 240, &size) ||
                 rt_scale_parse_size("2", 320, 240, &size) || rt_scale_parse_size("2x3y", 320, 240, &size) ||
                 rt_scale_parse_size("99999x1", 320, 240, &size));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),       cmocka_unit_test(test_positions),        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_plain_colors), cmocka_unit_test(test_places_of_pixels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
