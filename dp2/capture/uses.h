/* SPDX-License-Identifier: MIT */
/*
 * Finds out what the events of some frames need from surfaces that existed before: their contents, or only their
 * existence. It is derived only from the stream: from handles that contexts have bound when they draw, and from the
 * surfaces that other events name. In doubt contents are needed.
 */
#ifndef HALCYON_DP2_CAPTURE_USES_H
#define HALCYON_DP2_CAPTURE_USES_H

#include "dp2/capture/capture.h"

enum capture_use {
    CAPTURE_USE_NAMED,       /* bound, announced or destroyed: it must exist */
    CAPTURE_USE_NEEDED,      /* read, or written in part: needs its previous contents */
    CAPTURE_USE_OVERWRITTEN, /* written completely without being read: its previous contents are lost */
};

struct capture_uses;

/* `use` is called for each surface of an event, in the order in which the event uses them; if a surface has several
 * uses, the first that is not NAMED decides. A Flip exchanges the contents of two surfaces, which the caller must
 * track; both are NAMED by it. Draws that use the same surfaces as the draw before them may be omitted. */
struct capture_uses *capture_uses_create(void (*use)(void *user, uint32_t id, enum capture_use use), void *user);
void capture_uses_destroy(struct capture_uses *uses);

/* Tracks an event (valid, as from capture_next) before it is executed. `use` is called only between capture_uses_begin
 * and capture_uses_end. False: out of memory. */
bool capture_uses_follow(struct capture_uses *uses, const struct capture_event *event);

/* The frames in question begin: reports the surfaces that are bound now. */
void capture_uses_begin(struct capture_uses *uses);
void capture_uses_end(struct capture_uses *uses);

#endif
