/* SPDX-License-Identifier: MIT */
/*
 * Draws: lists, strips and fans, indexed or not, in chunks whose vertices are processed once and kept in the front end's scratch
 * until assemble.c has made primitives of them.
 */
#include "base/assert.h"
#include "base/base.h"
#include "base/simd/simd4.h"
#include "d3d/ddi.h"
#include "d3d/primitives.h"
#include "hal/driver.h"
#include "base/map.h"
#include "hal/observer.h"
#include "hal/pixel/extension_state.h"
#include "hal/pixel/pipeline.h"
#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/shaders.h"
#include "hal/state/state.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/index.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/skip.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <string.h>

/* Programs process at least this many vertices. */
#define LEAST_VERTICES 16

uint32_t prim_whole(uint32_t type, uint64_t vertices)
{
    return (uint32_t)BASE_MIN(d3d_primitives_of(type, vertices), (uint64_t)UINT32_MAX);
}

static void prim_observe_vertices(const struct prim_assembly *a, uint32_t count)
{
    const struct hal_observer *observer = a->observed ? a->observed->scene->driver->observer : NULL;

    if (observer && observer->vertices)
        observer->vertices(observer->user, count);
}

/* Probably a mistake of the program; logged once, because it occurs in each frame. */
void prim_log_beyond(const struct hal_source *source, uint32_t lowest, uint32_t highest)
{
    if (!hal_source_holds(source, lowest, highest))
        log_once(LOG_WARN, 0,
                 "a draw reads vertices %u to %u, its streams hold %u from vertex %u on: what lies outside of them "
                 "reads as 0",
                 (unsigned)lowest, (unsigned)highest, (unsigned)(source->whole_end - source->whole_first),
                 (unsigned)source->whole_first);
}

/* --- processing the vertices of a chunk --------------------------------------------- */

static void prim_run_batch(struct prim_processing *w, size_t slot)
{
    const struct hal_front *front = w->front;
    struct prim_scratch *scratch = w->scratch;
    struct hal_span *span = scratch->span;
    const unsigned count = span->count;

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

/* The next vertices of the chunk into the slots from `slot` on. */
static void prim_process_batch(struct prim_processing *w, uint32_t slot, unsigned count)
{
    struct hal_span *span = w->scratch->span;
    const uint32_t first = w->first + slot;

    for (unsigned i = 0; i < count; i++)
        span->number[i] = w->numbers ? w->numbers[slot + i] : first + i;
    span->count = count;
    if (w->numbers)
        hal_span_check(span, w->source);
    else
        span->checked = !hal_source_holds(w->source, first, first + count - 1);
    prim_run_batch(w, slot);
}

void prim_process_to(struct prim_processing *w, uint32_t end)
{
    for (; w->done < BASE_MIN(end, w->count); w->done += HAL_BATCH)
        prim_process_batch(w, w->done, BASE_MIN(w->count - w->done, (uint32_t)HAL_BATCH));
}

uint64_t prim_vertices_price(const struct hal_front *front, uint32_t vertices)
{
    return (vertices + LEAST_VERTICES) * front->vertex_stage.price;
}

/* Charges all vertices of the chunk: a program may cost a thousand times as much as its pixels. */
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
    return prim_scratch_reserve(w->scratch, count);
}

bool hal_process_range(struct hal_renderer *renderer, const struct hal_source *source, uint32_t first, uint32_t count)
{
    struct prim_scratch scratch = prim_scratch_of(renderer->front, &renderer->scene->work);
    struct prim_processing w = {
        .front = renderer->front, .raster = renderer->scene->raster, .scratch = &scratch, .source = source};

    if (!prim_begin_chunk(&w, NULL, first, count))
        return false;
    prim_process_to(&w, count);
    return true;
}

/* Finds the vertices that an indexed chunk uses; *slots: their slots (NULL: in order). */
static bool prim_begin_indexed(struct prim_processing *w, const struct hal_draw *draw, uint32_t *numbers,
                               uint32_t first_primitive, uint32_t count, const uint32_t **slots)
{
    uint32_t low, high;

    hal_number_vertices(draw, w->source, first_primitive, numbers, count, &low, &high);
    prim_log_beyond(w->source, low, high);
    /* A few vertices from a wide range are cheaper one by one, even if some are processed twice; and if it matters
     * which vertices are processed, only those that the draw names may be. */
    if (w->named_alone || high - low >= HAL_CHUNK_VERTICES || high - low > 2 * count + HAL_BATCH)
        return prim_begin_chunk(w, numbers, low, count);
    if (!prim_begin_chunk(w, NULL, low, high - low + 1))
        return false;
    hal_numbers_to_slots(numbers, count, low);
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

    return prim_begin_chunk(w, NULL, hal_source_number(w->source, draw->base + (int64_t)n), count);
}

uint32_t prim_slots_needed(uint32_t type, uint32_t begin, uint32_t end, const uint32_t *slots)
{
    const uint32_t last = (uint32_t)d3d_vertices_of(type, end);
    const uint32_t first = type == D3DPT_TRIANGLEFAN ? begin : (uint32_t)hal_chunk_vertex(type, begin, 0);

    return slots ? hal_highest_slot(slots + first, last - first) + 1 : last;
}

/* Piece by piece, so that vertices are still in the cache when they are drawn, and idle threads get work early. */
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

bool prim_draw_sequential(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw, uint32_t end)
{
    const uint32_t most = prim_whole(draw->type, PRIM_PIECE);

    for (uint32_t count; a->first < end; a->first += count) {
        count = BASE_MIN(end - a->first, most);
        if (!raster_spend(w->raster, (uint64_t)count * HAL_WORK_PRIMITIVE) ||
            !prim_begin_sequential(w, draw, a->first, (uint32_t)d3d_vertices_of(draw->type, count)) ||
            !prim_spend_vertices(w))
            return false;
        prim_observe_vertices(a, w->count);
        prim_draw_pieces(w, a, draw, NULL, 0, count);
    }
    return true;
}

/* The same with all threads where possible, the rest with one. */
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

/* With all threads where possible. */
static void prim_draw_indexed_chunk(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                                    const uint32_t *slots, uint32_t primitives)
{
    for (uint32_t begin = 0, end; begin < primitives; begin = end) {
        end = prim_group_end(a, draw, begin, primitives);
        if (!prim_group_indexed(w, a, draw, slots, begin, end))
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
        if (!prim_begin_indexed(w, draw, numbers, a->first, (uint32_t)d3d_vertices_of(draw->type, count), &slots))
            continue;
        if (!prim_spend_vertices(w))
            return;
        prim_observe_vertices(a, w->count);
        prim_draw_indexed_chunk(w, a, draw, slots, count);
    }
}

static void prim_draw_chunks(struct hal_renderer *renderer, const struct hal_draw *draw,
                             const struct hal_source *source, uint32_t primitives)
{
    const struct hal_vertex_stage *stage = &renderer->front->vertex_stage;
    struct prim_scratch scratch = prim_scratch_of(renderer->front, &renderer->scene->work);
    struct prim_processing w = {
        .front = renderer->front,
        .raster = renderer->scene->raster,
        .scratch = &scratch,
        .source = source,
        .snaps = draw->type >= D3DPT_TRIANGLELIST,
        .named_alone = stage->records,
    };
    const struct hal_pipeline_inputs *inputs = hal_pipeline_inputs(renderer);
    struct prim_assembly a = {
        .front = renderer->front,
        .raster = renderer->scene->raster,
        .scratch = &scratch,
        .inputs = inputs->count,
        .last = primitives - 1,
        .wraps = stage->wraps,
        .conservative = inputs->conservative,
        .observed = hal_observer_looks_into(renderer->scene->driver->observer) ? renderer : NULL,
        .slow_path =
            stage->wraps || (inputs->conservative && !renderer->front->projection.transformed) ? UINT32_MAX : 0,
        .reject = HAL_OUT_REJECT & ~(inputs->beyond_view ? HAL_OUT_VIEW : 0u),
    };

    raster_begin_strip(renderer->scene->raster);
    if (prim_is_sequential(draw)) {
        const int64_t end = draw->base + (int64_t)d3d_vertices_of(draw->type, primitives);

        prim_log_beyond(source, hal_source_number(source, draw->base), hal_source_number(source, end - 1));
        prim_draw_in_order(&w, &a, draw, primitives);
    } else {
        prim_draw_indexed(&w, &a, draw, renderer->front->numbers, primitives);
    }
    raster_trace_part(renderer->scene->raster, false);
}

static const struct shader_program *prim_pixel_program(const struct hal_state *state, const struct hal_shaders *shaders)
{
    const struct hal_shader *shader =
        state->pixel_shader ? base_map_get(&shaders->pixel_shaders, state->pixel_shader) : NULL;

    return shader ? shader->program : NULL;
}

/* As the observer wants it. */
static __attribute__((noinline)) void prim_draw_observed(struct hal_renderer *renderer, const struct hal_draw *draw,
                                                         const struct hal_source *source, uint32_t primitives)
{
    const struct hal_observer *observer = renderer->scene->driver->observer;

    do {
        if (!observer->draw(observer->user, renderer->owner, draw, primitives))
            return;
        prim_draw_chunks(renderer, draw, source, primitives);
        if (observer->drawn)
            observer->drawn(observer->user, renderer->owner);
    } while (observer->again && observer->again(observer->user, renderer->owner));
}

/* Counts indices that are at least partly in the buffer, or vertices that begin within the memory of a stream. */
static uint64_t prim_count_reachable(const struct hal_draw *draw)
{
    if (draw->indices)
        return (draw->index_bytes + (uint64_t)draw->index_stride - 1) / draw->index_stride;
    const uint64_t end = hal_layout_reach(draw->layout, draw->buffers), base = (uint64_t)draw->base;

    return end - BASE_MIN(base, end);
}

/* Primitives up to the last whose first index or vertex is inside the memory. All later ones are equal: triangles have
 * no area, and no program wants endless equal points and lines. */
static uint32_t prim_within_reach(const struct hal_draw *draw, const struct hal_source *source)
{
    const uint32_t primitives = BASE_MIN(draw->primitives, HAL_MAX_PRIMITIVES);
    const uint64_t wanted = d3d_vertices_of(draw->type, primitives);

    if (draw->indices ? draw->index_step || wanted * draw->index_stride <= draw->index_bytes
                      : (uint64_t)draw->base + wanted <= source->whole_end)
        return primitives;
    const uint32_t step = (uint32_t)hal_chunk_vertex(draw->type, 1, 0) + (draw->type == D3DPT_TRIANGLEFAN);
    const uint64_t reachable = BASE_MIN(prim_count_reachable(draw), wanted);

    return (uint32_t)BASE_MIN((reachable + step - 1) / step, (uint64_t)primitives);
}

/* Why the draw cannot draw anything, regardless of its data; HAL_SKIP_COUNT: it can. */
static enum hal_skip prim_unfit(const struct hal_state *state, const struct hal_draw *draw)
{
    if (d3d_vertices_of(draw->type, 1) == 0)
        return HAL_SKIP_TYPE;
    if (draw->primitives == 0)
        return HAL_SKIP_NO_PRIMITIVES;
    if (state->viewport.width == 0 || state->viewport.height == 0)
        return HAL_SKIP_NO_VIEWPORT;
    if (draw->primitives > HAL_MAX_PRIMITIVES)
        log_once(LOG_WARN, 0, "a draw asks for %u primitives: only the first %u are drawn", (unsigned)draw->primitives,
                 HAL_MAX_PRIMITIVES);
    return HAL_SKIP_COUNT;
}

/* Derived state is not available: out of memory, or else for `other` reason. */
static enum hal_skip prim_unready(struct hal_work *work, enum hal_skip other)
{
    return hal_work_is_incomplete(work) ? HAL_SKIP_NO_MEMORY : other;
}

bool prim_begin_draw(struct hal_renderer *renderer, const struct hal_draw *draw, struct hal_source *source,
                     uint32_t *primitives)
{
    const struct hal_observer *observer = renderer->scene->driver->observer;

    if (observer && observer->skips)
        return false;

    const enum hal_skip why = prim_unfit(renderer->state, draw);

    if (why != HAL_SKIP_COUNT) {
        hal_skip_draw(renderer, draw, why, why == HAL_SKIP_TYPE ? draw->type : 0);
        return false;
    }
    hal_source_bind(source, draw->layout, draw->buffers);
    *primitives = prim_within_reach(draw, source);
    return true;
}

void prim_draw(struct hal_renderer *renderer, const struct hal_draw *draw, const struct hal_source *source,
               uint32_t primitives)
{
    hal_vertex_stage_textures(renderer, draw->program);
    if (primitives == 0) {
        hal_skip_draw(renderer, draw, HAL_SKIP_BEYOND, 0);
        return;
    }
    if (!hal_pipeline_update(renderer, prim_pixel_program(renderer->state, &renderer->resources->shaders),
                             draw->layout->transformed)) {
        hal_skip_draw(renderer, draw, prim_unready(&renderer->scene->work, HAL_SKIP_NO_TARGET), 0);
        return;
    }
    renderer->dirty = 0;
    hal_extension_check_draw(hal_pipeline_inputs(renderer), draw->type);
    if (!hal_vertex_stage_prepare(renderer, draw->layout, draw->program, draw->type == D3DPT_POINTLIST)) {
        hal_skip_draw(renderer, draw, prim_unready(&renderer->scene->work, HAL_SKIP_NO_POSITION), 0);
        return;
    }
    if (renderer->scene->driver->observer)
        prim_draw_observed(renderer, draw, source, primitives);
    else
        prim_draw_chunks(renderer, draw, source, primitives);
}
