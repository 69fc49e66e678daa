/* SPDX-License-Identifier: MIT */
/*
 * Declares the loop of the verbs that play a capture from its beginning.
 */
#ifndef HALCYON_TOOLS_PLAYBACK_PLAYBACK_H
#define HALCYON_TOOLS_PLAYBACK_PLAYBACK_H

#include "replay/player.h"
#include "tools/tool.h"

struct playback {
    const struct tool_verb *verb;
    const char *path;
    const struct frame_range *range;
    struct progress *progress;
    /* Called after a frame has been played; returns a status; TOOL_ERROR ends the work. */
    int (*end_frame)(void *user, struct player *player, const struct capture_frame *frame);
    void *user;
};

/* Plays all events up to the end, or to the last frame of the range. Returns a status, the highest of all. *damaged: the capture
 * could not be read or played to its end. */
int playback_run(const struct playback *play, struct capture_reader *reader, struct player *player, bool *damaged);

#endif
