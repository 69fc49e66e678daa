/* SPDX-License-Identifier: MIT */
/*
 * High order surfaces: rectangular and triangular patches and N-patches become triangles, which are then drawn like all
 * others. A mesh lists the positions of vertices on a surface, and the triangles between them; a format describes a
 * vertex; evaluation fills in vertices.
 *
 * No cracks: a point on the border of a patch depends only on the control points of that border, and is bit-identical
 * from both sides, whatever the orientation of the patches. Three rules ensure this: parameters come as pairs (t, 1 -
 * t), which are swapped when an edge is walked backwards; the basis functions are symmetric in both; and the terms of a
 * border point are added in the order of their size, not of their indices.
 */
#ifndef HALCYON_HAL_VERTEX_PATCH_PATCH_H
#define HALCYON_HAL_VERTEX_PATCH_PATCH_H

#include "base/map.h"
#include "hal/vertex/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_renderer;
struct hal_resources;

/* Limits on what a stream may ask for; larger segment counts are lowered to them. */
#define PATCH_MAX_SEGMENTS       256   /* of one edge */
#define PATCH_MAX_SIDE           4096  /* control points in a row or column */
#define PATCH_MAX_CONTROL_POINTS 65536 /* of one patch */
/* Memory for all patches of a stream; their number has no limit, because any DWORD is a handle. When it is
 * full, the least recently drawn patches are freed. */
#define PATCH_MAX_BYTES      ((size_t)64 << 20)
#define NPATCH_MAX_SEGMENTS  32
#define NPATCH_MAX_TRIANGLES ((uint64_t)1 << 22) /* made by one draw */

#define PATCH_MAX_DEGREE     5
#define PATCH_MAX_TERMS      36 /* control points that bear on one place */

struct hal_draw;
struct hal_state;
struct shader_program;

/* --- basis.c ------------------------------------------------------------------ */

/* The control points of one row that contribute to a point, and their weights. */
struct patch_span {
    unsigned first, count;
    double value[PATCH_MAX_DEGREE + 1];
    double slope[PATCH_MAX_DEGREE + 1]; /* derivatives, up to a positive factor */
};

/* Does a curve of this kind (D3DBASISTYPE, D3DDEGREETYPE) with `points` control points exist? */
bool patch_curve_exists(uint32_t basis, uint32_t degree, uint32_t points);
/* At t of the whole row, 0..1; s = 1 - t. */
void patch_span_at(struct patch_span *span, uint32_t basis, uint32_t degree, uint32_t points, double t, double s);
/* Bernstein polynomials of a triangle with corners weighted at[0..2]: top, right, left. Points go
 * row by row from the top, each from left to right. Returns their number. */
unsigned patch_triangle_weights(double *weights, unsigned degree, const double at[3]);
/* Computes the weights of tangents along u (left to right) and v (top to left), in the order of patch_triangle_weights.
 * Returns their number. */
unsigned patch_triangle_slopes(double *u, double *v, unsigned degree, const double at[3]);

/* --- mesh.c ------------------------------------------------------------------- */

struct patch_place {
    /* rectangle: u, 1 - u, v, 1 - v; triangle: weights of the top, right and left corners */
    double at[4];
    bool edge; /* on the border: see above */
};

struct patch_mesh {
    struct patch_place *places;
    uint32_t *indices; /* triangles, clockwise seen with u to the right and v down */
    uint32_t place_count, triangle_count;
    size_t place_capacity, triangle_capacity;
};

/* Edges in the order of the tokens: top, right, bottom, left; top-right, bottom, left. False: no
 * memory. */
bool patch_mesh_rectangle(struct patch_mesh *mesh, const float segments[4], bool continuous);
bool patch_mesh_triangle(struct patch_mesh *mesh, const float segments[3], bool continuous);
void patch_mesh_free(struct patch_mesh *mesh);

/* --- eval.c ------------------------------------------------------------------- */

/* Control points are `floats` floats and, if the format has blend indices, their word. Vertices
 * made are a control point followed by what the tessellator generates. */
struct patch_format {
    uint16_t floats, control_words, words;
    struct {
        uint16_t at;             /* word in the control point */
        uint8_t count;           /* floats; 0: absent */
    } part[HAL_COMPONENT_COUNT]; /* named elements are in the layout */
    bool has_index;
    bool has_normal, has_uv;                /* generated */
    uint16_t normal_from, normal_at, uv_at; /* words */
    struct hal_layout layout;               /* of vertices made, all in stream 0. Stays last: patch_net_bytes */
};

#define PATCH_MAX_WORDS 336

void patch_format_derive(struct patch_format *format, const struct hal_layout *layout);
/* Vertices [0, count) named by span->number as control points. */
void patch_fetch(const struct patch_format *format, const struct hal_source *source, const struct hal_span *span,
                 float *points);

/* A surface. */
struct patch_net {
    bool triangle;
    uint32_t basis, degree;
    uint32_t width, height; /* a triangle: points, 1 */
    const float *points;
    struct patch_format format; /* stays last: patch_net_bytes */
};

/* Bytes of a net up to the last named element of its layout: only these are kept. */
static inline size_t patch_net_bytes(const struct patch_net *net)
{
    return offsetof(struct patch_net, format.layout) + hal_layout_bytes(&net->format.layout);
}

void patch_evaluate(const struct patch_net *net, const struct patch_place *place, float *vertex);
/* The sum of weight times value; in the order of size if `edge`. values: every stride-th float. */
double patch_sum(const double *weights, const double *values, size_t stride, unsigned count, bool edge);

/* --- patch.c ------------------------------------------------------------------------ */

/* Scratch that grows and stays; the limits above bound it. */
struct patch_memory {
    void *memory;
    size_t bytes;
};
/* Makes room for `bytes` bytes; contents are lost. False: out of memory. */
bool patch_reserve(struct patch_memory *memory, size_t bytes);

struct patch_entry; /* patch.c */

struct hal_patches {
    struct base_map map;                 /* patch_entry by handle */
    size_t bytes;                        /* of all entries */
    struct patch_entry *newest, *oldest; /* in the order of their last draw */
    struct hal_layout layout;            /* of the current draw: must not change during a draw */
    struct patch_net dynamic;            /* the net described last */
    struct patch_mesh mesh;              /* scratch, like the rest */
    struct patch_memory vertices, points, weights, indices;
};

/* Returns the patches, created on first use; NULL: out of memory. */
struct hal_patches *hal_patches_get(struct hal_resources *resources);
void hal_patches_destroy(struct hal_patches *patches);
/* D3DRS_DELETERTPATCH. patches: NULL: there are none. */
void hal_patch_delete(struct hal_patches *patches, uint32_t handle);
/* Draws `triangles` of indices over `count` vertices in patches->vertices. program NULL: fixed
 * function. */
void hal_patches_draw(struct hal_renderer *renderer, const struct patch_format *format,
                      const struct shader_program *program, uint32_t count, const uint32_t *indices,
                      uint32_t triangles);

/* --- npatch.c ----------------------------------------------------------------------- */

/* Is this draw made of N-patches? */
bool hal_npatch_applies(const struct hal_state *state, const struct hal_draw *draw);
void hal_npatch_draw(struct hal_renderer *renderer, const struct hal_draw *draw, const struct hal_source *source,
                     uint32_t triangles);

#endif
