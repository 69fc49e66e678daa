/* SPDX-License-Identifier: MIT */
/* Computes outcodes, clip distances and projections of vertices, and cuts primitives at planes. */
#include "hal/vertex/clip.h"

#include "base/assert.h"
#include "base/base.h"
#include "base/simd/simd4.h"
#include "hal/state/values.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"

#include <float.h>
#include <math.h>

/* --- projection --------------------------------------------------------------------- */

static void set_guard(double plane[3], double x, double y, double w)
{
    plane[0] = x;
    plane[1] = y;
    plane[2] = w;
}

void hal_projection_set(struct hal_projection *p, const struct hal_viewport *viewport, bool transformed, bool clip_z,
                        unsigned user_planes)
{
    const double g = RASTER_GUARD_BAND;
    const double x = viewport->x, y = viewport->y;
    const double width = viewport->width, height = viewport->height;
    /* Wine's test_viewport: an empty or reversed range acts as one of 0.001. */
    const float max_z = BASE_MAX(viewport->max_z, viewport->min_z + 0.001f);

    p->half_width = (float)width * 0.5f;
    p->half_height = (float)height * 0.5f;
    p->x = (float)x;
    p->y = (float)y;
    p->min_z = viewport->min_z;
    p->z_range = max_z - viewport->min_z;
    p->transformed = transformed;
    p->clamp_z = transformed && !clip_z;
    p->user_planes = transformed ? 0 : user_planes;
    p->full_z = p->near_open = p->far_open = false;
    if (transformed) {
        set_guard(p->guard[0], 1, 0, g);
        set_guard(p->guard[1], -1, 0, g);
        set_guard(p->guard[2], 0, 1, g);
        set_guard(p->guard[3], 0, -1, g);
    } else {
        set_guard(p->guard[0], 1, 0, 1 + 2 * (x + g) / width);
        set_guard(p->guard[1], -1, 0, 2 * (g - x) / width - 1);
        set_guard(p->guard[2], 0, -1, 1 + 2 * (y + g) / height);
        set_guard(p->guard[3], 0, 1, 2 * (g - y) / height - 1);
    }
}

void hal_projection_depth_clip(struct hal_projection *p, bool clips)
{
    p->near_open = p->far_open = !clips;
}

static inline int4 bit_if(int4 mask, int bit)
{
    return mask & bit;
}

/* Clip space to pixels; the same operations for original and for made vertices. */
static inline void to_window(const struct hal_projection *p, const float4 clip[4], float4 window[4])
{
    const float4 w = clip[3];

    window[0] = (clip[0] / w + 1.0f) * p->half_width + p->x;
    window[1] = (1.0f - clip[1] / w) * p->half_height + p->y;
    window[2] = p->min_z + clip[2] / w * p->z_range;
    if (p->full_z)
        window[2] = p->min_z + (clip[2] / w * 0.5f + 0.5f) * p->z_range;
    window[3] = 1.0f / w;
}

static inline int4 beyond_guard(const float4 window[4])
{
    return ~((float4_abs(window[0]) <= RASTER_GUARD_BAND) & (float4_abs(window[1]) <= RASTER_GUARD_BAND));
}

static inline int4 is_bad(const float4 v[3])
{
    return ~((float4_abs(v[0]) <= HAL_MAX_COORDINATE) & (float4_abs(v[1]) <= HAL_MAX_COORDINATE) &
             (float4_abs(v[2]) <= HAL_MAX_COORDINATE));
}

/* Mask of outcodes: all except for those of disabled planes. */
static int open_planes(const struct hal_projection *p)
{
    return ~((p->near_open ? HAL_OUT_NEAR : 0) | (p->far_open ? HAL_OUT_FAR : 0));
}

static int4 project_clip_space(const struct hal_projection *p, const float4 clip[4], float4 window[4])
{
    const float4 x = clip[0], y = clip[1], z = clip[2], w = clip[3];
    const int4 behind = ~(w >= HAL_MIN_W);
    int4 code = bit_if(x < -w, HAL_OUT_LEFT) | bit_if(x > w, HAL_OUT_RIGHT) | bit_if(y < -w, HAL_OUT_BOTTOM) |
                bit_if(y > w, HAL_OUT_TOP) | bit_if(z < 0.0f, HAL_OUT_NEAR) | bit_if(z > w, HAL_OUT_FAR) |
                bit_if(behind, HAL_OUT_W);

    code |= bit_if(is_bad(clip) | ~(float4_abs(w) <= HAL_MAX_COORDINATE), HAL_OUT_BAD);
    if (p->full_z)
        code = (code & ~HAL_OUT_NEAR) | bit_if(z < -w, HAL_OUT_NEAR);
    to_window(p, clip, window);
    code |= bit_if(beyond_guard(window) & ~behind, HAL_OUT_GUARD);
    return code & open_planes(p);
}

/* Vertices already in pixels. Games send rhw 0 or infinite and mean 1 (docs/reference/device-state.md, section
 * 13). */
static int4 project_transformed(const struct hal_projection *p, const float4 position[4], float4 window[4])
{
    const float4 x = position[0], y = position[1], z = position[2], rhw = position[3];
    int4 code = bit_if(x < p->x, HAL_OUT_LEFT) | bit_if(x > p->x + 2 * p->half_width, HAL_OUT_RIGHT) |
                bit_if(y < p->y, HAL_OUT_TOP) | bit_if(y > p->y + 2 * p->half_height, HAL_OUT_BOTTOM);

    code |= bit_if(is_bad(position), HAL_OUT_BAD);
    window[0] = x;
    window[1] = y;
    window[2] = z;
    if (p->clamp_z)
        window[2] = float4_saturate(z);
    else
        code |= bit_if(z < 0.0f, HAL_OUT_NEAR) | bit_if(z > 1.0f, HAL_OUT_FAR);
    window[3] = float4_select((rhw > 0.0f) & (rhw <= HAL_MAX_COORDINATE), rhw, float4_splat(1));
    code |= bit_if(beyond_guard(window), HAL_OUT_GUARD);
    return code & open_planes(p);
}

/* Distance from one of the planes whose distances vertices do not store. */
static double more_distance(const struct hal_projection *p, const struct hal_vertex *v, unsigned plane)
{
    const double *equation = p->more_plane[plane - HAL_MAX_CLIP_PLANES];
    double sum = 0.0;

    for (int c = 0; c < 4; c++)
        sum += equation[c] * v->position[c];
    return sum;
}

double hal_plane_distance(const struct hal_projection *p, const struct hal_vertex *v, unsigned plane)
{
    if (!(p->user_planes >> plane & 1))
        return 0.0;
    return plane < HAL_MAX_CLIP_PLANES ? v->plane[plane] : more_distance(p, v, plane);
}

static uint32_t user_codes(const struct hal_projection *p, const struct hal_vertex *v)
{
    uint32_t code = 0;

    for (unsigned i = 0; i < CLIP_MAX_PLANES; i++)
        if (!(hal_plane_distance(p, v, i) >= 0.0))
            code |= (uint32_t)HAL_OUT_USER0 << i;
    return code;
}

/* Vertices from `count` up to the next multiple of four are written too. */
uint32_t hal_project(const struct hal_projection *p, struct hal_vertex *vertices, struct raster_vertex *projected,
                     unsigned count)
{
    int4 all = {0, 0, 0, 0};
    uint32_t any;

    for (unsigned i = 0; i < count; i += SIMD4_LANES) {
        float4 position[4], window[4];
        int4 code;

        SIMD4_EACH(l)
            position[l] = float4_load(vertices[i + l].position);
        float4_transpose(position);
        code = p->transformed ? project_transformed(p, position, window) : project_clip_space(p, position, window);
        all |= code;
        float4_transpose(window);
        SIMD4_EACH(l) {
            float4_store(&projected[i + l].x, window[l]);
            vertices[i + l].outcode = (uint32_t)code[l];
        }
    }
    any = (uint32_t)(all[0] | all[1] | all[2] | all[3]);
    for (unsigned i = 0; p->user_planes && i < count; i++) {
        vertices[i].outcode |= user_codes(p, &vertices[i]);
        any |= vertices[i].outcode;
    }
    return any;
}

/* --- scale ---------------------------------------------------------------------------- */

/* Greatest coordinate after scaling down huge positions: neither 1/w nor inputs times 1/w are denormal. */
#define RESCALED_MAX 0x1p90

/* The greatest coordinate and the least w above 0. False: some are NaN or infinite. */
static bool find_extent(const struct hal_vertex *const *vertices, double *most, double *least_w)
{
    *most = 0.0;
    *least_w = (double)HAL_MAX_COORDINATE;
    for (unsigned i = 0; i < 3; i++) {
        const float *c = vertices[i]->position;

        for (unsigned axis = 0; axis < 4; axis++) {
            if (!(fabsf(c[axis]) <= FLT_MAX))
                return false;
            *most = fmax(*most, fabs((double)c[axis]));
        }
        if (c[3] > 0.0f)
            *least_w = fmin(*least_w, (double)c[3]);
    }
    return true;
}

/* The power of two that the primitive is to be multiplied by; 0: none. */
static int choose_scale(double most, double least_w)
{
    int exponent;

    if (most > (double)HAL_MAX_COORDINATE) {
        frexp(RESCALED_MAX / most, &exponent);
        return exponent - 1;
    }
    if (least_w >= (double)HAL_MIN_W)
        return 0;
    frexp(fmin((double)HAL_MIN_W / least_w, RESCALED_MAX / most), &exponent);
    return BASE_MAX(exponent, 0);
}

bool hal_rescale(const struct hal_projection *p, const struct hal_vertex *const *vertices,
                 const struct raster_vertex *const *projected, struct hal_rescaled *rescaled)
{
    double most, least_w;

    if (p->transformed || !find_extent(vertices, &most, &least_w))
        return false;
    const int scale = choose_scale(most, least_w);

    if (!scale)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned from = BASE_MIN(i, 2u);

        rescaled->vertex[i] = *vertices[from];
        rescaled->projected[i] = *projected[from];
        for (unsigned c = 0; c < 4; c++)
            rescaled->vertex[i].position[c] = ldexpf(vertices[from]->position[c], scale);
    }
    hal_project(p, rescaled->vertex, rescaled->projected, 3);
    /* 1/w of huge positions would be denormal: it is not scaled back, because fog hides them at either scale. */
    rescaled->rhw_scale = scale > 0 ? ldexpf(1.0f, BASE_MIN(scale, 64)) : 1.0f;
    for (unsigned i = 0; i < 3; i++)
        rescaled->projected[i].rhw *= rescaled->rhw_scale;
    return true;
}

/* --- clipping ----------------------------------------------------------------------- */

enum {
    PLANE_W,
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_GUARD,
    PLANE_USER = PLANE_GUARD + 4,
    PLANE_COUNT = PLANE_USER + CLIP_MAX_PLANES
};

static uint32_t plane_code(unsigned plane)
{
    static const uint32_t code[PLANE_USER] = {HAL_OUT_W,     HAL_OUT_NEAR,  HAL_OUT_FAR,  HAL_OUT_GUARD,
                                              HAL_OUT_GUARD, HAL_OUT_GUARD, HAL_OUT_GUARD};

    return plane < PLANE_USER ? code[plane] : (uint32_t)HAL_OUT_USER0 << (plane - PLANE_USER);
}

/* >= 0 inside. */
static double distance(const struct hal_projection *p, const struct clip_vertex *v, unsigned plane)
{
    const double *c = v->position;

    switch (plane) {
    case PLANE_W:
        return c[3] - (double)HAL_MIN_W;
    case PLANE_NEAR:
        return p->full_z ? c[2] + c[3] : c[2];
    case PLANE_FAR:
        return c[3] - c[2];
    default:
        if (plane >= PLANE_USER)
            return v->plane[plane - PLANE_USER];
        const double *g = p->guard[plane - PLANE_GUARD];

        return g[0] * c[0] + g[1] * c[1] + g[2] * c[3];
    }
}

/* An original vertex whose outcode is inside stays inside, regardless of rounding. */
static double tested_distance(const struct hal_projection *p, const struct clip_vertex *v, unsigned plane)
{
    return v->vertex == &v->made || v->outcode & plane_code(plane) ? distance(p, v, plane) : 0.0;
}

static struct clip_vertex *given_vertex(const struct hal_projection *p, struct clip_pool *pool,
                                        const struct hal_vertex *vertex, const struct raster_vertex *projected)
{
    struct clip_vertex *v = &pool->vertex[pool->used++];

    v->vertex = projected;
    v->outcode = vertex->outcode;
    if (p->transformed) {
        const double w = 1.0 / (double)projected->rhw;

        v->position[0] = projected->x * w;
        v->position[1] = projected->y * w;
        v->position[2] = projected->z * w;
        v->position[3] = w;
    } else {
        for (int i = 0; i < 4; i++)
            v->position[i] = vertex->position[i];
    }
    for (unsigned i = 0; p->user_planes && i < CLIP_MAX_PLANES; i++)
        v->plane[i] = hal_plane_distance(p, vertex, i);
    return v;
}

/* The point of the edge on the plane, always computed from the outside vertex, so that AB and BA
 * agree. */
static struct clip_vertex *intersect(const struct hal_projection *p, struct clip_pool *pool,
                                     const struct clip_vertex *outside, double outside_distance,
                                     const struct clip_vertex *inside, unsigned plane, unsigned inputs)
{
    const double inside_distance = distance(p, inside, plane);
    const double t = outside_distance / (outside_distance - BASE_MAX(inside_distance, 0.0));

    if (pool->used == CLIP_POOL)
        return NULL;
    struct clip_vertex *v = &pool->vertex[pool->used++];

    v->vertex = &v->made;
    v->outcode = HAL_OUT_GUARD;
    for (int i = 0; i < 4; i++)
        v->position[i] = outside->position[i] + t * (inside->position[i] - outside->position[i]);
    for (int i = 0; p->user_planes && i < CLIP_MAX_PLANES; i++)
        v->plane[i] = outside->plane[i] + t * (inside->plane[i] - outside->plane[i]);
    for (unsigned i = 0; i < inputs; i++) {
        const float *a = outside->vertex->input[i], *b = inside->vertex->input[i];

        for (int c = 0; c < 4; c++)
            v->made.input[i][c] = (float)(a[c] + t * ((double)b[c] - a[c]));
    }
    return v;
}

static float clamp_guard(float v)
{
    return BASE_MIN(BASE_MAX(v, -RASTER_GUARD_BAND), RASTER_GUARD_BAND);
}

/* Window position of a made vertex, or of an original one that lies on the guard band. False: NaN. */
static bool finish_vertex(const struct hal_projection *p, struct clip_vertex *v)
{
    const struct raster_vertex *given = v->vertex;

    if (given != &v->made) {
        if (!(v->outcode & HAL_OUT_GUARD))
            return true;
        v->made = *given;
        v->vertex = &v->made;
    } else if (p->transformed) {
        const double w = v->position[3];

        v->made.x = (float)(v->position[0] / w);
        v->made.y = (float)(v->position[1] / w);
        v->made.z = (float)(v->position[2] / w);
        v->made.rhw = (float)(1.0 / w);
    } else {
        float4 clip[4], window[4];

        for (int i = 0; i < 4; i++)
            clip[i] = float4_splat((float)v->position[i]);
        to_window(p, clip, window);
        v->made.x = window[0][0];
        v->made.y = window[1][0];
        v->made.z = window[2][0];
        v->made.rhw = window[3][0];
    }
    const float sum = v->made.x + v->made.y + v->made.z + v->made.rhw;

    v->made.x = clamp_guard(v->made.x);
    v->made.y = clamp_guard(v->made.y);
    return sum - sum == 0.0f && v->made.rhw > 0.0f;
}

/* All enabled planes, regardless of the outcodes: the result for an edge must not depend on the third corner, not even
 * through the rounding of a made vertex near the intersection of two planes. */
static bool plane_exists(const struct hal_projection *p, unsigned plane)
{
    if (plane >= PLANE_USER)
        return p->user_planes >> (plane - PLANE_USER) & 1;
    if (plane == PLANE_W)
        return !p->transformed;
    if (plane >= PLANE_GUARD)
        return true;
    return !p->clamp_z && !(plane == PLANE_NEAR ? p->near_open : p->far_open);
}

enum side { INSIDE, CROSSING, UNKNOWN };

/* On which side the corners lie; their distances from the plane. */
static enum side find_side(const struct hal_projection *p, unsigned plane, const struct clip_corner *in, unsigned count,
                           double distances[CLIP_MAX_CORNERS])
{
    enum side side = INSIDE;

    for (unsigned i = 0; i < count; i++) {
        const double d = tested_distance(p, in[i].vertex, plane);

        if (d != d)
            return UNKNOWN;
        side = d < 0 ? CROSSING : side;
        distances[i] = d;
    }
    return side;
}

/* Clips the polygon to one plane; 0 corners: nothing is left, or clipping failed. */
static unsigned cut(const struct hal_projection *p, struct clip_pool *pool, unsigned plane, unsigned inputs,
                    const struct clip_corner *in, const double *distances, unsigned count, struct clip_corner *out)
{
    unsigned n = 0;

    for (unsigned i = 0; i < count; i++) {
        const unsigned next = i + 1 == count ? 0 : i + 1;
        const struct clip_corner *a = &in[i], *b = &in[next];
        const double da = distances[i], db = distances[next];
        struct clip_vertex *made = NULL;

        if (n + 2 > CLIP_MAX_CORNERS)
            return 0;
        if (da >= 0)
            out[n++] = *a;
        if ((da >= 0) == (db >= 0))
            continue;
        made = da < 0 ? intersect(p, pool, a->vertex, da, b->vertex, plane, inputs)
                      : intersect(p, pool, b->vertex, db, a->vertex, plane, inputs);
        if (!made)
            return 0;
        out[n++] = (struct clip_corner){made, da < 0 && a->edge};
    }
    return n < 3 ? 0 : n;
}

/* Turns the polygon so that it begins with the corner nearest to the middle of the view. Its triangles get their planes from
 * that corner: the rounding of a gradient moves a texture the further, the further away a plane begins, and a corner that
 * clipping made at the guard band is 16000 pixels away. */
static void begin_near_view(const struct hal_projection *p, struct clip_corner *corner, unsigned count)
{
    struct clip_corner turned[CLIP_MAX_CORNERS];
    float nearest = FLT_MAX;
    unsigned first = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct raster_vertex *v = corner[i].vertex->vertex;
        const float away = fmaxf(fabsf(v->x - p->x - p->half_width), fabsf(v->y - p->y - p->half_height));

        turned[i] = corner[i];
        first = away < nearest ? i : first;
        nearest = fminf(away, nearest);
    }
    for (unsigned i = 0; i < count; i++)
        corner[i] = turned[(first + i) % count];
}

unsigned hal_clip_triangle(const struct hal_projection *p, struct clip_pool *pool,
                           const struct hal_vertex *const vertices[3], const struct raster_vertex *const projected[3],
                           unsigned edge_flags, unsigned inputs, struct clip_corner corners[CLIP_MAX_CORNERS])
{
    struct clip_corner other[CLIP_MAX_CORNERS];
    struct clip_corner *in = corners, *out = other;
    unsigned count = 3;

    BASE_ASSERT(inputs <= RASTER_MAX_INPUTS);
    BASE_ASSERT(!((vertices[0]->outcode | vertices[1]->outcode | vertices[2]->outcode) & HAL_OUT_BAD));
    pool->used = 0;
    for (unsigned i = 0; i < 3; i++) {
        corners[i].vertex = given_vertex(p, pool, vertices[i], projected[i]);
        corners[i].edge = edge_flags >> i & 1;
    }
    for (unsigned plane = 0; plane < PLANE_COUNT && count > 0; plane++) {
        struct clip_corner *const swap = in;

        double distances[CLIP_MAX_CORNERS];

        if (!plane_exists(p, plane))
            continue;
        const enum side side = find_side(p, plane, in, count, distances);

        if (side == INSIDE)
            continue;
        count = side == UNKNOWN ? 0 : cut(p, pool, plane, inputs, in, distances, count, out);
        in = out;
        out = swap;
    }
    BASE_ASSERT(count <= CLIP_MAX_CORNERS && pool->used <= CLIP_POOL);
    for (unsigned i = 0; i < count; i++) {
        corners[i] = in[i];
        if (!finish_vertex(p, corners[i].vertex))
            return 0;
    }
    begin_near_view(p, corners, count);
    return count;
}

void hal_scale_corners(const struct clip_pool *pool, struct clip_corner *corner, unsigned count, float rhw_scale)
{
    for (unsigned i = 0; i < count; i++)
        if (corner[i].vertex >= &pool->vertex[3]) /* the first three are original */
            corner[i].vertex->made.rhw *= rhw_scale;
}

/* Screen positions of the whole line; an end behind the eye is replaced by the clipped one. */
static struct raster_line_span whole_line(const struct hal_vertex *const vertices[2],
                                          const struct raster_vertex *const projected[2],
                                          const struct raster_vertex *const ends[2])
{
    const struct raster_vertex *from = vertices[0]->outcode & HAL_OUT_W ? ends[0] : projected[0];
    const struct raster_vertex *to = vertices[1]->outcode & HAL_OUT_W ? ends[1] : projected[1];

    return from && to ? (struct raster_line_span){from->x, from->y, to->x, to->y} : (struct raster_line_span){0};
}

bool hal_clip_line(const struct hal_projection *p, struct clip_pool *pool, const struct hal_vertex *const vertices[2],
                   const struct raster_vertex *const projected[2], unsigned inputs, struct clip_line *line)
{
    static const struct raster_vertex *const nowhere[2];
    struct clip_vertex *v[2];

    _Static_assert(2 + PLANE_COUNT <= CLIP_POOL, "each plane makes one vertex at most");
    BASE_ASSERT(inputs <= RASTER_MAX_INPUTS && !((vertices[0]->outcode | vertices[1]->outcode) & HAL_OUT_BAD));
    pool->used = 0;
    line->whole = whole_line(vertices, projected, nowhere);
    v[0] = given_vertex(p, pool, vertices[0], projected[0]);
    v[1] = given_vertex(p, pool, vertices[1], projected[1]);
    for (unsigned plane = 0; plane < PLANE_COUNT; plane++) {
        if (!plane_exists(p, plane))
            continue;
        const double d0 = tested_distance(p, v[0], plane), d1 = tested_distance(p, v[1], plane);

        if (!(d0 >= 0) && !(d1 >= 0))
            return false;
        if (d0 < 0)
            v[0] = intersect(p, pool, v[0], d0, v[1], plane, inputs);
        else if (d1 < 0)
            v[1] = intersect(p, pool, v[1], d1, v[0], plane, inputs);
    }
    line->end_kept = v[1] == &pool->vertex[1];
    if (!finish_vertex(p, v[0]) || !finish_vertex(p, v[1]))
        return false;
    line->ends[0] = v[0]->vertex;
    line->ends[1] = v[1]->vertex;
    line->whole = whole_line(vertices, projected, line->ends);
    return true;
}
