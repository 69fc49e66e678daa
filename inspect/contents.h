/* SPDX-License-Identifier: MIT */
/* What surfaces hold, kept and put back. */
#ifndef HALCYON_INSPECT_CONTENTS_H
#define HALCYON_INSPECT_CONTENTS_H

#include "tools/player/player.h"

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

/* Keeps all surfaces of the player, or those that are not as in `base` (NULL: all). False: no memory. */
bool inspect_contents_save(struct inspect_contents *contents, struct player *player,
                           const struct inspect_contents *base);
/* Writes them back; `except` (may be NULL): but not those that it has. Surfaces that are not there any more are left out. */
void inspect_contents_restore(const struct inspect_contents *contents, struct player *player,
                              const struct inspect_contents *except);
void inspect_contents_free(struct inspect_contents *contents);

#endif
