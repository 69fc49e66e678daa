/* SPDX-License-Identifier: MIT */
/*
 * Pictures as files and as numbers.
 */
#ifndef HALCYON_TOOLS_PICTURE_H
#define HALCYON_TOOLS_PICTURE_H

#include "tools/player/player.h"

/* 24-bit RGB: what a screen shows has no alpha. "-" is standard output; a file is written whole or not at all. False with the
 * system's or libpng's reason in `why`. */
bool picture_write_png(const struct player_picture *picture, const char *path, char *why, size_t why_size);
/* XXH3, 64 bits, of the pixels (B, G, R, A bytes, rows from the top); seed: width in the low 32 bits, height in the high ones. */
uint64_t picture_hash(const struct player_picture *picture);

#endif
