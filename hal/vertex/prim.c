/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: lists, strips and fans, indexed or not, in chunks whose vertices are processed once and kept in the
 * context's scratch. Order of corners and provoking vertices: docs/reference/rasterization.md, section 8;
 * docs/reference/command-stream.md, section 4. In every topology the provoking vertex is the first corner in the order
 * triangles are given here.
 */
#include "base/assert.h"
#include "base/base.h"
#include "base/simd/simd4.h"
#include "d3d/ddi.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/map.h"
#include "hal/observer.h"
#include "hal/pixel/pipeline.h"
#include "hal/state/dirty.h"
#include "hal/state/extension.h"
#include "hal/state/shaders.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/index.h"
#include "hal/vertex/outline.h"
#include "hal/vertex/patch/patch.h"
#include "hal/vertex/point.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/vertex.h"
#include "hal/vertex/wrap.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <string.h>

/* Programs run over so many vertices at least. */
#define LEAST_VERTICES 16

uint64_t hal_primitive_vertices(uint32_t type, uint64_t primitives)
{
    switch (type) {
    case D3DPT_POINTLIST:
        return primitives;
    case D3DPT_LINELIST:
        return 2 * primitives;
    case D3DPT_LINESTRIP:
        return primitives + 1;
    case D3DPT_TRIANGLELIST:
        return 3 * primitives;
    case D3DPT_TRIANGLESTRIP:
    case D3DPT_TRIANGLEFAN:
        return primitives + 2;
    default:
        return 0;
    }
}

uint32_t prim_whole(uint32_t type, uint64_t vertices)
{
    static const uint8_t extra[] = {0, 0, 0, 1, 0, 2, 2};
    uint64_t whole = vertices - BASE_MIN(vertices, (uint64_t)extra[type]);

    if (type == D3DPT_TRIANGLELIST)
        whole /= 3;
    else if (type == D3DPT_LINELIST)
        whole /= 2;
    return (uint32_t)BASE_MIN(whole, (uint64_t)UINT32_MAX);
}

uint32_t hal_cut_primitives(uint32_t type, uint32_t primitives, uint64_t vertices)
{
    if (hal_primitive_vertices(type, 1) == 0)
        return 0;
    return BASE_MIN(primitives, prim_whole(type, vertices));
}

/* --- drawing processed vertices ----------------------------------------------------- */

/* Draws what clipping left as triangles; edges between them are no edges of the primitive. */
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

/* Conservatively it must stay one shape: on edges between triangles pixels would be drawn twice, and none be inner. */
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

/* Draws what of it can be seen. */
static void prim_visible_triangle(const struct prim_assembly *a, const struct hal_vertex *const v[3],
                                  const struct raster_vertex *const given[3], unsigned edges, float rhw_scale)
{
    const struct raster_vertex *p[3] = {given[0], given[1], given[2]};
    const uint32_t any = v[0]->outcode | v[1]->outcode | v[2]->outcode;
    struct raster_vertex copies[3];

    if (any & HAL_OUT_BAD || v[0]->outcode & v[1]->outcode & v[2]->outcode & a->reject)
        return;
    if (a->wraps)
        hal_wrap_corners(&a->front->vertex_stage, p, 3, copies);
    /* Vertices that come in pixels are exact as they are. */
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

/* False: the vertices are best at the scale they have. */
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

    if (any & (HAL_OUT_W | HAL_OUT_BAD) && !(any & HAL_OUT_MISSING) &&
        (hal_vertex_is_off_scale(v[0]) || hal_vertex_is_off_scale(v[1]) || hal_vertex_is_off_scale(v[2])) &&
        prim_rescaled_triangle(a, v, p, edges))
        return;
    prim_visible_triangle(a, v, p, edges, 1.0f);
}

/* The triangle is not trivially accepted: corners need clipping, or all lie beyond one plane, or one is bad, or coordinates
 * wrap, or edges are left out, or it is conservative. Trivial rejection stays small: meshes that lie behind the viewer come
 * here with each triangle. */
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

    if (any & HAL_OUT_BAD)
        return;
    if (a->wraps)
        hal_wrap_corners(&a->front->vertex_stage, p, 2, copies);
    /* A line just beside the view can still leave the diamond of a pixel inside: no reject in x and y. */
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

/* Kept when only the centre is outside in x or y: the rasterizer cuts the square at the viewport.
 * User planes cut the square, not the centre. */
static void prim_point(const struct prim_assembly *a, uint32_t s)
{
    const struct hal_vertex *v = &a->scratch->vertices[s];
    const struct hal_front *front = a->front;
    float corners[HAL_MAX_POINT_CORNERS][2];

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

/* Edge bits of triangle i of the draw, where the token carries some. */
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

/* The fast path: none of the chunk's vertices has an outcode, and nothing else asks for a look at each triangle. */
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

static void prim_assemble(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots)
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

/* Primitive by primitive, each as often as the observer wants. */
static __attribute__((noinline)) void prim_assemble_observed(const struct prim_assembly *a, const struct hal_draw *draw,
                                                             const uint32_t *slots)
{
    const struct hal_observer *observer = a->observed->driver->observer;
    struct prim_assembly one = *a;

    if (!observer->primitive) {
        prim_assemble(a, draw, slots);
        return;
    }
    for (uint32_t i = a->begin; i < a->end; i++) {
        struct hal_observed_primitive observed = {
            .context = a->observed, .draw = draw, .number = a->first + i, .reject = a->reject};
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

static void prim_observe_vertices(const struct prim_assembly *a, uint32_t count)
{
    const struct hal_observer *observer = a->observed ? a->observed->driver->observer : NULL;

    if (observer)
        observer->vertices(observer->user, count);
}

/* --- processing the vertices of a chunk --------------------------------------------- */

static void prim_run_batch(struct prim_processing *w, size_t slot, unsigned count)
{
    const struct hal_front *front = w->front;
    struct prim_scratch *scratch = w->scratch;
    struct hal_span *span = scratch->span;

    span->count = count;
    span->padded = (count + 3) & ~3u;
    BASE_ASSERT(slot + span->padded <= scratch->capacity + SIMD4_LANES);
    for (unsigned i = count; i < span->padded; i++)
        span->number[i] = span->number[count - 1];
    hal_span_split(span, w->source->period);
    hal_vertex_stage_run(&front->vertex_stage, scratch->batch, span, w->source, &scratch->vertices[slot],
                         &scratch->projected[slot]);
    w->outcodes |= hal_project(&front->projection, &scratch->vertices[slot], &scratch->projected[slot], count);
    if (w->snaps)
        raster_snap(w->raster, &scratch->projected[slot], count, &scratch->snapped[slot]);
}

/* The slot behind the chunk's is a sentinel: it stands for a vertex that does not exist. */
static void prim_set_sentinel(const struct prim_processing *w)
{
    BASE_ASSERT(w->count < w->scratch->capacity);
    w->scratch->vertices[w->count].outcode = HAL_OUT_BAD | HAL_OUT_MISSING;
}

/* The next vertices of the chunk into the slots from `slot` on; those that do not exist are made bad. */
static void prim_process_batch(struct prim_processing *w, uint32_t slot, unsigned count)
{
    struct hal_span *span = w->scratch->span;
    const uint32_t *numbers = w->numbers ? w->numbers + slot : NULL;

    for (unsigned i = 0; i < count; i++)
        span->number[i] = !numbers ? w->first + slot + i : numbers[i] == HAL_NO_VERTEX ? w->first : numbers[i];
    prim_run_batch(w, slot, count);
    prim_set_sentinel(w); /* the batch may have been padded into it */
    for (unsigned i = 0; numbers && i < count; i++) {
        if (numbers[i] == HAL_NO_VERTEX) {
            w->scratch->vertices[slot + i].outcode = HAL_OUT_BAD | HAL_OUT_MISSING;
            w->outcodes |= HAL_OUT_BAD;
        }
    }
}

/* Processes vertices until all slots below `end` hold theirs. */
static void prim_process_to(struct prim_processing *w, uint32_t end)
{
    for (; w->done < BASE_MIN(end, w->count); w->done += HAL_BATCH)
        prim_process_batch(w, w->done, BASE_MIN(w->count - w->done, (uint32_t)HAL_BATCH));
}

uint64_t prim_vertices_price(const struct hal_front *front, uint32_t vertices)
{
    return (vertices + LEAST_VERTICES) * front->vertex_stage.price;
}

/* All of the chunk's: a program may cost a thousand times what it draws. */
static bool prim_spend_vertices(const struct prim_processing *w)
{
    return raster_spend(w->raster, prim_vertices_price(w->front, w->count));
}

bool prim_begin_chunk(struct prim_processing *w, const uint32_t *numbers, uint32_t first, uint32_t count)
{
    w->numbers = numbers;
    w->first = first;
    w->count = count;
    w->done = w->outcodes = 0;
    if (!prim_scratch_reserve(w->scratch, (size_t)count + 1))
        return false;
    prim_set_sentinel(w);
    return true;
}

bool hal_process_range(struct hal_context *context, const struct hal_source *source, uint32_t first, uint32_t count)
{
    struct prim_scratch scratch = prim_scratch_of(context);
    struct prim_processing w = {
        .front = context->front, .raster = context->raster, .scratch = &scratch, .source = source};

    if (!prim_begin_chunk(&w, NULL, first, count))
        return false;
    prim_process_to(&w, count);
    return true;
}

/* Finds out which vertices an indexed chunk uses; *slots: where they are going to be (NULL: in order). */
static bool prim_begin_indexed(struct prim_processing *w, const struct hal_draw *draw, uint32_t *numbers,
                               uint32_t first_primitive, uint32_t count, const uint32_t **slots)
{
    uint32_t low, high;
    const bool missing = hal_number_vertices(draw, w->source, first_primitive, numbers, count, &low, &high);

    if (low > high)
        return false;
    /* Few vertices from a wide range are cheaper one by one, even those used twice; and where it matters which ones are run,
     * those are that the draw names. */
    if (w->named_alone || high - low >= HAL_CHUNK_VERTICES || high - low > 2 * count + HAL_BATCH)
        return prim_begin_chunk(w, numbers, low, count);
    const uint32_t range = high - low + 1;

    if (!prim_begin_chunk(w, NULL, low, range))
        return false;
    w->outcodes |= missing ? HAL_OUT_BAD | HAL_OUT_MISSING : 0;
    hal_numbers_to_slots(numbers, count, low, missing ? range : 0);
    *slots = numbers;
    return true;
}

bool prim_is_sequential(const struct hal_draw *draw)
{
    return !draw->indices && draw->type != D3DPT_TRIANGLEFAN;
}

static bool prim_begin_sequential(struct prim_processing *w, const struct hal_draw *draw, uint32_t first_primitive,
                                  uint32_t count)
{
    const uint64_t n = hal_chunk_vertex(draw->type, first_primitive, 0);

    return prim_begin_chunk(w, NULL, (uint32_t)(draw->base - w->source->first + (int64_t)n), count);
}

/* Slots of the chunk that its primitives begin .. end - 1 need at most. */
static uint32_t prim_slots_needed(uint32_t type, uint32_t begin, uint32_t end, const uint32_t *slots)
{
    const uint32_t last = (uint32_t)hal_primitive_vertices(type, end);
    const uint32_t first = type == D3DPT_TRIANGLEFAN ? begin : (uint32_t)hal_chunk_vertex(type, begin, 0);

    return slots ? hal_highest_slot(slots + first, last - first) + 1 : last;
}

/* Piece by piece, so that vertices are still in the cache when they are drawn and threads that wait for something to draw
 * get it early. */
void prim_draw_pieces(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                      const uint32_t *slots, uint32_t begin, uint32_t end)
{
    const uint32_t piece = prim_whole(draw->type, PRIM_PIECE);

    BASE_ASSERT(piece > 0);
    for (a->begin = begin; a->begin < end; a->begin = a->end) {
        a->end = BASE_MIN(a->begin + piece, end);
        if (a->last >= piece)
            raster_trace_part(a->raster, true);
        prim_process_to(w, prim_slots_needed(draw->type, a->begin, a->end, slots));
        a->outcodes = w->outcodes;
        if (a->observed)
            prim_assemble_observed(a, draw, slots);
        else
            prim_assemble(a, draw, slots);
    }
}

/* Primitives of a draw without indices whose vertices are all there. */
static uint32_t prim_drawable(const struct hal_draw *draw, const struct hal_source *source)
{
    const int64_t first = draw->base - source->first;
    uint32_t primitives = BASE_MIN(draw->primitives, HAL_MAX_PRIMITIVES);

    if (draw->indices)
        return primitives;
    if (first < 0 || first >= (int64_t)source->count)
        return 0;
    return hal_cut_primitives(draw->type, primitives, (uint64_t)((int64_t)source->count - first));
}

bool prim_draw_sequential(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw, uint32_t end)
{
    const uint32_t most = prim_whole(draw->type, PRIM_PIECE);

    for (uint32_t count; a->first < end; a->first += count) {
        count = BASE_MIN(end - a->first, most);
        if (!raster_spend(w->raster, (uint64_t)count * HAL_WORK_PRIMITIVE) ||
            !prim_begin_sequential(w, draw, a->first, (uint32_t)hal_primitive_vertices(draw->type, count)) ||
            !prim_spend_vertices(w))
            return false;
        prim_observe_vertices(a, w->count);
        prim_draw_pieces(w, a, draw, NULL, 0, count);
    }
    return true;
}

/* The same with all threads, as far as they do it, and then with one. */
static void prim_draw_in_order(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                               uint32_t primitives)
{
    while (a->first < primitives) {
        const uint32_t end = prim_group_end(a, draw, a->first, primitives);

        if (prim_group_sequential(w, a, draw, end))
            a->first = end;
        else if (!prim_draw_sequential(w, a, draw, end))
            return;
    }
}

/* With all threads as far as they do it. Vertices that only they have used are passed over. */
static void prim_draw_indexed_chunk(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                                    const uint32_t *slots, uint32_t primitives)
{
    bool passed = false;

    for (uint32_t begin = 0, end; begin < primitives; begin = end) {
        end = prim_group_end(a, draw, begin, primitives);
        if (prim_group_indexed(w, a, draw, slots, begin, end)) {
            passed = true;
            continue;
        }
        if (passed)
            w->done = BASE_MAX(w->done, prim_lowest_slot(draw, slots, begin, primitives));
        passed = false;
        prim_draw_pieces(w, a, draw, slots, begin, end);
    }
}

static void prim_draw_indexed(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                              uint32_t *numbers, uint32_t primitives)
{
    const uint32_t most = prim_whole(draw->type, HAL_CHUNK_VERTICES);

    for (uint32_t count; a->first < primitives; a->first += count) {
        const uint32_t *slots = NULL;

        count = BASE_MIN(primitives - a->first, most);
        if (!raster_spend(w->raster, (uint64_t)count * HAL_WORK_PRIMITIVE))
            return;
        if (!prim_begin_indexed(w, draw, numbers, a->first, (uint32_t)hal_primitive_vertices(draw->type, count),
                                &slots))
            continue;
        if (!prim_spend_vertices(w))
            return;
        prim_observe_vertices(a, w->count);
        prim_draw_indexed_chunk(w, a, draw, slots, count);
    }
}

static void prim_draw_chunks(struct hal_context *context, const struct hal_draw *draw, const struct hal_source *source,
                             uint32_t primitives)
{
    const struct hal_vertex_stage *stage = &context->front->vertex_stage;
    struct prim_scratch scratch = prim_scratch_of(context);
    struct prim_processing w = {
        .front = context->front,
        .raster = context->raster,
        .scratch = &scratch,
        .source = source,
        .snaps = draw->type >= D3DPT_TRIANGLELIST,
        .named_alone = stage->records,
    };
    const struct hal_pipeline_inputs *inputs = hal_pipeline_inputs(context);
    struct prim_assembly a = {
        .front = context->front,
        .raster = context->raster,
        .scratch = &scratch,
        .inputs = inputs->count,
        .last = primitives - 1,
        .wraps = stage->wraps,
        .conservative = inputs->conservative,
        .observed = context->driver->observer ? context : NULL,
        .slow_path = stage->wraps || (inputs->conservative && !context->front->projection.transformed) ? UINT32_MAX : 0,
        .reject = HAL_OUT_REJECT & ~(inputs->beyond_view ? HAL_OUT_VIEW : 0u),
    };

    raster_begin_strip(context->raster);
    if (prim_is_sequential(draw))
        prim_draw_in_order(&w, &a, draw, primitives);
    else
        prim_draw_indexed(&w, &a, draw, context->front->numbers, primitives);
    raster_trace_part(context->raster, false);
}

static const struct shader_program *prim_pixel_program(const struct hal_context *context)
{
    const struct hal_shader *shader =
        context->pixel_shader ? hal_map_get(&context->shaders.pixel_shaders, context->pixel_shader) : NULL;

    return shader ? shader->program : NULL;
}

/* As the observer wants it. */
static __attribute__((noinline)) void prim_draw_observed(struct hal_context *context, const struct hal_draw *draw,
                                                         const struct hal_source *source, uint32_t primitives)
{
    const struct hal_observer *observer = context->driver->observer;

    if (!observer->draw(observer->user, context, draw, primitives))
        return;
    prim_draw_chunks(context, draw, source, primitives);
    if (observer->drawn)
        observer->drawn(observer->user, context);
}

void hal_draw_primitives(struct hal_context *context, const struct hal_draw *draw)
{
    const struct hal_observer *observer = context->driver->observer;
    struct hal_source source;

    if (observer && observer->skips)
        return;

    if (hal_primitive_vertices(draw->type, 1) == 0) {
        log_once(LOG_WARN, draw->type, "draw of unknown primitive type %u skipped", (unsigned)draw->type);
        return;
    }
    if (draw->primitives == 0 || context->viewport.width == 0 || context->viewport.height == 0 ||
        !hal_source_bind(&source, draw->layout, draw->buffers))
        return;
    const uint32_t primitives = prim_drawable(draw, &source);

    if (primitives && hal_npatch_applies(context, draw)) {
        hal_npatch_draw(context, draw, &source, primitives);
        return;
    }
    context->front->dirty |= context->dirty & (HAL_DIRTY_VERTEX | HAL_DIRTY_VERTEX_CONSTANTS);
    hal_vertex_stage_textures(context, draw->program);
    if (primitives == 0 || !hal_pipeline_update(context, prim_pixel_program(context), draw->layout->transformed))
        return;
    context->dirty = 0;
    hal_extension_check_draw(context, draw->type);
    if (!hal_vertex_stage_prepare(context, draw->layout, draw->program, draw->type == D3DPT_POINTLIST))
        return;
    if (observer)
        prim_draw_observed(context, draw, &source, primitives);
    else
        prim_draw_chunks(context, draw, &source, primitives);
}
