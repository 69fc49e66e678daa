/* SPDX-License-Identifier: MIT */
/* The table of dp2 pixel, for dp2 play too. */
#ifndef HALCYON_TOOLS_VERBS_PIXEL_H
#define HALCYON_TOOLS_VERBS_PIXEL_H

#include "tools/inspect/inspect.h"

/* Prints the history of a pixel in a frame, which it loads. surface 0: the picture that the frame shows. Prints
 * errors and returns a status. */
int pixel_print_history(const struct inspection *inspection, uint32_t frame, uint32_t surface, unsigned x, unsigned y);

#endif
