/* SPDX-License-Identifier: MIT */
/* Pictures as PNG files, by libpng. */
#include "replay/picture.h"

#include "base/base.h"
#include "base/output.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool picture_write(const struct player_picture *picture, bool alpha, const char *path, char *why,
                          size_t why_size)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = picture->width,
                       .height = picture->height,
                       .format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
    const size_t count = (size_t)picture->width * picture->height, bytes = alpha ? 4 : 3;
    uint8_t *pixels = mem_alloc(count, bytes, 0);
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
