/* SPDX-License-Identifier: MIT */
/*
 * Draws processed by all threads: a group of chunks, each of which one thread fetches, processes, clips, sets up and
 * bins, with its own scratch memory. Only the front end does what must be in order: it looks up indices and keeps the
 * budget, to which the group is charged as a whole or not at all. It waits for the group, so that the caller's memory
 * has been read when the call continues. docs/threads.md.
 */
#include "base/assert.h"
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/index.h"
#include "hal/vertex/prim.h"
#include "hal/work.h"

/* Pieces of a group: the least that are worth waking a thread; pieces per thread, and at most; tiles can be drawn after
 * each group. */
#define LEAST_PIECES  4
#define THREAD_PIECES 32
#define MOST_PIECES   64
/* Chunks of a group per thread, so that no thread waits long for the last one. */
#define THREAD_CHUNKS 4

struct prim_group {
    const struct prim_processing *processing;
    const struct prim_assembly *assembly;
    const struct hal_draw *draw;
    const uint32_t *slots;        /* of an indexed chunk; NULL: vertex i is in slot i */
    uint32_t begin, end;          /* primitives, of the draw or of the indexed chunk */
    uint32_t chunk;               /* primitives of a chunk: whole pieces */
    struct prim_scratch *scratch; /* of each thread */
};

uint32_t prim_group_end(const struct prim_assembly *a, const struct hal_draw *draw, uint32_t first, uint32_t primitives)
{
    const unsigned threads = raster_thread_count(a->raster);
    const uint32_t pieces = BASE_MIN(THREAD_PIECES * threads, (unsigned)MOST_PIECES);
    const uint64_t end = first + (uint64_t)pieces * prim_whole(draw->type, PRIM_PIECE);

    return threads < 2 ? primitives : (uint32_t)BASE_MIN(end, (uint64_t)primitives);
}

/* Primitives of fans share a corner, those of line strips a continued pattern; a stage that records or supplies
 * constants writes shared memory. Conservative triangles are few and costly. An observer sees primitives in their
 * order. */
static bool allows_groups(const struct prim_assembly *a, const struct hal_draw *draw)
{
    const struct hal_vertex_stage *stage = &a->front->vertex_stage;

    return draw->type != D3DPT_TRIANGLEFAN && draw->type != D3DPT_LINESTRIP && !a->conservative && !a->observed &&
           !stage->records && !stage->supply;
}

static unsigned chunk_count(const struct prim_group *group)
{
    return (group->end - group->begin + group->chunk - 1) / group->chunk;
}

/* Divides the primitives into at most this many chunks. */
static void cut_chunks(struct prim_group *group, unsigned chunks)
{
    const uint32_t piece = prim_whole(group->draw->type, PRIM_PIECE);
    const uint32_t pieces = (group->end - group->begin + piece - 1) / piece;

    group->chunk = piece * ((pieces + chunks - 1) / chunks);
}

/* False: one thread draws the primitives as fast. */
static bool begin_group(struct prim_group *group)
{
    const struct prim_assembly *a = group->assembly;
    const unsigned threads = raster_thread_count(a->raster);
    const uint32_t piece = prim_whole(group->draw->type, PRIM_PIECE);

    if (threads < 2 || group->end - group->begin <= (LEAST_PIECES - 1) * piece || !raster_has_idle_threads(a->raster) ||
        !allows_groups(a, group->draw))
        return false;
    cut_chunks(group, BASE_MIN(THREAD_CHUNKS * threads, (unsigned)RASTER_MAX_CHUNKS));
    group->scratch = prim_scratch_of_threads((struct hal_front *)a->front, threads);
    return group->scratch != NULL;
}

/* Runs the chunks; triangles made by clipping are counted if the chunks are. */
static bool run_group(struct prim_group *group, raster_chunk_fn *run)
{
    const unsigned threads = raster_thread_count(group->assembly->raster);
    uint32_t extra_triangles = 0;

    for (unsigned i = 0; i < threads; i++)
        *group->scratch[i].extra_triangles = 0;
    const bool drawn = raster_run_group(group->assembly->raster, chunk_count(group), run, group);

    for (unsigned i = 0; i < threads; i++)
        extra_triangles += *group->scratch[i].extra_triangles;
    if (drawn)
        *group->assembly->scratch->extra_triangles += extra_triangles;
    return drawn;
}

/* The part of the group that is a chunk's, for the thread that makes it. */
struct chunk_work {
    struct prim_processing processing;
    struct prim_assembly assembly;
    uint32_t begin, end;
};

static struct chunk_work chunk_work(const struct prim_group *group, struct raster *raster, unsigned chunk,
                                    unsigned thread)
{
    struct chunk_work work = {
        .processing = *group->processing,
        .assembly = *group->assembly,
        .begin = group->begin + chunk * group->chunk,
    };

    work.end = BASE_MIN(work.begin + group->chunk, group->end);
    work.processing.raster = work.assembly.raster = raster;
    work.processing.scratch = &group->scratch[thread];
    work.assembly.scratch = &group->scratch[thread];
    return work;
}

/* --- vertices in order ----------------------------------------------------------------------- */

static bool sequential_chunk(void *argument, struct raster *raster, unsigned chunk, unsigned thread)
{
    const struct prim_group *group = argument;
    struct chunk_work work = chunk_work(group, raster, chunk, thread);

    work.assembly.first = work.begin;
    return prim_draw_sequential(&work.processing, &work.assembly, group->draw, work.end);
}

/* Is the budget enough for the known cost? */
static bool can_pay(const struct prim_group *group)
{
    const struct hal_draw *draw = group->draw;
    const uint32_t count = group->end - group->begin, piece = prim_whole(draw->type, PRIM_PIECE);
    const uint64_t pieces = (count + piece - 1) / piece;
    const uint64_t price =
        (uint64_t)count * HAL_WORK_PRIMITIVE + pieces * prim_vertices_price(group->assembly->front, PRIM_PIECE);

    return price < raster_get_budget(group->assembly->raster);
}

bool prim_group_sequential(const struct prim_processing *w, const struct prim_assembly *a, const struct hal_draw *draw,
                           uint32_t end)
{
    struct prim_group group = {.processing = w, .assembly = a, .draw = draw, .begin = a->first, .end = end};

    return begin_group(&group) && can_pay(&group) && run_group(&group, sequential_chunk);
}

/* --- indexed chunks -------------------------------------------------------------------------- */

/* Batches of vertices that a thread processes at a time, and the least that are worth waking other threads. */
#define PART_BATCHES  4
#define LEAST_BATCHES 8

/* Vertices of an indexed chunk, which all threads process together, each vertex once. */
struct vertex_parts {
    const struct prim_processing *processing;
    struct prim_scratch *scratch; /* of each thread */
    uint32_t begin, end;          /* slots; begin: a whole number of batches */
    uint32_t outcodes[RASTER_MAX_CHUNKS];
};

/* The thread's own scratch memory, except for the vertices, which all threads share. */
static struct prim_scratch shared_scratch(const struct prim_processing *w, const struct prim_scratch *own)
{
    struct prim_scratch scratch = *own;

    scratch.vertices = w->scratch->vertices;
    scratch.projected = w->scratch->projected;
    scratch.snapped = w->scratch->snapped;
    scratch.capacity = w->scratch->capacity;
    return scratch;
}

static void process_part(void *argument, unsigned part, unsigned thread)
{
    struct vertex_parts *parts = argument;
    struct prim_processing w = *parts->processing;
    struct prim_scratch scratch = shared_scratch(&w, &parts->scratch[thread]);
    const uint32_t size = PART_BATCHES * HAL_BATCH;

    w.scratch = &scratch;
    w.done = parts->begin + part * size;
    w.outcodes = 0;
    prim_process_to(&w, BASE_MIN(w.done + size, parts->end));
    parts->outcodes[part] = w.outcodes;
}

/* Processes the vertices that the group uses and that have not been processed yet. */
static void process_vertices(struct prim_group *group, struct prim_processing *w)
{
    const uint32_t size = PART_BATCHES * HAL_BATCH;
    const uint32_t end =
        BASE_MIN(prim_slots_needed(group->draw->type, group->begin, group->end, group->slots), w->count);
    struct vertex_parts parts = {.processing = w, .scratch = group->scratch, .end = end};

    while (w->done < end && end - w->done > LEAST_BATCHES * HAL_BATCH) {
        const unsigned count = BASE_MIN((end - w->done + size - 1) / size, (unsigned)RASTER_MAX_CHUNKS);

        parts.begin = w->done;
        raster_share(group->assembly->raster, count, process_part, &parts);
        for (unsigned i = 0; i < count; i++)
            w->outcodes |= parts.outcodes[i];
        w->done += BASE_MIN(count * size, (end - w->done + HAL_BATCH - 1) / HAL_BATCH * HAL_BATCH);
    }
    prim_process_to(w, end);
}

static bool indexed_chunk(void *argument, struct raster *raster, unsigned chunk, unsigned thread)
{
    const struct prim_group *group = argument;
    struct chunk_work work = chunk_work(group, raster, chunk, thread);
    const struct prim_scratch scratch = shared_scratch(group->processing, &group->scratch[thread]);

    work.assembly.scratch = &scratch;
    work.assembly.begin = work.begin;
    work.assembly.end = work.end;
    prim_assemble(&work.assembly, group->draw, group->slots);
    return true;
}

bool prim_group_indexed(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                        const uint32_t *slots, uint32_t begin, uint32_t end)
{
    struct prim_group group = {
        .processing = w, .assembly = a, .draw = draw, .slots = slots, .begin = begin, .end = end};

    if (!begin_group(&group))
        return false;
    process_vertices(&group, w);
    a->outcodes = w->outcodes;
    return run_group(&group, indexed_chunk);
}
