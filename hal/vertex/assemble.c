/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: processed vertices become points, lines and triangles of the rasterizer, clipped where necessary.
 * Order of corners and provoking vertices: docs/reference/rasterization.md, section 8;
 * docs/reference/command-stream.md, section 4. In every topology the provoking vertex is the first corner in the order
 * triangles are given here.
 */
#include "base/assert.h"
#include "base/base.h"
#include "d3d/ddi.h"
#include "dp2/dp2.h"
#include "hal/driver.h"
#include "hal/observer.h"
#include "hal/renderer.h"
#include "hal/scene.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/index.h"
#include "hal/vertex/outline.h"
#include "hal/vertex/point.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/vertex.h"
#include "hal/vertex/wrap.h"
#include "hal/work.h"
#include "raster/raster.h"

#include <string.h>

/* Draws a clipped polygon as triangles; edges between them are not edges of the primitive. */
static void prim_draw_fan(const struct prim_assembly *a, const struct clip_corner *corner, unsigned count,
                          const struct raster_vertex *provoking)
{
    *a->scratch->extra_triangles += count > 3 ? count - 3 : 0;
    raster_begin_strip(a->raster); /* drawn as lines the parts have one outline */
    for (unsigned i = 1; i + 1 < count; i++) {
        const unsigned flags = (i == 1 && corner[0].edge ? 1 : 0) | (corner[i].edge ? 2 : 0) |
                               (i + 2 == count && corner[i + 1].edge ? 4 : 0) | RASTER_OUTLINE_GOES_ON;

        raster_triangle(a->raster, corner[0].vertex->vertex, corner[i].vertex->vertex, corner[i + 1].vertex->vertex,
                        provoking, flags);
    }
}

/* Conservative rasterization needs one polygon: otherwise pixels on edges between triangles would be drawn twice, and
 * none of them would be inner. */
static __attribute__((noinline)) void prim_draw_outline(const struct prim_assembly *a,
                                                        const struct hal_vertex *const v[3],
                                                        const struct raster_vertex *const p[3], float rhw_scale)
{
    struct hal_outline outline;

    if (hal_outline_triangle(&a->front->projection, v, p, a->inputs, rhw_scale, &outline))
        raster_polygon(a->raster, &outline.polygon);
}

/* rhw_scale: hal_rescale's, 1 if it did nothing. */
static void prim_clipped_triangle(const struct prim_assembly *a, const struct hal_vertex *const v[3],
                                  const struct raster_vertex *const p[3], unsigned edges, float rhw_scale)
{
    struct clip_pool *pool = a->scratch->pool;
    struct clip_corner corner[CLIP_MAX_CORNERS];
    const unsigned count = hal_clip_triangle(&a->front->projection, pool, v, p, edges, a->inputs, corner);

    if (rhw_scale != 1.0f)
        hal_scale_corners(pool, corner, count, rhw_scale);
    if (count > 0)
        prim_draw_fan(a, corner, count, p[0]);
}

static __attribute__((cold, noinline)) void prim_log_bad(void)
{
    log_once(LOG_WARN, 0, "a primitive is dropped: the position of a corner is not a number, or beyond all bounds");
}

/* Draws the visible part. */
static void prim_visible_triangle(const struct prim_assembly *a, const struct hal_vertex *const v[3],
                                  const struct raster_vertex *const given[3], unsigned edges, float rhw_scale)
{
    const struct raster_vertex *p[3] = {given[0], given[1], given[2]};
    const uint32_t any = v[0]->outcode | v[1]->outcode | v[2]->outcode;
    struct raster_vertex copies[3];

    if (any & HAL_OUT_BAD)
        prim_log_bad();
    if (any & HAL_OUT_BAD || v[0]->outcode & v[1]->outcode & v[2]->outcode & a->reject)
        return;
    if (a->wraps)
        hal_wrap_corners(&a->front->vertex_stage, p, 3, copies);
    /* Vertices in pixels are already exact. */
    const bool outlined = a->conservative && (any & HAL_OUT_CLIP || !a->front->projection.transformed);

    if ((outlined || any & HAL_OUT_CLIP) && !raster_spend(a->raster, outlined ? HAL_WORK_OUTLINED : HAL_WORK_CLIPPED))
        return;
    if (outlined)
        prim_draw_outline(a, v, p, rhw_scale);
    else if (any & HAL_OUT_CLIP)
        prim_clipped_triangle(a, v, p, edges, rhw_scale);
    else
        raster_triangle(a->raster, p[0], p[1], p[2], p[0], edges);
}

/* False: rescaling the vertices does not help. */
static __attribute__((noinline)) bool prim_rescaled_triangle(const struct prim_assembly *a,
                                                             const struct hal_vertex *const v[3],
                                                             const struct raster_vertex *const p[3], unsigned edges)
{
    struct hal_rescaled rescaled;

    if (!hal_rescale(&a->front->projection, v, p, &rescaled))
        return false;
    const struct hal_vertex *const scaled[3] = {&rescaled.vertex[0], &rescaled.vertex[1], &rescaled.vertex[2]};
    const struct raster_vertex *const projected[3] = {&rescaled.projected[0], &rescaled.projected[1],
                                                      &rescaled.projected[2]};

    prim_visible_triangle(a, scaled, projected, edges, rescaled.rhw_scale);
    return true;
}

/* The triangle is not trivially rejected. */
static __attribute__((noinline)) void prim_examine_triangle(const struct prim_assembly *a, const uint32_t slot[3],
                                                            unsigned edges)
{
    const struct hal_vertex *const v[3] = {&a->scratch->vertices[slot[0]], &a->scratch->vertices[slot[1]],
                                           &a->scratch->vertices[slot[2]]};
    const struct raster_vertex *const p[3] = {&a->scratch->projected[slot[0]], &a->scratch->projected[slot[1]],
                                              &a->scratch->projected[slot[2]]};
    const uint32_t any = v[0]->outcode | v[1]->outcode | v[2]->outcode;

    if (any & (HAL_OUT_W | HAL_OUT_BAD) &&
        (hal_vertex_is_off_scale(v[0]) || hal_vertex_is_off_scale(v[1]) || hal_vertex_is_off_scale(v[2])) &&
        prim_rescaled_triangle(a, v, p, edges))
        return;
    prim_visible_triangle(a, v, p, edges, 1.0f);
}

/* The triangle is not trivially accepted: corners need clipping, or all lie beyond one plane, or one is bad, or
 * coordinates wrap, or edges are left out, or it is conservative. Trivial rejection must be cheap: every triangle of a
 * mesh behind the viewer comes here. */
static __attribute__((noinline)) void prim_triangle_slow_path(const struct prim_assembly *a, const uint32_t slot[3],
                                                              unsigned edges)
{
    const uint32_t code[3] = {a->scratch->vertices[slot[0]].outcode, a->scratch->vertices[slot[1]].outcode,
                              a->scratch->vertices[slot[2]].outcode};

    if (!(code[0] & code[1] & code[2] & a->reject) || (code[0] | code[1] | code[2]) & (HAL_OUT_W | HAL_OUT_BAD))
        prim_examine_triangle(a, slot, edges);
}

/* Trivially accepted triangles, gathered so that the rasterizer gets many at once. */
#define RUN_TRIANGLES 64
struct prim_run {
    uint32_t corner[3 * RUN_TRIANGLES];
    unsigned count;
};

static void prim_draw_run(const struct prim_assembly *a, struct prim_run *run)
{
    if (run->count > 0)
        raster_triangles(a->raster, a->scratch->projected, a->scratch->snapped, run->corner, run->count);
    run->count = 0;
}

static inline void prim_triangle(const struct prim_assembly *a, struct prim_run *run, const uint32_t slot[3],
                                 unsigned edges)
{
    for (unsigned c = 0; c < 3; c++)
        BASE_ASSERT(slot[c] < a->scratch->capacity);
    if (a->scratch->vertices[slot[0]].outcode | a->scratch->vertices[slot[1]].outcode |
        a->scratch->vertices[slot[2]].outcode | a->slow_path | (edges ^ 7)) {
        prim_draw_run(a, run);
        prim_triangle_slow_path(a, slot, edges);
        return;
    }
    memcpy(&run->corner[3 * run->count], slot, 3 * sizeof(*slot));
    if (++run->count == RUN_TRIANGLES)
        prim_draw_run(a, run);
}

static void prim_line(const struct prim_assembly *a, uint32_t s0, uint32_t s1, bool last_segment)
{
    const struct hal_vertex *const v[2] = {&a->scratch->vertices[s0], &a->scratch->vertices[s1]};
    const struct raster_vertex *p[2] = {&a->scratch->projected[s0], &a->scratch->projected[s1]};
    struct raster_vertex copies[2];
    struct clip_line clipped;
    const uint32_t any = v[0]->outcode | v[1]->outcode;

    if (any & HAL_OUT_BAD) {
        prim_log_bad();
        return;
    }
    if (a->wraps)
        hal_wrap_corners(&a->front->vertex_stage, p, 2, copies);
    /* A line just outside the view can still leave the diamond of a pixel inside: no reject in x and y. */
    if (!(any & HAL_OUT_CLIP)) {
        raster_line(a->raster, p[0], p[1], p[0], last_segment);
        return;
    }
    if (!raster_spend(a->raster, HAL_WORK_CLIPPED))
        return;
    if (hal_clip_line(&a->front->projection, a->scratch->pool, v, p, a->inputs, &clipped)) {
        raster_clipped_line(a->raster, clipped.ends[0], clipped.ends[1], p[0], last_segment && clipped.end_kept,
                            &clipped.whole);
    } else {
        raster_hidden_line(a->raster, &clipped.whole);
    }
}

/* Kept if only the centre is outside in x or y: the rasterizer clips the square to the viewport. User planes clip the
 * square, not the centre. */
static void prim_point(const struct prim_assembly *a, uint32_t s)
{
    const struct hal_vertex *v = &a->scratch->vertices[s];
    const struct hal_front *front = a->front;
    float corners[HAL_MAX_POINT_CORNERS][2];

    if (v->outcode & HAL_OUT_BAD)
        prim_log_bad();
    if (v->outcode & ((HAL_OUT_CLIP & ~HAL_OUT_USER) | HAL_OUT_BAD))
        return;
    if (!front->projection.user_planes) {
        raster_point(a->raster, &a->scratch->projected[s], v->point_size);
        return;
    }
    const unsigned count =
        raster_spend(a->raster, HAL_WORK_CLIPPED)
            ? hal_point_clip(&front->projection, (const float(*)[2])front->vertex_stage.plane_slope, v, corners)
            : 0;

    if (count > 0)
        raster_point_part(a->raster, &a->scratch->projected[s], v->point_size, (const float(*)[2])corners, count);
}

/* slots NULL: vertex i of the chunk is in slot i. */
static inline __attribute__((always_inline)) uint32_t prim_slot(const uint32_t *slots, uint32_t i)
{
    return slots ? slots[i] : i;
}

/* Edge bits of triangle i of the draw, if the token has them. */
static unsigned prim_edges(const struct hal_draw *draw, uint32_t i)
{
    if (draw->list_flags) {
        const uint8_t *flags = draw->indices + (size_t)i * draw->index_step + 3 * (size_t)draw->index_stride;

        return dp2_read_u16(flags) >> 8 & 7;
    }
    if (!draw->fan_flags)
        return 7;
    /* bit i: V[i]-V[i+1]; bit n+1: the closing edge; edges past 31 have no bit and are drawn */
    const uint64_t bits = draw->fan_edges | ~(uint64_t)UINT32_MAX;
    const uint64_t closing = i + 1 == draw->primitives ? BASE_MIN(draw->primitives + 1, 63u) : 64;

    return (unsigned)(bits >> BASE_MIN(i + 1, 63u) & 1) | (closing < 64 && bits >> closing & 1 ? 2u : 0u) |
           (i == 0 && bits & 1 ? 4u : 0u);
}

/* Slots of triangle i of the chunk, the provoking corner first. */
static inline __attribute__((always_inline)) void prim_corners(const struct prim_assembly *a, uint32_t type,
                                                               const uint32_t *slots, uint32_t i, uint32_t corner[3])
{
    const uint32_t odd = (a->first + i) & 1;

    switch (type) {
    case D3DPT_TRIANGLELIST:
        corner[0] = prim_slot(slots, 3 * i);
        corner[1] = prim_slot(slots, 3 * i + 1);
        corner[2] = prim_slot(slots, 3 * i + 2);
        break;
    case D3DPT_TRIANGLESTRIP:
        corner[0] = prim_slot(slots, i);
        corner[1] = prim_slot(slots, i + 1 + odd);
        corner[2] = prim_slot(slots, i + 2 - odd);
        break;
    default:
        corner[0] = prim_slot(slots, i + 1);
        corner[1] = prim_slot(slots, i + 2);
        corner[2] = prim_slot(slots, 0);
        break;
    }
}

static inline __attribute__((always_inline)) void prim_assemble_triangles(const struct prim_assembly *a,
                                                                          const struct hal_draw *draw,
                                                                          const uint32_t *slots)
{
    const bool flags = draw->list_flags || draw->fan_flags;
    struct prim_run run;

    run.count = 0;
    for (uint32_t i = a->begin; i < a->end; i++) {
        uint32_t corner[3];

        prim_corners(a, draw->type, slots, i, corner);
        prim_triangle(a, &run, corner, flags ? prim_edges(draw, a->first + i) : 7);
    }
    prim_draw_run(a, &run);
}

/* The fast path: none of the chunk's vertices has an outcode, and nothing else requires checking each triangle. */
static inline __attribute__((always_inline)) void prim_assemble_accepted(const struct prim_assembly *a,
                                                                         const struct hal_draw *draw,
                                                                         const uint32_t *slots)
{
    struct prim_run run;

    for (uint32_t i = a->begin; i < a->end; i += RUN_TRIANGLES) {
        const uint32_t count = BASE_MIN(a->end - i, (uint32_t)RUN_TRIANGLES);

        for (uint32_t k = 0; k < count; k++) {
            prim_corners(a, draw->type, slots, i + k, &run.corner[3 * k]);
            BASE_ASSERT(!a->scratch->vertices[run.corner[3 * k]].outcode);
        }
        raster_triangles(a->raster, a->scratch->projected, a->scratch->snapped, run.corner, count);
    }
}

/* Some triangle of the chunk may not be trivially accepted. */
static bool prim_needs_slow_path(const struct prim_assembly *a, const struct hal_draw *draw)
{
    return a->outcodes | a->slow_path || draw->list_flags || draw->fan_flags;
}

static void prim_assemble_slots(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots)
{
    if (prim_needs_slow_path(a, draw))
        prim_assemble_triangles(a, draw, slots);
    else if (draw->type == D3DPT_TRIANGLELIST)
        raster_triangles(a->raster, a->scratch->projected, a->scratch->snapped, slots + 3 * (size_t)a->begin,
                         a->end - a->begin);
    else
        prim_assemble_accepted(a, draw, slots);
}

void prim_assemble(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots)
{
    switch (draw->type) {
    case D3DPT_POINTLIST:
        for (uint32_t i = a->begin; i < a->end; i++)
            prim_point(a, prim_slot(slots, i));
        break;
    case D3DPT_LINELIST:
        for (uint32_t i = a->begin; i < a->end; i++) {
            raster_begin_strip(a->raster);
            prim_line(a, prim_slot(slots, 2 * i), prim_slot(slots, 2 * i + 1), true);
        }
        break;
    case D3DPT_LINESTRIP:
        for (uint32_t i = a->begin; i < a->end; i++)
            prim_line(a, prim_slot(slots, i), prim_slot(slots, i + 1), a->first + i == a->last);
        break;
    default:
        if (slots)
            prim_assemble_slots(a, draw, slots);
        else if (prim_needs_slow_path(a, draw))
            prim_assemble_triangles(a, draw, NULL);
        else
            prim_assemble_accepted(a, draw, NULL);
        break;
    }
}

/* Corners of primitive i of the chunk, the provoking one first. Returns how many. */
static unsigned prim_observed_corners(const struct prim_assembly *a, uint32_t type, const uint32_t *slots, uint32_t i,
                                      uint32_t corner[3])
{
    const uint32_t first = type == D3DPT_LINELIST ? 2 * i : i;

    if (type >= D3DPT_TRIANGLELIST) {
        prim_corners(a, type, slots, i, corner);
        return 3;
    }
    corner[0] = prim_slot(slots, first);
    if (type == D3DPT_POINTLIST)
        return 1;
    corner[1] = prim_slot(slots, first + 1);
    return 2;
}

/* Draws primitive by primitive, each as often as the observer wants. */
static void prim_assemble_one_by_one(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots)
{
    const struct hal_observer *observer = a->observed->scene->driver->observer;
    struct prim_assembly one = *a;

    for (uint32_t i = a->begin; i < a->end; i++) {
        struct hal_observed_primitive observed = {
            .context = a->observed->owner, .draw = draw, .number = a->first + i, .reject = a->reject};
        uint32_t corner[3] = {0};

        observed.corners = prim_observed_corners(a, draw->type, slots, i, corner);
        for (unsigned c = 0; c < observed.corners; c++) {
            observed.vertex[c] = &a->scratch->vertices[corner[c]];
            observed.position[c] = &a->scratch->projected[corner[c]];
        }
        one.begin = i;
        one.end = i + 1;
        for (unsigned times = 0; observer->primitive(observer->user, &observed, times); times++)
            prim_assemble(&one, draw, slots);
    }
}

void prim_assemble_observed(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots)
{
    const struct hal_observer *observer = a->observed->scene->driver->observer;

    if (observer->assembly)
        observer->assembly(observer->user, a->observed->owner, true);
    if (observer->primitive)
        prim_assemble_one_by_one(a, draw, slots);
    else
        prim_assemble(a, draw, slots);
    if (observer->assembly)
        observer->assembly(observer->user, a->observed->owner, false);
}
