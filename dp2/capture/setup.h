/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a capture that starts in the middle: the surfaces, contexts and states that exist after the events
 * so far, as a few events that recreate them. Only the caller can read the contents of surfaces, and writes them after
 * the setup.
 */
#ifndef HALCYON_DP2_CAPTURE_SETUP_H
#define HALCYON_DP2_CAPTURE_SETUP_H

#include "dp2/capture/capture.h"

struct capture_setup;

struct capture_setup *capture_setup_create(void);
void capture_setup_destroy(struct capture_setup *setup);

/* Tracks an event. Reads only `type`, `size` and `data`, which must be valid. False: out of memory. */
bool capture_setup_follow(struct capture_setup *setup, const struct capture_event *event);

/* Omits surfaces that no event has named, unless they were created with a named one or are attached to it. From now on
 * they count as destroyed. named: called for each surface. */
void capture_setup_keep_named(struct capture_setup *setup, bool (*named)(const void *user, uint32_t id),
                              const void *user);

/* Passes on the events that recreate surfaces, contexts and states, in order. */
bool capture_setup_write(const struct capture_setup *setup,
                         bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size),
                         void *user);

/* For a file that continues after frames that it does not have. capture_setup_mark: all current surfaces are in the
 * file. capture_setup_write_changes: passes on the events that lead from there to the current surfaces, and recreates
 * all contexts and their states; the file must have no contexts left. */
void capture_setup_mark(struct capture_setup *setup);
bool capture_setup_write_changes(const struct capture_setup *setup,
                                 bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size),
                                 void *user);

/* Sets the function that reads buffers with control points of patches (dp2/capture/patch_log.h): bytes [offset, offset
 * + size) of the buffer with this handle in a DirectDraw object, at the time of the event. False: cannot be read. */
void capture_setup_read_with(struct capture_setup *setup,
                             bool (*read)(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size,
                                          uint8_t *out),
                             void *user);

/* Can all patches that contexts keep by handle be recreated? */
bool capture_setup_has_patches(const struct capture_setup *setup);

/* The surface with this number; NULL if it does not exist (any more). Numbers are below the limit. */
const struct capture_part *capture_setup_surface(const struct capture_setup *setup, uint32_t id);
uint32_t capture_setup_limit(const struct capture_setup *setup);

#endif
