/* SPDX-License-Identifier: MIT */
/*
 * A capture in memory, as items that may be left out: frames, events, commands of DrawPrimitives2 calls, entries of commands, and
 * ranges of primitives, vertices and bytes. model_write gives what is left as events again.
 *
 * What is left is whole: with a surface, a context, a shader or a query goes what names it, down to the entry of a command or the
 * name in an announcement; counts, lengths and numbers of frames are made anew.
 */
#ifndef HALCYON_TOOLS_MINIMISE_MODEL_H
#define HALCYON_TOOLS_MINIMISE_MODEL_H

#include "dp2/capture/capture.h"
#include "dp2/dp2.h"

/* Things that are made by one item and named by others: surfaces (all of an event), contexts, shaders, declarations, queries. */
#define MODEL_NONE UINT32_MAX

struct model_needs {
    uint32_t first, count; /* in model->needs */
};

/* What of a row of members is kept: primitives, vertices, rows. */
struct model_range {
    uint32_t begin, end, all; /* [begin, end) of `all` */
};

struct model_entry {
    uint32_t offset, size; /* bytes in the command's body, with what trails it */
    uint32_t makes;        /* a thing, or MODEL_NONE */
    struct model_needs needs;
    struct model_range primitives; /* all 0: it does not draw, or does not say how many */
    uint8_t kept;
};

struct model_command {
    struct dp2_command head;           /* info NULL: what follows cannot be read, and stays as it is */
    uint32_t size;                     /* of the body */
    uint32_t first_entry, entry_count; /* none: it is kept or left out as a whole */
    struct model_range primitives;     /* of commands that are counted in their header */
    uint8_t kept;
};

struct model_event {
    struct capture_event event; /* its data are the model's */
    uint32_t first_command, command_count;
    uint32_t makes;
    struct model_needs needs;
    struct model_range memory;   /* slices, rows or DWORDs of a memory event */
    struct model_range vertices; /* of a draw */
    uint8_t kept;
};

struct model {
    struct model_event *events;
    struct model_command *commands;
    struct model_entry *entries;
    uint32_t *needs;           /* things */
    uint8_t *present;          /* of each thing: model_write has written what makes it */
    uint32_t *made_by_surface; /* the thing that a surface belongs to, by its id */
    uint8_t *frames;           /* kept, of each frame; one more for what is behind the last */
    size_t event_count, command_count, entry_count, need_count, thing_count;
    uint32_t surface_limit, frame_count;
    uint64_t bytes;
    /* The frame event that must stay; NULL: none. Without it model_write answers false. */
    const struct model_event *pinned;
};

struct model_counts {
    uint32_t frames, events, surfaces, calls;
    uint64_t commands, entries, primitives;
    uint64_t bytes; /* of events, unpacked */
};

enum model_status {
    MODEL_OK,
    MODEL_CUT, /* the capture ends in the middle: it is there so far */
    MODEL_BAD, /* likewise, as it cannot be read on */
    MODEL_TOO_LARGE,
    MODEL_NO_MEMORY,
};

/* Reads the events up to the end of a frame (UINT32_MAX: of the capture); the error belongs to MODEL_CUT and MODEL_BAD. */
enum model_status model_read(struct model *model, struct capture_reader *reader, uint32_t last,
                             struct capture_error *error);
void model_free(struct model *model);

/* Gives what is left, in order. False: no memory, `write` has answered false, or the pinned frame is not there any more. */
bool model_write(struct model *model, bool (*write)(void *user, const struct capture_event *event), void *user);
/* Leaves out what model_write does not give, since what it names has gone: the result is the same. */
void model_prune(struct model *model);
/* Counts what model_write would give. */
bool model_count(struct model *model, struct model_counts *counts);
/* A hash of what is kept. */
uint64_t model_key(const struct model *model);
/* Primitives in whose multiples the front of a draw can be left out; 0: it cannot. head: of its entry, NULL: the command is counted in
 * its header. */
uint32_t model_front_step(const struct dp2_command *command, const uint8_t *head);

#endif
