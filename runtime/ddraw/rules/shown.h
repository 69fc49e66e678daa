/* SPDX-License-Identifier: MIT */
/*
 * The picture of a visible surface: its rows are compared with those that were shown last, and rows that differ become X8R8G8B8,
 * for the window and for the figures, screenshots and filters of runtime/common/window/.
 */
#ifndef HALCYON_DDRAW_SHOWN_H
#define HALCYON_DDRAW_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/common/window/picture.h"
#include "runtime/common/window/scale.h"

/* Can surfaces of the format (enum d3d_format) be shown? P8, R5G6B5, X1R5G5B5, A1R5G5B5, R8G8B8, X8R8G8B8 and A8R8G8B8 can. */
bool ddraw_can_show(uint32_t format);

/* `width` pixels as 0xffRRGGBB. words: the palette of P8, as ddraw_palette_words makes it; other formats ignore it. Narrow channels are
 * widened by repeating their high bits, as in rt_pixel_rgb. */
void ddraw_show_row(uint32_t *out, const uint8_t *row, unsigned width, uint32_t format, const uint32_t words[256]);

/* A surface in memory. */
struct ddraw_front {
    const uint8_t *bits;
    size_t pitch; /* bytes; not less than a row */
    unsigned width, height;
    uint32_t format;
    const uint32_t *words; /* 256 of P8; NULL: all black */
};

/* Kept from picture to picture. Begins zeroed. */
struct ddraw_shown {
    unsigned width, height;
    uint32_t format;
    size_t row_bytes;
    uint8_t *rows;    /* the surface as it was shown last, without padding */
    uint32_t *pixels; /* the picture, width * height */
    uint32_t words[256];
    bool is_valid; /* rows and pixels have been filled */
};

/* Brings the picture up to date. rect: the pixels that may have changed, NULL: any; only its rows are compared, except after changes of
 * the palette, size or format, when all are. *first, *end: the rows of the picture that changed are among first .. end - 1; both 0: none. False: out
 * of memory, or the format cannot be shown; the picture is then as before, or empty. */
bool ddraw_shown_update(struct ddraw_shown *shown, const struct ddraw_front *front, const RECT *rect, unsigned *first,
                        unsigned *end);
/* The picture; without pixels before the first update. */
struct rt_picture ddraw_shown_picture(const struct ddraw_shown *shown);
/* The picture in the size that it has in `area`, by the fit and filter that the user has set (runtime/common/window/scale.h), and its
 * place there. *scaled is the picture itself if it has that size already; else it is valid until the scaler's next use. False: nothing to
 * show, or out of memory. */
bool ddraw_shown_scaled(const struct ddraw_shown *shown, struct rt_scaler *scaler, const RECT *area, RECT *place,
                        struct rt_picture *scaled);
void ddraw_shown_free(struct ddraw_shown *shown);

#endif
