/* SPDX-License-Identifier: MIT */
/* The primitives of a draw: their vertices as the streams hold them, and after the vertex stage. */
#ifndef HALCYON_INSPECT_MESH_H
#define HALCYON_INSPECT_MESH_H

#include "inspect/state/elements.h"
#include "inspect/pixel/pixel.h"

/* The kind of a draw's vertices. */
struct inspect_format {
    bool indexed;
    bool transformed; /* positions are x, y in pixels, z, 1/w */
    bool tessellated; /* vertices and their numbers are those that the tessellator made from a patch */
    unsigned count;
    struct inspect_element element[INSPECT_MAX_ELEMENTS];
};

struct inspect_corner {
    uint32_t index;            /* of indexed draws: what the index buffer holds */
    int64_t vertex;            /* number of the vertex in its streams: the index plus the draw's base */
    bool missing;              /* its index, or part of its stream data, is missing and was read as 0 */
    const float (*fetched)[4]; /* by element of the format; missing components are 0, 0, 0, 1 */
    bool has_window;           /* it lies in front of the eye */
    float clip[4];             /* clip space; of transformed vertices: x, y in pixels, z, 1/w */
    float window[4];           /* x, y in pixels, z, 1/w */
    unsigned outside;          /* enum hal_outcode of planes: inspect_plane_name */
    float point_size;          /* pixels */
    float input[HAL_INSPECT_INPUTS]
               [4]; /* inputs of the pixel program; components that it does not read are undefined */
};

struct inspect_primitive {
    const struct inspect_format *format;
    uint32_t part;    /* which instance, or part of a patch */
    uint32_t number;  /* in the draw, from 0; continuous over instances and parts of patches */
    unsigned corners; /* 1 to 3, the provoking one first */
    unsigned inputs;
    /* INSPECT_OUTSIDE, MISSING, NO_DATA (and for that no area), NO_AREA, CLIPPED (something may be left of it) or CULLED;
     * WRITTEN: none of these */
    enum inspect_verdict verdict;
    unsigned planes; /* OUTSIDE: planes that it lies beyond; CLIPPED: planes that cut it */
    struct inspect_corner corner[3];
};

/* Calls `primitive` for the primitives of a draw of the loaded frame, in order; their pointers are valid during the
 * call. `primitive` returns false to stop. *lacks (may be NULL): missing data of the draw, or why it has no
 * primitives. Returns false on failure, see the error. */
bool inspect_mesh(struct inspect *session, uint32_t action,
                  bool (*primitive)(void *user, const struct inspect_primitive *primitive), void *user,
                  struct inspect_lacks *lacks, struct capture_error *error);

#endif
