/* SPDX-License-Identifier: MIT */
/* The states by which neighbouring draws differ. */
#ifndef HALCYON_INSPECT_CHANGES_H
#define HALCYON_INSPECT_CHANGES_H

#include "inspect/inspect.h"

#define INSPECT_MOST_CHANGES 32 /* that are named */
#define INSPECT_CHANGE_TEXT  96

struct inspect_changes {
    size_t count; /* more than INSPECT_MOST_CHANGES: the others have no text */
    char text[INSPECT_MOST_CHANGES][INSPECT_CHANGE_TEXT];
};

/* The state of the last action that was seen. NULL: out of memory. */
struct inspect_tracker;
struct inspect_tracker *inspect_tracker_create(void);
void inspect_tracker_destroy(struct inspect_tracker *tracker);
/* The next actions have another frame or place before them than those seen: nothing differs from it. */
void inspect_tracker_forget(struct inspect_tracker *tracker);

/* After an action of the session: lists what differs from the action seen before it, if both have one context: "ZENABLE=FALSE", "stage 1 COLOROP=ADD", with the value that holds now; "viewport", "scissor", "world",
 * "view", "projection", "texture matrices", "material", "clip planes", "vertex format", "streams", "indices". Textures, shaders
 * and their constants are not in it. */
void inspect_track(struct inspect_tracker *tracker, const struct inspect *session, const struct inspect_action *action,
                   struct inspect_changes *out);

#endif
