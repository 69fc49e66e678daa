/* SPDX-License-Identifier: MIT */
/*
 * A capture in memory, as items that may be removed: frames, events, commands of DrawPrimitives2 calls, entries of
 * commands, and ranges of primitives, vertices and bytes. model_write gives the rest as events again.
 *
 * The rest is consistent: everything that refers to a removed surface, context, shader or query is removed with it,
 * down to the entry of a command or the name in an announcement; counts, lengths and numbers of frames are recomputed.
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

/* The kept range of a row of members: primitives, vertices, rows. */
struct model_range {
    uint32_t begin, end, all; /* [begin, end) of `all` */
};

struct model_entry {
    uint32_t offset, size; /* bytes in the command's body, with trailing data */
    uint32_t makes;        /* a thing, or MODEL_NONE */
    struct model_needs needs;
    struct model_range primitives; /* all 0: it does not draw, or does not give a count */
    uint8_t kept;
};

struct model_command {
    struct dp2_command head;           /* info NULL: the rest cannot be read, and stays unchanged */
    uint32_t size;                     /* of the body */
    uint32_t first_entry, entry_count; /* none: it is kept or removed as a whole */
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
    uint8_t *present;          /* of each thing: model_write has written its creation */
    uint32_t *made_by_surface; /* the thing that a surface belongs to, by its id */
    uint8_t *frames;           /* kept, of each frame; one more for the events after the last */
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
    MODEL_CUT, /* the capture ends in the middle; the events before that are there */
    MODEL_BAD, /* likewise, because the rest cannot be read */
    MODEL_TOO_LARGE,
    MODEL_NO_MEMORY,
};

/* Reads the events up to the end of a frame (UINT32_MAX: of the capture); the error belongs to MODEL_CUT and MODEL_BAD. */
enum model_status model_read(struct model *model, struct capture_reader *reader, uint32_t last,
                             struct capture_error *error);
void model_free(struct model *model);

/* Gives the remaining events, in order. Returns false if out of memory, if `write` has returned false, or if the
 * pinned frame has been removed. */
bool model_write(struct model *model, bool (*write)(void *user, const struct capture_event *event), void *user);
/* Marks as removed the items that model_write omits because they refer to removed things: the result is the same. */
void model_prune(struct model *model);
/* Counts what model_write would give. */
bool model_count(struct model *model, struct model_counts *counts);
/* A hash of the kept items. */
uint64_t model_key(const struct model *model);
/* The front of a draw can be removed in multiples of so many primitives; 0: it cannot. head: of its entry, NULL: the
 * command is counted in its header. */
uint32_t model_front_step(const struct dp2_command *command, const uint8_t *head);

#endif
