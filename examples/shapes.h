/* SPDX-License-Identifier: MIT */
/*
 * Meshes from functions: a surface is a position for every u, v in 0..1, its normals come from
 * differences. Index order and normals agree, so that back-face culling works.
 */
#ifndef EXAMPLES_SHAPES_H
#define EXAMPLES_SHAPES_H

#include "examples/common.h"

struct shape_vertex {
    struct vec3 position, normal;
    D3DCOLOR color;
    float u, v;
};
#define SHAPE_FVF (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX1)

typedef struct vec3 (*surface_function)(float u, float v);
typedef D3DCOLOR (*paint_function)(struct vec3 position);
typedef bool (*keep_function)(const struct vec3 corner[4]);

struct surface {
    surface_function position;
    paint_function paint;     /* NULL: white */
    unsigned columns, rows;   /* quads along u and v */
    float repeat_u, repeat_v; /* texture coordinates run from 0 to these */
    float planar;             /* not 0: texture coordinates are x and z times this */
    const float *row_at;      /* v of rows + 1 lines of vertices, where a shape bends; NULL: even */
    keep_function keep;       /* whether a quad is wanted; NULL: all are */
};

struct shape {
    IDirect3DVertexBuffer8 *vertices;
    IDirect3DIndexBuffer8 *indices;
    unsigned vertex_count, triangle_count;
};

struct shape shape_create(IDirect3DDevice8 *device, const struct surface *surface);
/* Sets the states and streams for a draw of the shape, or of a part of it. */
void shape_use(IDirect3DDevice8 *device, const struct shape *shape, const D3DMATRIX *world);
void shape_draw(IDirect3DDevice8 *device, const struct shape *shape, const D3DMATRIX *world);
void shape_destroy(struct shape *shape);

/* For programs that draw from their own memory. */
void shape_fill(const struct surface *surface, struct shape_vertex *vertices);
unsigned shape_fill_indices(unsigned columns, unsigned rows, uint16_t *indices);

#endif
