/* SPDX-License-Identifier: MIT */
/* Heat maps of dp2 feedback. */
#ifndef HALCYON_TOOLS_PLAYBACK_FEEDBACK_PICTURE_H
#define HALCYON_TOOLS_PLAYBACK_FEEDBACK_PICTURE_H

#include "replay/feedback.h"

/* The texture, faces side by side, slices in rows, tinted by the finest level of each place, with a legend below.
 * False: no memory. */
bool feedback_picture(const struct feedback_texture *texture, struct player_picture *picture);

#endif
