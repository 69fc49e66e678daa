/* SPDX-License-Identifier: MIT */
/*
 * SETSTREAMSOURCEFREQ: an indexed draw is repeated as often as stream 0 says (INDEXEDDATA), with one element of each stream of
 * instance data for all vertices of a repetition. For programs from 3.0 on a plain divider d gives an element to d vertices in
 * a row: vertex i of a draw from vertex s on reads element s / d + i / d.
 *
 * Repetitions of a few vertices would leave most lanes of a batch empty and pay for a draw each. As many as fit into
 * MERGED_INDICES are put together into one draw of as many vertices: numbers repeat for the streams of the model (hal_stream_memory.period)
 * and are divided for those of instance data. What is drawn, and in which order, stays the same.
 */
#include "hal/vertex/instances.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/primitives.h"
#include "hal/renderer.h"
#include "hal/scene.h"
#include "hal/state/state.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/index.h"
#include "hal/vertex/patch/patch.h"
#include "hal/vertex/stream.h"
#include "hal/work.h"

#include <string.h>

#define FREQUENCY_INDEXED  0x40000000u
#define FREQUENCY_INSTANCE 0x80000000u
#define FREQUENCY_DIVIDER  0x3fffffffu

#define MERGED_INDICES     3072 /* of one draw */
#define MERGED_MODEL       768  /* indices of a repetition that is merged at all */

/* Stream 0 has the count, if the draw reads a stream of instance data. */
static uint32_t instances(const struct hal_state *state, const struct hal_draw *draw)
{
    const uint32_t frequency = state->stream_frequency[0];
    uint32_t flags = 0;

    for (uint32_t left = draw->layout->streams; left; left &= left - 1)
        flags |= state->stream_frequency[__builtin_ctz(left)];
    if (!draw->indices || !(frequency & FREQUENCY_INDEXED) || !(flags & FREQUENCY_INSTANCE))
        return 1;
    return BASE_MAX(frequency & FREQUENCY_DIVIDER, 1u);
}

/* Programs before 3.0, the fixed function and streams with INDEXEDDATA have no divider. */
static uint32_t divider_of(const struct hal_draw *draw, uint32_t frequency)
{
    const bool divides = !(frequency & FREQUENCY_INDEXED) && draw->program && draw->program->major >= 3;

    return divides ? BASE_MAX(frequency & FREQUENCY_DIVIDER, 1u) : 1;
}

/* Element 0 of a draw without indices is the start vertex's: both it and the vertices are divided, each by itself. */
static void place_start(struct hal_stream_memory *buffer, uint64_t start, uint32_t divider)
{
    /* Beyond all memory, and so far from the ends of 64 bits that vertices can be added. */
    const uint64_t beyond = (uint64_t)1 << 61;

    buffer->offset += (int64_t)BASE_MIN(start / divider * buffer->stride, beyond);
    buffer->divider = divider;
}

/* The streams as repetition `instance` sees them. */
static void place_instance(const struct hal_state *state, const struct hal_draw *draw, uint32_t instance,
                           struct hal_draw *placed)
{
    *placed = *draw;
    for (uint32_t left = draw->layout->streams; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const uint32_t frequency = state->stream_frequency[i];
        struct hal_stream_memory *buffer = &placed->buffers[i];

        if (frequency & FREQUENCY_INSTANCE) {
            const uint32_t divider = BASE_MAX(frequency & FREQUENCY_DIVIDER, 1u);

            buffer->offset += (int64_t)(instance / divider) * buffer->stride;
            buffer->stride = 0;
        } else if (!draw->indices) {
            place_start(buffer, (uint64_t)draw->base, divider_of(draw, frequency));
        }
    }
    if (!draw->indices)
        placed->base = 0;
}

/* --- several repetitions in one draw ------------------------------------------------------------ */

/* The indices of one repetition, counted from its first vertex. Read once: the memory may change meanwhile. */
struct model {
    uint32_t index[MERGED_MODEL];
    uint32_t count;    /* of indices */
    uint32_t vertices; /* from the lowest to the highest that is named */
    int64_t first;     /* the lowest, in the streams */
};

/* False: the repetitions should be drawn one by one, as those are that lack indices, so that an observer sees it. */
static bool read_model(const struct hal_draw *draw, struct model *model)
{
    const uint64_t count = d3d_vertices_of(draw->type, draw->primitives);
    uint32_t low = UINT32_MAX, high = 0;

    if (draw->type != D3DPT_TRIANGLELIST || !count || count > MERGED_MODEL || draw->index_step || draw->list_flags ||
        count * draw->index_stride > draw->index_bytes)
        return false;
    model->count = (uint32_t)count;
    for (uint32_t i = 0; i < model->count; i++) {
        model->index[i] = hal_draw_index(draw, i);
        low = BASE_MIN(low, model->index[i]);
        high = BASE_MAX(high, model->index[i]);
    }
    if (high - low >= 2 * model->count)
        return false;
    for (uint32_t i = 0; i < model->count; i++)
        model->index[i] -= low;
    model->vertices = high - low + 1;
    model->first = draw->base + low;
    return model->first >= 0 && model->first < HAL_MAX_SOURCE_VERTICES;
}

/* The streams for repetitions from `first` on, whose vertices are numbered consecutively. False: instance data is
 * shared by several repetitions. */
static bool place_merged(const struct hal_state *state, const struct hal_draw *draw, const struct model *model,
                         uint32_t first, struct hal_draw *placed)
{
    *placed = *draw;
    placed->base = 0;
    for (uint32_t left = draw->layout->streams; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const uint32_t frequency = state->stream_frequency[i];
        struct hal_stream_memory *buffer = &placed->buffers[i];

        if (!(frequency & FREQUENCY_INSTANCE)) {
            buffer->offset += model->first * buffer->stride;
            buffer->period = model->vertices;
            continue;
        }
        if ((frequency & FREQUENCY_DIVIDER) > 1)
            return false;
        buffer->offset += (int64_t)first * buffer->stride;
        buffer->divider = model->vertices;
    }
    return true;
}

/* Can all vertices of this many repetitions be read? */
static bool holds_all(const struct hal_draw *placed, uint32_t vertices)
{
    struct hal_source source;

    hal_source_bind(&source, placed->layout, placed->buffers);
    return hal_source_holds(&source, 0, vertices - 1);
}

/* Draws repetitions, as many together as there is room for; returns the first that is left: they cannot be merged, or memory or budget
 * end. */
static __attribute__((noinline)) uint32_t draw_merged(struct hal_renderer *renderer, const struct hal_draw *draw,
                                                      uint32_t count)
{
    uint32_t merged[MERGED_INDICES], drawn = 0;
    struct model model;
    struct hal_draw placed;

    if (count < 2 || hal_npatch_applies(renderer->state, draw) || !read_model(draw, &model))
        return 0;
    const uint32_t most = BASE_MIN(count, (uint32_t)MERGED_INDICES / model.count);

    for (uint32_t i = 0; i < most * model.count; i++)
        merged[i] = model.index[i % model.count] + i / model.count * model.vertices;
    while (drawn < count) {
        const uint32_t part = BASE_MIN(count - drawn, most);

        if (!place_merged(renderer->state, draw, &model, drawn, &placed) || !holds_all(&placed, part * model.vertices))
            break;
        for (uint32_t i = 0; i < part; i++)
            if (!hal_work_spend(&renderer->scene->work, 1, HAL_WORK_INSTANCE))
                return count;
        placed.indices = (const uint8_t *)merged;
        placed.index_bytes = sizeof(merged);
        placed.index_stride = sizeof(merged[0]);
        placed.primitives = draw->primitives * part;
        hal_draw_primitives(renderer, &placed);
        drawn += part;
    }
    return drawn;
}

void hal_draw_streams(struct hal_renderer *renderer, const struct hal_draw *draw)
{
    struct hal_draw placed;

    if (!renderer->state->frequencies_set) {
        hal_draw_primitives(renderer, draw);
        return;
    }
    const uint32_t count = instances(renderer->state, draw);

    for (uint32_t i = draw_merged(renderer, draw, count);
         i < count && hal_work_spend(&renderer->scene->work, 1, HAL_WORK_INSTANCE); i++) {
        place_instance(renderer->state, draw, i, &placed);
        hal_draw_primitives(renderer, &placed);
    }
}
