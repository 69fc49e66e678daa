/* SPDX-License-Identifier: MIT */
/* The primitives of a draw as the vertex stage has left them. */
#ifndef HALCYON_INSPECT_MESH_H
#define HALCYON_INSPECT_MESH_H

#include "inspect/pixel.h"
#include "raster/raster.h"

struct inspect_corner {
    bool missing;                      /* there is no such vertex; nothing else is set */
    bool has_window;                   /* it lies before the eye */
    float clip[4];                     /* clip space; of vertices that come transformed: x, y in pixels, z, 1/w */
    float window[4];                   /* x, y in pixels, z, 1/w */
    unsigned outside;                  /* enum hal_outcode of planes: inspect_plane_name */
    float point_size;                  /* pixels */
    float input[RASTER_MAX_INPUTS][4]; /* what the pixel program gets; components that it does not read are undefined */
};

struct inspect_primitive {
    uint32_t number;  /* in the draw, from 0; over instances and parts of patches they run on */
    unsigned corners; /* 1 to 3, the provoking one first */
    unsigned inputs;
    /* INSPECT_OUTSIDE, MISSING, CLIPPED (something may be left of it) or CULLED; WRITTEN: none of these */
    enum inspect_verdict verdict;
    unsigned planes; /* OUTSIDE: those that it lies beyond; CLIPPED: those that cut it */
    struct inspect_corner corner[3];
};

/* Gives the primitives of an action of the loaded frame, which is a draw, in order; `primitive` answers false to end that. False: see
 * the error. */
bool inspect_mesh(struct inspect *session, uint32_t action,
                  bool (*primitive)(void *user, const struct inspect_primitive *primitive), void *user,
                  struct capture_error *error);

#endif
