/* SPDX-License-Identifier: MIT */
/* The display modes that programs are told of: few and well-known sizes, because many programs keep them in arrays of fixed size. */
#ifndef HALCYON_DDRAW_MODE_LIST_H
#define HALCYON_DDRAW_MODE_LIST_H

#include "d3d/types.h"

struct dd_mode {
    unsigned width, height, bits; /* 8, 16 or 32 bits a pixel */
    unsigned refresh;             /* Hz */
};

#define DD_MOST_MODES 48

/* The modes by depth, then by size; their number. No size is larger than the desktop's, which is among them. */
unsigned dd_mode_list(struct dd_mode modes[DD_MOST_MODES]);
/* The mode of the desktop. */
void dd_mode_current(struct dd_mode *mode);
/* Size, pitch, pixel format and refresh rate, with their flags. */
void dd_mode_describe(const struct dd_mode *mode, DDSURFACEDESC2 *desc);
/* The format of 8, 16 or 32 bits a pixel that modes have. */
void dd_mode_format(unsigned bits, DDPIXELFORMAT *format);

#endif
