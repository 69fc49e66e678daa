/* SPDX-License-Identifier: MIT */
/*
 * Two captures side by side: matching frames and draws, how much their pictures differ, and from which draw on.
 */
#ifndef HALCYON_TOOLS_COMPARE_CAPTURES_H
#define HALCYON_TOOLS_COMPARE_CAPTURES_H

#include "inspect/inspect.h"
#include "inspect/state/state.h"
#include "tools/compare/align.h"
#include "replay/picture.h"
#include "tools/tool.h"

/* A frame of one capture. */
struct compare_frame {
    size_t first, count; /* its actions */
    uint64_t content;    /* a hash of all its events */
    uint64_t actions;    /* of the kinds of its actions */
};

struct compare_side {
    const char *path;
    struct capture_reader *reader;
    struct compare_frame *frames;
    size_t frame_count, frame_capacity;
    uint64_t *actions; /* a hash of each: the command or event without the surfaces that it names */
    enum inspect_kind *kinds;
    size_t action_count, action_capacity, kind_capacity;
    struct player *player;
    struct player_picture picture; /* of the frame that was played last */
    bool shown;                    /* that frame has one */
    bool said_cut;
};

struct compare_pair {
    size_t a, b;                   /* frames; ALIGN_NONE: only in the other */
    bool sizes_differ, not_shown;  /* not_shown: one of them has no picture */
    struct player_picture size[2]; /* without pixels */
    struct picture_numbers numbers;
};

struct compare {
    const struct tool_verb *verb;
    struct compare_side a, b;
    unsigned tolerance;
    struct progress progress;
    struct compare_pair *pairs; /* in order */
    size_t pair_count;
    size_t first_pair;                /* the first with different pictures; ALIGN_NONE: none */
    struct player_picture difference; /* of that pair; pixels NULL: sizes differ */
    /* the first pair of actions after which targets differ, if has_first; and the actions that only one capture has
     * since the previous pair */
    bool has_first;
    size_t first_a, first_b, since_a, since_b;
    struct picture_numbers first_numbers;
    struct inspect_state state_a, state_b;
    bool has_states;
};

/* Reads both captures and matches their frames. This and the next functions print errors and return a status. */
int compare_align(struct compare *compare);
/* Plays both, and compares the pictures of frames that match. TOOL_DIFFERENT: some differ, or frames are missing. */
int compare_pictures(struct compare *compare);
/* Finds the first draw of the first frame that differs. */
int compare_find_draw(struct compare *compare);
/* Matches the actions of a pair of frames: match[], of as many as frame a has; to be freed. NULL: no memory. */
size_t *compare_actions(const struct compare *compare, const struct compare_pair *pair);
void compare_free(struct compare *compare);

#endif
