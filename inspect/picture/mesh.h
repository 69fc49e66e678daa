/* SPDX-License-Identifier: MIT */
/* The primitives of a draw: their vertices as the streams hold them, and as the vertex stage has left them. */
#ifndef HALCYON_INSPECT_MESH_H
#define HALCYON_INSPECT_MESH_H

#include "inspect/state/elements.h"
#include "inspect/pixel/pixel.h"
#include "raster/raster.h"

/* How the vertices of a draw come. */
struct inspect_format {
    bool indexed;
    bool transformed; /* positions are x, y in pixels, z, 1/w */
    bool tessellated; /* vertices are those that the tessellator has made of a patch, and so are their numbers */
    unsigned count;
    struct inspect_element element[INSPECT_MAX_ELEMENTS];
};

struct inspect_corner {
    uint32_t index;            /* of indexed draws: what the index buffer holds */
    int64_t vertex;            /* number of the vertex in its streams: the index, and what the draw adds to it */
    bool missing;              /* its index, or some of what its streams should hold, is not there and was read as 0 */
    const float (*fetched)[4]; /* by element of the format; what its type lacks is 0, 0, 0, 1 */
    bool has_window;           /* it lies before the eye */
    float clip[4];             /* clip space; of vertices that come transformed: x, y in pixels, z, 1/w */
    float window[4];           /* x, y in pixels, z, 1/w */
    unsigned outside;          /* enum hal_outcode of planes: inspect_plane_name */
    float point_size;          /* pixels */
    float input[RASTER_MAX_INPUTS][4]; /* what the pixel program gets; components that it does not read are undefined */
};

struct inspect_primitive {
    const struct inspect_format *format;
    uint32_t part;    /* which instance, or part of a patch */
    uint32_t number;  /* in the draw, from 0; over instances and parts of patches they run on */
    unsigned corners; /* 1 to 3, the provoking one first */
    unsigned inputs;
    /* INSPECT_OUTSIDE, MISSING, NO_DATA (and for that no area), NO_AREA, CLIPPED (something may be left of it) or CULLED;
     * WRITTEN: none of these */
    enum inspect_verdict verdict;
    unsigned planes; /* OUTSIDE: those that it lies beyond; CLIPPED: those that cut it */
    struct inspect_corner corner[3];
};

/* Gives the primitives of an action of the loaded frame, which is a draw, in order; what they point to holds during the call.
 * `primitive` answers false to end that. *lacks (may be NULL): what the draw lacks, or why it has no primitives. False: see the error. */
bool inspect_mesh(struct inspect *session, uint32_t action,
                  bool (*primitive)(void *user, const struct inspect_primitive *primitive), void *user,
                  struct inspect_lacks *lacks, struct capture_error *error);

#endif
