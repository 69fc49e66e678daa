/* SPDX-License-Identifier: MIT */
/* The mesh of a draw as a Wavefront OBJ file. */
#ifndef HALCYON_TOOLS_DEBUG_MESH_OBJ_H
#define HALCYON_TOOLS_DEBUG_MESH_OBJ_H

#include "inspect/picture/mesh.h"
#include "inspect/picture/wireframe.h"

#include <stdio.h>

struct mesh_obj {
    FILE *file;
    enum inspect_space space;
    bool failed; /* no memory */
    bool has_normals, has_texcoords;
    uint32_t *
        slots; /* vertices that have been written, by a hash of part and number: their number in the file, from 1; 0: free */
    uint64_t *keys;
    size_t count, capacity;
};

/* Writes the next primitive, and those of its vertices that have not been written yet; primitives with a corner that has no
 * position are left out. Vertices are shared as the draw shares them. */
void mesh_obj_primitive(struct mesh_obj *obj, const struct inspect_primitive *primitive);
void mesh_obj_free(struct mesh_obj *obj);

#endif
