/* SPDX-License-Identifier: MIT */
/* The events of a frame in memory, and the actions among them. */
#ifndef HALCYON_INSPECT_FRAME_H
#define HALCYON_INSPECT_FRAME_H

#include "inspect/inspect.h"

/* Events that are kept: a copy of each. */
struct inspect_events {
    struct capture_event *list; /* whose data are owned */
    size_t count, capacity;
    size_t bytes;
};
/* False: no memory. */
bool inspect_events_add(struct inspect_events *events, const struct capture_event *event);
void inspect_events_free(struct inspect_events *events);

/* The place of an action in the stream, and the bytes that are played for it. */
struct inspect_piece {
    struct inspect_action action;
    uint32_t begin;       /* of its command, bytes in the call's commands */
    uint32_t end;         /* end of the command */
    uint32_t fixed;       /* bytes before the first entry */
    uint32_t first, last; /* bytes of the entry in the command, after its header: [first, last) */
    bool whole;           /* the command is one action, and is played unchanged */
};

struct inspect_frame_index {
    struct inspect_events events;
    struct inspect_piece *pieces;
    size_t count, capacity;
    uint32_t calls;
};
/* Does a command do something to pixels, and what? False: it only sets states. */
struct dp2_token_info;
bool inspect_token_kind(const struct dp2_token_info *info, enum inspect_kind *kind);

/* Adds the next event of the frame. Returns false if out of memory. */
bool inspect_index_add(struct inspect_frame_index *index, const struct capture_event *event);
void inspect_index_free(struct inspect_frame_index *index);

/*
 * A part of a DrawPrimitives2 call: from the end of action `from` (NULL: from the call's beginning) to the end of
 * action `to` (NULL: to the call's end). The result is a separate event whose data the caller frees; NULL: out of
 * memory.
 */
struct capture_event *inspect_part(const struct capture_event *event, const struct inspect_piece *from,
                                   const struct inspect_piece *to);

#endif
