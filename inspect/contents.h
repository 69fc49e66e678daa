/* SPDX-License-Identifier: MIT */
/* Saves and restores the contents of surfaces. */
#ifndef HALCYON_INSPECT_CONTENTS_H
#define HALCYON_INSPECT_CONTENTS_H

#include "replay/player.h"

struct inspect_surface_bytes {
    uint32_t id;
    uint8_t *data; /* as a Lock shows it; of multisampled surfaces: the samples, plane by plane */
    size_t bytes;
    bool samples;
};

struct inspect_contents {
    struct inspect_surface_bytes *list; /* by ascending number */
    size_t count, capacity;
    size_t bytes;
};

/* Saves all surfaces of the player, or those that differ from `base` (NULL: all). Returns false if out of memory. */
bool inspect_contents_save(struct inspect_contents *contents, struct player *player,
                           const struct inspect_contents *base);
/* Writes them back, except for those in `except` (may be NULL). Surfaces that no longer exist are skipped. */
void inspect_contents_restore(const struct inspect_contents *contents, struct player *player,
                              const struct inspect_contents *except);
void inspect_contents_free(struct inspect_contents *contents);

#endif
