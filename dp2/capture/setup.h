/* SPDX-License-Identifier: MIT */
/*
 * Gathers what a capture that begins in the middle needs: the surfaces, contexts and states that the events so far have left
 * behind, as a few events that bring them back. The contents of surfaces are the caller's, which alone can read them: it writes
 * them behind the setup.
 */
#ifndef HALCYON_DP2_CAPTURE_SETUP_H
#define HALCYON_DP2_CAPTURE_SETUP_H

#include "dp2/capture/capture.h"

struct capture_setup;

struct capture_setup *capture_setup_create(void);
void capture_setup_destroy(struct capture_setup *setup);

/* Takes note of an event that happened. Only `type`, `size` and `data` are read, which must be
 * sound. False: out of memory. */
bool capture_setup_follow(struct capture_setup *setup, const struct capture_event *event);

/* Leaves out of what is written the surfaces that no event has named, unless they belong to one that was: were made with it, or
 * are attached to it. From now on they count as not there. named: asked for each surface. */
void capture_setup_keep_named(struct capture_setup *setup, bool (*named)(const void *user, uint32_t id),
                              const void *user);

/* Gives the events that bring back surfaces, contexts and states, in order. */
bool capture_setup_write(const struct capture_setup *setup,
                         bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size),
                         void *user);

/* For a file that goes on after frames that it does not have. capture_setup_mark: all surfaces that are there now are in the
 * file. capture_setup_write_changes: gives what brings the file from there to what is there now, with all contexts and their
 * states, of which none may be left in it. */
void capture_setup_mark(struct capture_setup *setup);
bool capture_setup_write_changes(const struct capture_setup *setup,
                                 bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size),
                                 void *user);

/* How to read the buffers that patches are made of (dp2/capture/patch_log.h): bytes [offset, offset + size) of the buffer that a
 * DirectDraw object calls `handle`, as it is when the event is followed. False: cannot be read. */
void capture_setup_read_with(struct capture_setup *setup,
                             bool (*read)(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size,
                                          uint8_t *out),
                             void *user);

/* Can all patches that contexts keep by handle be told again? */
bool capture_setup_has_patches(const struct capture_setup *setup);

/* The surface behind a number; NULL if it is not there (any more). Numbers are below the limit. */
const struct capture_part *capture_setup_surface(const struct capture_setup *setup, uint32_t id);
uint32_t capture_setup_limit(const struct capture_setup *setup);

#endif
