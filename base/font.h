/* SPDX-License-Identifier: MIT */
/* A font for a few words on a picture: capital letters, digits and marks, one dot a pixel. */
#ifndef HALCYON_BASE_FONT_H
#define HALCYON_BASE_FONT_H

#include <stdint.h>

#define FONT_WIDTH   5
#define FONT_HEIGHT  7
#define FONT_ADVANCE (FONT_WIDTH + 1) /* from one letter to the next */

/* FONT_HEIGHT rows from the top, bit FONT_WIDTH - 1 the leftmost dot. Lower case is shown as upper case. NULL: the
 * character has no glyph, for example a space. */
const uint8_t *font_glyph(char letter);

#endif
