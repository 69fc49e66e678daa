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

/* Where an action stands, and what is played for it. */
struct inspect_piece {
    struct inspect_action action;
    uint32_t begin;       /* of its command, bytes in the call's commands; behind it what is behind the action before */
    uint32_t end;         /* behind the command */
    uint32_t fixed;       /* bytes before the first entry */
    uint32_t first, last; /* bytes of the entry in the command, behind its header: [first, last) */
    bool whole;           /* the command is one action, and is played as it is */
};

struct inspect_frame_index {
    struct inspect_events events;
    struct inspect_piece *pieces;
    size_t count, capacity;
    uint32_t calls;
};
/* Takes note of the next event of the frame. False: no memory. */
bool inspect_index_add(struct inspect_frame_index *index, const struct capture_event *event);
void inspect_index_free(struct inspect_frame_index *index);

/*
 * A part of a DrawPrimitives2 call: from the end of action `from` (NULL: from the call's beginning) to the end of action `to`
 * (NULL: to the call's end). The result is an event of its own, whose data are to be freed; NULL: no memory.
 */
struct capture_event *inspect_part(const struct capture_event *event, const struct inspect_piece *from,
                                   const struct inspect_piece *to);

#endif
