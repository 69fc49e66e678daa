/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback for a replay: the player pairs a map with every texture that the capture announces, and reports at
 * the end which regions of which levels were sampled. It does not change any pixel.
 */
#ifndef HALCYON_REPLAY_FEEDBACK_H
#define HALCYON_REPLAY_FEEDBACK_H

#include "raster/format/format.h"
#include "replay/player.h"

#define FEEDBACK_MAX_LEVELS 16

struct feedback_level {
    unsigned width, height; /* texels */
    unsigned columns, rows; /* regions */
    unsigned slices;        /* of a volume, each with regions of its own; else 1 */
    uint8_t *used[6];       /* by face: slices * rows * columns, 0 or 0xff; NULL: nothing is known */
};

/* A map of one texture, and the last picture of the texture itself. */
struct feedback_texture {
    struct feedback_texture *next;
    uint32_t id, handle; /* surface of the capture, and its handle in streams */
    enum raster_format format;
    unsigned levels, faces;
    bool is_volume;
    unsigned region_width, region_height; /* texels */
    bool system_memory;                   /* never sampled, as a rule: managed textures are copied from it */
    const char *untracked;                /* why there is no map; NULL: there is one */
    struct feedback_level level[FEEDBACK_MAX_LEVELS];
    uint32_t *texels[6]; /* last contents of level 0 of each face, slice after slice, 0xAARRGGBB; NULL: no picture */
};

/* Before the first event: textures that are announced from now on get maps. */
void player_attach_feedback(struct player *player);
/* Forgets the samples so far, and destroyed textures. */
void player_clear_feedback(struct player *player);
/* Textures in the order of the capture, including destroyed ones. Belongs to the player. */
const struct feedback_texture *player_read_feedback(struct player *player);

#endif
