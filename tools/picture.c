/* SPDX-License-Identifier: MIT */
#include "tools/picture.h"

#include "base/base.h"
#include "base/output.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool picture_write(const struct player_picture *picture, bool alpha, const char *path, char *why,
                          size_t why_size)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = picture->width,
                       .height = picture->height,
                       .format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
    const size_t count = (size_t)picture->width * picture->height, bytes = alpha ? 4 : 3;
    uint8_t *pixels = malloc(count * bytes);
    struct output output;
    bool done = false;

    if (!pixels) {
        snprintf(why, why_size, "out of memory");
        return false;
    }
    if (!output_open(&output, path, OUTPUT_REPLACE)) {
        snprintf(why, why_size, "%s", strerror(errno));
        goto end;
    }
    for (size_t i = 0; i < count; i++) {
        pixels[bytes * i] = (uint8_t)(picture->pixels[i] >> 16);
        pixels[bytes * i + 1] = (uint8_t)(picture->pixels[i] >> 8);
        pixels[bytes * i + 2] = (uint8_t)picture->pixels[i];
        if (alpha)
            pixels[bytes * i + 3] = (uint8_t)(picture->pixels[i] >> 24);
    }
    errno = 0;
    done = png_image_write_to_stdio(&image, output.file, 0, pixels, 0, NULL);
    if (!done) {
        snprintf(why, why_size, "%s", errno ? strerror(errno) : image.message);
        output_discard(&output);
    } else if (!output_commit(&output)) {
        snprintf(why, why_size, "%s", strerror(errno));
        done = false;
    }
end:
    free(pixels);
    return done;
}

bool picture_write_png(const struct player_picture *picture, const char *path, char *why, size_t why_size)
{
    return picture_write(picture, false, path, why, why_size);
}

bool picture_write_png_alpha(const struct player_picture *picture, const char *path, char *why, size_t why_size)
{
    return picture_write(picture, true, path, why, why_size);
}

uint64_t picture_hash(const struct player_picture *picture)
{
    const size_t bytes = (size_t)picture->width * picture->height * sizeof(*picture->pixels);

    return XXH3_64bits_withSeed(picture->pixels, bytes, (uint64_t)picture->height << 32 | picture->width);
}

bool picture_read_png(const char *path, struct player_picture *picture, char *why, size_t why_size, bool *missing)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    bool done = false;

    *picture = (struct player_picture){0};
    *missing = !file;
    if (!file) {
        snprintf(why, why_size, "%s", strerror(errno));
        return false;
    }
    if (!png_image_begin_read_from_stdio(&image, file)) {
        snprintf(why, why_size, "%s", image.message);
        goto end;
    }
    image.format = PNG_FORMAT_BGRA;
    *picture = (struct player_picture){image.width, image.height, NULL};
    if ((uint64_t)image.width * image.height <= PTRDIFF_MAX / 4)
        picture->pixels = malloc((size_t)image.width * image.height * 4);
    done = picture->pixels && png_image_finish_read(&image, NULL, picture->pixels, 0, NULL);
    if (!done)
        snprintf(why, why_size, "%s", picture->pixels ? image.message : "out of memory");
end:
    png_image_free(&image);
    if (!done) {
        free(picture->pixels);
        picture->pixels = NULL;
    }
    if (file != stdin)
        fclose(file);
    return done;
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

/* Equal parts of a picture are shown darkly, so that one knows where one is. */
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
