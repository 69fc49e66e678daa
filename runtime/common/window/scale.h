/* SPDX-License-Identifier: MIT */
/*
 * Scaling of a picture to the area in which it is shown: where in the area it is placed, and its pixels in the new
 * size. It needs no window.
 */
#ifndef HALCYON_RUNTIME_SCALE_H
#define HALCYON_RUNTIME_SCALE_H

#include "runtime/common/window/picture.h"

/* Which part of the area the picture fills; bars around it are black. */
enum rt_scale_fit {
    RT_SCALE_STRETCH, /* all of it */
    RT_SCALE_ASPECT,  /* as much as its aspect ratio allows */
    RT_SCALE_INTEGER, /* the largest whole multiple of its size; like ASPECT in areas smaller than the picture */
};

enum rt_scale_filter {
    RT_SCALE_NEAREST,
    RT_SCALE_LINEAR,
    RT_SCALE_SHARP, /* whole pixels, and blended ones between them only where an edge falls inside a pixel of the screen */
};

#define RT_SCALE_MOST 16384 /* pixels a side */

/* Reads a size: "1280x960", or a multiple such as "2x" of width x height pixels, up to RT_SCALE_MOST each way. Empty: the
 * size itself. False: the text is neither. */
bool rt_scale_parse_size(const char *text, unsigned width, unsigned height, SIZE *size);

/* HALCYON_SCALE, HALCYON_SCALE_FILTER. */
enum rt_scale_fit rt_scale_fit(void);
enum rt_scale_filter rt_scale_filter(void);

/* The centred place of a picture of width x height pixels in `area`. Empty areas and pictures: the area itself. */
RECT rt_scale_place(enum rt_scale_fit fit, unsigned width, unsigned height, const RECT *area);

/* The pixel of the picture at a position in the area, for mouse coordinates; positions outside `place` give the nearest
 * pixel. */
POINT rt_scale_pixel(const RECT *place, unsigned width, unsigned height, POINT at);

/* The reverse: the middle of where the pixel `at` of the picture is shown; pixels outside the picture, as if it had no end. */
POINT rt_scale_position(const RECT *place, unsigned width, unsigned height, POINT at);

/* Buffers that are kept from frame to frame. Begins zeroed. */
struct rt_scaler {
    uint8_t *memory;
    size_t bytes;
};

/* Scales `part` of the picture to width x height pixels of X8R8G8B8. `scaled` then describes pixels in the scaler's
 * memory, valid until its next use. False: out of memory, or a size is 0. */
bool rt_scale_picture(struct rt_scaler *scaler, enum rt_scale_filter filter, const struct rt_picture *picture,
                      const RECT *part, unsigned width, unsigned height, struct rt_picture *scaled);
void rt_scaler_free(struct rt_scaler *scaler);

#endif
