/* SPDX-License-Identifier: MIT */
/* Stands in for replay/picture_png.c in the dp2 that an emulator runs: libpng is not there, and hashes suffice. */
#include "replay/picture.h"

#include <stdio.h>

static bool refuse(char *why, size_t why_size)
{
    snprintf(why, why_size, "this build has no libpng");
    return false;
}

bool picture_write_png(const struct player_picture *picture, const char *path, char *why, size_t why_size)
{
    (void)picture;
    (void)path;
    return refuse(why, why_size);
}

bool picture_write_png_alpha(const struct player_picture *picture, const char *path, char *why, size_t why_size)
{
    (void)picture;
    (void)path;
    return refuse(why, why_size);
}

bool picture_read_png(const char *path, struct player_picture *picture, char *why, size_t why_size, bool *missing)
{
    (void)path;
    (void)picture;
    *missing = false;
    return refuse(why, why_size);
}
