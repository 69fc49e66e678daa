/* SPDX-License-Identifier: MIT */
#include "tools/picture.h"

#include "base/output.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

bool picture_write_png(const struct player_picture *picture, const char *path, char *why, size_t why_size)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = picture->width, .height = picture->height, .format = PNG_FORMAT_RGB};
    const size_t count = (size_t)picture->width * picture->height;
    uint8_t *rgb = malloc(count * 3);
    struct output output;
    bool done = false;

    if (!rgb) {
        snprintf(why, why_size, "out of memory");
        return false;
    }
    if (!output_open(&output, path, OUTPUT_REPLACE)) {
        snprintf(why, why_size, "%s", strerror(errno));
        goto end;
    }
    for (size_t i = 0; i < count; i++) {
        rgb[3 * i] = (uint8_t)(picture->pixels[i] >> 16);
        rgb[3 * i + 1] = (uint8_t)(picture->pixels[i] >> 8);
        rgb[3 * i + 2] = (uint8_t)picture->pixels[i];
    }
    errno = 0;
    done = png_image_write_to_stdio(&image, output.file, 0, rgb, 0, NULL);
    if (!done) {
        snprintf(why, why_size, "%s", errno ? strerror(errno) : image.message);
        output_discard(&output);
    } else if (!output_commit(&output)) {
        snprintf(why, why_size, "%s", strerror(errno));
        done = false;
    }
end:
    free(rgb);
    return done;
}

uint64_t picture_hash(const struct player_picture *picture)
{
    const size_t bytes = (size_t)picture->width * picture->height * sizeof(*picture->pixels);

    return XXH3_64bits_withSeed(picture->pixels, bytes, (uint64_t)picture->height << 32 | picture->width);
}
