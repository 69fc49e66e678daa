/* SPDX-License-Identifier: MIT */
/* The history of a pixel as text, for dp2 pixel and dp2 play. */
#ifndef HALCYON_TOOLS_DEBUG_PIXEL_HISTORY_H
#define HALCYON_TOOLS_DEBUG_PIXEL_HISTORY_H

#include "tools/debug/inspection.h"

/* Prints the history of a pixel in the loaded frame. surface 0: the picture that the frame shows. only: this action
 * alone, and why it did not reach the pixel; UINT32_MAX: all actions. Prints errors and returns a status. */
int pixel_print_history(const struct inspection *inspection, uint32_t surface, unsigned x, unsigned y, uint32_t only);

#endif
