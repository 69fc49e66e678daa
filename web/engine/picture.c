/* SPDX-License-Identifier: MIT */
/* Pictures that verbs write: the answer contains them as pixels, not as PNG files. */
#include "replay/picture.h"

#include "web/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>

static bool answer(const struct player_picture *picture, bool alpha, const char *path, char *why, size_t why_size)
{
    const size_t count = (size_t)picture->width * picture->height;
    uint8_t *pixels = malloc(4 * count + 1);

    if (!pixels) {
        snprintf(why, why_size, "out of memory");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pixels[4 * i] = (uint8_t)(picture->pixels[i] >> 16);
        pixels[4 * i + 1] = (uint8_t)(picture->pixels[i] >> 8);
        pixels[4 * i + 2] = (uint8_t)picture->pixels[i];
        pixels[4 * i + 3] = alpha ? (uint8_t)(picture->pixels[i] >> 24) : 255;
    }
    web_answer_picture(path, picture->width, picture->height, pixels);
    free(pixels);
    return true;
}

bool picture_write_png(const struct player_picture *picture, const char *path, char *why, size_t why_size)
{
    return answer(picture, false, path, why, why_size);
}

bool picture_write_png_alpha(const struct player_picture *picture, const char *path, char *why, size_t why_size)
{
    return answer(picture, true, path, why, why_size);
}

bool picture_read_png(const char *path, struct player_picture *picture, char *why, size_t why_size, bool *missing)
{
    (void)path;
    *picture = (struct player_picture){0};
    *missing = false;
    snprintf(why, why_size, "PNG files cannot be read here");
    return false;
}
