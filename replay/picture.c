/* SPDX-License-Identifier: MIT */
/* Pictures as numbers: hashes, differences; smaller pictures. */
#include "replay/picture.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

uint64_t picture_hash(const struct player_picture *picture)
{
    const size_t bytes = (size_t)picture->width * picture->height * sizeof(*picture->pixels);

    return XXH3_64bits_withSeed(picture->pixels, bytes, (uint64_t)picture->height << 32 | picture->width);
}

/* The mean of the pixels that one pixel of a smaller picture represents. */
static uint32_t picture_mean(const struct player_picture *picture, unsigned left, unsigned top, unsigned right,
                             unsigned bottom)
{
    const uint64_t count = (uint64_t)(right - left) * (bottom - top);
    uint64_t sum[3] = {0};

    for (unsigned y = top; y < bottom; y++)
        for (unsigned x = left; x < right; x++)
            for (unsigned c = 0; c < 3; c++)
                sum[c] += picture->pixels[(size_t)y * picture->width + x] >> 8 * c & 255;
    return 0xff000000u | (uint32_t)(sum[2] / count << 16 | sum[1] / count << 8 | sum[0] / count);
}

bool picture_shrink(struct player_picture *picture, unsigned width)
{
    struct player_picture narrow = {.width = width};

    if (width >= picture->width)
        return true;
    narrow.height = BASE_MAX((unsigned)((uint64_t)picture->height * width / picture->width), 1u);
    narrow.pixels = mem_alloc((size_t)width * narrow.height, sizeof(*narrow.pixels), 0);
    if (!narrow.pixels)
        return false;
    for (unsigned y = 0; y < narrow.height; y++)
        for (unsigned x = 0; x < width; x++)
            narrow.pixels[(size_t)y * width + x] =
                picture_mean(picture, (unsigned)((uint64_t)x * picture->width / width),
                             (unsigned)((uint64_t)y * picture->height / narrow.height),
                             (unsigned)((uint64_t)(x + 1) * picture->width / width),
                             (unsigned)((uint64_t)(y + 1) * picture->height / narrow.height));
    free(picture->pixels);
    *picture = narrow;
    return true;
}

static unsigned picture_distance(uint32_t a, uint32_t b, unsigned shift)
{
    return (unsigned)abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
}

static unsigned picture_largest(uint32_t a, uint32_t b)
{
    unsigned largest = 0;

    for (unsigned shift = 0; a != b && shift < 32; shift += 8)
        largest = BASE_MAX(largest, picture_distance(a, b, shift));
    return largest;
}

struct picture_numbers picture_compare(const struct player_picture *a, const struct player_picture *b,
                                       unsigned tolerance)
{
    struct picture_numbers numbers = {.pixels = (uint64_t)a->width * a->height, .left = a->width, .top = a->height};
    uint64_t sum = 0, squares = 0;

    for (size_t i = 0; i < numbers.pixels; i++) {
        const unsigned largest = picture_largest(a->pixels[i], b->pixels[i]);
        const unsigned x = (unsigned)(i % a->width), y = (unsigned)(i / a->width);

        numbers.largest = BASE_MAX(numbers.largest, largest);
        for (unsigned shift = 0; largest && shift < 24; shift += 8) {
            const uint64_t distance = picture_distance(a->pixels[i], b->pixels[i], shift);

            sum += distance;
            squares += distance * distance;
        }
        if (largest <= tolerance)
            continue;
        numbers.different++;
        numbers.left = BASE_MIN(numbers.left, x);
        numbers.top = BASE_MIN(numbers.top, y);
        numbers.right = BASE_MAX(numbers.right, x + 1);
        numbers.bottom = BASE_MAX(numbers.bottom, y + 1);
    }
    if (!numbers.different)
        numbers.left = numbers.top = 0;
    if (numbers.pixels) {
        numbers.mean = (double)sum / (3.0 * (double)numbers.pixels);
        numbers.rms = sqrt((double)squares / (3.0 * (double)numbers.pixels));
    }
    return numbers;
}

static uint32_t picture_amplified(uint32_t a, uint32_t b)
{
    uint32_t result = 0xff000000u;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        const unsigned distance = picture_distance(a, b, shift);
        result |= (uint32_t)(distance ? BASE_MIN(255, 64 + 4 * distance) : 0) << shift;
    }
    return result;
}

/* Equal parts of the picture are shown dark, for orientation. */
static uint32_t picture_darkened(uint32_t pixel)
{
    const uint32_t grey = ((pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255)) / 12;

    return 0xff000000u | grey << 16 | grey << 8 | grey;
}

void picture_difference(struct player_picture *a, const struct player_picture *b, unsigned tolerance)
{
    for (size_t i = 0; i < (size_t)a->width * a->height; i++)
        a->pixels[i] = picture_largest(a->pixels[i], b->pixels[i]) > tolerance
                           ? picture_amplified(a->pixels[i], b->pixels[i])
                           : picture_darkened(a->pixels[i]);
}
