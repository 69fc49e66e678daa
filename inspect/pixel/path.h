/* SPDX-License-Identifier: MIT */
/* The surfaces that hold a pixel, action by action: flips move memory between surfaces. */
#ifndef HALCYON_INSPECT_PIXEL_PATH_H
#define HALCYON_INSPECT_PIXEL_PATH_H

#include "d3d/directdraw.h"
#include "inspect/inspect.h"
#include "inspect/moves.h"

/* A flip chain, and the surface asked for if it is not in the chain. */
#define PIXEL_MOST_HOLDERS (DDI_MAX_BACK_BUFFERS + 2)

/* Between two flips. */
struct pixel_span {
    uint32_t first; /* action of the frame */
    unsigned count; /* 1 or more */
    /* First the surface asked for, or of the frame's picture the surface that holds it then; then those whose memory
     * comes to it by a later flip. */
    uint32_t surface[PIXEL_MOST_HOLDERS];
};

struct pixel_path {
    const struct inspect_moves *moves;
    struct pixel_span *spans; /* by ascending `first`, which is 0 in spans[0] */
    size_t count;
    unsigned x, y; /* in the surfaces */
};

/* surface 0: the picture that the loaded frame shows; x and y are then those of the picture. False: see the error. */
bool pixel_path_find(struct inspect *session, uint32_t surface, unsigned x, unsigned y, struct pixel_path *path,
                     struct capture_error *error);
void pixel_path_free(struct pixel_path *path);

/* The surfaces before an action; after the last one with the number of actions. */
const struct pixel_span *pixel_path_at(const struct pixel_path *path, size_t action);
/* The surface whose memory the action, a flip, has given to `surface`; 0: it has not moved. */
uint32_t pixel_path_from(const struct pixel_path *path, size_t action, uint32_t surface);

#endif
