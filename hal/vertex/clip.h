/* SPDX-License-Identifier: MIT */
/*
 * Outcodes, clipping and projection. Clipping makes new vertices only at near, far, w, the guard band and the user's
 * planes, in this order and never at the edges of the view, and obeys the four rules that prevent cracks
 * (docs/reference/rasterization.md, section 2): inside vertices stay bit-exact; an edge gives the same new vertex in
 * both triangles; the order of planes is fixed; the guard band is always the same.
 */
#ifndef HALCYON_HAL_VERTEX_CLIP_H
#define HALCYON_HAL_VERTEX_CLIP_H

#include "hal/state/values.h"
#include "hal/vertex/outcode.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stdint.h>

#define HAL_MIN_W          9.31322575e-10f /* 2^-30 */
#define HAL_MAX_COORDINATE 2.1267647e37f   /* FLT_MAX / 16 */

/* User planes: those of Direct3D, to which vertices carry their distances, and two more that the gallium document asks for
 * (clip_plane_enable, PIPE_MAX_CLIP_PLANES) and no Direct3D state can set. */
#define CLIP_MAX_PLANES  8
#define CLIP_MORE_PLANES (CLIP_MAX_PLANES - HAL_MAX_CLIP_PLANES)

/* From clip space to pixels, and the guard band, derived once per viewport. */
struct hal_projection {
    float half_width, half_height, x, y; /* pixels */
    float min_z, z_range;
    bool transformed; /* vertices come in pixels */
    bool clamp_z;     /* transformed, not z clipped: z is clamped instead */
    /* raster_state's clip_halfz, depth_clip_near and depth_clip_far, each inverted, so that 0 is Direct3D. */
    bool full_z;              /* the near plane is z = -w */
    bool near_open, far_open; /* not clipped there; the rasterizer clamps depth */
    /* guard[i] . (x, y, w) >= 0 inside: left, right, top, bottom */
    double guard[4][3];
    unsigned user_planes; /* mask of the enabled ones, CLIP_MAX_PLANES bits */
    /* The planes after those of Direct3D, in clip space: inside where x, y, z, w times them is >= 0. */
    double more_plane[CLIP_MORE_PLANES][4];
};

void hal_projection_set(struct hal_projection *projection, const struct hal_viewport *viewport, bool transformed,
                        bool clip_z, unsigned user_planes);

/* Selects whether near and far clip, or the rasterizer clamps depth to the range for each pixel
 * (hal_rasterizer_depth_clip). After hal_projection_set with clip_z. */
void hal_projection_depth_clip(struct hal_projection *projection, bool clips);

/* Fills in outcode and window position of `count` vertices from position[] and plane[]. Returns all outcodes together. */
uint32_t hal_project(const struct hal_projection *projection, struct hal_vertex *vertices,
                     struct raster_vertex *projected, unsigned count);

/* A vertex in clip space is off scale if 0 < w < HAL_MIN_W or a coordinate is beyond HAL_MAX_COORDINATE. */
static inline bool hal_vertex_is_off_scale(const struct hal_vertex *v)
{
    return (v->outcode & HAL_OUT_W && v->position[3] > 0.0f) || v->outcode & HAL_OUT_BAD;
}
/*
 * Homogeneous positions mean the same at any scale, but at some scales 1/w does not fit into a float. Copies a
 * triangle's vertices, some of which are off scale, multiplies them by a power of two and projects them again; their
 * 1/w is that of the original scale (which fog sees). rhw_scale: the factor that does the same for 1/w of vertices made
 * by clipping. False: scaling does not help, or some coordinates are NaN.
 */
struct hal_rescaled {
    struct hal_vertex vertex[4]; /* three, and room for hal_project's groups of four */
    struct raster_vertex projected[4];
    float rhw_scale;
};
bool hal_rescale(const struct hal_projection *projection, const struct hal_vertex *const *vertices,
                 const struct raster_vertex *const *projected, struct hal_rescaled *rescaled);

/* Most corners: 3 and one more for each of w, near, far, 4 guard planes and 8 user planes, and
 * slack. */
#define CLIP_MAX_CORNERS RASTER_MAX_CORNERS
#define CLIP_POOL        64

struct clip_vertex {
    double position[4]; /* homogeneous */
    double plane[CLIP_MAX_PLANES];
    const struct raster_vertex *vertex; /* the original vertex, or &made */
    uint32_t outcode;                   /* of an original vertex; of a made one: HAL_OUT_GUARD, so that it is tested */
    struct raster_vertex made;
};

struct clip_pool {
    struct clip_vertex vertex[CLIP_POOL];
    unsigned used;
};

struct clip_corner {
    struct clip_vertex *vertex;
    bool edge; /* the edge to the next corner is an edge of the primitive, and drawn */
};

/* Clips a triangle; returns the number of corners left (0: nothing), in fan order, from the one nearest to the middle of the
 * view on. `inputs`: interpolated vectors per vertex. */
unsigned hal_clip_triangle(const struct hal_projection *projection, struct clip_pool *pool,
                           const struct hal_vertex *const vertices[3], const struct raster_vertex *const projected[3],
                           unsigned edge_flags, unsigned inputs, struct clip_corner corners[CLIP_MAX_CORNERS]);
/* Multiplies 1/w of the corners made by clipping. */
void hal_scale_corners(const struct clip_pool *pool, struct clip_corner *corner, unsigned count, float rhw_scale);

/* Distance of a vertex from user plane `plane`, >= 0 inside; 0 if the plane is not enabled. */
double hal_plane_distance(const struct hal_projection *projection, const struct hal_vertex *vertex, unsigned plane);

/* A line that was clipped. */
struct clip_line {
    const struct raster_vertex *ends[2]; /* if anything is left */
    bool end_kept;                       /* the second is the line's own */
    struct raster_line_span whole;       /* for the stipple pattern; of length 0 if its position is unknown */
};
/* Clips a line: false if nothing is left. */
bool hal_clip_line(const struct hal_projection *projection, struct clip_pool *pool,
                   const struct hal_vertex *const vertices[2], const struct raster_vertex *const projected[2],
                   unsigned inputs, struct clip_line *line);

/* Maximum number of corners, in sprite coordinates, after user planes clip a point's square. Each of eight planes adds
 * one corner to four; the rest is slack. */
#define HAL_MAX_POINT_CORNERS 16

/* Number of corners; 0: nothing. plane_slope: of each enabled plane's distance, along x and y of clip space. (point.c) */
unsigned hal_point_clip(const struct hal_projection *projection, const float (*plane_slope)[2],
                        const struct hal_vertex *vertex, float corners[HAL_MAX_POINT_CORNERS][2]);

#endif
