/* SPDX-License-Identifier: MIT */
/* The results of dp2 feedback for a texture's map: numbers, text, a picture. */
#ifndef HALCYON_TOOLS_VERBS_FEEDBACK_H
#define HALCYON_TOOLS_VERBS_FEEDBACK_H

#include "replay/feedback.h"

#define FEEDBACK_NEVER 255u

struct feedback_numbers {
    uint64_t resident, touched; /* bytes of texels: all, and those in regions that were sampled */
    unsigned regions, used;
    uint32_t levels; /* bit l: some region of level l was sampled */
};

struct feedback_numbers feedback_count(const struct feedback_texture *texture);
/* Regions of one level that were sampled, in all faces. */
unsigned feedback_level_used(const struct feedback_texture *texture, unsigned level);
/* The finest level sampled at texel (x, y) of level 0, in slice z of a volume; or FEEDBACK_NEVER. */
unsigned feedback_finest(const struct feedback_texture *texture, unsigned face, unsigned x, unsigned y, unsigned z);

/* The texture, faces side by side, slices in rows, tinted by the finest level of each place, with a legend below.
 * False: no memory. */
bool feedback_picture(const struct feedback_texture *texture, struct player_picture *picture);

#endif
