/* SPDX-License-Identifier: MIT */
/*
 * Blits that are cut by a clip list, stretched or mirrored: which texel of the source each pixel of the destination gets, in
 * exact integers, and which pieces of a blit are blits of their own. A pixel whose centre is at (i + 1/2) / n of the destination
 * rectangle gets the texel at the same place of the source rectangle, which is what the driver does as well.
 */
#ifndef HALCYON_DDRAW_CLIP_H
#define HALCYON_DDRAW_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3d/types.h"
#include "runtime/ddraw/rules/blit.h"

/* One axis of a blit: texels first .. first + count - 1 on pixels begin .. begin + size - 1. */
struct ddraw_axis {
    LONG begin, first;
    ULONG size, count; /* not 0, below 2^31 */
    bool is_mirrored;
};

/* The axes of a copy whose rectangles are good. */
struct ddraw_axis ddraw_axis_x(const struct ddraw_blit_plan *plan);
struct ddraw_axis ddraw_axis_y(const struct ddraw_blit_plan *plan);
/* The texel of pixel `at`, which lies on the axis. */
LONG ddraw_axis_texel(const struct ddraw_axis *axis, LONG at);
/* A piece begin .. end - 1 of the axis as a blit of its own. False: no blit of whole texels gives the piece the same ones. */
bool ddraw_axis_piece(const struct ddraw_axis *axis, LONG begin, LONG end, struct ddraw_axis *piece);

/* The part of a blit inside one rectangle of a clip list. */
struct ddraw_piece {
    RECT destination, source;
    bool is_exact; /* a blit of these two rectangles, with the same mirror; else source is that of the whole blit */
};

/* The part of the plan's destination that lies in `clip`, a rectangle of the list. False: nothing. */
bool ddraw_clip(const struct ddraw_blit_plan *plan, const RECT *clip, struct ddraw_piece *piece);

/* Pixels of a surface in memory; bits of its first pixel. */
struct ddraw_pixels {
    uint8_t *bits;
    size_t pitch;
    unsigned bytes; /* of a pixel: 1 to 4 */
};

/* Copies the pixels of `destination`, a part of the plan's rectangle, by the plan's axes, mirrors and keys. Both surfaces have the same
 * format and do not overlap; callers copy the source first if they are one. */
void ddraw_copy_pixels(const struct ddraw_blit_plan *plan, const RECT *destination, const struct ddraw_pixels *to,
                       const struct ddraw_pixels *from);

#endif
