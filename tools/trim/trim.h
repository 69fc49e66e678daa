/* SPDX-License-Identifier: MIT */
/*
 * Parts of dp2 trim: which surfaces the frames that are kept need, and the contents that these surfaces have before the first of them.
 */
#ifndef HALCYON_TOOLS_TRIM_H
#define HALCYON_TOOLS_TRIM_H

#include "dp2/capture/capture.h"
#include "dp2/capture/setup.h"
#include "replay/player.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much of a surface is needed: nothing, its existence, its existence without its contents, its contents. */
enum trim_wanted { TRIM_NOT, TRIM_NAME, TRIM_SHELL, TRIM_CONTENTS };

struct trim_surface {
    uint8_t what;   /* enum trim_wanted */
    bool flips;     /* part of a flip chain */
    uint32_t next;  /* after it in the chain; 0: none */
    uint32_t holds; /* the surface whose earlier contents it currently holds */
};

struct trim_uses {
    struct trim_surface *list; /* by id */
    uint32_t limit;
    bool is_incomplete; /* memory was short */
};

/* Reads the capture from its beginning to frame `last`, and finds what the frames from `first` on need of each surface. Damage is left to
 * the reading that copies the frames. False: out of memory. */
bool trim_uses_find(struct trim_uses *uses, struct capture_reader *reader, uint32_t first, uint32_t last);
void trim_uses_free(struct trim_uses *uses);
enum trim_wanted trim_wanted_of(const struct trim_uses *uses, uint32_t id);
/* For capture_setup_keep_named; user: a trim_uses. */
bool trim_is_named(const void *user, uint32_t id);

/* Where contents come from and go to. */
struct trim_target {
    struct capture_writer *writer;
    struct player *player; /* which has played everything before the frames */
    const struct capture_setup *setup;
    const struct trim_uses *uses;
};

/* Writes the contents of all surfaces that need them. False: out of memory, or the capture cannot be written. */
bool trim_write_contents(const struct trim_target *target);
/* A buffer as it is now, for capture_setup_read_with; user: the player. */
bool trim_read_buffer(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size, uint8_t *out);

#endif
