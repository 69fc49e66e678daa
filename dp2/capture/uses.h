/* SPDX-License-Identifier: MIT */
/*
 * Finds what the events of some frames want of surfaces that were there before: their contents, or no more than that they
 * exist. Told from the stream alone: from handles that contexts have bound when they draw, and from the surfaces that
 * other events name. In doubt contents are wanted.
 */
#ifndef HALCYON_DP2_CAPTURE_USES_H
#define HALCYON_DP2_CAPTURE_USES_H

#include "dp2/capture/capture.h"

enum capture_use {
    CAPTURE_USE_NAMED,       /* bound, announced or destroyed: it must exist */
    CAPTURE_USE_NEEDED,      /* read, or written in part: it must hold what it held */
    CAPTURE_USE_OVERWRITTEN, /* written as a whole without being read: what it held is lost */
};

struct capture_uses;

/* `use` is called for each surface of an event, in the order in which the event uses them; of several uses of a surface the
 * first that is not NAMED decides. A Flip exchanges what two surfaces hold, which the caller has to follow; both are NAMED
 * by it. Draws that use what the draw before them used may be left out. */
struct capture_uses *capture_uses_create(void (*use)(void *user, uint32_t id, enum capture_use use), void *user);
void capture_uses_destroy(struct capture_uses *uses);

/* Takes note of an event (sound, as from capture_next) before it is carried out. Uses are told between capture_uses_begin
 * and capture_uses_end only. False: out of memory. */
bool capture_uses_follow(struct capture_uses *uses, const struct capture_event *event);

/* The frames in question begin: tells which surfaces are bound now. */
void capture_uses_begin(struct capture_uses *uses);
void capture_uses_end(struct capture_uses *uses);

#endif
