/* SPDX-License-Identifier: MIT */
/* Memory in which threads process vertices and clip: the front end's, and that of the threads of groups. */
#include "base/assert.h"
#include "base/base.h"
#include "base/simd/simd4.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/prim.h"
#include "hal/work.h"

#include <stdlib.h>

static void view_vertices(struct prim_scratch *scratch)
{
    const struct hal_front *front = scratch->front;

    scratch->vertices = front->vertices;
    scratch->projected = front->projected;
    scratch->snapped = front->snapped;
    scratch->capacity = front->vertex_capacity;
}

struct prim_scratch prim_scratch_of(struct hal_front *front, struct hal_work *work)
{
    struct prim_scratch scratch = {
        .front = front,
        .work = work,
        .span = &front->span,
        .batch = &front->batch,
        .pool = &front->pool,
        .extra_triangles = &front->extra_triangles,
    };

    view_vertices(&scratch);
    return scratch;
}

/* --- threads of groups ----------------------------------------------------------------------- */

/* A thread's scratch memory other than vertices. */
struct thread_memory {
    struct hal_span span;
    struct shader_vertex_batch batch;
    struct clip_pool pool;
    uint32_t extra_triangles;
    _Alignas(64) uint8_t scratch[RASTER_SCRATCH_BYTES]; /* of vertex programs */
};

static void free_vertices(struct prim_scratch *scratch)
{
    mem_free_aligned(scratch->vertices);
    mem_free_aligned(scratch->projected);
    mem_free_aligned(scratch->snapped);
}

static bool reserve_own(struct prim_scratch *scratch, size_t count)
{
    if (count <= scratch->capacity)
        return true;
    const size_t capacity = BASE_MAX(count + HAL_BATCH, 2 * scratch->capacity);

    free_vertices(scratch);
    scratch->vertices = mem_alloc_aligned((capacity + SIMD4_LANES) * sizeof(*scratch->vertices));
    scratch->projected = mem_alloc_aligned((capacity + SIMD4_LANES) * sizeof(*scratch->projected));
    scratch->snapped = mem_alloc_aligned((capacity + SIMD4_LANES) * sizeof(*scratch->snapped));
    const bool good = scratch->vertices && scratch->projected && scratch->snapped;

    BASE_ASSERT(capacity >= count);
    scratch->capacity = good ? capacity : 0;
    return good;
}

/* The front end's. */
static bool reserve_of_front(struct hal_front *front, struct hal_work *work, size_t count)
{
    if (count <= front->vertex_capacity)
        return true;
    const size_t capacity = BASE_MAX(count + HAL_BATCH, 2 * front->vertex_capacity);

    mem_free_aligned(front->vertices);
    mem_free_aligned(front->projected);
    mem_free_aligned(front->snapped);
    front->vertices = mem_alloc_aligned((capacity + SIMD4_LANES) * sizeof(*front->vertices));
    front->projected = mem_alloc_aligned((capacity + SIMD4_LANES) * sizeof(*front->projected));
    front->snapped = mem_alloc_aligned((capacity + SIMD4_LANES) * sizeof(*front->snapped));
    BASE_ASSERT(capacity >= count);
    front->vertex_capacity = front->vertices && front->projected && front->snapped ? capacity : 0;
    if (!front->vertex_capacity)
        hal_work_lacks_memory(work, "processed vertices");
    return front->vertex_capacity > 0;
}

bool prim_scratch_reserve(struct prim_scratch *scratch, size_t count)
{
    if (!scratch->front)
        return reserve_own(scratch, count);
    const bool good = reserve_of_front(scratch->front, scratch->work, count);

    view_vertices(scratch);
    return good;
}

static bool create_thread(struct prim_scratch *scratch)
{
    struct thread_memory *memory = mem_alloc_aligned(sizeof(*memory));

    if (!memory)
        return false;
    memory->batch.scratch = memory->scratch;
    *scratch = (struct prim_scratch){
        .memory = memory,
        .span = &memory->span,
        .batch = &memory->batch,
        .pool = &memory->pool,
        .extra_triangles = &memory->extra_triangles,
    };
    return true;
}

struct prim_scratch *prim_scratch_of_threads(struct hal_front *front, unsigned threads)
{
    if (!front->threads)
        front->threads = mem_calloc(threads, sizeof(*front->threads));
    while (front->threads && front->thread_count < threads && create_thread(&front->threads[front->thread_count]))
        front->thread_count++;
    return front->thread_count >= threads ? front->threads : NULL;
}

void prim_scratch_free(struct hal_front *front)
{
    for (unsigned i = 0; i < front->thread_count; i++) {
        free_vertices(&front->threads[i]);
        mem_free_aligned(front->threads[i].memory);
    }
    free(front->threads);
}
