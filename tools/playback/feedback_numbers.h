/* SPDX-License-Identifier: MIT */
/* Numbers of dp2 feedback, from the map of a texture. */
#ifndef HALCYON_TOOLS_PLAYBACK_FEEDBACK_NUMBERS_H
#define HALCYON_TOOLS_PLAYBACK_FEEDBACK_NUMBERS_H

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

#endif
