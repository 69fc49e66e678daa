/* SPDX-License-Identifier: MIT */
/* The contents of the window of dp2 play: the picture in the top left corner, magnified by whole numbers, and a strip with words below. */
#ifndef HALCYON_TOOLS_PLAY_SCREEN_H
#define HALCYON_TOOLS_PLAY_SCREEN_H

#include "replay/player.h"

#include <stdbool.h>
#include <stdint.h>

struct play_layout {
    unsigned width, height; /* of the window, pixels */
    unsigned strip;         /* height of the strip */
    unsigned letter;        /* pixels of a dot of a letter */
    unsigned in, out;       /* pixels of the window a pixel of the picture, and the other way round; one of them is 1 */
};

/* The layout of a window of that size: the picture as large as it fits. */
struct play_layout play_layout_in(unsigned width, unsigned height, const struct player_picture *picture);
/* The size of a window for the picture at a magnification; 0: a convenient size. */
void play_layout_size(const struct player_picture *picture, unsigned in, unsigned *width, unsigned *height);
/* The pixel of the picture at a place in the window. False: there is none. */
bool play_layout_pixel(const struct play_layout *layout, const struct player_picture *picture, int x, int y,
                       unsigned *pixel_x, unsigned *pixel_y);
/* Is the place on the bar? *share: how far along it, 0..1. */
bool play_layout_bar(const struct play_layout *layout, int x, int y, double *share);

struct play_words {
    const char *line[2];           /* of the strip */
    double share;                  /* of the bar */
    const char *const (*table)[2]; /* over the picture: two columns; NULL: none */
    unsigned rows;
};

/* 0x00RRGGBB, layout->width * layout->height of them. */
void play_screen_draw(uint32_t *pixels, const struct play_layout *layout, const struct player_picture *picture,
                      const struct play_words *words);

#endif
