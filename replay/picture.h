/* SPDX-License-Identifier: MIT */
/*
 * Pictures as files and as numbers.
 */
#ifndef HALCYON_REPLAY_PICTURE_H
#define HALCYON_REPLAY_PICTURE_H

#include "replay/player.h"

/* 24-bit RGB: the picture on a screen has no alpha. "-" is standard output; a file is written completely or not at
 * all. False with the system's or libpng's reason in `why`. */
bool picture_write_png(const struct player_picture *picture, const char *path, char *why, size_t why_size);
/* The same with alpha, 32 bits. */
bool picture_write_png_alpha(const struct player_picture *picture, const char *path, char *why, size_t why_size);
/* XXH3, 64 bits, of the pixels (B, G, R, A bytes, rows from the top); seed: width in the low 32 bits, height in the high ones. */
uint64_t picture_hash(const struct player_picture *picture);
/* A PNG of any kind as 0xAARRGGBB. False with the reason in `why`; *missing is set if the file does not exist or
 * cannot be read. */
bool picture_read_png(const char *path, struct player_picture *picture, char *why, size_t why_size, bool *missing);

/* Makes the picture at most `width` pixels wide (at least 1), each pixel the mean of those that it stands for, opaque. False: out of
 * memory, and the picture stays. */
bool picture_shrink(struct player_picture *picture, unsigned width);

/* How much two pictures of one size differ. A channel is red, green, blue or alpha, 0 to 255. */
struct picture_numbers {
    uint64_t pixels, different;        /* different: those with a channel that differs by more than the tolerance */
    unsigned largest;                  /* difference of a channel */
    double mean, rms;                  /* difference of red, green and blue, over all pixels; root of the mean square */
    unsigned left, top, right, bottom; /* box around the different pixels; all 0: there are none */
};
struct picture_numbers picture_compare(const struct player_picture *a, const struct player_picture *b,
                                       unsigned tolerance);
/* Turns a into the picture of the difference: dark grey where both are equal, elsewhere the amplified difference of
 * the colours. */
void picture_difference(struct player_picture *a, const struct player_picture *b, unsigned tolerance);

#endif
